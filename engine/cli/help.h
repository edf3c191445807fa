/*
 * help.h - what --help says. Its examples are run by the tests.
 */
#ifndef SHEAF_CLI_HELP_H
#define SHEAF_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* Texts in pieces, NULL behind the last. */
extern const char *const HELP_PROGRAM[];
extern const char *const HELP_QUERY[];
extern const char *const HELP_COLLECTIONS[];
extern const char *const HELP_ADVISE[];
extern const char *const HELP_LAB[];

/* Prints one of them. False if it could not be written. */
bool help_print(const char *const *help, FILE *file);

#endif
