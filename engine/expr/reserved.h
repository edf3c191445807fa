/*
 * reserved.h - the words that an attribute in an expression cannot be called by, only stand for with a #name.
 */
#ifndef SHEAF_EXPR_RESERVED_H
#define SHEAF_EXPR_RESERVED_H

#include <stdbool.h>

#include <sheaf/bytes.h>

/* Small letters and capitals are alike. */
bool sheaf_is_reserved_word(sheaf_bytes word);

#endif
