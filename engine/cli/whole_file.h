/*
 * whole_file.h - files read and written as a whole.
 */
#ifndef SHEAF_CLI_WHOLE_FILE_H
#define SHEAF_CLI_WHOLE_FILE_H

#include <stdbool.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"

/* Appends what is in a file; "-" is standard input. False, with a complaint. */
bool whole_file_read(const char *name, struct buffer *buffer, struct complaint *complaint);

/*
 * Writes a file of that name, whole or not at all: it is written beside, and then takes the name of one that is there. False,
 * with a complaint.
 */
bool whole_file_write(const char *name, sheaf_bytes bytes, struct complaint *complaint);

#endif
