/* The best moves of a position, depth by depth. Each move is searched with its own full window, so that the scores
 * compare; a round that is cut short counts for nothing. Layer: protocol.
 */
#include "protocol/hint.h"

#include <string.h>

#include <willow/clock.h>

/* A search to the end of the game begins like one to a depth, up to so many plies before the end; then it goes through
 * ever higher selectivities, which from so many empty squares on are worth their time. */
enum { GUESS_MARGIN = 12, PASSES_EMPTIES = 16 };

enum { LOWEST_SELECTIVITY = 73 };

/* A move and what is known of it. */
struct candidate {
    struct willow_scored_move scored;
    int pv_length;
    willow_square pv[WILLOW_PV_MAX];
};

struct hint {
    struct willow_search *search;
    const struct willow_ruleset *ruleset;
    struct willow_board board;
    struct willow_limits limits; /* of the whole */
    int empties;
    uint64_t start_ns, nodes;
    bool cut; /* a limit was reached */
    int count;
    struct candidate candidates[WILLOW_SQUARES];
};

/* What is left of the limits for the next search. */
static bool share_limits(struct hint *hint, const struct willow_limits *round, struct willow_limits *limits)
{
    const uint64_t elapsed_ms = (willow_clock_ns() - hint->start_ns) / 1000000;
    *limits = *round;
    if (hint->limits.time_ms > 0) {
        hint->cut = hint->cut || elapsed_ms >= hint->limits.time_ms;
        limits->time_ms = hint->limits.time_ms - elapsed_ms;
    }
    if (hint->limits.nodes > 0) {
        hint->cut = hint->cut || hint->nodes >= hint->limits.nodes;
        limits->nodes = hint->limits.nodes - hint->nodes;
    }
    limits->stop = hint->limits.stop;
    return !hint->cut;
}

static bool search_board(struct hint *hint, struct willow_board board, const struct willow_limits *round,
                         struct willow_result *result)
{
    struct willow_limits limits;
    if (!share_limits(hint, round, &limits))
        return false;
    willow_search_run(hint->search, board, &limits, result);
    hint->nodes += result->nodes;
    hint->cut = !result->complete;
    return result->complete;
}

/* The position itself, where there is but one move, a pass, or one wanted. */
static bool round_of_one(struct hint *hint, const struct willow_limits *round)
{
    struct willow_result result;
    if (!search_board(hint, hint->board, round, &result))
        return false;
    struct candidate *only = &hint->candidates[0];
    only->scored = (struct willow_scored_move){.move = result.move, .score = result.score, .exact = result.exact};
    only->pv_length = result.pv_length;
    memcpy(only->pv, result.pv, sizeof only->pv);
    return true;
}

/* The score of every move by the evaluation of what comes after it. */
static void round_of_evaluations(struct hint *hint)
{
    const struct willow_limits limits = {.depth = 1};
    struct willow_scored_move moves[WILLOW_SQUARES];
    hint->count = willow_search_moves(hint->search, hint->board, &limits, moves);
    for (int i = 0; i < hint->count; i++)
        hint->candidates[i] = (struct candidate){.scored = moves[i], .pv_length = 1, .pv = {moves[i].move}};
}

/* Takes over what was found, best first; equals stay as they were. */
static void take_sorted(struct hint *hint, const struct candidate *found)
{
    int order[WILLOW_SQUARES];
    for (int i = 0; i < hint->count; i++) {
        int at = i;
        for (; at > 0 && found[order[at - 1]].scored.score < found[i].scored.score; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < hint->count; i++)
        hint->candidates[i] = found[order[i]];
}

/* Every move one after another, the position after it searched one ply less deep. */
static bool round_of_many(struct hint *hint, const struct willow_limits *round)
{
    struct candidate found[WILLOW_SQUARES];
    struct willow_limits child = *round;
    if (child.depth > 0 && --child.depth == 0) {
        round_of_evaluations(hint);
        return true;
    }
    for (int i = 0; i < hint->count; i++) {
        const willow_square move = hint->candidates[i].scored.move;
        struct willow_result result;
        if (!search_board(hint, willow_board_play(hint->board, move), &child, &result))
            return false;
        found[i].scored = (struct willow_scored_move){.move = move, .score = -result.score, .exact = result.exact};
        found[i].pv[0] = move;
        found[i].pv_length = 1;
        for (int ply = 0; ply < result.pv_length && found[i].pv_length < WILLOW_PV_MAX; ply++)
            found[i].pv[found[i].pv_length++] = result.pv[ply];
    }
    take_sorted(hint, found);
    return true;
}

static void fill_report(const struct hint *hint, int wanted, const struct willow_limits *round,
                        struct think_report *report)
{
    const bool to_end = round->depth == 0;
    report->kind = THINK_HINT;
    report->count = hint->count < wanted ? hint->count : wanted;
    report->result.depth = to_end ? hint->empties : round->depth;
    report->result.selectivity = round->selectivity;
    for (int i = 0; i < report->count; i++) {
        const struct candidate *candidate = &hint->candidates[i];
        report->moves[i] = candidate->scored;
        report->pv_length[i] = candidate->pv_length;
        memcpy(report->pv[i], candidate->pv, sizeof report->pv[i]);
    }
    report->result.move = report->moves[0].move;
    report->result.score = report->moves[0].score;
    report->result.exact = report->moves[0].exact;
    report->result.pv_length = report->pv_length[0];
    memcpy(report->result.pv, report->pv[0], sizeof report->result.pv);
}

static void count_cost(const struct hint *hint, struct think_report *report)
{
    report->result.nodes = hint->nodes;
    report->result.time_ns = willow_clock_ns() - hint->start_ns;
}

/* The next round's limits, given the last one's (zeroed before the first). False when there is none. */
static bool next_round(const struct hint *hint, struct willow_limits *round)
{
    const struct willow_limits *limits = &hint->limits;
    const bool exact = hint->empties <= limits->exact_empties;
    const bool to_end = exact || limits->depth <= 0 || limits->depth >= hint->empties;
    const int highest = exact || limits->selectivity == 0 ? WILLOW_NOT_SELECTIVE : limits->selectivity;
    if (!to_end) {
        round->selectivity = highest;
        return ++round->depth <= limits->depth;
    }
    const bool first = round->selectivity == 0;
    if ((first || round->depth > 0) && round->depth + GUESS_MARGIN < hint->empties) {
        round->selectivity = highest < LOWEST_SELECTIVITY ? highest : LOWEST_SELECTIVITY;
        round->depth++;
        return true;
    }
    if (round->depth > 0 || first) {
        round->depth = 0;
        round->selectivity =
            hint->empties >= PASSES_EMPTIES && highest > LOWEST_SELECTIVITY ? LOWEST_SELECTIVITY : highest;
        return true;
    }
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (willow_selectivities[i] > round->selectivity && willow_selectivities[i] <= highest) {
            round->selectivity = willow_selectivities[i];
            return true;
        }
    return false;
}

/* Nothing more can be found out. */
static bool all_exact(const struct hint *hint)
{
    for (int i = 0; i < hint->count; i++)
        if (!hint->candidates[i].scored.exact)
            return false;
    return true;
}

void hint_run(struct willow_search *search, const struct willow_ruleset *ruleset, struct willow_board board,
              const struct willow_limits *limits, int count,
              void (*emit)(void *context, const struct think_report *report), void *context,
              struct think_report *report)
{
    struct hint hint = {.search = search,
                        .ruleset = ruleset,
                        .board = board,
                        .limits = *limits,
                        .empties = willow_board_empties(ruleset, board),
                        .start_ns = willow_clock_ns()};
    *report = (struct think_report){.kind = THINK_HINT};
    report->result.move = WILLOW_NO_SQUARE;
    if (willow_board_over(ruleset, board)) {
        report->result.score = willow_board_final_discs(ruleset, board) * WILLOW_SCORE_DISC;
        report->result.exact = true;
        return;
    }
    round_of_evaluations(&hint);
    const bool one = hint.count < 2 || count == 1;
    if (hint.count == 0)
        hint.candidates[0] = (struct candidate){.scored = {.move = WILLOW_PASS}, .pv_length = 1, .pv = {WILLOW_PASS}};
    if (one && hint.count > 1)
        hint.candidates[0].scored.exact = false; /* a move that ends the game need not be the best one */
    if (one)
        hint.count = 1;
    const struct willow_limits evaluation = {.depth = 1, .selectivity = WILLOW_NOT_SELECTIVE};
    struct willow_limits round = {0};
    fill_report(&hint, count, &evaluation, report);
    while (!all_exact(&hint) && next_round(&hint, &round) &&
           (one ? round_of_one(&hint, &round) : round_of_many(&hint, &round))) {
        fill_report(&hint, count, &round, report);
        count_cost(&hint, report);
        emit(context, report);
    }
    count_cost(&hint, report);
}
