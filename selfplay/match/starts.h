/* The positions from which the pairs of a match begin: drawn or read, distinct, and even. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_STARTS_H
#define WILLOW_SELFPLAY_STARTS_H

#include <stdio.h>

#include <willow/game.h>

#include "match.h"

/* Draws games[0 .. count-1], each the record of another opening that no mirroring or turning makes equal to one before.
 * A greater count only adds to them. *balance_discs is the limit that held, 0 = none. WILLOW_ERR_ARGUMENT when there
 * are fewer, or when even openings are asked for in a ruleset that no linked weights play; what openings_new
 * and openings_take return; _STOPPED. */
enum willow_status starts_draw(const struct match_openings *openings, const struct willow_ruleset *ruleset,
                               const struct willow_stop *stop, struct willow_game *games, size_t count,
                               int *balance_discs, struct willow_error *error);

/* Writes lines that fix which openings these are; *balance_discs is that of starts_draw. WILLOW_ERR_* as
 * willow_weights_open; the caller checks the stream. */
enum willow_status starts_describe(const struct match_openings *openings, const struct willow_ruleset *ruleset,
                                   int balance_discs, FILE *stream, struct willow_error *error);

#endif
