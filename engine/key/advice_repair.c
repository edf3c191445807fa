/*
 * advice_repair.c - the layout that the keys of an entity should have had.
 */
#include <stdio.h>
#include <string.h>

#include "engine/key/advice.h"

enum { DIGITS_TO_SPARE = 2, WIDTH_LEAST = 10, WIDTH_MOST = 38 };

/* The field's name, a second one of its kind with a number behind. */
static const char *const names[] = { "number", "time", "text" };
enum field_kind { FIELD_NUMBER, FIELD_TIME, FIELD_TEXT, FIELD_KINDS };

struct writing {
    char *at;
    size_t room;
    uint32_t used[FIELD_KINDS];
};

__attribute__((format(printf, 2, 3))) static void write(struct writing *writing, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int size = vsnprintf(writing->at, writing->room, format, arguments);
    __builtin_va_end(arguments);
    size_t taken = size < 0 ? 0 : (size_t)size < writing->room ? (size_t)size : writing->room - 1;
    writing->at += taken;
    writing->room -= taken;
}

static void write_field(struct writing *writing, enum field_kind kind, const char *form)
{
    uint32_t number = ++writing->used[kind];
    if (number > 1) write(writing, "{%s%u%s}", names[kind], (unsigned)number, form);
    else write(writing, "{%s%s}", names[kind], form);
}

/* The width there is, if it will do; else the widest number with digits to spare. */
static size_t width_for(const struct advice_segment *segment, size_t digits)
{
    size_t usual = sheaf_advice_width_usual(segment);
    bool padded = segment->zero_led_count > 0 && digits <= usual && segment->high_count == 0;
    size_t wanted = padded ? usual : digits + DIGITS_TO_SPARE < WIDTH_LEAST ? WIDTH_LEAST : digits + DIGITS_TO_SPARE;
    return wanted > WIDTH_MOST ? WIDTH_MOST : wanted;
}

static void write_number(struct writing *writing, const struct advice_segment *segment)
{
    char form[48];
    size_t digits = sheaf_advice_width_most(segment);
    if (segment->decimals.count > 0 && segment->whole_most > digits) digits = segment->whole_most;
    const char *name = segment->forms.count > 0 ? "signed" : segment->decimals.count > 0 ? "decimal" : "pad";
    size_t fraction = segment->decimals.count > 0 ? segment->fraction_most : 0;
    if (fraction > 0) (void)snprintf(form, sizeof form, ":%s(%zu,%zu)", name, width_for(segment, digits), fraction);
    else (void)snprintf(form, sizeof form, ":%s(%zu)", name, width_for(segment, digits));
    write_field(writing, FIELD_NUMBER, form);
}

static void write_time(struct writing *writing, const struct advice_segment *segment)
{
    uint32_t fraction = 0;
    for (size_t i = 0; i < segment->format_count; i++)
        if ((segment->formats[i].format & 15) > fraction) fraction = segment->formats[i].format & 15;
    write_field(writing, FIELD_TIME, fraction == 0 ? ":time" : fraction <= 3 ? ":time(ms)" : ":time(us)");
}

static void write_segment(struct writing *writing, const struct advice_segment *segment)
{
    uint64_t numbers = segment->digits_count + segment->forms.count + segment->decimals.count;
    if (segment->time_count * 2 > segment->count) write_time(writing, segment);
    else if (numbers * 2 > segment->count) write_number(writing, segment);
    else write_field(writing, FIELD_TEXT, "");
}

/* How many segments most keys have. */
static size_t usual_count(const struct advice_group *group)
{
    size_t usual = 1;
    for (size_t count = 1; count < ADVICE_COUNTS; count++)
        if (group->segment_counts[count].count > group->segment_counts[usual].count) usual = count;
    return usual < ADVICE_SEGMENTS ? usual : ADVICE_SEGMENTS;
}

void sheaf_advice_repair(struct advice_group *group)
{
    struct writing writing = { .at = group->repair, .room = sizeof group->repair };
    if (group->is_path) {
        write(&writing, "sk = \"{path:path(/)}\"");
        return;
    }
    write(&writing, "sk = \"");
    if (group->entity_size > 0) write(&writing, "%.*s%c", (int)group->entity_size, (const char *)group->entity, group->delimiter);
    for (size_t i = 0, count = usual_count(group); i < count; i++) {
        if (i > 0) write(&writing, "%c", group->delimiter);
        write_segment(&writing, &group->segments[i]);
    }
    write(&writing, "\"");
}
