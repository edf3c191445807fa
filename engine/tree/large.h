/*
 * large.h - values that lie out of line, and the choice between the two places.
 *
 * A large value's block holds its bytes and nothing else, so that a value of 4096 bytes is a block of 4096: what else there is
 * to know of it, its birth, lies in the cell.
 */
#ifndef SHEAF_TREE_LARGE_H
#define SHEAF_TREE_LARGE_H

#include "engine/tree/node.h"

/* Copies `value` out of line if it is too large for a cell. SHEAF_OK or SHEAF_NO_MEMORY. */
sheaf_status sheaf_payload_make(struct sheaf_grove *grove, sheaf_bytes value, struct sheaf_payload *out_payload);

/* Frees the value out of line, if there is one. */
void sheaf_payload_free(struct sheaf_grove *grove, const struct sheaf_payload *payload);

/* The payload of a leaf's slot as it is. */
struct sheaf_payload sheaf_payload_of_slot(const struct sheaf_node *leaf, uint32_t slot);

#endif
