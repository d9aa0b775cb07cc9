/* The board as text on a terminal: coordinates, discs, legal moves, the last move and what it turned; or in words.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_SCREEN_H
#define WILLOW_CLI_SCREEN_H

#include <stdbool.h>

#include <willow/game.h>

struct screen {
    bool colour;  /* escape codes; otherwise plain ASCII */
    bool deep;    /* 256 colours */
    bool unicode; /* round discs */
    bool utf8;    /* names may hold any letters */
    bool words;   /* nothing is drawn: for screen readers */
};

/* What the output can show: a terminal that is not dumb, NO_COLOR not set, a UTF-8 locale. plain = words, ASCII in any
 * case. */
struct screen screen_detect(bool plain);

struct screen_side {
    const char *name;  /* shown after the colour */
    const char *clock; /* what is left; "" = none */
};

/* Draws the current position in at most 79 columns and 9 lines, with discs, names, clocks, side to move and the last
 * moves beside it. */
void screen_draw(const struct screen *screen, const struct willow_game *game, const struct screen_side sides[2]);

/* Prints at most so many columns of a name from outside. What could do harm on a terminal, or is not ASCII and not to
 * be shown as UTF-8, becomes a question mark. */
void screen_print_name(const char *name, int columns, bool utf8);

/* Prints the position in words, one line a row: "Row 4: d white, e black." Empty squares are left out. */
void screen_read(const struct willow_game *game);

#endif
