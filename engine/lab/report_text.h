/*
 * report_text.h - the lab's findings for a person at a terminal: a table of the layouts, then one for each pattern.
 */
#ifndef SHEAF_LAB_REPORT_TEXT_H
#define SHEAF_LAB_REPORT_TEXT_H

#include "engine/input/buffer.h"
#include "engine/lab/lab.h"

void report_text(const struct lab *lab, struct buffer *buffer);

#endif
