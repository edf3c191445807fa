#include "bench/measure.h"

#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/fatal.h"
#include "bench/random.h"

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t wall_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

int highest_core(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
    for (int core = CPU_SETSIZE - 1; core >= 0; core--) {
        if (CPU_ISSET((size_t)core, &allowed)) return core;
    }
    return -1;
}

void cores_from(int core, int *out_cores, unsigned count)
{
    cpu_set_t allowed;
    unsigned found = 0;
    bool known = core >= 0 && sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    for (unsigned i = 0; i < count; i++) out_cores[i] = -1;
    out_cores[found++] = core;
    for (int other = CPU_SETSIZE - 1; known && other >= 0 && found < count; other--) {
        if (other != core && CPU_ISSET((size_t)other, &allowed)) out_cores[found++] = other;
    }
}

bool pin_to_core(int core)
{
    cpu_set_t wanted;
    if (core < 0 || core >= CPU_SETSIZE) return false;
    CPU_ZERO(&wanted);
    CPU_SET((size_t)core, &wanted);
    return sched_setaffinity(0, sizeof wanted, &wanted) == 0;
}

/* The sum of all lines "NAME...: number kB" of a file. False if it cannot be read. */
static bool sum_of_lines(const char *path, const char *name, uint64_t *out_bytes)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[256];
    uint64_t sum_kib = 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) sum_kib += strtoull(line + strcspn(line, ":") + 1, NULL, 10);
    }
    fclose(file);
    *out_bytes = sum_kib * 1024;
    return true;
}

uint64_t private_resident_bytes(void)
{
    uint64_t bytes;
    return sum_of_lines("/proc/self/smaps_rollup", "Private_", &bytes) ? bytes : 0; /* clean, dirty and huge */
}

uint64_t available_bytes(void)
{
    uint64_t bytes;
    return sum_of_lines("/proc/meminfo", "MemAvailable:", &bytes) && bytes > 0 ? bytes : UINT64_MAX;
}

uint64_t malloc_used_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd; /* blocks of the heap, and those big enough for a mapping of their own */
}

/* ---- the canary ------------------------------------------------------------------------------------------------------- */

#define CANARY_BYTES (64u << 20)
#define CANARY_LOADS 20000

struct canary_line {
    const struct canary_line *next;
    char fill[64 - sizeof(void *)]; /* a cache line each */
};

struct canary {
    struct canary_line *lines;
    const struct canary_line *at;
};

/* One cycle through all lines in random order (Sattolo's shuffle). */
static void link_lines(struct canary_line *lines, uint32_t count)
{
    struct random_stream random = { 1 };
    uint32_t *order = allocate_or_fail(count, sizeof *order);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t other = (uint32_t)random_below(&random, i), last = order[i];
        order[i] = order[other];
        order[other] = last;
    }
    for (uint32_t i = 0; i < count; i++) lines[i].next = &lines[order[i]];
    free(order);
}

struct canary *canary_create(void)
{
    struct canary *canary = allocate_or_fail(1, sizeof *canary);
    canary->lines = aligned_alloc(64, CANARY_BYTES);
    if (!canary->lines) fatal("out of memory for the canary");
    link_lines(canary->lines, CANARY_BYTES / sizeof *canary->lines);
    canary->at = canary->lines;
    return canary;
}

void canary_destroy(struct canary *canary)
{
    if (!canary) return;
    free(canary->lines);
    free(canary);
}

double canary_ns_per_load(struct canary *canary)
{
    const struct canary_line *at = canary->at;
    uint64_t start_ns = thread_cpu_ns();
    for (int i = 0; i < CANARY_LOADS; i++) at = at->next;
    uint64_t elapsed_ns = thread_cpu_ns() - start_ns;
    canary->at = at; /* the next chase goes on from here, so the loop has a result */
    return (double)elapsed_ns / CANARY_LOADS;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

static int order_of_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double median_of(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, order_of_doubles);
    return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}
