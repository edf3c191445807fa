/*
 * remarks.h - what is to be said of a pattern below its figures: what is read where one query will not do, what was wrong
 * first, and which index would help. Layouts of which the same is to be said share a remark.
 */
#ifndef SHEAF_LAB_REMARKS_H
#define SHEAF_LAB_REMARKS_H

#include "engine/input/buffer.h"
#include "engine/lab/lab.h"

struct remark {
    struct buffer names; /* of layouts; empty: it is of the pattern */
    size_t layout_count;
    struct buffer words;
    bool wrong;                /* tells of a wrong answer */
    const struct trial *trial; /* of the first layout; NULL: it is of the pattern */
};

/* Two for each layout, and one. */
struct remarks {
    struct remark list[2 * PLAN_LAYOUT_MAX + 1];
    size_t count;
};

void remarks_make(const struct lab *lab, size_t pattern, struct remarks *out_remarks);
void remarks_release(struct remarks *remarks);

#endif
