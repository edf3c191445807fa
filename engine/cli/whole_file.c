#include "engine/cli/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_SIZE ((size_t)64 * 1024)

static bool read_all(int descriptor, struct buffer *buffer)
{
    for (;;) {
        uint8_t *room = buffer_reserve(buffer, READ_SIZE);
        ssize_t count = read(descriptor, room, READ_SIZE);
        if (count == 0) return true;
        if (count > 0)
            buffer->size += (size_t)count;
        else if (errno != EINTR)
            return false;
    }
}

bool whole_file_read(const char *name, struct buffer *buffer, struct complaint *complaint)
{
    bool standard = strcmp(name, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return complain(complaint, "cannot open %s: %s", name, strerror(errno));
    bool read = read_all(descriptor, buffer);
    if (!read) complain(complaint, "cannot read %s: %s", name, strerror(errno));
    if (!standard) (void)close(descriptor);
    return read;
}

static bool write_all(int descriptor, sheaf_bytes bytes)
{
    while (bytes.size > 0) {
        ssize_t count = write(descriptor, bytes.data, bytes.size);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) bytes = sheaf_bytes_of(bytes.data + count, bytes.size - (size_t)count);
    }
    return true;
}

/* What mkstemp() gives is for the owner alone. */
static bool open_to_all(int descriptor)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return fchmod(descriptor, 0666 & ~mask) == 0;
}

static bool write_beside(const char *beside, int descriptor, const char *name, sheaf_bytes bytes)
{
    bool written = open_to_all(descriptor) && write_all(descriptor, bytes);
    int error = errno;
    if (close(descriptor) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && rename(beside, name) == 0) return true;
    if (written) error = errno;
    (void)unlink(beside);
    errno = error;
    return false;
}

bool whole_file_write(const char *name, sheaf_bytes bytes, struct complaint *complaint)
{
    char *beside = NULL;
    if (asprintf(&beside, "%s.XXXXXX", name) < 0) end_without_memory();
    int descriptor = mkostemp(beside, O_CLOEXEC);
    bool written = descriptor >= 0 && write_beside(beside, descriptor, name, bytes);
    if (!written) complain(complaint, "cannot write %s: %s", name, strerror(errno));
    free(beside);
    return written;
}
