/* Where the fields of a WTHOR file lie, for its reader and its writer. Layer: rules, internal. */
#ifndef RULES_WTHOR_H
#define RULES_WTHOR_H

/* Offsets within the header and within a game; all numbers are little endian. */
enum {
    WTHOR_CENTURY = 0, /* of the day it was written, then its year within the century, month and day */
    WTHOR_GAMES = 4,
    WTHOR_YEAR = 10, /* of the games */
    WTHOR_BOARD = 12,
    WTHOR_TYPE = 13,       /* 1 = solitaires: single positions */
    WTHOR_GAME_RESULT = 6, /* black's discs; the winner has taken the empties, a draw has halved them */
    WTHOR_GAME_THEORY = 7, /* the same with perfect play from the number of empties in the header on */
    WTHOR_GAME_MOVES = 8   /* 60 bytes, 10 * row + column from 1; 0 behind the last */
};

#endif
