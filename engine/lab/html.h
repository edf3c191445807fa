/*
 * html.h - text in HTML and SVG.
 */
#ifndef SHEAF_LAB_HTML_H
#define SHEAF_LAB_HTML_H

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

/* Appends bytes as text of an element or of a quoted attribute: what is no text is shown as display.h does. */
void html_append(struct buffer *buffer, sheaf_bytes bytes);

#endif
