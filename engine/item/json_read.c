/*
 * json_read.c - items from JSON: each event of the text goes to the frame that is innermost.
 *
 *     { "a" : { "L" : [ { "S" : "x" } ] } }
 *     |       |       | |
 *     |       |       | FRAME_VALUE      names are types
 *     |       |       FRAME_ELEMENTS     each element is a value
 *     |       FRAME_VALUE
 *     FRAME_MEMBERS                      names are names, each member is a value
 *
 * What DynamoDB says of a request that has several faults is the order here: first of all what is no JSON, or of the
 * wrong kind; then the first value that breaks a rule; of one value, what stands in it before that it has several types.
 * So a fault of the second sort is kept, and reading goes on.
 *
 * R1  Frames are on the heap of the reading, never on the stack: text may nest as deep as it likes.
 */
#include <sheaf/item_json.h>

#include <string.h>

#include "engine/base/base64.h"
#include "engine/base/heap.h"
#include "engine/item/builder.h"
#include "engine/item/encoding.h"
#include "engine/item/json_parser.h"

enum frame_kind { FRAME_MEMBERS, FRAME_ELEMENTS, FRAME_SET, FRAME_VALUE, FRAME_PLAIN_MAP, FRAME_PLAIN_LIST, FRAME_IGNORED };

enum { TYPE_UNKNOWN = -1 };

struct frame {
    enum frame_kind kind;
    bool is_spare;  /* of a value whose type was told before: looked at, not added */
    int type;       /* of FRAME_VALUE: told last; of FRAME_SET: the set's */
    uint32_t count; /* of FRAME_VALUE: types that have a value; of FRAME_SET: members */
};

/* Each level of DynamoDB takes two in its JSON. What nests deeper than three times what is allowed is not followed. */
enum { FRAMES_MAX = 208 };

struct reading {
    sheaf_item_builder *builder;
    sheaf_json_form form;
    uint8_t *name; /* of the member that is read, behind which its value comes */
    size_t name_size, name_capacity;
    uint8_t *decoded; /* what base64 stands for */
    size_t decoded_capacity;
    size_t offset;
    sheaf_status status; /* the first fault that is not the builder's */
    size_t fault_offset; /* of it, or of the builder's first */
    bool has_fault;
    char message[SHEAF_JSON_MESSAGE_SIZE];
    uint32_t depth;
    struct frame frames[FRAMES_MAX];
};

/* ---- faults ---------------------------------------------------------------------------------------------------------- */

#define INVALID "One or more parameter values were invalid: "
#define TOO_DEEP \
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
#define STRUCTURE "Start of structure or map found where not expected"

static void set_message(struct reading *reading, const char *message, sheaf_bytes tail)
{
    size_t size = sheaf_size_min(strlen(message), SHEAF_JSON_MESSAGE_SIZE - 1);
    size_t tail_size = sheaf_size_min(tail.size, SHEAF_JSON_MESSAGE_SIZE - 1 - size);
    memcpy(reading->message, message, size);
    if (tail_size > 0) memcpy(reading->message + size, tail.data, tail_size);
    reading->message[size + tail_size] = 0;
}

/* A rule is broken: told at the end, unless another was broken before. */
static void refuse(struct reading *reading, sheaf_status status, const char *message, sheaf_bytes tail)
{
    if (reading->has_fault) return;
    reading->has_fault = true;
    reading->status = status;
    reading->fault_offset = reading->offset;
    set_message(reading, message, tail);
}

/* The builder may have refused what it was given just now. */
static bool go_on(struct reading *reading)
{
    if (!reading->has_fault && sheaf_item_builder_has_refused(reading->builder)) {
        reading->has_fault = true;
        reading->fault_offset = reading->offset;
    }
    return true;
}

/* Nothing else counts. False, for the parser. */
static bool end_with(struct reading *reading, sheaf_status status, const char *message)
{
    reading->has_fault = true;
    reading->status = status;
    reading->fault_offset = reading->offset;
    set_message(reading, message, sheaf_bytes_of(NULL, 0));
    return false;
}

static bool wrong_kind(struct reading *reading, const char *message)
{
    return end_with(reading, SHEAF_JSON_MALFORMED, message);
}

/* ---- frames and names ------------------------------------------------------------------------------------------------ */

static struct frame *innermost(struct reading *reading)
{
    return &reading->frames[reading->depth - 1];
}

static bool push(struct reading *reading, enum frame_kind kind, int type, bool is_spare)
{
    if (reading->depth == FRAMES_MAX) return end_with(reading, SHEAF_ITEM_REFUSED, TOO_DEEP);
    reading->frames[reading->depth++] = (struct frame){ .kind = kind, .is_spare = is_spare, .type = type };
    return true;
}

/* Room for `size` bytes, whose content may be lost. */
static bool make_room(struct reading *reading, uint8_t **room, size_t *capacity, size_t size)
{
    enum { LEAST = 64 };
    if (size <= *capacity) return true;
    size_t wanted = size < LEAST ? LEAST : 2 * size;
    struct sheaf_heap *heap = sheaf_item_builder_heap(reading->builder);
    uint8_t *larger = sheaf_heap_allocate(heap, wanted);
    if (!larger) return end_with(reading, SHEAF_NO_MEMORY, sheaf_status_message(SHEAF_NO_MEMORY));
    sheaf_heap_free(heap, *room, *capacity);
    *room = larger;
    *capacity = wanted;
    return true;
}

static bool keep_name(struct reading *reading, sheaf_bytes name)
{
    if (!make_room(reading, &reading->name, &reading->name_capacity, name.size)) return false;
    if (name.size > 0) memcpy(reading->name, name.data, name.size);
    reading->name_size = name.size;
    return true;
}

/* The name under which the next value comes: none in lists and sets. */
static sheaf_bytes take_name(struct reading *reading)
{
    sheaf_bytes name = sheaf_bytes_of(reading->name, reading->name_size);
    reading->name_size = 0;
    return name;
}

static int type_named(sheaf_bytes name)
{
    for (int type = SHEAF_TYPE_STRING; type <= SHEAF_TYPE_BINARY_SET; type++) {
        const char *letters = sheaf_type_letters((sheaf_type)type);
        if (sheaf_bytes_equal(name, sheaf_bytes_of(letters, strlen(letters)))) return type;
    }
    return TYPE_UNKNOWN;
}

/* ---- scalars --------------------------------------------------------------------------------------------------------- */

static bool add_number(struct reading *reading, sheaf_bytes digits, bool is_spare)
{
    sheaf_number number;
    sheaf_detail detail;
    sheaf_status status = sheaf_number_parse(digits, &number, &detail);
    if (status != SHEAF_OK) {
        bool is_told = status == SHEAF_NUMBER_MALFORMED && digits.size > 0;
        refuse(reading, status, is_told ? "The parameter cannot be converted to a numeric value: " : detail.message,
               is_told ? digits : sheaf_bytes_of(NULL, 0));
    } else if (!is_spare) {
        sheaf_item_add_number(reading->builder, take_name(reading), number);
    }
    return go_on(reading);
}

static bool add_base64(struct reading *reading, sheaf_bytes text, bool is_spare)
{
    size_t size;
    if (text.size % 4 != 0) {
        char count[24];
        size_t at = sizeof count;
        for (size_t left = text.size; left > 0; left /= 10) count[--at] = (char)('0' + left % 10);
        (void)wrong_kind(reading, "");
        set_message(reading, "Base64 encoded length is expected a multiple of 4 bytes but found: ",
                    sheaf_bytes_of(count + at, sizeof count - at));
        return false;
    }
    if (!make_room(reading, &reading->decoded, &reading->decoded_capacity, text.size)) return false;
    if (!sheaf_base64_decode(text, reading->decoded, &size))
        return wrong_kind(reading, "Invalid last non-pad Base64 character dectected");
    if (!is_spare) {
        sheaf_value value = sheaf_value_of_bytes(SHEAF_TYPE_BINARY, sheaf_bytes_of(reading->decoded, size));
        sheaf_item_add(reading->builder, take_name(reading), value);
    }
    return go_on(reading);
}

/* A string where one of these types is asked for. */
static bool add_text(struct reading *reading, sheaf_type type, sheaf_bytes text, bool is_spare)
{
    if (type == SHEAF_TYPE_NUMBER) return add_number(reading, text, is_spare);
    if (type == SHEAF_TYPE_BINARY) return add_base64(reading, text, is_spare);
    if (!is_spare) sheaf_item_add(reading->builder, take_name(reading), sheaf_value_of_bytes(SHEAF_TYPE_STRING, text));
    return go_on(reading);
}

static bool add_boolean(struct reading *reading, sheaf_type type, bool boolean, bool is_spare)
{
    if (type == SHEAF_TYPE_NULL && !boolean)
        refuse(reading, SHEAF_ITEM_REFUSED, INVALID "Null attribute value types must have the value of true",
               sheaf_bytes_of(NULL, 0));
    if (is_spare) return true;
    if (type == SHEAF_TYPE_NULL)
        sheaf_item_add_null(reading->builder, take_name(reading));
    else
        sheaf_item_add_bool(reading->builder, take_name(reading), boolean);
    return go_on(reading);
}

static bool equal_in_any_case(sheaf_bytes text, const char *letters)
{
    if (text.size != strlen(letters)) return false;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = text.data[i];
        if ((byte >= 'A' && byte <= 'Z' ? byte + 32 : byte) != letters[i]) return false;
    }
    return true;
}

static bool add_boolean_text(struct reading *reading, sheaf_type type, sheaf_bytes text, bool is_spare)
{
    static const char *const words[] = { "false", "0", "no", "true", "1", "yes" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (equal_in_any_case(text, words[i])) return add_boolean(reading, type, i >= 3, is_spare);
    return wrong_kind(reading, "Unexpected token received from parser");
}

/* ---- what each JSON kind may be -------------------------------------------------------------------------------------- */

/* A value of the type told last begins. Whether one was told before it. */
static bool count_type(struct frame *value)
{
    return value->count++ > 0 || value->is_spare;
}

/* Of FRAME_MEMBERS and FRAME_ELEMENTS: values are objects. Of FRAME_SET: they are strings. */
static bool wrong_element(struct reading *reading)
{
    return wrong_kind(reading,
                      innermost(reading)->kind == FRAME_SET ? "Unexpected field type" : "Unexpected value type in payload");
}

static bool hear_null(void *context)
{
    struct reading *reading = context;
    struct frame *frame = innermost(reading);
    switch (frame->kind) {
    case FRAME_IGNORED:
    case FRAME_VALUE: return true; /* as if it were not there */
    case FRAME_PLAIN_MAP:
    case FRAME_PLAIN_LIST: sheaf_item_add_null(reading->builder, take_name(reading)); return go_on(reading);
    case FRAME_MEMBERS: reading->name_size = 0; return true;
    case FRAME_SET: return wrong_element(reading);
    case FRAME_ELEMENTS: break;
    }
    refuse(reading, SHEAF_ITEM_REFUSED, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
           sheaf_bytes_of(NULL, 0));
    return true;
}

static bool value_is_boolean(struct reading *reading, struct frame *frame, bool boolean)
{
    switch (frame->type) {
    case TYPE_UNKNOWN: return true;
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL: return add_boolean(reading, (sheaf_type)frame->type, boolean, count_type(frame));
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_NUMBER:
        return wrong_kind(reading,
                          boolean ? "TRUE_VALUE cannot be converted to String" : "FALSE_VALUE cannot be converted to String");
    case SHEAF_TYPE_BINARY: return wrong_kind(reading, "only base-64-encoded strings are convertible to bytes");
    default: return wrong_kind(reading, "Unexpected field type");
    }
}

static bool hear_boolean(void *context, bool boolean)
{
    struct reading *reading = context;
    struct frame *frame = innermost(reading);
    switch (frame->kind) {
    case FRAME_IGNORED: return true;
    case FRAME_PLAIN_MAP:
    case FRAME_PLAIN_LIST: return add_boolean(reading, SHEAF_TYPE_BOOL, boolean, false);
    case FRAME_VALUE: return value_is_boolean(reading, frame, boolean);
    case FRAME_SET:
        if (frame->type != SHEAF_TYPE_BINARY_SET)
            return wrong_kind(reading, boolean ? "TRUE_VALUE cannot be converted to String"
                                               : "FALSE_VALUE cannot be converted to String");
        return wrong_kind(reading, "only base-64-encoded strings are convertible to bytes");
    case FRAME_MEMBERS:
    case FRAME_ELEMENTS: break;
    }
    return wrong_element(reading);
}

/* Where a string is asked for: DynamoDB tells whole numbers from others. */
static bool number_for_string(struct reading *reading, sheaf_bytes digits)
{
    bool is_whole = true;
    for (size_t i = 0; i < digits.size; i++)
        if (digits.data[i] == '.' || digits.data[i] == 'e' || digits.data[i] == 'E') is_whole = false;
    return wrong_kind(reading,
                      is_whole ? "NUMBER_VALUE cannot be converted to String" : "DECIMAL_VALUE cannot be converted to String");
}

static bool value_is_number(struct reading *reading, const struct frame *frame, sheaf_bytes digits)
{
    switch (frame->type) {
    case TYPE_UNKNOWN: return true;
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_NUMBER: return number_for_string(reading, digits);
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL: return wrong_kind(reading, "NUMBER_VALUE cannot be converted to Boolean");
    case SHEAF_TYPE_BINARY: return wrong_kind(reading, "only base-64-encoded strings are convertible to bytes");
    default: return wrong_kind(reading, "Unexpected field type");
    }
}

static bool hear_number(void *context, sheaf_bytes digits)
{
    struct reading *reading = context;
    struct frame *frame = innermost(reading);
    switch (frame->kind) {
    case FRAME_IGNORED: return true;
    case FRAME_PLAIN_MAP:
    case FRAME_PLAIN_LIST: return add_number(reading, digits, false);
    case FRAME_VALUE: return value_is_number(reading, frame, digits);
    case FRAME_SET:
        if (frame->type != SHEAF_TYPE_BINARY_SET) return number_for_string(reading, digits);
        return wrong_kind(reading, "only base-64-encoded strings are convertible to bytes");
    case FRAME_MEMBERS:
    case FRAME_ELEMENTS: break;
    }
    return wrong_element(reading);
}

static bool value_is_string(struct reading *reading, struct frame *frame, sheaf_bytes text)
{
    switch (frame->type) {
    case TYPE_UNKNOWN: return true;
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_NUMBER:
    case SHEAF_TYPE_BINARY: return add_text(reading, (sheaf_type)frame->type, text, count_type(frame));
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL: return add_boolean_text(reading, (sheaf_type)frame->type, text, count_type(frame));
    default: return wrong_kind(reading, "Unexpected field type");
    }
}

static bool hear_string(void *context, sheaf_bytes text)
{
    struct reading *reading = context;
    struct frame *frame = innermost(reading);
    switch (frame->kind) {
    case FRAME_IGNORED: return true;
    case FRAME_PLAIN_MAP:
    case FRAME_PLAIN_LIST: return add_text(reading, SHEAF_TYPE_STRING, text, false);
    case FRAME_VALUE: return value_is_string(reading, frame, text);
    case FRAME_SET:
        frame->count++;
        return add_text(reading, sheaf_type_of_member((sheaf_type)frame->type), text, frame->is_spare);
    case FRAME_MEMBERS:
    case FRAME_ELEMENTS: break;
    }
    return wrong_element(reading);
}

/* ---- containers ------------------------------------------------------------------------------------------------------ */

/* Opens a container in the record, too. */
static bool open_container(struct reading *reading, enum frame_kind kind, sheaf_type type, bool is_spare)
{
    if (!push(reading, kind, (int)type, is_spare)) return false;
    if (!is_spare) sheaf_item_open(reading->builder, take_name(reading), type);
    return go_on(reading);
}

static bool value_is_object(struct reading *reading, struct frame *frame)
{
    if (frame->type == TYPE_UNKNOWN) return push(reading, FRAME_IGNORED, TYPE_UNKNOWN, true);
    if (frame->type != SHEAF_TYPE_MAP) return wrong_kind(reading, STRUCTURE);
    return open_container(reading, FRAME_MEMBERS, SHEAF_TYPE_MAP, count_type(frame));
}

static bool hear_begin_object(void *context)
{
    struct reading *reading = context;
    bool typed = reading->form == SHEAF_JSON_DYNAMODB;
    if (reading->depth == 0) return push(reading, typed ? FRAME_MEMBERS : FRAME_PLAIN_MAP, SHEAF_TYPE_MAP, false);
    struct frame *frame = innermost(reading);
    switch (frame->kind) {
    case FRAME_IGNORED: return push(reading, FRAME_IGNORED, TYPE_UNKNOWN, true);
    case FRAME_PLAIN_MAP:
    case FRAME_PLAIN_LIST: return open_container(reading, FRAME_PLAIN_MAP, SHEAF_TYPE_MAP, false);
    case FRAME_MEMBERS:
    case FRAME_ELEMENTS: return push(reading, FRAME_VALUE, TYPE_UNKNOWN, frame->is_spare);
    case FRAME_VALUE: return value_is_object(reading, frame);
    case FRAME_SET: break;
    }
    return wrong_kind(reading, STRUCTURE);
}

static bool value_is_array(struct reading *reading, struct frame *frame)
{
    switch (frame->type) {
    case TYPE_UNKNOWN: return push(reading, FRAME_IGNORED, TYPE_UNKNOWN, true);
    case SHEAF_TYPE_LIST: return open_container(reading, FRAME_ELEMENTS, SHEAF_TYPE_LIST, count_type(frame));
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: return open_container(reading, FRAME_SET, (sheaf_type)frame->type, count_type(frame));
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL: return wrong_kind(reading, "Unrecognized collection type class java.lang.Boolean");
    case SHEAF_TYPE_BINARY: return wrong_kind(reading, "Unrecognized collection type class java.nio.ByteBuffer");
    case SHEAF_TYPE_MAP:
        return wrong_kind(reading, "Unrecognized collection type java.util.Map<java.lang.String, "
                                   "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    default: return wrong_kind(reading, "Unrecognized collection type class java.lang.String");
    }
}

static bool hear_begin_array(void *context)
{
    struct reading *reading = context;
    if (reading->depth == 0) return wrong_kind(reading, "Expected an object of names and values, found an array");
    struct frame *frame = innermost(reading);
    switch (frame->kind) {
    case FRAME_IGNORED: return push(reading, FRAME_IGNORED, TYPE_UNKNOWN, true);
    case FRAME_PLAIN_MAP:
    case FRAME_PLAIN_LIST: return open_container(reading, FRAME_PLAIN_LIST, SHEAF_TYPE_LIST, false);
    case FRAME_VALUE: return value_is_array(reading, frame);
    case FRAME_SET:
        return wrong_kind(reading, frame->type == SHEAF_TYPE_BINARY_SET
                                       ? "Unrecognized collection type class java.nio.ByteBuffer"
                                       : "Unrecognized collection type class java.lang.String");
    case FRAME_MEMBERS:
    case FRAME_ELEMENTS: break;
    }
    return wrong_kind(reading, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
}

static bool hear_name(void *context, sheaf_bytes name)
{
    struct reading *reading = context;
    struct frame *frame = innermost(reading);
    if (frame->kind == FRAME_VALUE) {
        frame->type = type_named(name);
        return true;
    }
    return frame->kind == FRAME_IGNORED || frame->is_spare || keep_name(reading, name);
}

/* Types are counted: there must have been one. */
static void end_value(struct reading *reading, const struct frame *value)
{
    if (value->count == 1) return;
    refuse(reading, SHEAF_ITEM_REFUSED,
           value->count == 0
               ? "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
               : "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
           sheaf_bytes_of(NULL, 0));
    reading->name_size = 0;
}

static const char *empty_set(int type)
{
    if (type == SHEAF_TYPE_STRING_SET) return INVALID "An string set  may not be empty";
    return type == SHEAF_TYPE_NUMBER_SET ? INVALID "An number set  may not be empty"
                                         : INVALID "Binary sets should not be empty";
}

/* An object or array ends. */
static bool hear_end(void *context)
{
    struct reading *reading = context;
    struct frame frame = *innermost(reading);
    reading->depth--;
    if (frame.kind == FRAME_IGNORED) return true;
    if (frame.kind == FRAME_VALUE)
        end_value(reading, &frame);
    else if (frame.is_spare && frame.kind == FRAME_SET && frame.count == 0)
        refuse(reading, SHEAF_ITEM_REFUSED, empty_set(frame.type), sheaf_bytes_of(NULL, 0));
    else if (!frame.is_spare && reading->depth > 0)
        sheaf_item_close(reading->builder);
    return go_on(reading);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

/* Scalars that are the whole text. */
static bool alone_null(void *context)
{
    return wrong_kind(context, "Expected an object of names and values, found null");
}

static bool null_event(void *context)
{
    const struct reading *reading = context;
    return reading->depth == 0 ? alone_null(context) : hear_null(context);
}

static bool boolean_event(void *context, bool boolean)
{
    const struct reading *reading = context;
    if (reading->depth > 0) return hear_boolean(context, boolean);
    return wrong_kind(context, "Expected an object of names and values, found a boolean");
}

static bool number_event(void *context, sheaf_bytes digits)
{
    const struct reading *reading = context;
    if (reading->depth > 0) return hear_number(context, digits);
    return wrong_kind(context, "Expected an object of names and values, found a number");
}

static bool string_event(void *context, sheaf_bytes text)
{
    const struct reading *reading = context;
    if (reading->depth > 0) return hear_string(context, text);
    return wrong_kind(context, "Expected an object of names and values, found a string");
}

static const struct sheaf_json_events EVENTS = {
    .null = null_event,
    .boolean = boolean_event,
    .number = number_event,
    .string = string_event,
    .begin_object = hear_begin_object,
    .name = hear_name,
    .end_object = hear_end,
    .begin_array = hear_begin_array,
    .end_array = hear_end,
};

static sheaf_status finish(struct reading *reading, enum sheaf_json_end end, sheaf_bytes *out_record_view)
{
    sheaf_detail detail = { .message = "" };
    if (end == JSON_NO_MEMORY) (void)end_with(reading, SHEAF_NO_MEMORY, sheaf_status_message(SHEAF_NO_MEMORY));
    if (end == JSON_MALFORMED) (void)wrong_kind(reading, "The text is not JSON");
    if (reading->status != SHEAF_OK) return reading->status;
    sheaf_status status = sheaf_item_end(reading->builder, out_record_view, &detail);
    if (status == SHEAF_OK) return status;
    if (!reading->has_fault) reading->fault_offset = reading->offset;
    set_message(reading, detail.message, sheaf_bytes_of(NULL, 0));
    return status;
}

sheaf_status sheaf_item_read_json(sheaf_item_builder *builder, sheaf_bytes text, sheaf_json_form form,
                                  sheaf_bytes *out_record_view, sheaf_json_fault *out_fault)
{
    struct reading reading; /* of some KiB, of which frames need not be cleared */
    memset(&reading, 0, offsetof(struct reading, frames));
    reading.builder = builder;
    reading.form = form;
    sheaf_item_begin(builder);
    enum sheaf_json_end end = sheaf_json_parse(sheaf_item_builder_heap(builder), text, &EVENTS, &reading, &reading.offset);
    sheaf_status status = finish(&reading, end, out_record_view);
    struct sheaf_heap *heap = sheaf_item_builder_heap(builder);
    sheaf_heap_free(heap, reading.name, reading.name_capacity);
    sheaf_heap_free(heap, reading.decoded, reading.decoded_capacity);
    if (status != SHEAF_OK && out_fault) {
        out_fault->offset = reading.fault_offset;
        memcpy(out_fault->message, reading.message, sizeof reading.message);
    }
    return status;
}
