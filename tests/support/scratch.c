/* Temporary folders and files; see scratch.h. */
#include "support/scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/require.h"

void scratch_make(char path[SCRATCH_PATH])
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(path, SCRATCH_PATH, "%s/willow-test-XXXXXX", base && *base ? base : "/tmp");
    require(mkdtemp(path) != NULL, "cannot make a temporary folder");
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void scratch_remove(const char *path)
{
    (void)nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

char *scratch_join(char buffer[SCRATCH_PATH], const char *folder, const char *name)
{
    int length = snprintf(buffer, SCRATCH_PATH, "%s/%s", folder, name);
    require(length > 0 && length < SCRATCH_PATH, "a path is too long");
    return buffer;
}

unsigned char *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    require(fseek(file, 0, SEEK_END) == 0, "cannot seek");
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*size + 1);
    require(data != NULL && fread(data, 1, *size, file) == *size, "cannot read");
    (void)fclose(file);
    data[*size] = '\0';
    return data;
}

void scratch_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "cannot write");
}

int scratch_count(const char *folder, const char *suffix)
{
    DIR *directory = opendir(folder);
    int count = 0;
    require(directory != NULL, folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name), tail = strlen(suffix);
        count += length >= tail && strcmp(entry->d_name + length - tail, suffix) == 0;
    }
    (void)closedir(directory);
    return count;
}

int scratch_nameless(const char *folder)
{
    char real[PATH_MAX], path[64], target[PATH_MAX];
    require(realpath(folder, real) != NULL, folder);
    for (int fd = 3; fd < 256; fd++) {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length <= 0)
            continue;
        target[length] = '\0';
        if (strncmp(target, real, strlen(real)) == 0 && strstr(target, "(deleted)"))
            return fd;
    }
    return -1;
}
