#include "tests/thread/world.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"

/* ---- places and keys -------------------------------------------------------------------------------------------------- */

struct places places_of(uint32_t collection)
{
    if (collection < BIG_COUNT) {
        uint32_t begin = collection * BIG_KEY_COUNT;
        return (struct places){ begin, begin + BIG_KEY_COUNT };
    }
    uint32_t begin = BIG_COUNT * BIG_KEY_COUNT + (collection - BIG_COUNT) * SMALL_KEY_COUNT;
    return (struct places){ begin, begin + SMALL_KEY_COUNT };
}

uint32_t collection_of(uint32_t place)
{
    uint32_t big_places = BIG_COUNT * BIG_KEY_COUNT;
    return place < big_places ? place / BIG_KEY_COUNT : BIG_COUNT + (place - big_places) / SMALL_KEY_COUNT;
}

struct key_text partition_key_of(uint32_t collection)
{
    struct key_text key;
    key.size = (size_t)snprintf(key.text, sizeof key.text, "C#%u", collection);
    return key;
}

struct key_text sort_key_of(uint32_t place)
{
    struct key_text key;
    uint32_t index = place - places_of(collection_of(place)).begin;
    key.size = (size_t)snprintf(key.text, sizeof key.text, "f%03u/%05u", index / FOLDER_KEY_COUNT, index);
    return key;
}

struct key_text folder_of(uint32_t place)
{
    struct key_text key = sort_key_of(place);
    key.size = sizeof "f000/" - 1;
    return key;
}

sheaf_bytes text_bytes(const struct key_text *text)
{
    return sheaf_bytes_of(text->text, text->size);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

/* The number itself, and 0 to 56 bytes more; one value in 32 is so large that it lies outside its leaf. */
size_t value_size_for(uint32_t place, uint32_t number)
{
    uint64_t bits = mix((uint64_t)place << 32 | number);
    size_t more = bits % 32 == 0 ? (bits >> 8) % (VALUE_SIZE_MAX - 4) : (bits >> 8) % 57;
    return sizeof number + more;
}

static uint8_t filling(uint32_t place, uint32_t number)
{
    return (uint8_t)(mix((uint64_t)number << 32 | place) >> 56);
}

sheaf_bytes value_for(uint32_t place, uint32_t number, uint8_t *buffer)
{
    size_t size = value_size_for(place, number);
    memcpy(buffer, &number, sizeof number);
    memset(buffer + sizeof number, filling(place, number), size - sizeof number);
    return sheaf_bytes_of(buffer, size);
}

uint32_t number_in(uint32_t place, sheaf_bytes value)
{
    uint32_t number;
    EXPECT(value.size >= sizeof number, "place %u: %zu bytes", place, value.size);
    memcpy(&number, value.data, sizeof number);
    EXPECT(number > 0 && value.size == value_size_for(place, number), "place %u, number %u: %zu bytes", place, number,
           value.size);
    for (size_t i = sizeof number; i < value.size; i++)
        EXPECT(value.data[i] == filling(place, number), "place %u, number %u: byte %zu", place, number, i);
    return number;
}

/* ---- what a state holds ----------------------------------------------------------------------------------------------- */

sheaf_totals totals_in(const struct state *state, struct places places)
{
    sheaf_totals totals = { 0 };
    for (uint32_t place = places.begin; place < places.end; place++) {
        if (state->numbers[place] == 0) continue;
        totals.count++;
        totals.bytes += sort_key_of(place).size + value_size_for(place, state->numbers[place]);
    }
    return totals;
}

static sheaf_range range_between(const struct key_text *low, const struct key_text *high)
{
    return sheaf_range_between(text_bytes(low), text_bytes(high));
}

static void compare_entry(const struct state *state, uint32_t place, sheaf_bytes key, sheaf_bytes value)
{
    struct key_text expected = sort_key_of(place);
    EXPECT(sheaf_bytes_compare(key, text_bytes(&expected)) == 0, "place %u: %.*s", place, (int)key.size,
           (const char *)key.data);
    EXPECT(number_in(place, value) == state->numbers[place], "place %u: number %u, not %u", place, number_in(place, value),
           state->numbers[place]);
}

/* ---- reads ------------------------------------------------------------------------------------------------------------ */

static void compare_get(const sheaf_store *store, const struct state *state, uint32_t place)
{
    struct key_text partition_key = partition_key_of(collection_of(place)), key = sort_key_of(place);
    sheaf_bytes value;
    sheaf_status status = sheaf_store_get(store, text_bytes(&partition_key), text_bytes(&key), &value, NULL);
    EXPECT(status == (state->numbers[place] ? SHEAF_OK : SHEAF_NOT_FOUND), "place %u: %s", place, sheaf_status_name(status));
    if (status == SHEAF_OK) compare_entry(state, place, text_bytes(&key), value);
}

static void compare_total(const sheaf_store *store, const struct state *state, struct places places)
{
    struct key_text partition_key = partition_key_of(collection_of(places.begin));
    struct key_text low = sort_key_of(places.begin), high = sort_key_of(places.end - 1);
    sheaf_range range = range_between(&low, &high);
    sheaf_totals totals, expected = totals_in(state, places);
    sheaf_status status = sheaf_range_total(store, text_bytes(&partition_key), &range, &totals, NULL);
    EXPECT(status == SHEAF_OK, "%s", sheaf_status_name(status));
    EXPECT(totals.count == expected.count && totals.bytes == expected.bytes, "places %u to %u", places.begin, places.end);
}

static void compare_rank(const sheaf_store *store, const struct state *state, uint32_t place)
{
    uint32_t collection = collection_of(place);
    struct key_text partition_key = partition_key_of(collection), key = sort_key_of(place);
    struct places below = { places_of(collection).begin, place };
    uint64_t rank;
    bool exists;
    sheaf_status status =
        sheaf_rank(store, text_bytes(&partition_key), text_bytes(&key), SHEAF_FORWARD, &rank, &exists, NULL);
    EXPECT(status == SHEAF_OK, "%s", sheaf_status_name(status));
    EXPECT(rank == totals_in(state, below).count, "place %u", place);
    EXPECT(exists == (state->numbers[place] != 0), "place %u", place);
}

/* The entries of a state one after another, in one direction. */
struct walk {
    const struct state *state;
    struct places left;
    sheaf_direction direction;
};

/* False: there is none left. */
static bool walk_next(struct walk *walk, uint32_t *out_place)
{
    while (walk->left.begin < walk->left.end) {
        uint32_t place = walk->direction == SHEAF_FORWARD ? walk->left.begin++ : --walk->left.end;
        if (walk->state->numbers[place] == 0) continue;
        *out_place = place;
        return true;
    }
    return false;
}

static void compare_next(struct walk *walk, sheaf_bytes key, sheaf_bytes value)
{
    uint32_t place;
    bool expected = walk_next(walk, &place);
    EXPECT(expected, "one too many: %.*s", (int)key.size, (const char *)key.data);
    compare_entry(walk->state, place, key, value);
}

static void compare_end(struct walk *walk)
{
    uint32_t place;
    EXPECT(!walk_next(walk, &place), "place %u was left out", place);
}

/* Entry by entry, or by the dozen. */
static void compare_scan(const sheaf_store *store, const struct state *state, struct places places, sheaf_direction direction,
                         bool by_dozens)
{
    struct key_text partition_key = partition_key_of(collection_of(places.begin));
    struct key_text low = sort_key_of(places.begin), high = sort_key_of(places.end - 1);
    sheaf_range range = range_between(&low, &high);
    struct walk walk = { state, places, direction };
    sheaf_cursor cursor;
    sheaf_status status = sheaf_cursor_open(&cursor, store, text_bytes(&partition_key), &range, NULL);
    EXPECT(status == SHEAF_OK, "%s", sheaf_status_name(status));
    sheaf_cursor_rewind(&cursor, direction);
    while (by_dozens) {
        sheaf_entry entries[12];
        size_t count = direction == SHEAF_FORWARD ? sheaf_cursor_next_many(&cursor, entries, 12)
                                                  : sheaf_cursor_previous_many(&cursor, entries, 12);
        if (count == 0) break;
        for (size_t i = 0; i < count; i++) compare_next(&walk, entries[i].key, entries[i].value);
    }
    while (!by_dozens) {
        bool more = direction == SHEAF_FORWARD ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor);
        if (!more) break;
        compare_next(&walk, cursor.key, cursor.value);
    }
    compare_end(&walk);
}

static void compare_page(const sheaf_store *store, const struct state *state, uint32_t place, sheaf_direction direction)
{
    struct places all = places_of(collection_of(place));
    struct key_text partition_key = partition_key_of(collection_of(place)), position = sort_key_of(place);
    sheaf_page_request request = { .direction = direction, .limit = 25, .anchor = SHEAF_ANCHOR_AFTER };
    request.position = text_bytes(&position);
    struct walk walk = { state, all, direction };
    if (direction == SHEAF_FORWARD) walk.left.begin = place + 1;
    else walk.left.end = place;
    sheaf_page page;
    sheaf_status status = sheaf_page_read(store, text_bytes(&partition_key), &request, &page, NULL);
    EXPECT(status == SHEAF_OK, "%s", sheaf_status_name(status));
    for (size_t i = 0; i < page.count; i++) compare_next(&walk, page.entries[i].key, page.entries[i].value);
    EXPECT(page.more_after == (totals_in(state, walk.left).count > 0), "after place %u", place);
    EXPECT(page.count == 25 || !page.more_after, "%zu entries after place %u", page.count, place);
    sheaf_page_release(&page);
}

static void compare_children(const sheaf_store *store, const struct state *state, uint32_t collection)
{
    struct places places = places_of(collection);
    struct key_text partition_key = partition_key_of(collection);
    sheaf_children children;
    sheaf_child child;
    sheaf_status status = sheaf_children_open(&children, store, text_bytes(&partition_key), sheaf_bytes_of(NULL, 0),
                                              SHEAF_LIT("/"), SHEAF_FORWARD, NULL);
    EXPECT(status == SHEAF_OK, "%s", sheaf_status_name(status));
    for (uint32_t begin = places.begin; begin < places.end; begin += FOLDER_KEY_COUNT) {
        struct places inside = { begin, begin + FOLDER_KEY_COUNT < places.end ? begin + FOLDER_KEY_COUNT : places.end };
        sheaf_totals expected = totals_in(state, inside);
        if (expected.count == 0) continue;
        struct key_text folder = folder_of(begin);
        EXPECT(sheaf_children_next(&children, &child), "no folder %s", folder.text);
        EXPECT(sheaf_bytes_compare(child.key, text_bytes(&folder)) == 0, "not folder %s", folder.text);
        EXPECT(child.is_folder && child.totals.count == expected.count && child.totals.bytes == expected.bytes, "folder %s",
               folder.text);
    }
    EXPECT(!sheaf_children_next(&children, &child), "one folder too many");
}

static uint32_t parse_collection(sheaf_bytes partition_key)
{
    uint32_t collection = 0;
    EXPECT(partition_key.size > 2, "%zu bytes", partition_key.size);
    for (size_t i = 2; i < partition_key.size; i++) collection = collection * 10 + (uint32_t)(partition_key.data[i] - '0');
    EXPECT(collection < COLLECTION_COUNT, "collection %u", collection);
    return collection;
}

static void compare_enumeration(const sheaf_store *store, const struct state *state)
{
    bool met[COLLECTION_COUNT] = { false };
    uint64_t met_count = 0, count = 0, collection_count = 0;
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    for (; sheaf_collection_next(store, after, &info) == SHEAF_OK; after = &info.partition_key_view) {
        uint32_t collection = parse_collection(info.partition_key_view);
        sheaf_totals expected = totals_in(state, places_of(collection));
        EXPECT(!met[collection], "collection %u twice", collection);
        EXPECT(info.totals.count == expected.count && info.totals.bytes == expected.bytes, "collection %u", collection);
        met[collection] = true;
        met_count++;
    }
    for (uint32_t collection = 0; collection < COLLECTION_COUNT; collection++) {
        sheaf_totals expected = totals_in(state, places_of(collection));
        collection_count += expected.count > 0;
        count += expected.count;
    }
    sheaf_store_totals totals = sheaf_store_total(store);
    EXPECT(met_count == collection_count && totals.collection_count == collection_count, "%ju met", (uintmax_t)met_count);
    EXPECT(totals.entry_count == count, "%ju entries", (uintmax_t)totals.entry_count);
}

/* ---- together --------------------------------------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *random, uint32_t count)
{
    *random += 0x9e3779b97f4a7c15u;
    return (uint32_t)((mix(*random) >> 32) * count >> 32);
}

void compare_some(const sheaf_store *store, const struct state *state, uint64_t *random)
{
    uint32_t place = draw(random, PLACE_COUNT), collection = collection_of(place);
    struct places upwards = { place, places_of(collection).end };
    sheaf_direction direction = draw(random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD;
    uint32_t kind = draw(random, 64);
    if (kind == 0) compare_enumeration(store, state);
    else if (kind == 1) compare_scan(store, state, places_of(collection), direction, draw(random, 2));
    else if (kind == 2) compare_children(store, state, collection);
    else if (kind < 9) compare_total(store, state, upwards);
    else if (kind < 15) compare_rank(store, state, place);
    else if (kind < 21) compare_page(store, state, place, direction);
    else compare_get(store, state, place);
}

void compare_all(const sheaf_store *store, const struct state *state)
{
    sheaf_fault fault = { 0 };
    compare_enumeration(store, state);
    for (uint32_t collection = 0; collection < COLLECTION_COUNT; collection++) {
        compare_scan(store, state, places_of(collection), SHEAF_FORWARD, true);
        compare_scan(store, state, places_of(collection), SHEAF_REVERSE, false);
    }
    EXPECT(sheaf_store_check(store, &fault), "%s", fault.rule);
}
