/* Small datasets of random games; see random_dataset.h. */
#include "random_dataset.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>
#include <willow/random.h>

/* Plays game number `id`; appends its rows to rows (room for WILLOW_GAME_MAX). Returns how many. */
static uint64_t play(uint64_t seed, uint64_t id, struct willow_row *rows, struct willow_game_row *record)
{
    struct willow_random random;
    struct willow_game game;
    enum willow_side sides[WILLOW_GAME_MAX];
    uint64_t count = 0;
    willow_random_init(&random, seed, id);
    willow_game_init(&game, willow_ruleset_othello());
    while (!willow_game_over(&game)) {
        struct willow_board board = willow_game_board(&game);
        uint64_t moves = willow_board_moves(game.ruleset, board);
        if (!moves) {
            willow_game_play(&game, WILLOW_PASS, NULL);
            continue;
        }
        for (uint32_t skip = willow_random_below(&random, (uint32_t)__builtin_popcountll(moves)); skip > 0; skip--)
            moves &= moves - 1;
        willow_square move = (willow_square)__builtin_ctzll(moves);
        sides[count] = game.side;
        rows[count++] = (struct willow_row){.player = board.player,
                                            .opponent = board.opponent,
                                            .score = WILLOW_SCORE_MISSING,
                                            .move = move,
                                            .ply = (uint8_t)(willow_board_discs(board) - 4),
                                            .flags = WILLOW_ROW_RANDOM,
                                            .game = id};
        willow_game_play(&game, move, NULL);
    }
    int result = willow_game_final_discs(&game);
    for (uint64_t i = 0; i < count; i++)
        rows[i].result = (int8_t)(sides[i] == WILLOW_BLACK ? result : -result);
    *record = (struct willow_game_row){.id = id, .result = (int8_t)result, .length = (uint8_t)game.length};
    memcpy(record->moves, game.moves, sizeof record->moves);
    return count;
}

static bool write_shard(const char *folder, uint64_t seed, uint32_t number, uint32_t games, random_dataset_label *label,
                        void *context, struct willow_manifest *manifest)
{
    struct willow_row *rows = calloc((size_t)games * WILLOW_GAME_MAX, sizeof *rows);
    struct willow_game_row *records = calloc(games, sizeof *records);
    struct willow_manifest_shard entry = {.number = number, .games = games, .first_game = (uint64_t)number * games};
    for (uint32_t g = 0; rows && records && g < games; g++)
        entry.rows += play(seed, entry.first_game + g, rows + entry.rows, &records[g]);
    for (uint64_t i = 0; rows && label && i < entry.rows; i++)
        label(&rows[i], context);
    struct willow_shard_info info = {.ruleset = willow_ruleset_othello()->id,
                                     .seed = seed,
                                     .first_game = entry.first_game,
                                     .rows = entry.rows,
                                     .games = games,
                                     .tool = "test",
                                     .labels = "test",
                                     .configuration = "test: true\n"};
    willow_checksum128_text("", 0, info.weights);
    struct willow_error error = {0};
    char text[1024];
    bool good = rows && records &&
                willow_shard_write(folder, number, &info, rows, records, entry.checksum, &error) == WILLOW_OK &&
                willow_manifest_add(manifest, &entry, &error) == WILLOW_OK;
    if (!good)
        fprintf(stderr, "%s\n", willow_error_text(&error, text, sizeof text));
    free(rows);
    free(records);
    return good;
}

bool random_dataset_write(const char *folder, uint64_t seed, uint32_t shards, uint32_t games,
                          random_dataset_label *label, void *context)
{
    struct willow_manifest manifest = {.ruleset = willow_ruleset_othello()->id, .seed = seed};
    willow_checksum128_text("", 0, manifest.configuration_checksum);
    bool good = willow_folder_create(folder, NULL) == WILLOW_OK;
    for (uint32_t number = 0; good && number < shards; number++)
        good = write_shard(folder, seed, number, games, label, context, &manifest);
    good = good && willow_manifest_write(folder, &manifest, NULL) == WILLOW_OK;
    willow_manifest_clear(&manifest);
    return good;
}

void random_dataset_remove(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(folder);
}
