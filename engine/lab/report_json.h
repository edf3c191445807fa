/*
 * report_json.h - the lab's findings for a program: JSON lines.
 *
 *     {"kind":"lab", ...}                     once: title, records, seed
 *     {"kind":"layout","layout":"padded",...} each layout: entries, bytes of keys and of memory, depth, findings
 *     {"kind":"answer","layout":...,"pattern":...}   each pattern on each layout: what came of it; sums over its runs
 *
 * A wrong answer is told of in words and in members: run and place from 1, the record that was expected there and that found
 * (null: none). Sums are whole numbers; units are halves at the least. What does not apply is not there.
 */
#ifndef SHEAF_LAB_REPORT_JSON_H
#define SHEAF_LAB_REPORT_JSON_H

#include "engine/input/buffer.h"
#include "engine/lab/lab.h"

void report_json(const struct lab *lab, struct buffer *buffer);

#endif
