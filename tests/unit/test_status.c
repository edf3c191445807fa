#include <sheaf/status.h>

#include <criterion/criterion.h>

#include <string.h>

Test(status, each_has_its_name_as_written_in_c)
{
    static const struct {
        sheaf_status status;
        const char *name;
    } cases[] = {
        { SHEAF_OK, "SHEAF_OK" },
        { SHEAF_NOT_FOUND, "SHEAF_NOT_FOUND" },
        { SHEAF_EXISTS, "SHEAF_EXISTS" },
        { SHEAF_NO_MEMORY, "SHEAF_NO_MEMORY" },
        { SHEAF_KEY_EMPTY, "SHEAF_KEY_EMPTY" },
        { SHEAF_KEY_TOO_LONG, "SHEAF_KEY_TOO_LONG" },
        { SHEAF_VALUE_TOO_LARGE, "SHEAF_VALUE_TOO_LARGE" },
        { SHEAF_RANGE_INVERTED, "SHEAF_RANGE_INVERTED" },
        { SHEAF_OUT_OF_ORDER, "SHEAF_OUT_OF_ORDER" },
        { SHEAF_INVALID_ARGUMENT, "SHEAF_INVALID_ARGUMENT" },
        { SHEAF_OVER_BUDGET, "SHEAF_OVER_BUDGET" },
        { SHEAF_READ_ONLY, "SHEAF_READ_ONLY" },
        { SHEAF_BUFFER_TOO_SMALL, "SHEAF_BUFFER_TOO_SMALL" },
        { SHEAF_NUMBER_MALFORMED, "SHEAF_NUMBER_MALFORMED" },
        { SHEAF_NUMBER_TOO_LONG, "SHEAF_NUMBER_TOO_LONG" },
        { SHEAF_NUMBER_OVERFLOW, "SHEAF_NUMBER_OVERFLOW" },
        { SHEAF_NUMBER_UNDERFLOW, "SHEAF_NUMBER_UNDERFLOW" },
        { SHEAF_TEXT_MALFORMED, "SHEAF_TEXT_MALFORMED" },
        { SHEAF_KEY_MALFORMED, "SHEAF_KEY_MALFORMED" },
        { SHEAF_LAYOUT_MALFORMED, "SHEAF_LAYOUT_MALFORMED" },
        { SHEAF_SEGMENT_REFUSED, "SHEAF_SEGMENT_REFUSED" },
        { SHEAF_ITEM_MALFORMED, "SHEAF_ITEM_MALFORMED" },
        { SHEAF_ITEM_REFUSED, "SHEAF_ITEM_REFUSED" },
        { SHEAF_EXPRESSION_REFUSED, "SHEAF_EXPRESSION_REFUSED" },
        { SHEAF_JSON_MALFORMED, "SHEAF_JSON_MALFORMED" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_str_eq(sheaf_status_name(cases[i].status), cases[i].name);
        cr_assert_eq((size_t)cases[i].status, i, "SHEAF_OK is 0, and numbers never change");
    }
    cr_assert_str_eq(sheaf_status_name((sheaf_status)(SHEAF_JSON_MALFORMED + 1)), "SHEAF_?");
}

Test(status, each_has_a_sentence_of_its_own_without_a_final_stop)
{
    for (int status = SHEAF_OK; status <= SHEAF_JSON_MALFORMED + 1; status++) {
        const char *message = sheaf_status_message((sheaf_status)status);
        cr_assert_gt(strlen(message), 3);
        cr_assert_neq(message[strlen(message) - 1], '.');
        for (int other = SHEAF_OK; other < status; other++)
            cr_assert_str_neq(message, sheaf_status_message((sheaf_status)other));
    }
}

Test(status, each_field_has_a_name_in_words)
{
    cr_assert_str_eq(sheaf_field_name(SHEAF_FIELD_PARTITION_KEY), "partition key");
    cr_assert_str_eq(sheaf_field_name(SHEAF_FIELD_SORT_KEY), "sort key");
    cr_assert_str_eq(sheaf_field_name(SHEAF_FIELD_VALUE), "value");
    for (int field = SHEAF_FIELD_NONE; field <= SHEAF_FIELD_ATTRIBUTE + 1; field++) {
        const char *name = sheaf_field_name((sheaf_field)field);
        cr_assert_gt(strlen(name), 3);
        for (int other = SHEAF_FIELD_NONE; other < field; other++)
            cr_assert_str_neq(name, sheaf_field_name((sheaf_field)other));
    }
}
