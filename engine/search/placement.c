/* The phase in which the first discs are placed freely. It is short, and nearly all of its ends are images of each
 * other: each different end is searched once, and plain minimax chooses among them. Layer: search.
 */
#include "search/placement.h"

#include <willow/ruleset.h>

#include "search/handle.h"

/* Four discs on four squares, two of each colour. */
enum { ENDS_MAX = 6 };

/* Plies between the rounds, which give a search that is cut short something to fall back on. */
enum { ROUND_STEP = 4 };

/* A board at the end of the phase, as the least of its images. */
struct end {
    struct willow_board board;
    struct outcome outcome;
};

struct phase {
    struct willow_search *search;
    const struct willow_ruleset *ruleset;
    int left; /* discs to be placed */
    int count;
    struct end ends[ENDS_MAX];
};

static struct end *find_end(struct phase *phase, struct willow_board board, int *symmetry)
{
    const struct willow_board least = willow_board_canonical(phase->ruleset, board, symmetry);
    struct end *end = phase->ends;
    while (end < phase->ends + phase->count &&
           (end->board.player != least.player || end->board.opponent != least.opponent))
        end++;
    if (end == phase->ends + phase->count) {
        end->board = least;
        phase->count++;
    }
    return end;
}

static void collect_ends(struct phase *phase, struct willow_board board)
{
    if (!willow_board_placing(phase->ruleset, board)) {
        find_end(phase, board, NULL);
        return;
    }
    for (willow_bits legal = willow_board_moves(phase->ruleset, board); legal; legal &= legal - 1)
        collect_ends(phase, willow_board_play(board, (willow_square)willow_bits_first(legal)));
}

/* All or nothing: outcomes of different depths do not compare. */
static void search_ends(struct phase *phase, const struct task *task, bool first)
{
    struct outcome outcomes[ENDS_MAX];
    for (int i = 0; i < phase->count; i++) {
        outcomes[i] = root_search(phase->search, phase->ends[i].board, task);
        if (!first && root_stopped(phase->search))
            return;
    }
    for (int i = 0; i < phase->count; i++)
        phase->ends[i].outcome = outcomes[i];
}

/* The value of a board for the side to move, with the line of best play; among equals the first square. */
static int value(struct phase *phase, struct willow_board board, struct search_line *line)
{
    if (!willow_board_placing(phase->ruleset, board)) {
        int symmetry;
        const struct outcome *outcome = &find_end(phase, board, &symmetry)->outcome;
        *line = outcome->line;
        for (int i = 0; i < line->length; i++)
            line->moves[i] = willow_square_symmetry(phase->ruleset, line->moves[i], willow_symmetry_inverse(symmetry));
        return outcome->score;
    }
    int best = -WILLOW_SCORE_MAX - 1;
    for (willow_bits legal = willow_board_moves(phase->ruleset, board); legal; legal &= legal - 1) {
        const willow_square square = (willow_square)willow_bits_first(legal);
        struct search_line below;
        const int score = -value(phase, willow_board_play(board, square), &below);
        if (score <= best)
            continue;
        best = score;
        *line = (struct search_line){.length = 1, .moves = {square}};
        for (int i = 0; i < below.length && line->length < WILLOW_PV_MAX; i++)
            line->moves[line->length++] = below.moves[i];
    }
    return best;
}

/* Searches what the task says; the rounds before it are short. */
static void search_phase(struct phase *phase, struct willow_search *search, struct willow_board board,
                         const struct task *task)
{
    *phase = (struct phase){.search = search, .ruleset = search->ruleset};
    phase->left = willow_bits_count(search->ruleset->placement & ~(board.player | board.opponent));
    collect_ends(phase, board);
    struct task round = *task;
    round.to_end = false;
    round.depth = 1;
    search_ends(phase, &round, true);
    const int depth = task->to_end ? search->geometry.squares : task->depth - phase->left;
    for (round.depth = ROUND_STEP; root_is_limited(search) && round.depth < depth && root_may_go_on(search);
         round.depth += ROUND_STEP)
        search_ends(phase, &round, false);
    round = *task;
    round.depth = depth;
    if ((task->to_end || depth > 1) && root_may_go_on(search))
        search_ends(phase, &round, false);
}

/* The whole is as good as the least of its ends. */
static struct outcome combine(struct phase *phase, struct willow_board board, const struct task *task)
{
    struct outcome outcome = phase->ends[0].outcome;
    for (int i = 1; i < phase->count; i++) {
        const struct outcome *other = &phase->ends[i].outcome;
        outcome.depth = other->depth < outcome.depth ? other->depth : outcome.depth;
        outcome.level = other->level < outcome.level ? other->level : outcome.level;
        outcome.exact = outcome.exact && other->exact;
    }
    outcome.depth += phase->left;
    outcome.score = value(phase, board, &outcome.line);
    if (task->to_end && task->win_loss)
        outcome.score = ((outcome.score > 0) - (outcome.score < 0)) * WILLOW_SCORE_DISC;
    return outcome;
}

struct outcome placement_search(struct willow_search *search, struct willow_board board, const struct task *task)
{
    struct phase phase;
    search_phase(&phase, search, board, task);
    return combine(&phase, board, task);
}

int placement_moves(struct willow_search *search, struct willow_board board, const struct task *task,
                    struct willow_scored_move *moves, struct outcome *outcome)
{
    struct phase phase;
    search_phase(&phase, search, board, task);
    *outcome = combine(&phase, board, task);
    int count = 0;
    for (willow_bits legal = willow_board_moves(search->ruleset, board); legal; legal &= legal - 1) {
        const willow_square square = (willow_square)willow_bits_first(legal);
        struct search_line line;
        const int score = -value(&phase, willow_board_play(board, square), &line);
        moves[count++] = (struct willow_scored_move){.move = square, .score = score, .exact = outcome->exact};
    }
    return count;
}
