/* The inside of a search handle: everything a search reads and writes, and the checks of its limits. One thread owns
 * it; the weights are shared and constant. Layer: search.
 */
#ifndef SEARCH_HANDLE_H
#define SEARCH_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/search.h>

#include "eval/model.h"
#include "rules/kernel.h"
#include "search/stability.h"
#include "search/table.h"

/* Plies from the root, passes counted: at most a pass after each of 60 moves. One more for a leaf that passes. */
enum { SEARCH_PLIES = 128 };

struct search_line {
    int length;
    willow_square moves[WILLOW_PV_MAX];
};

struct willow_search {
    const struct willow_weights *weights;
    uint64_t playable;
    int squares; /* playable squares */
    bool fewest_wins;
    bool standard; /* all 64 squares, most discs win: the shortcuts of the endgame hold */

    /* Limits of the running search. */
    uint64_t nodes, next_check;
    uint64_t node_limit;  /* 0 = none */
    uint64_t deadline_ns; /* 0 = none */
    const struct willow_stop *stop;
    bool stopped;

    /* What the root found in the current iteration; root_move is WILLOW_NO_SQUARE until a move has raised alpha. */
    willow_square root_move;
    int root_score; /* 1/32 disc */

    struct table table;
    struct table near; /* positions close to the end: small enough for the processor's cache */
    struct stability stability;
    uint64_t neighbours[64]; /* squares beside each square: where none holds an opposing disc, a move turns nothing */
    struct search_line lines[SEARCH_PLIES + 2];
    struct model_state states[SEARCH_PLIES + 2];
};

/* Starts counting for a run: nodes to zero, limits in force, one look at them. */
void handle_begin(struct willow_search *search, const struct willow_limits *limits);

/* Lifts the limits, so that a short search can finish after a stop. */
void handle_unlimit(struct willow_search *search);

/* Slow part of handle_stopped. */
void handle_check(struct willow_search *search);

/* True once a limit was reached; results of the running search are then void and must not be stored. Called in every
 * node that costs more than a few hundred others. */
static inline bool handle_stopped(struct willow_search *search)
{
    if (search->nodes >= search->next_check)
        handle_check(search);
    return search->stopped;
}

static inline uint64_t handle_empty(const struct willow_search *search, uint64_t player, uint64_t opponent)
{
    return search->playable & ~(player | opponent);
}

static inline uint64_t handle_moves(const struct willow_search *search, uint64_t player, uint64_t opponent)
{
    return kernel_moves(player, opponent) & search->playable;
}

/* Final difference in discs for the side to move: willow_board_final_discs without the call. */
static inline int handle_final_discs(const struct willow_search *search, uint64_t player, uint64_t opponent)
{
    int own = kernel_count(player), other = kernel_count(opponent);
    int difference = own - other, empties = search->squares - own - other;
    if (difference > 0)
        difference += empties;
    else if (difference < 0)
        difference -= empties;
    return search->fewest_wins ? -difference : difference;
}

/* Sets the line at ply to move followed by the line one ply below. */
static inline void handle_extend_line(struct willow_search *search, int ply, int move)
{
    struct search_line *line = &search->lines[ply];
    const struct search_line *below = line + 1;
    line->moves[0] = (willow_square)move;
    line->length = 1;
    for (int i = 0; i < below->length && line->length < WILLOW_PV_MAX; i++)
        line->moves[line->length++] = below->moves[i];
}

/* A move has raised the lower bound of a principal-variation node; at the root it is the answer so far. */
static inline void handle_raise(struct willow_search *search, int ply, int move, willow_score score)
{
    handle_extend_line(search, ply, move);
    if (ply == 0) {
        search->root_move = (willow_square)move;
        search->root_score = score;
    }
}

#endif
