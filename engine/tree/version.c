#include "engine/tree/version.h"

#include "engine/base/assert.h"

/* ---- dead lists ------------------------------------------------------------------------------------------------------- */

static bool has_room(const struct sheaf_dead_chunk *chunk)
{
    return chunk && chunk->count < DEAD_CHUNK_CAPACITY;
}

/* Places that are there, on the newest version's list and in spare chunks. */
static uint64_t count_places(const struct sheaf_grove *grove)
{
    uint64_t places = grove->spare_count * (uint64_t)DEAD_CHUNK_CAPACITY;
    const struct sheaf_dead_chunk *chunk = grove->newest->chunks;
    return has_room(chunk) ? places + DEAD_CHUNK_CAPACITY - chunk->count : places;
}

static void free_spare(struct sheaf_grove *grove)
{
    struct sheaf_dead_chunk *chunk = grove->spare;
    grove->spare = chunk->next;
    grove->spare_count--;
    sheaf_heap_free(&grove->heap, chunk, sizeof *chunk);
}

static bool add_spare(struct sheaf_grove *grove)
{
    struct sheaf_dead_chunk *chunk = sheaf_heap_allocate(&grove->heap, sizeof *chunk);
    if (!chunk) return false;
    chunk->next = grove->spare;
    chunk->youngest = 0;
    chunk->count = 0;
    grove->spare = chunk;
    grove->spare_count++;
    return true;
}

bool sheaf_grove_reserve(struct sheaf_grove *grove, uint64_t count)
{
    if (!grove->newest || count == 0) return true;
    uint64_t spare_count = grove->spare_count;
    while (count_places(grove) < grove->reserved + count) {
        if (add_spare(grove)) continue;
        while (grove->spare_count > spare_count) free_spare(grove);
        return false;
    }
    grove->reserved += count;
    return true;
}

void sheaf_grove_release(struct sheaf_grove *grove)
{
    while (grove->spare) free_spare(grove);
    grove->reserved = 0;
}

static void append(struct sheaf_grove *grove, struct sheaf_dead dead)
{
    struct sheaf_version *version = grove->newest;
    sheaf_assert(grove->reserved > 0);
    if (!has_room(version->chunks)) {
        struct sheaf_dead_chunk *chunk = grove->spare;
        grove->spare = chunk->next;
        grove->spare_count--;
        chunk->next = version->chunks;
        version->chunks = chunk;
    }
    struct sheaf_dead_chunk *chunk = version->chunks;
    chunk->dead[chunk->count++] = dead;
    if (dead.birth > chunk->youngest) chunk->youngest = dead.birth;
    grove->reserved--;
    grove->retained_bytes += sheaf_heap_real_size(&grove->heap, dead.size);
}

void sheaf_grove_retire(struct sheaf_grove *grove, void *block, size_t size, uint64_t birth)
{
    if (!sheaf_is_frozen(grove, birth)) {
        sheaf_heap_free(&grove->heap, block, size);
    } else if (birth >= grove->foreign_before) { /* V4 */
        append(grove, (struct sheaf_dead){ block, birth, size });
    }
}

/* ---- versions --------------------------------------------------------------------------------------------------------- */

static void set_newest(struct sheaf_grove *grove, struct sheaf_version *version)
{
    grove->newest = version;
    grove->frozen_before = version ? version->number : grove->foreign_before; /* V2 */
}

void sheaf_version_open(struct sheaf_grove *grove, struct sheaf_version *version)
{
    sheaf_assert(grove->reserved == 0);
    grove->version = ++grove->changes;
    *version = (struct sheaf_version){ .number = grove->version, .older = grove->newest };
    if (version->older) version->older->newer = version;
    set_newest(grove, version);
    grove->version_count++;
}

/* Frees what was born in `since` or later; what is left stays in its chunk. */
static void free_young(struct sheaf_grove *grove, struct sheaf_dead_chunk *chunk, uint64_t since)
{
    uint32_t kept = 0;
    uint64_t youngest = 0;
    for (uint32_t i = 0; i < chunk->count; i++) {
        struct sheaf_dead dead = chunk->dead[i];
        if (dead.birth >= since) {
            grove->retained_bytes -= sheaf_heap_real_size(&grove->heap, dead.size);
            sheaf_heap_free(&grove->heap, dead.block, dead.size);
            continue;
        }
        if (dead.birth > youngest) youngest = dead.birth;
        chunk->dead[kept++] = dead;
    }
    chunk->count = kept;
    chunk->youngest = youngest;
}

/* Hands a closed version's list on. Its chunks go in front: none but the first of a list has to have room. */
static void hand_on(struct sheaf_grove *grove, struct sheaf_version *version, struct sheaf_version *to)
{
    uint64_t since = to ? to->number : grove->foreign_before;
    struct sheaf_dead_chunk *chunk = version->chunks;
    while (chunk) {
        struct sheaf_dead_chunk *next = chunk->next;
        if (chunk->youngest >= since) free_young(grove, chunk, since);
        if (chunk->count == 0) {
            sheaf_heap_free(&grove->heap, chunk, sizeof *chunk);
        } else {
            sheaf_assert(to); /* V4: nothing on a list is older than the grove itself */
            chunk->next = to->chunks;
            to->chunks = chunk;
        }
        chunk = next;
    }
    version->chunks = NULL;
}

void sheaf_version_close(struct sheaf_grove *grove, struct sheaf_version *version)
{
    sheaf_assert(grove->reserved == 0);
    if (version->older) version->older->newer = version->newer;
    if (version->newer) version->newer->older = version->older;
    if (grove->newest == version) set_newest(grove, version->older);
    grove->version_count--;
    hand_on(grove, version, version->older);
}

/* ---- going back ------------------------------------------------------------------------------------------------------- */

static void revive_in_chunk(struct sheaf_grove *grove, struct sheaf_dead_chunk *chunk, sheaf_lives_again *lives_again,
                            const void *context)
{
    uint32_t kept = 0;
    chunk->youngest = 0;
    for (uint32_t i = 0; i < chunk->count; i++) {
        struct sheaf_dead dead = chunk->dead[i];
        if (lives_again(context, &dead)) {
            grove->retained_bytes -= sheaf_heap_real_size(&grove->heap, dead.size);
            continue;
        }
        if (dead.birth > chunk->youngest) chunk->youngest = dead.birth;
        chunk->dead[kept++] = dead;
    }
    chunk->count = kept;
}

void sheaf_version_revive_some(struct sheaf_grove *grove, struct sheaf_version *version, sheaf_lives_again *lives_again,
                               const void *context)
{
    for (; version; version = version->newer) {
        struct sheaf_dead_chunk **place = &version->chunks;
        while (*place) {
            struct sheaf_dead_chunk *chunk = *place;
            revive_in_chunk(grove, chunk, lives_again, context);
            if (chunk->count > 0) {
                place = &chunk->next;
                continue;
            }
            *place = chunk->next;
            sheaf_heap_free(&grove->heap, chunk, sizeof *chunk);
        }
    }
}

static bool was_there(const void *context, const struct sheaf_dead *dead)
{
    const struct sheaf_version *version = context;
    return dead->birth < version->number;
}

void sheaf_version_revive(struct sheaf_grove *grove, struct sheaf_version *version)
{
    sheaf_version_revive_some(grove, version, was_there, version);
}

/* ---- check ------------------------------------------------------------------------------------------------------------ */

static const char *broken_list_rule(const struct sheaf_grove *grove, const struct sheaf_version *version, uint64_t *retained)
{
    for (const struct sheaf_dead_chunk *chunk = version->chunks; chunk; chunk = chunk->next) {
        uint64_t youngest = 0;
        if (chunk->count == 0 || chunk->count > DEAD_CHUNK_CAPACITY) return "V5: no chunk of a dead list is empty";
        for (uint32_t i = 0; i < chunk->count; i++) {
            uint64_t birth = chunk->dead[i].birth;
            if (birth >= version->number) return "V1: what is on a version's dead list was born before it";
            if (birth < grove->foreign_before) return "V4: nothing of another grove is on a dead list";
            if (birth > youngest) youngest = birth;
            *retained += sheaf_heap_real_size(&grove->heap, chunk->dead[i].size);
        }
        if (youngest != chunk->youngest) return "V1: a chunk knows its youngest";
    }
    return NULL;
}

static const char *broken_rule(const struct sheaf_grove *grove)
{
    uint64_t retained = 0;
    uint64_t count = 0;
    for (const struct sheaf_version *version = grove->newest; version; version = version->older) {
        if (version->older && version->older->number >= version->number) return "V1: versions stand in order";
        if (version->older && version->older->newer != version) return "V1: versions are linked both ways";
        const char *rule = broken_list_rule(grove, version, &retained);
        if (rule) return rule;
        count++;
    }
    uint64_t frozen_before = grove->newest ? grove->newest->number : grove->foreign_before;
    if (grove->frozen_before != frozen_before) return "V2: what was born before the newest version is frozen";
    if (grove->version_count != count) return "V1: the versions are counted";
    if (grove->retained_bytes != retained) return "V5: what the dead lists hold is summed";
    if (grove->reserved != 0 || grove->spare) return "V5: between changes no place is reserved";
    return NULL;
}

bool sheaf_grove_check(const struct sheaf_grove *grove, sheaf_fault *out_fault)
{
    const char *rule = broken_rule(grove);
    if (rule && out_fault) *out_fault = (sheaf_fault){ .rule = rule };
    return rule == NULL;
}
