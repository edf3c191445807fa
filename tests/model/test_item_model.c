/*
 * test_item_model.c - random items as trees of values, and as records.
 *
 * The tree is written in two random orders; both give the same bytes. Read back they give the tree, sizes are what the formula
 * of DynamoDB says of the tree, and the record keeps to the size it promises.
 */
#include <sheaf/item_json.h>

#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"

enum { NODES_MAX = 400, CHILDREN_MAX = 12, TEXT_MAX = 400 };

struct tree {
    sheaf_type type;
    char name[24];
    size_t name_size;
    char bytes[TEXT_MAX]; /* S and B; the digits of N */
    size_t size;
    bool boolean;
    struct tree *children[CHILDREN_MAX];
    size_t child_count;
};

static struct tree pool[NODES_MAX];
static size_t pool_used;

/* ---- drawn ------------------------------------------------------------------------------------------------------------ */

static size_t draw_text(struct random *random, char *out, size_t most, bool any_bytes)
{
    size_t size = random_once_in(random, 12) ? random_below(random, (uint32_t)most) : random_below(random, 5);
    for (size_t i = 0; i < size; i++) out[i] = any_bytes ? (char)random_next(random) : "ab\x01z"[random_below(random, 4)];
    return size;
}

/* A whole number or one with a fraction, in its one form: so that two are equal if their texts are. */
static size_t draw_digits(struct random *random, char *out)
{
    long long whole = random_once_in(random, 2) ? random_below(random, 12) : (long long)(random_next(random) >> 20);
    const char *sign = random_once_in(random, 3) && whole > 0 ? "-" : "";
    if (random_once_in(random, 3)) return (size_t)sprintf(out, "%s%lld.%u5", sign, whole, random_below(random, 100));
    return (size_t)sprintf(out, "%s%lld", sign, whole);
}

static bool same_scalar(const struct tree *left, const struct tree *right)
{
    return left->size == right->size && memcmp(left->bytes, right->bytes, left->size) == 0;
}

static bool is_there(const struct tree *tree, const struct tree *child, bool by_name)
{
    for (size_t i = 0; i < tree->child_count; i++) {
        const struct tree *other = tree->children[i];
        if (by_name && other->name_size == child->name_size && memcmp(other->name, child->name, child->name_size) == 0) return true;
        if (!by_name && same_scalar(other, child)) return true;
    }
    return false;
}

static void draw_value(struct random *random, struct tree *tree, sheaf_type type, uint32_t level);

static void draw_children(struct random *random, struct tree *tree, uint32_t level)
{
    bool is_set = tree->type >= SHEAF_TYPE_STRING_SET;
    size_t wanted = random_below(random, CHILDREN_MAX) + is_set;
    for (size_t i = 0; i < wanted && pool_used < NODES_MAX; i++) {
        struct tree *child = &pool[pool_used++];
        memset(child, 0, sizeof *child);
        if (tree->type == SHEAF_TYPE_MAP) child->name_size = draw_text(random, child->name, sizeof child->name, false);
        draw_value(random, child, is_set ? (sheaf_type)(tree->type - SHEAF_TYPE_STRING_SET) : (sheaf_type)random_below(random, 10), level);
        if (tree->type != SHEAF_TYPE_LIST && is_there(tree, child, tree->type == SHEAF_TYPE_MAP)) continue;
        tree->children[tree->child_count++] = child;
    }
}

static void draw_value(struct random *random, struct tree *tree, sheaf_type type, uint32_t level)
{
    if (type >= SHEAF_TYPE_MAP && (level > 4 || pool_used + 2 * CHILDREN_MAX > NODES_MAX)) type = SHEAF_TYPE_NULL;
    tree->type = type;
    switch (type) {
    case SHEAF_TYPE_STRING: tree->size = draw_text(random, tree->bytes, TEXT_MAX, false); break;
    case SHEAF_TYPE_BINARY: tree->size = draw_text(random, tree->bytes, TEXT_MAX, true); break;
    case SHEAF_TYPE_NUMBER: tree->size = draw_digits(random, tree->bytes); break;
    case SHEAF_TYPE_BOOL: tree->boolean = random_once_in(random, 2); break;
    case SHEAF_TYPE_NULL: break;
    case SHEAF_TYPE_MAP:
    case SHEAF_TYPE_LIST:
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: draw_children(random, tree, level + 1); break;
    }
}

/* ---- written ---------------------------------------------------------------------------------------------------------- */

static sheaf_number number_of(const struct tree *tree)
{
    sheaf_number number = { 0 };
    cr_assert_eq(sheaf_number_parse(sheaf_bytes_of(tree->bytes, tree->size), &number, NULL), SHEAF_OK);
    return number;
}

static void write_children(struct random *random, sheaf_item_builder *builder, const struct tree *tree)
{
    size_t order[CHILDREN_MAX];
    for (size_t i = 0; i < tree->child_count; i++) order[i] = i;
    for (size_t i = tree->child_count; i > 1 && tree->type != SHEAF_TYPE_LIST; i--) {
        size_t other = random_below(random, (uint32_t)i), moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
    for (size_t i = 0; i < tree->child_count; i++) {
        const struct tree *child = tree->children[order[i]];
        sheaf_bytes name = sheaf_bytes_of(child->name, child->name_size);
        if (child->type >= SHEAF_TYPE_MAP) {
            sheaf_item_open(builder, name, child->type);
            write_children(random, builder, child);
            sheaf_item_close(builder);
        } else if (child->type == SHEAF_TYPE_NUMBER) {
            sheaf_item_add_number(builder, name, number_of(child));
        } else if (child->type == SHEAF_TYPE_BOOL) {
            sheaf_item_add_bool(builder, name, child->boolean);
        } else {
            sheaf_item_add(builder, name, sheaf_value_of_bytes(child->type, sheaf_bytes_of(child->bytes, child->size)));
        }
    }
}

static sheaf_bytes build(struct random *random, sheaf_item_builder *builder, const struct tree *tree, uint64_t seed, uint64_t step)
{
    sheaf_bytes record = { 0 };
    sheaf_detail detail = { 0 };
    sheaf_item_begin(builder);
    write_children(random, builder, tree);
    if (sheaf_item_end(builder, &record, &detail) != SHEAF_OK)
        cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %s", seed, step, detail.message);
    return record;
}

/* ---- read ------------------------------------------------------------------------------------------------------------- */

static bool same(sheaf_value value, const struct tree *tree);

static bool same_children(sheaf_value value, const struct tree *tree)
{
    sheaf_value found;
    if (sheaf_value_count(value) != tree->child_count) return false;
    for (size_t i = 0; i < tree->child_count; i++) {
        const struct tree *child = tree->children[i];
        if (tree->type == SHEAF_TYPE_MAP) {
            if (!sheaf_value_member(value, sheaf_bytes_of(child->name, child->name_size), &found)) return false;
        } else if (tree->type == SHEAF_TYPE_LIST) {
            if (!sheaf_value_element(value, i, &found)) return false;
        } else {
            uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
            sheaf_bytes bytes = sheaf_bytes_of(child->bytes, child->size);
            if (child->type == SHEAF_TYPE_NUMBER) bytes = sheaf_bytes_of(key, sheaf_number_to_key(number_of(child), key));
            if (!sheaf_value_set_has(value, sheaf_value_of_bytes(child->type, bytes))) return false;
            continue;
        }
        if (!same(found, child)) return false;
    }
    return !sheaf_value_element(value, tree->child_count, &found);
}

static bool same(sheaf_value value, const struct tree *tree)
{
    if (value.type != tree->type || value.boolean != tree->boolean) return false;
    if (tree->type >= SHEAF_TYPE_MAP) return same_children(value, tree);
    if (tree->type == SHEAF_TYPE_NUMBER) return sheaf_number_compare(sheaf_value_number(value), number_of(tree)) == 0;
    return value.bytes.size == tree->size && (tree->size == 0 || memcmp(value.bytes.data, tree->bytes, tree->size) == 0);
}

/* The formula, on digits as text: half of those before the point and half of those behind it, rounded up, zeros that only fill up not
 * counted. */
static size_t number_bytes(const char *digits, size_t size)
{
    bool negative = digits[0] == '-';
    const char *at = digits + negative, *end = digits + size;
    const char *point = memchr(at, '.', (size_t)(end - at));
    size_t whole = (size_t)((point ? point : end) - at), fraction = point ? (size_t)(end - point - 1) : 0;
    if (!point) while (whole > 1 && at[whole - 1] == '0') whole--;
    if (whole == 1 && at[0] == '0') {
        if (!point) return 1;
        whole = 0;
        for (const char *zero = point + 1; *zero == '0'; zero++) fraction--;
    }
    return 1 + (whole + 1) / 2 + (fraction + 1) / 2 + negative;
}

/* Also how many values there are that the promise gives two bytes, and one more for each that is long. */
static size_t count(const struct tree *tree, size_t *out_allowed)
{
    size_t size = 0;
    *out_allowed += 2u + (tree->size >= 248) + (tree->name_size >= 15);
    if (tree->type == SHEAF_TYPE_STRING || tree->type == SHEAF_TYPE_BINARY) return tree->size;
    if (tree->type == SHEAF_TYPE_NUMBER) return number_bytes(tree->bytes, tree->size);
    if (tree->type == SHEAF_TYPE_BOOL || tree->type == SHEAF_TYPE_NULL) return 1;
    bool is_set = tree->type >= SHEAF_TYPE_STRING_SET;
    for (size_t i = 0; i < tree->child_count; i++)
        size += tree->children[i]->name_size + count(tree->children[i], out_allowed) + (is_set ? 0 : 1);
    return size + (is_set ? 0 : 3);
}

/* Through DynamoDB's JSON, which loses nothing. A library without a parser has nothing to say. */
static bool comes_back_from_json(sheaf_item_builder *builder, sheaf_bytes record)
{
    sheaf_item item = { .record = record };
    sheaf_bytes again = { 0 };
    size_t size = 0;
    (void)sheaf_item_write_json(&item, SHEAF_JSON_DYNAMODB, NULL, 0, &size);
    char *json = malloc(size); /* its own block, so that a sanitizer sees a byte too many */
    bool is_written = sheaf_item_write_json(&item, SHEAF_JSON_DYNAMODB, json, size, &size) == SHEAF_OK;
    sheaf_status status = sheaf_item_read_json(builder, sheaf_bytes_of(json, size), SHEAF_JSON_DYNAMODB, &again, NULL);
    free(json);
    if (status == SHEAF_INVALID_ARGUMENT) return is_written;
    return is_written && status == SHEAF_OK && sheaf_bytes_compare(again, record) == 0;
}

Test(item_model, records_are_the_tree_they_were_built_from)
{
    uint64_t seed = random_seed("item_model", 20261207), bytes = 0, counted = 0;
    struct random random = random_from_seed(seed);
    sheaf_item_builder *builder, *other;
    cr_assert_eq(sheaf_item_builder_create(NULL, &builder), SHEAF_OK);
    cr_assert_eq(sheaf_item_builder_create(NULL, &other), SHEAF_OK);
    for (uint64_t step = 0, steps = random_scaled(20000); step < steps; step++) {
        struct tree root = { .type = SHEAF_TYPE_MAP };
        pool_used = 0;
        draw_children(&random, &root, 1);
        sheaf_bytes record = build(&random, builder, &root, seed, step), again = build(&random, other, &root, seed, step);
        if (sheaf_bytes_compare(record, again) != 0) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": two encodings", seed, step);
        if (sheaf_item_check(record, NULL) != SHEAF_OK || !same(sheaf_item_value(record), &root))
            cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": another item", seed, step);
        size_t allowed = 8, size = count(&root, &allowed) - 3 - root.child_count; /* an item is no nested map */
        sheaf_item item = { .record = record };
        if (sheaf_item_size(&item) != size)
            cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": counts %zu, not %zu", seed, step, sheaf_item_size(&item), size);
        if (record.size > size + allowed)
            cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %zu bytes for %zu and %zu", seed, step, record.size, size, allowed);
        bytes += record.size;
        counted += size;
        if (!comes_back_from_json(other, record)) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": not the same from JSON", seed, step);
        /* Copied value by value it is the same. */
        sheaf_item_begin(other);
        sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(record));
        sheaf_bytes name, copied = { 0 };
        for (sheaf_value value; sheaf_value_next(&cursor, &name, &value);) sheaf_item_add(other, name, value);
        if (sheaf_item_end(other, &copied, NULL) != SHEAF_OK || sheaf_bytes_compare(copied, record) != 0)
            cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": copied otherwise", seed, step);
    }
    fprintf(stderr, "# records take %.3f of what DynamoDB counts\n", (double)bytes / (double)counted);
    sheaf_item_builder_destroy(other);
    sheaf_item_builder_destroy(builder);
}

/* A record with bytes changed: what is taken for sound can be read to the end, and built again is the same. */
Test(item_model, takes_no_other_bytes_for_a_record)
{
    uint64_t seed = random_seed("item_bytes", 20261208), taken = 0;
    struct random random = random_from_seed(seed);
    sheaf_item_builder *builder;
    cr_assert_eq(sheaf_item_builder_create(NULL, &builder), SHEAF_OK);
    for (uint64_t step = 0, steps = random_scaled(20000); step < steps; step++) {
        struct tree root = { .type = SHEAF_TYPE_MAP };
        pool_used = NODES_MAX - 40;
        draw_children(&random, &root, 3);
        sheaf_bytes record = build(&random, builder, &root, seed, step);
        size_t size = record.size;
        uint8_t *bytes = malloc(size); /* its own block, so that a sanitizer sees a byte too many */
        memcpy(bytes, record.data, size);
        for (uint32_t i = random_below(&random, 3); i > 0; i--) bytes[random_below(&random, (uint32_t)size)] = (uint8_t)random_next(&random);
        if (sheaf_item_check(sheaf_bytes_of(bytes, size), NULL) == SHEAF_OK) {
            taken++;
            sheaf_item_begin(builder);
            sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(sheaf_bytes_of(bytes, size)));
            sheaf_bytes name, again = { 0 };
            for (sheaf_value value; sheaf_value_next(&cursor, &name, &value);) sheaf_item_add(builder, name, value);
            bool same_bytes = sheaf_item_end(builder, &again, NULL) == SHEAF_OK && again.size == size && memcmp(again.data, bytes, size) == 0;
            sheaf_item item = { .record = sheaf_bytes_of(bytes, size) };
            if (!same_bytes || sheaf_item_size(&item) == SIZE_MAX) cr_assert_fail("seed %" PRIu64 " step %" PRIu64, seed, step);
        }
        free(bytes);
    }
    cr_assert_gt(taken, random_scaled(20000) / 10);
    sheaf_item_builder_destroy(builder);
}
