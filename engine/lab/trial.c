#include "engine/lab/trial.h"

#include <stdlib.h>

#include "engine/input/clock.h"
#include "engine/lab/capacity.h"
#include "engine/lab/judge.h"
#include "engine/lab/query.h"

/* Each pattern is measured so often, or so long, whatever comes first; every run at least once. */
#define MEASURED_COUNT 1000
#define MEASURED_NS 200000000u
/* Entries at a time, as one reads who wants many. */
#define STRIDE 32

struct trying {
    const struct plan *plan;
    const struct records *records;
    const struct loaded *loaded;
    const struct pattern *pattern;
    struct shape shape;
    struct trial *trial;
    uint32_t *rows; /* of the answer under way */
    size_t row_count;
    struct capacity capacity;
    uint64_t *times;
    size_t time_capacity;
    uint64_t time_sum;
    uint64_t *read_counts; /* of each run, for measuring */
};

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

/* Entries in the direction of a query. */
static size_t step(sheaf_cursor *cursor, sheaf_direction direction, sheaf_entry *entries, size_t capacity)
{
    return direction == SHEAF_FORWARD ? sheaf_cursor_next_many(cursor, entries, capacity)
                                      : sheaf_cursor_previous_many(cursor, entries, capacity);
}

static bool open_cursor(const struct trying *trying, sheaf_cursor *cursor, sheaf_bytes partition_key, const sheaf_range *range,
                        sheaf_direction direction)
{
    if (sheaf_cursor_open(cursor, trying->loaded->store, partition_key, range, NULL) != SHEAF_OK) return false;
    sheaf_cursor_rewind(cursor, direction);
    return true;
}

/* A filter sees to what the range does not; what the range should see to is believed. */
static bool passes(const struct trying *trying, const struct inquiry *inquiry, size_t row)
{
    for (size_t i = 0; i < trying->pattern->condition_count; i++)
        if (trying->shape.left_over >> i & 1 && !truth_condition_holds(inquiry, i, row)) return false;
    return true;
}

/* One entry. False when the answer is full. */
static bool take_entry(struct trying *trying, const struct inquiry *inquiry, sheaf_bytes value)
{
    size_t row = loaded_row(value);
    capacity_add(&trying->capacity, trying->loaded->item_bytes[row]);
    if (passes(trying, inquiry, row)) trying->rows[trying->row_count++] = (uint32_t)row;
    bool sorts_later = !trying->shape.ordered;
    return sorts_later || trying->row_count < trying->pattern->limit;
}

/* False when the answer is full. */
static bool take_range(struct trying *trying, const struct inquiry *inquiry, sheaf_bytes partition_key,
                       const sheaf_range *range, sheaf_direction direction)
{
    sheaf_cursor cursor;
    sheaf_entry entry;
    if (!open_cursor(trying, &cursor, partition_key, range, direction)) return true;
    while (step(&cursor, direction, &entry, 1) == 1)
        if (!take_entry(trying, inquiry, entry.value)) return false;
    return true;
}

static void take_everything(struct trying *trying, const struct inquiry *inquiry)
{
    sheaf_collection_info info;
    sheaf_bytes after;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(trying->loaded->store, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        if (!take_range(trying, inquiry, after, NULL, SHEAF_FORWARD)) return;
    }
}

/* ---- measuring ---------------------------------------------------------------------------------------------------------- */

/* A sum that is of no use to anybody, but must be worked out. */
static void keep(uint64_t sum)
{
    __asm__ volatile("" : : "r"(sum));
}

/* Reads as the query does, and no more than it did; sums up what it sees, so that nothing is left out. */
static uint64_t read_again(const struct trying *trying, sheaf_bytes partition_key, const sheaf_range *range,
                           sheaf_direction direction, uint64_t *count)
{
    sheaf_cursor cursor;
    sheaf_entry entries[STRIDE];
    uint64_t sum = 0;
    if (!open_cursor(trying, &cursor, partition_key, range, direction)) return 0;
    while (*count > 0) {
        size_t taken = step(&cursor, direction, entries, *count < STRIDE ? (size_t)*count : STRIDE);
        if (taken == 0) break;
        for (size_t i = 0; i < taken; i++) sum += entries[i].key.size + loaded_row(entries[i].value);
        *count -= taken;
    }
    return sum;
}

static uint64_t read_everything_again(const struct trying *trying, uint64_t *count)
{
    sheaf_collection_info info;
    sheaf_bytes after;
    uint64_t sum = 0;
    for (const sheaf_bytes *from = NULL; *count > 0; from = &after) {
        if (sheaf_collection_next(trying->loaded->store, from, &info) != SHEAF_OK) break;
        after = info.partition_key_view;
        sum += read_again(trying, after, NULL, SHEAF_FORWARD, count);
    }
    return sum;
}

static void add_time(struct trying *trying, uint64_t ns)
{
    struct trial *trial = trying->trial;
    if (trial->measured_count == trying->time_capacity) {
        trying->time_capacity = trying->time_capacity == 0 ? 1024 : 2 * trying->time_capacity;
        uint64_t *times = realloc(trying->times, trying->time_capacity * sizeof *times);
        if (!times) end_without_memory();
        trying->times = times;
    }
    trying->times[trial->measured_count++] = ns;
    trying->time_sum += ns;
}

static void measure_run(struct trying *trying, const struct inquiry *inquiry, size_t run)
{
    struct query query;
    struct complaint complaint;
    uint64_t count = trying->read_counts[run];
    if (!trying->shape.partition_fixed) {
        uint64_t start_ns = clock_now_ns();
        keep(read_everything_again(trying, &count));
        add_time(trying, clock_now_ns() - start_ns);
        return;
    }
    if (query_form(&query, &trying->loaded->keys, &trying->shape, inquiry, &complaint)) {
        uint64_t start_ns = clock_now_ns();
        keep(read_again(trying, query.partition_key, &query.range, query.direction, &count));
        add_time(trying, clock_now_ns() - start_ns);
    }
    query_release(&query);
}

static int order_times(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void measure(struct trying *trying, const struct draws *draws)
{
    struct trial *trial = trying->trial;
    uint64_t before = UINT64_MAX;
    while (trial->measured_count < MEASURED_COUNT && trying->time_sum < MEASURED_NS && trial->measured_count != before) {
        before = trial->measured_count;
        for (size_t run = 0; run < draws->run_count; run++) {
            struct inquiry inquiry = { trying->plan, trying->records, trying->pattern, draws_run(draws, run) };
            measure_run(trying, &inquiry, run);
        }
    }
    if (trial->measured_count == 0) return;
    qsort(trying->times, trial->measured_count, sizeof *trying->times, order_times);
    trial->p50_ns = trying->times[(trial->measured_count - 1) / 2];
    trial->p99_ns = trying->times[(trial->measured_count - 1) * 99 / 100];
}

/* ---- one run ------------------------------------------------------------------------------------------------------------ */

static void note_wrong(struct trial *trial, size_t run, const struct wrong *wrong)
{
    if (trial->wrong_count++ > 0) return;
    trial->wrong = *wrong;
    trial->wrong.run = run;
}

/* False: there is no such query, and so no answer. */
static bool ask(struct trying *trying, const struct inquiry *inquiry, size_t run)
{
    struct query query;
    struct wrong wrong = { .kind = WRONG_REFUSED, .expected = TRIAL_NO_ROW, .found = TRIAL_NO_ROW };
    if (!trying->shape.partition_fixed) return take_everything(trying, inquiry), true;
    bool formed = query_form(&query, &trying->loaded->keys, &trying->shape, inquiry, &wrong.refusal);
    if (formed) {
        if (trying->trial->query.size == 0) query_append(&query, &trying->loaded->keys, &trying->trial->query);
        (void)take_range(trying, inquiry, query.partition_key, &query.range, query.direction);
    } else {
        note_wrong(trying->trial, run, &wrong);
    }
    query_release(&query);
    return formed;
}

/* What of the answer is kept, and what it was worth. */
static void sum_up(struct trying *trying, const struct inquiry *inquiry)
{
    struct trial *trial = trying->trial;
    if (!trying->shape.ordered) truth_sort(inquiry, trying->rows, trying->row_count);
    if (trying->row_count > trying->pattern->limit) trying->row_count = (size_t)trying->pattern->limit;
    for (size_t i = 0; i < trying->row_count; i++) trial->returned_bytes += trying->loaded->item_bytes[trying->rows[i]];
    trial->returned_count += trying->row_count;
    trial->read_count += trying->capacity.entry_count;
    trial->read_bytes += trying->capacity.bytes;
    trial->unit_halves += capacity_halves(&trying->capacity);
}

static void keep_rows(const struct trying *trying, struct wrong *wrong)
{
    wrong->kept_from = wrong->place > 2 ? wrong->place - 2 : 0;
    wrong->kept_count = 0;
    for (size_t i = wrong->kept_from; i < trying->row_count && wrong->kept_count < WRONG_ROWS_MAX; i++)
        wrong->kept[wrong->kept_count++] = trying->rows[i];
}

static void run_once(struct trying *trying, const struct inquiry *inquiry, const struct truth *truth, size_t run)
{
    struct wrong wrong;
    trying->row_count = 0;
    trying->capacity = (struct capacity){ 0 };
    if (!ask(trying, inquiry, run)) return;
    trying->read_counts[run] = trying->capacity.entry_count;
    sum_up(trying, inquiry);
    if (judge_rows(inquiry, truth, trying->rows, trying->row_count, &wrong)) return;
    keep_rows(trying, &wrong);
    note_wrong(trying->trial, run, &wrong);
}

/* ---- all runs ----------------------------------------------------------------------------------------------------------- */

/* Where partitions are folders a subtree can be had by one query for each of its folders. */
static bool walks_folders(const struct plan *plan, const struct pattern *pattern, const struct key *key, size_t *out_field)
{
    if (key->part_count != 1 || plan->fields[key->parts[0].field].derivation != DERIVE_PARENT) return false;
    *out_field = plan->fields[key->parts[0].field].of;
    for (size_t i = 0; i < pattern->condition_count; i++)
        if (pattern->conditions[i].field == *out_field && pattern->conditions[i].relation == RELATION_SUBTREE_OF) return true;
    return false;
}

static void count_folders(struct trying *trying, const struct truth *truths)
{
    size_t field;
    if (!walks_folders(trying->plan, trying->pattern, &trying->loaded->keys.keys[SHEAF_LAYOUT_PARTITION_KEY], &field)) return;
    for (size_t run = 0; run < trying->pattern->run_count; run++)
        for (size_t i = 0; i < truths[run].count; i++) {
            sheaf_bytes path = records_value(trying->records, truths[run].rows[i], field);
            trying->trial->folder_count += path_is_folder(path, trying->plan->fields[field].delimiter);
        }
}

/* Children whose keys begin as those of all that is below their folder do. */
static bool seeks_children(const struct trying *trying)
{
    const struct shape *shape = &trying->shape;
    if (shape->sort_count == 0 || trying->trial->one_query) return false;
    const struct consequence *last = shape->sort[shape->sort_count - 1];
    return last->relation == RELATION_BEGINS_WITH && last->how == DERIVE_NONE &&
           trying->plan->fields[last->field].derivation == DERIVE_NONE &&
           trying->pattern->conditions[last->condition].relation == RELATION_CHILDREN_OF;
}

void trial_make(const struct plan *plan, const struct records *records, size_t pattern, const struct loaded *loaded,
                const struct draws *draws, const struct truth *truths, bool wants_times, struct trial *out_trial)
{
    struct trying trying = {
        .plan = plan, .records = records, .loaded = loaded, .pattern = &plan->patterns[pattern], .trial = out_trial
    };
    shape_find(plan, trying.pattern, &loaded->keys, &trying.shape);
    *out_trial = (struct trial){ .one_query = shape_is_one_query(&trying.shape),
                                 .partition_fixed = trying.shape.partition_fixed,
                                 .left_over = trying.shape.left_over,
                                 .ordered = trying.shape.ordered,
                                 .run_count = draws->run_count };
    trying.rows = allocate_zeroed(records->count, sizeof *trying.rows);
    trying.read_counts = allocate_zeroed(draws->run_count, sizeof *trying.read_counts);
    for (size_t run = 0; run < draws->run_count; run++) {
        struct inquiry inquiry = { plan, records, trying.pattern, draws_run(draws, run) };
        run_once(&trying, &inquiry, &truths[run], run);
    }
    count_folders(&trying, truths);
    out_trial->seeks_children = seeks_children(&trying);
    if (wants_times) measure(&trying, draws);
    free(trying.times);
    free(trying.read_counts);
    free(trying.rows);
    shape_release(&trying.shape);
}

void trial_release(struct trial *trial)
{
    buffer_release(&trial->query);
    *trial = (struct trial){ .run_count = 0 };
}
