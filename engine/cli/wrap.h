/*
 * wrap.h - paragraphs for a person, in lines no wider than the terminal.
 *
 *     repair   {score:pad(10)}#{time:pad(16)}#{player}: numbers of a fixed
 *              width sort by value
 *     ^ first  ^ indent                                                  width ^
 */
#ifndef SHEAF_CLI_WRAP_H
#define SHEAF_CLI_WRAP_H

#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

/*
 * Appends `text` as lines of at most `width` columns, broken at spaces. The first line begins where the buffer stands, in column
 * `column` (from 0), the others are indented by `indent`. Each ends with a line feed. Characters are shown as display.h has it.
 * A word that no line holds stands in one by itself, and is wider.
 */
void wrap_append(struct buffer *buffer, sheaf_bytes text, size_t column, size_t indent, size_t width);

/* Appends so many spaces. */
void wrap_append_spaces(struct buffer *buffer, size_t count);

#endif
