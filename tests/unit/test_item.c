/*
 * test_item.c - items as records: the bytes as the header draws them, the rules of DynamoDB, what is refused.
 */
#include <sheaf/item.h>

#include <criterion/criterion.h>

#include <string.h>

#include "tests/support/test_heap.h"

static sheaf_item_builder *builder;

static void begin(void)
{
    cr_assert_eq(sheaf_item_builder_create(NULL, &builder), SHEAF_OK);
}

static void finish(void)
{
    sheaf_item_builder_destroy(builder);
}

TestSuite(item, .init = begin, .fini = finish);

static sheaf_bytes text(const char *characters)
{
    return sheaf_bytes_of(characters, strlen(characters));
}

static sheaf_value string(const char *characters)
{
    return sheaf_value_of_bytes(SHEAF_TYPE_STRING, text(characters));
}

static sheaf_number number(const char *characters)
{
    sheaf_number parsed = { 0 };
    cr_assert_eq(sheaf_number_parse(text(characters), &parsed, NULL), SHEAF_OK);
    return parsed;
}

static sheaf_bytes end(void)
{
    sheaf_bytes record = { 0 };
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_item_end(builder, &record, &detail), SHEAF_OK, "%s", detail.message);
    cr_assert_eq(sheaf_item_check(record, NULL), SHEAF_OK);
    return record;
}

static void expect_record(sheaf_bytes wanted)
{
    sheaf_bytes record = end();
    cr_assert_eq(record.size, wanted.size, "%zu bytes, not %zu", record.size, wanted.size);
    for (size_t i = 0; i < record.size; i++) cr_assert_eq(record.data[i], wanted.data[i], "byte %zu is %02x", i, record.data[i]);
    sheaf_item_begin(builder);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------ */

Test(item, is_written_as_the_header_draws)
{
    expect_record(SHEAF_LIT("\x01\x00"));
    sheaf_item_add(builder, text("title"), string("Faust"));
    sheaf_item_add_number(builder, text("year"), sheaf_number_of_i64(1808));
    sheaf_item_add_bool(builder, text("read"), true);
    sheaf_item_add_bool(builder, text("lent"), false);
    sheaf_item_add_null(builder, text("isbn"));
    expect_record(SHEAF_LIT("\x01\x05"
                            "\x54" "isbn"
                            "\x34" "lent"
                            "\x44" "read"
                            "\x05" "title" "\x05" "Faust"
                            "\x14" "year" "\x03\x85\x25\x10"));
}

Test(item, nests_maps_lists_and_sets)
{
    sheaf_item_open(builder, text("m"), SHEAF_TYPE_MAP);
    sheaf_item_add(builder, text("b"), string("2"));
    sheaf_item_open(builder, text("a"), SHEAF_TYPE_LIST);
    sheaf_item_add(builder, text(""), string("x"));
    sheaf_item_add_null(builder, text(""));
    sheaf_item_close(builder);
    sheaf_item_close(builder);
    sheaf_item_open(builder, text("s"), SHEAF_TYPE_STRING_SET);
    sheaf_item_add(builder, text(""), string("bb"));
    sheaf_item_add(builder, text(""), string("a"));
    sheaf_item_close(builder);
    sheaf_item_open(builder, text("n"), SHEAF_TYPE_NUMBER_SET);
    sheaf_item_add_number(builder, text(""), number("10"));
    sheaf_item_add_number(builder, text(""), number("-1"));
    sheaf_item_close(builder);
    expect_record(SHEAF_LIT("\x01\x03"
                            "\x61" "m" "\x0D\x02"
                                "\x71" "a" "\x05\x02" "\x00\x01" "x" "\x50"
                                "\x01" "b" "\x01" "2"
                            "\x91" "n" "\x07\x02" "\x01\x7D\xEB" "\x03\x83\x14"
                            "\x81" "s" "\x06\x02" "\x01" "a" "\x02" "bb"));
}

/* Sizes of values at each boundary of the form they are written in: one, two and four bytes. */
Test(item, writes_sizes_in_the_shortest_form)
{
    static const struct {
        size_t size, head_size;
        uint8_t head[4];
    } cases[] = {
        { 0, 1, { 0 } }, { 247, 1, { 247 } }, { 248, 2, { 248, 0 } }, { 503, 2, { 248, 255 } }, { 504, 2, { 249, 0 } },
        { 2039, 2, { 254, 255 } }, { 2040, 4, { 255, 0, 7, 248 } }, { 65536, 4, { 255, 1, 0, 0 } }, { 300000, 4, { 255, 4, 147, 224 } },
    };
    static uint8_t bytes[300000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_item_begin(builder);
        sheaf_item_add(builder, text("b"), sheaf_value_of_bytes(SHEAF_TYPE_BINARY, sheaf_bytes_of(bytes, cases[i].size)));
        sheaf_bytes record = end();
        cr_assert_eq(record.size, 4 + cases[i].head_size + cases[i].size);
        cr_assert_eq(memcmp(record.data + 4, cases[i].head, cases[i].head_size), 0, "%zu", cases[i].size);
        sheaf_value value;
        cr_assert(sheaf_value_member(sheaf_item_value(record), text("b"), &value));
        cr_assert_eq(value.bytes.size, cases[i].size);
    }
}

Test(item, writes_long_names)
{
    static char name[SHEAF_ATTRIBUTE_NAME_SIZE_MAX + 1];
    static const size_t sizes[] = { 14, 15, 16, 247, 248, SHEAF_ATTRIBUTE_NAME_SIZE_MAX };
    memset(name, 'n', sizeof name);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sheaf_item_begin(builder);
        sheaf_item_add_null(builder, sheaf_bytes_of(name, sizes[i]));
        sheaf_bytes record = end();
        cr_assert_eq(record.data[2], 0x50 | (sizes[i] < 15 ? sizes[i] : 15));
        sheaf_value value;
        cr_assert(sheaf_value_member(sheaf_item_value(record), sheaf_bytes_of(name, sizes[i]), &value));
        cr_assert_not(sheaf_value_member(sheaf_item_value(record), sheaf_bytes_of(name, sizes[i] - 1), &value));
    }
}

/* ---- read ------------------------------------------------------------------------------------------------------------- */

Test(item, finds_members_and_elements_by_path)
{
    sheaf_item_open(builder, text("a"), SHEAF_TYPE_MAP);
    sheaf_item_open(builder, text("b"), SHEAF_TYPE_LIST);
    for (int i = 0; i < 5; i++) {
        sheaf_item_open(builder, text(""), SHEAF_TYPE_MAP);
        sheaf_item_add_number(builder, text("c"), sheaf_number_of_i64(10 * i));
        sheaf_item_close(builder);
    }
    sheaf_item_close(builder);
    sheaf_item_close(builder);
    sheaf_value a, b, element, c;
    int64_t found = -1;
    cr_assert(sheaf_value_member(sheaf_item_value(end()), text("a"), &a));
    cr_assert(sheaf_value_member(a, text("b"), &b));
    cr_assert_eq(sheaf_value_count(b), 5);
    cr_assert(sheaf_value_element(b, 3, &element));
    cr_assert(sheaf_value_member(element, text("c"), &c));
    cr_assert_eq(sheaf_number_to_i64(sheaf_value_number(c), &found), SHEAF_OK);
    cr_assert_eq(found, 30);
    cr_assert_not(sheaf_value_element(b, 5, &element));
    cr_assert_not(sheaf_value_element(a, 0, &element));
    cr_assert_not(sheaf_value_member(b, text("c"), &element));
    cr_assert_not(sheaf_value_member(a, text("bb"), &element));
    cr_assert_eq(sheaf_value_count(c), 0);
}

Test(item, looks_up_key_attributes_beside_the_record)
{
    sheaf_item_add(builder, text("title"), string("Faust"));
    const sheaf_attribute keys[] = { { text("pk"), string("BOOK#7") }, { text("sk"), string("META") } };
    sheaf_item item = { .record = end(), .keys = keys, .key_count = 2 };
    sheaf_value value;
    cr_assert(sheaf_item_attribute(&item, text("sk"), &value));
    cr_assert(sheaf_value_equal(value, string("META")));
    cr_assert(sheaf_item_attribute(&item, text("title"), &value));
    cr_assert_not(sheaf_item_attribute(&item, text("p"), &value));
    cr_assert_eq(sheaf_item_size(&item), 2 + 6 + 2 + 4 + 5 + 5);
}

Test(item, compares_what_has_an_order)
{
    int order = 7;
    cr_assert(sheaf_value_compare(string("a"), string("b"), &order));
    cr_assert_lt(order, 0);
    uint8_t two[SHEAF_NUMBER_KEY_SIZE_MAX], ten[SHEAF_NUMBER_KEY_SIZE_MAX];
    sheaf_value left = sheaf_value_of_bytes(SHEAF_TYPE_NUMBER, sheaf_bytes_of(two, sheaf_number_to_key(number("2"), two)));
    sheaf_value right = sheaf_value_of_bytes(SHEAF_TYPE_NUMBER, sheaf_bytes_of(ten, sheaf_number_to_key(number("10"), ten)));
    cr_assert(sheaf_value_compare(left, right, &order));
    cr_assert_lt(order, 0);
    cr_assert_not(sheaf_value_compare(left, string("2"), &order));
    sheaf_value yes = { SHEAF_TYPE_BOOL, true, { NULL, 0 } }, no = { SHEAF_TYPE_BOOL, false, { NULL, 0 } };
    cr_assert_not(sheaf_value_compare(yes, no, &order));
    cr_assert_not(sheaf_value_equal(yes, no));
    cr_assert_not(sheaf_value_equal(string("1"), sheaf_value_of_bytes(SHEAF_TYPE_BINARY, text("1"))));
}

Test(item, equal_sets_are_equal_whatever_the_order_they_came_in)
{
    static const char *const orders[2][3] = { { "1.0", "-3", "2e1" }, { "20", "1", "-3.00" } };
    uint8_t first[64];
    size_t first_size = 0;
    for (size_t i = 0; i < 2; i++) {
        sheaf_item_begin(builder);
        sheaf_item_open(builder, text("s"), SHEAF_TYPE_NUMBER_SET);
        for (size_t j = 0; j < 3; j++) sheaf_item_add_number(builder, text(""), number(orders[i][j]));
        sheaf_item_close(builder);
        sheaf_bytes record = end();
        if (i == 0) memcpy(first, record.data, first_size = record.size);
        else cr_assert_eq(sheaf_bytes_compare(record, sheaf_bytes_of(first, first_size)), 0);
        sheaf_value set;
        cr_assert(sheaf_value_member(sheaf_item_value(record), text("s"), &set));
        uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
        size_t size = sheaf_number_to_key(number("20.0"), key);
        cr_assert(sheaf_value_set_has(set, sheaf_value_of_bytes(SHEAF_TYPE_NUMBER, sheaf_bytes_of(key, size))));
        cr_assert_not(sheaf_value_set_has(set, string("20")));
    }
}

/* The documented formula, and what was measured at the limit. */
Test(item, counts_bytes_as_dynamodb_does)
{
    sheaf_item_add(builder, text("s"), string("h\xC3\xA9llo"));          /* 1 + 6 */
    sheaf_item_add_number(builder, text("n"), number("3.14159"));         /* 1 + 5 */
    sheaf_item_add_null(builder, text("nu"));                             /* 2 + 1 */
    sheaf_item_add_bool(builder, text("bo"), true);                       /* 2 + 1 */
    sheaf_item_open(builder, text("l"), SHEAF_TYPE_LIST);                 /* 1 + 3 */
    sheaf_item_add(builder, text(""), string("ab"));                      /* 2 + 1 */
    sheaf_item_open(builder, text(""), SHEAF_TYPE_MAP);                   /* 3 + 1 */
    sheaf_item_add_number(builder, text("k"), number("100"));             /* 1 + 2 + 1 */
    sheaf_item_close(builder);
    sheaf_item_close(builder);
    sheaf_item_open(builder, text("ss"), SHEAF_TYPE_STRING_SET);          /* 2 */
    sheaf_item_add(builder, text(""), string("abc"));                     /* 3 */
    sheaf_item_add(builder, text(""), string(""));                        /* 0 */
    sheaf_item_close(builder);
    sheaf_item item = { .record = end() };
    cr_assert_eq(sheaf_item_size(&item), 7 + 6 + 3 + 3 + 4 + 3 + 4 + 4 + 5);
}

/* ---- refusals --------------------------------------------------------------------------------------------------------- */

static void expect_refused(sheaf_status status, const char *part_of_message)
{
    sheaf_bytes record = { .size = 77 };
    sheaf_detail detail = { 0 };
    sheaf_item_add_null(builder, text("more"));
    cr_assert_eq(sheaf_item_end(builder, &record, &detail), status);
    cr_assert_eq(record.size, 77);
    cr_assert_not_null(strstr(detail.message, part_of_message), "%s", detail.message);
    sheaf_item_begin(builder);
}

Test(item, refuses_empty_sets_but_no_other_empty_values)
{
    static const struct {
        sheaf_type type;
        const char *message;
    } cases[] = {
        { SHEAF_TYPE_STRING_SET, "One or more parameter values were invalid: An string set  may not be empty" },
        { SHEAF_TYPE_NUMBER_SET, "One or more parameter values were invalid: An number set  may not be empty" },
        { SHEAF_TYPE_BINARY_SET, "One or more parameter values were invalid: Binary sets should not be empty" },
    };
    for (size_t i = 0; i < 3; i++) {
        sheaf_item_open(builder, text("s"), cases[i].type);
        sheaf_item_close(builder);
        expect_refused(SHEAF_ITEM_REFUSED, cases[i].message);
    }
    sheaf_item_open(builder, text("m"), SHEAF_TYPE_MAP);
    sheaf_item_close(builder);
    sheaf_item_open(builder, text("l"), SHEAF_TYPE_LIST);
    sheaf_item_close(builder);
    sheaf_item_add(builder, text("s"), string(""));
    expect_record(SHEAF_LIT("\x01\x03\x71l\x01\x00\x61m\x01\x00\x01s\x00"));
}

Test(item, refuses_what_is_there_twice)
{
    sheaf_item_add_null(builder, text("a"));
    sheaf_item_add_null(builder, text("b"));
    sheaf_item_add(builder, text("a"), string("x"));
    expect_refused(SHEAF_EXISTS, "same name twice");
    sheaf_item_open(builder, text("s"), SHEAF_TYPE_NUMBER_SET);
    sheaf_item_add_number(builder, text(""), number("1"));
    sheaf_item_add_number(builder, text(""), number("2"));
    sheaf_item_add_number(builder, text(""), number("1.0"));
    sheaf_item_close(builder);
    expect_refused(SHEAF_EXISTS, "contains duplicates");
}

Test(item, refuses_what_breaks_a_rule)
{
    static char name[SHEAF_ATTRIBUTE_NAME_SIZE_MAX + 1];
    memset(name, 'n', sizeof name);
    sheaf_item_add_null(builder, sheaf_bytes_of(name, sizeof name));
    expect_refused(SHEAF_ITEM_REFUSED, "65535");
    sheaf_item_add(builder, text("a"), string("\xC3"));
    expect_refused(SHEAF_TEXT_MALFORMED, "UTF-8");
    sheaf_item_add_null(builder, text("\xC3"));
    expect_refused(SHEAF_TEXT_MALFORMED, "UTF-8");
    sheaf_item_open(builder, text("s"), SHEAF_TYPE_STRING_SET);
    sheaf_item_add_number(builder, text(""), number("1"));
    expect_refused(SHEAF_ITEM_REFUSED, "own type");
    sheaf_item_open(builder, text("l"), SHEAF_TYPE_LIST);
    sheaf_item_add_null(builder, text("name"));
    expect_refused(SHEAF_ITEM_REFUSED, "no names");
    sheaf_item_close(builder);
    expect_refused(SHEAF_ITEM_REFUSED, "not open");
    sheaf_item_open(builder, text("l"), SHEAF_TYPE_LIST);
    sheaf_bytes record;
    sheaf_detail detail;
    cr_assert_eq(sheaf_item_end(builder, &record, &detail), SHEAF_ITEM_REFUSED);
    sheaf_item_begin(builder);
    sheaf_item_add(builder, text("n"), sheaf_value_of_bytes(SHEAF_TYPE_NUMBER, text("1")));
    expect_refused(SHEAF_ITEM_REFUSED, "no key of a number");
    sheaf_item_open(builder, text("s"), SHEAF_TYPE_STRING);
    expect_refused(SHEAF_ITEM_REFUSED, "Only maps");
}

static void nest(uint32_t maps)
{
    for (uint32_t i = 0; i < maps; i++) sheaf_item_open(builder, text("m"), SHEAF_TYPE_MAP);
    sheaf_item_add_null(builder, text("m"));
    for (uint32_t i = 0; i < maps; i++) sheaf_item_close(builder);
}

Test(item, nests_to_32_levels_and_no_deeper)
{
    uint8_t deepest[512];
    nest(31); /* a scalar within 31 maps: level 32 */
    sheaf_bytes record = end();
    memcpy(deepest, record.data, record.size);
    sheaf_value copied = sheaf_item_value(sheaf_bytes_of(deepest, record.size)), inner;
    cr_assert(sheaf_value_member(copied, text("m"), &inner));
    sheaf_item_begin(builder);
    nest(32);
    expect_refused(SHEAF_ITEM_REFUSED, "Nesting Levels have exceeded supported limits");
    sheaf_item_add(builder, text("c"), inner);
    (void)end();
    sheaf_item_begin(builder);
    for (int lists = 0; lists < 2; lists++) sheaf_item_open(builder, text(lists == 0 ? "l" : ""), SHEAF_TYPE_LIST);
    sheaf_item_add(builder, text(""), inner); /* 31 levels within two */
    expect_refused(SHEAF_ITEM_REFUSED, "Nesting Levels have exceeded supported limits");
}

Test(item, refuses_records_that_are_not_as_they_are_written)
{
    static const struct {
        size_t size;
        const char *bytes;
        uint64_t offset;
    } cases[] = {
        { 0, "", 0 }, { 1, "\x01", 1 }, { 2, "\x02\x00", 0 }, { 3, "\x01\x00\x00", 2 },       /* empty, cut, another version, more */
        { 4, "\x01\x01\x51\x61", 0 },                                                     /* sound: see below */
        { 6, "\x01\x02\x51" "b\x51" "a", 6 },                                                 /* names out of order */
        { 6, "\x01\x02\x51" "a\x51" "a", 6 },                                                 /* twice */
        { 4, "\x01\x01\xB1" "a", 4 },                                                         /* no such kind */
        { 5, "\x01\x01\x01" "a\x02", 5 },                                                     /* more than there is */
        { 7, "\x01\x01\x01" "a\xF8\x00" "x", 6 },                                             /* 248 bytes, of which one is there */
        { 9, "\x01\x01\x01" "a\xFF\x00\x00\x01" "x", 8 },                                     /* a long form of 1 */
        { 6, "\x01\x01\x01" "a\x01\xC3", 6 },                                                 /* no UTF-8 */
        { 6, "\x01\x01\x81" "a\x01\x00", 6 },                                                 /* an empty set */
        { 9, "\x01\x01\x81" "a\x05\x02\x01" "x" "\x00", 9 },                                  /* a set out of order */
        { 7, "\x01\x01\x71" "a\x02\x01\x51", 7 },                                             /* an element with half a name */
        { 8, "\x01\x01\x71" "a\x03\x01\x51" "n", 8 },                                         /* and with a whole one */
        { 7, "\x01\x01\x11" "a\x03\x82\x12", 4 },                                             /* no key of a number */
        { 5, "\x01\x01\x5F\x02" "a", 4 },                                                     /* a long form of a short name */
        { 6, "\x01\xFF\xFF\xFF\xFF\x51", 6 },                                                 /* a count beyond all bytes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_detail detail = { 0 };
        sheaf_bytes record = sheaf_bytes_of(cases[i].bytes, cases[i].size);
        if (i == 4) {
            cr_assert_eq(sheaf_item_check(record, &detail), SHEAF_OK);
            continue;
        }
        cr_assert_eq(sheaf_item_check(record, &detail), SHEAF_ITEM_MALFORMED, "%zu", i);
        cr_assert_eq(detail.field, SHEAF_FIELD_ITEM);
        cr_assert_leq(detail.size, cases[i].size);
    }
    uint8_t bomb[4096]; /* lists within lists, far deeper than there may be */
    memset(bomb, 0x70, sizeof bomb);
    bomb[0] = 1;
    cr_assert_eq(sheaf_item_check(sheaf_bytes_of(bomb, sizeof bomb), NULL), SHEAF_ITEM_MALFORMED);
}

Test(item, every_allocation_may_be_refused)
{
    for (uint64_t fail_at = 0;; fail_at++) {
        struct test_heap heap = test_heap_new();
        sheaf_allocator hooks = test_heap_hooks(&heap);
        heap.fail_at = fail_at;
        sheaf_item_builder *other = NULL;
        sheaf_status status = sheaf_item_builder_create(&hooks, &other);
        sheaf_bytes record = { 0 };
        if (status == SHEAF_OK) {
            for (int round = 0; round < 2; round++) { /* a refusal is over with the next item */
                static uint8_t big[3000];
                sheaf_item_begin(other);
                for (char name = 'z'; name >= 'a'; name--) sheaf_item_add_bool(other, sheaf_bytes_of(&name, 1), true);
                sheaf_item_open(other, text("map"), SHEAF_TYPE_MAP);
                sheaf_item_add(other, text("big"), sheaf_value_of_bytes(SHEAF_TYPE_BINARY, sheaf_bytes_of(big, sizeof big)));
                sheaf_item_close(other);
                status = sheaf_item_end(other, &record, NULL);
                if (status == SHEAF_OK) break;
                cr_assert_eq(status, SHEAF_NO_MEMORY);
            }
            cr_assert_eq(status, SHEAF_OK, "the second time there is memory");
            cr_assert_eq(sheaf_value_count(sheaf_item_value(record)), 27);
        }
        sheaf_item_builder_destroy(other);
        cr_assert_eq(heap.live_bytes, 0);
        if (heap.refusals == 0) return;
    }
}

Test(item, every_type_has_its_letters)
{
    static const char *const letters[] = { "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS" };
    for (int type = 0; type < 10; type++) cr_assert_str_eq(sheaf_type_letters((sheaf_type)type), letters[type]);
}
