/*
 * expect.h - an assertion for hot loops, and the scene it reports.
 *
 * Criterion's own assertions send a message for each one that holds; a model test makes tens of millions. EXPECT costs a
 * branch. When it fails it prints the scene (what runs, seed, step, operation) and aborts, which fails the Criterion test, the
 * replay and the fuzz target alike.
 */
#ifndef TESTS_SUPPORT_EXPECT_H
#define TESTS_SUPPORT_EXPECT_H

#include <stdint.h>

/* What is being tried just now. One per process: Criterion runs each test in a process of its own. */
struct expect_scene {
    const char *name;
    uint64_t seed;
    uint64_t step;
    const char *operation;
};
extern struct expect_scene expect_scene;

__attribute__((noreturn, format(printf, 4, 5))) void expect_failed(const char *file, int line, const char *condition,
                                                                   const char *format, ...);

#define EXPECT(condition, ...) \
    ((condition) ? (void)0 : expect_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

#endif
