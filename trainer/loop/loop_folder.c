/* Copies, removes and measures what a loop keeps on disk.
 * Layer: trainer (program).
 */
#include "loop_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

/* Far above the largest pattern set at 61 stages; a limit only against reading some other file whole. */
static const size_t weights_bytes_max = (size_t)4 << 30;

enum willow_status folder_copy_file(const char *from, const char *to, struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_file_read(from, weights_bytes_max, &data, &size, error);

    if (status == WILLOW_OK)
        status = willow_file_replace(to, data, size, error);
    free(data);
    return status;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

enum willow_status folder_remove(const char *path, struct willow_error *error)
{
    enum { OPEN_FOLDERS = 8 };

    if (nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
        return willow_fail_errno(error, path, "remove", errno);
    return WILLOW_OK;
}

enum willow_status folder_remove_matching(const char *folder, const char *prefix, struct willow_error *error)
{
    DIR *stream = opendir(folder);
    enum willow_status status = WILLOW_OK;

    if (stream == NULL)
        return willow_fail_errno(error, folder, "list", errno);
    for (const struct dirent *entry = readdir(stream); entry != NULL && status == WILLOW_OK; entry = readdir(stream)) {
        char path[PATH_MAX];

        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        status = willow_path_join(path, sizeof path, folder, entry->d_name, error);
        if (status == WILLOW_OK)
            status = folder_remove(path, error);
    }
    (void)closedir(stream);
    return status;
}

uint64_t folder_bytes(const char *path)
{
    char *const roots[] = {(char *)(uintptr_t)path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    uint64_t bytes = 0;

    if (walk == NULL)
        return 0;
    for (const FTSENT *entry = fts_read(walk); entry != NULL; entry = fts_read(walk))
        if (entry->fts_info == FTS_F)
            bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
    (void)fts_close(walk);
    return bytes;
}
