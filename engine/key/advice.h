/*
 * advice.h - what an adviser keeps of the keys it has seen: a bounded summary, from which the rules are judged at the end.
 *
 *     adviser ─┬─ groups: keys that begin with the same entity   ─── segments: by place ─┬─ widths of numbers, with extremes
 *              │                                                                         ├─ forms of numbers, formats of times
 *              │                                                                         └─ hexadecimal digits by case
 *              ├─ folders: the paths that keys lie below, and those that keys are (advice_set.h)
 *              ├─ spellings: text by its form in lower case
 *              └─ partitions: the collections with most entries, bytes and reads
 *
 * A pair that sorts wrongly is found when the second of the two comes: it is compared with the extremes by bytes of every width, form
 * and format, and with some drawn from all that came before. One odd key among many is an extreme of its own width, so all that come
 * after it are compared with it.
 *
 * A1  A key is counted in one group, and there in as many segments as it has, up to ADVICE_SEGMENTS.
 * A2  Memory is taken before anything of a key is counted: one that is refused leaves no trace.
 */
#ifndef SHEAF_KEY_ADVICE_H
#define SHEAF_KEY_ADVICE_H

#include <sheaf/advice.h>

#include "engine/base/heap.h"
#include "engine/key/advice_segment.h"
#include "engine/key/advice_set.h"
#include "engine/key/advice_share.h"

enum {
    ADVICE_GROUPS = 64,          /* more kinds of entities share the last one */
    ADVICE_SEGMENTS = 6,         /* further ones are not looked at */
    ADVICE_COUNTS = 12,          /* numbers of segments told apart */
    ADVICE_ENTITY_SIZE = 40,
    ADVICE_REPAIR_SIZE = 256,
    ADVICE_FINDINGS = 256        /* more are not told of: they would not be read */
};

/* How often something was met, with the first key it was met in. */
struct advice_tally {
    uint64_t count;
    struct advice_example first;
};

struct advice_group {
    uint8_t entity[ADVICE_ENTITY_SIZE];
    size_t entity_size; /* 0: keys of no entity, and of those for which there was no room */
    uint8_t delimiter;  /* 0: none */
    bool is_path;
    uint64_t count;
    struct advice_example first;
    struct advice_tally segment_counts[ADVICE_COUNTS];
    struct advice_tally empty, blank, no_text, long_keys, too_long;
    struct advice_tally high_characters; /* U+E000 to U+FFFF */
    struct advice_tally astral;          /* above U+FFFF */
    struct advice_example utf16_pair[2]; /* that UTF-16 sorts otherwise */
    struct advice_segment segments[ADVICE_SEGMENTS];
    char repair[ADVICE_REPAIR_SIZE];
};

/* The keys of one attribute. */
struct advice_side {
    sheaf_field field;
    size_t size_max;
    struct advice_group *groups[ADVICE_GROUPS];
    size_t group_count;
};

struct advice_finding {
    sheaf_finding finding;
    uint8_t made[2][SHEAF_ADVICE_EXAMPLE_SIZE_MAX];
};

struct sheaf_adviser {
    struct sheaf_heap heap;
    uint8_t delimiter;
    bool binary;
    uint64_t count;
    struct advice_side partition, sort;
    struct advice_set folders;
    struct advice_set spellings;
    struct advice_set entities; /* by partition key: which entity it holds, to see a second one */
    struct advice_set widths;   /* by segment and partition key: a bit for each width of its numbers */
    struct advice_tally case_faults, folder_faults, sibling_faults, open_ranges, milliseconds;
    struct advice_example case_other, folder_other, sibling_other, open_other;
    struct advice_shares entries, bytes, reads;
    size_t finding_count;
    struct advice_finding findings[ADVICE_FINDINGS];
    sheaf_finding told[ADVICE_FINDINGS];
};

/* ---- advice_split.c: a key in pieces ---------------------------------------------------------------------------------- */

struct advice_pieces {
    sheaf_bytes key;
    uint8_t delimiter; /* 0: none */
    bool is_path;
    sheaf_bytes entity; /* the first segment, if it names a kind of item; empty else */
    sheaf_bytes segments[ADVICE_SEGMENTS]; /* without the entity */
    size_t segment_count;                  /* of all of them, seen or not */
    bool has_empty;
};

/* `given`: the delimiter to split at; 0: the one found. */
void sheaf_advice_split(sheaf_bytes key, uint8_t given, struct advice_pieces *out_pieces);

/* ---- advice_judge.c: from what was counted to findings ------------------------------------------------------------------- */

void sheaf_advice_judge(struct sheaf_adviser *adviser);

/* ---- advice_repair.c -------------------------------------------------------------------------------------------------- */

/* Writes the layout that fits a group's keys to group->repair. */
void sheaf_advice_repair(struct advice_group *group);

static inline void sheaf_advice_note(struct advice_tally *tally, sheaf_bytes key)
{
    if (tally->count++ == 0) sheaf_advice_example_set(&tally->first, key, 0, 0);
}

#endif
