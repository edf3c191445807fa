/*
 * advice_split.c - a key in pieces, by the delimiter that it is written with.
 */
#include <string.h>

#include "engine/key/advice.h"

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* A colon between digits is a time of day, not a delimiter. */
static bool is_time_of_day(sheaf_bytes key)
{
    for (size_t i = 1; i + 1 < key.size; i++)
        if (key.data[i] == ':' && is_digit(key.data[i - 1]) && is_digit(key.data[i + 1])) return true;
    return false;
}

static uint8_t find_delimiter(sheaf_bytes key)
{
    static const uint8_t candidates[] = { '#', '|', '/' };
    if (key.size == 0) return 0;
    for (size_t i = 0; i < sizeof candidates; i++)
        if (memchr(key.data, candidates[i], key.size)) return candidates[i];
    return memchr(key.data, ':', key.size) && !is_time_of_day(key) ? ':' : 0;
}

/* Letters of one case, and underscores: USER, order_item. What begins with a capital is rather a name. */
static bool names_entity(sheaf_bytes segment)
{
    size_t upper = 0, lower = 0;
    for (size_t i = 0; i < segment.size; i++) {
        uint8_t byte = segment.data[i];
        if (byte >= 'A' && byte <= 'Z') upper++;
        else if (byte >= 'a' && byte <= 'z') lower++;
        else if (byte != '_') return false;
    }
    return (upper > 0) != (lower > 0) && segment.size <= ADVICE_ENTITY_SIZE;
}

static void add_segment(struct advice_pieces *pieces, sheaf_bytes segment)
{
    if (pieces->segment_count < ADVICE_SEGMENTS) pieces->segments[pieces->segment_count] = segment;
    pieces->segment_count++;
}

void sheaf_advice_split(sheaf_bytes key, uint8_t given, struct advice_pieces *out_pieces)
{
    uint8_t delimiter = given ? given : find_delimiter(key);
    *out_pieces = (struct advice_pieces){ .key = key, .delimiter = delimiter, .is_path = delimiter == '/' };
    bool is_first = true;
    for (sheaf_bytes rest = key;;) {
        const uint8_t *found = delimiter && rest.size > 0 ? memchr(rest.data, delimiter, rest.size) : NULL;
        sheaf_bytes segment = sheaf_bytes_of(rest.data, found ? (size_t)(found - rest.data) : rest.size);
        if (is_first && found && !out_pieces->is_path && names_entity(segment)) out_pieces->entity = segment;
        else add_segment(out_pieces, segment);
        if (segment.size == 0 && found && !(out_pieces->is_path && is_first)) out_pieces->has_empty = true; /* "/etc" is fine */
        if (!found) return;
        is_first = false;
        rest = sheaf_bytes_of(found + 1, rest.size - segment.size - 1);
    }
}
