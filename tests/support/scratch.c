/* Temporary folders and datasets in memory; see scratch.h. */
#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/random.h>

static void require(int condition, const char *what)
{
    if (condition)
        return;
    (void)fprintf(stderr, "test support: %s\n", what);
    exit(99);
}

void scratch_make(char path[SCRATCH_PATH])
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(path, SCRATCH_PATH, "%s/willow-test-XXXXXX", base && *base ? base : "/tmp");
    require(mkdtemp(path) != NULL, "cannot make a temporary folder");
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void scratch_remove(const char *path)
{
    (void)nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

char *scratch_join(char buffer[SCRATCH_PATH], const char *folder, const char *name)
{
    int length = snprintf(buffer, SCRATCH_PATH, "%s/%s", folder, name);
    require(length > 0 && length < SCRATCH_PATH, "a path is too long");
    return buffer;
}

unsigned char *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    require(fseek(file, 0, SEEK_END) == 0, "cannot seek");
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*size + 1);
    require(data != NULL && fread(data, 1, *size, file) == *size, "cannot read");
    (void)fclose(file);
    return data;
}

void scratch_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "cannot write");
}

int scratch_count(const char *folder, const char *suffix)
{
    DIR *directory = opendir(folder);
    int count = 0;
    require(directory != NULL, folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name), tail = strlen(suffix);
        count += length >= tail && strcmp(entry->d_name + length - tail, suffix) == 0;
    }
    (void)closedir(directory);
    return count;
}

struct willow_row *scratch_rows(const char *folder, size_t *count)
{
    struct willow_reader *reader;
    struct willow_error error;
    char text[1100];
    if (willow_reader_open(&folder, 1, 0, 60, willow_ruleset_othello(), true, &reader, &error) != WILLOW_OK)
        require(0, willow_error_text(&error, text, sizeof text));
    size_t capacity = (size_t)willow_reader_rows(reader), got = 1;
    struct willow_row *rows = malloc(capacity * sizeof *rows + sizeof *rows);
    require(rows != NULL, "out of memory");
    for (*count = 0; got > 0; *count += got)
        if (willow_reader_next(reader, rows + *count, capacity - *count, &got, &error) != WILLOW_OK)
            require(0, willow_error_text(&error, text, sizeof text));
    require(*count == capacity, "the reader gave less rows than it announced");
    willow_reader_free(reader);
    return rows;
}

static int same(const struct willow_row *a, const struct willow_row *b)
{
    return a->player == b->player && a->opponent == b->opponent && a->score == b->score && a->result == b->result &&
           a->move == b->move && a->ply == b->ply && a->depth == b->depth && a->flags == b->flags && a->game == b->game;
}

int scratch_rows_equal(const struct willow_row *a, size_t a_count, const struct willow_row *b, size_t b_count)
{
    if (a_count != b_count) {
        (void)fprintf(stderr, "%zu rows instead of %zu\n", a_count, b_count);
        return 0;
    }
    for (size_t i = 0; i < a_count; i++)
        if (!same(&a[i], &b[i])) {
            (void)fprintf(stderr, "row %zu differs: game %" PRIu64 " ply %d and game %" PRIu64 " ply %d\n", i,
                          a[i].game, a[i].ply, b[i].game, b[i].ply);
            return 0;
        }
    return 1;
}

static int16_t made_up_score(struct willow_random *random, int16_t *depth)
{
    *depth = (int16_t)willow_random_below(random, 20);
    return *depth == 0 ? WILLOW_SCORE_MISSING : (int16_t)((int)willow_random_below(random, 4097) - 2048);
}

static size_t play(uint64_t seed, uint64_t id, struct willow_row *rows, struct willow_game_row *record)
{
    struct willow_random random;
    struct willow_game game;
    int sides[64], after_pass = 0;
    size_t count = 0;
    willow_random_init(&random, seed, id);
    willow_game_init(&game, willow_ruleset_othello());
    while (!willow_game_over(&game)) {
        struct willow_board board = willow_game_board(&game);
        uint64_t moves = willow_board_moves(game.ruleset, board);
        willow_square move = WILLOW_PASS;
        if (moves) {
            int16_t depth, score = made_up_score(&random, &depth);
            move = (willow_square)willow_random_bit(&random, moves);
            sides[count] = game.side == WILLOW_BLACK ? 1 : -1;
            rows[count++] = (struct willow_row){board.player,
                                                board.opponent,
                                                score,
                                                0,
                                                move,
                                                (uint8_t)(willow_board_discs(board) - 4),
                                                (uint8_t)depth,
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

struct willow_row *scratch_games(uint64_t seed, uint64_t first, size_t games, struct willow_game_row **records,
                                 size_t *count)
{
    struct willow_row *rows = malloc(games * 64 * sizeof *rows + 1);
    *records = malloc(games * sizeof **records + 1);
    require(rows != NULL && *records != NULL, "out of memory");
    *count = 0;
    for (size_t i = 0; i < games; i++)
        *count += play(seed, first + i, rows + *count, &(*records)[i]);
    return rows;
}
