/* Searches by several threads; see parallel_fixture.h. */
#include "support/parallel_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/positions.h"

const int parallel_counts[PARALLEL_COUNTS] = {1, 2, 4, 8};

struct willow_weights *parallel_weights;

int parallel_set_up(void **state)
{
    (void)state;
    return willow_weights_default(&parallel_weights, NULL) == WILLOW_OK ? 0 : -1;
}

int parallel_tear_down(void **state)
{
    (void)state;
    willow_weights_free(parallel_weights);
    return 0;
}

struct willow_result parallel_run(struct willow_search *search, struct willow_board board, struct willow_limits limits)
{
    struct willow_result result;
    willow_search_run(search, board, &limits, &result);
    return result;
}

struct willow_result parallel_solve(struct willow_search *search, struct willow_board board)
{
    const struct willow_result result = parallel_run(search, board, (struct willow_limits){0});
    assert_true(result.exact && result.complete);
    return result;
}

struct willow_board parallel_board(struct willow_random *random, int empties)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    for (;;) {
        const struct willow_board board = position_from_play(ruleset, random, empties);
        if (willow_board_empties(ruleset, board) == empties && willow_board_moves(ruleset, board))
            return board;
    }
}

void parallel_check_line(struct willow_board board, const struct willow_result *result)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    willow_score sign = 1;
    assert_int_equal(result->move, result->pv_length > 0 ? result->pv[0] : WILLOW_NO_SQUARE);
    for (int i = 0; i < result->pv_length; i++) {
        const uint64_t legal = willow_board_moves(ruleset, board);
        assert_false(willow_board_over(ruleset, board));
        assert_true(result->pv[i] == WILLOW_PASS ? legal == 0 : (legal >> result->pv[i] & 1) != 0);
        board = willow_board_play(board, result->pv[i]);
        sign = -sign;
    }
    assert_true(willow_board_over(ruleset, board));
    assert_int_equal(sign * willow_board_final_discs(ruleset, board) * WILLOW_SCORE_DISC, result->score);
}
