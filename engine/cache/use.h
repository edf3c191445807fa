/*
 * use.h - what a cache remembers of each entry, in one byte, and what that makes it worth.
 *
 * A hand goes round all entries, again and again. What it meets it ages; what is read becomes young again:
 *
 *                      read                               the hand comes by
 *     frequency   | frequency:3 | age:5 |   frequency + 1, age 0        age + 1
 *     recency     | age:8               |   0                           age + 1
 *
 * So age counts rounds since the last use. A round evicts about an eighth of the entries (sifter.h), which is therefore how
 * fine the clock goes: fine enough, since what is evicted is the worst of all and not of a few.
 *
 *     rank, by frequency:    never read again: 0, whatever its age. Else log2(frequency) - age / 8:
 *                            a use is worth half as much every eight rounds
 *     rank, by recency:      the younger the higher
 *
 * An entry never read again is the first to go, so a scan passes through a store without pushing out what is in use. One that
 * comes back soon after it was evicted (ghost.h) begins with a use to its credit, in one case of two: a loop a little larger
 * than the store would else evict each entry just before its turn.
 *
 * Policy only: what the bytes belong to, and where they lie, is not known here.
 */
#ifndef SHEAF_CACHE_USE_H
#define SHEAF_CACHE_USE_H

#include <stdint.h>

enum sheaf_use_order {
    SHEAF_USE_FREQUENCY,
    SHEAF_USE_RECENCY,
};

/* An order, worked out for each byte. */
struct sheaf_use_rules {
    uint8_t fresh;     /* of what is put */
    uint8_t returned;  /* of what is put and was evicted not long ago */
    uint8_t used[256]; /* after a read */
    uint8_t aged[256]; /* after the hand has come by */
    uint8_t rank[256]; /* the lowest goes first */
};

void sheaf_use_rules_init(struct sheaf_use_rules *rules, enum sheaf_use_order order);

#endif
