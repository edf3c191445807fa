#include <sheaf/path.h>

#include <criterion/criterion.h>

#include <string.h>

#include "engine/base/bytes.h"

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

/* The drive of the composite keys, and paths that begin with the delimiter. */
static const struct {
    const char *path, *parent, *name, *root;
    size_t depth;
    bool is_folder;
} CASES[] = {
    { "root/", "", "root", "root/", 0, true },
    { "root/photos", "root/", "photos", "root/", 1, false },
    { "root/photos/", "root/", "photos", "root/", 1, true },
    { "root/photos/2026/", "root/photos/", "2026", "root/", 2, true },
    { "root/photos/beach.jpg", "root/photos/", "beach.jpg", "root/", 2, false },
    { "readme", "", "readme", "readme", 0, false },
    { "/", "", "", "/", 0, true },
    { "/team", "/", "team", "/", 1, false },
    { "/team/", "/", "team", "/", 1, true },
    { "/team/a", "/team/", "a", "/", 2, false },
    { "a/", "", "a", "a/", 0, true },
    { "a", "", "a", "a", 0, false },
    { "", "", "", "", 0, false },
};

Test(path, has_a_parent_a_name_a_root_and_a_depth)
{
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        sheaf_bytes path = text(CASES[i].path);
        cr_assert(sheaf_bytes_equal(sheaf_path_parent_view(path, '/'), text(CASES[i].parent)), "parent of %s",
                  CASES[i].path);
        cr_assert(sheaf_bytes_equal(sheaf_path_name_view(path, '/'), text(CASES[i].name)), "name of %s", CASES[i].path);
        cr_assert(sheaf_bytes_equal(sheaf_path_root_view(path, '/'), text(CASES[i].root)), "root of %s", CASES[i].path);
        cr_assert_eq(sheaf_path_depth(path, '/'), CASES[i].depth, "depth of %s", CASES[i].path);
        cr_assert_eq(sheaf_path_is_folder(path, '/'), CASES[i].is_folder, "%s", CASES[i].path);
        cr_assert_eq(sheaf_path_validate(path, '/', NULL), path.size > 0 ? SHEAF_OK : SHEAF_SEGMENT_REFUSED);
    }
}

/* Up from any path, each step is one less deep, and the last is the root, unless it is a file by itself. */
Test(path, ends_at_its_root)
{
    for (size_t i = 0; i + 1 < sizeof CASES / sizeof *CASES; i++) {
        sheaf_bytes path = text(CASES[i].path), above = path;
        size_t steps = 0;
        for (sheaf_bytes next = above; next.size > 0; next = sheaf_path_parent_view(next, '/')) {
            cr_assert(steps == 0 || sheaf_path_is_folder(next, '/'));
            above = next;
            steps++;
        }
        cr_assert_eq(steps, CASES[i].depth + 1, "%s", CASES[i].path);
        cr_assert(sheaf_bytes_equal(above, text(CASES[i].root)), "%s", CASES[i].path);
    }
}

Test(path, says_what_is_wrong_with_it)
{
    static const struct {
        const char *path;
        sheaf_status status;
        uint64_t size;
    } cases[] = {
        { "a//b", SHEAF_SEGMENT_REFUSED, 2 }, { "//", SHEAF_SEGMENT_REFUSED, 1 },    { "a//", SHEAF_SEGMENT_REFUSED, 2 },
        { "", SHEAF_SEGMENT_REFUSED, 0 },     { "a/\xFF", SHEAF_TEXT_MALFORMED, 2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_detail detail = { 0 };
        cr_assert_eq(sheaf_path_validate(text(cases[i].path), '/', &detail), cases[i].status, "%s", cases[i].path);
        cr_assert_eq(detail.size, cases[i].size, "%s", cases[i].path);
    }
    cr_assert_eq(sheaf_path_validate(text("a:b:c"), ':', NULL), SHEAF_OK);
    cr_assert_eq(sheaf_path_depth(text("a:b:c"), ':'), 2);
}
