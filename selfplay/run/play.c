/* One game of self-play: random opening, searched moves with noise, rows with their labels. Layer: selfplay. */
#include "play.h"

#include <math.h>
#include <string.h>

#include <willow/random.h>

/* Rows are kept by a stream of their own, so that another share of rows does not change the games. The constant (the
 * golden ratio in 64 bits) only makes the two seeds differ. */
static const uint64_t keep_seed_offset = UINT64_C(0x9E3779B97F4A7C15);

struct player {
    const struct run_config *config;
    const struct willow_ruleset *ruleset;
    struct willow_search *search;
    const struct willow_stop *stop;
    struct willow_random random;
    bool stopped;
};

/* What was done at one position and what the row says of it. */
struct choice {
    willow_square move;
    willow_score score;
    int depth;
    bool scored, exact, random;
};

static struct willow_limits limits_of(const struct player *player)
{
    return (struct willow_limits){
        .depth = player->config->depth, .exact_empties = player->config->exact, .stop = player->stop};
}

static void search_position(struct player *player, struct willow_board board, struct choice *choice)
{
    struct willow_limits limits = limits_of(player);
    struct willow_result result;
    willow_search_run(player->search, board, &limits, &result);
    player->stopped = !result.complete;
    *choice = (struct choice){
        .move = result.move, .score = result.score, .depth = result.depth, .scored = true, .exact = result.exact};
}

/* Every move scored by the mobility it leaves to the other side, a disc for a move. */
static int score_by_mobility(const struct player *player, struct willow_board board, uint64_t moves,
                             struct willow_scored_move *scored)
{
    int count = 0;
    for (; moves; moves &= moves - 1) {
        willow_square move = (willow_square)__builtin_ctzll(moves);
        uint64_t replies = willow_board_moves(player->ruleset, willow_board_play(board, move));
        scored[count++] = (struct willow_scored_move){
            .move = move, .score = -WILLOW_SCORE_DISC * (willow_score)__builtin_popcountll(replies)};
    }
    return count;
}

static int best_of(const struct willow_scored_move *scored, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (scored[i].score > scored[best].score)
            best = i;
    return best;
}

/* Adding Gumbel noise of scale T and taking the largest draws from the softmax at temperature T. */
static int noisy_best_of(struct player *player, const struct willow_scored_move *scored, int count)
{
    int best = 0;
    double best_value = -INFINITY;
    for (int i = 0; i < count; i++) {
        /* Half a step above zero keeps the logarithm finite. */
        double unit = willow_random_unit(&player->random) + 0x1p-54;
        double value = scored[i].score - player->config->noise * WILLOW_SCORE_DISC * log(-log(unit));
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return best;
}

/* Scores every root move and chooses among them. */
static void choose_scored(struct player *player, struct willow_board board, uint64_t moves, bool noisy,
                          struct choice *choice)
{
    struct willow_scored_move scored[64];
    bool by_search = player->config->policy == RUN_POLICY_SEARCH;
    struct willow_limits limits = limits_of(player);
    int count = by_search ? willow_search_moves(player->search, board, &limits, scored)
                          : score_by_mobility(player, board, moves, scored);
    if (player->stop && willow_stop_get(player->stop)) {
        player->stopped = true;
        return;
    }
    int best = best_of(scored, count);
    int chosen = noisy ? noisy_best_of(player, scored, count) : best;
    bool exact = true;
    for (int i = 0; i < count; i++)
        exact = exact && scored[i].exact;
    int empties = willow_board_empties(player->ruleset, board);
    *choice = (struct choice){.move = scored[chosen].move,
                              .score = scored[best].score,
                              .depth = exact ? empties : player->config->depth,
                              .scored = by_search,
                              .exact = exact,
                              .random = scored[chosen].score < scored[best].score};
}

static void choose(struct player *player, struct willow_board board, uint64_t moves, bool opening,
                   struct choice *choice)
{
    const struct run_config *config = player->config;
    bool random = opening || (config->random_move > 0 && willow_random_unit(&player->random) < config->random_move);
    bool noisy = config->noise > 0 && willow_board_discs(board) - 4 < config->noise_plies;
    *choice = (struct choice){.move = WILLOW_NO_SQUARE};
    if (random) {
        /* The move is drawn first, so that labels do not shift the game's random numbers. */
        willow_square move = (willow_square)willow_random_bit(&player->random, moves);
        if (config->label == RUN_LABEL_SEARCH)
            search_position(player, board, choice);
        choice->move = move;
        choice->random = true;
    } else if (noisy || config->depth == 1 || config->policy == RUN_POLICY_MOBILITY) {
        choose_scored(player, board, moves, noisy, choice);
    } else {
        search_position(player, board, choice);
    }
}

static struct willow_row make_row(struct willow_board board, const struct choice *choice, bool after_pass,
                                  bool labelled, uint64_t game)
{
    struct willow_row row = {
        .player = board.player,
        .opponent = board.opponent,
        .score = WILLOW_SCORE_MISSING,
        .move = choice->move,
        .ply = (uint8_t)(willow_board_discs(board) - 4),
        .flags = (uint8_t)((choice->random ? WILLOW_ROW_RANDOM : 0) | (after_pass ? WILLOW_ROW_AFTER_PASS : 0)),
        .game = game};
    if (labelled && choice->scored) {
        row.score = (int16_t)choice->score;
        row.depth = (uint8_t)(choice->depth > 60 ? 60 : choice->depth);
        row.flags = (uint8_t)(row.flags | (choice->exact ? WILLOW_ROW_EXACT : 0));
    }
    return row;
}

static void finish_game(const struct willow_game *game, const enum willow_side *sides, int opening_plies,
                        struct played_game *played)
{
    int result = willow_game_final_discs(game);
    for (int i = 0; i < played->count; i++)
        played->rows[i].result = (int8_t)(sides[i] == WILLOW_BLACK ? result : -result);
    played->game.opening_plies = (uint8_t)opening_plies;
    played->game.result = (int8_t)result;
    played->game.length = (uint8_t)game->length;
    memset(played->game.moves, WILLOW_NO_SQUARE, sizeof played->game.moves);
    memcpy(played->game.moves, game->moves, (size_t)game->length);
}

enum willow_status play_game(const struct play_options *options, uint64_t index, const struct opening *opening,
                             struct played_game *played, struct willow_error *error)
{
    const struct run_config *config = options->config;
    const struct willow_ruleset *ruleset = options->ruleset;
    struct player player = {
        .config = config, .ruleset = ruleset, .search = options->searches[0], .stop = options->stop};
    struct willow_random keep;
    struct willow_game game;
    enum willow_side sides[PLAY_ROWS_MAX];
    willow_random_init(&player.random, config->seed, index);
    willow_random_init(&keep, config->seed + keep_seed_offset, index);
    willow_search_clear(player.search);
    willow_game_init(&game, ruleset);
    bool after_pass = false;
    played->count = 0;
    played->game = (struct willow_game_row){.id = index};
    while (!willow_game_over(&game)) {
        struct willow_board board = willow_game_board(&game);
        uint64_t moves = willow_board_moves(ruleset, board);
        struct choice choice = {.move = WILLOW_PASS};
        if (moves) {
            choose(&player, board, moves, game.length < opening->game.length, &choice);
            if (player.stopped)
                return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
            if (game.length < opening->game.length)
                choice.move = opening->game.moves[game.length];
            if (willow_random_unit(&keep) < config->keep && played->count < PLAY_ROWS_MAX) {
                sides[played->count] = game.side;
                played->rows[played->count++] =
                    make_row(board, &choice, after_pass, config->label == RUN_LABEL_SEARCH, index);
            }
        }
        after_pass = !moves;
        enum willow_status status = willow_game_play(&game, choice.move, error);
        if (status)
            return status;
    }
    finish_game(&game, sides, opening->plies, played);
    return WILLOW_OK;
}
