#include "engine/store/directory.h"

#include <stddef.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/tree/version.h"

enum {
    HASH_BITS = 64,
    HOME_BITS_MIN = 2, /* four homes: most stores of one collection stay one collection */
    SPILL_MIN = 8,     /* spill slots a new bucket has to spare, so that the next insert finds its place */
    RECORDS_AHEAD = 8  /* slots by which an enumeration fetches records ahead */
};

static const struct sheaf_slot EMPTY_SLOT = { .hash = UINT64_MAX }; /* D3 */

void sheaf_directory_init(struct sheaf_directory *directory, struct sheaf_grove *grove)
{
    *directory = (struct sheaf_directory){ .grove = grove, .shift = HASH_BITS - HOME_BITS_MIN };
}

static size_t home_count(const struct sheaf_directory *directory)
{
    return (size_t)1 << (HASH_BITS - directory->shift);
}

static size_t bucket_count_by(uint32_t shift)
{
    size_t homes = (size_t)1 << (HASH_BITS - shift);
    return homes < BUCKET_HOMES ? 1 : homes / BUCKET_HOMES;
}

size_t sheaf_directory_bucket_count(const struct sheaf_directory *directory)
{
    return directory->buckets ? bucket_count_by(directory->shift) : 0;
}

size_t sheaf_directory_table_size(const struct sheaf_directory *directory)
{
    return sheaf_directory_bucket_count(directory) * sizeof *directory->buckets;
}

static size_t bucket_size_of(uint64_t slot_count)
{
    return offsetof(struct sheaf_bucket, slots) + (size_t)slot_count * sizeof(struct sheaf_slot);
}

size_t sheaf_bucket_size(const struct sheaf_bucket *bucket)
{
    return bucket_size_of(bucket->slot_count);
}

static size_t bucket_index(const struct sheaf_directory *directory, uint64_t hash)
{
    return (size_t)(hash >> directory->shift) / BUCKET_HOMES;
}

/* A collection's home, counted in its bucket. */
static size_t home_in_bucket(uint64_t hash, uint32_t shift)
{
    return (size_t)(hash >> shift) % BUCKET_HOMES;
}

/* ---- walking ---------------------------------------------------------------------------------------------------------- */

/* A slot, and the bucket it is in; at the end of one, the next is meant. */
struct walk {
    const struct sheaf_directory *directory;
    size_t bucket;
    size_t slot;
};

/* The collection's slot that the walk has come to, or comes to next; NULL at the end. */
static struct sheaf_slot *walk_here(struct walk *walk)
{
    for (; walk->bucket < sheaf_directory_bucket_count(walk->directory); walk->bucket++, walk->slot = 0) {
        struct sheaf_bucket *bucket = walk->directory->buckets[walk->bucket];
        for (; walk->slot < bucket->slot_count; walk->slot++)
            if (bucket->slots[walk->slot].collection) return &bucket->slots[walk->slot];
    }
    return NULL;
}

static void walk_on(struct walk *walk)
{
    walk->slot++;
}

/* Who asks for one collection after another is about to look at the records, which lie anywhere in memory: those some slots
 * ahead are fetched meanwhile. Forced inline: gcc takes a function that only prefetches for one without effect, and leaves the
 * call out. */
static inline __attribute__((always_inline)) void fetch_ahead(struct walk walk)
{
    const struct sheaf_bucket *bucket = walk.directory->buckets[walk.bucket];
    walk.slot += RECORDS_AHEAD;
    if (walk.slot >= bucket->slot_count) {
        if (walk.bucket + 1 == sheaf_directory_bucket_count(walk.directory)) return;
        walk.slot -= bucket->slot_count;
        bucket = walk.directory->buckets[walk.bucket + 1];
    }
    if (bucket->slots[walk.slot].collection) __builtin_prefetch(bucket->slots[walk.slot].collection);
}

static struct sheaf_collection *collection_at(struct walk walk)
{
    for (; walk.bucket < sheaf_directory_bucket_count(walk.directory); walk.bucket++, walk.slot = 0) {
        const struct sheaf_bucket *bucket = walk.directory->buckets[walk.bucket];
        for (; walk.slot < bucket->slot_count; walk.slot++) {
            fetch_ahead(walk);
            if (bucket->slots[walk.slot].collection) return bucket->slots[walk.slot].collection;
        }
    }
    return NULL;
}

struct sheaf_collection *sheaf_directory_first(const struct sheaf_directory *directory)
{
    return collection_at((struct walk){ .directory = directory });
}

/* The first slot above the place of a key: where it is to be put if it is not there, and where a walk after it goes on. */
static struct sheaf_slot *slot_above(const struct sheaf_directory *directory, uint64_t hash, sheaf_bytes partition_key)
{
    struct sheaf_bucket *bucket = directory->buckets[bucket_index(directory, hash)];
    struct sheaf_slot *slot = bucket->slots + home_in_bucket(hash, directory->shift);
    while (slot->hash < hash) slot++;
    for (; slot->hash == hash && slot->collection; slot++) {
        sheaf_bytes key = sheaf_collection_key(slot->collection);
        if (!sheaf_bytes_equal(key, partition_key) && sheaf_bytes_order(key, partition_key) > 0) break;
    }
    return slot;
}

struct sheaf_collection *sheaf_directory_after(const struct sheaf_directory *directory, uint64_t hash,
                                               sheaf_bytes partition_key)
{
    if (!directory->buckets) return NULL;
    size_t index = bucket_index(directory, hash);
    const struct sheaf_slot *slot = slot_above(directory, hash, partition_key);
    return collection_at((struct walk){ directory, index, (size_t)(slot - directory->buckets[index]->slots) });
}

const struct sheaf_slot *sheaf_directory_next(const struct sheaf_directory *directory, const struct sheaf_slot *slot)
{
    size_t index = bucket_index(directory, slot->hash);
    struct walk walk = { directory, index, (size_t)(slot - directory->buckets[index]->slots) + 1 };
    return walk_here(&walk);
}

struct sheaf_slot *sheaf_directory_from(const struct sheaf_directory *directory, uint64_t hash, uint64_t skip)
{
    if (!directory->buckets) return NULL;
    struct walk walk = { directory, bucket_index(directory, hash), home_in_bucket(hash, directory->shift) };
    for (struct sheaf_slot *slot; (slot = walk_here(&walk)); walk_on(&walk)) {
        if (slot->hash < hash) continue;
        if (slot->hash > hash || skip == 0) return slot;
        skip--;
    }
    return NULL;
}

/* ---- buckets ---------------------------------------------------------------------------------------------------------- */

/* All slots empty, as many as asked for and what more the block has room for. */
static struct sheaf_bucket *make_bucket(struct sheaf_grove *grove, size_t slot_count)
{
    size_t size = sheaf_heap_real_size(&grove->heap, bucket_size_of(slot_count));
    slot_count = (size - offsetof(struct sheaf_bucket, slots)) / sizeof(struct sheaf_slot);
    struct sheaf_bucket *bucket = sheaf_heap_allocate(&grove->heap, bucket_size_of(slot_count));
    if (!bucket) return NULL;
    bucket->birth = grove->version;
    bucket->slot_count = slot_count;
    for (size_t i = 0; i < slot_count; i++) bucket->slots[i] = EMPTY_SLOT;
    return bucket;
}

static void free_bucket(struct sheaf_grove *grove, struct sheaf_bucket *bucket)
{
    if (bucket) sheaf_heap_free(&grove->heap, bucket, sheaf_bucket_size(bucket));
}

/* Where a collection comes to stand in its bucket when those before it leave the slots from `vacant` on. */
static size_t place_of(uint64_t hash, uint32_t shift, size_t vacant)
{
    size_t home = home_in_bucket(hash, shift);
    return home > vacant ? home : vacant;
}

/*
 * Makes bucket number `index` of a table with homes by `shift` from the collections that the walk comes to, and moves the walk
 * behind them. The spill is doubled, so that hashes which crowd cost amortized constant time too.
 */
static struct sheaf_bucket *fill_bucket(struct walk *walk, uint32_t shift, size_t index)
{
    const struct sheaf_slot *slot;
    size_t homes = (size_t)1 << (HASH_BITS - shift);
    size_t vacant = 0;
    if (homes > BUCKET_HOMES) homes = BUCKET_HOMES;
    for (struct walk ahead = *walk; (slot = walk_here(&ahead)) && (size_t)(slot->hash >> shift) / BUCKET_HOMES == index;
         walk_on(&ahead))
        vacant = place_of(slot->hash, shift, vacant) + 1;
    size_t spill = vacant > homes ? vacant - homes : 0;
    struct sheaf_bucket *bucket = make_bucket(walk->directory->grove, homes + 2 * spill + SPILL_MIN);
    if (!bucket) return NULL;
    vacant = 0;
    for (; (slot = walk_here(walk)) && (size_t)(slot->hash >> shift) / BUCKET_HOMES == index; walk_on(walk)) {
        size_t place = place_of(slot->hash, shift, vacant);
        bucket->slots[place] = *slot;
        vacant = place + 1;
    }
    return bucket;
}

/* ---- the size of the table -------------------------------------------------------------------------------------------- */

/* Four of five homes taken: a search then looks at three slots on average, which one cache line or two hold. */
static bool is_crowded(const struct sheaf_directory *directory)
{
    return (directory->count + 1) * 5 > (uint64_t)home_count(directory) * 4;
}

/* Takes places for all buckets and the table that versions see. */
static bool reserve_all(const struct sheaf_directory *directory)
{
    if (!directory->grove->newest || !directory->buckets) return true;
    uint64_t places = sheaf_is_frozen(directory->grove, directory->table_birth) ? 1 : 0;
    for (size_t i = 0; i < sheaf_directory_bucket_count(directory); i++)
        if (sheaf_is_frozen(directory->grove, directory->buckets[i]->birth)) places++;
    return sheaf_grove_reserve(directory->grove, places);
}

/* Gives the buckets and the table up, not what is in them. */
static void retire_all(struct sheaf_directory *directory)
{
    struct sheaf_grove *grove = directory->grove;
    size_t bucket_count = sheaf_directory_bucket_count(directory);
    for (size_t i = 0; i < bucket_count; i++) {
        struct sheaf_bucket *bucket = directory->buckets[i];
        sheaf_grove_retire(grove, bucket, sheaf_bucket_size(bucket), bucket->birth);
    }
    if (bucket_count > 0)
        sheaf_grove_retire(grove, directory->buckets, sheaf_directory_table_size(directory), directory->table_birth);
    directory->buckets = NULL;
    directory->shift = HASH_BITS - HOME_BITS_MIN;
}

/* The table of 2^home_bits homes that holds the collections; NULL when there is no memory. */
static struct sheaf_bucket **build_table(const struct sheaf_directory *directory, uint32_t shift)
{
    struct sheaf_heap *heap = &directory->grove->heap;
    size_t bucket_count = bucket_count_by(shift);
    struct sheaf_bucket **table = sheaf_heap_allocate(heap, bucket_count * sizeof *table);
    if (!table) return NULL;
    struct walk walk = { .directory = directory };
    for (size_t i = 0; i < bucket_count; i++) {
        table[i] = fill_bucket(&walk, shift, i);
        if (table[i]) continue;
        while (i > 0) free_bucket(directory->grove, table[--i]);
        sheaf_heap_free(heap, table, bucket_count * sizeof *table);
        return NULL;
    }
    return table;
}

/* Moves to a table of 2^home_bits homes. False, with nothing changed, when there is no memory. */
static bool resize(struct sheaf_directory *directory, uint32_t home_bits)
{
    struct sheaf_directory moved = *directory;
    moved.shift = HASH_BITS - home_bits;
    moved.table_birth = directory->grove->version;
    moved.buckets = build_table(directory, moved.shift);
    if (!moved.buckets) return false;
    if (!reserve_all(directory)) {
        for (size_t i = 0; i < bucket_count_by(moved.shift); i++) free_bucket(directory->grove, moved.buckets[i]);
        sheaf_heap_free(&directory->grove->heap, moved.buckets, sheaf_directory_table_size(&moved));
        return false;
    }
    retire_all(directory);
    *directory = moved;
    return true;
}

/*
 * Gives memory back once most homes are empty; an enumeration would have to walk over them. Tried only as the count passes a
 * power of two, so that a shrink refused for want of memory is not tried again at every delete.
 */
static void shrink_if_sparse(struct sheaf_directory *directory)
{
    if (directory->count == 0) {
        if (reserve_all(directory)) retire_all(directory); /* D5 */
        return;
    }
    bool power_of_two = (directory->count & (directory->count - 1)) == 0;
    if (!power_of_two || directory->count * 8 > home_count(directory)) return;
    uint32_t count_bits = (uint32_t)__builtin_ctzll(directory->count);
    (void)resize(directory, count_bits + HOME_BITS_MIN);
}

void sheaf_directory_deinit(struct sheaf_directory *directory)
{
    enum { AHEAD = 8 }; /* collections lie anywhere in memory: those of the next slots are fetched meanwhile */
    for (size_t i = 0; i < sheaf_directory_bucket_count(directory); i++) {
        const struct sheaf_bucket *bucket = directory->buckets[i];
        for (size_t k = 0; k < bucket->slot_count; k++) {
            if (k + AHEAD < bucket->slot_count) {
                __builtin_prefetch(bucket->slots[k + AHEAD].collection);
                __builtin_prefetch(bucket->slots[k + AHEAD].root);
            }
            sheaf_collection_destroy(bucket->slots[k].collection);
        }
    }
    retire_all(directory);
    directory->count = 0;
    directory->changes++;
}

/* ---- the way to a slot ------------------------------------------------------------------------------------------------ */

static struct sheaf_bucket *copy_bucket(struct sheaf_grove *grove, const struct sheaf_bucket *bucket)
{
    struct sheaf_bucket *copy = sheaf_heap_allocate(&grove->heap, sheaf_bucket_size(bucket));
    if (!copy) return NULL;
    memcpy(copy, bucket, sheaf_bucket_size(bucket));
    copy->birth = grove->version;
    return copy;
}

/* Likewise the table, whose birth stands in the directory. */
static struct sheaf_bucket **copy_table(const struct sheaf_directory *directory)
{
    size_t size = sheaf_directory_table_size(directory);
    struct sheaf_bucket **copy = sheaf_heap_allocate(&directory->grove->heap, size);
    if (copy) memcpy(copy, directory->buckets, size);
    return copy;
}

void sheaf_directory_leave_way(struct sheaf_directory *directory, const struct sheaf_way *way)
{
    if (way->table) sheaf_heap_free(&directory->grove->heap, way->table, sheaf_directory_table_size(directory));
    free_bucket(directory->grove, way->bucket);
}

/* Copies what is frozen of the way to a bucket; the bucket, if it must have more room, is built anew in any case. */
static bool open_way(struct sheaf_directory *directory, size_t index, bool more_room, struct sheaf_way *out_way)
{
    struct sheaf_grove *grove = directory->grove;
    const struct sheaf_bucket *bucket = directory->buckets[index];
    bool table_frozen = sheaf_is_frozen(grove, directory->table_birth);
    bool bucket_frozen = sheaf_is_frozen(grove, bucket->birth);
    struct walk walk = { .directory = directory, .bucket = index };
    *out_way = (struct sheaf_way){ 0 };
    if (table_frozen && !(out_way->table = copy_table(directory))) goto fail;
    if (more_room && !(out_way->bucket = fill_bucket(&walk, directory->shift, index))) goto fail;
    if (bucket_frozen && !more_room && !(out_way->bucket = copy_bucket(grove, bucket))) goto fail;
    if (sheaf_grove_reserve(grove, (table_frozen ? 1U : 0U) + (bucket_frozen ? 1U : 0U))) return true;
fail:
    sheaf_directory_leave_way(directory, out_way);
    return false;
}

static void take_way(struct sheaf_directory *directory, size_t index, const struct sheaf_way *way)
{
    struct sheaf_grove *grove = directory->grove;
    if (way->table) {
        sheaf_grove_retire(grove, directory->buckets, sheaf_directory_table_size(directory), directory->table_birth);
        directory->buckets = way->table;
        directory->table_birth = grove->version;
        grove->copied_count++;
    }
    if (way->bucket) {
        struct sheaf_bucket *old = directory->buckets[index];
        if (sheaf_is_frozen(grove, old->birth)) grove->copied_count++;
        directory->buckets[index] = way->bucket;
        sheaf_grove_retire(grove, old, sheaf_bucket_size(old), old->birth);
    }
}

bool sheaf_directory_open_way(struct sheaf_directory *directory, const struct sheaf_slot *slot, struct sheaf_way *out_way)
{
    return open_way(directory, bucket_index(directory, slot->hash), false, out_way);
}

struct sheaf_slot *sheaf_directory_take_way(struct sheaf_directory *directory, struct sheaf_slot *slot,
                                            const struct sheaf_way *way)
{
    size_t index = bucket_index(directory, slot->hash);
    ptrdiff_t place = slot - directory->buckets[index]->slots;
    take_way(directory, index, way);
    return directory->buckets[index]->slots + place;
}

/* ---- what was born since a version ------------------------------------------------------------------------------------ */

/* To the first slot of a directory that a hash can be in, or a later one. */
static struct walk walk_from(const struct sheaf_directory *directory, uint64_t hash)
{
    struct walk walk = { .directory = directory };
    if (!directory->buckets) return walk;
    walk.bucket = bucket_index(directory, hash);
    walk.slot = home_in_bucket(hash, directory->shift);
    return walk;
}

/* Moves the walk over the directory of then up to a slot's hash, and looks for the collection there: the same record is shared,
 * which is told without looking at it; another record of the same key is what the collection was. */
static bool is_shared(struct walk *then, const struct sheaf_slot *slot, const struct sheaf_node **out_root)
{
    const struct sheaf_slot *twin;
    *out_root = NULL;
    while ((twin = walk_here(then)) && twin->hash < slot->hash) walk_on(then);
    for (struct walk alike = *then; (twin = walk_here(&alike)) && twin->hash == slot->hash; walk_on(&alike)) {
        if (twin->collection == slot->collection) return true;
        sheaf_bytes key = sheaf_collection_key(slot->collection);
        if (sheaf_bytes_equal(sheaf_collection_key(twin->collection), key)) *out_root = twin->collection->tree.root;
    }
    return false;
}

static void take_bucket(struct sheaf_since *since, struct sheaf_bucket *bucket, struct walk then)
{
    for (size_t i = 0; i < bucket->slot_count; i++) {
        struct sheaf_collection *collection = bucket->slots[i].collection;
        const struct sheaf_node *root;
        if (!collection || is_shared(&then, &bucket->slots[i], &root)) continue;
        if (collection->tree.changed < since->number) continue;
        sheaf_since_take_tree(since, collection->tree.root, root);
        sheaf_since_take(since, collection, sheaf_collection_block_size(collection),
                         collection->tree.changed);
    }
    sheaf_since_take(since, bucket, sheaf_bucket_size(bucket), bucket->birth);
}

void sheaf_directory_take_since(const struct sheaf_directory *directory, const struct sheaf_directory *twin,
                                struct sheaf_since *since)
{
    if (!directory->buckets || directory->table_birth < since->number) return; /* D6 */
    bool alike = twin->buckets && twin->shift == directory->shift;
    for (size_t i = 0; i < sheaf_directory_bucket_count(directory); i++) {
        struct sheaf_bucket *bucket = directory->buckets[i];
        if ((alike && bucket == twin->buckets[i]) || bucket->birth < since->number) continue;
        take_bucket(since, bucket, walk_from(twin, (uint64_t)(i * BUCKET_HOMES) << directory->shift));
    }
    sheaf_since_take(since, directory->buckets, sheaf_directory_table_size(directory), directory->table_birth);
}

/* ---- collections come and go ------------------------------------------------------------------------------------------ */

static struct sheaf_slot *next_empty(struct sheaf_slot *slot)
{
    while (slot->collection) slot++;
    return slot;
}

/* Whether filling the next empty slot from `place` on would leave D4 intact. */
static bool has_room_at(const struct sheaf_bucket *bucket, struct sheaf_slot *place)
{
    return next_empty(place) < bucket->slots + bucket->slot_count - 1;
}

/* Sees to it that a collection of this hash can be taken in. */
static bool make_room(struct sheaf_directory *directory, uint64_t hash, sheaf_bytes partition_key)
{
    if (!directory->buckets) return resize(directory, HOME_BITS_MIN);
    if (is_crowded(directory)) return resize(directory, HASH_BITS - directory->shift + 1);
    size_t index = bucket_index(directory, hash);
    bool more_room = !has_room_at(directory->buckets[index], slot_above(directory, hash, partition_key));
    struct sheaf_way way;
    if (!open_way(directory, index, more_room, &way)) return false;
    take_way(directory, index, &way);
    return true;
}

sheaf_status sheaf_directory_insert(struct sheaf_directory *directory, uint64_t hash, struct sheaf_collection *collection)
{
    sheaf_bytes partition_key = sheaf_collection_key(collection);
    sheaf_assert_slow(!sheaf_directory_find(directory, hash, partition_key));
    if (!make_room(directory, hash, partition_key)) return SHEAF_NO_MEMORY;

    struct sheaf_slot *place = slot_above(directory, hash, partition_key);
    struct sheaf_slot *gap = next_empty(place);
    memmove(place + 1, place, (size_t)(gap - place) * sizeof *place);
    *place = (struct sheaf_slot){ .hash = hash, .collection = collection, .root = collection->tree.root };
    directory->count++;
    directory->changes++;
    return SHEAF_OK;
}

void sheaf_directory_delete(struct sheaf_directory *directory, struct sheaf_slot *slot)
{
    struct sheaf_bucket *bucket = directory->buckets[bucket_index(directory, slot->hash)];
    sheaf_assert(directory->count > 0);
    sheaf_assert(slot->collection);
    sheaf_assert(!sheaf_is_frozen(directory->grove, bucket->birth));

    /* Those behind it move left by one, up to the first that stands at its home. */
    struct sheaf_slot *end = slot + 1;
    while (end->collection && end - bucket->slots > (ptrdiff_t)home_in_bucket(end->hash, directory->shift)) end++;
    memmove(slot, slot + 1, (size_t)(end - slot - 1) * sizeof *slot);
    end[-1] = EMPTY_SLOT;
    directory->count--;
    directory->changes++;
    shrink_if_sparse(directory);
}

/* ---- check ------------------------------------------------------------------------------------------------------------ */

static int slot_order(const struct sheaf_slot *left, const struct sheaf_slot *right)
{
    if (left->hash != right->hash) return left->hash < right->hash ? -1 : 1;
    return sheaf_bytes_order(sheaf_collection_key(left->collection), sheaf_collection_key(right->collection));
}

/* The rule that the collection in slot `place` of bucket `index` breaks, `previous` being the one before it; NULL if none. */
static const char *broken_slot_rule(const struct sheaf_directory *directory, size_t index, size_t place,
                                    const struct sheaf_slot *previous)
{
    const struct sheaf_bucket *bucket = directory->buckets[index];
    const struct sheaf_slot *slot = &bucket->slots[place];
    size_t home = home_in_bucket(slot->hash, directory->shift);
    if (previous && slot_order(previous, slot) >= 0) return "D1 collections ascend by hash and key";
    if (bucket_index(directory, slot->hash) != index) return "D2 a collection is in its bucket";
    if (home > place) return "D2 no collection stands left of its home";
    /* With the slot before it taken, D1 and this rule for that one say the same of all slots back to this one's home. */
    if (home < place && previous != slot - 1) return "D2 no slot is empty between a collection and its home";
    if (sheaf_is_frozen(directory->grove, bucket->birth) &&
        !sheaf_is_frozen(directory->grove, slot->collection->tree.changed))
        return "D6 below a frozen bucket all is frozen";
    return NULL;
}

static const char *broken_table_rule(const struct sheaf_directory *directory, uint64_t count)
{
    if (count != directory->count) return "D5 the count is that of the collections in the slots";
    if (count > 0 && !directory->buckets) return "D5 there are buckets while there are collections";
    return NULL;
}

static const char *broken_bucket_rule(const struct sheaf_directory *directory, const struct sheaf_bucket *bucket)
{
    const struct sheaf_grove *grove = directory->grove;
    if (bucket->slots[bucket->slot_count - 1].collection) return "D4 the last slot is empty";
    if (sheaf_is_frozen(grove, directory->table_birth) && !sheaf_is_frozen(grove, bucket->birth))
        return "D6 below a frozen table all buckets are frozen";
    return NULL;
}

bool sheaf_directory_check(const struct sheaf_directory *directory, sheaf_fault *out_fault)
{
    const struct sheaf_slot *previous = NULL;
    const char *rule = NULL;
    uint64_t count = 0;
    size_t number = 0;
    for (size_t index = 0; index < sheaf_directory_bucket_count(directory) && !rule; index++) {
        const struct sheaf_bucket *bucket = directory->buckets[index];
        for (size_t place = 0; place < bucket->slot_count; place++, number++) {
            const struct sheaf_slot *slot = &bucket->slots[place];
            if (slot->collection) {
                rule = broken_slot_rule(directory, index, place, previous);
                previous = slot;
                count++;
            } else if (slot->hash != UINT64_MAX) {
                rule = "D3 an empty slot has the highest hash";
            }
            if (rule) break;
        }
        if (!rule) rule = broken_bucket_rule(directory, bucket);
    }
    if (!rule) rule = broken_table_rule(directory, count);
    if (rule && out_fault) *out_fault = (sheaf_fault){ .rule = rule, .slot = (uint32_t)number };
    return rule == NULL;
}
