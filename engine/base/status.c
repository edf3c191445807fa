/*
 * status.c - what statuses and fields are called.
 *
 * Switches without a default, so that the compiler finds the value somebody adds and forgets to name here.
 */
#include <sheaf/status.h>

const char *sheaf_status_name(sheaf_status status)
{
    switch (status) {
    case SHEAF_OK: return "SHEAF_OK";
    case SHEAF_NOT_FOUND: return "SHEAF_NOT_FOUND";
    case SHEAF_EXISTS: return "SHEAF_EXISTS";
    case SHEAF_NO_MEMORY: return "SHEAF_NO_MEMORY";
    case SHEAF_KEY_EMPTY: return "SHEAF_KEY_EMPTY";
    case SHEAF_KEY_TOO_LONG: return "SHEAF_KEY_TOO_LONG";
    case SHEAF_VALUE_TOO_LARGE: return "SHEAF_VALUE_TOO_LARGE";
    case SHEAF_RANGE_INVERTED: return "SHEAF_RANGE_INVERTED";
    case SHEAF_OUT_OF_ORDER: return "SHEAF_OUT_OF_ORDER";
    case SHEAF_INVALID_ARGUMENT: return "SHEAF_INVALID_ARGUMENT";
    case SHEAF_OVER_BUDGET: return "SHEAF_OVER_BUDGET";
    case SHEAF_READ_ONLY: return "SHEAF_READ_ONLY";
    case SHEAF_BUFFER_TOO_SMALL: return "SHEAF_BUFFER_TOO_SMALL";
    case SHEAF_NUMBER_MALFORMED: return "SHEAF_NUMBER_MALFORMED";
    case SHEAF_NUMBER_TOO_LONG: return "SHEAF_NUMBER_TOO_LONG";
    case SHEAF_NUMBER_OVERFLOW: return "SHEAF_NUMBER_OVERFLOW";
    case SHEAF_NUMBER_UNDERFLOW: return "SHEAF_NUMBER_UNDERFLOW";
    case SHEAF_TEXT_MALFORMED: return "SHEAF_TEXT_MALFORMED";
    case SHEAF_KEY_MALFORMED: return "SHEAF_KEY_MALFORMED";
    case SHEAF_LAYOUT_MALFORMED: return "SHEAF_LAYOUT_MALFORMED";
    case SHEAF_SEGMENT_REFUSED: return "SHEAF_SEGMENT_REFUSED";
    case SHEAF_ITEM_MALFORMED: return "SHEAF_ITEM_MALFORMED";
    case SHEAF_ITEM_REFUSED: return "SHEAF_ITEM_REFUSED";
    case SHEAF_EXPRESSION_REFUSED: return "SHEAF_EXPRESSION_REFUSED";
    case SHEAF_JSON_MALFORMED: return "SHEAF_JSON_MALFORMED";
    }
    return "SHEAF_?";
}

const char *sheaf_status_message(sheaf_status status)
{
    switch (status) {
    case SHEAF_OK: return "Done";
    case SHEAF_NOT_FOUND: return "There is no such entry, item collection or position";
    case SHEAF_EXISTS: return "There is one already where there must be none";
    case SHEAF_NO_MEMORY: return "The allocator refused memory; nothing was changed";
    case SHEAF_KEY_EMPTY: return "The key is empty, which this store does not allow";
    case SHEAF_KEY_TOO_LONG: return "The key is longer than this store allows";
    case SHEAF_VALUE_TOO_LARGE: return "The value is larger than this store allows";
    case SHEAF_RANGE_INVERTED: return "The lower bound of the range lies above its upper bound";
    case SHEAF_OUT_OF_ORDER: return "The key is not above the one added before it";
    case SHEAF_INVALID_ARGUMENT: return "An option or argument is outside its domain";
    case SHEAF_READ_ONLY: return "This is the state that a view keeps, which is only for reading";
    case SHEAF_BUFFER_TOO_SMALL: return "The buffer is smaller than what was to be copied into it";
    case SHEAF_OVER_BUDGET: return "The store's budget has no room for it; nothing was changed";
    case SHEAF_NUMBER_MALFORMED: return "The text is no decimal number";
    case SHEAF_NUMBER_TOO_LONG: return "The number has more than 38 significant digits";
    case SHEAF_NUMBER_OVERFLOW: return "The number is larger than the supported range, or its result has no exact form";
    case SHEAF_NUMBER_UNDERFLOW: return "The number is smaller than the supported range";
    case SHEAF_TEXT_MALFORMED: return "The text is not UTF-8";
    case SHEAF_KEY_MALFORMED: return "The bytes are no key of this form";
    case SHEAF_LAYOUT_MALFORMED: return "The text is no layout";
    case SHEAF_SEGMENT_REFUSED: return "The value does not fit its segment of the key";
    case SHEAF_ITEM_MALFORMED: return "The bytes are no record of an item";
    case SHEAF_ITEM_REFUSED: return "The item breaks a rule of items";
    case SHEAF_EXPRESSION_REFUSED: return "The expression is not valid, or its values or the item do not fit it";
    case SHEAF_JSON_MALFORMED: return "The text is no JSON, or JSON of another kind than asked for";
    }
    return "This is no status of Sheaf";
}

const char *sheaf_field_name(sheaf_field field)
{
    switch (field) {
    case SHEAF_FIELD_NONE: return "nothing";
    case SHEAF_FIELD_PARTITION_KEY: return "partition key";
    case SHEAF_FIELD_SORT_KEY: return "sort key";
    case SHEAF_FIELD_VALUE: return "value";
    case SHEAF_FIELD_RANGE: return "range";
    case SHEAF_FIELD_POSITION: return "position";
    case SHEAF_FIELD_PREFIX: return "prefix";
    case SHEAF_FIELD_DELIMITER: return "delimiter";
    case SHEAF_FIELD_LIMIT: return "limit";
    case SHEAF_FIELD_OPTION: return "option";
    case SHEAF_FIELD_KEY_BUFFER: return "key buffer";
    case SHEAF_FIELD_BUDGET: return "budget";
    case SHEAF_FIELD_VIEW: return "view";
    case SHEAF_FIELD_NUMBER: return "number";
    case SHEAF_FIELD_TEXT: return "text";
    case SHEAF_FIELD_LAYOUT: return "layout";
    case SHEAF_FIELD_SEGMENT: return "segment";
    case SHEAF_FIELD_ITEM: return "item";
    case SHEAF_FIELD_ATTRIBUTE: return "attribute";
    }
    return "unknown field";
}
