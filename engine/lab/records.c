#include "engine/lab/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/input/progress.h"
#include "engine/lab/random.h"

struct reading {
    const struct plan *plan;
    struct records *records;
    struct source source;
    struct field *fields; /* of the input, by index in the plan */
    struct progress progress;
    struct buffer scratch;
};

/* ---- one record ------------------------------------------------------------------------------------------------------- */

static sheaf_bytes *add_row(struct records *records)
{
    if (records->count == records->capacity) {
        size_t capacity = records->capacity == 0 ? 1024 : 2 * records->capacity, cells, size;
        bool fits = !__builtin_mul_overflow(capacity, records->field_count, &cells) &&
                    !__builtin_mul_overflow(cells, sizeof *records->values, &size);
        sheaf_bytes *values = fits ? realloc(records->values, size) : NULL;
        if (!values) end_without_memory();
        records->values = values;
        records->capacity = capacity;
    }
    return records->values + records->count++ * records->field_count;
}

static bool read_value(struct reading *reading, size_t field, sheaf_bytes *row)
{
    const struct plan_field *planned = &reading->plan->fields[field];
    struct complaint *complaint = &reading->source.complaint;
    sheaf_bytes text;
    buffer_clear(&reading->scratch);
    if (planned->derivation == DERIVE_PLACE) return true; /* not known yet */
    if (planned->derivation != DERIVE_NONE) {
        if (!derive_append(planned->derivation, planned->delimiter, row[planned->of], &reading->scratch, complaint))
            return false;
    } else {
        if (!source_field(&reading->source, &reading->fields[field], &text)) return false;
        if (!value_append_canonical(planned->type, text, &reading->scratch, complaint)) return false;
    }
    row[field] = arena_copy(&reading->records->arena, buffer_view(&reading->scratch));
    return true;
}

/* source_field() says itself what is wrong; to what is wrong with the value the field's name is added. */
static bool read_row(struct reading *reading)
{
    if (reading->records->count == RECORDS_MAX) return complain(&reading->source.complaint, "expected fewer records");
    sheaf_bytes *row = add_row(reading->records);
    for (size_t i = 0; i < reading->plan->field_count; i++) {
        if (read_value(reading, i, row)) continue;
        struct complaint *complaint = &reading->source.complaint;
        size_t size = strlen(complaint->text);
        (void)snprintf(complaint->text + size, sizeof complaint->text - size, " (field %s)",
                       quote(reading->plan->fields[i].name).text);
        return false;
    }
    return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

static bool read_rows(struct reading *reading)
{
    enum source_result result;
    while ((result = source_next(&reading->source)) == SOURCE_RECORD) {
        if (!read_row(reading)) {
            if (reading->source.trouble == SOURCE_SOUND) reading->source.trouble = SOURCE_REFUSED;
            return false;
        }
        progress_report(&reading->progress, reading->records->count, source_size(&reading->source));
    }
    return result == SOURCE_END;
}

static void swap_rows(struct records *records, size_t left, size_t right)
{
    for (size_t i = 0; i < records->field_count; i++) {
        sheaf_bytes *a = &records->values[left * records->field_count + i];
        sheaf_bytes *b = &records->values[right * records->field_count + i];
        sheaf_bytes kept = *a;
        *a = *b;
        *b = kept;
    }
}

static void shuffle(struct records *records, uint64_t seed)
{
    struct random random = { .state = seed };
    for (size_t i = records->count; i > 1; i--) swap_rows(records, i - 1, random_below(&random, i));
}

static void number_places(const struct plan *plan, struct records *records)
{
    struct buffer buffer = { 0 };
    for (size_t field = 0; field < plan->field_count; field++) {
        if (plan->fields[field].derivation != DERIVE_PLACE) continue;
        for (size_t row = 0; row < records->count; row++) {
            buffer_clear(&buffer);
            buffer_append_format(&buffer, "%zu", row + 1);
            records->values[row * records->field_count + field] = arena_copy(&records->arena, buffer_view(&buffer));
        }
    }
    buffer_release(&buffer);
}

static bool read_all(struct reading *reading, struct complaint *complaint)
{
    struct buffer message = { 0 };
    bool read = source_open(&reading->source, reading->plan->file, &reading->plan->source) && read_rows(reading);
    progress_end(&reading->progress);
    if (!read) {
        source_describe(&reading->source, &message);
        complain(complaint, "%.*s", (int)message.size, (const char *)message.data);
        buffer_release(&message);
    } else if (reading->records->count == 0) {
        read = complain(complaint, "%s: expected records, found none", reading->plan->file);
    }
    source_close(&reading->source);
    return read;
}

bool records_read(const struct plan *plan, struct records *out_records, struct complaint *complaint)
{
    struct records records = { .field_count = plan->field_count };
    struct reading reading = { .plan = plan, .records = &records };
    reading.fields = allocate_zeroed(plan->field_count, sizeof *reading.fields);
    for (size_t i = 0; i < plan->field_count; i++) reading.fields[i] = field_of(plan->fields[i].from);
    progress_begin(&reading.progress);
    bool read = read_all(&reading, complaint);
    if (read && plan->shuffled) shuffle(&records, plan->shuffle_seed);
    if (read) number_places(plan, &records);
    free(reading.fields);
    buffer_release(&reading.scratch);
    if (read) {
        *out_records = records;
    } else {
        records_release(&records);
    }
    return read;
}

void records_release(struct records *records)
{
    free(records->values);
    arena_release(&records->arena);
    *records = (struct records){ .count = 0 };
}
