/*
 * test_base64.c - RFC 4648, and only that: each run of bytes has one text.
 */
#include "engine/input/base64.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/base/bytes.h"

/* RFC 4648, section 10, and bytes that need all of the alphabet's end. */
static const struct {
    const char *bytes;
    size_t size;
    const char *text;
} PAIRS[] = {
    { "", 0, "" },         { "f", 1, "Zg==" },          { "fo", 2, "Zm8=" },          { "foo", 3, "Zm9v" },
    { "foob", 4, "Zm9vYg==" }, { "fooba", 5, "Zm9vYmE=" }, { "foobar", 6, "Zm9vYmFy" }, { "\0\1", 2, "AAE=" },
    { "\xfb\xff\xbf", 3, "+/+/" },
};

Test(base64, goes_both_ways)
{
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        struct buffer text = { 0 }, bytes = { 0 };
        base64_append(&text, sheaf_bytes_of(PAIRS[i].bytes, PAIRS[i].size));
        cr_assert(sheaf_bytes_equal(buffer_view(&text), sheaf_bytes_of(PAIRS[i].text, strlen(PAIRS[i].text))), "%s",
                  PAIRS[i].text);
        cr_assert(base64_append_decoded(&bytes, buffer_view(&text)), "%s", PAIRS[i].text);
        cr_assert(sheaf_bytes_equal(buffer_view(&bytes), sheaf_bytes_of(PAIRS[i].bytes, PAIRS[i].size)), "%s", PAIRS[i].text);
        buffer_release(&text);
        buffer_release(&bytes);
    }
}

Test(base64, of_no_bytes_is_refused)
{
    static const char *const texts[] = {
        "Z",    "Zg",   "Zg=",  "Zg===", "====", "=",     "Zh==", "Zm9=", "Zm9", "Zg==Zg==",
        "Z=g=", "Zm8-", "Zm8_", "Zm8 ",  "Zm8\n", "Zm9vY", "\xC3\xA9g=", "Zg==\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buffer bytes = { 0 };
        buffer_append_byte(&bytes, 'x');
        cr_assert_not(base64_append_decoded(&bytes, sheaf_bytes_of(texts[i], strlen(texts[i]))), "%s", texts[i]);
        cr_assert_eq(bytes.size, 1, "%s: nothing is appended", texts[i]);
        buffer_release(&bytes);
    }
}
