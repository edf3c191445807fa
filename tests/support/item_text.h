/*
 * item_text.h - items as a test writes them, and back.
 *
 *     {a: "text", n: -1.5, b: 'bytes', t: true, z: null, l: [1, "2"], m: {x: 1}, s: <1, 2>, e: <"a">}
 *
 * A set has its members in < and >, a binary stands in single quotes. A name is letters, digits and _. Blanks are free.
 * Printed without blanks, members and sets in the order of the record.
 */
#ifndef TESTS_SUPPORT_ITEM_TEXT_H
#define TESTS_SUPPORT_ITEM_TEXT_H

#include <sheaf/item.h>

enum { ITEM_TEXT_MAX = 1 << 16 };

/* Builds the item of a text. Aborts if it is none. Lives as long as the builder has nothing else to do. */
sheaf_bytes item_text_build(sheaf_item_builder *builder, const char *text);

/* Prints a record into `out`, closed by a NUL. */
void item_text_print(sheaf_bytes record, char out[ITEM_TEXT_MAX]);

#endif
