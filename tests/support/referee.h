/* A slow, obvious referee: Othello on an array of characters, one square and one direction at a time, on any board that
 * fits the build, with holes, a placement phase and either aim. Shares no code with the engine; tests compare the
 * engine with it.
 */
#ifndef TESTS_REFEREE_H
#define TESTS_REFEREE_H

#include <stdbool.h>

#include <willow/ruleset.h>

/* cells[WILLOW_SIDE * row + column]: 'X' side to move, 'O' the other side, '-' empty, '#' no square. */
struct referee {
    char cells[WILLOW_SQUARES];
    bool placement[WILLOW_SQUARES]; /* squares on which the first discs are placed freely */
    bool fewest_wins;
};

/* No placement phase, the most discs win. */
struct referee referee_from_words(willow_bits player, willow_bits opponent, willow_bits playable);
struct referee referee_of(const struct willow_ruleset *ruleset, struct willow_board board);
void referee_to_words(const struct referee *referee, willow_bits *player, willow_bits *opponent);
willow_bits referee_flips(const struct referee *referee, int square); /* 0 when nothing is turned */
willow_bits referee_moves(const struct referee *referee);
struct referee referee_play(const struct referee *referee, int square); /* WILLOW_PASS = pass; turns the view */
bool referee_over(const struct referee *referee);
int referee_final_discs(const struct referee *referee); /* winner takes the empties */

#endif
