#include "engine/lab/report_html.h"

#include <string.h>

#include "engine/input/display.h"
#include "engine/input/units.h"
#include "engine/lab/html.h"
#include "engine/lab/plot.h"
#include "engine/lab/remarks.h"
#include "engine/lab/report_style.h"
#include "engine/lab/words.h"

/* ---- pieces ------------------------------------------------------------------------------------------------------------- */

/* The class of what belongs to an answer, which the style gives a colour. */
static const char *class_of(const struct trial *trial)
{
    if (trial->wrong_count > 0) return "wrong";
    switch (way_of(trial)) {
    case WAY_QUERY: return "right";
    case WAY_SORT:
    case WAY_FILTER: return "more";
    case WAY_SCAN: return "scan";
    }
    return "plain";
}

static void append_text(struct buffer *buffer, const char *text)
{
    html_append(buffer, sheaf_bytes_of(text, strlen(text)));
}

/* Appends what has been put into `words` as text, and clears it. */
static void append_words(struct buffer *buffer, struct buffer *words)
{
    html_append(buffer, buffer_view(words));
    buffer_clear(words);
}

static void append_cell(struct buffer *buffer, struct buffer *words)
{
    buffer_append_text(buffer, "<td>");
    append_words(buffer, words);
    buffer_append_text(buffer, "</td>");
}

static void append_number_cell(struct buffer *buffer, struct buffer *words, uint64_t number)
{
    display_append_number(words, number);
    append_cell(buffer, words);
}

static void append_mean_cell(struct buffer *buffer, struct buffer *words, uint64_t sum, uint64_t count)
{
    words_append_mean(words, sum, count);
    append_cell(buffer, words);
}

static void append_head_cell(struct buffer *buffer, sheaf_bytes text)
{
    buffer_append_text(buffer, "<th scope=\"row\">");
    html_append(buffer, text);
    buffer_append_text(buffer, "</th>");
}

static void append_headings(struct buffer *buffer, const char *const *headings, size_t count)
{
    buffer_append_text(buffer, "<div class=\"wide\"><table><thead><tr>");
    for (size_t i = 0; i < count; i++) {
        bool is_text = headings[i][0] == '<';
        buffer_append_text(buffer, is_text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">");
        append_text(buffer, headings[i] + is_text);
        buffer_append_text(buffer, "</th>");
    }
    buffer_append_text(buffer, "</tr></thead>\n<tbody>\n");
}

static void end_table(struct buffer *buffer)
{
    buffer_append_text(buffer, "</tbody></table></div>\n");
}

static void append_pill(struct buffer *buffer, struct buffer *words, const struct trial *trial)
{
    buffer_append_format(buffer, "<span class=\"pill %s\">", class_of(trial));
    words_append_answer(trial, words);
    append_words(buffer, words);
    buffer_append_text(buffer, "</span>");
}

/* ---- the matrix --------------------------------------------------------------------------------------------------------- */

static void append_units(const struct trial *trial, struct buffer *words)
{
    buffer_append_format(words, "%.1f", (double)trial->unit_halves / 2 / (double)trial->run_count);
}

static void append_matrix_cell(const struct trial *trial, struct buffer *words, struct buffer *buffer)
{
    buffer_append_text(buffer, "<td>");
    append_pill(buffer, words, trial);
    buffer_append_text(buffer, "<small>");
    words_append_mean(words, trial->read_count, trial->run_count);
    buffer_append_text(words, " read");
    append_words(buffer, words);
    buffer_append_text(buffer, "<br>");
    append_units(trial, words);
    buffer_append_text(words, " units");
    append_words(buffer, words);
    buffer_append_text(buffer, "</small></td>");
}

static void append_matrix(const struct lab *lab, struct buffer *words, struct buffer *buffer)
{
    const struct plan *plan = lab->plan;
    buffer_append_text(buffer, "<div class=\"wide\"><table class=\"matrix\"><thead><tr><th scope=\"col\"></th>");
    for (size_t i = 0; i < plan->layout_count; i++) {
        buffer_append_text(buffer, "<th scope=\"col\">");
        html_append(buffer, plan->layouts[i].name);
        buffer_append_text(buffer, "</th>");
    }
    buffer_append_text(buffer, "</tr></thead>\n<tbody>\n");
    for (size_t pattern = 0; pattern < plan->pattern_count; pattern++) {
        buffer_append_format(buffer, "<tr><th scope=\"row\"><a href=\"#pattern-%zu\">", pattern + 1);
        html_append(buffer, plan->patterns[pattern].name);
        buffer_append_text(buffer, "</a></th>");
        for (size_t i = 0; i < plan->layout_count; i++) append_matrix_cell(lab_trial(lab, i, pattern), words, buffer);
        buffer_append_text(buffer, "</tr>\n");
    }
    end_table(buffer);
    buffer_append_text(buffer,
                       "<p class=\"faint\">Right or WRONG: one query gives the answer, which was held against one found by "
                       "looking at every record. Sort: what a query reads has to be sorted. Filter: it has to be picked "
                       "out of more. Scan: out of everything. Averages of all runs; units are those of DynamoDB, "
                       "eventually consistent.</p>\n");
}

/* ---- layouts ------------------------------------------------------------------------------------------------------------ */

static void append_layout_row(const struct lab *lab, size_t layout, struct buffer *words, struct buffer *buffer)
{
    const struct loaded *loaded = &lab->loaded[layout];
    const struct plan_layout *planned = &lab->plan->layouts[layout];
    uint64_t entries = loaded->totals.entry_count;
    buffer_append_text(buffer, "<tr>");
    append_head_cell(buffer, planned->name);
    buffer_append_text(buffer, "<td class=\"text\"><code>");
    html_append(buffer, planned->text);
    buffer_append_text(buffer, "</code>");
    if (planned->note.size > 0) {
        buffer_append_text(buffer, "<br><span class=\"faint\">");
        html_append(buffer, planned->note);
        buffer_append_text(buffer, "</span>");
    }
    buffer_append_text(buffer, "</td>");
    append_number_cell(buffer, words, entries);
    append_number_cell(buffer, words, loaded->totals.collection_count);
    append_number_cell(buffer, words, loaded->depth);
    words_append_share(words, loaded->hottest_count, entries);
    buffer_append_text(buffer, "<td>");
    append_words(buffer, words);
    buffer_append_text(buffer, "<br><code class=\"faint\">");
    buffer_append_text(words, quote(loaded->hottest).text);
    append_words(buffer, words);
    buffer_append_text(buffer, "</code></td></tr>\n");
}

static void append_count_tick(struct buffer *buffer, double value)
{
    if (value > 0 && value < 1) {
        buffer_append_format(buffer, "%g", value);
    } else {
        display_append_number(buffer, (uint64_t)(value + 0.5));
    }
}

/* Keys: the sort key within both. Memory: keys and values within all of it. */
static void append_layout_plot(const struct lab *lab, bool memory, struct buffer *buffer)
{
    struct plot_row rows[PLAN_LAYOUT_MAX] = { { .class = NULL } };
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct loaded *loaded = &lab->loaded[i];
        uint64_t count = loaded->totals.entry_count;
        uint64_t inner = memory ? loaded->totals.logical_bytes : loaded->sort_key_bytes;
        uint64_t outer = memory ? loaded->totals.charged_bytes : loaded->sort_key_bytes + loaded->partition_key_bytes;
        double entries = count > 0 ? (double)count : 1;
        rows[i] = (struct plot_row){ .label = lab->plan->layouts[i].name,
                                     .class = "plain",
                                     .inner = (double)inner / entries,
                                     .outer = (double)outer / entries };
        words_append_mean(&rows[i].words, memory ? outer : inner, count);
        buffer_append_text(&rows[i].words, memory ? " for " : " sort key, ");
        words_append_mean(&rows[i].words, memory ? inner : outer - inner, count);
        buffer_append_text(&rows[i].words, memory ? " of data" : " pk");
        if (rows[i].inner > rows[i].outer) rows[i].inner = rows[i].outer; /* what keys share is stored once */
    }
    buffer_append_text(buffer, "<figure>");
    plot_append(buffer, PLOT_BARS,
                memory ? "Bytes of memory per entry; solid: keys and values" : "Bytes of keys per entry; solid: sort key", rows,
                lab->plan->layout_count, append_count_tick);
    buffer_append_text(buffer, "</figure>\n");
    plot_rows_release(rows, lab->plan->layout_count);
}

static void append_finding(const struct lab *lab, size_t layout, struct buffer *words, struct buffer *buffer)
{
    buffer_append_text(buffer, "<ul class=\"remarks\"><li class=\"wrong\"><strong>");
    html_append(buffer, lab->plan->layouts[layout].name);
    buffer_append_text(buffer, "</strong> ");
    append_words(buffer, words);
    buffer_append_text(buffer, "</li></ul>\n");
}

static void append_findings(const struct lab *lab, struct buffer *words, struct buffer *buffer)
{
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        if (words_append_refused(lab, i, words)) append_finding(lab, i, words, buffer);
        if (words_append_replaced(lab, i, words)) append_finding(lab, i, words, buffer);
    }
}

static void append_layouts(const struct lab *lab, struct buffer *words, struct buffer *buffer)
{
    static const char *const headings[] = { "", "<layout", "entries", "collections", "tree depth", "largest collection" };
    buffer_append_text(buffer, "<h2>Layouts</h2>\n");
    append_headings(buffer, headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < lab->plan->layout_count; i++) append_layout_row(lab, i, words, buffer);
    end_table(buffer);
    append_findings(lab, words, buffer);
    append_layout_plot(lab, false, buffer);
    if (lab->has_measures) append_layout_plot(lab, true, buffer);
}

/* ---- patterns ----------------------------------------------------------------------------------------------------------- */

static void append_time_tick(struct buffer *buffer, double value)
{
    units_append_time(buffer, (uint64_t)(value + 0.5));
}

static void append_read_plot(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    struct plot_row rows[PLAN_LAYOUT_MAX] = { { .class = NULL } };
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct trial *trial = lab_trial(lab, i, pattern);
        double runs = (double)trial->run_count;
        rows[i] = (struct plot_row){ .label = lab->plan->layouts[i].name,
                                     .class = class_of(trial),
                                     .inner = (double)trial->returned_count / runs,
                                     .outer = (double)trial->read_count / runs,
                                     .empty = trial->read_count == 0 };
        words_append_mean(&rows[i].words, trial->returned_count, trial->run_count);
        if (trial->read_count == trial->returned_count) continue;
        buffer_append_text(&rows[i].words, " of ");
        words_append_mean(&rows[i].words, trial->read_count, trial->run_count);
    }
    buffer_append_text(buffer, "<figure>");
    plot_append(buffer, PLOT_BARS, "Entries read; solid: returned", rows, lab->plan->layout_count, append_count_tick);
    plot_rows_release(rows, lab->plan->layout_count);
}

static void append_time_plot(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    struct plot_row rows[PLAN_LAYOUT_MAX] = { { .class = NULL } };
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct trial *trial = lab_trial(lab, i, pattern);
        rows[i] = (struct plot_row){ .label = lab->plan->layouts[i].name,
                                     .class = class_of(trial),
                                     .inner = (double)trial->p50_ns,
                                     .outer = (double)trial->p99_ns,
                                     .empty = trial->measured_count == 0 };
        if (rows[i].empty) continue;
        units_append_time(&rows[i].words, trial->p50_ns);
        buffer_append_text(&rows[i].words, ", ");
        units_append_time(&rows[i].words, trial->p99_ns);
    }
    plot_append(buffer, PLOT_SPANS, "Time to read them, in memory: median, and 99 of 100", rows, lab->plan->layout_count,
                append_time_tick);
    plot_rows_release(rows, lab->plan->layout_count);
}

static void append_trial_row(const struct lab *lab, size_t layout, size_t pattern, struct buffer *words, struct buffer *buffer)
{
    const struct trial *trial = lab_trial(lab, layout, pattern);
    buffer_append_text(buffer, "<tr>");
    append_head_cell(buffer, lab->plan->layouts[layout].name);
    buffer_append_text(buffer, "<td class=\"text\">");
    append_pill(buffer, words, trial);
    buffer_append_text(buffer, "</td>");
    append_mean_cell(buffer, words, trial->read_count, trial->run_count);
    append_mean_cell(buffer, words, trial->returned_count, trial->run_count);
    append_mean_cell(buffer, words, trial->read_bytes, trial->run_count);
    append_units(trial, words);
    append_cell(buffer, words);
    buffer_append_text(buffer, "<td class=\"text\"><code>");
    if (trial->query.size > 0) {
        html_append(buffer, buffer_view(&trial->query));
    } else {
        append_text(buffer, trial->partition_fixed ? "" : "everything");
    }
    buffer_append_text(buffer, "</code></td></tr>\n");
}

/* A row of the right answer, or of the one given; nothing behind its end. */
static void append_row_cell(const struct lab *lab, size_t pattern, const uint32_t *rows, size_t count, size_t index,
                            struct buffer *words, struct buffer *buffer)
{
    buffer_append_text(buffer, "<td class=\"text\">");
    if (index < count) words_append_row(lab, &lab->plan->patterns[pattern], rows[index], words);
    append_words(buffer, words);
    buffer_append_text(buffer, "</td>");
}

/* The wrong answer beside the right one, around the first place in which they differ. */
static void append_comparison(const struct lab *lab, size_t pattern, const struct wrong *wrong, bool open,
                              struct buffer *buffer)
{
    const struct truth *truth = &lab->truths[pattern][wrong->run];
    struct buffer words = { 0 };
    size_t right_count = truth->count > wrong->kept_from ? truth->count - wrong->kept_from : 0;
    if (right_count > WRONG_ROWS_MAX) right_count = WRONG_ROWS_MAX;
    size_t count = right_count > wrong->kept_count ? right_count : wrong->kept_count;
    buffer_append_format(buffer,
                         "<details%s><summary>side by side</summary><table><thead><tr><th scope=\"col\">place</th>"
                         "<th scope=\"col\" class=\"text\">right</th><th scope=\"col\" class=\"text\">given</th></tr>"
                         "</thead><tbody>\n",
                         open ? " open" : "");
    for (size_t i = 0; i < count; i++) {
        bool first = wrong->kept_from + i == wrong->place;
        buffer_append_format(buffer, "<tr%s><th scope=\"row\">%zu</th>", first ? " class=\"first\"" : "",
                             wrong->kept_from + i + 1);
        append_row_cell(lab, pattern, truth->rows + wrong->kept_from, right_count, i, &words, buffer);
        append_row_cell(lab, pattern, wrong->kept, wrong->kept_count, i, &words, buffer);
        buffer_append_text(buffer, "</tr>\n");
    }
    buffer_append_text(buffer, "</tbody></table></details>");
    buffer_release(&words);
}

static void append_remarks(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    struct remarks remarks;
    remarks_make(lab, pattern, &remarks);
    if (remarks.count > 0) buffer_append_text(buffer, "<ul class=\"remarks\">\n");
    for (size_t i = 0; i < remarks.count; i++) {
        const struct remark *remark = &remarks.list[i];
        buffer_append_format(buffer, "<li class=\"%s\">",
                             remark->wrong                       ? "wrong"
                             : !remark->trial                    ? "plain"
                             : way_of(remark->trial) == WAY_SCAN ? "scan"
                                                                 : "more");
        if (remark->names.size > 0) buffer_append_text(buffer, "<strong>");
        html_append(buffer, buffer_view(&remark->names));
        if (remark->names.size > 0) buffer_append_text(buffer, "</strong>: ");
        html_append(buffer, buffer_view(&remark->words));
        bool shows = remark->wrong && remark->trial->wrong.kind != WRONG_REFUSED;
        if (shows) append_comparison(lab, pattern, &remark->trial->wrong, i == 0, buffer);
        buffer_append_text(buffer, "</li>\n");
    }
    if (remarks.count > 0) buffer_append_text(buffer, "</ul>\n");
    remarks_release(&remarks);
}

static void append_pattern(const struct lab *lab, size_t pattern, struct buffer *words, struct buffer *buffer)
{
    static const char *const headings[] = {
        "", "<answer", "entries read", "returned", "bytes read", "units", "<the query of the first run"
    };
    const struct pattern *asked = &lab->plan->patterns[pattern];
    buffer_append_format(buffer, "<section id=\"pattern-%zu\"><h2>", pattern + 1);
    html_append(buffer, asked->name);
    buffer_append_text(buffer, "</h2>\n<p class=\"faint\">");
    words_append_pattern(lab->plan, asked, words);
    buffer_append_text(words, "; ");
    units_append_count(words, asked->run_count, "run", "runs");
    append_words(buffer, words);
    buffer_append_text(buffer, "</p>\n");
    append_remarks(lab, pattern, buffer);
    append_read_plot(lab, pattern, buffer);
    if (lab->has_measures) append_time_plot(lab, pattern, buffer);
    buffer_append_text(buffer, "</figure>\n");
    append_headings(buffer, headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < lab->plan->layout_count; i++) append_trial_row(lab, i, pattern, words, buffer);
    end_table(buffer);
    buffer_append_text(buffer, "</section>\n");
}

/* ---- the page ----------------------------------------------------------------------------------------------------------- */

static void append_head(const struct lab *lab, struct buffer *words, struct buffer *buffer)
{
    buffer_append_text(buffer, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>");
    html_append(buffer, lab->plan->title);
    buffer_append_text(buffer, "</title>\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<style>\n");
    for (const char *const *piece = REPORT_STYLE; *piece; piece++) buffer_append_text(buffer, *piece);
    buffer_append_text(buffer, "</style></head>\n<body>\n<h1>");
    html_append(buffer, lab->plan->title);
    buffer_append_text(buffer, "</h1>\n<p class=\"faint\">");
    units_append_count(words, lab->records.count, "record", "records");
    buffer_append_text(words, " of ");
    buffer_append(words, lab->plan->file_as_written);
    buffer_append_text(words, " under ");
    units_append_count(words, lab->plan->layout_count, "layout", "layouts");
    buffer_append_text(words, ", asked ");
    units_append_count(words, lab->plan->pattern_count, "question", "questions");
    append_words(buffer, words);
    buffer_append_text(buffer, "</p>\n");
}

void report_html(const struct lab *lab, struct buffer *buffer)
{
    struct buffer words = { 0 };
    append_head(lab, &words, buffer);
    append_matrix(lab, &words, buffer);
    append_layouts(lab, &words, buffer);
    for (size_t i = 0; i < lab->plan->pattern_count; i++) append_pattern(lab, i, &words, buffer);
    buffer_append_text(buffer, "<footer>Made by sheaf lab</footer>\n</body></html>\n");
    buffer_release(&words);
}
