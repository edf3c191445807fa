/*
 * operation.h - every operator and function of the four languages, a row each.
 */
#ifndef SHEAF_EXPR_OPERATION_H
#define SHEAF_EXPR_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

enum sheaf_operation {
    SHEAF_OPERATION_EQUAL = 0,
    SHEAF_OPERATION_NOT_EQUAL,
    SHEAF_OPERATION_LESS,
    SHEAF_OPERATION_AT_MOST,
    SHEAF_OPERATION_GREATER,
    SHEAF_OPERATION_AT_LEAST,
    SHEAF_OPERATION_BETWEEN,
    SHEAF_OPERATION_IN,
    SHEAF_OPERATION_EXISTS,
    SHEAF_OPERATION_NOT_EXISTS,
    SHEAF_OPERATION_TYPE,
    SHEAF_OPERATION_BEGINS_WITH,
    SHEAF_OPERATION_CONTAINS,
    SHEAF_OPERATION_SIZE,
    SHEAF_OPERATION_IF_NOT_EXISTS,
    SHEAF_OPERATION_LIST_APPEND,
    SHEAF_OPERATION_ADD,
    SHEAF_OPERATION_SUBTRACT,
    SHEAF_OPERATION_UNKNOWN, /* a function by a name that none has */
    SHEAF_OPERATION_COUNT
};

enum sheaf_operation_use {
    SHEAF_AS_COMPARATOR, /* between two operands */
    SHEAF_AS_WORDY,      /* BETWEEN and IN */
    SHEAF_AS_PREDICATE,  /* a function that is a condition */
    SHEAF_AS_VALUE,      /* a function in conditions that is an operand */
    SHEAF_AS_CHANGE,     /* a function in updates */
    SHEAF_AS_ARITHMETIC
};

struct sheaf_operation_row {
    const char *name; /* as written, and as messages call it */
    enum sheaf_operation_use use;
    uint8_t operand_count; /* 0: any number */
    bool path_first;       /* the first operand must be a path */
};

const struct sheaf_operation_row *sheaf_operation_row(enum sheaf_operation operation);

sheaf_bytes sheaf_operation_name(enum sheaf_operation operation);

/* The comparator written like this; COUNT: there is none. */
enum sheaf_operation sheaf_find_comparator(sheaf_bytes sign);

/* The function of this name, capitals and small letters told apart; UNKNOWN: there is none in this language. */
enum sheaf_operation sheaf_find_function(sheaf_bytes name, bool in_update);

#endif
