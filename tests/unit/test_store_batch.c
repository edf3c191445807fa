/*
 * test_store_batch.c - several writes as one: all or nothing.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/counted_store.h"
#include "tests/support/state_sum.h"

static struct test_heap heap;
static sheaf_store *store;

static void begin(void)
{
    store = counted_store_begin(&heap);
}

static void end(void)
{
    counted_store_end(store, &heap);
}

TestSuite(batch, .init = begin, .fini = end);

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static void put(const char *partition_key, const char *sort_key, const char *value)
{
    cr_assert_eq(sheaf_store_put(store, text(partition_key), text(sort_key), text(value), NULL, NULL), SHEAF_OK);
}

/* The value of an entry as text; "" if there is none. */
static const char *get(const char *partition_key, const char *sort_key)
{
    static char value[64];
    sheaf_bytes found;
    if (sheaf_store_get(store, text(partition_key), text(sort_key), &found, NULL) != SHEAF_OK) return "";
    memcpy(value, found.data, found.size);
    value[found.size] = '\0';
    return value;
}

Test(batch, all_is_done_in_order)
{
    put("A", "k", "old");
    put("B", "x/1", "1");
    put("B", "x/2", "2");
    put("C", "gone", "3");
    sheaf_batch_write writes[] = {
        sheaf_batch_put(text("A"), text("k"), text("first")),
        sheaf_batch_put(text("A"), text("k"), text("second")),
        sheaf_batch_delete_range(text("B"), sheaf_range_prefix(SHEAF_LIT("x/"))),
        sheaf_batch_put(text("B"), text("x/3"), text("new")), /* below a prefix deleted in the same batch: it is there (B92) */
        sheaf_batch_drop(text("C")),
        sheaf_batch_drop(text("none")),
        sheaf_batch_put(text("D"), text("d"), text("4")),
        sheaf_batch_delete(text("D"), text("d")),
        sheaf_batch_delete(text("A"), text("none")),
    };
    size_t refused = 77;
    cr_assert_eq(sheaf_batch_apply(store, writes, sizeof writes / sizeof *writes, &refused, NULL), SHEAF_OK);
    cr_assert_eq(refused, 77);
    cr_assert_str_eq(get("A", "k"), "second");
    cr_assert_str_eq(get("B", "x/1"), "");
    cr_assert_str_eq(get("B", "x/3"), "new");
    sheaf_store_totals totals = sheaf_store_total(store);
    cr_assert_eq(totals.collection_count, 2);
    cr_assert_eq(totals.entry_count, 2);
    cr_assert_eq(totals.logical_bytes, 1 + 1 + 6 + 1 + 3 + 3);
    cr_assert(totals.view_count == 0 && totals.retained_bytes == 0);
}

Test(batch, one_that_is_never_accepted_is_refused_before_anything_is_done)
{
    static uint8_t large[SHEAF_VALUE_SIZE_MAX + 1];
    put("A", "k", "old");
    uint64_t sum = state_sum(store);
    uint64_t requests = heap.requests;
    const struct {
        sheaf_batch_write write;
        sheaf_status status;
        sheaf_field field;
    } cases[] = {
        { sheaf_batch_put(text(""), text("k"), text("v")), SHEAF_KEY_EMPTY, SHEAF_FIELD_PARTITION_KEY },
        { sheaf_batch_put(text("A"), text(""), text("v")), SHEAF_KEY_EMPTY, SHEAF_FIELD_SORT_KEY },
        { sheaf_batch_delete(text("A"), sheaf_bytes_of(large, 1025)), SHEAF_KEY_TOO_LONG, SHEAF_FIELD_SORT_KEY },
        { sheaf_batch_put(text("A"), text("k"), sheaf_bytes_of(large, sizeof large)), SHEAF_VALUE_TOO_LARGE,
          SHEAF_FIELD_VALUE },
        { sheaf_batch_delete_range(text("A"), sheaf_range_between(text("b"), text("a"))), SHEAF_RANGE_INVERTED,
          SHEAF_FIELD_RANGE },
        { sheaf_batch_drop(sheaf_bytes_of(large, 2049)), SHEAF_KEY_TOO_LONG, SHEAF_FIELD_PARTITION_KEY },
        { { .kind = (sheaf_batch_kind)7, .partition_key = text("A") }, SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_NONE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_batch_write writes[] = { sheaf_batch_put(text("A"), text("k"), text("new")), sheaf_batch_drop(text("A")),
                                       cases[i].write };
        size_t refused = 77;
        sheaf_detail detail = { .field = SHEAF_FIELD_LIMIT };
        cr_assert_eq(sheaf_batch_apply(store, writes, 3, &refused, &detail), cases[i].status, "case %zu", i);
        cr_assert_eq(refused, 2);
        cr_assert_eq(detail.field, cases[i].field, "case %zu", i);
    }
    cr_assert_eq(state_sum(store), sum);
    cr_assert_eq(heap.requests, requests);
}

Test(batch, of_none_and_of_one)
{
    cr_assert_eq(sheaf_batch_apply(store, NULL, 0, NULL, NULL), SHEAF_OK);
    sheaf_batch_write write = sheaf_batch_put(text("A"), text("k"), text("v"));
    cr_assert_eq(sheaf_batch_apply(store, &write, 1, NULL, NULL), SHEAF_OK);
    cr_assert_str_eq(get("A", "k"), "v");
    write = sheaf_batch_delete(text("A"), text("none"));
    cr_assert_eq(sheaf_batch_apply(store, &write, 1, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).copied_blocks, 0, "one write needs no view");
}

Test(batch, bytes_may_lie_in_the_store)
{
    put("A", "a", "one");
    put("A", "b", "two");
    sheaf_bytes a, b;
    cr_assert_eq(sheaf_store_get(store, text("A"), text("a"), &a, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_get(store, text("A"), text("b"), &b, NULL), SHEAF_OK);
    sheaf_batch_write writes[] = {
        sheaf_batch_drop(text("A")),
        sheaf_batch_put(text("A"), text("a"), b), /* the two change places */
        sheaf_batch_put(text("A"), text("b"), a),
    };
    cr_assert_eq(sheaf_batch_apply(store, writes, 3, NULL, NULL), SHEAF_OK);
    cr_assert_str_eq(get("A", "a"), "two");
    cr_assert_str_eq(get("A", "b"), "one");
}

/* Each allocation of a batch is refused in turn, with a view open or not: nothing is left of it (B70). */
static void sweep(bool beside_view)
{
    enum { WRITES = 24 };
    static char keys[WRITES][16];
    static uint8_t large[1000];
    sheaf_batch_write writes[WRITES];
    char name[16];
    for (uint32_t c = 0; c < 40; c++) {
        snprintf(name, sizeof name, "P#%u", c);
        for (uint32_t i = 0; i < 30; i++) {
            snprintf(keys[0], sizeof keys[0], "%06u", i);
            put(name, keys[0], "value");
        }
    }
    static char names[WRITES][16];
    for (uint32_t i = 0; i < WRITES; i++) {
        snprintf(names[i], sizeof names[i], "P#%u", i * 3); /* some new */
        snprintf(keys[i], sizeof keys[i], "%06u", i * 2);
        sheaf_bytes value = sheaf_bytes_of(large, i % 7 ? i : sizeof large);
        writes[i] = sheaf_batch_put(text(names[i]), text(keys[i]), value);
        if (i % 5 == 4) writes[i] = sheaf_batch_drop(text(names[i]));
        if (i % 6 == 3) writes[i] = sheaf_batch_delete(text(names[i]), text(keys[i]));
        if (i % 6 == 5) writes[i] = sheaf_batch_delete_range(text(names[i]), sheaf_range_prefix(SHEAF_LIT("00001")));
    }
    sheaf_view *view = NULL;
    if (beside_view) {
        cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
        put("P#0", "000001", "since");
    }
    uint64_t sum = state_sum(store);
    sheaf_store_totals before = sheaf_store_total(store);
    uint64_t runs = 0;
    for (;; runs++) {
        size_t refused = SIZE_MAX;
        heap.fail_at = heap.requests + runs;
        sheaf_status status = sheaf_batch_apply(store, writes, WRITES, &refused, NULL);
        test_heap_relent(&heap);
        if (status == SHEAF_OK) break;
        cr_assert_eq(status, SHEAF_NO_MEMORY);
        cr_assert_lt(refused, WRITES);
        sheaf_store_totals after = sheaf_store_total(store);
        after.copied_blocks = before.copied_blocks;
        cr_assert_eq(memcmp(&before, &after, sizeof after), 0);
        cr_assert_eq(state_sum(store), sum);
        cr_assert_eq(heap.live_real_bytes, before.charged_bytes);
        sheaf_fault fault = { 0 };
        cr_assert(sheaf_store_check(store, &fault), "%s", fault.rule);
    }
    cr_assert_gt(runs, WRITES);
    cr_assert_neq(state_sum(store), sum);
    sheaf_view_close(view);
    cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
}

Test(batch, b70_memory_refused_at_any_point_leaves_no_trace)
{
    sweep(false);
}

Test(batch, b70_nor_beside_a_view)
{
    sweep(true);
}

Test(batch, a_budget_refuses_it_whole)
{
    for (uint32_t i = 0; i < 200; i++) {
        char key[16];
        snprintf(key, sizeof key, "%06u", i);
        put("A", key, "value");
    }
    uint64_t sum = state_sum(store);
    cr_assert_eq(sheaf_store_set_budget(store, sheaf_store_total(store).charged_bytes + 3000, NULL), SHEAF_OK);
    sheaf_batch_write writes[100];
    static char keys[100][16];
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(keys[i], sizeof keys[i], "%06u", i * 2);
        writes[i] = sheaf_batch_put(text("A"), text(keys[i]), text("changed"));
    }
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_batch_apply(store, writes, 100, NULL, &detail), SHEAF_OVER_BUDGET);
    cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
    cr_assert_eq(state_sum(store), sum);
    cr_assert_eq(sheaf_store_set_budget(store, 0, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_batch_apply(store, writes, 100, NULL, &detail), SHEAF_OK);
    cr_assert_str_eq(get("A", "000198"), "changed");
}
