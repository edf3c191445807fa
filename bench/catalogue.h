/*
 * catalogue.h - every operation on one engine that is timed or weighed, each part of one of five programs.
 *
 * A program runs those that bear its name; bench_all runs all but memory's, from one load of each kind, where each program of its
 * own would load anew.
 */
#ifndef BENCH_CATALOGUE_H
#define BENCH_CATALOGUE_H

#include "bench/operations.h"

extern const struct operation catalogue[];
extern const size_t catalogue_count;

#endif
