/* The analysis of games: scores against plain negamax, one view for both sides, sums, limits, passes and early ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "cli/analyse.h"
#include "support/positions.h"
#include "support/random_weights.h"

/* Empty squares from which whole trees are searched plainly. */
enum { LATE = 8 };

/* An evaluation that is noise, so that many moves lose much. */
static struct willow_weights *noise;
static struct willow_search *search;
static struct analyse_game *analysis, *other;

static int set_up(void **state)
{
    (void)state;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 5);
    noise = random_weights(willow_pattern_set_default(), &stages, 11, 80);
    analysis = calloc(1, sizeof *analysis);
    other = calloc(1, sizeof *other);
    return analysis && other && willow_search_new(noise, 1 << 20, &search, NULL) == WILLOW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(analysis);
    free(other);
    willow_search_free(search);
    willow_weights_free(noise);
    return 0;
}

static struct analyse_plan plan_of(int depth, int exact)
{
    return (struct analyse_plan){
        .choice.limits = {.depth = depth, .selectivity = WILLOW_NOT_SELECTIVE, .exact_empties = exact},
        .blunder_loss = 6 * WILLOW_SCORE_DISC};
}

static void analyse(struct analyse_game *into, const struct willow_game *game, const struct analyse_plan *plan)
{
    willow_search_clear(search);
    analyse_start(into, game);
    assert_int_equal(analyse_run(into, search, plan, NULL), WILLOW_OK);
    assert_true(into->complete);
}

static struct willow_game played(const char *moves)
{
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, moves, NULL), WILLOW_OK);
    return game;
}

/* Random moves from the game's position to its end, passes included. */
static void play_on(struct willow_game *game, struct willow_random *random)
{
    while (!willow_game_over(game)) {
        const willow_bits moves = willow_board_moves(game->ruleset, willow_game_board(game));
        const willow_square move = moves ? (willow_square)willow_random_bit(random, moves) : WILLOW_PASS;
        assert_int_equal(willow_game_play(game, move, NULL), WILLOW_OK);
    }
}

static struct willow_game random_end(const struct willow_ruleset *ruleset, struct willow_random *random, int empties)
{
    struct willow_game game;
    const struct willow_board board = position_from_play(ruleset, random, empties);
    assert_int_equal(willow_game_init_board(&game, ruleset, board, WILLOW_BLACK, NULL), WILLOW_OK);
    play_on(&game, random);
    return game;
}

/* What was seen in games that were compared. */
struct seen {
    int losses, passes;
};

/* The analysis of a game's end, move by move against plain negamax. */
static void check_end(const struct willow_game *game, bool all, struct seen *seen)
{
    struct analyse_plan plan = plan_of(1, LATE);
    plan.all = all;
    analyse(analysis, game, &plan);
    assert_int_equal(analysis->count, game->length + 1);
    for (int i = 0; i < analysis->count; i++) {
        const struct analyse_position *position = &analysis->positions[i];
        assert_true(position->done && position->exact);
        assert_int_equal(position->score, position_negamax(NULL, game->ruleset, game->boards[i], WILLOW_SQUARES));
        seen->passes += position->played == WILLOW_PASS;
        if (position->legal > 0) {
            assert_int_equal(position->moves[0].loss, 0);
            assert_true(all ? position->count == position->legal : position->count <= 2);
            assert_int_equal(position->moves[position->played_at].move, position->played);
        }
        for (int m = 0; m < position->count; m++) {
            const struct analyse_move *move = &position->moves[m];
            const struct willow_board next = willow_board_play(game->boards[i], move->move);
            assert_true(move->exact);
            assert_int_equal(move->score, -position_negamax(NULL, game->ruleset, next, WILLOW_SQUARES));
            assert_int_equal(move->loss, position->score - move->score);
            assert_int_equal(move->line[0], move->move);
            seen->losses += move->loss > 0;
        }
    }
}

/* Every score of an end is that of plain negamax, whichever way the moves are chosen. */
static void test_ends_equal_negamax(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 21, 0);
    struct seen seen = {0};
    for (int round = 0; round < 24; round++) {
        const struct willow_game game = random_end(willow_ruleset_default(), &random, LATE);
        check_end(&game, round % 2 == 0, &seen);
    }
    assert_true(seen.losses > 50);
    assert_true(seen.passes > 0);
}

/* The same of every ruleset but for the holes, of which one is enough; the scale of the graph is that of the board. */
static void test_ends_of_every_ruleset(void **state)
{
    (void)state;
    enum { ROUNDS = 4 };
    static struct analyse_curve curve;
    struct willow_random random;
    struct willow_search *usual = search;
    const struct willow_ruleset *ruleset;
    willow_random_init(&random, 22, 0);
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++) {
        const bool hole = strchr(ruleset->name, ':') != NULL;
        if (hole && strcmp(ruleset->name, "hole:c3") != 0)
            continue;
        const int squares = willow_ruleset_squares(ruleset);
        const struct willow_stages stages = willow_stages_even(squares, 3);
        struct willow_weights *weights =
            random_weights_on(ruleset, willow_pattern_set_default(), &stages, (uint64_t)i, 80);
        assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
        struct seen seen = {0};
        for (int round = 0; round < ROUNDS; round++) {
            const struct willow_game game = random_end(ruleset, &random, LATE);
            check_end(&game, round % 2 == 0, &seen);
            analyse_curve_make(analysis, &curve);
            assert_true(curve.scale_discs >= 8 && curve.scale_discs <= (squares + 3) / 4 * 4);
            assert_int_equal(curve.scale_discs % 4, 0);
        }
        assert_true(seen.losses > 0);
        willow_search_free(search);
        willow_weights_free(weights);
    }
    search = usual;
}

/* What a move loses does not depend on the colour of who plays it, and black's view of one game is white's of the
 * other. */
static void test_colours_swapped(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 22, 0);
    struct willow_game game, turned;
    willow_game_init(&game, willow_ruleset_default());
    play_on(&game, &random);
    assert_int_equal(willow_game_init_board(&turned, game.ruleset, game.boards[0], WILLOW_WHITE, NULL), WILLOW_OK);
    for (int i = 0; i < game.length; i++)
        assert_int_equal(willow_game_play(&turned, game.moves[i], NULL), WILLOW_OK);
    const struct analyse_plan plan = plan_of(3, 10);
    analyse(analysis, &game, &plan);
    analyse(other, &turned, &plan);
    for (int i = 0; i < analysis->count; i++) {
        const struct analyse_position *a = &analysis->positions[i], *b = &other->positions[i];
        assert_int_equal(a->side, b->side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK);
        assert_int_equal(a->score, b->score);
        assert_int_equal(analyse_black_score(a), -analyse_black_score(b));
        assert_int_equal(a->mark, b->mark);
        if (a->played_at >= 0)
            assert_int_equal(a->moves[a->played_at].loss, b->moves[b->played_at].loss);
    }
    const struct analyse_summary black = analyse_summarise(analysis, WILLOW_BLACK);
    const struct analyse_summary white = analyse_summarise(other, WILLOW_WHITE);
    assert_int_equal(black.lost, white.lost);
    assert_int_equal(black.worst, white.worst);
    assert_int_equal(black.moves, white.moves);
    assert_true(black.lost > 0);
}

/* The same for games that are mirrored and turned. */
static void test_boards_turned(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 23, 0);
    const struct willow_game game = random_end(willow_ruleset_default(), &random, 12);
    const struct analyse_plan plan = plan_of(1, 12);
    analyse(analysis, &game, &plan);
    for (int symmetry = 1; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        struct willow_game turned;
        assert_int_equal(
            willow_game_init_board(&turned, game.ruleset,
                                   willow_board_symmetry(willow_ruleset_default(), game.boards[0], symmetry),
                                   WILLOW_BLACK, NULL),
            WILLOW_OK);
        for (int i = 0; i < game.length; i++) {
            const willow_square move = game.moves[i] == WILLOW_PASS
                                           ? WILLOW_PASS
                                           : willow_square_symmetry(willow_ruleset_default(), game.moves[i], symmetry);
            assert_int_equal(willow_game_play(&turned, move, NULL), WILLOW_OK);
        }
        analyse(other, &turned, &plan);
        for (int i = 0; i < analysis->count; i++) {
            const struct analyse_position *a = &analysis->positions[i], *b = &other->positions[i];
            assert_int_equal(a->score, b->score);
            if (a->played_at >= 0)
                assert_int_equal(a->moves[a->played_at].loss, b->moves[b->played_at].loss);
        }
    }
}

/* In the middle of a game all moves of a position have one depth: the score of each is that of plain minimax. */
static void test_one_depth_for_all(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_random random;
    willow_random_init(&random, 24, 0);
    struct willow_game game;
    willow_game_init(&game, ruleset);
    play_on(&game, &random);
    game = random_end(willow_ruleset_default(), &random, 40);
    /* A table that remembers deeper searches would answer with their scores. */
    for (int depth = 1; depth <= 3; depth++)
        for (int i = 0; i < 8; i++) {
            struct willow_game lone;
            assert_int_equal(willow_game_init_board(&lone, ruleset, game.boards[i], WILLOW_BLACK, NULL), WILLOW_OK);
            struct analyse_plan plan = plan_of(depth, 0);
            plan.all = true;
            analyse(analysis, &lone, &plan);
            const struct analyse_position *position = &analysis->positions[analysis->count - 1];
            assert_int_equal(position->depth, depth);
            assert_int_equal(position->count, position->legal);
            for (int m = 0; m < position->count; m++) {
                const struct willow_board next =
                    willow_board_play(analysis->game.boards[analysis->count - 1], position->moves[m].move);
                assert_int_equal(position->moves[m].score, -position_negamax(noise, ruleset, next, depth - 1));
                assert_true(position->moves[m].loss >= 0);
                assert_true(m == 0 || position->moves[m].loss >= position->moves[m - 1].loss);
            }
        }
}

/* Marks and sums are those of the losses; the move that was played stands first among equals. */
static void test_marks_and_sums(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 25, 0);
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    play_on(&game, &random);
    const struct analyse_plan plan = plan_of(2, 8);
    analyse(analysis, &game, &plan);
    int seen[3] = {0};
    for (int side = 0; side < 2; side++) {
        struct analyse_summary sum = {.worst = -1};
        willow_score worst = 0;
        for (int i = 0; i < analysis->count; i++) {
            const struct analyse_position *position = &analysis->positions[i];
            if ((int)position->side != side || position->played_at < 0)
                continue;
            const willow_score loss = position->moves[position->played_at].loss;
            assert_true(loss > 0 || position->played_at == 0);
            const enum analyse_mark mark = loss >= 6 * 32   ? ANALYSE_BLUNDER
                                           : loss >= 3 * 32 ? ANALYSE_MISTAKE
                                                            : ANALYSE_GOOD;
            assert_int_equal(position->mark, mark);
            seen[mark]++;
            sum.moves++;
            sum.lost += loss;
            sum.best += loss == 0;
            sum.blunders += mark == ANALYSE_BLUNDER;
            sum.mistakes += mark == ANALYSE_MISTAKE;
            worst = loss > worst ? loss : worst;
        }
        const struct analyse_summary summary = analyse_summarise(analysis, (enum willow_side)side);
        assert_int_equal(summary.moves, sum.moves);
        assert_int_equal(summary.lost, sum.lost);
        assert_int_equal(summary.best, sum.best);
        assert_int_equal(summary.blunders, sum.blunders);
        assert_int_equal(summary.mistakes, sum.mistakes);
        assert_int_equal(analysis->positions[summary.worst].moves[analysis->positions[summary.worst].played_at].loss,
                         worst);
    }
    assert_true(seen[ANALYSE_GOOD] > 0 && seen[ANALYSE_MISTAKE] > 0 && seen[ANALYSE_BLUNDER] > 0);
}

/* The game with most passes (23, all of them Black's), from the public lists of record games: numbers count moves
 * alone, a pass is worth what follows. */
static void test_passes(void **state)
{
    (void)state;
    const struct willow_game game =
        played("f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3"
               "h1h3h4h6");
    const struct analyse_plan plan = plan_of(1, 6);
    analyse(analysis, &game, &plan);
    int passes = 0, number = 1;
    for (int i = 0; i < analysis->count; i++) {
        const struct analyse_position *position = &analysis->positions[i];
        assert_int_equal(position->number, number);
        number += position->played != WILLOW_PASS;
        if (position->played != WILLOW_PASS)
            continue;
        passes++;
        assert_int_equal(position->side, WILLOW_BLACK);
        assert_int_equal(position->score, -position[1].score);
        assert_int_equal(position->count, 0);
    }
    assert_int_equal(passes, 23);
    assert_int_equal(number, 55 + 2);
    assert_true(analysis->positions[analysis->count - 1].over);
    assert_int_equal(analyse_black_score(&analysis->positions[analysis->count - 1]), -64 * WILLOW_SCORE_DISC);
    struct analyse_curve curve;
    analyse_curve_make(analysis, &curve);
    assert_int_equal(curve.moves, 55);
    for (int point = 0; point <= 55; point++)
        assert_true(curve.known[point]);
    assert_int_equal(curve.black[55], -64 * WILLOW_SCORE_DISC);
    assert_int_equal(curve.scale_discs, 64);
    assert_int_equal(curve.movers[55], WILLOW_WHITE);
    assert_int_equal(analyse_summarise(analysis, WILLOW_WHITE).moves, 39);
}

/* A game that was left where a side must pass: the move after the pass is what there is to look at. From the public
 * report okuhara/edax-reversi-AVX 1 and others of overlooked passes. */
static void test_pass_at_the_end(void **state)
{
    (void)state;
    const struct willow_game game = played("e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8");
    const struct analyse_plan plan = plan_of(2, 0);
    analyse(analysis, &game, &plan);
    assert_int_equal(analysis->count, game.length + 2);
    const struct analyse_position *last = &analysis->positions[analysis->count - 1];
    assert_int_equal(last[-1].played, WILLOW_PASS);
    assert_int_equal(last->side, WILLOW_WHITE);
    assert_int_equal(last->number, 17);
    assert_int_equal(last->played, WILLOW_NO_SQUARE);
    assert_true(last->done && last->count == 1 && last->legal > 1);
    assert_int_equal(last[-1].score, -last->score);
}

/* The shortest game: nine moves and a wipe-out (a public record game). The move that ends it is worth all squares
 * although nothing is searched to the end; every move stands there once. */
static void test_wiped_out(void **state)
{
    (void)state;
    struct willow_game game = played("e6f4e3f6g5d6e7f5c5");
    struct analyse_plan plan = plan_of(3, 0);
    analyse(analysis, &game, &plan);
    assert_int_equal(analysis->count, 10);
    assert_true(analysis->positions[9].over);
    assert_int_equal(analysis->positions[9].score, -64 * WILLOW_SCORE_DISC);
    assert_int_equal(analysis->positions[8].score, 64 * WILLOW_SCORE_DISC);
    assert_true(analysis->positions[8].exact);
    willow_game_undo(&game);
    struct willow_game lone;
    assert_int_equal(willow_game_init_board(&lone, game.ruleset, willow_game_board(&game), WILLOW_BLACK, NULL),
                     WILLOW_OK);
    plan.all = true;
    analyse(analysis, &lone, &plan);
    const struct analyse_position *position = &analysis->positions[0];
    assert_int_equal(position->moves[0].move, willow_square_parse("c5"));
    assert_int_equal(position->moves[0].score, 64 * WILLOW_SCORE_DISC);
    assert_true(position->moves[0].exact);
    assert_int_equal(position->count, 7);
    uint64_t seen = 0;
    for (int m = 0; m < position->count; m++) {
        assert_false(seen >> position->moves[m].move & 1);
        seen |= UINT64_C(1) << position->moves[m].move;
    }
    assert_int_equal(seen, willow_board_moves(game.ruleset, willow_game_board(&game)));
}

/* Nothing to play: a finished game, an empty board, a full one. */
static void test_positions_that_are_over(void **state)
{
    (void)state;
    const struct analyse_plan plan = plan_of(4, 4);
    for (int i = 0; i < POSITIONS_OVER; i++) {
        struct willow_game game;
        assert_int_equal(willow_game_init_board(&game, willow_ruleset_default(), positions_over[i], WILLOW_WHITE, NULL),
                         WILLOW_OK);
        analyse(analysis, &game, &plan);
        assert_int_equal(analysis->count, 1);
        assert_true(analysis->positions[0].done && analysis->positions[0].over);
        assert_int_equal(analysis->positions[0].score,
                         WILLOW_SCORE_DISC * willow_board_final_discs(game.ruleset, positions_over[i]));
    }
}

/* Stopped before it begins: of a game nothing, of a position what a look at it gives. */
static void test_stopped(void **state)
{
    (void)state;
    struct willow_stop *stop = NULL;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    const struct willow_game game = played("f5d6c3d3c4f4");
    struct analyse_plan plan = plan_of(20, 0);
    plan.choice.limits.stop = stop;
    analyse_start(analysis, &game);
    assert_int_equal(analyse_run(analysis, search, &plan, NULL), WILLOW_ERR_STOPPED);
    for (int i = 0; i < analysis->count; i++)
        assert_false(analysis->positions[i].done);
    struct willow_game lone;
    willow_game_init_board(&lone, game.ruleset, willow_game_board(&game), game.side, NULL);
    plan.all = true;
    analyse_start(analysis, &lone);
    assert_int_equal(analyse_run(analysis, search, &plan, NULL), WILLOW_ERR_STOPPED);
    assert_true(analysis->positions[0].done);
    assert_int_equal(analysis->positions[0].count, analysis->positions[0].legal);
    assert_int_equal(analysis->positions[0].depth, 1);
    assert_false(analysis->complete);
    willow_stop_free(stop);
}

/* On the clock: what is said is what was finished. 34 empty squares cannot be solved in 30 ms, whereas 6 are. From the
 * public report giwarb/othello-trainer T034. */
static void test_time(void **state)
{
    (void)state;
    static const char *const boards[] = {"-----O-------O----OOXO----XXXOO---XXXOX--OXXXXXX---OX-O----O-OOO X",
                                         "XXXXXXXXXXXXXXXXXXXXXOXXXXXOXXXXXXOXXXXXXXOOOXXXXX-OOO----OOOO-- O"};
    for (int i = 0; i < 2; i++) {
        struct willow_board board;
        enum willow_side side;
        struct willow_game game;
        assert_int_equal(willow_board_parse(willow_ruleset_default(), boards[i], &board, &side, NULL), WILLOW_OK);
        assert_int_equal(willow_game_init_board(&game, willow_ruleset_default(), board, side, NULL), WILLOW_OK);
        struct analyse_plan plan = {.all = true, .blunder_loss = 32};
        plan.choice.limits.time_ms = i == 0 ? 30 : 600000;
        plan.choice.limits.exact_empties = 34;
        analyse(analysis, &game, &plan);
        const struct analyse_position *position = &analysis->positions[analysis->count - 1];
        assert_true(position->done);
        assert_int_equal(position->count, position->legal);
        assert_int_equal(position->exact, i == 1);
        for (int m = 0; m < position->count; m++)
            assert_int_equal(position->moves[m].exact, i == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_equal_negamax),
        cmocka_unit_test(test_ends_of_every_ruleset),
        cmocka_unit_test(test_colours_swapped),
        cmocka_unit_test(test_boards_turned),
        cmocka_unit_test(test_one_depth_for_all),
        cmocka_unit_test(test_marks_and_sums),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_pass_at_the_end),
        cmocka_unit_test(test_wiped_out),
        cmocka_unit_test(test_positions_that_are_over),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
