/* The same weight of the same board: with weights of which one a stage is not zero, the trainer and the engine find it
 * on exactly the boards that show its configuration, as often as it stands there, for either colour and on both sides
 * of every border between stages. What a board shows is read square by square.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/random.h>
#include <willow/weights.h>

#include "trainer/fit/pass.h"

enum { STAGES = 20, HOT = 10 * WILLOW_SCORE_DISC, BOARDS = 60 };

/* A configuration of a shape, one digit a square: 0 = empty, 1 = side to move, 2 = the other side. */
struct entry {
    uint8_t squares[WILLOW_PATTERN_SQUARES_MAX], digits[WILLOW_PATTERN_SQUARES_MAX];
    int count;
    uint32_t weight;
};

/* Weights with one entry a stage. */
struct one_hot {
    struct willow_stages stages;
    struct entry entries[WILLOW_STAGES_MAX];
    struct willow_weights *weights;
};

static uint64_t bit_of(const struct entry *entry, int i, int symmetry)
{
    return UINT64_C(1) << willow_square_symmetry(willow_ruleset_default(), entry->squares[i], symmetry);
}

/* In how many placements of the shape its configuration stands, read in any direction in which the placement is the
 * shape. */
static int sightings(const struct entry *entry, struct willow_board board)
{
    uint64_t placements[WILLOW_SYMMETRIES];
    bool found[WILLOW_SYMMETRIES] = {false};
    int count = 0, total = 0;
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        uint64_t placement = 0;
        bool equal = true;
        for (int i = 0; i < entry->count; i++) {
            const uint64_t bit = bit_of(entry, i, symmetry);
            placement |= bit;
            equal = equal && entry->digits[i] == (board.player & bit ? 1 : board.opponent & bit ? 2 : 0);
        }
        int at = 0;
        while (at < count && placements[at] != placement)
            at++;
        placements[at] = placement;
        count += at == count;
        found[at] = found[at] || equal;
    }
    for (int i = 0; i < count; i++)
        total += found[i];
    return total;
}

/* The corner alone in the first stages, a full shape in the last ones, anything between. */
static struct entry entry_of(const struct willow_pattern_set *set, int part, int stage, struct willow_random *random)
{
    struct entry entry = {.count = 0};
    uint32_t raw, configuration = 0;
    entry.count = willow_pattern_set_squares(set, part, entry.squares, &raw);
    for (int i = 0; i < entry.count; i++) {
        entry.digits[i] = (uint8_t)(stage < 3            ? i == 0
                                    : stage > STAGES - 4 ? 1 + willow_random_below(random, 2)
                                                         : willow_random_below(random, 3));
        configuration = 3 * configuration + entry.digits[i];
    }
    entry.weight = willow_pattern_set_tie(set)[raw + configuration];
    return entry;
}

static void make(struct one_hot *hot, const struct willow_pattern_set *set, int shift, struct willow_random *random)
{
    const uint32_t stride = willow_pattern_set_weights(set);
    uint8_t squares[WILLOW_PATTERN_SQUARES_MAX];
    uint32_t raw;
    int shapes = 0;
    while (willow_pattern_set_squares(set, shapes, squares, &raw) > 0)
        shapes++;
    hot->stages = willow_stages_even(WILLOW_SQUARES, STAGES);
    int16_t *values = calloc((size_t)stride * (size_t)hot->stages.count, sizeof *values);
    assert_non_null(values);
    assert_true(shapes > 0 && shapes <= hot->stages.count);
    for (int stage = 0; stage < hot->stages.count; stage++) {
        hot->entries[stage] = entry_of(set, (stage + shift) % shapes, stage, random);
        values[(size_t)stage * stride + hot->entries[stage].weight] = HOT;
    }
    assert_int_equal(
        willow_weights_new(willow_ruleset_default(), set, &hot->stages, values, NULL, NULL, &hot->weights, NULL),
        WILLOW_OK);
    free(values);
}

/* The stage in which a fit has the rows of this board. */
static int trainer_stage(const struct one_hot *hot, struct willow_board board)
{
    const int ply = willow_board_discs(board) - 4;
    int found = -1;
    for (int stage = 0; stage < hot->stages.count; stage++) {
        int first, last;
        if (!willow_stage_plies(&hot->stages, stage, &first, &last) || ply < first || ply > last)
            continue;
        assert_int_equal(found, -1);
        found = stage;
    }
    assert_true(found >= 0);
    return found;
}

/* Returns how often the entry of the board's stage was seen. */
static int check_board(const struct one_hot *hot, struct willow_board board)
{
    const struct features features = features_of_patterns(willow_weights_patterns(hot->weights));
    const int stage = trainer_stage(hot, board);
    const int16_t *values = willow_weights_values(hot->weights) + (size_t)stage * features.weights;
    const int seen = sightings(&hot->entries[stage], board);
    const int wanted = seen * HOT < WILLOW_SCORE_MAX ? seen * HOT : WILLOW_SCORE_MAX - 1;
    assert_int_equal(willow_evaluate(hot->weights, board), wanted);
    assert_int_equal(pass_evaluate(&features, values, board), wanted);
    return seen;
}

static int check_either_side(const struct one_hot *hot, struct willow_board board)
{
    return check_board(hot, board) + check_board(hot, (struct willow_board){board.opponent, board.player});
}

/* So many discs anywhere but in `kept_free`. */
static struct willow_board random_board(struct willow_random *random, int discs, uint64_t kept_free)
{
    uint64_t occupied = 0;
    while (__builtin_popcountll(occupied) < discs)
        occupied |= UINT64_C(1) << willow_random_below(random, 64) & ~kept_free;
    const uint64_t player = occupied & willow_random_u64(random);
    return (struct willow_board){player, occupied & ~player};
}

/* The entry of a stage in one placement, and discs on other squares, `discs` in all; no discs at all where that cannot
 * be. */
static struct willow_board planted_board(struct willow_random *random, const struct entry *entry, int discs)
{
    const int symmetry = (int)willow_random_below(random, WILLOW_SYMMETRIES);
    struct willow_board planted = {0, 0};
    uint64_t placement = 0;
    for (int i = 0; i < entry->count; i++) {
        const uint64_t bit = bit_of(entry, i, symmetry);
        placement |= bit;
        planted.player |= entry->digits[i] == 1 ? bit : 0;
        planted.opponent |= entry->digits[i] == 2 ? bit : 0;
    }
    const int others = discs - willow_board_discs(planted);
    if (others < 0 || others > 64 - entry->count)
        return (struct willow_board){0, 0};
    const struct willow_board rest = random_board(random, others, placement);
    return (struct willow_board){planted.player | rest.player, planted.opponent | rest.opponent};
}

static void check_stage(const struct one_hot *hot, int stage, struct willow_random *random)
{
    int first_ply, last_ply, planted = 0;
    assert_true(willow_stage_plies(&hot->stages, stage, &first_ply, &last_ply));
    const int first = first_ply + 4, last = last_ply + 4;
    for (int i = 0; i < BOARDS; i++) {
        /* The first and the last discs of the stage, and those beyond its borders. */
        const int discs[4] = {first, last, first > 4 ? first - 1 : first, last < 63 ? last + 1 : last};
        (void)check_either_side(hot, random_board(random, discs[i % 4], 0));
        const struct willow_board board = planted_board(random, &hot->entries[stage], discs[i % 4]);
        if (willow_board_discs(board) == 0)
            continue;
        const int seen = check_either_side(hot, board);
        assert_true(i % 4 >= 2 || seen > 0);
        planted += i % 4 < 2;
    }
    assert_true(planted > 0);
}

static void test_one_weight_a_stage(void **state)
{
    (void)state;
    const struct willow_pattern_set *set;
    struct willow_random random;
    willow_random_init(&random, 5, 1);
    for (int i = 0; (set = willow_pattern_set_at(i)) != NULL; i++)
        for (int shift = 0; shift < 2; shift++) {
            struct one_hot hot;
            make(&hot, set, 5 * shift, &random);
            for (int stage = 0; stage < hot.stages.count; stage++)
                check_stage(&hot, stage, &random);
            willow_weights_free(hot.weights);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_weight_a_stage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
