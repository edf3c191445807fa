#include "engine/store/cache.h"

#include "engine/base/assert.h"
#include "engine/base/hash.h"
#include "engine/store/expiry.h"
#include "engine/tree/cursor.h"

enum { HALF_OF_DRAWS = 1 << 15 }; /* of sheaf_sifter_draw() */

/* ---- a cache comes and goes --------------------------------------------------------------------------------------------- */

static bool keeps_entry_uses(sheaf_eviction eviction)
{
    return eviction == SHEAF_EVICTION_FREQUENCY || eviction == SHEAF_EVICTION_RECENCY;
}

sheaf_status sheaf_cache_validate(const sheaf_cache_options *options, sheaf_detail *out_detail)
{
    if (!options) return SHEAF_OK;
    sheaf_detail detail = { .field = SHEAF_FIELD_OPTION };
    if ((unsigned)options->eviction > SHEAF_EVICTION_NONE) detail.message = "The option eviction is none of the policies";
    if ((unsigned)options->far_end > SHEAF_REVERSE) detail.message = "The option far_end is none of the two directions";
    return detail.message ? sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail) : SHEAF_OK;
}

sheaf_status sheaf_cache_begin(struct sheaf_store *store, const sheaf_cache_options *options)
{
    struct sheaf_cache *cache = sheaf_heap_allocate(&store->grove.heap, sizeof *cache);
    if (!cache) return SHEAF_NO_MEMORY;
    *cache = (struct sheaf_cache){ .options = *options };
    bool recency = options->eviction == SHEAF_EVICTION_RECENCY;
    sheaf_use_rules_init(&cache->rules, recency ? SHEAF_USE_RECENCY : SHEAF_USE_FREQUENCY);
    sheaf_sifter_init(&cache->sifter);
    store->cache = cache;
    if (keeps_entry_uses(options->eviction)) {
        store->grove.use = (struct sheaf_use){ .size = 1, .fresh = cache->rules.fresh, .used = cache->rules.used };
    }
    return SHEAF_OK;
}

void sheaf_cache_end(struct sheaf_store *store)
{
    struct sheaf_cache *cache = store->cache;
    if (!cache) return;
    sheaf_ghost_deinit(&cache->ghost, &store->grove.heap);
    sheaf_heap_free(&store->grove.heap, cache, sizeof *cache);
    store->cache = NULL;
}

/* ---- uses --------------------------------------------------------------------------------------------------------------- */

/* Reads may run beside each other. */
static void count(uint64_t *counter)
{
    (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void note_collection_use(const struct sheaf_use_rules *rules, struct sheaf_collection *collection)
{
    uint8_t before = __atomic_load_n(&collection->use, __ATOMIC_RELAXED);
    uint8_t after = rules->used[before];
    if (after != before) __atomic_store_n(&collection->use, after, __ATOMIC_RELAXED);
}

static sheaf_status read_entry(const struct sheaf_cache *cache, struct sheaf_collection *collection, sheaf_bytes sort_key,
                               sheaf_bytes *out_value_view)
{
    const struct sheaf_tree *tree = &collection->tree;
    sheaf_status status = keeps_entry_uses(cache->options.eviction) ? sheaf_tree_get_used(tree, sort_key, out_value_view)
                                                                    : sheaf_tree_get(tree, sort_key, out_value_view);
    if (status == SHEAF_OK && cache->options.eviction == SHEAF_EVICTION_COLLECTION)
        note_collection_use(&cache->rules, collection);
    return status;
}

sheaf_status sheaf_cache_get(const struct sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes *out_value_view)
{
    struct sheaf_cache *cache = store->cache;
    const struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (!slot) {
        count(&cache->statistics.misses);
        return SHEAF_NOT_FOUND;
    }
    bool hidden = sheaf_store_hides_entry(store, &slot->collection->tree, sort_key);
    sheaf_status status = hidden ? SHEAF_NOT_FOUND : read_entry(cache, slot->collection, sort_key, out_value_view);
    sheaf_statistics *books = sheaf_collection_books(slot->collection);
    count(status == SHEAF_OK ? &cache->statistics.hits : &cache->statistics.misses);
    count(status == SHEAF_OK ? &books->hits : &books->misses);
    return status;
}

void sheaf_cache_note_scan(sheaf_cursor *cursor, uint32_t begin, uint32_t end)
{
    const struct sheaf_store *store = cursor->store;
    const struct sheaf_cache *cache = store->cache;
    if (!cache->options.scans_are_uses) return;
    if (keeps_entry_uses(cache->options.eviction)) {
        sheaf_tree_cursor_note_uses(cursor, begin, end);
    } else if (cache->options.eviction == SHEAF_EVICTION_COLLECTION) {
        const struct sheaf_slot *slot =
            sheaf_directory_find(&store->directory, cursor->partition_hash, cursor->partition_key);
        if (slot) note_collection_use(&cache->rules, slot->collection);
    }
}

uint64_t sheaf_cache_entry_hash(uint64_t partition_hash, sheaf_bytes sort_key)
{
    return sheaf_hash(sort_key, partition_hash);
}

/* What begins with a use to its credit: one in two of those that come back. */
static bool returns(struct sheaf_cache *cache, uint64_t hash)
{
    return sheaf_ghost_knows(&cache->ghost, hash) && sheaf_sifter_draw(&cache->sifter) < HALF_OF_DRAWS;
}

void sheaf_cache_expect(struct sheaf_store *store, uint64_t partition_hash, sheaf_bytes sort_key)
{
    struct sheaf_cache *cache = store->cache;
    if (cache->options.eviction != SHEAF_EVICTION_FREQUENCY || !cache->ghost.marks) return;
    bool returned = returns(cache, sheaf_cache_entry_hash(partition_hash, sort_key));
    store->grove.use.fresh = returned ? cache->rules.returned : cache->rules.fresh;
}

void sheaf_cache_expect_collection(struct sheaf_store *store, uint64_t partition_hash, struct sheaf_collection *collection)
{
    struct sheaf_cache *cache = store->cache;
    if (cache->options.eviction != SHEAF_EVICTION_COLLECTION) return;
    collection->use = returns(cache, partition_hash) ? cache->rules.returned : cache->rules.fresh;
}

/* ---- pauses ------------------------------------------------------------------------------------------------------------- */

void sheaf_cache_pause(struct sheaf_store *store)
{
    if (!store->cache) return;
    store->cache->paused = true;
    store->cache->before_pause = store->cache->statistics;
}

void sheaf_cache_resume(struct sheaf_store *store, bool done)
{
    if (!store->cache) return;
    store->cache->paused = false;
    if (!done) store->cache->statistics = store->cache->before_pause;
}

/* ---- statistics --------------------------------------------------------------------------------------------------------- */

void sheaf_cache_book(struct sheaf_cache *cache, struct sheaf_collection *collection, sheaf_totals evicted)
{
    sheaf_statistics *books = sheaf_collection_books(collection);
    cache->statistics.evictions += evicted.count;
    cache->statistics.evicted_bytes += evicted.bytes;
    books->evictions += evicted.count;
    books->evicted_bytes += evicted.bytes;
}

/* A reader beside may be counting. */
static sheaf_statistics read_statistics(const sheaf_statistics *books)
{
    return (sheaf_statistics){ .hits = __atomic_load_n(&books->hits, __ATOMIC_RELAXED),
                               .misses = __atomic_load_n(&books->misses, __ATOMIC_RELAXED),
                               .evictions = books->evictions,
                               .evicted_bytes = books->evicted_bytes,
                               .expirations = books->expirations };
}

sheaf_status sheaf_store_statistics(const sheaf_store *store, sheaf_statistics *out_statistics)
{
    if (!store->cache) return SHEAF_NOT_FOUND;
    *out_statistics = read_statistics(&store->cache->statistics);
    return SHEAF_OK;
}

sheaf_status sheaf_collection_statistics(const sheaf_store *store, sheaf_bytes partition_key, sheaf_statistics *out_statistics)
{
    const struct sheaf_slot *slot = store->cache ? sheaf_store_find_slot(store, partition_key) : NULL;
    if (!slot || sheaf_store_visible(store, &slot->collection->tree).count == 0) return SHEAF_NOT_FOUND;
    *out_statistics = read_statistics(sheaf_collection_books(slot->collection));
    return SHEAF_OK;
}
