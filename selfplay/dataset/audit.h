/* The full check of a shard's content: every game replayed, every row compared with its game. Layer: selfplay.
 * Slower and stricter than what a reader checks; shares no code with the search.
 */
#ifndef WILLOW_SELFPLAY_AUDIT_H
#define WILLOW_SELFPLAY_AUDIT_H

#include <willow/dataset.h>

/* Called for every fault: where, and what is wrong. */
typedef void audit_report(void *context, const char *place, const char *reason);

struct audit {
    const struct willow_ruleset *ruleset;
    audit_report *report; /* null = only count */
    void *context;
    uint64_t faults;
};

/* Checks rows that were already read by the dataset library (so each is legal by itself). Without games only what a row
 * says of itself is checked. `rows` are in a shard's order. WILLOW_ERR_MEMORY. */
enum willow_status audit_shard(struct audit *audit, const struct willow_shard_info *info, const struct willow_row *rows,
                               const struct willow_game_row *games, struct willow_error *error);

#endif
