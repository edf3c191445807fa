#include "engine/cli/template.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bytes.h"

/* ---- compiling ---------------------------------------------------------------------------------------------------------- */

struct parser {
    const char *text;
    sheaf_bytes rest;
    struct template *template;
    struct complaint *complaint;
};

/* Where it stands, as a person counts. */
static size_t position(const struct parser *parser)
{
    return strlen(parser->text) - parser->rest.size + 1;
}

static bool take(struct parser *parser, char wanted)
{
    if (parser->rest.size == 0 || parser->rest.data[0] != (uint8_t)wanted) return false;
    parser->rest = sheaf_bytes_skip(parser->rest, 1);
    return true;
}

static bool add_part(struct parser *parser, struct template_part part)
{
    struct template *template = parser->template;
    if (template->part_count == TEMPLATE_PART_MAX) {
        return complain(parser->complaint, "expected a template of at most %d parts", TEMPLATE_PART_MAX);
    }
    template->parts[template->part_count++] = part;
    return true;
}

/* Decimal digits as a number of at most `limit`; 0 if they are not that. */
static size_t read_number(sheaf_bytes digits, size_t limit)
{
    size_t number = 0;
    for (size_t i = 0; i < digits.size; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9') return 0;
        number = number * 10 + (size_t)(digits.data[i] - '0');
        if (number > limit) return 0;
    }
    return number;
}

/* What follows the colon: pad(N) or invert(N). */
static bool parse_form(struct parser *parser, sheaf_bytes form, struct template_part *part)
{
    static const struct {
        const char *opening;
        sheaf_form form;
    } forms[] = { { "pad(", SHEAF_FORM_PAD }, { "invert(", SHEAF_FORM_INVERT } };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        sheaf_bytes opening = sheaf_bytes_of(forms[i].opening, strlen(forms[i].opening));
        if (!sheaf_bytes_starts_with(form, opening) || form.data[form.size - 1] != ')') continue;
        sheaf_bytes digits = sheaf_bytes_of(form.data + opening.size, form.size - opening.size - 1);
        uint8_t width = (uint8_t)read_number(digits, SHEAF_SEGMENT_DIGITS_MAX);
        part->number = (sheaf_segment){ .form = forms[i].form, .width = width, .delimiter = SHEAF_NO_DELIMITER };
        if (width > 0) return true;
        return complain(parser->complaint, "expected a width, 1 to %d, found %s", SHEAF_SEGMENT_DIGITS_MAX, quote(digits).text);
    }
    return complain(parser->complaint, "expected pad(WIDTH) or invert(WIDTH), found %s", quote(form).text);
}

/* From behind the opening brace to behind the closing one. */
static bool parse_braces(struct parser *parser)
{
    size_t begin = position(parser) - 1;
    const uint8_t *close = memchr(parser->rest.data, '}', parser->rest.size);
    if (!close) {
        return complain(parser->complaint, "expected a } for the { at position %zu ({{ is a brace as text)", begin);
    }
    sheaf_bytes inner = sheaf_bytes_of(parser->rest.data, (size_t)(close - parser->rest.data));
    parser->rest = sheaf_bytes_skip(parser->rest, inner.size + 1);
    const uint8_t *colon = memchr(inner.data, ':', inner.size);
    sheaf_bytes name = colon ? sheaf_bytes_of(inner.data, (size_t)(colon - inner.data)) : inner;
    struct template_part part = { .is_field = true, .field = field_of(name) };
    if (colon && !parse_form(parser, sheaf_bytes_skip(inner, name.size + 1), &part)) return false;
    return add_part(parser, part);
}

/* Up to the next brace. A doubled brace is a part of one byte. */
static bool parse_text(struct parser *parser)
{
    size_t size = 0;
    while (size < parser->rest.size && parser->rest.data[size] != '{' && parser->rest.data[size] != '}') size++;
    sheaf_bytes text = sheaf_bytes_of(parser->rest.data, size);
    parser->rest = sheaf_bytes_skip(parser->rest, size);
    return add_part(parser, (struct template_part){ .text = text });
}

static bool parse_part(struct parser *parser)
{
    sheaf_bytes brace = sheaf_bytes_of(parser->rest.data, 1);
    if (take(parser, '{')) {
        return take(parser, '{') ? add_part(parser, (struct template_part){ .text = brace }) : parse_braces(parser);
    }
    if (take(parser, '}')) {
        if (take(parser, '}')) return add_part(parser, (struct template_part){ .text = brace });
        return complain(parser->complaint, "expected a { before the } at position %zu (}} is a brace as text)",
                        position(parser) - 1);
    }
    return parse_text(parser);
}

static void init(struct template *template)
{
    *template = (struct template){ .parts = calloc(TEMPLATE_PART_MAX, sizeof *template->parts) };
    if (!template->parts) end_without_memory();
}

bool template_compile(struct template *template, const char *text, struct complaint *complaint)
{
    init(template);
    struct parser parser = {
        .text = text, .rest = sheaf_bytes_of(text, strlen(text)), .template = template, .complaint = complaint
    };
    while (parser.rest.size > 0)
        if (!parse_part(&parser)) return false;
    return true;
}

void template_of_field(struct template *template, const char *name)
{
    init(template);
    struct field field = field_named(sheaf_bytes_of(name, strlen(name)));
    template->parts[template->part_count++] = (struct template_part){ .is_field = true, .field = field };
}

bool template_fits(const struct template *template, enum record_format format, bool has_header, struct complaint *complaint)
{
    for (size_t i = 0; i < template->part_count; i++) {
        const struct template_part *part = &template->parts[i];
        if (part->is_field && !field_fits(&part->field, format, has_header, complaint)) return false;
    }
    return true;
}

bool template_is_number(const struct template *template, const struct record *record)
{
    const struct template_part *part = template->parts;
    return template->part_count == 1 && part->is_field && part->number.width == 0 &&
           record_field_is_number(record, &part->field);
}

void template_release(struct template *template)
{
    free(template->parts);
    *template = (struct template){ 0 };
}

/* ---- rendering ---------------------------------------------------------------------------------------------------------- */

/* A field as a message names it. */
static struct complaint name_field(const struct field *field, enum record_format format)
{
    struct complaint name;
    struct quoted quoted = quote(field->name);
    if (field->kind == FIELD_WHOLE) complain(&name, "the line");
    else if (format == RECORD_DYNAMODB) complain(&name, "attribute %s", quoted.text);
    else if (format == RECORD_JSON_LINES) complain(&name, "member %s", quoted.text);
    else if (field->kind == FIELD_COLUMN) complain(&name, "column %zu", field->column);
    else if (field->kind == FIELD_COLUMN_REST) complain(&name, "columns %zu and following", field->column);
    else complain(&name, "column %s", quoted.text);
    return name;
}

static bool append_number(const struct template_part *part, enum record_format format, sheaf_bytes digits,
                          struct buffer *buffer, struct complaint *complaint)
{
    size_t width = part->number.width;
    sheaf_bytes segment;
    if (sheaf_segment_write(&part->number, digits, buffer_reserve(buffer, width), width, &segment, NULL) == SHEAF_OK) {
        buffer->size += segment.size;
        return true;
    }
    struct complaint name = name_field(&part->field, format);
    return complain(complaint, "expected a whole number of at most %zu digits in %.160s, found %s", width, name.text,
                    quote(digits).text);
}

static bool render_part(const struct template_part *part, struct record *record, struct buffer *buffer,
                        struct complaint *complaint)
{
    sheaf_bytes bytes = part->text;
    if (part->is_field && !record_field(record, &part->field, &bytes, complaint)) return false;
    if (part->number.width > 0) return append_number(part, record->format, bytes, buffer, complaint);
    buffer_append(buffer, bytes);
    return true;
}

bool template_render(const struct template *template, struct record *record, struct buffer *scratch, sheaf_bytes *out_bytes,
                     struct complaint *complaint)
{
    if (template->part_count == 1 && template->parts[0].number.width == 0) { /* a field or a text alone needs no copy */
        const struct template_part *part = &template->parts[0];
        if (part->is_field) return record_field(record, &part->field, out_bytes, complaint);
        *out_bytes = part->text;
        return true;
    }
    buffer_clear(scratch);
    for (size_t i = 0; i < template->part_count; i++)
        if (!render_part(&template->parts[i], record, scratch, complaint)) return false;
    *out_bytes = buffer_view(scratch);
    return true;
}
