#include "engine/tree/large.h"

sheaf_status sheaf_payload_make(struct sheaf_grove *grove, sheaf_bytes value, struct sheaf_payload *out_payload)
{
    if (value.size <= VALUE_INLINE_SIZE_MAX) {
        *out_payload = (struct sheaf_payload){ .bytes = value, .use = grove->use.fresh, .due = grove->due.fresh };
        return SHEAF_OK;
    }
    uint8_t *large = sheaf_heap_allocate(&grove->heap, value.size);
    if (!large) return SHEAF_NO_MEMORY;
    memcpy(large, value.data, value.size);
    *out_payload = (struct sheaf_payload){
        .bytes = sheaf_bytes_of(large, value.size), .large = large, .birth = grove->version,
        .use = grove->use.fresh, .due = grove->due.fresh
    };
    return SHEAF_OK;
}

void sheaf_payload_free(struct sheaf_grove *grove, const struct sheaf_payload *payload)
{
    if (payload->large) sheaf_heap_free(&grove->heap, payload->large, payload->bytes.size);
}

struct sheaf_payload sheaf_payload_of_slot(const struct sheaf_node *leaf, uint32_t slot)
{
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    return sheaf_cell_payload(&cell);
}
