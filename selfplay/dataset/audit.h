/* The full check of a dataset's content: every game replayed, every row compared with its game, labels compared with
 * each other. Slow and obvious: shares no code with the search. Opens no files. Layer: selfplay/dataset.
 */
#ifndef WILLOW_SELFPLAY_AUDIT_H
#define WILLOW_SELFPLAY_AUDIT_H

#include <willow/dataset.h>

#include "label_signs.h"

/* Called for every fault: where, and what is wrong. */
typedef void audit_report(void *context, const char *place, const char *reason);

/* Zeroed but for the first fields. */
struct audit {
    const struct willow_ruleset *ruleset;
    audit_report *report; /* null = only count */
    void *context;
    int pool_max;    /* largest plausible black_weights and white_weights; 0 = any */
    bool unique_ids; /* keep the ids of all games, to find those of two games in different shards */

    uint64_t faults;
    uint64_t
        unflagged; /* games with random moves of which no row is flagged as after one: of a time without that flag */
    uint64_t *ids; /* of the games so far; sorted after audit_finish */
    size_t ids_count, ids_capacity;
    struct label_signs signs;
};

/* Checks the rows and games of one shard, which were already read by the dataset library (so each is legal by itself,
 * and in its place). Without games only what rows say of themselves and of each other is checked, and what makes a
 * board impossible whatever was played. WILLOW_ERR_MEMORY. */
enum willow_status audit_shard(struct audit *audit, const struct willow_shard_info *info, const struct willow_row *rows,
                               const struct willow_game_row *games, struct willow_error *error);

/* After the last shard: what only the whole shows. */
void audit_finish(struct audit *audit);

void audit_clear(struct audit *audit); /* needed with unique_ids alone */

#endif
