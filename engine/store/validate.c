#include "engine/store/validate.h"

#include <sheaf/limits.h>

#include "engine/base/bytes.h"

_Static_assert(SHEAF_PARTITION_KEY_SIZE_HARD <= UINT32_MAX, "limits are kept in 32 bits");
_Static_assert(SHEAF_SORT_KEY_SIZE_HARD <= UINT32_MAX, "limits are kept in 32 bits");
_Static_assert(SHEAF_VALUE_SIZE_HARD <= UINT32_MAX, "limits are kept in 32 bits");

sheaf_status sheaf_refuse(sheaf_detail *out_detail, sheaf_status status, sheaf_detail detail)
{
    if (out_detail) *out_detail = detail;
    return status;
}

/* An option that sets a limit; 0 stands for the default. */
struct size_option {
    size_t size;
    uint32_t size_default;
    uint32_t size_hard;
    uint32_t *out_limit;
    const char *refusal;
};

sheaf_status sheaf_limits_init(struct sheaf_limits *limits, const sheaf_store_options *options, sheaf_detail *out_detail)
{
    if (options->allocator && !options->allocator->resize) {
        sheaf_detail detail = { .field = SHEAF_FIELD_OPTION, .message = "The option allocator has no resize function" };
        return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
    }
    limits->partition_key_size_min = options->allow_empty_partition_key ? 0 : 1;
    limits->sort_key_size_min = options->allow_empty_sort_key ? 0 : 1;
    const struct size_option size_options[] = {
        { options->partition_key_size_max, SHEAF_PARTITION_KEY_SIZE_MAX, SHEAF_PARTITION_KEY_SIZE_HARD,
          &limits->partition_key_size_max, "The option partition_key_size_max is above its hard limit" },
        { options->sort_key_size_max, SHEAF_SORT_KEY_SIZE_MAX, SHEAF_SORT_KEY_SIZE_HARD, &limits->sort_key_size_max,
          "The option sort_key_size_max is above its hard limit" },
        { options->value_size_max, SHEAF_VALUE_SIZE_MAX, SHEAF_VALUE_SIZE_HARD, &limits->value_size_max,
          "The option value_size_max is above its hard limit" },
    };
    for (size_t i = 0; i < sizeof size_options / sizeof *size_options; i++) {
        const struct size_option *option = &size_options[i];
        if (option->size > option->size_hard) {
            sheaf_detail detail = { SHEAF_FIELD_OPTION, option->size, option->size_hard, option->refusal };
            return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
        }
        *option->out_limit = option->size == 0 ? option->size_default : (uint32_t)option->size;
    }
    return SHEAF_OK;
}

sheaf_status sheaf_refuse_key(sheaf_detail *out_detail, sheaf_field field, size_t size, uint32_t size_min, uint32_t size_max)
{
    bool of_partition = field == SHEAF_FIELD_PARTITION_KEY;
    sheaf_detail detail = { .field = field, .size = size };
    if (size < size_min) {
        detail.limit = size_min;
        detail.message = of_partition ? "The partition key is empty, which this store does not allow"
                                      : "The sort key is empty, which this store does not allow";
        return sheaf_refuse(out_detail, SHEAF_KEY_EMPTY, detail);
    }
    detail.limit = size_max;
    detail.message = of_partition ? "The partition key is longer than this store allows"
                                  : "The sort key is longer than this store allows";
    return sheaf_refuse(out_detail, SHEAF_KEY_TOO_LONG, detail);
}

sheaf_status sheaf_refuse_value(sheaf_detail *out_detail, size_t size, uint32_t size_max)
{
    sheaf_detail detail = { SHEAF_FIELD_VALUE, size, size_max, "The value is larger than this store allows" };
    return sheaf_refuse(out_detail, SHEAF_VALUE_TOO_LARGE, detail);
}

sheaf_status sheaf_validate_range(const sheaf_range *range, sheaf_range *out_range, sheaf_detail *out_detail)
{
    if (!range) {
        *out_range = sheaf_range_all();
        return SHEAF_OK;
    }
    if (sheaf_range_is_inverted(range)) {
        sheaf_detail detail = { .field = SHEAF_FIELD_RANGE, .message = sheaf_status_message(SHEAF_RANGE_INVERTED) };
        return sheaf_refuse(out_detail, SHEAF_RANGE_INVERTED, detail);
    }
    *out_range = *range;
    bool crossed = range->lower.side == SHEAF_SIDE_AFTER && range->upper.side == SHEAF_SIDE_BEFORE &&
                   sheaf_bytes_equal(range->lower.bytes, range->upper.bytes);
    if (crossed) out_range->upper = range->lower;
    return SHEAF_OK;
}
