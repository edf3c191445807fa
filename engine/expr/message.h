/*
 * message.h - what is said of each rule that an expression can break: one table, and the one way to fill a fault from it.
 */
#ifndef SHEAF_EXPR_MESSAGE_H
#define SHEAF_EXPR_MESSAGE_H

#include <sheaf/expression.h>

/* What stands for %1 to %4 in a message. */
enum { SHEAF_MESSAGE_PART_MAX = 4 };
struct sheaf_message_parts {
    sheaf_bytes parts[SHEAF_MESSAGE_PART_MAX];
};

/*
 * Fills a fault, which may be NULL, of an expression of this kind. Returns SHEAF_EXPRESSION_REFUSED. A message longer
 * than a fault has room for is cut between characters.
 */
sheaf_status sheaf_expr_refuse(sheaf_expression_fault *out_fault, sheaf_expression_kind kind, sheaf_expression_rule rule,
                               size_t column, const struct sheaf_message_parts *parts);

/* A number as a part of a message. */
enum { SHEAF_MESSAGE_NUMBER_SIZE = 20 };
sheaf_bytes sheaf_message_number(uint64_t number, char buffer[SHEAF_MESSAGE_NUMBER_SIZE]);

/* ---- parts put together, each no longer than a message ---------------------------------------------------------------- */

struct sheaf_message_draft {
    size_t size;
    char text[SHEAF_EXPRESSION_MESSAGE_SIZE];
};

/* What does not fit is left out. */
void sheaf_message_append(struct sheaf_message_draft *draft, sheaf_bytes bytes);

/* A string as it is, a number as printed, a binary in base64; of others nothing. */
void sheaf_message_append_value(struct sheaf_message_draft *draft, sheaf_value value);

static inline sheaf_bytes sheaf_message_bytes(const struct sheaf_message_draft *draft)
{
    return sheaf_bytes_of(draft->text, draft->size);
}

#endif
