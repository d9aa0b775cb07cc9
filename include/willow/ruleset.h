/* The table of rulesets: playable squares, start, which side wins. Layer: rules. */
#ifndef WILLOW_RULESET_H
#define WILLOW_RULESET_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/board.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One entry; constant, lives as long as the program. Squares outside `playable` never hold a disc, are never a move
 * and stop every line. */
struct willow_ruleset {
    const char *name;          /* "othello"; as written in files and on command lines */
    uint32_t id;               /* as stored in weights files and datasets; never reused */
    int width, height;         /* of the drawn board; square (column, row) is bit 8 * row + column */
    uint64_t playable;         /* mask of squares that exist */
    struct willow_board start; /* first side to move (black) first */
    bool fewest_wins;          /* the side with fewer discs wins */
};

/* The standard game. */
const struct willow_ruleset *willow_ruleset_othello(void);

/* By name or by id; null when there is none. */
const struct willow_ruleset *willow_ruleset_find(const char *name);
const struct willow_ruleset *willow_ruleset_by_id(uint32_t id);

/* The table, for listing: entry 0, 1, ... ; null past the end. */
const struct willow_ruleset *willow_ruleset_at(int index);

#ifdef __cplusplus
}
#endif
#endif
