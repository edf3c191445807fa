#include "engine/lab/judge.h"

static bool has_row(const uint32_t *rows, size_t count, uint32_t row)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i] == row) return true;
    return false;
}

/* The first row of the truth that is not there; at the end of an answer that is too short there is one. */
static size_t find_missing(const struct truth *truth, const uint32_t *rows, size_t count)
{
    for (size_t i = 0; i < truth->count; i++)
        if (!has_row(rows, count, truth->rows[i])) return truth->rows[i];
    return TRIAL_NO_ROW;
}

/* Whether an answer that is too short lacks just the row that should be at a place. */
static bool lacks(const struct truth *truth, const uint32_t *rows, size_t count, size_t place)
{
    return count < truth->count && !has_row(rows, count, truth->rows[place]);
}

bool judge_rows(const struct inquiry *inquiry, const struct truth *truth, const uint32_t *rows, size_t count,
                struct wrong *out_wrong)
{
    for (size_t i = 0; i < count; i++) {
        size_t expected = i < truth->count ? truth->rows[i] : TRIAL_NO_ROW;
        struct wrong wrong = { .place = i, .expected = expected, .found = rows[i], .kind = WRONG_SURPLUS };
        bool holds = truth_holds(inquiry, rows[i]);
        if (holds && i < truth->count && truth_order(inquiry, rows[i], expected) == 0) continue;
        if (holds) wrong.kind = lacks(truth, rows, count, i) ? WRONG_MISSING : WRONG_MISPLACED;
        return *out_wrong = wrong, false;
    }
    if (count == truth->count) return true;
    *out_wrong = (struct wrong){
        .kind = WRONG_MISSING, .place = count, .expected = find_missing(truth, rows, count), .found = TRIAL_NO_ROW
    };
    return false;
}
