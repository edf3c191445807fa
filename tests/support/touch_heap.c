#include "tests/support/touch_heap.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/expect.h"

enum { PAGE_COUNT_MAX = 1 << 17, SIZE_PAGES_MAX = 512 };

/* Of a page: where its block begins and how many pages that has; 0 pages: it is none's. */
struct page {
    uint32_t first;
    uint32_t count;
};

static struct {
    uint8_t *memory;
    size_t page_size;
    uint32_t used; /* pages that were a block's once */
    struct page pages[PAGE_COUNT_MAX];
    uint32_t free[SIZE_PAGES_MAX]; /* by their pages, lists of blocks given back: the first page, plus 1 */
    uint32_t next_free[PAGE_COUNT_MAX];
    uint64_t live_count;
    uint64_t touched;
    bool watching;
    struct sigaction before;
} heap;

static void protect(uint32_t first, uint32_t count, int protection)
{
    EXPECT(mprotect(heap.memory + first * heap.page_size, count * heap.page_size, protection) == 0, "memory can be protected");
}

/* In a signal handler: only what may be called there. Any other fault is none of ours. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    uint64_t page = ((uintptr_t)info->si_addr - (uintptr_t)heap.memory) / heap.page_size;
    if (!heap.watching || page >= heap.used || heap.pages[page].count == 0) {
        (void)sigaction(signal, &heap.before, NULL);
        return;
    }
    struct page block = heap.pages[page];
    heap.touched++;
    (void)mprotect(heap.memory + block.first * heap.page_size, block.count * heap.page_size, PROT_READ | PROT_WRITE);
}

static uint32_t pages_for(size_t size)
{
    return (uint32_t)((size + heap.page_size - 1) / heap.page_size);
}

static void *give(size_t size)
{
    uint32_t count = pages_for(size), first = heap.used;
    EXPECT(count < SIZE_PAGES_MAX, "a block of %zu bytes", size);
    if (heap.free[count] != 0) {
        first = heap.free[count] - 1;
        heap.free[count] = heap.next_free[first];
    } else {
        EXPECT(heap.used + count <= PAGE_COUNT_MAX, "pages enough");
        heap.used += count;
    }
    for (uint32_t i = 0; i < count; i++) heap.pages[first + i] = (struct page){ first, count };
    protect(first, count, PROT_READ | PROT_WRITE);
    if (heap.watching) heap.touched++;
    heap.live_count++;
    return heap.memory + first * heap.page_size;
}

/* What is given back is not accessible until it is given again: then a fault is a fault. */
static void take(const void *block, size_t size)
{
    uint32_t count = pages_for(size), first = (uint32_t)((size_t)((const uint8_t *)block - heap.memory) / heap.page_size);
    EXPECT(heap.pages[first].first == first && heap.pages[first].count == count, "a block that was given");
    for (uint32_t i = 0; i < count; i++) heap.pages[first + i].count = 0;
    protect(first, count, PROT_NONE);
    heap.next_free[first] = heap.free[count];
    heap.free[count] = first + 1;
    heap.live_count--;
}

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    void *fresh = new_size > 0 ? give(new_size) : NULL;
    if (fresh && block) memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    if (block) take(block, old_size);
    return fresh;
}

sheaf_allocator touch_heap_begin(void)
{
    memset(&heap, 0, sizeof heap);
    heap.page_size = (size_t)sysconf(_SC_PAGESIZE);
    heap.memory = mmap(NULL, PAGE_COUNT_MAX * heap.page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT(heap.memory != MAP_FAILED, "addresses");
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    EXPECT(sigaction(SIGSEGV, &action, &heap.before) == 0, "a handler of faults");
    return (sheaf_allocator){ .resize = resize };
}

void touch_heap_end(void)
{
    EXPECT(heap.live_count == 0, "%d blocks leaked", (int)heap.live_count);
    EXPECT(sigaction(SIGSEGV, &heap.before, NULL) == 0, "the handler before");
    EXPECT(munmap(heap.memory, PAGE_COUNT_MAX * heap.page_size) == 0, "addresses given back");
}

void touch_heap_watch(void)
{
    heap.touched = 0;
    heap.watching = true;
    if (heap.used > 0) protect(0, heap.used, PROT_NONE);
}

uint64_t touch_heap_stop(void)
{
    heap.watching = false;
    for (uint32_t page = 0; page < heap.used; page += heap.pages[page].count > 0 ? heap.pages[page].count : 1)
        if (heap.pages[page].count > 0) protect(page, heap.pages[page].count, PROT_READ | PROT_WRITE);
    return heap.touched;
}
