#include "tests/support/thing.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"

static struct thing pool[THING_POOL];
static size_t pool_count;

void thing_reset(void)
{
    pool_count = 0;
}

struct thing *thing_new(char kind)
{
    EXPECT(pool_count < THING_POOL, "the pool is empty");
    struct thing *thing = &pool[pool_count++];
    memset(thing, 0, sizeof *thing);
    thing->kind = kind;
    return thing;
}

struct thing *thing_copy(const struct thing *thing)
{
    struct thing *copy = thing_new(thing->kind);
    *copy = *thing;
    for (size_t i = 0; i < thing->count; i++) copy->children[i] = thing_copy(thing->children[i]);
    return copy;
}

void thing_add(struct thing *container, const char *name, struct thing *child)
{
    EXPECT(container->count < THING_CHILD_MAX, "too many children");
    if (name) strcpy(container->names[container->count], name);
    container->children[container->count++] = child;
}

struct thing *thing_member(const struct thing *map, const char *name)
{
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->names[i], name) == 0) return map->children[i];
    return NULL;
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

static void draw_text(struct random *random, char text[THING_TEXT_MAX])
{
    size_t size = random_below(random, 4);
    for (size_t i = 0; i < size; i++) text[i] = (char)('a' + random_below(random, 2));
    text[size] = 0;
}

static void draw_members(struct random *random, struct thing *set)
{
    char kind = set->kind == 'S' ? 's' : 'n', kinds[] = { kind, 0 };
    for (size_t wanted = 1 + random_below(random, 3); wanted > 0; wanted--) {
        struct thing *member = thing_draw(random, kinds, 0);
        if (!thing_set_has(set, member)) thing_add(set, NULL, member);
    }
}

struct thing *thing_draw(struct random *random, const char *kinds, size_t depth)
{
    static const char *const names[] = { "a1", "b1", "c1", "d1" };
    char kind = kinds[random_below(random, (uint32_t)strlen(kinds))];
    if (depth == 0 && (kind == 'l' || kind == 'm') && strpbrk(kinds, "sntfz")) kind = strpbrk(kinds, "sntfz")[0];
    struct thing *thing = thing_new(kind);
    switch (kind) {
    case 's': draw_text(random, thing->text); break;
    case 'n': thing->number = (long)random_below(random, 7) - 3; break;
    case 'l':
        for (size_t left = depth == 0 ? 0 : random_below(random, 4); left > 0; left--)
            thing_add(thing, NULL, thing_draw(random, "sntfzlmSN", depth - 1));
        break;
    case 'm':
        for (size_t i = 0; i < 4 && depth > 0; i++)
            if (random_below(random, 3) > 0) thing_add(thing, names[i], thing_draw(random, "sntfzlmlmSN", depth - 1));
        break;
    case 'S':
    case 'N': draw_members(random, thing); break;
    }
    return thing;
}

/* ---- comparing -------------------------------------------------------------------------------------------------------- */

bool thing_set_has(const struct thing *set, const struct thing *member)
{
    for (size_t i = 0; i < set->count; i++)
        if (thing_equal(set->children[i], member)) return true;
    return false;
}

bool thing_equal(const struct thing *left, const struct thing *right)
{
    if (left->kind != right->kind || left->count != right->count) return false;
    if (left->kind == 's') return strcmp(left->text, right->text) == 0;
    if (left->kind == 'n') return left->number == right->number;
    for (size_t i = 0; i < left->count; i++) {
        const struct thing *other = right->children[i];
        if (left->kind == 'm') other = thing_member(right, left->names[i]);
        if (left->kind == 'S' || left->kind == 'N') {
            if (!thing_set_has(right, left->children[i])) return false;
        } else if (!other || !thing_equal(left->children[i], other)) {
            return false;
        }
    }
    return true;
}

/* ---- printing --------------------------------------------------------------------------------------------------------- */

static char *print_children(char *at, const struct thing *thing, const char *brackets)
{
    *at++ = brackets[0];
    for (size_t i = 0; i < thing->count; i++) {
        if (i > 0) *at++ = ',';
        if (thing->kind == 'm') at += sprintf(at, "%s:", thing->names[i]);
        at = thing_print(at, thing->children[i]);
    }
    *at++ = brackets[1];
    return at;
}

char *thing_print(char *at, const struct thing *thing)
{
    switch (thing->kind) {
    case 's': at += sprintf(at, "\"%s\"", thing->text); break;
    case 'n': at += sprintf(at, "%ld", thing->number); break;
    case 't': at += sprintf(at, "true"); break;
    case 'f': at += sprintf(at, "false"); break;
    case 'z': at += sprintf(at, "null"); break;
    case 'l': at = print_children(at, thing, "[]"); break;
    case 'm': at = print_children(at, thing, "{}"); break;
    case 'S':
    case 'N': at = print_children(at, thing, "<>"); break;
    }
    *at = 0;
    return at;
}
