/*
 * capacity.h - bytes and capacity units of reads, as DynamoDB counts them.
 *
 * An item's size is the sum of its attributes' names and values; a number takes a byte per two digits, and one or two more.
 * What a query reads is summed over a page and rounded up to 4 KiB, half a unit each, as reads that may be a little behind
 * cost; a page ends with the item that brings it to 1 MiB. (AWS, "Read consumption", "Item sizes and formats", "Query"; the
 * size of numbers as measured at the limit of 400 KB.)
 */
#ifndef SHEAF_LAB_CAPACITY_H
#define SHEAF_LAB_CAPACITY_H

#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/lab/value.h"

#define CAPACITY_UNIT_BYTES 4096
#define CAPACITY_PAGE_BYTES 1048576

/* The size of a value of a field, canonical. */
size_t capacity_value_size(enum value_type type, sheaf_bytes value);

/* A read under way. Zeroed is one that has read nothing. */
struct capacity {
    uint64_t entry_count;
    uint64_t bytes;
    uint64_t page_bytes;       /* of the page under way */
    uint64_t full_page_halves; /* half units of the pages before */
    uint64_t page_count;       /* of those */
};

/* Adds an item. */
void capacity_add(struct capacity *capacity, uint64_t item_bytes);

/* Half units of all of it; at least one, for a read that finds nothing costs as much. */
uint64_t capacity_halves(const struct capacity *capacity);

#endif
