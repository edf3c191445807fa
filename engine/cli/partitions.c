#include "engine/cli/partitions.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/bytes.h"
#include "engine/input/complaint.h"
#include "engine/input/units.h"

#define SAID_MAX 5

static int compare_infos(const void *left, const void *right)
{
    const sheaf_collection_info *a = left, *b = right;
    return sheaf_bytes_order(a->partition_key_view, b->partition_key_view);
}

void partitions_collect(struct partitions *partitions, const sheaf_store *store)
{
    size_t count = (size_t)sheaf_store_total(store).collection_count;
    *partitions = (struct partitions){ .infos = calloc(count + 1, sizeof *partitions->infos) };
    if (!partitions->infos) end_without_memory();
    const sheaf_bytes *after = NULL;
    while (partitions->count < count) {
        sheaf_collection_info *info = &partitions->infos[partitions->count];
        if (sheaf_collection_next(store, after, info) != SHEAF_OK) break;
        after = &info->partition_key_view;
        partitions->count++;
    }
    qsort(partitions->infos, partitions->count, sizeof *partitions->infos, compare_infos);
}

void partitions_release(struct partitions *partitions)
{
    free(partitions->infos);
    *partitions = (struct partitions){ 0 };
}

void partitions_say_some(const sheaf_store *store)
{
    struct partitions partitions;
    partitions_collect(&partitions, store);
    for (size_t i = 0; i < partitions.count && i < SAID_MAX; i++) {
        struct buffer line = { 0 };
        units_append_shell_word(&line, partitions.infos[i].partition_key_view);
        buffer_append_text(&line, "  ");
        units_append_count(&line, partitions.infos[i].totals.count, "entry", "entries");
        (void)fprintf(stderr, "  %.*s\n", (int)line.size, (const char *)line.data);
        buffer_release(&line);
    }
    if (partitions.count > SAID_MAX) {
        (void)fprintf(stderr, "  and %zu more: 'sheaf collections' lists them all\n", partitions.count - SAID_MAX);
    }
    partitions_release(&partitions);
}
