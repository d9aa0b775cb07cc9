/* What a caller asks for: a run from a position, or a score for every move. Chooses between fixed depth and exact
 * search, deepens, sets the windows, and makes sure that a stopped search still answers with a legal move. Layer:
 * search.
 */
#include <string.h>

#include <willow/clock.h>

#include "search/endgame.h"
#include "search/midgame.h"

/* Up to this depth a single search is cheaper than deepening towards it. */
enum { DIRECT_DEPTH = 3 };

/* From this many empties on an exact search starts from midgame searches: they fill the table with moves and guess the
 * score. */
enum { GUESS_EMPTIES = 13, GUESS_MARGIN = 12 };

/* Half width of the first window: 1/32 discs in the midgame, discs in the endgame. */
enum { MIDGAME_WINDOW = 96, ENDGAME_WINDOW = 2 };

/* Plies between the rounds of willow_search_moves. */
enum { MOVES_STEP = 4 };

/* The best of what is finished so far. */
struct outcome {
    int score; /* 1/32 disc */
    int depth; /* 0 = nothing finished */
    bool exact;
    struct search_line line;
};

static struct outcome take(const struct willow_search *search, int score, int depth, bool exact)
{
    return (struct outcome){.score = score, .depth = depth, .exact = exact, .line = search->lines[0]};
}

/* After a stop: a move that the unfinished iteration had already found to be better stands. */
static void take_unfinished(const struct willow_search *search, struct outcome *outcome)
{
    if (search->root_move == WILLOW_NO_SQUARE)
        return;
    outcome->score = search->root_score;
    outcome->exact = false;
    outcome->line = search->lines[0];
    if (outcome->line.length == 0 || outcome->line.moves[0] != search->root_move)
        outcome->line = (struct search_line){.length = 1, .moves = {search->root_move}};
}

/* One iteration: widens the window around the guess until the value lies inside. */
static int midgame_iteration(struct willow_search *search, uint64_t player, uint64_t opponent, int depth, bool guessed,
                             int guess)
{
    int width = MIDGAME_WINDOW;
    int alpha = guessed ? guess - width : -MIDGAME_INFINITE, beta = guessed ? guess + width : MIDGAME_INFINITE;
    for (;;) {
        search->root_move = WILLOW_NO_SQUARE;
        int score = midgame_pv(search, 0, player, opponent, alpha, beta, depth);
        if (search->stopped || (score > alpha && score < beta))
            return score;
        width *= 4;
        if (score <= alpha)
            alpha = width < WILLOW_SCORE_MAX ? score - width : -MIDGAME_INFINITE;
        else
            beta = width < WILLOW_SCORE_MAX ? score + width : MIDGAME_INFINITE;
    }
}

/* Deepens towards `depth`, states[0] set. Two plies at a time, so that the guess comes from an iteration of the same
 * parity: odd and even depths differ by who moves last. One at a time where nodes or time may end it anywhere. */
static void deepen(struct willow_search *search, uint64_t player, uint64_t opponent, int depth, struct outcome *outcome)
{
    int step = search->node_limit > 0 || search->deadline_ns > 0 ? 1 : 2;
    int from = depth <= DIRECT_DEPTH && step == 2 ? depth : depth % step == 0 ? step : 1;
    for (int at = from; at <= depth; at += step) {
        int score = midgame_iteration(search, player, opponent, at, outcome->depth > 0, outcome->score);
        if (search->stopped) {
            take_unfinished(search, outcome);
            return;
        }
        *outcome = take(search, score, at, false);
    }
}

static int endgame_iteration(struct willow_search *search, uint64_t player, uint64_t opponent, int empties,
                             bool guessed, int guess)
{
    int width = ENDGAME_WINDOW;
    int alpha = guessed ? guess - width : -ENDGAME_INFINITE, beta = guessed ? guess + width : ENDGAME_INFINITE;
    for (;;) {
        search->root_move = WILLOW_NO_SQUARE;
        int score = endgame_pv(search, 0, player, opponent, alpha, beta, empties);
        if (search->stopped || (score > alpha && score < beta))
            return score;
        width *= 2;
        if (width > 64) {
            /* Both sides have been open to the end: the bounds contradict each other, which only a mistake can bring
             * about. The full window ends it. */
            alpha = -ENDGAME_INFINITE;
            beta = ENDGAME_INFINITE;
        } else if (score <= alpha) {
            beta = score + 1;
            alpha = width < 64 ? score - width : -ENDGAME_INFINITE;
        } else {
            alpha = score - 1;
            beta = width < 64 ? score + width : ENDGAME_INFINITE;
        }
    }
}

static void solve(struct willow_search *search, uint64_t player, uint64_t opponent, int empties,
                  struct outcome *outcome)
{
    if (empties >= GUESS_EMPTIES) {
        deepen(search, player, opponent, empties - GUESS_MARGIN, outcome);
        if (search->stopped)
            return;
    }
    /* Scores are even on a board of 64 squares, so an even guess in the middle of an even window meets them. */
    int guess = outcome->score / (2 * WILLOW_SCORE_DISC) * 2;
    int score = endgame_iteration(search, player, opponent, empties, outcome->depth > 0, guess);
    if (search->stopped)
        take_unfinished(search, outcome);
    else
        *outcome = take(search, score * WILLOW_SCORE_DISC, empties, true);
}

/* Before anything has finished: one ply, whatever the limits say. */
static void answer_at_once(struct willow_search *search, struct willow_board board, struct outcome *outcome)
{
    handle_unlimit(search);
    model_state_init(search->weights, board, &search->states[0]);
    int score = midgame_iteration(search, board.player, board.opponent, 1, false, 0);
    *outcome = take(search, score, 1, false);
    search->stopped = true;
}

static struct outcome search_moving(struct willow_search *search, struct willow_board board, int depth, bool exact)
{
    struct outcome outcome = {.score = 0};
    int empties = kernel_count(handle_empty(search, board.player, board.opponent));
    if (!exact || empties >= ENDGAME_EVAL_EMPTIES)
        model_state_init(search->weights, board, &search->states[0]);
    if (exact)
        solve(search, board.player, board.opponent, empties, &outcome);
    else
        deepen(search, board.player, board.opponent, depth, &outcome);
    if (outcome.line.length == 0)
        answer_at_once(search, board, &outcome);
    return outcome;
}

/* Any position: a finished game has an exact score and no line; a pass costs no depth. */
static struct outcome search_any(struct willow_search *search, struct willow_board board, int depth, bool exact)
{
    if (handle_moves(search, board.player, board.opponent))
        return search_moving(search, board, depth, exact);
    if (!handle_moves(search, board.opponent, board.player)) {
        int score = handle_final_discs(search, board.player, board.opponent) * WILLOW_SCORE_DISC;
        return (struct outcome){.score = score, .exact = true};
    }
    struct willow_board passed = {.player = board.opponent, .opponent = board.player};
    struct outcome outcome = search_moving(search, passed, depth, exact);
    outcome.score = -outcome.score;
    search->lines[1] = outcome.line;
    handle_extend_line(search, 0, WILLOW_PASS);
    outcome.line = search->lines[0];
    return outcome;
}

static bool is_exact(const struct willow_limits *limits, int empties)
{
    return limits->depth <= 0 || limits->depth >= empties || empties <= limits->exact_empties;
}

void willow_search_run(struct willow_search *search, struct willow_board board, const struct willow_limits *limits,
                       struct willow_result *result)
{
    uint64_t start_ns = willow_clock_ns();
    handle_begin(search, limits);
    int empties = kernel_count(handle_empty(search, board.player, board.opponent));
    struct outcome outcome = search_any(search, board, limits->depth, is_exact(limits, empties));
    *result = (struct willow_result){
        .move = outcome.line.length > 0 ? outcome.line.moves[0] : WILLOW_NO_SQUARE,
        .score = outcome.score,
        .depth = outcome.depth,
        .exact = outcome.exact,
        .complete = outcome.line.length == 0 || !search->stopped,
        .nodes = search->nodes,
        .pv_length = outcome.line.length,
    };
    memcpy(result->pv, outcome.line.moves, (size_t)outcome.line.length * sizeof result->pv[0]);
    result->time_ns = willow_clock_ns() - start_ns;
}

/* Scores by static evaluation; finished games by their discs. */
static int score_statically(struct willow_search *search, struct willow_board board, struct willow_scored_move *moves)
{
    struct move_list list;
    moves_generate(&list, board.player, board.opponent, handle_moves(search, board.player, board.opponent));
    if (list.count == 0)
        return 0;
    model_state_init(search->weights, board, &search->states[0]);
    for (int i = 0; i < list.count; i++) {
        const struct move *move = &list.moves[i];
        uint64_t player = moves_next_player(board.opponent, move), opponent = moves_next_opponent(board.player, move);
        midgame_play(search, 0, move);
        int score = midgame_shallow(search, 1, player, opponent, -MIDGAME_INFINITE, MIDGAME_INFINITE, 0);
        bool over = !handle_moves(search, player, opponent) && !handle_moves(search, opponent, player);
        moves[i] = (struct willow_scored_move){.move = (willow_square)move->square, .score = -score, .exact = over};
    }
    return list.count;
}

/* Scores every move to `depth` from the root, or exactly. All or nothing: after a stop the scores stay as they were,
 * because scores of different depths do not compare. */
static void score_deeply(struct willow_search *search, struct willow_board board, int depth, bool exact,
                         struct willow_scored_move *moves, int count)
{
    struct willow_scored_move scored[64];
    for (int i = 0; i < count; i++) {
        uint64_t flips = kernel_flips(board.player, board.opponent, moves[i].move);
        struct willow_board next = {.player = board.opponent ^ flips,
                                    .opponent = board.player ^ flips ^ (uint64_t)1 << moves[i].move};
        struct outcome outcome = search_any(search, next, depth - 1, exact);
        if (search->stopped)
            return;
        scored[i] = (struct willow_scored_move){.move = moves[i].move, .score = -outcome.score, .exact = outcome.exact};
    }
    memcpy(moves, scored, (size_t)count * sizeof *moves);
}

/* Best first, ties by square. */
static void sort_moves(struct willow_scored_move *moves, int count)
{
    for (int i = 1; i < count; i++) {
        struct willow_scored_move move = moves[i];
        int at = i;
        for (; at > 0 && (moves[at - 1].score < move.score ||
                          (moves[at - 1].score == move.score && moves[at - 1].move > move.move));
             at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
}

int willow_search_moves(struct willow_search *search, struct willow_board board, const struct willow_limits *limits,
                        struct willow_scored_move *moves)
{
    handle_begin(search, limits);
    int count = score_statically(search, board, moves);
    int empties = kernel_count(handle_empty(search, board.player, board.opponent));
    bool exact = is_exact(limits, empties);
    int depth = exact ? empties : limits->depth;
    /* Rounds on the way give a limited search something to fall back on, and the last one a full table. */
    int rounds_to = exact ? empties - GUESS_MARGIN : depth - 1;
    for (int at = MOVES_STEP; at <= rounds_to && !search->stopped; at += MOVES_STEP)
        score_deeply(search, board, at, false, moves, count);
    if ((exact || depth > 1) && !search->stopped)
        score_deeply(search, board, depth, exact, moves, count);
    sort_moves(moves, count);
    return count;
}
