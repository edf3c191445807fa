/*
 * replay_main.c - runs a fuzz target over saved inputs, under any compiler, as an ordinary test.
 *
 * Arguments are files and folders of files. Prints how many inputs ran; none at all is a failure.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const char *path)
{
    perror(path);
    fprintf(stderr, "cannot %s %s\n", what, path);
    exit(1);
}

static unsigned replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail("open", path);
    uint8_t *data = NULL;
    size_t size = 0, read = 0;
    do {
        data = realloc(data, size + 65536);
        if (!data) fail("hold", path);
        read = fread(data + size, 1, 65536, file);
        size += read;
    } while (read > 0);
    if (ferror(file)) fail("read", path);
    (void)fclose(file);
    fprintf(stderr, "# %s\n", path); /* so that the culprit is the last one named */
    data = realloc(data, size > 0 ? size : 1); /* no room behind it: the sanitizer sees a read beyond the end */
    if (!data) fail("hold", path);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

static unsigned replay(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) return replay_file(path);
    unsigned count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        size_t size = strlen(path) + strlen(entry->d_name) + 2;
        char *inner = malloc(size);
        if (!inner) fail("name", path);
        (void)snprintf(inner, size, "%s/%s", path, entry->d_name);
        count += replay(inner);
        free(inner);
    }
    (void)closedir(folder);
    return count;
}

int main(int argument_count, char **arguments)
{
    unsigned count = 0;
    for (int i = 1; i < argument_count; i++) count += replay(arguments[i]);
    printf("%u inputs replayed\n", count);
    return count > 0 ? 0 : 1;
}
