/*
 * range.c - cuts compared with keys and with each other.
 *
 * A cut stands in the order of keys as its bytes followed by one more symbol of its own:
 *
 *     BEFORE b         b, and nothing     (below the key b itself)
 *     AFTER b          b, then a symbol below 00    (above b, below b 00)
 *     AFTER_PREFIX b   b, then a symbol above FF    (above b FF FF FF ...)
 *
 * So cuts of different bytes compare by the first byte that differs; where one's bytes begin the other's, the shorter one's
 * symbol decides; and cuts of the same bytes compare by side, whose enum stands in that order.
 */
#include <sheaf/range.h>

#include "engine/base/bytes.h"

_Static_assert(SHEAF_SIDE_BEFORE < SHEAF_SIDE_AFTER && SHEAF_SIDE_AFTER < SHEAF_SIDE_AFTER_PREFIX,
               "sides of the same bytes compare as numbers");

/* Less than, equal to or greater than 0. Both are bounded. */
static int compare_cuts(const sheaf_cut *left, const sheaf_cut *right)
{
    size_t shared = sheaf_bytes_shared(left->bytes, right->bytes);
    bool left_ends = shared == left->bytes.size;
    bool right_ends = shared == right->bytes.size;
    if (left_ends && right_ends) return (int)left->side - (int)right->side;
    if (left_ends) return left->side == SHEAF_SIDE_AFTER_PREFIX ? 1 : -1;
    if (right_ends) return right->side == SHEAF_SIDE_AFTER_PREFIX ? -1 : 1;
    return left->bytes.data[shared] < right->bytes.data[shared] ? -1 : 1;
}

/* Whether no key can lie between: an unbounded lower cut is below everything, an unbounded upper one above. */
static bool lower_is_above_upper(const sheaf_cut *lower, const sheaf_cut *upper)
{
    if (lower->side == SHEAF_SIDE_UNBOUNDED || upper->side == SHEAF_SIDE_UNBOUNDED) return false;
    return compare_cuts(lower, upper) > 0;
}

static bool key_is_above(sheaf_bytes key, const sheaf_cut *cut)
{
    switch (cut->side) {
    case SHEAF_SIDE_UNBOUNDED: break;
    case SHEAF_SIDE_BEFORE: return sheaf_bytes_order(key, cut->bytes) >= 0;
    case SHEAF_SIDE_AFTER: return sheaf_bytes_order(key, cut->bytes) > 0;
    case SHEAF_SIDE_AFTER_PREFIX: return sheaf_bytes_order(key, cut->bytes) > 0 && !sheaf_bytes_starts_with(key, cut->bytes);
    }
    return true;
}

/*
 * When the position lies beyond the upper cut, both cuts are put there: empty, yet not inverted. An inverted range stays as it
 * is, so that the call it is meant for refuses it.
 */
sheaf_range sheaf_range_after(sheaf_range range, sheaf_bytes key)
{
    if (sheaf_range_is_inverted(&range)) return range;
    sheaf_cut position = sheaf_cut_of(key, SHEAF_SIDE_AFTER);
    if (range.lower.side == SHEAF_SIDE_UNBOUNDED || compare_cuts(&position, &range.lower) > 0) range.lower = position;
    if (lower_is_above_upper(&range.lower, &range.upper)) range.lower = range.upper;
    return range;
}

sheaf_range sheaf_range_before(sheaf_range range, sheaf_bytes key)
{
    if (sheaf_range_is_inverted(&range)) return range;
    sheaf_cut position = sheaf_cut_of(key, SHEAF_SIDE_BEFORE);
    if (range.upper.side == SHEAF_SIDE_UNBOUNDED || compare_cuts(&position, &range.upper) < 0) range.upper = position;
    if (lower_is_above_upper(&range.lower, &range.upper)) range.upper = range.lower;
    return range;
}

int sheaf_range_is_inverted(const sheaf_range *range)
{
    if (!lower_is_above_upper(&range->lower, &range->upper)) return false;
    bool both_exclude_one_key = range->lower.side == SHEAF_SIDE_AFTER && range->upper.side == SHEAF_SIDE_BEFORE &&
                                sheaf_bytes_equal(range->lower.bytes, range->upper.bytes);
    return !both_exclude_one_key;
}

int sheaf_range_contains(const sheaf_range *range, sheaf_bytes key)
{
    if (!key_is_above(key, &range->lower)) return false;
    return range->upper.side == SHEAF_SIDE_UNBOUNDED || !key_is_above(key, &range->upper);
}
