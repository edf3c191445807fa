#include "engine/tree/census.h"

#include "engine/tree/large.h"

enum { BITS_MIN = 6, HASH_BITS = 64 };

/* ---- a table of blocks ------------------------------------------------------------------------------------------------ */

static size_t capacity_of(const struct sheaf_census *census)
{
    return census->entries ? (size_t)1 << census->bits : 0;
}

static struct sheaf_census_entry *find(const struct sheaf_census *census, const void *block)
{
    size_t at = (size_t)(((uint64_t)(uintptr_t)block * 0x9E3779B97F4A7C15u) >> (HASH_BITS - census->bits));
    while (census->entries[at].block && census->entries[at].block != block) at = (at + 1) & (capacity_of(census) - 1);
    return &census->entries[at];
}

static void free_entries(const struct sheaf_census *census)
{
    const sheaf_allocator *hooks = &census->grove->heap.hooks;
    if (census->entries)
        (void)hooks->resize(hooks->context, census->entries, capacity_of(census) * sizeof *census->entries, 0);
}

static bool grow(struct sheaf_census *census)
{
    struct sheaf_census grown = *census;
    const sheaf_allocator *hooks = &census->grove->heap.hooks;
    grown.bits = census->entries ? census->bits + 1 : BITS_MIN;
    size_t size = ((size_t)1 << grown.bits) * sizeof *grown.entries;
    grown.entries = hooks->resize(hooks->context, NULL, 0, size);
    if (!grown.entries) return false;
    memset(grown.entries, 0, size);
    for (size_t i = 0; i < capacity_of(census); i++)
        if (census->entries[i].block) *find(&grown, census->entries[i].block) = census->entries[i];
    free_entries(census);
    *census = grown;
    return true;
}

/* The block's entry, a new one if it has none; NULL when memory is refused. */
static struct sheaf_census_entry *entry_of(struct sheaf_census *census, void *block, size_t size, uint64_t birth)
{
    if (census->refused) return NULL;
    if ((census->count + 1) * 2 > capacity_of(census) && !grow(census)) {
        census->refused = true;
        return NULL;
    }
    struct sheaf_census_entry *entry = find(census, block);
    if (entry->block) return entry;
    *entry = (struct sheaf_census_entry){ .block = block, .size = size, .birth = birth };
    census->count++;
    return entry;
}

/* ---- taking in -------------------------------------------------------------------------------------------------------- */

static void add_dead_list(struct sheaf_census *census, const struct sheaf_version *version)
{
    for (const struct sheaf_dead_chunk *chunk = version->chunks; chunk; chunk = chunk->next) {
        for (uint32_t i = 0; i < chunk->count; i++) {
            const struct sheaf_dead *dead = &chunk->dead[i];
            struct sheaf_census_entry *entry = entry_of(census, dead->block, dead->size, dead->birth);
            if (!entry) return;
            if (entry->listed_on) entry->listed_twice = true;
            entry->listed_on = version->number;
        }
    }
}

void sheaf_census_begin(struct sheaf_census *census, const struct sheaf_grove *grove)
{
    *census = (struct sheaf_census){ .grove = grove, .plain = !grove->newest && grove->foreign_before == 0 };
    for (const struct sheaf_version *version = grove->newest; version; version = version->older) add_dead_list(census, version);
}

void sheaf_census_end(struct sheaf_census *census)
{
    free_entries(census);
    census->entries = NULL;
}

void sheaf_census_add(struct sheaf_census *census, void *block, size_t size, uint64_t birth,
                      const struct sheaf_version *version)
{
    if (birth < census->grove->foreign_before) return;
    if (census->plain) {
        census->count++;
        census->plain_bytes += sheaf_heap_real_size(&census->grove->heap, size);
        return;
    }
    struct sheaf_census_entry *entry = entry_of(census, block, size, birth);
    if (!entry) return;
    if (!version) entry->live = true;
    else if (entry->seen_by < version->number) entry->seen_by = version->number;
}

static void add_values(struct sheaf_census *census, const struct sheaf_node *leaf, const struct sheaf_version *version)
{
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
        if (payload.large) sheaf_census_add(census, payload.large, payload.bytes.size, payload.birth, version);
    }
}

void sheaf_census_add_tree(struct sheaf_census *census, struct sheaf_node *root, const struct sheaf_version *version)
{
    if (!root || root->birth < census->grove->foreign_before) return; /* V3: all below is another grove's too */
    sheaf_census_add(census, root, root->size, root->birth, version);
    if (sheaf_node_is_leaf(root)) {
        add_values(census, root, version);
        return;
    }
    struct sheaf_node *const *children = sheaf_node_children(root);
    for (uint32_t slot = 0; slot < root->count; slot++) sheaf_census_add_tree(census, children[slot], version);
}

const struct sheaf_census_entry *sheaf_census_find(const struct sheaf_census *census, const void *block)
{
    return find(census, block);
}

const struct sheaf_census_entry *sheaf_census_next(const struct sheaf_census *census, const struct sheaf_census_entry *entry)
{
    const struct sheaf_census_entry *end = census->entries + capacity_of(census);
    if (!census->entries) return NULL;
    for (entry = entry ? entry + 1 : census->entries; entry < end; entry++)
        if (entry->block) return entry;
    return NULL;
}

/* ---- results ---------------------------------------------------------------------------------------------------------- */

static const char *broken_rule(const struct sheaf_census_entry *entry)
{
    if (entry->listed_twice) return "V6: a block is on one dead list at most";
    if (entry->live && entry->listed_on) return "V6: nothing the store leads to is on a dead list";
    if (!entry->live && entry->listed_on < entry->seen_by) return "V7: what only versions see is on a list of theirs or newer";
    return NULL;
}

bool sheaf_census_check(const struct sheaf_census *census, uint64_t *out_block_count, uint64_t *out_charged_bytes,
                        sheaf_fault *out_fault)
{
    uint64_t block_count = census->plain ? census->count : 0;
    uint64_t charged_bytes = census->plain_bytes;
    for (size_t i = 0; i < capacity_of(census); i++) {
        const struct sheaf_census_entry *entry = &census->entries[i];
        if (!entry->block) continue;
        const char *rule = broken_rule(entry);
        if (rule) {
            if (out_fault) *out_fault = (sheaf_fault){ .rule = rule };
            return false;
        }
        block_count++;
        charged_bytes += sheaf_heap_real_size(&census->grove->heap, entry->size);
    }
    for (const struct sheaf_version *version = census->grove->newest; version; version = version->older) {
        for (const struct sheaf_dead_chunk *chunk = version->chunks; chunk; chunk = chunk->next) {
            block_count++;
            charged_bytes += sheaf_heap_real_size(&census->grove->heap, sizeof *chunk);
        }
    }
    *out_block_count = block_count;
    *out_charged_bytes = charged_bytes;
    return true;
}

uint64_t sheaf_census_unseen(const struct sheaf_census *census)
{
    uint64_t unseen = 0;
    for (size_t i = 0; i < capacity_of(census); i++)
        if (census->entries[i].block && census->entries[i].listed_on && !census->entries[i].seen_by) unseen++;
    return unseen;
}
