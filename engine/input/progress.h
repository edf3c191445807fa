/*
 * progress.h - one line on the terminal that says how far a long load is, and leaves no trace.
 */
#ifndef SHEAF_INPUT_PROGRESS_H
#define SHEAF_INPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool on; /* standard error is a terminal */
    bool shown;
    uint64_t start_ns;
    uint64_t next_ns; /* when to show it again */
};

void progress_begin(struct progress *progress);

/* Shows it if it is time. */
void progress_report(struct progress *progress, uint64_t records, uint64_t bytes);

/* Takes it away. */
void progress_end(struct progress *progress);

#endif
