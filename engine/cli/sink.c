#include "engine/cli/sink.h"

#include <errno.h>
#include <unistd.h>

#include "engine/input/clock.h"

#define SINK_WRITE_SIZE ((size_t)64 * 1024)

void sink_open(struct sink *sink, int descriptor)
{
    *sink = (struct sink){ .descriptor = descriptor };
}

static void write_all(struct sink *sink)
{
    size_t written = 0;
    while (written < sink->buffer.size && sink->error == 0) {
        ssize_t size = write(sink->descriptor, sink->buffer.data + written, sink->buffer.size - written);
        if (size >= 0) {
            written += (size_t)size;
        } else if (errno != EINTR) {
            sink->error = errno;
        }
    }
}

void sink_flush(struct sink *sink)
{
    uint64_t start_ns = clock_now_ns();
    write_all(sink);
    buffer_clear(&sink->buffer);
    sink->write_ns += clock_now_ns() - start_ns;
}

bool sink_settle(struct sink *sink)
{
    if (sink->buffer.size >= SINK_WRITE_SIZE) sink_flush(sink);
    return sink->error == 0;
}

bool sink_failed(const struct sink *sink)
{
    return sink->error != 0 && sink->error != EPIPE;
}

void sink_release(struct sink *sink)
{
    buffer_release(&sink->buffer);
}
