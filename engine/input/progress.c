#include "engine/input/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "engine/input/clock.h"
#include "engine/input/units.h"

#define FIRST_NS 500000000u /* a load that is done by then needs none */
#define EVERY_NS 100000000u

void progress_begin(struct progress *progress)
{
    uint64_t now_ns = clock_now_ns();
    *progress = (struct progress){
        .on = isatty(STDERR_FILENO) == 1, .start_ns = now_ns, .next_ns = now_ns + FIRST_NS
    };
}

void progress_report(struct progress *progress, uint64_t records, uint64_t bytes)
{
    if (!progress->on) return;
    uint64_t now_ns = clock_now_ns();
    if (now_ns < progress->next_ns) return;
    struct buffer line = { 0 };
    units_append_count(&line, records, "record", "records");
    buffer_append_text(&line, ", ");
    units_append_size(&line, bytes);
    buffer_append_text(&line, ", ");
    units_append_time(&line, now_ns - progress->start_ns);
    (void)fprintf(stderr, "\r%.*s\033[K", (int)line.size, (const char *)line.data);
    buffer_release(&line);
    progress->shown = true;
    progress->next_ns = now_ns + EVERY_NS;
}

void progress_end(struct progress *progress)
{
    if (progress->shown) (void)fputs("\r\033[K", stderr);
    progress->shown = false;
}
