/*
 * options.h - the command line, read and checked as a whole: what contradicts itself is refused before any input is read.
 */
#ifndef SHEAF_CLI_OPTIONS_H
#define SHEAF_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

#include "engine/cli/output.h"
#include "engine/input/source.h"

/* Where records come from, and what becomes of them. */
struct input_options {
    char *const *files; /* "-" is standard input; none: standard input */
    size_t file_count;
    struct source_options source;
    const char *partition_key; /* templates; NULL: what is usual for the format */
    const char *sort_key;
    const char *value;
    const char *partition_key_name; /* names of the fields that are the keys, instead of templates */
    const char *sort_key_name;
    const char *expiry_name; /* NULL: there is none */
    bool value_is_read;
    bool sort_key_may_lack;
};

/* What is asked of a partition. */
enum question {
    QUESTION_ENTRIES,
    QUESTION_TOTALS,
    QUESTION_RANK,
    QUESTION_NTH,
    QUESTION_CHILDREN
};

/* A slice that may be missing. */
struct optional_bytes {
    bool given;
    sheaf_bytes bytes;
};

struct query_options {
    enum question question;
    struct optional_bytes partition;
    sheaf_range range;
    struct optional_bytes equal;  /* the one key of --eq, already in `range` */
    struct optional_bytes prefix; /* the prefix of --begins-with, already in `range` */
    sheaf_direction direction;
    uint64_t limit; /* UINT64_MAX: none */
    struct optional_bytes after;
    bool wants_count;
    bool wants_bytes;
    sheaf_bytes rank_key;
    uint64_t nth; /* from 1 */
    sheaf_bytes delimiter;
};

struct options {
    const char *command; /* "query", "collections" or "advise" */
    struct input_options input;
    struct query_options query;
    enum output_form form;
    uint8_t terminator; /* of a line of TSV output */
    size_t width;       /* of the terminal, for text; 0: no edge */
    sheaf_severity fail_on; /* of sheaf advise */
    bool quiet; /* no summary on standard error */
};

enum options_result {
    OPTIONS_READ,
    OPTIONS_HELP, /* --help was given */
    OPTIONS_WRONG /* said on standard error */
};

/* Reads the arguments of `command`, itself at argv[0]. May reorder `argv`; the options borrow it. */
enum options_result options_read(struct options *options, const char *command, int argc, char **argv);

/* Says on standard error what is wrong with the usage of `command`, and where help is. */
void options_complain(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
