/* Keys that come in order: the finger that spares them the descent, and whatever else may happen between two of them. */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "tests/support/orchard.h"
#include "tests/support/random.h"

static struct orchard orchard;

static void begin(void)
{
    orchard_begin(&orchard);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(append, .init = begin, .fini = end);

static bool finger_points(const struct sheaf_tree *tree)
{
    const struct sheaf_finger *finger = &orchard.grove.finger;
    return finger->last && finger->tree == tree && finger->changed == tree->changed;
}

Test(append, the_way_is_known_after_the_first_key_behind_all)
{
    orchard_put_numbers(&orchard, 0, 1000);
    uint32_t known = 0;
    for (uint32_t number = 1000; number < 2000; number++) {
        if (finger_points(&orchard.tree)) known++;
        orchard_put_numbers(&orchard, number, number + 1);
    }
    cr_assert_gt(known, 500, "%u of 1,000 puts were spared the descent", known);
    cr_assert_eq(orchard.tree.totals.count, 2000);
}

Test(append, a_key_that_is_not_behind_all_goes_the_whole_way)
{
    orchard_put_numbers(&orchard, 10, 300);
    orchard_put_numbers(&orchard, 0, 10);
    cr_assert_not(finger_points(&orchard.tree));
    orchard_put_numbers(&orchard, 300, 302);
    cr_assert(finger_points(&orchard.tree));
    orchard_put_numbers(&orchard, 301, 302); /* the last key again */
    cr_assert_eq(orchard.tree.totals.count, 302);
    orchard_check(&orchard);
}

Test(append, another_tree_of_the_grove_has_its_own_end)
{
    struct sheaf_tree other;
    sheaf_tree_init(&other, &orchard.grove);
    orchard_put_numbers(&orchard, 100, 400);
    uint32_t next = 400;
    for (; next < 410 && !finger_points(&orchard.tree); next++) orchard_put_numbers(&orchard, next, next + 1); /* a split hides it */
    cr_assert(finger_points(&orchard.tree));
    bool replaced;
    cr_assert_eq(sheaf_tree_put(&other, SHEAF_LIT("999999"), SHEAF_LIT("o"), &replaced), SHEAF_OK);
    orchard_put_numbers(&orchard, next, next + 1);
    cr_assert_eq(orchard.tree.totals.count, next + 1 - 100);
    cr_assert_eq(other.totals.count, 1);
    sheaf_tree_clear(&other);
    cr_assert_eq(sheaf_tree_put(&other, SHEAF_LIT("999999"), SHEAF_LIT("o"), &replaced), SHEAF_OK);
    cr_assert_not(replaced);
    sheaf_tree_clear(&other);
}

/* One step of what may come between two appends. */
static void disturb(struct random *random, struct model *model, uint32_t next)
{
    char buffer[16];
    sheaf_bytes key = orchard_number((uint32_t)random_below(random, next + 1), buffer);
    sheaf_range range = sheaf_range_at_least(key);
    switch (random_below(random, 4)) {
    case 0: /* below the end, or the last key itself */
        orchard_put(&orchard, key, SHEAF_LIT("again"));
        (void)model_put(model, key, SHEAF_LIT("again"));
        break;
    case 1: cr_assert_eq(sheaf_tree_delete(&orchard.tree, key) == SHEAF_OK, model_delete(model, key)); break;
    case 2: /* the end goes */
        cr_assert_eq(sheaf_tree_cut(&orchard.tree, &range).count, model_delete_range(model, &range).count);
        break;
    default:
        if (random_below(random, 8) != 0) break;
        sheaf_tree_clear(&orchard.tree);
        model_clear(model);
        break;
    }
}

Test(append, whatever_comes_between)
{
    uint64_t seed = random_seed("append", 20261201);
    struct random random = random_from_seed(seed);
    struct model model;
    model_init(&model);
    for (uint32_t number = 0; number < 4000; number++) {
        char buffer[16];
        sheaf_bytes key = orchard_number(number, buffer);
        orchard_put(&orchard, key, SHEAF_LIT("value"));
        (void)model_put(&model, key, SHEAF_LIT("value"));
        if (random_below(&random, 16) == 0) disturb(&random, &model, number);
        if (number % 16 == 0) orchard_check(&orchard);
        cr_assert_eq(orchard.tree.totals.count, model.count, "seed %llu, step %u", (unsigned long long)seed, number);
        cr_assert_eq(orchard.tree.totals.bytes, model.bytes);
    }
    for (size_t i = 0; i < model.count; i++) {
        sheaf_bytes value;
        cr_assert_eq(sheaf_tree_get(&orchard.tree, model.entries[i].key, &value), SHEAF_OK);
        cr_assert(model_same(value, model.entries[i].value));
    }
    model_deinit(&model);
}

Test(append, memory_that_is_refused_leaves_the_way_right)
{
    uint32_t next = 0;
    for (int refusals = 0; refusals < 50;) {
        char buffer[16];
        bool replaced;
        sheaf_bytes key = orchard_number(next, buffer);
        orchard.heap.fail_from = 0;
        sheaf_status status = sheaf_tree_put(&orchard.tree, key, SHEAF_LIT("value"), &replaced);
        test_heap_relent(&orchard.heap);
        if (status == SHEAF_OK) {
            next++;
            continue;
        }
        cr_assert_eq(status, SHEAF_NO_MEMORY);
        cr_assert_eq(orchard.tree.totals.count, next);
        refusals++;
        orchard_put(&orchard, key, SHEAF_LIT("value"));
        orchard_check(&orchard);
        next++;
    }
    cr_assert_eq(orchard.tree.totals.count, next);
}
