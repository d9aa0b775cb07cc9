/* Files that survive a crash: whole-file reads with a limit, atomic replacement, folders and locks. Layer: base. */
#ifndef WILLOW_FILE_H
#define WILLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the whole of a regular file into *data (malloc, one extra terminating zero byte; the caller frees).
 * WILLOW_ERR_IO; WILLOW_ERR_FORMAT if larger than limit_bytes or not a regular file; WILLOW_ERR_MEMORY. */
enum willow_status willow_file_read(const char *path, size_t limit_bytes, unsigned char **data, size_t *size_bytes,
                                    struct willow_error *error);

/* Reads what a user named as input: a regular file, a pipe or device, or "-" for standard input. Comes back as
 * willow_file_read does. */
enum willow_status willow_file_read_input(const char *path, size_t limit_bytes, unsigned char **data,
                                          size_t *size_bytes, struct willow_error *error);

/* What messages call that input: "standard input" or the path itself. */
const char *willow_file_input_name(const char *path);

/* Replaces (or creates) path: writes "path.tmp", syncs it, renames it over path, syncs the folder. At no instant does
 * path hold part of the new content. On failure the temporary file is removed and path is as before. WILLOW_ERR_IO. */
enum willow_status willow_file_replace(const char *path, const void *data, size_t size_bytes,
                                       struct willow_error *error);

/* Whether path may and can be replaced, for work that is too long to find out at its end: it is missing from a folder
 * in which one may write, empty, or begins with the bytes of `mark`, as every such file of ours does. WILLOW_ERR_BUSY
 * when it holds something else, which is then "no <kind>" in the reason; WILLOW_ERR_IO, also for what is no file. */
enum willow_status willow_file_check_mark(const char *path, const void *mark, size_t mark_bytes, const char *kind,
                                          struct willow_error *error);

/* Syncs a file that was written by other means, renames it to path and syncs the folder. WILLOW_ERR_IO. */
enum willow_status willow_file_publish(const char *temporary, const char *path, struct willow_error *error);

/* Creates the folder and its parents where missing. WILLOW_ERR_IO. */
enum willow_status willow_folder_create(const char *path, struct willow_error *error);

bool willow_file_exists(const char *path);

/* Writes "folder/name" into buffer. WILLOW_ERR_ARGUMENT if it does not fit. */
enum willow_status willow_path_join(char *buffer, size_t size, const char *folder, const char *name,
                                    struct willow_error *error);

/* Takes an exclusive advisory lock on "folder/lock", created if missing; it ends with the process, kill -9 included.
 * *lock_fd is the descriptor to hand to willow_folder_unlock. WILLOW_ERR_BUSY when it is held already, by another
 * process or this one, or a part of it is; WILLOW_ERR_IO, also when the file system has no locks. */
enum willow_status willow_folder_lock(const char *folder, int *lock_fd, struct willow_error *error);

/* As willow_folder_lock for numbers first .. first + count - 1 of whatever the folder holds, below 2^62; count = 0: all
 * from `first` up. Only ranges that meet keep each other out. wait = true: until they are free, for as long as it
 * takes. */
enum willow_status willow_folder_lock_range(const char *folder, uint64_t first, uint64_t count, bool wait, int *lock_fd,
                                            struct willow_error *error);
void willow_folder_unlock(int lock_fd);

/* Whether a lock that is held still keeps others out of the folder of that name. WILLOW_ERR_IO when it does not: the
 * lock file was removed, alone or with the folder, which may have been made anew since. */
enum willow_status willow_folder_lock_check(const char *folder, int lock_fd, struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
