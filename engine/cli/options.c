#include "engine/cli/options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/base/bytes.h"

/* ---- complaints --------------------------------------------------------------------------------------------------------- */

void options_complain(const char *command, const char *format, ...)
{
    va_list arguments;
    (void)fprintf(stderr, "sheaf %s: ", command);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\nTry 'sheaf %s --help'.\n", command);
}

#define WRONG(...) (options_complain(options->command, __VA_ARGS__), false)

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

enum option_code {
    OPTION_PK = 256,
    OPTION_SK,
    OPTION_VALUE,
    OPTION_PARTITION_KEY,
    OPTION_SORT_KEY,
    OPTION_INPUT,
    OPTION_HEADER,
    OPTION_NO_HEADER,
    OPTION_JSON,
    OPTION_TSV,
    OPTION_TEXT,
    /* from here on: of query alone */
    OPTION_PARTITION,
    OPTION_BEGINS_WITH,
    OPTION_BETWEEN,
    OPTION_EQ,
    OPTION_LT,
    OPTION_LE,
    OPTION_GT,
    OPTION_GE,
    OPTION_REVERSE,
    OPTION_LIMIT,
    OPTION_AFTER,
    OPTION_COUNT,
    OPTION_BYTES,
    OPTION_RANK,
    OPTION_NTH,
    OPTION_CHILDREN
};

static const struct option LONG_OPTIONS[] = {
    { "pk", required_argument, NULL, OPTION_PK },
    { "sk", required_argument, NULL, OPTION_SK },
    { "value", required_argument, NULL, OPTION_VALUE },
    { "partition-key", required_argument, NULL, OPTION_PARTITION_KEY },
    { "sort-key", required_argument, NULL, OPTION_SORT_KEY },
    { "input", required_argument, NULL, OPTION_INPUT },
    { "header", no_argument, NULL, OPTION_HEADER },
    { "no-header", no_argument, NULL, OPTION_NO_HEADER },
    { "zero-terminated", no_argument, NULL, 'z' },
    { "json", no_argument, NULL, OPTION_JSON },
    { "tsv", no_argument, NULL, OPTION_TSV },
    { "text", no_argument, NULL, OPTION_TEXT },
    { "quiet", no_argument, NULL, 'q' },
    { "help", no_argument, NULL, 'h' },
    { "partition", required_argument, NULL, OPTION_PARTITION },
    { "begins-with", required_argument, NULL, OPTION_BEGINS_WITH },
    { "between", required_argument, NULL, OPTION_BETWEEN },
    { "eq", required_argument, NULL, OPTION_EQ },
    { "lt", required_argument, NULL, OPTION_LT },
    { "le", required_argument, NULL, OPTION_LE },
    { "gt", required_argument, NULL, OPTION_GT },
    { "ge", required_argument, NULL, OPTION_GE },
    { "reverse", no_argument, NULL, OPTION_REVERSE },
    { "limit", required_argument, NULL, OPTION_LIMIT },
    { "after", required_argument, NULL, OPTION_AFTER },
    { "count", no_argument, NULL, OPTION_COUNT },
    { "bytes", no_argument, NULL, OPTION_BYTES },
    { "rank", required_argument, NULL, OPTION_RANK },
    { "nth", required_argument, NULL, OPTION_NTH },
    { "children", required_argument, NULL, OPTION_CHILDREN },
    { NULL, 0, NULL, 0 },
};

/* What was given, before it is known to make sense together. */
struct reading {
    struct options *options;
    bool form_given;
    struct optional_bytes between_low, between_high, less, at_most, greater, at_least, rank, children;
    bool nth_given;
    bool limit_given;
};

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

static bool read_format(struct options *options, const char *text)
{
    sheaf_bytes name = sheaf_bytes_of(text, strlen(text));
    options->input.source.format_given = true;
    if (format_read(name, &options->input.source.format)) return true;
    return WRONG("--input: expected %s, found %s", format_names(), quote(name).text);
}

static bool read_name(const struct options *options, const char *option, const char *text, const char **out_name)
{
    *out_name = text;
    return *text != '\0' || WRONG("%s: expected the name of a field", option);
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

static void read_form(struct reading *reading, enum output_form form)
{
    reading->options->form = form;
    reading->form_given = true;
}

/* An option that both commands have. */
static bool read_common(struct reading *reading, int code)
{
    struct options *options = reading->options;
    switch (code) {
    case OPTION_PK: options->input.partition_key = optarg; return true;
    case OPTION_SK: options->input.sort_key = optarg; return true;
    case OPTION_VALUE: options->input.value = optarg; return true;
    case OPTION_PARTITION_KEY: return read_name(options, "--partition-key", optarg, &options->input.partition_key_name);
    case OPTION_SORT_KEY: return read_name(options, "--sort-key", optarg, &options->input.sort_key_name);
    case OPTION_INPUT: return read_format(options, optarg);
    case OPTION_HEADER: options->input.source.header = SOURCE_HEADER_FIRST_LINE; return true;
    case OPTION_NO_HEADER: options->input.source.header = SOURCE_HEADER_NONE; return true;
    case OPTION_JSON: read_form(reading, OUTPUT_JSON); return true;
    case OPTION_TSV: read_form(reading, OUTPUT_TSV); return true;
    case OPTION_TEXT: read_form(reading, OUTPUT_TEXT); return true;
    case 'z':
        options->terminator = '\0';
        options->input.source.zero_terminated = true;
        return true;
    case 'q': options->quiet = true; return true;
    default: return false;
    }
}

static bool read_query(struct reading *reading, int code, int argc, char **argv)
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

static bool refuse_option(const struct options *options, int code, char **argv)
{
    const char *given = argv[optind - 1];
    if (code == ':') return WRONG("%s: expected an argument", given);
    if (optopt >= OPTION_PK) return WRONG("%s: expected no argument", given);
    if (optopt != 0) return WRONG("there is no option -%c", optopt);
    return WRONG("there is no option %s", given);
}

static const char *name_of(int code)
{
    for (const struct option *option = LONG_OPTIONS; option->name; option++)
        if (option->val == code) return option->name;
    return "?";
}

static enum options_result read_all(struct reading *reading, int argc, char **argv)
{
    struct options *options = reading->options;
    bool is_query = strcmp(options->command, "query") == 0;
    optind = 0; /* begin anew */
    opterr = 0; /* messages are ours */
    for (;;) {
        int code = getopt_long(argc, argv, ":hqz", LONG_OPTIONS, NULL);
        if (code == -1) return OPTIONS_READ;
        if (code == 'h') return OPTIONS_HELP;
        if (code == '?' || code == ':') {
            refuse_option(options, code, argv);
            return OPTIONS_WRONG;
        }
        if (code >= OPTION_PARTITION && !is_query) {
            options_complain(options->command, "--%s is an option of sheaf query", name_of(code));
            return OPTIONS_WRONG;
        }
        bool sound = code >= OPTION_PARTITION ? read_query(reading, code, argc, argv) : read_common(reading, code);
        if (!sound) return OPTIONS_WRONG;
    }
}

/* ---- making sense of it ------------------------------------------------------------------------------------------------- */

/* Files that are called as files of different formats: which is meant is for the user to say. */
static bool refuse_mixture(const struct options *options, const char *first, const char *other)
{
    return WRONG("%s is called as %s are, %s as %s: say --input", first, format_title(format_of_name(first)), other,
                 format_title(format_of_name(other)));
}

/* Unless --input says it, file names do, and at last the first line does (source.h). */
static bool settle_format(struct reading *reading)
{
    struct options *options = reading->options;
    struct input_options *input = &options->input;
    struct source_options *source = &input->source;
    for (size_t i = 0; i < input->file_count && !source->format_given; i++) {
        enum record_format format = format_of_name(input->files[i]);
        if (i > 0 && format != source->format) return refuse_mixture(options, input->files[0], input->files[i]);
        source->format = format;
    }
    if (format_is_json(source->format) && source->header == SOURCE_HEADER_FIRST_LINE) {
        return WRONG("--header is for tab-separated lines: the members of JSON have names");
    }
    if (source->format == RECORD_CSV && source->zero_terminated) return WRONG("-z is not for CSV: its quotes keep line feeds");
    return true;
}

/* A key is given by template, or by the name of its field. */
static bool settle_keys(struct reading *reading)
{
    struct options *options = reading->options;
    struct input_options *input = &options->input;
    if (input->partition_key && input->partition_key_name) return WRONG("choose one of --pk and --partition-key");
    if (input->sort_key && input->sort_key_name) return WRONG("choose one of --sk and --sort-key");
    if (!format_is_json(input->source.format) || input->sort_key || input->sort_key_name) return true;
    return WRONG("%s need%s --sk, such as --sk '{path}'", format_title(input->source.format),
                 input->source.format == RECORD_DYNAMODB ? "s" : "");
}

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

/* ---- all of it ---------------------------------------------------------------------------------------------------------- */

static size_t terminal_width(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
    return window.ws_col;
}

static void settle_form(struct reading *reading)
{
    struct options *options = reading->options;
    bool terminal = isatty(STDOUT_FILENO) == 1;
    if (!reading->form_given) options->form = terminal ? OUTPUT_TEXT : OUTPUT_TSV;
    options->width = terminal ? terminal_width() : 0;
}

enum options_result options_read(struct options *options, const char *command, int argc, char **argv)
{
    *options = (struct options){
        .command = command, .terminator = '\n', .input = { .value_is_read = true }, .query = { .limit = UINT64_MAX }
    };
    struct reading reading = { .options = options };
    enum options_result result = read_all(&reading, argc, argv);
    if (result != OPTIONS_READ) return result;
    options->input.files = argv + optind;
    options->input.file_count = (size_t)(argc - optind);
    settle_form(&reading);
    bool sound = settle_format(&reading) && settle_keys(&reading) && settle_range(&reading) && settle_question(&reading) &&
                 settle_together(&reading);
    return sound ? OPTIONS_READ : OPTIONS_WRONG;
}
