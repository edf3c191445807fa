/*
 * roster.h - a small number for each thread that comes by, the lowest first, found again by what the thread is known by.
 *
 *      pthread_self() ── hash ──▶ places   | thread, number | thread, number | empty | ...
 *
 * Where threads write to lines of their own these numbers say which: as long as no more have come than there are lines, no two share
 * one. A thread that has ended keeps its place, which mostly is that of the next one started. When all places near its own are taken,
 * a thread is given a number by its hash.
 *
 * (The number of the core would do as well, and sched_getcpu() takes 2 ns. But in between reads that wait for memory it was found
 * to cost 80, since the processor does not look ahead beyond it.)
 */
#ifndef SHEAF_SHARED_ROSTER_H
#define SHEAF_SHARED_ROSTER_H

#include <pthread.h>
#include <stdint.h>

enum { ROSTER_PLACE_BITS = 6, ROSTER_PLACE_COUNT = 1 << ROSTER_PLACE_BITS };

/* Written once by the thread it belongs to, which alone reads the number. All of it atomically: others look by. */
struct sheaf_roster_place {
    uint64_t thread; /* 0: empty */
    uint64_t number;
};

struct sheaf_roster {
    struct sheaf_roster_place places[ROSTER_PLACE_COUNT];
    uint64_t entered_count;
};

static inline uint64_t sheaf_roster_hash(uint64_t thread)
{
    return (thread * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - ROSTER_PLACE_BITS);
}

/* The number of a thread that is not in the first place of its hash, and may not be there at all. */
uint64_t sheaf_roster_enter(struct sheaf_roster *roster, uint64_t thread);

/* The number of the thread that asks. */
static inline uint64_t sheaf_roster_number(struct sheaf_roster *roster)
{
    uint64_t thread = (uint64_t)pthread_self();
    const struct sheaf_roster_place *place = &roster->places[sheaf_roster_hash(thread)];
    if (__builtin_expect(__atomic_load_n(&place->thread, __ATOMIC_RELAXED) == thread, 1))
        return __atomic_load_n(&place->number, __ATOMIC_RELAXED);
    return sheaf_roster_enter(roster, thread);
}

#endif
