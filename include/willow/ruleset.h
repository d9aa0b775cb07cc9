/* The table of rulesets: playable squares, start or placement phase, which side wins. Layer: rules. */
#ifndef WILLOW_RULESET_H
#define WILLOW_RULESET_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One entry; constant, lives as long as the program. Squares outside `playable` never hold a disc, are never a move
 * and stop every line. */
struct willow_ruleset {
    const char *name;          /* "othello"; as written in files and on command lines */
    uint32_t id;               /* as stored in weights files and datasets; never reused */
    int width, height;         /* of the drawn board; square (column, row) is bit WILLOW_SIDE * row + column */
    willow_bits playable;      /* mask of squares that exist */
    struct willow_board start; /* first side to move (black) first */
    bool fewest_wins;          /* the side with fewer discs wins */
    willow_bits placement;     /* squares on which the first discs are placed freely, one a move; 0 = no such phase */
};

/* The game of this build when nothing is said: othello, in a wide build 10x10. */
const struct willow_ruleset *willow_ruleset_default(void);

/* The standard game; null in a wide build, which does not have it. */
const struct willow_ruleset *willow_ruleset_othello(void);

/* What a user means by NAME: a name of the table; "hole:c3", "hole:a1" ... or "hole:random", whose square is drawn from
 * the seed: the ruleset found is the one of that square. WILLOW_ERR_ARGUMENT for an unknown name (the reason lists
 * those there are), a hole that is no square or a square of the start. */
enum willow_status willow_ruleset_parse(const char *name, uint64_t seed, const struct willow_ruleset **ruleset,
                                        struct willow_error *error);

/* By the exact name or by id; null when there is none. */
const struct willow_ruleset *willow_ruleset_find(const char *name);
const struct willow_ruleset *willow_ruleset_by_id(uint32_t id);

/* The table, for listing: entry 0, 1, ... ; null past the end. */
const struct willow_ruleset *willow_ruleset_at(int index);

/* Playable squares: discs of the fullest board. */
int willow_ruleset_squares(const struct willow_ruleset *ruleset);

/* Whether positions mean the same in both, so that weights of one serve the other: all but the start is alike. */
bool willow_ruleset_same_play(const struct willow_ruleset *a, const struct willow_ruleset *b);

#ifdef __cplusplus
}
#endif
#endif
