/*
 * main.c - the command sheaf: chooses what is to be done.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "engine/cli/command.h"
#include "engine/cli/help.h"

static const struct command {
    const char *name;
    enum exit_code (*run)(int argc, char **argv);
    const char *const *help;
} COMMANDS[] = {
    { "query", command_query, HELP_QUERY },
    { "collections", command_collections, HELP_COLLECTIONS },
    { "advise", command_advise, HELP_ADVISE },
    { "lab", command_lab, HELP_LAB },
};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        if (strcmp(name, COMMANDS[i].name) == 0) return &COMMANDS[i];
    return NULL;
}

static enum exit_code print(const char *const *text)
{
    return help_print(text, stdout) ? EXIT_DONE : EXIT_TROUBLE;
}

static enum exit_code no_such_command(const char *name)
{
    size_t count = sizeof COMMANDS / sizeof *COMMANDS;
    (void)fprintf(stderr, "sheaf: there is no command %s; there are ", quote(sheaf_bytes_of(name, strlen(name))).text);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(stderr, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", COMMANDS[i].name);
    (void)fputs("\nTry 'sheaf --help'.\n", stderr);
    return EXIT_TROUBLE;
}

/* sheaf help [COMMAND] */
static enum exit_code help(int argc, char **argv)
{
    if (argc < 2) return print(HELP_PROGRAM);
    const struct command *command = find_command(argv[1]);
    return command ? print(command->help) : no_such_command(argv[1]);
}

int main(int argc, char **argv)
{
    (void)setlocale(LC_CTYPE, "C.UTF-8"); /* for wcwidth() alone: bytes are bytes, whatever the user's locale */
    (void)signal(SIGPIPE, SIG_IGN);       /* a reader that has gone shows as EPIPE, see sink.h */
    if (argc < 2) {
        (void)help_print(HELP_PROGRAM, stderr);
        return EXIT_TROUBLE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return (int)print(HELP_PROGRAM);
    if (strcmp(name, "help") == 0) return (int)help(argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        (void)printf("sheaf %s\n", sheaf_version());
        return fflush(stdout) == EOF ? EXIT_TROUBLE : EXIT_DONE;
    }
    const struct command *command = find_command(name);
    return (int)(command ? command->run(argc - 1, argv + 1) : no_such_command(name));
}
