/* Openings of a match: distinct positions after a number of random legal moves.
 * Layer: selfplay. Distinct means that no two are images of each other under the board's symmetries.
 */
#ifndef WILLOW_SELFPLAY_MATCH_OPENINGS_H
#define WILLOW_SELFPLAY_MATCH_OPENINGS_H

#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/search.h>

/* Upper bound of opening plies: fewer moves than any full game, so that something is left to play. */
enum { OPENINGS_PLIES_MAX = 50, OPENINGS_COUNT_MAX = 100000 };

struct openings_options {
    const struct willow_ruleset *ruleset;
    uint64_t seed;
    int plies;                          /* random moves from the start, 0..OPENINGS_PLIES_MAX; passes are not counted */
    const struct willow_weights *judge; /* scores candidates when balance_discs > 0; null otherwise */
    int balance_discs;                  /* candidates that the judge puts further from 0 are left out; 0 = keep all */
    const struct willow_stop *stop;     /* null = none */
};

/* Fills games[0 .. count-1], each the record of an opening that is not over. The same options give the same openings,
 * and a greater count only adds to them. WILLOW_ERR_ARGUMENT when there are (as far as long random trial shows) not
 * that many distinct ones; _MEMORY; _STOPPED. */
enum willow_status openings_draw(const struct openings_options *options, struct willow_game *games, size_t count,
                                 struct willow_error *error);

#endif
