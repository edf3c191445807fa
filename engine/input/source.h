/*
 * source.h - a file, or standard input, as records.
 *
 *     struct source source;
 *     bool open = source_open(&source, "towns.csv.gz", NULL);
 *     enum source_result result = SOURCE_FAULT;
 *     struct field name = field_of(SHEAF_LIT("name"));
 *     while (open && (result = source_next(&source)) == SOURCE_RECORD && source_field(&source, &name, &bytes)) use(bytes);
 *     if (result != SOURCE_END) source_describe(&source, &buffer);    towns.csv.gz:3: expected ..., found ...
 *     source_close(&source);
 *
 * What gzip has packed is unpacked (unpack.h), whatever the file is called. In which form records stand is said by the caller, or
 * found out: by the first line if that holds an item of DynamoDB, else by the file's name. A byte order mark before a header or
 * JSON is passed over, and so are empty lines.
 */
#ifndef SHEAF_INPUT_SOURCE_H
#define SHEAF_INPUT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"
#include "engine/input/lines.h"
#include "engine/input/record.h"
#include "engine/input/unpack.h"

enum source_header {
    SOURCE_HEADER_USUAL, /* CSV has one, tab-separated lines have none */
    SOURCE_HEADER_FIRST_LINE,
    SOURCE_HEADER_NONE
};

/* Zeroed is what is usual. */
struct source_options {
    bool format_given; /* else it is found out */
    enum record_format format;
    enum source_header header;
    bool zero_terminated; /* lines end with NUL; not for CSV */
};

/* Where reading came to its end. */
enum source_trouble {
    SOURCE_SOUND,
    SOURCE_UNOPENED,
    SOURCE_UNREADABLE,
    SOURCE_REFUSED /* what was read is not as it must be */
};

struct source {
    const char *name; /* borrowed; standard input is "<stdin>" */
    int descriptor;
    struct unpack unpack;
    struct lines lines;
    struct header header;
    bool has_header;
    struct record record;
    bool held; /* the first line, looked at already, is still to be parsed */
    sheaf_bytes first_line;
    uint64_t line_number;   /* where the record begins, from 1 */
    uint64_t column_number; /* of a fault, in bytes from 1; 0: the line as a whole */
    enum source_trouble trouble;
    struct complaint complaint; /* what is wrong; of a field it may be completed by the caller */
};

enum source_result {
    SOURCE_RECORD,
    SOURCE_END,
    SOURCE_FAULT /* source_describe() says which */
};

/*
 * Opens a file; "-" is standard input. `options` NULL: the usual. False at a fault. Either way, end with source_close(), and leave
 * the source where it is until then.
 */
bool source_open(struct source *source, const char *file, const struct source_options *options);

/* The same for a stream of any kind, called `name`. */
bool source_open_stream(struct source *source, const char *name, stream_read read, void *context,
                        const struct source_options *options);

/* The next record. Cost: O(its size), amortized. */
enum source_result source_next(struct source *source);

/* The bytes of a field of the record, valid until source_next(). False at a fault: there is none. */
bool source_field(struct source *source, const struct field *field, sheaf_bytes *out_bytes);

/* Whether there is nothing in it, not even a header: it then shows no format either. To be asked before source_next(). */
static inline bool source_is_empty(const struct source *source)
{
    return !source->held && !source->has_header;
}

/* Bytes read so far, unpacked. */
static inline uint64_t source_size(const struct source *source)
{
    return source->lines.bytes_read;
}

/* Appends the fault in one sentence: "FILE:LINE: expected ...", "cannot open FILE: ...". */
void source_describe(const struct source *source, struct buffer *buffer);

void source_close(struct source *source);

#endif
