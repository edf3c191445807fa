#include "bench/instructions.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/fatal.h"

/* More than run_callgrind() passes, with the NULL behind. */
#define ARGUMENTS_MAX 32

/* Runs this program under callgrind; its dumps go to `folder`. */
static void run_callgrind(const struct options *options, const struct workload *workload, const struct peer *peer,
                          uint64_t count, const char *folder)
{
    char program[4096], out[4200], count_text[32], size_text[32], seed_text[32];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size < 0) fatal("cannot find this program");
    program[size] = '\0';
    snprintf(out, sizeof out, "--callgrind-out-file=%s/out", folder);
    snprintf(count_text, sizeof count_text, "%llu", (unsigned long long)count);
    snprintf(size_text, sizeof size_text, "%zu", options->value_size);
    snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)options->seed);
    /* clang-format off */
    const char *arguments[ARGUMENTS_MAX] = { "valgrind", "--tool=callgrind", "--quiet", "--instr-atstart=no", out, program,
                                             "--counting", "--core", "-1", "--shape", shape_letter(workload->shape),
                                             "--engine", peer->name, "--data", options->data_folder,
                                             "--count", count_text, "--value-size", size_text, "--seed", seed_text };
    /* clang-format on */
    unsigned used = 0;
    while (arguments[used]) used++;
    if (options->verify) arguments[used++] = "--verify";
    if (options->operations) {
        arguments[used++] = "--op";
        arguments[used++] = options->operations;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) fatal("cannot fork");
    if (pid == 0) {
        execvp("valgrind", (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) fatal("--instructions needs valgrind, which is not there");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fatal("valgrind failed");
}

/* The operation that a dump is about, and its count. False for a file that is no such dump. */
static bool read_dump(const char *path, char *out_name, size_t name_size, double *out_count)
{
    static const char trigger[] = "desc: Trigger: Client Request: ", totals[] = "totals: ";
    char line[512];
    bool named = false, counted = false;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, trigger, sizeof trigger - 1) == 0) {
            named = snprintf(out_name, name_size, "%s", line + sizeof trigger - 1) > 0;
        } else if (strncmp(line, totals, sizeof totals - 1) == 0) {
            *out_count = strtod(line + sizeof totals - 1, NULL);
            counted = true;
        }
    }
    if (file) fclose(file);
    return named && counted;
}

/* Reads all dumps in `folder` and deletes the folder. `divisors` are the operations in each batch. */
static void read_dumps(const char *folder, unsigned engine, uint64_t entry_count, const uint64_t *divisors,
                       struct result *results, size_t count)
{
    DIR *directory = opendir(folder);
    for (const struct dirent *file; directory && (file = readdir(directory));) {
        char path[4400], name[128];
        double instructions = 0;
        if (file->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        bool read = read_dump(path, name, sizeof name, &instructions);
        unlink(path);
        for (size_t i = 0; read && i < count; i++) {
            if (strcmp(results[i].prepared->operation->name, name) != 0) continue;
            results[i].engines[engine].instructions = instructions / (double)divisors[i];
            results[i].engines[engine].instructions_count = (uint32_t)entry_count;
        }
    }
    if (directory) closedir(directory);
    rmdir(folder);
}

void instructions_count(const struct options *options, const struct workload *workload, const struct peer *peer, unsigned index,
                        struct result *results, size_t count)
{
    const char *parent = getenv("TMPDIR");
    char folder[4100];
    uint64_t entries = options->count < COUNTED_ENTRIES_MAX ? options->count : COUNTED_ENTRIES_MAX;
    snprintf(folder, sizeof folder, "%s/sheaf-bench-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder)) fatal("cannot make a folder like %s", folder);
    run_callgrind(options, workload, peer, entries, folder);

    /* The same workload as there, for the size of its batches. */
    struct workload counted;
    uint64_t *divisors = allocate_or_fail(count, sizeof *divisors);
    workload_init(&counted, workload->shape, entries, options->value_size, options->seed, options->data_folder);
    for (size_t i = 0; i < count; i++) {
        struct prepared prepared;
        prepare(&prepared, results[i].prepared->operation, &counted);
        divisors[i] = prepared.count;
        prepared_release(&prepared);
    }
    read_dumps(folder, index, counted.count, divisors, results, count);
    workload_release(&counted);
    free(divisors);
    for (size_t i = 0; i < count; i++) {
        if (!results[i].engines[index].absent && results[i].engines[index].instructions < 0) {
            fatal("no instruction count for %s", results[i].prepared->operation->name);
        }
    }
}
