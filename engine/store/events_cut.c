/*
 * events_cut.c - the events of many entries that leave at once.
 *
 *      few                        copied, one by one
 *      no version is open         their nodes are taken over from the cut: nothing is copied but the leaves at its two ends
 *      else                       a view is opened that sees them all, and read
 *
 * Taking over costs the cut nothing but the freeing, which is put off until the events are delivered. It is not done beside
 * versions: what they see of these nodes belongs on their dead lists.
 */
#include <string.h>

#include "engine/base/assert.h"
#include "engine/store/events.h"
#include "engine/store/view.h"
#include "engine/tree/clear.h"
#include "engine/tree/count.h"
#include "engine/tree/cut.h"
#include "engine/tree/large.h"

enum { COPIED_COUNT_MAX = 64, COPIED_BYTES_MAX = 1 << 14 };

static const sheaf_cut NO_CUT = { .side = SHEAF_SIDE_UNBOUNDED };

/* ---- few ---------------------------------------------------------------------------------------------------------------- */

struct noting {
    struct sheaf_store *store;
    sheaf_cause cause;
    sheaf_bytes partition_key;
    bool refused;
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
};

static void note_slots(void *context, struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole)
{
    struct noting *noting = context;
    if (whole) end = node->count;
    for (uint32_t slot = begin; slot < end && !noting->refused; slot++) {
        if (!sheaf_node_is_leaf(node)) {
            note_slots(context, sheaf_node_children(node)[slot], 0, 0, true);
            continue;
        }
        sheaf_bytes sort_key = sheaf_node_key(node, slot, noting->key);
        sheaf_bytes value = sheaf_payload_of_slot(node, slot).bytes;
        noting->refused = !sheaf_events_note_entry(noting->store, noting->cause, noting->partition_key, sort_key, value);
    }
}

/* False if there is no room for them. */
static bool note_few(struct sheaf_store *store, const struct sheaf_collection *collection, const sheaf_range *range,
                     sheaf_cause cause)
{
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    struct noting noting;
    noting.store = store;
    noting.cause = cause;
    noting.partition_key = sheaf_collection_key(collection);
    noting.refused = false;
    sheaf_tree_visit_cut(&collection->tree, range, note_slots, &noting);
    if (noting.refused) sheaf_events_undo(store, mark);
    return !noting.refused;
}

/* ---- nodes -------------------------------------------------------------------------------------------------------------- */

/* What the item of a cut must have room for, and then where the next of it goes. */
struct survey {
    size_t piece_count;
    size_t copied_size;
    struct sheaf_event_piece *piece;
    uint8_t *copy;
};

static size_t aligned(size_t size)
{
    return (size + _Alignof(struct sheaf_node) - 1) & ~(_Alignof(struct sheaf_node) - 1);
}

static void measure(void *context, struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole)
{
    (void)begin, (void)end;
    struct survey *survey = context;
    survey->piece_count++;
    if (!whole) survey->copied_size += aligned(node->size);
}

static void take_piece(void *context, struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole)
{
    struct survey *survey = context;
    if (!whole) {
        memcpy(survey->copy, node, node->size);
        node = (struct sheaf_node *)(void *)survey->copy;
        survey->copy += aligned(node->size);
    }
    *survey->piece++ = (struct sheaf_event_piece){ node, (uint16_t)begin, (uint16_t)end, whole };
}

/* An item of all that the cut will take out. */
static struct sheaf_event_item *take_nodes(struct sheaf_store *store, const struct sheaf_collection *collection,
                                           const sheaf_range *range)
{
    struct survey survey = { 0 };
    sheaf_bytes partition_key = sheaf_collection_key(collection);
    sheaf_tree_visit_cut(&collection->tree, range, measure, &survey);
    size_t pieces_size = survey.piece_count * sizeof(struct sheaf_event_piece);
    size_t block_size = sizeof(struct sheaf_event_item) + pieces_size + survey.copied_size + partition_key.size;
    struct sheaf_event_item *item = sheaf_event_item_allocate(store, block_size);
    if (!item) return NULL;
    item->kind = SHEAF_EVENT_NODES;
    item->nodes.piece_count = survey.piece_count;
    item->nodes.pieces = survey.piece = (struct sheaf_event_piece *)(void *)(item + 1);
    survey.copy = (uint8_t *)(survey.piece + survey.piece_count);
    sheaf_tree_visit_cut(&collection->tree, range, take_piece, &survey);
    if (partition_key.size > 0) memcpy(survey.copy, partition_key.data, partition_key.size);
    item->partition_key = sheaf_bytes_of(survey.copy, partition_key.size);
    return item;
}

static void free_nodes(struct sheaf_grove *grove, const struct sheaf_event_item *item)
{
    for (size_t i = 0; i < item->nodes.piece_count; i++) {
        const struct sheaf_event_piece *piece = &item->nodes.pieces[i];
        if (piece->whole) sheaf_subtree_free(grove, piece->node);
        else sheaf_leaf_free_values(grove, piece->node, piece->begin, piece->end);
    }
}

/* ---- views -------------------------------------------------------------------------------------------------------------- */

static sheaf_cut copy_cut(uint8_t **at, const sheaf_cut *cut)
{
    if (cut->side == SHEAF_SIDE_UNBOUNDED) return NO_CUT;
    if (cut->bytes.size > 0) memcpy(*at, cut->bytes.data, cut->bytes.size);
    *at += cut->bytes.size;
    return (sheaf_cut){ .bytes = sheaf_bytes_of(*at - cut->bytes.size, cut->bytes.size), .side = cut->side };
}

static size_t size_of_cut(const sheaf_cut *cut)
{
    return cut->side == SHEAF_SIDE_UNBOUNDED ? 0 : cut->bytes.size;
}

/* An item of a range in a view that is opened now. */
static struct sheaf_event_item *open_range(struct sheaf_store *store, const struct sheaf_collection *collection,
                                           const sheaf_range *range)
{
    sheaf_bytes partition_key = sheaf_collection_key(collection);
    size_t block_size = sizeof(struct sheaf_event_item) + partition_key.size;
    block_size += size_of_cut(&range->lower) + size_of_cut(&range->upper);
    struct sheaf_event_item *item = sheaf_event_item_allocate(store, block_size);
    if (!item) return NULL;
    if (sheaf_view_open(store, &item->range.view, NULL) != SHEAF_OK) {
        sheaf_event_item_free(store->events, item);
        return NULL;
    }
    uint8_t *at = (uint8_t *)(item + 1);
    item->kind = SHEAF_EVENT_RANGE;
    item->range.range.lower = copy_cut(&at, &range->lower);
    item->range.range.upper = copy_cut(&at, &range->upper);
    if (partition_key.size > 0) memcpy(at, partition_key.data, partition_key.size);
    item->partition_key = sheaf_bytes_of(at, partition_key.size);
    return item;
}

/* ---- a cut -------------------------------------------------------------------------------------------------------------- */

/* Beside versions the cut copies nodes when all has been noted, so that must lie in the room that is kept for it. */
static bool is_few(const struct sheaf_store *store, const struct sheaf_collection *collection, const sheaf_range *range)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    sheaf_totals totals = sheaf_tree_range_total(&collection->tree, range);
    uint64_t item_size = sizeof(struct sheaf_event_item) + collection->partition_key_size;
    uint64_t bytes = totals.bytes + totals.count * item_size;
    if (totals.count > COPIED_COUNT_MAX || bytes > COPIED_BYTES_MAX) return false;
    if (heap->limit_bytes == HEAP_NO_LIMIT || store->grove.frozen_before == 0) return true;
    return store->events->queued_bytes + bytes + bytes / 4 <= heap->reserve_bytes; /* blocks take up to a quarter more */
}

sheaf_status sheaf_events_begin_cut(struct sheaf_store *store, const struct sheaf_slot *slot, const sheaf_range *range,
                                    sheaf_cause cause, struct sheaf_event_cut *out_cut)
{
    const struct sheaf_collection *collection = slot->collection;
    *out_cut = (struct sheaf_event_cut){ .mark = sheaf_events_mark(store) };
    if (!store->events) return SHEAF_OK;
    if (is_few(store, collection, range) && note_few(store, collection, range, cause)) return SHEAF_OK;
    struct sheaf_grove *grove = &store->grove;
    bool alone = grove->frozen_before == 0;
    sheaf_heap_open_reserve(&grove->heap); /* a view and what is copied beneath it are gone by the end of the call, or soon */
    struct sheaf_event_item *item = alone ? take_nodes(store, collection, range) : open_range(store, collection, range);
    if (!item) {
        sheaf_heap_close_reserve(&grove->heap);
        return SHEAF_NO_MEMORY;
    }
    item->cause = cause;
    grove->keeping = alone;
    out_cut->item = item;
    return SHEAF_OK;
}

/* The items of a cut that did not happen own no nodes. */
static void drop_item(struct sheaf_store *store, struct sheaf_event_item *item)
{
    sheaf_assert(item->kind == SHEAF_EVENT_RANGE); /* beside no version a cut needs no memory */
    sheaf_event_item_let_go(store, item);
    sheaf_event_item_free(store->events, item);
}

void sheaf_events_end_cut(struct sheaf_store *store, const struct sheaf_event_cut *cut, bool done)
{
    if (!done) sheaf_events_undo(store, cut->mark);
    if (!cut->item) return;
    store->grove.keeping = false;
    sheaf_heap_close_reserve(&store->grove.heap);
    if (!done) {
        drop_item(store, cut->item);
        return;
    }
    if (cut->item->cause == SHEAF_CAUSE_EVICTED) store->events->queue.stopped = true; /* nothing is free yet */
    sheaf_event_queue_append(store, cut->item);
}

void sheaf_event_item_let_go(struct sheaf_store *store, struct sheaf_event_item *item)
{
    if (item->kind == SHEAF_EVENT_NODES) free_nodes(&store->grove, item);
    if (item->kind == SHEAF_EVENT_RANGE) sheaf_view_close(item->range.view);
}

/* ---- delivering --------------------------------------------------------------------------------------------------------- */

struct telling {
    const sheaf_event_options *options;
    sheaf_event event;
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
};

static void tell(void *context, struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole)
{
    struct telling *telling = context;
    if (whole) end = node->count;
    for (uint32_t slot = begin; slot < end; slot++) {
        if (!sheaf_node_is_leaf(node)) {
            tell(context, sheaf_node_children(node)[slot], 0, 0, true);
            continue;
        }
        telling->event.sort_key = sheaf_node_key(node, slot, telling->key);
        telling->event.value = sheaf_payload_of_slot(node, slot).bytes;
        telling->options->callback(telling->options->context, &telling->event);
    }
}

void sheaf_event_item_deliver_cut(const struct sheaf_events *events, const struct sheaf_event_item *item)
{
    struct telling telling;
    telling.options = &events->options;
    telling.event = (sheaf_event){ .cause = item->cause, .partition_key = item->partition_key };
    if (item->kind == SHEAF_EVENT_RANGE) {
        const struct sheaf_tree *tree = sheaf_store_find_tree(sheaf_view_store(item->range.view), item->partition_key);
        sheaf_tree_visit_cut(tree, &item->range.range, tell, &telling);
        return;
    }
    for (size_t i = 0; i < item->nodes.piece_count; i++) {
        const struct sheaf_event_piece *piece = &item->nodes.pieces[i];
        tell(&telling, piece->node, piece->begin, piece->end, piece->whole);
    }
}

/* ---- check -------------------------------------------------------------------------------------------------------------- */

static void count_block(const struct sheaf_heap *heap, size_t size, uint64_t *block_count, uint64_t *charged_bytes)
{
    *block_count += 1;
    *charged_bytes += sheaf_heap_real_size(heap, size);
}

static void count_slots(const struct sheaf_heap *heap, const struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole,
                        uint64_t *block_count, uint64_t *charged_bytes)
{
    if (whole) {
        count_block(heap, node->size, block_count, charged_bytes);
        end = node->count;
    }
    for (uint32_t slot = begin; slot < end; slot++) {
        if (!sheaf_node_is_leaf(node)) {
            count_slots(heap, sheaf_node_children(node)[slot], 0, 0, true, block_count, charged_bytes);
            continue;
        }
        struct sheaf_payload payload = sheaf_payload_of_slot(node, slot);
        if (payload.large) count_block(heap, payload.bytes.size, block_count, charged_bytes);
    }
}

static void count_list(const struct sheaf_heap *heap, const struct sheaf_event_list *list, uint64_t *block_count,
                       uint64_t *charged_bytes)
{
    for (const struct sheaf_event_item *item = list->first; item; item = item->next) {
        if (item->kind != SHEAF_EVENT_NODES) continue;
        for (size_t i = 0; i < item->nodes.piece_count; i++) {
            const struct sheaf_event_piece *piece = &item->nodes.pieces[i];
            count_slots(heap, piece->node, piece->begin, piece->end, piece->whole, block_count, charged_bytes);
        }
    }
}

void sheaf_events_count_blocks(const struct sheaf_store *store, uint64_t *block_count, uint64_t *charged_bytes)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    const struct sheaf_events *events = store->events;
    if (!events) return;
    count_block(heap, sizeof *events, block_count, charged_bytes);
    count_list(heap, &events->queue, block_count, charged_bytes);
    for (const struct sheaf_event_list *list = events->taken; list; list = list->next_taken)
        count_list(heap, list, block_count, charged_bytes);
}
