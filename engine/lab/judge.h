/*
 * judge.h - an answer held against the truth.
 */
#ifndef SHEAF_LAB_JUDGE_H
#define SHEAF_LAB_JUDGE_H

#include "engine/lab/trial.h"

/* Whether `count` rows are a right answer; if not, what is wrong first. */
bool judge_rows(const struct inquiry *inquiry, const struct truth *truth, const uint32_t *rows, size_t count,
                struct wrong *out_wrong);

#endif
