/*
 * report_gnuplot.h - the lab's figures as a script for gnuplot, with the data in it.
 *
 *     sheaf lab plan.json --gnuplot lab.gp; gnuplot lab.gp               draws lab.svg
 *     gnuplot -e "output_file='other.svg'" lab.gp                        draws other.svg
 *
 * One panel of entries read for each pattern, then keys and memory. Whoever wants them otherwise has the figures at hand.
 */
#ifndef SHEAF_LAB_REPORT_GNUPLOT_H
#define SHEAF_LAB_REPORT_GNUPLOT_H

#include "engine/input/buffer.h"
#include "engine/lab/lab.h"

void report_gnuplot(const struct lab *lab, struct buffer *buffer);

#endif
