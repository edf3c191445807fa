/*
 * derive.h - fields that are worked out from another field, for layouts that key by them.
 *
 *     path         parent     name       depth   bare           time                   epoch_s      epoch_ms
 *     docs/        /          docs/      1       docs           2001-09-09T01:46:40Z   1000000000   1000000000000
 *     docs/a.txt   docs/      a.txt      2       docs/a.txt
 *
 * The root is the delimiter alone; it has no parent. A name keeps the delimiter of a folder, so that names sort as paths do; a
 * bare path has lost it. The place of a record is a number from 1, in the order in which records come.
 */
#ifndef SHEAF_LAB_DERIVE_H
#define SHEAF_LAB_DERIVE_H

#include <stdbool.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"
#include "engine/lab/value.h"

enum derivation {
    DERIVE_NONE, /* the field stands in the record */
    DERIVE_PARENT,
    DERIVE_NAME,
    DERIVE_DEPTH,
    DERIVE_BARE,
    DERIVE_EPOCH_S,
    DERIVE_EPOCH_MS,
    DERIVE_PLACE
};

/* The derivation that a plan calls `name`. False: none is called so; derivation_names() are. */
bool derivation_read(sheaf_bytes name, enum derivation *out_derivation);
const char *derivation_names(void);

/* The type of field it is worked out from (of DERIVE_PLACE there is none), and that of the outcome. */
enum value_type derivation_source_type(enum derivation derivation);
enum value_type derivation_type(enum derivation derivation);

/*
 * Appends what is worked out from a canonical value. False, with a complaint, for a time that is no whole number of the unit.
 * Not for DERIVE_NONE and DERIVE_PLACE.
 */
bool derive_append(enum derivation derivation, uint8_t delimiter, sheaf_bytes value, struct buffer *buffer,
                   struct complaint *complaint);

/* The folder that a path lies in, a slice of it or of `root`, which is the delimiter alone; empty for the root. */
sheaf_bytes path_parent(sheaf_bytes path, uint8_t delimiter, sheaf_bytes root);

static inline bool path_is_folder(sheaf_bytes path, uint8_t delimiter)
{
    return path.size > 0 && path.data[path.size - 1] == delimiter;
}

static inline bool path_is_root(sheaf_bytes path, uint8_t delimiter)
{
    return path.size == 1 && path.data[0] == delimiter;
}

#endif
