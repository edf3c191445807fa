/*
 * options.h - the command line that all bench programs share.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/operations.h"

#define RUNS_MAX 99

struct options {
    uint64_t count; /* entries of L and T; P has a tenth as many collections of 20 */
    bool large;     /* ten million entries in L */
    size_t value_size;
    unsigned runs; /* 0: as many as the program finds good */
    uint64_t seed;
    unsigned shapes;        /* bits 1 << shape */
    const char *engines;    /* names joined by commas; NULL: all */
    const char *operations; /* likewise */
    int core;               /* -1: not pinned */
    int cores[THREADS_MAX]; /* for threads: that one first; -1 where there are no more */
    const char *json;       /* file to append to; NULL: none */
    const char *data_folder;
    bool verify;       /* compare with answers worked out from the sorted keys */
    bool instructions; /* count them under callgrind */
    bool huge_pages;   /* glibc's malloc is asked for 2 MiB pages */
    bool counting;     /* this process is the one that callgrind watches */
};

/* Prints and ends with code 0 on --help, with code 2 on what it does not understand. */
void options_parse(struct options *options, int argc, char **argv, const char *name, const char *about);

/* Whether the name is among those asked for. */
bool options_want_engine(const struct options *options, const char *engine);
bool options_want_operation(const struct options *options, const char *operation);

#endif
