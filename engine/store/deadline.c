#include "engine/store/deadline.h"

#include "engine/base/assert.h"
#include "engine/store/budget.h"
#include "engine/store/edit.h"
#include "engine/store/events.h"
#include "engine/store/expiry.h"
#include "engine/store/sweep.h"
#include "engine/tree/count.h"
#include "engine/tree/search.h"

/* ---- the index ------------------------------------------------------------------------------------------------------- */

enum { KEY_SIZE = 16 };

static void write_number(uint8_t *out, uint64_t number)
{
    for (int i = 7; i >= 0; i--, number >>= 8) out[i] = (uint8_t)number;
}

static uint64_t read_number(const uint8_t *at)
{
    return sheaf_load64_ordered(at);
}

static sheaf_bytes write_key(uint64_t due, uint64_t hash, uint8_t *out)
{
    write_number(out, due);
    write_number(out + 8, hash);
    return sheaf_bytes_of(out, KEY_SIZE);
}

bool sheaf_deadlines_at(const struct sheaf_store *store, uint64_t index, struct sheaf_deadline_key *out_key)
{
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    if (index >= store->deadlines.totals.count) return false;
    sheaf_bytes key = sheaf_tree_key(&store->deadlines, index, buffer);
    sheaf_assert(key.size == KEY_SIZE);
    *out_key = (struct sheaf_deadline_key){ .due = read_number(key.data), .hash = read_number(key.data + 8) };
    return true;
}

bool sheaf_deadlines_after(const struct sheaf_store *store, const struct sheaf_deadline_key *after,
                           struct sheaf_deadline_key *out_key)
{
    uint8_t buffer[KEY_SIZE];
    if (!store->deadlines.root) return false;
    sheaf_cut cut = sheaf_cut_of(write_key(after->due, after->hash, buffer), SHEAF_SIDE_AFTER);
    return sheaf_deadlines_at(store, sheaf_tree_count_below(&store->deadlines, &cut), out_key);
}

struct sheaf_slot *sheaf_deadlines_slot(const struct sheaf_store *store, const struct sheaf_deadline_key *key, uint64_t skip)
{
    if (store->directory.count == 0) return NULL;
    struct sheaf_slot *slot = sheaf_directory_from(&store->directory, key->hash, skip);
    return slot && slot->hash == key->hash ? slot : NULL;
}

sheaf_status sheaf_deadlines_put(struct sheaf_store *store, uint64_t due, uint64_t hash)
{
    uint8_t buffer[KEY_SIZE];
    bool replaced;
    uint64_t fresh = sheaf_deadline_begin(store, SHEAF_NO_DEADLINE);
    sheaf_status status =
        sheaf_tree_put(&store->deadlines, write_key(due, hash, buffer), sheaf_bytes_of(NULL, 0), &replaced);
    sheaf_deadline_end(store, fresh);
    return status;
}

/* Whether a collection stands in the index under this key. */
static bool is_wanted(const struct sheaf_store *store, const struct sheaf_deadline_key *key)
{
    const struct sheaf_slot *slot;
    for (uint64_t skip = 0; (slot = sheaf_deadlines_slot(store, key, skip)) != NULL; skip++)
        if (sheaf_collection_due(slot->collection) == key->due) return true;
    return false;
}

void sheaf_deadlines_delete(struct sheaf_store *store, uint64_t due, uint64_t hash)
{
    uint8_t buffer[KEY_SIZE];
    struct sheaf_deadline_key key = { .due = due, .hash = hash };
    if (due == SHEAF_NO_DEADLINE || is_wanted(store, &key)) return;
    (void)sheaf_tree_delete(&store->deadlines, write_key(due, hash, buffer));
}

void sheaf_deadlines_move(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection, uint64_t due)
{
    uint64_t before = sheaf_collection_due(collection);
    if (before == due) return;
    sheaf_collection_set_due(collection, due);
    sheaf_deadlines_delete(store, before, hash);
}

const char *sheaf_deadlines_broken_rule(const struct sheaf_store *store, const struct sheaf_slot *slot)
{
    uint8_t buffer[KEY_SIZE];
    sheaf_bytes value, key;
    if (!store->expiry.keeps) return NULL;
    uint64_t due = sheaf_collection_due(slot->collection);
    uint64_t earliest = sheaf_tree_earliest_due(&slot->collection->tree);
    if (due == SHEAF_NO_DEADLINE && earliest != due) return "X2 a record without a deadline has no entry with one";
    if (due > earliest) return "X1 no entry is due before its collection";
    if (earliest < store->expiry.swept_before) return "X3 no entry is due before what has been swept";
    if (due == SHEAF_NO_DEADLINE) return NULL;
    key = write_key(due, slot->hash, buffer);
    if (sheaf_tree_get(&store->deadlines, key, &value) != SHEAF_OK) return "X1 a collection stands in the index";
    return NULL;
}

/* ---- putting --------------------------------------------------------------------------------------------------------- */

/* The put itself, of an entry that nothing hidden is in the way of. */
static sheaf_status put_due(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                            sheaf_bytes value, bool *out_replaced)
{
    uint64_t due = store->grove.due.fresh;
    const struct sheaf_slot *slot = sheaf_directory_find(&store->directory, hash, partition_key);
    bool lowers = slot && due < sheaf_collection_due(slot->collection); /* a first entry: its collection is taken in with it */
    if (sheaf_store_is_view(store)) return SHEAF_READ_ONLY;
    sheaf_status status = lowers ? sheaf_deadlines_put(store, due, hash) : SHEAF_OK;
    if (status == SHEAF_OK) {
        status = sheaf_store_put_plainly(store, hash, partition_key, sort_key, value, out_replaced);
        slot = sheaf_directory_find(&store->directory, hash, partition_key);
        if (status == SHEAF_OK && lowers) sheaf_deadlines_move(store, hash, slot->collection, due);
        else if (lowers) sheaf_deadlines_delete(store, due, hash);
    }
    if (status == SHEAF_OK) sheaf_deadline_given(store, due);
    sheaf_grove_settle(&store->grove);
    return status;
}

sheaf_status sheaf_deadline_put_once(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                     sheaf_bytes value, bool *out_replaced)
{
    const struct sheaf_slot *slot = sheaf_directory_find(&store->directory, hash, partition_key);
    if (slot && sheaf_store_hides_entry(store, &slot->collection->tree, sort_key)) {
        sheaf_status status = sheaf_sweep_entry(store, hash, partition_key, sort_key);
        if (status != SHEAF_OK) return status;
    }
    return put_due(store, hash, partition_key, sort_key, value, out_replaced);
}

sheaf_status sheaf_store_put_until(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value,
                                   uint64_t deadline, bool *out_replaced, sheaf_detail *out_detail)
{
    if (!store->expiry.keeps) return sheaf_expiry_refuse(out_detail);
    uint64_t before = sheaf_deadline_begin(store, deadline);
    sheaf_status status = sheaf_store_put_fresh(store, partition_key, sort_key, value, out_replaced, out_detail);
    sheaf_deadline_end(store, before);
    sheaf_events_flush(store);
    return status;
}

/* ---- another deadline ------------------------------------------------------------------------------------------------ */

static sheaf_status set_deadline(struct sheaf_store *store, struct sheaf_slot *slot, sheaf_bytes sort_key, uint64_t deadline)
{
    uint64_t hash = slot->hash;
    bool lowers = deadline < sheaf_collection_due(slot->collection);
    struct sheaf_edit edit;
    if (sheaf_store_is_view(store)) return SHEAF_READ_ONLY;
    sheaf_status status = lowers ? sheaf_deadlines_put(store, deadline, hash) : SHEAF_OK;
    if (status == SHEAF_OK) status = sheaf_edit_begin(store, slot, &edit);
    if (status == SHEAF_OK) {
        status = sheaf_tree_set_due(edit.tree, sort_key, deadline);
        sheaf_edit_end(store, &edit);
        if (status == SHEAF_OK && lowers) sheaf_deadlines_move(store, hash, edit.slot->collection, deadline);
    }
    if (status == SHEAF_OK) sheaf_deadline_given(store, deadline);
    else if (lowers) sheaf_deadlines_delete(store, deadline, hash);
    sheaf_grove_settle(&store->grove);
    return status;
}

/* The tree of an entry that is there and can be seen; NULL if there is none. */
static struct sheaf_slot *find_visible(const struct sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                       uint64_t *out_deadline)
{
    sheaf_bytes value;
    uint64_t now;
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (!slot || sheaf_tree_get_due(&slot->collection->tree, sort_key, out_deadline, &value) != SHEAF_OK) return NULL;
    bool hidden = sheaf_store_hides(store, &slot->collection->tree, &now) && sheaf_is_expired(*out_deadline, now);
    return hidden ? NULL : slot;
}

sheaf_status sheaf_store_set_deadline(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, uint64_t deadline,
                                      sheaf_detail *out_detail)
{
    uint64_t before;
    if (!store->expiry.keeps) return sheaf_expiry_refuse(out_detail);
    sheaf_status status = sheaf_validate_keys(&store->limits, partition_key, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    struct sheaf_slot *slot = find_visible(store, partition_key, sort_key, &before);
    if (!slot) return sheaf_report(out_detail, SHEAF_NOT_FOUND);
    return sheaf_budget_report(&store->grove.heap, out_detail, set_deadline(store, slot, sort_key, deadline));
}

sheaf_status sheaf_store_get_deadline(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                      uint64_t *out_deadline, sheaf_detail *out_detail)
{
    uint64_t deadline;
    if (!store->expiry.keeps) return sheaf_expiry_refuse(out_detail);
    sheaf_status status = sheaf_validate_keys(&store->limits, partition_key, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    if (!find_visible(store, partition_key, sort_key, &deadline)) return sheaf_report(out_detail, SHEAF_NOT_FOUND);
    *out_deadline = deadline;
    return SHEAF_OK;
}

uint64_t sheaf_store_next_deadline(const sheaf_store *store)
{
    struct sheaf_deadline_key key;
    if (!sheaf_deadlines_at(store, 0, &key)) return SHEAF_NO_DEADLINE;
    return key.due < store->expiry.swept_before ? store->expiry.swept_before : key.due;
}
