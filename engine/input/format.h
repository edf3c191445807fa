/*
 * format.h - in what form records stand in a file, and how that is found out.
 *
 *     tsv        name TAB size TAB owner                columns, counted from 1, by name after a header line
 *     csv        name,"size, in bytes",owner            the same with quotes (RFC 4180); the first line is a header
 *     jsonl      {"name": "a", "size": 1}               members, by path
 *     dynamodb   {"Item":{"name":{"S":"a"}}}            attributes, by path (an export to S3)
 */
#ifndef SHEAF_INPUT_FORMAT_H
#define SHEAF_INPUT_FORMAT_H

#include <stdbool.h>

#include <sheaf/bytes.h>

enum record_format {
    RECORD_TSV,
    RECORD_CSV,
    RECORD_JSON_LINES,
    RECORD_DYNAMODB
};

/* The format that an option or a plan calls `name`. False: none is called so; format_names() are. */
bool format_read(sheaf_bytes name, enum record_format *out_format);

/* "tsv, csv, jsonl or dynamodb" */
const char *format_names(void);

/* What files of a format are called in messages: "JSON lines". */
const char *format_title(enum record_format format);

/* What a file of that name is likely to be: *.csv, *.jsonl, *.ndjson; else tab-separated. A final .gz is not looked at. */
enum record_format format_of_name(const char *file);

/* Whether a first line shows that items of DynamoDB follow. */
bool format_is_dynamodb(sheaf_bytes first_line);

static inline bool format_is_json(enum record_format format)
{
    return format == RECORD_JSON_LINES || format == RECORD_DYNAMODB;
}

#endif
