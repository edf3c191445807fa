/*
 * test_unpack.c - what gzip has packed comes out as it went in, in steps of any size; what is not whole or sound is refused.
 */
#include "engine/input/unpack.h"

#include <criterion/criterion.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ZLIB_CONST /* input is not written to */
#include <zlib.h>

#include "engine/input/buffer.h"
#include "tests/input/stream.h"

/* "hello\n" in a stored block, by hand: header, block, checksum, size (RFC 1952, RFC 1951). */
static const uint8_t HELLO[] = { 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3,                             /* header */
                                 1, 6, 0, 0xF9, 0xFF, 'h', 'e', 'l', 'l', 'o', '\n',             /* last block, stored */
                                 0x20, 0x30, 0x3A, 0x36, 6, 0, 0, 0 };                           /* CRC-32, size */

static void pack(struct buffer *buffer, sheaf_bytes bytes)
{
    z_stream stream = { .next_in = bytes.data, .avail_in = (uInt)bytes.size };
    cr_assert_eq(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t bound = deflateBound(&stream, (uLong)bytes.size);
    stream.next_out = buffer_reserve(buffer, bound);
    stream.avail_out = (uInt)bound;
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    buffer->size += bound - stream.avail_out;
    (void)deflateEnd(&stream);
}

/* All that comes of `packed`; false at a fault. */
static bool unpack_all(sheaf_bytes packed, size_t step, size_t room, struct buffer *out, struct complaint *out_complaint)
{
    struct stream stream = { .rest = packed, .step = step };
    struct unpack unpack;
    ptrdiff_t size;
    unpack_begin(&unpack, stream_give, &stream);
    do {
        size = unpack_read(&unpack, buffer_reserve(out, room), room);
        if (size > 0) out->size += (size_t)size;
    } while (size > 0);
    if (size < 0) {
        cr_assert(unpack.faulty);
        cr_assert_lt(unpack_read(&unpack, buffer_reserve(out, room), room), 0, "a fault stays one");
    } else {
        cr_assert_eq(unpack_read(&unpack, buffer_reserve(out, room), room), 0, "an end stays one");
    }
    *out_complaint = unpack.complaint;
    unpack_end(&unpack);
    return size == 0;
}

static void expect_unpacked(sheaf_bytes packed, sheaf_bytes wanted)
{
    static const size_t steps[] = { 1, 2, 3, 7, 64, 100000 };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct buffer out = { 0 };
        struct complaint complaint;
        cr_assert(unpack_all(packed, steps[i], steps[sizeof steps / sizeof *steps - 1 - i], &out, &complaint), "%s",
                  complaint.text);
        cr_assert(sheaf_bytes_equal(buffer_view(&out), wanted), "step %zu: %zu bytes", steps[i], out.size);
        buffer_release(&out);
    }
}

Test(unpack, hands_on_what_is_plain)
{
    expect_unpacked(SHEAF_LIT(""), SHEAF_LIT(""));
    expect_unpacked(SHEAF_LIT("a"), SHEAF_LIT("a"));
    expect_unpacked(SHEAF_LIT("\x1f"), SHEAF_LIT("\x1f"));
    expect_unpacked(SHEAF_LIT("\x1f\x8a..."), SHEAF_LIT("\x1f\x8a..."));
    expect_unpacked(SHEAF_LIT("plain\ntext\n"), SHEAF_LIT("plain\ntext\n"));
}

Test(unpack, reads_members_one_behind_the_other)
{
    struct buffer twice = { 0 };
    expect_unpacked(sheaf_bytes_of(HELLO, sizeof HELLO), SHEAF_LIT("hello\n"));
    buffer_append(&twice, sheaf_bytes_of(HELLO, sizeof HELLO));
    pack(&twice, SHEAF_LIT(""));
    pack(&twice, SHEAF_LIT("world\n"));
    expect_unpacked(buffer_view(&twice), SHEAF_LIT("hello\nworld\n"));
    for (size_t i = 0; i < 512; i++) buffer_append_byte(&twice, 0); /* filled up to a block */
    expect_unpacked(buffer_view(&twice), SHEAF_LIT("hello\nworld\n"));
    buffer_release(&twice);
}

Test(unpack, unpacks_what_is_larger_than_any_room)
{
    struct buffer text = { 0 }, packed = { 0 }, out = { 0 };
    struct complaint complaint;
    for (unsigned i = 0; i < 60000; i++) buffer_append_format(&text, "%u\n", i * 2654435761u);
    pack(&packed, buffer_view(&text));
    cr_assert_gt(packed.size, (size_t)200000); /* more than one refill */
    cr_assert(unpack_all(buffer_view(&packed), 100000, 5000, &out, &complaint), "%s", complaint.text);
    cr_assert(sheaf_bytes_equal(buffer_view(&out), buffer_view(&text)));
    buffer_release(&text);
    buffer_release(&packed);
    buffer_release(&out);
}

static void expect_fault(sheaf_bytes packed, const char *wanted)
{
    struct buffer out = { 0 };
    struct complaint complaint;
    for (size_t step = 1; step <= 64; step++)
        cr_assert_not(unpack_all(packed, step, 64, &out, &complaint), "%s", wanted);
    cr_assert_str_eq(complaint.text, wanted);
    buffer_release(&out);
}

/* Cut anywhere, it is not whole. */
Test(unpack, refuses_what_is_cut_off)
{
    for (size_t size = 2; size < sizeof HELLO; size++) {
        char wanted[128];
        (void)snprintf(wanted, sizeof wanted,
                       "expected sound gzip data, found the end at byte %zu of the compressed file", size);
        expect_fault(sheaf_bytes_of(HELLO, size), wanted);
    }
}

static void expect_fault_with(size_t at, uint8_t byte, const char *found, size_t place)
{
    uint8_t faulty[sizeof HELLO];
    char wanted[128];
    memcpy(faulty, HELLO, sizeof HELLO);
    faulty[at] = byte;
    (void)snprintf(wanted, sizeof wanted, "expected sound gzip data, found %s at byte %zu of the compressed file", found, place);
    expect_fault(sheaf_bytes_of(faulty, sizeof faulty), wanted);
}

Test(unpack, refuses_what_is_not_sound)
{
    expect_fault_with(2, 7, "unknown compression method", 4);
    expect_fault_with(10, 7, "invalid block type", 11);
    expect_fault_with(13, 0, "invalid stored block lengths", 15);
    expect_fault_with(15, 'H', "incorrect data check", 25);
    expect_fault_with(21, 0, "incorrect data check", 25);
    expect_fault_with(25, 7, "incorrect length check", 29);
    struct buffer behind = { 0 };
    buffer_append(&behind, sheaf_bytes_of(HELLO, sizeof HELLO));
    buffer_append_byte(&behind, 'x');
    expect_fault(buffer_view(&behind),
                 "expected sound gzip data, found something that is not gzip at byte 29 of the compressed file");
    buffer_release(&behind);
}

Test(unpack, passes_on_the_fault_of_the_read)
{
    for (size_t size = 0; size < sizeof HELLO; size++) {
        struct stream stream = { .rest = sheaf_bytes_of(HELLO, size), .step = 5, .fails_at_end = true };
        struct unpack unpack;
        char room[16];
        ptrdiff_t got;
        unpack_begin(&unpack, stream_give, &stream);
        while ((got = unpack_read(&unpack, room, sizeof room)) > 0) continue;
        cr_assert_lt(got, 0);
        cr_assert_not(unpack.faulty);
        cr_assert_eq(errno, EIO);
        unpack_end(&unpack);
    }
}
