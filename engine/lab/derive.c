#include "engine/lab/derive.h"

#include <inttypes.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/lab/instant.h"

static const struct kind {
    const char *name;
    enum value_type source_type;
    enum value_type type;
} KINDS[] = {
    [DERIVE_NONE] = { "", VALUE_TEXT, VALUE_TEXT },
    [DERIVE_PARENT] = { "parent", VALUE_PATH, VALUE_PATH },
    [DERIVE_NAME] = { "name", VALUE_PATH, VALUE_TEXT },
    [DERIVE_DEPTH] = { "depth", VALUE_PATH, VALUE_NUMBER },
    [DERIVE_BARE] = { "bare", VALUE_PATH, VALUE_TEXT },
    [DERIVE_EPOCH_S] = { "epoch_s", VALUE_TIME, VALUE_NUMBER },
    [DERIVE_EPOCH_MS] = { "epoch_ms", VALUE_TIME, VALUE_NUMBER },
    [DERIVE_PLACE] = { "place", VALUE_NUMBER, VALUE_NUMBER },
};

bool derivation_read(sheaf_bytes name, enum derivation *out_derivation)
{
    for (size_t i = DERIVE_NONE + 1; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (!sheaf_bytes_equal(name, sheaf_bytes_of(KINDS[i].name, strlen(KINDS[i].name)))) continue;
        *out_derivation = (enum derivation)i;
        return true;
    }
    return false;
}

const char *derivation_names(void)
{
    return "parent, name, depth, bare, epoch_s, epoch_ms or place";
}

enum value_type derivation_source_type(enum derivation derivation)
{
    return KINDS[derivation].source_type;
}

enum value_type derivation_type(enum derivation derivation)
{
    return KINDS[derivation].type;
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

/* Where the last part begins. */
static size_t name_begin(sheaf_bytes path, uint8_t delimiter)
{
    size_t at = path_is_folder(path, delimiter) ? path.size - 1 : path.size;
    while (at > 0 && path.data[at - 1] != delimiter) at--;
    return at;
}

sheaf_bytes path_parent(sheaf_bytes path, uint8_t delimiter, sheaf_bytes root)
{
    if (path_is_root(path, delimiter)) return sheaf_bytes_of(root.data, 0);
    size_t begin = name_begin(path, delimiter);
    return begin == 0 ? root : sheaf_bytes_of(path.data, begin);
}

/* How many steps lie between the root and a path, one for each part, empty ones too: one more than its parent has. */
static uint64_t depth_of(sheaf_bytes path, uint8_t delimiter)
{
    uint64_t depth = 1;
    for (size_t at = 0; at < path.size; at++) depth += path.data[at] == delimiter;
    return depth - (path.size > 0 && path.data[0] == delimiter) - path_is_folder(path, delimiter);
}

/* ---- times ------------------------------------------------------------------------------------------------------------ */

static bool append_epoch(sheaf_bytes time, size_t fraction_digits, struct buffer *buffer, struct complaint *complaint)
{
    struct instant instant;
    (void)instant_read(time, &instant); /* which wrote it */
    int64_t epoch = instant.seconds;
    if (instant.fraction.size > fraction_digits) {
        return complain(complaint, "expected a time of whole %s, found %s", fraction_digits == 0 ? "seconds" : "milliseconds",
                        quote(time).text);
    }
    for (size_t i = 0; i < fraction_digits; i++)
        epoch = 10 * epoch + (i < instant.fraction.size ? instant.fraction.data[i] - '0' : 0);
    buffer_append_format(buffer, "%" PRId64, epoch);
    return true;
}

/*  ---------------------------------------------------------------------------------------------------------------------- */

bool derive_append(enum derivation derivation, uint8_t delimiter, sheaf_bytes value, struct buffer *buffer,
                   struct complaint *complaint)
{
    switch (derivation) {
    case DERIVE_PARENT: buffer_append(buffer, path_parent(value, delimiter, sheaf_bytes_of(&delimiter, 1))); return true;
    case DERIVE_NAME: buffer_append(buffer, sheaf_bytes_skip(value, name_begin(value, delimiter))); return true;
    case DERIVE_DEPTH: buffer_append_format(buffer, "%" PRIu64, depth_of(value, delimiter)); return true;
    case DERIVE_BARE:
        buffer_append(buffer, sheaf_bytes_of(value.data, value.size - (path_is_folder(value, delimiter) ? 1 : 0)));
        return true;
    case DERIVE_EPOCH_S: return append_epoch(value, 0, buffer, complaint);
    case DERIVE_EPOCH_MS: return append_epoch(value, 3, buffer, complaint);
    case DERIVE_NONE:
    case DERIVE_PLACE: break;
    }
    return true;
}
