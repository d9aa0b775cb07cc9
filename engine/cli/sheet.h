/* The tournament sheet of a game: the board with the number of each move where it was played, passes, result.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_SHEET_H
#define WILLOW_CLI_SHEET_H

#include <stdio.h>

#include <willow/game.h>

/* numbers[square]: which move was played there, from 1, passes not counted; 0 = none. */
void sheet_numbers(const struct willow_game *game, int numbers[WILLOW_SQUARES]);

/* Prints the sheet in plain ASCII and at most 80 columns: a line a row of the board (discs of the start are X and
 * O, squares that stayed empty ".", holes "##"), a line or more for the passes where there were any, then
 * sheet_print_result. The caller checks the stream. */
void sheet_print(FILE *stream, const struct willow_game *game);

/* Prints one line, "Game over. Discs: Black 0, White 59. White wins by 64, empty squares included." or
 * "Discs: Black 25, White 13. White to move."; where the fewest discs win: "Game over. Discs: Black 40, White 24. The
 * fewest win: White wins by 16." */
void sheet_print_result(FILE *stream, const struct willow_game *game);

#endif
