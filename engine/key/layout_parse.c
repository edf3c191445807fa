/*
 * layout_parse.c - the text of a layout, from left to right, to its parts.
 *
 * The grammar is in <sheaf/layout.h>. Each function stands at what it is named for, takes that off the text, and says
 * where it is wrong; a column is a place in the text, from 1.
 */
#include "engine/base/assert.h"
#include "engine/base/utf8.h"
#include "engine/key/layout.h"

struct parser {
    struct sheaf_layout *layout;
    size_t at;
    sheaf_layout_fault *fault;
};

/* ---- signs ---------------------------------------------------------------------------------------------------------- */

static sheaf_status refuse(struct parser *parser, size_t at, const char *message)
{
    *parser->fault = (sheaf_layout_fault){
        .field = SHEAF_FIELD_LAYOUT, .column = at + 1, .segment = SHEAF_LAYOUT_NO_FIELD, .message = message
    };
    return SHEAF_LAYOUT_MALFORMED;
}

static sheaf_status refuse_number(struct parser *parser, size_t at, uint64_t size, uint64_t limit, const char *message)
{
    sheaf_status status = refuse(parser, at, message);
    parser->fault->size = size;
    parser->fault->limit = limit;
    return status;
}

static bool at_end(const struct parser *parser)
{
    return parser->at == parser->layout->text.size;
}

/* The byte it stands at; 0 at the end, where no sign is that. */
static uint8_t peek(const struct parser *parser)
{
    return at_end(parser) ? 0 : parser->layout->text.data[parser->at];
}

static bool take(struct parser *parser, char wanted)
{
    if (at_end(parser) || peek(parser) != (uint8_t)wanted) return false;
    parser->at++;
    return true;
}

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static void skip_space(struct parser *parser)
{
    while (!at_end(parser) && is_space(peek(parser))) parser->at++;
}

static sheaf_bytes taken_since(const struct parser *parser, size_t begin)
{
    return sheaf_bytes_of(parser->layout->text.data + begin, parser->at - begin);
}

/* Bytes up to one that ends a name. */
static sheaf_bytes take_name(struct parser *parser)
{
    size_t begin = parser->at;
    while (!at_end(parser) && !is_space(peek(parser)) && !(peek(parser) != 0 && strchr("{}:\"(),", peek(parser))))
        parser->at++;
    return taken_since(parser, begin);
}

/* Lower-case letters and digits: what a form, a type or a unit is called. */
static sheaf_bytes take_word(struct parser *parser)
{
    size_t begin = parser->at;
    while ((peek(parser) >= 'a' && peek(parser) <= 'z') || (peek(parser) >= '0' && peek(parser) <= '9')) parser->at++;
    return taken_since(parser, begin);
}

/* ---- parts ---------------------------------------------------------------------------------------------------------- */

static sheaf_status add_part(struct parser *parser, const struct sheaf_layout_part *part)
{
    struct sheaf_layout *layout = parser->layout;
    if (layout->part_count == SHEAF_LAYOUT_PART_MAX) {
        return refuse_number(parser, part->column - 1, layout->part_count + 1, SHEAF_LAYOUT_PART_MAX,
                             "The layout has too many parts");
    }
    layout->parts[layout->part_count++] = *part;
    return SHEAF_OK;
}

static sheaf_status add_literal(struct parser *parser, size_t begin, sheaf_bytes bytes)
{
    struct sheaf_layout_part part = { .column = begin + 1, .literal = bytes };
    return add_part(parser, &part);
}

/* The field of that name, a new one if there is none yet. There is room: no more fields than parts. */
static size_t intern_name(struct sheaf_layout *layout, sheaf_bytes name)
{
    size_t field = sheaf_layout_find_field(layout, name);
    if (field != SHEAF_LAYOUT_NO_FIELD) return field;
    sheaf_assert(layout->field_count < SHEAF_LAYOUT_PART_MAX);
    layout->names[layout->field_count] = name;
    return layout->field_count++;
}

static sheaf_status add_field(struct parser *parser, size_t begin, sheaf_bytes name, const struct sheaf_layout_row *row,
                              struct sheaf_layout_part *part)
{
    struct sheaf_layout *layout = parser->layout;
    size_t field = sheaf_layout_find_field(layout, name);
    for (size_t i = row->first; i < layout->part_count; i++)
        if (layout->parts[i].is_field && layout->parts[i].field == field)
            return refuse(parser, begin, "The field is in this key already"); /* L3 */
    part->is_field = true;
    part->column = begin + 1;
    sheaf_status status = add_part(parser, part);
    if (status == SHEAF_OK) layout->parts[layout->part_count - 1].field = intern_name(layout, name);
    return status;
}

/* ---- forms ---------------------------------------------------------------------------------------------------------- */

/* What stands in a form's parentheses. */
enum arguments {
    ARGUMENTS_NONE,
    ARGUMENTS_WIDTH,
    ARGUMENTS_WIDTH_AND_DIGITS,
    ARGUMENTS_WIDTH_MAYBE_DIGITS,
    ARGUMENTS_MAYBE_UNIT, /* ms, us; seconds without */
    ARGUMENTS_UNIT,       /* s, ms, us */
    ARGUMENTS_BYTE
};

static const struct form {
    const char *name;
    sheaf_form form;
    enum arguments arguments;
} FORMS[] = {
    { "text", SHEAF_FORM_TEXT, ARGUMENTS_NONE },
    { "raw", SHEAF_FORM_RAW, ARGUMENTS_NONE },
    { "escape", SHEAF_FORM_ESCAPE, ARGUMENTS_NONE },
    { "pad", SHEAF_FORM_PAD, ARGUMENTS_WIDTH },
    { "invert", SHEAF_FORM_INVERT, ARGUMENTS_WIDTH },
    { "signed", SHEAF_FORM_SIGNED, ARGUMENTS_WIDTH_MAYBE_DIGITS },
    { "decimal", SHEAF_FORM_PAD, ARGUMENTS_WIDTH_AND_DIGITS },
    { "time", SHEAF_FORM_TIME, ARGUMENTS_MAYBE_UNIT },
    { "epoch", SHEAF_FORM_EPOCH, ARGUMENTS_UNIT },
    { "path", SHEAF_FORM_PATH, ARGUMENTS_BYTE },
};

static const struct form *find_form(sheaf_bytes name)
{
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++)
        if (sheaf_bytes_equal(name, sheaf_bytes_of(FORMS[i].name, strlen(FORMS[i].name)))) return &FORMS[i];
    return NULL;
}

/* A number from 1 to `limit`. */
static sheaf_status parse_number(struct parser *parser, size_t limit, const char *message, uint8_t *out_number)
{
    skip_space(parser);
    size_t begin = parser->at;
    uint64_t number = 0;
    while (peek(parser) >= '0' && peek(parser) <= '9') {
        number = number > limit ? number : number * 10 + (uint64_t)(peek(parser) - '0'); /* so large that it is refused */
        parser->at++;
    }
    if (number < 1 || number > limit) return refuse_number(parser, begin, number, limit, message);
    *out_number = (uint8_t)number;
    skip_space(parser);
    return SHEAF_OK;
}

static sheaf_status parse_width(struct parser *parser, enum arguments arguments, sheaf_segment *segment)
{
    sheaf_status status = parse_number(parser, SHEAF_SEGMENT_DIGITS_MAX, "A width is a number from 1 to 38",
                                       &segment->width);
    if (status != SHEAF_OK || arguments == ARGUMENTS_WIDTH) return status;
    size_t begin = parser->at;
    if (!take(parser, ',')) {
        return arguments == ARGUMENTS_WIDTH_AND_DIGITS ? refuse(parser, begin, "A comma and a number of digits are missing")
                                                       : SHEAF_OK;
    }
    return parse_number(parser, SHEAF_SEGMENT_DIGITS_MAX - segment->width,
                        "The digits behind the point are a number from 1 on, with the width at most 38", &segment->digits);
}

static sheaf_status parse_unit(struct parser *parser, enum arguments arguments, sheaf_segment *segment)
{
    skip_space(parser);
    size_t begin = parser->at;
    sheaf_bytes unit = take_word(parser);
    skip_space(parser);
    if (sheaf_bytes_equal(unit, SHEAF_LIT("ms")))
        segment->digits = 3;
    else if (sheaf_bytes_equal(unit, SHEAF_LIT("us")))
        segment->digits = 6;
    else if (arguments == ARGUMENTS_MAYBE_UNIT)
        return refuse(parser, begin, "The digits of a time are ms or us");
    else if (!sheaf_bytes_equal(unit, SHEAF_LIT("s")))
        return refuse(parser, begin, "The unit of an epoch is s, ms or us");
    return SHEAF_OK;
}

/* The delimiter of a path, as it is in a literal. */
static sheaf_status parse_delimiter(struct parser *parser, sheaf_segment *segment)
{
    size_t begin = parser->at;
    const char *message;
    bool escaped = take(parser, '\\');
    if (at_end(parser) || (!escaped && peek(parser) == '"')) return refuse(parser, begin, "The delimiter is missing");
    segment->delimiter = parser->layout->text.data[parser->at++];
    if (!sheaf_segment_is_sound(segment, &message)) return refuse(parser, begin, message);
    return SHEAF_OK;
}

static sheaf_status parse_arguments(struct parser *parser, enum arguments arguments, sheaf_segment *segment)
{
    switch (arguments) {
    case ARGUMENTS_NONE: break;
    case ARGUMENTS_WIDTH:
    case ARGUMENTS_WIDTH_AND_DIGITS:
    case ARGUMENTS_WIDTH_MAYBE_DIGITS: return parse_width(parser, arguments, segment);
    case ARGUMENTS_MAYBE_UNIT:
    case ARGUMENTS_UNIT: return parse_unit(parser, arguments, segment);
    case ARGUMENTS_BYTE: return parse_delimiter(parser, segment);
    }
    return SHEAF_OK;
}

/* From behind the colon to behind the form. */
static sheaf_status parse_form(struct parser *parser, sheaf_segment *segment)
{
    skip_space(parser);
    size_t begin = parser->at;
    const struct form *form = find_form(take_word(parser));
    if (!form) {
        return refuse(parser, begin,
                      "The form is none of text, raw, escape, pad, invert, signed, decimal, time, epoch and path");
    }
    segment->form = form->form;
    skip_space(parser);
    size_t opening = parser->at;
    if (form->arguments == ARGUMENTS_NONE) return SHEAF_OK;
    if (!take(parser, '(')) {
        return form->arguments == ARGUMENTS_MAYBE_UNIT ? SHEAF_OK
                                                       : refuse(parser, opening, "A ( is missing behind the form");
    }
    sheaf_status status = parse_arguments(parser, form->arguments, segment);
    if (status != SHEAF_OK) return status;
    return take(parser, ')') ? SHEAF_OK : refuse(parser, parser->at, "A ) is missing");
}

/* ---- text keys ------------------------------------------------------------------------------------------------------ */

/* From behind the opening brace to behind the closing one. */
static sheaf_status parse_field(struct parser *parser, const struct sheaf_layout_row *row)
{
    size_t begin = parser->at - 1;
    struct sheaf_layout_part part = { .segment = { .delimiter = SHEAF_NO_DELIMITER } };
    skip_space(parser);
    sheaf_bytes name = take_name(parser);
    if (name.size == 0) return refuse(parser, parser->at, "The name of a field is missing ({{ is a brace as text)");
    skip_space(parser);
    sheaf_status status = take(parser, ':') ? parse_form(parser, &part.segment) : SHEAF_OK;
    if (status != SHEAF_OK) return status;
    skip_space(parser);
    if (!take(parser, '}')) return refuse(parser, parser->at, "A } is missing");
    return add_field(parser, begin, name, row, &part);
}

/* Up to the next sign that has a meaning. */
static sheaf_status parse_run(struct parser *parser)
{
    size_t begin = parser->at;
    while (!at_end(parser) && !(peek(parser) != 0 && strchr("{}\"\\", peek(parser)))) parser->at++;
    return add_literal(parser, begin, taken_since(parser, begin));
}

static sheaf_status parse_escape(struct parser *parser)
{
    size_t begin = parser->at - 1;
    if (!take(parser, '"') && !take(parser, '\\')) return refuse(parser, begin, "A backslash stands before \" or \\ only");
    return add_literal(parser, begin, taken_since(parser, begin + 1));
}

static sheaf_status parse_piece(struct parser *parser, const struct sheaf_layout_row *row)
{
    size_t begin = parser->at;
    if (take(parser, '\\')) return parse_escape(parser);
    if (take(parser, '{')) {
        return take(parser, '{') ? add_literal(parser, begin, taken_since(parser, begin + 1)) : parse_field(parser, row);
    }
    if (take(parser, '}')) {
        if (!take(parser, '}')) return refuse(parser, begin, "A { is missing before the } (}} is a brace as text)");
        return add_literal(parser, begin, taken_since(parser, begin + 1));
    }
    return parse_run(parser);
}

/* L2, for part `index`, which is a field: gives it its delimiter. */
static sheaf_status delimit(struct parser *parser, const struct sheaf_layout_row *row, size_t index)
{
    struct sheaf_layout *layout = parser->layout;
    struct sheaf_layout_part *part = &layout->parts[index];
    const char *message;
    if (sheaf_segment_fixed_size(&part->segment) > 0 || index + 1 == row->end) return SHEAF_OK;
    const struct sheaf_layout_part *next = &layout->parts[index + 1];
    if (part->segment.form == SHEAF_FORM_PATH) return refuse(parser, part->column - 1, "A path is the last of its key");
    if (next->is_field) {
        return refuse(parser, next->column - 1,
                      "The field before this one varies in size: a delimiter is needed between the two");
    }
    part->segment.delimiter = next->literal.data[0];
    if (!sheaf_segment_is_sound(&part->segment, &message)) return refuse(parser, next->column - 1, message);
    return SHEAF_OK;
}

/* No key is shorter than its literals, its fields of fixed size and a byte for each other one. */
static sheaf_status check_least_size(struct parser *parser, const struct sheaf_layout_row *row, size_t opening)
{
    size_t size = 0;
    for (size_t i = row->first; i < row->end; i++) {
        const struct sheaf_layout_part *part = &parser->layout->parts[i];
        size_t fixed = part->is_field ? sheaf_segment_fixed_size(&part->segment) : part->literal.size;
        size += fixed > 0 ? fixed : 1;
    }
    if (size <= row->size_max) return SHEAF_OK;
    return refuse_number(parser, opening, size, row->size_max, "Each such key is longer than a key can be");
}

/* From behind the opening quote to behind the closing one. */
static sheaf_status parse_text_key(struct parser *parser, struct sheaf_layout_row *row)
{
    size_t opening = parser->at - 1;
    sheaf_status status = SHEAF_OK;
    while (status == SHEAF_OK && !take(parser, '"')) {
        if (at_end(parser)) return refuse(parser, opening, "The quote is never closed");
        status = parse_piece(parser, row);
    }
    if (status != SHEAF_OK) return status;
    row->type = SHEAF_LAYOUT_TEXT;
    row->end = parser->layout->part_count;
    if (row->first == row->end) return refuse(parser, opening, "The key is empty");
    for (size_t i = row->first; i < row->end && status == SHEAF_OK; i++)
        if (parser->layout->parts[i].is_field) status = delimit(parser, row, i);
    return status == SHEAF_OK ? check_least_size(parser, row, opening) : status;
}

/* ---- typed keys ----------------------------------------------------------------------------------------------------- */

static const struct type {
    const char *name;
    enum sheaf_typed_kind kind;
} TYPES[] = {
    { "u64", TYPED_U64 },   { "i64", TYPED_I64 },     { "double", TYPED_DOUBLE }, { "number", TYPED_NUMBER },
    { "text", TYPED_TEXT }, { "bytes", TYPED_BYTES }, { "bool", TYPED_BOOL },
};

static const struct type *find_type(sheaf_bytes name)
{
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (sheaf_bytes_equal(name, sheaf_bytes_of(TYPES[i].name, strlen(TYPES[i].name)))) return &TYPES[i];
    return NULL;
}

/* A name, a colon and a type, with white space around. */
static sheaf_status parse_typed(struct parser *parser, const char *message, sheaf_bytes *out_name,
                                struct sheaf_layout_part *part)
{
    skip_space(parser);
    part->column = parser->at + 1;
    *out_name = take_name(parser);
    if (out_name->size == 0) return refuse(parser, part->column - 1, message);
    skip_space(parser);
    if (!take(parser, ':')) return refuse(parser, parser->at, "A : and a type are missing");
    skip_space(parser);
    size_t begin = parser->at;
    const struct type *type = find_type(take_word(parser));
    if (!type) return refuse(parser, begin, "The type is none of u64, i64, double, number, text, bytes and bool");
    part->typed.kind = type->kind;
    return SHEAF_OK;
}

static sheaf_status parse_part(struct parser *parser, const struct sheaf_layout_row *row)
{
    struct sheaf_layout_part part = { .typed = { .order = SHEAF_ASCENDING } };
    sheaf_bytes name;
    sheaf_status status = parse_typed(parser, "The name of a part is missing", &name, &part);
    if (status != SHEAF_OK) return status;
    skip_space(parser);
    size_t begin = parser->at;
    sheaf_bytes order = take_word(parser);
    if (sheaf_bytes_equal(order, SHEAF_LIT("desc")))
        part.typed.order = SHEAF_DESCENDING;
    else if (order.size > 0)
        return refuse(parser, begin, "Behind the type stands desc, or nothing");
    skip_space(parser);
    return add_field(parser, part.column - 1, name, row, &part);
}

/* From behind the opening parenthesis to behind the closing one. */
static sheaf_status parse_tuple_key(struct parser *parser, struct sheaf_layout_row *row)
{
    row->type = SHEAF_LAYOUT_BINARY;
    do {
        sheaf_status status = parse_part(parser, row);
        if (status != SHEAF_OK) return status;
    } while (take(parser, ','));
    return take(parser, ')') ? SHEAF_OK : refuse(parser, parser->at, "A comma or a ) is missing");
}

static sheaf_status parse_number_key(struct parser *parser, struct sheaf_layout_row *row)
{
    static const char missing[] = "A key is missing: one in quotes or in parentheses, or name:number";
    struct sheaf_layout_part part = { .typed = { .order = SHEAF_ASCENDING } };
    sheaf_bytes name;
    sheaf_status status = parse_typed(parser, missing, &name, &part);
    if (status != SHEAF_OK) return status;
    if (part.typed.kind != TYPED_NUMBER) {
        return refuse(parser, part.column - 1, "A key of one name is a number; other types stand in parentheses");
    }
    part.typed.kind = TYPED_NUMBER_KEY;
    row->type = SHEAF_LAYOUT_NUMBER;
    return add_field(parser, part.column - 1, name, row, &part);
}

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

static sheaf_status parse_key(struct parser *parser, struct sheaf_layout_row *row)
{
    row->first = parser->layout->part_count;
    if (take(parser, '"')) return parse_text_key(parser, row);
    sheaf_status status = take(parser, '(') ? parse_tuple_key(parser, row) : parse_number_key(parser, row);
    row->end = parser->layout->part_count;
    return status;
}

static sheaf_status parse_line(struct parser *parser)
{
    size_t begin = parser->at;
    sheaf_bytes name = sheaf_bytes_of(parser->layout->text.data + begin,
                                      sheaf_size_min(parser->layout->text.size - begin, 2));
    bool is_partition = sheaf_bytes_equal(name, SHEAF_LIT("pk"));
    if (!is_partition && !sheaf_bytes_equal(name, SHEAF_LIT("sk"))) {
        return refuse(parser, begin, "A line begins with pk or sk, and =");
    }
    struct sheaf_layout_row *row = &parser->layout->rows[is_partition ? SHEAF_LAYOUT_PARTITION_KEY : SHEAF_LAYOUT_SORT_KEY];
    parser->at += name.size;
    skip_space(parser);
    if (!take(parser, '=')) return refuse(parser, parser->at, "A = is missing");
    if (row->type != SHEAF_LAYOUT_NONE) return refuse(parser, begin, "The layout has this key already");
    skip_space(parser);
    return parse_key(parser, row);
}

/* Goes to the next line, or the end. False if nothing parts it from the one before. */
static bool take_separator(struct parser *parser)
{
    bool parted = false;
    for (; !at_end(parser); parser->at++) {
        uint8_t byte = peek(parser);
        bool parts = byte == '\n' || ((byte == ',' || byte == ';') && !parted);
        if (!parts && !is_space(byte)) break;
        parted = parted || parts;
    }
    return parted || at_end(parser);
}

sheaf_status sheaf_layout_parse(struct sheaf_layout *layout, sheaf_layout_fault *out_fault)
{
    struct parser parser = { .layout = layout, .fault = out_fault };
    size_t valid = sheaf_utf8_valid_size(layout->text);
    if (valid < layout->text.size) return refuse(&parser, valid, "The layout is not UTF-8");
    skip_space(&parser);
    do {
        sheaf_status status = parse_line(&parser);
        if (status != SHEAF_OK) return status;
        if (!take_separator(&parser)) return refuse(&parser, parser.at, "A comma is missing before the next key");
    } while (!at_end(&parser));
    return SHEAF_OK;
}
