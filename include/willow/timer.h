/* Clocks of a game: time controls as users write them, and one side's clock with a budget for its next move.
 * Layer: search. Reads no clock: the caller measures what a move took. Everything is plain data; no call allocates.
 */
#ifndef WILLOW_TIMER_H
#define WILLOW_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/search.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At most 100 days for any one time, 1000 moves for a period. */
#define WILLOW_TIME_MAX_MS UINT64_C(8640000000)
enum { WILLOW_PERIOD_MOVES_MAX = 1000 };

/* What one side gets. Main time alone is sudden death. An increment is added after each move (Fischer); it needs main
 * time, or the first move could not be made. Once main time is used up, byo-yomi gives period_ms for every period_moves
 * moves, and what is left of a period is lost (as GTP's time_settings; 1 move = Japanese byo-yomi). Byo-yomi of one
 * move without main time is a fixed time a move. Not both an increment and byo-yomi. */
struct willow_time_control {
    uint64_t main_ms;
    uint64_t increment_ms; /* 0 = none */
    uint64_t period_ms;    /* 0 = no byo-yomi */
    int period_moves;      /* 1 .. WILLOW_PERIOD_MOVES_MAX with byo-yomi, else 0 */
};

/* WILLOW_ERR_ARGUMENT when the control breaks a rule above or gives no time at all. */
enum willow_status willow_time_control_check(const struct willow_time_control *control, struct willow_error *error);

/* One of
 *   TIME          for all moves of the game                      60       5:00
 *   TIME+TIME     main time and an increment                     1+0.01   3:00+2
 *   TIME/N        for every N moves                              300/10   2/1 (two seconds a move)
 *   TIME+TIME/N   main time, then byo-yomi                       300+30/5
 * where TIME is seconds, minutes:seconds or hours:minutes:seconds, the seconds with up to three decimals. The time
 * stands before the slash, the number of moves after it. WILLOW_ERR_FORMAT for anything else, WILLOW_ERR_ARGUMENT as
 * willow_time_control_check. */
enum willow_status willow_time_control_parse(const char *text, struct willow_time_control *control,
                                             struct willow_error *error);

/* The shortest text in seconds that parses to this (valid) control; the buffer holds at least
 * WILLOW_TIME_CONTROL_TEXT bytes. Returns buffer. */
enum { WILLOW_TIME_CONTROL_TEXT = 64 };
char *willow_time_control_format(const struct willow_time_control *control, char *buffer);

/* One side's clock. A program that is told the time by another (GTP's time_left) may set left_ns and moves itself. */
struct willow_timer {
    struct willow_time_control control;
    uint64_t left_ns; /* of main time, or of the running period */
    int moves;        /* still to be made in the running period; 0 = main time runs */
    bool fallen;      /* the flag fell: no time comes back */
};

/* The control must be valid. */
void willow_timer_start(struct willow_timer *timer, const struct willow_time_control *control);

/* How long the next move may take before the flag falls; a first period counts while main time runs. */
uint64_t willow_timer_left_ns(const struct willow_timer *timer);

/* What the next move should take. Fields as in struct willow_limits; the times are at least 1 ms. nodes is set when the
 * share of this move is too short for the search to look at a clock in time, as on a clock with nothing left. */
struct willow_budget {
    uint64_t soft_ms, hard_ms;
    uint64_t nodes; /* 0 = none */
};

/* With so many empty squares on the board. A tenth of the main time or period is held back for what a program does not
 * control, from 100 ms to 1 s, half of that in byo-yomi of one move, and never more than half of the time. Moves that
 * overrun their hard limits by less than half of that in a game or period lose no game on time. */
struct willow_budget willow_timer_budget(const struct willow_timer *timer, int empties);

/* Tightens the limits to the budget. */
void willow_timer_limit(const struct willow_timer *timer, int empties, struct willow_limits *limits);

/* Books a move that took so long. False when the flag fell in it: the game is lost. */
bool willow_timer_spend(struct willow_timer *timer, uint64_t elapsed_ns);

#ifdef __cplusplus
}
#endif
#endif
