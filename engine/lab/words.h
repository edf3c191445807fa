/*
 * words.h - what the lab has found, in words: the same in every report.
 */
#ifndef SHEAF_LAB_WORDS_H
#define SHEAF_LAB_WORDS_H

#include "engine/input/buffer.h"
#include "engine/lab/lab.h"

/* How a layout comes to the answer of a pattern. */
enum way {
    WAY_QUERY,  /* one query */
    WAY_SORT,   /* a query whose answer has to be sorted */
    WAY_FILTER, /* a query out of whose answer the right one has to be picked */
    WAY_SCAN    /* out of everything */
};

enum way way_of(const struct trial *trial);

/* "query", "sort", "filter", "scan" */
const char *way_word(enum way way);

/* "right", "WRONG", or, where it is not one query, "filter", "filter, WRONG" */
void words_append_answer(const struct trial *trial, struct buffer *buffer);

/* "where country = ?, population between 100 and 200, by population descending, limit 10" */
void words_append_pattern(const struct plan *plan, const struct pattern *pattern, struct buffer *buffer);

/* "population 118918, town "Reykjavík"": what stands in a record and is not said by the pattern already, and what that orders
 * by; `pattern` may be NULL. */
void words_append_row(const struct lab *lab, const struct pattern *pattern, size_t row, struct buffer *buffer);

/* What is asked in a run: "country = "IS"". */
void words_append_inquiry(const struct inquiry *inquiry, struct buffer *buffer);

/* The first wrong answer of a trial that has one. */
void words_append_wrong(const struct lab *lab, size_t layout, size_t pattern, struct buffer *buffer);

/* What is read instead, of a trial that is not one query. */
void words_append_need(const struct lab *lab, size_t layout, size_t pattern, struct buffer *buffer);

/* The index that would answer a pattern by one query. */
void words_append_index(const struct plan *plan, const struct pattern *pattern, struct buffer *buffer);

/* Of records that a layout refuses, and of those it loses; nothing where there are none. Returns whether there was something.
 * */
bool words_append_refused(const struct lab *lab, size_t layout, struct buffer *buffer);
bool words_append_replaced(const struct lab *lab, size_t layout, struct buffer *buffer);

/* `sum` of `count` things, on average: "10.0", "2,677". */
void words_append_mean(struct buffer *buffer, uint64_t sum, uint64_t count);

/* `part` of `whole` in percent: "13.3 %". */
void words_append_share(struct buffer *buffer, uint64_t part, uint64_t whole);

#endif
