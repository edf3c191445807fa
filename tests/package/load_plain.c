/*
 * load_plain.c - a program that knows nothing of libsheaf loads libsheaf-plain while it runs, as ctypes or a plugin host would.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

static void *library;

/* ISO C has no cast from an object pointer to a function's; POSIX has this copy. */
static void look_up(const char *name, void *out_function)
{
    void *address = dlsym(library, name);
    if (!address) printf("no %s\n", name);
    memcpy(out_function, &address, sizeof address);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("%s\n", dlerror());
        return 1;
    }
    const char *(*backend)(void);
    sheaf_status (*create)(const sheaf_store_options *, sheaf_store **, sheaf_detail *);
    sheaf_status (*put)(sheaf_store *, sheaf_bytes, sheaf_bytes, sheaf_bytes, bool *, sheaf_detail *);
    sheaf_status (*get)(const sheaf_store *, sheaf_bytes, sheaf_bytes, sheaf_bytes *, sheaf_detail *);
    void (*destroy)(sheaf_store *);
    look_up("sheaf_allocator_backend", &backend);
    look_up("sheaf_store_create", &create);
    look_up("sheaf_store_put", &put);
    look_up("sheaf_store_get", &get);
    look_up("sheaf_store_destroy", &destroy);
    if (!backend || !create || !put || !get || !destroy) return 1;
    if (strcmp(backend(), "libc") != 0) return 1;

    sheaf_store *store;
    sheaf_bytes view;
    if (create(NULL, &store, NULL) != SHEAF_OK) return 1;
    if (put(store, SHEAF_LIT("p"), SHEAF_LIT("s"), SHEAF_LIT("value"), NULL, NULL) != SHEAF_OK) return 1;
    if (get(store, SHEAF_LIT("p"), SHEAF_LIT("s"), &view, NULL) != SHEAF_OK) return 1;
    if (view.size != 5 || memcmp(view.data, "value", 5) != 0) return 1;
    destroy(store);
    return dlclose(library) == 0 ? 0 : 1;
}
