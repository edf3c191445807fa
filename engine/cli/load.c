#include "engine/cli/load.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/input/display.h"

struct loader {
    sheaf_store *store;
    uint64_t replaced_count;
};

/* What the store refused, in terms of the record. */
static enum intake_part refuse(sheaf_status status, const sheaf_detail *detail, struct complaint *complaint)
{
    if (status == SHEAF_NO_MEMORY) end_without_memory();
    if (detail->field == SHEAF_FIELD_VALUE) {
        complain(complaint, "expected a value of at most %d bytes, found %" PRIu64, SHEAF_VALUE_SIZE_MAX, detail->size);
        return INTAKE_VALUE;
    }
    bool sort = detail->field == SHEAF_FIELD_SORT_KEY;
    complain(complaint, "expected a %s key of 1 to %d bytes, found %" PRIu64, sort ? "sort" : "partition",
             sort ? SHEAF_SORT_KEY_SIZE_MAX : SHEAF_PARTITION_KEY_SIZE_MAX, detail->size);
    return sort ? INTAKE_SORT_KEY : INTAKE_PARTITION_KEY;
}

static enum intake_part put(void *context, const struct intake_record *record, struct complaint *complaint)
{
    struct loader *loader = context;
    const sheaf_bytes *parts = record->parts;
    bool replaced = false;
    sheaf_detail detail;
    sheaf_status status = sheaf_store_put(loader->store, parts[INTAKE_PARTITION_KEY], parts[INTAKE_SORT_KEY],
                                          parts[INTAKE_VALUE], &replaced, &detail);
    if (status != SHEAF_OK) return refuse(status, &detail, complaint);
    loader->replaced_count += replaced;
    return INTAKE_PART_COUNT;
}

bool load_records(const struct options *options, sheaf_store *store, struct load_summary *out_summary)
{
    struct loader loader = { .store = store };
    struct intake_summary intake;
    if (!intake_read(options, put, &loader, &intake)) return false;
    *out_summary = (struct load_summary){ .intake = intake, .replaced_count = loader.replaced_count };
    return true;
}

void load_summary_print(const struct load_summary *summary)
{
    struct buffer line = { 0 };
    intake_append_summary(&line, &summary->intake);
    if (summary->replaced_count > 0) {
        buffer_append_text(&line, "; ");
        display_append_number(&line, summary->replaced_count);
        buffer_append_text(&line, " replaced an earlier one");
    }
    (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    buffer_release(&line);
}
