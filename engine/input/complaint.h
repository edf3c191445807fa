/*
 * complaint.h - how the command says that something is wrong, and what it then returns.
 *
 * Whoever finds a fault in the input writes a complaint, "expected this, found that", and returns false; the loader, who knows
 * file and line, puts them before it. Nothing has been written to standard output by then: answers begin when all is read.
 */
#ifndef SHEAF_INPUT_COMPLAINT_H
#define SHEAF_INPUT_COMPLAINT_H

#include <stdbool.h>

#include <sheaf/bytes.h>

/* What the program returns to the shell. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_NOTHING_FOUND = 1, /* one certain entry, place or partition was asked for, and is not there */
    EXIT_TROUBLE = 2        /* bad usage, bad input, no memory, an answer that cannot be written */
};

/* One sentence without a final stop. */
struct complaint {
    char text[640];
};

/* Writes the sentence, as printf() has it. Returns false, for the caller to pass on. */
bool complain(struct complaint *complaint, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for bytes as a message shows them. */
struct quoted {
    char text[112];
};

/* The bytes between quotes, in one line and not too long; what is not printable as \xHH. */
struct quoted quote(sheaf_bytes bytes);

/* Ends the program with EXIT_TROUBLE. */
_Noreturn void end_without_memory(void);

#endif
