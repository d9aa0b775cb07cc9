/* Lines of the NBoard protocol as text: moves, depths, evaluations. Layer: protocol. No state. */
#ifndef PROTOCOL_NBOARD_TEXT_H
#define PROTOCOL_NBOARD_TEXT_H

#include <stdbool.h>

#include <willow/notation.h>
#include <willow/search.h>

/* What "set depth" asks for. */
struct nboard_depth {
    int plies;       /* 0 = not set */
    int selectivity; /* percent, for a search to the end of the game; 0 = a number of plies was set */
    bool win_loss;
};

/* No game has more plies left: what "set depth" takes at most. */
enum { NBOARD_DEPTH_MAX = WILLOW_SQUARES - 4 };

/* "12", "100%", "95%W"; false when it is none: then *depth is unchanged. */
bool nboard_depth_parse(const char *text, struct nboard_depth *depth);

/* Sets depth, selectivity, exact_empties and win_loss of *limits for a position with so many empty squares. */
void nboard_depth_limit(const struct nboard_depth *depth, int empties, struct willow_limits *limits);

/* "F5", "PA"; returns the buffer, which holds at least WILLOW_SQUARE_TEXT bytes. */
char *nboard_move_format(willow_square move, char *buffer);

/* How far a search has looked. */
struct nboard_reach {
    int depth, empties, selectivity;
    bool exact, win_loss;
};

/* "search PV EVAL 0 DEPTH", where PV begins with the move and may be empty in the call. The buffer holds NBOARD_LINE
 * bytes. Returns it. */
enum { NBOARD_LINE = (WILLOW_SQUARE_TEXT - 1) * WILLOW_PV_MAX + 96 };
char *nboard_search_format(willow_square move, const willow_square *pv, int pv_length, willow_score score,
                           const struct nboard_reach *reach, char *buffer);

/* The value in discs of a score. */
double nboard_eval(willow_score score);

#endif
