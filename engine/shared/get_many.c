/*
 * get_many.c - many point reads of a shared store at once, copied out: each shard's together, under its lock once.
 *
 *      gets      [ a ] [ b ] [ c ] [ d ] ...         each is put into the list of its shard
 *      shards    3 ──▶ a ──▶ d      7 ──▶ b ──▶ c    and those of one shard are read, sixteen at a time, by the store
 *
 * A get that is not answered yet has the next of its list where its value will be: so lists take no memory of their own.
 */
#include "engine/shared/copy.h"
#include "engine/shared/shared.h"

enum { GROUP_SIZE = 16 };

/* Where values go. */
struct room {
    uint8_t *next;
    size_t left;
    size_t wanted; /* by all that were found, there or not */
};

/* ---- lists ---------------------------------------------------------------------------------------------------------------- */

static sheaf_get *next_of(const sheaf_get *get)
{
    return (sheaf_get *)(uintptr_t)get->value_view.data;
}

static bool same_slice(sheaf_bytes left, sheaf_bytes right)
{
    return left.data == right.data && left.size == right.size;
}

/* From the last get to the first, so that each list is in their order. */
static void divide(const struct sheaf_shared *shared, sheaf_get *gets, size_t count, sheaf_get **lists)
{
    uint64_t place = 0;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) lists[i] = NULL;
    for (size_t i = count; i-- > 0;) {
        bool same = i + 1 < count && same_slice(gets[i].partition_key, gets[i + 1].partition_key);
        if (!same) place = sheaf_shared_place(shared, gets[i].partition_key);
        gets[i].value_view = sheaf_bytes_of(lists[place], 0);
        lists[place] = &gets[i];
    }
}

/* ---- one shard ------------------------------------------------------------------------------------------------------------ */

/* Answers a get by its copy in a group, whose value is the store's. */
static void answer(sheaf_get *get, const sheaf_get *read, struct room *room)
{
    sheaf_bytes value = read->value_view;
    get->status = read->status;
    get->value_view = sheaf_bytes_of(NULL, 0);
    if (get->status != SHEAF_OK) return;
    room->wanted += value.size;
    get->value_view.size = value.size;
    if (value.size > room->left) {
        get->status = SHEAF_BUFFER_TOO_SMALL;
        return;
    }
    if (value.size > 0) memcpy(room->next, value.data, value.size);
    get->value_view.data = room->next;
    room->next += value.size;
    room->left -= value.size;
}

/* All gets of a list, while its shard is read. Returns how many are found and copied. */
static size_t read_list(const struct sheaf_store *store, sheaf_get *list, struct room *room)
{
    size_t copied = 0;
    while (list) {
        sheaf_get group[GROUP_SIZE], *gets[GROUP_SIZE];
        size_t size = 0;
        for (; list && size < GROUP_SIZE; list = next_of(list), size++) {
            gets[size] = list;
            group[size] = *list;
        }
        (void)sheaf_store_get_many(store, group, size);
        for (size_t i = 0; i < size; i++) {
            answer(gets[i], &group[i], room);
            copied += gets[i]->status == SHEAF_OK;
        }
    }
    return copied;
}

size_t sheaf_shared_get_many(sheaf_shared *shared, sheaf_get *gets, size_t count, void *buffer, size_t capacity,
                             size_t *out_size)
{
    sheaf_get *lists[SHEAF_SHARD_COUNT_MAX];
    struct room room = { .next = buffer, .left = capacity };
    size_t copied = 0;
    divide(shared, gets, count, lists);
    for (uint64_t place = 0; place < sheaf_shared_shard_count(shared); place++) {
        struct sheaf_shard *shard = &shared->shards[place];
        if (!lists[place]) continue;
        uint32_t own = sheaf_shard_begin_read(shard);
        copied += read_list(shard->store, lists[place], &room);
        sheaf_shard_end_read(shard, own);
    }
    if (out_size) *out_size = room.wanted;
    return copied;
}
