/* The clocks of a GTP game: bookkeeping, and what whole seconds can say about it. Layer: protocol. */
#include "protocol/gtp_clock.h"

static const double NS = 1e9;
enum { SECOND_MS = 1000 };
static const uint64_t LAG_NS = (uint64_t)GTP_CLOCK_LAG_MS * 1000000;

/* Seconds may have been rounded down, up or to the nearest. Where the own time lies a second or more below what is told
 * (an increment that the protocol has no word for), the truth lies within a second of it on either side: the middle of
 * the lower half is taken. */
static const double LOW_SECONDS = 0.5;

/* Told nothing where much more was thought to be left: there is less than a second, and time to move in, or no move
 * would be asked for. */
static const double LEAST_SECONDS = 0.2;

/* However short, a time is not none: that would mean no limit. */
static uint64_t to_ms(double seconds)
{
    const double ms = seconds * SECOND_MS;
    if (ms > 0 && ms < 1)
        return 1;
    return ms < (double)WILLOW_TIME_MAX_MS ? (uint64_t)ms : WILLOW_TIME_MAX_MS;
}

bool gtp_clock_set(struct gtp_clock *clock, double main_seconds, double period_seconds, int period_moves)
{
    const uint64_t main_ms = to_ms(main_seconds), period_ms = to_ms(period_seconds);
    if ((period_ms > 0 && period_moves == 0) || (main_ms == 0 && period_ms == 0)) {
        *clock = (struct gtp_clock){.used = false};
        return true;
    }
    const struct willow_time_control control = {
        .main_ms = main_ms, .period_ms = period_ms, .period_moves = period_ms > 0 ? period_moves : 0};
    if (willow_time_control_check(&control, NULL) != WILLOW_OK)
        return false;
    *clock = (struct gtp_clock){.used = true, .control = control};
    gtp_clock_restart(clock);
    return true;
}

void gtp_clock_restart(struct gtp_clock *clock)
{
    for (int side = 0; side < 2 && clock->used; side++)
        willow_timer_start(&clock->timers[side], &clock->control);
}

/* The first that is told without time_settings: main time, or byo-yomi from now on. */
static void begin_told(struct gtp_clock *clock, double seconds, int moves)
{
    if (moves == 0)
        (void)gtp_clock_set(clock, seconds, 0, 0);
    else
        (void)gtp_clock_set(clock, 0, seconds, moves);
}

void gtp_clock_told(struct gtp_clock *clock, enum willow_side side, double seconds, int moves)
{
    if (!clock->used)
        begin_told(clock, seconds, moves);
    if (!clock->used)
        return;
    struct willow_timer *timer = &clock->timers[side];
    const double own = (double)timer->left_ns / NS;
    /* Main time that is up and an untouched period are the same. */
    const bool same = timer->moves == moves || (moves == 0 && timer->moves == timer->control.period_moves &&
                                                timer->control.period_moves > 0 && seconds < 1);
    if (same && own > seconds - 1 && own < seconds + 1 && !(timer->fallen && seconds >= 1))
        return;
    double left = seconds;
    if (same && own <= seconds - 1)
        left = seconds - LOW_SECONDS;
    if (left < LEAST_SECONDS)
        left = LEAST_SECONDS;
    timer->fallen = false;
    timer->moves = timer->control.period_ms > 0 ? moves : 0;
    timer->left_ns = to_ms(left) * 1000000;
}

struct willow_timer gtp_clock_timer(const struct gtp_clock *clock, enum willow_side side, uint64_t elapsed_ns)
{
    struct willow_timer timer = clock->timers[side];
    timer.left_ns = timer.left_ns > elapsed_ns ? timer.left_ns - elapsed_ns : 0;
    return timer;
}

void gtp_clock_spend(struct gtp_clock *clock, enum willow_side side, uint64_t elapsed_ns)
{
    if (clock->used)
        (void)willow_timer_spend(&clock->timers[side], elapsed_ns + LAG_NS);
}
