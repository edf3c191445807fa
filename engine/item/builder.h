/*
 * builder.h - what those who fill a builder from a text need of it besides what is public.
 */
#ifndef SHEAF_ITEM_BUILDER_H
#define SHEAF_ITEM_BUILDER_H

#include <sheaf/item.h>

struct sheaf_heap;

/* The builder's memory, for work on its behalf. */
struct sheaf_heap *sheaf_item_builder_heap(sheaf_item_builder *builder);

/* Whether something added was refused: then sheaf_item_end() will tell. */
bool sheaf_item_builder_has_refused(const sheaf_item_builder *builder);

#endif
