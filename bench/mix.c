#include "bench/mix.h"

#include <pthread.h>
#include <stdlib.h>

#include "bench/fatal.h"
#include "bench/measure.h"
#include "bench/zipf.h"

#define ZIPF_EXPONENT 0.99
#define STEPS_PER_PUT 20       /* 5 % */
#define SORT_KEY_SIZE_MAX 1024 /* of the bench */

/* ---- tapes ------------------------------------------------------------------------------------------------------------ */

/* What the tapes are drawn from. */
struct draw {
    const struct workload *workload;
    struct random_stream *random;
    struct zipf zipf; /* of no count where keys are drawn evenly */
    bool scans;       /* and puts, half and half, none of them new */
    uint8_t *added;   /* numbers whose new key is on a tape already */
};

static uint32_t draw_number(const struct draw *draw)
{
    uint32_t count = draw->workload->count;
    if (draw->zipf.count == 0) return (uint32_t)random_below(draw->random, count);
    return (uint32_t)(mix64(zipf_draw(&draw->zipf, draw->random)) % count); /* those in demand lie anywhere */
}

/* A key that is not there, and on no tape yet: that of an entry with a '}' behind it, in which no key of any shape ends. */
static void add_new(struct draw *draw, struct tape *tape, struct tape *all_new)
{
    uint8_t sort[SORT_KEY_SIZE_MAX + 1];
    uint32_t number;
    do number = (uint32_t)random_below(draw->random, draw->workload->count);
    while (draw->added[number]);
    draw->added[number] = 1;
    struct bench_key key = workload_key(draw->workload, number);
    if (key.sort_size > SORT_KEY_SIZE_MAX) fatal("a sort key of %u bytes", key.sort_size);
    memcpy(sort, bench_key_sort(&key).data, key.sort_size);
    sort[key.sort_size] = '}';
    struct tape *tapes[] = { tape, all_new };
    for (int i = 0; i < 2; i++) {
        sheaf_bytes longer = sheaf_bytes_of(sort, (size_t)key.sort_size + 1);
        tape_add_key(tapes[i], bench_key_partition(&key), longer, number | MIX_PUT | MIX_NEW);
    }
}

static void add_step(struct draw *draw, struct tape *tape, struct tape *all_new)
{
    uint64_t kind = random_below(draw->random, draw->scans ? 2 : 2 * STEPS_PER_PUT);
    if (kind == 0 && !draw->scans) {
        add_new(draw, tape, all_new);
        return;
    }
    struct bench_key key = workload_key(draw->workload, draw_number(draw));
    tape_add_key(tape, bench_key_partition(&key), bench_key_sort(&key), key.number | (kind == 1 ? MIX_PUT : 0));
}

void mix_prepare(struct prepared *prepared, const struct workload *workload, struct random_stream *random)
{
    const struct operation *operation = prepared->operation;
    struct draw draw = { .workload = workload, .random = random, .scans = operation->target > 0 };
    draw.added = allocate_or_fail(workload->count, 1);
    if (operation->skewed) zipf_init(&draw.zipf, workload->count, ZIPF_EXPONENT);
    prepared->count -= prepared->count % operation->threads;
    for (unsigned thread = 0; thread < operation->threads; thread++) {
        for (uint64_t i = 0; i < prepared->count / operation->threads; i++) {
            add_step(&draw, &prepared->mix[thread], &prepared->keys);
        }
    }
    zipf_release(&draw.zipf);
    free(draw.added);
}

void mix_query(const struct workload *workload, const struct bench_key *key, uint32_t target, struct bench_query *out_query)
{
    uint32_t start = workload->shape == SHAPE_MANY ? key->number - key->number % ENTRIES_PER_SMALL_COLLECTION : 0;
    uint32_t below = key->number - start + 1; /* itself included */
    struct bench_key low = *key;
    low.sort_size = 0;
    *out_query = (struct bench_query){ .kind = QUERY_AT_MOST, .direction = SHEAF_REVERSE, .limit = target, .low = low, .high = *key };
    out_query->entries = below < target ? below : target;
    out_query->first = key->number + 1 - out_query->entries;
}

sheaf_bytes mix_value(uint8_t *buffer, size_t size, uint32_t marked_number)
{
    return value_of(buffer, size, marked_number & MIX_NUMBER, marked_number & MIX_NEW ? 1 : 0);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

struct mix_thread {
    pthread_t thread;
    pthread_barrier_t *start;
    struct shared *shared;
    unsigned index;
    const struct tape *tape;
    const struct workload *workload;
    uint32_t target;
    int core;
    uint64_t started_ns, ended_ns, cpu_ns;
    struct checksum checksum;
};

static inline void read_step(const struct mix_thread *own, const struct shared_user *user, const struct bench_key *key,
                             struct checksum *checksum)
{
    if (own->target == 0) {
        shared_get(user, key, checksum);
        return;
    }
    struct bench_query query;
    mix_query(own->workload, key, own->target, &query);
    shared_query(user, &query, checksum);
}

/* The first eighth of the gets, so that code and hot nodes are in this core's caches. */
static void warm_up(const struct mix_thread *own, const struct shared_user *user)
{
    struct checksum unused = { 0 };
    const uint8_t *at = own->tape->bytes;
    for (uint64_t i = 0; i < own->tape->count / 8; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        if (!(key.number & MIX_PUT)) read_step(own, user, &key, &unused);
    }
}

static void run_steps(struct mix_thread *own, const struct shared_user *user, uint8_t *value)
{
    const uint8_t *at = own->tape->bytes;
    for (uint64_t i = 0; i < own->tape->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        if (key.number & MIX_PUT) {
            shared_put(user, &key, mix_value(value, own->workload->value_size, key.number));
        } else {
            read_step(own, user, &key, &own->checksum);
        }
    }
}

static void *run_thread(void *argument)
{
    struct mix_thread *own = argument;
    struct shared_user user;
    uint8_t *value = allocate_or_fail(own->workload->value_size, 1);
    for (size_t i = 0; i < own->workload->value_size; i++) value[i] = (uint8_t)mix64(i);
    if (own->core >= 0 && !pin_to_core(own->core)) fatal("cannot run on core %d; try --core -1", own->core);
    shared_enter(own->shared, own->index, &user);
    warm_up(own, &user);
    pthread_barrier_wait(own->start);
    own->started_ns = wall_ns();
    uint64_t cpu_before_ns = thread_cpu_ns();
    run_steps(own, &user, value);
    own->cpu_ns = thread_cpu_ns() - cpu_before_ns;
    own->ended_ns = wall_ns();
    shared_leave(&user);
    free(value);
    return NULL;
}

static void add_up(struct mix_outcome *out, const struct mix_thread *threads, unsigned count)
{
    uint64_t started_ns = threads[0].started_ns, ended_ns = threads[0].ended_ns;
    for (unsigned i = 0; i < count; i++) {
        if (threads[i].started_ns < started_ns) started_ns = threads[i].started_ns;
        if (threads[i].ended_ns > ended_ns) ended_ns = threads[i].ended_ns;
        out->cpu_ns += threads[i].cpu_ns;
        checksum_join(&out->checksum, &threads[i].checksum);
    }
    out->wall_ns = ended_ns - started_ns;
}

void mix_run(struct shared *shared, const struct prepared *prepared, const struct workload *workload, const int *cores,
             struct mix_outcome *out)
{
    struct mix_thread threads[THREADS_MAX];
    unsigned count = prepared->operation->threads;
    pthread_barrier_t start;
    if (pthread_barrier_init(&start, NULL, count) != 0) fatal("cannot make a barrier");
    *out = (struct mix_outcome){ 0 };
    shared_begin(shared, count);
    for (unsigned i = 0; i < count; i++) {
        threads[i] = (struct mix_thread){
            .start = &start, .shared = shared, .index = i, .tape = &prepared->mix[i], .workload = workload,
            .target = prepared->operation->target, .core = cores[i]
        };
        if (pthread_create(&threads[i].thread, NULL, run_thread, &threads[i]) != 0) fatal("cannot start a thread");
    }
    for (unsigned i = 0; i < count; i++) pthread_join(threads[i].thread, NULL);
    shared_end(shared);
    pthread_barrier_destroy(&start);
    add_up(out, threads, count);
    shared_scan(shared, &out->checksum);
    shared_delete_all(shared, &prepared->keys);
}
