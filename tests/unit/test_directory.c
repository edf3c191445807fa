/*
 * test_directory.c - the directory of collections against a sorted array, with hashes of our choosing.
 *
 * The directory takes hashes as they come, so the tests bring bad ones: all in one home, all at the upper end, all the same.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/store/directory.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"
#include "tests/support/test_heap.h"

/* ---- hashes ------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_spread(uint32_t number)
{
    struct random random = random_from_seed(number);
    return random_next(&random);
}

static uint64_t hash_at_upper_end(uint32_t number)
{
    return UINT64_MAX - number % 500;
}

static uint64_t hash_in_few_homes(uint32_t number)
{
    return (uint64_t)(number % 5) << 61 | number % 7;
}

static uint64_t hash_all_alike(uint32_t number)
{
    (void)number;
    return 0x0123456789ABCDEF;
}

static uint64_t hash_all_highest(uint32_t number)
{
    (void)number;
    return UINT64_MAX; /* what an empty slot has */
}

static uint64_t hash_ascending(uint32_t number)
{
    return number;
}

static uint64_t (*const hash_functions[])(uint32_t) = { hash_spread,    hash_at_upper_end, hash_in_few_homes,
                                                        hash_all_alike, hash_all_highest,  hash_ascending };

static struct criterion_test_params each_hash(void)
{
    static size_t indexes[] = { 0, 1, 2, 3, 4, 5 };
    return cr_make_param_array(size_t, indexes, sizeof indexes / sizeof *indexes);
}

/* ---- a directory beside its model --------------------------------------------------------------------------------------- */

enum { NUMBER_MAX = 4000, KEY_SIZE = 8 };

struct pair {
    uint64_t hash;
    char key[KEY_SIZE];
    struct sheaf_collection *collection;
};

struct scene {
    struct test_heap heap;
    struct sheaf_grove grove;
    struct sheaf_directory directory;
    uint64_t (*hash)(uint32_t number);
    struct pair pairs[NUMBER_MAX]; /* sorted by hash, then key */
    size_t count;
};

static struct scene scene;

static void set_scene(size_t hash_index)
{
    scene.heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&scene.heap);
    sheaf_heap_init(&scene.grove.heap, &hooks);
    sheaf_directory_init(&scene.directory, &scene.grove);
    scene.hash = hash_functions[hash_index];
    scene.count = 0;
}

static void end_scene(void)
{
    sheaf_directory_deinit(&scene.directory);
    cr_assert_eq(scene.heap.live_bytes, 0);
    cr_assert_eq(scene.grove.heap.charged_bytes, 0);
}

static struct pair pair_of(uint32_t number)
{
    struct pair pair = { .hash = scene.hash(number) };
    snprintf(pair.key, sizeof pair.key, "k%06" PRIu32, number);
    return pair;
}

static sheaf_bytes key_of(const struct pair *pair)
{
    return sheaf_bytes_of(pair->key, strlen(pair->key));
}

static bool is_below(const struct pair *left, const struct pair *right)
{
    return left->hash != right->hash ? left->hash < right->hash : strcmp(left->key, right->key) < 0;
}

/* The index of the first pair that is not below this one. */
static size_t model_lower_bound(const struct pair *pair)
{
    size_t index = 0;
    while (index < scene.count && is_below(&scene.pairs[index], pair)) index++;
    return index;
}

static bool model_has_at(size_t index, const struct pair *pair)
{
    return index < scene.count && !is_below(pair, &scene.pairs[index]);
}

static sheaf_status insert(uint32_t number)
{
    struct pair pair = pair_of(number);
    pair.collection = sheaf_collection_create(&scene.grove, key_of(&pair), false);
    if (!pair.collection) return SHEAF_NO_MEMORY;
    sheaf_status status = sheaf_directory_insert(&scene.directory, pair.hash, pair.collection);
    if (status != SHEAF_OK) {
        sheaf_collection_destroy(pair.collection);
        return status;
    }
    size_t index = model_lower_bound(&pair);
    memmove(&scene.pairs[index + 1], &scene.pairs[index], (scene.count - index) * sizeof pair);
    scene.pairs[index] = pair;
    scene.count++;
    return SHEAF_OK;
}

static void delete_at(size_t index)
{
    struct pair pair = scene.pairs[index];
    struct sheaf_slot *slot = sheaf_directory_find(&scene.directory, pair.hash, key_of(&pair));
    EXPECT(slot && slot->collection == pair.collection, "key %s", pair.key);
    sheaf_directory_delete(&scene.directory, slot);
    sheaf_collection_destroy(pair.collection);
    scene.count--;
    memmove(&scene.pairs[index], &scene.pairs[index + 1], (scene.count - index) * sizeof pair);
}

static void insert_or_delete(uint32_t number)
{
    struct pair pair = pair_of(number);
    size_t index = model_lower_bound(&pair);
    if (model_has_at(index, &pair)) {
        delete_at(index);
    } else {
        EXPECT(insert(number) == SHEAF_OK, "key %s", pair.key);
    }
}

/* Homes and spill of all buckets. */
static size_t slot_count(void)
{
    size_t sum = 0;
    for (size_t i = 0; i < sheaf_directory_bucket_count(&scene.directory); i++) sum += scene.directory.buckets[i]->slot_count;
    return sum;
}

static void assert_sound(void)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_directory_check(&scene.directory, &fault), "%s, slot %" PRIu32, fault.rule, fault.slot);
    EXPECT(scene.directory.count == scene.count, "count %" PRIu64 ", not %zu", scene.directory.count, scene.count);
}

/* What find and after say of a key, there or not. */
static void assert_looks_up(uint32_t number)
{
    struct pair pair = pair_of(number);
    size_t index = model_lower_bound(&pair);
    bool there = model_has_at(index, &pair);
    size_t next = there ? index + 1 : index;
    const struct sheaf_slot *slot = sheaf_directory_find(&scene.directory, pair.hash, key_of(&pair));
    EXPECT(there == (slot != NULL), "key %s", pair.key);
    if (slot) EXPECT(slot->collection == scene.pairs[index].collection, "key %s", pair.key);
    EXPECT(sheaf_directory_after(&scene.directory, pair.hash, key_of(&pair)) ==
               (next < scene.count ? scene.pairs[next].collection : NULL),
           "key %s", pair.key);
}

static void assert_walks(void)
{
    struct sheaf_collection *collection = sheaf_directory_first(&scene.directory);
    for (size_t i = 0; i < scene.count; i++) {
        const struct pair *pair = &scene.pairs[i];
        EXPECT(collection == pair->collection, "place %zu", i);
        collection = sheaf_directory_after(&scene.directory, pair->hash, key_of(pair));
    }
    cr_assert_null(collection);
}

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

Test(directory, empty_one_allocates_nothing)
{
    set_scene(0);
    struct pair pair = pair_of(1);
    cr_assert_null(sheaf_directory_find(&scene.directory, pair.hash, key_of(&pair)));
    cr_assert_null(sheaf_directory_after(&scene.directory, pair.hash, key_of(&pair)));
    cr_assert_null(sheaf_directory_first(&scene.directory));
    assert_sound();
    cr_assert_eq(scene.heap.requests, 0);
    end_scene();
}

ParameterizedTestParameters(directory, agrees_with_a_sorted_array)
{
    return each_hash();
}

/* Grows and shrinks a few times over: numbers are drawn from a range that breathes. */
ParameterizedTest(const size_t *hash_index, directory, agrees_with_a_sorted_array)
{
    set_scene(*hash_index);
    struct random random = random_from_seed(random_seed("directory", 7100 + *hash_index));
    for (uint32_t step = 0; step < 6000; step++) {
        bool shrink = step / 1000 % 2 == 1;
        if (shrink && scene.count > 0 && random_below(&random, 4) > 0) {
            delete_at(random_below(&random, (uint32_t)scene.count));
        } else {
            insert_or_delete(random_below(&random, NUMBER_MAX));
        }
        assert_sound();
        assert_looks_up(random_below(&random, NUMBER_MAX));
        if (step % 100 == 0) assert_walks();
    }
    assert_walks();
    end_scene();
}

ParameterizedTestParameters(directory, refused_memory_changes_nothing)
{
    return each_hash();
}

/* Each insert is tried with no memory for it, then with memory for the record but not for a larger table, then with all. */
ParameterizedTest(const size_t *hash_index, directory, refused_memory_changes_nothing)
{
    set_scene(*hash_index);
    uint32_t growths = 0;
    for (uint32_t number = 0; number < 600; number++) {
        for (uint64_t granted = 0;; granted++) {
            struct sheaf_directory before = scene.directory;
            uint64_t live_bytes = scene.heap.live_bytes;
            scene.heap.fail_from = scene.heap.requests + granted;
            sheaf_status status = insert(number);
            test_heap_relent(&scene.heap);
            if (status == SHEAF_OK) {
                if (before.buckets != scene.directory.buckets) growths++;
                break;
            }
            cr_assert_eq(status, SHEAF_NO_MEMORY);
            cr_assert_eq(scene.heap.live_bytes, live_bytes);
            cr_assert_eq(memcmp(&before, &scene.directory, sizeof before), 0);
        }
        assert_sound();
    }
    cr_assert_geq(growths, 5);
    assert_walks();
    end_scene();
}

ParameterizedTestParameters(directory, deletes_without_memory)
{
    return each_hash();
}

ParameterizedTest(const size_t *hash_index, directory, deletes_without_memory)
{
    set_scene(*hash_index);
    struct random random = random_from_seed(random_seed("directory/deletes", 7200 + *hash_index));
    for (uint32_t number = 0; number < 600; number++) insert_or_delete(number);
    scene.heap.fail_from = scene.heap.requests;
    while (scene.count > 0) {
        delete_at(random_below(&random, (uint32_t)scene.count));
        assert_sound();
    }
    cr_assert_gt(scene.heap.refusals, 0); /* it would have liked to shrink */
    cr_assert_eq(scene.heap.live_bytes, 0);
    end_scene();
}

Test(directory, gives_memory_back)
{
    set_scene(0);
    for (uint32_t number = 0; number < NUMBER_MAX; number++) insert_or_delete(number);
    cr_assert_geq(slot_count(), NUMBER_MAX * 5 / 4);      /* four fifths full at most */
    cr_assert_leq(slot_count(), NUMBER_MAX * 5 / 2 * 9 / 8 + 64); /* two fifths at least */
    while (scene.count > 16) delete_at(scene.count / 2);
    cr_assert_leq(slot_count(), 16 * 8 + 64);
    assert_walks();
    while (scene.count > 0) delete_at(0);
    cr_assert_eq(scene.heap.live_bytes, 0);
    end_scene();
}

/* A table sized for hashes that spread, then a run at its upper end that its spill has no room for. */
Test(directory, spill_grows_when_hashes_turn_to_the_upper_end)
{
    set_scene(0);
    for (uint32_t number = 0; number < 1000; number++) insert_or_delete(number);
    size_t slots_before = slot_count();
    uint32_t shift = scene.directory.shift;
    scene.hash = hash_at_upper_end;
    for (uint32_t number = 1000; number < 1300; number++) {
        insert_or_delete(number);
        assert_sound();
    }
    cr_assert_eq(scene.directory.shift, shift); /* as many homes */
    cr_assert_geq(slot_count(), slots_before + 280);
    cr_assert_leq(slot_count(), slots_before + 640);
    assert_walks();
    end_scene();
}

ParameterizedTestParameters(directory, enumerates_what_stays_exactly_once)
{
    return each_hash();
}

/* Even numbers stay; odd ones come and go between any two steps, the one just given among them, through growth and
 * shrinking. */
ParameterizedTest(const size_t *hash_index, directory, enumerates_what_stays_exactly_once)
{
    enum { STAYING = 200 };
    set_scene(*hash_index);
    struct random random = random_from_seed(random_seed("directory/enumerates", 7300 + *hash_index));
    for (uint32_t number = 0; number < STAYING; number++) insert_or_delete(2 * number);
    for (uint32_t number = 0; number < STAYING; number++) insert_or_delete(2 * number + 1);
    uint32_t given[2 * STAYING] = { 0 };
    struct pair last = { 0 };
    struct sheaf_collection *collection = sheaf_directory_first(&scene.directory);
    for (uint32_t step = 0; collection; step++) {
        struct pair pair = { 0 };
        memcpy(pair.key, collection->partition_key, collection->partition_key_size);
        uint32_t number;
        cr_assert_eq(sscanf(pair.key, "k%" SCNu32, &number), 1);
        pair.hash = scene.hash(number);
        if (step > 0) cr_assert(is_below(&last, &pair), "step %" PRIu32, step);
        if (number < 2 * STAYING) given[number]++;
        uint32_t odd_range = step / 50 % 2 == 0 ? NUMBER_MAX / 2 : STAYING;
        for (uint32_t i = 0; i < 8; i++) insert_or_delete(2 * random_below(&random, odd_range) + 1);
        if (number % 2 == 1) insert_or_delete(number);
        last = pair;
        collection = sheaf_directory_after(&scene.directory, last.hash, key_of(&last));
    }
    for (uint32_t number = 0; number < STAYING; number++) cr_assert_eq(given[2 * number], 1, "number %" PRIu32, 2 * number);
    assert_sound();
    end_scene();
}

Test(directory, changes_moves_when_a_collection_comes_or_goes)
{
    set_scene(0);
    uint64_t before = scene.directory.changes;
    cr_assert_eq(insert(1), SHEAF_OK);
    uint64_t between = scene.directory.changes;
    cr_assert_neq(between, before);
    assert_looks_up(1);
    cr_assert_eq(scene.directory.changes, between);
    delete_at(0);
    cr_assert_neq(scene.directory.changes, between);
    cr_assert_neq(scene.directory.changes, before);
    end_scene();
}

Test(directory, a_record_is_small)
{
    struct sheaf_collection record = { .partition_key_size = 13 }; /* "USER#00000000" */
    cr_assert_leq(sheaf_collection_block_size(&record), 64);
    record.partition_key_size = 0;
    cr_assert_eq(sheaf_collection_block_size(&record), sizeof(struct sheaf_collection));
}

/* ---- faults the check must see ------------------------------------------------------------------------------------------ */

static void assert_fault(const char *label, size_t slot)
{
    sheaf_fault fault = { 0 };
    cr_assert_not(sheaf_directory_check(&scene.directory, &fault), "%s is not seen", label);
    cr_assert_eq(strncmp(fault.rule, label, strlen(label)), 0, "%s is seen as %s", label, fault.rule);
    cr_assert_eq(fault.slot, slot);
    cr_assert_not(sheaf_directory_check(&scene.directory, NULL));
}

/* Homes are four: 0.1 and 0.2 in slots 0 and 1, 2.1 in slot 2. */
static void set_scene_of_three(void)
{
    set_scene(5);
    static const uint64_t hashes[] = { 1, 2, (uint64_t)2 << 62 | 1 };
    for (uint32_t i = 0; i < 3; i++) {
        struct pair pair = pair_of(i);
        struct sheaf_collection *collection = sheaf_collection_create(&scene.grove, key_of(&pair), false);
        cr_assert_eq(sheaf_directory_insert(&scene.directory, hashes[i], collection), SHEAF_OK);
    }
    scene.count = 3;
    for (uint32_t i = 0; i < 3; i++) cr_assert_eq(scene.directory.buckets[0]->slots[i].hash, hashes[i]);
    cr_assert_null(scene.directory.buckets[0]->slots[3].collection);
    assert_sound();
}

static void swap_slots(size_t left, size_t right)
{
    struct sheaf_slot slot = scene.directory.buckets[0]->slots[left];
    scene.directory.buckets[0]->slots[left] = scene.directory.buckets[0]->slots[right];
    scene.directory.buckets[0]->slots[right] = slot;
}

Test(directory, check_sees_each_fault)
{
    set_scene_of_three();
    swap_slots(0, 1);
    assert_fault("D1", 1);
    swap_slots(0, 1);

    swap_slots(1, 2);
    scene.directory.buckets[0]->slots[2].hash = (uint64_t)2 << 62 | 2;
    assert_fault("D2", 1); /* left of its home */
    scene.directory.buckets[0]->slots[2].hash = 2;
    swap_slots(1, 2);

    swap_slots(2, 3);
    assert_fault("D2", 3); /* its home is empty */
    swap_slots(2, 3);

    scene.directory.buckets[0]->slots[3].hash = 0;
    assert_fault("D3", 3);
    scene.directory.buckets[0]->slots[3].hash = UINT64_MAX;

    scene.directory.count++;
    assert_fault("D5", slot_count());
    scene.directory.count--;

    uint64_t slot_count_before = scene.directory.buckets[0]->slot_count;
    scene.directory.buckets[0]->slot_count = 3;
    assert_fault("D4", 3);
    scene.directory.buckets[0]->slot_count = slot_count_before;
    assert_sound();
    end_scene();
}
