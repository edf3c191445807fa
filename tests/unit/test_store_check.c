/*
 * test_store_check.c - each invariant of a store, broken by hand and seen by the check.
 */
#include <criterion/criterion.h>

#include <string.h>

#include "engine/store/store.h"
#include "tests/support/test_heap.h"

static struct test_heap heap;
static sheaf_allocator hooks;
static sheaf_store *store;

static void put(const char *partition_key, const char *sort_key)
{
    sheaf_bytes value = SHEAF_LIT("value");
    sheaf_status status = sheaf_store_put(store, sheaf_bytes_of(partition_key, strlen(partition_key)),
                                          sheaf_bytes_of(sort_key, strlen(sort_key)), value, NULL, NULL);
    cr_assert_eq(status, SHEAF_OK);
}

static void open_store(void)
{
    heap = test_heap_new();
    hooks = test_heap_hooks(&heap);
    sheaf_store_options options = { .allocator = &hooks, .hash_seed = 3 };
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    put("DRIVE#a91", "root/cv.pdf");
    put("DRIVE#a91", "root/docs/");
    put("SEASON#26", "0000000009");
}

static void close_store(void)
{
    sheaf_fault fault = { 0 };
    cr_assert(sheaf_store_check(store, &fault), "%s", fault.rule);
    sheaf_store_destroy(store);
    cr_assert_eq(heap.live_bytes, 0);
}

TestSuite(store_check, .init = open_store, .fini = close_store);

static void assert_fault(const char *rule)
{
    sheaf_fault fault = { 0 };
    cr_assert_not(sheaf_store_check(store, &fault), "not seen: %s", rule);
    cr_assert_eq(strncmp(fault.rule, rule, strlen(rule)), 0, "%s is seen as %s", rule, fault.rule);
    cr_assert_not(sheaf_store_check(store, NULL));
}

static struct sheaf_slot *slot_of(const char *partition_key)
{
    return sheaf_store_find_slot(store, sheaf_bytes_of(partition_key, strlen(partition_key)));
}

Test(store_check, totals_are_booked)
{
    sheaf_store_totals totals = sheaf_store_total(store);
    cr_assert_eq(totals.collection_count, 2);
    cr_assert_eq(totals.entry_count, 3);
    cr_assert_eq(totals.logical_bytes, 9 + 11 + 5 + 10 + 5 + 9 + 10 + 5);
    cr_assert_eq(totals.charged_bytes, heap.live_real_bytes);
}

Test(store_check, sees_a_collection_without_entries)
{
    struct sheaf_tree *tree = &slot_of("SEASON#26")->collection->tree;
    struct sheaf_tree whole = *tree;
    tree->root = NULL;
    tree->totals = (sheaf_totals){ 0 };
    assert_fault("S1");
    *tree = whole;
}

Test(store_check, sees_a_tree_of_another_grove)
{
    struct sheaf_tree *tree = &slot_of("SEASON#26")->collection->tree;
    struct sheaf_grove other = store->grove;
    tree->grove = &other;
    assert_fault("S1");
    tree->grove = &store->grove;
}

Test(store_check, sees_wrong_sums)
{
    store->totals.count++;
    assert_fault("S2 the store's count");
    store->totals.count--;
    store->totals.bytes--;
    assert_fault("S2 the store's bytes");
    store->totals.bytes++;
    store->partition_key_bytes++;
    assert_fault("S2 the partition keys");
    store->partition_key_bytes--;
}

Test(store_check, sees_a_wrong_hash_and_a_wrong_key)
{
    store->hash_seed++;
    assert_fault("S3 the hash");
    store->hash_seed--;
    store->limits.partition_key_size_max = 8;
    assert_fault("S3 the key");
    store->limits.partition_key_size_max = SHEAF_PARTITION_KEY_SIZE_MAX;
}

Test(store_check, sees_blocks_that_were_not_booked)
{
    uint64_t block_count = store->grove.heap.block_count;
    store->grove.heap.block_count = 5; /* store, slots, two records, and one of two roots */
    assert_fault("S4 the heap has given");
    store->grove.heap.block_count = block_count;
    uint64_t charged_bytes = store->grove.heap.charged_bytes;
    store->grove.heap.charged_bytes = sizeof *store;
    assert_fault("S4 the heap has charged every");
    store->grove.heap.charged_bytes = charged_bytes;
    store->grove.heap.limit_bytes = charged_bytes - 1;
    assert_fault("S4 the heap has charged no more");
    store->grove.heap.limit_bytes = HEAP_NO_LIMIT;
}

Test(store_check, passes_on_faults_of_the_directory_and_of_trees)
{
    store->directory.count++;
    assert_fault("D5");
    store->directory.count--;
    struct sheaf_tree *tree = &slot_of("DRIVE#a91")->collection->tree;
    tree->totals.count++;
    assert_fault("T3");
    tree->totals.count--;
}
