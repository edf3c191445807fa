/*
 * world.h - a plan and its records, in a folder that goes with the test.
 */
#ifndef TESTS_LAB_WORLD_H
#define TESTS_LAB_WORLD_H

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/lab/plan.h"
#include "engine/lab/records.h"

struct world {
    char folder[64];
    char file[96];
    struct plan plan;
    struct records records;
    struct complaint complaint;
};

/* Writes `lines` to a file and reads a plan; `fields` is what stands in "records" beside the file. */
static inline void world_plan(struct world *world, const char *lines, const char *fields, const char *layouts,
                              const char *patterns)
{
    char text[8192];
    *world = (struct world){ .file = "" };
    (void)snprintf(world->folder, sizeof world->folder, "%s/sheaf-lab-XXXXXX", P_tmpdir);
    cr_assert_not_null(mkdtemp(world->folder));
    (void)snprintf(world->file, sizeof world->file, "%s/records.tsv", world->folder);
    FILE *file = fopen(world->file, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(lines, file), 0);
    cr_assert_eq(fclose(file), 0);
    (void)snprintf(text, sizeof text, "{\"seed\":1,\"records\":{\"file\":\"%s\",%s},\"layouts\":%s,\"patterns\":%s}",
                   world->file, fields, layouts, patterns);
    cr_assert(plan_read(sheaf_bytes_of(text, strlen(text)), "", NULL, &world->plan, &world->complaint), "%s",
              world->complaint.text);
}

/* The same, and reads the records. */
static inline bool world_open(struct world *world, const char *lines, const char *fields, const char *patterns)
{
    world_plan(world, lines, fields, "[{\"name\":\"l\",\"layout\":\"sk = \\\"{a}\\\"\"}]", patterns);
    return records_read(&world->plan, &world->records, &world->complaint);
}

static inline void world_close(struct world *world)
{
    records_release(&world->records);
    plan_release(&world->plan);
    (void)unlink(world->file);
    (void)rmdir(world->folder);
}

#endif
