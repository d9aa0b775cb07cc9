/* The folder of a self-play run. Plays nothing. Layer: selfplay. */
#include "run_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/clock.h>
#include <willow/file.h>

#include "dataset/audit.h"
#include "dataset/shard_files.h"
#include "dataset/shard_text.h"
#include "run_copies.h"

enum { PATH_BYTES = 4096 };

/* Numbers of the folder's lock: those of the shards, then one for each rank. A part holds the latter, all at once,
 * while it writes what all parts share. */
enum { LOCK_RANKS = RUN_SHARDS_MAX };

/* While many unlisted shards are checked, the manifest is written, for a tenth of the time at most, and the user told
 * now and then. */
#define LIST_NS UINT64_C(50000000)
#define TELL_NS UINT64_C(10000000000)

static const char label_words[] = "score of the search for the side to move, 1/32 disc, at depth plies";
static const char no_label_words[] = "none";

__attribute__((format(printf, 2, 3))) static void say(const struct run_folder *folder, const char *format, ...)
{
    char line[512];
    va_list arguments;
    if (!folder->options.note)
        return;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    folder->options.note(folder->options.context, line);
}

static void say_of(const struct run_folder *folder, uint32_t number, const char *text)
{
    char name[SHARD_FILE_NAME];
    say(folder, "%s: %s", shard_file_name(number, name), text);
}

void run_part_shards(const struct run_config *config, uint32_t part, uint32_t parts, uint32_t *first, uint32_t *end)
{
    uint64_t shards = run_config_shards(config);
    *first = parts > 0 ? (uint32_t)(shards * (part - 1) / parts) : 0;
    *end = parts > 0 ? (uint32_t)(shards * part / parts) : (uint32_t)shards;
}

static bool keeps_manifest(const struct run_folder *folder)
{
    return folder->options.parts == 0 && folder->options.rank == 0;
}

static bool is_part(const struct run_folder *folder)
{
    return folder->options.parts > 0;
}

/* A new manifest, or that of an earlier run of the same configuration. */
static enum willow_status take_manifest(struct run_folder *folder, const char *path, struct willow_error *error)
{
    char checksum[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(folder->configuration, strlen(folder->configuration), checksum);
    if (willow_file_exists(path)) {
        enum willow_status status = willow_manifest_read(folder->options.path, &folder->manifest, error);
        if (!status && strcmp(folder->manifest.configuration_checksum, checksum) != 0)
            status = willow_fail(error, WILLOW_ERR_MISMATCH, folder->options.path, NULL,
                                 "the folder holds a dataset of another configuration or other weights");
        folder->stored = !status;
        return status;
    }
    const struct run_config *config = folder->options.config;
    folder->manifest =
        (struct willow_manifest){.ruleset = folder->ruleset->id, .seed = config->seed, .planned_games = config->games};
    memcpy(folder->manifest.configuration_checksum, checksum, WILLOW_CHECKSUM_TEXT);
    return WILLOW_OK;
}

static enum willow_status store_manifest(struct run_folder *folder, struct willow_error *error)
{
    if (!keeps_manifest(folder) || folder->stored)
        return WILLOW_OK;
    enum willow_status status = willow_manifest_write(folder->options.path, &folder->manifest, error);
    folder->stored = !status;
    return status;
}

static enum willow_status list(struct run_folder *folder, const struct willow_manifest_shard *entry,
                               struct willow_error *error)
{
    folder->stored = false;
    return willow_manifest_add(&folder->manifest, entry, error);
}

/* Whether a file is what the run would write there. WILLOW_ERR_MISMATCH: it is sound, but of another run. */
static enum willow_status check_stray(const struct run_folder *folder, const char *path, uint32_t number,
                                      struct willow_manifest_shard *entry, struct willow_error *error)
{
    const struct run_config *config = folder->options.config;
    struct willow_shard_info info;
    struct willow_row *rows = NULL;
    struct willow_game_row *games = NULL;
    char *text = NULL;
    struct audit audit = {.ruleset = folder->ruleset};
    uint64_t games_count = run_config_shard_games(config, number), first = number * config->shard_games;
    enum willow_status status = willow_shard_read(path, &info, &rows, &games, error);
    if (!status)
        status = shard_configuration(path, &text, error);
    if (!status && (info.seed != config->seed || info.ruleset != folder->ruleset->id || info.games != games_count ||
                    info.first_game != first || strcmp(info.weights, config->weights_checksum) != 0 ||
                    strcmp(text, folder->configuration) != 0))
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL,
                             "the shard is of another run; choose another folder or remove it");
    for (uint64_t i = 0; !status && i < info.games; i++)
        if (games[i].id != first + i)
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, "/games", "the games are not those of this shard");
    if (!status)
        status = audit_shard(&audit, &info, rows, games, error);
    if (!status && audit.faults > 0)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "%" PRIu64 " faults", audit.faults);
    free(text);
    free(rows);
    free(games);
    if (status)
        return status;
    *entry = (struct willow_manifest_shard){
        .number = number, .rows = info.rows, .games = info.games, .first_game = info.first_game};
    return willow_checksum_file(path, entry->checksum, error);
}

/* A shard that was renamed, but not listed: taken over when it is sound, else removed and played again. One of another
 * run is somebody's and stays. */
static enum willow_status adopt(struct run_folder *folder, uint32_t number, const char *path, bool *adopted,
                                struct willow_error *error)
{
    struct willow_manifest_shard entry;
    struct willow_error fault = {0};
    enum willow_status status = check_stray(folder, path, number, &entry, &fault);
    *adopted = status == WILLOW_OK;
    if (*adopted)
        return list(folder, &entry, error);
    /* Short of memory or files says nothing against the shard. */
    if (status == WILLOW_ERR_MEMORY || status == WILLOW_ERR_IO || status == WILLOW_ERR_MISMATCH) {
        if (error)
            *error = fault;
        return status;
    }
    say_of(folder, number, "not listed and not sound; its games are played again");
    return unlink(path) == 0 ? WILLOW_OK : willow_fail_errno(error, path, "remove", errno);
}

static bool is_listed(const struct willow_manifest *manifest, uint32_t number)
{
    for (size_t low = 0, high = manifest->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (manifest->shards[middle].number == number)
            return true;
        if (manifest->shards[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Leaves the shards first .. end - 1 in the manifest whose files are there. */
static void drop_lost(struct run_folder *folder, uint32_t first, uint32_t end)
{
    struct willow_manifest *manifest = &folder->manifest;
    size_t kept = 0;
    for (size_t i = 0; i < manifest->count; i++) {
        uint32_t number = manifest->shards[i].number;
        if (number < first || number >= end)
            continue;
        if (shard_file_bytes(folder->options.path, number) > 0)
            manifest->shards[kept++] = manifest->shards[i];
        else
            say_of(folder, number, "listed, but gone; its games are played again");
    }
    folder->stored = folder->stored && kept == manifest->count;
    manifest->count = kept;
}

static enum willow_status find_missing(struct run_folder *folder, uint32_t first, uint32_t end,
                                       struct willow_error *error)
{
    uint64_t now = willow_clock_ns(), list_ns = now + LIST_NS, tell_ns = now + TELL_NS;
    enum willow_status status = WILLOW_OK;
    folder->missing = calloc((size_t)(end - first) + 1, sizeof *folder->missing);
    if (!folder->missing)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    drop_lost(folder, first, end);
    for (uint32_t number = first; !status && number < end; number++) {
        char path[PATH_BYTES];
        bool there = is_listed(&folder->manifest, number);
        status = shard_path(path, sizeof path, folder->options.path, number, error);
        if (!status && !there && willow_file_exists(path))
            status = adopt(folder, number, path, &there, error);
        if (!there)
            folder->missing[folder->missing_count++] = number;
        now = willow_clock_ns();
        if (!status && now > list_ns) {
            status = store_manifest(folder, error);
            uint64_t cost_ns = willow_clock_ns() - now;
            list_ns = now + (10 * cost_ns > LIST_NS ? 10 * cost_ns : LIST_NS);
        }
        if (now > tell_ns) {
            say(folder, "checking shards that are not listed yet: at %" PRIu32 " of %" PRIu32 " .. %" PRIu32, number,
                first, end - 1);
            tell_ns = now + TELL_NS;
        }
    }
    return status ? status : store_manifest(folder, error);
}

/* Removes what a killed run left behind; *shards tells whether finished shards lie there. A part looks at its own
 * shards alone, and at none where it does not know better. */
static enum willow_status sweep(const struct run_folder *folder, uint32_t first, uint32_t end, bool *shards,
                                struct willow_error *error)
{
    if (!is_part(folder))
        return shard_files_sweep(folder->options.path, shards, error);
    enum willow_status status = WILLOW_OK;
    *shards = false;
    for (uint32_t number = first; !status && number < end; number++) {
        char path[PATH_BYTES], temporary[PATH_BYTES + 8];
        status = shard_path(path, sizeof path, folder->options.path, number, error);
        (void)snprintf(temporary, sizeof temporary, "%s.tmp", path);
        if (!status && unlink(temporary) != 0 && errno != ENOENT)
            status = willow_fail_errno(error, temporary, "remove", errno);
        *shards = *shards || willow_file_exists(path);
    }
    return status;
}

static enum willow_status prepare(struct run_folder *folder, uint32_t first, uint32_t end, struct willow_error *error)
{
    const struct run_folder_options *options = &folder->options;
    char manifest[PATH_BYTES], config[PATH_BYTES];
    bool shards;
    enum willow_status status = sweep(folder, first, end, &shards, error);
    if (!status)
        status = willow_path_join(manifest, sizeof manifest, options->path, "manifest.json", error);
    if (!status)
        status = willow_path_join(config, sizeof config, options->path, RUN_CONFIG_FILE, error);
    if (!status && shards && !willow_file_exists(manifest) && !willow_file_exists(config))
        status = willow_fail(error, WILLOW_ERR_MISMATCH, options->path, NULL,
                             "the folder holds shards, but neither manifest.json nor config.yaml");
    if (!status)
        status = take_manifest(folder, manifest, error);
    return status ? status
                  : run_copies_keep(options->path, options->config, options->inputs, folder->configuration, error);
}

/* With the lock of its shards a part waits its turn to write what all parts share. */
static enum willow_status prepare_part(struct run_folder *folder, uint32_t first, uint32_t end,
                                       struct willow_error *error)
{
    const char *path = folder->options.path;
    int turn_fd;
    enum willow_status status = willow_folder_lock_range(path, first, end - first, false, &folder->lock_fd, error);
    if (status == WILLOW_ERR_BUSY)
        status = willow_fail(error, WILLOW_ERR_BUSY, path, NULL,
                             "shards %" PRIu32 " .. %" PRIu32 ", or some of them, are in use by another run", first,
                             end - 1);
    if (!status)
        status = willow_folder_lock_range(path, LOCK_RANKS, 0, true, &turn_fd, error);
    if (status)
        return status;
    status = prepare(folder, first, end, error);
    willow_folder_unlock(turn_fd);
    return status;
}

/* Rank 0 makes sure that no rank of a killed run lives on, and leaves each rank the lock of its number. */
static enum willow_status lock_first_rank(struct run_folder *folder, struct willow_error *error)
{
    const char *path = folder->options.path;
    int ranks_fd = -1;
    enum willow_status status = willow_folder_lock_range(path, 0, LOCK_RANKS, false, &folder->lock_fd, error);
    if (!status)
        status = willow_folder_lock_range(path, LOCK_RANKS, 0, false, &ranks_fd, error);
    willow_folder_unlock(ranks_fd);
    return status;
}

static enum willow_status fill_folder(struct run_folder *folder, struct willow_error *error)
{
    const struct run_folder_options *options = &folder->options;
    uint32_t first, end;
    run_part_shards(options->config, options->part, options->parts, &first, &end);
    enum willow_status status = run_config_text(options->config, &folder->configuration, error);
    if (status || first == end)
        return status;
    if (options->rank > 0)
        return willow_folder_lock_range(options->path, (uint64_t)LOCK_RANKS + (uint64_t)options->rank, 1, false,
                                        &folder->lock_fd, error);
    status = willow_folder_create(options->path, error);
    if (status)
        return status;
    if (is_part(folder)) {
        status = prepare_part(folder, first, end, error);
    } else {
        status = options->ranks > 1 ? lock_first_rank(folder, error)
                                    : willow_folder_lock(options->path, &folder->lock_fd, error);
        if (!status)
            status = prepare(folder, first, end, error);
    }
    return status ? status : find_missing(folder, first, end, error);
}

enum willow_status run_folder_open(struct run_folder *folder, const struct run_folder_options *options,
                                   struct willow_error *error)
{
    *folder = (struct run_folder){.options = *options, .lock_fd = -1, .ruleset = options->inputs->ruleset};
    enum willow_status status = fill_folder(folder, error);
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

enum willow_status run_folder_list(struct run_folder *folder, const struct willow_manifest_shard *entry,
                                   struct willow_error *error)
{
    enum willow_status status = willow_folder_lock_check(folder->options.path, folder->lock_fd, error);
    if (!status)
        status = list(folder, entry, error);
    return status ? status : store_manifest(folder, error);
}

enum willow_status run_folder_add(struct run_folder *folder, uint32_t number, struct willow_row *rows,
                                  uint64_t rows_count, const struct willow_game_row *games,
                                  struct willow_manifest_shard *entry, struct willow_error *error)
{
    const struct run_config *config = folder->options.config;
    struct willow_shard_info info = {.ruleset = folder->ruleset->id,
                                     .seed = config->seed,
                                     .first_game = number * config->shard_games,
                                     .rows = rows_count,
                                     .games = run_config_shard_games(config, number),
                                     .configuration = folder->configuration,
                                     .layout = folder->options.layout,
                                     .threads = folder->options.threads};
    *entry = (struct willow_manifest_shard){
        .number = number, .rows = info.rows, .games = info.games, .first_game = info.first_game};
    (void)snprintf(info.tool, sizeof info.tool, "willow %s", folder->options.tool);
    (void)snprintf(info.weights, sizeof info.weights, "%s", config->weights_checksum);
    (void)snprintf(info.labels, sizeof info.labels, "%s",
                   config->label == RUN_LABEL_SEARCH ? label_words : no_label_words);
    enum willow_status status = willow_folder_lock_check(folder->options.path, folder->lock_fd, error);
    if (!status)
        status = willow_shard_write(folder->options.path, number, &info, rows, games, entry->checksum, error);
    return status ? status : run_folder_list(folder, entry, error);
}
