/*
 * expression.h - DynamoDB's expressions: conditions, filters, key conditions, projections and updates, parsed once and
 * used often.
 *
 *     text, names      parsed, checked      values in slots       item
 *     "#s = :open"  ─▶  sheaf_expression  ─▶  :open is "OPEN"  ─▶  holds, or not
 *
 * A text is parsed once, together with its names (ExpressionAttributeNames), to a compact form in one block. Its values
 * (ExpressionAttributeValues) are not part of it: each :placeholder is a slot, filled anew for each use. So an
 * expression can be kept and used by any number of requests that differ in their values only.
 *
 * Grammar, limits, meaning and messages are those of DynamoDB's data plane (AWS, "Expressions in DynamoDB"). Whatever
 * is wrong is told by a fault: which rule, where in the text, and the message that DynamoDB gives.
 *
 * Thread rule: an expression never changes once it is made: any number of threads may use it at once, and none may
 * while it is destroyed. Only making one allocates.
 */
#ifndef SHEAF_EXPRESSION_H
#define SHEAF_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>
#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/item.h>
#include <sheaf/layout.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** The longest text of an expression, in bytes, before names and values are put in. */
#define SHEAF_EXPRESSION_SIZE_MAX 4096
/** The most operators in one: comparisons, BETWEEN, IN, AND, OR, NOT, + and -, and functions. */
#define SHEAF_EXPRESSION_OPERATOR_MAX 300
/** The most values in the parentheses of one IN. */
#define SHEAF_EXPRESSION_IN_MAX 100
/** The most names and indexes in one path. */
#define SHEAF_EXPRESSION_PATH_MAX 32
/** The largest index into a list that can be written. */
#define SHEAF_EXPRESSION_INDEX_MAX 2147483647
/** Functions inside functions, at most. DynamoDB says nothing of this; no use is known of more than three. */
#define SHEAF_EXPRESSION_CALL_DEPTH_MAX 32
/** Room for a message, its closing NUL included. Longer ones, of long names, are cut. */
#define SHEAF_EXPRESSION_MESSAGE_SIZE 1024

typedef struct sheaf_expression sheaf_expression;

/** Which of the four languages, and what it is called in messages. */
typedef enum sheaf_expression_kind {
    SHEAF_EXPRESSION_CONDITION = 0, /**< ConditionExpression */
    SHEAF_EXPRESSION_FILTER,        /**< FilterExpression: a condition by another name */
    SHEAF_EXPRESSION_KEY_CONDITION, /**< KeyConditionExpression: a condition with few operators, on keys */
    SHEAF_EXPRESSION_PROJECTION,    /**< ProjectionExpression */
    SHEAF_EXPRESSION_UPDATE         /**< UpdateExpression */
} sheaf_expression_kind;

/** One of ExpressionAttributeNames. */
typedef struct sheaf_expression_name {
    sheaf_bytes placeholder; /**< with its #, e.g. "#s" */
    sheaf_bytes name;        /**< what it stands for, e.g. "status": always one whole name, whatever is in it */
} sheaf_expression_name;

/** One of ExpressionAttributeValues. */
typedef struct sheaf_expression_value {
    sheaf_bytes placeholder; /**< with its colon, e.g. ":open" */
    sheaf_value value;
} sheaf_expression_value;

/** Which rule an expression breaks. Each has one message. */
typedef enum sheaf_expression_rule {
    SHEAF_FAULT_NONE = 0,
    /* the text */
    SHEAF_FAULT_NOT_EMPTY,
    SHEAF_FAULT_SIZE,              /**< longer than SHEAF_EXPRESSION_SIZE_MAX */
    SHEAF_FAULT_SYNTAX,
    SHEAF_FAULT_PARENTHESES,       /**< one pair inside another around the same */
    SHEAF_FAULT_FUNCTION_KNOWN,
    SHEAF_FAULT_FUNCTION_PLACE,    /**< a function where it has no meaning */
    SHEAF_FAULT_RESERVED_WORD,
    SHEAF_FAULT_SECTION_ONCE,      /**< SET, REMOVE, ADD or DELETE twice */
    SHEAF_FAULT_OPERATOR_COUNT,
    SHEAF_FAULT_IN_COUNT,
    SHEAF_FAULT_PATH_DEPTH,
    SHEAF_FAULT_INDEX_RANGE,
    SHEAF_FAULT_CALL_DEPTH,
    SHEAF_FAULT_OPERAND_COUNT,
    SHEAF_FAULT_OPERANDS_DISTINCT,
    SHEAF_FAULT_PATH_REQUIRED,
    SHEAF_FAULT_PATHS_OVERLAP,
    SHEAF_FAULT_PATHS_CONFLICT,
    /* names and values */
    SHEAF_FAULT_NAME_DEFINED,
    SHEAF_FAULT_NAMES_USED,
    SHEAF_FAULT_VALUE_DEFINED,
    SHEAF_FAULT_VALUES_USED,
    SHEAF_FAULT_OPERAND_TYPE,
    SHEAF_FAULT_SECTION_TYPE,      /**< a value that ADD or DELETE cannot take */
    SHEAF_FAULT_TYPE_NAME,         /**< attribute_type with what is no type */
    SHEAF_FAULT_BETWEEN_TYPE,
    SHEAF_FAULT_BETWEEN_ORDER,
    /* key conditions */
    SHEAF_FAULT_KEY_OPERATOR,
    SHEAF_FAULT_KEY_NESTED_OPERATION,
    SHEAF_FAULT_KEY_FIRST_OPERAND,
    SHEAF_FAULT_KEY_ONE_NAME,
    SHEAF_FAULT_KEY_TOP_LEVEL,
    SHEAF_FAULT_KEY_NAMED,
    SHEAF_FAULT_KEY_ONCE,
    SHEAF_FAULT_KEY_COUNT,
    SHEAF_FAULT_KEY_TYPE,
    SHEAF_FAULT_KEY_MISSED,
    SHEAF_FAULT_KEY_SUPPORTED,
    SHEAF_FAULT_KEY_GAP,
    /* updates of an item */
    SHEAF_FAULT_UPDATE_ATTRIBUTE,  /**< the value of an attribute that is not there */
    SHEAF_FAULT_UPDATE_TYPE,
    SHEAF_FAULT_UPDATE_PATH,
    SHEAF_FAULT_UPDATE_KEY,        /**< an attribute of the key */
    SHEAF_FAULT_UPDATE_NUMBER,     /**< a sum or difference that is no number; the message says why */
    SHEAF_FAULT_UPDATE_SIZE,
    SHEAF_FAULT_UPDATE_ITEM,      /**< an item that breaks a rule of items: too deep, a name too long; the message says which */
    /* what reads may name */
    SHEAF_FAULT_FILTER_KEY,        /**< a filter of a query on a key of it */
    SHEAF_FAULT_KEY_SCALAR,        /**< something inside of a key attribute */
    SHEAF_FAULT_COUNT
} sheaf_expression_rule;

/** What is wrong with an expression, its values, or an item it was to update. Written only when a call returns
 *  SHEAF_EXPRESSION_REFUSED. */
typedef struct sheaf_expression_fault {
    sheaf_expression_rule rule;
    size_t column;       /**< in the text, in bytes from 1, of what breaks the rule; 0: it is about no place */
    size_t message_size; /**< in bytes, without the NUL */
    char message[SHEAF_EXPRESSION_MESSAGE_SIZE]; /**< as DynamoDB words it, closed by a NUL */
} sheaf_expression_fault;

/** What an expression is made of. */
typedef struct sheaf_expression_source {
    sheaf_expression_kind kind;
    sheaf_bytes text;                   /**< UTF-8 */
    const sheaf_expression_name *names; /**< each placeholder once; those not used are no fault here */
    size_t name_count;
    /** NULL: values are checked when they are bound. Otherwise they are checked here too, each once and not kept: with several
     *  faults in one text DynamoDB tells of the first, be it of the text or of a value. */
    const sheaf_expression_value *values;
    size_t value_count;
} sheaf_expression_source;

/**
 * Parses an expression and checks it; what depends on values, if there are any.
 *
 * @param      source          Copied.
 * @param      allocator       NULL: the built-in backend. Copied.
 * @param[out] out_expression  Ends with sheaf_expression_destroy().
 * @param[out] out_fault       May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_EXPRESSION_REFUSED
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_INVALID_ARGUMENT  An allocator without a resize function.
 * @par Cost  O(text size * log(text size) + distinct #names * names given). Two blocks, one of which remains.
 */
SHEAF_API sheaf_status sheaf_expression_create(const sheaf_expression_source *source, const sheaf_allocator *allocator,
                                               sheaf_expression **out_expression, sheaf_expression_fault *out_fault);

/** NULL is fine. */
SHEAF_API void sheaf_expression_destroy(sheaf_expression *expression);

/** Which language it is of. Cost: O(1). */
SHEAF_API sheaf_expression_kind sheaf_expression_kind_of(const sheaf_expression *expression);

/** The bytes of its block: what keeping it costs. Cost: O(1). */
SHEAF_API size_t sheaf_expression_size(const sheaf_expression *expression);

/** The text it was made from. Lives as long as the expression. Cost: O(1). */
SHEAF_API sheaf_bytes sheaf_expression_text_view(const sheaf_expression *expression);

/** How many values it takes: distinct :placeholders, in the order in which they first appear. Cost: O(1). */
SHEAF_API size_t sheaf_expression_slot_count(const sheaf_expression *expression);

/** The :placeholder of slot @p slot; empty behind the last. Lives as long as the expression. Cost: O(1). */
SHEAF_API sheaf_bytes sheaf_expression_slot_name_view(const sheaf_expression *expression, size_t slot);

/**
 * Whether each name given is used by one of the expressions of a request. To be asked when all of them are sound, before the
 * same is asked of values.
 *
 * @param      expressions  Those of the request. NULL entries are skipped.
 * @param[out] out_fault    May be NULL. Lists the unused ones in the order given.
 * @retval SHEAF_OK
 * @retval SHEAF_EXPRESSION_REFUSED
 * @par Cost  O(names * distinct #names of the expressions).
 */
SHEAF_API sheaf_status sheaf_expression_check_names(const sheaf_expression *const *expressions, size_t expression_count,
                                                    const sheaf_expression_name *names, size_t name_count,
                                                    sheaf_expression_fault *out_fault);

/** The same of values. Cost: O(values * distinct :placeholders of the expressions). */
SHEAF_API sheaf_status sheaf_expression_check_values(const sheaf_expression *const *expressions, size_t expression_count,
                                                     const sheaf_expression_value *values, size_t value_count,
                                                     sheaf_expression_fault *out_fault);

/* ---- values --------------------------------------------------------------------------------------------------------- */

/**
 * Fills the slots of an expression and checks that each value can stand where it does.
 *
 * @param      values     Each placeholder once, in any order; those the expression does not use are skipped. @param    
 *  slots      Room for sheaf_expression_slot_count() values. Filled by this call; they borrow what @p values borrow.
 * @param[out] out_fault  May be NULL. @retval SHEAF_OK @retval SHEAF_EXPRESSION_REFUSED  A value is missing, or of a
 * type or order that its operator does not take. What is in @p slots
 *                                   is of no use.
 * @par Cost  O(slots * values + size of the expression), no allocation.
 */
SHEAF_API sheaf_status sheaf_expression_bind(const sheaf_expression *expression, const sheaf_expression_value *values,
                                             size_t value_count, sheaf_value *slots, sheaf_expression_fault *out_fault);

/* ---- what it means for an item -------------------------------------------------------------------------------------- */

/**
 * Whether a condition or a filter holds for an item.
 *
 * @param expression  A condition, filter or key condition. @param slots       As sheaf_expression_bind() filled them;
 * may be NULL if there are none. @param item        Its record must be sound. NULL, or a record of no bytes: there is
 * no such item, and no attribute exists. @par Cost  O(comparisons * what they look at), no allocation.
 */
SHEAF_API bool sheaf_expression_holds(const sheaf_expression *expression, const sheaf_value *slots, const sheaf_item *item);

/**
 * Adds what a projection names to the item that @p builder has begun, or to the map it has opened: paths that are
 * there, in maps and lists as they lie in, lists without holes. Of an update: what is at the paths that it changes.
 *
 * @par Cost  O(paths * depth * what is stepped over).
 */
SHEAF_API void sheaf_expression_project(const sheaf_expression *expression, const sheaf_item *item,
                                        sheaf_item_builder *builder);

/** Whether an update makes an item where there is none: it has a SET or an ADD. Cost: O(paths). */
SHEAF_API bool sheaf_expression_creates(const sheaf_expression *expression);

/**
 * Makes the record of an updated item. All that the update reads it reads from the item as it was.
 *
 * @param      slots            As sheaf_expression_bind() filled them; may be NULL if there are none. @param      item 
 *            Its key counts towards the size; its record is sound, or of no bytes: there is no such item. No
 *                              attribute of the key may be changed (sheaf_expression_check_keys()).
 * @param      builder          Begins and ends an item with it. The old record must not be the last one it built.
 * @param[out] out_record_view  As of sheaf_item_end().
 * @param[out] out_fault        May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_EXPRESSION_REFUSED  The item does not fit the update, or would be too large or too deep afterwards.
 * @retval SHEAF_NO_MEMORY
 * @par Cost  O(size of the item + paths * depth). Memory is the builder's.
 */
SHEAF_API sheaf_status sheaf_expression_update(const sheaf_expression *expression, const sheaf_value *slots,
                                               const sheaf_item *item, sheaf_item_builder *builder,
                                               sheaf_bytes *out_record_view, sheaf_expression_fault *out_fault);

/* ---- keys ----------------------------------------------------------------------------------------------------------- */

/** An attribute of a key. */
typedef struct sheaf_key_attribute {
    sheaf_bytes name;
    sheaf_type type; /**< string, number or binary */
} sheaf_key_attribute;

/** The most attributes that either half of a key can have. */
#define SHEAF_KEY_ATTRIBUTE_MAX 4

/** The key of a table or of an index: one partition attribute, and one sort attribute or none; of global indexes up to four
 *  each. */
typedef struct sheaf_key_schema {
    const sheaf_key_attribute *attributes; /**< the partition's, then the sort key's */
    size_t partition_count;
    size_t sort_count;
} sheaf_key_schema;

/** What is asked of one attribute of a key. */
typedef struct sheaf_key_term {
    sheaf_condition_kind kind;
    sheaf_value low;  /**< what is compared with; BETWEEN: the lower end */
    sheaf_value high; /**< BETWEEN: the upper end */
} sheaf_key_term;

/**
 * What a key condition asks of a key: all of its partition attributes, and of its sort attributes as many from the
 * first on as there are conditions. All are SHEAF_CONDITION_EQUAL, but perhaps the last, if it is of the sort key.
 *
 * @param      slots           As sheaf_expression_bind() filled them.
 * @param[out] out_terms       Room for as many as the schema has attributes. Borrow what @p slots borrow.
 * @param[out] out_term_count  How many were set.
 * @param[out] out_fault       May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_EXPRESSION_REFUSED
 * @par Cost  O(conditions * attributes), no allocation.
 */
SHEAF_API sheaf_status sheaf_expression_key_terms(const sheaf_expression *expression, const sheaf_value *slots,
                                                  const sheaf_key_schema *schema, sheaf_key_term *out_terms,
                                                  size_t *out_term_count, sheaf_expression_fault *out_fault);

/**
 * Whether an expression leaves alone what it must: an update the attributes of the key, the filter of a query the
 * attributes of the key that is queried. Of others there is nothing to check.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_EXPRESSION_REFUSED
 * @par Cost  O(paths * attributes), no allocation.
 */
SHEAF_API sheaf_status sheaf_expression_check_keys(const sheaf_expression *expression, const sheaf_key_schema *schema,
                                                   sheaf_expression_fault *out_fault);

/**
 * Whether no path goes into an attribute of a key, which is a scalar.
 *
 * @param is_index  The key is that of an index, which the message says.
 * @retval SHEAF_OK
 * @retval SHEAF_EXPRESSION_REFUSED
 * @par Cost  O(paths * attributes), no allocation.
 */
SHEAF_API sheaf_status sheaf_expression_check_scalars(const sheaf_expression *expression, const sheaf_key_schema *schema,
                                                      bool is_index, sheaf_expression_fault *out_fault);

SHEAF_END_DECLARATIONS

#endif
