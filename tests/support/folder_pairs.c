#include "support/folder_pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

const char folder_pairs_identity[] = "a: default, depth 6\nb: default, depth 8\nopenings: 12";
const char folder_pairs_settings[] = "depth: 6\n";

void folder_pairs_game(struct game_record *record, const struct willow_game *opening, uint64_t seed, enum game_end end,
                       int plies)
{
    struct willow_random random;
    willow_random_init(&random, seed, 1);
    *record = (struct game_record){.game = *opening, .opening = opening->length, .end = end};
    struct willow_game *game = &record->game;
    while (!willow_game_over(game) && (end == GAME_PLAYED || game->length < plies)) {
        const willow_bits moves = willow_board_moves(game->ruleset, willow_game_board(game));
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
    willow_game_init(opening, willow_ruleset_default());
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

void folder_pairs_make(struct match_folder_pair *pair, size_t number)
{
    static const char *const names[3] = {"alpha", "be(;GM[ta] \xCE\xA9", "gamma-1.0"};
    struct willow_game opening;
    make_opening(&opening, number, number % 5 == 4 ? 50 : (int)(number % 13));
    pair->names[0] = names[number % 2];
    pair->names[1] = names[1 + number % 2];
    pair->number = number;
    for (int i = 0; i < 2; i++)
        folder_pairs_game(&pair->games[i], &opening, 2 * number + (uint64_t)i,
                          number % 3 ? GAME_PLAYED : (enum game_end)((number / 3 + (size_t)i) % GAME_ENDS),
                          opening.length + (int)(number % 7) * 3);
}

void folder_pairs_check_game(const struct game_record *record, const struct game_record *wanted)
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

enum willow_status folder_pairs_check(void *context, const struct match_folder_pair *pair, struct willow_error *error)
{
    size_t *count = context;
    struct match_folder_pair wanted;
    (void)error;
    folder_pairs_make(&wanted, *count);
    assert_int_equal(pair->number, *count);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(pair->names[i], wanted.names[i]);
        folder_pairs_check_game(&pair->games[i], &wanted.games[i]);
    }
    ++*count;
    return WILLOW_OK;
}

struct match_folder *folder_pairs_open(const char *path, size_t wanted)
{
    struct match_folder *folder;
    struct willow_error error;
    char text[1024];
    size_t count = 0;
    if (match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                          folder_pairs_check, &count, &folder, &error))
        fail_msg("%s", willow_error_text(&error, text, sizeof text));
    assert_int_equal(count, wanted);
    return folder;
}

void folder_pairs_append(struct match_folder *folder, size_t first, size_t end)
{
    struct match_folder_pair pair;
    for (size_t i = first; i < end; i++) {
        folder_pairs_make(&pair, i);
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_OK);
    }
}

void folder_pairs_folder(char scratch[SCRATCH_PATH], char path[SCRATCH_PATH], size_t pairs)
{
    scratch_make(scratch);
    (void)scratch_join(path, scratch, "match");
    struct match_folder *folder = folder_pairs_open(path, 0);
    folder_pairs_append(folder, 0, pairs);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
}

size_t folder_pairs_line(const unsigned char *data, size_t size, size_t line)
{
    size_t at = 0;
    for (; line > 0; line--)
        at = (size_t)((const unsigned char *)memchr(data + at, '\n', size - at) - data) + 1;
    return at;
}
