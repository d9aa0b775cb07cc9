/* `willow selfplay verify`: every file, row and game of a dataset checked; faults listed. Layer: selfplay (program). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

#include "dataset/audit.h"
#include "dataset/shard_files.h"
#include "verbs.h"

enum { KEY_QUIET = 256, FAULTS_SHOWN = 20, PATH_BYTES = 4096 };

struct verify_command {
    const char *folder;
    bool quiet;
    struct willow_progress progress;
    char shard[PATH_BYTES]; /* path of the one being checked */
    uint64_t faults, shown, rows, games;
    uint64_t next_game; /* the least id that a further shard with games may hold */
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct verify_command *command = state->input;
    switch (key) {
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    default:
        return parse_folder(key, text, state, &command->folder);
    }
}

static void show_fault(void *context, const char *place, const char *reason)
{
    struct verify_command *command = context;
    command->faults++;
    if (command->shown++ < FAULTS_SHOWN)
        printf("%s: %s: %s\n", command->shard, place, reason);
}

static void show_error(struct verify_command *command, const struct willow_error *error)
{
    char line[1100];
    command->faults++;
    if (command->shown++ < FAULTS_SHOWN)
        printf("%s\n", willow_error_text(error, line, sizeof line));
}

/* Short of memory is no statement about the data. */
static bool is_fault(enum willow_status status)
{
    return status != WILLOW_ERR_MEMORY;
}

static void check_header(struct verify_command *command, const struct willow_manifest *manifest,
                         const struct willow_manifest_shard *entry, const struct willow_shard_info *info,
                         const struct willow_game_row *games)
{
    if (info->ruleset != manifest->ruleset || info->seed != manifest->seed || info->rows != entry->rows ||
        info->games != entry->games || info->first_game != entry->first_game)
        show_fault(command, "attributes", "they do not agree with the manifest");
    if (info->games == 0)
        return;
    if (games[0].id < command->next_game)
        show_fault(command, "/games row 0", "the game is in an earlier shard already");
    command->next_game = games[info->games - 1].id + 1;
}

static enum willow_status check_shard(struct verify_command *command, const struct willow_manifest *manifest,
                                      const struct willow_manifest_shard *entry, struct willow_error *error)
{
    char checksum[WILLOW_CHECKSUM_TEXT];
    struct willow_shard_info info;
    struct willow_row *rows = NULL;
    struct willow_game_row *games = NULL;
    struct audit audit = {.ruleset = willow_ruleset_by_id(manifest->ruleset), .report = show_fault, .context = command};
    enum willow_status status = willow_checksum_file(command->shard, checksum, error);
    if (!status && strcmp(checksum, entry->checksum) != 0)
        show_fault(command, "file", "it does not match the manifest's checksum");
    if (!status)
        status = willow_shard_read(command->shard, &info, &rows, &games, error);
    if (!status) {
        check_header(command, manifest, entry, &info, games);
        command->rows += info.rows;
        command->games += info.games;
    }
    if (!status && info.ruleset == manifest->ruleset)
        status = audit_shard(&audit, &info, rows, games, error);
    free(rows);
    free(games);
    return status;
}

static int verify(struct verify_command *command, const struct willow_manifest *manifest)
{
    struct willow_error error = {0};
    for (size_t i = 0; i < manifest->count; i++) {
        enum willow_status status =
            shard_path(command->shard, sizeof command->shard, command->folder, manifest->shards[i].number, &error);
        if (!status)
            status = check_shard(command, manifest, &manifest->shards[i], &error);
        if (status && !is_fault(status))
            return willow_report(&error);
        if (status)
            show_error(command, &error);
        willow_progress_line(&command->progress, i + 1 == manifest->count, "%zu/%zu shards, %" PRIu64 " faults", i + 1,
                             manifest->count, command->faults);
    }
    if (command->shown > FAULTS_SHOWN)
        printf("and %" PRIu64 " more\n", command->shown - FAULTS_SHOWN);
    printf("%s: %zu shards, %" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " faults\n", command->folder,
           manifest->count, command->games, command->rows, command->faults);
    if (manifest->planned_games > command->games)
        printf("unfinished: %" PRIu64 " of %" PRIu64 " games\n", command->games, manifest->planned_games);
    return command->faults > 0 ? WILLOW_EXIT_FAILED : WILLOW_EXIT_OK;
}

int verb_verify(int argc, char **argv)
{
    static const struct argp_option options[] = {{"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
                                                 {NULL, 0, NULL, 0, NULL, 0}};
    static const char documentation[] =
        "Checks a dataset: checksums, every row, every game replayed and compared with its rows. Exit status 1 when "
        "something is wrong.\vExample:\n  willow selfplay verify data/first";
    static const struct argp argp = {options, parse_option, "DIR", documentation, NULL, NULL, NULL};
    struct verify_command command = {0};
    struct willow_manifest manifest;
    struct willow_error error = {0};
    willow_parse_options(&argp, argc, argv, &command);
    enum willow_status status = willow_manifest_read(command.folder, &manifest, &error);
    if (status == WILLOW_ERR_FORMAT || status == WILLOW_ERR_CHECKSUM) {
        show_error(&command, &error);
        return willow_finish(WILLOW_EXIT_FAILED);
    }
    if (status)
        return willow_report(&error);
    willow_progress_start(&command.progress, command.quiet);
    int code = verify(&command, &manifest);
    willow_manifest_clear(&manifest);
    return willow_finish(code);
}
