/* The configuration of a self-play run: every option that decides which rows come out, its limits and its text.
 * Layer: selfplay. Threads and folders are not part of it: rows do not depend on them.
 */
#ifndef WILLOW_SELFPLAY_RUN_CONFIG_H
#define WILLOW_SELFPLAY_RUN_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/checksum.h>
#include <willow/dataset.h>
#include <willow/status.h>

#include "openings.h"

enum run_label { RUN_LABEL_NONE, RUN_LABEL_SEARCH };

/* How a move is chosen where it is not random. */
enum run_policy {
    RUN_POLICY_SEARCH,  /* by search with the weights */
    RUN_POLICY_MOBILITY /* leave the other side few moves: for the first games of an engine that knows only the rules */
};

enum {
    RUN_PLIES_MAX = WILLOW_PLIES - 1, /* 60, in a wide build 96 */
    RUN_DEPTH_MAX = RUN_PLIES_MAX,
    RUN_EMPTIES_MAX = RUN_PLIES_MAX,
    RUN_HASH_MAX_MB = 1 << 16,
    RUN_SHARD_GAMES_MAX = 1 << 20,
    RUN_SHARDS_MAX = 1000000,
    RUN_THREADS_MAX = 256,
    RUN_NAME_MAX = 1024,
    RUN_POOL_MAX = 16
};
#define RUN_NOISE_MAX 64.0
#define RUN_BALANCE_MAX 64.0
#define RUN_SHARE_MAX 1e9

struct run_config {
    uint64_t games, seed;
    uint64_t shard_games;

    int depth;       /* of every search, 1 .. RUN_DEPTH_MAX */
    int exact;       /* solve at this many empties or fewer; 0 = never by this rule */
    int selectivity; /* of every search, one of willow_selectivities */
    int hash_mb;     /* transposition table of each search */

    enum openings_kind opening;             /* what a game begins with */
    int opening_min, opening_max;           /* random: plies, drawn from this range */
    double opening_shares[OPENINGS_SHARES]; /* random: how often each number of plies is drawn; all zero = equally */
    double opening_balance;                 /* random: softness in discs of the preference for even starts; 0 = none */
    int opening_plies;                      /* all: every position after so many plies */
    char opening_list[RUN_NAME_MAX];        /* list: a file of transcripts */
    char opening_checksum[WILLOW_CHECKSUM_TEXT]; /* of that file; empty until resolved */

    double noise;       /* temperature in discs of the choice among scored root moves; 0 = best move */
    int noise_plies;    /* noise applies to so many plies after the opening */
    double random_move; /* probability of a random move at any ply after the opening */

    int pool_count;                                          /* earlier weights to play against, 0 .. RUN_POOL_MAX */
    char pool[RUN_POOL_MAX][RUN_NAME_MAX];                   /* as the user names them */
    char pool_checksums[RUN_POOL_MAX][WILLOW_CHECKSUM_TEXT]; /* empty until resolved */
    double pool_share; /* of the games in which one side, of either colour alike, plays with one of the pool */

    int ply_min, ply_max; /* positions of these plies are stored */
    double keep;          /* share of them */
    int positions;        /* of a game at most, a random choice; 0 = all */

    enum run_label label;
    int tail; /* results are what the solver says at this many empties; 0 = how the game ended */
    enum run_policy policy;

    char weights[RUN_NAME_MAX];                  /* as the user names them */
    char weights_checksum[WILLOW_CHECKSUM_TEXT]; /* empty until resolved */
    /* As the user names it: empty = willow_ruleset_default, "hole:random" = drawn by the seed. Resolved: its name. */
    char ruleset[32];
};

struct run_config run_config_default(void);

/* What `ruleset` names. WILLOW_ERR_ARGUMENT. */
enum willow_status run_config_ruleset(const struct run_config *config, const struct willow_ruleset **ruleset,
                                      struct willow_error *error);

/* Sets the plies of random openings to the default of the ruleset's board: of Othello 4-12, of the 60 that it has.
 * WILLOW_ERR_ARGUMENT. */
enum willow_status run_config_scale(struct run_config *config, struct willow_error *error);

/* WILLOW_ERR_ARGUMENT with the option and its limits. */
enum willow_status run_config_check(const struct run_config *config, struct willow_error *error);

/* Shares of opening_min, opening_min + 1, ... opening_max plies, which are set and within their limits.
 * WILLOW_ERR_ARGUMENT when their number is another, all are zero, or one is outside 0 .. RUN_SHARE_MAX. */
enum willow_status run_config_set_shares(struct run_config *config, const double *shares, size_t count,
                                         struct willow_error *error);

/* The resolved configuration as YAML that `run` accepts again. The caller frees *text. WILLOW_ERR_MEMORY. */
enum willow_status run_config_text(const struct run_config *config, char **text, struct willow_error *error);

/* Shards of the whole run, and games of one of them. */
uint64_t run_config_shards(const struct run_config *config);
uint64_t run_config_shard_games(const struct run_config *config, uint64_t shard);

/* "search" and so on; false when there is no such name. */
bool run_label_find(const char *name, enum run_label *label);
bool run_policy_find(const char *name, enum run_policy *policy);
bool run_opening_find(const char *name, enum openings_kind *kind);

#endif
