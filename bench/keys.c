#include "bench/keys.h"

#include <stdlib.h>
#include <string.h>

#include "bench/fatal.h"

struct query_head {
    uint32_t first;
    uint32_t entries;
    uint32_t limit;
    uint16_t direction;
    uint16_t kind;
    uint16_t partition_size;
    uint16_t low_size;
    uint16_t high_size;
    uint16_t unused;
};

void tape_release(struct tape *tape)
{
    free(tape->bytes);
    *tape = (struct tape){ 0 };
}

static void reserve(struct tape *tape, size_t size)
{
    if (tape->capacity - tape->size >= size) return;
    size_t capacity = tape->capacity * 2 + size + 4096;
    uint8_t *bytes = realloc(tape->bytes, capacity);
    if (!bytes) fatal("out of memory while preparing keys (%zu bytes)", capacity);
    tape->bytes = bytes;
    tape->capacity = capacity;
}

static void append(struct tape *tape, const void *bytes, size_t size)
{
    if (size != 0) memcpy(tape->bytes + tape->size, bytes, size);
    tape->size += size;
}

static void append_joined(struct tape *tape, sheaf_bytes partition, sheaf_bytes sort)
{
    append(tape, partition.data, partition.size);
    append(tape, "", 1);
    append(tape, sort.data, sort.size);
}

size_t tape_add_key(struct tape *tape, sheaf_bytes partition, sheaf_bytes sort, uint32_t number)
{
    size_t at = tape->size;
    struct key_head head = { number, (uint16_t)partition.size, (uint16_t)sort.size };
    reserve(tape, sizeof head + partition.size + 1 + sort.size);
    append(tape, &head, sizeof head);
    append_joined(tape, partition, sort);
    tape->count++;
    return at;
}

size_t tape_add_query(struct tape *tape, const struct bench_query *query)
{
    size_t at = tape->size;
    sheaf_bytes partition = bench_key_partition(&query->low);
    sheaf_bytes low = bench_key_sort(&query->low), high = bench_key_sort(&query->high);
    struct query_head head = {
        .first = query->first,
        .entries = query->entries,
        .limit = query->limit,
        .direction = (uint16_t)query->direction,
        .kind = (uint16_t)query->kind,
        .partition_size = (uint16_t)partition.size,
        .low_size = (uint16_t)low.size,
        .high_size = (uint16_t)high.size,
    };
    reserve(tape, sizeof head + 2 * (partition.size + 1) + low.size + high.size);
    append(tape, &head, sizeof head);
    append_joined(tape, partition, low);
    append_joined(tape, partition, high);
    tape->count++;
    return at;
}

const uint8_t *tape_read_query(const uint8_t *at, struct bench_query *out_query)
{
    struct query_head head;
    memcpy(&head, at, sizeof head);
    const uint8_t *low = at + sizeof head;
    const uint8_t *high = low + head.partition_size + 1 + head.low_size;
    *out_query = (struct bench_query){
        .kind = (enum query_kind)head.kind,
        .direction = (sheaf_direction)head.direction,
        .limit = head.limit,
        .low = { low, head.partition_size, head.low_size, 0 },
        .high = { high, head.partition_size, head.high_size, 0 },
        .first = head.first,
        .entries = head.entries,
    };
    return high + head.partition_size + 1 + head.high_size;
}
