/*
 * write.h - a put to a shard, as it comes from outside and from a load.
 */
#ifndef SHEAF_SHARED_WRITE_H
#define SHEAF_SHARED_WRITE_H

#include <sheaf/batch.h>

#include "engine/shared/load.h"

/* Puts what a load has found, unless that is outdated (SHEAF_NOT_FOUND); or, `load` being NULL, what the caller of
 * sheaf_shared_put() has. */
sheaf_status sheaf_shard_put(struct sheaf_shared *shared, struct sheaf_shard *shard, const sheaf_batch_write *put,
                             const struct sheaf_load *load, bool *out_replaced, sheaf_detail *out_detail);

#endif
