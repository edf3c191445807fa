#include "engine/item/json_parser.h"

#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "engine/base/heap.h"

struct block {
    struct block *previous, *next;
    size_t size; /* all of it */
    max_align_t content[];
};

struct parsing {
    struct sheaf_heap *heap;
    struct block *blocks;
    const struct sheaf_json_events *events;
    void *context;
    size_t *offset;
    yajl_handle handle;
    jmp_buf no_memory;
};

/* ---- memory for yajl ------------------------------------------------------------------------------------------------- */

static void *allocate(void *context, size_t size)
{
    struct parsing *parsing = context;
    struct block *block = NULL;
    if (size <= SIZE_MAX - sizeof *block) block = sheaf_heap_allocate(parsing->heap, sizeof *block + size);
    if (!block) longjmp(parsing->no_memory, 1);
    *block = (struct block){ .next = parsing->blocks, .size = sizeof *block + size };
    if (block->next) block->next->previous = block;
    parsing->blocks = block;
    return block->content;
}

static void release(void *context, void *content)
{
    struct parsing *parsing = context;
    if (!content) return;
    struct block *block = (struct block *)(void *)((char *)content - offsetof(struct block, content));
    if (block->next) block->next->previous = block->previous;
    if (block->previous)
        block->previous->next = block->next;
    else
        parsing->blocks = block->next;
    sheaf_heap_free(parsing->heap, block, block->size);
}

static void *resize(void *context, void *content, size_t size)
{
    void *larger = allocate(context, size);
    if (content) {
        const struct block *block = (const struct block *)(const void *)((char *)content - offsetof(struct block, content));
        size_t held = block->size - sizeof *block;
        memcpy(larger, content, held < size ? held : size);
        release(context, content);
    }
    return larger;
}

/* ---- events ---------------------------------------------------------------------------------------------------------- */

static struct parsing *heard(void *context)
{
    struct parsing *parsing = context;
    *parsing->offset = yajl_get_bytes_consumed(parsing->handle);
    return parsing;
}

#define EVENT(name) \
    static int hear_##name(void *context) \
    { \
        struct parsing *parsing = heard(context); \
        return parsing->events->name(parsing->context); \
    }

EVENT(null)
EVENT(begin_object)
EVENT(end_object)
EVENT(begin_array)
EVENT(end_array)

static int hear_boolean(void *context, int boolean)
{
    struct parsing *parsing = heard(context);
    return parsing->events->boolean(parsing->context, boolean != 0);
}

static int hear_number(void *context, const char *digits, size_t size)
{
    struct parsing *parsing = heard(context);
    return parsing->events->number(parsing->context, sheaf_bytes_of(digits, size));
}

static int hear_string(void *context, const unsigned char *text, size_t size)
{
    struct parsing *parsing = heard(context);
    return parsing->events->string(parsing->context, sheaf_bytes_of(text, size));
}

static int hear_name(void *context, const unsigned char *name, size_t size)
{
    struct parsing *parsing = heard(context);
    return parsing->events->name(parsing->context, sheaf_bytes_of(name, size));
}

static const yajl_callbacks CALLBACKS = {
    .yajl_null = hear_null,
    .yajl_boolean = hear_boolean,
    .yajl_number = hear_number,
    .yajl_string = hear_string,
    .yajl_start_map = hear_begin_object,
    .yajl_map_key = hear_name,
    .yajl_end_map = hear_end_object,
    .yajl_start_array = hear_begin_array,
    .yajl_end_array = hear_end_array,
};

/* ---- the parse ------------------------------------------------------------------------------------------------------- */

static enum sheaf_json_end run(struct parsing *parsing, sheaf_bytes text)
{
    yajl_alloc_funcs memory = { allocate, resize, release, parsing };
    if (setjmp(parsing->no_memory) != 0) return JSON_NO_MEMORY;
    parsing->handle = yajl_alloc(&CALLBACKS, &memory, parsing);
    yajl_status status = yajl_parse(parsing->handle, text.data, text.size);
    if (status == yajl_status_ok) {
        *parsing->offset = text.size;
        status = yajl_complete_parse(parsing->handle);
    } else {
        *parsing->offset = yajl_get_bytes_consumed(parsing->handle);
    }
    if (status == yajl_status_ok) return JSON_DONE;
    return status == yajl_status_client_canceled ? JSON_ENDED : JSON_MALFORMED;
}

enum sheaf_json_end sheaf_json_parse(struct sheaf_heap *heap, sheaf_bytes text, const struct sheaf_json_events *events,
                                     void *context, size_t *out_offset)
{
    struct parsing parsing = { .heap = heap, .events = events, .context = context, .offset = out_offset };
    *out_offset = 0;
    enum sheaf_json_end end = run(&parsing, text);
    while (parsing.blocks) release(&parsing, parsing.blocks->content);
    return end;
}
