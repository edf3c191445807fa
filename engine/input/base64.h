/*
 * base64.h - bytes as letters, RFC 4648 section 4: with padding, and one text for each run of bytes.
 */
#ifndef SHEAF_INPUT_BASE64_H
#define SHEAF_INPUT_BASE64_H

#include <stdbool.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

void base64_append(struct buffer *buffer, sheaf_bytes bytes);

/* Appends the bytes that `text` stands for. False, and nothing appended, if base64_append() writes no such text. */
bool base64_append_decoded(struct buffer *buffer, sheaf_bytes text);

#endif
