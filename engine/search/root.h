/* What the root is asked for and what it has found, for whoever searches several positions within one run.
 * Layer: search. */
#ifndef SEARCH_ROOT_H
#define SEARCH_ROOT_H

#include <stdbool.h>

#include "search/worker.h"

/* What is asked for. */
struct task {
    int depth; /* plies; without meaning when to_end */
    int level; /* of selectivity */
    bool to_end, win_loss;
};

/* The best of what is finished so far. */
struct outcome {
    int score; /* 1/32 disc */
    int depth; /* 0 = nothing finished */
    int level;
    bool exact;
    struct search_line line;
};

/* Any position but those of the placement phase: a finished game has an exact score and no line; a pass costs no depth.
 * With a move in the line wherever there is one, even when a limit was reached before it began. */
struct outcome root_search(struct willow_search *search, struct willow_board board, const struct task *task);

/* Nodes or time may end the search anywhere. */
bool root_is_limited(const struct willow_search *search);

/* A limit was reached. */
bool root_stopped(const struct willow_search *search);

/* Time for more? Not while nothing has been finished: the hard limits see to that. */
bool root_may_go_on(const struct willow_search *search);

#endif
