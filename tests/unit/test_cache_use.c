/*
 * test_cache_use.c - what a read and the hand make of an entry's byte, and in which order entries go.
 */
#include "engine/cache/use.h"

#include <criterion/criterion.h>

static struct sheaf_use_rules rules_of(enum sheaf_use_order order)
{
    struct sheaf_use_rules rules;
    sheaf_use_rules_init(&rules, order);
    return rules;
}

static uint8_t after(const uint8_t *rule, uint8_t use, int times)
{
    while (times-- > 0) use = rule[use];
    return use;
}

Test(use, by_frequency_a_byte_holds_frequency_and_age)
{
    struct sheaf_use_rules rules = rules_of(SHEAF_USE_FREQUENCY);
    cr_assert_eq(rules.fresh, 0);
    cr_assert_eq(rules.returned, 1 << 5, "one use to its credit");
    cr_assert_eq(after(rules.used, rules.fresh, 1), 1 << 5);
    cr_assert_eq(after(rules.used, rules.fresh, 7), 7 << 5);
    cr_assert_eq(after(rules.used, rules.fresh, 100), 7 << 5, "it stops at seven");
    cr_assert_eq(after(rules.aged, 3 << 5, 4), 3 << 5 | 4);
    cr_assert_eq(after(rules.aged, 3 << 5, 100), 3 << 5 | 31, "and at 31 rounds");
    cr_assert_eq(rules.used[3 << 5 | 9], 4 << 5, "a read makes it young");
}

Test(use, by_frequency_what_was_never_read_again_goes_first)
{
    struct sheaf_use_rules rules = rules_of(SHEAF_USE_FREQUENCY);
    for (uint8_t age = 0; age < 32; age++) cr_assert_eq(rules.rank[age], 0);
    for (unsigned use = 32; use < 256; use++) cr_assert_gt(rules.rank[use], 0, "use %u", use);
}

Test(use, by_frequency_a_use_is_worth_half_after_eight_rounds)
{
    struct sheaf_use_rules rules = rules_of(SHEAF_USE_FREQUENCY);
    cr_assert_eq(rules.rank[2 << 5 | 8], rules.rank[1 << 5 | 0]);
    cr_assert_eq(rules.rank[4 << 5 | 8], rules.rank[2 << 5 | 0]);
    cr_assert_eq(rules.rank[4 << 5 | 16], rules.rank[1 << 5 | 0]);
    cr_assert_eq(rules.rank[6 << 5 | 8], rules.rank[3 << 5 | 0] + 0);
    for (unsigned frequency = 1; frequency <= 7; frequency++) {
        for (unsigned age = 0; age < 31; age++)
            cr_assert_eq(rules.rank[frequency << 5 | age], rules.rank[frequency << 5 | (age + 1)] + 1, "one a round");
        if (frequency > 1) cr_assert_gt(rules.rank[frequency << 5], rules.rank[(frequency - 1) << 5]);
    }
}

Test(use, by_recency_only_age_counts)
{
    struct sheaf_use_rules rules = rules_of(SHEAF_USE_RECENCY);
    cr_assert_eq(rules.fresh, 0);
    cr_assert_eq(rules.returned, 0);
    cr_assert_eq(after(rules.aged, 0, 200), 200);
    cr_assert_eq(after(rules.aged, 0, 300), 255);
    for (unsigned use = 0; use < 256; use++) {
        cr_assert_eq(rules.used[use], 0);
        cr_assert_eq(rules.rank[use], 255 - use);
    }
}
