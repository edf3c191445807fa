#include "bench/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fatal.h"
#include "bench/measure.h"
#include "bench/peers/peer.h"
#include "bench/workload.h"

enum option_letter {
    OPTION_COUNT = 1,
    OPTION_LARGE,
    OPTION_QUICK,
    OPTION_VALUE_SIZE,
    OPTION_RUNS,
    OPTION_SEED,
    OPTION_SHAPE,
    OPTION_ENGINE,
    OPTION_OPERATION,
    OPTION_CORE,
    OPTION_JSON,
    OPTION_DATA,
    OPTION_VERIFY,
    OPTION_INSTRUCTIONS,
    OPTION_HUGE_PAGES,
    OPTION_COUNTING,
    OPTION_HELP
};

static const struct option long_options[] = {
    { "count", required_argument, NULL, OPTION_COUNT },
    { "large", no_argument, NULL, OPTION_LARGE },
    { "quick", no_argument, NULL, OPTION_QUICK },
    { "value-size", required_argument, NULL, OPTION_VALUE_SIZE },
    { "runs", required_argument, NULL, OPTION_RUNS },
    { "seed", required_argument, NULL, OPTION_SEED },
    { "shape", required_argument, NULL, OPTION_SHAPE },
    { "engine", required_argument, NULL, OPTION_ENGINE },
    { "op", required_argument, NULL, OPTION_OPERATION },
    { "core", required_argument, NULL, OPTION_CORE },
    { "json", required_argument, NULL, OPTION_JSON },
    { "data", required_argument, NULL, OPTION_DATA },
    { "verify", no_argument, NULL, OPTION_VERIFY },
    { "instructions", no_argument, NULL, OPTION_INSTRUCTIONS },
    { "huge-pages", no_argument, NULL, OPTION_HUGE_PAGES },
    { "counting", no_argument, NULL, OPTION_COUNTING }, /* ours alone: see instructions.c */
    { "help", no_argument, NULL, OPTION_HELP },
    { NULL, 0, NULL, 0 },
};

static void print_help(const char *name, const char *about)
{
    printf("bench_%s - %s\n\n"
           "Runs Sheaf and its peers on the same keys in the same order, each in a process of its own,\n"
           "in turns, pinned to one core, and prints the median of thread CPU time.\n\n"
           "  --count N         entries in shapes L and T; P has N/10 collections of 20  [1000000]\n"
           "  --quick           the same as --count 100000\n"
           "  --large           ten million entries in L\n"
           "  --value-size N    bytes of each value, 8 or more  [64]\n"
           "  --shape L,T,P     which shapes: leaderboard, file tree, many small collections  [all]\n"
           "  --engine A,B      which engines  [all:",
           name, about);
    for (unsigned i = 0; i < peer_count; i++) printf(" %s", peers[i]->name);
    printf("]\n"
           "  --op A,B          which operations, by their names in JSON  [all]\n"
           "  --runs N          repetitions  [5; 1 where figures do not vary]\n"
           "  --seed N          of keys and questions  [1]\n"
           "  --core N          the core to run on; -1 leaves it to the system  [the highest]\n"
           "  --huge-pages      let malloc use 2 MiB pages, which helps the peers\n"
           "  --instructions    also count instructions per operation, under valgrind (slow)\n"
           "  --verify          also compare with answers worked out without any engine\n"
           "  --json FILE       append one JSON object per operation and engine to FILE\n"
           "  --data FOLDER     where git-tree.tsv is\n");
}

static uint64_t parse_number(const char *text, const char *option, uint64_t low, uint64_t high)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || text[0] == '-' || number < low || number > high) {
        fatal_usage("--%s: expected a number from %llu to %llu, got \"%s\"", option, (unsigned long long)low,
                    (unsigned long long)high, text);
    }
    return number;
}

/* "L,P" as bits. */
static unsigned parse_shapes(const char *text)
{
    unsigned shapes = 0;
    for (const char *at = text;; at += 2) {
        unsigned shape = 0;
        while (shape < SHAPE_COUNT && *at != shape_letter((enum shape)shape)[0]) shape++;
        if (shape == SHAPE_COUNT || (at[1] != ',' && at[1] != '\0')) {
            fatal_usage("--shape: expected L, T and P joined by commas, got \"%s\"", text);
        }
        shapes |= 1u << shape;
        if (at[1] == '\0') return shapes;
    }
}

/* Whether the comma-separated `list` has the word. */
static bool list_has(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, word, size) == 0 && (at[size] == ',' || at[size] == '\0')) return true;
    }
    return false;
}

/* Every name must be an engine's: a typing error should not look like a run without peers. */
static void check_engines(const char *list)
{
    for (const char *at = list;;) {
        size_t size = strcspn(at, ",");
        unsigned i = 0;
        while (i < peer_count && (strlen(peers[i]->name) != size || strncmp(peers[i]->name, at, size) != 0)) i++;
        if (i == peer_count) fatal_usage("--engine: no engine \"%.*s\" was built", (int)size, at);
        if (at[size] == '\0') return;
        at += size + 1;
    }
}

static void apply(struct options *options, int letter, const char *argument)
{
    switch ((enum option_letter)letter) {
    case OPTION_COUNT: options->count = parse_number(argument, "count", 100, 100000000); break;
    case OPTION_LARGE: options->large = true; break;
    case OPTION_QUICK: options->count = 100000; break;
    case OPTION_VALUE_SIZE: options->value_size = parse_number(argument, "value-size", 8, 400000); break;
    case OPTION_RUNS: options->runs = (unsigned)parse_number(argument, "runs", 1, RUNS_MAX); break;
    case OPTION_SEED: options->seed = parse_number(argument, "seed", 0, UINT32_MAX); break;
    case OPTION_SHAPE: options->shapes = parse_shapes(argument); break;
    case OPTION_ENGINE:
        check_engines(argument);
        options->engines = argument;
        break;
    case OPTION_OPERATION: options->operations = argument; break;
    case OPTION_CORE: options->core = strcmp(argument, "-1") == 0 ? -1 : (int)parse_number(argument, "core", 0, 1023); break;
    case OPTION_JSON: options->json = argument; break;
    case OPTION_DATA: options->data_folder = argument; break;
    case OPTION_VERIFY: options->verify = true; break;
    case OPTION_INSTRUCTIONS: options->instructions = true; break;
    case OPTION_HUGE_PAGES: options->huge_pages = true; break;
    case OPTION_COUNTING: options->counting = true; break;
    case OPTION_HELP: break;
    }
}

void options_parse(struct options *options, int argc, char **argv, const char *name, const char *about)
{
    *options = (struct options){
        .count = 1000000,
        .value_size = 64,
        .seed = 1,
        .shapes = (1u << SHAPE_COUNT) - 1,
        .core = highest_core(),
        .data_folder = BENCH_DATA_FOLDER,
    };
    for (int letter; (letter = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (letter == '?') fatal_usage("try --help"); /* getopt has said what is wrong */
        if (letter == OPTION_HELP) {
            print_help(name, about);
            exit(0);
        }
        apply(options, letter, optarg);
    }
    cores_from(options->core, options->cores, THREADS_MAX);
    if (optind < argc) fatal_usage("no argument expected, got \"%s\"; try --help", argv[optind]);
}

bool options_want_engine(const struct options *options, const char *engine)
{
    return !options->engines || list_has(options->engines, engine);
}

bool options_want_operation(const struct options *options, const char *operation)
{
    return !options->operations || list_has(options->operations, operation);
}
