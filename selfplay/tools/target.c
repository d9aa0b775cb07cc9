/* The folder of a dataset that is made from others: what may be there before, and the shards and manifest that come.
 * Makes no rows. Layer: selfplay.
 */
#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>

#include "dataset/shard_files.h"
#include "dataset/shard_text.h"

enum { PATH_BYTES = 4096, ORIGIN_BYTES_MAX = 1 << 20 };

static const char *const layouts[] = {[WILLOW_LAYOUT_COMPACT] = "compact", [WILLOW_LAYOUT_PLIES] = "plies"};

const char *target_layout_name(enum willow_shard_layout layout)
{
    return layouts[layout];
}

bool target_layout_find(const char *name, enum willow_shard_layout *layout)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(name, layouts[i]) == 0) {
            *layout = (enum willow_shard_layout)i;
            return true;
        }
    return false;
}

static struct willow_shard_info make_info(const struct target *target)
{
    const struct target_options *options = &target->options;
    struct willow_shard_info info = {.ruleset = options->ruleset->id,
                                     .seed = options->seed,
                                     .configuration = options->configuration,
                                     .layout = options->layout,
                                     .threads = options->threads};
    (void)snprintf(info.tool, sizeof info.tool, "willow %s", options->tool);
    (void)snprintf(info.weights, sizeof info.weights, "%s", options->weights);
    (void)snprintf(info.labels, sizeof info.labels, "%s", options->labels);
    return info;
}

static enum willow_status list_shard(struct target *target, const struct willow_manifest_shard *entry,
                                     struct willow_error *error)
{
    enum willow_status status = willow_manifest_add(&target->manifest, entry, error);
    if (status)
        return status;
    target->rows += entry->rows;
    target->games += entry->games;
    target->size_bytes += shard_file_bytes(target->options.folder, entry->number);
    return WILLOW_OK;
}

/* Reads a shard that lies there and fills its entry when it is sound and of this origin. WILLOW_ERR_IO and _MEMORY say
 * nothing against it, anything else does. */
static enum willow_status check_found(const struct target *target, const char *path,
                                      struct willow_manifest_shard *entry, struct willow_error *error)
{
    struct willow_shard_info info, wanted = make_info(target);
    struct willow_row *rows = NULL;
    struct willow_game_row *games = NULL;
    char *text = NULL;
    enum willow_status status = shard_configuration(path, &text, error);
    if (!status)
        status = willow_shard_read(path, &info, &rows, &games, error);
    if (!status && (strcmp(text, wanted.configuration) != 0 || info.ruleset != wanted.ruleset ||
                    info.seed != wanted.seed || strcmp(info.weights, wanted.weights) != 0))
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the shard is of another origin");
    if (!status) {
        entry->rows = info.rows;
        entry->games = info.games;
        entry->first_game = info.first_game;
        status = willow_checksum_file(path, entry->checksum, error);
    }
    free(text);
    free(rows);
    free(games);
    return status;
}

/* Lists the sound shards from number 0 up to the first gap or fault. */
static enum willow_status take_up(struct target *target, struct willow_error *error)
{
    for (;;) {
        char path[PATH_BYTES];
        struct willow_error fault = {0};
        struct willow_manifest_shard entry = {.number = target->found};
        enum willow_status status = shard_path(path, sizeof path, target->options.folder, target->found, error);
        if (status || !willow_file_exists(path))
            return status;
        status = check_found(target, path, &entry, &fault);
        if ((status == WILLOW_ERR_MEMORY || status == WILLOW_ERR_IO) && error)
            *error = fault;
        if (status)
            return status == WILLOW_ERR_MEMORY || status == WILLOW_ERR_IO ? status : WILLOW_OK;
        status = list_shard(target, &entry, error);
        if (status)
            return status;
        target->found++;
    }
}

/* Does origin.yaml hold the text that this making would write there? *there: it holds something. */
static enum willow_status read_origin(const struct target *target, const char *path, bool *there, bool *same,
                                      struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    *same = false;
    *there = willow_file_exists(path);
    if (!*there)
        return WILLOW_OK;
    enum willow_status status = willow_file_read(path, ORIGIN_BYTES_MAX, &data, &size, error);
    if (!status)
        *same = size == strlen(target->options.configuration) && memcmp(data, target->options.configuration, size) == 0;
    free(data);
    return status;
}

/* Shards are touched only where origin.yaml says that they are of this making: a run that lost its manifest is safe. */
static enum willow_status prepare_folder(struct target *target, bool resume, struct willow_error *error)
{
    const char *folder = target->options.folder, *text = target->options.configuration;
    char manifest[PATH_BYTES], origin[PATH_BYTES];
    bool shards = false, there = false, same = false;
    enum willow_status status = willow_path_join(manifest, sizeof manifest, folder, "manifest.json", error);
    if (!status)
        status = willow_path_join(origin, sizeof origin, folder, TARGET_ORIGIN_FILE, error);
    if (!status && willow_file_exists(manifest))
        status = willow_fail(error, WILLOW_ERR_BUSY, folder, NULL, "the folder holds a dataset already");
    if (!status)
        status = shard_files_sweep(folder, &shards, error);
    if (!status)
        status = read_origin(target, origin, &there, &same, error);
    if (!status && shards && !same)
        status = willow_fail(error, WILLOW_ERR_BUSY, folder, NULL,
                             there ? "the folder holds shards that were made otherwise (see " TARGET_ORIGIN_FILE
                                     "); choose another folder or remove it"
                                   : "the folder holds shards of other origin; choose another folder");
    if (!status && shards && resume)
        status = take_up(target, error);
    if (!status && shards)
        status = shard_files_remove(folder, target->found, error);
    return status || same ? status : willow_file_replace(origin, text, strlen(text), error);
}

enum willow_status target_open(struct target *target, const struct target_options *options, bool resume,
                               struct willow_error *error)
{
    *target = (struct target){
        .options = *options, .lock_fd = -1, .manifest = {.ruleset = options->ruleset->id, .seed = options->seed}};
    willow_checksum128_text(options->configuration, strlen(options->configuration),
                            target->manifest.configuration_checksum);
    enum willow_status status = willow_folder_create(options->folder, error);
    if (!status)
        status = willow_folder_lock(options->folder, &target->lock_fd, error);
    if (!status)
        status = prepare_folder(target, resume, error);
    if (status)
        target_close(target);
    return status;
}

enum willow_status target_add(struct target *target, struct willow_row *rows, uint64_t rows_count,
                              const struct willow_game_row *games, uint64_t games_count, struct willow_error *error)
{
    struct willow_shard_info info = make_info(target);
    struct willow_manifest_shard entry = {
        .number = (uint32_t)target->manifest.count, .rows = rows_count, .games = games_count};
    info.rows = rows_count;
    info.games = games_count;
    info.first_game = entry.first_game = games_count > 0 ? games[0].id : 0;
    enum willow_status status = willow_folder_lock_check(target->options.folder, target->lock_fd, error);
    if (!status)
        status = willow_shard_write(target->options.folder, entry.number, &info, rows, games, entry.checksum, error);
    return status ? status : list_shard(target, &entry, error);
}

enum willow_status target_finish(struct target *target, struct willow_error *error)
{
    enum willow_status status = willow_folder_lock_check(target->options.folder, target->lock_fd, error);
    if (!status && target->manifest.count == 0)
        status = target_add(target, NULL, 0, NULL, 0, error);
    return status ? status : willow_manifest_write(target->options.folder, &target->manifest, error);
}

void target_close(struct target *target)
{
    /* A zeroed target has no folder; its descriptor 0 is not ours. */
    if (target->options.folder && target->lock_fd >= 0)
        willow_folder_unlock(target->lock_fd);
    willow_manifest_clear(&target->manifest);
    *target = (struct target){.lock_fd = -1};
}
