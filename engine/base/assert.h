/*
 * assert.h - invariants written down, in two tiers.
 *
 * sheaf_assert: constant time, on in every build but release (NDEBUG). sheaf_assert_slow: may walk a whole node; on where
 * SHEAF_SLOW_ASSERTS is defined (debug and fuzz builds). Never on what a caller passes in: that is a status.
 */
#ifndef SHEAF_BASE_ASSERT_H
#define SHEAF_BASE_ASSERT_H

#include <assert.h>

#define sheaf_assert(condition) assert(condition)

#ifdef SHEAF_SLOW_ASSERTS
#define sheaf_assert_slow(condition) assert(condition)
#else
#define sheaf_assert_slow(condition) ((void)sizeof(condition))
#endif

#endif
