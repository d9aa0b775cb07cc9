/* A match on disk: one append-only file of games, and what is made from it. Layer: selfplay. Plays nothing, counts
 * nothing. What a line is: game_json.c; what a pair is: pair_file.c; whose folder it is: match_identity.c.
 */
#include "match_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <willow/file.h>

#include "game_json.h"
#include "game_texts.h"
#include "match_identity.h"
#include "pair_file.h"

struct match_folder {
    const struct willow_ruleset *ruleset;
    char *path;
    char games_path[PATH_MAX];
    int lock_fd, games_fd, log_fd; /* -1 = not open */
    uint64_t size_bytes;           /* of games.jsonl: whole pairs */
    bool broken;                   /* a failed write could not be taken back: nothing may follow it */
};

/* Opens a file of the folder and makes it where it is missing. */
static enum willow_status open_file(const char *path, int mode, int *fd, struct willow_error *error)
{
    struct stat about;
    /* Without O_NONBLOCK, a named pipe would wait for its other end. */
    *fd = open(path, mode | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (*fd < 0 || fstat(*fd, &about) != 0)
        return willow_fail_errno(error, path, "open", errno);
    if (!S_ISREG(about.st_mode))
        return willow_fail(error, WILLOW_ERR_IO, path, NULL, "not a regular file");
    return WILLOW_OK;
}

/* Drops what a kill left of a pair behind the last whole one. */
static enum willow_status cut_off_half_a_pair(const struct match_folder *folder, struct willow_error *error)
{
    struct stat about;
    if (fstat(folder->games_fd, &about) == 0 && (uint64_t)about.st_size == folder->size_bytes)
        return WILLOW_OK;
    if (ftruncate(folder->games_fd, (off_t)folder->size_bytes) != 0 || fsync(folder->games_fd) != 0)
        return willow_fail_errno(error, folder->games_path, "cut off half a pair", errno);
    return WILLOW_OK;
}

/* No damaged file is ever changed. */
static enum willow_status open_games(struct match_folder *folder, match_folder_visit *visit, void *context,
                                     struct willow_error *error)
{
    const char *path = folder->games_path;
    /* A new file whose name, too, would survive a power cut. */
    enum willow_status status = willow_file_exists(path) ? WILLOW_OK : willow_file_replace(path, "", 0, error);
    if (status == WILLOW_OK)
        status = open_file(path, O_RDWR, &folder->games_fd, error);
    if (status == WILLOW_OK)
        status = pair_file_read(folder->games_fd, path, folder->ruleset, visit, context, &folder->size_bytes, error);
    return status == WILLOW_OK ? cut_off_half_a_pair(folder, error) : status;
}

static enum willow_status write_settings(const struct match_folder *folder, const char *settings,
                                         struct willow_error *error)
{
    char path[PATH_MAX];
    const enum willow_status status = willow_path_join(path, sizeof path, folder->path, "match.yaml", error);
    return status == WILLOW_OK ? willow_file_replace(path, settings, strlen(settings), error) : status;
}

static enum willow_status open_log(struct match_folder *folder, struct willow_error *error)
{
    char path[PATH_MAX];
    const enum willow_status status = willow_path_join(path, sizeof path, folder->path, "engines.log", error);
    return status == WILLOW_OK ? open_file(path, O_WRONLY, &folder->log_fd, error) : status;
}

static void folder_free(struct match_folder *folder)
{
    if (folder->games_fd >= 0)
        (void)close(folder->games_fd);
    if (folder->log_fd >= 0)
        (void)close(folder->log_fd);
    willow_folder_unlock(folder->lock_fd);
    free(folder->path);
    free(folder);
}

static enum willow_status open_all(struct match_folder *folder, const char *identity, const char *settings,
                                   match_folder_visit *visit, void *context, struct willow_error *error)
{
    const char *path = folder->path;
    enum willow_status status =
        willow_path_join(folder->games_path, sizeof folder->games_path, path, "games.jsonl", error);
    if (status == WILLOW_OK)
        status = willow_folder_create(path, error);
    /* Looked at before anything is written, and again when nobody else can be filling it. */
    if (status == WILLOW_OK)
        status = match_identity_check_folder(path, error);
    if (status == WILLOW_OK)
        status = willow_folder_lock(path, &folder->lock_fd, error);
    if (status == WILLOW_OK)
        status = match_identity_check_folder(path, error);
    if (status == WILLOW_OK)
        status = match_identity_settle(path, folder->ruleset, identity, error);
    if (status == WILLOW_OK)
        status = open_games(folder, visit, context, error);
    if (status == WILLOW_OK)
        status = write_settings(folder, settings, error);
    if (status == WILLOW_OK)
        status = open_log(folder, error);
    return status;
}

enum willow_status match_folder_open(const char *path, const struct willow_ruleset *ruleset, const char *identity,
                                     const char *settings, match_folder_visit *visit, void *context,
                                     struct match_folder **folder, struct willow_error *error)
{
    struct match_folder *opened = calloc(1, sizeof *opened);
    char *copy = strdup(path);
    *folder = NULL;
    if (!opened || !copy) {
        free(opened);
        free(copy);
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    }
    *opened = (struct match_folder){.ruleset = ruleset, .path = copy, .lock_fd = -1, .games_fd = -1, .log_fd = -1};
    const enum willow_status status = open_all(opened, identity, settings, visit, context, error);
    if (status == WILLOW_OK)
        *folder = opened;
    else
        folder_free(opened);
    return status;
}

/* Both lines in one write, so that a kill can leave half of them only when the disk takes no more. */
static enum willow_status write_lines(struct match_folder *folder, const char *lines, size_t size_bytes,
                                      struct willow_error *error)
{
    int failure = 0;
    for (size_t done = 0; done < size_bytes && failure == 0;) {
        const ssize_t count = write(folder->games_fd, lines + done, size_bytes - done);
        if (count >= 0)
            done += (size_t)count;
        else if (errno != EINTR)
            failure = errno;
    }
    if (failure == 0 && fdatasync(folder->games_fd) != 0)
        failure = errno;
    if (failure == 0) {
        folder->size_bytes += size_bytes;
        return WILLOW_OK;
    }
    folder->broken = ftruncate(folder->games_fd, (off_t)folder->size_bytes) != 0;
    return willow_fail_errno(error, folder->games_path, "write", failure);
}

enum willow_status match_folder_append(struct match_folder *folder, const struct match_folder_pair *pair,
                                       struct willow_error *error)
{
    struct game_json game = {.pair = pair->number};
    char lines[2 * GAME_JSON_MAX];
    size_t used = 0;
    if (folder->broken)
        return willow_fail(error, WILLOW_ERR_IO, folder->games_path, NULL,
                           "an earlier write failed and could not be taken back");
    for (int i = 0; i < 2; i++) {
        size_t length = 0;
        const int black = snprintf(game.black, sizeof game.black, "%s", pair->names[i]);
        const int white = snprintf(game.white, sizeof game.white, "%s", pair->names[1 - i]);
        if (black >= ENGINE_NAME_MAX || white >= ENGINE_NAME_MAX)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, folder->games_path, NULL, "a name is too long");
        game.game = i;
        game.record = pair->games[i];
        const enum willow_status status = game_json_write(&game, lines + used, &length, error);
        if (status != WILLOW_OK)
            return status;
        used += length;
    }
    const enum willow_status status = willow_folder_lock_check(folder->path, folder->lock_fd, error);
    return status == WILLOW_OK ? write_lines(folder, lines, used, error) : status;
}

int match_folder_log(const struct match_folder *folder)
{
    return folder->log_fd;
}

enum willow_status match_folder_close(struct match_folder *folder, struct willow_error *error)
{
    if (!folder)
        return WILLOW_OK;
    /* Another match may be in a folder of that name by now. */
    enum willow_status status = willow_folder_lock_check(folder->path, folder->lock_fd, error);
    if (status == WILLOW_OK)
        status = game_texts_write(folder->path, folder->games_fd, folder->games_path, folder->ruleset, error);
    folder_free(folder);
    return status;
}
