/* Counts what datasets hold: rows by ply, labels, scores against results, duplicates, openings, results of games.
 * Every sum is a whole number, so the order in which rows come does not matter. Layer: selfplay. Prints nothing.
 */
#ifndef WILLOW_SELFPLAY_CENSUS_H
#define WILLOW_SELFPLAY_CENSUS_H

#include <willow/dataset.h>
#include <willow/search.h>

enum {
    CENSUS_STAGE_PLIES = 3,
    /* The last one takes the last ply too, which no row can have where every square is playable. */
    CENSUS_STAGES = (WILLOW_PLIES - 1) / CENSUS_STAGE_PLIES,
    CENSUS_BINS = 65, /* of scores and results: bin b is nearest to CENSUS_BIN_DISCS * (b - 32) discs */
    CENSUS_BIN_DISCS = WILLOW_SQUARES > 64 ? 4 : 2,
    CENSUS_FLAGS = 6,             /* bits of willow_row.flags */
    CENSUS_DEPTHS = WILLOW_PLIES, /* depths of searches, from 0 */
    CENSUS_SELECTIVITIES = 101,   /* percent */
    CENSUS_WEIGHTS = 256          /* values of willow_game_row.black_weights */
};

/* Scores and the results of the same rows, in 1/32 disc. */
struct census_fit {
    uint64_t rows;
    int64_t score, result;                           /* sums */
    uint64_t score_square, result_square;            /* sums of squares */
    int64_t product;                                 /* sum of score * result */
    uint64_t absolute_difference, difference_square; /* sums over result - score */
};

struct census_ply {
    uint64_t rows, exact, selective;
    uint64_t searched, depth; /* scored and not exact: rows, and the sum of their depths */
    uint64_t distinct;        /* positions up to symmetry, counted when duplicates are */
    struct census_fit fit;    /* scored rows */
};

/* Games of one value of black_weights or white_weights against the run's own weights, from the pool's side. */
struct census_pool {
    uint64_t games, wins, draws;
    int64_t discs;
};

struct census_games {
    uint64_t games;
    uint64_t openings[WILLOW_PLIES]; /* by plies of the opening; longer ones count with the last */
    uint64_t distinct_openings;      /* last positions of openings, up to symmetry */
    uint64_t distinct;               /* whole games by their moves, up to symmetry */
    uint64_t black_wins, draws;
    int64_t discs;                           /* for black, sum */
    uint64_t moves, passes, passed;          /* moves without passes; passes; games with at least one */
    struct census_pool pool[CENSUS_WEIGHTS]; /* [0] stays empty */
    uint64_t pool_both;                      /* both sides with weights of the pool */
};

struct census_folder {
    const char *path; /* the caller's */
    uint64_t seed, planned_games, shards, games, rows, size_bytes;
    struct willow_shard_info first; /* of its first shard; zero when there is none */
    bool shards_differ;             /* in tool, weights or meaning of the labels */
};

struct census {
    const struct willow_ruleset *ruleset;
    size_t folders_count;
    struct census_folder *folders;
    uint64_t shards, rows, size_bytes;
    uint64_t flags[CENSUS_FLAGS]; /* rows with bit 0 .. 5 of willow_row.flags */
    uint64_t scores[CENSUS_BINS], results[CENSUS_BINS];
    uint64_t density[CENSUS_BINS][CENSUS_BINS];          /* scored rows by [score][result] */
    int64_t result_by_score[CENSUS_BINS];                /* sum of the results of scored rows, discs */
    uint64_t kinds[CENSUS_DEPTHS][CENSUS_SELECTIVITIES]; /* scored rows that are not exact */
    struct census_ply plies[WILLOW_PLIES];
    bool duplicates;   /* counted */
    uint64_t distinct; /* positions up to symmetry */
    struct census_games games;
};

struct census_options {
    const char *const *folders;
    size_t count;                                                             /* at least 1 */
    bool duplicates;                                                          /* count distinct positions */
    size_t memory_bytes;                                                      /* for that count, at least 1 MiB */
    const struct willow_stop *stop;                                           /* null = none */
    void (*progress)(void *context, uint64_t rows_done, uint64_t rows_total); /* null = none */
    void *context;
};

/* Reads every row and game once. Two hashes a game are held besides the memory for duplicates. The caller clears
 * *census, also after a failure. WILLOW_ERR_MISMATCH (folders of several rulesets), _STOPPED, _MEMORY, and what the
 * manifest, the reader and duplicates_find give. */
enum willow_status census_take(const struct census_options *options, struct census *census, struct willow_error *error);
void census_clear(struct census *census);

/* The games of one folder after another; internal to the census. Both arrays hold a hash for each game. */
struct census_hashes {
    uint64_t *openings, *games;
    size_t count, capacity;
};
enum willow_status census_games_add(struct census_games *census, struct census_hashes *hashes,
                                    const struct willow_ruleset *ruleset, const struct willow_game_row *games,
                                    uint64_t count, struct willow_error *error);
void census_games_finish(struct census_games *census, struct census_hashes *hashes); /* counts, and frees the hashes */

/* Sums over a range of plies. */
struct census_ply census_plies(const struct census *census, int first, int last);

/* In discs; 0 without rows. */
double census_mean_error(const struct census_fit *fit); /* of |score - result| */
double census_rms_error(const struct census_fit *fit);
double census_bias(const struct census_fit *fit);        /* mean of result - score */
double census_correlation(const struct census_fit *fit); /* 0 also where scores or results do not vary */

#endif
