/* The moves of a game as they are written, legal or not, and the ruleset that they are legal in. Layer: rules,
 * internal.
 */
#ifndef RULES_WRITTEN_MOVES_H
#define RULES_WRITTEN_MOVES_H

#include <willow/game.h>

/* Passes may be left out. Empty when zeroed. */
struct written_moves {
    bool unreadable; /* or too many */
    bool beyond;     /* what is unreadable is a square that only the other build's board has */
    int count;
    willow_square moves[WILLOW_GAME_MAX];
    unsigned char sides[WILLOW_GAME_MAX]; /* enum willow_side, or WRITTEN_ANY_SIDE where the text does not say */
};
enum { WRITTEN_ANY_SIDE = 2 };

void written_moves_add(struct written_moves *written, willow_square move, unsigned side);

/* The first `count` moves of the game, without the passes, which may not have been in the text. */
void written_moves_add_played(struct written_moves *written, const struct willow_game *game, int count);

/* For a game that starts as its ruleset says and failed with a reason: when the moves are all legal from the start of
 * another ruleset of the table, the first one, the reason goes on to say so. Those with holes are the last ones. Of
 * squares that only a larger board has it says that. */
void written_moves_suggest(const struct written_moves *written, const struct willow_game *game,
                           struct willow_error *error);

/* Plays a move as written, with the pass before it where one is due and was left out. WILLOW_ERR_ARGUMENT as
 * willow_game_play gives it; the game is unchanged then. */
enum willow_status written_move_play(struct willow_game *game, willow_square move, struct willow_error *error);

/* As willow_transcript_parse, but without a suggestion; and the moves of a transcript alone. (See notation.c.) */
enum willow_status transcript_play(struct willow_game *game, const char *text, struct willow_error *error);
void transcript_moves(const char *text, struct written_moves *written);

#endif
