/* A game at the terminal: its state, and what can happen to it. Shared by the parts of willow play.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_PLAY_H
#define WILLOW_CLI_PLAY_H

#include <stdbool.h>

#include <willow/game.h>
#include <willow/search.h>
#include <willow/timer.h>

#include "prompt.h"
#include "screen.h"

struct play {
    struct willow_game start; /* what `new` goes back to */
    struct willow_game game;
    bool human[2]; /* by side */
    struct willow_search *search[2];
    struct willow_limits limits;  /* selectivity 0 = by the depth, see play_game.c */
    bool clocked;                 /* the engine has a clock; a human has none */
    struct willow_timer clock[2]; /* by side */
    struct willow_stop *stop;     /* set by Ctrl-C while the engine thinks */
    struct screen screen;
    struct prompt *prompt;
    bool resigned; /* by the side to move */
    bool changed;  /* the position has changed since it was drawn */
    bool ended;    /* the result has been told */
    bool quit;
};

/* Sets both clocks to the start of a game. */
void play_start_clocks(struct play *play, const struct willow_time_control *control);

/* Plays until the user quits, the input ends, or a game without a human is over. */
void play_run(struct play *play);

/* True when nothing can be played any more. */
bool play_over(const struct play *play);

/* The engine moves for the side to move, which has a move. */
void play_engine_move(struct play *play);

/* Scores of the best `count` moves of the side to move, by its engine. */
void play_hint(struct play *play, int count);

/* Does what one line says. What is not understood gets a line of advice. */
void play_command(struct play *play, const char *line);

#endif
