/*
 * test_cache_sifter.c - the lowest of all that the hand meets go, about an eighth in a round, wherever they lie.
 *
 * A crowd of entries is gone through in batches, round by round. Who goes is replaced by a fresh one in the same place.
 */
#include "engine/cache/sifter.h"

#include <criterion/criterion.h>

enum { BATCH = 40, CROWD = 4000 };

static struct sheaf_use_rules rules;
static struct sheaf_sifter sifter;
static uint8_t uses[CROWD];
static bool going[BATCH];

static void begin(enum sheaf_use_order order)
{
    sheaf_use_rules_init(&rules, order);
    sheaf_sifter_init(&sifter);
    for (uint32_t i = 0; i < CROWD; i++) uses[i] = rules.fresh;
}

/* Those from `low` to below `high` are read. */
static void read_some(uint32_t low, uint32_t high)
{
    for (uint32_t i = low; i < high; i++) uses[i] = rules.used[uses[i]];
}

/* How many of those from `low` to below `high` go in a round. */
static uint32_t go_round(uint32_t low, uint32_t high)
{
    uint32_t gone = 0;
    for (uint32_t first = 0; first < CROWD; first += BATCH) {
        uint32_t in_batch = 0;
        uint32_t count = sheaf_sifter_sift(&sifter, &rules, CROWD, uses + first, BATCH, going);
        for (uint32_t i = 0; i < BATCH; i++) {
            if (!going[i]) continue;
            uses[first + i] = rules.fresh;
            in_batch++;
            if (first + i >= low && first + i < high) gone++;
        }
        cr_assert_eq(count, in_batch);
    }
    return gone;
}

static uint32_t go_rounds(uint32_t count, uint32_t low, uint32_t high)
{
    uint32_t gone = 0;
    while (count-- > 0) gone += go_round(low, high);
    return gone;
}

Test(sifter, none_goes_in_the_first_round_and_all_age)
{
    begin(SHEAF_USE_RECENCY);
    uint32_t gone = go_round(0, CROWD - BATCH);
    cr_assert_eq(gone, 0);
    for (uint32_t i = 0; i < CROWD - BATCH; i++) cr_assert_eq(uses[i], 1);
}

Test(sifter, about_an_eighth_goes_in_a_round)
{
    for (int order = SHEAF_USE_FREQUENCY; order <= SHEAF_USE_RECENCY; order++) {
        begin((enum sheaf_use_order)order);
        (void)go_rounds(20, 0, CROWD);
        uint32_t gone = go_rounds(20, 0, CROWD);
        cr_assert_geq(gone, 20 * CROWD / 10, "%u of 80,000", gone);
        cr_assert_leq(gone, 20 * CROWD / 7, "%u of 80,000", gone);
    }
}

Test(sifter, by_recency_those_read_in_each_round_stay_though_they_lie_side_by_side)
{
    begin(SHEAF_USE_RECENCY);
    for (int i = 0; i < 20; i++) {
        read_some(0, CROWD / 2);
        (void)go_round(0, CROWD);
    }
    uint32_t hot = 0, cold = 0;
    for (int i = 0; i < 50; i++) {
        read_some(0, CROWD / 2);
        hot += go_round(0, CROWD / 2);
        read_some(0, CROWD / 2);
        cold += go_round(CROWD / 2, CROWD);
    }
    cr_assert_eq(hot, 0);
    cr_assert_geq(cold, 50 * CROWD / 16, "%u", cold);
}

Test(sifter, by_frequency_those_read_now_and_then_stay)
{
    begin(SHEAF_USE_FREQUENCY);
    for (int i = 0; i < 100; i++) {
        if (i % 4 == 0) read_some(CROWD / 4, CROWD / 2);
        uint32_t hot = go_round(CROWD / 4, CROWD / 2);
        if (i >= 8) cr_assert_eq(hot, 0, "%u in round %d", hot, i);
    }
}

Test(sifter, by_recency_those_read_no_more_go_in_a_dozen_rounds)
{
    begin(SHEAF_USE_RECENCY);
    for (int i = 0; i < 20; i++) {
        read_some(0, CROWD / 2);
        (void)go_round(0, CROWD);
    }
    uint32_t gone = 0;
    for (int i = 0; i < 14; i++) {
        read_some(CROWD / 2, CROWD);
        gone += go_round(0, CROWD / 2);
    }
    cr_assert_geq(gone, CROWD / 2, "as many as there were: %u", gone);
}

Test(sifter, by_frequency_what_was_hot_once_is_forgotten)
{
    begin(SHEAF_USE_FREQUENCY);
    for (int i = 0; i < 20; i++) {
        read_some(0, CROWD);
        (void)go_round(0, CROWD);
    }
    for (int i = 0; i < 20; i++) { /* all were hot, half of them still is */
        read_some(CROWD / 2, CROWD);
        (void)go_round(0, CROWD);
    }
    uint32_t hot = 0, gone = 0;
    for (int i = 0; i < 40; i++) {
        read_some(CROWD / 2, CROWD);
        hot += go_round(CROWD / 2, CROWD);
        read_some(CROWD / 2, CROWD);
        gone += go_round(0, CROWD / 2);
    }
    cr_assert_eq(hot, 0);
    cr_assert_geq(gone, CROWD, "%u", gone);
}

Test(sifter, lets_one_go_when_none_of_a_round_has)
{
    begin(SHEAF_USE_RECENCY);
    for (uint32_t met = 0;; met += 2) {
        uint8_t pair[2] = { 1, 4 }; /* read in between, and always younger than was to be expected */
        cr_assert_leq(met, 2 * 1256);
        if (sheaf_sifter_sift(&sifter, &rules, 1000, pair, 2, going) == 0) continue;
        cr_assert(!going[0] && going[1], "the lowest of those at hand");
        cr_assert_eq(pair[0], 2);
        break;
    }
}

Test(sifter, a_single_entry_goes_in_the_end)
{
    begin(SHEAF_USE_FREQUENCY);
    uint8_t use = 0;
    uint32_t calls = 0;
    while (sheaf_sifter_sift(&sifter, &rules, 1, &use, 1, going) == 0) calls++;
    cr_assert_leq(calls, 257);
}

Test(sifter, draws_evenly)
{
    begin(SHEAF_USE_FREQUENCY);
    uint32_t low = 0, high = 0;
    for (int i = 0; i < 10000; i++) {
        uint32_t drawn = sheaf_sifter_draw(&sifter);
        cr_assert_lt(drawn, 65536);
        if (drawn < 6554) low++;
        if (drawn >= 58982) high++;
    }
    cr_assert(low > 850 && low < 1150, "%u of 1,000", low);
    cr_assert(high > 850 && high < 1150, "%u of 1,000", high);
}
