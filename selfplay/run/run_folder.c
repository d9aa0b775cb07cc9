/* The folder of a self-play run. Plays nothing. Layer: selfplay. */
#include "run_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>

#include "dataset/audit.h"
#include "dataset/shard_files.h"

enum { PATH_BYTES = 4096, CONFIG_BYTES_MAX = 1 << 20 };

static const char label_words[] = "score of the search for the side to move, 1/32 disc, at depth plies";
static const char no_label_words[] = "none";

static void say(const struct run_folder *folder, uint32_t number, const char *text)
{
    char name[SHARD_FILE_NAME], line[512];
    if (!folder->note)
        return;
    (void)snprintf(line, sizeof line, "%s: %s", shard_file_name(number, name), text);
    folder->note(folder->context, line);
}

/* Somebody's own config.yaml is not overwritten; one that a killed start left behind is the same text. */
static enum willow_status write_config(const struct run_folder *folder, struct willow_error *error)
{
    char path[PATH_BYTES];
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_path_join(path, sizeof path, folder->path, RUN_CONFIG_FILE, error);
    if (status)
        return status;
    if (willow_file_exists(path)) {
        status = willow_file_read(path, CONFIG_BYTES_MAX, &data, &size, error);
        if (!status && (size != strlen(folder->configuration) || memcmp(data, folder->configuration, size) != 0))
            status = willow_fail(error, WILLOW_ERR_BUSY, path, NULL,
                                 "the file exists and is of no run here; choose another folder or remove it");
        free(data);
        return status;
    }
    return willow_file_replace(path, folder->configuration, strlen(folder->configuration), error);
}

static enum willow_status start_run(struct run_folder *folder, const struct willow_weights *weights,
                                    const char *checksum, struct willow_error *error)
{
    char path[PATH_BYTES];
    enum willow_status status = write_config(folder, error);
    if (!status)
        status = willow_path_join(path, sizeof path, folder->path, RUN_WEIGHTS_FILE, error);
    if (!status)
        status = willow_weights_save(weights, path, error);
    if (status)
        return status;
    folder->manifest = (struct willow_manifest){
        .ruleset = folder->ruleset->id, .seed = folder->config->seed, .planned_games = folder->config->games};
    memcpy(folder->manifest.configuration_checksum, checksum, WILLOW_CHECKSUM_TEXT);
    return willow_manifest_write(folder->path, &folder->manifest, error);
}

static enum willow_status take_up_run(struct run_folder *folder, const char *checksum, struct willow_error *error)
{
    enum willow_status status = willow_manifest_read(folder->path, &folder->manifest, error);
    if (!status && strcmp(folder->manifest.configuration_checksum, checksum) != 0)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, folder->path, NULL,
                             "the folder holds a dataset of another configuration or other weights");
    return status;
}

/* Is this file what the run would write there? Announced shards are never touched; this one was not announced. */
static enum willow_status check_stray(const struct run_folder *folder, const char *path, uint32_t number,
                                      struct willow_manifest_shard *entry, struct willow_error *error)
{
    struct willow_shard_info info;
    struct willow_row *rows = NULL;
    struct willow_game_row *games = NULL;
    struct audit audit = {.ruleset = folder->ruleset};
    uint64_t games_count = run_config_shard_games(folder->config, number);
    uint64_t first = number * folder->config->shard_games;
    enum willow_status status = willow_shard_read(path, &info, &rows, &games, error);
    if (!status &&
        (info.seed != folder->config->seed || info.ruleset != folder->ruleset->id || info.games != games_count ||
         info.first_game != first || strcmp(info.weights, folder->config->weights_checksum) != 0))
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the shard is of another run");
    for (uint64_t i = 0; !status && i < info.games; i++)
        if (games[i].id != first + i)
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, "/games", "the games are not those of this shard");
    if (!status)
        status = audit_shard(&audit, &info, rows, games, error);
    if (!status && audit.faults > 0)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "%" PRIu64 " faults", audit.faults);
    free(rows);
    free(games);
    if (status)
        return status;
    *entry = (struct willow_manifest_shard){
        .number = number, .rows = info.rows, .games = info.games, .first_game = info.first_game};
    return willow_checksum_file(path, entry->checksum, error);
}

/* A shard that was renamed, but not listed before the kill: taken over when it is sound, else removed and played again.
 */
static enum willow_status adopt(struct run_folder *folder, uint32_t number, const char *path, bool *adopted,
                                struct willow_error *error)
{
    struct willow_manifest_shard entry;
    struct willow_error fault = {0};
    *adopted = check_stray(folder, path, number, &entry, &fault) == WILLOW_OK;
    if (*adopted) {
        enum willow_status status = willow_manifest_add(&folder->manifest, &entry, error);
        return status ? status : willow_manifest_write(folder->path, &folder->manifest, error);
    }
    /* Short of memory or files says nothing against the shard. */
    if (fault.status == WILLOW_ERR_MEMORY || fault.status == WILLOW_ERR_IO) {
        if (error)
            *error = fault;
        return fault.status;
    }
    say(folder, number, "not listed and not sound; its games are played again");
    return unlink(path) == 0 ? WILLOW_OK : willow_fail_errno(error, path, "remove", errno);
}

static bool is_listed(const struct willow_manifest *manifest, uint64_t number)
{
    size_t low = 0, high = manifest->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (manifest->shards[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < manifest->count && manifest->shards[low].number == number;
}

static void unlist(struct willow_manifest *manifest, uint32_t number)
{
    size_t kept = 0;
    for (size_t i = 0; i < manifest->count; i++)
        if (manifest->shards[i].number != number)
            manifest->shards[kept++] = manifest->shards[i];
    manifest->count = kept;
}

static enum willow_status find_missing(struct run_folder *folder, struct willow_error *error)
{
    uint64_t shards = run_config_shards(folder->config);
    folder->missing = calloc((size_t)shards + 1, sizeof *folder->missing);
    if (!folder->missing)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (uint32_t number = 0; number < shards; number++) {
        char path[PATH_BYTES];
        bool listed = is_listed(&folder->manifest, number), there = listed;
        enum willow_status status = shard_path(path, sizeof path, folder->path, number, error);
        bool exists = !status && willow_file_exists(path);
        if (!status && listed && !exists) {
            say(folder, number, "listed, but gone; its games are played again");
            unlist(&folder->manifest, number);
            there = false;
        } else if (!status && !listed && exists) {
            status = adopt(folder, number, path, &there, error);
        }
        if (status)
            return status;
        if (!there)
            folder->missing[folder->missing_count++] = number;
    }
    return WILLOW_OK;
}

static enum willow_status fill_folder(struct run_folder *folder, const struct willow_weights *weights,
                                      struct willow_error *error)
{
    char checksum[WILLOW_CHECKSUM_TEXT], path[PATH_BYTES];
    bool shards;
    enum willow_status status = willow_folder_create(folder->path, error);
    if (!status)
        status = willow_folder_lock(folder->path, &folder->lock_fd, error);
    if (!status)
        status = shard_files_sweep(folder->path, &shards, error);
    if (!status)
        status = run_config_text(folder->config, &folder->configuration, error);
    if (!status)
        status = willow_path_join(path, sizeof path, folder->path, "manifest.json", error);
    if (status)
        return status;
    willow_checksum128_text(folder->configuration, strlen(folder->configuration), checksum);
    if (willow_file_exists(path))
        status = take_up_run(folder, checksum, error);
    else if (shards)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, folder->path, NULL,
                             "the folder holds shards, but no manifest.json");
    else
        status = start_run(folder, weights, checksum, error);
    return status ? status : find_missing(folder, error);
}

enum willow_status run_folder_open(struct run_folder *folder, const char *path, const struct run_config *config,
                                   const struct willow_weights *weights, const char *tool, run_note *note,
                                   void *context, struct willow_error *error)
{
    *folder = (struct run_folder){.lock_fd = -1,
                                  .config = config,
                                  .tool = tool,
                                  .ruleset = willow_weights_ruleset(weights),
                                  .note = note,
                                  .context = context};
    if (strlen(path) >= sizeof folder->path)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "the path of the folder is too long");
    memcpy(folder->path, path, strlen(path) + 1);
    enum willow_status status = fill_folder(folder, weights, error);
    if (status)
        run_folder_close(folder);
    return status;
}

void run_folder_close(struct run_folder *folder)
{
    if (folder->lock_fd >= 0)
        willow_folder_unlock(folder->lock_fd);
    willow_manifest_clear(&folder->manifest);
    free(folder->configuration);
    free(folder->missing);
    *folder = (struct run_folder){.lock_fd = -1};
}

enum willow_status run_folder_add(struct run_folder *folder, uint32_t number, struct willow_row *rows,
                                  uint64_t rows_count, const struct willow_game_row *games, struct willow_error *error)
{
    const struct run_config *config = folder->config;
    struct willow_shard_info info = {.ruleset = folder->ruleset->id,
                                     .seed = config->seed,
                                     .first_game = number * config->shard_games,
                                     .rows = rows_count,
                                     .games = run_config_shard_games(config, number),
                                     .configuration = folder->configuration};
    struct willow_manifest_shard entry = {
        .number = number, .rows = info.rows, .games = info.games, .first_game = info.first_game};
    (void)snprintf(info.tool, sizeof info.tool, "willow %s", folder->tool);
    (void)snprintf(info.weights, sizeof info.weights, "%s", config->weights_checksum);
    (void)snprintf(info.labels, sizeof info.labels, "%s",
                   config->label == RUN_LABEL_SEARCH ? label_words : no_label_words);
    enum willow_status status = willow_shard_write(folder->path, number, &info, rows, games, entry.checksum, error);
    if (!status)
        status = willow_manifest_add(&folder->manifest, &entry, error);
    if (!status)
        status = willow_manifest_write(folder->path, &folder->manifest, error);
    return status;
}
