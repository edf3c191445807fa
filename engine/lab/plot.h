/*
 * plot.h - plots as SVG: a row for each layout, a bar or a span in it.
 *
 *     unpadded  ██████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  10.0 of 3,245       bars: what was returned within what was read
 *     padded    ███████                            10.0
 *               1         10        100       1,000
 *
 * Colours are those of the page: every mark has a class, the page says what it looks like in light and in dark.
 */
#ifndef SHEAF_LAB_PLOT_H
#define SHEAF_LAB_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/input/buffer.h"

struct plot_row {
    sheaf_bytes label;
    const char *class;   /* of its marks */
    double inner;        /* bars: the solid part; spans: the lower end */
    double outer;        /* bars: all of it; spans: the upper end */
    bool empty;          /* there is nothing to show */
    struct buffer words; /* behind it */
};

enum plot_kind { PLOT_BARS, PLOT_SPANS };

/* Appends a plot. Values that lie far apart are shown on a logarithmic scale, which the axis then says. `title` is for those
 * who hear it read out, too. `append_tick` writes a value at the axis. */
void plot_append(struct buffer *buffer, enum plot_kind kind, const char *title, const struct plot_row *rows, size_t count,
                 void (*append_tick)(struct buffer *buffer, double value));

void plot_rows_release(struct plot_row *rows, size_t count);

#endif
