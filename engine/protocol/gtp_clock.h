/* The clocks of a GTP game, one a side. The protocol tells whole seconds, so the time is kept here as far as it can be
 * known, and what is told corrects it where the two cannot both be true. Layer: protocol. Reads no clock.
 */
#ifndef PROTOCOL_GTP_CLOCK_H
#define PROTOCOL_GTP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/timer.h>

struct gtp_clock {
    bool used; /* time_settings gave a limit */
    struct willow_time_control control;
    struct willow_timer timers[2]; /* by side */
};

/* "time_settings": seconds of main time, seconds of byo-yomi for so many moves. No limit: byo-yomi for no moves, or no
 * time at all. Times beyond WILLOW_TIME_MAX_MS are cut to it. False when there is no such control. */
bool gtp_clock_set(struct gtp_clock *clock, double main_seconds, double period_seconds, int period_moves);

/* Both sides at the start of a game. */
void gtp_clock_restart(struct gtp_clock *clock);

/* "time_left": so much main time (moves 0), or so much of a period for so many moves. */
void gtp_clock_told(struct gtp_clock *clock, enum willow_side side, double seconds, int moves);

/* The side's timer for a move of which so much has gone already. */
struct willow_timer gtp_clock_timer(const struct gtp_clock *clock, enum willow_side side, uint64_t elapsed_ns);

/* Books a move, and what it takes on the controller's clock besides: the lines have to arrive, and whoever reads them
 * has to wake up. On a busy machine (eight programs on two cores) that was 4 ms a move in the mean; in 24 games of one
 * second, half of them with pondering, 10 were lost on time without an allowance, 1 with 5 or 10 ms. */
enum { GTP_CLOCK_LAG_MS = 5 };
void gtp_clock_spend(struct gtp_clock *clock, enum willow_side side, uint64_t elapsed_ns);

#endif
