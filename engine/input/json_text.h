/*
 * json_text.h - bytes as JSON, without loss.
 *
 * Bytes that are UTF-8 become a string. All others become {"base64": "..."}: JSON strings cannot hold them, and as no string of
 * ours is an object the two cannot be taken for each other.
 */
#ifndef SHEAF_INPUT_JSON_TEXT_H
#define SHEAF_INPUT_JSON_TEXT_H

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

void json_text_append(struct buffer *buffer, sheaf_bytes bytes);

#endif
