/*
 * options_reading.h - what options.c and options_query.c share: a command line that is being read.
 *
 * First all options are read, then they are settled: what is usual is filled in, what contradicts itself is refused.
 */
#ifndef SHEAF_CLI_OPTIONS_READING_H
#define SHEAF_CLI_OPTIONS_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/cli/options.h"

/* Codes of options without a letter. Those of sheaf query alone come last. */
enum option_code {
    OPTION_PK = 256,
    OPTION_SK,
    OPTION_VALUE,
    OPTION_PARTITION_KEY,
    OPTION_SORT_KEY,
    OPTION_INPUT,
    OPTION_HEADER,
    OPTION_NO_HEADER,
    OPTION_JSON,
    OPTION_TSV,
    OPTION_TEXT,
    OPTION_TTL,
    OPTION_FAIL_ON,
    OPTION_PARTITION,
    OPTION_BEGINS_WITH,
    OPTION_BETWEEN,
    OPTION_EQ,
    OPTION_LT,
    OPTION_LE,
    OPTION_GT,
    OPTION_GE,
    OPTION_REVERSE,
    OPTION_LIMIT,
    OPTION_AFTER,
    OPTION_COUNT,
    OPTION_BYTES,
    OPTION_RANK,
    OPTION_NTH,
    OPTION_CHILDREN
};

/* What was given, before it is known to make sense together. */
struct reading {
    struct options *options;
    bool form_given;
    struct optional_bytes between_low, between_high, less, at_most, greater, at_least, rank, children;
    bool nth_given;
    bool limit_given;
};

/* Says what is wrong with the usage, and is false. Wants `options`. */
#define WRONG(...) (options_complain(options->command, __VA_ARGS__), false)

/* An option of sheaf query, its argument in `optarg`. */
bool options_read_query(struct reading *reading, int code, int argc, char **argv);

/* Makes one question of them. */
bool options_settle_query(struct reading *reading);

#endif
