/*
 * json_parser.h - a JSON text as events, memory taken from a heap. Around yajl, which hands numbers over as they are
 * written.
 *
 * yajl does not look whether it was given memory. So where there is none, control leaves it by a jump, and what it holds
 * is freed from a list.
 */
#ifndef SHEAF_ITEM_JSON_PARSER_H
#define SHEAF_ITEM_JSON_PARSER_H

#include <stdbool.h>

#include <sheaf/bytes.h>

struct sheaf_heap;

/* Events; false ends the parse. Bytes live for the call, only. Containers nest properly; a name comes before each member. */
struct sheaf_json_events {
    bool (*null)(void *context);
    bool (*boolean)(void *context, bool boolean);
    bool (*number)(void *context, sheaf_bytes digits);
    bool (*string)(void *context, sheaf_bytes text);
    bool (*begin_object)(void *context);
    bool (*name)(void *context, sheaf_bytes name);
    bool (*end_object)(void *context);
    bool (*begin_array)(void *context);
    bool (*end_array)(void *context);
};

enum sheaf_json_end {
    JSON_DONE,  /* one value, and nothing behind it but blanks */
    JSON_ENDED, /* by an event */
    JSON_MALFORMED,
    JSON_NO_MEMORY
};

/* `out_offset` is how far it came; in events as well. */
enum sheaf_json_end sheaf_json_parse(struct sheaf_heap *heap, sheaf_bytes text, const struct sheaf_json_events *events,
                                     void *context, size_t *out_offset);

#endif
