/*
 * display.h - bytes as a person sees them: what each takes on a terminal, and nothing that a terminal would obey.
 *
 * Text is UTF-8. Control characters and bytes that are not UTF-8 are shown as \xHH, so a file name cannot move the cursor or
 * change colours. This is for reading only: the TSV and JSON forms keep every byte.
 */
#ifndef SHEAF_INPUT_DISPLAY_H
#define SHEAF_INPUT_DISPLAY_H

#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

/* \xHH for each of a character's four bytes. */
#define DISPLAY_CHARACTER_SIZE_MAX 16

struct display_character {
    size_t size;       /* bytes it takes in the input; at least 1 */
    size_t shown_size; /* bytes of what is shown for it */
    size_t columns;    /* columns it takes on a terminal */
};

/* The first character of `bytes`, which has some; what is shown goes to `out_shown`. */
struct display_character display_character_read(sheaf_bytes bytes, char out_shown[DISPLAY_CHARACTER_SIZE_MAX]);

/*
 * Appends what is shown for `bytes`, tabs as a gap of two columns; at most `columns_max` columns of it, the last being "…" if
 * it is cut. Returns the columns.
 */
size_t display_append(struct buffer *buffer, sheaf_bytes bytes, size_t columns_max);

/* Appends `number` with a comma before every three digits. */
void display_append_number(struct buffer *buffer, uint64_t number);

#endif
