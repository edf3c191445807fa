/*
 * advice_judge.c - the rules, each from what was counted.
 *
 * Thresholds, and why: a segment is one of numbers (times) when nine of ten are: ids that happen to be digits are not. A rule
 * about collections wants a thousand entries in ten collections, a quarter of the whole and ten times the usual: the largest
 * country has a ninth of the world's towns, and that is no fault.
 */
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/key/advice.h"

enum { ALIKE_TENTHS = 9, GROWN_SHARE = 20, FEW = 20, SHARE = 4, ENTRIES_LEAST = 1000, COLLECTIONS_LEAST = 10, TIMES_THE_USUAL = 10 };

/* ---- findings --------------------------------------------------------------------------------------------------------- */

/* A place to write a finding to; the last one over and over once there is no more. */
static struct advice_finding *add(struct sheaf_adviser *adviser, const struct advice_side *side, struct advice_group *group,
                                  sheaf_finding finding)
{
    size_t at = adviser->finding_count < ADVICE_FINDINGS ? adviser->finding_count++ : ADVICE_FINDINGS - 1;
    struct advice_finding *added = &adviser->findings[at];
    if (side) finding.field = side->field;
    if (group) {
        finding.entity = sheaf_bytes_of(group->entity, group->entity_size);
        finding.of_count = group->count;
    }
    added->finding = finding;
    return added;
}

static void show_one(struct advice_finding *finding, const struct advice_example *example)
{
    finding->finding.example_count = 1;
    finding->finding.examples[0] = sheaf_advice_example_key(example);
}

/* The lower one first. */
static void show_two(struct advice_finding *finding, const struct advice_example *one, const struct advice_example *other)
{
    sheaf_bytes left = sheaf_advice_example_key(one), right = sheaf_advice_example_key(other);
    bool in_order = sheaf_bytes_order(left, right) <= 0;
    finding->finding.example_count = 2;
    finding->finding.examples[0] = in_order ? left : right;
    finding->finding.examples[1] = in_order ? right : left;
}

/* What stands before the segment of `model`, then the segment of `piece`. */
static sheaf_bytes make(uint8_t *made, const struct advice_example *model, const struct advice_example *piece)
{
    sheaf_bytes segment = sheaf_advice_example_segment(piece);
    size_t size = sheaf_size_min(segment.size, (size_t)(SHEAF_ADVICE_EXAMPLE_SIZE_MAX - model->begin));
    memcpy(made, model->bytes, model->begin);
    if (size > 0) memcpy(made + model->begin, segment.data, size);
    return sheaf_bytes_of(made, model->begin + size);
}

/* ---- pairs in the wrong order ----------------------------------------------------------------------------------------- */

/* Whole keys, if what stands before the segments leaves the order to them; else one beginning with both segments behind it. */
static void show_pair(struct advice_finding *finding, const struct advice_wrong *wrong)
{
    const struct advice_example *low_example = &wrong->pair[0], *high_example = &wrong->pair[1];
    sheaf_bytes low = sheaf_advice_example_key(low_example), high = sheaf_advice_example_key(high_example);
    bool same_before = low_example->begin == high_example->begin && memcmp(low.data, high.data, low_example->begin) == 0;
    finding->finding.example_count = 2;
    finding->finding.examples_are_made = !same_before || sheaf_bytes_order(low, high) >= 0;
    if (finding->finding.examples_are_made) {
        low = make(finding->made[0], low_example, low_example);
        high = make(finding->made[1], low_example, high_example);
    }
    finding->finding.examples[0] = low;
    finding->finding.examples[1] = high;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

struct place {
    struct sheaf_adviser *adviser;
    const struct advice_side *side;
    struct advice_group *group;
    const struct advice_segment *segment;
    size_t number; /* of the segment, from 1, as the key is written */
};

static struct advice_finding *add_here(const struct place *place, sheaf_rule rule, sheaf_severity severity, uint64_t key_count,
                                       const char *message)
{
    sheaf_finding finding = { .rule = rule, .severity = severity, .segment = place->number, .key_count = key_count,
                              .message = message };
    struct advice_finding *added = add(place->adviser, place->side, place->group, finding);
    if (place->side == &place->adviser->sort)
        added->finding.repair = sheaf_bytes_of(place->group->repair, strlen(place->group->repair));
    return added;
}

static bool mostly(uint64_t part, uint64_t whole)
{
    return part > 0 && part * 10 >= whole * ALIKE_TENTHS;
}

static size_t count_widths(const struct advice_segment *segment)
{
    size_t count = 0;
    for (size_t i = 0; i < ADVICE_WIDTHS; i++) count += segment->widths[i].count > 0;
    return count;
}

/* Two of different width that happen to be in order, when no two are out of it. */
static void show_widths(struct advice_finding *finding, const struct advice_segment *segment)
{
    const struct advice_extremes *found[2] = { NULL, NULL };
    size_t count = 0;
    for (size_t i = 0; i < ADVICE_WIDTHS && count < 2; i++)
        if (segment->widths[i].count > 0) found[count++] = &segment->widths[i];
    if (count == 2) show_two(finding, &found[0]->least, &found[1]->least);
}

static void judge_widths(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    bool padded = segment->zero_led_count > 0, wrong = segment->wrong[WRONG_WIDTHS].is_there;
    if (padded && !segment->mixes_widths) return; /* each collection has its own width */
    uint64_t odd_count = segment->digits_count - segment->widths[sheaf_advice_width_usual(segment) - 1].count;
    struct advice_finding *finding = padded
        ? add_here(place, SHEAF_RULE_MIXED_WIDTHS, wrong ? SHEAF_ERROR : SHEAF_WARNING, odd_count,
                   "Numbers in this place have different widths, though some are padded")
        : add_here(place, SHEAF_RULE_UNPADDED_NUMBERS, wrong ? SHEAF_ERROR : SHEAF_WARNING, segment->digits_count,
                   "Numbers in this place are not padded, and sort by their digits from the left");
    if (wrong) show_pair(finding, &segment->wrong[WRONG_WIDTHS]);
    else show_widths(finding, segment);
}

/* What counts or grows fills the lower part of its padding, and few have come to the last tenth. Of numbers drawn evenly a tenth
 * are there, of inverted ones most. */
static void judge_narrow(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    size_t width = sheaf_advice_width_usual(segment);
    if (width < 2 || segment->zero_led_count == 0 || segment->high_count == 0) return;
    if (segment->high_count * GROWN_SHARE >= segment->digits_count) return;
    struct advice_finding *finding = add_here(place, SHEAF_RULE_NARROW_NUMBERS, SHEAF_WARNING, segment->high_count,
                                              "Numbers in this place are about to outgrow their width");
    show_one(finding, &segment->widths[width - 1].greatest);
}

/* Decimals with the same digits around the point everywhere are fine. */
static bool forms_are_fine(const struct advice_segment *segment)
{
    if (segment->forms.count > 0) return false;
    if (segment->decimals.count == 0) return true;
    return segment->digits_count == 0 && segment->whole_least == segment->whole_most &&
           segment->fraction_least == segment->fraction_most;
}

static void judge_forms(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    if (forms_are_fine(segment)) return;
    bool wrong = segment->wrong[WRONG_FORMS].is_there;
    struct advice_finding *finding = add_here(place, SHEAF_RULE_NUMBER_FORMS, wrong ? SHEAF_ERROR : SHEAF_WARNING,
                                              segment->forms.count + segment->decimals.count,
                                              "Numbers in this place have signs, points or exponents, which do not sort by value");
    if (wrong) show_pair(finding, &segment->wrong[WRONG_FORMS]);
    else show_one(finding, segment->forms.count > 0 ? &segment->forms.least : &segment->decimals.least);
}

static void judge_numbers(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    uint64_t odd_count = segment->forms.count + segment->decimals.count;
    if (!mostly(segment->digits_count + odd_count, segment->count)) return;
    judge_forms(place);
    if (segment->digits_count > 0 && count_widths(segment) > 1) judge_widths(place);
    else if (segment->digits_count > 0) judge_narrow(place);
}

/* ---- times ------------------------------------------------------------------------------------------------------------ */

static size_t usual_format(const struct advice_segment *segment)
{
    size_t usual = 0;
    for (size_t i = 1; i < segment->format_count; i++)
        if (segment->formats[i].extremes.count > segment->formats[usual].extremes.count) usual = i;
    return usual;
}

static void judge_formats(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    size_t usual = usual_format(segment);
    uint64_t odd_count = segment->time_count - segment->formats[usual].extremes.count;
    bool unpadded = segment->formats[usual].format & ADVICE_FORMAT_UNPADDED, wrong = segment->wrong[WRONG_TIMES].is_there;
    if (segment->format_count < 2 && !unpadded) return;
    struct advice_finding *finding = add_here(place, SHEAF_RULE_MIXED_TIMES, wrong ? SHEAF_ERROR : SHEAF_WARNING,
                                              unpadded ? segment->time_count : odd_count,
                                              "Times in this place are written in different formats, precisions or zones");
    if (wrong) show_pair(finding, &segment->wrong[WRONG_TIMES]);
    else if (segment->format_count > 1)
        show_two(finding, &segment->formats[0].extremes.least, &segment->formats[1].extremes.least);
    else show_one(finding, &segment->formats[usual].extremes.least);
}

/* Some as dates, some as numbers of seconds. */
static void judge_dates_and_counts(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    uint64_t odd_count = segment->time_count < segment->digits_count ? segment->time_count : segment->digits_count;
    struct advice_finding *finding = add_here(place, SHEAF_RULE_MIXED_TIMES, SHEAF_ERROR, odd_count,
                                              "Times in this place are dates in some keys and numbers in others");
    show_two(finding, &segment->formats[0].extremes.least,
             &segment->widths[sheaf_advice_width_usual(segment) - 1].least);
}

static void judge_times(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    if (segment->time_count == 0) return;
    if (mostly(segment->time_count, segment->count)) judge_formats(place);
    if (segment->digits_count > 0 && mostly(segment->time_count + segment->digits_count, segment->count))
        judge_dates_and_counts(place);
}

static void judge_hex(const struct place *place)
{
    const struct advice_segment *segment = place->segment;
    uint64_t lower = segment->hex_lower.count, upper = segment->hex_upper.count;
    if (lower == 0 || upper == 0 || (lower + upper) * 2 < segment->count) return;
    struct advice_finding *finding = add_here(place, SHEAF_RULE_MIXED_CASE, SHEAF_WARNING, lower < upper ? lower : upper,
                                              "Hexadecimal digits in this place are in upper case in some keys and in lower case in others");
    show_two(finding, &segment->hex_lower.least, &segment->hex_upper.least);
}

/* ---- keys of one entity ----------------------------------------------------------------------------------------------- */

/* Whether keys are paths: most of those that are not written with another delimiter. A name may have a slash in it. */
static bool are_paths(const struct advice_side *side)
{
    uint64_t paths = 0, others = 0;
    for (size_t i = 0; i < side->group_count; i++) {
        const struct advice_group *group = side->groups[i];
        if (group->is_path) paths += group->count;
        else if (group->delimiter == 0) others += group->count;
    }
    return paths > 0 && paths >= others;
}

static void judge_tally(const struct place *place, const struct advice_tally *tally, sheaf_rule rule, sheaf_severity severity,
                        const char *message)
{
    if (tally->count == 0) return;
    struct advice_finding *finding = add_here(place, rule, severity, tally->count, message);
    finding->finding.repair = sheaf_bytes_of(NULL, 0);
    show_one(finding, &tally->first);
}

/* More segments than usual: a delimiter within one. Fewer may be the item that heads the others. */
static void judge_counts(const struct place *place)
{
    const struct advice_group *group = place->group;
    size_t usual = 0;
    uint64_t more = 0, fewer = 0;
    const struct advice_tally *example = NULL;
    for (size_t i = 1; i < ADVICE_COUNTS; i++)
        if (group->segment_counts[i].count > group->segment_counts[usual].count) usual = i;
    for (size_t i = 0; i < ADVICE_COUNTS; i++) {
        if (i == usual || group->segment_counts[i].count == 0) continue;
        *(i > usual ? &more : &fewer) += group->segment_counts[i].count;
        if (!example || i > usual) example = &group->segment_counts[i];
    }
    if (group->count < FEW || group->segment_counts[usual].count * 5 < group->count * 4 || !example) return;
    struct advice_finding *finding = more > 0
        ? add_here(place, SHEAF_RULE_SEGMENT_COUNT, SHEAF_WARNING, more + fewer,
                   "Some keys have more segments than the others: a value may contain the delimiter")
        : add_here(place, SHEAF_RULE_SEGMENT_COUNT, SHEAF_NOTE, fewer, "Some keys have fewer segments than the others");
    show_two(finding, &group->segment_counts[usual].first, &example->first);
}

static void judge_utf16(const struct place *place)
{
    const struct advice_group *group = place->group;
    if (group->utf16_pair[0].size == 0) return;
    struct advice_finding *finding = add_here(place, SHEAF_RULE_UTF16_ORDER, SHEAF_NOTE, group->astral.count,
                                              "Strings of UTF-16 sort these keys otherwise");
    finding->finding.repair = sheaf_bytes_of(NULL, 0);
    finding->finding.example_count = 2;
    for (size_t i = 0; i < 2; i++) finding->finding.examples[i] = sheaf_advice_example_key(&group->utf16_pair[i]);
}

static void judge_segments(struct place place)
{
    size_t first = place.group->entity_size > 0 ? 2 : 1; /* the entity is the first as the key is written */
    for (size_t i = 0; i < ADVICE_SEGMENTS; i++) {
        place.segment = &place.group->segments[i];
        place.number = first + i;
        if (place.segment->count == 0) continue;
        if (place.side == &place.adviser->sort) { /* partition keys are not sorted by */
            judge_numbers(&place);
            judge_times(&place);
        }
        judge_hex(&place);
    }
}

static void judge_group(struct sheaf_adviser *adviser, const struct advice_side *side, struct advice_group *group)
{
    struct place place = { .adviser = adviser, .side = side, .group = group };
    sheaf_advice_repair(group);
    judge_tally(&place, &group->too_long, SHEAF_RULE_LONG_KEY, SHEAF_ERROR, "Keys are longer than DynamoDB takes");
    judge_tally(&place, &group->long_keys, SHEAF_RULE_LONG_KEY, SHEAF_WARNING, "Keys are nearly as long as DynamoDB takes");
    if (adviser->binary && side == &adviser->sort) return;
    judge_tally(&place, &group->no_text, SHEAF_RULE_NOT_UTF8, SHEAF_ERROR, "Keys are not UTF-8");
    if (!group->is_path || are_paths(side)) {
        judge_tally(&place, &group->blank, SHEAF_RULE_BLANKS, SHEAF_WARNING,
                    "Segments begin or end with a blank, or hold control characters");
        judge_tally(&place, &group->empty, SHEAF_RULE_EMPTY_SEGMENT, SHEAF_WARNING, "Segments are empty");
    }
    judge_utf16(&place);
    if (!group->is_path && group->delimiter != 0) judge_counts(&place);
    if (!group->is_path) judge_segments(place);
}

/* ---- all keys --------------------------------------------------------------------------------------------------------- */

static struct advice_finding *add_tally(struct sheaf_adviser *adviser, const struct advice_tally *tally, sheaf_finding finding)
{
    if (tally->count == 0) return NULL;
    finding.key_count = tally->count;
    finding.of_count = adviser->count;
    struct advice_finding *added = add(adviser, NULL, NULL, finding);
    if (tally->first.size > 0) show_one(added, &tally->first);
    return added;
}

static void judge_paths(struct sheaf_adviser *adviser)
{
    if (!are_paths(&adviser->sort)) return;
    struct advice_finding *finding = add_tally(adviser, &adviser->folder_faults, (sheaf_finding){
        .rule = SHEAF_RULE_FOLDER_DELIMITER, .severity = SHEAF_ERROR, .field = SHEAF_FIELD_SORT_KEY,
        .message = "Folders are stored without their delimiter at the end", .repair = SHEAF_LIT("sk = \"{path:path(/)}\"") });
    if (finding && adviser->folder_other.size > 0) show_two(finding, &adviser->folder_faults.first, &adviser->folder_other);
    finding = add_tally(adviser, &adviser->sibling_faults, (sheaf_finding){
        .rule = SHEAF_RULE_SIBLING_PREFIX, .severity = SHEAF_WARNING, .field = SHEAF_FIELD_SORT_KEY,
        .message = "Other names begin with that of a folder stored without its delimiter",
        .repair = SHEAF_LIT("sk = \"{path:path(/)}\"") });
    if (finding && adviser->sibling_other.size > 0) show_two(finding, &adviser->sibling_faults.first, &adviser->sibling_other);
}

static void judge_shares(struct sheaf_adviser *adviser, const struct advice_shares *shares, sheaf_rule rule, const char *message)
{
    const struct advice_share *largest = sheaf_advice_shares_largest(shares);
    uint64_t collections = sheaf_advice_shares_key_count(shares);
    if (!largest || adviser->count < ENTRIES_LEAST || collections < COLLECTIONS_LEAST) return;
    uint64_t sure = largest->weight - largest->error;
    if (sure < shares->total / SHARE || sure < shares->total / collections * TIMES_THE_USUAL) return;
    struct advice_finding *finding = add(adviser, NULL, NULL, (sheaf_finding){
        .rule = rule, .severity = SHEAF_WARNING, .field = SHEAF_FIELD_PARTITION_KEY, .message = message,
        .key_count = sure, .of_count = shares->total });
    show_one(finding, &largest->key);
}

static void judge_all(struct sheaf_adviser *adviser)
{
    judge_paths(adviser);
    struct advice_finding *finding = add_tally(adviser, &adviser->case_faults, (sheaf_finding){
        .rule = SHEAF_RULE_MIXED_CASE, .severity = SHEAF_NOTE, .field = SHEAF_FIELD_SORT_KEY,
        .message = "The same text stands in keys in upper and in lower case" });
    if (finding) show_two(finding, &adviser->case_faults.first, &adviser->case_other);
    finding = add_tally(adviser, &adviser->open_ranges, (sheaf_finding){
        .rule = SHEAF_RULE_OPEN_RANGE, .severity = SHEAF_NOTE, .field = SHEAF_FIELD_SORT_KEY,
        .message = "Collections hold several kinds of items: a range with one bound runs on into the next" });
    if (finding) show_two(finding, &adviser->open_ranges.first, &adviser->open_other);
    (void)add_tally(adviser, &adviser->milliseconds, (sheaf_finding){
        .rule = SHEAF_RULE_EXPIRY_MILLISECONDS, .severity = SHEAF_ERROR, .field = SHEAF_FIELD_VALUE,
        .message = "The time to live is in milliseconds: these items never expire" });
    judge_shares(adviser, &adviser->entries, SHEAF_RULE_LARGE_COLLECTION, "One item collection holds much of all entries");
    judge_shares(adviser, &adviser->bytes, SHEAF_RULE_LARGE_COLLECTION, "One item collection holds much of all bytes");
    judge_shares(adviser, &adviser->reads, SHEAF_RULE_HOT_COLLECTION, "One item collection gets much of all reads");
}

/* The worst first; else in the order of the rules, and as they were found. */
static void sort_findings(struct sheaf_adviser *adviser)
{
    size_t count = 0;
    for (int severity = SHEAF_ERROR; severity >= SHEAF_NOTE; severity--)
        for (sheaf_rule rule = SHEAF_RULE_MIXED_WIDTHS; rule < SHEAF_ADVICE_RULE_COUNT; rule++)
            for (size_t i = 0; i < adviser->finding_count; i++) {
                const sheaf_finding *finding = &adviser->findings[i].finding;
                if (finding->severity == (sheaf_severity)severity && finding->rule == rule) adviser->told[count++] = *finding;
            }
}

void sheaf_advice_judge(struct sheaf_adviser *adviser)
{
    adviser->finding_count = 0;
    for (size_t i = 0; i < adviser->partition.group_count; i++)
        judge_group(adviser, &adviser->partition, adviser->partition.groups[i]);
    for (size_t i = 0; i < adviser->sort.group_count; i++) judge_group(adviser, &adviser->sort, adviser->sort.groups[i]);
    judge_all(adviser);
    sort_findings(adviser);
}
