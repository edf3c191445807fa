/*
 * checksum.h - what "visiting an entry" means, the same for every engine.
 *
 * To visit is to have key and value at hand and to look at both: the size and first byte of the sort key, the first eight
 * bytes of the value. Engines that were asked the same question must end with the same sum; a run in which they do not fails.
 */
#ifndef BENCH_CHECKSUM_H
#define BENCH_CHECKSUM_H

#include <stdint.h>
#include <string.h>

#include <sheaf/bytes.h>

struct checksum {
    uint64_t sum;
    uint64_t entries;
    uint64_t bytes; /* sort keys and values */
    unsigned turn;  /* bits the sum turns per entry: 0 where the order of entries is the engine's own affair, else 5 */
};

#define CHECKSUM_ORDERED 5u
#define CHECKSUM_UNORDERED 0u

static inline void checksum_add(struct checksum *checksum, uint64_t number)
{
    unsigned turn = checksum->turn;
    uint64_t turned = checksum->sum << turn | checksum->sum >> (-turn & 63u); /* turn 0 ors the sum with itself */
    checksum->sum = turned + number;
}

/* `key` has at least one byte, `value` at least eight. */
static inline void checksum_visit(struct checksum *checksum, sheaf_bytes key, sheaf_bytes value)
{
    uint64_t head;
    memcpy(&head, value.data, sizeof head);
    checksum_add(checksum, head + key.size + key.data[0]);
    checksum->entries++;
    checksum->bytes += key.size + value.size;
}

/* Adds what another thread visited. Only of sums in which the order does not count. */
static inline void checksum_join(struct checksum *checksum, const struct checksum *other)
{
    checksum->sum += other->sum;
    checksum->entries += other->entries;
    checksum->bytes += other->bytes;
}

#endif
