#include "engine/lab/report_text.h"

#include <stdint.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/input/display.h"
#include "engine/input/units.h"
#include "engine/lab/remarks.h"
#include "engine/lab/table.h"
#include "engine/lab/words.h"

/* Columns of a remark: what tables have, and windows too. */
#define REMARK_WIDTH 110

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static void add_text(struct table *table, const char *text)
{
    struct buffer buffer = { 0 };
    buffer_append_text(&buffer, text);
    table_add(table, buffer_view(&buffer));
    buffer_release(&buffer);
}

/* Adds what has been appended to `cell`, and clears it. */
static void add_cell(struct table *table, struct buffer *cell)
{
    table_add(table, buffer_view(cell));
    buffer_clear(cell);
}

static void add_number(struct table *table, struct buffer *cell, uint64_t number)
{
    display_append_number(cell, number);
    add_cell(table, cell);
}

static void add_mean(struct table *table, struct buffer *cell, uint64_t sum, uint64_t count)
{
    words_append_mean(cell, sum, count);
    add_cell(table, cell);
}

static void begin_table(struct table *table, const char *const *headings, size_t count)
{
    table->column_count = count;
    for (size_t i = 0; i < count; i++) {
        table->to_the_right[i] = headings[i][0] == '>';
        add_text(table, headings[i] + (headings[i][0] == '>'));
    }
}

/* ---- layouts ------------------------------------------------------------------------------------------------------------ */

static void add_layout(const struct lab *lab, size_t layout, struct table *table, struct buffer *cell)
{
    const struct loaded *loaded = &lab->loaded[layout];
    uint64_t entries = loaded->totals.entry_count;
    table_add(table, lab->plan->layouts[layout].name);
    add_number(table, cell, entries);
    add_number(table, cell, loaded->totals.collection_count);
    add_mean(table, cell, loaded->partition_key_bytes, entries);
    add_mean(table, cell, loaded->sort_key_bytes, entries);
    add_number(table, cell, loaded->depth);
    words_append_share(cell, loaded->hottest_count, entries);
    add_cell(table, cell);
    buffer_append_text(cell, quote(loaded->hottest).text);
    add_cell(table, cell);
    if (lab->has_measures) add_mean(table, cell, loaded->totals.charged_bytes, entries);
}

static void append_layouts(const struct lab *lab, struct buffer *buffer)
{
    static const char *const headings[] = { "layout",   ">entries", ">collections", ">pk bytes", ">sk bytes", ">depth",
                                            ">largest", "",         ">memory/entry" };
    struct table table = { .column_count = 0 };
    struct buffer cell = { 0 };
    begin_table(&table, headings, sizeof headings / sizeof *headings - (lab->has_measures ? 0 : 1));
    for (size_t i = 0; i < lab->plan->layout_count; i++) add_layout(lab, i, &table, &cell);
    table_append(&table, "", buffer);
    buffer_release(&cell);
    table_release(&table);
}

/* A remark, in lines that are not too long: what follows the first is indented more. Takes what is in `words`. */
static void append_remark(sheaf_bytes name, struct buffer *words, struct buffer *buffer)
{
    struct buffer line = { 0 };
    size_t column = 0;
    buffer_append(&line, name);
    if (name.size > 0) buffer_append_text(&line, ": ");
    buffer_append(&line, buffer_view(words));
    buffer_clear(words);
    for (sheaf_bytes rest = buffer_view(&line); rest.size > 0;) {
        const uint8_t *blank = memchr(rest.data, ' ', rest.size);
        size_t size = blank ? (size_t)(blank - rest.data) : rest.size;
        struct buffer word = { 0 };
        size_t width = display_append(&word, sheaf_bytes_of(rest.data, size), SIZE_MAX);
        bool first = column == 0, breaks = column + 1 + width > REMARK_WIDTH;
        buffer_append_text(buffer, first ? "  " : breaks ? "\n      " : " ");
        column = (first ? 2 : breaks ? 6 : column + 1) + width;
        buffer_append(buffer, buffer_view(&word));
        buffer_release(&word);
        rest = sheaf_bytes_skip(rest, blank ? size + 1 : size);
    }
    buffer_append_byte(buffer, '\n');
    buffer_release(&line);
}

static void append_findings(const struct lab *lab, struct buffer *buffer)
{
    struct buffer words = { 0 };
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        sheaf_bytes name = lab->plan->layouts[i].name;
        if (words_append_refused(lab, i, &words)) append_remark(name, &words, buffer);
        if (words_append_replaced(lab, i, &words)) append_remark(name, &words, buffer);
    }
    buffer_release(&words);
}

/* ---- patterns ----------------------------------------------------------------------------------------------------------- */

static void add_trial(const struct lab *lab, size_t layout, size_t pattern, struct table *table, struct buffer *cell)
{
    const struct trial *trial = lab_trial(lab, layout, pattern);
    table_add(table, lab->plan->layouts[layout].name);
    words_append_answer(trial, cell);
    add_cell(table, cell);
    add_mean(table, cell, trial->read_count, trial->run_count);
    add_mean(table, cell, trial->returned_count, trial->run_count);
    add_mean(table, cell, trial->read_bytes, trial->run_count);
    add_mean(table, cell, trial->returned_bytes, trial->run_count);
    buffer_append_format(cell, "%.1f", (double)trial->unit_halves / 2 / (double)trial->run_count);
    add_cell(table, cell);
    if (!lab->has_measures) return;
    if (trial->measured_count > 0) units_append_time(cell, trial->p50_ns);
    add_cell(table, cell);
    if (trial->measured_count > 0) units_append_time(cell, trial->p99_ns);
    add_cell(table, cell);
}

static void append_trials(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    static const char *const headings[] = { "layout",    "answer", ">read", ">returned", ">bytes read",
                                            ">returned", ">units", ">p50",  ">p99" };
    struct table table = { .column_count = 0 };
    struct buffer cell = { 0 };
    begin_table(&table, headings, sizeof headings / sizeof *headings - (lab->has_measures ? 0 : 2));
    for (size_t i = 0; i < lab->plan->layout_count; i++) add_trial(lab, i, pattern, &table, &cell);
    table_append(&table, "", buffer);
    buffer_release(&cell);
    table_release(&table);
}

static void append_remarks(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    struct remarks remarks;
    remarks_make(lab, pattern, &remarks);
    for (size_t i = 0; i < remarks.count; i++)
        append_remark(buffer_view(&remarks.list[i].names), &remarks.list[i].words, buffer);
    remarks_release(&remarks);
}

static void append_pattern(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    const struct pattern *asked = &lab->plan->patterns[pattern];
    buffer_append_text(buffer, "\n");
    buffer_append(buffer, asked->name);
    buffer_append_text(buffer, ": ");
    words_append_pattern(lab->plan, asked, buffer);
    buffer_append_text(buffer, " (");
    units_append_count(buffer, asked->run_count, "run", "runs");
    buffer_append_text(buffer, ")\n");
    append_trials(lab, pattern, buffer);
    append_remarks(lab, pattern, buffer);
}

void report_text(const struct lab *lab, struct buffer *buffer)
{
    buffer_append(buffer, lab->plan->title);
    buffer_append_byte(buffer, '\n');
    units_append_count(buffer, lab->records.count, "record", "records");
    buffer_append_text(buffer, " of ");
    buffer_append(buffer, lab->plan->file_as_written);
    buffer_append_text(buffer, "\n\n");
    append_layouts(lab, buffer);
    append_findings(lab, buffer);
    for (size_t i = 0; i < lab->plan->pattern_count; i++) append_pattern(lab, i, buffer);
}
