/* What a caller asks for: a run from a position, or a score for every move. Chooses between fixed depth and exact
 * search, deepens, sets the windows, and makes sure that a stopped search still answers with a legal move. Layer:
 * search.
 */
#include <string.h>

#include <willow/clock.h>

#include "search/endgame.h"
#include "search/midgame.h"
#include "search/placement.h"

/* Up to this depth a single search is cheaper than deepening towards it. */
enum { DIRECT_DEPTH = 3 };

/* From this many empties on an exact search starts from midgame searches: they fill the table with moves and guess the
 * score. */
enum { GUESS_EMPTIES = 13, GUESS_MARGIN = 12 };

/* Half width of the first window: 1/32 discs in the midgame, discs in the endgame. */
enum { MIDGAME_WINDOW = 96, ENDGAME_WINDOW = 2 };

/* Plies between the rounds of willow_search_moves. */
enum { MOVES_STEP = 4 };

static struct outcome take(const struct willow_search *search, int score, int depth, bool to_end)
{
    int level = search->main->selectivity;
    return (struct outcome){.score = score,
                            .depth = depth,
                            .level = level,
                            .exact = to_end && level == SELECTIVITY_NONE,
                            .line = search->main->lines[0]};
}

/* After a stop: a move that the unfinished iteration had already found to be better stands. */
static void take_unfinished(const struct willow_search *search, struct outcome *outcome)
{
    if (search->root_move == WILLOW_NO_SQUARE)
        return;
    outcome->score = search->root_score;
    outcome->exact = false;
    outcome->line = search->main->lines[0];
    if (outcome->line.length == 0 || outcome->line.moves[0] != search->root_move)
        outcome->line = (struct search_line){.length = 1, .moves = {search->root_move}};
}

bool root_stopped(const struct willow_search *search)
{
    return search->main->stopped;
}

bool root_is_limited(const struct willow_search *search)
{
    return search->node_limit > 0 || search->deadline_ns > 0 || search->soft_deadline_ns > 0;
}

bool root_may_go_on(const struct willow_search *search)
{
    return !root_stopped(search) && (search->soft_deadline_ns == 0 || willow_clock_ns() < search->soft_deadline_ns);
}

/* One iteration: widens the window around the guess until the value lies inside. */
static int midgame_iteration(struct willow_search *search, struct willow_board board, int depth, bool guessed,
                             int guess)
{
    int width = MIDGAME_WINDOW;
    int alpha = guessed ? guess - width : -MIDGAME_INFINITE, beta = guessed ? guess + width : MIDGAME_INFINITE;
    for (;;) {
        search->root_move = WILLOW_NO_SQUARE;
        int score = midgame_pv(search->main, 0, board.player, board.opponent, alpha, beta, depth);
        if (root_stopped(search) || (score > alpha && score < beta))
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
static void deepen(struct willow_search *search, struct willow_board board, int depth, int level,
                   struct outcome *outcome)
{
    int step = root_is_limited(search) ? 1 : 2;
    int from = depth <= DIRECT_DEPTH && step == 2 ? depth : depth % step == 0 ? step : 1;
    search->main->selectivity = level;
    for (int at = from; at <= depth && root_may_go_on(search); at += step) {
        int score = midgame_iteration(search, board, at, outcome->depth > 0, outcome->score);
        if (root_stopped(search)) {
            take_unfinished(search, outcome);
            return;
        }
        *outcome = take(search, score, at, false);
    }
}

static int endgame_iteration(struct willow_search *search, struct willow_board board, int empties, bool guessed,
                             int guess)
{
    int width = ENDGAME_WINDOW;
    int alpha = guessed ? guess - width : -ENDGAME_INFINITE, beta = guessed ? guess + width : ENDGAME_INFINITE;
    for (;;) {
        search->root_move = WILLOW_NO_SQUARE;
        int score = endgame_pv(search->main, 0, board.player, board.opponent, alpha, beta, empties);
        if (root_stopped(search) || (score > alpha && score < beta))
            return score;
        width *= 2;
        if (width > WILLOW_SQUARES) {
            /* Both sides have been open to the end: selective searches can contradict each other. The full window ends
             * it. */
            alpha = -ENDGAME_INFINITE;
            beta = ENDGAME_INFINITE;
        } else if (score <= alpha) {
            beta = score + 1;
            alpha = width < WILLOW_SQUARES ? score - width : -ENDGAME_INFINITE;
        } else {
            alpha = score - 1;
            beta = width < WILLOW_SQUARES ? score + width : ENDGAME_INFINITE;
        }
    }
}

/* Won, drawn or lost: one window holds all that is asked. */
static int win_loss_iteration(struct willow_search *search, struct willow_board board, int empties)
{
    search->root_move = WILLOW_NO_SQUARE;
    return endgame_pv(search->main, 0, board.player, board.opponent, -1, 1, empties);
}

/* One search to the end at a level of selectivity. False when it was stopped. */
static bool solve_at(struct willow_search *search, struct willow_board board, int empties, int level, bool win_loss,
                     struct outcome *outcome)
{
    search->main->selectivity = level;
    /* Scores are even on a board of an even number of squares, so an even guess in the middle of an even window meets
     * them. */
    int guess = outcome->score / (2 * WILLOW_SCORE_DISC) * 2;
    int score = win_loss ? win_loss_iteration(search, board, empties)
                         : endgame_iteration(search, board, empties, outcome->depth > 0, guess);
    if (root_stopped(search)) {
        take_unfinished(search, outcome);
        return false;
    }
    const struct search_line before = outcome->line;
    *outcome = take(search, score * WILLOW_SCORE_DISC, empties, true);
    /* Lost whatever the move, and nothing more was asked: none has raised alpha. */
    if (outcome->line.length == 0)
        outcome->line = before;
    return true;
}

/* Passes on the way to the last one, and the number of empty squares from which on they are worth their time: by the
 * nodes of whole solutions of FFO 40-52 and hard-20. Where time or nodes may end the search, each is something to fall
 * back on. */
static const struct {
    int level, empties, empties_limited;
} passes[] = {{0, 18, 14}, {1, 18, 14}, {3, 27, 16}};

/* Midgame searches guess the score and fill the table with good moves; then to the end, ever less selectively. */
static void solve(struct willow_search *search, struct willow_board board, const struct task *task, int empties,
                  struct outcome *outcome)
{
    if (empties >= GUESS_EMPTIES)
        deepen(search, board, empties - GUESS_MARGIN, 0, outcome);
    else if (task->win_loss)
        deepen(search, board, 1, SELECTIVITY_NONE, outcome); /* a move, should all be lost */
    for (size_t i = 0; i < sizeof passes / sizeof passes[0] && passes[i].level < task->level; i++) {
        if (empties < (root_is_limited(search) ? passes[i].empties_limited : passes[i].empties) ||
            !root_may_go_on(search))
            continue;
        if (!solve_at(search, board, empties, passes[i].level, task->win_loss, outcome))
            return;
    }
    if (root_may_go_on(search))
        solve_at(search, board, empties, task->level, task->win_loss, outcome);
}

/* Before anything has finished: one ply, whatever the limits say. */
static void answer_at_once(struct willow_search *search, struct willow_board board, struct outcome *outcome)
{
    handle_unlimit(search);
    model_state_init(search->weights, board, &search->main->states[0]);
    int score = midgame_iteration(search, board, 1, false, 0);
    *outcome = take(search, score, 1, false);
    search->main->stopped = true;
}

static int empties_of(const struct willow_search *search, struct willow_board board)
{
    return kernel_count(worker_empty(search->main, board.player, board.opponent));
}

static struct outcome search_moving(struct willow_search *search, struct willow_board board, const struct task *task)
{
    struct outcome outcome = {.score = 0};
    int empties = empties_of(search, board);
    if (!task->to_end || task->win_loss || empties >= ENDGAME_EVAL_EMPTIES)
        model_state_init(search->weights, board, &search->main->states[0]);
    if (task->to_end)
        solve(search, board, task, empties, &outcome);
    else
        deepen(search, board, task->depth, task->level, &outcome);
    if (outcome.line.length == 0)
        answer_at_once(search, board, &outcome);
    if (task->to_end && task->win_loss)
        outcome.score = ((outcome.score > 0) - (outcome.score < 0)) * WILLOW_SCORE_DISC;
    return outcome;
}

struct outcome root_search(struct willow_search *search, struct willow_board board, const struct task *task)
{
    struct worker *main = search->main;
    if (worker_moves(main, board.player, board.opponent))
        return search_moving(search, board, task);
    if (!worker_moves(main, board.opponent, board.player)) {
        int score = worker_final_discs(main, board.player, board.opponent);
        if (task->win_loss)
            score = (score > 0) - (score < 0);
        return (struct outcome){.score = score * WILLOW_SCORE_DISC, .level = SELECTIVITY_NONE, .exact = true};
    }
    struct willow_board passed = {.player = board.opponent, .opponent = board.player};
    struct outcome outcome = search_moving(search, passed, task);
    outcome.score = -outcome.score;
    main->lines[1] = outcome.line;
    worker_extend_line(main, 0, WILLOW_PASS);
    outcome.line = main->lines[0];
    return outcome;
}

static struct task task_of(const struct willow_limits *limits, int empties)
{
    bool exact = empties <= limits->exact_empties;
    bool to_end = exact || limits->depth <= 0 || limits->depth >= empties;
    /* So near the end nothing is left out. */
    exact = exact || (to_end && empties < SELECTIVE_EMPTIES_MIN);
    return (struct task){.depth = limits->depth,
                         .level = exact ? SELECTIVITY_NONE : selectivity_level(limits->selectivity),
                         .to_end = to_end,
                         .win_loss = limits->win_loss};
}

void willow_search_run(struct willow_search *search, struct willow_board board, const struct willow_limits *limits,
                       struct willow_result *result)
{
    uint64_t start_ns = willow_clock_ns();
    const struct task task = task_of(limits, empties_of(search, board));
    const bool placing = willow_board_placing(search->ruleset, board);
    handle_set_raw(search, limits->raw && task.to_end);
    handle_begin(search, limits);
    /* On a clock there is nothing to think about where there is nothing to choose. */
    if (search->soft_deadline_ns > 0 && willow_bits_count(willow_board_moves(search->ruleset, board)) == 1)
        search->soft_deadline_ns = 1;
    struct outcome outcome = placing ? placement_search(search, board, &task) : root_search(search, board, &task);
    *result = (struct willow_result){
        .move = outcome.line.length > 0 ? outcome.line.moves[0] : WILLOW_NO_SQUARE,
        .score = outcome.score,
        .depth = outcome.depth,
        .selectivity = willow_selectivities[outcome.level],
        .exact = outcome.exact,
        .complete = outcome.line.length == 0 || !root_stopped(search),
        .nodes = handle_nodes(search),
        .pv_length = outcome.line.length,
    };
    memcpy(result->pv, outcome.line.moves, (size_t)outcome.line.length * sizeof result->pv[0]);
    result->time_ns = willow_clock_ns() - start_ns;
}

/* Scores by static evaluation; finished games by their discs. */
static int score_statically(struct willow_search *search, struct willow_board board, struct willow_scored_move *moves)
{
    struct move_list list;
    struct worker *main = search->main;
    moves_generate(&list, board.player, board.opponent, worker_moves(main, board.player, board.opponent));
    if (list.count == 0)
        return 0;
    model_state_init(search->weights, board, &main->states[0]);
    for (int i = 0; i < list.count; i++) {
        const struct move *move = &list.moves[i];
        willow_bits player = moves_next_player(board.opponent, move),
                    opponent = moves_next_opponent(board.player, move);
        midgame_play(main, 0, move);
        int score = midgame_shallow(main, 1, player, opponent, -MIDGAME_INFINITE, MIDGAME_INFINITE, 0);
        bool over = !worker_moves(main, player, opponent) && !worker_moves(main, opponent, player);
        moves[i] = (struct willow_scored_move){.move = (willow_square)move->square, .score = -score, .exact = over};
    }
    return list.count;
}

/* Scores every move to the depth of the task from the root. All or nothing: after a stop the scores stay as they were,
 * because scores of different depths do not compare. */
static void score_deeply(struct willow_search *search, struct willow_board board, const struct task *task,
                         struct willow_scored_move *moves, int count, struct willow_result *reached)
{
    struct willow_scored_move scored[WILLOW_SQUARES];
    struct task child = *task;
    child.depth--;
    bool exact = true;
    for (int i = 0; i < count; i++) {
        willow_bits flips = kernel_flips(board.player, board.opponent, moves[i].move);
        struct willow_board next = {.player = board.opponent ^ flips,
                                    .opponent = board.player ^ flips ^ WILLOW_BIT(moves[i].move)};
        struct outcome outcome = root_search(search, next, &child);
        if (root_stopped(search))
            return;
        scored[i] = (struct willow_scored_move){.move = moves[i].move, .score = -outcome.score, .exact = outcome.exact};
        exact = exact && outcome.exact;
    }
    memcpy(moves, scored, (size_t)count * sizeof *moves);
    reached->depth = task->to_end ? empties_of(search, board) : task->depth;
    reached->selectivity = willow_selectivities[task->level];
    reached->exact = exact;
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

static int score_in_rounds(struct willow_search *search, struct willow_board board, const struct task *task,
                           struct willow_scored_move *moves, struct willow_result *reached)
{
    const int count = score_statically(search, board, moves);
    struct task round = *task;
    /* Rounds on the way give a limited search something to fall back on, and the last one a full table. */
    const int rounds_to = task->to_end ? empties_of(search, board) - GUESS_MARGIN : task->depth - 1;
    round.to_end = false;
    /* Where time or nodes may end the search they are what it ends with: selective ones get several plies further. */
    if (task->to_end && root_is_limited(search))
        round.level = 0;
    for (round.depth = MOVES_STEP; round.depth <= rounds_to && root_may_go_on(search); round.depth += MOVES_STEP)
        score_deeply(search, board, &round, moves, count, reached);
    if ((task->to_end || task->depth > 1) && root_may_go_on(search))
        score_deeply(search, board, task, moves, count, reached);
    return count;
}

static int score_placements(struct willow_search *search, struct willow_board board, const struct task *task,
                            struct willow_scored_move *moves, struct willow_result *reached)
{
    struct outcome outcome;
    const int count = placement_moves(search, board, task, moves, &outcome);
    reached->depth = outcome.depth;
    reached->selectivity = willow_selectivities[outcome.level];
    reached->exact = outcome.exact;
    return count;
}

int willow_search_moves_reached(struct willow_search *search, struct willow_board board,
                                const struct willow_limits *limits, struct willow_scored_move *moves,
                                struct willow_result *reached)
{
    const uint64_t start_ns = willow_clock_ns();
    const int empties = empties_of(search, board);
    const struct task task = task_of(limits, empties);
    handle_set_raw(search, limits->raw && task.to_end);
    handle_begin(search, limits);
    *reached = (struct willow_result){.depth = 1, .selectivity = WILLOW_NOT_SELECTIVE, .move = WILLOW_NO_SQUARE};
    const int count = willow_board_placing(search->ruleset, board)
                          ? score_placements(search, board, &task, moves, reached)
                          : score_in_rounds(search, board, &task, moves, reached);
    sort_moves(moves, count);
    if (count > 0) {
        reached->move = reached->pv[0] = moves[0].move;
        reached->pv_length = 1;
        reached->score = moves[0].score;
    }
    reached->complete = !root_stopped(search);
    reached->nodes = handle_nodes(search);
    reached->time_ns = willow_clock_ns() - start_ns;
    return count;
}

int willow_search_moves(struct willow_search *search, struct willow_board board, const struct willow_limits *limits,
                        struct willow_scored_move *moves)
{
    struct willow_result reached;
    return willow_search_moves_reached(search, board, limits, moves, &reached);
}
