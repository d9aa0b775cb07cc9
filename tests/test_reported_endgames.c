/* Endgames on which other programs failed in public (tests/data/reported-endgames.obf, see there for the reports): the
 * same scores in every mode, order, number of threads, size of the table and orientation, and always a legal move.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/search.h>

#include "cli/solve.h"
#include "support/sanitized.h"
#include "support/threaded_search.h"

/* Shared by all tests. */
static struct willow_weights *weights;
static const struct willow_ruleset *ruleset;
static struct solve_set reported, published;

static int set_up(void **state)
{
    (void)state;
    ruleset = willow_ruleset_default();
    if (willow_weights_default(&weights, NULL) != WILLOW_OK ||
        solve_set_load(TEST_DATA "/reported-endgames.obf", ruleset, &reported, NULL) != WILLOW_OK ||
        solve_set_load(TEST_DATA "/ffo-small.obf", ruleset, &published, NULL) != WILLOW_OK)
        return -1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    solve_set_clear(&reported);
    solve_set_clear(&published);
    willow_weights_free(weights);
    return 0;
}

/* The file's score of a move in discs. */
static int score_in_file(const struct willow_obf *obf, willow_square move)
{
    for (int i = 0; i < obf->count; i++)
        if (obf->moves[i] == move)
            return obf->scores_discs[i];
    fail_msg("a move that the file does not score: %d", move);
    return 0;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool is_legal(struct willow_board board, willow_square move)
{
    const uint64_t moves = willow_board_moves(ruleset, board);
    if (move == WILLOW_PASS)
        return moves == 0 && !willow_board_over(ruleset, board);
    return move < 64 && (moves >> move & 1) != 0;
}

/* An exact result: the best score, and a best move in front of the line. */
static void check_exact(const struct solve_problem *problem, const struct willow_result *result)
{
    assert_true(result->exact && result->complete);
    assert_int_equal(result->score, problem->best_discs * WILLOW_SCORE_DISC);
    assert_int_equal(score_in_file(&problem->obf, result->move), problem->best_discs);
    assert_true(result->pv_length > 0 && result->pv[0] == result->move);
}

static void exactly(struct willow_search *search, const struct solve_problem *problem)
{
    struct willow_result result;
    willow_search_run(search, problem->obf.board, &(struct willow_limits){0}, &result);
    check_exact(problem, &result);
}

static void same_scores_in_every_order(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1 << 20, 16 << 20};
    for (int threads = 1; threads <= 4; threads += 3)
        for (int size = 0; size < 3; size++) {
            struct willow_search *search = threaded_search(weights, sizes[size], threads);
            for (size_t i = 0; i < reported.count; i++)
                exactly(search, &reported.problems[i]);
            for (size_t i = reported.count; i-- > 0;)
                exactly(search, &reported.problems[i]);
            for (size_t i = 0; i < reported.count; i++) {
                willow_search_clear(search);
                exactly(search, &reported.problems[i]);
            }
            willow_search_free(search);
        }
}

static void every_move_has_the_score_of_the_file(void **state)
{
    (void)state;
    struct willow_search *search = threaded_search(weights, 1 << 20, 1);
    for (size_t i = 0; i < reported.count; i++) {
        const struct willow_obf *obf = &reported.problems[i].obf;
        struct willow_scored_move moves[64];
        const int count = willow_search_moves(search, obf->board, &(struct willow_limits){0}, moves);
        assert_int_equal(count, obf->moves[0] == WILLOW_PASS ? 0 : obf->count);
        for (int m = 0; m < count; m++) {
            assert_true(moves[m].exact);
            assert_int_equal(moves[m].score, score_in_file(obf, moves[m].move) * WILLOW_SCORE_DISC);
        }
    }
    willow_search_free(search);
}

static void who_wins(void **state)
{
    (void)state;
    const struct solve_set *const sets[] = {&reported, &published};
    for (int threads = 1; threads <= 4; threads += 3) {
        struct willow_search *search = threaded_search(weights, 1 << 20, threads);
        for (int set = 0; set < 2; set++)
            for (size_t i = 0; i < sets[set]->count; i++) {
                const struct solve_problem *problem = &sets[set]->problems[i];
                struct willow_result result;
                willow_search_run(search, problem->obf.board, &(struct willow_limits){.win_loss = true}, &result);
                assert_true(result.exact);
                assert_int_equal(result.score, sign(problem->best_discs) * WILLOW_SCORE_DISC);
                assert_int_equal(sign(score_in_file(&problem->obf, result.move)), sign(problem->best_discs));
            }
        willow_search_free(search);
    }
}

/* Depths below, at and far above the empty squares, and a time that ends some searches: a legal move always, and what
 * is called exact is. */
static void a_move_under_every_limit(void **state)
{
    (void)state;
    static const struct willow_limits limits[] = {{.depth = 1},  {.depth = 2},    {.depth = 4},
                                                  {.depth = 60}, {.time_ms = 10}, {.nodes = 1}};
    struct willow_search *search = threaded_search(weights, 1 << 20, 1);
    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++)
        for (size_t i = 0; i < reported.count; i++) {
            const struct solve_problem *problem = &reported.problems[i];
            struct willow_result result;
            willow_search_clear(search);
            willow_search_run(search, problem->obf.board, &limits[l], &result);
            assert_true(is_legal(problem->obf.board, result.move));
            assert_true(result.pv_length > 0 && result.pv[0] == result.move);
            if (result.exact)
                check_exact(problem, &result);
            else
                assert_true(limits[l].depth < problem->empties);
            if (problem->obf.moves[0] == WILLOW_PASS)
                assert_int_equal(result.move, WILLOW_PASS);
        }
    willow_search_free(search);
}

static void finished_games_have_a_score_and_no_move(void **state)
{
    (void)state;
    /* Full boards at the ends of games in WTHOR 2024. */
    static const struct {
        const char *board;
        int discs;
    } full[] = {{"XXOOOOOOXXXXXOOXXXXXOOXXXXXXOOXXXXOOXXXXXXOXXXXXXXOOOOXXXXOXXXXX X", 24},
                {"OOOOOOXXOXOOXOOOOXOOOXOOOXXOOOXOOXOOOOXOOOOOOXOOOOXOOOOOOOOOOXXX X", -32},
                {"XXXXXXXOOOOOOOOOXOXOXOXOXXOXOXOOXXXOXXOOOXOOXOXOOOXXOXXOOOOOOOOO X", -10}};
    static const struct willow_limits limits[] = {{0}, {.depth = 1}, {.depth = 60}, {.time_ms = 10}};
    struct willow_search *search = threaded_search(weights, 1 << 20, 2);
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 4; l++) {
            struct willow_board board;
            enum willow_side side;
            struct willow_result result;
            assert_int_equal(willow_board_parse(willow_ruleset_default(), full[i].board, &board, &side, NULL),
                             WILLOW_OK);
            willow_search_run(search, board, &limits[l], &result);
            assert_true(result.exact && result.complete);
            assert_int_equal(result.score, full[i].discs * WILLOW_SCORE_DISC);
            assert_int_equal(result.move, WILLOW_NO_SQUARE);
            assert_int_equal(result.pv_length, 0);
        }
    willow_search_free(search);
}

/* The same position turned, through the text of a file with black and white exchanged. */
static struct willow_obf turned(const struct willow_obf *obf, int symmetry, bool exchanged)
{
    struct willow_obf image = *obf, read;
    char text[WILLOW_OBF_TEXT];
    bool empty = false;
    image.board = willow_board_symmetry(willow_ruleset_default(), obf->board, symmetry);
    if (exchanged)
        image.side = obf->side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
    for (int i = 0; i < obf->count; i++)
        image.moves[i] = willow_square_symmetry(willow_ruleset_default(), obf->moves[i], symmetry);
    assert_int_equal(willow_obf_parse(willow_ruleset_default(),
                                      willow_obf_format(willow_ruleset_default(), &image, text), &read, &empty, NULL),
                     WILLOW_OK);
    assert_false(empty);
    assert_int_equal(read.side, image.side);
    return read;
}

/* Eight orientations and both colours, with one table for all of them: the exact score, a best move of that
 * orientation, and, at a fixed depth and alone, the same evaluation. */
static void orientation_and_colour_do_not_matter(void **state)
{
    (void)state;
    struct willow_search *exact = threaded_search(weights, 1 << 20, 1), *shallow = threaded_search(weights, 1 << 20, 1);
    for (size_t i = 0; i < reported.count; i += i < 4 ? 1 : 3) {
        const struct solve_problem *problem = &reported.problems[i];
        willow_score first = 0;
        for (int image = 0; image < 2 * WILLOW_SYMMETRIES; image++) {
            struct solve_problem other = *problem;
            struct willow_result result;
            other.obf = turned(&problem->obf, image / 2, image % 2 == 1);
            exactly(exact, &other);
            willow_search_clear(shallow);
            willow_search_run(shallow, other.obf.board, &(struct willow_limits){.depth = 6}, &result);
            if (image == 0)
                first = result.score;
            assert_int_equal(result.score, first);
        }
    }
    willow_search_free(exact);
    willow_search_free(shallow);
}

/* Published endgames with 14 to 20 empties: exact for every number of threads. The thread count changes on the way. */
static void published_scores_for_every_thread_count(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 4, 16};
    struct willow_search *search = threaded_search(weights, 1 << 20, 1);
    for (int t = 0; t < (SANITIZED ? 2 : 4); t++) {
        assert_int_equal(willow_search_set_threads(search, threads[t], NULL), WILLOW_OK);
        for (size_t i = 0; i < published.count; i += SANITIZED ? 4 : 1) {
            willow_search_clear(search);
            exactly(search, &published.problems[i]);
        }
    }
    willow_search_free(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_scores_in_every_order),
        cmocka_unit_test(every_move_has_the_score_of_the_file),
        cmocka_unit_test(who_wins),
        cmocka_unit_test(a_move_under_every_limit),
        cmocka_unit_test(finished_games_have_a_score_and_no_move),
        cmocka_unit_test(orientation_and_colour_do_not_matter),
        cmocka_unit_test(published_scores_for_every_thread_count),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
