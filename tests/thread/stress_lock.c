/*
 * stress_lock.c - the lock of a shard: readers beside one another, writers alone, and all of them come to an end.
 *
 *     stress_lock [WRITES]
 *
 * Writers move two numbers on, one after the other; who reads them must find them equal. Now and then a reader stays for long, so
 * that writers sleep and readers queue. More threads than cores: some are put aside while they are in. Exit code 0: all was right.
 * With -Db_sanitize=thread it also proves that what is read is ordered after what was written, and the other way round.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/shared/lock.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"

enum { READERS = 3, WRITERS = 2 };

static struct sheaf_lock lock;
static uint64_t left, right; /* plain: the lock is all that guards them */
static atomic_bool finished;
static atomic_ulong together_count;
static atomic_int inside;

static void read_once(struct random *random)
{
    uint32_t count = sheaf_lock_begin_read(&lock);
    if (atomic_fetch_add(&inside, 1) > 0) atomic_fetch_add(&together_count, 1);
    uint64_t seen = left;
    if (random_once_in(random, 200)) (void)sched_yield();
    if (random_once_in(random, 2000))
        for (int i = 0; i < 100; i++) (void)sched_yield();
    EXPECT(right == seen && left == seen, "a reader met a writer");
    atomic_fetch_sub(&inside, 1);
    sheaf_lock_end_read(&lock, count);
}

static void *run_reader(void *seed)
{
    struct random random = random_from_seed(*(const uint64_t *)seed);
    while (!atomic_load(&finished)) read_once(&random);
    return NULL;
}

static void *run_writer(void *writes)
{
    for (uint64_t i = 0; i < *(const uint64_t *)writes; i++) {
        sheaf_lock_begin_write(&lock);
        EXPECT(atomic_load(&inside) == 0, "a writer met a reader");
        left++;
        if (i % 500 == 0) (void)sched_yield();
        right++;
        sheaf_lock_end_write(&lock);
    }
    return NULL;
}

int main(int argument_count, char **arguments)
{
    uint64_t writes = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : random_scaled(300000);
    uint64_t seed = random_seed("stress_lock", 20261201), seeds[READERS];
    pthread_t readers[READERS], writers[WRITERS];
    EXPECT(sheaf_lock_init(&lock), "a lock");
    for (uint64_t i = 0; i < READERS; i++) {
        seeds[i] = seed + i;
        EXPECT(pthread_create(&readers[i], NULL, run_reader, &seeds[i]) == 0, "a thread");
    }
    for (int i = 0; i < WRITERS; i++) EXPECT(pthread_create(&writers[i], NULL, run_writer, &writes) == 0, "a thread");
    for (int i = 0; i < WRITERS; i++) EXPECT(pthread_join(writers[i], NULL) == 0, "its end");
    atomic_store(&finished, true);
    for (int i = 0; i < READERS; i++) EXPECT(pthread_join(readers[i], NULL) == 0, "its end");
    EXPECT(left == WRITERS * writes && right == left, "no write is lost");
    EXPECT(atomic_load(&together_count) > 0, "readers were in together");
    sheaf_lock_deinit(&lock);
    printf("%llu writes; %lu times a reader found another\n", (unsigned long long)left, atomic_load(&together_count));
    return 0;
}
