/* Scores the moves of a game's positions, the best and the played one or all, every move of a position by the same kind
 * of search. Prints nothing. Layer: engine/cli (target willow_analysis).
 */
#include <string.h>

#include <willow/clock.h>

#include "analyse.h"

/* Rounds that a limited analysis has to fall back on: depths rise by so many plies (odd and even depths do not
 * compare), to as many empty squares before the end as the search's own guesses go. */
enum { ROUND_STEP = 2, END_MARGIN = 12, ROUNDS_MAX = 64 };

/* A round scores all moves of a position alike. */
struct round {
    bool to_end;
    int depth; /* plies from the position; without meaning when to_end */
    int selectivity;
};

/* What the rounds of one position share. */
struct scoring {
    struct willow_search *search;
    const struct analyse_plan *plan;
    const struct willow_ruleset *ruleset;
    struct willow_board board;
    struct analyse_position *position;
    uint64_t deadline_ns; /* 0 = none */
};

void analyse_start(struct analyse_game *analysis, const struct willow_game *game)
{
    analysis->game = *game;
    struct willow_game *own = &analysis->game;
    if (own->length < WILLOW_GAME_MAX && !willow_game_over(own) &&
        willow_board_moves(own->ruleset, willow_game_board(own)) == 0)
        (void)willow_game_play(own, WILLOW_PASS, NULL);
    analysis->complete = false;
    analysis->count = own->length + 1;
    memset(analysis->positions, 0, (size_t)analysis->count * sizeof analysis->positions[0]);
    enum willow_side side = own->start_side;
    int number = 1;
    for (int i = 0; i < analysis->count; i++) {
        struct analyse_position *position = &analysis->positions[i];
        position->side = side;
        position->number = number;
        position->played = i < own->length ? own->moves[i] : WILLOW_NO_SQUARE;
        position->empties = willow_board_empties(own->ruleset, own->boards[i]);
        position->legal = willow_bits_count(willow_board_moves(own->ruleset, own->boards[i]));
        position->over = willow_board_over(own->ruleset, own->boards[i]);
        position->played_at = -1;
        number += position->played != WILLOW_PASS;
        side = side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
    }
}

static bool is_stopped(const struct analyse_plan *plan)
{
    return plan->choice.limits.stop && willow_stop_get(plan->choice.limits.stop);
}

/* The round that the limits ask for. */
static struct round last_round(const struct willow_limits *limits, int empties)
{
    const bool exact = empties <= limits->exact_empties;
    return (struct round){.to_end = exact || limits->depth <= 0 || limits->depth >= empties,
                          .depth = limits->depth,
                          .selectivity =
                              exact || limits->selectivity == 0 ? WILLOW_NOT_SELECTIVE : limits->selectivity};
}

/* The rounds on the way to the last one, which comes last. Without steps it is the only one. */
static int plan_rounds(const struct round *last, int empties, bool steps, struct round rounds[ROUNDS_MAX])
{
    static const int end_selectivities[] = {73, 87, 98};
    int count = 0;
    const int way = last->to_end ? empties - END_MARGIN + 1 : last->depth;
    const int first = way % ROUND_STEP == 0 ? 2 * ROUND_STEP : ROUND_STEP + 1;
    for (int depth = first; steps && depth < way; depth += ROUND_STEP)
        rounds[count++] = (struct round){.depth = depth, .selectivity = last->to_end ? 73 : last->selectivity};
    for (size_t i = 0; steps && last->to_end && i < sizeof end_selectivities / sizeof *end_selectivities; i++)
        if (empties > END_MARGIN && end_selectivities[i] < last->selectivity)
            rounds[count++] = (struct round){.to_end = true, .selectivity = end_selectivities[i]};
    if (last->to_end || last->depth > 1)
        rounds[count++] = *last;
    return count;
}

/* One search, `plies` deep when it is not to the end. False when it was cut short. */
static bool search_board(struct scoring *scoring, struct willow_board board, const struct round *round, int plies,
                         struct willow_result *result)
{
    struct willow_limits limits = {.depth = round->to_end ? 0 : plies,
                                   .selectivity = round->selectivity,
                                   .stop = scoring->plan->choice.limits.stop};
    if (scoring->deadline_ns > 0) {
        const uint64_t now_ns = willow_clock_ns();
        limits.time_ms = now_ns < scoring->deadline_ns ? (scoring->deadline_ns - now_ns) / 1000000 : 0;
        if (limits.time_ms == 0)
            return false;
    }
    willow_search_run(scoring->search, board, &limits, result);
    scoring->position->nodes += result->nodes;
    return result->complete;
}

/* The weakest of what the searches of a round reached is what can be said of them all. */
static void weaken(struct analyse_position *round_of, const struct willow_result *result)
{
    round_of->exact = round_of->exact && result->exact;
    if (!result->exact && result->selectivity < round_of->selectivity)
        round_of->selectivity = result->selectivity;
}

/* A move by a search of the position after it. */
static bool score_move(struct scoring *scoring, const struct round *round, willow_square square,
                       struct analyse_position *scored)
{
    struct willow_result result;
    if (!search_board(scoring, willow_board_play(scoring->board, square), round, round->depth - 1, &result))
        return false;
    struct analyse_move *move = &scored->moves[scored->count++];
    *move = (struct analyse_move){.move = square, .score = -result.score, .exact = result.exact, .line_length = 1};
    move->line[0] = square;
    for (int i = 0; i < result.pv_length && move->line_length < WILLOW_PV_MAX; i++)
        move->line[move->line_length++] = result.pv[i];
    weaken(scored, &result);
    return true;
}

/* The best move by a search of the position itself, then the one that was played, if it is another. */
static bool score_best_and_played(struct scoring *scoring, const struct round *round, struct analyse_position *scored)
{
    struct willow_result result;
    if (!search_board(scoring, scoring->board, round, round->depth, &result))
        return false;
    struct analyse_move *best = &scored->moves[scored->count++];
    *best = (struct analyse_move){
        .move = result.move, .score = result.score, .exact = result.exact, .line_length = result.pv_length};
    memcpy(best->line, result.pv, (size_t)result.pv_length * sizeof best->line[0]);
    weaken(scored, &result);
    return scored->played == WILLOW_NO_SQUARE || scored->played == result.move ||
           score_move(scoring, round, scored->played, scored);
}

static bool score_all(struct scoring *scoring, const struct round *round, struct analyse_position *scored)
{
    /* In the order of the round before: what is good now probably was, and leaves most to the others. */
    const struct analyse_position *before = scoring->position;
    for (int i = 0; i < before->count; i++)
        if (!score_move(scoring, round, before->moves[i].move, scored))
            return false;
    return true;
}

static bool comes_first(const struct analyse_move *a, const struct analyse_move *b, willow_square played)
{
    if (a->score != b->score)
        return a->score > b->score;
    if ((a->move == played) != (b->move == played))
        return a->move == played;
    if (a->exact != b->exact)
        return a->exact;
    return a->move < b->move;
}

/* Whatever the depth of the search: a move that ends the game is worth what is on the board then, and nothing is worth
 * more than all of the board. */
static void find_exact(const struct scoring *scoring, struct analyse_position *position)
{
    const int most = willow_ruleset_squares(scoring->ruleset);
    for (int i = 0; i < position->count; i++) {
        struct analyse_move *move = &position->moves[i];
        move->exact = move->exact || willow_board_over(scoring->ruleset, willow_board_play(scoring->board, move->move));
        position->exact = position->exact || (move->exact && move->score == most * WILLOW_SCORE_DISC);
    }
}

/* Puts the moves in order, and says what each of them loses. */
static void rank(const struct scoring *scoring, struct analyse_position *position)
{
    struct analyse_move *moves = position->moves;
    find_exact(scoring, position);
    for (int i = 1; i < position->count; i++) {
        const struct analyse_move move = moves[i];
        int at = i;
        for (; at > 0 && comes_first(&move, &moves[at - 1], position->played); at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
    position->score = moves[0].score;
    for (int i = 0; i < position->count; i++) {
        moves[i].loss = position->score - moves[i].score;
        if (moves[i].move == position->played)
            position->played_at = i;
    }
}

/* Every move by the evaluation of what comes after it: at once, whatever the limits are. */
static void score_statically(struct scoring *scoring, struct analyse_position *position)
{
    const struct willow_limits limits = {.depth = 1, .selectivity = WILLOW_NOT_SELECTIVE};
    struct willow_scored_move moves[WILLOW_SQUARES];
    const int count = willow_search_moves(scoring->search, scoring->board, &limits, moves);
    position->depth = 1;
    position->selectivity = WILLOW_NOT_SELECTIVE;
    position->exact = true;
    for (int i = 0; i < count; i++) {
        position->exact = position->exact && moves[i].exact;
        if (!scoring->plan->all && i > 0 && moves[i].move != position->played)
            continue;
        position->moves[position->count++] = (struct analyse_move){.move = moves[i].move,
                                                                   .score = moves[i].score,
                                                                   .exact = moves[i].exact,
                                                                   .line_length = 1,
                                                                   .line = {moves[i].move}};
    }
    rank(scoring, position);
}

/* Scores the moves once more; the position keeps what it had when the round is cut short. */
static bool play_round(struct scoring *scoring, const struct round *round)
{
    struct analyse_position *position = scoring->position, scored = *position;
    scored.count = 0;
    scored.exact = true;
    scored.selectivity = WILLOW_NOT_SELECTIVE;
    scored.depth = round->to_end ? position->empties : round->depth;
    if (!round->to_end)
        scored.selectivity = round->selectivity;
    if (!(scoring->plan->all ? score_all(scoring, round, &scored) : score_best_and_played(scoring, round, &scored)))
        return false;
    if (scored.exact)
        scored.selectivity = WILLOW_NOT_SELECTIVE;
    scored.nodes = position->nodes;
    rank(scoring, &scored);
    *position = scored;
    return true;
}

static enum analyse_mark mark_of(willow_score loss, willow_score blunder_loss)
{
    if (loss > 0 && loss >= blunder_loss)
        return ANALYSE_BLUNDER;
    return loss > 0 && 2 * loss >= blunder_loss ? ANALYSE_MISTAKE : ANALYSE_GOOD;
}

static void report(const struct analyse_plan *plan, const struct analyse_game *analysis, int index)
{
    if (plan->progress)
        plan->progress(plan->context, analysis, index);
}

/* A position with a choice of moves. True when it was analysed as far as the plan asks. */
static bool score_position(struct scoring *scoring, const struct analyse_game *analysis, int index)
{
    struct analyse_position *position = scoring->position;
    const struct willow_limits limits = willow_choice_limits(&scoring->plan->choice, position->empties, NULL);
    const uint64_t start_ns = willow_clock_ns();
    if (limits.time_ms > 0)
        scoring->deadline_ns = start_ns + limits.time_ms * 1000000;
    struct round rounds[ROUNDS_MAX];
    const struct round last = last_round(&limits, position->empties);
    const int count = plan_rounds(&last, position->empties, limits.time_ms > 0 || scoring->plan->all, rounds);
    score_statically(scoring, position);
    bool reached = true;
    for (int i = 0; i < count && reached; i++) {
        reached = play_round(scoring, &rounds[i]);
        position->time_ns = willow_clock_ns() - start_ns;
        if (reached)
            report(scoring->plan, analysis, index);
    }
    return reached;
}

/* A pass is worth what comes after it; a finished game what is on the board. */
static void score_without_choice(struct analyse_game *analysis, int index)
{
    struct analyse_position *position = &analysis->positions[index];
    if (position->over) {
        position->score =
            willow_board_final_discs(analysis->game.ruleset, analysis->game.boards[index]) * WILLOW_SCORE_DISC;
        position->selectivity = WILLOW_NOT_SELECTIVE;
        position->exact = position->done = true;
        return;
    }
    const struct analyse_position *next = position + 1;
    position->score = -next->score;
    position->depth = next->depth;
    position->selectivity = next->selectivity;
    position->exact = next->exact;
    position->done = next->done;
}

enum willow_status analyse_run(struct analyse_game *analysis, struct willow_search *search,
                               const struct analyse_plan *plan, struct willow_error *error)
{
    for (int i = analysis->count - 1; i >= 0; i--) {
        struct analyse_position *position = &analysis->positions[i];
        if (position->legal == 0) {
            score_without_choice(analysis, i);
            continue;
        }
        struct scoring scoring = {.search = search,
                                  .plan = plan,
                                  .ruleset = analysis->game.ruleset,
                                  .board = analysis->game.boards[i],
                                  .position = position};
        const bool whole = score_position(&scoring, analysis, i);
        /* Among the positions of a game one that was stopped would stand beside deeper ones; alone it is all there is.
         */
        const bool cut_short = !whole && is_stopped(plan);
        if (cut_short && analysis->count > 1)
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        position->done = true;
        if (position->played_at >= 0)
            position->mark = mark_of(position->moves[position->played_at].loss, plan->blunder_loss);
        report(plan, analysis, i);
        if (cut_short)
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    }
    analysis->complete = true;
    return WILLOW_OK;
}
