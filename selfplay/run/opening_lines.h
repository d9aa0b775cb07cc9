/* A table of openings as lines of moves, no two of which lead to the same position up to symmetry: every one after a
 * number of plies, or those of a text. Layer: selfplay.
 */
#ifndef WILLOW_SELFPLAY_OPENING_LINES_H
#define WILLOW_SELFPLAY_OPENING_LINES_H

#include <stddef.h>
#include <stdint.h>

#include <willow/ruleset.h>
#include <willow/search.h>
#include <willow/status.h>

/* Most plies for which all positions are listed. After 9 of Othello there are 433,993 (0.1 s, 30 MB meanwhile and 6 MB
 * in the end); with each ply more there would be nearly seven times as many. */
enum { OPENING_LINES_PLIES_MAX = 9, OPENING_LINES_MOVES_MAX = WILLOW_SQUARES };

/* Zeroed = empty. */
struct opening_lines {
    willow_square *moves; /* records of `stride` moves, passes left out, WILLOW_NO_SQUARE behind a shorter line */
    size_t stride, count, room;
    uint32_t *order; /* the lines in random order, see opening_lines_shuffle */
};

/* Makes the pass that is due, if one is. Returns the moves of the side that then has the move; 0: the game is over. */
willow_bits opening_settle(const struct willow_ruleset *ruleset, struct willow_board *board);

/* What tells openings apart: the settled board's canonical image. */
struct willow_board opening_key(const struct willow_ruleset *ruleset, struct willow_board settled);

/* Fills an empty table with every position after `plies` plies (0 .. OPENING_LINES_PLIES_MAX) in which the game is not
 * over; there may be none. WILLOW_ERR_MEMORY, _STOPPED (stop may be null): the table is empty then. */
enum willow_status opening_lines_enumerate(struct opening_lines *lines, const struct willow_ruleset *ruleset, int plies,
                                           const struct willow_stop *stop, struct willow_error *error);

/* Fills an empty table with the transcripts of a text, see openings.h. *doubles counts the lines that were left out.
 * WILLOW_ERR_FORMAT with name, line and column; WILLOW_ERR_MEMORY: the table is empty then. */
enum willow_status opening_lines_parse(struct opening_lines *lines, const struct willow_ruleset *ruleset,
                                       const char *text, const char *name, uint64_t *doubles,
                                       struct willow_error *error);

/* Puts the lines in the order that random stream (seed, stream) gives. The order of a filled table is arbitrary but
 * allocated, so this cannot fail. */
void opening_lines_shuffle(struct opening_lines *lines, uint64_t seed, uint64_t stream);

/* The moves at `rank` (0 .. count - 1) of that order; *count of them. The pointer lives as long as the table. */
const willow_square *opening_lines_at(const struct opening_lines *lines, size_t rank, int *count);

void opening_lines_clear(struct opening_lines *lines);

#endif
