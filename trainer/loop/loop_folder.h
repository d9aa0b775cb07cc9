/* Files and folders as the loop handles them: copies, disposal, size.
 * Layer: trainer (program).
 */
#ifndef WILLOW_TRAINER_LOOP_FOLDER_H
#define WILLOW_TRAINER_LOOP_FOLDER_H

#include <stdint.h>

#include <willow/status.h>

/* Replaces `to` by a copy of the file `from`, atomically. WILLOW_ERR_IO, _FORMAT (larger than any weights file),
 * _MEMORY. */
enum willow_status folder_copy_file(const char *from, const char *to, struct willow_error *error);

/* Removes a file, or a folder with all that is in it; links are not followed. A missing path is fine. WILLOW_ERR_IO. */
enum willow_status folder_remove(const char *path, struct willow_error *error);

/* Removes the entries of a folder whose names begin with prefix. WILLOW_ERR_IO. */
enum willow_status folder_remove_matching(const char *folder, const char *prefix, struct willow_error *error);

/* Bytes on disk of all files in a folder that may change meanwhile; what cannot be read counts as nothing. */
uint64_t folder_bytes(const char *path);

#endif
