/* Selective searches and searches for win or loss: what their results say of themselves, how near they come to the
 * exact score, that their bounds in the table never serve a stricter search, and that the weights' own constants,
 * margins and means, rule them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/probcut.h>
#include <willow/search.h>

#include "search/selectivity.h"
#include "search/worker.h"
#include "support/positions.h"
#include "support/random_weights.h"
#include "support/sanitized.h"

/* Shared by all tests: the weights that the programs have, because selectivity trusts its evaluation. */
static struct willow_weights *weights;
static struct willow_search *search;

static int set_up(void **state)
{
    (void)state;
    if (willow_weights_default(&weights, NULL) != WILLOW_OK)
        return -1;
    return willow_search_new(weights, 1 << 20, &search, NULL) == WILLOW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    willow_search_free(search);
    willow_weights_free(weights);
    return 0;
}

static struct willow_result run(struct willow_search *handle, struct willow_board board, struct willow_limits limits)
{
    struct willow_result result;
    willow_search_run(handle, board, &limits, &result);
    assert_true(result.complete);
    assert_int_equal(handle->main->verifications, 0);
    return result;
}

/* Of play, with a move for the side to move. */
static struct willow_board board_at(struct willow_random *random, int empties)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    for (;;) {
        struct willow_board board = position_from_play(ruleset, random, empties);
        if (willow_board_empties(ruleset, board) == empties && willow_board_moves(ruleset, board))
            return board;
    }
}

static willow_score sign(willow_score score)
{
    return (willow_score)((score > 0) - (score < 0));
}

static void results_say_how_sure_they_are(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 20, 0);
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++) {
        const int percent = willow_selectivities[i];
        const bool strict = percent == WILLOW_NOT_SELECTIVE;
        const struct willow_board board = board_at(&random, 15);
        willow_search_clear(search);
        struct willow_result result = run(search, board, (struct willow_limits){.selectivity = percent});
        assert_int_equal(result.selectivity, percent);
        assert_int_equal(result.depth, 15);
        assert_true(result.exact == strict);
        assert_int_equal(result.score % WILLOW_SCORE_DISC, 0);
        result = run(search, board, (struct willow_limits){.selectivity = percent, .win_loss = true});
        assert_int_equal(result.selectivity, percent);
        assert_int_equal(result.depth, 15);
        assert_true(result.exact == strict);
        assert_int_equal(result.score, sign(result.score) * WILLOW_SCORE_DISC);
        result = run(search, board, (struct willow_limits){.selectivity = percent, .depth = 9});
        assert_int_equal(result.selectivity, percent);
        assert_int_equal(result.depth, 9);
        assert_false(result.exact);
        /* Whoever asks for exact scores from some number of empty squares on gets them. */
        result = run(search, board, (struct willow_limits){.selectivity = percent, .depth = 9, .exact_empties = 15});
        assert_int_equal(result.selectivity, WILLOW_NOT_SELECTIVE);
        assert_int_equal(result.depth, 15);
        assert_true(result.exact);
    }
}

static void other_percentages_are_the_next_lower_ones(void **state)
{
    (void)state;
    static const int asked[] = {0, 1, 73, 74, 86, 87, 94, 95, 98, 99, 100, 1000};
    static const int taken[] = {100, 73, 73, 73, 73, 87, 87, 95, 98, 99, 100, 100};
    struct willow_random random;
    willow_random_init(&random, 21, 0);
    const struct willow_board board = board_at(&random, 20);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        assert_int_equal(run(search, board, (struct willow_limits){.selectivity = asked[i], .depth = 4}).selectivity,
                         taken[i]);
}

/* The lowest level must save work, and the highest hardly ever err. */
static void selective_scores_come_near_the_exact_ones(void **state)
{
    (void)state;
    enum { POSITIONS = SANITIZED ? 4 : 30 };
    static const int percents[] = {73, 95, 99};
    struct willow_random random;
    willow_random_init(&random, 22, 0);
    int equal[3] = {0};
    uint64_t nodes[3] = {0}, exact_nodes = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct willow_board board = board_at(&random, 14 + i % 3);
        willow_search_clear(search);
        const struct willow_result exact = run(search, board, (struct willow_limits){0});
        exact_nodes += exact.nodes;
        for (int k = 0; k < 3; k++) {
            willow_search_clear(search);
            const struct willow_result result = run(search, board, (struct willow_limits){.selectivity = percents[k]});
            nodes[k] += result.nodes;
            equal[k] += result.score == exact.score;
        }
    }
    assert_true(nodes[0] < nodes[2] && nodes[2] < exact_nodes);
    assert_true(equal[0] >= POSITIONS / 2);
    assert_true(equal[2] >= POSITIONS * 95 / 100);
}

/* Every child of the root is said, at one level of selectivity, to be won by 64 discs for the other side. Returns the
 * score that a search finds then. */
static willow_score score_after_lies(struct willow_board board, int depth, int level, struct willow_limits limits)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    willow_search_clear(search);
    for (willow_bits legal = willow_board_moves(ruleset, board); legal; legal &= legal - 1) {
        const struct willow_board next = willow_board_play(board, (willow_square)willow_bits_first(legal));
        table_store(&search->table, next.player, next.opponent, depth, level, -WILLOW_SCORE_MAX, WILLOW_SCORE_MAX,
                    WILLOW_SCORE_MAX - 1, 0);
        const uint64_t replies = willow_board_moves(ruleset, next);
        for (uint64_t rest = replies; rest; rest &= rest - 1) {
            const struct willow_board after = willow_board_play(next, (willow_square)__builtin_ctzll(rest));
            table_store(&search->table, after.player, after.opponent, depth - 1, level, -WILLOW_SCORE_MAX,
                        WILLOW_SCORE_MAX, -WILLOW_SCORE_MAX + 1, 0);
        }
    }
    return run(search, board, limits).score;
}

/* Wrong entries show who believes the table: nobody may who asks for more than they claim. */
static void bounds_serve_no_stricter_search(void **state)
{
    (void)state;
    enum { EMPTIES = 14, DEPTH = 7 };
    struct willow_random random;
    willow_random_init(&random, 23, 0);
    int believed[2] = {0};
    for (int round = 0; round < 12; round++) {
        const struct willow_board board = board_at(&random, EMPTIES);
        willow_search_clear(search);
        const willow_score exact = run(search, board, (struct willow_limits){0}).score;
        willow_search_clear(search);
        const willow_score fixed = run(search, board, (struct willow_limits){.depth = DEPTH}).score;
        for (int level = 0; level < SELECTIVITY_NONE; level++) {
            const int end = TABLE_EXACT + EMPTIES - 1;
            assert_int_equal(score_after_lies(board, end, level, (struct willow_limits){0}), exact);
            assert_int_equal(score_after_lies(board, end, level, (struct willow_limits){.win_loss = true}),
                             sign(exact) * WILLOW_SCORE_DISC);
            assert_int_equal(score_after_lies(board, end, level, (struct willow_limits){.depth = DEPTH}), fixed);
        }
        /* Nor may a search to the end believe any that goes less far. */
        assert_int_equal(score_after_lies(board, TABLE_EXACT - 1, SELECTIVITY_NONE, (struct willow_limits){0}), exact);
        /* That the lies would show: to the strict they are told here, and to a selective search of the same level. */
        believed[0] +=
            score_after_lies(board, TABLE_EXACT + EMPTIES - 1, SELECTIVITY_NONE, (struct willow_limits){0}) != exact;
        believed[1] +=
            score_after_lies(board, TABLE_EXACT + EMPTIES - 1, 0, (struct willow_limits){.selectivity = 73}) != exact;
    }
    assert_true(believed[0] >= 1 && believed[1] >= 1);
}

static void win_loss_is_the_sign_of_the_score(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_random random;
    willow_random_init(&random, 24, 0);
    for (int round = 0; round < (SANITIZED ? 30 : 300); round++) {
        const int empties = round % 14;
        struct willow_board board = round % 3 == 0   ? position_from_noise(ruleset, &random, empties)
                                    : round % 3 == 1 ? position_from_lopsided_noise(ruleset, &random, empties)
                                                     : position_from_play(ruleset, &random, empties);
        willow_search_clear(search);
        const struct willow_result exact = run(search, board, (struct willow_limits){0});
        willow_search_clear(search);
        const struct willow_result sided = run(search, board, (struct willow_limits){.win_loss = true});
        assert_true(exact.exact && sided.exact);
        assert_int_equal(sided.score, sign(exact.score) * WILLOW_SCORE_DISC);
        assert_true(sided.move == exact.move || sided.move < 64);
        if (sided.move >= 64)
            continue;
        /* Its move must keep what it promises. */
        const struct willow_board next = willow_board_play(board, sided.move);
        assert_int_equal(sign(-run(search, next, (struct willow_limits){0}).score), sign(exact.score));
    }
}

static struct willow_result run_one_of_many(struct willow_search *keeping, struct willow_random *random,
                                            struct willow_board board)
{
    struct willow_limits limits = {.selectivity = willow_selectivities[willow_random_below(random, 5)]};
    switch (willow_random_below(random, 4)) {
    case 0: /* selective, to the end */
        break;
    case 1:
        limits.win_loss = true;
        break;
    case 2:
        limits.depth = 3 + (int)willow_random_below(random, 6);
        break;
    default: /* fixed depth, not selective */
        limits.selectivity = 0;
        limits.depth = 3 + (int)willow_random_below(random, 6);
        break;
    }
    return run(keeping, board, limits);
}

/* A known fault of other engines: what searches of another kind, depth or position left in the table changes an exact
 * score. Here nothing is ever cleared on one handle, and everything on the other. */
static void one_table_serves_everything(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_search *keeping;
    assert_int_equal(willow_search_new(weights, 1 << 20, &keeping, NULL), WILLOW_OK);
    struct willow_random random;
    willow_random_init(&random, 25, 0);
    for (int round = 0; round < (SANITIZED ? 40 : 1000); round++) {
        const struct willow_board board = board_at(&random, 8 + round % 7);
        const struct willow_board neighbour =
            willow_board_play(board, (willow_square)willow_random_bit(&random, willow_board_moves(ruleset, board)));
        willow_search_clear(search);
        const willow_score score = run(search, board, (struct willow_limits){0}).score;
        willow_search_clear(search);
        const willow_score after = run(search, neighbour, (struct willow_limits){0}).score;
        (void)run_one_of_many(keeping, &random, board);
        (void)run_one_of_many(keeping, &random, neighbour);
        if (round % 2 == 0) {
            assert_int_equal(run(keeping, neighbour, (struct willow_limits){0}).score, after);
            (void)run_one_of_many(keeping, &random, board);
        }
        assert_int_equal(run(keeping, board, (struct willow_limits){.win_loss = true}).score,
                         sign(score) * WILLOW_SCORE_DISC);
        assert_int_equal(run(keeping, board, (struct willow_limits){0}).score, score);
        assert_int_equal(run(keeping, neighbour, (struct willow_limits){0}).score, after);
        assert_int_equal(run(keeping, neighbour, (struct willow_limits){.win_loss = true}).score,
                         sign(after) * WILLOW_SCORE_DISC);
    }
    willow_search_free(keeping);
}

/* A handle on weights that are all alike but for the constants of their ProbCut model. */
static struct willow_search *search_of(const struct willow_weights *values, const struct willow_probcut *probcut,
                                       struct willow_weights **made)
{
    assert_int_equal(willow_weights_new(willow_weights_ruleset(values), willow_weights_patterns(values),
                                        willow_weights_stages(values), willow_weights_values(values), probcut, NULL,
                                        made, NULL),
                     WILLOW_OK);
    struct willow_search *handle;
    assert_int_equal(willow_search_new(*made, 1 << 18, &handle, NULL), WILLOW_OK);
    return handle;
}

static struct willow_search *search_with(const struct willow_weights *values, float constant,
                                         struct willow_weights **made)
{
    struct willow_probcut probcut = {.count = WILLOW_PROBCUT_COUNT, .constant = {WILLOW_PROBCUT_MODEL}};
    probcut.constant[WILLOW_PROBCUT_AT] = probcut.constant[WILLOW_PROBCUT_AT_EXACT] = constant;
    return search_of(values, &probcut, made);
}

/* Discs. */
#define SIGMA 0.5

static int percent_of(int hundredths, double discs)
{
    return (int)(hundredths * ceil(discs * WILLOW_SCORE_DISC) / 100);
}

/* What the shallow score plus its mean says, both ways and not at all, for any alpha: shallow to the depth that the
 * search takes, by plain negamax. deep: 0 = to the end. */
static void check_cuts(struct willow_search *handle, const struct willow_weights *own, struct willow_board board,
                       int shallow, int deep, int said[3])
{
    const struct willow_probcut *probcut = willow_weights_probcut(own);
    struct worker *const worker = handle->main;
    const int discs = willow_board_discs(board);
    const bool exact = deep == 0;
    const double mean =
        exact ? willow_probcut_mean_exact(probcut, discs, shallow) : willow_probcut_mean(probcut, discs, shallow, deep);
    const double start_mean =
        exact ? willow_probcut_mean_exact(probcut, discs, 0) : willow_probcut_mean(probcut, discs, 0, deep);
    const double expected = position_negamax(own, willow_ruleset_default(), board, shallow) + WILLOW_SCORE_DISC * mean;
    const double start = willow_evaluate(own, board) + WILLOW_SCORE_DISC * start_mean;
    assert_true(fabs(mean) > 1.0 && fabs(start_mean) > 1.0);
    (void)run(handle, board, (struct willow_limits){.depth = 1}); /* gets the worker ready */
    worker->selectivity = 0;
    worker->verifications = 1; /* none below the one that is asked for */
    model_state_init(own, board, &worker->states[0]);
    for (int alpha = -1000; alpha <= 1000; alpha += 9) {
        int score = 12345;
        const bool found = exact ? selectivity_cut_exact(worker, 0, board.player, board.opponent, alpha, &score)
                                 : selectivity_cut(worker, 0, board.player, board.opponent, alpha, deep, &score);
        const int margin = percent_of(110, SIGMA), promise = percent_of(40, SIGMA);
        const double above = fmin(start - promise - alpha, expected - margin - alpha - 1);
        const double below = fmin(alpha - promise - start, alpha - margin - expected);
        if (fabs(above) < 1.0 || fabs(below) < 1.0)
            continue; /* the mean is rounded to a step of the score */
        assert_int_equal(found, above > 0 || below > 0);
        if (found)
            assert_int_equal(score, above > 0 ? alpha + 1 : alpha);
        said[found ? above > 0 : 2]++;
    }
    worker->verifications = 0;
}

static void means_shift_what_is_cut(void **state)
{
    (void)state;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 5);
    struct willow_weights *values = random_weights(willow_pattern_set_default(), &stages, 27, 80);
    struct willow_random random;
    willow_random_init(&random, 27, 0);
    for (int sign_of_mean = -1; sign_of_mean <= 1; sign_of_mean += 2) {
        struct willow_probcut probcut = {.count = WILLOW_PROBCUT_COUNT, .constant = {WILLOW_PROBCUT_MODEL}};
        probcut.constant[WILLOW_PROBCUT_AT] = probcut.constant[WILLOW_PROBCUT_AT_EXACT] = (float)log(SIGMA);
        probcut.constant[WILLOW_PROBCUT_AT_MEAN] = 40.0F * (float)sign_of_mean;
        probcut.constant[WILLOW_PROBCUT_AT_MEAN_EXACT] = 12.0F * (float)sign_of_mean;
        struct willow_weights *made = NULL;
        struct willow_search *handle = search_of(values, &probcut, &made);
        int said[3] = {0};
        for (int round = 0; round < 4; round++) {
            check_cuts(handle, made, board_at(&random, 30), 2, 8, said);
            check_cuts(handle, made, board_at(&random, 13), 5, 0, said);
        }
        assert_true(said[0] > 20 && said[1] > 20 && said[2] > 5);
        willow_search_free(handle);
        willow_weights_free(made);
    }
    willow_weights_free(values);
}

static void weights_rule_the_margins(void **state)
{
    (void)state;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 5);
    struct willow_weights *values = random_weights(willow_pattern_set_default(), &stages, 26, 80), *made[2];
    /* Sigma 0.4 and 7 discs. */
    struct willow_search *narrow = search_with(values, -1.0F, &made[0]), *wide = search_with(values, 2.0F, &made[1]);
    struct willow_random random;
    willow_random_init(&random, 26, 0);
    for (int round = 0; round < 4; round++) {
        const struct willow_board board = board_at(&random, round % 2 == 0 ? 30 : 16);
        /* To a depth, and to the end of the game. */
        struct willow_limits limits = {.depth = round % 2 == 0 ? 8 : 0, .selectivity = 87};
        willow_search_clear(narrow);
        willow_search_clear(wide);
        assert_true(run(narrow, board, limits).nodes < run(wide, board, limits).nodes);
        if (limits.depth == 0)
            continue; /* the guess of an exact search is selective too */
        limits.selectivity = 0;
        willow_search_clear(narrow);
        willow_search_clear(wide);
        const struct willow_result one = run(narrow, board, limits), other = run(wide, board, limits);
        assert_int_equal(one.nodes, other.nodes);
        assert_int_equal(one.score, other.score);
    }
    willow_search_free(narrow);
    willow_search_free(wide);
    willow_weights_free(made[0]);
    willow_weights_free(made[1]);
    willow_weights_free(values);
}

/* A position of a small board or one with a hole has the margins of one of the full board that is as far from the end:
 * so the constants are fitted. */
static void margins_count_from_the_end(void **state)
{
    (void)state;
    static const int sizes[] = {16, 36, 63};
    const struct willow_probcut *probcut = willow_weights_probcut(weights);
    struct selectivity_margins *full = malloc(sizeof *full), *small = malloc(sizeof *small);
    assert_true(full && small);
    selectivity_init(full, probcut, WILLOW_SQUARES);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int more = WILLOW_SQUARES - sizes[i];
        selectivity_init(small, probcut, sizes[i]);
        for (int discs = 0; discs <= sizes[i]; discs++) {
            assert_memory_equal(small->search[discs], full->search[discs + more], sizeof small->search[discs]);
            assert_memory_equal(small->evaluation[discs], full->evaluation[discs + more],
                                sizeof small->evaluation[discs]);
            assert_memory_equal(&small->search_exact[discs], &full->search_exact[discs + more],
                                sizeof small->search_exact[discs]);
            assert_memory_equal(&small->evaluation_exact[discs], &full->evaluation_exact[discs + more],
                                sizeof small->evaluation_exact[discs]);
        }
    }
    free(full);
    free(small);
}

/* What falls short of the end of the game was searched selectively, and so went further than the same nodes reach
 * without; a depth that was asked for keeps its selectivity. */
static void scores_of_all_moves_under_a_limit(void **state)
{
    (void)state;
    enum { EMPTIES = 32, NODES = 3000000 };
    struct willow_random random;
    willow_random_init(&random, 27, 0);
    const struct willow_board board = board_at(&random, EMPTIES);
    struct willow_scored_move moves[64];
    struct willow_result to_end, depth;
    willow_search_clear(search);
    willow_search_moves_reached(search, board, &(struct willow_limits){.nodes = NODES}, moves, &to_end);
    assert_false(to_end.complete || to_end.exact);
    assert_int_equal(to_end.selectivity, 73);
    willow_search_clear(search);
    willow_search_moves_reached(search, board, &(struct willow_limits){.nodes = NODES, .depth = 30}, moves, &depth);
    assert_false(depth.complete);
    assert_int_equal(depth.selectivity, WILLOW_NOT_SELECTIVE);
    assert_true(to_end.depth > depth.depth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_say_how_sure_they_are),
        cmocka_unit_test(other_percentages_are_the_next_lower_ones),
        cmocka_unit_test(selective_scores_come_near_the_exact_ones),
        cmocka_unit_test(bounds_serve_no_stricter_search),
        cmocka_unit_test(win_loss_is_the_sign_of_the_score),
        cmocka_unit_test(one_table_serves_everything),
        cmocka_unit_test(weights_rule_the_margins),
        cmocka_unit_test(means_shift_what_is_cut),
        cmocka_unit_test(margins_count_from_the_end),
        cmocka_unit_test(scores_of_all_moves_under_a_limit),
    };
    return cmocka_run_group_tests_name("selectivity", tests, set_up, tear_down);
}
