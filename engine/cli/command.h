/*
 * command.h - the commands of the program, and what each needs from main().
 *
 * Arguments are those of main() from the command's name on.
 */
#ifndef SHEAF_CLI_COMMAND_H
#define SHEAF_CLI_COMMAND_H

#include <stdint.h>

#include <sheaf/sheaf.h>

#include "engine/cli/load.h"
#include "engine/cli/options.h"
#include "engine/input/complaint.h"

enum exit_code command_query(int argc, char **argv);
enum exit_code command_collections(int argc, char **argv);
enum exit_code command_advise(int argc, char **argv);
enum exit_code command_lab(int argc, char **argv);

/*
 * What both begin with: reads options and input, and makes `out_store` of it. True: go on, and destroy the store. False: return
 * `out_code`; all has been said.
 */
bool command_begin(const char *command, const char *const *help, int argc, char **argv, struct options *out_options,
                   sheaf_store **out_store, struct load_summary *out_summary, enum exit_code *out_code);

/* What both end with: the rest of the answer, and whether it could be written. */
enum exit_code command_end(const struct options *options, struct output *output, enum exit_code code);

#endif
