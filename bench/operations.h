/*
 * operations.h - what can be asked of an engine, as rows of a table.
 *
 * Each bench program is a list of operations. An operation is prepared once per shape (the keys or questions of a whole batch,
 * on a tape) and then run by every engine in turn.
 */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include <stdbool.h>

#include "bench/workload.h"

enum operation_kind {
    OPERATION_GET,       /* of keys that are there */
    OPERATION_GET_MISS,  /* of keys that are not */
    OPERATION_GET_MANY,  /* of keys that are there, several at once where the engine has a form for that */
    OPERATION_OVERWRITE, /* put of keys that are there, value of the same size */
    OPERATION_QUERY,     /* read a range */
    OPERATION_SCAN,      /* read everything */
    OPERATION_COUNT,     /* count a range */
    OPERATION_RANK,      /* how many entries lie above a key */
    OPERATION_INSERT,    /* put every entry, one by one */
    OPERATION_BUILD,     /* load every entry, sorted, in bulk */
    OPERATION_DELETE,    /* all but every sixteenth entry, in random order */
    OPERATION_HOLD,      /* load, then say how much memory that takes */
    OPERATION_MIX        /* 95 % gets and 5 % puts, by several threads at once */
};

/* How the engine's content came in, which decides how it lies in memory. */
enum content { CONTENT_NONE, CONTENT_RANDOM, CONTENT_ASCENDING, CONTENT_BUILT };

#define ON_L (1u << SHAPE_LEADERBOARD)
#define ON_T (1u << SHAPE_TREE)
#define ON_P (1u << SHAPE_MANY)

#define THREADS_MAX 8
#define GET_MANY_MAX 64

struct operation {
    const char *bench; /* the program it is part of */
    const char *name;  /* for machines: subtree_10 */
    const char *title; /* for people */
    enum operation_kind kind;
    unsigned shapes;      /* where it makes sense: ON_L | ON_T | ON_P */
    enum content content; /* what must be there before, loaded untimed; for those that fill the engine, the order */
    unsigned group;       /* operations of a group take turns within a repetition; groups follow one another */
    uint32_t batch;       /* how many a batch has, at 1,000,000 entries */
    /* OPERATION_QUERY and _COUNT */
    enum query_kind query;
    sheaf_direction direction; /* _SCAN too */
    /* How many entries one should hold; with _RANK how many lie above, with _GET_MANY how many keys are asked for at once. */
    uint32_t target;
    /* OPERATION_MIX: `target` is 0, or half of it are puts of keys that are there, and half read so many entries down from a key */
    unsigned threads;
    bool skewed; /* keys by Zipf's law, not evenly */
};

/* An operation made ready for a workload: the tape it runs from. */
struct prepared {
    const struct operation *operation;
    struct tape keys;             /* get, overwrite, rank; of a mix what it adds */
    struct tape queries;          /* query, count */
    struct tape mix[THREADS_MAX]; /* of each thread */
    uint64_t count;               /* operations in a batch */
};

void prepare(struct prepared *prepared, const struct operation *operation, const struct workload *workload);
void prepared_release(struct prepared *prepared);

/* Whether it changes what the engine holds. */
bool operation_writes(const struct operation *operation);

/* Whether it fills the engine itself, starting with nothing. */
bool operation_fills(const struct operation *operation);

/* The content there is when it is done. */
enum content operation_leaves(const struct operation *operation, enum content before);

/* Whether the order in which entries are visited is the same for all engines. */
bool operation_ordered(const struct operation *operation);

#endif
