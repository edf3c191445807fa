#include "engine/cli/lab_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum option_code {
    OPTION_TEXT = 256,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_GNUPLOT,
    OPTION_SEED,
    OPTION_SAMPLES,
    OPTION_REPRODUCIBLE
};

static const struct option LONG_OPTIONS[] = {
    { "text", no_argument, NULL, OPTION_TEXT },
    { "json", no_argument, NULL, OPTION_JSON },
    { "html", required_argument, NULL, OPTION_HTML },
    { "gnuplot", required_argument, NULL, OPTION_GNUPLOT },
    { "seed", required_argument, NULL, OPTION_SEED },
    { "samples", required_argument, NULL, OPTION_SAMPLES },
    { "reproducible", no_argument, NULL, OPTION_REPRODUCIBLE },
    { "quiet", no_argument, NULL, 'q' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

#define WRONG(...) (options_complain("lab", __VA_ARGS__), false)

static bool read_count(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *out_count)
{
    uint64_t count = 0;
    bool sound = *text != '\0';
    for (const char *at = text; *at && sound; at++) {
        sound = *at >= '0' && *at <= '9' && count <= most;
        count = 10 * count + (uint64_t)(*at - '0');
    }
    if (sound && count >= least && count <= most) return *out_count = count, true;
    return WRONG("%s: expected a whole number from %llu to %llu, found %s", option, (unsigned long long)least,
                 (unsigned long long)most, quote(sheaf_bytes_of(text, strlen(text))).text);
}

static bool read_option(struct lab_command_options *options, int code)
{
    switch (code) {
    case OPTION_TEXT: options->json = false; return true;
    case OPTION_JSON: options->json = true; return true;
    case OPTION_HTML: options->html = optarg; return true;
    case OPTION_GNUPLOT: options->gnuplot = optarg; return true;
    case OPTION_REPRODUCIBLE: options->reproducible = true; return true;
    case OPTION_SEED:
        options->overrides.seed_given = true;
        return read_count("--seed", optarg, 0, UINT32_MAX, &options->overrides.seed);
    case OPTION_SAMPLES: return read_count("--samples", optarg, 1, PLAN_RUN_MAX, &options->overrides.run_count);
    case 'q': options->quiet = true; return true;
    default: return false;
    }
}

static bool refuse_option(int code, char **argv)
{
    const char *given = argv[optind - 1];
    if (code == ':') return WRONG("%s: expected an argument", given);
    if (optopt >= OPTION_TEXT) return WRONG("%s: expected no argument", given);
    if (optopt != 0) return WRONG("there is no option -%c", optopt);
    return WRONG("there is no option %s", given);
}

enum options_result lab_options_read(struct lab_command_options *options, int argc, char **argv)
{
    *options = (struct lab_command_options){ .plan = NULL };
    optind = 0; /* begin anew */
    opterr = 0; /* messages are ours */
    for (int code; (code = getopt_long(argc, argv, ":hq", LONG_OPTIONS, NULL)) != -1;) {
        if (code == 'h') return OPTIONS_HELP;
        if (code == '?' || code == ':' ? !refuse_option(code, argv) : !read_option(options, code)) return OPTIONS_WRONG;
    }
    if (optind + 1 != argc) {
        options_complain("lab", optind == argc ? "expected a plan" : "expected one plan");
        return OPTIONS_WRONG;
    }
    options->plan = argv[optind];
    return OPTIONS_READ;
}
