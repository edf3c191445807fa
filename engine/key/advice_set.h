/*
 * advice_set.h - a bounded map from hashes to marks: who comes when it is full is not taken in.
 */
#ifndef SHEAF_KEY_ADVICE_SET_H
#define SHEAF_KEY_ADVICE_SET_H

#include <stdbool.h>

#include "engine/base/heap.h"

enum { ADVICE_TEXT_SIZE = 62 };

struct advice_mark {
    uint64_t hash; /* 0: empty */
    uint64_t value;
};

/* The beginning of the text that made a mark. */
struct advice_text {
    uint8_t size;
    uint8_t bytes[ADVICE_TEXT_SIZE];
};

struct advice_set {
    struct advice_mark *marks;
    struct advice_text *texts; /* beside them; NULL: not kept */
    size_t capacity;           /* a power of two */
    size_t count;
};

/* False when memory is refused. */
bool sheaf_advice_set_init(struct advice_set *set, struct sheaf_heap *heap, size_t capacity, bool keeps_texts);
void sheaf_advice_set_deinit(struct advice_set *set, struct sheaf_heap *heap);

/* The mark for `hash`, new ones with the value 0; NULL: it is not there and there is no room. */
struct advice_mark *sheaf_advice_set_mark(struct advice_set *set, uint64_t hash);

static inline struct advice_text *sheaf_advice_set_text(const struct advice_set *set, const struct advice_mark *mark)
{
    return &set->texts[mark - set->marks];
}

#endif
