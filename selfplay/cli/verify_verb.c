/* `willow selfplay verify`: every file, row and game of a dataset checked; faults listed. Layer: selfplay (program). */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

#include "dataset/audit.h"
#include "dataset/shard_files.h"
#include "run/run_config.h"
#include "verbs.h"

enum { KEY_QUIET = 256, KEY_JSON, LINES_SHOWN = 20, PATH_BYTES = 4096 };

struct verify_command {
    const char *folder;
    bool quiet, json;
    struct willow_progress progress;
    struct audit audit;
    char shard[PATH_BYTES]; /* path of the one being checked; empty before and after */
    uint64_t faults, shown, notes, rows, games;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct verify_command *command = state->input;
    switch (key) {
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    case KEY_JSON:
        command->json = true;
        return 0;
    default:
        return parse_folder(key, text, state, &command->folder);
    }
}

/* With --json the faults are told on stderr, for people. */
static FILE *listing(const struct verify_command *command)
{
    return command->json ? stderr : stdout;
}

static void show_fault(void *context, const char *place, const char *reason)
{
    struct verify_command *command = context;
    command->faults++;
    if (command->shown++ < LINES_SHOWN)
        fprintf(listing(command), "%s: %s: %s\n", command->shard[0] ? command->shard : command->folder, place, reason);
}

static void show_error(struct verify_command *command, const struct willow_error *error)
{
    char line[1100];
    command->faults++;
    if (command->shown++ < LINES_SHOWN)
        fprintf(listing(command), "%s\n", willow_error_text(error, line, sizeof line));
}

/* Something to know that makes no data wrong. */
static void show_note(struct verify_command *command, const char *name, const char *text)
{
    if (command->notes++ < LINES_SHOWN)
        fprintf(listing(command), "note: %s%s%s\n", name, name[0] ? ": " : "", text);
}

/* Short of memory is no statement about the data. */
static bool is_fault(enum willow_status status)
{
    return status != WILLOW_ERR_MEMORY;
}

static void check_header(struct verify_command *command, const struct willow_manifest *manifest,
                         const struct willow_manifest_shard *entry, const struct willow_shard_info *info)
{
    if (info->ruleset != manifest->ruleset || info->seed != manifest->seed || info->rows != entry->rows ||
        info->games != entry->games || info->first_game != entry->first_game)
        show_fault(command, "attributes", "they do not agree with the manifest");
}

static enum willow_status check_shard(struct verify_command *command, const struct willow_manifest *manifest,
                                      const struct willow_manifest_shard *entry, struct willow_error *error)
{
    char checksum[WILLOW_CHECKSUM_TEXT];
    struct willow_shard_info info;
    struct willow_row *rows = NULL;
    struct willow_game_row *games = NULL;
    enum willow_status status = willow_checksum_file(command->shard, checksum, error);
    if (!status && strcmp(checksum, entry->checksum) != 0)
        show_fault(command, "file", "it does not match the manifest's checksum");
    if (!status)
        status = willow_shard_read(command->shard, &info, &rows, &games, error);
    if (!status) {
        check_header(command, manifest, entry, &info);
        command->rows += info.rows;
        command->games += info.games;
    }
    if (!status && info.ruleset == manifest->ruleset)
        status = audit_shard(&command->audit, &info, rows, games, error);
    free(rows);
    free(games);
    return status;
}

/* A run numbers its games from 0. Names the first range of them that is not there. */
static void note_missing_games(struct verify_command *command, uint64_t planned)
{
    char text[160];
    const uint64_t *ids = command->audit.ids;
    uint64_t first = 0;
    size_t i = 0;
    while (i < command->audit.ids_count && ids[i] <= first)
        first = ids[i++] + 1;
    uint64_t last = i < command->audit.ids_count ? ids[i] - 1 : planned - 1;
    (void)snprintf(text, sizeof text,
                   "unfinished: %" PRIu64 " of %" PRIu64 " games; the first ones missing are %" PRIu64 "-%" PRIu64,
                   command->games, planned, first, last);
    show_note(command, "", text);
}

static bool is_listed(const struct willow_manifest *manifest, uint32_t number)
{
    for (size_t i = 0; i < manifest->count; i++)
        if (manifest->shards[i].number == number)
            return true;
    return false;
}

/* Files that no reader looks at: shards that are not listed (a run that is resumed takes them over), leftovers. */
static enum willow_status check_folder(struct verify_command *command, const struct willow_manifest *manifest,
                                       struct willow_error *error)
{
    DIR *directory = opendir(command->folder);
    if (!directory)
        return willow_fail_errno(error, command->folder, "read the folder", errno);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        uint32_t number;
        if (shard_file_number(entry->d_name, &number)) {
            if (!is_listed(manifest, number))
                show_note(command, entry->d_name, "the manifest does not list this shard");
        } else if (end && strcmp(end, ".tmp") == 0) {
            show_note(command, entry->d_name, "left by a writer that was stopped, or is at work");
        }
    }
    (void)closedir(directory);
    return WILLOW_OK;
}

static void check_whole(struct verify_command *command, const struct willow_manifest *manifest)
{
    char text[160];
    uint64_t listed = 0;
    for (size_t i = 0; i < manifest->count; i++)
        listed += manifest->shards[i].games;
    command->shard[0] = '\0';
    audit_finish(&command->audit);
    if (manifest->planned_games > 0 && listed > manifest->planned_games) {
        (void)snprintf(text, sizeof text, "there are %" PRIu64 " games, and %" PRIu64 " were planned", listed,
                       manifest->planned_games);
        show_fault(command, "games", text);
    }
    if (command->audit.unflagged > 0) {
        (void)snprintf(text, sizeof text, "%" PRIu64 " games have random moves, and no position flagged as after one",
                       command->audit.unflagged);
        show_note(command, "", text);
    }
    if (manifest->planned_games > listed)
        note_missing_games(command, manifest->planned_games);
}

static enum willow_status check_shards(struct verify_command *command, const struct willow_manifest *manifest,
                                       struct willow_error *error)
{
    for (size_t i = 0; i < manifest->count; i++) {
        const struct willow_manifest_shard *entry = &manifest->shards[i];
        enum willow_status status =
            shard_path(command->shard, sizeof command->shard, command->folder, entry->number, error);
        if (!status)
            status = check_shard(command, manifest, entry, error);
        if (status && !is_fault(status))
            return status;
        if (status)
            show_error(command, error);
        willow_progress_line(&command->progress, i + 1 == manifest->count,
                             "%" PRIu64 " positions, shard %zu of %zu, %" PRIu64 " faults", command->rows, i + 1,
                             manifest->count, command->faults);
    }
    return WILLOW_OK;
}

static void print_summary(const struct verify_command *command, const struct willow_manifest *manifest)
{
    if (command->shown > LINES_SHOWN)
        fprintf(listing(command), "and %" PRIu64 " more\n", command->shown - LINES_SHOWN);
    if (command->notes > LINES_SHOWN)
        fprintf(listing(command), "and %" PRIu64 " more notes\n", command->notes - LINES_SHOWN);
    if (command->json) {
        printf("{\"folder\": ");
        willow_json_string(stdout, command->folder);
        printf(", \"shards\": %zu, \"games\": %" PRIu64 ", \"planned_games\": %" PRIu64 ", \"positions\": %" PRIu64
               ", \"faults\": %" PRIu64 ", \"notes\": %" PRIu64 "}\n",
               manifest->count, command->games, manifest->planned_games, command->rows, command->faults,
               command->notes);
        return;
    }
    printf("%s: %zu shards, %" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " faults\n", command->folder,
           manifest->count, command->games, command->rows, command->faults);
}

static int verify(struct verify_command *command, const struct willow_manifest *manifest)
{
    struct willow_error error = {0};
    command->audit = (struct audit){.ruleset = willow_ruleset_by_id(manifest->ruleset),
                                    .report = show_fault,
                                    .context = command,
                                    .pool_max = RUN_POOL_MAX,
                                    .unique_ids = true};
    enum willow_status status = check_folder(command, manifest, &error);
    if (!status)
        status = check_shards(command, manifest, &error);
    if (status)
        return willow_report(&error);
    check_whole(command, manifest);
    print_summary(command, manifest);
    return command->faults > 0 ? WILLOW_EXIT_FAILED : WILLOW_EXIT_OK;
}

int verb_verify(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
        {"json", KEY_JSON, NULL, 0, "The counts as one JSON object; faults and notes go to stderr", 0},
        {NULL, 0, NULL, 0, NULL, 0}};
    static const char documentation[] =
        "Checks a dataset: checksums, every row, every game replayed and compared with its rows, exact scores and "
        "solved results along each game, and the signs of scores over all games. Exit status 1 when something is "
        "wrong.\vExample:\n  willow selfplay verify data/first";
    static const struct argp argp = {options, parse_option, "DIR", documentation, NULL, NULL, NULL};
    struct willow_manifest manifest;
    struct willow_error error = {0};
    struct verify_command command = {0};
    willow_parse_options(&argp, argc, argv, &command);
    enum willow_status status = willow_manifest_read(command.folder, &manifest, &error);
    if (status == WILLOW_ERR_FORMAT || status == WILLOW_ERR_CHECKSUM) {
        show_error(&command, &error);
        print_summary(&command, &manifest);
        return willow_finish(WILLOW_EXIT_FAILED);
    }
    if (status)
        return willow_report(&error);
    willow_progress_start(&command.progress, command.quiet);
    int code = verify(&command, &manifest);
    audit_clear(&command.audit);
    willow_manifest_clear(&manifest);
    return willow_finish(code);
}
