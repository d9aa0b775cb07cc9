/* A board at the start of a longer text, as in a line that goes on with scores or moves. Layer: rules, internal. */
#ifndef RULES_BOARD_TEXT_H
#define RULES_BOARD_TEXT_H

#include <willow/notation.h>

/* Reads a board of the ruleset in that notation (WILLOW_BOARD_ANY as in notation.h) at *at inside text, in one line or
 * over several; neither quotes nor blanks before it are skipped. *at is then behind the side to move (GGF: behind the
 * bracket; MOVER: behind the squares), where the text ends or a blank, a line end, a quote, "]" or ";" stands. Failures
 * name the place in text; *board, *side and *at are unchanged then. */
enum willow_status board_text_scan(const struct willow_ruleset *ruleset, const char *text, const char **at,
                                   enum willow_board_notation notation, bool one_line, struct willow_board *board,
                                   enum willow_side *side, struct willow_error *error);

/* Behind the board of any size that an 8x8 build or a wide one plays on, which the text in a line begins with at `at`;
 * null when it begins with none. Drawn boards alone. */
const char *board_text_any_size(const char *line, const char *at);

/* What the usual game on a board of that side is called, in whichever build it is; null when there is none. */
const char *board_text_size_name(int side);

#endif
