/*
 * validate.h - what a store lets in: the limits on keys and values, and the record that says why something was refused.
 *
 * Every public call asks here first and changes nothing when refused. The order is that of the arguments: partition key, sort
 * key, value, range.
 */
#ifndef SHEAF_STORE_VALIDATE_H
#define SHEAF_STORE_VALIDATE_H

#include <stdint.h>

#include <sheaf/status.h>
#include <sheaf/store.h>

/* All in bytes; what lies between the two, ends included, is let in. */
struct sheaf_limits {
    uint32_t partition_key_size_min; /* 0 or 1 */
    uint32_t partition_key_size_max;
    uint32_t sort_key_size_min; /* 0 or 1 */
    uint32_t sort_key_size_max;
    uint32_t value_size_max;
};

/* SHEAF_OK, or SHEAF_INVALID_ARGUMENT for an option outside its domain. */
sheaf_status sheaf_limits_init(struct sheaf_limits *limits, const sheaf_store_options *options, sheaf_detail *out_detail);

/* Fills the record, which may be NULL, and returns `status`. */
sheaf_status sheaf_refuse(sheaf_detail *out_detail, sheaf_status status, sheaf_detail detail);

/* The same where sizes play no part and the status says all there is to say. SHEAF_OK passes through. */
static inline sheaf_status sheaf_report(sheaf_detail *out_detail, sheaf_status status)
{
    if (status == SHEAF_OK || !out_detail) return status;
    return sheaf_refuse(out_detail, status, (sheaf_detail){ .message = sheaf_status_message(status) });
}

/* The slow halves of the checks below: `size` is known to be refused. */
sheaf_status sheaf_refuse_key(sheaf_detail *out_detail, sheaf_field field, size_t size, uint32_t size_min, uint32_t size_max);
sheaf_status sheaf_refuse_value(sheaf_detail *out_detail, size_t size, uint32_t size_max);

/* SHEAF_OK, SHEAF_KEY_EMPTY or SHEAF_KEY_TOO_LONG. */
static inline sheaf_status sheaf_validate_partition_key(const struct sheaf_limits *limits, sheaf_bytes key,
                                                        sheaf_detail *out_detail)
{
    uint32_t size_min = limits->partition_key_size_min, size_max = limits->partition_key_size_max;
    if (key.size >= size_min && key.size <= size_max) return SHEAF_OK;
    return sheaf_refuse_key(out_detail, SHEAF_FIELD_PARTITION_KEY, key.size, size_min, size_max);
}

/* Likewise. */
static inline sheaf_status sheaf_validate_sort_key(const struct sheaf_limits *limits, sheaf_bytes key, sheaf_detail *out_detail)
{
    uint32_t size_min = limits->sort_key_size_min, size_max = limits->sort_key_size_max;
    if (key.size >= size_min && key.size <= size_max) return SHEAF_OK;
    return sheaf_refuse_key(out_detail, SHEAF_FIELD_SORT_KEY, key.size, size_min, size_max);
}

/* Both. */
static inline sheaf_status sheaf_validate_keys(const struct sheaf_limits *limits, sheaf_bytes partition_key,
                                               sheaf_bytes sort_key, sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_partition_key(limits, partition_key, out_detail);
    return status == SHEAF_OK ? sheaf_validate_sort_key(limits, sort_key, out_detail) : status;
}

/* SHEAF_OK or SHEAF_VALUE_TOO_LARGE. */
static inline sheaf_status sheaf_validate_value(const struct sheaf_limits *limits, sheaf_bytes value, sheaf_detail *out_detail)
{
    if (value.size <= limits->value_size_max) return SHEAF_OK;
    return sheaf_refuse_value(out_detail, value.size, limits->value_size_max);
}

/*
 * SHEAF_OK or SHEAF_RANGE_INVERTED. `out_range` is the range in the form the tree wants: all for NULL, and the one range that
 * is empty with its cuts crossed, above k and below k, with both cuts at k.
 */
sheaf_status sheaf_validate_range(const sheaf_range *range, sheaf_range *out_range, sheaf_detail *out_detail);

#endif
