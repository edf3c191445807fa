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
#include "engine/cli/options_reading.h"

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

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

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
    { "ttl", required_argument, NULL, OPTION_TTL },
    { "fail-on", required_argument, NULL, OPTION_FAIL_ON },
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

static void read_form(struct reading *reading, enum output_form form)
{
    reading->options->form = form;
    reading->form_given = true;
}

static bool read_severity(struct options *options, const char *text)
{
    for (sheaf_severity severity = SHEAF_NOTE; severity <= SHEAF_ERROR; severity++) {
        if (strcmp(text, sheaf_severity_name(severity)) != 0) continue;
        options->fail_on = severity;
        return true;
    }
    return WRONG("--fail-on: expected note, warning or error, found %s", quote(sheaf_bytes_of(text, strlen(text))).text);
}

/* An option that not sheaf query alone has. */
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
    case OPTION_TTL: return read_name(options, "--ttl", optarg, &options->input.expiry_name);
    case OPTION_FAIL_ON: return read_severity(options, optarg);
    case 'z':
        options->terminator = '\0';
        options->input.source.zero_terminated = true;
        return true;
    case 'q': options->quiet = true; return true;
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

/* The commands that have an option, as messages name them; NULL: all. */
static const char *commands_with(int code)
{
    if (code >= OPTION_PARTITION) return "query";
    if (code == OPTION_TTL || code == OPTION_FAIL_ON) return "advise";
    return code == OPTION_VALUE || code == OPTION_TSV ? "query and collections" : NULL;
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
        const char *commands = commands_with(code);
        if (commands && !strstr(commands, options->command)) {
            options_complain(options->command, "--%s is an option of sheaf %s", name_of(code), commands);
            return OPTIONS_WRONG;
        }
        bool sound = code >= OPTION_PARTITION ? options_read_query(reading, code, argc, argv) : read_common(reading, code);
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
    if (input->sort_key_may_lack && input->partition_key_name) return true; /* a table of partition keys alone */
    return WRONG("%s need%s --sk, such as --sk '{path}'", format_title(input->source.format),
                 input->source.format == RECORD_DYNAMODB ? "s" : "");
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
    bool reads = terminal || strcmp(options->command, "advise") == 0; /* a report is for reading, wherever it goes */
    if (!reading->form_given) options->form = reads ? OUTPUT_TEXT : OUTPUT_TSV;
    options->width = terminal ? terminal_width() : 0;
}

enum options_result options_read(struct options *options, const char *command, int argc, char **argv)
{
    bool advises = strcmp(command, "advise") == 0;
    *options = (struct options){
        .command = command, .terminator = '\n', .input = { .value_is_read = !advises, .sort_key_may_lack = advises },
        .query = { .limit = UINT64_MAX }, .fail_on = SHEAF_ERROR
    };
    struct reading reading = { .options = options };
    enum options_result result = read_all(&reading, argc, argv);
    if (result != OPTIONS_READ) return result;
    options->input.files = argv + optind;
    options->input.file_count = (size_t)(argc - optind);
    settle_form(&reading);
    bool sound = settle_format(&reading) && settle_keys(&reading) && options_settle_query(&reading);
    return sound ? OPTIONS_READ : OPTIONS_WRONG;
}
