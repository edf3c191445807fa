/*
 * advice.c - an adviser: takes keys in, one by one.
 */
#include "engine/key/advice.h"

#include <string.h>

#include "engine/base/backend.h"
#include "engine/base/hash.h"
#include "engine/base/utf8.h"

enum {
    FOLDERS = 1 << 17,
    SPELLINGS = 1 << 15,
    PLACES = 1 << 15,
    COLLECTIONS = 1 << 13,
    PARTITION_KEY_LIMIT = 2048,
    SORT_KEY_LIMIT = 1024,
    GROUPS_WITHOUT_ENTITY = 8, /* kept for keys without an entity: one for each delimiter */
    ENTITY_KEYS_LEAST = 10,    /* before a first segment is taken for a kind of item: it may be a name */
};

/* What is known of a path. */
enum folder_mark {
    FOLDER_IS_THERE = 1,   /* something is in it, or it stands there with its delimiter */
    FOLDER_IS_BARE = 2,    /* a key by itself, without a delimiter at its end */
    FOLDER_HAS_SIBLING = 4, /* another name begins with its own */
    FOLDER_TOLD = 8,
    FOLDER_SIBLING_TOLD = 16
};

/* ---- made and ended --------------------------------------------------------------------------------------------------- */

static bool init_sets(struct sheaf_adviser *adviser)
{
    return sheaf_advice_set_init(&adviser->folders, &adviser->heap, FOLDERS, false) &&
           sheaf_advice_set_init(&adviser->spellings, &adviser->heap, SPELLINGS, true) &&
           sheaf_advice_set_init(&adviser->entities, &adviser->heap, COLLECTIONS, false) &&
           sheaf_advice_set_init(&adviser->widths, &adviser->heap, PLACES, false);
}

sheaf_status sheaf_adviser_create(const sheaf_advice_options *options, sheaf_adviser **out_adviser)
{
    static const sheaf_advice_options defaults = { .delimiter = 0 };
    if (!options) options = &defaults;
    sheaf_allocator hooks = options->allocator ? *options->allocator : sheaf_backend_hooks(NULL);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    struct sheaf_adviser *adviser = sheaf_heap_allocate_zeroed(&heap, sizeof *adviser);
    if (!adviser) return SHEAF_NO_MEMORY;
    adviser->heap = heap;
    adviser->delimiter = options->delimiter;
    adviser->binary = options->binary;
    adviser->partition = (struct advice_side){ .field = SHEAF_FIELD_PARTITION_KEY, .size_max = PARTITION_KEY_LIMIT };
    adviser->sort = (struct advice_side){ .field = SHEAF_FIELD_SORT_KEY, .size_max = SORT_KEY_LIMIT };
    if (!init_sets(adviser)) {
        sheaf_adviser_destroy(adviser);
        return SHEAF_NO_MEMORY;
    }
    *out_adviser = adviser;
    return SHEAF_OK;
}

static void free_groups(struct sheaf_heap *heap, struct advice_side *side)
{
    for (size_t i = 0; i < side->group_count; i++) sheaf_heap_free(heap, side->groups[i], sizeof *side->groups[i]);
}

void sheaf_adviser_destroy(sheaf_adviser *adviser)
{
    if (!adviser) return;
    struct sheaf_heap heap = adviser->heap;
    free_groups(&heap, &adviser->partition);
    free_groups(&heap, &adviser->sort);
    sheaf_advice_set_deinit(&adviser->widths, &heap);
    sheaf_advice_set_deinit(&adviser->entities, &heap);
    sheaf_advice_set_deinit(&adviser->spellings, &heap);
    sheaf_advice_set_deinit(&adviser->folders, &heap);
    sheaf_heap_free(&heap, adviser, sizeof *adviser);
}

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

static struct advice_group *find_group(const struct advice_side *side, const struct advice_pieces *pieces)
{
    for (size_t i = 0; i < side->group_count; i++) {
        struct advice_group *group = side->groups[i];
        sheaf_bytes entity = sheaf_bytes_of(group->entity, group->entity_size);
        if (group->delimiter == pieces->delimiter && sheaf_bytes_equal(entity, pieces->entity)) return group;
    }
    return NULL;
}

/* Entities for which there is no room are a segment like any other. */
static void give_entity_back(struct advice_pieces *pieces)
{
    size_t kept = sheaf_size_min(pieces->segment_count, ADVICE_SEGMENTS - 1);
    memmove(pieces->segments + 1, pieces->segments, kept * sizeof *pieces->segments);
    pieces->segments[0] = pieces->entity;
    pieces->segment_count++;
    pieces->entity = sheaf_bytes_of(NULL, 0);
}

/* The group of a key, a new one if need be. NULL: memory is refused. */
static struct advice_group *take_group(struct sheaf_adviser *adviser, struct advice_side *side, struct advice_pieces *pieces)
{
    struct advice_group *group = find_group(side, pieces);
    if (group) return group;
    if (pieces->entity.size > 0 && side->group_count >= ADVICE_GROUPS - GROUPS_WITHOUT_ENTITY) {
        give_entity_back(pieces);
        group = find_group(side, pieces);
        if (group) return group;
    }
    if (side->group_count == ADVICE_GROUPS) return side->groups[ADVICE_GROUPS - 1];
    group = sheaf_heap_allocate_zeroed(&adviser->heap, sizeof *group);
    if (!group) return NULL;
    if (pieces->entity.size > 0) memcpy(group->entity, pieces->entity.data, pieces->entity.size);
    group->entity_size = pieces->entity.size;
    group->delimiter = pieces->delimiter;
    group->is_path = pieces->is_path;
    side->groups[side->group_count++] = group;
    return group;
}

/* ---- text ------------------------------------------------------------------------------------------------------------- */

/* Whether UTF-16 sorts the two otherwise: the first character in which they differ decides. */
static bool utf16_differs(sheaf_bytes left, sheaf_bytes right)
{
    while (left.size > 0 && right.size > 0) {
        size_t left_size = sheaf_utf8_character_size(left), right_size = sheaf_utf8_character_size(right);
        if (left_size == 0 || right_size == 0) return false; /* cut within a character */
        uint32_t a = sheaf_utf8_code_point(left.data, left_size), b = sheaf_utf8_code_point(right.data, right_size);
        if (a != b) return (a > 0xFFFF && b >= 0xE000 && b <= 0xFFFF) || (b > 0xFFFF && a >= 0xE000 && a <= 0xFFFF);
        left = sheaf_bytes_skip(left, left_size);
        right = sheaf_bytes_skip(right, right_size);
    }
    return false;
}

static void pair_utf16(struct advice_group *group, sheaf_bytes key, const struct advice_tally *others)
{
    if (group->utf16_pair[0].size > 0 || others->count == 0) return;
    sheaf_bytes other = sheaf_advice_example_key(&others->first);
    if (!utf16_differs(key, other)) return;
    bool key_first = sheaf_bytes_order(key, other) < 0;
    sheaf_advice_example_set(&group->utf16_pair[!key_first], key, 0, 0);
    sheaf_advice_example_set(&group->utf16_pair[key_first], other, 0, 0);
}

static void count_characters(struct advice_group *group, sheaf_bytes key)
{
    bool high = false, astral = false;
    for (sheaf_bytes rest = key; rest.size > 0;) {
        size_t size = sheaf_utf8_character_size(rest);
        uint32_t code = sheaf_utf8_code_point(rest.data, size);
        high = high || (code >= 0xE000 && code <= 0xFFFF);
        astral = astral || code > 0xFFFF;
        rest = sheaf_bytes_skip(rest, size);
    }
    if (high) sheaf_advice_note(&group->high_characters, key);
    if (astral) sheaf_advice_note(&group->astral, key);
    if (high) pair_utf16(group, key, &group->astral);
    if (astral) pair_utf16(group, key, &group->high_characters);
}

static bool has_blanks(sheaf_bytes segment)
{
    if (segment.size == 0) return false;
    for (size_t i = 0; i < segment.size; i++)
        if (segment.data[i] < 0x20 || segment.data[i] == 0x7F) return true;
    return segment.data[0] == ' ' || segment.data[segment.size - 1] == ' ';
}

static bool any_blanks(const struct advice_pieces *pieces)
{
    for (size_t i = 0; i < pieces->segment_count && i < ADVICE_SEGMENTS; i++)
        if (has_blanks(pieces->segments[i])) return true;
    return false;
}

static void count_text(struct advice_group *group, const struct advice_pieces *pieces)
{
    if (pieces->has_empty) sheaf_advice_note(&group->empty, pieces->key);
    if (any_blanks(pieces)) sheaf_advice_note(&group->blank, pieces->key);
    if (sheaf_utf8_is_valid(pieces->key)) count_characters(group, pieces->key);
    else sheaf_advice_note(&group->no_text, pieces->key);
}

/* ---- spellings -------------------------------------------------------------------------------------------------------- */

/* Text with letters, of a length that can be shown. False: not that. */
static bool lower(sheaf_bytes text, uint8_t *out_lower)
{
    bool has_letter = false;
    if (text.size > ADVICE_TEXT_SIZE) return false;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = text.data[i];
        bool upper = byte >= 'A' && byte <= 'Z';
        has_letter = has_letter || upper || (byte >= 'a' && byte <= 'z');
        out_lower[i] = upper ? (uint8_t)(byte + 'a' - 'A') : byte;
    }
    return has_letter;
}

/* Two spellings of one text, in one place; of sort keys, in one collection: elsewhere they are two names. */
static void count_spelling(struct sheaf_adviser *adviser, sheaf_bytes text, uint64_t place)
{
    uint8_t lowered[ADVICE_TEXT_SIZE];
    if (!lower(text, lowered)) return;
    uint64_t exact = sheaf_hash(text, place) | 1;
    struct advice_mark *mark = sheaf_advice_set_mark(&adviser->spellings, sheaf_hash(sheaf_bytes_of(lowered, text.size), place));
    if (!mark) return;
    struct advice_text *kept = sheaf_advice_set_text(&adviser->spellings, mark);
    if (mark->value == 0) {
        mark->value = exact;
        kept->size = (uint8_t)text.size;
        memcpy(kept->bytes, text.data, text.size);
    } else if (mark->value != exact) {
        if (adviser->case_faults.count == 0)
            sheaf_advice_example_set(&adviser->case_other, sheaf_bytes_of(kept->bytes, kept->size), 0, 0);
        sheaf_advice_note(&adviser->case_faults, text);
    }
}

static void count_spellings(struct sheaf_adviser *adviser, const struct advice_pieces *pieces, uint64_t place)
{
    struct advice_time time;
    if (pieces->is_path) { /* the folders it lies in, and itself */
        for (size_t at = 1; at < pieces->key.size; at++)
            if (pieces->key.data[at] == '/') count_spelling(adviser, sheaf_bytes_of(pieces->key.data, at), place);
        count_spelling(adviser, pieces->key, place);
        return;
    }
    if (pieces->entity.size > 0) {
        count_spelling(adviser, pieces->entity, place);
        place++;
    }
    for (size_t i = 0; i < pieces->segment_count && i < ADVICE_SEGMENTS; i++, place++) {
        sheaf_bytes segment = pieces->segments[i];
        if (sheaf_advice_look(segment, &time) == LOOK_TEXT) count_spelling(adviser, segment, place);
    }
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

static void tell_of_folder(struct sheaf_adviser *adviser, struct advice_mark *mark, sheaf_bytes path, sheaf_bytes key)
{
    uint64_t fault = FOLDER_IS_THERE | FOLDER_IS_BARE;
    if ((mark->value & fault) != fault) return;
    if (!(mark->value & FOLDER_TOLD)) {
        if (adviser->folder_faults.count == 0 && key.size > path.size) sheaf_advice_example_set(&adviser->folder_other, key, 0, 0);
        sheaf_advice_note(&adviser->folder_faults, path);
        mark->value |= FOLDER_TOLD;
    }
    if (mark->value & FOLDER_HAS_SIBLING && !(mark->value & FOLDER_SIBLING_TOLD)) {
        sheaf_advice_note(&adviser->sibling_faults, path);
        mark->value |= FOLDER_SIBLING_TOLD;
    }
}

static void mark_folder(struct sheaf_adviser *adviser, sheaf_bytes path, enum folder_mark what, sheaf_bytes key, uint64_t collection)
{
    struct advice_mark *mark = sheaf_advice_set_mark(&adviser->folders, sheaf_hash(path, collection));
    if (!mark) return;
    if (what == FOLDER_HAS_SIBLING && !(mark->value & FOLDER_HAS_SIBLING) && adviser->sibling_faults.count == 0 &&
        (mark->value & FOLDER_IS_BARE)) {
        sheaf_advice_example_set(&adviser->sibling_other, key, 0, 0);
    }
    mark->value |= (uint64_t)what;
    tell_of_folder(adviser, mark, path, key);
}

static bool goes_on_a_name(uint8_t byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
}

/* The folders that a path lies in or is, the names that its own names begin with, and itself; within its collection. */
static void count_path(struct sheaf_adviser *adviser, sheaf_bytes key, uint64_t collection)
{
    for (size_t at = 1; at < key.size; at++) {
        sheaf_bytes before = sheaf_bytes_of(key.data, at);
        if (key.data[at] == '/') {
            mark_folder(adviser, before, FOLDER_IS_THERE, key, collection);
        } else if (!goes_on_a_name(key.data[at]) && key.data[at - 1] != '/') {
            mark_folder(adviser, before, FOLDER_HAS_SIBLING, key, collection);
        }
    }
    if (key.size > 0 && key.data[key.size - 1] != '/') mark_folder(adviser, key, FOLDER_IS_BARE, key, collection);
}

/* ---- keys ------------------------------------------------------------------------------------------------------------- */

static void count_length(const struct advice_side *side, struct advice_group *group, sheaf_bytes key)
{
    if (key.size > side->size_max) sheaf_advice_note(&group->too_long, key);
    else if (key.size > side->size_max / 10 * 9) sheaf_advice_note(&group->long_keys, key);
}

/* Whether numbers of two widths stand in a place of one collection: what each collection does for itself is right. Collections for
 * which there is no room are taken for such. */
static void count_width(struct sheaf_adviser *adviser, struct advice_segment *segment, sheaf_bytes digits, uint64_t collection)
{
    struct advice_time time;
    if (segment->mixes_widths || sheaf_advice_look(digits, &time) != LOOK_DIGITS) return;
    uintptr_t place = (uintptr_t)segment;
    uint64_t hash = sheaf_hash(sheaf_bytes_of(&place, sizeof place), collection);
    struct advice_mark *mark = sheaf_advice_set_mark(&adviser->widths, hash);
    if (mark) mark->value |= (uint64_t)1 << digits.size;
    segment->mixes_widths = !mark || (mark->value & (mark->value - 1)) != 0;
}

static void count_segments(struct sheaf_adviser *adviser, struct advice_group *group, const struct advice_pieces *pieces,
                           uint64_t collection)
{
    size_t count = sheaf_size_min(pieces->segment_count, ADVICE_COUNTS - 1);
    sheaf_advice_note(&group->segment_counts[count], pieces->key);
    if (group->is_path) return;
    for (size_t i = 0; i < pieces->segment_count && i < ADVICE_SEGMENTS; i++) {
        sheaf_bytes segment = pieces->segments[i];
        if (segment.size == 0) continue;
        size_t begin = (size_t)(segment.data - pieces->key.data);
        count_width(adviser, &group->segments[i], segment, collection);
        sheaf_advice_count_segment(&group->segments[i], pieces->key, begin, segment.size);
    }
}

/* `collection`: the hash of the partition key that a sort key stands with. */
static void count_key(struct sheaf_adviser *adviser, const struct advice_side *side, struct advice_group *group,
                      const struct advice_pieces *pieces, uint64_t collection)
{
    if (group->count++ == 0) sheaf_advice_example_set(&group->first, pieces->key, 0, 0);
    count_length(side, group, pieces->key);
    if (adviser->binary && side == &adviser->sort) return;
    count_text(group, pieces);
    count_segments(adviser, group, pieces, collection);
    count_spellings(adviser, pieces, collection);
    if (side == &adviser->sort && (group->is_path || group->delimiter == 0)) count_path(adviser, pieces->key, collection);
}

/* A second kind of entity in one collection. */
static void count_entity(struct sheaf_adviser *adviser, uint64_t collection, const struct advice_group *group, sheaf_bytes key)
{
    if (group->entity_size == 0 || group->count < ENTITY_KEYS_LEAST) return;
    struct advice_mark *mark = sheaf_advice_set_mark(&adviser->entities, collection);
    if (!mark) return;
    uint64_t place = 1;
    for (size_t i = 0; i < adviser->sort.group_count; i++)
        if (adviser->sort.groups[i] == group) place += i;
    if (mark->value == 0) mark->value = place;
    if (mark->value == place) return;
    if (adviser->open_ranges.count == 0)
        adviser->open_other = adviser->sort.groups[mark->value - 1]->first;
    sheaf_advice_note(&adviser->open_ranges, key);
}

enum { MILLISECONDS_FROM = 100 }; /* thousands of millions: in seconds, the year 5138 */

sheaf_status sheaf_adviser_add(sheaf_adviser *adviser, const sheaf_advice_key *key)
{
    struct advice_pieces partition, sort;
    bool has_sort = key->sort_key.size > 0;
    sheaf_advice_split(key->partition_key, adviser->delimiter, &partition);
    sheaf_advice_split(key->sort_key, adviser->delimiter, &sort);
    struct advice_group *partition_group = take_group(adviser, &adviser->partition, &partition);
    struct advice_group *sort_group = has_sort ? take_group(adviser, &adviser->sort, &sort) : NULL;
    if (!partition_group || (has_sort && !sort_group)) return SHEAF_NO_MEMORY; /* A2 */
    uint64_t collection = sheaf_hash(key->partition_key, 0);
    adviser->count++;
    count_key(adviser, &adviser->partition, partition_group, &partition, 0);
    if (has_sort) {
        count_key(adviser, &adviser->sort, sort_group, &sort, collection);
        count_entity(adviser, collection, sort_group, key->sort_key);
    }
    sheaf_advice_shares_add(&adviser->entries, key->partition_key, collection, 1);
    sheaf_advice_shares_add(&adviser->bytes, key->partition_key, collection, key->size);
    sheaf_advice_shares_add(&adviser->reads, key->partition_key, collection, key->reads);
    if (key->expiry >= (int64_t)MILLISECONDS_FROM * 1000000000) sheaf_advice_note(&adviser->milliseconds, key->sort_key);
    return SHEAF_OK;
}

/* ---- findings --------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_adviser_findings(sheaf_adviser *adviser, const sheaf_finding **out_findings, size_t *out_count)
{
    sheaf_advice_judge(adviser);
    *out_findings = adviser->told;
    *out_count = adviser->finding_count;
    return SHEAF_OK;
}
