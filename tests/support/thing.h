/*
 * thing.h - values as trees of structs, too simple to be wrong: the model of what a record holds.
 *
 * Strings and names are short, numbers whole. Everything is drawn and copied in one pool, emptied as a whole.
 */
#ifndef TESTS_SUPPORT_THING_H
#define TESTS_SUPPORT_THING_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/random.h"

enum { THING_CHILD_MAX = 64, THING_TEXT_MAX = 8, THING_POOL = 4096 };

/* s string, n number, t true, f false, z null, l list, m map, S set of strings, N set of numbers. */
struct thing {
    char kind;
    char text[THING_TEXT_MAX];
    long number;
    size_t count;
    struct thing *children[THING_CHILD_MAX];
    char names[THING_CHILD_MAX][THING_TEXT_MAX]; /* of a map's */
    bool deleted;
};

/* Empties the pool. */
void thing_reset(void);

struct thing *thing_new(char kind);
struct thing *thing_copy(const struct thing *thing);

/* A value of one of these kinds, not more than `depth` levels deep. */
struct thing *thing_draw(struct random *random, const char *kinds, size_t depth);

void thing_add(struct thing *container, const char *name, struct thing *child);

/* The member of a map, or NULL. */
struct thing *thing_member(const struct thing *map, const char *name);

/* Whether a set has a member like this. */
bool thing_set_has(const struct thing *set, const struct thing *member);

bool thing_equal(const struct thing *left, const struct thing *right);

/* As item_text.h reads it. Returns where the text ends. */
char *thing_print(char *at, const struct thing *thing);

#endif
