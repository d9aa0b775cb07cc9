/* One shard file opened for reading: layout, header checks, blocks of rows and games. Layer: selfplay/dataset. */
#include "shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "h5.h"
#include "text_guard.h"

#define POSITION(field, type)                                                                                          \
    {                                                                                                                  \
        "/positions/" #field, offsetof(struct willow_row, field), type, 1                                              \
    }
#ifdef WILLOW_WIDE
/* Squares 64 and above: the second half of the word in memory, as the library is for little-endian machines. */
#define POSITION_HIGH(field)                                                                                           \
    {                                                                                                                  \
        "/positions/" #field "_high", offsetof(struct willow_row, field) + 8, COLUMN_U64, 1                            \
    }
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the halves of a wide word lie in this order");
#endif
#define GAME(field, type, width)                                                                                       \
    {                                                                                                                  \
        "/games/" #field, offsetof(struct willow_game_row, field), type, width                                         \
    }

const struct column shard_position_columns[SHARD_POSITION_COLUMNS] = {
    POSITION(player, COLUMN_U64), POSITION(opponent, COLUMN_U64),
    POSITION(score, COLUMN_I16),  POSITION(result, COLUMN_I8),
    POSITION(move, COLUMN_U8),    POSITION(ply, COLUMN_U8),
    POSITION(depth, COLUMN_U8),   POSITION(flags, COLUMN_U8),
    POSITION(game, COLUMN_U64),   POSITION(selectivity, COLUMN_U8),
#ifdef WILLOW_WIDE
    POSITION_HIGH(player),        POSITION_HIGH(opponent),
#endif
};

const struct column shard_game_columns[SHARD_GAME_COLUMNS] = {
    GAME(id, COLUMN_U64, 1),           GAME(opening_plies, COLUMN_U8, 1),       GAME(result, COLUMN_I8, 1),
    GAME(length, COLUMN_U8, 1),        GAME(moves, COLUMN_U8, WILLOW_GAME_MAX), GAME(black_weights, COLUMN_U8, 1),
    GAME(white_weights, COLUMN_U8, 1),
};

static enum willow_status read_u32(struct shard *shard, const char *name, uint32_t *value, struct willow_error *error)
{
    uint64_t wide;
    enum willow_status status = h5_attribute_read(shard->file, shard->path, name, &wide, error);
    if (!status && wide > UINT32_MAX)
        status = willow_fail(error, WILLOW_ERR_FORMAT, shard->path, name, "%" PRIu64 " is out of range", wide);
    if (!status)
        *value = (uint32_t)wide;
    return status;
}

static enum willow_status read_text(struct shard *shard, const char *name, char *buffer, size_t size,
                                    struct willow_error *error)
{
    return h5_attribute_read_text(shard->file, shard->path, name, shard->version > 1, buffer, size, error);
}

/* Shards of the other size of board are told from files of other kinds. */
static enum willow_status check_format(struct shard *shard, const char *format, struct willow_error *error)
{
    char ruleset[64];
    if (strcmp(format, SHARD_FORMAT) == 0) {
        if (shard->version >= SHARD_VERSION_FIRST)
            return WILLOW_OK;
        return willow_fail(error, WILLOW_ERR_VERSION, shard->path, "version",
                           "version %" PRIu32 ", which has no columns for boards of this size", shard->version);
    }
    if (strcmp(format, SHARD_FORMAT_NARROW) != 0 && strcmp(format, SHARD_FORMAT_WIDE) != 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "format", "not a shard of a Willow dataset");
    enum willow_status status = read_text(shard, "ruleset", ruleset, sizeof ruleset, error);
    if (status)
        return status;
    if (willow_ruleset_find(ruleset))
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "format", "'%s' is none for boards of %s", format,
                           ruleset);
    return shard_refuse_ruleset(shard->path, ruleset, error);
}

/* Is it ours, of a version that we read, and finished? The version comes first, as it says how texts are stored. */
static enum willow_status check_identity(struct shard *shard, struct willow_error *error)
{
    char format[64];
    if (H5Aexists(shard->file, "format") <= 0 || H5Aexists(shard->file, "version") <= 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, NULL,
                           "an HDF5 file, but not a shard of a Willow dataset");
    enum willow_status status = read_u32(shard, "version", &shard->version, error);
    if (status)
        return status;
    if (shard->version < 1 || shard->version > WILLOW_DATASET_VERSION)
        return willow_fail(error, WILLOW_ERR_VERSION, shard->path, "version",
                           "version %" PRIu32 "; this build reads versions 1 to %d", shard->version,
                           (int)WILLOW_DATASET_VERSION);
    if (shard->version > 1)
        status = text_guard_check(shard->file, shard->path, error);
    if (!status)
        status = read_text(shard, "format", format, sizeof format, error);
    if (!status)
        status = check_format(shard, format, error);
    if (status)
        return status;
    uint32_t complete = 0;
    if (H5Aexists(shard->file, "complete") <= 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "complete", "the shard was never finished");
    status = read_u32(shard, "complete", &complete, error);
    if (!status && complete != 1)
        status = willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "complete", "the shard was never finished");
    return status;
}

static enum willow_status read_ruleset(struct shard *shard, struct willow_error *error)
{
    char name[64];
    enum willow_status status = read_u32(shard, "ruleset_id", &shard->info.ruleset, error);
    if (!status)
        status = read_text(shard, "ruleset", name, sizeof name, error);
    if (status)
        return status;
    shard->ruleset = willow_ruleset_by_id(shard->info.ruleset);
    if (!shard->ruleset && !willow_ruleset_find(name))
        return shard_refuse_ruleset(shard->path, name, error);
    if (!shard->ruleset || strcmp(name, shard->ruleset->name) != 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "ruleset",
                           "name and number of the ruleset do not agree");
    return WILLOW_OK;
}

static enum willow_status read_header(struct shard *shard, struct willow_error *error)
{
    struct willow_shard_info *info = &shard->info;
    const struct {
        const char *name;
        uint64_t *value;
    } numbers[] = {
        {"seed", &info->seed}, {"first_game", &info->first_game}, {"rows", &info->rows}, {"games", &info->games}};
    enum willow_status status = check_identity(shard, error);
    if (!status)
        status = read_ruleset(shard, error);
    for (size_t i = 0; !status && i < sizeof numbers / sizeof *numbers; i++)
        status = h5_attribute_read(shard->file, shard->path, numbers[i].name, numbers[i].value, error);
    if (!status && (info->rows > SHARD_ROWS_MAX || info->games > SHARD_ROWS_MAX))
        status = willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "rows", "more rows or games than a shard may hold");
    if (!status)
        status = read_text(shard, "tool", info->tool, sizeof info->tool, error);
    if (!status)
        status = read_text(shard, "weights", info->weights, sizeof info->weights, error);
    if (!status)
        status = read_text(shard, "labels", info->labels, sizeof info->labels, error);
    return status;
}

static enum willow_status read_numbers(struct shard *shard, const struct column *column, uint64_t *numbers,
                                       uint64_t count, struct willow_error *error)
{
    hid_t dataset;
    enum willow_status status = column_open(shard->file, shard->path, column, count, &dataset, error);
    if (!status)
        status = column_read(dataset, shard->path, column, 0, count, numbers, sizeof *numbers, shard->scratch, error);
    h5_close(dataset);
    return status;
}

/* Version 1: ply after ply; the first row of each ply and the number of all. */
static enum willow_status read_offsets(struct shard *shard, struct willow_error *error)
{
    static const struct column column = {"/ply_offsets", 0, COLUMN_U64, 1};
    uint64_t offsets[WILLOW_PLIES + 1];
    enum willow_status status = read_numbers(shard, &column, offsets, WILLOW_PLIES + 1, error);
    if (status)
        return status;
    bool rising = offsets[0] == 0 && offsets[WILLOW_PLIES] == shard->info.rows;
    for (int ply = 0; ply < WILLOW_PLIES; ply++) {
        rising = rising && offsets[ply] <= offsets[ply + 1];
        shard->layout.plies[ply] = offsets[ply + 1] - offsets[ply];
    }
    if (!rising)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, column.name,
                           "the offsets do not rise from 0 to the row count");
    shard->layout.block_plies = 1;
    return WILLOW_OK;
}

static enum willow_status read_plies(struct shard *shard, struct willow_error *error)
{
    static const struct column column = {"/ply_rows", 0, COLUMN_U64, 1};
    enum willow_status status = read_u32(shard, "block_plies", &shard->layout.block_plies, error);
    if (!status)
        status = read_numbers(shard, &column, shard->layout.plies, WILLOW_PLIES, error);
    if (status)
        return status;
    if (shard->layout.block_plies < 1 || shard->layout.block_plies > WILLOW_PLIES)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, "block_plies", "it is not within 1-%d",
                           (int)WILLOW_PLIES);
    uint64_t left = shard->info.rows;
    bool fits = true;
    for (int ply = 0; ply < WILLOW_PLIES && fits; ply++) {
        fits = shard->layout.plies[ply] <= left;
        left -= shard->layout.plies[ply];
    }
    if (!fits || left > 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, column.name,
                           "the rows of the plies do not add up to the row count");
    return WILLOW_OK;
}

/* Where the rows lie, and which columns there are. */
static enum willow_status read_layout(struct shard *shard, struct willow_error *error)
{
    const bool first = shard->version == 1;
    shard->positions_count = first ? SHARD_POSITION_COLUMNS_1 : SHARD_POSITION_COLUMNS;
    shard->games_count = first ? SHARD_GAME_COLUMNS_1 : SHARD_GAME_COLUMNS;
    enum willow_status status = first ? read_offsets(shard, error) : read_plies(shard, error);
    if (status)
        return status;
    shard->info.layout = shard->layout.block_plies == 1 ? WILLOW_LAYOUT_PLIES : WILLOW_LAYOUT_COMPACT;
    (void)row_layout_finish(&shard->layout);
    return WILLOW_OK;
}

enum willow_status shard_open(struct shard *shard, const char *path, struct willow_error *error)
{
    h5_quiet();
    memset(shard, 0, sizeof *shard);
    shard->file = H5I_INVALID_HID;
    if (strlen(path) >= sizeof shard->path)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the path of a shard is too long");
    memcpy(shard->path, path, strlen(path) + 1);
    size_t scratch = column_scratch_bytes(shard_position_columns, SHARD_POSITION_COLUMNS);
    size_t scratch_games = column_scratch_bytes(shard_game_columns, SHARD_GAME_COLUMNS);
    shard->scratch = malloc(scratch > scratch_games ? scratch : scratch_games);
    if (!shard->scratch)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    enum willow_status status = h5_open(path, &shard->file, error);
    if (!status)
        status = read_header(shard, error);
    if (!status)
        status = read_layout(shard, error);
    for (size_t i = 0; !status && i < shard->positions_count; i++)
        status =
            column_open(shard->file, path, &shard_position_columns[i], shard->info.rows, &shard->positions[i], error);
    for (size_t i = 0; !status && i < shard->games_count; i++)
        status = column_open(shard->file, path, &shard_game_columns[i], shard->info.games, &shard->games[i], error);
    return status;
}

void shard_close(struct shard *shard)
{
    /* The file was opened with the strong close degree: its columns go with it. A zeroed shard has no scratch memory.
     */
    if (shard->scratch && shard->file >= 0)
        (void)H5Fclose(shard->file);
    free(shard->scratch);
    shard->scratch = NULL;
    shard->file = H5I_INVALID_HID;
}

static enum willow_status check_rows(const struct shard *shard, uint64_t first, uint64_t count,
                                     const struct willow_row *rows, struct willow_error *error)
{
    for (uint64_t i = 0; i < count; i++) {
        const char *fault = row_fault(shard->ruleset, &rows[i]);
        if (!fault)
            fault = row_layout_fault(&shard->layout, &rows[i], i > 0 ? &rows[i - 1] : NULL, first + i);
        if (fault) {
            char place[96];
            (void)snprintf(place, sizeof place, "/positions row %" PRIu64, first + i);
            return willow_fail(error, WILLOW_ERR_FORMAT, shard->path, place, "%s", fault);
        }
    }
    return WILLOW_OK;
}

enum willow_status shard_rows(struct shard *shard, uint64_t first, uint64_t count, struct willow_row *rows,
                              struct willow_error *error)
{
    h5_quiet();
    enum willow_status status = WILLOW_OK;
    for (uint64_t done = 0; !status && done < count; done += COLUMN_CHUNK_ROWS) {
        uint64_t part = count - done < COLUMN_CHUNK_ROWS ? count - done : COLUMN_CHUNK_ROWS;
        for (size_t i = 0; !status && i < shard->positions_count; i++)
            status = column_read(shard->positions[i], shard->path, &shard_position_columns[i], first + done, part,
                                 rows + done, sizeof *rows, shard->scratch, error);
    }
    for (uint64_t i = 0; !status && shard->version == 1 && i < count; i++)
        rows[i].selectivity = rows[i].score == WILLOW_SCORE_MISSING ? 0 : 100;
    return status ? status : check_rows(shard, first, count, rows, error);
}

enum willow_status shard_games(struct shard *shard, uint64_t first, uint64_t count, struct willow_game_row *games,
                               struct willow_error *error)
{
    h5_quiet();
    enum willow_status status = WILLOW_OK;
    for (uint64_t done = 0; !status && done < count; done += COLUMN_CHUNK_ROWS) {
        uint64_t part = count - done < COLUMN_CHUNK_ROWS ? count - done : COLUMN_CHUNK_ROWS;
        for (size_t i = 0; !status && i < shard->games_count; i++)
            status = column_read(shard->games[i], shard->path, &shard_game_columns[i], first + done, part, games + done,
                                 sizeof *games, shard->scratch, error);
    }
    for (uint64_t i = 0; !status && shard->version == 1 && i < count; i++)
        games[i].black_weights = games[i].white_weights = 0;
    for (uint64_t i = 0; !status && i < count; i++) {
        const char *fault = game_row_fault(shard->ruleset, &games[i]);
        if (fault) {
            char place[96];
            (void)snprintf(place, sizeof place, "/games row %" PRIu64, first + i);
            status = willow_fail(error, WILLOW_ERR_FORMAT, shard->path, place, "%s", fault);
        }
    }
    return status;
}

enum willow_status willow_shard_read(const char *path, struct willow_shard_info *info, struct willow_row **rows,
                                     struct willow_game_row **games, struct willow_error *error)
{
    if (rows)
        *rows = NULL;
    if (games)
        *games = NULL;
    struct shard *shard = calloc(1, sizeof *shard);
    if (!shard)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    enum willow_status status = shard_open(shard, path, error);
    /* SHARD_ROWS_MAX keeps the products below 2^40. */
    if (!status && rows) {
        *rows = malloc((size_t)shard->info.rows * sizeof **rows + 1);
        status = *rows ? shard_rows(shard, 0, shard->info.rows, *rows, error)
                       : willow_fail(error, WILLOW_ERR_MEMORY, path, "/positions", "out of memory");
    }
    if (!status && games) {
        *games = malloc((size_t)shard->info.games * sizeof **games + 1);
        status = *games ? shard_games(shard, 0, shard->info.games, *games, error)
                        : willow_fail(error, WILLOW_ERR_MEMORY, path, "/games", "out of memory");
    }
    if (!status && info)
        *info = shard->info;
    if (status && rows) {
        free(*rows);
        *rows = NULL;
    }
    if (status && games) {
        free(*games);
        *games = NULL;
    }
    shard_close(shard);
    free(shard);
    return status;
}
