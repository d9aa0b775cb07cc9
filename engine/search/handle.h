/* The inside of a search handle: what all its threads share. What a thread has for itself is in worker.h. Layer:
 * search.
 */
#ifndef SEARCH_HANDLE_H
#define SEARCH_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <willow/search.h>

#include "search/geometry.h"
#include "search/selectivity.h"
#include "search/stability.h"
#include "search/table.h"

struct worker;
struct pool;

struct willow_search {
    const struct willow_weights *weights;
    const struct willow_ruleset *ruleset;
    struct geometry geometry;
    bool raw; /* what the tables hold was found with the empty squares being nobody's */

    /* Limits of the running search; constant while it runs. */
    uint64_t node_limit;       /* 0 = none */
    uint64_t deadline_ns;      /* 0 = none */
    uint64_t soft_deadline_ns; /* 0 = none */
    const struct willow_stop *stop;

    /* Written and read by all threads while a search runs. */
    atomic_bool stopped;       /* a limit was reached: everybody returns */
    _Atomic uint64_t reported; /* nodes that the threads have reported so far, for the node limit */

    /* What the root found in the current iteration; root_move is WILLOW_NO_SQUARE until a move has raised alpha.
     * Written by the caller's thread alone. */
    willow_square root_move;
    int root_score; /* 1/32 disc */

    struct table table;
    struct stability stability;
    struct selectivity_margins margins;
    willow_bits neighbours[WILLOW_SQUARES]; /* squares beside each square: where none holds an opposing disc, a move
                                               turns nothing */
    struct worker *main;                    /* of the caller's thread */
    struct pool *pool;                      /* the other threads; null when there are none */
};

/* Starts counting for a run: nodes to zero, limits in force, one look at them. */
void handle_begin(struct willow_search *search, const struct willow_limits *limits);

/* Only between runs: from now on the empty squares of a finished game are nobody's, or again the winner's. Forgets what
 * was found under the other rule. */
void handle_set_raw(struct willow_search *search, bool raw);

/* Lifts the limits, so that a short search can finish after a stop. */
void handle_unlimit(struct willow_search *search);

/* Nodes of all threads since handle_begin. */
uint64_t handle_nodes(const struct willow_search *search);

#endif
