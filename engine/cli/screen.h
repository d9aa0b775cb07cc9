/* The board as text on a terminal: coordinates, discs, legal moves, the last move and what it turned.
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
};

/* What the output can show: a terminal that is not dumb, NO_COLOR not set, a UTF-8 locale. plain = ASCII in any case.
 */
struct screen screen_detect(bool plain);

/* Draws the current position in at most 80 columns and 10 lines, with discs, names, side to move and the last moves
 * beside it. names[side] is shown after the colour. */
void screen_draw(const struct screen *screen, const struct willow_game *game, const char *const names[2]);

#endif
