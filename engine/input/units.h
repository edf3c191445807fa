/*
 * units.h - sizes, times and keys as messages to a person have them.
 */
#ifndef SHEAF_INPUT_UNITS_H
#define SHEAF_INPUT_UNITS_H

#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

/* "850 ns", "42 µs", "1.3 ms", "2.41 s" */
void units_append_time(struct buffer *buffer, uint64_t ns);

/* "12 bytes", "3.4 kB", "96.1 MB": powers of ten */
void units_append_size(struct buffer *buffer, uint64_t bytes);

/* "1 entry", "1,204 entries" */
void units_append_count(struct buffer *buffer, uint64_t count, const char *one, const char *many);

/* `bytes` as a word of a shell's command line: 'root/photos/', or $'caf\xe9' where a terminal could not show it. */
void units_append_shell_word(struct buffer *buffer, sheaf_bytes bytes);

#endif
