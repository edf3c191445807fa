/*
 * sink.h - standard output, written in big pieces.
 *
 * Once a write has failed nothing more is written. A reader that has gone (`| head`) is no failure: it has seen enough. Time
 * spent in write(2) is the reader's, not the query's, and is kept apart.
 */
#ifndef SHEAF_CLI_SINK_H
#define SHEAF_CLI_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

struct sink {
    int descriptor;
    int error; /* errno of the write that failed; 0: none did */
    uint64_t write_ns;
    struct buffer buffer; /* append here, then call sink_settle() */
};

void sink_open(struct sink *sink, int descriptor);

/* Writes if enough has come together. False when nothing more will be written, so that a long listing can end early. */
bool sink_settle(struct sink *sink);

/* Writes all. */
void sink_flush(struct sink *sink);

/* Whether something could not be written, a reader that has gone apart. */
bool sink_failed(const struct sink *sink);

void sink_release(struct sink *sink);

#endif
