/*
 * dynamodb_record.h - a line of DynamoDB JSON as a record: attributes by path, values with their types taken off.
 *
 *     {"Item":{"pk":{"S":"a"},"n":{"N":"1.10"},"user":{"M":{"id":{"N":"7"}}}}}     pk: a    n: 1.10    user.id: 7
 *
 * Lines are those of an export to S3, whose item stands under "Item"; items alone, and {"PutRequest":{"Item":...}} as the AWS
 * command line takes it, are read as well. The types are those of the low-level API (AWS, "DynamoDB low-level API").
 */
#ifndef SHEAF_INPUT_DYNAMODB_RECORD_H
#define SHEAF_INPUT_DYNAMODB_RECORD_H

#include <stdbool.h>

#include <sheaf/bytes.h>

#include "engine/input/complaint.h"
#include "engine/input/spill.h"

struct json_t;

/* Whether an object, taken for itself, shows that its file holds items: it is one, with attributes. */
bool dynamodb_shows(struct json_t *object);

/* The item in an object; borrowed from it. NULL, with a complaint, if it holds none. */
struct json_t *dynamodb_item(struct json_t *object, struct complaint *complaint);

/* The value of the attribute at a path, with its type: {"S":"a"}. NULL: there is none. */
const struct json_t *dynamodb_value(const struct json_t *item, sheaf_bytes path);

/*
 * The bytes of a value: S and N are their text, B what its base64 stands for, BOOL true or false, NULL null; of L, M and sets the
 * JSON text. They live as long as item and spill. False, with a complaint that names `path`, for a B that is no base64.
 */
bool dynamodb_bytes(const struct json_t *value, sheaf_bytes path, struct spill *spill, sheaf_bytes *out_bytes,
                    struct complaint *complaint);

/* The name of a value's type: "S", "N", "B", ... */
const char *dynamodb_type(const struct json_t *value);

#endif
