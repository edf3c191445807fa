/*
 * lock.h - a lock for many readers on many cores: each thread counts itself in a cache line of its own.
 *
 *      writing | 0 |     mutex: writers, one at a time, and readers that have tried in vain
 *
 *      readers | 0 |  | 1 |  | 0 |  | 1 |  ...      a line each; by where the thread's stack lies
 *
 *      reader                                writer
 *      adds 1 to its count, then reads       takes the mutex, sets `writing`, then reads
 *      `writing`: 0, it is in                all counts, until each was 0: it is alone
 *
 * Each writes first and then looks at what the other wrote, in the one order that all threads see: so at least one of the two
 * sees the other, and it is always the reader that gives way. Two readers meet in no cache line that either writes, unless
 * their stacks lie alike, which is slower and no more; with a reader-writer lock of the usual kind each read writes the line
 * of all, and two cores read no faster than one.
 *
 * The count must be known without a load. The processor goes on to the next read while this one waits for memory, if only it
 * knows at once where the next one's count is: a table of threads, or the thread's number from wherever it is kept, cost a
 * read of many small collections a quarter to a half of its time, and pthread_self() or sched_getcpu() did as much. The fence
 * itself costs a twentieth.
 *
 * A reader that finds a writer takes its count back, tries for about as long as a write takes, and then queues for the mutex.
 * Who has that meets no writer, so it counts itself and lets go at once: readers never starve, and never exclude one another.
 * Nor do writers starve, since readers stay out while `writing` is set.
 *
 * K1  While a writer is in, all counts are 0, but for moments in which a reader is about to give way.
 */
#ifndef SHEAF_SHARED_LOCK_H
#define SHEAF_SHARED_LOCK_H

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

enum { LOCK_LINE_SIZE = 64, LOCK_COUNT_COUNT = 16 };

struct sheaf_lock_count {
    alignas(LOCK_LINE_SIZE) uint64_t readers;
};

struct sheaf_lock {
    alignas(LOCK_LINE_SIZE) uint32_t writing;
    struct sheaf_lock_count counts[LOCK_COUNT_COUNT];
    alignas(LOCK_LINE_SIZE) pthread_mutex_t mutex;
};

/* False when the system has no mutex to give. */
bool sheaf_lock_init(struct sheaf_lock *lock);
void sheaf_lock_deinit(struct sheaf_lock *lock);

/* The long way in, once a writer was met. */
void sheaf_lock_read_late(struct sheaf_lock *lock, uint32_t count);

/*
 * The count of the thread that asks, by where its stack lies: of stacks in a row, sixteen of 8 MiB have counts of their own,
 * and eight to fourteen of 1 to 4 MiB. Any number would be right.
 */
static inline uint32_t sheaf_lock_count_index(void)
{
    uint64_t stack = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return (uint32_t)((stack >> 20) + (stack >> 23)) % LOCK_COUNT_COUNT;
}

/* Lets the caller in beside other readers. Returns the count to leave by. */
static inline uint32_t sheaf_lock_begin_read(struct sheaf_lock *lock)
{
    uint32_t count = sheaf_lock_count_index();
    (void)__atomic_fetch_add(&lock->counts[count].readers, 1, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&lock->writing, __ATOMIC_SEQ_CST) != 0, 0)) sheaf_lock_read_late(lock, count);
    return count;
}

static inline void sheaf_lock_end_read(struct sheaf_lock *lock, uint32_t count)
{
    (void)__atomic_fetch_sub(&lock->counts[count].readers, 1, __ATOMIC_RELEASE);
}

/* Lets the caller in alone. */
void sheaf_lock_begin_write(struct sheaf_lock *lock);
void sheaf_lock_end_write(struct sheaf_lock *lock);

#endif
