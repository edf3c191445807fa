/*
 * raw_range.h - the range that a user forms who compares a number, or a time, as the text he stores.
 *
 *     {score:raw}#{player}, score between 100 and 200      BETWEEN "100#" AND everything that begins with "200#"
 *     keys   1000#ann  in, 150#bob  in, 20#cat  in, 200#dan  in
 *
 * sheaf_layout_range() refuses to: bounds of such a part hold no order of values. The lab forms the range all the same, in
 * this one place, so that what comes of it can be shown. It is made of the ranges of equalities, which are exact.
 */
#ifndef SHEAF_LAB_RAW_RANGE_H
#define SHEAF_LAB_RAW_RANGE_H

#include "engine/lab/keys.h"

/*
 * Equalities on the leading parts, then a condition on a part without order: the last of `conditions`. `rooms` are three. The
 * range may be inverted: the bounds' text may sort the other way than their values. False, with a complaint, as keys_range().
 */
bool raw_range(const struct keys *keys, const sheaf_condition *conditions, size_t count, struct key_room *rooms,
               sheaf_range *out_range, struct complaint *complaint);

/*
 * Equalities, then a beginning of a path: where the library takes "docs/im" for the folder of that name, a user who asks for
 * paths that begin so gets "docs/img/" as well.
 */
bool raw_beginning(const struct keys *keys, const sheaf_condition *conditions, size_t count, struct key_room *room,
                   sheaf_range *out_range, struct complaint *complaint);

#endif
