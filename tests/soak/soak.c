/*
 * soak.c - random load at the budget for minutes: does memory stay where it is, and is all well at the end?
 *
 *     soak SECONDS [SEED]
 *
 * A store of one thread and a shared store of two are loaded beside each other. Once a second the resident memory of the process
 * is noted. Its mean over the last quarter of the time must not be above that over the second quarter by more than a twentieth
 * (RISE_FRACTION) and 2 MiB; the first quarter is for warming up. A run of less than two minutes is too short to say that, and
 * only looks for other faults: its end is the same.
 */
#include "tests/soak/soak.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    KEY_COUNT = 400000,
    FOLDER_SIZE = 50,
    COLLECTION_SIZE = 1000,
    SAMPLE_MAX = 100000,
    TELLING_SECONDS = 120,
    RISE_FRACTION = 20,
    RISE_BYTES = 2 << 20,
    REPORT_SECONDS = 20,
};

/* ---- keys and values ------------------------------------------------------------------------------------------------------ */

uint32_t soak_draw(struct random *random)
{
    double share = (double)(random_next(random) >> 11) * 0x1p-53;
    return (uint32_t)(share * share * share * KEY_COUNT);
}

void soak_key(uint32_t number, struct soak_key *out_key)
{
    char folder[48];
    int size = snprintf(out_key->partition_text, sizeof out_key->partition_text, "TENANT#%04u", number / COLLECTION_SIZE);
    out_key->partition_key = sheaf_bytes_of(out_key->partition_text, (size_t)size);
    sheaf_bytes prefix = soak_folder(number, folder);
    size = snprintf(out_key->sort_text, sizeof out_key->sort_text, "%.*s%06u", (int)prefix.size, folder, number);
    out_key->sort_key = sheaf_bytes_of(out_key->sort_text, (size_t)size);
}

sheaf_bytes soak_folder(uint32_t number, char *buffer)
{
    uint32_t folder = number % COLLECTION_SIZE / FOLDER_SIZE;
    return sheaf_bytes_of(buffer, (size_t)snprintf(buffer, 48, "root/folder-%02u/", folder));
}

static uint32_t draw_size(struct random *random)
{
    return 8 + random_below(random, random_once_in(random, 100) ? SOAK_VALUE_SIZE_MAX - 8 : 150) / 2 * 2;
}

/* The number, then bytes that follow from it and the size. */
static sheaf_bytes write_value(uint32_t number, uint32_t size, uint8_t *buffer)
{
    memcpy(buffer, &number, sizeof number);
    memcpy(buffer + 4, &size, sizeof size);
    memset(buffer + 8, (int)((number ^ size) & 255), size - 8);
    return sheaf_bytes_of(buffer, size);
}

sheaf_bytes soak_value(struct random *random, uint32_t number, uint8_t *buffer)
{
    return write_value(number, draw_size(random), buffer);
}

sheaf_bytes soak_loaded_value(struct random *random, uint32_t number, uint8_t *buffer)
{
    return write_value(number, draw_size(random) + 1, buffer);
}

void soak_expect_value(uint32_t number, sheaf_bytes value)
{
    uint32_t found[2];
    soak_expect(value.size >= 8, "a value is as long as its front");
    memcpy(found, value.data, sizeof found);
    soak_expect(found[0] == number && found[1] == value.size, "a value is that of its key, and whole");
    for (size_t i = 8; i < value.size; i++)
        soak_expect(value.data[i] == ((number ^ value.size) & 255), "a value's bytes are those that were put");
}

void soak_expect(bool condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "not so: %s\n", what);
    _Exit(1);
}

/* ---- memory --------------------------------------------------------------------------------------------------------------- */

static uint64_t resident_bytes(void)
{
    unsigned long total, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    soak_expect(file && fscanf(file, "%lu %lu", &total, &resident) == 2, "/proc/self/statm can be read");
    fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t mean(const uint64_t *samples, size_t begin, size_t end)
{
    uint64_t sum = 0;
    for (size_t i = begin; i < end; i++) sum += samples[i];
    return end > begin ? sum / (end - begin) : 0;
}

static double mebibytes(uint64_t bytes)
{
    return (double)bytes / (1 << 20);
}

/* Whether memory has stayed where it was after warming up. */
static bool is_flat(const uint64_t *samples, size_t count)
{
    uint64_t early = mean(samples, count / 4, count / 2);
    uint64_t late = mean(samples, count - count / 4, count);
    printf("resident: %.1f MiB in the second quarter, %.1f MiB in the last\n", mebibytes(early), mebibytes(late));
    return late <= early + early / RISE_FRACTION + RISE_BYTES;
}

/* ---- the run -------------------------------------------------------------------------------------------------------------- */

static struct soak soak;
static struct soak_books store_books = { .name = "store" }, shared_books = { .name = "shared" };

static void *run_store(void *nothing)
{
    soak_store(&soak, &store_books);
    return nothing;
}

static void *run_shared(void *nothing)
{
    soak_shared(&soak, &shared_books);
    return nothing;
}

static void report(uint64_t second, uint64_t resident)
{
    printf("%5llu s  %6.1f MiB resident", (unsigned long long)second, mebibytes(resident));
    struct soak_books *both[] = { &store_books, &shared_books };
    for (size_t i = 0; i < 2; i++)
        printf(" | %s: %.1f M operations, %.1f M events, %.1f M evicted, %.1f M expired, %llu refused, %.1f MiB charged, %.1f resident, %llu views",
               both[i]->name, (double)both[i]->operations * 1e-6, (double)both[i]->events * 1e-6,
               (double)both[i]->evictions * 1e-6, (double)both[i]->expirations * 1e-6, both[i]->refusals, mebibytes(both[i]->charged_bytes),
               mebibytes(both[i]->resident_bytes), both[i]->view_count);
    printf("\n");
    fflush(stdout);
}

int main(int argument_count, char **arguments)
{
    static uint64_t samples[SAMPLE_MAX];
    size_t sample_count = 0;
    uint64_t seconds = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 5;
    soak.seed = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : (uint64_t)time(NULL);
    soak.budget_bytes = 12 << 20;
    printf("soak of %llu seconds, seed %llu\n", (unsigned long long)seconds, (unsigned long long)soak.seed);
    pthread_t threads[2];
    soak_expect(pthread_create(&threads[0], NULL, run_store, NULL) == 0, "a thread");
    soak_expect(pthread_create(&threads[1], NULL, run_shared, NULL) == 0, "a thread");
    for (uint64_t second = 1; second <= seconds; second++) {
        sleep(1);
        uint64_t resident = resident_bytes();
        if (sample_count < SAMPLE_MAX) samples[sample_count++] = resident;
        if (second % REPORT_SECONDS == 0 || second == seconds) report(second, resident);
    }
    atomic_store(&soak.ending, true);
    for (size_t i = 0; i < 2; i++) soak_expect(pthread_join(threads[i], NULL) == 0, "a thread ends");
    if (sample_count >= TELLING_SECONDS) soak_expect(is_flat(samples, sample_count), "resident memory is flat after warming up");
    printf("all values accounted for, all stores sound\n");
    return 0;
}
