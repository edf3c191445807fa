/*
 * report_html.h - the lab's findings as one page: a matrix of verdicts, the layouts, and each pattern with its plots, figures
 * and the first wrong answers.
 *
 * The page needs nothing else: style and plots are in it, it fetches nothing and runs no script. It is light or dark as the
 * reader's system is.
 */
#ifndef SHEAF_LAB_REPORT_HTML_H
#define SHEAF_LAB_REPORT_HTML_H

#include "engine/input/buffer.h"
#include "engine/lab/lab.h"

void report_html(const struct lab *lab, struct buffer *buffer);

#endif
