/*
 * test_listing_model.c - listings taken as wholes: pages of every limit, children of every folder, and entries that are
 * present throughout a walk while others come and go.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compare.h"
#include "tests/support/expect.h"
#include "tests/support/shape.h"
#include "tests/support/shape_run.h"

static const sheaf_bytes PARTITION_KEY = { (const uint8_t *)"p", 1 };

struct fixture {
    struct random random;
    struct shape_source source;
    struct model model;
    sheaf_store *store;
    struct subject subject;
    struct range_bytes range_bytes;
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
};

static void put(struct fixture *fixture, sheaf_bytes key)
{
    sheaf_bytes value = draw_value(&fixture->source);
    EXPECT(sheaf_store_put(fixture->store, PARTITION_KEY, key, value, NULL, NULL) == SHEAF_OK, "put");
    (void)model_put(&fixture->model, key, value);
}

static void put_any(struct fixture *fixture)
{
    put(fixture, draw_key(&fixture->source, fixture->key_bytes));
}

static struct fixture *begin(const char *name, size_t shape, uint32_t entry_count)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    EXPECT(fixture, "memory for the test");
    fixture->random = random_from_seed(random_seed(name, 20261501 + shape));
    shape_source_init(&fixture->source, &shapes[shape], &fixture->random);
    model_init(&fixture->model);
    sheaf_store_options options = { .allow_empty_sort_key = true, .sort_key_size_max = shapes[shape].key_size_max };
    EXPECT(sheaf_store_create(&options, &fixture->store, NULL) == SHEAF_OK, "create");
    fixture->subject = (struct subject){ fixture->store, PARTITION_KEY, &fixture->model };
    for (uint32_t i = 0; i < entry_count; i++) put_any(fixture);
    return fixture;
}

static void end(struct fixture *fixture)
{
    sheaf_store_destroy(fixture->store);
    model_deinit(&fixture->model);
    free(fixture);
}

/* ---- pages of every limit --------------------------------------------------------------------------------------------- */

ParameterizedTestParameters(listing_model, pages_of_every_limit)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, listing_model, pages_of_every_limit)
{
    struct fixture *fixture = begin("listing_model/pages_of_every_limit", *shape, 60);
    uint64_t range_count = random_scaled(25);
    for (uint64_t i = 0; i < range_count; i++) {
        sheaf_range range = draw_range(&fixture->source, &fixture->model, &fixture->range_bytes);
        struct model_slice slice = model_slice_of(&fixture->model, &range);
        for (uint64_t limit = 1; limit <= slice.end - slice.begin + 1; limit++) {
            expect_scene.step = i * 1000 + limit;
            compare_walk(&fixture->subject, &range, SHEAF_FORWARD, limit);
            compare_walk(&fixture->subject, &range, SHEAF_REVERSE, limit);
        }
    }
    end(fixture);
}

/* ---- children of every folder ----------------------------------------------------------------------------------------- */

ParameterizedTestParameters(listing_model, children_of_every_prefix)
{
    static size_t indexes[64];
    size_t count = 0;
    for (size_t i = 0; i < shape_count; i++)
        if (shapes[i].key_size_max <= SHEAF_SORT_KEY_SIZE_MAX) indexes[count++] = i;
    return cr_make_param_array(size_t, indexes, count);
}

ParameterizedTest(const size_t *shape, listing_model, children_of_every_prefix)
{
    static const char *const delimiters[] = { "/", "a", "b", "ab", "#", "aa", "docs" };
    struct fixture *fixture = begin("listing_model/children_of_every_prefix", *shape, 100);
    for (size_t i = 0; i < sizeof delimiters / sizeof *delimiters; i++) {
        sheaf_bytes delimiter = sheaf_bytes_of(delimiters[i], strlen(delimiters[i]));
        for (uint32_t round = 0; round < 16; round++) {
            sheaf_bytes prefix = round == 0 ? sheaf_bytes_of(NULL, 0)
                                            : draw_key_near(&fixture->source, &fixture->model, fixture->key_bytes);
            if (round % 2) prefix.size = random_below(&fixture->random, (uint32_t)prefix.size + 1);
            expect_scene.step = i * 1000 + round;
            compare_children(&fixture->subject, prefix, delimiter, SHEAF_FORWARD);
            compare_children(&fixture->subject, prefix, delimiter, SHEAF_REVERSE);
        }
    }
    end(fixture);
}

/* ---- change during a walk --------------------------------------------------------------------------------------------- */

/* Writes that leave every key of `kept` alone. */
static void write_around(struct fixture *fixture, const struct model *kept)
{
    for (uint32_t writes = random_below(&fixture->random, 6); writes > 0; writes--) {
        if (random_below(&fixture->random, 2)) {
            sheaf_bytes key = draw_key(&fixture->source, fixture->key_bytes);
            if (!model_has(kept, key)) put(fixture, key);
            continue;
        }
        sheaf_bytes key = draw_key_near(&fixture->source, &fixture->model, fixture->key_bytes);
        if (model_has(kept, key)) continue;
        sheaf_status status = sheaf_store_delete(fixture->store, PARTITION_KEY, key, NULL);
        EXPECT(status == (model_delete(&fixture->model, key) ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %d", (int)status);
    }
}

/* Half of the entries are kept throughout; a walk meets each of them once and in order, whatever happens to the others. */
static void walk_while_writing(struct fixture *fixture, sheaf_direction direction)
{
    static uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
    struct model kept;
    model_init(&kept);
    for (size_t i = 0; i < fixture->model.count; i += 1 + random_below(&fixture->random, 3))
        (void)model_put(&kept, fixture->model.entries[i].key, fixture->model.entries[i].value);
    sheaf_cursor cursor;
    sheaf_range all = sheaf_range_all();
    bool forward = direction == SHEAF_FORWARD;
    open_public_cursor(&fixture->subject, &cursor, &all, wide, fixture->source.shape->key_size_max);
    size_t met = 0;
    bool at = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
    for (; at; at = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor)) {
        EXPECT(met <= kept.count, "%zu met", met);
        if (model_has(&kept, cursor.key)) {
            const struct model_entry *expected = &kept.entries[forward ? met : kept.count - 1 - met];
            EXPECT(model_same(cursor.key, expected->key), "kept entry %zu skipped or given twice", met);
            EXPECT(model_same(cursor.value, expected->value), "the value of kept entry %zu", met);
            met++;
        }
        write_around(fixture, &kept);
    }
    EXPECT(met == kept.count, "%zu of %zu kept entries met", met, kept.count);
    model_deinit(&kept);
}

ParameterizedTestParameters(listing_model, entries_present_throughout_are_given_once)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, listing_model, entries_present_throughout_are_given_once)
{
    struct fixture *fixture = begin("listing_model/entries_present_throughout", *shape, shapes[*shape].live_count / 2);
    uint64_t walk_count = random_scaled(20);
    for (uint64_t i = 0; i < walk_count; i++) {
        expect_scene.step = i;
        walk_while_writing(fixture, SHEAF_FORWARD);
        walk_while_writing(fixture, SHEAF_REVERSE);
        EXPECT(sheaf_store_check(fixture->store, NULL), "sound after walk %" PRIu64, i);
        while (fixture->model.count > shapes[*shape].live_count) { /* back to size */
            sheaf_range range = draw_range(&fixture->source, &fixture->model, &fixture->range_bytes);
            (void)model_delete_range(&fixture->model, &range);
            EXPECT(sheaf_store_delete_range(fixture->store, PARTITION_KEY, &range, NULL, NULL) == SHEAF_OK, "delete range");
        }
        while (fixture->model.count < shapes[*shape].live_count / 4) put_any(fixture);
    }
    end(fixture);
}

/* Children are as live as a cursor: none twice, none of the kept ones missed. */
static void list_children_while_writing(struct fixture *fixture, sheaf_direction direction, sheaf_bytes delimiter)
{
    sheaf_children children;
    sheaf_bytes no_prefix = sheaf_bytes_of(NULL, 0);
    EXPECT(sheaf_children_open(&children, fixture->store, PARTITION_KEY, no_prefix, delimiter, direction, NULL) == SHEAF_OK,
           "open");
    uint8_t after_bytes[SHEAF_SORT_KEY_SIZE_MAX];
    sheaf_bytes after = { NULL, 0 };
    struct model none;
    model_init(&none);
    for (;;) {
        struct model_child expected;
        sheaf_child child;
        bool more = model_next_child(&fixture->model, no_prefix, delimiter, direction, after.data ? &after : NULL, &expected);
        EXPECT(sheaf_children_next(&children, &child) == more, "more is %d", more);
        if (!more) break;
        EXPECT(model_same(child.key, expected.key), "child of %zu bytes, not of %zu", child.key.size, expected.key.size);
        EXPECT(child.is_folder == expected.is_folder, "is_folder is %d", child.is_folder);
        EXPECT(child.totals.count == expected.totals.count, "%" PRIu64 " entries", child.totals.count);
        EXPECT(child.totals.bytes == expected.totals.bytes, "%" PRIu64 " bytes", child.totals.bytes);
        memcpy(after_bytes, child.key.data, child.key.size);
        after = sheaf_bytes_of(after_bytes, child.key.size);
        write_around(fixture, &none);
    }
    model_deinit(&none);
}

Test(listing_model, children_while_writing)
{
    size_t paths = 0;
    while (shapes[paths].keys != KEYS_PATHS) paths++;
    struct fixture *fixture = begin("listing_model/children_while_writing", paths, 300);
    uint64_t list_count = random_scaled(60);
    for (uint64_t i = 0; i < list_count; i++) {
        expect_scene.step = i;
        list_children_while_writing(fixture, i % 2 ? SHEAF_REVERSE : SHEAF_FORWARD, i % 3 ? SHEAF_LIT("/") : SHEAF_LIT("o"));
        while (fixture->model.count < 100) put_any(fixture);
    }
    end(fixture);
}
