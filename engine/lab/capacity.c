#include "engine/lab/capacity.h"

/* 1 + half of the digits before the point + half of those behind it, each rounded up, + 1 for a sign; zeros at the end of a
 * whole number and at the beginning of a fraction are not stored. */
static size_t number_size(sheaf_bytes number)
{
    size_t begin = number.data[0] == '-' ? 1 : 0, sign = begin;
    size_t point = begin;
    while (point < number.size && number.data[point] != '.') point++;
    size_t whole_end = point, fraction = point < number.size ? point + 1 : point;
    if (fraction == number.size) {
        while (whole_end > begin && number.data[whole_end - 1] == '0') whole_end--;
    } else if (point == begin + 1 && number.data[begin] == '0') {
        begin = whole_end;
        while (number.data[fraction] == '0') fraction++;
    }
    return 1 + (whole_end - begin + 1) / 2 + (number.size - fraction + 1) / 2 + sign;
}

size_t capacity_value_size(enum value_type type, sheaf_bytes value)
{
    return type == VALUE_NUMBER ? number_size(value) : value.size;
}

static uint64_t halves_of(uint64_t page_bytes)
{
    uint64_t halves = (page_bytes + CAPACITY_UNIT_BYTES - 1) / CAPACITY_UNIT_BYTES;
    return halves > 0 ? halves : 1;
}

void capacity_add(struct capacity *capacity, uint64_t item_bytes)
{
    if (capacity->page_bytes >= CAPACITY_PAGE_BYTES) {
        capacity->full_page_halves += halves_of(capacity->page_bytes);
        capacity->page_count++;
        capacity->page_bytes = 0;
    }
    capacity->entry_count++;
    capacity->bytes += item_bytes;
    capacity->page_bytes += item_bytes;
}

uint64_t capacity_halves(const struct capacity *capacity)
{
    return capacity->full_page_halves + halves_of(capacity->page_bytes);
}
