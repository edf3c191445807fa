#include "engine/lab/report_json.h"

#include <inttypes.h>

#include "engine/input/json_text.h"
#include "engine/lab/words.h"

/* ---- members ------------------------------------------------------------------------------------------------------------ */

static void begin(struct buffer *buffer, const char *kind)
{
    buffer_append_format(buffer, "{\"kind\":\"%s\"", kind);
}

static void add_number(struct buffer *buffer, const char *name, uint64_t number)
{
    buffer_append_format(buffer, ",\"%s\":%" PRIu64, name, number);
}

static void add_text(struct buffer *buffer, const char *name, sheaf_bytes text)
{
    buffer_append_format(buffer, ",\"%s\":", name);
    json_text_append(buffer, text);
}

/* What has been put into `words`, if anything, which is then cleared. */
static void add_words(struct buffer *buffer, const char *name, struct buffer *words)
{
    if (words->size > 0) add_text(buffer, name, buffer_view(words));
    buffer_clear(words);
}

static void end(struct buffer *buffer)
{
    buffer_append_text(buffer, "}\n");
}

/* ---- lines -------------------------------------------------------------------------------------------------------------- */

static void append_layout(const struct lab *lab, size_t layout, struct buffer *words, struct buffer *buffer)
{
    const struct loaded *loaded = &lab->loaded[layout];
    const struct plan_layout *planned = &lab->plan->layouts[layout];
    begin(buffer, "layout");
    add_text(buffer, "layout", planned->name);
    add_text(buffer, "text", planned->text);
    add_number(buffer, "entries", loaded->totals.entry_count);
    add_number(buffer, "collections", loaded->totals.collection_count);
    add_number(buffer, "partition_key_bytes", loaded->partition_key_bytes);
    add_number(buffer, "sort_key_bytes", loaded->sort_key_bytes);
    add_number(buffer, "sort_key_size_max", loaded->sort_key_size_max);
    if (lab->has_measures) add_number(buffer, "memory_bytes", loaded->totals.charged_bytes);
    add_number(buffer, "depth", loaded->depth);
    add_text(buffer, "largest", loaded->hottest);
    add_number(buffer, "largest_entries", loaded->hottest_count);
    add_number(buffer, "refused", loaded->refused_count);
    (void)words_append_refused(lab, layout, words);
    add_words(buffer, "refused_words", words);
    add_number(buffer, "replaced", loaded->replaced_count);
    (void)words_append_replaced(lab, layout, words);
    add_words(buffer, "replaced_words", words);
    end(buffer);
}

/* What stands in a row, by field; none: null. */
static void add_row(const struct lab *lab, const char *name, size_t row, struct buffer *buffer)
{
    buffer_append_format(buffer, ",\"%s\":", name);
    if (row == TRIAL_NO_ROW) {
        buffer_append_text(buffer, "null");
        return;
    }
    for (size_t i = 0; i < lab->plan->field_count; i++) {
        buffer_append_text(buffer, i == 0 ? "{" : ",");
        json_text_append(buffer, lab->plan->fields[i].name);
        buffer_append_byte(buffer, ':');
        json_text_append(buffer, records_value(&lab->records, row, i));
    }
    buffer_append_byte(buffer, '}');
}

/* The first wrong answer; places are counted from 1. */
static void add_wrong(const struct lab *lab, const struct wrong *wrong, struct buffer *buffer)
{
    static const char *const kinds[] = {
        [WRONG_REFUSED] = "refused", [WRONG_SURPLUS] = "surplus", [WRONG_MISPLACED] = "misplaced", [WRONG_MISSING] = "missing"
    };
    add_number(buffer, "wrong_run", wrong->run + 1);
    buffer_append_format(buffer, ",\"wrong_kind\":\"%s\"", kinds[wrong->kind]);
    if (wrong->kind == WRONG_REFUSED) return;
    add_number(buffer, "wrong_place", wrong->place + 1);
    add_row(lab, "expected", wrong->expected, buffer);
    add_row(lab, "found", wrong->found, buffer);
}

static void append_answer(const struct lab *lab, size_t layout, size_t pattern, struct buffer *words, struct buffer *buffer)
{
    const struct trial *trial = lab_trial(lab, layout, pattern);
    begin(buffer, "answer");
    add_text(buffer, "layout", lab->plan->layouts[layout].name);
    add_text(buffer, "pattern", lab->plan->patterns[pattern].name);
    buffer_append_format(buffer, ",\"way\":\"%s\",\"right\":%s", way_word(way_of(trial)),
                         trial->wrong_count == 0 ? "true" : "false");
    add_number(buffer, "runs", trial->run_count);
    add_number(buffer, "wrong_runs", trial->wrong_count);
    add_number(buffer, "read_entries", trial->read_count);
    add_number(buffer, "read_bytes", trial->read_bytes);
    add_number(buffer, "returned_entries", trial->returned_count);
    add_number(buffer, "returned_bytes", trial->returned_bytes);
    buffer_append_format(buffer, ",\"units\":%" PRIu64 "%s", trial->unit_halves / 2, trial->unit_halves % 2 ? ".5" : "");
    if (trial->measured_count > 0) {
        add_number(buffer, "p50_ns", trial->p50_ns);
        add_number(buffer, "p99_ns", trial->p99_ns);
    }
    if (trial->query.size > 0) add_text(buffer, "query", buffer_view(&trial->query));
    if (!trial->one_query) words_append_need(lab, layout, pattern, words);
    add_words(buffer, "need", words);
    if (trial->wrong_count > 0) words_append_wrong(lab, layout, pattern, words);
    add_words(buffer, "wrong", words);
    if (trial->wrong_count > 0) add_wrong(lab, &trial->wrong, buffer);
    end(buffer);
}

void report_json(const struct lab *lab, struct buffer *buffer)
{
    struct buffer words = { 0 };
    begin(buffer, "lab");
    add_text(buffer, "title", lab->plan->title);
    add_text(buffer, "file", lab->plan->file_as_written);
    add_number(buffer, "records", lab->records.count);
    add_number(buffer, "seed", lab->plan->seed);
    end(buffer);
    for (size_t i = 0; i < lab->plan->layout_count; i++) append_layout(lab, i, &words, buffer);
    for (size_t pattern = 0; pattern < lab->plan->pattern_count; pattern++)
        for (size_t i = 0; i < lab->plan->layout_count; i++) append_answer(lab, i, pattern, &words, buffer);
    buffer_release(&words);
}
