/*
 * test_store_cache.c - a store as a cache: each policy evicts whom it should, options hold, statistics are right.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/test_heap.h"

enum { BUDGET = 100000, VALUE_SIZE = 40 };

static struct test_heap heap;
static sheaf_store *store;

static sheaf_status create(const sheaf_cache_options *cache, uint64_t budget_bytes)
{
    heap = test_heap_new();
    heap.size_classes = true;
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_store_options options = { .allocator = &hooks, .budget_bytes = budget_bytes, .cache = cache };
    return sheaf_store_create(&options, &store, NULL);
}

static void begin(sheaf_cache_options cache, uint64_t budget_bytes)
{
    cr_assert_eq(create(&cache, budget_bytes), SHEAF_OK);
}

static void end(void)
{
    sheaf_fault fault = { 0 };
    cr_assert(sheaf_store_check(store, &fault), "%s", fault.rule);
    uint64_t budget_bytes = sheaf_store_total(store).budget_bytes;
    if (budget_bytes > 0) cr_assert_leq(sheaf_store_total(store).charged_bytes, budget_bytes);
    sheaf_store_destroy(store);
    cr_assert_eq(heap.live_blocks, 0);
}

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static sheaf_bytes number_key(uint32_t number, char *buffer)
{
    (void)snprintf(buffer, 16, "%06u", number);
    return text(buffer);
}

static sheaf_status put_sized(const char *partition_key, uint32_t number, size_t value_size)
{
    static uint8_t bytes[200000];
    char buffer[16];
    sheaf_bytes value = sheaf_bytes_of(bytes, value_size);
    return sheaf_store_put(store, text(partition_key), number_key(number, buffer), value, NULL, NULL);
}

static void put(const char *partition_key, uint32_t number)
{
    cr_assert_eq(put_sized(partition_key, number, VALUE_SIZE), SHEAF_OK);
}

static bool has(const char *partition_key, uint32_t number)
{
    char buffer[16];
    return sheaf_store_exists(store, text(partition_key), number_key(number, buffer), NULL) == SHEAF_OK;
}

/* Entries of these numbers that are there, found by a scan, which is no use of them. */
static uint32_t count_between(const char *partition_key, uint32_t low, uint32_t high)
{
    char buffers[2][16];
    sheaf_range range = sheaf_range_between(number_key(low, buffers[0]), number_key(high - 1, buffers[1]));
    sheaf_totals totals = { 0 };
    cr_assert_eq(sheaf_range_total(store, text(partition_key), &range, &totals, NULL), SHEAF_OK);
    return (uint32_t)totals.count;
}

static sheaf_statistics statistics(void)
{
    sheaf_statistics now = { 77, 77, 77, 77, 77 };
    cr_assert_eq(sheaf_store_statistics(store, &now), SHEAF_OK);
    return now;
}

/* ---- options ------------------------------------------------------------------------------------------------------------ */

Test(cache, options_outside_their_domain_are_refused)
{
    sheaf_cache_options cache = { .eviction = (sheaf_eviction)(SHEAF_EVICTION_NONE + 1) };
    store = NULL;
    cr_assert_eq(create(&cache, 0), SHEAF_INVALID_ARGUMENT);
    cache = (sheaf_cache_options){ .far_end = (sheaf_direction)2 };
    cr_assert_eq(create(&cache, 0), SHEAF_INVALID_ARGUMENT);
    cr_assert_null(store);
    cr_assert_eq(heap.requests, 0);
}

Test(cache, a_budget_that_holds_no_cache_is_refused)
{
    sheaf_cache_options cache = { 0 };
    store = NULL;
    cr_assert_eq(create(&cache, 5000), SHEAF_OVER_BUDGET);
    cr_assert_null(store);
    cr_assert_eq(heap.live_blocks, 0);
}

Test(cache, creating_one_needs_two_blocks_and_leaks_none)
{
    sheaf_cache_options cache = { 0 };
    for (uint64_t refused = 0; refused < 2; refused++) {
        heap = test_heap_new();
        heap.fail_at = refused;
        sheaf_allocator hooks = test_heap_hooks(&heap);
        sheaf_store_options options = { .allocator = &hooks, .cache = &cache };
        store = NULL;
        cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_NO_MEMORY);
        cr_assert_null(store);
        cr_assert_eq(heap.live_blocks, 0);
    }
}

Test(cache, a_store_that_is_none_keeps_no_statistics_and_evicts_nobody)
{
    cr_assert_eq(create(NULL, BUDGET), SHEAF_OK);
    put("p", 1);
    sheaf_statistics untouched = { 77, 77, 77, 77, 77 };
    cr_assert_eq(sheaf_store_statistics(store, &untouched), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &untouched), SHEAF_NOT_FOUND);
    cr_assert_eq(untouched.hits, 77);
    cr_assert_eq(sheaf_store_evict(store, UINT64_MAX), SHEAF_OK);
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_total(store).entry_count, 1);
    end();
}

/* ---- what it costs ------------------------------------------------------------------------------------------------------ */

/* Charged for a hundred thousand entries of one collection without budget. */
static uint64_t charged_for_many(const sheaf_cache_options *cache)
{
    cr_assert_eq(create(cache, 0), SHEAF_OK);
    for (uint32_t number = 0; number < 100000; number++) put("p", number);
    uint64_t charged_bytes = sheaf_store_total(store).charged_bytes;
    end();
    return charged_bytes;
}

Test(cache, costs_a_byte_an_entry_where_uses_are_kept_and_else_none)
{
    sheaf_cache_options frequency = { .eviction = SHEAF_EVICTION_FREQUENCY };
    sheaf_cache_options collection = { .eviction = SHEAF_EVICTION_COLLECTION };
    uint64_t plain = charged_for_many(NULL);
    uint64_t by_collection = charged_for_many(&collection);
    uint64_t by_frequency = charged_for_many(&frequency);
    cr_assert_leq(by_collection - plain, 8192, "the cache's record");
    cr_assert_leq(by_frequency - plain, 130000, "a byte, and what the classes make of it");
    cr_assert_geq(by_frequency - plain, 50000, "leaves that are filled in order have some to spare");
}

/* ---- policies ----------------------------------------------------------------------------------------------------------- */

Test(cache, none_refuses_what_does_not_fit)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_NONE }, BUDGET);
    uint32_t number = 0;
    while (put_sized("p", number, VALUE_SIZE) == SHEAF_OK) number++;
    cr_assert_eq(put_sized("p", number, VALUE_SIZE), SHEAF_OVER_BUDGET);
    cr_assert_eq(sheaf_store_total(store).entry_count, number);
    cr_assert_eq(statistics().evictions, 0);
    end();
}

/* Fills the store to overflowing: from then on the hand goes round. */
static void fill(void)
{
    for (uint32_t number = 50000; number < 53000; number++) put("p", number);
}

Test(cache, recency_keeps_what_was_read_lately)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_RECENCY }, BUDGET);
    fill();
    for (uint32_t number = 0; number < 600; number++) put("p", number);
    for (uint32_t number = 10000; number < 14000; number++) { /* twice what the store holds */
        put("p", number);
        (void)has("p", number % 300);
    }
    uint64_t count = sheaf_store_total(store).entry_count;
    cr_assert(count > 1000 && count < 2000, "%d entries", (int)count);
    cr_assert_geq(count_between("p", 0, 300), 270, "those read: %u", count_between("p", 0, 300));
    cr_assert_eq(count_between("p", 300, 600), 0, "those never read");
    cr_assert_eq(count_between("p", 10000, 12000), 0, "those put long ago");
    cr_assert_geq(count_between("p", 13600, 14000), 395, "those put lately");
    end();
}

Test(cache, frequency_keeps_what_is_read_through_a_scan_that_is_long)
{
    begin((sheaf_cache_options){ 0 }, BUDGET);
    for (uint32_t number = 0; number < 400; number++) put("p", number);
    for (uint32_t i = 0; i < 1600; i++) (void)has("p", i % 400);
    for (uint32_t number = 10000; number < 25000; number++) put("p", number); /* ten times what the store holds */
    cr_assert_geq(count_between("p", 0, 400), 395);
    end();
}

Test(cache, recency_does_not)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_RECENCY }, BUDGET);
    for (uint32_t number = 0; number < 400; number++) put("p", number);
    for (uint32_t i = 0; i < 1600; i++) (void)has("p", i % 400);
    for (uint32_t number = 10000; number < 25000; number++) put("p", number);
    cr_assert_eq(count_between("p", 0, 400), 0);
    end();
}

/* A loop a tenth longer than what the store holds. */
static double loop_hits(sheaf_eviction eviction)
{
    begin((sheaf_cache_options){ .eviction = eviction }, BUDGET);
    for (uint32_t number = 0; number < 3000; number++) put("p", number);
    uint32_t length = (uint32_t)(sheaf_store_total(store).entry_count * 11 / 10);
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 20 * length; i++)
        if (!has("p", i % length)) put("p", i % length);
    sheaf_statistics now = statistics();
    cr_assert_eq(now.hits + now.misses, 20 * (uint64_t)length);
    double ratio = (double)now.hits / (double)(20 * (uint64_t)length);
    end();
    return ratio;
}

Test(cache, frequency_serves_a_loop_that_is_too_long)
{
    double ratio = loop_hits(SHEAF_EVICTION_FREQUENCY);
    cr_assert_geq(ratio, 0.6, "%.2f", ratio);
}

Test(cache, frequency_knows_those_that_come_back)
{
    begin((sheaf_cache_options){ 0 }, BUDGET);
    for (uint32_t number = 0; number < 4000; number++) put("p", number); /* most are evicted, and a thousand or so remembered */
    for (uint32_t number = 3000; number < 3400; number++) put("p", number); /* some come back, never read so far */
    for (uint32_t number = 10000; number < 12000; number++) put("p", number);
    uint32_t came_back = count_between("p", 3000, 3400);
    uint32_t others = count_between("p", 3500, 3900);
    cr_assert_geq(came_back, 2 * others + 50, "%u, and %u of those that did not", came_back, others);
    end();
}

Test(cache, collection_drops_those_that_are_not_read)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_COLLECTION }, BUDGET);
    char name[16];
    for (uint32_t i = 0; i < 400; i++) {
        (void)snprintf(name, sizeof name, "c%u", i);
        for (uint32_t number = 0; number < 20; number++) put(name, number);
        (void)snprintf(name, sizeof name, "c%u", i % 10);
        for (uint32_t number = 0; number < 20; number += 5) (void)has(name, number); /* the first ten are in use */
    }
    for (uint32_t i = 0; i < 10; i++) {
        (void)snprintf(name, sizeof name, "c%u", i);
        cr_assert_eq(count_between(name, 0, 20), 20, "%s", name);
    }
    sheaf_store_totals totals = sheaf_store_total(store);
    cr_assert_lt(totals.collection_count, 100);
    cr_assert_eq(statistics().evictions, 400 * 20 - totals.entry_count);
    end();
}

/* Three collections that grow at one end, one of them seldom. */
static void grow_series(sheaf_direction far_end)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_FAR_END, .far_end = far_end }, BUDGET);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t number = far_end == SHEAF_FORWARD ? i : 9999 - i;
        put("a", number);
        put("b", number);
        if (i % 10 == 0) put("c", number);
    }
}

Test(cache, far_end_keeps_the_newest_of_each_collection)
{
    grow_series(SHEAF_FORWARD);
    uint32_t a = count_between("a", 0, 5000), b = count_between("b", 0, 5000), c = count_between("c", 0, 5000);
    cr_assert_eq(count_between("a", 5000 - a, 5000), a, "the last ones, without a gap");
    cr_assert_eq(count_between("b", 5000 - b, 5000), b);
    cr_assert_eq(count_between("c", 5000 - 10 * c, 5000), c);
    cr_assert(a > 300 && b > 300 && c > 30, "%u %u %u", a, b, c);
    end();
}

Test(cache, far_end_may_be_the_high_one)
{
    grow_series(SHEAF_REVERSE);
    uint32_t a = count_between("a", 5000, 10000);
    cr_assert_eq(count_between("a", 5000, 5000 + a), a, "the lowest, without a gap");
    cr_assert_gt(a, 300);
    end();
}

/* ---- the most entries of a collection ----------------------------------------------------------------------------------- */

Test(cache, a_collection_keeps_its_newest_n)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_NONE, .collection_count_max = 100 }, 0);
    for (uint32_t number = 0; number < 1000; number++) {
        put("p", number);
        sheaf_totals totals;
        cr_assert_eq(sheaf_collection_total(store, text("p"), &totals), SHEAF_OK);
        cr_assert_eq(totals.count, number < 100 ? number + 1 : 100);
    }
    cr_assert_eq(count_between("p", 900, 1000), 100);
    put("p", 950);
    cr_assert_eq(count_between("p", 900, 1000), 100, "an overwrite evicts nobody");
    put("p", 5);
    cr_assert(!has("p", 5), "what comes too late is the first to go");
    sheaf_statistics books;
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &books), SHEAF_OK);
    cr_assert_eq(books.evictions, 901);
    cr_assert_eq(books.evicted_bytes, 901 * (6 + VALUE_SIZE));
    put("q", 1);
    cr_assert_eq(count_between("p", 900, 1000), 100, "each collection for itself");
    end();
}

Test(cache, a_collection_keeps_its_lowest_n_and_a_build_is_cut_to_them)
{
    begin((sheaf_cache_options){ .collection_count_max = 50, .far_end = SHEAF_REVERSE }, 0);
    sheaf_builder *builder;
    char buffer[16];
    cr_assert_eq(sheaf_builder_begin(store, text("p"), &builder, NULL), SHEAF_OK);
    for (uint32_t number = 0; number < 300; number++)
        cr_assert_eq(sheaf_builder_add(builder, number_key(number, buffer), SHEAF_LIT("v"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    cr_assert_eq(count_between("p", 0, 50), 50);
    cr_assert_eq(sheaf_store_total(store).entry_count, 50);
    cr_assert_eq(statistics().evictions, 250);
    end();
}

/* ---- uses --------------------------------------------------------------------------------------------------------------- */

/* Whether entries that scans read survive; reads them by cursor, in batches or by pages. */
static uint32_t scanned_that_stay(bool scans_are_uses, int way)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_RECENCY, .scans_are_uses = scans_are_uses }, BUDGET);
    fill();
    for (uint32_t number = 0; number < 300; number++) put("p", number);
    sheaf_range range = sheaf_range_less(SHEAF_LIT("000300"));
    for (uint32_t number = 10000; number < 16000; number++) {
        put("p", number);
        if (number % 100 != 0) continue;
        sheaf_cursor cursor;
        sheaf_entry entries[7];
        sheaf_page page;
        sheaf_page_request request = { .range = range, .limit = 1000 };
        cr_assert_eq(sheaf_cursor_open(&cursor, store, text("p"), &range, NULL), SHEAF_OK);
        switch (way) {
        case 0: while (sheaf_cursor_next(&cursor)) {} break;
        case 1: for (bool at = sheaf_cursor_last(&cursor); at; at = sheaf_cursor_previous(&cursor)) {} break;
        case 2: while (sheaf_cursor_next_many(&cursor, entries, 7) > 0) {} break;
        case 3:
            sheaf_cursor_rewind(&cursor, SHEAF_REVERSE);
            while (sheaf_cursor_previous_many(&cursor, entries, 7) > 0) {}
            break;
        default:
            cr_assert_eq(sheaf_page_read(store, text("p"), &request, &page, NULL), SHEAF_OK);
            sheaf_page_release(&page);
        }
    }
    uint32_t stay = count_between("p", 0, 300);
    end();
    return stay;
}

Test(cache, scans_are_uses_if_asked_for)
{
    for (int way = 0; way < 5; way++) {
        uint32_t stay = scanned_that_stay(true, way);
        cr_assert_geq(stay, 295, "%u stay, read in way %d", stay, way);
        cr_assert_eq(scanned_that_stay(false, way), 0);
    }
}

Test(cache, statistics_count_by_store_and_by_collection)
{
    begin((sheaf_cache_options){ 0 }, 0);
    sheaf_statistics books = { 77, 77, 77, 77, 77 };
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &books), SHEAF_NOT_FOUND);
    cr_assert(!has("p", 1));
    put("p", 1);
    put("q", 1);
    cr_assert(has("p", 1) && has("p", 1) && has("q", 1) && !has("p", 2) && !has("r", 1));
    sheaf_statistics whole = statistics();
    cr_assert_eq(whole.hits, 3);
    cr_assert_eq(whole.misses, 3);
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &books), SHEAF_OK);
    cr_assert_eq(books.hits, 2);
    cr_assert_eq(books.misses, 1, "the first was before the collection began");
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).entry_count, 0);
    cr_assert_eq(statistics().evictions, 2);
    cr_assert_eq(statistics().evicted_bytes, 2 * (6 + VALUE_SIZE));
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &books), SHEAF_NOT_FOUND);
    put("p", 1);
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &books), SHEAF_OK);
    cr_assert_eq(books.hits + books.misses + books.evictions, 0, "a collection begins anew");
    end();
}

Test(cache, b112_what_is_evicted_is_gone_once)
{
    begin((sheaf_cache_options){ 0 }, 0);
    put("p", 1);
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_OK);
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_NOT_FOUND);
    char buffer[16];
    cr_assert_eq(sheaf_store_delete(store, text("p"), number_key(1, buffer), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(statistics().evictions, 1);
    end();
}

/* ---- room --------------------------------------------------------------------------------------------------------------- */

Test(cache, b107_puts_evict_before_they_return)
{
    for (int eviction = SHEAF_EVICTION_FREQUENCY; eviction < SHEAF_EVICTION_NONE; eviction++) {
        begin((sheaf_cache_options){ .eviction = (sheaf_eviction)eviction }, BUDGET);
        char name[16];
        for (uint32_t number = 0; number < 20000; number++) {
            (void)snprintf(name, sizeof name, "c%u", number % 37);
            put(name, number);
            cr_assert_leq(sheaf_store_total(store).charged_bytes, BUDGET);
        }
        cr_assert_leq(heap.peak_real_bytes, BUDGET, "not even for a moment");
        cr_assert_geq(sheaf_store_total(store).charged_bytes, BUDGET * 7 / 10);
        end();
    }
}

Test(cache, an_entry_that_could_never_fit_evicts_nobody)
{
    begin((sheaf_cache_options){ 0 }, BUDGET);
    for (uint32_t number = 0; number < 1000; number++) put("p", number);
    cr_assert_eq(put_sized("p", 5000, BUDGET), SHEAF_OVER_BUDGET);
    cr_assert_eq(statistics().evictions, 0);
    cr_assert_eq(put_sized("p", 5000, BUDGET / 2), SHEAF_OK);
    cr_assert_gt(statistics().evictions, 0);
    cr_assert(has("p", 5000));
    end();
}

Test(cache, large_values_go_one_by_one)
{
    begin((sheaf_cache_options){ 0 }, 4000000);
    for (uint32_t number = 0; number < 400; number++) cr_assert_eq(put_sized("p", number, 100000), SHEAF_OK);
    uint64_t real = test_heap_class(100000);
    uint64_t count = sheaf_store_total(store).entry_count;
    cr_assert(count >= 4000000 / real - 2 && count <= 4000000 / real, "%d", (int)count);
    end();
}

Test(cache, a_value_may_come_from_the_store_and_be_evicted_meanwhile)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_FAR_END }, BUDGET);
    uint8_t bytes[600];
    for (uint32_t number = 0; number < 5000; number++) {
        char buffer[16];
        memset(bytes, (int)(number % 251), sizeof bytes);
        sheaf_bytes key = number_key(number, buffer);
        cr_assert_eq(sheaf_store_put(store, text("p"), key, sheaf_bytes_of(bytes, 50 + number % 550), NULL, NULL), SHEAF_OK);
        sheaf_cursor cursor; /* the lowest is the next to go */
        cr_assert_eq(sheaf_cursor_open(&cursor, store, text("p"), NULL, NULL), SHEAF_OK);
        cr_assert(sheaf_cursor_first(&cursor));
        uint8_t first = cursor.value.data[0];
        size_t size = cursor.value.size;
        key = number_key(number + 100000, buffer);
        cr_assert_eq(sheaf_store_put(store, text("p"), key, cursor.value, NULL, NULL), SHEAF_OK);
        sheaf_bytes value;
        cr_assert_eq(sheaf_store_get(store, text("p"), key, &value, NULL), SHEAF_OK);
        cr_assert(value.size == size && value.data[0] == first && value.data[size - 1] == first);
        cr_assert_eq(sheaf_store_delete(store, text("p"), key, NULL), SHEAF_OK);
    }
    end();
}

Test(cache, a_smaller_budget_evicts_what_is_too_much)
{
    begin((sheaf_cache_options){ 0 }, BUDGET);
    for (uint32_t number = 0; number < 3000; number++) put("p", number);
    cr_assert_eq(sheaf_store_set_budget(store, BUDGET / 2, NULL), SHEAF_OK);
    cr_assert_leq(sheaf_store_total(store).charged_bytes, BUDGET / 2);
    cr_assert_geq(sheaf_store_total(store).entry_count, 300);
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_set_budget(store, 100, &detail), SHEAF_OVER_BUDGET, "not even an empty one");
    cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
    cr_assert_eq(sheaf_store_total(store).budget_bytes, BUDGET / 2);
    end();
}

Test(cache, a_builder_evicts_too)
{
    begin((sheaf_cache_options){ 0 }, 1 << 20);
    for (uint32_t number = 0; number < 20000; number++) put("p", number);
    uint64_t before = sheaf_store_total(store).entry_count;
    sheaf_builder *builder;
    char buffer[16];
    cr_assert_eq(sheaf_builder_begin(store, text("q"), &builder, NULL), SHEAF_OK);
    for (uint32_t number = 0; number < 3000; number++)
        cr_assert_eq(sheaf_builder_add(builder, number_key(number, buffer), SHEAF_LIT("some value"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    cr_assert_eq(count_between("q", 0, 3000), 3000);
    cr_assert_lt(count_between("p", 0, 20000), before);
    cr_assert_leq(heap.peak_real_bytes, 1 << 20);
    end();
}

Test(cache, many_small_collections_are_evicted_from_evenly)
{
    begin((sheaf_cache_options){ 0 }, BUDGET);
    char name[16];
    for (uint32_t i = 0; i < 3000; i++) { /* as a cache of single values is used: each key a collection of one */
        (void)snprintf(name, sizeof name, "key-%u", i);
        put(name, 0);
        (void)snprintf(name, sizeof name, "key-%u", i % 50);
        (void)has(name, 0);
    }
    uint32_t hot = 0;
    for (uint32_t i = 0; i < 50; i++) {
        (void)snprintf(name, sizeof name, "key-%u", i);
        hot += count_between(name, 0, 1);
    }
    cr_assert_geq(hot, 48);
    end();
}

/* ---- beside views ------------------------------------------------------------------------------------------------------- */

Test(cache, what_a_view_sees_is_not_evicted)
{
    begin((sheaf_cache_options){ 0 }, BUDGET);
    for (uint32_t number = 0; number < 3000; number++) put("p", number);
    cr_assert_eq(sheaf_store_evict(store, BUDGET / 2), SHEAF_OK);
    uint64_t count = sheaf_store_total(store).entry_count;
    sheaf_view *view;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    uint64_t evictions = statistics().evictions;
    uint32_t number = 10000;
    while (number < 20000 && put_sized("p", number, VALUE_SIZE) == SHEAF_OK) number++; /* new ones come and go */
    cr_assert_eq(sheaf_store_total(sheaf_view_store(view)).entry_count, count);
    cr_assert_gt(statistics().evictions, evictions);
    cr_assert_leq(heap.peak_real_bytes, BUDGET);
    sheaf_view_close(view);
    put("p", number);
    end();
}

Test(cache, a_put_is_refused_where_views_hold_everything)
{
    for (int eviction = SHEAF_EVICTION_FREQUENCY; eviction < SHEAF_EVICTION_NONE; eviction++) {
        begin((sheaf_cache_options){ .eviction = (sheaf_eviction)eviction }, BUDGET);
        char name[16];
        for (uint32_t number = 0; number < 3000; number++) {
            (void)snprintf(name, sizeof name, "c%u", number % 9);
            put(name, number);
        }
        uint64_t count = sheaf_store_total(store).entry_count;
        uint64_t evictions = statistics().evictions;
        sheaf_view *view;
        cr_assert_eq(sheaf_store_set_budget(store, 2 * BUDGET, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_store_set_budget(store, sheaf_store_total(store).charged_bytes, NULL), SHEAF_OK);
        cr_assert_eq(put_sized("new", 1, VALUE_SIZE), SHEAF_OVER_BUDGET);
        cr_assert_eq(sheaf_store_total(store).entry_count, count);
        cr_assert_eq(statistics().evictions, evictions);
        sheaf_view_close(view);
        put("new", 1);
        end();
    }
}

Test(cache, reading_a_view_is_no_use_of_the_store)
{
    begin((sheaf_cache_options){ .scans_are_uses = true }, 0);
    put("p", 1);
    sheaf_view *view;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    const sheaf_store *then = sheaf_view_store(view);
    sheaf_bytes value;
    sheaf_statistics untouched = { 77, 77, 77, 77, 77 };
    cr_assert_eq(sheaf_store_get(then, text("p"), text("000001"), &value, NULL), SHEAF_OK);
    sheaf_cursor cursor;
    cr_assert_eq(sheaf_cursor_open(&cursor, then, text("p"), NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_first(&cursor));
    cr_assert_eq(sheaf_store_statistics(then, &untouched), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_collection_statistics(then, text("p"), &untouched), SHEAF_NOT_FOUND);
    cr_assert_eq(statistics().hits, 0);
    sheaf_view_close(view);
    end();
}

Test(cache, a_fork_is_no_cache_and_going_back_leaves_one)
{
    begin((sheaf_cache_options){ 0 }, 0);
    for (uint32_t number = 0; number < 500; number++) put("p", number);
    (void)has("p", 7);
    sheaf_view *view;
    sheaf_store *fork;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_fork(view, &fork, NULL), SHEAF_OK);
    sheaf_statistics untouched = { 77, 77, 77, 77, 77 };
    cr_assert_eq(sheaf_store_statistics(fork, &untouched), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_evict(fork, 0), SHEAF_NOT_FOUND);
    char buffer[16];
    for (uint32_t number = 0; number < 900; number += 3) { /* overwrites and new entries, in copies of leaves that keep uses */
        sheaf_bytes key = number_key(number, buffer);
        cr_assert_eq(sheaf_store_put(fork, text("p"), key, text("another value"), NULL, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_store_put(fork, text("q"), key, text("another value"), NULL, NULL), SHEAF_OK);
    }
    cr_assert(sheaf_store_check(fork, NULL));
    sheaf_store_destroy(fork);
    for (uint32_t number = 500; number < 900; number++) put("p", number);
    cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
    sheaf_view_close(view);
    cr_assert_eq(sheaf_store_total(store).entry_count, 500);
    cr_assert_eq(statistics().hits, 1);
    cr_assert_eq(sheaf_store_evict(store, sheaf_store_total(store).charged_bytes / 2), SHEAF_OK);
    cr_assert(statistics().evictions > 100 && statistics().evictions < 500);
    end();
}

Test(cache, a_batch_evicts_nobody)
{
    begin((sheaf_cache_options){ .collection_count_max = 5000 }, BUDGET);
    for (uint32_t number = 0; number < 3000; number++) put("p", number);
    uint64_t count = sheaf_store_total(store).entry_count;
    sheaf_statistics before = statistics();
    static uint8_t bytes[20000];
    sheaf_bytes large = sheaf_bytes_of(bytes, sizeof bytes);
    sheaf_batch_write writes[] = { sheaf_batch_put(text("q"), text("a"), large), sheaf_batch_put(text("q"), text("b"), large) };
    size_t refused = 77;
    cr_assert_eq(sheaf_batch_apply(store, writes, 2, &refused, NULL), SHEAF_OVER_BUDGET);
    cr_assert_eq(refused, 0);
    sheaf_statistics after = statistics();
    cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
    cr_assert_eq(sheaf_store_total(store).entry_count, count);
    cr_assert_eq(sheaf_store_evict(store, BUDGET - 60000), SHEAF_OK);
    cr_assert_eq(sheaf_batch_apply(store, writes, 2, &refused, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_batch_apply(store, writes, 1, &refused, NULL), SHEAF_OK, "one write is that write");
    for (uint32_t number = 5000; number < 6000; number++) put("p", number);
    cr_assert_gt(statistics().evictions, before.evictions);
    end();
}

Test(cache, many_gets_at_once_count_as_each)
{
    begin((sheaf_cache_options){ .eviction = SHEAF_EVICTION_RECENCY }, BUDGET);
    fill();
    for (uint32_t number = 0; number < 20; number++) put("p", number);
    for (uint32_t number = 10000; number < 16000; number++) {
        put("p", number);
        if (number % 100 != 0) continue;
        char buffers[21][16];
        sheaf_get gets[21] = { 0 };
        for (uint32_t i = 0; i < 21; i++) { /* the last is not there */
            gets[i].partition_key = text("p");
            gets[i].sort_key = number_key(i, buffers[i]);
        }
        cr_assert_eq(sheaf_store_get_many(store, gets, 21), 20);
        cr_assert_eq(gets[20].status, SHEAF_NOT_FOUND);
        cr_assert_eq(gets[19].value_view.size, VALUE_SIZE);
    }
    cr_assert_eq(statistics().hits, 60 * 20);
    cr_assert_eq(statistics().misses, 60);
    end();
}
