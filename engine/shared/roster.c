#include "engine/shared/roster.h"

#include <stdbool.h>

enum { TRIES = 8 }; /* places looked at, from that of the hash on */

/* Takes an empty place. Nobody but the thread itself looks at the number. */
static bool take(struct sheaf_roster *roster, struct sheaf_roster_place *place, uint64_t thread)
{
    uint64_t empty = 0;
    if (!__atomic_compare_exchange_n(&place->thread, &empty, thread, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return false;
    uint64_t number = __atomic_fetch_add(&roster->entered_count, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&place->number, number, __ATOMIC_RELAXED);
    return true;
}

uint64_t sheaf_roster_enter(struct sheaf_roster *roster, uint64_t thread)
{
    uint64_t first = sheaf_roster_hash(thread);
    for (uint64_t i = 0; i < TRIES; i++) {
        struct sheaf_roster_place *place = &roster->places[(first + i) % ROSTER_PLACE_COUNT];
        uint64_t holder = __atomic_load_n(&place->thread, __ATOMIC_RELAXED);
        if (holder == thread || (holder == 0 && take(roster, place, thread)))
            return __atomic_load_n(&place->number, __ATOMIC_RELAXED);
    }
    return first;
}
