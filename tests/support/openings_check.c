/* Openings with their options, and what every drawn opening must be; see openings_check.h. */
#include "support/openings_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/referee.h"

struct openings_options openings_random(uint64_t seed, int plies_min, int plies_max)
{
    return (struct openings_options){.kind = OPENINGS_RANDOM,
                                     .ruleset = willow_ruleset_default(),
                                     .seed = seed,
                                     .plies_min = plies_min,
                                     .plies_max = plies_max,
                                     .repeat = true};
}

struct openings_options openings_all(uint64_t seed, int plies)
{
    return (struct openings_options){
        .kind = OPENINGS_ALL, .ruleset = willow_ruleset_default(), .seed = seed, .plies_max = plies, .repeat = true};
}

struct openings *openings_made(const struct openings_options *options)
{
    struct openings *openings = NULL;
    assert_int_equal(openings_new(options, &openings, NULL), WILLOW_OK);
    assert_non_null(openings);
    return openings;
}

void openings_taken(struct openings *openings, uint64_t index, struct opening *opening)
{
    assert_int_equal(openings_take(openings, index, opening, NULL), WILLOW_OK);
}

static bool same_board(struct willow_board a, struct willow_board b)
{
    return a.player == b.player && a.opponent == b.opponent;
}

bool openings_images_equal(struct willow_board a, struct willow_board b)
{
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++)
        if (same_board(willow_board_symmetry(willow_ruleset_default(), a, symmetry), b))
            return true;
    return false;
}

struct willow_board openings_replay(const struct opening *opening)
{
    const struct willow_ruleset *ruleset = opening->game.ruleset;
    struct referee referee = referee_from_words(ruleset->start.player, ruleset->start.opponent, ruleset->playable);
    struct willow_board board;
    int plies = 0;
    for (int i = 0; i < opening->game.length; i++) {
        const uint64_t moves = referee_moves(&referee);
        const int move = opening->game.moves[i];
        assert_true(move == WILLOW_PASS ? moves == 0 : moves >> move & 1);
        referee = referee_play(&referee, move);
        plies += move != WILLOW_PASS;
    }
    assert_int_equal(opening->plies, plies);
    assert_false(referee_over(&referee));
    referee_to_words(&referee, &board.player, &board.opponent);
    assert_true(same_board(board, willow_game_board(&opening->game)));
    if (referee_moves(&referee) == 0)
        board = (struct willow_board){board.opponent, board.player};
    return board;
}

struct willow_board *openings_take_distinct(struct openings *openings, uint64_t first, size_t count)
{
    struct willow_board *boards = calloc(count, sizeof *boards);
    struct opening opening;
    assert_non_null(boards);
    for (size_t i = 0; i < count; i++) {
        openings_taken(openings, first + i, &opening);
        boards[i] = openings_replay(&opening);
        for (size_t j = 0; j < i; j++)
            assert_false(openings_images_equal(boards[i], boards[j]));
    }
    return boards;
}
