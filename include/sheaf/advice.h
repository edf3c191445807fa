/*
 * advice.h - looks at keys and says what will go wrong with them.
 *
 *     keys ──▶ adviser ──▶ findings: which rule, how bad, how many keys, two that sort wrongly, the layout that repairs it
 *
 * Keys are given one by one, in any order; what is kept is bounded however many there are (some 6 MiB, and 200 KiB for each
 * kind of entity, of which 64 are told apart): spellings are compared among the first 24,000 texts and folders among the first
 * 98,000 paths of a collection, and places and collections beyond the first 24,000 are taken together. Text keys are split at their delimiter and grouped by the entity they begin
 * with (USER#, ORDER#), since a table holds several kinds: widths are compared within a kind and a place.
 *
 * The rules are those of key design that follow from byte order; each is explained by sheaf_rule_describe(). A rule speaks up
 * only where the keys show the fault: keys that are laid out rightly give no finding.
 *
 * Thread rule: an adviser belongs to one thread at a time. sheaf_rule_describe() and sheaf_severity_name(): any thread, any
 * time.
 */
#ifndef SHEAF_ADVICE_H
#define SHEAF_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>
#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** How bad a finding is. */
typedef enum sheaf_severity {
    SHEAF_NOTE = 0, /**< good to know when writing queries */
    SHEAF_WARNING,  /**< goes wrong with keys that are to be expected */
    SHEAF_ERROR     /**< goes wrong with the keys that are there */
} sheaf_severity;

/** What can be wrong with keys. */
typedef enum sheaf_rule {
    SHEAF_RULE_MIXED_WIDTHS = 0,    /**< padded numbers of different widths in one place */
    SHEAF_RULE_UNPADDED_NUMBERS,    /**< numbers without padding: "10" before "9" */
    SHEAF_RULE_NUMBER_FORMS,        /**< signs, points or exponents in text: "-2" behind "-1" */
    SHEAF_RULE_NARROW_NUMBERS,      /**< numbers about to outgrow their width */
    SHEAF_RULE_MIXED_TIMES,         /**< times in several formats, precisions or zones */
    SHEAF_RULE_MIXED_CASE,          /**< one text, or hexadecimal digits, in upper and lower case */
    SHEAF_RULE_SEGMENT_COUNT,       /**< a delimiter within a segment, or a segment that is missing */
    SHEAF_RULE_EMPTY_SEGMENT,       /**< nothing between two delimiters */
    SHEAF_RULE_FOLDER_DELIMITER,    /**< a folder stored without its delimiter at the end */
    SHEAF_RULE_SIBLING_PREFIX,      /**< a folder without its delimiter that another name begins with: /team, /team_x */
    SHEAF_RULE_OPEN_RANGE,          /**< several entities in a collection: >= ORDER# runs on into USER# */
    SHEAF_RULE_UTF16_ORDER,         /**< text that JavaScript, Java and C# sort otherwise than bytes do */
    SHEAF_RULE_BLANKS,              /**< blanks around a segment, or control characters in it */
    SHEAF_RULE_NOT_UTF8,            /**< no text; as a binary key it would do */
    SHEAF_RULE_LONG_KEY,            /**< near DynamoDB's limit, or beyond it */
    SHEAF_RULE_EXPIRY_MILLISECONDS, /**< a time to live in milliseconds, which lies thousands of years ahead */
    SHEAF_RULE_LARGE_COLLECTION,    /**< one item collection that holds much of everything */
    SHEAF_RULE_HOT_COLLECTION       /**< one item collection that gets many of the reads */
} sheaf_rule;

#define SHEAF_ADVICE_RULE_COUNT 18

/** A rule in words. */
typedef struct sheaf_rule_info {
    const char *name;        /**< "unpadded-numbers": never changes */
    const char *explanation; /**< what goes wrong, and what helps; a sentence or two */
} sheaf_rule_info;

/** The words for @p rule. Static. */
SHEAF_API const sheaf_rule_info *sheaf_rule_describe(sheaf_rule rule);

/** "note", "warning" or "error". Static. */
SHEAF_API const char *sheaf_severity_name(sheaf_severity severity);

/** Keys shown are cut to this many bytes. */
#define SHEAF_ADVICE_EXAMPLE_SIZE_MAX 256

/** Options of an adviser. Zeroed is right for most. */
typedef struct sheaf_advice_options {
    const sheaf_allocator *allocator; /**< NULL: the built-in backend */
    uint8_t delimiter; /**< of all keys; 0: found in each key, the first of # | / and, where no time is written with it, : */
    bool binary; /**< sort keys are bytes: only lengths and collections are looked at */
} sheaf_advice_options;

/** A key, and what is known of its item. */
typedef struct sheaf_advice_key {
    sheaf_bytes partition_key;
    sheaf_bytes sort_key; /**< empty where a table has none */
    uint64_t size;        /**< bytes of the item; 0: not known */
    uint64_t reads;       /**< how often it is read; 0: not known */
    int64_t expiry;       /**< the time to live as it is stored; 0: none */
} sheaf_advice_key;

/** What is wrong with some keys. */
typedef struct sheaf_finding {
    sheaf_rule rule;
    sheaf_severity severity;
    sheaf_field field;       /**< SHEAF_FIELD_PARTITION_KEY or SHEAF_FIELD_SORT_KEY; _VALUE for the expiry */
    sheaf_bytes entity;      /**< what the keys concerned begin with, without the delimiter; empty: nothing in particular */
    size_t segment;          /**< which segment of the key, from 1; 0: all of it */
    uint64_t key_count;      /**< how many keys are concerned */
    uint64_t of_count;       /**< of how many of that entity */
    size_t example_count;    /**< 0 to 2 */
    sheaf_bytes examples[2]; /**< two: the first is below the second by bytes, and should be above it, or is not to be told apart */
    bool examples_are_made;  /**< of two segments that were seen, behind one beginning */
    const char *message;     /**< one sentence about these keys, without a final stop */
    sheaf_bytes repair;      /**< a layout (layout.h) for these keys, fields being named by kind; empty where none would help */
} sheaf_finding;

typedef struct sheaf_adviser sheaf_adviser;

/**
 * Makes an adviser that has seen nothing.
 *
 * @param      options      NULL for the defaults.
 * @param[out] out_adviser  Ends with sheaf_adviser_destroy().
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 */
SHEAF_API sheaf_status sheaf_adviser_create(const sheaf_advice_options *options, sheaf_adviser **out_adviser);

/** Frees an adviser with all its findings. NULL is fine. */
SHEAF_API void sheaf_adviser_destroy(sheaf_adviser *adviser);

/**
 * Looks at a key.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY  It was not looked at.
 * @par Cost  O(its bytes, times the folders above it), allocates when it meets a new entity.
 */
SHEAF_API sheaf_status sheaf_adviser_add(sheaf_adviser *adviser, const sheaf_advice_key *key);

/**
 * The findings about all keys given so far, the worst first. More keys may be given, and findings asked for, again.
 *
 * @param[out] out_findings  Live until the next call for this adviser.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 */
SHEAF_API sheaf_status sheaf_adviser_findings(sheaf_adviser *adviser, const sheaf_finding **out_findings, size_t *out_count);

SHEAF_END_DECLARATIONS

#endif
