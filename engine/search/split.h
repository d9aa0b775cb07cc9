/* Sharing the moves of one node among threads (young brothers wait): once the first move has been searched, threads
 * that are idle take the others one by one. Whoever opens a node stays until it is finished, and while it waits for the
 * others it helps below the same node only, so that its own stack stays in order. Layer: search.
 */
#ifndef SEARCH_SPLIT_H
#define SEARCH_SPLIT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <willow/search.h>

#include "search/moves.h"

struct worker;
struct node;
struct pool;

struct search_line {
    int length;
    willow_square moves[WILLOW_PV_MAX];
};

/* Score of a move at a node, from the node's side, when alpha has risen to `alpha`. first: the move that decides what
 * the others have to beat. */
typedef int split_child(struct worker *worker, const struct node *node, const struct move *move, int alpha, bool first);

/* Gives the moves of a node their values for ordering, from place node->preferred on. */
typedef void split_order(struct worker *worker, const struct node *node, struct move_list *list);

/* A node whose moves are being searched. Scores in the unit of whoever made it. */
struct node {
    willow_bits player, opponent;
    int ply;
    int depth; /* plies to search, or empty squares */
    int alpha, beta;
    int best, best_square;
    int unit; /* of the scores, in 1/32 disc */
    bool pv;  /* the line of best play is wanted */
    split_child *child;
    int preferred;      /* moves at the front of the list that need no order */
    split_order *order; /* for the others, when those have not settled the node */
};

struct split {
    const struct split *parent; /* what the owner already worked below */
    struct worker *owner;
    const struct move_list *list; /* in the order of search */
    int selectivity, verifications;
    const struct model_state *state; /* of the position */

    atomic_int next;      /* index of the first move that nobody has taken */
    atomic_bool cut;      /* a score at or above beta has come in */
    atomic_int alpha;     /* what a move has to beat; written under the mutex */
    atomic_int searchers; /* threads at work here besides the owner; written under the pool's mutex */

    pthread_mutex_t mutex; /* guards what follows */
    struct node node;      /* only best and best_square change */
    bool raised;           /* line belongs to the best move */
    struct search_line line;
};

/* True when this node, or one above it, needs no more answers. */
static inline bool split_cut(const struct split *split)
{
    for (; split; split = split->parent)
        if (atomic_load_explicit(&split->cut, memory_order_relaxed))
            return true;
    return false;
}

/* Searches all moves of a node, best first, alone or with others: sets best, best_square, alpha, and the line and root
 * move where alpha rose. `shareable`: the moves are worth handing to other threads. False when the result is void. */
bool split_search(struct worker *worker, struct node *node, struct move_list *list, bool shareable);

/* The threads behind a handle. count: threads besides the caller's. WILLOW_ERR_MEMORY. */
enum willow_status pool_new(struct willow_search *search, int count, struct pool **pool, struct willow_error *error);
void pool_free(struct pool *pool);

/* For all workers of the pool; only between runs. */
void pool_begin(struct pool *pool);
void pool_clear(struct pool *pool);
void pool_set_raw(struct pool *pool, bool raw);
uint64_t pool_nodes(const struct pool *pool);

#endif
