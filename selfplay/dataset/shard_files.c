/* The files of a dataset's folder by name. Opens none of them. Layer: selfplay/dataset. */
#include "shard_files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <willow/bits.h>
#include <willow/file.h>

enum { PATH_BYTES = 4096 };

char *shard_file_name(uint32_t number, char name[SHARD_FILE_NAME])
{
    (void)snprintf(name, SHARD_FILE_NAME, "shard-%06" PRIu32 ".h5", number);
    return name;
}

enum willow_status shard_path(char *buffer, size_t size, const char *folder, uint32_t number,
                              struct willow_error *error)
{
    char name[SHARD_FILE_NAME];
    return willow_path_join(buffer, size, folder, shard_file_name(number, name), error);
}

bool shard_file_number(const char *name, uint32_t *number)
{
    char again[SHARD_FILE_NAME];
    return sscanf(name, "shard-%9" SCNu32, number) == 1 && strcmp(name, shard_file_name(*number, again)) == 0;
}

static bool is_leftover(const char *name)
{
    uint32_t number;
    static const char *const others[] = {"manifest.json", "config.yaml", "origin.yaml", "weights.wlw"};
    static const char suffix[] = ".tmp";
    char stem[SHARD_FILE_NAME];
    size_t length = strlen(name), suffix_length = sizeof suffix - 1;
    if (length <= suffix_length || length - suffix_length >= sizeof stem ||
        strcmp(name + length - suffix_length, suffix) != 0)
        return false;
    memcpy(stem, name, length - suffix_length);
    stem[length - suffix_length] = '\0';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(stem, others[i]) == 0)
            return true;
    return shard_file_number(stem, &number);
}

/* Removes leftovers, or the finished shards numbered *first and up; *shards (may be null) tells whether finished
 * shards were seen. */
static enum willow_status remove_files(const char *folder, const uint32_t *first, bool *shards,
                                       struct willow_error *error)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return willow_fail_errno(error, folder, "read the folder", errno);
    enum willow_status status = WILLOW_OK;
    for (struct dirent *entry; !status && (entry = readdir(directory)) != NULL;) {
        char path[PATH_BYTES];
        uint32_t number;
        bool shard = shard_file_number(entry->d_name, &number);
        if (shards)
            *shards = *shards || shard;
        if (first ? !shard || number < *first : !is_leftover(entry->d_name))
            continue;
        status = willow_path_join(path, sizeof path, folder, entry->d_name, error);
        if (!status && unlink(path) != 0 && errno != ENOENT)
            status = willow_fail_errno(error, path, "remove", errno);
    }
    (void)closedir(directory);
    return status;
}

enum willow_status shard_files_sweep(const char *folder, bool *shards, struct willow_error *error)
{
    *shards = false;
    return remove_files(folder, NULL, shards, error);
}

enum willow_status shard_files_remove(const char *folder, uint32_t first, struct willow_error *error)
{
    return remove_files(folder, &first, NULL, error);
}

uint64_t shard_file_bytes(const char *folder, uint32_t number)
{
    char path[PATH_BYTES];
    struct stat status;
    if (shard_path(path, sizeof path, folder, number, NULL) != WILLOW_OK || stat(path, &status) != 0)
        return 0;
    return (uint64_t)status.st_size;
}

enum willow_status shard_refuse_ruleset(const char *path, const char *ruleset, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "is a dataset of %.40s, and those read here are of %s",
                       ruleset, WILLOW_BITS_WORDS > 1 ? "10x10" : "boards up to 8x8");
}
