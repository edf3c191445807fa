/*
 * template.h - how the fields of a record become a key or a value.
 *
 *     DRIVE#{1}            text and a column               {{ and }} stand for braces
 *     {5:pad(10)}#{1}      a whole number, zero-padded     {5:invert(10)} the same, largest first
 *     {2-}                 column 2 and all that follow    {} the whole line
 *     {user.id}            a column by the name in the header; a member of a JSON line, by path
 *
 * Compiled once, rendered for every record.
 */
#ifndef SHEAF_CLI_TEMPLATE_H
#define SHEAF_CLI_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>
#include <sheaf/segment.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"
#include "engine/input/record.h"

/* The most parts a template can have: no layout comes near, and a command line of braces is refused early. */
#define TEMPLATE_PART_MAX 256

/* Text, or a field in some form. */
struct template_part {
    sheaf_bytes text; /* of a text part; a field has none */
    bool is_field;
    struct field field;
    sheaf_segment number; /* padded or inverted; of no width: the field's bytes as they are */
};

/* Zeroed is a template that renders nothing. */
struct template
{
    struct template_part *parts;
    size_t part_count;
};

/* Compiles `text`, which must outlive the template. False, with a complaint, if it is no template. */
bool template_compile(struct template *template, const char *text, struct complaint *complaint);

/* A template of one field, by its name. */
void template_of_field(struct template *template, const char *name);

/* False, with a complaint, if records of that kind cannot have one of its fields. */
bool template_fits(const struct template *template, enum record_format format, bool has_header, struct complaint *complaint);

/*
 * Renders `record`. The result lies in the record, in the template's text or in `scratch`, and lives as long as they do not
 * change. False, with a complaint, if a field is missing or no number of the width asked for.
 */
bool template_render(const struct template *template, struct record *record, struct buffer *scratch, sheaf_bytes *out_bytes,
                     struct complaint *complaint);

/* Whether it is one field, as it is, that is an attribute of type N in `record`. */
bool template_is_number(const struct template *template, const struct record *record);

void template_release(struct template *template);

#endif
