#include "engine/expr/operation.h"

#include <string.h>

#include "engine/base/bytes.h"

static const struct sheaf_operation_row ROWS[SHEAF_OPERATION_COUNT] = {
    [SHEAF_OPERATION_EQUAL] = { "=", SHEAF_AS_COMPARATOR, 2, false },
    [SHEAF_OPERATION_NOT_EQUAL] = { "<>", SHEAF_AS_COMPARATOR, 2, false },
    [SHEAF_OPERATION_LESS] = { "<", SHEAF_AS_COMPARATOR, 2, false },
    [SHEAF_OPERATION_AT_MOST] = { "<=", SHEAF_AS_COMPARATOR, 2, false },
    [SHEAF_OPERATION_GREATER] = { ">", SHEAF_AS_COMPARATOR, 2, false },
    [SHEAF_OPERATION_AT_LEAST] = { ">=", SHEAF_AS_COMPARATOR, 2, false },
    [SHEAF_OPERATION_BETWEEN] = { "BETWEEN", SHEAF_AS_WORDY, 3, false },
    [SHEAF_OPERATION_IN] = { "IN", SHEAF_AS_WORDY, 0, false },
    [SHEAF_OPERATION_EXISTS] = { "attribute_exists", SHEAF_AS_PREDICATE, 1, true },
    [SHEAF_OPERATION_NOT_EXISTS] = { "attribute_not_exists", SHEAF_AS_PREDICATE, 1, true },
    [SHEAF_OPERATION_TYPE] = { "attribute_type", SHEAF_AS_PREDICATE, 2, true },
    [SHEAF_OPERATION_BEGINS_WITH] = { "begins_with", SHEAF_AS_PREDICATE, 2, false },
    [SHEAF_OPERATION_CONTAINS] = { "contains", SHEAF_AS_PREDICATE, 2, false },
    [SHEAF_OPERATION_SIZE] = { "size", SHEAF_AS_VALUE, 1, false },
    [SHEAF_OPERATION_IF_NOT_EXISTS] = { "if_not_exists", SHEAF_AS_CHANGE, 2, true },
    [SHEAF_OPERATION_LIST_APPEND] = { "list_append", SHEAF_AS_CHANGE, 2, false },
    [SHEAF_OPERATION_ADD] = { "+", SHEAF_AS_ARITHMETIC, 2, false },
    [SHEAF_OPERATION_SUBTRACT] = { "-", SHEAF_AS_ARITHMETIC, 2, false },
    [SHEAF_OPERATION_UNKNOWN] = { "", SHEAF_AS_PREDICATE, 0, false },
};

const struct sheaf_operation_row *sheaf_operation_row(enum sheaf_operation operation)
{
    return &ROWS[operation];
}

sheaf_bytes sheaf_operation_name(enum sheaf_operation operation)
{
    return sheaf_bytes_of(ROWS[operation].name, strlen(ROWS[operation].name));
}

enum sheaf_operation sheaf_find_comparator(sheaf_bytes sign)
{
    for (enum sheaf_operation i = SHEAF_OPERATION_EQUAL; i <= SHEAF_OPERATION_AT_LEAST; i++)
        if (sheaf_bytes_equal(sign, sheaf_operation_name(i))) return i;
    return SHEAF_OPERATION_COUNT;
}

enum sheaf_operation sheaf_find_function(sheaf_bytes name, bool in_update)
{
    for (enum sheaf_operation i = SHEAF_OPERATION_EXISTS; i <= SHEAF_OPERATION_LIST_APPEND; i++)
        if ((ROWS[i].use == SHEAF_AS_CHANGE) == in_update && sheaf_bytes_equal(name, sheaf_operation_name(i))) return i;
    return SHEAF_OPERATION_UNKNOWN;
}
