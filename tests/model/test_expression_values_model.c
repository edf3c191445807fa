/*
 * test_expression_values_model.c - random expressions on random items, against naive ones on trees of structs.
 *
 * Each expression is drawn together with what it means. Conditions are evaluated by recursion. Projections go through
 * the item and look for each part of it among the paths. Updates are done one after the other on a copy: what is
 * deleted from a list is marked and what comes behind it is kept aside until all is done. None of that is how the
 * engine does it.
 */
#include <sheaf/expression.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "tests/support/expect.h"
#include "tests/support/item_text.h"
#include "tests/support/random.h"
#include "tests/support/thing.h"

enum { PATH_MAX_DRAWN = 4, ACTION_MAX = 6, SLOT_MAX = 64, TEXT_MAX = 4096 };

static struct random choices;
static char line[TEXT_MAX], item_line[ITEM_TEXT_MAX], value_line[ITEM_TEXT_MAX];
static struct thing *item;   /* a map */
static struct thing *values; /* a map, each member a slot */
static sheaf_item_builder *builders[4];

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

struct step {
    bool is_index;
    char name[THING_TEXT_MAX];
    size_t index;
};

struct path {
    size_t count;
    struct step steps[PATH_MAX_DRAWN];
};

/* A step into a map or list that is there, or anywhere. */
static struct step draw_step(const struct thing *from, bool first)
{
    static const char *const names[] = { "a1", "b1", "c1", "d1" };
    struct step step = { .is_index = !first && random_once_in(&choices, 2), .index = random_below(&choices, 5) };
    strcpy(step.name, names[random_below(&choices, 4)]);
    if (!from || random_once_in(&choices, 6)) return step;
    if (from->kind == 'm' || from->kind == 'l') step.is_index = from->kind == 'l';
    if (from->count == 0) return step;
    step.index = random_below(&choices, (uint32_t)from->count + (random_once_in(&choices, 4) ? 3 : 0));
    if (from->kind == 'm') strcpy(step.name, from->names[step.index % from->count]);
    return step;
}

static struct thing *follow_step(const struct thing *thing, const struct step *step)
{
    if (step->is_index) return thing->kind == 'l' && step->index < thing->count ? thing->children[step->index] : NULL;
    return thing->kind == 'm' ? thing_member(thing, step->name) : NULL;
}

/* Most lead somewhere. */
static struct path draw_path(void)
{
    struct path path = { .count = 0 };
    const struct thing *at = item;
    size_t wanted = 1 + random_below(&choices, PATH_MAX_DRAWN);
    while (path.count < wanted) {
        path.steps[path.count] = draw_step(at, path.count == 0);
        at = at ? follow_step(at, &path.steps[path.count]) : NULL;
        path.count++;
        if ((!at || !strchr("lm", at->kind)) && !random_once_in(&choices, 8)) break;
    }
    return path;
}

static char *print_path(char *at, const struct path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        if (path->steps[i].is_index)
            at += sprintf(at, "[%zu]", path->steps[i].index);
        else
            at += sprintf(at, "%s%s", i > 0 ? "." : "", path->steps[i].name);
    }
    return at;
}

static struct thing *follow(struct thing *from, const struct path *path, size_t count)
{
    for (size_t i = 0; i < count && from; i++) from = follow_step(from, &path->steps[i]);
    return from;
}

static bool same_step(const struct step *left, const struct step *right)
{
    return left->is_index == right->is_index &&
           (left->is_index ? left->index == right->index : strcmp(left->name, right->name) == 0);
}

/* Whether two paths cannot stand in one projection or update. */
static bool clash(const struct path *left, const struct path *right)
{
    size_t i = 0;
    while (i < left->count && i < right->count && same_step(&left->steps[i], &right->steps[i])) i++;
    if (i == left->count || i == right->count) return true;
    return left->steps[i].is_index != right->steps[i].is_index;
}

/* ---- a case: expression, item, values ------------------------------------------------------------------------------- */

/* A new slot with a value of one of these kinds. */
static const struct thing *draw_value(const char *kinds, char *name)
{
    struct thing *value = thing_draw(&choices, kinds, 2);
    sprintf(name, "v%zu", values->count);
    thing_add(values, name, value);
    return value;
}

static void begin_case(uint64_t index, const char *what)
{
    expect_scene.step = index;
    expect_scene.operation = what;
    thing_reset();
    item = thing_draw(&choices, "m", 4);
    values = thing_new('m');
}

static sheaf_item build_item(void)
{
    thing_print(item_line, item);
    return (sheaf_item){ .record = item_text_build(builders[0], item_line) };
}

static sheaf_expression *parse(sheaf_expression_kind kind, sheaf_value *slots, sheaf_expression_fault *fault)
{
    static char placeholders[SLOT_MAX][16];
    sheaf_expression_value given[SLOT_MAX];
    sheaf_expression_source source = { .kind = kind, .text = sheaf_bytes_of(line, strlen(line)) };
    sheaf_expression *expression = NULL;
    sheaf_bytes name;
    size_t count = 0;
    thing_print(value_line, values);
    sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(item_text_build(builders[1], value_line)));
    for (; sheaf_value_next(&cursor, &name, &given[count].value); count++) {
        int size = sprintf(placeholders[count], ":%.*s", (int)name.size, (const char *)name.data);
        given[count].placeholder = sheaf_bytes_of(placeholders[count], (size_t)size);
    }
    if (sheaf_expression_create(&source, NULL, &expression, fault) != SHEAF_OK) return NULL;
    EXPECT(sheaf_expression_bind(expression, given, count, slots, fault) == SHEAF_OK, "%s: %s", line, fault->message);
    return expression;
}

/* The record of a tree. */
static sheaf_bytes record_of(const struct thing *thing)
{
    static char wanted_line[ITEM_TEXT_MAX];
    thing_print(wanted_line, thing);
    return item_text_build(builders[3], wanted_line);
}

static void expect_record(sheaf_bytes record, const struct thing *wanted)
{
    static char printed[ITEM_TEXT_MAX], wanted_text[ITEM_TEXT_MAX];
    sheaf_bytes expected = record_of(wanted);
    item_text_print(record, printed);
    item_text_print(expected, wanted_text);
    EXPECT(sheaf_bytes_equal(record, expected), "%s\n of %s\n with %s\n is %s\n not %s", line, item_line, value_line, printed,
           wanted_text);
    EXPECT(sheaf_item_check(record, NULL) == SHEAF_OK, "an unsound record");
}

/* ---- conditions ------------------------------------------------------------------------------------------------------- */

/* An operand: a value, nothing, or a size that there is none of. */
struct operand {
    const struct thing *thing;
    bool sizeless;
    struct thing size;
    struct path path; /* count 0: it is no path */
};

static char *draw_operand(char *at, const char *value_kinds, struct operand *out)
{
    uint32_t choice = random_below(&choices, value_kinds ? 5 : 3);
    memset(out, 0, sizeof *out);
    struct path path = draw_path();
    if (choice >= 3) {
        char name[16];
        out->thing = draw_value(value_kinds, name);
        return at + sprintf(at, ":%s", name);
    }
    out->thing = follow(item, &path, path.count);
    if (choice > 0 || !value_kinds) {
        out->path = path;
        return print_path(at, &path);
    }
    at = print_path(at + sprintf(at, "size("), &path);
    out->size.kind = 'n';
    out->sizeless = !out->thing || !strchr("slmSN", out->thing->kind);
    if (!out->sizeless) out->size.number = out->thing->kind == 's' ? (long)strlen(out->thing->text) : (long)out->thing->count;
    out->thing = &out->size;
    if (out->sizeless) out->thing = NULL;
    return at + sprintf(at, ")");
}

static bool equal(const struct operand *left, const struct operand *right)
{
    return left->thing && right->thing && thing_equal(left->thing, right->thing);
}

static bool ordered(const struct operand *left, const struct operand *right, int *out_order)
{
    const struct thing *one = left->thing, *two = right->thing;
    if (!one || !two || one->kind != two->kind || (one->kind != 's' && one->kind != 'n')) return false;
    *out_order = one->kind == 's' ? strcmp(one->text, two->text) : (one->number > two->number) - (one->number < two->number);
    return true;
}

static bool compare(const char *sign, const struct operand *left, const struct operand *right)
{
    int order;
    if (strcmp(sign, "=") == 0) return equal(left, right);
    if (strcmp(sign, "<>") == 0) return !left->sizeless && !right->sizeless && !equal(left, right);
    if (!ordered(left, right, &order)) return false;
    if (strcmp(sign, "<") == 0) return order < 0;
    if (strcmp(sign, "<=") == 0) return order <= 0;
    if (strcmp(sign, ">") == 0) return order > 0;
    return order >= 0;
}

/* The same path on both sides is refused: no such condition is drawn. */
static bool same_path(const struct operand *left, const struct operand *right)
{
    if (left->path.count == 0 || left->path.count != right->path.count) return false;
    for (size_t i = 0; i < left->path.count; i++)
        if (!same_step(&left->path.steps[i], &right->path.steps[i])) return false;
    return true;
}

static const char ANY[] = "sntfzlmSN";

static char *draw_comparison(char *at, bool *out_holds)
{
    static const char *const signs[] = { "=", "<>", "<", "<=", ">", ">=" };
    const char *sign = signs[random_below(&choices, 6)];
    const char *kinds = sign[0] == '=' || strcmp(sign, "<>") == 0 ? ANY : "sn";
    struct operand left, right;
    char first[256], second[256];
    do {
        *draw_operand(first, kinds, &left) = 0;
        *draw_operand(second, kinds, &right) = 0;
    } while (same_path(&left, &right));
    *out_holds = compare(sign, &left, &right);
    return at + sprintf(at, "%s %s %s", first, sign, second);
}

/* Bounds that are values are drawn in order and of one type, as they must be. */
static char *draw_between(char *at, bool *out_holds)
{
    struct operand first, low, high;
    char texts[3][256];
    int order;
    for (;;) {
        *draw_operand(texts[0], "sn", &first) = 0;
        *draw_operand(texts[1], "sn", &low) = 0;
        *draw_operand(texts[2], "sn", &high) = 0;
        if (same_path(&first, &low) || same_path(&first, &high)) continue;
        bool are_values = texts[1][0] == ':' && texts[2][0] == ':';
        if (!are_values || (ordered(&low, &high, &order) && order <= 0)) break;
    }
    *out_holds = compare(">=", &first, &low) && compare("<=", &first, &high);
    return at + sprintf(at, "%s BETWEEN %s AND %s", texts[0], texts[1], texts[2]);
}

static char *draw_in(char *at, bool *out_holds)
{
    struct operand first, other;
    char text[256];
    *draw_operand(text, ANY, &first) = 0;
    at += sprintf(at, "%s IN (", text);
    *out_holds = false;
    for (size_t left = 1 + random_below(&choices, 3); left > 0; left--) {
        do *draw_operand(text, ANY, &other) = 0;
        while (same_path(&first, &other));
        *out_holds = *out_holds || equal(&first, &other);
        at += sprintf(at, "%s%s", text, left > 1 ? "," : ")");
    }
    return at;
}

static bool contains(const struct thing *container, const struct thing *part)
{
    if (!container || !part) return false;
    if (container->kind == 's') return part->kind == 's' && strstr(container->text, part->text);
    if (container->kind == 'l' || container->kind == 'S' || container->kind == 'N') return thing_set_has(container, part);
    return false;
}

static char *draw_two(char *at, bool *out_holds)
{
    bool begins = random_once_in(&choices, 2);
    struct operand left, right;
    char first[256], second[256];
    do {
        *draw_operand(first, begins ? "s" : ANY, &left) = 0;
        *draw_operand(second, begins ? "s" : ANY, &right) = 0;
    } while (same_path(&left, &right) || (begins && (first[1] == 'i' || second[1] == 'i'))); /* no size of */
    if (begins) {
        *out_holds = left.thing && right.thing && left.thing->kind == 's' && right.thing->kind == 's' &&
                     strncmp(left.thing->text, right.thing->text, strlen(right.thing->text)) == 0;
    } else {
        *out_holds = contains(left.thing, right.thing);
    }
    return at + sprintf(at, "%s(%s, %s)", begins ? "begins_with" : "contains", first, second);
}

static char *draw_one(char *at, bool *out_holds)
{
    static const struct {
        char kind;
        const char *letters;
    } types[] = { { 's', "S" }, { 'n', "N" }, { 'z', "NULL" }, { 'l', "L" }, { 'm', "M" }, { 'S', "SS" }, { 'N', "NS" } };
    struct path path = draw_path();
    const struct thing *thing = follow(item, &path, path.count);
    uint32_t choice = random_below(&choices, 3);
    static const char *const names[] = { "attribute_exists", "attribute_not_exists", "attribute_type" };
    at = print_path(at + sprintf(at, "%s(", names[choice]), &path);
    if (choice < 2) {
        *out_holds = (thing != NULL) == (choice == 0);
        return at + sprintf(at, ")");
    }
    uint32_t type = random_below(&choices, sizeof types / sizeof *types);
    struct thing *value = thing_new('s');
    char name[16];
    strcpy(value->text, types[type].letters);
    sprintf(name, "v%zu", values->count);
    thing_add(values, name, value);
    *out_holds = thing && thing->kind == types[type].kind;
    return at + sprintf(at, ", :%s)", name);
}

/* Leaves side by side, AND binding before OR, and now and then a NOT before all of it. */
static char *draw_condition(char *at, bool *out_holds)
{
    static char *(*const leaves[])(char *, bool *) = { draw_comparison, draw_between, draw_in, draw_two, draw_one };
    bool negated = random_once_in(&choices, 4), any = false, all = true, holds;
    if (negated) at += sprintf(at, "NOT (");
    for (size_t left = 1 + random_below(&choices, 3); left > 0; left--) {
        at = leaves[random_below(&choices, 5)](at, &holds);
        all = all && holds;
        if (left > 1 && random_once_in(&choices, 2)) {
            at += sprintf(at, " OR ");
            any = any || all;
            all = true;
        } else if (left > 1) {
            at += sprintf(at, " AND ");
        }
    }
    if (negated) at += sprintf(at, ")");
    *out_holds = (any || all) != negated;
    return at;
}

static void run(const char *name, uint64_t count, void (*one)(uint64_t index))
{
    uint64_t seed = random_seed(name, 1);
    choices = random_from_seed(seed);
    expect_scene.name = name;
    expect_scene.seed = seed;
    for (size_t i = 0; i < 4; i++) EXPECT(sheaf_item_builder_create(NULL, &builders[i]) == SHEAF_OK, "a builder");
    for (uint64_t i = 0; i < random_scaled(count); i++) one(i);
    for (size_t i = 0; i < 4; i++) sheaf_item_builder_destroy(builders[i]);
}

static size_t true_count, false_count;

static void try_condition(uint64_t index)
{
    bool wanted;
    sheaf_value slots[SLOT_MAX];
    sheaf_expression_fault fault = { .message = "" };
    begin_case(index, line);
    draw_condition(line, &wanted);
    sheaf_item built = build_item();
    sheaf_expression *expression = parse(SHEAF_EXPRESSION_CONDITION, slots, &fault);
    EXPECT(expression, "%s: %s", line, fault.message);
    EXPECT(sheaf_expression_holds(expression, slots, &built) == wanted, "%s\n of %s\n with %s\n is not %d", line, item_line,
           value_line, wanted);
    *(wanted ? &true_count : &false_count) += 1;
    sheaf_expression_destroy(expression);
}

Test(expression_values_model, conditions)
{
    run("expression conditions", 20000, try_condition);
    cr_assert_gt(true_count * 20, false_count, "%zu hold, %zu do not", true_count, false_count);
    cr_assert_gt(false_count * 20, true_count);
}

/* ---- projections ------------------------------------------------------------------------------------------------------ */

static struct path paths[ACTION_MAX];
static size_t path_count;
static size_t shown_count, clash_count;

/* What is left of a thing when only the chosen paths are kept, `depth` steps of which are behind. NULL: nothing. */
static struct thing *keep(struct thing *thing, const bool *chosen, size_t depth)
{
    bool is_map = thing->kind == 'm';
    for (size_t i = 0; i < path_count; i++)
        if (chosen[i] && paths[i].count == depth) return thing_copy(thing);
    if (!is_map && thing->kind != 'l') return NULL;
    struct thing *kept = thing_new(thing->kind);
    for (size_t child = 0; child < thing->count; child++) {
        bool narrowed[ACTION_MAX], any = false;
        for (size_t i = 0; i < path_count; i++) {
            const struct step *step = chosen[i] ? &paths[i].steps[depth] : NULL;
            narrowed[i] = step && step->is_index != is_map &&
                          (is_map ? strcmp(step->name, thing->names[child]) == 0 : step->index == child);
            any = any || narrowed[i];
        }
        struct thing *inner = any ? keep(thing->children[child], narrowed, depth + 1) : NULL;
        if (inner) thing_add(kept, is_map ? thing->names[child] : NULL, inner);
    }
    return kept->count > 0 || depth == 0 ? kept : NULL;
}

static bool draw_paths(void)
{
    bool clashes = false;
    path_count = 1 + random_below(&choices, ACTION_MAX - 1);
    for (size_t i = 0; i < path_count; i++) {
        paths[i] = draw_path();
        for (size_t j = 0; j < i; j++) clashes = clashes || clash(&paths[i], &paths[j]);
    }
    return !clashes;
}

static void try_projection(uint64_t index)
{
    char *at = line;
    bool all[ACTION_MAX] = { true, true, true, true, true, true };
    sheaf_expression_fault fault = { .message = "" };
    sheaf_bytes record;
    begin_case(index, line);
    bool sound = draw_paths();
    for (size_t i = 0; i < path_count; i++) at = print_path(at + sprintf(at, i > 0 ? ", " : ""), &paths[i]);
    sheaf_item built = build_item();
    sheaf_expression *expression = parse(SHEAF_EXPRESSION_PROJECTION, NULL, &fault);
    EXPECT((expression != NULL) == sound, "%s: %s", line, fault.message);
    clash_count += !sound;
    if (!expression) return;
    sheaf_item_begin(builders[2]);
    sheaf_expression_project(expression, &built, builders[2]);
    EXPECT(sheaf_item_end(builders[2], &record, NULL) == SHEAF_OK, "%s", line);
    struct thing *wanted = keep(item, all, 0);
    expect_record(record, wanted);
    shown_count += wanted->count > 0;
    sheaf_expression_destroy(expression);
}

Test(expression_values_model, projections)
{
    run("expression projections", 20000, try_projection);
    cr_assert_gt(shown_count * 10, clash_count, "%zu showed something, %zu were refused", shown_count, clash_count);
    cr_assert_gt(clash_count * 10, shown_count);
}

/* ---- updates ---------------------------------------------------------------------------------------------------------- */

/* What comes behind a list when all is done. */
struct later {
    struct thing *list;
    size_t index;
    struct thing *value;
};

static struct thing *updated;
static struct later later[ACTION_MAX];
static size_t later_count;
static bool at_fault;
static size_t done_count, fault_count;

static struct thing *blame(void)
{
    at_fault = true;
    return thing_new('z');
}

static struct thing *calculate(const struct thing *left, char sign, const struct thing *right)
{
    if (!left || !right || left->kind != 'n' || right->kind != 'n') return blame();
    struct thing *result = thing_new('n');
    result->number = sign == '+' ? left->number + right->number : left->number - right->number;
    return result;
}

static struct thing *join(const struct thing *left, const struct thing *right)
{
    if (!left || !right || left->kind != 'l' || right->kind != 'l') return blame();
    struct thing *result = thing_copy(left);
    for (size_t i = 0; i < right->count; i++) thing_add(result, NULL, thing_copy(right->children[i]));
    return result;
}

/* The right side of a SET, and what it comes to. */
static char *draw_right_side(char *at, struct thing **out_value)
{
    char name[16];
    struct path path = draw_path(), other = draw_path();
    uint32_t choice = random_below(&choices, 7);
    const char *wanted = choice < 2 ? NULL : choice < 4 ? "n" : "l"; /* what is mostly to be there */
    for (size_t tries = 0; wanted && tries < 20; tries++) {
        const struct thing *one = follow(item, &path, path.count), *two = follow(item, &other, other.count);
        if (!one || one->kind != wanted[0]) path = draw_path();
        if (!two || two->kind != wanted[0]) other = draw_path();
    }
    struct thing *there = follow(item, &path, path.count), *second = follow(item, &other, other.count);
    const struct thing *value;
    switch (choice) {
    case 0:
        at = print_path(at, &path);
        *out_value = there ? thing_copy(there) : blame();
        return at;
    case 1:
        value = draw_value(ANY, name);
        at = print_path(at + sprintf(at, "if_not_exists("), &path);
        *out_value = thing_copy(there ? there : value);
        return at + sprintf(at, ", :%s)", name);
    case 2:
        value = draw_value("n", name);
        at = print_path(at, &path);
        *out_value = calculate(there, '+', value);
        return at + sprintf(at, " + :%s", name);
    case 3:
        value = draw_value("n", name);
        at = print_path(at + sprintf(at, "(:%s - ", name), &path);
        *out_value = calculate(value, '-', there);
        return at + sprintf(at, ")");
    case 4:
        value = draw_value("l", name);
        at = print_path(at + sprintf(at, "list_append(:%s, ", name), &path);
        *out_value = join(value, there);
        return at + sprintf(at, ")");
    case 5:
        value = draw_value("l", name);
        at = print_path(at + sprintf(at, "list_append(if_not_exists("), &path);
        at = print_path(at + sprintf(at, ", :%s), ", name), &other);
        *out_value = join(there ? there : value, second);
        return at + sprintf(at, ")");
    }
    value = draw_value(ANY, name);
    *out_value = thing_copy(value);
    return at + sprintf(at, ":%s", name);
}

static struct thing *unite(const struct thing *old, const struct thing *given)
{
    struct thing *result = thing_copy(old);
    for (size_t i = 0; i < given->count; i++)
        if (!thing_set_has(old, given->children[i])) thing_add(result, NULL, thing_copy(given->children[i]));
    return result;
}

/* NULL: nothing is left. */
static struct thing *subtract(const struct thing *old, const struct thing *given)
{
    struct thing *result = thing_new(old->kind);
    for (size_t i = 0; i < old->count; i++)
        if (!thing_set_has(given, old->children[i])) thing_add(result, NULL, thing_copy(old->children[i]));
    return result->count > 0 ? result : NULL;
}

/* What ADD and DELETE make of what is there. */
static struct thing *combine(char section, struct thing *old, const struct thing *given)
{
    if (!old) return section == 'A' ? thing_copy(given) : NULL;
    if (old->kind != given->kind) return blame();
    if (given->kind == 'n') return calculate(old, '+', given);
    return section == 'A' ? unite(old, given) : subtract(old, given);
}

/* Puts a value, or nothing, at a path of the copy. */
static void put(const struct path *path, struct thing *value)
{
    const struct step *last = &path->steps[path->count - 1];
    struct thing *parent = follow(updated, path, path->count - 1);
    if (!parent || parent->kind != (last->is_index ? 'l' : 'm')) {
        at_fault = true;
        return;
    }
    if (last->is_index && last->index >= parent->count) {
        if (value) later[later_count++] = (struct later){ parent, last->index, value };
        return;
    }
    for (size_t i = 0; i < parent->count; i++) {
        if (last->is_index ? i != last->index : strcmp(parent->names[i], last->name) != 0) continue;
        if (value)
            parent->children[i] = value;
        else
            parent->children[i]->deleted = true;
        return;
    }
    if (value) thing_add(parent, last->name, value);
}

static int by_index(const void *left, const void *right)
{
    size_t one = ((const struct later *)left)->index, two = ((const struct later *)right)->index;
    return (one > two) - (one < two);
}

static void drop_deleted(struct thing *thing)
{
    size_t kept = 0;
    for (size_t i = 0; i < thing->count; i++) {
        if (thing->children[i]->deleted) continue;
        drop_deleted(thing->children[i]);
        thing->children[kept] = thing->children[i];
        memmove(thing->names[kept++], thing->names[i], sizeof thing->names[i]);
    }
    thing->count = kept;
}

/* The sections in any order, each with some of the paths; does what they say. */
static void draw_update(void)
{
    static const char *const orders[] = { "SRAD", "DARS", "RSDA", "ASDR" };
    static const char *const words[] = { ['S'] = "SET", ['R'] = "REMOVE", ['A'] = "ADD", ['D'] = "DELETE" };
    const char *order = orders[random_below(&choices, 4)];
    char sections[ACTION_MAX], *at = line;
    for (size_t i = 0; i < path_count; i++) {
        const struct thing *old = follow(item, &paths[i], paths[i].count);
        sections[i] = "SSSRAD"[random_below(&choices, 6)];
        bool suits = !old || strchr(sections[i] == 'A' ? "nSN" : "SN", old->kind);
        if (strchr("AD", sections[i]) && !suits && !random_once_in(&choices, 8)) sections[i] = 'S';
    }
    for (; *order; order++) {
        bool first = true;
        for (size_t i = 0; i < path_count; i++) {
            char name[16];
            struct thing *value = NULL;
            if (sections[i] != *order) continue;
            at += sprintf(at, "%s ", first ? words[(unsigned char)*order] : ",");
            at = print_path(at, &paths[i]);
            first = false;
            if (*order == 'S') {
                at = draw_right_side(at + sprintf(at, " = "), &value);
            } else if (*order != 'R') {
                struct thing *old = follow(item, &paths[i], paths[i].count);
                char same[] = { old ? old->kind : 'S', 0 };
                bool fits = strchr(*order == 'A' ? "nSN" : "SN", same[0]) && !random_once_in(&choices, 8);
                const struct thing *given = draw_value(fits ? same : *order == 'A' ? "nSN" : "SN", name);
                at += sprintf(at, " :%s", name);
                value = combine(*order, old, given);
            }
            put(&paths[i], value);
            at += sprintf(at, " ");
        }
    }
}

static void try_update(uint64_t index)
{
    sheaf_value slots[SLOT_MAX];
    sheaf_expression_fault fault = { .message = "" };
    sheaf_bytes record;
    begin_case(index, line);
    while (!draw_paths()) continue;
    updated = thing_copy(item);
    later_count = 0;
    at_fault = false;
    draw_update();
    qsort(later, later_count, sizeof *later, by_index);
    for (size_t i = 0; i < later_count; i++) thing_add(later[i].list, NULL, later[i].value);
    drop_deleted(updated);
    sheaf_item built = build_item();
    sheaf_expression *expression = parse(SHEAF_EXPRESSION_UPDATE, slots, &fault);
    EXPECT(expression, "%s: %s", line, fault.message);
    sheaf_status status = sheaf_expression_update(expression, slots, &built, builders[2], &record, &fault);
    EXPECT(status == (at_fault ? SHEAF_EXPRESSION_REFUSED : SHEAF_OK), "%s\n of %s\n with %s: %s", line, item_line, value_line,
           fault.message);
    if (!at_fault) expect_record(record, updated);
    *(at_fault ? &fault_count : &done_count) += 1;
    sheaf_expression_destroy(expression);
}

Test(expression_values_model, updates)
{
    run("expression updates", 40000, try_update);
    cr_assert_gt(done_count * 4, fault_count, "%zu done, %zu at fault", done_count, fault_count);
    cr_assert_gt(fault_count * 4, done_count);
}
