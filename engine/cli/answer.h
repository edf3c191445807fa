/*
 * answer.h - the questions that can be asked of one partition, answered in rows.
 */
#ifndef SHEAF_CLI_ANSWER_H
#define SHEAF_CLI_ANSWER_H

#include <stdbool.h>

#include <sheaf/sheaf.h>

#include "engine/cli/options.h"
#include "engine/cli/output.h"
#include "engine/input/complaint.h"

/* What came of a question. */
struct answer {
    enum exit_code code;
    struct complaint nothing; /* with EXIT_NOTHING_FOUND: why */
    bool more;                /* a limit ended it, and there is more */
    struct buffer last;       /* then: the key to go on after */
};

/* The columns in which `query` is answered. */
const struct output_column *answer_columns(const struct query_options *query, size_t *out_count);

/* Answers into `output`. Ends with answer_release(). */
void answer_question(const sheaf_store *store, sheaf_bytes partition_key, const struct query_options *query,
                     struct output *output, struct answer *out_answer);

void answer_release(struct answer *answer);

#endif
