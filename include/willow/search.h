/* The search: best move and score of a position within limits of depth, nodes and time, by one thread or several.
 * Layer: search. One handle serves one caller at a time; handles share nothing but the immutable weights.
 */
#ifndef WILLOW_SEARCH_H
#define WILLOW_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/status.h>
#include <willow/weights.h>

#ifdef __cplusplus
extern "C" {
#endif

struct willow_search;

/* A flag that another thread or a signal handler may set at any time; opaque here so that the header is C++ too. */
struct willow_stop;
enum willow_status willow_stop_new(struct willow_stop **stop, struct willow_error *error);
void willow_stop_free(struct willow_stop *stop);
void willow_stop_set(struct willow_stop *stop, bool value); /* async-signal-safe */
bool willow_stop_get(const struct willow_stop *stop);

/* The weights must outlive the handle. hash_bytes: size of the transposition table, rounded down to a power of two of
 * entries, at least one entry; the handle takes another 0.4 MB, in a wide build twice that. WILLOW_ERR_MEMORY,
 * WILLOW_ERR_ARGUMENT (hash_bytes above 1 TiB). */
enum willow_status willow_search_new(const struct willow_weights *weights, size_t hash_bytes,
                                     struct willow_search **search, struct willow_error *error);
void willow_search_free(struct willow_search *search);

/* The ruleset that is played from now on, where it is not that of the weights: one with another start or a placement
 * phase (willow_ruleset_same_play), else WILLOW_ERR_MISMATCH and nothing changes. */
enum willow_status willow_search_set_ruleset(struct willow_search *search, const struct willow_ruleset *ruleset,
                                             struct willow_error *error);

/* How many threads search a position together: 1 .. WILLOW_SEARCH_THREADS_MAX, 1 for a new handle. Each
 * takes 0.3 MB, in a wide build twice that; they wait, without using the processor, between runs. Exact scores do not
 * depend on it; with more than one, node counts vary from run to run, and so may the move among equals. More threads
 * than cores help nobody, but are right. WILLOW_ERR_MEMORY (then the handle goes on with one thread),
 * WILLOW_ERR_ARGUMENT. */
enum { WILLOW_SEARCH_THREADS_MAX = 256 };
enum willow_status willow_search_set_threads(struct willow_search *search, int threads, struct willow_error *error);

/* Forgets everything learnt from earlier positions; constant time. After it the same run gives the same result and node
 * count. */
void willow_search_clear(struct willow_search *search);

/* Takes the next 2 MB of the table, from *at_bytes on (0 at first; advanced), from the system: 0.2 to 3 ms. False
 * when nothing is left. Without it the memory comes as searches touch it, which suits a program that answers one
 * question; but those searches are late to see their limits: in the nodes between two looks at them they can touch
 * hundreds of such pieces. Not while a search runs; another thread may clear the handle meanwhile. */
bool willow_search_touch(struct willow_search *search, size_t *at_bytes);

/* Selective searches leave out what a shallow search says is hopeless, at this confidence; 100 leaves out nothing. The
 * percentages are the ones below; others are taken as the next lower of them. */
extern const int willow_selectivities[]; /* 73, 87, 95, 98, 99, 100 */
enum { WILLOW_SELECTIVITIES = 6, WILLOW_NOT_SELECTIVE = 100 };

/* All zero = no limit (search to the end of the game). The first limit reached ends the search. A search to the end
 * rises from 73% to `selectivity` on its way; one to a depth keeps to it. */
struct willow_limits {
    int depth;       /* plies; 0 = none. A depth >= empties is a search to the end of the game */
    int selectivity; /* percent, see above; 0 = 100 */
    bool win_loss;   /* to the end of the game, ask only who wins: the score is 1, 0 or -1 disc */
    /* To the end of the game, the empty squares are nobody's: the score is the difference of the discs there are. Where
     * this changes from one run to the next, the handle forgets what it has learnt. */
    bool raw;
    int exact_empties; /* solve exactly at this many empties or fewer, whatever the depth; 0 = never by this rule */
    uint64_t nodes;    /* 0 = none; overrun by at most a few thousand */
    uint64_t time_ms;  /* 0 = none; overrun by at most a few milliseconds */
    uint64_t soft_ms;  /* 0 = none; after this no further iteration is begun, and an only move is played at once */
    const struct willow_stop *stop; /* null = none; looked at every few thousand nodes */
};

enum { WILLOW_PV_MAX = WILLOW_SQUARES };

struct willow_result {
    willow_square move; /* WILLOW_PASS when the side must pass, WILLOW_NO_SQUARE when the game is over */
    willow_score score; /* 1/32 disc, side to move; a multiple of 32 when exact */
    int depth;          /* last completed iteration; the empty squares when it went to the end of the game */
    int selectivity;    /* percent, of that iteration */
    bool exact;         /* score is the game-theoretical value (with win_loss: its sign) */
    bool complete;      /* no limit of nodes, time or stop cut the search short */
    uint64_t nodes;
    uint64_t time_ns;
    int pv_length;
    willow_square pv[WILLOW_PV_MAX]; /* passes included; pv[0] = move */
};

/* Searches any valid board (over, one-coloured, full, pass at the root, placement phase included; there a placement is
 * a ply, and the ordinary search begins behind the last one). Always gives a legal move, even when stopped at once.
 * Deterministic for limits of depth and nodes in one thread, given the state since the last clear. */
void willow_search_run(struct willow_search *search, struct willow_board board, const struct willow_limits *limits,
                       struct willow_result *result);

struct willow_scored_move {
    willow_square move;
    willow_score score; /* of the position after it, from the mover's side */
    bool exact;
};

/* Scores every legal move with its own full window, the limits' depth counted from the root (depth 1 = static
 * evaluation of each child). Cut short, it gives the scores of the last depth that was finished for all moves. moves
 * holds at least WILLOW_SQUARES entries; returns how many were filled, best first (ties by square); 0 without a legal
 * move. */
int willow_search_moves(struct willow_search *search, struct willow_board board, const struct willow_limits *limits,
                        struct willow_scored_move *moves);

/* The same. *reached tells how far the scores go, in the terms of willow_search_run: depth and selectivity (1 and 100
 * for static evaluation), exact when every score is, complete, nodes and time; move, score and pv are the best move's,
 * or none. */
int willow_search_moves_reached(struct willow_search *search, struct willow_board board,
                                const struct willow_limits *limits, struct willow_scored_move *moves,
                                struct willow_result *reached);

#ifdef __cplusplus
}
#endif
#endif
