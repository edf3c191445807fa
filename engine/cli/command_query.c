/*
 * command_query.c - sheaf query: one slice of one partition.
 */
#include <stdio.h>
#include <string.h>

#include "engine/cli/answer.h"
#include "engine/cli/command.h"
#include "engine/cli/help.h"
#include "engine/cli/partitions.h"
#include "engine/input/clock.h"
#include "engine/input/display.h"
#include "engine/input/units.h"

static enum exit_code no_such_partition(const sheaf_store *store, sheaf_bytes key)
{
    struct buffer line = { 0 };
    units_append_count(&line, sheaf_store_total(store).collection_count, "partition", "partitions");
    (void)fprintf(stderr, "sheaf query: there is no partition %s among %.*s\n", quote(key).text, (int)line.size,
                  (const char *)line.data);
    buffer_release(&line);
    partitions_say_some(store);
    return EXIT_NOTHING_FOUND;
}

static enum exit_code which_partition(const sheaf_store *store)
{
    struct buffer line = { 0 };
    display_append_number(&line, sheaf_store_total(store).collection_count);
    (void)fprintf(stderr, "sheaf query: the records make %.*s partitions; choose one with --partition KEY\n", (int)line.size,
                  (const char *)line.data);
    buffer_release(&line);
    partitions_say_some(store);
    return EXIT_TROUBLE;
}

/* The partition asked for, or the only one. Without any record it is an empty one, of any name. */
static enum exit_code choose_partition(const sheaf_store *store, const struct query_options *query, sheaf_bytes *out_key)
{
    uint64_t count = sheaf_store_total(store).collection_count;
    sheaf_collection_info info;
    sheaf_totals totals;
    *out_key = SHEAF_LIT("all");
    if (query->partition.given) {
        *out_key = query->partition.bytes;
        bool there = sheaf_collection_total(store, query->partition.bytes, &totals) == SHEAF_OK;
        return there || count == 0 ? EXIT_DONE : no_such_partition(store, query->partition.bytes);
    }
    if (count > 1) return which_partition(store);
    if (sheaf_collection_next(store, NULL, &info) == SHEAF_OK) *out_key = info.partition_key_view;
    return EXIT_DONE;
}

/* How many of what, how long it took, and how to go on. */
static void print_summary(const struct query_options *query, const struct answer *answer, uint64_t row_count, uint64_t ns)
{
    struct buffer line = { 0 };
    switch (query->question) {
    case QUESTION_ENTRIES: units_append_count(&line, row_count, "entry", "entries"); break;
    case QUESTION_CHILDREN: units_append_count(&line, row_count, "child", "children"); break;
    case QUESTION_TOTALS:
    case QUESTION_RANK:
    case QUESTION_NTH: buffer_append_text(&line, "answered"); break;
    }
    buffer_append_text(&line, " in ");
    units_append_time(&line, ns);
    if (answer->more && !memchr(answer->last.data, '\0', answer->last.size)) { /* no argument can hold a NUL */
        buffer_append_text(&line, "; more with --after ");
        units_append_shell_word(&line, buffer_view(&answer->last));
    } else if (answer->more) {
        buffer_append_text(&line, "; there is more");
    }
    (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    buffer_release(&line);
}

static enum exit_code ask(const struct options *options, const sheaf_store *store, sheaf_bytes partition_key)
{
    struct output output;
    struct answer answer;
    size_t column_count = 0;
    const struct output_column *columns = answer_columns(&options->query, &column_count);
    output_open(&output, options->form, options->terminator, options->width, columns, column_count);
    uint64_t start_ns = clock_now_ns();
    answer_question(store, partition_key, &options->query, &output, &answer);
    uint64_t ns = clock_now_ns() - start_ns - output.sink.write_ns;
    enum exit_code code = command_end(options, &output, answer.code);
    if (answer.code == EXIT_NOTHING_FOUND) {
        (void)fprintf(stderr, "sheaf query: %s\n", answer.nothing.text);
    } else if (!options->quiet && code != EXIT_TROUBLE) {
        print_summary(&options->query, &answer, output.row_count, ns);
    }
    answer_release(&answer);
    output_close(&output);
    return code;
}

enum exit_code command_query(int argc, char **argv)
{
    struct options options;
    struct load_summary summary;
    sheaf_store *store;
    enum exit_code code;
    if (!command_begin("query", HELP_QUERY, argc, argv, &options, &store, &summary, &code)) return code;
    if (!options.quiet) load_summary_print(&summary);
    sheaf_bytes partition_key;
    code = choose_partition(store, &options.query, &partition_key);
    if (code == EXIT_DONE) code = ask(&options, store, partition_key);
    sheaf_store_destroy(store);
    return code;
}
