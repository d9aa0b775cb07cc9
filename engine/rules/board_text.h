/* A board at the start of a longer text, as in a line that goes on with scores or moves. Layer: rules, internal. */
#ifndef RULES_BOARD_TEXT_H
#define RULES_BOARD_TEXT_H

#include <willow/notation.h>

/* Reads a board of that notation (WILLOW_BOARD_ANY as in notation.h) at *at inside text, in one line or over several;
 * neither quotes nor blanks before it are skipped. *at is then behind the side to move (GGF: behind the bracket; MOVER:
 * behind the squares), where the text ends or a blank, a line end, a quote, "]" or ";" stands. Failures name the place
 * in text; *board, *side and *at are unchanged then. */
enum willow_status board_text_scan(const char *text, const char **at, enum willow_board_notation notation,
                                   bool one_line, struct willow_board *board, enum willow_side *side,
                                   struct willow_error *error);

#endif
