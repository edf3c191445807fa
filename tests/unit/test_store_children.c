/*
 * test_store_children.c - children of a folder: the example of the header, both directions, resumed anywhere.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/listing.h"

static sheaf_store *store;

static void begin(void)
{
    store = shelf_of("other root root/ root/cv.pdf root/docs/a root/docs/b/c root/docs.txt root/photos/ "
                     "root/photos/2026/x root0");
}

static void end(void)
{
    sheaf_store_destroy(store);
}

TestSuite(children, .init = begin, .fini = end);

/* "key:count:bytes", folders as they are, separated by spaces; from the start or resumed after a child. */
static const char *children_text(const char *prefix, const char *delimiter, sheaf_direction direction, const char *after)
{
    static char text[1024];
    sheaf_children children;
    sheaf_child child;
    size_t size = 0;
    text[0] = 0;
    cr_assert_eq(sheaf_children_open(&children, store, SHELF, sheaf_bytes_of(prefix, strlen(prefix)),
                                     sheaf_bytes_of(delimiter, strlen(delimiter)), direction, NULL), SHEAF_OK);
    if (after) sheaf_children_resume(&children, sheaf_bytes_of(after, strlen(after)));
    while (sheaf_children_next(&children, &child)) {
        size += (size_t)sprintf(text + size, "%s%s:%d:%d", size ? " " : "", key_text(child.key), (int)child.totals.count,
                                (int)child.totals.bytes);
        bool ends_in_delimiter = child.key.size >= strlen(delimiter) &&
                                 memcmp(child.key.data + child.key.size - strlen(delimiter), delimiter, strlen(delimiter)) == 0;
        cr_assert_eq(child.is_folder, ends_in_delimiter);
    }
    cr_assert(!sheaf_children_next(&children, &child));
    return text;
}

/* A value is one byte longer than its key: an entry of n bytes of key counts 2n + 1. */
Test(children, of_the_example)
{
    cr_assert_str_eq(children_text("root/", "/", SHEAF_FORWARD, NULL),
                     "root/cv.pdf:1:23 root/docs.txt:1:27 root/docs/:2:50 root/photos/:2:62");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_REVERSE, NULL),
                     "root/photos/:2:62 root/docs/:2:50 root/docs.txt:1:27 root/cv.pdf:1:23");
}

Test(children, of_the_root_and_of_a_file)
{
    cr_assert_str_eq(children_text("", "/", SHEAF_FORWARD, NULL), "other:1:11 root:1:9 root/:7:173 root0:1:11");
    cr_assert_str_eq(children_text("root/cv.pdf", "/", SHEAF_FORWARD, NULL), "");
    cr_assert_str_eq(children_text("nothing/", "/", SHEAF_REVERSE, NULL), "");
    cr_assert_str_eq(children_text("root", "/", SHEAF_FORWARD, NULL), "root/:7:173 root0:1:11");
}

Test(children, resume_after_any_child_there_or_not)
{
    cr_assert_str_eq(children_text("root/", "/", SHEAF_FORWARD, "root/docs/"), "root/photos/:2:62");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_FORWARD, "root/docs.txt"), "root/docs/:2:50 root/photos/:2:62");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_REVERSE, "root/docs/"), "root/docs.txt:1:27 root/cv.pdf:1:23");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_FORWARD, "root/e/"), "root/photos/:2:62");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_REVERSE, "root/cv.pdf"), "");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_FORWARD, "root/photos/"), "");
    shelf_delete(store, "root/docs/a");
    shelf_delete(store, "root/docs/b/c");
    cr_assert_str_eq(children_text("root/", "/", SHEAF_FORWARD, "root/docs/"), "root/photos/:2:62");
}

Test(children, delimiters_are_bytes_of_any_number)
{
    sheaf_store_destroy(store);
    store = shelf_of("a::b a::b::c a:b a:::d \\xFF\\xFFx \\xFF\\xFF\\xFF");
    cr_assert_str_eq(children_text("", "::", SHEAF_FORWARD, NULL), "a:::3:35 a:b:1:7 \\xFF\\xFFx:1:7 \\xFF\\xFF\\xFF:1:7");
    cr_assert_str_eq(children_text("a::", "::", SHEAF_FORWARD, NULL), "a:::d:1:11 a::b:1:9 a::b:::1:15");
    cr_assert_str_eq(children_text("", "\xFF", SHEAF_REVERSE, NULL), "\\xFF:2:14 a:b:1:7 a::b::c:1:15 a::b:1:9 a:::d:1:11");
}

Test(children, refuses_an_empty_delimiter)
{
    sheaf_children children;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_children_open(&children, store, SHELF, SHEAF_LIT(""), SHEAF_LIT(""), SHEAF_FORWARD, &detail),
                 SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_DELIMITER);
}

Test(children, a_missing_collection_has_none)
{
    sheaf_children children;
    sheaf_child child;
    cr_assert_eq(sheaf_children_open(&children, store, SHEAF_LIT("none"), SHEAF_LIT(""), SHEAF_LIT("/"), SHEAF_REVERSE, NULL),
                 SHEAF_OK);
    cr_assert(!sheaf_children_next(&children, &child));
}

/* ---- ranks ------------------------------------------------------------------------------------------------------------ */

static void expect_rank(const char *key, uint64_t forward, uint64_t reverse, bool there)
{
    sheaf_bytes sort_key = sheaf_bytes_of(key, strlen(key));
    uint64_t rank = 77;
    bool exists = !there;
    cr_assert_eq(sheaf_rank(store, SHELF, sort_key, SHEAF_FORWARD, &rank, &exists, NULL), SHEAF_OK);
    cr_assert_eq(rank, forward);
    cr_assert_eq(exists, there);
    cr_assert_eq(sheaf_rank(store, SHELF, sort_key, SHEAF_REVERSE, &rank, NULL, NULL), SHEAF_OK);
    cr_assert_eq(rank, reverse);
}

Test(rank, counts_the_entries_before_a_key_that_need_not_be_there)
{
    store = shelf_of("b d f");
    expect_rank("a", 0, 3, false);
    expect_rank("b", 0, 2, true);
    expect_rank("c", 1, 2, false);
    expect_rank("d", 1, 1, true);
    expect_rank("f", 2, 0, true);
    expect_rank("g", 3, 0, false);
    sheaf_store_destroy(store);
    store = shelf_of("");
    expect_rank("a", 0, 0, false);
    sheaf_store_destroy(store);
}
