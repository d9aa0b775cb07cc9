/* The datasets of which a merge or shuffle makes one: whether they go together, their shards, and the ids that their
 * games get in the result. Layer: selfplay. Prints nothing.
 *
 * Sources with the same seed and configuration are parts of one run: their games must differ, and keep their ids to
 * each other. The ids of every further run are shifted behind those of the runs before it where they are not there
 * already.
 */
#ifndef WILLOW_SELFPLAY_SOURCES_H
#define WILLOW_SELFPLAY_SOURCES_H

#include <willow/dataset.h>

struct sources_shard {
    size_t source; /* index of its folder */
    uint32_t number;
    uint64_t rows, games;
    uint64_t first_row;             /* number of its first row in a reader over all sources and plies */
    uint64_t first_game, last_game; /* the least and greatest id, before the shift */
    uint64_t shift;                 /* to be added to its ids */
    uint64_t first_moves;           /* hash of the moves of its first game; 0 = it has no games */
};

struct source {
    const char *folder;
    char *path; /* without links, for comparison */
    uint64_t seed, games, rows, planned_games, shift;
    char configuration_checksum[WILLOW_CHECKSUM_TEXT];
    size_t run; /* index of the first source of the same run */
    bool rows_without_games;
};

/* Called with a line for the user. */
typedef void sources_note(void *context, const char *text);

struct sources {
    const struct willow_ruleset *ruleset;
    uint64_t seed; /* theirs if all agree, else a hash of all in order */
    uint64_t rows, games, size_bytes;
    bool games_carried; /* every row's game is in /games of its shard */
    struct source *list;
    size_t count;
    struct sources_shard *shards; /* runs in order of their first source; in a run by id where games are carried, else
                                     by source */
    size_t shards_count, shards_capacity;
    char weights[WILLOW_CHECKSUM_TEXT], labels[128]; /* "" and words for several where they differ */
};

/* Opens every shard for its header and its games (its rows where it has no games). note (may be null) hears of
 * unfinished runs, of games that two runs share (one is the other with new labels), and of games that cannot be
 * carried. WILLOW_ERR_ARGUMENT (a folder given twice, no folder at all), _MISMATCH (rulesets differ; games of one run
 * in two sources), and what reading gives. The caller clears *sources, also after a failure; the folders' names must
 * outlive it. */
enum willow_status sources_open(struct sources *sources, const char *const *folders, size_t count, sources_note *note,
                                void *context, struct willow_error *error);
void sources_clear(struct sources *sources);

/* From now on games are not carried. */
void sources_leave_games(struct sources *sources);

/* WILLOW_ERR_ARGUMENT when `folder` is one of the sources or lies in one. */
enum willow_status sources_check_target(const struct sources *sources, const char *folder, struct willow_error *error);

/* How the result is made, for target_options.configuration: `head`, whole lines of YAML, and then the sources. The
 * caller frees. */
enum willow_status sources_origin(const struct sources *sources, const char *head, char **text,
                                  struct willow_error *error);

/* Reads a shard, with its ids shifted; *games stays null when games are not carried. The caller frees both, also after
 * a failure. */
enum willow_status sources_read(const struct sources *sources, const struct sources_shard *shard,
                                struct willow_row **rows, struct willow_game_row **games, struct willow_error *error);

#endif
