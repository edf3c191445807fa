/*
 * test_shared_store.c - a shared store in the hands of one thread: what each call gives. tests/thread has the others.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/shared/shared.h"
#include "tests/support/counted_shared.h"

static struct test_heap heap;
static sheaf_shared *shared;

static void begin(void)
{
    shared = counted_shared_begin(&heap, (sheaf_shared_options){ 0 });
}

static void end(void)
{
    counted_shared_end(shared, &heap);
}

TestSuite(shared, .init = begin, .fini = end);

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static void put(const char *partition_key, const char *sort_key, const char *value)
{
    cr_assert_eq(sheaf_shared_put(shared, text(partition_key), text(sort_key), text(value), NULL, NULL), SHEAF_OK);
}

/* The value of an entry as text; "" if there is none. */
static const char *get(const char *partition_key, const char *sort_key)
{
    static char value[64];
    size_t size;
    if (sheaf_shared_get(shared, text(partition_key), text(sort_key), value, 63, &size, NULL) != SHEAF_OK) return "";
    value[size] = '\0';
    return value;
}

/* A key of collection `number`, of which there are as many as one likes. */
static sheaf_bytes collection_key(uint32_t number)
{
    static char buffer[16];
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, "C#%06u", number));
}

/* ---- coming and going ----------------------------------------------------------------------------------------------------- */

Test(shared, options_outside_their_domain_are_refused)
{
    sheaf_allocator no_hooks = { 0 };
    const struct {
        sheaf_shared_options options;
        sheaf_status status;
    } cases[] = {
        { { .shard_count = 3 }, SHEAF_INVALID_ARGUMENT },
        { { .shard_count = 512 }, SHEAF_INVALID_ARGUMENT },
        { { .store = { .allocator = &no_hooks } }, SHEAF_INVALID_ARGUMENT },
        { { .store = { .sort_key_size_max = SHEAF_SORT_KEY_SIZE_HARD + 1 } }, SHEAF_INVALID_ARGUMENT },
        { { .store = { .budget_bytes = 1 } }, SHEAF_OVER_BUDGET },
        { { .store = { .budget_bytes = 20000 } }, SHEAF_OVER_BUDGET }, /* 16 shards are more */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_shared *none = NULL;
        sheaf_detail detail = { 0 };
        cr_assert_eq(sheaf_shared_create(&cases[i].options, &none, &detail), cases[i].status, "case %zu", i);
        cr_assert_null(none);
        cr_assert_not_null(detail.message);
    }
}

Test(shared, any_power_of_two_of_shards)
{
    for (uint32_t count = 1; count <= SHEAF_SHARD_COUNT_MAX; count *= 2) {
        struct test_heap own;
        sheaf_shared *many = counted_shared_begin(&own, (sheaf_shared_options){ .shard_count = count });
        cr_assert_eq(sheaf_shared_shard_count(many), count);
        for (uint32_t i = 0; i < 100; i++)
            cr_assert_eq(sheaf_shared_put(many, collection_key(i), text("k"), text("v"), NULL, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_shared_total(many).collection_count, 100);
        counted_shared_end(many, &own);
    }
}

Test(shared, without_options_it_has_sixteen_shards_and_the_built_in_memory)
{
    sheaf_shared *plain = NULL;
    cr_assert_eq(sheaf_shared_create(NULL, &plain, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_shard_count(plain), 16);
    cr_assert_eq((uintptr_t)plain->shards % 64, 0, "locks lie in cache lines of their own");
    cr_assert_eq(sheaf_shared_put(plain, text("p"), text("s"), text("v"), NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_shared_check(plain, NULL));
    sheaf_shared_destroy(plain);
    sheaf_shared_destroy(NULL);
}

/* ---- entries -------------------------------------------------------------------------------------------------------------- */

Test(shared, entries_come_are_replaced_and_go)
{
    bool replaced = true;
    cr_assert_eq(sheaf_shared_put(shared, text("A"), text("k"), text("one"), &replaced, NULL), SHEAF_OK);
    cr_assert(!replaced);
    cr_assert_eq(sheaf_shared_put(shared, text("A"), text("k"), text("two"), &replaced, NULL), SHEAF_OK);
    cr_assert(replaced);
    cr_assert_str_eq(get("A", "k"), "two");
    cr_assert_eq(sheaf_shared_exists(shared, text("A"), text("k"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_exists(shared, text("A"), text("l"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_delete(shared, text("A"), text("k"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_delete(shared, text("A"), text("k"), NULL), SHEAF_NOT_FOUND);
    cr_assert_str_eq(get("A", "k"), "");
}

Test(shared, a_buffer_too_small_is_left_alone_and_the_size_told)
{
    char buffer[8] = "-------";
    size_t size = 77;
    sheaf_detail detail = { 0 };
    put("A", "k", "value");
    cr_assert_eq(sheaf_shared_get(shared, text("A"), text("k"), buffer, 4, &size, &detail), SHEAF_BUFFER_TOO_SMALL);
    cr_assert_eq(size, 5);
    cr_assert(detail.field == SHEAF_FIELD_VALUE && detail.size == 5 && detail.limit == 4);
    cr_assert_str_eq(buffer, "-------");
    cr_assert_eq(sheaf_shared_get(shared, text("A"), text("k"), buffer, 5, &size, NULL), SHEAF_OK);
    cr_assert_str_eq(buffer, "value--", "and nothing behind the value is touched");
    cr_assert_eq(sheaf_shared_get(shared, text("A"), text("k"), NULL, 0, NULL, NULL), SHEAF_BUFFER_TOO_SMALL);
    size = 77;
    cr_assert_eq(sheaf_shared_get(shared, text("A"), text("none"), buffer, 5, &size, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(size, 77);
    put("A", "empty", "");
    cr_assert_eq(sheaf_shared_get(shared, text("A"), text("empty"), NULL, 0, &size, NULL), SHEAF_OK);
    cr_assert_eq(size, 0);
}

Test(shared, keys_that_no_store_accepts_are_refused)
{
    char buffer[8];
    cr_assert_eq(sheaf_shared_put(shared, text(""), text("k"), text("v"), NULL, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_shared_get(shared, text("A"), text(""), buffer, 8, NULL, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_shared_delete(shared, text(""), text("k"), NULL), SHEAF_KEY_EMPTY);
    sheaf_range inverted = sheaf_range_between(text("b"), text("a"));
    cr_assert_eq(sheaf_shared_delete_range(shared, text("A"), &inverted, NULL, NULL), SHEAF_RANGE_INVERTED);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, 0);
}

/* ---- ranges --------------------------------------------------------------------------------------------------------------- */

static void put_paths(void)
{
    put("A", "a/1", "xx");
    put("A", "a/2", "xx");
    put("A", "b/1", "xx");
    put("B", "a/1", "xx");
}

Test(shared, ranges_are_counted_ranked_and_deleted)
{
    put_paths();
    sheaf_range range = sheaf_range_prefix(text("a/"));
    sheaf_totals totals;
    cr_assert_eq(sheaf_shared_range_total(shared, text("A"), &range, &totals, NULL), SHEAF_OK);
    cr_assert(totals.count == 2 && totals.bytes == 10);
    cr_assert_eq(sheaf_shared_collection_total(shared, text("A"), &totals), SHEAF_OK);
    cr_assert(totals.count == 3 && totals.bytes == 15);
    uint64_t rank;
    bool exists;
    cr_assert_eq(sheaf_shared_rank(shared, text("A"), text("a/2"), SHEAF_REVERSE, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 1 && exists);
    cr_assert_eq(sheaf_shared_delete_range(shared, text("A"), &range, &totals, NULL), SHEAF_OK);
    cr_assert(totals.count == 2 && totals.bytes == 10);
    cr_assert_eq(sheaf_shared_collection_drop(shared, text("A"), &totals), SHEAF_OK);
    cr_assert(totals.count == 1 && totals.bytes == 5);
    cr_assert_eq(sheaf_shared_collection_drop(shared, text("A"), &totals), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_collection_total(shared, text("A"), &totals), SHEAF_NOT_FOUND);
    cr_assert_str_eq(get("B", "a/1"), "xx");
}

Test(shared, a_page_is_a_copy_and_tells_its_version)
{
    put_paths();
    sheaf_page_request request = { .direction = SHEAF_REVERSE, .limit = 2 };
    sheaf_page page;
    uint64_t version = 0;
    cr_assert_eq(sheaf_shared_page_read(shared, text("A"), &request, &page, &version, NULL), SHEAF_OK);
    cr_assert_eq(version, sheaf_shared_version(shared, text("A")));
    cr_assert_eq(sheaf_shared_collection_drop(shared, text("A"), NULL), SHEAF_OK);
    cr_assert_neq(version, sheaf_shared_version(shared, text("A")));
    cr_assert_eq(page.count, 2);
    cr_assert(sheaf_bytes_compare(page.entries[0].key, text("b/1")) == 0 && page.more_after && !page.more_before);
    sheaf_page_release(&page);
}

Test(shared, the_version_moves_with_each_write_and_with_no_read)
{
    char buffer[8];
    sheaf_page page;
    sheaf_page_request request = { .limit = 1 };
    uint64_t first = sheaf_shared_version(shared, text("A"));
    put("A", "k", "v");
    uint64_t second = sheaf_shared_version(shared, text("A"));
    cr_assert_gt(second, first);
    (void)sheaf_shared_get(shared, text("A"), text("k"), buffer, 8, NULL, NULL);
    (void)sheaf_shared_exists(shared, text("A"), text("k"), NULL);
    cr_assert_eq(sheaf_shared_page_read(shared, text("A"), &request, &page, NULL, NULL), SHEAF_OK);
    sheaf_page_release(&page);
    (void)sheaf_shared_total(shared);
    (void)sheaf_shared_check(shared, NULL);
    cr_assert_eq(sheaf_shared_version(shared, text("A")), second);
    cr_assert_eq(sheaf_shared_delete(shared, text("A"), text("k"), NULL), SHEAF_OK);
    cr_assert_gt(sheaf_shared_version(shared, text("A")), second);
}

/* ---- pins ----------------------------------------------------------------------------------------------------------------- */

Test(shared, a_pinned_shard_is_read_in_place)
{
    put_paths();
    sheaf_pin pin;
    const sheaf_store *store = sheaf_shared_pin(shared, text("A"), &pin);
    cr_assert_eq(store, pin.store);
    sheaf_bytes value, again;
    cr_assert_eq(sheaf_store_get(store, text("A"), text("a/1"), &value, NULL), SHEAF_OK);
    sheaf_cursor cursor;
    cr_assert_eq(sheaf_cursor_open(&cursor, store, text("A"), NULL, NULL), SHEAF_OK);
    int count = 0;
    for (bool at = sheaf_cursor_first(&cursor); at; at = sheaf_cursor_next(&cursor)) count++;
    cr_assert_eq(count, 3);
    cr_assert_eq(sheaf_store_get(store, text("A"), text("a/1"), &again, NULL), SHEAF_OK);
    cr_assert_eq(again.data, value.data, "not a copy");
    uint64_t version = pin.version;
    sheaf_shared_unpin(&pin);
    cr_assert_null(pin.store);
    cr_assert_eq(version, sheaf_shared_version(shared, text("A")));
    put("A", "c", "v"); /* would wait for ever if anything was still pinned */
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

Test(shared, totals_are_those_of_all_shards)
{
    for (uint32_t i = 0; i < 500; i++) /* C#000123: 8 bytes; k: 1; value: 3 */
        cr_assert_eq(sheaf_shared_put(shared, collection_key(i), text("k"), text("abc"), NULL, NULL), SHEAF_OK);
    put("C#000007", "l", "");
    sheaf_store_totals totals = sheaf_shared_total(shared);
    cr_assert_eq(totals.collection_count, 500);
    cr_assert_eq(totals.entry_count, 501);
    cr_assert_eq(totals.logical_bytes, 500 * (8 + 1 + 3) + 1);
    cr_assert_eq(totals.charged_bytes, heap.live_real_bytes);
    cr_assert(totals.budget_bytes == 0 && totals.view_count == 0);
    uint32_t used = 0;
    for (uint64_t i = 0; i < 16; i++) used += sheaf_store_total(shared->shards[i].store).collection_count > 0;
    cr_assert_eq(used, 16, "500 collections lie in all shards");
    uint64_t resident;
    cr_assert_eq(sheaf_shared_resident(shared, &resident), SHEAF_NOT_FOUND, "hooks do not tell");
}

Test(shared, statistics_are_those_of_all_shards)
{
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_NOT_FOUND, "no cache");
    struct test_heap own;
    sheaf_cache_options rules = { 0 };
    sheaf_shared *cache = counted_shared_begin(&own, (sheaf_shared_options){ .store = { .cache = &rules } });
    char buffer[8];
    for (uint32_t i = 0; i < 40; i++)
        cr_assert_eq(sheaf_shared_put(cache, collection_key(i), text("k"), text("v"), NULL, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 50; i++) (void)sheaf_shared_get(cache, collection_key(i), text("k"), buffer, 8, NULL, NULL);
    (void)sheaf_shared_exists(cache, collection_key(3), text("none"), NULL);
    cr_assert_eq(sheaf_shared_statistics(cache, &statistics), SHEAF_OK);
    cr_assert(statistics.hits == 40 && statistics.misses == 11 && statistics.evictions == 0);
    cr_assert_eq(sheaf_shared_collection_statistics(cache, collection_key(3), &statistics), SHEAF_OK);
    cr_assert(statistics.hits == 1 && statistics.misses == 1);
    cr_assert_eq(sheaf_shared_collection_statistics(cache, collection_key(45), &statistics), SHEAF_NOT_FOUND);
    counted_shared_end(cache, &own);
}

Test(shared, the_check_finds_a_collection_in_another_shard)
{
    sheaf_fault fault = { 0 };
    put("A", "k", "v");
    cr_assert(sheaf_shared_check(shared, &fault));
    uint64_t wrong = (sheaf_shared_place(shared, text("A")) + 1) % 16;
    struct sheaf_store *store = shared->shards[wrong].store;
    cr_assert_eq(sheaf_store_put(store, text("A"), text("k"), text("v"), NULL, NULL), SHEAF_OK);
    cr_assert(!sheaf_shared_check(shared, &fault));
    cr_assert_eq(strncmp(fault.rule, "SH1", 3), 0);
    cr_assert_eq(sheaf_collection_drop(store, text("A"), NULL), SHEAF_OK);
}

static uint64_t at_hundred(void *context)
{
    (void)context;
    return 100;
}

/* ---- many at once --------------------------------------------------------------------------------------------------------- */

enum { MANY = 500, MANY_SHELVES = 40 };

struct many {
    char shelves[MANY][8], keys[MANY][8];
    sheaf_get gets[MANY];
    bool there[MANY];
    size_t there_count, there_size; /* of the values that are there */
};

static size_t value_size_of(uint32_t i)
{
    return i * 7 % 59;
}

static uint8_t value_byte_of(uint32_t i)
{
    return (uint8_t)(i * 31 + 1);
}

/* Every third is not there. Keys that are empty, too long, or asked for a second time are among them. */
static void prepare(struct many *many)
{
    static const char long_key[SHEAF_SORT_KEY_SIZE_HARD + 1];
    *many = (struct many){ 0 };
    for (uint32_t i = 0; i < MANY; i++) {
        uint8_t value[64];
        sheaf_bytes shelf = sheaf_bytes_of(many->shelves[i], (size_t)sprintf(many->shelves[i], "S%u", i * 13 % MANY_SHELVES));
        sheaf_bytes key = sheaf_bytes_of(many->keys[i], (size_t)sprintf(many->keys[i], "k%u", i));
        memset(value, value_byte_of(i), sizeof value);
        many->there[i] = i % 3 != 0;
        if (many->there[i]) {
            sheaf_bytes bytes = sheaf_bytes_of(value, value_size_of(i));
            cr_assert_eq(sheaf_shared_put(shared, shelf, key, bytes, NULL, NULL), SHEAF_OK);
        }
        many->gets[i] = (sheaf_get){ .partition_key = shelf, .sort_key = key };
    }
    many->gets[50].partition_key = sheaf_bytes_of(NULL, 0);
    many->gets[61].sort_key = sheaf_bytes_of(long_key, sizeof long_key);
    many->gets[70] = many->gets[71];
    many->there[50] = many->there[61] = false;
    for (uint32_t i = 0; i < MANY; i++) {
        many->there_count += many->there[i];
        if (many->there[i]) many->there_size += value_size_of(i == 70 ? 71 : i);
    }
}

static bool is_value_of(sheaf_bytes value, uint32_t i)
{
    for (size_t at = 0; at < value.size; at++)
        if (value.data[at] != value_byte_of(i)) return false;
    return value.size == value_size_of(i);
}

/* Whether each was answered as by a get of its own, for which there was room. */
static void expect_as_singly(const struct many *many, const uint8_t *buffer, size_t capacity)
{
    for (uint32_t i = 0; i < MANY; i++) {
        const sheaf_get *get = &many->gets[i];
        uint8_t value[64];
        size_t size = 77;
        sheaf_status status = sheaf_shared_get(shared, get->partition_key, get->sort_key, value, sizeof value, &size, NULL);
        cr_assert_eq(status == SHEAF_OK, many->there[i]);
        if (get->status == SHEAF_BUFFER_TOO_SMALL) {
            cr_assert(status == SHEAF_OK && get->value_view.size == size && !get->value_view.data, "get %u", i);
            continue;
        }
        cr_assert_eq(get->status, status, "get %u", i);
        if (status != SHEAF_OK) {
            cr_assert(get->value_view.size == 0 && !get->value_view.data);
            continue;
        }
        cr_assert(is_value_of(get->value_view, i == 70 ? 71 : i) && size == get->value_view.size, "value %u", i);
        bool within = get->value_view.data >= buffer && get->value_view.data + size <= buffer + capacity;
        cr_assert(within || size == 0, "it lies in the buffer");
    }
}

Test(shared, many_reads_at_once_give_what_each_gives)
{
    static struct many many;
    static uint8_t buffer[MANY * 60];
    size_t size = 0;
    prepare(&many);
    cr_assert_eq(sheaf_shared_get_many(shared, many.gets, MANY, buffer, many.there_size, &size), many.there_count);
    cr_assert_eq(size, many.there_size, "it is just enough");
    expect_as_singly(&many, buffer, many.there_size);
    cr_assert_eq(sheaf_shared_get_many(shared, many.gets, 0, NULL, 0, &size), 0);
    cr_assert_eq(size, 0);
}

Test(shared, many_reads_fill_the_room_there_is)
{
    static struct many many;
    static uint8_t buffer[MANY * 60];
    prepare(&many);
    for (size_t capacity = 0; capacity < many.there_size; capacity += 97) {
        size_t size = 0, used = 0, copied = 0;
        memset(buffer, 0xEE, sizeof buffer);
        size_t count = sheaf_shared_get_many(shared, many.gets, MANY, capacity > 0 ? buffer : NULL, capacity, &size);
        cr_assert_eq(size, many.there_size, "what it would take");
        expect_as_singly(&many, buffer, capacity);
        for (uint32_t i = 0; i < MANY; i++) {
            if (many.gets[i].status != SHEAF_OK) continue;
            copied++;
            used += many.gets[i].value_view.size;
        }
        cr_assert(copied == count && used <= capacity && used + 58 >= capacity, "%zu of %zu used", used, capacity);
        for (size_t at = used; at < sizeof buffer; at++) cr_assert_eq(buffer[at], 0xEE, "nothing behind is touched");
    }
}

Test(shared, many_reads_of_a_cache_are_uses_and_hide_what_has_expired)
{
    struct test_heap own;
    sheaf_cache_options rules = { 0 };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = at_hundred };
    sheaf_shared *cache = counted_shared_begin(
        &own, (sheaf_shared_options){ .store = { .cache = &rules, .expiry = &expiry }, .shard_count = 4 });
    cr_assert_eq(sheaf_shared_put_until(cache, text("p"), text("a"), text("1"), 100, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_put_until(cache, text("q"), text("b"), text("22"), 101, NULL, NULL), SHEAF_OK);
    sheaf_get gets[] = { { .partition_key = text("p"), .sort_key = text("a") }, { .partition_key = text("q"), .sort_key = text("b") } };
    char buffer[8];
    size_t size;
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_shared_get_many(cache, gets, 2, buffer, sizeof buffer, &size), 1);
    cr_assert(gets[0].status == SHEAF_NOT_FOUND && gets[1].status == SHEAF_OK && size == 2 && memcmp(buffer, "22", 2) == 0);
    cr_assert_eq(sheaf_shared_statistics(cache, &statistics), SHEAF_OK);
    cr_assert(statistics.hits == 1 && statistics.misses == 1);
    counted_shared_end(cache, &own);
}
