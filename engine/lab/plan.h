/*
 * plan.h - what the lab is to try, as a JSON document says it.
 *
 *     {
 *       "title": "Leaderboard",
 *       "records": { "file": "scores.tsv",
 *                    "fields": [ { "name": "season", "from": "1" },
 *                                { "name": "score", "from": "2", "type": "number" },
 *                                { "name": "player", "from": "3" } ] },
 *       "layouts": [ { "name": "padded", "layout": "pk = \"SEASON#{season}\", sk = \"{score:pad(10)}#{player}\"" },
 *                    { "name": "unpadded", "layout": "pk = \"SEASON#{season}\", sk = \"{score:raw}#{player}\"" } ],
 *       "patterns": [ { "name": "top 10 of a season", "where": { "season": { "sample": true } },
 *                       "order": [ { "descending": "score" } ], "limit": 10 } ]
 *     }
 *
 *   records   "file", from the plan's own folder on, or "-", standard input; "format" (tsv, csv, jsonl, dynamodb), else by the
 *             file; "header": true where the first line of a TSV names the columns; "shuffle": N, records come in an order
 *             drawn with the seed N
 *   fields    "name"; "from", a field of the input (engine/input/field.h), else the name; "type" text, path (with "delimiter",
 *             else /), number or time; or "derive" and "of" in place of "from" and "type" (derive.h); "attribute": false, it is
 *             not part of the item beside its keys, or true: it is (those from the input are, derived ones are not)
 *   layouts   "name", "layout" (<sheaf/layout.h>), "note"
 *   patterns  "name"; "where", conditions that hold all together, by field; "order", fields, or {"descending": field}; "limit";
 *             "samples", how many times what is sampled is drawn
 *   condition value, or {"equal" | "less" | "at_most" | "at_least" | "greater" | "begins_with" | "subtree_of" | "children_of":
 *             value}, or {"between": [value, value]}, both ends in. A subtree is a folder itself and all below it.
 *   value     a text or whole number; {"each": [...]}, one after the other; {"sample": true}, that of a record drawn among
 *             those that what is given leaves (a folder: the one it lies in; a beginning: {"sample": true, "characters": 3})
 *   "samples", "seed"    for all patterns
 *
 * Reading is all or nothing. A complaint names the place in the plan.
 */
#ifndef SHEAF_LAB_PLAN_H
#define SHEAF_LAB_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/complaint.h"
#include "engine/input/source.h"
#include "engine/lab/arena.h"
#include "engine/lab/derive.h"
#include "engine/lab/value.h"

struct json_t;

/* Beyond these lie typing errors, and reports nobody could read. */
#define PLAN_FIELD_MAX 64
#define PLAN_LAYOUT_MAX 24
#define PLAN_PATTERN_MAX 64
#define PLAN_RUN_MAX 10000
#define PLAN_RUN_USUAL 25

struct plan_field {
    sheaf_bytes name;
    enum value_type type;
    uint8_t delimiter; /* of a path, and of what is derived from it */
    enum derivation derivation;
    sheaf_bytes from; /* DERIVE_NONE: the field of the input */
    size_t of;        /* otherwise: index of the field it is worked out from, which stands before it; itself for a place */
    bool attribute;
};

struct plan_layout {
    sheaf_bytes name;
    sheaf_bytes text;
    sheaf_bytes note; /* may be empty */
};

enum relation {
    RELATION_EQUAL,
    RELATION_LESS,
    RELATION_AT_MOST,
    RELATION_AT_LEAST,
    RELATION_GREATER,
    RELATION_BETWEEN,
    RELATION_BEGINS_WITH,
    RELATION_SUBTREE_OF,
    RELATION_CHILDREN_OF
};

/* The name of a relation in a plan. */
const char *relation_name(enum relation relation);

struct operand {
    bool sampled;
    sheaf_bytes *values; /* not sampled: one, or one for each run; canonical, those of numbers and times */
    size_t value_count;
    uint64_t character_count; /* sampled beginnings: how long */
};

/* "field relation operand", or with two operands "between". */
struct condition {
    size_t field;
    enum relation relation;
    struct operand operands[2];
    size_t operand_count;
};

struct order_part {
    size_t field;
    bool descending;
};

#define PATTERN_NO_LIMIT UINT64_MAX

struct pattern {
    sheaf_bytes name;
    struct condition *conditions;
    size_t condition_count;
    struct order_part *order; /* none: any order will do */
    size_t order_count;
    uint64_t limit;
    size_t run_count;
};

struct plan {
    sheaf_bytes title;
    char *file;                  /* of the records */
    sheaf_bytes file_as_written; /* in words: "standard input" */
    struct source_options source;
    bool shuffled;
    uint64_t shuffle_seed;
    struct plan_field *fields;
    size_t field_count;
    struct plan_layout *layouts;
    size_t layout_count;
    struct pattern *patterns;
    size_t pattern_count;
    uint64_t seed;
    uint64_t run_count; /* of what is sampled */
    /* What follows is private. */
    struct json_t *document;
    struct arena arena;
};

/* Set by the command line, these take the place of what the plan says. */
struct plan_overrides {
    bool seed_given;
    uint64_t seed;
    uint64_t run_count; /* 0: as planned */
};

/*
 * Reads a plan's text; `folder`, with its final slash or empty, is where its file stands. False, with a complaint, and nothing
 * to release.
 */
bool plan_read(sheaf_bytes text, const char *folder, const struct plan_overrides *overrides, struct plan *out_plan,
               struct complaint *complaint);

/* Zeroed is fine. */
void plan_release(struct plan *plan);

/* Index of the field of that name, or field_count. */
size_t plan_find_field(const struct plan *plan, sheaf_bytes name);

#endif
