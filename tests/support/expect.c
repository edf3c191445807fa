#include "tests/support/expect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct expect_scene expect_scene = { .name = "?", .operation = "?" };

void expect_failed(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: expected %s: ", file, line, condition);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n  in %s, SHEAF_SEED=%" PRIu64 ", step %" PRIu64 ", operation %s\n", expect_scene.name,
            expect_scene.seed, expect_scene.step, expect_scene.operation);
    va_end(arguments);
    fflush(stderr);
    abort();
}
