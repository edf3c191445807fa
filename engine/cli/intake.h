/*
 * intake.h - the records of all input files, one after the other, as what the command line's templates make of each.
 *
 *     files  ->  source.h: records  ->  template.h: partition key, sort key, value or expiry  ->  the command
 *
 * The first file with anything in it shows the format (source.h), and with it which templates are usual; the others have to be
 * of the same.
 */
#ifndef SHEAF_CLI_INTAKE_H
#define SHEAF_CLI_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/cli/options.h"
#include "engine/input/complaint.h"

enum intake_part {
    INTAKE_PARTITION_KEY,
    INTAKE_SORT_KEY,
    INTAKE_VALUE,
    INTAKE_EXPIRY,
    INTAKE_PART_COUNT
};

/* What is made of a record. It lives until the visit is over. */
struct intake_record {
    sheaf_bytes parts[INTAKE_PART_COUNT]; /* empty: a sort key or value that is not asked for, an expiry the record lacks */
    bool partition_key_is_number;         /* an attribute of type N and nothing else: its order is not that of its bytes */
    bool sort_key_is_number;
    sheaf_bytes written; /* all of the record, as it is written */
};

/* INTAKE_PART_COUNT: the record was taken. Else the part that is at fault, with a complaint; the option is then added to it. */
typedef enum intake_part (*intake_visit)(void *context, const struct intake_record *record, struct complaint *complaint);

struct intake_summary {
    uint64_t record_count;
    uint64_t byte_count; /* of the input, unpacked */
    uint64_t ns;
};

/* Reads all of the input. False at the first fault, which has been said on standard error. */
bool intake_read(const struct options *options, intake_visit visit, void *context, struct intake_summary *out_summary);

/* Appends "read 7 records, 1.2 kB, in 42 µs". */
void intake_append_summary(struct buffer *buffer, const struct intake_summary *summary);

#endif
