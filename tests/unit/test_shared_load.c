/*
 * test_shared_load.c - values computed when they are missed: what one thread can see of it, and what two are sure to.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "engine/shared/load.h"
#include "tests/support/counted_shared.h"

static struct test_heap heap;
static sheaf_shared *shared;

static void begin(void)
{
    shared = counted_shared_begin(&heap, (sheaf_shared_options){ .shard_count = 2 });
}

static void end(void)
{
    counted_shared_end(shared, &heap);
}

TestSuite(shared_load, .init = begin, .fini = end);

static const sheaf_bytes P = { (const uint8_t *)"p", 1 };
static const sheaf_bytes K = { (const uint8_t *)"k/1", 3 };

/* What a loader is to do. */
struct source {
    const char *value;
    sheaf_status status;
    void (*meanwhile)(struct source *source);
    int calls;
};

static sheaf_status fetch(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    struct source *source = context;
    cr_assert_eq(sheaf_bytes_compare(partition_key, P), 0);
    cr_assert_eq(sheaf_bytes_compare(sort_key, K), 0);
    source->calls++;
    if (source->meanwhile) source->meanwhile(source);
    if (source->value) out_loaded->value = sheaf_bytes_of(source->value, strlen(source->value));
    return source->status;
}

static char buffer[64];

static sheaf_status get_or_load(struct source *source)
{
    size_t size = 0;
    sheaf_status status = sheaf_shared_get_or_load(shared, P, K, fetch, source, buffer, sizeof buffer - 1, &size, NULL);
    if (status == SHEAF_OK) buffer[size] = '\0';
    return status;
}

static sheaf_status exists(void)
{
    return sheaf_shared_exists(shared, P, K, NULL);
}

Test(shared_load, what_is_missing_is_computed_once_and_put)
{
    struct source source = { .value = "found" };
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_str_eq(buffer, "found");
    source.value = "not looked at";
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_str_eq(buffer, "found");
    cr_assert_eq(source.calls, 1);
    cr_assert_eq(exists(), SHEAF_OK);
}

Test(shared_load, a_failure_is_returned_and_nothing_is_put)
{
    struct source source = { .value = "garbage", .status = SHEAF_NOT_FOUND };
    cr_assert_eq(get_or_load(&source), SHEAF_NOT_FOUND);
    source.status = SHEAF_NO_MEMORY;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_shared_get_or_load(shared, P, K, fetch, &source, buffer, 63, NULL, &detail), SHEAF_NO_MEMORY);
    cr_assert_not_null(detail.message);
    cr_assert_eq(source.calls, 2);
    cr_assert_eq(exists(), SHEAF_NOT_FOUND);
}

Test(shared_load, a_buffer_too_small_is_told_and_the_value_put)
{
    struct source source = { .value = "0123456789" };
    size_t size = 0;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_shared_get_or_load(shared, P, K, fetch, &source, buffer, 9, &size, &detail), SHEAF_BUFFER_TOO_SMALL);
    cr_assert(size == 10 && detail.size == 10 && detail.limit == 9);
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_str_eq(buffer, "0123456789");
    cr_assert_eq(source.calls, 1);
}

Test(shared_load, keys_that_no_store_accepts_are_not_asked_for)
{
    struct source source = { .value = "v" };
    cr_assert_eq(sheaf_shared_get_or_load(shared, P, SHEAF_LIT(""), fetch, &source, buffer, 63, NULL, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(source.calls, 0);
}

Test(shared_load, what_finds_no_memory_is_given_out_all_the_same)
{
    struct source source = { .value = "found" };
    heap.fail_from = heap.requests;
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    test_heap_relent(&heap);
    cr_assert_str_eq(buffer, "found");
    cr_assert_eq(exists(), SHEAF_NOT_FOUND);
    static char large[SHEAF_VALUE_SIZE_MAX + 2];
    memset(large, 'x', SHEAF_VALUE_SIZE_MAX + 1);
    size_t size = 0;
    source.value = large;
    cr_assert_eq(sheaf_shared_get_or_load(shared, P, K, fetch, &source, buffer, 9, &size, NULL), SHEAF_BUFFER_TOO_SMALL);
    cr_assert_eq(size, SHEAF_VALUE_SIZE_MAX + 1);
    cr_assert_eq(exists(), SHEAF_NOT_FOUND);
}

/* ---- what is written meanwhile ---------------------------------------------------------------------------------------------- */

static void delete_it(struct source *source)
{
    (void)source;
    cr_assert_eq(sheaf_shared_delete(shared, P, K, NULL), SHEAF_NOT_FOUND);
}

static void delete_prefix(struct source *source)
{
    (void)source;
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("k/"));
    cr_assert_eq(sheaf_shared_delete_range(shared, P, &range, NULL, NULL), SHEAF_OK);
}

static void drop_collection(struct source *source)
{
    (void)source;
    cr_assert_eq(sheaf_shared_collection_drop(shared, P, NULL), SHEAF_NOT_FOUND);
}

static void delete_in_batch(struct source *source)
{
    (void)source;
    sheaf_batch_write writes[] = { sheaf_batch_delete(P, K), sheaf_batch_put(SHEAF_LIT("other"), K, K),
                                   sheaf_batch_put(SHEAF_LIT("others"), K, K), sheaf_batch_put(SHEAF_LIT("third"), K, K) };
    cr_assert_eq(sheaf_shared_batch_apply(shared, writes, 4, NULL, NULL), SHEAF_OK);
}

static void drop_in_batch_of_one(struct source *source)
{
    (void)source;
    sheaf_batch_write write = sheaf_batch_drop(P);
    cr_assert_eq(sheaf_shared_batch_apply(shared, &write, 1, NULL, NULL), SHEAF_OK);
}

Test(shared_load, what_is_deleted_meanwhile_does_not_come_back)
{
    void (*deletes[])(struct source *) = { delete_it, delete_prefix, drop_collection, delete_in_batch, drop_in_batch_of_one };
    for (size_t i = 0; i < sizeof deletes / sizeof *deletes; i++) {
        struct source source = { .value = "older", .meanwhile = deletes[i] };
        cr_assert_eq(get_or_load(&source), SHEAF_OK);
        cr_assert_str_eq(buffer, "older", "it is given out");
        cr_assert_eq(exists(), SHEAF_NOT_FOUND, "case %zu", i);
        cr_assert_eq(source.calls, 1);
        cr_assert(sheaf_shared_check(shared, NULL));
    }
}

static void put_newer(struct source *source)
{
    (void)source;
    cr_assert_eq(sheaf_shared_put(shared, P, K, SHEAF_LIT("newer"), NULL, NULL), SHEAF_OK);
}

Test(shared_load, what_is_put_meanwhile_stays)
{
    struct source source = { .value = "older", .meanwhile = put_newer };
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_str_eq(buffer, "older");
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_str_eq(buffer, "newer");
    cr_assert_eq(source.calls, 1);
}

static void write_elsewhere(struct source *source)
{
    (void)source;
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("k/2"));
    cr_assert_eq(sheaf_shared_put(shared, P, SHEAF_LIT("k/2"), SHEAF_LIT("v"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_put(shared, SHEAF_LIT("q"), K, SHEAF_LIT("v"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_delete_range(shared, P, &range, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_delete(shared, SHEAF_LIT("q"), K, NULL), SHEAF_OK);
}

Test(shared_load, what_is_written_elsewhere_is_no_hindrance)
{
    struct source source = { .value = "found", .meanwhile = write_elsewhere };
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_eq(exists(), SHEAF_OK);
}

/* Who misses a key after it was deleted must not be given what was looked up before. */
static void delete_and_load_anew(struct source *source)
{
    struct source newer = { .value = "newer" };
    delete_it(source);
    cr_assert_eq(get_or_load(&newer), SHEAF_OK);
    cr_assert_str_eq(buffer, "newer");
    cr_assert_eq(newer.calls, 1);
}

Test(shared_load, who_comes_after_a_delete_has_it_computed_anew)
{
    struct source source = { .value = "older", .meanwhile = delete_and_load_anew }, none = { 0 };
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_str_eq(buffer, "older");
    cr_assert_eq(get_or_load(&none), SHEAF_OK);
    cr_assert_str_eq(buffer, "newer");
    cr_assert_eq(none.calls, 0);
}

/* ---- two threads ------------------------------------------------------------------------------------------------------------ */

struct waiter {
    pthread_t thread;
    sheaf_status status;
    char value[16];
    int calls;
};

static sheaf_status fetch_never(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    struct waiter *waiter = context;
    (void)partition_key, (void)sort_key, (void)out_loaded;
    waiter->calls++;
    return SHEAF_OUT_OF_ORDER;
}

static void *wait_for_it(void *argument)
{
    struct waiter *waiter = argument;
    waiter->status = sheaf_shared_get_or_load(shared, P, K, fetch_never, waiter, waiter->value, 15, NULL, NULL);
    return NULL;
}

static struct waiter waiter;

/* Starts a thread that wants the same key, and goes on once it waits. */
static void let_another_wait(struct source *source)
{
    (void)source;
    struct sheaf_load *load = sheaf_shared_find(shared, P)->loads;
    uint64_t waiter_count = 0;
    waiter = (struct waiter){ .status = SHEAF_EXISTS };
    cr_assert_eq(pthread_create(&waiter.thread, NULL, wait_for_it, &waiter), 0);
    while (waiter_count == 0) {
        (void)sched_yield();
        (void)pthread_mutex_lock(&shared->mutex);
        waiter_count = load->waiter_count;
        (void)pthread_mutex_unlock(&shared->mutex);
    }
}

static void let_another_wait_and_delete(struct source *source)
{
    let_another_wait(source);
    delete_it(source);
}

Test(shared_load, who_waits_is_given_what_the_first_finds)
{
    struct source source = { .value = "found", .meanwhile = let_another_wait };
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_eq(pthread_join(waiter.thread, NULL), 0);
    cr_assert_eq(waiter.status, SHEAF_OK);
    cr_assert_str_eq(waiter.value, "found");
    cr_assert_eq(waiter.calls, 0);
    cr_assert_eq(exists(), SHEAF_OK);
}

Test(shared_load, who_waits_is_given_the_failure)
{
    struct source source = { .status = SHEAF_NO_MEMORY, .meanwhile = let_another_wait };
    cr_assert_eq(get_or_load(&source), SHEAF_NO_MEMORY);
    cr_assert_eq(pthread_join(waiter.thread, NULL), 0);
    cr_assert_eq(waiter.status, SHEAF_NO_MEMORY);
    cr_assert_eq(waiter.calls, 0);
}

Test(shared_load, who_waited_before_a_delete_is_given_the_value)
{
    struct source source = { .value = "older", .meanwhile = let_another_wait_and_delete };
    cr_assert_eq(get_or_load(&source), SHEAF_OK);
    cr_assert_eq(pthread_join(waiter.thread, NULL), 0);
    cr_assert_eq(waiter.status, SHEAF_OK);
    cr_assert_str_eq(waiter.value, "older");
    cr_assert_eq(exists(), SHEAF_NOT_FOUND);
}

Test(shared_load, a_read_that_misses_counts_once)
{
    struct test_heap own;
    sheaf_cache_options rules = { 0 };
    sheaf_statistics statistics;
    sheaf_shared *cache = counted_shared_begin(&own, (sheaf_shared_options){ .store = { .cache = &rules } });
    struct source source = { .value = "found" };
    for (int i = 0; i < 3; i++)
        cr_assert_eq(sheaf_shared_get_or_load(cache, P, K, fetch, &source, buffer, 63, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_statistics(cache, &statistics), SHEAF_OK);
    cr_assert(statistics.hits == 2 && statistics.misses == 1);
    counted_shared_end(cache, &own);
}
