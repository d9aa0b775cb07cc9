/* One game of self-play: moves of the opening, random, noisy and searched ones, then the rows with their labels.
 * Layer: selfplay.
 *
 * The game is played to its end before rows are chosen and what their labels lack is searched, so that neither the
 * choice of rows nor the labels can change the moves, and nothing is searched for a row that is not stored.
 */
#include "play.h"

#include <math.h>
#include <string.h>

#include <willow/random.h>

/* Seeds of the streams of a game, as offsets to the run's: its moves, which positions are kept, and which of those
 * remain when only some of a game are wanted. Multiples of the golden ratio in 64 bits only make the seeds differ, and
 * differ from those of the openings. */
static const uint64_t move_stream = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t keep_stream = UINT64_C(0x3C6EF372FE94F82A);
static const uint64_t sample_stream = UINT64_C(0xDAA66D2C7DDF743F);

struct label {
    bool known, exact;
    willow_score score;
    int depth, selectivity;
};

/* A position of the game in which the side to move had a choice. */
struct moment {
    struct willow_board board;
    enum willow_side side;
    willow_square move;
    bool random, after_pass, after_random;
    bool stored;
    uint64_t rank;      /* among the stored ones: the lowest remain */
    struct label label; /* of the run's own search, or exact whoever found it */
};

struct play {
    const struct play_options *options;
    const struct run_config *config;
    struct willow_search *own, *movers[2]; /* movers: who chooses the moves of each side */
    struct willow_random random, keep, sample;
    struct willow_game game;
    struct moment moments[PLAY_ROWS_MAX];
    int count;
    bool stopped;
};

static struct willow_limits limits_of(const struct play *play)
{
    return (struct willow_limits){.depth = play->config->depth,
                                  .selectivity = play->config->selectivity,
                                  .exact_empties = play->config->exact,
                                  .stop = play->options->stop};
}

static int empties_of(const struct play *play, struct willow_board board)
{
    return willow_board_empties(play->options->ruleset, board);
}

static willow_square search_position(struct play *play, struct willow_search *search, struct willow_board board,
                                     const struct willow_limits *limits, struct label *label)
{
    struct willow_result result;
    willow_search_run(search, board, limits, &result);
    play->stopped = play->stopped || !result.complete;
    *label = (struct label){.known = true,
                            .exact = result.exact,
                            .score = result.score,
                            .depth = result.depth,
                            .selectivity = result.exact ? WILLOW_NOT_SELECTIVE : result.selectivity};
    return result.move;
}

/* Every move scored by the mobility it leaves to the other side, a disc for a move. */
static int score_by_mobility(const struct play *play, struct willow_board board, willow_bits moves,
                             struct willow_scored_move *scored)
{
    int count = 0;
    for (; moves; moves &= moves - 1) {
        willow_square move = (willow_square)willow_bits_first(moves);
        willow_bits replies = willow_board_moves(play->options->ruleset, willow_board_play(board, move));
        scored[count++] = (struct willow_scored_move){
            .move = move, .score = -WILLOW_SCORE_DISC * (willow_score)willow_bits_count(replies)};
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
static int noisy_best_of(struct play *play, const struct willow_scored_move *scored, int count)
{
    int best = 0;
    double best_value = -INFINITY;
    for (int i = 0; i < count; i++) {
        /* Half a step above zero keeps the logarithm finite. */
        double unit = willow_random_unit(&play->random) + 0x1p-54;
        double value = scored[i].score - play->config->noise * WILLOW_SCORE_DISC * log(-log(unit));
        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return best;
}

/* Scores every root move and chooses among them. */
static void choose_scored(struct play *play, struct willow_search *search, willow_bits moves, bool noisy,
                          struct moment *moment)
{
    struct willow_scored_move scored[WILLOW_SQUARES];
    bool by_search = play->config->policy == RUN_POLICY_SEARCH;
    struct willow_limits limits = limits_of(play);
    int count = by_search ? willow_search_moves(search, moment->board, &limits, scored)
                          : score_by_mobility(play, moment->board, moves, scored);
    if (play->options->stop && willow_stop_get(play->options->stop)) {
        play->stopped = true;
        return;
    }
    int best = best_of(scored, count), chosen = noisy ? noisy_best_of(play, scored, count) : best;
    int empties = empties_of(play, moment->board);
    bool exact = true;
    for (int i = 0; i < count; i++)
        exact = exact && scored[i].exact;
    moment->move = scored[chosen].move;
    moment->random = scored[chosen].score < scored[best].score;
    moment->label = (struct label){.known = by_search,
                                   .exact = exact,
                                   .score = scored[best].score,
                                   .depth = exact || limits.depth > empties ? empties : limits.depth,
                                   .selectivity = exact ? WILLOW_NOT_SELECTIVE : limits.selectivity};
}

/* The move after the opening. What is left of a placement phase still belongs to it. */
static void choose(struct play *play, int opening_plies, struct moment *moment)
{
    const struct run_config *config = play->config;
    const bool placing = willow_board_placing(play->options->ruleset, moment->board);
    willow_bits moves = willow_board_moves(play->options->ruleset, moment->board);
    bool noisy = config->noise > 0 && play->count - opening_plies < config->noise_plies;
    struct willow_search *mover = play->movers[moment->side];
    if (placing || (config->random_move > 0 && willow_random_unit(&play->random) < config->random_move)) {
        moment->move = (willow_square)willow_random_bit(&play->random, moves);
        moment->random = true;
        return;
    }
    if (noisy || config->depth == 1 || config->policy == RUN_POLICY_MOBILITY) {
        choose_scored(play, mover, moves, noisy, moment);
    } else {
        struct willow_limits limits = limits_of(play);
        moment->move = search_position(play, mover, moment->board, &limits, &moment->label);
    }
    /* What another's weights say is no label, but a solved position is solved. */
    moment->label.known = moment->label.known && (mover == play->own || moment->label.exact);
}

/* Both streams give a number to every position, so that neither another share nor other plies shift the choice. */
static void decide_storing(struct play *play, struct moment *moment)
{
    const struct run_config *config = play->config;
    int ply = willow_board_discs(moment->board) - 4;
    bool kept = willow_random_unit(&play->keep) < config->keep;
    moment->stored = kept && ply >= config->ply_min && ply <= config->ply_max;
    moment->rank = config->positions > 0 ? willow_random_u64(&play->sample) : 0;
}

static enum willow_status stopped(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
}

/* Plays from the first position to the end and notes every moment. */
static enum willow_status play_moves(struct play *play, const struct opening *opening, int opening_plies,
                                     struct willow_error *error)
{
    struct willow_game *game = &play->game;
    bool after_pass = false, after_random = false;
    while (!willow_game_over(game)) {
        struct moment *moment = &play->moments[play->count];
        willow_square move = WILLOW_PASS;
        bool passing = willow_board_moves(game->ruleset, willow_game_board(game)) == 0;
        if (!passing && play->count == PLAY_ROWS_MAX)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a game has too many positions");
        if (!passing) {
            *moment = (struct moment){.board = willow_game_board(game),
                                      .side = game->side,
                                      .after_pass = after_pass,
                                      .after_random = after_random,
                                      .random = true};
            if (game->length < opening->game.length) {
                moment->move = opening->game.moves[game->length];
            } else {
                moment->random = false;
                choose(play, opening_plies, moment);
            }
            if (play->stopped)
                return stopped(error);
            decide_storing(play, moment);
            move = moment->move;
            after_random = moment->random;
            play->count++;
        }
        after_pass = passing;
        enum willow_status status = willow_game_play(game, move, error);
        if (status)
            return status;
    }
    return WILLOW_OK;
}

/* Of the stored moments those of the lowest ranks remain. */
static void sample_moments(struct play *play)
{
    int stored = 0;
    for (int i = 0; i < play->count; i++)
        stored += play->moments[i].stored;
    for (; play->config->positions > 0 && stored > play->config->positions; stored--) {
        struct moment *last = NULL;
        for (int i = 0; i < play->count; i++) {
            struct moment *moment = &play->moments[i];
            if (moment->stored && (!last || moment->rank >= last->rank))
                last = moment;
        }
        last->stored = false;
    }
}

/* Index of the first moment with few empties; the count of all when there is none, or nothing is to be solved. */
static int tail_of(const struct play *play)
{
    int at = 0;
    while (at < play->count && empties_of(play, play->moments[at].board) > play->config->tail)
        at++;
    return play->config->tail > 0 ? at : play->count;
}

/* Fills what is missing of the stored moments' labels, and of the tail whatever the labels. The last moments come
 * first: what the table keeps of an ending solves the one before it. Only a score that is not exact could depend on
 * what the search knows already, so that starts from an empty table. */
static void complete_labels(struct play *play, int tail)
{
    const struct run_config *config = play->config;
    for (int i = play->count - 1; i >= 0 && !play->stopped; i--) {
        struct moment *moment = &play->moments[i];
        struct willow_limits limits = limits_of(play);
        int empties = empties_of(play, moment->board);
        if (i >= tail && !moment->label.exact && (moment->stored || i == tail)) {
            limits.exact_empties = empties;
        } else if (moment->stored && !moment->label.known && config->label == RUN_LABEL_SEARCH) {
            if (empties > limits.exact_empties)
                willow_search_clear(play->own);
        } else {
            continue;
        }
        (void)search_position(play, play->own, moment->board, &limits, &moment->label);
    }
}

static struct willow_row make_row(const struct moment *moment, bool labelled, uint64_t game)
{
    const struct label *label = &moment->label;
    int flags = (moment->random ? WILLOW_ROW_RANDOM : 0) | (moment->after_pass ? WILLOW_ROW_AFTER_PASS : 0) |
                (moment->after_random ? WILLOW_ROW_AFTER_RANDOM : 0);
    struct willow_row row = {.player = moment->board.player,
                             .opponent = moment->board.opponent,
                             .score = WILLOW_SCORE_MISSING,
                             .move = moment->move,
                             .ply = (uint8_t)(willow_board_discs(moment->board) - 4),
                             .game = game};
    if (labelled && label->known) {
        row.score = (int16_t)label->score;
        row.depth = (uint8_t)(label->depth > RUN_DEPTH_MAX ? RUN_DEPTH_MAX : label->depth);
        row.selectivity = (uint8_t)label->selectivity;
        flags |= label->exact ? WILLOW_ROW_EXACT : label->selectivity < WILLOW_NOT_SELECTIVE ? WILLOW_ROW_SELECTIVE : 0;
    }
    row.flags = (uint8_t)flags;
    return row;
}

/* Results as the game ended, or as the solver says: of the tail's first position, from there on of each itself. */
static void make_rows(const struct play *play, int tail, struct played_game *played)
{
    const struct moment *first = tail < play->count ? &play->moments[tail] : NULL;
    for (int i = 0; i < play->count; i++) {
        const struct moment *moment = &play->moments[i], *judge = i < tail ? first : moment;
        if (!moment->stored)
            continue;
        struct willow_row *row = &played->rows[played->count++];
        *row = make_row(moment, play->config->label == RUN_LABEL_SEARCH, played->game.id);
        if (first)
            row->flags |= WILLOW_ROW_SOLVED_RESULT;
        int result = first ? judge->label.score / WILLOW_SCORE_DISC : played->game.result;
        bool same_side = moment->side == (first ? judge->side : WILLOW_BLACK);
        row->result = (int8_t)(same_side ? result : -result);
    }
}

static void record_game(const struct willow_game *game, struct willow_game_row *row)
{
    row->result = (int8_t)willow_game_final_discs(game);
    row->length = (uint8_t)game->length;
    memset(row->moves, WILLOW_NO_SQUARE, sizeof row->moves);
    memcpy(row->moves, game->moves, (size_t)game->length);
}

/* Who plays: in some games one side has its moves from one of the pool. */
static void choose_sides(struct play *play, struct willow_game_row *row)
{
    const struct run_config *config = play->config;
    play->movers[WILLOW_BLACK] = play->movers[WILLOW_WHITE] = play->own;
    if (config->pool_count == 0 || willow_random_unit(&play->random) >= config->pool_share)
        return;
    bool white = willow_random_below(&play->random, 2) == 1;
    int index = 1 + (int)willow_random_below(&play->random, (uint32_t)config->pool_count);
    play->movers[white ? WILLOW_WHITE : WILLOW_BLACK] = play->options->searches[index];
    *(white ? &row->white_weights : &row->black_weights) = (uint8_t)index;
    willow_search_clear(play->options->searches[index]);
}

enum willow_status play_game(const struct play_options *options, uint64_t index, const struct opening *opening,
                             struct played_game *played, struct willow_error *error)
{
    const struct run_config *config = options->config;
    const int placed = willow_bits_count(options->ruleset->placement);
    const int opening_plies = opening->plies > placed ? opening->plies : placed;
    struct play play;
    play.options = options;
    play.config = config;
    play.own = options->searches[0];
    play.count = 0;
    play.stopped = false;
    played->count = 0;
    played->game = (struct willow_game_row){.id = index, .opening_plies = (uint8_t)opening_plies};
    willow_random_init(&play.random, config->seed + move_stream, index);
    willow_random_init(&play.keep, config->seed + keep_stream, index);
    willow_random_init(&play.sample, config->seed + sample_stream, index);
    willow_search_clear(play.own);
    choose_sides(&play, &played->game);
    willow_game_init(&play.game, options->ruleset);
    enum willow_status status = play_moves(&play, opening, opening_plies, error);
    if (status)
        return status;
    record_game(&play.game, &played->game);
    sample_moments(&play);
    int tail = tail_of(&play);
    complete_labels(&play, tail);
    if (play.stopped)
        return stopped(error);
    make_rows(&play, tail, played);
    return WILLOW_OK;
}
