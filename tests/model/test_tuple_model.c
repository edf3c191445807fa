/*
 * test_tuple_model.c - random tuples, as values and as bytes: the same order, the same parts again, the same beginnings.
 *
 * A pair of tuples is drawn under one plan of orders, by place, as the keys of one collection would be; from a few values that
 * collide and differ in little. The values are compared part by part, as the header says they sort.
 */
#include <sheaf/key.h>

#include <criterion/criterion.h>

#include <inttypes.h>
#include <string.h>

#include "tests/support/random.h"

__extension__ typedef __int128 integer128;

enum { PARTS_MAX = 4, NODES_MAX = 256, DEPTH_MAX = 3, KEY_SIZE_MAX = 4096 };

struct value {
    sheaf_part_kind kind;
    sheaf_order order;
    bool boolean;
    integer128 integer;
    double floating;
    sheaf_number number;
    uint8_t bytes[8];
    size_t size;
    struct value *parts[PARTS_MAX];
    uint32_t part_count;
};

static struct value pool[NODES_MAX];
static uint32_t pool_used;

/* ---- drawn ------------------------------------------------------------------------------------------------------------ */

static void draw_integer(struct random *random, struct value *value)
{
    integer128 magnitude = (integer128)1 << random_below(random, 65);
    if (random_once_in(random, 3)) magnitude = random_below(random, 3);
    value->integer = magnitude + (int)random_below(random, 3) - 1;
    if (random_once_in(random, 2)) value->integer = -value->integer;
    if (value->integer > (integer128)UINT64_MAX) value->integer = UINT64_MAX;
    if (value->integer < INT64_MIN) value->integer = INT64_MIN;
}

static void draw_double(struct random *random, struct value *value)
{
    uint64_t bits = random_next(random);
    if (random_once_in(random, 2)) bits &= UINT64_C(0x8000000000000003);
    memcpy(&value->floating, &bits, sizeof bits);
    if (__builtin_isnan(value->floating)) value->floating = random_once_in(random, 2) ? __builtin_inf() : -1.5;
}

static void draw_number(struct random *random, struct value *value)
{
    static const char *const texts[] = { "0", "1", "-1", "10", "1.5", "-1.00000001", "1e125", "1e-130", "-1e-130", "99.9", "100" };
    const char *text = texts[random_below(random, sizeof texts / sizeof *texts)];
    (void)sheaf_number_parse(sheaf_bytes_of(text, strlen(text)), &value->number, NULL);
}

static void draw_bytes(struct random *random, struct value *value)
{
    static const uint8_t bytes[] = { 0, 1, 'a', 'b', 0x7F, 0x80, 0xFE, 0xFF };
    value->size = random_below(random, 5);
    for (size_t i = 0; i < value->size; i++)
        value->bytes[i] = bytes[random_below(random, value->kind == SHEAF_PART_TEXT ? 5 : sizeof bytes)];
}

static sheaf_order order_at(uint64_t plan, uint32_t depth, uint32_t place)
{
    return plan >> (depth * PARTS_MAX + place) & 1 ? SHEAF_DESCENDING : SHEAF_ASCENDING;
}

static struct value *draw(struct random *random, uint64_t plan, uint32_t depth, uint32_t place)
{
    struct value *value = &pool[pool_used++];
    *value = (struct value){ .order = order_at(plan, depth, place) };
    value->kind = (sheaf_part_kind)random_below(random, 8);
    if (value->kind == SHEAF_PART_TUPLE && (depth == DEPTH_MAX || pool_used > NODES_MAX / 3)) value->kind = SHEAF_PART_NULL;
    switch (value->kind) {
    case SHEAF_PART_NULL: break;
    case SHEAF_PART_BOOL: value->boolean = random_once_in(random, 2); break;
    case SHEAF_PART_INTEGER: draw_integer(random, value); break;
    case SHEAF_PART_DOUBLE: draw_double(random, value); break;
    case SHEAF_PART_NUMBER: draw_number(random, value); break;
    case SHEAF_PART_TEXT:
    case SHEAF_PART_BYTES: draw_bytes(random, value); break;
    case SHEAF_PART_TUPLE:
        value->part_count = random_below(random, PARTS_MAX + 1);
        for (uint32_t i = 0; i < value->part_count; i++) value->parts[i] = draw(random, plan, depth + 1, i);
        break;
    }
    return value;
}

/* A tuple of none is only a list of parts. The second of a pair repeats some of the first. */
static void draw_list(struct random *random, uint64_t plan, struct value *list, const struct value *like)
{
    *list = (struct value){ .kind = SHEAF_PART_TUPLE, .part_count = random_below(random, PARTS_MAX + 1) };
    uint32_t same = like ? random_below(random, like->part_count + 1) : 0;
    for (uint32_t i = 0; i < list->part_count; i++)
        list->parts[i] = i < same ? like->parts[i] : draw(random, plan, 0, i);
}

/* ---- compared --------------------------------------------------------------------------------------------------------- */

static int sign_of(int order)
{
    return (order > 0) - (order < 0);
}

static int compare_lists(const struct value *left, const struct value *right);

/* As values, whatever their order. */
static int compare_ascending(const struct value *left, const struct value *right)
{
    static const int ranks[] = { [SHEAF_PART_NULL] = 0, [SHEAF_PART_BYTES] = 1, [SHEAF_PART_TEXT] = 2, [SHEAF_PART_TUPLE] = 3,
                                 [SHEAF_PART_INTEGER] = 4, [SHEAF_PART_NUMBER] = 5, [SHEAF_PART_DOUBLE] = 6, [SHEAF_PART_BOOL] = 7 };
    if (left->kind != right->kind) return ranks[left->kind] - ranks[right->kind];
    switch (left->kind) {
    case SHEAF_PART_NULL: return 0;
    case SHEAF_PART_BOOL: return left->boolean - right->boolean;
    case SHEAF_PART_INTEGER: return (left->integer > right->integer) - (left->integer < right->integer);
    case SHEAF_PART_DOUBLE: return (left->floating > right->floating) - (left->floating < right->floating);
    case SHEAF_PART_NUMBER: return sheaf_number_compare(left->number, right->number);
    case SHEAF_PART_TEXT:
    case SHEAF_PART_BYTES: {
        int order = memcmp(left->bytes, right->bytes, left->size < right->size ? left->size : right->size);
        return order != 0 ? order : (left->size > right->size) - (left->size < right->size);
    }
    case SHEAF_PART_TUPLE: return compare_lists(left, right);
    }
    return 0;
}

static int compare_lists(const struct value *left, const struct value *right)
{
    for (uint32_t i = 0; i < left->part_count && i < right->part_count; i++) {
        int order = sign_of(compare_ascending(left->parts[i], right->parts[i]));
        if (order != 0) return left->parts[i]->order == SHEAF_DESCENDING ? -order : order;
    }
    return (left->part_count > right->part_count) - (left->part_count < right->part_count);
}

/* ---- written and read ------------------------------------------------------------------------------------------------- */

static void write(sheaf_key_writer *writer, const struct value *value)
{
    switch (value->kind) {
    case SHEAF_PART_NULL: sheaf_key_add_null(writer, value->order); break;
    case SHEAF_PART_BOOL: sheaf_key_add_bool(writer, value->boolean, value->order); break;
    case SHEAF_PART_INTEGER:
        if (value->integer < 0) sheaf_key_add_i64(writer, (int64_t)value->integer, value->order);
        else sheaf_key_add_u64(writer, (uint64_t)value->integer, value->order);
        break;
    case SHEAF_PART_DOUBLE: sheaf_key_add_double(writer, value->floating, value->order); break;
    case SHEAF_PART_NUMBER: sheaf_key_add_number(writer, value->number, value->order); break;
    case SHEAF_PART_TEXT: sheaf_key_add_text(writer, sheaf_bytes_of(value->bytes, value->size), value->order); break;
    case SHEAF_PART_BYTES: sheaf_key_add_bytes(writer, sheaf_bytes_of(value->bytes, value->size), value->order); break;
    case SHEAF_PART_TUPLE:
        sheaf_key_open_tuple(writer, value->order);
        for (uint32_t i = 0; i < value->part_count; i++) write(writer, value->parts[i]);
        sheaf_key_close_tuple(writer);
        break;
    }
}

static sheaf_bytes write_list(uint8_t *buffer, const struct value *list, uint32_t count)
{
    sheaf_key_writer writer;
    sheaf_bytes key = { 0 };
    sheaf_key_begin(&writer, buffer, KEY_SIZE_MAX);
    for (uint32_t i = 0; i < count; i++) write(&writer, list->parts[i]);
    cr_assert_eq(sheaf_key_end(&writer, &key, NULL), SHEAF_OK);
    return key;
}

static bool same_part(const sheaf_key_part *part, const struct value *value)
{
    if (part->kind != value->kind || part->order != value->order) return false;
    struct value found = { .kind = part->kind, .boolean = part->boolean, .floating = part->floating, .number = part->number };
    found.integer = part->negative ? -(integer128)part->magnitude : (integer128)part->magnitude;
    if (part->kind == SHEAF_PART_TUPLE) return true;
    if (part->bytes.size > sizeof found.bytes) return false;
    if (part->bytes.size > 0) memcpy(found.bytes, part->bytes.data, part->bytes.size);
    found.size = part->bytes.size;
    return compare_ascending(&found, value) == 0;
}

static bool reads_back(sheaf_key_reader *reader, const struct value *list)
{
    sheaf_key_part part;
    for (uint32_t i = 0; i < list->part_count; i++) {
        if (sheaf_key_next_part(reader, &part, NULL) != SHEAF_OK || !same_part(&part, list->parts[i])) return false;
        if (part.kind == SHEAF_PART_TUPLE && !reads_back(reader, list->parts[i])) return false;
    }
    return sheaf_key_next_part(reader, &part, NULL) == SHEAF_NOT_FOUND;
}

static bool starts_with(sheaf_bytes key, sheaf_bytes prefix)
{
    return key.size >= prefix.size && (prefix.size == 0 || memcmp(key.data, prefix.data, prefix.size) == 0);
}

/* A key starts with the first n parts of another exactly if its own first n are the same. */
static bool beginnings_agree(const struct value *left, sheaf_bytes left_key, const struct value *right, sheaf_bytes right_key)
{
    for (uint32_t count = 0; count <= left->part_count; count++) {
        sheaf_bytes prefix;
        uint8_t buffer[KEY_SIZE_MAX];
        if (sheaf_key_prefix(left_key, count, &prefix) != SHEAF_OK) return false;
        sheaf_bytes written = write_list(buffer, left, count);
        if (written.size != prefix.size || !starts_with(prefix, written)) return false;
        struct value first = *left, other = *right;
        first.part_count = count;
        if (other.part_count > count) other.part_count = count;
        if (starts_with(right_key, prefix) != (compare_lists(&first, &other) == 0)) return false;
    }
    return true;
}

Test(tuple_model, bytes_sort_as_values_do)
{
    uint64_t seed = random_seed("tuple_model", 20261203), equal_count = 0;
    struct random random = random_from_seed(seed);
    static uint8_t left_bytes[KEY_SIZE_MAX], right_bytes[KEY_SIZE_MAX], scratch[KEY_SIZE_MAX];
    for (uint64_t step = 0, steps = random_scaled(1000000); step < steps; step++) {
        struct value left, right;
        uint64_t plan = random_next(&random);
        pool_used = 0;
        draw_list(&random, plan, &left, NULL);
        draw_list(&random, plan, &right, &left);
        sheaf_bytes left_key = write_list(left_bytes, &left, left.part_count);
        sheaf_bytes right_key = write_list(right_bytes, &right, right.part_count);
        int wanted = compare_lists(&left, &right), found = sign_of(sheaf_bytes_compare(left_key, right_key));
        if (wanted != found) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": order %d, not %d", seed, step, found, wanted);
        equal_count += wanted == 0;
        sheaf_key_reader reader;
        sheaf_key_read(&reader, left_key, scratch, left_key.size);
        if (!reads_back(&reader, &left)) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": other parts", seed, step);
        if (step % 4 == 0 && !beginnings_agree(&left, left_key, &right, right_key))
            cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": beginnings", seed, step);
    }
    cr_assert_gt(equal_count, random_scaled(1000000) / 100, "some were equal");
}

/* A key with a byte changed, cut off or added is refused, or says what would be written just so. */
Test(tuple_model, takes_no_other_bytes_for_a_key)
{
    uint64_t seed = random_seed("tuple_bytes", 20261204), taken = 0;
    struct random random = random_from_seed(seed);
    static uint8_t bytes[KEY_SIZE_MAX + 1], again[KEY_SIZE_MAX], scratch[KEY_SIZE_MAX];
    for (uint64_t step = 0, steps = random_scaled(300000); step < steps; step++) {
        struct value list;
        pool_used = 0;
        draw_list(&random, random_next(&random), &list, NULL);
        size_t size = write_list(bytes, &list, list.part_count).size;
        if (size == 0) continue;
        if (random_once_in(&random, 2)) bytes[random_below(&random, (uint32_t)size)] = (uint8_t)random_next(&random);
        if (random_once_in(&random, 4)) bytes[random_below(&random, (uint32_t)size)] ^= 0xFF;
        if (random_once_in(&random, 4)) size -= random_below(&random, 2);
        sheaf_key_reader reader;
        sheaf_key_writer writer;
        sheaf_key_part part;
        sheaf_status status;
        sheaf_key_read(&reader, sheaf_bytes_of(bytes, size), scratch, sizeof scratch);
        sheaf_key_begin(&writer, again, sizeof again);
        for (;;) {
            uint32_t depth = reader.depth;
            status = sheaf_key_next_part(&reader, &part, NULL);
            if (status == SHEAF_NOT_FOUND && depth > 0) {
                sheaf_key_close_tuple(&writer);
                continue;
            }
            if (status != SHEAF_OK) break;
            if (part.kind == SHEAF_PART_TUPLE) {
                sheaf_key_open_tuple(&writer, part.order);
                continue;
            }
            struct value value = { .kind = part.kind, .order = part.order, .boolean = part.boolean, .floating = part.floating,
                                   .number = part.number };
            value.integer = part.negative ? -(integer128)part.magnitude : (integer128)part.magnitude;
            if (part.kind == SHEAF_PART_TEXT) sheaf_key_add_text(&writer, part.bytes, part.order);
            else if (part.kind == SHEAF_PART_BYTES) sheaf_key_add_bytes(&writer, part.bytes, part.order);
            else write(&writer, &value);
        }
        if (status != SHEAF_NOT_FOUND) continue;
        taken++;
        sheaf_bytes key = { 0 };
        bool same = sheaf_key_end(&writer, &key, NULL) == SHEAF_OK && key.size == size && memcmp(key.data, bytes, size) == 0;
        if (!same) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": read, but written otherwise", seed, step);
    }
    cr_assert_gt(taken, random_scaled(300000) / 20);
}
