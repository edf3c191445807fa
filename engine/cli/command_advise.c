/*
 * command_advise.c - sheaf advise: what is wrong with the keys of the input.
 *
 *     error    unpadded-numbers: segment 2 of sort keys SCORE, 4 of 4
 *              Numbers in this place are not padded, and sort by their digits from the left.
 *              "SCORE#10#bob" sorts before
 *              "SCORE#9#ann"
 *              repair: sk = "SCORE#{number:pad(10)}#{text}"
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/bytes.h"
#include "engine/cli/command.h"
#include "engine/cli/help.h"
#include "engine/cli/wrap.h"
#include "engine/input/display.h"
#include "engine/input/json_text.h"
#include "engine/input/units.h"

/* ---- keys in ---------------------------------------------------------------------------------------------------------- */

/* A time to live: whole seconds. A fraction is cut off; what is no number at all is refused. */
static bool read_expiry(sheaf_bytes text, int64_t *out_expiry, struct complaint *complaint)
{
    sheaf_number number;
    *out_expiry = 0;
    if (text.size == 0) return true;
    if (sheaf_number_parse(text, &number, NULL) != SHEAF_OK)
        return complain(complaint, "expected a number of seconds, found %s", quote(text).text);
    if (sheaf_number_to_i64(number, out_expiry) != SHEAF_OK) *out_expiry = 0; /* far beyond any time, or a fraction */
    return true;
}

struct intaken {
    sheaf_adviser *adviser;
    uint64_t expiry_count;
};

/* What is a number to DynamoDB sorts as one: nothing is to be said of its digits. */
static enum intake_part take_key(void *context, const struct intake_record *record, struct complaint *complaint)
{
    struct intaken *intaken = context;
    sheaf_advice_key key = { .size = record->written.size };
    if (!record->partition_key_is_number) key.partition_key = record->parts[INTAKE_PARTITION_KEY];
    if (!record->sort_key_is_number) key.sort_key = record->parts[INTAKE_SORT_KEY];
    if (!read_expiry(record->parts[INTAKE_EXPIRY], &key.expiry, complaint)) return INTAKE_EXPIRY;
    if (sheaf_adviser_add(intaken->adviser, &key) != SHEAF_OK) end_without_memory();
    intaken->expiry_count += record->parts[INTAKE_EXPIRY].size > 0;
    return INTAKE_PART_COUNT;
}

/* Items may lack an expiry; if all do, its name is likely to be wrong, and silence would pass for praise. */
static bool read_keys(const struct options *options, sheaf_adviser *adviser, struct intake_summary *out_summary)
{
    struct intaken intaken = { .adviser = adviser };
    const char *name = options->input.expiry_name;
    if (!intake_read(options, take_key, &intaken, out_summary)) return false;
    if (!name || intaken.expiry_count > 0 || out_summary->record_count == 0) return true;
    (void)fprintf(stderr, "sheaf advise: expected an expiry in some record, found none (--ttl '%s')\n", name);
    return false;
}

/* ---- findings out ----------------------------------------------------------------------------------------------------- */

/* Of what, and how many. */
static void append_place(struct buffer *line, const sheaf_finding *finding)
{
    if (finding->segment > 0) buffer_append_format(line, "segment %zu of ", finding->segment);
    if (finding->field == SHEAF_FIELD_VALUE) buffer_append_text(line, "items");
    else buffer_append_format(line, "%ss", sheaf_field_name(finding->field));
    if (finding->entity.size > 0) {
        buffer_append_byte(line, ' ');
        (void)display_append(line, finding->entity, SIZE_MAX);
    }
    buffer_append_text(line, ", ");
    display_append_number(line, finding->key_count);
    buffer_append_text(line, " of ");
    display_append_number(line, finding->of_count);
}

/* Columns. A terminal's edge is kept to; elsewhere keys and repairs are whole, whatever they take. */
enum {
    TEXT_INDENT = 9,
    TEXT_WIDTH = 100,
    CONTEXT_SIZE = 12 /* bytes of what two keys share that are shown before they part */
};

static void append_lines(struct buffer *out, const struct buffer *text, size_t width)
{
    wrap_append_spaces(out, TEXT_INDENT);
    wrap_append(out, buffer_view(text), TEXT_INDENT, TEXT_INDENT, width);
}

/* Rules about order: of two keys the first sorts before the second and should not. Others show two that are beside each
 * other. */
static const char *between_examples(sheaf_rule rule)
{
    bool about_order = rule == SHEAF_RULE_MIXED_WIDTHS || rule == SHEAF_RULE_UNPADDED_NUMBERS || rule == SHEAF_RULE_NUMBER_FORMS ||
                       rule == SHEAF_RULE_MIXED_TIMES || rule == SHEAF_RULE_UTF16_ORDER;
    return about_order ? " sorts before" : " and";
}

static size_t columns_of(sheaf_bytes key)
{
    struct buffer shown = { 0 };
    size_t columns = display_append(&shown, key, SIZE_MAX);
    buffer_release(&shown);
    return columns;
}

/* How much of two long keys is not shown: what they share, up to shortly before they part, in whole characters. */
static size_t hidden_size(const sheaf_finding *finding, size_t room)
{
    sheaf_bytes first = finding->examples[0], second = finding->examples[finding->example_count - 1];
    if (columns_of(first) <= room && columns_of(second) <= room) return 0;
    size_t shared = finding->example_count < 2 ? 0 : sheaf_bytes_shared(first, second);
    if (shared <= CONTEXT_SIZE) return 0;
    size_t size = shared - CONTEXT_SIZE;
    while (size > 0 && (first.data[size] & 0xC0) == 0x80) size--; /* within a character of UTF-8 */
    return size;
}

static const char *behind_example(const sheaf_finding *finding, size_t index)
{
    if (index == 0 && finding->example_count == 2) return between_examples(finding->rule);
    return index == 1 && finding->examples_are_made ? " (pieces of two keys, behind one beginning)" : "";
}

static void append_examples(struct buffer *out, const sheaf_finding *finding, size_t edge)
{
    size_t used = TEXT_INDENT + strlen("\"…\" sorts before") - strlen("…") + 1;
    size_t room = edge == 0 ? SIZE_MAX : edge > used + CONTEXT_SIZE ? edge - used : CONTEXT_SIZE;
    size_t hidden = finding->example_count == 0 ? 0 : hidden_size(finding, room);
    for (size_t i = 0; i < finding->example_count; i++) {
        wrap_append_spaces(out, TEXT_INDENT);
        buffer_append_text(out, hidden > 0 ? "\"…" : "\"");
        (void)display_append(out, sheaf_bytes_skip(finding->examples[i], hidden), hidden > 0 ? room - 1 : room);
        buffer_append_byte(out, '"');
        buffer_append_text(out, behind_example(finding, i));
        buffer_append_byte(out, '\n');
    }
}

/* Words that fit stand as they are; else they are wrapped, as far as they have spaces. */
static void append_fitting(struct buffer *out, const struct buffer *line, size_t indent, size_t edge)
{
    if (edge > 0 && indent + columns_of(buffer_view(line)) > edge) {
        wrap_append(out, buffer_view(line), indent, TEXT_INDENT, edge);
    } else {
        buffer_append(out, buffer_view(line));
        buffer_append_byte(out, '\n');
    }
}

/* `edge`: of the terminal; 0: there is none. */
static void append_text(struct buffer *out, const sheaf_finding *finding, size_t edge)
{
    struct buffer text = { 0 };
    size_t width = edge > 0 && edge < TEXT_WIDTH ? edge : TEXT_WIDTH;
    const sheaf_rule_info *rule = sheaf_rule_describe(finding->rule);
    buffer_append_format(out, "%-7s  ", sheaf_severity_name(finding->severity));
    buffer_append_format(&text, "%s: ", rule->name);
    append_place(&text, finding);
    append_fitting(out, &text, TEXT_INDENT, edge);
    buffer_clear(&text);
    buffer_append_format(&text, "%s.", finding->message);
    append_lines(out, &text, width);
    append_examples(out, finding, edge);
    buffer_clear(&text);
    buffer_append_format(&text, "%s.", rule->explanation);
    append_lines(out, &text, width);
    if (finding->repair.size > 0) {
        wrap_append_spaces(out, TEXT_INDENT);
        buffer_clear(&text);
        buffer_append_text(&text, "repair: ");
        (void)display_append(&text, finding->repair, SIZE_MAX);
        append_fitting(out, &text, TEXT_INDENT, edge);
    }
    buffer_release(&text);
}

static void append_member(struct buffer *out, const char *name, sheaf_bytes text)
{
    buffer_append_format(out, ", \"%s\": ", name);
    json_text_append(out, text);
}

static sheaf_bytes words(const char *text)
{
    return sheaf_bytes_of(text, strlen(text));
}

static void append_json(struct buffer *out, const sheaf_finding *finding)
{
    const sheaf_rule_info *rule = sheaf_rule_describe(finding->rule);
    buffer_append_format(out, "{\"rule\": \"%s\", \"severity\": \"%s\", \"field\": \"%s\"", rule->name,
                         sheaf_severity_name(finding->severity), sheaf_field_name(finding->field));
    append_member(out, "entity", finding->entity);
    buffer_append_format(out, ", \"segment\": %zu, \"keys\": %" PRIu64 ", \"of\": %" PRIu64, finding->segment, finding->key_count,
                         finding->of_count);
    append_member(out, "message", words(finding->message));
    append_member(out, "explanation", words(rule->explanation));
    buffer_append_text(out, ", \"examples\": [");
    for (size_t i = 0; i < finding->example_count; i++) {
        if (i > 0) buffer_append_text(out, ", ");
        json_text_append(out, finding->examples[i]);
    }
    buffer_append_format(out, "], \"made\": %s", finding->examples_are_made ? "true" : "false");
    append_member(out, "repair", finding->repair);
    buffer_append_text(out, "}\n");
}

/* How many of each severity; in text for who wonders whether anything was looked at. */
static void append_summary(struct buffer *out, const sheaf_finding *findings, size_t count)
{
    uint64_t counts[SHEAF_ERROR + 1] = { 0 };
    for (size_t i = 0; i < count; i++) counts[findings[i].severity]++;
    if (count == 0) {
        buffer_append_text(out, "nothing found\n");
        return;
    }
    units_append_count(out, counts[SHEAF_ERROR], "error", "errors");
    buffer_append_text(out, ", ");
    units_append_count(out, counts[SHEAF_WARNING], "warning", "warnings");
    buffer_append_text(out, ", ");
    units_append_count(out, counts[SHEAF_NOTE], "note", "notes");
    buffer_append_byte(out, '\n');
}

static void report(struct buffer *out, const struct options *options, const sheaf_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (options->form == OUTPUT_JSON) {
            append_json(out, &findings[i]);
        } else {
            append_text(out, &findings[i], options->width);
            buffer_append_byte(out, '\n');
        }
    }
    if (options->form != OUTPUT_JSON) append_summary(out, findings, count);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

static enum exit_code advise(const struct options *options, sheaf_adviser *adviser)
{
    const sheaf_finding *findings;
    size_t count;
    struct intake_summary summary;
    if (!read_keys(options, adviser, &summary)) return EXIT_TROUBLE;
    if (sheaf_adviser_findings(adviser, &findings, &count) != SHEAF_OK) end_without_memory();
    if (!options->quiet) {
        struct buffer line = { 0 };
        intake_append_summary(&line, &summary);
        (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
        buffer_release(&line);
    }
    struct sink sink;
    sink_open(&sink, STDOUT_FILENO);
    report(&sink.buffer, options, findings, count);
    sink_flush(&sink);
    enum exit_code code = count > 0 && findings[0].severity >= options->fail_on ? EXIT_NOTHING_FOUND : EXIT_DONE;
    if (sink_failed(&sink)) {
        (void)fprintf(stderr, "sheaf advise: cannot write the report: %s\n", strerror(sink.error));
        code = EXIT_TROUBLE;
    }
    sink_release(&sink);
    return code;
}

enum exit_code command_advise(int argc, char **argv)
{
    struct options options;
    switch (options_read(&options, "advise", argc, argv)) {
    case OPTIONS_HELP: return help_print(HELP_ADVISE, stdout) ? EXIT_DONE : EXIT_TROUBLE;
    case OPTIONS_WRONG: return EXIT_TROUBLE;
    case OPTIONS_READ: break;
    }
    sheaf_adviser *adviser;
    if (sheaf_adviser_create(NULL, &adviser) != SHEAF_OK) end_without_memory();
    enum exit_code code = advise(&options, adviser);
    sheaf_adviser_destroy(adviser);
    return code;
}
