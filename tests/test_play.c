/* One game of self-play: what its configuration says of moves, labels and rows, and that nothing else decides them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/datasets.h"
#include "support/games.h"
#include "support/positions.h"
#include "support/random_weights.h"

struct fixture {
    struct willow_weights *weights;
    struct run_config config;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    fixture->weights = random_weights(willow_pattern_set_default(), &stages, 1, WILLOW_SCORE_DISC);
    struct run_config *config = &fixture->config;
    *config = run_config_default();
    config->depth = 2;
    config->exact = 5;
    config->noise = 2;
    config->noise_plies = 12;
    config->random_move = 0.05;
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    willow_weights_free(fixture->weights);
    free(fixture);
    return 0;
}

/* Each row of `part` is one of `whole`, which has them all, and they come in the same order. */
static void assert_part(const struct played_game *part, const struct played_game *whole)
{
    assert_memory_equal(&part->game, &whole->game, sizeof whole->game);
    for (int i = 0, at = 0; i < part->count; i++, at++) {
        while (at < whole->count && whole->rows[at].ply != part->rows[i].ply)
            at++;
        assert_true(at < whole->count && datasets_rows_equal(&part->rows[i], 1, &whole->rows[at], 1));
    }
}

static void play_follows_the_configuration(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game all, half;
    int lengths = 0, halves = 0, rows = 0, random = 0;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 60; game++) {
        config->keep = 1;
        assert_int_equal(games_play(config, search, game, &all), WILLOW_OK);
        int opening = all.game.opening_plies, exact_discs = 64 - config->exact;
        assert_in_range(opening, config->opening_min, config->opening_max);
        lengths |= 1 << opening;
        for (int i = 0; i < all.count; i++) {
            const struct willow_row *row = &all.rows[i];
            assert_true(row->ply >= opening || (row->flags & WILLOW_ROW_RANDOM));
            assert_true(row->score != WILLOW_SCORE_MISSING);
            assert_true(row->ply + 4 < exact_discs || (row->flags & WILLOW_ROW_EXACT));
            random += row->ply >= opening && (row->flags & WILLOW_ROW_RANDOM);
        }
        /* Fewer rows of the same game, and no other ones. */
        config->keep = 0.5;
        assert_int_equal(games_play(config, search, game, &half), WILLOW_OK);
        assert_part(&half, &all);
        halves += half.count;
        rows += all.count;
    }
    assert_int_equal(lengths, 0x1FF0); /* every length of 4 .. 12 */
    assert_in_range(halves, rows * 45 / 100, rows * 55 / 100);
    assert_true(random > 0);
    config->label = RUN_LABEL_NONE;
    config->policy = RUN_POLICY_MOBILITY;
    config->keep = 1;
    assert_int_equal(games_play(config, search, 5, &all), WILLOW_OK);
    for (int i = 0; i < all.count; i++)
        assert_true(all.rows[i].score == WILLOW_SCORE_MISSING && all.rows[i].depth == 0);
    willow_search_free(search);
}

/* Searches that have played other games give the same rows as fresh ones. Deep enough for their tables to matter. */
static void a_game_does_not_depend_on_the_games_before_it(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *used[2], *fresh[2];
    struct willow_weights *weights[2] = {fixture->weights};
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    struct played_game after, alone;
    weights[1] = random_weights(willow_pattern_set_default(), &stages, 2, WILLOW_SCORE_DISC);
    config->depth = 5, config->noise = config->random_move = 0;
    config->opening_min = config->opening_max = 2; /* the games meet again and again */
    config->ply_min = 2;                           /* nothing is labelled after a game: that would clear the table */
    config->pool_count = 1, config->pool_share = 0.5;
    for (int k = 0; k < 2; k++)
        assert_int_equal(willow_search_new(weights[k], 1 << 22, &used[k], NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 20; game++) {
        for (int k = 0; k < 2; k++)
            assert_int_equal(willow_search_new(weights[k], 1 << 22, &fresh[k], NULL), WILLOW_OK);
        assert_int_equal(games_play_pool(config, used, game, &after), WILLOW_OK);
        assert_int_equal(games_play_pool(config, fresh, game, &alone), WILLOW_OK);
        assert_memory_equal(&after.game, &alone.game, sizeof alone.game);
        assert_true(datasets_rows_equal(after.rows, (size_t)after.count, alone.rows, (size_t)alone.count));
        for (int k = 0; k < 2; k++)
            willow_search_free(fresh[k]);
    }
    for (int k = 0; k < 2; k++)
        willow_search_free(used[k]);
    willow_weights_free(weights[1]);
}

/* A position whose move was not the search's has the label that it would have alone. */
static void labels_of_random_moves_stand_alone(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search, *fresh;
    struct played_game played;
    config->depth = 6, config->noise = 0, config->random_move = 0.5;
    const struct willow_limits limits = {.depth = config->depth, .exact_empties = config->exact};
    assert_int_equal(willow_search_new(fixture->weights, 1 << 22, &search, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(fixture->weights, 1 << 22, &fresh, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 8; game++) {
        assert_int_equal(games_play(config, search, game, &played), WILLOW_OK);
        for (int i = 0; i < played.count; i++) {
            const struct willow_row *row = &played.rows[i];
            struct willow_result result;
            if (!(row->flags & WILLOW_ROW_RANDOM))
                continue;
            willow_search_clear(fresh);
            willow_search_run(fresh, (struct willow_board){row->player, row->opponent}, &limits, &result);
            assert_int_equal(row->score, result.score);
        }
    }
    willow_search_free(fresh);
    willow_search_free(search);
}

/* Without noise every move of the search's part is the one that the search itself gives. */
static void moves_and_labels_are_the_searches(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game played;
    config->noise = config->random_move = 0;
    for (int depth = 1; depth <= 3; depth++) {
        config->depth = depth;
        assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
        assert_int_equal(games_play(config, search, 3, &played), WILLOW_OK);
        for (int i = 0; i < played.count; i++) {
            const struct willow_row *row = &played.rows[i];
            struct willow_limits limits = {.depth = depth, .exact_empties = config->exact};
            struct willow_result result;
            willow_search_clear(search);
            willow_search_run(search, (struct willow_board){row->player, row->opponent}, &limits, &result);
            assert_int_equal(result.score, row->score);
            assert_int_equal((row->flags & WILLOW_ROW_EXACT) != 0, result.exact);
        }
        willow_search_free(search);
    }
}

/* Which positions are stored changes neither the game nor what is said of the others. Deep enough for the search's
 * table to matter, had it seen other positions; with everything that is labelled after the game. */
static void stored_rows_are_a_part_of_all(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game all, part, fewer;
    config->depth = 4, config->random_move = 0.2, config->tail = 10;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 12; game++) {
        const struct run_config whole = *config;
        assert_int_equal(games_play(config, search, game, &all), WILLOW_OK);
        config->ply_min = 11, config->ply_max = 53;
        assert_int_equal(games_play(config, search, game, &part), WILLOW_OK);
        assert_part(&part, &all);
        for (int i = 0; i < all.count; i++)
            part.count -= all.rows[i].ply >= 11 && all.rows[i].ply <= 53;
        assert_int_equal(part.count, 0);
        *config = whole;
        config->keep = 0.6;
        assert_int_equal(games_play(config, search, game, &part), WILLOW_OK);
        assert_part(&part, &all);
        config->positions = 7;
        assert_int_equal(games_play(config, search, game, &fewer), WILLOW_OK);
        assert_part(&fewer, &part);
        assert_int_equal(fewer.count, part.count < 7 ? part.count : 7);
        *config = whole;
        config->positions = 3, config->ply_min = 40;
        assert_int_equal(games_play(config, search, game, &part), WILLOW_OK);
        assert_part(&part, &all);
        assert_int_equal(part.count, 3);
        assert_true(part.rows[0].ply >= 40);
        config->keep = 0;
        assert_int_equal(games_play(config, search, game, &part), WILLOW_OK);
        assert_int_equal(part.count, 0);
        *config = whole;
    }
    willow_search_free(search);
}

/* Every position of a game is as likely as another to be among those that remain. */
static void positions_are_chosen_uniformly(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game played;
    enum { GAMES = 600, MOST = 15 };
    int chosen[60] = {0};
    config->depth = 1, config->exact = 0, config->label = RUN_LABEL_NONE, config->positions = MOST;
    config->opening_min = 0, config->opening_max = 3; /* so quickly drawn that the openings run through many rounds */
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < GAMES; game++) {
        assert_int_equal(games_play(config, search, game, &played), WILLOW_OK);
        assert_int_equal(played.count, MOST);
        for (int i = 0; i < played.count; i++)
            chosen[played.rows[i].ply]++;
    }
    /* Of 600 trials at a quarter: mean 150, deviation 10.6. The last plies are missing in some games. */
    for (int ply = 0; ply < 50; ply++)
        assert_in_range(chosen[ply], 105, 200);
    willow_search_free(search);
}

/* The game played again: fills the position before each move, and returns how many there are. */
static int replay(const struct willow_game_row *record, struct willow_game *game)
{
    willow_game_init(game, willow_ruleset_default());
    for (int i = 0; i < record->length; i++)
        assert_int_equal(willow_game_play(game, record->moves[i], NULL), WILLOW_OK);
    assert_true(willow_game_over(game));
    return game->length;
}

/* The row of the position before the record's move at `at`; null for a pass, or where it was not stored. */
static const struct willow_row *row_at(const struct played_game *played, const struct willow_game *game, int at)
{
    struct willow_board board = game->boards[at];
    for (int i = 0; i < played->count; i++)
        if (played->rows[i].player == board.player && played->rows[i].opponent == board.opponent)
            return &played->rows[i];
    return NULL;
}

/* Score of the move and of the best one by one ply of search, which remembers nothing. */
static bool is_best(struct willow_search *search, struct willow_board board, willow_square move)
{
    const struct willow_limits limits = {.depth = 1};
    struct willow_scored_move moves[64];
    int count = willow_search_moves(search, board, &limits, moves);
    for (int i = 0; i < count; i++)
        if (moves[i].move == move)
            return moves[i].score == moves[0].score;
    fail_msg("the move is not legal");
    return false;
}

/* Flags against what the record of the game says. */
static void flags_say_how_moves_came_about(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game played;
    struct willow_game game;
    int noisy = 0, passes = 0, hidden = 0;
    config->depth = 1, config->exact = 0, config->random_move = 0, config->noise = 4, config->noise_plies = 60;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t index = 0; index < 60; index++) {
        assert_int_equal(games_play(config, search, index, &played), WILLOW_OK);
        int length = replay(&played.game, &game), plies = 0;
        bool after_pass = false, after_random = false;
        for (int at = 0; at < length; at++) {
            const struct willow_row *row = row_at(&played, &game, at);
            if (game.moves[at] == WILLOW_PASS) {
                after_pass = true;
                passes++;
                continue;
            }
            assert_non_null(row);
            bool random = plies < played.game.opening_plies || !is_best(search, game.boards[at], game.moves[at]);
            assert_int_equal(row->move, game.moves[at]);
            assert_int_equal(row->ply, plies);
            assert_int_equal((row->flags & WILLOW_ROW_RANDOM) != 0, random);
            assert_int_equal((row->flags & WILLOW_ROW_AFTER_RANDOM) != 0, after_random);
            assert_int_equal((row->flags & WILLOW_ROW_AFTER_PASS) != 0, after_pass);
            assert_false(row->flags & (WILLOW_ROW_SELECTIVE | WILLOW_ROW_SOLVED_RESULT));
            noisy += random && plies >= played.game.opening_plies;
            hidden += after_pass && after_random;
            after_random = random;
            after_pass = false;
            plies++;
        }
        assert_int_equal(plies, played.count);
    }
    assert_true(noisy > 100 && passes > 10 && hidden > 3);
    willow_search_free(search);
}

static void noise_ends_some_plies_after_the_opening(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game played;
    int noisy[60] = {0};
    config->depth = 1, config->random_move = 0, config->noise = 30, config->noise_plies = 5;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 40; game++) {
        assert_int_equal(games_play(config, search, game, &played), WILLOW_OK);
        for (int i = played.game.opening_plies; i < played.count; i++)
            noisy[i - played.game.opening_plies] += (played.rows[i].flags & WILLOW_ROW_RANDOM) != 0;
    }
    for (int i = 0; i < 60; i++)
        assert_true(i < 5 ? noisy[i] > 15 : noisy[i] == 0);
    willow_search_free(search);
}

static willow_score solve(struct willow_board board)
{
    return position_negamax(NULL, willow_ruleset_default(), board, 64);
}

/* Results from the first position with few empties on, against plain negamax; scores before it as they were. */
static void the_tail_is_what_the_solver_says(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game plain, played;
    struct willow_game game;
    enum { TAIL = 7 };
    int changed = 0;
    config->exact = 3, config->random_move = 0.3;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t index = 0; index < 30; index++) {
        config->tail = 0, config->label = RUN_LABEL_SEARCH, config->keep = 1;
        assert_int_equal(games_play(config, search, index, &plain), WILLOW_OK);
        config->tail = TAIL, config->label = index % 3 == 2 ? RUN_LABEL_NONE : RUN_LABEL_SEARCH;
        config->keep = index % 2 ? 1 : 0.3;
        assert_int_equal(games_play(config, search, index, &played), WILLOW_OK);
        assert_memory_equal(&played.game, &plain.game, sizeof plain.game);
        int length = replay(&played.game, &game), first = 0, result;
        while (first < length &&
               (willow_board_discs(game.boards[first]) < 64 - TAIL || game.moves[first] == WILLOW_PASS))
            first++;
        for (int at = 0; at < length; at++) {
            const struct willow_row *row = row_at(&played, &game, at), *before = row_at(&plain, &game, at);
            if (!row)
                continue;
            bool labelled = config->label == RUN_LABEL_SEARCH;
            willow_score value = first < length ? solve(game.boards[at < first ? first : at]) : 0;
            /* The record holds the passes, so sides alternate along it. */
            result = (at < first && (first - at) % 2 ? -value : value) / WILLOW_SCORE_DISC;
            assert_int_equal(row->result, first < length ? result : before->result);
            assert_int_equal((row->flags & WILLOW_ROW_SOLVED_RESULT) != 0, first < length);
            changed += row->result != before->result;
            bool solved = labelled && at >= first;
            assert_int_equal(row->score, !labelled ? WILLOW_SCORE_MISSING : solved ? value : before->score);
            assert_int_equal(row->depth, !labelled ? 0 : solved ? 60 - row->ply : before->depth);
            assert_int_equal(row->selectivity, labelled ? WILLOW_NOT_SELECTIVE : 0);
            assert_true(!solved || (row->flags & WILLOW_ROW_EXACT));
        }
    }
    assert_true(changed > 100);
    willow_search_free(search);
}

/* With the pool's weights at one side, moves are theirs and labels the run's. */
static void one_of_the_pool_plays_one_side(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    enum { POOL = 3, GAMES = 120 };
    struct willow_weights *weights[1 + POOL] = {fixture->weights};
    struct willow_search *searches[1 + POOL], *fresh;
    struct played_game played;
    struct willow_game game;
    int sides[2] = {0}, members[1 + POOL] = {0}, told_apart = 0;
    config->exact = 4, config->noise = config->random_move = 0, config->pool_count = POOL, config->pool_share = 0.6;
    for (int k = 0; k <= POOL; k++) {
        if (k > 0)
            weights[k] = random_weights(willow_pattern_set_default(), &stages, (uint64_t)k + 10, WILLOW_SCORE_DISC);
        assert_int_equal(willow_search_new(weights[k], 1 << 20, &searches[k], NULL), WILLOW_OK);
    }
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &fresh, NULL), WILLOW_OK);
    for (uint64_t index = 0; index < GAMES; index++) {
        config->depth = index % 2 ? 1 : 3; /* one ply of search remembers nothing, three may */
        assert_int_equal(games_play_pool(config, searches, index, &played), WILLOW_OK);
        int black = played.game.black_weights, white = played.game.white_weights;
        assert_true(black == 0 || white == 0);
        assert_in_range(black + white, 0, POOL);
        sides[0] += black > 0, sides[1] += white > 0, members[black + white]++;
        int length = replay(&played.game, &game), side = 0;
        for (int at = 0; at < length; at++, side ^= 1) {
            const struct willow_row *row = row_at(&played, &game, at);
            int player = side ? white : black;
            if (!row)
                continue;
            const struct willow_limits limits = {.depth = config->depth, .exact_empties = config->exact};
            struct willow_result result;
            willow_search_clear(fresh);
            willow_search_run(fresh, game.boards[at], &limits, &result);
            assert_true(player == 0 || row->score == result.score);
            assert_int_equal(row->depth, result.depth);
            if (config->depth > 1 || (row->flags & WILLOW_ROW_RANDOM) || row->ply >= 60 - config->exact)
                continue;
            assert_int_equal(row->score, result.score);
            assert_true(is_best(searches[player], game.boards[at], row->move));
            told_apart += player > 0 && !is_best(searches[0], game.boards[at], row->move);
        }
    }
    assert_in_range(sides[0], 20, 52); /* mean 36, deviation 5 */
    assert_in_range(sides[1], 20, 52);
    for (int k = 1; k <= POOL; k++)
        assert_in_range(members[k], 10, 38); /* mean 24, deviation 4.4 */
    assert_true(told_apart > 200);
    willow_search_free(fresh);
    for (int k = 0; k <= POOL; k++) {
        willow_search_free(searches[k]);
        if (k > 0)
            willow_weights_free(weights[k]);
    }
}

/* What labels say of themselves, from both kinds of search. */
static void selective_labels_say_so(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game played;
    config->depth = 4, config->exact = 9, config->selectivity = 87;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 6; game++) {
        config->noise_plies = game % 2 ? 60 : 6;
        assert_int_equal(games_play(config, search, game, &played), WILLOW_OK);
        for (int i = 0; i < played.count; i++) {
            const struct willow_row *row = &played.rows[i];
            bool exact = 60 - row->ply <= config->exact;
            assert_int_equal((row->flags & WILLOW_ROW_EXACT) != 0, exact);
            assert_int_equal((row->flags & WILLOW_ROW_SELECTIVE) != 0, !exact);
            assert_int_equal(row->selectivity, exact ? WILLOW_NOT_SELECTIVE : 87);
            assert_int_equal(row->depth, exact ? 60 - row->ply : 4);
        }
    }
    willow_search_free(search);
}

static void a_stop_ends_a_game(void **state)
{
    struct fixture *fixture = *state;
    struct willow_search *search;
    struct willow_stop *stop;
    struct played_game played;
    struct opening opening = {.plies = 0};
    struct willow_error error;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    const struct play_options options = {
        .config = &fixture->config, .ruleset = willow_ruleset_default(), .searches = &search, .stop = stop};
    willow_game_init(&opening.game, options.ruleset);
    assert_int_equal(play_game(&options, 0, &opening, &played, &error), WILLOW_OK);
    willow_stop_set(stop, true);
    assert_int_equal(play_game(&options, 0, &opening, &played, &error), WILLOW_ERR_STOPPED);
    willow_stop_free(stop);
    willow_search_free(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(play_follows_the_configuration, setup, teardown),
        cmocka_unit_test_setup_teardown(a_game_does_not_depend_on_the_games_before_it, setup, teardown),
        cmocka_unit_test_setup_teardown(labels_of_random_moves_stand_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(moves_and_labels_are_the_searches, setup, teardown),
        cmocka_unit_test_setup_teardown(stored_rows_are_a_part_of_all, setup, teardown),
        cmocka_unit_test_setup_teardown(positions_are_chosen_uniformly, setup, teardown),
        cmocka_unit_test_setup_teardown(flags_say_how_moves_came_about, setup, teardown),
        cmocka_unit_test_setup_teardown(noise_ends_some_plies_after_the_opening, setup, teardown),
        cmocka_unit_test_setup_teardown(the_tail_is_what_the_solver_says, setup, teardown),
        cmocka_unit_test_setup_teardown(one_of_the_pool_plays_one_side, setup, teardown),
        cmocka_unit_test_setup_teardown(selective_labels_say_so, setup, teardown),
        cmocka_unit_test_setup_teardown(a_stop_ends_a_game, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
