/*
 * template.h - how the fields of a record become a key or a value.
 *
 *     DRIVE#{1}            text and a column               {{ and }} stand for braces
 *     {5:pad(10)}#{1}      a whole number, zero-padded     {5:invert(10)} the same, largest first
 *     {2-}                 column 2 and all that follow    {} the whole line
 *     {user.id}            a member of a JSON line, by path
 *
 * Compiled once, rendered for every record.
 */
#ifndef SHEAF_CLI_TEMPLATE_H
#define SHEAF_CLI_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/cli/buffer.h"
#include "engine/cli/complaint.h"
#include "engine/cli/number_form.h"
#include "engine/cli/record.h"

/* The most parts a template can have: no layout comes near, and a command line of braces is refused early. */
#define TEMPLATE_PART_MAX 256

/* Text, or a field in some form. */
struct template_part {
    sheaf_bytes text; /* of a text part; a field has none */
    bool is_field;
    struct field field;
    enum number_form form;
    size_t width; /* of a padded or inverted number */
};

/* Zeroed is a template that renders nothing. */
struct template {
    struct template_part *parts;
    size_t part_count;
};

/* Compiles `text`, which must outlive the template. False, with a complaint, if it is no template for records of `format`. */
bool template_compile(struct template *template, const char *text, enum record_format format, struct complaint *complaint);

/* How many columns of a record it looks at. */
size_t template_columns(const struct template *template);

/*
 * Renders `record`. The result lies in the record, in the template's text or in `scratch`, and lives as long as they do not
 * change. False, with a complaint, if a field is missing or no number of the width asked for.
 */
bool template_render(const struct template *template, const struct record *record, struct buffer *scratch,
                     sheaf_bytes *out_bytes, struct complaint *complaint);

void template_release(struct template *template);

#endif
