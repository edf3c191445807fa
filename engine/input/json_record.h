/*
 * json_record.h - a JSON object as a record: members by path, numbers with the text they were written with.
 *
 * A double keeps 17 of the 38 digits a DynamoDB number may have, and the kept-up JSON libraries of C in Debian 12 keep no
 * number's text (YAJL does, and has had no release since 2014; yyjson does, and is not there). So numbers are put between
 * quotes before the library (jansson) sees the line; a field is bytes, and the string "10" and the number 10 are the same
 * bytes. All else of JSON's grammar is the library's to judge.
 */
#ifndef SHEAF_INPUT_JSON_RECORD_H
#define SHEAF_INPUT_JSON_RECORD_H

#include <stdbool.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"

struct json_t;

/* Appends `text` with every number between quotes. False, with a complaint, at a number that is not JSON's. */
bool json_quote_numbers(sheaf_bytes text, struct buffer *buffer, struct complaint *complaint);

/* The object that `line` is, or NULL with a complaint. Ends with json_record_release(). `scratch` is overwritten. */
struct json_t *json_record_parse(sheaf_bytes line, struct buffer *scratch, struct complaint *complaint);

/*
 * The bytes of the string, number, true or false at `path`, names joined by dots ("address.city"), unless a member has just that
 * name; they live as long as the object. False, with a complaint, if there is no such member or it is something else.
 */
bool json_record_member(const struct json_t *object, sheaf_bytes path, sheaf_bytes *out_bytes, struct complaint *complaint);

/* NULL is fine. */
void json_record_release(struct json_t *object);

#endif
