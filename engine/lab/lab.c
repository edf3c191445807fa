#include "engine/lab/lab.h"

#include <stdint.h>
#include <stdlib.h>

struct inquiry lab_inquiry(const struct lab *lab, size_t pattern, size_t run)
{
    return (struct inquiry){ lab->plan, &lab->records, &lab->plan->patterns[pattern], draws_run(&lab->draws[pattern], run) };
}

/* ---- progress ----------------------------------------------------------------------------------------------------------- */

/* Steps: the patterns once, then for each layout loading it, and the patterns. `layout` and `pattern` may be SIZE_MAX: none. */
static void tell(const struct lab *lab, const struct lab_options *options, size_t layout, size_t pattern)
{
    static const sheaf_bytes none = { NULL, 0 };
    const struct plan *plan = lab->plan;
    if (!options->on_step) return;
    size_t before = layout == SIZE_MAX ? 0 : plan->pattern_count + layout * (plan->pattern_count + 1) + 1;
    size_t step = pattern == SIZE_MAX ? before - 1 : before + pattern;
    options->on_step(options->context, step, plan->pattern_count + plan->layout_count * (plan->pattern_count + 1),
                     layout == SIZE_MAX ? none : plan->layouts[layout].name,
                     pattern == SIZE_MAX ? none : plan->patterns[pattern].name);
}

/* ---- what is asked, and what is right ----------------------------------------------------------------------------------- */

static bool find_truths(struct lab *lab, const struct lab_options *options, size_t pattern, struct complaint *complaint)
{
    tell(lab, options, SIZE_MAX, pattern);
    if (!draws_make(lab->plan, pattern, &lab->records, &lab->draws[pattern], complaint)) return false;
    size_t run_count = lab->draws[pattern].run_count;
    lab->truths[pattern] = allocate_zeroed(run_count, sizeof **lab->truths);
    for (size_t run = 0; run < run_count; run++) {
        struct inquiry inquiry = lab_inquiry(lab, pattern, run);
        truth_find(&inquiry, &lab->truths[pattern][run]);
    }
    return true;
}

/* ---- layouts ------------------------------------------------------------------------------------------------------------ */

static void try_layout(struct lab *lab, const struct lab_options *options, size_t layout, const struct keys *keys)
{
    struct loaded *loaded = &lab->loaded[layout];
    tell(lab, options, layout, SIZE_MAX);
    loaded_make(lab->plan, &lab->records, keys, loaded);
    for (size_t pattern = 0; pattern < lab->plan->pattern_count; pattern++) {
        tell(lab, options, layout, pattern);
        trial_make(lab->plan, &lab->records, pattern, loaded, &lab->draws[pattern], lab->truths[pattern], lab->has_measures,
                   &lab->trials[layout * lab->plan->pattern_count + pattern]);
    }
    sheaf_store_destroy(loaded->store);
    loaded->store = NULL;
}

static bool compile_all(const struct plan *plan, struct keys *keys, struct complaint *complaint)
{
    for (size_t i = 0; i < plan->layout_count; i++)
        if (!keys_compile(plan, i, &keys[i], complaint)) return false;
    return true;
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static bool prepare(struct lab *lab, const struct lab_options *options, struct complaint *complaint)
{
    if (!records_read(lab->plan, &lab->records, complaint)) return false;
    for (size_t pattern = 0; pattern < lab->plan->pattern_count; pattern++)
        if (!find_truths(lab, options, pattern, complaint)) return false;
    return true;
}

bool lab_run(const struct plan *plan, const struct lab_options *options, struct lab *out_lab, struct complaint *complaint)
{
    struct lab lab = { .plan = plan, .has_measures = !options->reproducible };
    struct keys *keys = allocate_zeroed(plan->layout_count, sizeof *keys);
    lab.draws = allocate_zeroed(plan->pattern_count, sizeof *lab.draws);
    lab.truths = allocate_zeroed(plan->pattern_count, sizeof *lab.truths);
    lab.loaded = allocate_zeroed(plan->layout_count, sizeof *lab.loaded);
    lab.trials = allocate_zeroed(plan->layout_count * plan->pattern_count, sizeof *lab.trials);
    bool ready = compile_all(plan, keys, complaint) && prepare(&lab, options, complaint);
    for (size_t layout = 0; layout < plan->layout_count; layout++) {
        if (ready) {
            try_layout(&lab, options, layout, &keys[layout]); /* which takes the keys */
        } else {
            keys_release(&keys[layout]);
        }
    }
    free(keys);
    if (ready) {
        *out_lab = lab;
    } else {
        lab_release(&lab);
    }
    return ready;
}

static void release_pattern(struct lab *lab, size_t pattern)
{
    for (size_t run = 0; lab->truths[pattern] && run < lab->draws[pattern].run_count; run++)
        truth_release(&lab->truths[pattern][run]);
    free(lab->truths[pattern]);
    draws_release(&lab->draws[pattern]);
}

void lab_release(struct lab *lab)
{
    if (!lab->plan) return;
    for (size_t i = 0; i < lab->plan->layout_count * lab->plan->pattern_count; i++) trial_release(&lab->trials[i]);
    for (size_t i = 0; i < lab->plan->layout_count; i++) loaded_release(&lab->loaded[i]);
    for (size_t i = 0; i < lab->plan->pattern_count; i++) release_pattern(lab, i);
    free(lab->trials);
    free(lab->loaded);
    free(lab->truths);
    free(lab->draws);
    records_release(&lab->records);
    *lab = (struct lab){ .plan = NULL };
}
