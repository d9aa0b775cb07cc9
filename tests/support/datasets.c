/* Datasets for tests; see datasets.h. */
#include "support/datasets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/random.h>

#include "support/require.h"

struct willow_row *datasets_rows(const char *folder, size_t *count)
{
    struct willow_reader *reader;
    struct willow_manifest manifest;
    struct willow_error error;
    char text[1100];
    if (willow_manifest_read(folder, &manifest, &error) != WILLOW_OK)
        require(false, willow_error_text(&error, text, sizeof text));
    if (willow_reader_open(&folder, 1, 0, WILLOW_PLIES - 1, willow_ruleset_by_id(manifest.ruleset), true, &reader,
                           &error) != WILLOW_OK)
        require(false, willow_error_text(&error, text, sizeof text));
    willow_manifest_clear(&manifest);
    size_t capacity = (size_t)willow_reader_rows(reader), got = 1;
    struct willow_row *rows = malloc(capacity * sizeof *rows + sizeof *rows);
    require(rows != NULL, "out of memory");
    for (*count = 0; got > 0; *count += got)
        if (willow_reader_next(reader, rows + *count, capacity - *count, &got, &error) != WILLOW_OK)
            require(false, willow_error_text(&error, text, sizeof text));
    require(*count == capacity, "the reader gave less rows than it announced");
    willow_reader_free(reader);
    return rows;
}

static bool same(const struct willow_row *a, const struct willow_row *b)
{
    return a->player == b->player && a->opponent == b->opponent && a->score == b->score && a->result == b->result &&
           a->move == b->move && a->ply == b->ply && a->depth == b->depth && a->selectivity == b->selectivity &&
           a->flags == b->flags && a->game == b->game;
}

bool datasets_rows_equal(const struct willow_row *a, size_t a_count, const struct willow_row *b, size_t b_count)
{
    if (a_count != b_count) {
        (void)fprintf(stderr, "%zu rows instead of %zu\n", a_count, b_count);
        return false;
    }
    for (size_t i = 0; i < a_count; i++)
        if (!same(&a[i], &b[i])) {
            (void)fprintf(stderr, "row %zu differs: game %" PRIu64 " ply %d and game %" PRIu64 " ply %d\n", i,
                          a[i].game, a[i].ply, b[i].game, b[i].ply);
            return false;
        }
    return true;
}

static int16_t made_up_score(struct willow_random *random, int16_t *depth)
{
    *depth = (int16_t)willow_random_below(random, 20);
    return *depth == 0 ? WILLOW_SCORE_MISSING : (int16_t)((int)willow_random_below(random, 4097) - 2048);
}

static size_t play(const struct willow_ruleset *ruleset, uint64_t seed, uint64_t id, struct willow_row *rows,
                   struct willow_game_row *record)
{
    struct willow_random random;
    struct willow_game game;
    int sides[WILLOW_SQUARES], after_pass = 0;
    size_t count = 0;
    willow_random_init(&random, seed, id);
    willow_game_init(&game, ruleset);
    while (!willow_game_over(&game)) {
        struct willow_board board = willow_game_board(&game);
        willow_bits moves = willow_board_moves(game.ruleset, board);
        willow_square move = WILLOW_PASS;
        int16_t depth = 0, score = 0;
        if (moves) {
            score = made_up_score(&random, &depth);
            move = (willow_square)willow_random_bit(&random, moves);
        }
        if (moves && !willow_board_placing(ruleset, board)) {
            sides[count] = game.side == WILLOW_BLACK ? 1 : -1;
            rows[count++] = (struct willow_row){board.player,
                                                board.opponent,
                                                score,
                                                0,
                                                move,
                                                (uint8_t)(willow_board_discs(board) - 4),
                                                (uint8_t)depth,
                                                (uint8_t)(depth > 0 ? 100 : 0),
                                                (uint8_t)(WILLOW_ROW_RANDOM | (after_pass ? WILLOW_ROW_AFTER_PASS : 0)),
                                                id};
        }
        after_pass = !moves;
        require(willow_game_play(&game, move, NULL) == WILLOW_OK, "a random game made an illegal move");
    }
    int result = willow_game_final_discs(&game);
    for (size_t i = 0; i < count; i++)
        rows[i].result = (int8_t)(sides[i] * result);
    *record = (struct willow_game_row){.id = id, .result = (int8_t)result, .length = (uint8_t)game.length};
    memset(record->moves, WILLOW_NO_SQUARE, sizeof record->moves);
    memcpy(record->moves, game.moves, (size_t)game.length);
    return count;
}

struct willow_row *datasets_random_games(uint64_t seed, uint64_t first, size_t games, struct willow_game_row **records,
                                         size_t *count)
{
    return datasets_games_of(willow_ruleset_default(), seed, first, games, records, count);
}

struct willow_row *datasets_games_of(const struct willow_ruleset *ruleset, uint64_t seed, uint64_t first, size_t games,
                                     struct willow_game_row **records, size_t *count)
{
    struct willow_row *rows = malloc(games * WILLOW_SQUARES * sizeof *rows + 1);
    *records = malloc(games * sizeof **records + 1);
    require(rows != NULL && *records != NULL, "out of memory");
    *count = 0;
    for (size_t i = 0; i < games; i++)
        *count += play(ruleset, seed, first + i, rows + *count, &(*records)[i]);
    return rows;
}

/* `rows` is sorted in place. */
static bool store_shard(const char *folder, uint64_t seed, struct willow_manifest_shard entry,
                        enum willow_shard_layout layout, struct willow_row *rows, const struct willow_game_row *records,
                        struct willow_manifest *manifest)
{
    struct willow_shard_info info = {.ruleset = manifest->ruleset,
                                     .seed = seed,
                                     .first_game = entry.first_game,
                                     .rows = entry.rows,
                                     .games = entry.games,
                                     .tool = "test",
                                     .labels = "test",
                                     .configuration = "test: true\n",
                                     .layout = layout};
    willow_checksum128_text("", 0, info.weights);
    struct willow_error error = {0};
    char text[1024];
    bool good = willow_shard_write(folder, entry.number, &info, rows, records, entry.checksum, &error) == WILLOW_OK &&
                willow_manifest_add(manifest, &entry, &error) == WILLOW_OK;
    if (!good)
        fprintf(stderr, "%s\n", willow_error_text(&error, text, sizeof text));
    return good;
}

static bool write_shard(const char *folder, uint64_t seed, uint32_t number, uint32_t games, datasets_label *label,
                        void *context, struct willow_manifest *manifest)
{
    struct willow_manifest_shard entry = {.number = number, .games = games, .first_game = (uint64_t)number * games};
    struct willow_game_row *records;
    size_t count;
    struct willow_row *rows =
        datasets_games_of(willow_ruleset_by_id(manifest->ruleset), seed, entry.first_game, games, &records, &count);
    entry.rows = count;
    for (size_t i = 0; i < count; i++) {
        rows[i].score = WILLOW_SCORE_MISSING;
        rows[i].depth = rows[i].selectivity = 0;
        if (label)
            label(&rows[i], context);
        if (rows[i].score != WILLOW_SCORE_MISSING && rows[i].selectivity == 0)
            rows[i].selectivity = 100;
    }
    bool good = store_shard(folder, seed, entry, WILLOW_LAYOUT_COMPACT, rows, records, manifest);
    free(rows);
    free(records);
    return good;
}

bool datasets_write_random(const char *folder, uint64_t seed, uint32_t shards, uint32_t games, datasets_label *label,
                           void *context)
{
    return datasets_write_of(willow_ruleset_default(), folder, seed, shards, games, label, context);
}

bool datasets_write_of(const struct willow_ruleset *ruleset, const char *folder, uint64_t seed, uint32_t shards,
                       uint32_t games, datasets_label *label, void *context)
{
    struct willow_manifest manifest = {.ruleset = ruleset->id, .seed = seed};
    willow_checksum128_text("", 0, manifest.configuration_checksum);
    bool good = willow_folder_create(folder, NULL) == WILLOW_OK;
    for (uint32_t number = 0; good && number < shards; number++)
        good = write_shard(folder, seed, number, games, label, context, &manifest);
    good = good && willow_manifest_write(folder, &manifest, NULL) == WILLOW_OK;
    willow_manifest_clear(&manifest);
    return good;
}

struct willow_row *datasets_write_scored(const char *folder, uint64_t seed, const enum willow_shard_layout *layouts,
                                         uint32_t shards, uint32_t games, size_t *count)
{
    struct willow_manifest manifest = {.ruleset = willow_ruleset_default()->id, .seed = seed};
    struct willow_row *all = NULL;
    *count = 0;
    require(willow_folder_create(folder, NULL) == WILLOW_OK, "the folder cannot be made");
    for (uint32_t number = 0; number < shards; number++) {
        struct willow_manifest_shard entry = {.number = number, .games = games, .first_game = (uint64_t)number * games};
        struct willow_game_row *records;
        size_t part;
        struct willow_row *rows = datasets_random_games(seed, entry.first_game, games, &records, &part);
        entry.rows = part;
        require(store_shard(folder, seed, entry, layouts[number], rows, records, &manifest), "a shard was not written");
        all = realloc(all, (*count + part) * sizeof *all + 1);
        require(all != NULL, "out of memory");
        memcpy(all + *count, rows, part * sizeof *all);
        *count += part;
        free(rows);
        free(records);
    }
    require(willow_manifest_write(folder, &manifest, NULL) == WILLOW_OK, "the manifest was not written");
    willow_manifest_clear(&manifest);
    return all;
}
