/*
 * range.h - a range names a slice of an item collection.
 *
 * A bound is a cut *between* keys, so that inclusive, exclusive and "everything that starts with" are one idea and no caller
 * ever computes a successor key (a prefix of FF bytes has none):
 *
 *        before "b"   after "b"      after-prefix "b"
 *             |           |                 |
 *      a  az  |     b     |  b/x  b0  bzz   |  c
 *
 * A range holds the keys above its lower cut and below its upper cut. Cuts need not fall on keys that exist.
 *
 * Thread rule: ranges are values, and these functions look at nothing else: any thread, any time.
 */
#ifndef SHEAF_RANGE_H
#define SHEAF_RANGE_H

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** Where a cut falls, seen from its bytes. */
typedef enum sheaf_side {
    SHEAF_SIDE_UNBOUNDED = 0, /**< no cut on this side; bytes are not looked at */
    SHEAF_SIDE_BEFORE,        /**< just below the key `bytes` */
    SHEAF_SIDE_AFTER,         /**< just above the key `bytes`, below every longer key that starts with it */
    SHEAF_SIDE_AFTER_PREFIX   /**< above every key that starts with `bytes`, `bytes` itself included */
} sheaf_side;

/** A cut between keys. Borrows its bytes. */
typedef struct sheaf_cut {
    sheaf_bytes bytes;
    sheaf_side side;
} sheaf_cut;

/**
 * A slice of an item collection. Borrows its bytes: they must live as long as the range, and any cursor opened on it, is used.
 */
typedef struct sheaf_range {
    sheaf_cut lower;
    sheaf_cut upper;
} sheaf_range;

/** The order in which a range is read. */
typedef enum sheaf_direction {
    SHEAF_FORWARD = 0, /**< ascending keys */
    SHEAF_REVERSE      /**< descending keys; DynamoDB's ScanIndexForward=false */
} sheaf_direction;

static inline sheaf_cut sheaf_cut_of(sheaf_bytes bytes, sheaf_side side)
{
    sheaf_cut cut;
    cut.bytes = bytes;
    cut.side = side;
    return cut;
}

static inline sheaf_cut sheaf_cut_none(void)
{
    return sheaf_cut_of(sheaf_bytes_of(NULL, 0), SHEAF_SIDE_UNBOUNDED);
}

/** The range between two cuts. */
static inline sheaf_range sheaf_range_of(sheaf_cut lower, sheaf_cut upper)
{
    sheaf_range range;
    range.lower = lower;
    range.upper = upper;
    return range;
}

/** Every key. A zeroed sheaf_range is the same. */
static inline sheaf_range sheaf_range_all(void)
{
    return sheaf_range_of(sheaf_cut_none(), sheaf_cut_none());
}

/** `key = k` */
static inline sheaf_range sheaf_range_equal(sheaf_bytes key)
{
    return sheaf_range_of(sheaf_cut_of(key, SHEAF_SIDE_BEFORE), sheaf_cut_of(key, SHEAF_SIDE_AFTER));
}

/** `key < k` */
static inline sheaf_range sheaf_range_less(sheaf_bytes key)
{
    return sheaf_range_of(sheaf_cut_none(), sheaf_cut_of(key, SHEAF_SIDE_BEFORE));
}

/** `key <= k` */
static inline sheaf_range sheaf_range_at_most(sheaf_bytes key)
{
    return sheaf_range_of(sheaf_cut_none(), sheaf_cut_of(key, SHEAF_SIDE_AFTER));
}

/** `key >= k` */
static inline sheaf_range sheaf_range_at_least(sheaf_bytes key)
{
    return sheaf_range_of(sheaf_cut_of(key, SHEAF_SIDE_BEFORE), sheaf_cut_none());
}

/** `key > k`: by value, so keys that start with `k` and are longer are in. */
static inline sheaf_range sheaf_range_greater(sheaf_bytes key)
{
    return sheaf_range_of(sheaf_cut_of(key, SHEAF_SIDE_AFTER), sheaf_cut_none());
}

/** `low <= key <= high`: both ends are in, as in DynamoDB's BETWEEN. */
static inline sheaf_range sheaf_range_between(sheaf_bytes low, sheaf_bytes high)
{
    return sheaf_range_of(sheaf_cut_of(low, SHEAF_SIDE_BEFORE), sheaf_cut_of(high, SHEAF_SIDE_AFTER));
}

/** `begins_with(key, prefix)`: an empty prefix is every key; a prefix of FF bytes works like any other. */
static inline sheaf_range sheaf_range_prefix(sheaf_bytes prefix)
{
    return sheaf_range_of(sheaf_cut_of(prefix, SHEAF_SIDE_BEFORE), sheaf_cut_of(prefix, SHEAF_SIDE_AFTER_PREFIX));
}

/** From the first key up to and including everything that starts with @p prefix. */
static inline sheaf_range sheaf_range_through_prefix(sheaf_bytes prefix)
{
    return sheaf_range_of(sheaf_cut_none(), sheaf_cut_of(prefix, SHEAF_SIDE_AFTER_PREFIX));
}

/** Everything above all keys that start with @p prefix. */
static inline sheaf_range sheaf_range_beyond_prefix(sheaf_bytes prefix)
{
    return sheaf_range_of(sheaf_cut_of(prefix, SHEAF_SIDE_AFTER_PREFIX), sheaf_cut_none());
}

/**
 * The part of @p range above the position @p key, @p key itself excluded, whether or not there is such an entry. May turn out
 * empty; it is never inverted when @p range is not.
 */
SHEAF_API sheaf_range sheaf_range_after(sheaf_range range, sheaf_bytes key);

/** The part of @p range below the position @p key, @p key itself excluded. Otherwise as sheaf_range_after(). */
SHEAF_API sheaf_range sheaf_range_before(sheaf_range range, sheaf_bytes key);

/**
 * Whether the lower bound lies above the upper one: `between(2, 1)`, which DynamoDB refuses and so does every call here that
 * takes a range (SHEAF_RANGE_INVERTED), never a silent empty result. Two exclusive bounds on the same key are an empty range,
 * not an inverted one.
 */
SHEAF_API int sheaf_range_is_inverted(const sheaf_range *range);

/** Whether @p key lies in @p range. The definition every read agrees with. Cost: O(key size). */
SHEAF_API int sheaf_range_contains(const sheaf_range *range, sheaf_bytes key);

SHEAF_END_DECLARATIONS

#endif
