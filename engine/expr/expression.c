/*
 * expression.c - from a text to one block: parsed in a draft, copied to size, checked.
 */
#include "engine/expr/expression.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/backend.h"
#include "engine/base/bytes.h"
#include "engine/expr/message.h"
#include "engine/expr/parser.h"

/* ---- the arrays of a block -------------------------------------------------------------------------------------------- */

/* Records of one kind in a block. */
struct array {
    void **at; /* NULL: nobody wants to know */
    size_t record_size;
    size_t count;
};

enum { ARRAY_ALIGNMENT = 8 };
#define ARRAY(pointer, count_given) \
    { \
        (void **)&(pointer), sizeof *(pointer), (count_given) \
    }

/* Lays arrays one behind another from `offset` on, and points them into `block`, if there is one. Returns where they end. */
static size_t lay_out(uint8_t *block, size_t offset, const struct array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        offset = (offset + ARRAY_ALIGNMENT - 1) / ARRAY_ALIGNMENT * ARRAY_ALIGNMENT;
        if (block) {
            void *begin = block + offset;
            memcpy(arrays[i].at, &begin, sizeof begin);
        }
        offset += arrays[i].record_size * arrays[i].count;
    }
    return offset;
}

/* ---- the draft -------------------------------------------------------------------------------------------------------- */

struct draft {
    struct sheaf_expression expression; /* its arrays, not its words */
    struct sheaf_expr_parser parser;
};

/* Room for as many records of each kind as there can be. */
static struct draft *create_draft(struct sheaf_heap *heap, const sheaf_expression_source *source, size_t *out_size)
{
    struct draft shape;
    size_t tokens = sheaf_token_count(source->text);
    struct array arrays[] = {
        ARRAY(shape.expression.steps, tokens),    ARRAY(shape.expression.nodes, tokens),
        ARRAY(shape.expression.elements, tokens), ARRAY(shape.expression.actions, tokens),
        ARRAY(shape.expression.refs, tokens),     ARRAY(shape.expression.slots, tokens),
        ARRAY(shape.parser.joints, tokens),       ARRAY(shape.parser.pending, tokens),
    };
    size_t count = sizeof arrays / sizeof *arrays;
    *out_size = lay_out(NULL, sizeof(struct draft), arrays, count);
    struct draft *draft = sheaf_heap_allocate(heap, *out_size);
    if (!draft) return NULL;
    memset(&shape, 0, sizeof shape);
    lay_out((uint8_t *)draft, sizeof(struct draft), arrays, count);
    *draft = shape;
    draft->parser.draft = &draft->expression;
    draft->parser.text = source->text;
    draft->parser.source = source;
    return draft;
}

static sheaf_status parse(struct sheaf_expr_parser *parser)
{
    sheaf_status status = SHEAF_OK;
    sheaf_parser_begin(parser);
    switch (parser->source->kind) {
    case SHEAF_EXPRESSION_CONDITION:
    case SHEAF_EXPRESSION_FILTER:
    case SHEAF_EXPRESSION_KEY_CONDITION: status = sheaf_parse_condition(parser); break;
    case SHEAF_EXPRESSION_PROJECTION: status = sheaf_parse_projection(parser); break;
    case SHEAF_EXPRESSION_UPDATE: status = sheaf_parse_update(parser); break;
    }
    return status == SHEAF_OK ? sheaf_parser_tell_notes(parser) : status;
}

/* ---- the block -------------------------------------------------------------------------------------------------------- */

/* What each #placeholder stands for: found among the names given, so far in `name_at` as a place among those. */
static size_t find_names(struct sheaf_expression *draft, const sheaf_expression_source *source)
{
    size_t size = 0;
    for (size_t i = 0; i < draft->ref_count; i++) {
        struct sheaf_expr_ref *ref = &draft->refs[i];
        sheaf_bytes placeholder = sheaf_bytes_of(source->text.data + ref->at, ref->size);
        ref->name_size = SHEAF_NAME_UNDEFINED;
        for (size_t name = 0; name < source->name_count && ref->name_size == SHEAF_NAME_UNDEFINED; name++) {
            if (!sheaf_bytes_equal(source->names[name].placeholder, placeholder)) continue;
            ref->name_at = (uint32_t)name;
            ref->name_size = (uint32_t)source->names[name].name.size;
            size += ref->name_size;
        }
    }
    return size;
}

/* The words: the text, then the names. */
static void write_words(struct sheaf_expression *expression, const sheaf_expression_source *source)
{
    size_t at = source->text.size;
    memcpy(expression->words, source->text.data, source->text.size);
    for (size_t i = 0; i < expression->ref_count; i++) {
        struct sheaf_expr_ref *ref = &expression->refs[i];
        if (ref->name_size == SHEAF_NAME_UNDEFINED) continue;
        sheaf_bytes name = source->names[ref->name_at].name;
        if (name.size > 0) memcpy(expression->words + at, name.data, name.size);
        ref->name_at = (uint32_t)at;
        at += name.size;
    }
}

static void resolve_elements(struct sheaf_expression *expression)
{
    for (size_t i = 0; i < expression->element_count; i++) {
        struct sheaf_expr_element *element = &expression->elements[i];
        if (element->size != SHEAF_ELEMENT_REF) continue;
        const struct sheaf_expr_ref *ref = &expression->refs[element->at];
        if (ref->name_size != SHEAF_NAME_UNDEFINED) *element = (struct sheaf_expr_element){ ref->name_at, ref->name_size };
    }
}

static void copy_array(void *to, const void *from, size_t record_size, size_t count)
{
    if (count > 0) memcpy(to, from, record_size * count);
}

static void copy_arrays(struct sheaf_expression *to, const struct sheaf_expression *from)
{
    copy_array(to->steps, from->steps, sizeof *to->steps, to->step_count);
    copy_array(to->nodes, from->nodes, sizeof *to->nodes, to->node_count);
    copy_array(to->elements, from->elements, sizeof *to->elements, to->element_count);
    copy_array(to->actions, from->actions, sizeof *to->actions, to->action_count);
    copy_array(to->refs, from->refs, sizeof *to->refs, to->ref_count);
    copy_array(to->slots, from->slots, sizeof *to->slots, to->slot_count);
}

/* A draft in a block of its own size; NULL without memory. */
static struct sheaf_expression *build(struct sheaf_heap *heap, struct sheaf_expression *draft,
                                      const sheaf_expression_source *source)
{
    struct sheaf_expression shape = *draft;
    size_t word_size = source->text.size + find_names(draft, source);
    struct array arrays[] = {
        ARRAY(shape.steps, draft->step_count),
        ARRAY(shape.nodes, draft->node_count),
        ARRAY(shape.elements, draft->element_count),
        ARRAY(shape.actions, draft->action_count),
        ARRAY(shape.refs, draft->ref_count),
        ARRAY(shape.slots, draft->slot_count),
        ARRAY(shape.words, word_size),
    };
    size_t count = sizeof arrays / sizeof *arrays;
    shape.block_size = lay_out(NULL, sizeof shape, arrays, count);
    struct sheaf_expression *expression = sheaf_heap_allocate(heap, shape.block_size);
    if (!expression) return NULL;
    lay_out((uint8_t *)expression, sizeof shape, arrays, count);
    shape.kind = source->kind;
    shape.text_size = source->text.size;
    *expression = shape;
    copy_arrays(expression, draft);
    write_words(expression, source);
    resolve_elements(expression);
    return expression;
}

/* ---- an expression comes and goes ----------------------------------------------------------------------------------- */

static sheaf_status check_text(const sheaf_expression_source *source, sheaf_expression_fault *out_fault)
{
    char digits[SHEAF_MESSAGE_NUMBER_SIZE];
    if (source->text.size == 0) return sheaf_expr_refuse(out_fault, source->kind, SHEAF_FAULT_NOT_EMPTY, 0, NULL);
    if (source->text.size <= SHEAF_EXPRESSION_SIZE_MAX) return SHEAF_OK;
    struct sheaf_message_parts parts = { { sheaf_message_number(source->text.size, digits) } };
    return sheaf_expr_refuse(out_fault, source->kind, SHEAF_FAULT_SIZE, 0, &parts);
}

sheaf_status sheaf_expression_create(const sheaf_expression_source *source, const sheaf_allocator *allocator,
                                     sheaf_expression **out_expression, sheaf_expression_fault *out_fault)
{
    if (allocator && !allocator->resize) return SHEAF_INVALID_ARGUMENT;
    sheaf_allocator hooks = allocator ? *allocator : sheaf_backend_hooks(NULL);
    struct sheaf_heap heap;
    size_t draft_size;
    struct sheaf_expression *expression = NULL;
    sheaf_status status = check_text(source, out_fault);
    if (status != SHEAF_OK) return status;
    sheaf_heap_init(&heap, &hooks);
    struct draft *draft = create_draft(&heap, source, &draft_size);
    if (!draft) return SHEAF_NO_MEMORY;
    draft->parser.fault = out_fault;
    status = parse(&draft->parser);
    if (status == SHEAF_OK) expression = build(&heap, &draft->expression, source);
    if (status == SHEAF_OK && !expression) status = SHEAF_NO_MEMORY;
    sheaf_heap_free(&heap, draft, draft_size);
    if (status != SHEAF_OK) return status;
    expression->heap = heap;
    struct sheaf_expr_values values = { .values = source->values, .count = source->value_count };
    status = sheaf_expression_check(expression, &values, out_fault);
    if (status == SHEAF_OK)
        *out_expression = expression;
    else
        sheaf_expression_destroy(expression);
    return status;
}

void sheaf_expression_destroy(sheaf_expression *expression)
{
    if (!expression) return;
    struct sheaf_heap heap = expression->heap; /* its account lies in what it frees */
    sheaf_heap_free(&heap, expression, expression->block_size);
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

sheaf_value sheaf_slot_value(const struct sheaf_expression *expression, const struct sheaf_expr_values *values, size_t slot)
{
    if (values->slots) return values->slots[slot];
    sheaf_bytes placeholder = sheaf_slot_placeholder(expression, &expression->slots[slot]);
    for (size_t i = 0; i < values->count; i++)
        if (sheaf_bytes_equal(values->values[i].placeholder, placeholder)) return values->values[i].value;
    return sheaf_value_of_bytes(SHEAF_TYPE_UNDEFINED, sheaf_bytes_of(NULL, 0));
}

sheaf_status sheaf_expression_bind(const sheaf_expression *expression, const sheaf_expression_value *values, size_t value_count,
                                   sheaf_value *slots, sheaf_expression_fault *out_fault)
{
    struct sheaf_expr_values given = { .values = values, .count = value_count }, bound = { .slots = slots };
    for (size_t i = 0; i < expression->slot_count; i++) slots[i] = sheaf_slot_value(expression, &given, i);
    return expression->slot_count == 0 ? SHEAF_OK : sheaf_expression_check_bound(expression, &bound, out_fault);
}

/* ---- what it is made of --------------------------------------------------------------------------------------------- */

sheaf_expression_kind sheaf_expression_kind_of(const sheaf_expression *expression)
{
    return expression->kind;
}

size_t sheaf_expression_size(const sheaf_expression *expression)
{
    return expression->block_size;
}

sheaf_bytes sheaf_expression_text_view(const sheaf_expression *expression)
{
    return sheaf_bytes_of(expression->words, expression->text_size);
}

size_t sheaf_expression_slot_count(const sheaf_expression *expression)
{
    return expression->slot_count;
}

sheaf_bytes sheaf_expression_slot_name_view(const sheaf_expression *expression, size_t slot)
{
    return slot < expression->slot_count ? sheaf_slot_placeholder(expression, &expression->slots[slot])
                                         : sheaf_bytes_of(NULL, 0);
}
