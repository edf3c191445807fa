/*
 * test_store_limits.c - every limit on both sides: at it, and one over. What is refused changes nothing and says why.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static uint8_t *bytes; /* more than any limit tried here */

enum { BYTES_SIZE = SHEAF_VALUE_SIZE_MAX + 1 };

static void begin(void)
{
    bytes = malloc(BYTES_SIZE);
    cr_assert_not_null(bytes);
    memset(bytes, 'x', BYTES_SIZE);
}

static void end(void)
{
    free(bytes);
}

TestSuite(limits, .init = begin, .fini = end);

static sheaf_bytes of(size_t size)
{
    return sheaf_bytes_of(bytes, size);
}

static sheaf_store *create(const sheaf_store_options *options)
{
    sheaf_store *store = NULL;
    cr_assert_eq(sheaf_store_create(options, &store, NULL), SHEAF_OK);
    return store;
}

static void expect_detail(const sheaf_detail *detail, sheaf_field field, uint64_t size, uint64_t limit)
{
    cr_assert_eq(detail->field, field, "field %s", sheaf_field_name(detail->field));
    cr_assert_eq(detail->size, size);
    cr_assert_eq(detail->limit, limit);
    cr_assert_gt(strlen(detail->message), 10);
    cr_assert_neq(detail->message[strlen(detail->message) - 1], '.');
}

static void expect_unchanged(const sheaf_store *store, sheaf_store_totals before)
{
    sheaf_store_totals now = sheaf_store_total(store);
    cr_assert_eq(memcmp(&now, &before, sizeof now), 0, "a refused call changed the totals");
    cr_assert(sheaf_store_check(store, NULL));
}

/* Puts at each limit and one over it. */
static void expect_limits(sheaf_store *store, size_t partition_max, size_t sort_max, size_t value_max)
{
    sheaf_detail detail = { 0 };
    bool replaced = true;
    cr_assert_eq(sheaf_store_put(store, of(partition_max), of(sort_max), of(value_max), &replaced, &detail), SHEAF_OK);
    cr_assert(!replaced);
    sheaf_bytes value;
    cr_assert_eq(sheaf_store_get(store, of(partition_max), of(sort_max), &value, NULL), SHEAF_OK);
    cr_assert_eq(value.size, value_max);
    cr_assert_eq(memcmp(value.data, bytes, value_max), 0);
    sheaf_store_totals before = sheaf_store_total(store);
    cr_assert_eq(before.logical_bytes, partition_max + sort_max + value_max);
    replaced = true;
    cr_assert_eq(sheaf_store_put(store, of(partition_max + 1), of(1), of(1), &replaced, &detail), SHEAF_KEY_TOO_LONG);
    expect_detail(&detail, SHEAF_FIELD_PARTITION_KEY, partition_max + 1, partition_max);
    cr_assert_eq(sheaf_store_put(store, of(1), of(sort_max + 1), of(1), &replaced, &detail), SHEAF_KEY_TOO_LONG);
    expect_detail(&detail, SHEAF_FIELD_SORT_KEY, sort_max + 1, sort_max);
    cr_assert_eq(sheaf_store_put(store, of(1), of(1), of(value_max + 1), &replaced, &detail), SHEAF_VALUE_TOO_LARGE);
    expect_detail(&detail, SHEAF_FIELD_VALUE, value_max + 1, value_max);
    cr_assert_eq(sheaf_store_put(store, of(partition_max + 1), of(1), of(1), NULL, NULL), SHEAF_KEY_TOO_LONG);
    cr_assert(replaced, "out parameters are written on success only");
    expect_unchanged(store, before);
}

Test(limits, by_default_are_dynamodbs)
{
    sheaf_store *store = create(NULL);
    expect_limits(store, 2048, 1024, 409600);
    sheaf_store_destroy(store);
    sheaf_store_options zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    store = create(&zeroed);
    expect_limits(store, 2048, 1024, 409600);
    sheaf_store_destroy(store);
}

Test(limits, are_options)
{
    static const struct {
        size_t partition, sort, value;
    } cases[] = { { 1, 1, 1 }, { 5, 7, 9 }, { 3000, 2000, 50000 }, { 65536, 8192, 100 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_store_options options = { .partition_key_size_max = cases[i].partition,
                                        .sort_key_size_max = cases[i].sort,
                                        .value_size_max = cases[i].value };
        sheaf_store *store = create(&options);
        expect_limits(store, cases[i].partition, cases[i].sort, cases[i].value);
        sheaf_store_destroy(store);
    }
}

Test(limits, have_limits)
{
    sheaf_store *store = NULL;
    sheaf_detail detail = { 0 };
    sheaf_store_options options = { .partition_key_size_max = SHEAF_PARTITION_KEY_SIZE_HARD + 1 };
    cr_assert_eq(sheaf_store_create(&options, &store, &detail), SHEAF_INVALID_ARGUMENT);
    expect_detail(&detail, SHEAF_FIELD_OPTION, 65537, 65536);
    cr_assert_not_null(strstr(detail.message, "partition_key_size_max"));
    options = (sheaf_store_options){ .sort_key_size_max = SHEAF_SORT_KEY_SIZE_HARD + 1 };
    cr_assert_eq(sheaf_store_create(&options, &store, &detail), SHEAF_INVALID_ARGUMENT);
    expect_detail(&detail, SHEAF_FIELD_OPTION, 8193, 8192);
    cr_assert_not_null(strstr(detail.message, "sort_key_size_max"));
    options = (sheaf_store_options){ .value_size_max = (size_t)SHEAF_VALUE_SIZE_HARD + 1 };
    cr_assert_eq(sheaf_store_create(&options, &store, &detail), SHEAF_INVALID_ARGUMENT);
    expect_detail(&detail, SHEAF_FIELD_OPTION, (uint64_t)1 << 32, ((uint64_t)1 << 32) - 1);
    cr_assert_not_null(strstr(detail.message, "value_size_max"));
    sheaf_allocator no_resize = { .resize = NULL };
    options = (sheaf_store_options){ .allocator = &no_resize };
    cr_assert_eq(sheaf_store_create(&options, &store, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_OPTION);
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_INVALID_ARGUMENT);
    cr_assert_null(store);
    options = (sheaf_store_options){ .partition_key_size_max = SHEAF_PARTITION_KEY_SIZE_HARD,
                                     .sort_key_size_max = SHEAF_SORT_KEY_SIZE_HARD,
                                     .value_size_max = SHEAF_VALUE_SIZE_HARD };
    cr_assert_eq(sheaf_store_create(&options, &store, &detail), SHEAF_OK);
    sheaf_store_destroy(store);
}

Test(limits, empty_keys_are_each_an_option)
{
    for (int allowed = 0; allowed < 4; allowed++) {
        bool partition = allowed & 1, sort = allowed & 2;
        sheaf_store_options options = { .allow_empty_partition_key = partition, .allow_empty_sort_key = sort };
        sheaf_store *store = create(&options);
        sheaf_detail detail = { 0 };
        sheaf_status status = sheaf_store_put(store, of(0), of(1), of(0), NULL, &detail);
        cr_assert_eq(status, partition ? SHEAF_OK : SHEAF_KEY_EMPTY);
        if (!partition) expect_detail(&detail, SHEAF_FIELD_PARTITION_KEY, 0, 1);
        status = sheaf_store_put(store, of(1), of(0), of(0), NULL, &detail);
        cr_assert_eq(status, sort ? SHEAF_OK : SHEAF_KEY_EMPTY);
        if (!sort) expect_detail(&detail, SHEAF_FIELD_SORT_KEY, 0, 1);
        cr_assert_eq(sheaf_store_total(store).entry_count, (uint64_t)partition + sort);
        sheaf_store_destroy(store);
    }
}

/* The order of checks is that of the arguments: visible, so part of the contract. */
Test(limits, are_checked_in_the_order_of_the_arguments)
{
    sheaf_store *store = create(NULL);
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_put(store, of(0), of(1025), of(BYTES_SIZE), NULL, &detail), SHEAF_KEY_EMPTY);
    cr_assert_eq(detail.field, SHEAF_FIELD_PARTITION_KEY);
    cr_assert_eq(sheaf_store_put(store, of(1), of(1025), of(BYTES_SIZE), NULL, &detail), SHEAF_KEY_TOO_LONG);
    cr_assert_eq(detail.field, SHEAF_FIELD_SORT_KEY);
    sheaf_store_destroy(store);
}

/* Reads and deletes refuse the keys that no put accepts, as DynamoDB does. */
Test(limits, hold_for_every_call_that_takes_a_key)
{
    sheaf_store *store = create(NULL);
    sheaf_bytes good = of(1), partition_long = of(2049), sort_long = of(1025), none = of(0), value;
    sheaf_detail detail;
    cr_assert_eq(sheaf_store_put(store, good, good, good, NULL, NULL), SHEAF_OK);
    sheaf_store_totals before = sheaf_store_total(store);
    uint64_t rank;
    sheaf_totals totals;
    sheaf_cursor cursor;
    sheaf_children children;
    sheaf_builder *builder;
    sheaf_page page;
    sheaf_page_request request = { .limit = 1 };
    struct {
        sheaf_bytes partition, sort;
        sheaf_status status;
        sheaf_field field;
    } cases[] = { { partition_long, good, SHEAF_KEY_TOO_LONG, SHEAF_FIELD_PARTITION_KEY },
                  { none, good, SHEAF_KEY_EMPTY, SHEAF_FIELD_PARTITION_KEY },
                  { good, sort_long, SHEAF_KEY_TOO_LONG, SHEAF_FIELD_SORT_KEY },
                  { good, none, SHEAF_KEY_EMPTY, SHEAF_FIELD_SORT_KEY } };
    for (size_t i = 0; i < 4; i++) {
        sheaf_bytes pk = cases[i].partition, sk = cases[i].sort;
        sheaf_status expected = cases[i].status;
        cr_assert_eq(sheaf_store_get(store, pk, sk, &value, &detail), expected);
        cr_assert_eq(detail.field, cases[i].field);
        cr_assert_eq(sheaf_store_exists(store, pk, sk, &detail), expected);
        cr_assert_eq(detail.field, cases[i].field);
        cr_assert_eq(sheaf_store_delete(store, pk, sk, &detail), expected);
        cr_assert_eq(detail.field, cases[i].field);
        cr_assert_eq(sheaf_rank(store, pk, sk, SHEAF_REVERSE, &rank, NULL, &detail), expected);
        cr_assert_eq(detail.field, cases[i].field);
    }
    for (size_t i = 0; i < 2; i++) {
        sheaf_bytes pk = cases[i].partition;
        sheaf_status expected = cases[i].status;
        cr_assert_eq(sheaf_store_delete_range(store, pk, NULL, &totals, &detail), expected);
        cr_assert_eq(detail.field, SHEAF_FIELD_PARTITION_KEY);
        cr_assert_eq(sheaf_range_total(store, pk, NULL, &totals, &detail), expected);
        cr_assert_eq(sheaf_cursor_open(&cursor, store, pk, NULL, &detail), expected);
        cr_assert_eq(sheaf_page_read(store, pk, &request, &page, &detail), expected);
        cr_assert_eq(sheaf_children_open(&children, store, pk, none, good, SHEAF_FORWARD, &detail), expected);
        cr_assert_eq(sheaf_builder_begin(store, pk, &builder, &detail), expected);
        cr_assert_eq(detail.field, SHEAF_FIELD_PARTITION_KEY);
    }
    cr_assert_eq(sheaf_builder_begin(store, of(2), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, sort_long, good, &detail), SHEAF_KEY_TOO_LONG);
    expect_detail(&detail, SHEAF_FIELD_SORT_KEY, 1025, 1024);
    cr_assert_eq(sheaf_builder_add(builder, good, of(BYTES_SIZE), &detail), SHEAF_VALUE_TOO_LARGE);
    expect_detail(&detail, SHEAF_FIELD_VALUE, BYTES_SIZE, SHEAF_VALUE_SIZE_MAX);
    sheaf_builder_abort(builder);
    expect_unchanged(store, before);
    sheaf_store_destroy(store);
}

Test(limits, long_keys_want_a_wide_cursor)
{
    sheaf_store_options options = { .sort_key_size_max = 2000 };
    sheaf_store *store = create(&options);
    static uint8_t buffer[2000];
    sheaf_cursor cursor;
    sheaf_children children;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_put(store, of(1), of(2000), of(3), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_cursor_open(&cursor, store, of(1), NULL, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_KEY_BUFFER);
    cr_assert_eq(sheaf_cursor_open_wide(&cursor, store, of(1), NULL, buffer, 1999, &detail), SHEAF_INVALID_ARGUMENT);
    expect_detail(&detail, SHEAF_FIELD_KEY_BUFFER, 1999, 2000);
    cr_assert_eq(sheaf_children_open(&children, store, of(1), of(0), of(1), SHEAF_FORWARD, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_cursor_open_wide(&cursor, store, of(1), NULL, buffer, 2000, &detail), SHEAF_OK);
    cr_assert(sheaf_cursor_first(&cursor));
    cr_assert_eq(cursor.key.size, 2000);
    cr_assert_eq(cursor.key.data, buffer);
    sheaf_page page;
    sheaf_page_request request = { .limit = 5 };
    cr_assert_eq(sheaf_page_read(store, of(1), &request, &page, NULL), SHEAF_OK);
    cr_assert_eq(page.count, 1);
    cr_assert_eq(page.last.size, 2000);
    sheaf_page_release(&page);
    sheaf_store_destroy(store);
    /* Exactly as much as a cursor has within is enough. */
    options.sort_key_size_max = SHEAF_SORT_KEY_SIZE_MAX;
    store = create(&options);
    cr_assert_eq(sheaf_cursor_open(&cursor, store, of(1), NULL, &detail), SHEAF_OK);
    sheaf_store_destroy(store);
}
