#include "engine/key/layout.h"

#include "engine/base/backend.h"
#include "engine/key/layout_part.h"

/* ---- a layout comes and goes ---------------------------------------------------------------------------------------- */

static sheaf_status refuse_option(sheaf_layout_fault *out_fault, sheaf_status status, uint64_t size, uint64_t limit,
                                  const char *message)
{
    if (out_fault) {
        *out_fault = (sheaf_layout_fault){
            .field = SHEAF_FIELD_OPTION, .segment = SHEAF_LAYOUT_NO_FIELD, .size = size, .limit = limit, .message = message
        };
    }
    return status;
}

static sheaf_status validate_options(const sheaf_layout_options *options, sheaf_layout_fault *out_fault)
{
    if (options->allocator && !options->allocator->resize) {
        return refuse_option(out_fault, SHEAF_INVALID_ARGUMENT, 0, 0, "The allocator has no resize function");
    }
    if (options->partition_key_size_max > SHEAF_PARTITION_KEY_SIZE_HARD) {
        return refuse_option(out_fault, SHEAF_INVALID_ARGUMENT, options->partition_key_size_max,
                             SHEAF_PARTITION_KEY_SIZE_HARD, "partition_key_size_max is above its hard limit");
    }
    if (options->sort_key_size_max > SHEAF_SORT_KEY_SIZE_HARD) {
        return refuse_option(out_fault, SHEAF_INVALID_ARGUMENT, options->sort_key_size_max, SHEAF_SORT_KEY_SIZE_HARD,
                             "sort_key_size_max is above its hard limit");
    }
    return SHEAF_OK;
}

static void set_limits(struct sheaf_layout *layout, const sheaf_layout_options *options)
{
    layout->rows[SHEAF_LAYOUT_PARTITION_KEY].size_max = options->partition_key_size_max ? options->partition_key_size_max
                                                                                        : SHEAF_PARTITION_KEY_SIZE_MAX;
    layout->rows[SHEAF_LAYOUT_SORT_KEY].size_max = options->sort_key_size_max ? options->sort_key_size_max
                                                                              : SHEAF_SORT_KEY_SIZE_MAX;
}

/* A layout with its text and nothing else; NULL without memory. */
static struct sheaf_layout *allocate_layout(sheaf_bytes text, const sheaf_layout_options *options)
{
    sheaf_allocator hooks = options->allocator ? *options->allocator : sheaf_backend_hooks(NULL);
    struct sheaf_heap heap;
    size_t size;
    sheaf_heap_init(&heap, &hooks);
    if (__builtin_add_overflow(sizeof(struct sheaf_layout), text.size, &size)) return NULL;
    struct sheaf_layout *layout = sheaf_heap_allocate_zeroed(&heap, size);
    if (!layout) return NULL;
    layout->heap = heap;
    layout->block_size = size;
    if (text.size > 0) memcpy(layout->text_bytes, text.data, text.size);
    layout->text = sheaf_bytes_of(layout->text_bytes, text.size);
    set_limits(layout, options);
    return layout;
}

/* What a fault points at, in the caller's text and not in the copy that is gone: from the column on. */
static void show_text(sheaf_layout_fault *fault, sheaf_bytes text)
{
    fault->value_view = sheaf_bytes_skip(text, sheaf_size_min(fault->column - 1, text.size));
}

sheaf_status sheaf_layout_create(sheaf_bytes text, const sheaf_layout_options *options, sheaf_layout **out_layout,
                                 sheaf_layout_fault *out_fault)
{
    static const sheaf_layout_options defaults;
    if (!options) options = &defaults;
    sheaf_status status = validate_options(options, out_fault);
    if (status != SHEAF_OK) return status;
    struct sheaf_layout *layout = allocate_layout(text, options);
    if (!layout) return refuse_option(out_fault, SHEAF_NO_MEMORY, 0, 0, "There is no memory for the layout");
    sheaf_layout_fault fault;
    status = sheaf_layout_parse(layout, &fault);
    if (status != SHEAF_OK) {
        sheaf_layout_destroy(layout);
        show_text(&fault, text);
        if (out_fault) *out_fault = fault;
        return status;
    }
    *out_layout = layout;
    return SHEAF_OK;
}

void sheaf_layout_destroy(sheaf_layout *layout)
{
    if (!layout) return;
    struct sheaf_heap heap = layout->heap; /* its account lies in what it frees */
    sheaf_heap_free(&heap, layout, layout->block_size);
}

/* ---- what it is made of --------------------------------------------------------------------------------------------- */

size_t sheaf_layout_field_count(const sheaf_layout *layout)
{
    return layout->field_count;
}

sheaf_bytes sheaf_layout_field_name_view(const sheaf_layout *layout, size_t index)
{
    return index < layout->field_count ? layout->names[index] : sheaf_bytes_of(NULL, 0);
}

size_t sheaf_layout_find_field(const sheaf_layout *layout, sheaf_bytes name)
{
    for (size_t i = 0; i < layout->field_count; i++)
        if (sheaf_bytes_equal(layout->names[i], name)) return i;
    return SHEAF_LAYOUT_NO_FIELD;
}

sheaf_layout_type sheaf_layout_key_type(const sheaf_layout *layout, sheaf_layout_key which)
{
    return layout->rows[which].type;
}

size_t sheaf_layout_key_size_max(const sheaf_layout *layout, sheaf_layout_key which)
{
    return layout->rows[which].size_max;
}

/* Field number `place` of a key; NULL if it has fewer. */
static const struct sheaf_layout_part *find_place(const struct sheaf_layout *layout, sheaf_layout_key which, size_t place)
{
    for (size_t i = layout->rows[which].first; i < layout->rows[which].end; i++)
        if (layout->parts[i].is_field && place-- == 0) return &layout->parts[i];
    return NULL;
}

size_t sheaf_layout_key_field_count(const sheaf_layout *layout, sheaf_layout_key which)
{
    size_t count = 0;
    for (size_t i = layout->rows[which].first; i < layout->rows[which].end; i++) count += layout->parts[i].is_field;
    return count;
}

size_t sheaf_layout_key_field(const sheaf_layout *layout, sheaf_layout_key which, size_t place)
{
    const struct sheaf_layout_part *part = find_place(layout, which, place);
    return part ? part->field : SHEAF_LAYOUT_NO_FIELD;
}

sheaf_layout_order sheaf_layout_key_field_order(const sheaf_layout *layout, sheaf_layout_key which, size_t place)
{
    const struct sheaf_layout_part *part = find_place(layout, which, place);
    if (!part || !sheaf_layout_part_has_order(part)) return SHEAF_LAYOUT_UNORDERED;
    return sheaf_layout_part_is_descending(part) ? SHEAF_LAYOUT_DESCENDING : SHEAF_LAYOUT_ASCENDING;
}

/* ---- faults --------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_layout_refuse(sheaf_layout_fault *out_fault, sheaf_status status, sheaf_layout_key which,
                                 const struct sheaf_layout_part *part, sheaf_bytes value, const sheaf_detail *detail)
{
    if (out_fault) {
        *out_fault = (sheaf_layout_fault){ .field = sheaf_layout_field_of(which),
                                           .column = part ? part->column : 0,
                                           .segment = part && part->is_field ? part->field : SHEAF_LAYOUT_NO_FIELD,
                                           .size = detail->size,
                                           .limit = detail->limit,
                                           .value_view = value,
                                           .message = detail->message };
    }
    return status;
}

const struct sheaf_layout_row *sheaf_layout_find_row(const struct sheaf_layout *layout, sheaf_layout_key which,
                                                     sheaf_layout_fault *out_fault)
{
    static const sheaf_detail missing = { .message = "The layout has no such key" };
    if (layout->rows[which].type != SHEAF_LAYOUT_NONE) return &layout->rows[which];
    (void)sheaf_layout_refuse(out_fault, SHEAF_INVALID_ARGUMENT, which, NULL, layout->text, &missing);
    return NULL;
}
