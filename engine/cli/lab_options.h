/*
 * lab_options.h - the command line of sheaf lab.
 */
#ifndef SHEAF_CLI_LAB_OPTIONS_H
#define SHEAF_CLI_LAB_OPTIONS_H

#include <stdbool.h>

#include "engine/cli/options.h"
#include "engine/lab/plan.h"

struct lab_command_options {
    const char *plan; /* "-" is standard input */
    struct plan_overrides overrides;
    bool json;
    bool reproducible;
    bool quiet;
    const char *html; /* files to be written; NULL: none */
    const char *gnuplot;
};

/* Reads the arguments of main() from the command's name on. */
enum options_result lab_options_read(struct lab_command_options *options, int argc, char **argv);

#endif
