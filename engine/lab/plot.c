#include "engine/lab/plot.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "engine/input/display.h"
#include "engine/lab/html.h"

/* In units of the drawing, which is scaled to the page. */
enum {
    WIDTH = 760,
    LABEL_END = 176,
    PLOT_BEGIN = 188,
    PLOT_END = 590,
    WORDS_GAP = 8,
    TOP = 30,
    ROW_HEIGHT = 28,
    BAR_HEIGHT = 16,
    AXIS_HEIGHT = 24,
    LABEL_COLUMNS_MAX = 24
};

/* Where values lie that far apart, small ones would not be seen on a linear scale. */
#define LOG_FROM 30.0

struct scale {
    bool logarithmic;
    double low; /* at PLOT_BEGIN */
    double high;
};

/* ---- scales ------------------------------------------------------------------------------------------------------------- */

/* The least of 1, 2, 5, 10, 20, ... that is not below a value. */
static double round_up(double value)
{
    double power = pow(10, floor(log10(value)));
    static const double steps[] = { 1, 2, 5, 10 };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (value <= steps[i] * power * (1 + 1e-9)) return steps[i] * power;
    return 10 * power;
}

static struct scale scale_for(enum plot_kind kind, const struct plot_row *rows, size_t count)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].empty) continue;
        double low = kind == PLOT_SPANS || rows[i].inner > 0 ? rows[i].inner : rows[i].outer;
        if (low > 0) least = fmin(least, low);
        most = fmax(most, rows[i].outer);
    }
    if (!(most > 0)) return (struct scale){ .high = 1 };
    if (most / least < LOG_FROM) return (struct scale){ .high = most };
    /* Half a decade below the least, so that it has a bar as well. */
    return (struct scale){ .logarithmic = true, .low = least / 3.2, .high = most };
}

static double place(const struct scale *scale, double value)
{
    double share = scale->logarithmic ? value <= scale->low ? 0 : log(value / scale->low) / log(scale->high / scale->low)
                                      : value / scale->high;
    return PLOT_BEGIN + (PLOT_END - PLOT_BEGIN) * fmin(fmax(share, 0), 1);
}

static void append_tick_at(struct buffer *buffer, const struct scale *scale, double value, double bottom,
                           void (*append_tick)(struct buffer *buffer, double value))
{
    double x = place(scale, value);
    buffer_append_format(buffer, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/>", x, x, TOP - 4, bottom);
    buffer_append_format(buffer, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, bottom + 15);
    append_tick(buffer, value);
    buffer_append_text(buffer, "</text>");
}

static void append_axis(struct buffer *buffer, const struct scale *scale, double bottom,
                        void (*append_tick)(struct buffer *buffer, double value))
{
    if (scale->logarithmic) {
        double decades = log10(scale->high / scale->low);
        double stride = decades > 7 ? 100 : 10;
        for (double value = pow(10, ceil(log10(scale->low))); value <= scale->high * (1 + 1e-9); value *= stride)
            append_tick_at(buffer, scale, value, bottom, append_tick);
        return;
    }
    double stride = round_up(scale->high / 4);
    for (double value = 0; value <= scale->high * (1 + 1e-9); value += stride)
        append_tick_at(buffer, scale, value, bottom, append_tick);
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static void append_label(struct buffer *buffer, sheaf_bytes label, double middle)
{
    struct buffer shown = { 0 };
    (void)display_append(&shown, label, LABEL_COLUMNS_MAX);
    buffer_append_format(buffer, "<text class=\"label\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LABEL_END, middle + 4.5);
    html_append(buffer, buffer_view(&shown));
    buffer_append_text(buffer, "</text>");
    buffer_release(&shown);
}

static void append_rectangle(struct buffer *buffer, const char *class, const char *part, double begin, double end,
                             double middle, double height)
{
    if (end - begin < 1.5) end = begin + 1.5;
    buffer_append_format(buffer, "<rect class=\"%s %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>", class,
                         part, begin, middle - height / 2, end - begin, height);
}

static double append_bar(struct buffer *buffer, const struct plot_row *row, const struct scale *scale, double middle)
{
    double end = place(scale, row->outer);
    append_rectangle(buffer, row->class, "outer", PLOT_BEGIN, end, middle, BAR_HEIGHT);
    if (row->inner > 0) {
        append_rectangle(buffer, row->class, "inner", PLOT_BEGIN, place(scale, row->inner), middle, BAR_HEIGHT);
    }
    return end;
}

static double append_span(struct buffer *buffer, const struct plot_row *row, const struct scale *scale, double middle)
{
    double begin = place(scale, row->inner), end = place(scale, row->outer);
    append_rectangle(buffer, row->class, "outer", begin, end, middle, 4);
    buffer_append_format(buffer, "<circle class=\"%s inner\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>", row->class, begin, middle);
    buffer_append_format(buffer, "<circle class=\"%s end\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", row->class, end, middle);
    return fmax(end, begin + 4);
}

static void append_row(struct buffer *buffer, enum plot_kind kind, const struct plot_row *row, const struct scale *scale,
                       double middle)
{
    append_label(buffer, row->label, middle);
    double end = PLOT_BEGIN;
    if (!row->empty) end = kind == PLOT_BARS ? append_bar(buffer, row, scale, middle) : append_span(buffer, row, scale, middle);
    buffer_append_format(buffer, "<text class=\"words\" x=\"%.1f\" y=\"%.1f\">", end + WORDS_GAP, middle + 4.5);
    html_append(buffer, buffer_view(&row->words));
    buffer_append_text(buffer, "</text>");
}

void plot_append(struct buffer *buffer, enum plot_kind kind, const char *title, const struct plot_row *rows, size_t count,
                 void (*append_tick)(struct buffer *buffer, double value))
{
    struct scale scale = scale_for(kind, rows, count);
    double bottom = TOP + (double)ROW_HEIGHT * (double)count;
    buffer_append_format(buffer, "<svg class=\"plot\" viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH,
                         bottom + AXIS_HEIGHT);
    html_append(buffer, sheaf_bytes_of(title, strlen(title)));
    buffer_append_format(buffer, "\"><text class=\"title\" x=\"%d\" y=\"15\">", PLOT_BEGIN);
    html_append(buffer, sheaf_bytes_of(title, strlen(title)));
    buffer_append_format(buffer, "%s</text>", scale.logarithmic ? " (logarithmic scale)" : "");
    append_axis(buffer, &scale, bottom, append_tick);
    for (size_t i = 0; i < count; i++) append_row(buffer, kind, &rows[i], &scale, TOP + (double)ROW_HEIGHT * ((double)i + 0.5));
    buffer_append_text(buffer, "</svg>\n");
}

void plot_rows_release(struct plot_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) buffer_release(&rows[i].words);
}
