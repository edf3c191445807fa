#include "engine/cli/answer.h"

#include <inttypes.h>

/* ---- columns ------------------------------------------------------------------------------------------------------------ */

/* Numbers come before keys: a key with a tab in it then ends the line. The partition key, the same in all rows, is for JSON. */
static const struct output_column ENTRY_COLUMNS[] = {
    { .heading = "PARTITION", .name = "pk", .kind = COLUMN_BYTES },
    { .heading = "SORT KEY", .name = "sk", .kind = COLUMN_BYTES, .in_text = true, .in_tsv = true },
    { .heading = "VALUE", .name = "value", .kind = COLUMN_BYTES, .in_text = true, .in_tsv = true, .may_be_cut = true,
      .may_be_missing = true },
};

static const struct output_column CHILD_COLUMNS[] = {
    { .heading = "COUNT", .name = "count", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
    { .heading = "BYTES", .name = "bytes", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
    { .heading = "KEY", .name = "key", .kind = COLUMN_BYTES, .in_text = true, .in_tsv = true },
    { .heading = "FOLDER", .name = "folder", .kind = COLUMN_FLAG },
};

static const struct output_column TOTAL_COLUMNS[] = {
    { .heading = "COUNT", .name = "count", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
    { .heading = "BYTES", .name = "bytes", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
};

static const struct output_column RANK_COLUMNS[] = {
    { .heading = "RANK", .name = "rank", .kind = COLUMN_NUMBER, .in_text = true, .in_tsv = true },
    { .heading = "OF", .name = "of", .kind = COLUMN_NUMBER, .in_text = true },
    { .heading = "SORT KEY", .name = "sk", .kind = COLUMN_BYTES, .in_text = true },
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

const struct output_column *answer_columns(const struct query_options *query, size_t *out_count)
{
    switch (query->question) {
    case QUESTION_ENTRIES:
    case QUESTION_NTH: *out_count = COUNT_OF(ENTRY_COLUMNS); return ENTRY_COLUMNS;
    case QUESTION_CHILDREN: *out_count = COUNT_OF(CHILD_COLUMNS); return CHILD_COLUMNS;
    case QUESTION_RANK: *out_count = COUNT_OF(RANK_COLUMNS); return RANK_COLUMNS;
    case QUESTION_TOTALS:
        *out_count = (size_t)(query->wants_count + query->wants_bytes);
        return query->wants_count ? TOTAL_COLUMNS : TOTAL_COLUMNS + 1;
    }
    return NULL;
}

/* ---- questions ---------------------------------------------------------------------------------------------------------- */

/* One question under way. */
struct asking {
    const sheaf_store *store;
    sheaf_bytes partition_key;
    const struct query_options *query;
    sheaf_range range; /* the query's, from behind the position on */
    struct output *output;
    struct answer *answer;
};

static void nothing_found(struct answer *answer)
{
    answer->code = EXIT_NOTHING_FOUND;
}

/* The part of `range` before `key` in the order of listing; with `after`, the part that follows it. */
static sheaf_range part_of(const struct query_options *query, sheaf_bytes key, bool after)
{
    bool above = after == (query->direction == SHEAF_FORWARD);
    return above ? sheaf_range_after(query->range, key) : sheaf_range_before(query->range, key);
}

static uint64_t count_of(const struct asking *asking, const sheaf_range *range)
{
    sheaf_totals totals = { 0, 0 };
    (void)sheaf_range_total(asking->store, asking->partition_key, range, &totals, NULL); /* refuses nothing we can pass */
    return totals.count;
}

static bool give_entry(const struct asking *asking, const sheaf_cursor *cursor)
{
    const struct output_cell cells[] = {
        { .bytes = asking->partition_key }, { .bytes = cursor->key }, { .bytes = cursor->value }
    };
    return output_row(asking->output, cells);
}

static bool step(sheaf_cursor *cursor, sheaf_direction direction)
{
    return direction == SHEAF_FORWARD ? sheaf_cursor_next(cursor) : sheaf_cursor_previous(cursor);
}

static void give_entries(const struct asking *asking)
{
    const struct query_options *query = asking->query;
    sheaf_cursor cursor;
    if (sheaf_cursor_open(&cursor, asking->store, asking->partition_key, &asking->range, NULL) != SHEAF_OK) return;
    bool on = query->direction == SHEAF_FORWARD ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
    if (!on && query->equal.given) {
        nothing_found(asking->answer);
        complain(&asking->answer->nothing, "there is no entry %s", quote(query->equal.bytes).text);
    }
    uint64_t left = query->limit;
    while (on) {
        bool wanted = give_entry(asking, &cursor);
        if (--left == 0) buffer_append(&asking->answer->last, cursor.key);
        on = step(&cursor, query->direction);
        if (left > 0 && wanted) continue;
        asking->answer->more = on && left == 0;
        return;
    }
}

static void give_nth(const struct asking *asking)
{
    const struct query_options *query = asking->query;
    sheaf_cursor cursor;
    if (sheaf_cursor_open(&cursor, asking->store, asking->partition_key, &asking->range, NULL) == SHEAF_OK &&
        sheaf_cursor_seek_nth(&cursor, query->nth - 1, query->direction)) {
        (void)give_entry(asking, &cursor);
        return;
    }
    nothing_found(asking->answer);
    uint64_t count = count_of(asking, &asking->range);
    complain(&asking->answer->nothing, "there is no entry number %" PRIu64 " of %" PRIu64, query->nth, count);
}

static void give_totals(const struct asking *asking)
{
    sheaf_totals totals = { 0, 0 };
    (void)sheaf_range_total(asking->store, asking->partition_key, &asking->range, &totals, NULL);
    const struct output_cell cells[] = { { .number = totals.count }, { .number = totals.bytes } };
    (void)output_row(asking->output, asking->query->wants_count ? cells : cells + 1);
}

static void give_rank(const struct asking *asking)
{
    const struct query_options *query = asking->query;
    sheaf_bytes key = query->rank_key;
    sheaf_range before = part_of(query, key, false);
    sheaf_range all = query->range;
    uint64_t rank = count_of(asking, &before) + 1;
    uint64_t count = count_of(asking, &all);
    bool exists = sheaf_range_contains(&all, key) &&
                  sheaf_store_exists(asking->store, asking->partition_key, key, NULL) == SHEAF_OK;
    if (exists) {
        const struct output_cell cells[] = { { .number = rank }, { .number = count }, { .bytes = key } };
        (void)output_row(asking->output, cells);
        return;
    }
    nothing_found(asking->answer);
    complain(&asking->answer->nothing, "there is no entry %s; it would be number %" PRIu64 " of %" PRIu64, quote(key).text,
             rank, count + 1);
}

static void give_children(const struct asking *asking)
{
    const struct query_options *query = asking->query;
    sheaf_bytes prefix = query->prefix.bytes; /* empty: all */
    sheaf_children children;
    sheaf_child child;
    if (sheaf_children_open(&children, asking->store, asking->partition_key, prefix, query->delimiter, query->direction,
                            NULL) != SHEAF_OK) {
        return;
    }
    if (query->after.given) sheaf_children_resume(&children, query->after.bytes);
    uint64_t left = query->limit;
    bool on = sheaf_children_next(&children, &child);
    while (on) {
        const struct output_cell cells[] = { { .number = child.totals.count },
                                             { .number = child.totals.bytes },
                                             { .bytes = child.key },
                                             { .number = child.is_folder } };
        bool wanted = output_row(asking->output, cells);
        if (--left == 0) buffer_append(&asking->answer->last, child.key);
        on = sheaf_children_next(&children, &child);
        if (left > 0 && wanted) continue;
        asking->answer->more = on && left == 0;
        return;
    }
}

void answer_question(const sheaf_store *store, sheaf_bytes partition_key, const struct query_options *query,
                     struct output *output, struct answer *out_answer)
{
    *out_answer = (struct answer){ .code = EXIT_DONE };
    struct asking asking = { .store = store,
                             .partition_key = partition_key,
                             .query = query,
                             .range = query->after.given ? part_of(query, query->after.bytes, true) : query->range,
                             .output = output,
                             .answer = out_answer };
    switch (query->question) {
    case QUESTION_ENTRIES: give_entries(&asking); break;
    case QUESTION_TOTALS: give_totals(&asking); break;
    case QUESTION_RANK: give_rank(&asking); break;
    case QUESTION_NTH: give_nth(&asking); break;
    case QUESTION_CHILDREN: give_children(&asking); break;
    }
}

void answer_release(struct answer *answer)
{
    buffer_release(&answer->last);
}
