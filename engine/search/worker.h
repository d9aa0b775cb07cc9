/* What one thread of a search has for itself: its stack of positions and lines, its counters, a small table. Everything
 * that runs below the root takes a worker. Layer: search.
 */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/model.h"
#include "rules/kernel.h"
#include "search/handle.h"
#include "search/neartable.h"
#include "search/split.h"

/* Plies from the root, passes counted: at most a pass after each move. One more for a leaf that passes. */
enum { SEARCH_PLIES = 2 * WILLOW_SQUARES };

struct worker {
    struct willow_search *search;

    /* Copies of the handle's constants, close to what is used with them. */
    const struct willow_weights *weights;
    struct table *table; /* shared by all workers */
    const willow_bits *neighbours;
    struct geometry geometry;
    bool fewest_wins;
    int fold_empties; /* from here up searches to the end look up the least image of a board */
    bool raw;         /* of the running search: the empty squares are nobody's */
    bool standard; /* all squares of the word, most discs win, the winner takes the rest: constants instead of fields */

    int selectivity;     /* level of the running search */
    int verifications;   /* ProbCut searches that this node lies below */
    bool stopped;        /* results of the running search are void */
    struct split *split; /* innermost node that is shared with others and that this worker works below; null if none */
    uint64_t nodes, reported, next_check;

    struct near_table near; /* positions close to the end */
    struct search_line lines[SEARCH_PLIES + 2];
    struct model_state states[SEARCH_PLIES + 2];
};

/* WILLOW_ERR_MEMORY. */
enum willow_status worker_new(struct willow_search *search, struct worker **worker, struct willow_error *error);
void worker_free(struct worker *worker);

/* Only between runs: whether the empty squares of a finished game are nobody's. */
void worker_set_raw(struct worker *worker, bool raw);

/* Before every run. */
void worker_begin(struct worker *worker);

/* Slow part of worker_stopped. */
void worker_check(struct worker *worker);

/* True once the results of the running search are void, because a limit was reached or because another thread has
 * settled a node above: they must not be stored. True from then on until the node in question is left. */
static inline bool worker_void(const struct worker *worker)
{
    return worker->stopped || (worker->split && split_cut(worker->split));
}

/* The same, after a look at the limits every few thousand nodes. Called in every node that costs more than a few
 * hundred others. */
static inline bool worker_stopped(struct worker *worker)
{
    if (worker->nodes >= worker->next_check)
        worker_check(worker);
    return worker_void(worker);
}

static inline willow_bits worker_empty(const struct worker *worker, willow_bits player, willow_bits opponent)
{
    return worker->geometry.playable & ~(player | opponent);
}

static inline willow_bits worker_moves(const struct worker *worker, willow_bits player, willow_bits opponent)
{
    return kernel_moves(player, opponent) & worker->geometry.playable;
}

/* Legal moves of the side to move, corners counted twice: what it costs the other side to leave them. */
static inline int worker_weighted_mobility(const struct worker *worker, willow_bits legal)
{
    return kernel_count(legal) + kernel_count(legal & worker->geometry.corners);
}

/* Final difference in discs for the side to move: willow_board_final_discs without the call, or the raw difference. */
static inline int worker_final_discs(const struct worker *worker, willow_bits player, willow_bits opponent)
{
    int own = kernel_count(player), other = kernel_count(opponent);
    int difference = own - other, empties = worker->raw ? 0 : worker->geometry.squares - own - other;
    if (difference > 0)
        difference += empties;
    else if (difference < 0)
        difference -= empties;
    return worker->fewest_wins ? -difference : difference;
}

/* Sets the line at ply to move followed by the line one ply below. */
static inline void worker_extend_line(struct worker *worker, int ply, int move)
{
    struct search_line *line = &worker->lines[ply];
    const struct search_line *below = line + 1;
    line->moves[0] = (willow_square)move;
    line->length = 1;
    for (int i = 0; i < below->length && line->length < WILLOW_PV_MAX; i++)
        line->moves[line->length++] = below->moves[i];
}

#endif
