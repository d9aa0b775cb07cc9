/* Draws a match's openings: random games of a few plies, kept when their position was not drawn before in any
 * orientation. Layer: selfplay. Seeds belong to trials: trial t is the random stream t of the seed.
 */
#include "match_openings.h"

#include <stdlib.h>

#include <willow/random.h>

enum {
    /* Depth and table of the judge: enough to see who has lost a corner, at a thousandth of a game's cost. */
    JUDGE_DEPTH = 4,
    JUDGE_HASH_BYTES = 1 << 20,
    /* Trials without a new position after which there is none left to be found. With n positions left of N equally
     * likely ones a new one is missed with probability (1 - n/N)^20000; five plies have 322 positions, eight 67,000. */
    FRUITLESS_TRIALS_MAX = 20000
};

/* Set of canonical boards seen so far: open addressing, at most half full. An empty slot holds no disc, which no
 * position does. */
struct board_set {
    struct willow_board *slots;
    size_t capacity, count; /* capacity is a power of two */
};

static size_t set_slot(const struct board_set *set, struct willow_board board)
{
    size_t slot = (size_t)willow_board_hash(board) & (set->capacity - 1);

    for (;; slot = (slot + 1) & (set->capacity - 1)) {
        const struct willow_board at = set->slots[slot];
        if ((at.player | at.opponent) == 0 || (at.player == board.player && at.opponent == board.opponent))
            return slot;
    }
}

static enum willow_status set_grow(struct board_set *set, struct willow_error *error)
{
    const struct board_set old = *set;

    if (old.capacity > SIZE_MAX / 2 / sizeof *set->slots)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "too many openings");
    set->capacity = old.capacity == 0 ? 1024 : 2 * old.capacity;
    set->slots = calloc(set->capacity, sizeof *set->slots);
    if (set->slots == NULL) {
        *set = old;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the openings");
    }
    for (size_t i = 0; i < old.capacity; i++)
        if ((old.slots[i].player | old.slots[i].opponent) != 0)
            set->slots[set_slot(set, old.slots[i])] = old.slots[i];
    free(old.slots);
    return WILLOW_OK;
}

/* Adds a board; *added tells whether it was new. */
static enum willow_status set_add(struct board_set *set, struct willow_board board, bool *added,
                                  struct willow_error *error)
{
    if (2 * (set->count + 1) > set->capacity) {
        const enum willow_status status = set_grow(set, error);
        if (status != WILLOW_OK)
            return status;
    }
    const size_t slot = set_slot(set, board);
    *added = (set->slots[slot].player | set->slots[slot].opponent) == 0;
    if (*added) {
        set->slots[slot] = board;
        set->count++;
    }
    return WILLOW_OK;
}

/* Plays the random moves of one trial. False when the game ends before or with them. */
static bool play_trial(const struct openings_options *options, uint64_t trial, struct willow_game *game)
{
    struct willow_random random;

    willow_random_init(&random, options->seed, trial);
    willow_game_init(game, options->ruleset);
    for (int plies = 0; plies < options->plies;) {
        const uint64_t moves = willow_board_moves(options->ruleset, willow_game_board(game));
        const willow_square move = (willow_square)(moves == 0 ? WILLOW_PASS : willow_random_bit(&random, moves));

        if (willow_game_play(game, move, NULL) != WILLOW_OK)
            return false;
        plies += moves != 0;
    }
    return !willow_game_over(game);
}

static bool balanced(const struct openings_options *options, struct willow_search *search, struct willow_board board)
{
    const struct willow_limits limits = {.depth = JUDGE_DEPTH, .stop = options->stop};
    struct willow_result result;

    if (search == NULL)
        return true;
    willow_search_clear(search);
    willow_search_run(search, board, &limits, &result);
    return abs(result.score) <= options->balance_discs * WILLOW_SCORE_DISC;
}

static enum willow_status draw(const struct openings_options *options, struct willow_search *search,
                               struct board_set *seen, struct willow_game *games, size_t count,
                               struct willow_error *error)
{
    size_t found = 0;
    int fruitless = 0;

    for (uint64_t trial = 0; found < count; trial++) {
        bool added = false;

        if (options->stop != NULL && willow_stop_get(options->stop))
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped while drawing openings");
        if (++fruitless > FRUITLESS_TRIALS_MAX)
            return willow_fail(
                error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                "%d random plies give only %zu distinct%s openings, %zu are needed: use more plies or fewer pairs",
                options->plies, found, search == NULL ? "" : " balanced", count);
        if (!play_trial(options, trial, &games[found]))
            continue;
        const struct willow_board board = willow_board_canonical(willow_game_board(&games[found]), NULL);
        const enum willow_status status = set_add(seen, board, &added, error);
        if (status != WILLOW_OK)
            return status;
        if (!added)
            continue;
        fruitless = search == NULL ? 0 : fruitless;
        if (balanced(options, search, board)) {
            found++;
            fruitless = 0;
        }
    }
    return WILLOW_OK;
}

enum willow_status openings_draw(const struct openings_options *options, struct willow_game *games, size_t count,
                                 struct willow_error *error)
{
    struct willow_search *search = NULL;
    struct board_set seen = {0};
    enum willow_status status;

    if (options->plies < 0 || options->plies > OPENINGS_PLIES_MAX || options->balance_discs < 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "opening plies must lie in 0..%d",
                           OPENINGS_PLIES_MAX);
    if (options->balance_discs > 0) {
        status = willow_search_new(options->judge, JUDGE_HASH_BYTES, &search, error);
        if (status != WILLOW_OK)
            return status;
    }
    status = draw(options, search, &seen, games, count, error);
    willow_search_free(search);
    free(seen.slots);
    return status;
}
