/* Positions on which sets of weights are compared; see weights_sample.h.
 * Layer: engine/cli (program willow). Prints nothing.
 */
#include "weights_sample.h"

#include <stdbool.h>
#include <stdlib.h>

#include <willow/random.h>

#include "solve.h"

/* Noise on the evaluation of a move: uniform, so many discs wide. With half of the moves random besides, games branch
 * early and still visit what good play visits. BARREN_GAMES in a row without a new position: there are no more. */
enum { NOISE = 4 * WILLOW_SCORE_DISC, BARREN_GAMES = 1000 };

/* Hashes of the positions so far: an open table at most half full, 0 = free. */
struct seen {
    uint64_t *hashes;
    size_t mask;
};

static bool seen_before(struct seen *seen, const struct willow_ruleset *ruleset, struct willow_board board)
{
    const uint64_t hash = willow_board_hash(willow_board_canonical(ruleset, board, NULL)) | 1;
    size_t at = (size_t)(hash >> 1) & seen->mask;
    while (seen->hashes[at] != 0 && seen->hashes[at] != hash)
        at = (at + 1) & seen->mask;
    const bool found = seen->hashes[at] != 0;
    seen->hashes[at] = hash;
    return found;
}

static willow_square best_move(const struct willow_weights *guide, struct willow_board board, willow_bits moves,
                               struct willow_random *random)
{
    const struct willow_ruleset *ruleset = willow_weights_ruleset(guide);
    willow_square best = WILLOW_NO_SQUARE;
    willow_score best_score = 0;
    for (; moves != 0; moves &= moves - 1) {
        const willow_square move = (willow_square)willow_bits_first(moves);
        const struct willow_board child = willow_board_play(board, move);
        willow_score score = (willow_score)willow_random_below(random, NOISE + 1);
        if (willow_board_over(ruleset, child))
            score -= willow_board_final_discs(ruleset, child) * WILLOW_SCORE_DISC;
        else
            score -= willow_evaluate(guide, child); /* a pass, which is rare, is not looked through */
        if (best == WILLOW_NO_SQUARE || score > best_score) {
            best = move;
            best_score = score;
        }
    }
    return best;
}

/* Plays one game; returns whether it held a new position. */
static bool play_game(const struct willow_weights *guide, struct willow_random *random, struct seen *seen,
                      size_t wanted, struct weights_sample *sample)
{
    const struct willow_ruleset *ruleset = willow_weights_ruleset(guide);
    struct willow_board board = ruleset->start;
    enum willow_side side = WILLOW_BLACK;
    bool is_new = false;
    while (sample->count < wanted && !willow_board_over(ruleset, board)) {
        const willow_bits moves = willow_board_moves(ruleset, board);
        willow_square move = WILLOW_PASS;
        if (moves != 0) {
            if (!seen_before(seen, ruleset, board)) {
                sample->positions[sample->count++] = (struct weights_position){.board = board, .side = side};
                is_new = true;
            }
            move = willow_random_below(random, 2) ? best_move(guide, board, moves, random)
                                                  : (willow_square)willow_random_bit(random, moves);
        }
        board = willow_board_play(board, move);
        side = side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
    }
    return is_new;
}

enum willow_status weights_sample_play(const struct willow_weights *a, const struct willow_weights *b, size_t count,
                                       uint64_t seed, struct weights_sample *sample, struct willow_error *error)
{
    size_t entries = 2;
    while (entries < 2 * count)
        entries *= 2;
    struct seen seen = {.hashes = calloc(entries, sizeof *seen.hashes), .mask = entries - 1};
    *sample = (struct weights_sample){.positions = calloc(count, sizeof *sample->positions)};
    if (!seen.hashes || !sample->positions) {
        free(seen.hashes);
        weights_sample_clear(sample);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for %zu positions", count);
    }
    for (int barren = 0; sample->count < count && barren < BARREN_GAMES; sample->games++) {
        struct willow_random random;
        willow_random_init(&random, seed, sample->games);
        barren = play_game(sample->games % 2 ? b : a, &random, &seen, count, sample) ? 0 : barren + 1;
    }
    free(seen.hashes);
    return WILLOW_OK;
}

enum willow_status weights_sample_load(const char *path, const struct willow_ruleset *ruleset,
                                       struct weights_sample *sample, struct willow_error *error)
{
    struct solve_set set;
    *sample = (struct weights_sample){.positions = NULL};
    enum willow_status status = solve_set_load(path, ruleset, &set, error);
    if (status != WILLOW_OK)
        return status;
    sample->positions = calloc(set.count, sizeof *sample->positions);
    if (!sample->positions)
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "no memory for %zu positions", set.count);
    for (size_t i = 0; status == WILLOW_OK && i < set.count; i++) {
        const struct willow_obf *obf = &set.problems[i].obf;
        sample->positions[sample->count++] = (struct weights_position){.board = obf->board, .side = obf->side};
    }
    solve_set_clear(&set);
    if (status != WILLOW_OK)
        weights_sample_clear(sample);
    return status;
}

void weights_sample_clear(struct weights_sample *sample)
{
    free(sample->positions);
    *sample = (struct weights_sample){.positions = NULL};
}
