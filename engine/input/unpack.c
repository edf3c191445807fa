#include "engine/input/unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "engine/base/bytes.h"

#define ROOM_SIZE ((size_t)64 * 1024)
/* The window of deflate, and 16 for gzip's header and trailer alone, as zlib.h has it. */
#define GZIP_WINDOW_BITS (15 + 16)

void unpack_begin(struct unpack *unpack, stream_read read, void *context)
{
    *unpack = (struct unpack){ .read = read, .context = context, .room = malloc(ROOM_SIZE) };
    if (!unpack->room) end_without_memory();
}

void unpack_end(struct unpack *unpack)
{
    if (unpack->inflater) (void)inflateEnd(unpack->inflater);
    free(unpack->inflater);
    free(unpack->room);
    *unpack = (struct unpack){ 0 };
}

/* Reads more behind what is there. False when that failed. */
static bool refill(struct unpack *unpack)
{
    if (unpack->begin == unpack->end) unpack->begin = unpack->end = 0;
    ptrdiff_t size = unpack->read(unpack->context, unpack->room + unpack->end, ROOM_SIZE - unpack->end);
    if (size < 0) return false;
    unpack->at_end = size == 0;
    unpack->end += (size_t)size;
    return true;
}

static void begin_inflating(struct unpack *unpack)
{
    unpack->form = UNPACK_GZIP;
    unpack->inflater = calloc(1, sizeof *unpack->inflater);
    if (!unpack->inflater || inflateInit2(unpack->inflater, GZIP_WINDOW_BITS) != Z_OK) end_without_memory();
}

/* By the first two bytes, however few a read gives. */
static bool decide(struct unpack *unpack)
{
    while (unpack->end < 2 && !unpack->at_end)
        if (!refill(unpack)) return false;
    bool gzip = unpack->end >= 2 && unpack->room[0] == 0x1F && unpack->room[1] == 0x8B;
    if (gzip) begin_inflating(unpack);
    else unpack->form = UNPACK_PLAIN;
    return true;
}

static ptrdiff_t read_plain(struct unpack *unpack, void *buffer, size_t size)
{
    size_t held = sheaf_size_min(unpack->end - unpack->begin, size);
    if (held == 0) return unpack->at_end ? 0 : unpack->read(unpack->context, buffer, size);
    memcpy(buffer, unpack->room + unpack->begin, held);
    unpack->begin += held;
    return (ptrdiff_t)held;
}

static ptrdiff_t refuse(struct unpack *unpack, const char *found)
{
    unpack->faulty = true;
    complain(&unpack->complaint, "expected sound gzip data, found %s at byte %" PRIu64 " of the compressed file", found,
             unpack->taken_size);
    return -1;
}

static void take(struct unpack *unpack, size_t size)
{
    unpack->begin += size;
    unpack->taken_size += size;
}

enum step {
    STEP_DONE,
    STEP_END,
    STEP_FAILED
};

/* Between two members, with bytes at hand or at the end. */
static enum step begin_member(struct unpack *unpack)
{
    if (unpack->begin == unpack->end) return STEP_END;
    uint8_t byte = unpack->room[unpack->begin];
    if (byte == 0) { /* filled up to a block, as on tapes */
        take(unpack, 1);
        return STEP_DONE;
    }
    if (byte != 0x1F) {
        refuse(unpack, "something that is not gzip");
        return STEP_FAILED;
    }
    (void)inflateReset(unpack->inflater); /* fails for a broken stream state alone */
    unpack->in_member = true;
    return STEP_DONE;
}

static enum step inflate_some(struct unpack *unpack)
{
    z_stream *inflater = unpack->inflater;
    size_t held = unpack->end - unpack->begin;
    inflater->next_in = unpack->room + unpack->begin;
    inflater->avail_in = (uInt)held;
    int result = inflate(inflater, Z_NO_FLUSH);
    take(unpack, held - inflater->avail_in);
    switch (result) {
    case Z_OK: return STEP_DONE;
    case Z_STREAM_END: unpack->in_member = false; return STEP_DONE;
    case Z_MEM_ERROR: end_without_memory();
    case Z_BUF_ERROR: /* no progress: it wants more input */
        if (!unpack->at_end) return STEP_DONE;
        refuse(unpack, "the end");
        return STEP_FAILED;
    default: refuse(unpack, inflater->msg ? inflater->msg : "a preset dictionary"); return STEP_FAILED;
    }
}

static ptrdiff_t read_gzip(struct unpack *unpack, void *buffer, size_t size)
{
    z_stream *inflater = unpack->inflater;
    if (size > UINT_MAX) size = UINT_MAX;
    inflater->next_out = buffer;
    inflater->avail_out = (uInt)size;
    while (inflater->avail_out == (uInt)size) {
        if (unpack->begin == unpack->end && !unpack->at_end && !refill(unpack)) return -1;
        switch (unpack->in_member ? inflate_some(unpack) : begin_member(unpack)) {
        case STEP_DONE: break;
        case STEP_END: return 0;
        case STEP_FAILED: /* what was unpacked before it goes out first */
            return inflater->avail_out == (uInt)size ? -1 : (ptrdiff_t)(size - inflater->avail_out);
        }
    }
    return (ptrdiff_t)(size - inflater->avail_out);
}

ptrdiff_t unpack_read(void *context, void *buffer, size_t size)
{
    struct unpack *unpack = context;
    if (unpack->faulty) return -1;
    if (unpack->form == UNPACK_UNDECIDED && !decide(unpack)) return -1;
    return unpack->form == UNPACK_GZIP ? read_gzip(unpack, buffer, size) : read_plain(unpack, buffer, size);
}
