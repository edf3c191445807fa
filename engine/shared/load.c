#include "engine/shared/load.h"

#include "engine/base/bytes.h"
#include "engine/shared/copy.h"
#include "engine/shared/write.h"
#include "engine/store/validate.h"

/* ---- the list of a shard ------------------------------------------------------------------------------------------------ */

static void add_to_count(struct sheaf_shard *shard, uint64_t change)
{
    (void)__atomic_fetch_add(&shard->load_count, change, __ATOMIC_RELAXED);
}

static bool is_of(const struct sheaf_load *load, sheaf_bytes partition_key, sheaf_bytes sort_key)
{
    return sheaf_bytes_equal(load->partition_key, partition_key) && sheaf_bytes_equal(load->sort_key, sort_key);
}

static struct sheaf_load *find(const struct sheaf_shard *shard, sheaf_bytes partition_key, sheaf_bytes sort_key)
{
    struct sheaf_load *load = shard->loads;
    while (load && !is_of(load, partition_key, sort_key)) load = load->next;
    return load;
}

static void enlist(struct sheaf_shard *shard, struct sheaf_load *load)
{
    load->listed = true;
    load->next = shard->loads;
    shard->loads = load;
    add_to_count(shard, 1);
}

/* Takes it off the list if it is there. */
static void strike(struct sheaf_shard *shard, struct sheaf_load *load)
{
    if (!load->listed) return;
    struct sheaf_load **place = &shard->loads;
    while (*place != load) place = &(*place)->next;
    *place = load->next;
    load->listed = false;
    add_to_count(shard, (uint64_t)-1);
}

/* ---- outdated loads ----------------------------------------------------------------------------------------------------- */

void sheaf_loads_outdate_some(struct sheaf_shared *shared, struct sheaf_shard *shard, sheaf_bytes partition_key,
                              const sheaf_range *range)
{
    (void)pthread_mutex_lock(&shared->mutex);
    for (struct sheaf_load *load = shard->loads, *next; load; load = next) {
        next = load->next;
        if (!sheaf_bytes_equal(load->partition_key, partition_key)) continue;
        if (range && !sheaf_range_contains(range, load->sort_key)) continue;
        load->outdated = true;
        strike(shard, load);
    }
    (void)pthread_mutex_unlock(&shared->mutex);
}

void sheaf_loads_outdate_entry(struct sheaf_shared *shared, struct sheaf_shard *shard, sheaf_bytes partition_key,
                               sheaf_bytes sort_key)
{
    if (__atomic_load_n(&shard->load_count, __ATOMIC_RELAXED) == 0) return;
    sheaf_range range = sheaf_range_equal(sort_key);
    sheaf_loads_outdate_some(shared, shard, partition_key, &range);
}

bool sheaf_loads_check(const struct sheaf_shard *shard)
{
    uint64_t count = 0;
    for (const struct sheaf_load *load = shard->loads; load; load = load->next, count++)
        if (load->outdated || !load->listed || find(shard, load->partition_key, load->sort_key) != load) return false;
    return count == __atomic_load_n(&shard->load_count, __ATOMIC_RELAXED);
}

/* ---- waiting ------------------------------------------------------------------------------------------------------------ */

/* Waits for another thread's load, whose waiter the caller is counted as. SHEAF_OK, what the loader said, or
 * SHEAF_BUFFER_TOO_SMALL; `out_again`: it has to look once more. */
static sheaf_status await(struct sheaf_shared *shared, struct sheaf_load *load, struct sheaf_copy *copy, bool *out_again)
{
    while (!load->done) (void)pthread_cond_wait(&load->changed, &shared->mutex);
    (void)pthread_mutex_unlock(&shared->mutex);
    sheaf_status status = load->status; /* it stays while somebody waits */
    *out_again = load->again;
    if (status == SHEAF_OK && !load->again) status = sheaf_copy_out(copy, load->value);
    else (void)sheaf_report(copy->out_detail, status);
    (void)pthread_mutex_lock(&shared->mutex);
    if (--load->waiter_count == 0) (void)pthread_cond_broadcast(&load->changed);
    (void)pthread_mutex_unlock(&shared->mutex);
    return status;
}

/* ---- computing ------------------------------------------------------------------------------------------------------------ */

/* A call of sheaf_shared_get_or_load(). */
struct request {
    struct sheaf_shared *shared;
    struct sheaf_shard *shard;
    sheaf_bytes partition_key;
    sheaf_bytes sort_key;
    sheaf_loader *loader;
    void *context;
    struct sheaf_copy copy;
};

/* Whether the entry came while the load was begun. Other than a get it is no use of the entry, and counted nowhere. */
static bool is_there(const struct request *request)
{
    uint64_t rank;
    bool exists = false;
    (void)sheaf_shared_rank(request->shared, request->partition_key, request->sort_key, SHEAF_FORWARD, &rank, &exists, NULL);
    return exists;
}

static void compute(const struct request *request, struct sheaf_load *load)
{
    struct sheaf_loaded loaded = { 0 };
    load->again = is_there(request);
    if (load->again) return;
    load->status = request->loader(request->context, request->partition_key, request->sort_key, &loaded);
    if (load->status != SHEAF_OK) return;
    load->value = loaded.value;
    sheaf_batch_write write = sheaf_batch_put(request->partition_key, request->sort_key, loaded.value);
    write.deadline = loaded.deadline;
    (void)sheaf_shard_put(request->shared, request->shard, &write, load, NULL, NULL);
}

/* Lets those that wait have what was computed, and returns when they do. */
static void finish(struct sheaf_shared *shared, struct sheaf_shard *shard, struct sheaf_load *load)
{
    (void)pthread_mutex_lock(&shared->mutex);
    strike(shard, load);
    load->done = true;
    (void)pthread_cond_broadcast(&load->changed);
    while (load->waiter_count > 0) (void)pthread_cond_wait(&load->changed, &shared->mutex);
    (void)pthread_mutex_unlock(&shared->mutex);
    (void)pthread_cond_destroy(&load->changed);
}

/* Computes what is missing, or waits for whoever does. `out_again`: it is there, or was. */
static sheaf_status obtain(struct request *request, bool *out_again)
{
    struct sheaf_shared *shared = request->shared;
    struct sheaf_load own = { .partition_key = request->partition_key, .sort_key = request->sort_key };
    (void)pthread_mutex_lock(&shared->mutex);
    struct sheaf_load *other = find(request->shard, request->partition_key, request->sort_key);
    if (other) {
        other->waiter_count++;
        return await(shared, other, &request->copy, out_again);
    }
    own.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    enlist(request->shard, &own);
    (void)pthread_mutex_unlock(&shared->mutex);
    compute(request, &own);
    finish(shared, request->shard, &own);
    *out_again = own.again;
    if (own.again) return SHEAF_OK;
    return own.status == SHEAF_OK ? sheaf_copy_out(&request->copy, own.value)
                                  : sheaf_report(request->copy.out_detail, own.status);
}

sheaf_status sheaf_shared_get_or_load(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                      sheaf_loader *loader, void *context, void *buffer, size_t capacity, size_t *out_size,
                                      sheaf_detail *out_detail)
{
    struct request request = { shared, sheaf_shared_find(shared, partition_key), partition_key, sort_key, loader, context,
                               { buffer, capacity, out_size, out_detail } };
    for (;;) {
        sheaf_status status = sheaf_shared_get(shared, partition_key, sort_key, buffer, capacity, out_size, out_detail);
        bool again = false;
        if (status == SHEAF_NOT_FOUND) status = obtain(&request, &again);
        if (!again) return status;
    }
}
