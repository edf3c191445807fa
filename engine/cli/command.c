#include "engine/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "engine/cli/help.h"

static bool load(const struct options *options, sheaf_store **out_store, struct load_summary *out_summary)
{
    sheaf_store *store;
    if (sheaf_store_create(NULL, &store, NULL) != SHEAF_OK) end_without_memory();
    if (!load_records(options, store, out_summary)) {
        sheaf_store_destroy(store);
        return false;
    }
    *out_store = store;
    return true;
}

bool command_begin(const char *command, const char *const *help, int argc, char **argv, struct options *out_options,
                   sheaf_store **out_store, struct load_summary *out_summary, enum exit_code *out_code)
{
    switch (options_read(out_options, command, argc, argv)) {
    case OPTIONS_HELP:
        *out_code = help_print(help, stdout) ? EXIT_DONE : EXIT_TROUBLE;
        return false;
    case OPTIONS_WRONG: *out_code = EXIT_TROUBLE; return false;
    case OPTIONS_READ: break;
    }
    if (load(out_options, out_store, out_summary)) return true;
    *out_code = EXIT_TROUBLE;
    return false;
}

enum exit_code command_end(const struct options *options, struct output *output, enum exit_code code)
{
    output_finish(output);
    if (sink_failed(&output->sink)) {
        (void)fprintf(stderr, "sheaf %s: cannot write the answer: %s\n", options->command, strerror(output->sink.error));
        code = EXIT_TROUBLE;
    }
    return code;
}
