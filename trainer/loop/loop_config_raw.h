/* What the loop's YAML file says: null where it says nothing, so that defaults are told from zeros.
 * Layer: trainer (program), between the schema and the checks alone.
 */
#ifndef WILLOW_TRAINER_LOOP_CONFIG_RAW_H
#define WILLOW_TRAINER_LOOP_CONFIG_RAW_H

#include "loop_config.h"

struct raw_fit {
    double *number[LOOP_FIT_NUMBERS];
    char *start, *solver;
};

struct raw_probcut {
    int *positions, *depth, *exact;
};

struct raw_generation {
    int64_t *games, *limit;
    int *depth, *exact, *selectivity, *noise_plies, *label_depth, *label_exact, *label_selectivity, *window;
    double *noise, *random_move, *keep, *result_weight;
    char *opening, *openings, *policy, *from;
    struct raw_fit *fit;
    struct raw_probcut *probcut;
};

struct raw_opponent {
    char *name, *weights;
};

struct raw_match {
    int *pairs, *depth, *exact, *selectivity;
    double *nelo0, *nelo1, *alpha, *beta; /* the gate only */
    bool *rejected;                       /* the ladder only, and what follows */
    char *anchor;
    struct raw_opponent *opponents;
    unsigned opponents_count;
};

struct raw_limits {
    double *disk_gb, *hours;
};

struct raw_config {
    int64_t *seed;
    char *ruleset, *patterns, *start;
    int *stages;
    bool *keep_data;
    struct raw_fit *fit;
    struct raw_probcut *probcut;
    struct raw_generation *every_backward, *every_generation;
    struct raw_generation *backward, *generations;
    unsigned backward_count, generations_count;
    struct raw_match *gate, *ladder, *final;
    struct raw_limits *budget;
    char **yardsticks;
    unsigned yardsticks_count;
};

/* Checks what the file at `path` says, for a ruleset if not null, and fills *config, which is zeroed.
 * WILLOW_ERR_FORMAT, _IO (a file that it names cannot be found), _MEMORY. */
enum willow_status loop_config_resolve(const char *path, const struct raw_config *raw, const char *ruleset,
                                       struct loop_config *config, struct willow_error *error);

#endif
