#include "engine/key/advice_set.h"

bool sheaf_advice_set_init(struct advice_set *set, struct sheaf_heap *heap, size_t capacity, bool keeps_texts)
{
    *set = (struct advice_set){ .capacity = capacity };
    set->marks = sheaf_heap_allocate_zeroed(heap, capacity * sizeof *set->marks);
    if (set->marks && keeps_texts) set->texts = sheaf_heap_allocate(heap, capacity * sizeof *set->texts);
    return set->marks && (set->texts || !keeps_texts);
}

void sheaf_advice_set_deinit(struct advice_set *set, struct sheaf_heap *heap)
{
    sheaf_heap_free(heap, set->texts, set->capacity * sizeof *set->texts);
    sheaf_heap_free(heap, set->marks, set->capacity * sizeof *set->marks);
}

struct advice_mark *sheaf_advice_set_mark(struct advice_set *set, uint64_t hash)
{
    if (hash == 0) hash = 1;
    size_t at = (size_t)hash & (set->capacity - 1);
    while (set->marks[at].hash != 0 && set->marks[at].hash != hash) at = (at + 1) & (set->capacity - 1);
    struct advice_mark *mark = &set->marks[at];
    if (mark->hash == hash) return mark;
    if (set->count >= set->capacity / 4 * 3) return NULL;
    set->count++;
    mark->hash = hash;
    return mark;
}
