/* Who plays a game at the terminal, and how well: levels, times, losses, clocks, of one side or of both.
 * Layer: engine/cli (program willow).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "play.h"

enum { BLACK_MASK = 1 << WILLOW_BLACK, WHITE_MASK = 1 << WILLOW_WHITE, BOTH_MASK = BLACK_MASK | WHITE_MASK };

/* "Black's Willow", or both. */
static const char *whose(int sides)
{
    return sides == BLACK_MASK ? "Willow as Black" : sides == WHITE_MASK ? "Willow as White" : "Willow";
}

static void set_level(struct play *play, int sides, const char *argument)
{
    int level;
    if (!play_number(argument, WILLOW_LEVEL_MIN, WILLOW_LEVEL_MAX, &level)) {
        printf("'level' takes a number from %d to %d; 'levels' says what they mean.\n", (int)WILLOW_LEVEL_MIN,
               (int)WILLOW_LEVEL_MAX);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (sides >> side & 1) {
            struct willow_choice *choice = &play->sides[side].choice;
            choice->level = level;
            choice->limits.time_ms = 0;
        }
    const struct willow_level *row = willow_level_find(level);
    printf("%s plays at level %d now: %d %s ahead, solved from %d empties.\n", whose(sides), level, row->depth,
           row->depth == 1 ? "ply" : "plies", row->exact);
}

/* A decimal number in the range, and nothing else. */
static bool parse_real(const char *text, double low, double high, double *value)
{
    char *end = NULL;
    if (!text[0] || text[strspn(text, "0123456789.")])
        return false;
    errno = 0;
    *value = strtod(text, &end);
    return *end == '\0' && errno == 0 && *value >= low && *value <= high;
}

static void set_time(struct play *play, int sides, const char *argument)
{
    double seconds;
    if (!parse_real(argument, 0.001, 86400, &seconds)) {
        printf("'time' takes seconds a move, from 0.001 to 86400.\n");
        return;
    }
    for (int side = 0; side < 2; side++)
        if (sides >> side & 1) {
            struct willow_choice *choice = &play->sides[side].choice;
            choice->level = 0;
            choice->limits.depth = 0;
            choice->limits.selectivity = 0;
            choice->limits.time_ms = (uint64_t)(seconds * 1000);
        }
    printf("%s thinks for %g s a move at most now.\n", whose(sides), seconds);
}

static void set_loss(struct play *play, int sides, const char *argument)
{
    double discs;
    if (!parse_real(argument, 0, WILLOW_LOSS_MAX, &discs)) {
        printf("'loss' takes discs, from 0 (always the best move) to %d.\n", (int)WILLOW_LOSS_MAX);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (sides >> side & 1)
            play->sides[side].choice.loss_discs = discs;
    if (discs > 0)
        printf("%s gives away up to %g discs a move now.\n", whose(sides), discs);
    else
        printf("%s plays the best moves that it finds now.\n", whose(sides));
}

static void show_clocks(const struct play *play)
{
    char clock[PLAY_CLOCK_TEXT], control[WILLOW_TIME_CONTROL_TEXT];
    for (int side = 0; side < 2; side++) {
        const struct play_side *own = &play->sides[side];
        const uint64_t spent = (int)play->game.side == side ? play->turn_ns : 0;
        if (own->clocked)
            printf("%s has %s left (%s).\n", play_side_name((enum willow_side)side), play_clock_text(own, spent, clock),
                   willow_time_control_format(&own->timer.control, control));
        else
            printf("%s has no clock.\n", play_side_name((enum willow_side)side));
    }
}

static void set_clock(struct play *play, int sides, const char *argument)
{
    struct willow_time_control control;
    struct willow_error error;
    const bool off = strcasecmp(argument, "off") == 0;
    if (!argument[0]) {
        show_clocks(play);
        return;
    }
    if (!off && willow_time_control_parse(argument, &control, &error) != WILLOW_OK) {
        printf("'clock' takes a time as 5:00, 3:00+2 or 300+30/5, or 'off': %s.\n", error.reason);
        return;
    }
    for (int side = 0; side < 2; side++) {
        if (!(sides >> side & 1))
            continue;
        struct play_side *own = &play->sides[side];
        own->clocked = !off;
        if (!off)
            willow_timer_start(&own->timer, &control);
        for (int at = 0; at <= play->line.length; at++)
            play->timers[at][side] = own->timer;
    }
    play->turn_ns = 0;
    show_clocks(play);
    if (!off)
        printf("Who is out of time loses %d-0.\n", willow_ruleset_squares(play->game.ruleset));
}

void play_set_level(struct play *play, const char *argument)
{
    set_level(play, BOTH_MASK, argument);
}

void play_set_time(struct play *play, const char *argument)
{
    set_time(play, BOTH_MASK, argument);
}

void play_set_loss(struct play *play, const char *argument)
{
    set_loss(play, BOTH_MASK, argument);
}

void play_set_clock(struct play *play, const char *argument)
{
    set_clock(play, BOTH_MASK, argument);
}

static void set_human(struct play *play, enum willow_side side, bool human)
{
    play->sides[side].human = human;
    printf("%s is %s now.\n", play_side_name(side), human ? "yours" : "Willow's");
    play->changed = true;
}

void play_set_side(struct play *play, enum willow_side side, const char *argument)
{
    static const struct {
        const char *name;
        void (*run)(struct play *play, int sides, const char *argument);
    } settings[] = {{"level", set_level}, {"time", set_time}, {"loss", set_loss}, {"clock", set_clock}};
    const size_t length = strcspn(argument, " \t");
    const char *rest = argument + length + strspn(argument + length, " \t");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strlen(settings[i].name) == length && strncasecmp(argument, settings[i].name, length) == 0) {
            settings[i].run(play, 1 << side, rest);
            return;
        }
    if (strcasecmp(argument, "human") == 0)
        set_human(play, side, true);
    else if (strcasecmp(argument, "engine") == 0)
        set_human(play, side, false);
    else
        printf("'%s' takes human, engine, level N, time S, loss D or clock TIME.\n",
               side == WILLOW_BLACK ? "black" : "white");
}

void play_set_threads(struct play *play, const char *argument)
{
    int threads;
    char text[1024];
    struct willow_error error;
    if (!play_number(argument, 1, WILLOW_SEARCH_THREADS_MAX, &threads)) {
        printf("'threads' takes a number from 1 to %d.\n", (int)WILLOW_SEARCH_THREADS_MAX);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (willow_search_set_threads(play->sides[side].search, threads, &error) != WILLOW_OK) {
            printf("%s. %s goes on with one.\n", willow_error_text(&error, text, sizeof text),
                   play_side_name((enum willow_side)side));
            return;
        }
    printf("%d thread%s now.\n", threads, threads == 1 ? " searches" : "s search together");
}

static void show_choice(const struct play *play, const struct play_side *side, int level)
{
    const struct willow_choice *choice = &side->choice;
    const struct willow_limits *limits = &choice->limits;
    if (choice->level > 0)
        printf(", level %d", level);
    else if (limits->depth > 0)
        printf(", depth %d", limits->depth);
    else if (limits->time_ms == 0 && side->clocked)
        printf(", as the clock allows");
    else if (limits->time_ms == 0)
        printf(", level %d", play->default_level);
    if (limits->time_ms > 0)
        printf(", at most %g s a move", (double)limits->time_ms * 1e-3);
    if (choice->loss_discs > 0 && !side->human)
        printf(", gives away up to %g discs", choice->loss_discs);
}

void play_show_settings(struct play *play)
{
    play_tell_ruleset(play->game.ruleset);
    for (int side = 0; side < 2; side++) {
        const struct play_side *own = &play->sides[side];
        printf("%s: %s", play_side_name((enum willow_side)side), own->human ? "you; hints" : "Willow");
        show_choice(play, own, own->human ? play_hint_level(play, (enum willow_side)side) : own->choice.level);
        printf(".\n");
    }
    show_clocks(play);
}

void play_swap(struct play *play)
{
    struct play_side *sides = play->sides;
    const bool black = sides[WILLOW_BLACK].human, white = sides[WILLOW_WHITE].human;
    if (black == white) {
        printf("Both sides are %s; there is nothing to swap.\n", black ? "yours" : "Willow's");
        return;
    }
    /* An engine takes its settings along; clocks and the names of a record belong to the sides. */
    const struct willow_choice choice = sides[WILLOW_BLACK].choice;
    const struct willow_weights *weights = sides[WILLOW_BLACK].weights;
    struct willow_search *search = sides[WILLOW_BLACK].search;
    sides[WILLOW_BLACK].choice = sides[WILLOW_WHITE].choice;
    sides[WILLOW_BLACK].weights = sides[WILLOW_WHITE].weights;
    sides[WILLOW_BLACK].search = sides[WILLOW_WHITE].search;
    sides[WILLOW_WHITE].choice = choice;
    sides[WILLOW_WHITE].weights = weights;
    sides[WILLOW_WHITE].search = search;
    sides[WILLOW_BLACK].human = white;
    sides[WILLOW_WHITE].human = black;
    printf("You play %s now.\n", black ? "White" : "Black");
    play->changed = true;
}
