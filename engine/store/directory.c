#include "engine/store/directory.h"

#include <string.h>

#include "engine/base/assert.h"

enum {
    HASH_BITS = 64,
    HOME_BITS_MIN = 2, /* four homes: most stores of one collection stay one collection */
    SPILL_MIN = 8,     /* spill slots a new table has to spare, so that the next insert finds its place */
    RECORDS_AHEAD = 8  /* slots by which an enumeration fetches records ahead */
};

static const struct sheaf_slot EMPTY_SLOT = { .hash = UINT64_MAX }; /* D3 */

void sheaf_directory_init(struct sheaf_directory *directory, struct sheaf_heap *heap)
{
    *directory = (struct sheaf_directory){ .heap = heap, .shift = HASH_BITS - HOME_BITS_MIN };
}

static void free_slots(struct sheaf_directory *directory)
{
    sheaf_heap_free(directory->heap, directory->slots, directory->slot_count * sizeof *directory->slots);
    directory->slots = NULL;
    directory->slot_count = 0;
    directory->shift = HASH_BITS - HOME_BITS_MIN;
}

void sheaf_directory_deinit(struct sheaf_directory *directory)
{
    enum { AHEAD = 8 }; /* collections lie anywhere in memory: those of the next slots are fetched meanwhile */
    for (size_t i = 0; i < directory->slot_count; i++) {
        if (i + AHEAD < directory->slot_count) {
            __builtin_prefetch(directory->slots[i + AHEAD].collection);
            __builtin_prefetch(directory->slots[i + AHEAD].root);
        }
        sheaf_collection_destroy(directory->slots[i].collection);
    }
    free_slots(directory);
    directory->count = 0;
    directory->changes++;
}

static size_t home_count(const struct sheaf_directory *directory)
{
    return (size_t)1 << (HASH_BITS - directory->shift);
}

/* ---- the size of the table -------------------------------------------------------------------------------------------- */

/* Four of five homes taken: a search then looks at three slots on average, which one cache line or two hold. */
static bool is_crowded(const struct sheaf_directory *directory)
{
    return (directory->count + 1) * 5 > (uint64_t)home_count(directory) * 4;
}

/* Where a collection comes to stand when those before it leave the slots from `vacant` on. */
static size_t place_of(uint64_t hash, uint32_t shift, size_t vacant)
{
    size_t home = (size_t)(hash >> shift);
    return home > vacant ? home : vacant;
}

/* How many spill slots the collections would take with homes by `shift`. */
static size_t count_spill(const struct sheaf_directory *directory, uint32_t shift)
{
    size_t homes = (size_t)1 << (HASH_BITS - shift);
    size_t vacant = 0;
    for (size_t i = 0; i < directory->slot_count; i++)
        if (directory->slots[i].collection) vacant = place_of(directory->slots[i].hash, shift, vacant) + 1;
    return vacant > homes ? vacant - homes : 0;
}

/*
 * Moves to a table of 2^home_bits homes, with at least SPILL_MIN free slots at its end. The spill is doubled, so that hashes
 * which crowd at the top end cost amortized constant time too. False, with nothing changed, when there is no memory.
 */
static bool resize(struct sheaf_directory *directory, uint32_t home_bits)
{
    uint32_t shift = HASH_BITS - home_bits;
    size_t slot_count = ((size_t)1 << home_bits) + 2 * count_spill(directory, shift) + SPILL_MIN;
    struct sheaf_slot *slots = sheaf_heap_allocate(directory->heap, slot_count * sizeof *slots);
    if (!slots) return false;

    for (size_t i = 0; i < slot_count; i++) slots[i] = EMPTY_SLOT;
    size_t vacant = 0;
    for (size_t i = 0; i < directory->slot_count; i++) {
        if (!directory->slots[i].collection) continue;
        size_t place = place_of(directory->slots[i].hash, shift, vacant);
        slots[place] = directory->slots[i];
        vacant = place + 1;
    }
    free_slots(directory);
    directory->slots = slots;
    directory->slot_count = slot_count;
    directory->shift = shift;
    return true;
}

/*
 * Gives memory back once most homes are empty; an enumeration would have to walk over them. Tried only as the count passes a
 * power of two, so that a shrink refused for want of memory is not tried again at every delete.
 */
static void shrink_if_sparse(struct sheaf_directory *directory)
{
    if (directory->count == 0) {
        free_slots(directory); /* D5 */
        return;
    }
    bool power_of_two = (directory->count & (directory->count - 1)) == 0;
    if (!power_of_two || directory->count * 8 > home_count(directory)) return;
    uint32_t count_bits = (uint32_t)__builtin_ctzll(directory->count);
    (void)resize(directory, count_bits + HOME_BITS_MIN);
}

/* ---- collections come and go ------------------------------------------------------------------------------------------ */

/* The first slot above the place of a key: where it is to be put if it is not there, and where a walk after it goes on. */
static struct sheaf_slot *slot_above(const struct sheaf_directory *directory, uint64_t hash, sheaf_bytes partition_key)
{
    struct sheaf_slot *slot = directory->slots + (hash >> directory->shift);
    while (slot->hash < hash) slot++;
    for (; slot->hash == hash && slot->collection; slot++) {
        sheaf_bytes key = sheaf_collection_key(slot->collection);
        if (!sheaf_bytes_equal(key, partition_key) && sheaf_bytes_order(key, partition_key) > 0) break;
    }
    return slot;
}

static struct sheaf_slot *next_empty(struct sheaf_slot *slot)
{
    while (slot->collection) slot++;
    return slot;
}

/* Whether filling the next empty slot from `place` on would leave D4 intact. */
static bool has_room_at(const struct sheaf_directory *directory, struct sheaf_slot *place)
{
    return next_empty(place) < directory->slots + directory->slot_count - 1;
}

/* Sees to it that a collection of this hash can be taken in. */
static bool make_room(struct sheaf_directory *directory, uint64_t hash, sheaf_bytes partition_key)
{
    if (!directory->slots) return resize(directory, HOME_BITS_MIN);
    uint32_t home_bits = HASH_BITS - directory->shift;
    if (is_crowded(directory)) return resize(directory, home_bits + 1);
    if (!has_room_at(directory, slot_above(directory, hash, partition_key))) return resize(directory, home_bits);
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
    sheaf_assert(!directory->slots[directory->slot_count - 1].collection); /* D4 */
    return SHEAF_OK;
}

void sheaf_directory_delete(struct sheaf_directory *directory, struct sheaf_slot *slot)
{
    sheaf_assert(directory->count > 0);
    sheaf_assert(slot->collection);

    /* Those behind it move left by one, up to the first that stands at its home. */
    struct sheaf_slot *end = slot + 1;
    while (end->collection && end - directory->slots > (ptrdiff_t)(end->hash >> directory->shift)) end++;
    memmove(slot, slot + 1, (size_t)(end - slot - 1) * sizeof *slot);
    end[-1] = EMPTY_SLOT;
    directory->count--;
    directory->changes++;
    shrink_if_sparse(directory);
}

/* ---- walking ---------------------------------------------------------------------------------------------------------- */

/* The first collection from a slot on. Who asks for one after another is about to look at the records, which lie anywhere in
 * memory: those some slots ahead are fetched meanwhile. */
static struct sheaf_collection *first_from(const struct sheaf_directory *directory, const struct sheaf_slot *slot)
{
    const struct sheaf_slot *end = directory->slots + directory->slot_count;
    for (; slot < end; slot++) {
        if (end - slot > RECORDS_AHEAD && slot[RECORDS_AHEAD].collection) {
            __builtin_prefetch(slot[RECORDS_AHEAD].collection);
        }
        if (slot->collection) return slot->collection;
    }
    return NULL;
}

const struct sheaf_slot *sheaf_directory_next(const struct sheaf_directory *directory, const struct sheaf_slot *slot)
{
    const struct sheaf_slot *end = directory->slots + directory->slot_count;
    for (slot++; slot < end; slot++)
        if (slot->collection) return slot;
    return NULL;
}

struct sheaf_collection *sheaf_directory_first(const struct sheaf_directory *directory)
{
    return directory->slots ? first_from(directory, directory->slots) : NULL;
}

struct sheaf_collection *sheaf_directory_after(const struct sheaf_directory *directory, uint64_t hash,
                                               sheaf_bytes partition_key)
{
    return directory->slots ? first_from(directory, slot_above(directory, hash, partition_key)) : NULL;
}

/* ---- check ------------------------------------------------------------------------------------------------------------ */

static int slot_order(const struct sheaf_slot *left, const struct sheaf_slot *right)
{
    if (left->hash != right->hash) return left->hash < right->hash ? -1 : 1;
    return sheaf_bytes_order(sheaf_collection_key(left->collection), sheaf_collection_key(right->collection));
}

/* The rule that the collection in slot `index` breaks, `previous` being the one before it; NULL if none. */
static const char *broken_rule(const struct sheaf_directory *directory, size_t index, const struct sheaf_slot *previous)
{
    const struct sheaf_slot *slot = &directory->slots[index];
    size_t home = (size_t)(slot->hash >> directory->shift);
    if (previous && slot_order(previous, slot) >= 0) return "D1 collections ascend by hash and key";
    if (home > index) return "D2 no collection stands left of its home";
    /* With the slot before it taken, D1 and this rule for that one say the same of all slots back to this one's home. */
    if (home < index && previous != slot - 1) return "D2 no slot is empty between a collection and its home";
    return NULL;
}

static const char *broken_table_rule(const struct sheaf_directory *directory, uint64_t count)
{
    if (count != directory->count) return "D5 the count is that of the collections in the slots";
    if ((count == 0) != (directory->slots == NULL)) return "D5 there are slots only while there are collections";
    if (count > 0 && directory->slots[directory->slot_count - 1].collection) return "D4 the last slot is empty";
    return NULL;
}

bool sheaf_directory_check(const struct sheaf_directory *directory, sheaf_fault *out_fault)
{
    const struct sheaf_slot *previous = NULL;
    const char *rule = NULL;
    uint64_t count = 0;
    size_t index = 0;
    for (; index < directory->slot_count; index++) {
        const struct sheaf_slot *slot = &directory->slots[index];
        if (slot->collection) {
            rule = broken_rule(directory, index, previous);
            previous = slot;
            count++;
        } else if (slot->hash != UINT64_MAX) {
            rule = "D3 an empty slot has the highest hash";
        }
        if (rule) break;
    }
    if (!rule) rule = broken_table_rule(directory, count);
    if (rule && out_fault) *out_fault = (sheaf_fault){ .rule = rule, .slot = (uint32_t)index };
    return rule == NULL;
}
