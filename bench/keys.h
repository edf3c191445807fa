/*
 * keys.h - keys and queries lying in memory in the order they are used.
 *
 * A bench that fetched its next key from a random place would measure its own cache misses. So everything an operation needs is
 * written beforehand, one record behind the other, and read like a tape:
 *
 *   key    | number | partition size | sort size |  partition 00 sort
 *   query  | first | entries | limit | direction | kind | sizes |  partition 00 low  partition 00 high
 *
 * The joined form with a zero byte between is what engines without partitions store; the others take the parts.
 */
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/range.h>

SHEAF_BEGIN_DECLARATIONS

/* A key as every engine gets it. Borrows from its list. */
struct bench_key {
    const uint8_t *joined;
    uint32_t partition_size;
    uint32_t sort_size;
    uint32_t number; /* the entry's place in the order of all keys; its value follows from it */
};

static inline sheaf_bytes bench_key_partition(const struct bench_key *key)
{
    return sheaf_bytes_of(key->joined, key->partition_size);
}

static inline sheaf_bytes bench_key_sort(const struct bench_key *key)
{
    return sheaf_bytes_of(key->joined + key->partition_size + 1, key->sort_size);
}

static inline sheaf_bytes bench_key_joined(const struct bench_key *key)
{
    return sheaf_bytes_of(key->joined, (size_t)key->partition_size + 1 + key->sort_size);
}

enum query_kind {
    QUERY_ALL,     /* the whole collection */
    QUERY_PREFIX,  /* begins_with(low) */
    QUERY_BETWEEN, /* low to high, both in */
    QUERY_AT_MOST  /* up to high, it included */
};

/* One question. `low` and `high` share their partition; the one a kind does not use is empty. */
struct bench_query {
    enum query_kind kind;
    sheaf_direction direction;
    uint32_t limit; /* most entries to visit */
    struct bench_key low;
    struct bench_key high;
    uint32_t first;   /* the right answer: entries first, first + 1, ... of the sorted keys, */
    uint32_t entries; /* so many of them, read in `direction` */
};

/* A tape of records. Grows as needed; zeroed is empty. */
struct tape {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    uint64_t count; /* records */
};

void tape_release(struct tape *tape);

/* Appends a record; returns the offset at which it begins. */
size_t tape_add_key(struct tape *tape, sheaf_bytes partition, sheaf_bytes sort, uint32_t number);
size_t tape_add_query(struct tape *tape, const struct bench_query *query);

struct key_head {
    uint32_t number;
    uint16_t partition_size;
    uint16_t sort_size;
};

/* Reads the record at `at` and returns the place of the next one. Inline: it runs between any two timed calls. */
static inline const uint8_t *tape_read_key(const uint8_t *at, struct bench_key *out_key)
{
    struct key_head head;
    memcpy(&head, at, sizeof head);
    out_key->joined = at + sizeof head;
    out_key->partition_size = head.partition_size;
    out_key->sort_size = head.sort_size;
    out_key->number = head.number;
    return at + sizeof head + head.partition_size + 1 + head.sort_size;
}

const uint8_t *tape_read_query(const uint8_t *at, struct bench_query *out_query);

SHEAF_END_DECLARATIONS

#endif
