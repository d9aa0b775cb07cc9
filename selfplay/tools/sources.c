/* The datasets of which a merge or shuffle makes one. Writes nothing. Layer: selfplay. */
#include "sources.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/shard_files.h"

enum { PATH_BYTES = 4096 };

static const char several_labels[] = "as in the sources: several";

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static enum willow_status append_shard(struct sources *sources, const struct sources_shard *shard,
                                       struct willow_error *error)
{
    if (sources->shards_count == sources->shards_capacity) {
        size_t capacity = sources->shards_capacity ? sources->shards_capacity * 2 : 64;
        struct sources_shard *grown = reallocarray(sources->shards, capacity, sizeof *grown);
        if (!grown)
            return out_of_memory(error);
        sources->shards = grown;
        sources->shards_capacity = capacity;
    }
    sources->shards[sources->shards_count++] = *shard;
    return WILLOW_OK;
}

static void widen(struct sources_shard *shard, uint64_t game)
{
    shard->first_game = game < shard->first_game ? game : shard->first_game;
    shard->last_game = game > shard->last_game ? game : shard->last_game;
}

/* The ids in a shard: of its games, or of its rows where there are no games. */
static enum willow_status measure_games(struct sources_shard *shard, const char *path, struct willow_error *error)
{
    struct willow_row *rows = NULL;
    struct willow_game_row *games = NULL;
    const bool by_rows = shard->games == 0;
    enum willow_status status = willow_shard_read(path, NULL, by_rows ? &rows : NULL, by_rows ? NULL : &games, error);
    shard->first_game = UINT64_MAX;
    shard->last_game = 0;
    for (uint64_t i = 0; !status && by_rows && i < shard->rows; i++)
        widen(shard, rows[i].game);
    for (uint64_t i = 0; !status && i < shard->games; i++)
        widen(shard, games[i].id);
    if (!status && !by_rows)
        shard->first_moves = willow_checksum64(games[0].moves, sizeof games[0].moves);
    free(rows);
    free(games);
    return status;
}

static void note_labels(struct sources *sources, const struct willow_shard_info *info)
{
    if (sources->shards_count == 0) {
        memcpy(sources->weights, info->weights, sizeof sources->weights);
        memcpy(sources->labels, info->labels, sizeof sources->labels);
        return;
    }
    if (strcmp(sources->weights, info->weights) != 0)
        sources->weights[0] = '\0';
    if (strcmp(sources->labels, info->labels) != 0)
        memcpy(sources->labels, several_labels, sizeof several_labels);
}

static enum willow_status add_shard(struct sources *sources, size_t index, const struct willow_manifest_shard *entry,
                                    struct willow_error *error)
{
    struct source *source = &sources->list[index];
    struct sources_shard shard = {.source = index,
                                  .number = entry->number,
                                  .rows = entry->rows,
                                  .games = entry->games,
                                  .first_row = sources->rows};
    struct willow_shard_info info;
    char path[PATH_BYTES];
    enum willow_status status = shard_path(path, sizeof path, source->folder, entry->number, error);
    if (!status)
        status = willow_shard_read(path, &info, NULL, NULL, error);
    if (!status && (info.rows != entry->rows || info.games != entry->games || info.seed != source->seed ||
                    info.ruleset != sources->ruleset->id))
        status =
            willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the shard is not the one that the manifest lists");
    if (status)
        return status;
    source->rows += entry->rows;
    source->games += entry->games;
    sources->rows += entry->rows;
    sources->games += entry->games;
    sources->size_bytes += shard_file_bytes(source->folder, entry->number);
    source->rows_without_games |= entry->rows > 0 && entry->games == 0;
    if (entry->rows == 0 && entry->games == 0)
        return WILLOW_OK;
    status = measure_games(&shard, path, error);
    if (status)
        return status;
    note_labels(sources, &info);
    return append_shard(sources, &shard, error);
}

static enum willow_status check_ruleset(struct sources *sources, const struct source *source, uint32_t ruleset,
                                        struct willow_error *error)
{
    const struct willow_ruleset *known = willow_ruleset_by_id(ruleset);
    if (!known)
        return willow_fail(error, WILLOW_ERR_MISMATCH, source->folder, NULL,
                           "this build does not know ruleset %" PRIu32, ruleset);
    if (sources->ruleset && sources->ruleset != known)
        return willow_fail(error, WILLOW_ERR_MISMATCH, source->folder, NULL,
                           "the dataset is of ruleset %s, not %s as %.200s is", known->name, sources->ruleset->name,
                           sources->list[0].folder);
    sources->ruleset = known;
    return WILLOW_OK;
}

/* One source; those before it are there already. */
static enum willow_status add_source(struct sources *sources, size_t index, struct willow_error *error)
{
    struct source *source = &sources->list[index];
    source->path = realpath(source->folder, NULL);
    if (!source->path)
        return willow_fail_errno(error, source->folder, "open the dataset", errno);
    for (size_t i = 0; i < index; i++)
        if (strcmp(sources->list[i].path, source->path) == 0)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, source->folder, NULL, "the dataset is given twice");
    struct willow_manifest manifest = {0};
    enum willow_status status = willow_manifest_read(source->folder, &manifest, error);
    if (!status)
        status = check_ruleset(sources, source, manifest.ruleset, error);
    if (!status) {
        source->seed = manifest.seed;
        source->planned_games = manifest.planned_games;
        memcpy(source->configuration_checksum, manifest.configuration_checksum, sizeof source->configuration_checksum);
        source->run = 0;
        while (sources->list[source->run].seed != source->seed ||
               strcmp(sources->list[source->run].configuration_checksum, source->configuration_checksum) != 0)
            source->run++;
    }
    for (size_t i = 0; !status && i < manifest.count; i++)
        status = add_shard(sources, index, &manifest.shards[i], error);
    willow_manifest_clear(&manifest);
    return status;
}

static uint64_t common_seed(const struct sources *sources)
{
    bool same = true;
    uint64_t hash = 0;
    for (size_t i = 0; i < sources->count; i++) {
        unsigned char key[16];
        same = same && sources->list[i].seed == sources->list[0].seed;
        for (int byte = 0; byte < 8; byte++) {
            key[byte] = (unsigned char)(hash >> (8 * byte));
            key[8 + byte] = (unsigned char)(sources->list[i].seed >> (8 * byte));
        }
        hash = willow_checksum64(key, sizeof key);
    }
    return same ? sources->list[0].seed : hash;
}

/* qsort_r's context are the sources; the run of a shard is that of its source. */
static int compare_by_run(const struct sources_shard *a, const struct sources_shard *b, const struct sources *sources)
{
    const size_t run_a = sources->list[a->source].run, run_b = sources->list[b->source].run;
    return (run_a > run_b) - (run_a < run_b);
}

static int compare_by_game(const void *left, const void *right, void *context)
{
    const struct sources_shard *a = left, *b = right;
    const int by_run = compare_by_run(a, b, context);
    if (by_run != 0)
        return by_run;
    if (a->first_game != b->first_game)
        return a->first_game < b->first_game ? -1 : 1;
    return (a->first_row > b->first_row) - (a->first_row < b->first_row);
}

static int compare_by_row(const void *left, const void *right, void *context)
{
    const struct sources_shard *a = left, *b = right;
    const int by_run = compare_by_run(a, b, context);
    return by_run != 0 ? by_run : (a->first_row > b->first_row) - (a->first_row < b->first_row);
}

/* Shards of one run in different sources must not share ids. (Those of one source may interleave, as shuffling leaves
 * them.) The shards are sorted by run and first id. */
static enum willow_status check_overlaps(const struct sources *sources, struct willow_error *error)
{
    for (size_t i = 0; i < sources->shards_count; i++) {
        const struct sources_shard *a = &sources->shards[i];
        for (size_t j = i + 1; j < sources->shards_count; j++) {
            const struct sources_shard *b = &sources->shards[j];
            if (compare_by_run(a, b, sources) != 0 || b->first_game > a->last_game)
                break;
            const char *folder = sources->list[b->source].folder, *other = sources->list[a->source].folder;
            if (a->source != b->source)
                return willow_fail(error, WILLOW_ERR_MISMATCH, folder, NULL,
                                   "game %" PRIu64 " of the same run is in %.200s too: it would be there twice",
                                   b->first_game, other);
        }
    }
    return WILLOW_OK;
}

static enum willow_status shift_games(struct sources *sources, struct willow_error *error)
{
    uint64_t next = 0; /* the least id that lies behind all before */
    for (size_t first = 0, end; first < sources->shards_count; first = end) {
        const uint64_t shift = sources->shards[first].first_game < next ? next : 0;
        for (end = first; end < sources->shards_count &&
                          compare_by_run(&sources->shards[first], &sources->shards[end], sources) == 0;
             end++) {
            struct sources_shard *shard = &sources->shards[end];
            if (shard->last_game >= UINT64_MAX - shift)
                return willow_fail(error, WILLOW_ERR_MISMATCH, sources->list[shard->source].folder, NULL,
                                   "the ids of its games are too large to be shifted");
            shard->shift = sources->list[shard->source].shift = shift;
        }
        for (size_t i = first; i < end; i++) {
            const uint64_t behind = sources->shards[i].last_game + shift + 1;
            next = behind > next ? behind : next;
        }
    }
    return WILLOW_OK;
}

/* Whether two sources of different runs begin a shard with the same game, as a run and its relabelled copy do. */
static bool share_games(const struct sources *sources, size_t a, size_t b)
{
    if (sources->list[a].run == sources->list[b].run || sources->list[a].seed != sources->list[b].seed)
        return false;
    for (size_t i = 0; i < sources->shards_count; i++) {
        const struct sources_shard *one = &sources->shards[i];
        if (one->source != a || one->first_moves == 0)
            continue;
        for (size_t j = 0; j < sources->shards_count; j++) {
            const struct sources_shard *other = &sources->shards[j];
            if (other->source == b && other->first_game == one->first_game && other->first_moves == one->first_moves)
                return true;
        }
    }
    return false;
}

static void note_shared_games(const struct sources *sources, sources_note *note, void *context)
{
    char line[512];
    for (size_t b = 1; b < sources->count; b++)
        for (size_t a = 0; a < b; a++)
            if (share_games(sources, a, b)) {
                (void)snprintf(line, sizeof line,
                               "%.180s has games of %.180s, with other labels perhaps: their positions are doubled "
                               "unless duplicates are dropped",
                               sources->list[b].folder, sources->list[a].folder);
                note(context, line);
                break;
            }
}

/* What the user should know. Parts of one run are counted together. */
static void note_gaps(const struct sources *sources, sources_note *note, void *context)
{
    char line[512];
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        uint64_t games = 0, planned = 0;
        for (size_t j = 0; j < sources->count; j++)
            if (sources->list[j].run == i) {
                games += sources->list[j].games;
                planned = sources->list[j].planned_games > planned ? sources->list[j].planned_games : planned;
            }
        if (games < planned) {
            (void)snprintf(line, sizeof line, "%.300s: an unfinished run: %" PRIu64 " of %" PRIu64 " games",
                           source->folder, games, planned);
            note(context, line);
        }
    }
    for (size_t i = 0; i < sources->count; i++)
        if (sources->list[i].rows_without_games && sources->games > 0) {
            (void)snprintf(line, sizeof line, "%.300s has rows without their games: the result has no games",
                           sources->list[i].folder);
            note(context, line);
            return;
        }
}

void sources_leave_games(struct sources *sources)
{
    sources->games_carried = false;
    if (sources->shards_count > 0)
        qsort_r(sources->shards, sources->shards_count, sizeof *sources->shards, compare_by_row, sources);
}

enum willow_status sources_open(struct sources *sources, const char *const *folders, size_t count, sources_note *note,
                                void *context, struct willow_error *error)
{
    *sources = (struct sources){.games_carried = true};
    if (count == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "no dataset is given");
    sources->list = calloc(count, sizeof *sources->list);
    if (!sources->list)
        return out_of_memory(error);
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < count; i++) {
        sources->list[i].folder = folders[i];
        sources->count++;
        status = add_source(sources, i, error);
        sources->games_carried = sources->games_carried && !sources->list[i].rows_without_games;
    }
    if (status)
        return status;
    sources->seed = common_seed(sources);
    if (sources->shards_count > 0)
        qsort_r(sources->shards, sources->shards_count, sizeof *sources->shards, compare_by_game, sources);
    status = check_overlaps(sources, error);
    if (!status)
        status = shift_games(sources, error);
    if (!status && !sources->games_carried)
        sources_leave_games(sources);
    if (!status && note) {
        note_shared_games(sources, note, context);
        note_gaps(sources, note, context);
    }
    return status;
}

void sources_clear(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        free(sources->list[i].path);
    free(sources->list);
    free(sources->shards);
    *sources = (struct sources){0};
}

/* The real path of a folder that may be missing yet, or of the nearest folder above it that is there. */
static char *nearest_path(const char *folder)
{
    char path[PATH_BYTES];
    if (strlen(folder) + 3 > sizeof path)
        return NULL;
    (void)snprintf(path, sizeof path, "%s%s", *folder == '/' ? "" : "./", folder);
    for (;;) {
        char *real = realpath(path, NULL);
        char *slash = strrchr(path, '/');
        if (real || errno != ENOENT || !slash)
            return real;
        *slash = '\0';
        if (path[0] == '\0')
            return strdup("/");
    }
}

enum willow_status sources_check_target(const struct sources *sources, const char *folder, struct willow_error *error)
{
    char *path = nearest_path(folder);
    enum willow_status status = WILLOW_OK;
    /* What cannot be resolved cannot be created either, and says why then. */
    for (size_t i = 0; !status && path && i < sources->count; i++) {
        const char *source = sources->list[i].path;
        const size_t length = strlen(source);
        if (strncmp(path, source, length) == 0 && (path[length] == '/' || path[length] == '\0'))
            status = willow_fail(error, WILLOW_ERR_ARGUMENT, folder, NULL, "the result cannot lie in the source %.200s",
                                 sources->list[i].folder);
    }
    free(path);
    return status;
}

enum willow_status sources_origin(const struct sources *sources, const char *head, char **text,
                                  struct willow_error *error)
{
    size_t size = 0;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return out_of_memory(error);
    (void)fprintf(stream, "%ssources:\n", head);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        (void)fprintf(stream,
                      "- {configuration_checksum: '%s', seed: %" PRIu64 ", games: %" PRIu64 ", rows: %" PRIu64
                      ", game_shift: %" PRIu64 "}\n",
                      source->configuration_checksum, source->seed, source->games, source->rows, source->shift);
    }
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(*text);
        *text = NULL;
        return out_of_memory(error);
    }
    return WILLOW_OK;
}

enum willow_status sources_read(const struct sources *sources, const struct sources_shard *shard,
                                struct willow_row **rows, struct willow_game_row **games, struct willow_error *error)
{
    struct willow_shard_info info;
    char path[PATH_BYTES];
    *rows = NULL;
    *games = NULL;
    enum willow_status status =
        shard_path(path, sizeof path, sources->list[shard->source].folder, shard->number, error);
    if (!status)
        status = willow_shard_read(path, &info, rows, sources->games_carried ? games : NULL, error);
    if (!status && (info.rows != shard->rows || info.games != shard->games))
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the shard changed while it was in use");
    for (uint64_t i = 0; !status && i < shard->rows; i++)
        (*rows)[i].game += shard->shift;
    for (uint64_t i = 0; !status && *games && i < shard->games; i++)
        (*games)[i].id += shard->shift;
    return status;
}
