#include "engine/lab/report_gnuplot.h"

#include "engine/input/display.h"
#include "engine/lab/words.h"

enum { PANEL_WIDTH = 460, PANEL_HEIGHT = 300, PANELS_IN_A_ROW = 2 };

/* A text between double quotes: gnuplot reads backslashes in it. */
static void append_quoted(sheaf_bytes text, struct buffer *buffer)
{
    struct buffer shown = { 0 };
    (void)display_append(&shown, text, 60);
    buffer_append_byte(buffer, '"');
    for (size_t i = 0; i < shown.size; i++) {
        if (shown.data[i] == '"' || shown.data[i] == '\\') buffer_append_byte(buffer, '\\');
        buffer_append_byte(buffer, shown.data[i]);
    }
    buffer_append_byte(buffer, '"');
    buffer_release(&shown);
}

static double mean(uint64_t sum, uint64_t count)
{
    return count > 0 ? (double)sum / (double)count : 0;
}

/* layout, answer, entries read, returned, bytes read, units, p50, p99 */
static void append_pattern_data(const struct lab *lab, size_t pattern, struct buffer *buffer)
{
    buffer_append_format(buffer, "$pattern_%zu << END_OF_DATA\n", pattern + 1);
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct trial *trial = lab_trial(lab, i, pattern);
        append_quoted(lab->plan->layouts[i].name, buffer);
        buffer_append_format(buffer, " %s-%s %.3f %.3f %.1f %.2f", way_word(way_of(trial)),
                             trial->wrong_count == 0 ? "right" : "wrong", mean(trial->read_count, trial->run_count),
                             mean(trial->returned_count, trial->run_count), mean(trial->read_bytes, trial->run_count),
                             mean(trial->unit_halves, trial->run_count) / 2);
        if (trial->measured_count > 0) {
            buffer_append_format(buffer, " %llu %llu", (unsigned long long)trial->p50_ns, (unsigned long long)trial->p99_ns);
        } else {
            buffer_append_text(buffer, " NaN NaN");
        }
        buffer_append_byte(buffer, '\n');
    }
    buffer_append_text(buffer, "END_OF_DATA\n");
}

/* layout, bytes of the partition key, of the sort key, of memory, all per entry */
static void append_layout_data(const struct lab *lab, struct buffer *buffer)
{
    buffer_append_text(buffer, "$layouts << END_OF_DATA\n");
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct loaded *loaded = &lab->loaded[i];
        uint64_t count = loaded->totals.entry_count;
        append_quoted(lab->plan->layouts[i].name, buffer);
        buffer_append_format(buffer, " %.2f %.2f %.2f\n", mean(loaded->partition_key_bytes, count),
                             mean(loaded->sort_key_bytes, count),
                             lab->has_measures ? mean(loaded->totals.charged_bytes, count) : 0.0);
    }
    buffer_append_text(buffer, "END_OF_DATA\n");
}

/* The largest mean of a pattern, so that there is room above it. */
static double most_read(const struct lab *lab, size_t pattern)
{
    double most = 1;
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct trial *trial = lab_trial(lab, i, pattern);
        double read = mean(trial->read_count, trial->run_count);
        if (read > most) most = read;
    }
    return most;
}

static void append_panels(const struct lab *lab, struct buffer *buffer)
{
    for (size_t i = 0; i < lab->plan->pattern_count; i++) {
        buffer_append_text(buffer, "set title ");
        append_quoted(lab->plan->patterns[i].name, buffer);
        buffer_append_format(buffer,
                             "\nset logscale y\nset yrange [0.5:%.1f]\nset ylabel \"entries\"\n"
                             "plot $pattern_%zu using 3:xtic(1) title \"read\" linecolor rgb \"#c9b27c\", "
                             "'' using 4 title \"returned\" linecolor rgb \"#1a7f4b\"\n",
                             2 * most_read(lab, i), i + 1);
    }
    buffer_append_format(buffer,
                         "unset logscale y\nset yrange [0:*]\nset ylabel \"bytes per entry\"\nset title \"keys%s\"\n"
                         "plot $layouts using 2:xtic(1) title \"partition key\" linecolor rgb \"#9db9d8\", "
                         "'' using 3 title \"sort key\" linecolor rgb \"#3b6ea8\"%s\n",
                         lab->has_measures ? " and memory" : "",
                         lab->has_measures ? ", '' using 4 title \"memory\" linecolor rgb \"#6d5aa8\"" : "");
}

void report_gnuplot(const struct lab *lab, struct buffer *buffer)
{
    size_t panels = lab->plan->pattern_count + 1;
    size_t rows = (panels + PANELS_IN_A_ROW - 1) / PANELS_IN_A_ROW;
    buffer_append_text(buffer,
                       "# Figures of sheaf lab. Columns of a pattern: layout, answer, entries read, entries returned, bytes "
                       "read, capacity\n# units, all per run; p50 and p99 in nanoseconds. Of the layouts: bytes of partition "
                       "key, sort key, memory per entry.\n");
    for (size_t i = 0; i < lab->plan->pattern_count; i++) append_pattern_data(lab, i, buffer);
    append_layout_data(lab, buffer);
    buffer_append_text(buffer, "if (!exists(\"output_file\")) output_file = \"lab.svg\"\n");
    buffer_append_format(buffer, "set terminal svg size %d,%zu dynamic font \"sans-serif,12\" background \"white\"\n",
                         PANEL_WIDTH * PANELS_IN_A_ROW, PANEL_HEIGHT * rows);
    buffer_append_text(buffer,
                       "set output output_file\nset style data histograms\nset style histogram clustered gap 1\n"
                       "set style fill solid 0.9 border -1\nset xtics rotate by -20 nomirror noenhanced\nset grid ytics\n"
                       "set key noenhanced above horizontal right samplen 1\nset title noenhanced\n");
    buffer_append_format(buffer, "set multiplot layout %zu,%d title ", rows, PANELS_IN_A_ROW);
    append_quoted(lab->plan->title, buffer);
    buffer_append_text(buffer, " noenhanced\n");
    append_panels(lab, buffer);
    buffer_append_text(buffer, "unset multiplot\n");
}
