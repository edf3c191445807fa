#include "engine/base/purse.h"

#include "engine/base/assert.h"

/* Takes as much as is wanted, or what there is of it; nothing if that is below the least. Returns what was taken. */
static uint64_t take(struct sheaf_purse *purse, uint64_t kept_bytes, uint64_t least_bytes, uint64_t wanted_bytes)
{
    uint64_t there = sheaf_purse_free(purse), taken;
    do {
        if (there < kept_bytes || there - kept_bytes < least_bytes) return 0;
        taken = there - kept_bytes < wanted_bytes ? there - kept_bytes : wanted_bytes;
    } while (!__atomic_compare_exchange_n(&purse->free_bytes, &there, there - taken, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return taken;
}

bool sheaf_purse_draw(struct sheaf_purse *purse, struct sheaf_heap *heap, uint64_t bytes)
{
    uint64_t wanted_bytes; /* to be charged at most */
    if (__builtin_add_overflow(heap->charged_bytes, bytes, &wanted_bytes)) return false;
    sheaf_assert(wanted_bytes > heap->ceiling_bytes); /* else why draw */
    uint64_t least_bytes = wanted_bytes - heap->ceiling_bytes;
    uint64_t kept_bytes = heap->limit_bytes < purse->share_bytes ? 0 : purse->kept_bytes;
    uint64_t taken = take(purse, kept_bytes, least_bytes, least_bytes > purse->step_bytes ? least_bytes : purse->step_bytes);
    heap->limit_bytes += taken;
    heap->ceiling_bytes += taken;
    return taken > 0;
}

void sheaf_purse_give_back(struct sheaf_purse *purse, struct sheaf_heap *heap, uint64_t slack_bytes)
{
    sheaf_assert(heap->ceiling_bytes == heap->limit_bytes - heap->reserve_bytes); /* nobody is at the reserve */
    uint64_t kept_bytes = heap->charged_bytes + heap->reserve_bytes + slack_bytes;
    if (heap->limit_bytes <= kept_bytes) return;
    (void)__atomic_fetch_add(&purse->free_bytes, heap->limit_bytes - kept_bytes, __ATOMIC_RELAXED);
    sheaf_heap_set_limit(heap, kept_bytes, heap->reserve_bytes);
}
