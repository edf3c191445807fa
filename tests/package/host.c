/*
 * host.c - a program that embeds libsheaf, for the packaging tests: built against the library in the build folder, against the
 * installed one and as the parent of a subproject. It uses a store, and looks whose malloc it is left with.
 */
#define _GNU_SOURCE 1 /* dladdr; the same as on the command line of our own build */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

static int fail(const char *what)
{
    printf("host: %s\n", what);
    return 1;
}

/* 3,000 values of 1,000 bytes: past the size at which a store gets an arena of its own. */
static int use_store(void)
{
    enum { COUNT = 3000, VALUE_SIZE = 1000 };
    static char value[VALUE_SIZE];
    char key[32];
    sheaf_store *store;
    if (sheaf_store_create(NULL, &store, NULL) != SHEAF_OK) return fail("no store");
    for (int i = 0; i < COUNT; i++) {
        int size = snprintf(key, sizeof key, "file/%08d", i);
        memset(value, i % 251, sizeof value);
        sheaf_status status = sheaf_store_put(store, SHEAF_LIT("DRIVE#1"), sheaf_bytes_of(key, (size_t)size),
                                              sheaf_bytes_of(value, sizeof value), NULL, NULL);
        if (status != SHEAF_OK) return fail(sheaf_status_name(status));
    }
    sheaf_bytes view;
    if (sheaf_store_get(store, SHEAF_LIT("DRIVE#1"), SHEAF_LIT("file/00000300"), &view, NULL) != SHEAF_OK)
        return fail("no get");
    if (view.size != VALUE_SIZE || view.data[0] != 300 % 251) return fail("another value than was put");
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("file/000001"));
    sheaf_totals totals;
    if (sheaf_range_total(store, SHEAF_LIT("DRIVE#1"), &range, &totals, NULL) != SHEAF_OK) return fail("no total");
    if (totals.count != 100) return fail("another count than was put");
    sheaf_store_destroy(store);
    return 0;
}

/* The malloc that a dynamic host sees is libc's, and nothing of jemalloc is to be seen at all. */
static int look_at_malloc(void)
{
    Dl_info info;
    void *found = dlsym(RTLD_DEFAULT, "malloc");
    if (!found) return 0; /* linked statically throughout: there is nothing to look up */
    if (!dladdr(found, &info) || !strstr(info.dli_fname, "/libc.so")) return fail("malloc is not libc's");
    static const char *const names[] = { "mallocx", "sdallocx", "mallctl", "malloc_conf", "je_mallocx" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dlsym(RTLD_DEFAULT, names[i])) return fail(names[i]);
    void *block = malloc(100);
    if (!block) return fail("no memory");
    free(block);
    return 0;
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : sheaf_allocator_backend();
    if (strcmp(sheaf_allocator_backend(), backend) != 0) return fail("another backend than was asked for");
    if (strcmp(sheaf_version(), SHEAF_VERSION) != 0) return fail("library and headers differ in version");
    if (use_store() != 0) return 1;
    return look_at_malloc();
}
