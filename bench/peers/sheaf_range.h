/*
 * sheaf_range.h - how Sheaf's peers read a range: by cursor, thirty-two entries at a time.
 */
#ifndef BENCH_PEERS_SHEAF_RANGE_H
#define BENCH_PEERS_SHEAF_RANGE_H

#include <sheaf/range.h>
#include <sheaf/store.h>

#include "bench/checksum.h"
#include "bench/keys.h"

sheaf_range sheaf_range_of_query(const struct bench_query *query);

/* Visits the entries of a range, at most `limit`. */
void sheaf_read_range(const sheaf_store *store, sheaf_bytes partition, const sheaf_range *range, sheaf_direction direction,
                      uint64_t limit, struct checksum *checksum);

#endif
