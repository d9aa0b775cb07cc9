/* What the characters of a board in text mean, one at a time. Layer: rules, internal. */
#ifndef RULES_BOARD_SYMBOL_H
#define RULES_BOARD_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

/* What a character says before the alphabet is known: a letter or a picture of a disc has its colour, a digit not yet.
 */
enum symbol { SYMBOL_NONE, SYMBOL_EMPTY, SYMBOL_BLACK, SYMBOL_WHITE, SYMBOL_ZERO, SYMBOL_ONE, SYMBOL_TWO, SYMBOLS };

/* Reads one symbol. Returns the bytes read, 0 when there is none. */
size_t board_symbol_scan(const char *text, enum symbol *symbol);

/* Reads a side to move: a symbol or a colour's name, and "to move" behind it. Returns the bytes read, 0 when there is
 * none. */
size_t board_side_scan(const char *text, enum symbol *side);

/* True where a board ends: nothing of it can go on here. */
bool board_ends_at(const char *text);

#endif
