#include "bench/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/fatal.h"

#define STOP UINT32_MAX

struct command {
    uint32_t index; /* of the operation, or STOP: a closed pipe would not do, later workers hold copies of its end */
    uint32_t generation;
};

/* Moves `size` bytes through a pipe, both of whose ends run on this machine: short counts only mean an end or a signal. */
static bool read_whole(int descriptor, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(descriptor, (char *)bytes + done, size - done);
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

static bool write_whole(int descriptor, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(descriptor, (const char *)bytes + done, size - done);
        if (put <= 0) return false;
        done += (size_t)put;
    }
    return true;
}

/* Until told to stop. */
static void serve(struct worker *worker, const struct prepared *prepared, size_t prepared_count, int commands, int answers)
{
    struct command command;
    while (read_whole(commands, &command, sizeof command) && command.index != STOP) {
        struct measurement measurement;
        if (command.index >= prepared_count) fatal("no operation %u", command.index);
        worker_run(worker, &prepared[command.index], command.generation, &measurement);
        if (!write_whole(answers, &measurement, sizeof measurement)) break;
    }
}

void process_start(struct process *process, struct worker *worker, const struct prepared *prepared, size_t prepared_count)
{
    int commands[2], answers[2];
    if (pipe(commands) != 0 || pipe(answers) != 0) fatal("cannot make pipes");
    fflush(NULL);             /* else the child would print what is buffered a second time */
    signal(SIGPIPE, SIG_IGN); /* a dead worker is met as a failed read */
    pid_t pid = fork();
    if (pid < 0) fatal("cannot fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* does not outlive the bench */
        close(commands[1]);
        close(answers[0]);
        serve(worker, prepared, prepared_count, commands[0], answers[1]);
        _exit(0); /* the system takes the engine's memory back faster than it could free it */
    }
    close(commands[0]);
    close(answers[1]);
    *process = (struct process){ pid, commands[1], answers[0] };
}

void process_run(struct process *process, uint32_t index, uint32_t generation, const char *engine, struct measurement *out)
{
    struct command command = { index, generation };
    if (write_whole(process->commands, &command, sizeof command) && read_whole(process->answers, out, sizeof *out)) return;
    int status = 0;
    waitpid(process->pid, &status, 0);
    if (WIFSIGNALED(status)) fatal("%s: its process was ended by signal %d", engine, WTERMSIG(status));
    fatal("%s: its process ended with code %d", engine, WEXITSTATUS(status));
}

void process_stop(struct process *process)
{
    if (process->pid == 0) return;
    struct command command = { STOP, 0 };
    write_whole(process->commands, &command, sizeof command);
    close(process->commands);
    close(process->answers);
    waitpid(process->pid, NULL, 0);
    *process = (struct process){ 0 };
}
