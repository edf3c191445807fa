#include "engine/lab/keys.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/base/bytes.h"

/* ---- compiling ---------------------------------------------------------------------------------------------------------- */

static bool complain_of_text(size_t index, const sheaf_layout_fault *fault, struct complaint *complaint)
{
    return complain(complaint, "layouts[%zu].layout, column %zu: %s, found %s", index, fault->column, fault->message,
                    quote(fault->value_view).text);
}

static bool find_fields(const struct plan *plan, size_t index, struct keys *keys, struct complaint *complaint)
{
    for (size_t field = 0; field < plan->field_count; field++) keys->layout_fields[field] = SHEAF_LAYOUT_NO_FIELD;
    for (size_t i = 0; i < sheaf_layout_field_count(keys->layout); i++) {
        sheaf_bytes name = sheaf_layout_field_name_view(keys->layout, i);
        size_t field = plan_find_field(plan, name);
        if (field == plan->field_count) {
            return complain(complaint, "layouts[%zu].layout: there is no field %s among those of the records", index,
                            quote(name).text);
        }
        keys->fields[i] = field;
        keys->layout_fields[field] = i;
    }
    return true;
}

static void take_key(struct keys *keys, sheaf_layout_key which)
{
    struct key *key = &keys->keys[which];
    key->type = sheaf_layout_key_type(keys->layout, which);
    key->part_count = sheaf_layout_key_field_count(keys->layout, which);
    for (size_t i = 0; i < key->part_count; i++) {
        key->parts[i] = (struct key_part){ .field = keys->fields[sheaf_layout_key_field(keys->layout, which, i)],
                                           .order = sheaf_layout_key_field_order(keys->layout, which, i) };
    }
}

bool keys_compile(const struct plan *plan, size_t index, struct keys *out_keys, struct complaint *complaint)
{
    struct keys *keys = out_keys;
    sheaf_layout_fault fault;
    *keys = (struct keys){ .plan = plan };
    sheaf_status status = sheaf_layout_create(plan->layouts[index].text, NULL, &keys->layout, &fault);
    if (status == SHEAF_NO_MEMORY) end_without_memory();
    if (status != SHEAF_OK) return complain_of_text(index, &fault, complaint);
    if (!find_fields(plan, index, keys, complaint)) {
        keys_release(keys);
        return false;
    }
    take_key(keys, SHEAF_LAYOUT_PARTITION_KEY);
    take_key(keys, SHEAF_LAYOUT_SORT_KEY);
    return true;
}

void keys_release(struct keys *keys)
{
    sheaf_layout_destroy(keys->layout);
    keys->layout = NULL;
}

/* ---- keys and ranges ---------------------------------------------------------------------------------------------------- */

/* What a value was refused for: "score: a number wider than its segment, found "10000000000" (11, limit 10)". */
static bool complain_of_value(const struct keys *keys, const sheaf_layout_fault *fault, struct complaint *complaint)
{
    char limit[64] = "";
    bool of_field = fault->segment != SHEAF_LAYOUT_NO_FIELD;
    sheaf_bytes name = of_field ? sheaf_layout_field_name_view(keys->layout, fault->segment) : SHEAF_LIT("key");
    if (fault->limit > 0) {
        (void)snprintf(limit, sizeof limit, " (%" PRIu64 ", limit %" PRIu64 ")", fault->size, fault->limit);
    }
    return complain(complaint, "%.*s: %s, found %s%s", (int)name.size, (const char *)name.data, fault->message,
                    quote(fault->value_view).text, limit);
}

bool keys_encode(const struct keys *keys, sheaf_layout_key which, const sheaf_bytes *values, struct key_room *room,
                 sheaf_bytes *out_key, struct complaint *complaint)
{
    const struct key *key = &keys->keys[which];
    sheaf_bytes layout_values[SHEAF_LAYOUT_PART_MAX] = { { NULL, 0 } };
    sheaf_layout_fault fault;
    if (key->type == SHEAF_LAYOUT_NONE) return *out_key = KEYS_NO_KEY, true;
    for (size_t i = 0; i < key->part_count; i++)
        layout_values[keys->layout_fields[key->parts[i].field]] = values[key->parts[i].field];
    sheaf_status status = sheaf_layout_encode(keys->layout, which, layout_values, room->bytes, sizeof room->bytes, out_key,
                                              &fault);
    return status == SHEAF_OK || complain_of_value(keys, &fault, complaint);
}

bool keys_range(const struct keys *keys, const sheaf_condition *conditions, size_t count, struct key_room *room,
                sheaf_range *out_range, struct complaint *complaint)
{
    sheaf_condition translated[PLAN_FIELD_MAX];
    sheaf_layout_fault fault;
    *out_range = sheaf_range_all();
    if (count == 0) return true; /* also where there is no sort key */
    for (size_t i = 0; i < count; i++) {
        translated[i] = conditions[i];
        translated[i].field = keys->layout_fields[conditions[i].field];
    }
    sheaf_status status = sheaf_layout_range(keys->layout, SHEAF_LAYOUT_SORT_KEY, translated, count, room->bytes,
                                             sizeof room->bytes, out_range, &fault);
    return status == SHEAF_OK || complain_of_value(keys, &fault, complaint);
}
