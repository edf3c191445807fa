/*
 * command_collections.c - sheaf collections: the partitions that the records make.
 */
#include <stdio.h>

#include "engine/cli/command.h"
#include "engine/cli/help.h"
#include "engine/cli/partitions.h"
#include "engine/input/units.h"

static const struct output_column COLUMNS[] = {
    { .heading = "COUNT", .name = "count", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
    { .heading = "BYTES", .name = "bytes", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
    { .heading = "PARTITION", .name = "pk", .kind = COLUMN_BYTES, .in_text = true, .in_tsv = true },
};

static enum exit_code list(const struct options *options, const sheaf_store *store)
{
    struct output output;
    struct partitions partitions;
    partitions_collect(&partitions, store);
    output_open(&output, options->form, options->terminator, options->width, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (size_t i = 0; i < partitions.count; i++) {
        const sheaf_collection_info *info = &partitions.infos[i];
        const struct output_cell cells[] = { { .number = info->totals.count },
                                             { .number = info->totals.bytes },
                                             { .bytes = info->partition_key_view } };
        if (!output_row(&output, cells)) break;
    }
    enum exit_code code = command_end(options, &output, EXIT_DONE);
    output_close(&output);
    partitions_release(&partitions);
    return code;
}

static void print_summary(const sheaf_store *store)
{
    sheaf_store_totals totals = sheaf_store_total(store);
    struct buffer line = { 0 };
    units_append_count(&line, totals.collection_count, "partition", "partitions");
    buffer_append_text(&line, ", ");
    units_append_count(&line, totals.entry_count, "entry", "entries");
    buffer_append_text(&line, ", ");
    units_append_size(&line, totals.logical_bytes);
    buffer_append_text(&line, " of keys and values in ");
    units_append_size(&line, totals.charged_bytes);
    buffer_append_text(&line, " of memory");
    (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    buffer_release(&line);
}

enum exit_code command_collections(int argc, char **argv)
{
    struct options options;
    struct load_summary summary;
    sheaf_store *store;
    enum exit_code code;
    if (!command_begin("collections", HELP_COLLECTIONS, argc, argv, &options, &store, &summary, &code)) return code;
    if (!options.quiet) load_summary_print(&summary);
    code = list(&options, store);
    if (!options.quiet && code == EXIT_DONE) print_summary(store);
    sheaf_store_destroy(store);
    return code;
}
