/* A slow, obvious referee: Othello on an array of 64 characters, one square and one direction at a time. Shares no code
 * with the engine; tests compare the engine with it.
 */
#ifndef TESTS_REFEREE_H
#define TESTS_REFEREE_H

#include <stdbool.h>
#include <stdint.h>

/* cells[8 * row + column]: 'X' side to move, 'O' the other side, '-' empty, '#' no square. */
struct referee {
    char cells[64];
};

struct referee referee_from_words(uint64_t player, uint64_t opponent, uint64_t playable);
void referee_to_words(const struct referee *referee, uint64_t *player, uint64_t *opponent);
uint64_t referee_flips(const struct referee *referee, int square); /* 0 when illegal */
uint64_t referee_moves(const struct referee *referee);
struct referee referee_play(const struct referee *referee, int square); /* square 64 = pass; turns the view */
bool referee_over(const struct referee *referee);
int referee_final_discs(const struct referee *referee); /* winner takes the empties */

#endif
