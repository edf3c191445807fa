#include "engine/shared/lock.h"

#include <sched.h>
#include <time.h>

/*
 * How long to wait awake, and how. A put takes about a microsecond, and being woken several, on a virtual machine many; so a
 * wait begins on the core. Then others may need that (perhaps the one who is waited for), and in the end it may be long.
 */
enum {
    SPINS = 200,        /* some microseconds */
    YIELDS = 50,
    NAP_NS = 50 * 1000, /* of a writer that waits for a long read */
};

/* Tells the core that this is a loop in which one waits. */
static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

bool sheaf_lock_init(struct sheaf_lock *lock)
{
    lock->writing = 0;
    for (uint32_t i = 0; i < LOCK_COUNT_COUNT; i++) lock->counts[i].readers = 0;
    return pthread_mutex_init(&lock->mutex, NULL) == 0;
}

void sheaf_lock_deinit(struct sheaf_lock *lock)
{
    (void)pthread_mutex_destroy(&lock->mutex);
}

/* ---- readers ------------------------------------------------------------------------------------------------------------ */

static bool is_being_written(const struct sheaf_lock *lock)
{
    return __atomic_load_n(&lock->writing, __ATOMIC_SEQ_CST) != 0;
}

/* One more try to get in beside other readers. */
static bool try_read(struct sheaf_lock *lock, uint32_t count)
{
    if (is_being_written(lock)) return false;
    (void)__atomic_fetch_add(&lock->counts[count].readers, 1, __ATOMIC_SEQ_CST);
    if (!is_being_written(lock)) return true;
    sheaf_lock_end_read(lock, count);
    return false;
}

void sheaf_lock_read_late(struct sheaf_lock *lock, uint32_t count)
{
    sheaf_lock_end_read(lock, count);
    for (int i = 0; i < SPINS; i++) {
        if (try_read(lock, count)) return;
        relax();
    }
    for (int i = 0; i < YIELDS; i++) {
        if (try_read(lock, count)) return;
        (void)sched_yield();
    }
    (void)pthread_mutex_lock(&lock->mutex);
    (void)__atomic_fetch_add(&lock->counts[count].readers, 1, __ATOMIC_SEQ_CST);
    (void)pthread_mutex_unlock(&lock->mutex);
}

/* ---- writers ------------------------------------------------------------------------------------------------------------ */

static void take_mutex(pthread_mutex_t *mutex)
{
    for (int i = 0; i < SPINS; i++) {
        if (pthread_mutex_trylock(mutex) == 0) return;
        relax();
    }
    for (int i = 0; i < YIELDS; i++) {
        if (pthread_mutex_trylock(mutex) == 0) return;
        (void)sched_yield();
    }
    (void)pthread_mutex_lock(mutex);
}

/* New readers stay out by now, so this ends with the reads that are under way. */
static void wait_for_count(const struct sheaf_lock_count *count)
{
    for (int i = 0; __atomic_load_n(&count->readers, __ATOMIC_SEQ_CST) != 0; i++) {
        if (i < SPINS) {
            relax();
        } else if (i < SPINS + YIELDS) {
            (void)sched_yield();
        } else {
            struct timespec nap = { .tv_nsec = NAP_NS };
            (void)nanosleep(&nap, NULL);
        }
    }
}

void sheaf_lock_begin_write(struct sheaf_lock *lock)
{
    take_mutex(&lock->mutex);
    __atomic_store_n(&lock->writing, 1, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < LOCK_COUNT_COUNT; i++) wait_for_count(&lock->counts[i]);
}

void sheaf_lock_end_write(struct sheaf_lock *lock)
{
    __atomic_store_n(&lock->writing, 0, __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&lock->mutex);
}
