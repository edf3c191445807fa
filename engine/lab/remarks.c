#include "engine/lab/remarks.h"

#include "engine/base/bytes.h"
#include "engine/lab/words.h"

/* Takes `words`, and joins those who have said the same. */
static void add(struct remarks *remarks, const struct trial *trial, sheaf_bytes name, bool wrong, struct buffer *words)
{
    struct remark *remark = remarks->list;
    for (; remark < remarks->list + remarks->count; remark++)
        if (sheaf_bytes_equal(buffer_view(&remark->words), buffer_view(words))) break;
    if (remark == remarks->list + remarks->count) {
        *remark = (struct remark){ .words = *words, .wrong = wrong, .trial = trial };
        remarks->count++;
    } else {
        buffer_release(words);
    }
    if (remark->names.size > 0) buffer_append_text(&remark->names, "; ");
    buffer_append(&remark->names, name);
    remark->layout_count++;
}

/* Where all layouts share a remark their names say nothing. */
static void shorten(const struct lab *lab, struct remark *remark)
{
    if (remark->layout_count < 2 || remark->layout_count != lab->plan->layout_count) return;
    buffer_clear(&remark->names);
    buffer_append_text(&remark->names, "all");
}

static bool some_index_helps(const struct lab *lab, size_t pattern)
{
    for (size_t i = 0; i < lab->plan->layout_count; i++)
        if (!lab_trial(lab, i, pattern)->one_query) return true;
    return false;
}

void remarks_make(const struct lab *lab, size_t pattern, struct remarks *out_remarks)
{
    struct remarks *remarks = out_remarks;
    remarks->count = 0;
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct trial *trial = lab_trial(lab, i, pattern);
        struct buffer words = { 0 };
        if (trial->wrong_count == 0) continue;
        words_append_wrong(lab, i, pattern, &words);
        add(remarks, trial, lab->plan->layouts[i].name, true, &words);
    }
    for (size_t i = 0; i < lab->plan->layout_count; i++) {
        const struct trial *trial = lab_trial(lab, i, pattern);
        struct buffer words = { 0 };
        if (trial->one_query) continue;
        words_append_need(lab, i, pattern, &words);
        add(remarks, trial, lab->plan->layouts[i].name, false, &words);
    }
    for (size_t i = 0; i < remarks->count; i++) shorten(lab, &remarks->list[i]);
    if (some_index_helps(lab, pattern)) {
        struct buffer words = { 0 };
        words_append_index(lab->plan, &lab->plan->patterns[pattern], &words);
        add(remarks, NULL, sheaf_bytes_of(NULL, 0), false, &words);
    }
}

void remarks_release(struct remarks *remarks)
{
    for (size_t i = 0; i < remarks->count; i++) {
        buffer_release(&remarks->list[i].names);
        buffer_release(&remarks->list[i].words);
    }
    remarks->count = 0;
}
