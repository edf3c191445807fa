#include "bench/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char *format, va_list arguments)
{
    fflush(stdout);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    exit(1);
}

void fatal_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    exit(2);
}

void *allocate_or_fail(unsigned long long count, unsigned long long size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) fatal("out of memory (%llu times %llu bytes)", count, size);
    return memory;
}
