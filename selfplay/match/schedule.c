/* Schedules by the circle method: one seat is fixed, the others turn by one place a round. Knows neither engines nor
 * openings. Layer: selfplay.
 */
#include "schedule.h"

#include <stdlib.h>

/* The opponent in a round of a seat on the circle of that many places, an odd number. In round r those meet whose
 * places add up to 2r; exactly one place is its own partner then, and meets the fixed seat, whose number is `places`.
 */
static int circle_opponent(int places, int round, int seat)
{
    const int opponent = (2 * round + places - seat) % places;
    return opponent == seat ? places : opponent;
}

static void add_encounter(struct schedule *schedule, int round, int a, int b)
{
    for (size_t number = 0; number < schedule->pairs_each; number++)
        schedule->pairs[schedule->count++] = (struct schedule_pair){round, a, b, number};
}

static void add_round_robin(struct schedule *schedule)
{
    /* An odd number plays with an empty seat, the fixed one: so everyone has one bye. */
    const int places = schedule->rounds;

    for (int round = 0; round < schedule->rounds; round++) {
        for (int player = 0; player < places; player++) {
            const int opponent = circle_opponent(places, round, player);

            if (opponent == schedule->players)
                schedule->byes[player]++;
            else if (player < opponent)
                add_encounter(schedule, round, player, opponent);
        }
    }
}

static void add_gauntlet(struct schedule *schedule)
{
    for (int round = 0; round < schedule->rounds; round++)
        add_encounter(schedule, round, 0, round + 1);
}

enum willow_status schedule_make(enum schedule_format format, int players, size_t pairs_each, struct schedule *schedule,
                                 struct willow_error *error)
{
    *schedule = (struct schedule){0};
    if (players < 2 || players > SCHEDULE_PLAYERS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a match has 2 to %d players, not %d",
                           SCHEDULE_PLAYERS_MAX, players);
    const size_t others = (size_t)players - 1;
    const size_t encounters = format == SCHEDULE_GAUNTLET ? others : (size_t)players * others / 2;
    if (pairs_each == 0 || pairs_each > SCHEDULE_PAIRS_MAX / encounters)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "%zu pairs in each of %zu encounters: from 1 to %zu can be played", pairs_each, encounters,
                           SCHEDULE_PAIRS_MAX / encounters);

    schedule->pairs = calloc(encounters * pairs_each, sizeof *schedule->pairs);
    if (schedule->pairs == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a schedule of %zu pairs",
                           encounters * pairs_each);
    schedule->players = players;
    schedule->pairs_each = pairs_each;
    if (format == SCHEDULE_GAUNTLET) {
        schedule->rounds = players - 1;
        add_gauntlet(schedule);
    } else {
        schedule->rounds = players - 1 + players % 2; /* all seats but one */
        add_round_robin(schedule);
    }
    return WILLOW_OK;
}

void schedule_clear(struct schedule *schedule)
{
    free(schedule->pairs);
    *schedule = (struct schedule){0};
}
