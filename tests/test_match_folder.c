/* A match on disk: pairs come back as they were and go into GGF and transcripts; kills and full disks leave whole
 * pairs; damage, strangers' folders and other matches are refused with file, line and reason, and left as they are. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>

#include <cmocka.h>

#include <willow/file.h>
#include <willow/random.h>
#include <willow/records.h>

#include "selfplay/match/game_json.h"
#include "selfplay/match/match_folder.h"
#include "selfplay/match/pair_file.h"
#include "support/scratch.h"

enum { PAIRS = 30 };

static const char identity[] = "a: default, depth 6\nb: default, depth 8\nopenings: 12";
static const char settings[] = "depth: 6\n";

/* A game of random moves behind `opening` ones, up to `plies` in all, that ends in this way. */
static void make_game(struct game_record *record, const struct willow_game *opening, uint64_t seed, enum game_end end,
                      int plies)
{
    struct willow_random random;
    willow_random_init(&random, seed, 1);
    *record = (struct game_record){.game = *opening, .opening = opening->length, .end = end};
    struct willow_game *game = &record->game;
    while (!willow_game_over(game) && (end == GAME_PLAYED || game->length < plies)) {
        const uint64_t moves = willow_board_moves(game->ruleset, willow_game_board(game));
        struct game_move *move = &record->moves[game->length];
        if (moves && willow_random_u64(&random) % 8 != 0) {
            move->has_score = true;
            move->score_discs = (float)((int)willow_random_below(&random, 12801) - 6400) / 100;
        }
        if (moves) {
            move->depth = (int)(willow_random_u64(&random) % 30);
            move->nodes = willow_random_u64(&random) >> (1 + willow_random_u64(&random) % 60);
            move->used_ns = willow_random_u64(&random) % 100000000 * 1000;
        }
        assert_int_equal(
            willow_game_play(game, moves ? (willow_square)willow_random_bit(&random, moves) : WILLOW_PASS, NULL),
            WILLOW_OK);
    }
    record->discs = willow_game_final_discs(game);
    if (end == GAME_PLAYED)
        return;
    record->culprit = seed % 3 == 0 ? WILLOW_BLACK : WILLOW_WHITE;
    record->discs = record->culprit == WILLOW_BLACK ? -64 : 64;
    if (game_end_is_fault(end))
        (void)snprintf(record->reason, sizeof record->reason, "said \"%d\\\" \xC3\xA9", plies);
}

static void make_opening(struct willow_game *opening, uint64_t seed, int plies)
{
    struct willow_random random;
    willow_random_init(&random, seed, 2);
    willow_game_init(opening, willow_ruleset_othello());
    /* Every fourth starts elsewhere: one disc of white's missing, and white to move in half of these. */
    if (seed % 4 == 0) {
        struct willow_board board = opening->boards[0];
        board.opponent ^= UINT64_C(1) << 27;
        const enum willow_side side = seed % 8 == 0 ? WILLOW_WHITE : WILLOW_BLACK;
        if (side == WILLOW_WHITE)
            board = (struct willow_board){board.opponent, board.player};
        assert_int_equal(willow_game_init_board(opening, opening->ruleset, board, side, NULL), WILLOW_OK);
    }
    while (opening->length < plies && !willow_game_over(opening)) {
        const uint64_t moves = willow_board_moves(opening->ruleset, willow_game_board(opening));
        (void)willow_game_play(opening, moves ? (willow_square)willow_random_bit(&random, moves) : WILLOW_PASS, NULL);
    }
}

/* The names are constant. */
static void make_pair(struct match_folder_pair *pair, size_t number)
{
    static const char *const names[3] = {"alpha", "be(;GM[ta] \xCE\xA9", "gamma-1.0"};
    struct willow_game opening;
    make_opening(&opening, number, number % 5 == 4 ? 50 : (int)(number % 13));
    pair->names[0] = names[number % 2];
    pair->names[1] = names[1 + number % 2];
    pair->number = number;
    for (int i = 0; i < 2; i++)
        make_game(&pair->games[i], &opening, 2 * number + (uint64_t)i,
                  number % 3 ? GAME_PLAYED : (enum game_end)((number / 3 + (size_t)i) % GAME_ENDS),
                  opening.length + (int)(number % 7) * 3);
}

static void check_game(const struct game_record *record, const struct game_record *wanted)
{
    const struct willow_game *game = &record->game;
    assert_int_equal(game->length, wanted->game.length);
    assert_int_equal(game->start_side, wanted->game.start_side);
    assert_int_equal(game->side, wanted->game.side);
    assert_memory_equal(game->moves, wanted->game.moves, (size_t)game->length);
    assert_memory_equal(game->boards, wanted->game.boards, ((size_t)game->length + 1) * sizeof game->boards[0]);
    assert_int_equal(record->opening, wanted->opening);
    assert_int_equal(record->end, wanted->end);
    assert_int_equal(record->discs, wanted->discs);
    assert_string_equal(record->reason, wanted->reason);
    if (record->end != GAME_PLAYED)
        assert_int_equal(record->culprit, wanted->culprit);
    for (int i = record->opening; i < game->length; i++) {
        const struct game_move *move = &record->moves[i], *other = &wanted->moves[i];
        assert_int_equal(move->has_score, other->has_score);
        assert_true(move->score_discs == other->score_discs);
        assert_int_equal(move->depth, other->depth);
        assert_int_equal(move->nodes, other->nodes);
        assert_int_equal(move->used_ns, other->used_ns);
    }
}

/* Counts the pairs and compares each with the one that make_pair makes of that number. */
static enum willow_status check_pair(void *context, const struct match_folder_pair *pair, struct willow_error *error)
{
    size_t *count = context;
    struct match_folder_pair wanted;
    (void)error;
    make_pair(&wanted, *count);
    assert_int_equal(pair->number, *count);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(pair->names[i], wanted.names[i]);
        check_game(&pair->games[i], &wanted.games[i]);
    }
    ++*count;
    return WILLOW_OK;
}

static struct match_folder *open_folder(const char *path, size_t wanted)
{
    struct match_folder *folder;
    struct willow_error error;
    char text[1024];
    size_t count = 0;
    if (match_folder_open(path, willow_ruleset_othello(), identity, settings, check_pair, &count, &folder, &error))
        fail_msg("%s", willow_error_text(&error, text, sizeof text));
    assert_int_equal(count, wanted);
    return folder;
}

static void append_pairs(struct match_folder *folder, size_t first, size_t end)
{
    struct match_folder_pair pair;
    for (size_t i = first; i < end; i++) {
        make_pair(&pair, i);
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_OK);
    }
}

/* A folder "match" in a new scratch folder, with so many pairs. */
static void make_folder(char scratch[SCRATCH_PATH], char path[SCRATCH_PATH], size_t pairs)
{
    scratch_make(scratch);
    (void)scratch_join(path, scratch, "match");
    struct match_folder *folder = open_folder(path, 0);
    append_pairs(folder, 0, pairs);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
}

static void check_ggf(const char *path)
{
    char name[SCRATCH_PATH];
    size_t size;
    struct willow_records records;
    struct willow_record record;
    struct match_folder_pair pair;
    unsigned char *data = scratch_read(scratch_join(name, path, "games.ggf"), &size);
    assert_int_equal(willow_records_open(&records, WILLOW_RECORDS_GGF, data, size, NULL), WILLOW_OK);
    for (size_t i = 0; i < 2 * PAIRS; i++) {
        if (i % 2 == 0)
            make_pair(&pair, i / 2);
        const struct game_record *wanted = &pair.games[i % 2];
        assert_true(willow_records_next(&records, &record));
        if (record.kind >= WILLOW_RECORD_OTHER_VARIANT)
            fail_msg("game %zu: %s: %s", i, record.error.place, record.error.reason);
        assert_int_equal(record.game.length, wanted->game.length);
        assert_memory_equal(record.game.moves, wanted->game.moves, (size_t)wanted->game.length);
        assert_true(record.has_result);
        assert_int_equal(record.result_discs, wanted->discs);
    }
    assert_false(willow_records_next(&records, &record));
    free(data);
}

static void check_transcripts(const char *path)
{
    char name[SCRATCH_PATH];
    size_t size;
    struct willow_records records;
    struct willow_record record;
    unsigned char *data = scratch_read(scratch_join(name, path, "games.txt"), &size);
    assert_int_equal(willow_records_open(&records, WILLOW_RECORDS_TRANSCRIPTS, data, size, NULL), WILLOW_OK);
    for (size_t i = 0; i < PAIRS; i++) {
        struct match_folder_pair pair;
        make_pair(&pair, i);
        for (int j = 0; j < 2; j++) {
            /* Other starts are comments. A line without moves, too; and the last pass is not written. */
            const struct willow_game *game = &pair.games[j].game;
            if (i % 4 == 0 || game->length == 0)
                continue;
            assert_true(willow_records_next(&records, &record));
            assert_in_range(record.kind, WILLOW_RECORD_COMPLETE, WILLOW_RECORD_UNFINISHED);
            assert_int_equal(record.game.length, game->length - (game->moves[game->length - 1] == WILLOW_PASS));
            assert_memory_equal(record.game.moves, game->moves, (size_t)record.game.length);
        }
    }
    assert_false(willow_records_next(&records, &record));
    free(data);
}

static void pairs_come_back_as_they_were(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], name[SCRATCH_PATH];
    make_folder(scratch, path, PAIRS / 2);
    struct match_folder *folder = open_folder(path, PAIRS / 2);
    append_pairs(folder, PAIRS / 2, PAIRS);
    assert_int_equal(write(match_folder_log(folder), "hello\n", 6), 6);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
    check_ggf(path);
    check_transcripts(path);
    size_t size;
    unsigned char *yaml = scratch_read(scratch_join(name, path, "match.yaml"), &size);
    assert_int_equal(size, strlen(settings));
    free(yaml);
    free(scratch_read(scratch_join(name, path, "engines.log"), &size));
    assert_int_equal(size, 6);
    assert_int_equal(scratch_count(path, ".tmp"), 0);
    match_folder_close(open_folder(path, PAIRS), NULL);
    assert_int_equal(match_folder_close(NULL, NULL), WILLOW_OK);
    scratch_remove(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_come_back_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
