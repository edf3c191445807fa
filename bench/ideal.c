#include "bench/ideal.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bench/fatal.h"

/* ---- queues: LRU and FIFO ----------------------------------------------------------------------------------------------- */

/* A ring of those that are in, the newest first behind the anchor; by key number, the anchor's being one more than all. */
struct queue {
    uint32_t *newer;
    uint32_t *older;
    bool *in;
    uint32_t anchor;
    uint32_t count;
};

static void queue_init(struct queue *queue, uint32_t key_count)
{
    queue->newer = allocate_or_fail(key_count + 1ULL, sizeof *queue->newer);
    queue->older = allocate_or_fail(key_count + 1ULL, sizeof *queue->older);
    queue->in = allocate_or_fail(key_count + 1ULL, sizeof *queue->in);
    for (uint32_t i = 0; i <= key_count; i++) queue->in[i] = false;
    queue->anchor = key_count;
    queue->newer[key_count] = queue->older[key_count] = key_count;
    queue->count = 0;
}

static void queue_release(struct queue *queue)
{
    free(queue->newer);
    free(queue->older);
    free(queue->in);
}

static void unlink_key(struct queue *queue, uint32_t key)
{
    queue->older[queue->newer[key]] = queue->older[key];
    queue->newer[queue->older[key]] = queue->newer[key];
    queue->in[key] = false;
    queue->count--;
}

static void link_newest(struct queue *queue, uint32_t key)
{
    queue->older[key] = queue->older[queue->anchor];
    queue->newer[key] = queue->anchor;
    queue->newer[queue->older[key]] = key;
    queue->older[queue->anchor] = key;
    queue->in[key] = true;
    queue->count++;
}

static uint32_t run_queue(const struct trace *trace, uint32_t capacity, bool moves_on_hit)
{
    struct queue queue;
    uint32_t hits = 0;
    queue_init(&queue, trace->key_count);
    for (uint32_t i = 0; i < trace->request_count; i++) {
        uint32_t key = trace->requests[i];
        if (queue.in[key]) {
            hits++;
            if (!moves_on_hit) continue;
            unlink_key(&queue, key);
        } else if (queue.count == capacity) {
            unlink_key(&queue, queue.newer[queue.anchor]);
        }
        link_newest(&queue, key);
    }
    queue_release(&queue);
    return hits;
}

uint32_t ideal_lru(const struct trace *trace, uint32_t capacity)
{
    return run_queue(trace, capacity, true);
}

uint32_t ideal_fifo(const struct trace *trace, uint32_t capacity)
{
    return run_queue(trace, capacity, false);
}

/* ---- the optimum -------------------------------------------------------------------------------------------------------- */

#define NEVER UINT32_MAX

/* A key that is in, or was, and the request that will ask for it next. */
struct coming {
    uint32_t request;
    uint32_t key;
};

/* The latest first. Keys whose next request has changed stay in with the old one, and are passed over. */
struct heap {
    struct coming *items;
    uint32_t count;
};

static void heap_push(struct heap *heap, struct coming coming)
{
    uint32_t at = heap->count++;
    for (; at > 0 && heap->items[(at - 1) / 2].request < coming.request; at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = coming;
}

static struct coming heap_pop(struct heap *heap)
{
    struct coming top = heap->items[0];
    struct coming moved = heap->items[--heap->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && heap->items[child + 1].request > heap->items[child].request) child++;
        if (heap->items[child].request <= moved.request) break;
        heap->items[at] = heap->items[child];
    }
    heap->items[at] = moved;
    return top;
}

/* By request: when its key is asked for next. */
static uint32_t *next_requests(const struct trace *trace)
{
    uint32_t *next = allocate_or_fail(trace->request_count, sizeof *next);
    uint32_t *latest = allocate_or_fail(trace->key_count, sizeof *latest);
    for (uint32_t key = 0; key < trace->key_count; key++) latest[key] = NEVER;
    for (uint32_t i = trace->request_count; i-- > 0;) {
        next[i] = latest[trace->requests[i]];
        latest[trace->requests[i]] = i;
    }
    free(latest);
    return next;
}

/* Evicts the one that comes latest; `comes` tells, by key, when that is, and 0 of those that are not in. */
static void evict_latest(struct heap *heap, uint32_t *comes)
{
    struct coming top;
    do top = heap_pop(heap);
    while (comes[top.key] != top.request);
    comes[top.key] = 0;
}

uint32_t ideal_optimum(const struct trace *trace, uint32_t capacity)
{
    uint32_t *next = next_requests(trace);
    uint32_t *comes = allocate_or_fail(trace->key_count, sizeof *comes);
    struct heap heap = { .items = allocate_or_fail(trace->request_count, sizeof *heap.items) };
    for (uint32_t key = 0; key < trace->key_count; key++) comes[key] = 0;
    uint32_t hits = 0, count = 0;
    for (uint32_t i = 0; i < trace->request_count; i++) {
        uint32_t key = trace->requests[i];
        if (comes[key] != 0) {
            hits++;
        } else if (count < capacity) {
            count++;
        } else {
            evict_latest(&heap, comes);
        }
        comes[key] = next[i]; /* above 0: it is a later request, or never */
        heap_push(&heap, (struct coming){ next[i], key });
    }
    free(next);
    free(comes);
    free(heap.items);
    return hits;
}
