/*
 * process.h - a worker in a process of its own.
 *
 * Engines must not share a heap, nor caches warmed by each other's code. The process is forked when the workload is ready, so
 * it shares the tapes; it is told over a pipe what to run and answers with the measurement. While one runs the others wait.
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <sys/types.h>

#include "bench/worker.h"

struct process {
    pid_t pid;    /* 0: none */
    int commands; /* file descriptors */
    int answers;
};

/* `worker` is initialised and has no engine yet; `prepared` is what process_run() may ask for. */
void process_start(struct process *process, struct worker *worker, const struct prepared *prepared, size_t prepared_count);

/* Runs prepared[index] in it and waits. Ends the program if the process has died. */
void process_run(struct process *process, uint32_t index, uint32_t generation, const char *engine, struct measurement *out);

void process_stop(struct process *process);

#endif
