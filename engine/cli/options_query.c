#include <getopt.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/cli/options_reading.h"

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

static struct optional_bytes bytes_given(const char *text)
{
    return (struct optional_bytes){ .given = true, .bytes = sheaf_bytes_of(text, strlen(text)) };
}

static bool read_count(const struct options *options, const char *option, const char *text, uint64_t *out_count)
{
    uint64_t count = 0;
    bool sound = *text != '\0';
    for (const char *at = text; *at && sound; at++) {
        sound = *at >= '0' && *at <= '9' && !__builtin_mul_overflow(count, 10, &count) &&
                !__builtin_add_overflow(count, (uint64_t)(*at - '0'), &count);
    }
    if (!sound || count == 0) {
        return WRONG("%s: expected a whole number from 1, found %s", option, quote(sheaf_bytes_of(text, strlen(text))).text);
    }
    *out_count = count;
    return true;
}

/* --between LOW HIGH: getopt knows of the first argument only. */
static bool read_between(struct reading *reading, int argc, char **argv)
{
    struct options *options = reading->options;
    if (optind >= argc) return WRONG("--between: expected two keys, LOW and HIGH");
    reading->between_low = bytes_given(optarg);
    reading->between_high = bytes_given(argv[optind++]);
    return true;
}

bool options_read_query(struct reading *reading, int code, int argc, char **argv)
{
    struct query_options *query = &reading->options->query;
    switch (code) {
    case OPTION_PARTITION: query->partition = bytes_given(optarg); return true;
    case OPTION_BEGINS_WITH: query->prefix = bytes_given(optarg); return true;
    case OPTION_BETWEEN: return read_between(reading, argc, argv);
    case OPTION_EQ: query->equal = bytes_given(optarg); return true;
    case OPTION_LT: reading->less = bytes_given(optarg); return true;
    case OPTION_LE: reading->at_most = bytes_given(optarg); return true;
    case OPTION_GT: reading->greater = bytes_given(optarg); return true;
    case OPTION_GE: reading->at_least = bytes_given(optarg); return true;
    case OPTION_REVERSE: query->direction = SHEAF_REVERSE; return true;
    case OPTION_AFTER: query->after = bytes_given(optarg); return true;
    case OPTION_COUNT: query->wants_count = true; return true;
    case OPTION_BYTES: query->wants_bytes = true; return true;
    case OPTION_RANK: reading->rank = bytes_given(optarg); return true;
    case OPTION_CHILDREN: reading->children = bytes_given(optarg); return true;
    case OPTION_LIMIT:
        reading->limit_given = true;
        return read_count(reading->options, "--limit", optarg, &query->limit);
    case OPTION_NTH:
        reading->nth_given = true;
        return read_count(reading->options, "--nth", optarg, &query->nth);
    default: return false;
    }
}

/* ---- making sense of it ------------------------------------------------------------------------------------------------- */

static bool settle_cuts(struct reading *reading)
{
    struct options *options = reading->options;
    sheaf_range *range = &options->query.range;
    if (reading->less.given && reading->at_most.given) return WRONG("--lt and --le are two upper bounds: choose one");
    if (reading->greater.given && reading->at_least.given) return WRONG("--gt and --ge are two lower bounds: choose one");
    if (reading->less.given) range->upper = sheaf_cut_of(reading->less.bytes, SHEAF_SIDE_BEFORE);
    if (reading->at_most.given) range->upper = sheaf_cut_of(reading->at_most.bytes, SHEAF_SIDE_AFTER);
    if (reading->greater.given) range->lower = sheaf_cut_of(reading->greater.bytes, SHEAF_SIDE_AFTER);
    if (reading->at_least.given) range->lower = sheaf_cut_of(reading->at_least.bytes, SHEAF_SIDE_BEFORE);
    return true;
}

static bool settle_range(struct reading *reading)
{
    struct options *options = reading->options;
    struct query_options *query = &options->query;
    bool bounds = reading->less.given || reading->at_most.given || reading->greater.given || reading->at_least.given;
    if (query->prefix.given + query->equal.given + reading->between_low.given + bounds > 1) {
        return WRONG("choose one of --begins-with, --between, --eq, and bounds (--lt --le --gt --ge)");
    }
    if (!settle_cuts(reading)) return false;
    if (query->prefix.given) query->range = sheaf_range_prefix(query->prefix.bytes);
    if (query->equal.given) query->range = sheaf_range_equal(query->equal.bytes);
    if (reading->between_low.given) query->range = sheaf_range_between(reading->between_low.bytes, reading->between_high.bytes);
    if (!sheaf_range_is_inverted(&query->range)) return true;
    return WRONG("the lower bound %s sorts above the upper bound %s", quote(query->range.lower.bytes).text,
                 quote(query->range.upper.bytes).text);
}

static bool settle_question(struct reading *reading)
{
    struct options *options = reading->options;
    struct query_options *query = &options->query;
    bool totals = query->wants_count || query->wants_bytes;
    if (totals + reading->rank.given + reading->nth_given + reading->children.given > 1) {
        return WRONG("choose one of --count and --bytes, --rank, --nth, --children");
    }
    if (totals) query->question = QUESTION_TOTALS;
    if (reading->nth_given) query->question = QUESTION_NTH;
    if (reading->rank.given) {
        query->question = QUESTION_RANK;
        query->rank_key = reading->rank.bytes;
    }
    if (reading->children.given) {
        query->question = QUESTION_CHILDREN;
        query->delimiter = reading->children.bytes;
    }
    return true;
}

static bool settle_together(struct reading *reading)
{
    struct options *options = reading->options;
    struct query_options *query = &options->query;
    if (query->after.bytes.size == 0) query->after.given = false; /* the beginning: a loop over pages can start with it */
    bool listing = query->question == QUESTION_ENTRIES || query->question == QUESTION_CHILDREN;
    if (reading->limit_given && !listing) return WRONG("--limit is for entries and --children");
    if (query->after.given && !listing && query->question != QUESTION_TOTALS) {
        return WRONG("--after is for entries, --children, --count and --bytes");
    }
    if (query->question != QUESTION_CHILDREN) return true;
    if (query->delimiter.size == 0) return WRONG("--children: expected a delimiter, such as /");
    bool bounded = query->range.lower.side != SHEAF_SIDE_UNBOUNDED || query->range.upper.side != SHEAF_SIDE_UNBOUNDED;
    if (bounded && !query->prefix.given) return WRONG("--children goes with --begins-with, and no other range");
    return true;
}

bool options_settle_query(struct reading *reading)
{
    return settle_range(reading) && settle_question(reading) && settle_together(reading);
}
