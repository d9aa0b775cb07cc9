/* Configuration of the training loop: what a YAML file says, with every default filled in.
 * Layer: trainer (program). Reads and writes the text; runs nothing.
 */
#ifndef WILLOW_TRAINER_LOOP_CONFIG_H
#define WILLOW_TRAINER_LOOP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/checksum.h>
#include <willow/ruleset.h>
#include <willow/status.h>

/* What one generation does. A backward pass plays games and labels them stage by stage from the end, each stage by a
 * shallow search into the one that was fitted a moment before. A self-play generation labels while it plays, or its
 * games afterwards, and fits all stages at once. */
enum loop_kind { LOOP_BACKWARD, LOOP_SELFPLAY };

/* How games are played: by search with the weights, or (before there are any) so that the other side has few moves. */
enum loop_policy { LOOP_POLICY_SEARCH, LOOP_POLICY_MOBILITY };

/* Numbers that are handed on to `willow train fit`. */
enum loop_fit_number {
    LOOP_FIT_ITERATIONS,
    LOOP_FIT_PRIOR,
    LOOP_FIT_WINDOW,
    LOOP_FIT_BACKOFF,
    LOOP_FIT_BACKOFF_PRIOR,
    LOOP_FIT_TOLERANCE,
    LOOP_FIT_PATIENCE,
    LOOP_FIT_CLIP,
    LOOP_FIT_RATE,
    LOOP_FIT_RANDOM_DISTANCE,
    LOOP_FIT_HELD_OUT,
    LOOP_FIT_NUMBERS
};

struct loop_fit_option {
    const char *key, *option; /* in the configuration, on the command line */
    double low, high;
    bool whole; /* takes no fractions */
};
extern const struct loop_fit_option loop_fit_options[LOOP_FIT_NUMBERS];

/* Options of a fit; what is not given is left to the program. */
struct loop_fit {
    double number[LOOP_FIT_NUMBERS]; /* NAN = not given */
    const char *start, *solver;      /* a word in constant storage; null = not given */
};

/* Margins of selective search, measured with new weights. */
struct loop_probcut {
    int positions; /* 0 = the weights keep those of the weights that they came from */
    int depth, exact;
};

enum { LOOP_NO_INPUT = -1 };

struct loop_generation {
    enum loop_kind kind;
    int64_t games;
    int depth, exact, selectivity;   /* of the moves played; also of the labels made in play */
    int openings;                    /* index of the list that games begin with; LOOP_NO_INPUT = random plies */
    int opening_first, opening_last; /* random plies at the start of a game, drawn from this range */
    double noise;                    /* temperature in discs of the choice among scored moves; 0 = the best */
    int noise_plies;                 /* noise applies to so many plies after the opening */
    double random_move;              /* probability of a random move at any later ply */
    double keep;                     /* share of positions kept */
    /* Of labels that are made after the games. In backward passes label_depth > 0 and limit counts a stage's rows; in
     * self-play label_depth = 0: the search that plays makes the labels. */
    int label_depth, label_exact, label_selectivity;
    int64_t limit; /* rows labelled; 0 = all */
    struct loop_fit fit;
    struct loop_probcut probcut;
    /* Backward passes only. */
    enum loop_policy policy;
    /* Self-play only. */
    double result_weight; /* share of the game's result in the label */
    int window;           /* self-play generations whose data is fitted, this one included */
    bool from_nothing;    /* the fit does not start from the best weights */
};

struct loop_match {
    int pairs; /* 0 = the match is left out; for a gate: every generation is accepted */
    int depth, exact, selectivity;
};

/* Sequential test of a gate, bounds in normalised Elo. */
struct loop_sprt {
    double nelo0, nelo1, alpha, beta;
};

enum {
    LOOP_GENERATIONS_MAX = 98,
    LOOP_YARDSTICKS_MAX = 16,
    LOOP_OPPONENTS_MAX = 16,
    LOOP_INPUTS_MAX = 64,
    LOOP_NAME_MAX = 32, /* of a player, with the ending null */
    LOOP_LEFT_OUT_MAX = 256
};

/* A fixed player of the ladder. */
struct loop_opponent {
    char name[LOOP_NAME_MAX];
    int weights; /* index of the weights file; LOOP_NO_INPUT = those linked into the programs */
};

struct loop_ladder {
    struct loop_match match;    /* every two players meet in so many pairs */
    bool rejected;              /* rejected generations play too */
    char anchor[LOOP_NAME_MAX]; /* the player whose rating is zero */
    int opponents;
    struct loop_opponent opponent[LOOP_OPPONENTS_MAX];
};

/* Limits to the estimate, in the units of the file; 0 = none. */
struct loop_limits {
    double disk_gb, hours;
};

struct loop_config {
    const struct willow_ruleset *ruleset;
    int64_t seed;
    char *patterns; /* pattern set by name */
    int stages;
    int start;      /* index of the weights file that generation 0 is; LOOP_NO_INPUT = zero */
    bool keep_data; /* keep games when no later generation needs them */
    int count;      /* generations, backward passes first */
    struct loop_generation generations[LOOP_GENERATIONS_MAX];
    struct loop_match gate, final;
    struct loop_sprt sprt; /* of the gate */
    struct loop_ladder ladder;
    struct loop_limits limits;
    int yardsticks;
    int yardstick[LOOP_YARDSTICKS_MAX]; /* indices of OBF files */
    char left_out[LOOP_LEFT_OUT_MAX]; /* what the file names and the ruleset that was asked for cannot use, in words */
    /* Files of others that the loop reads: absolute paths, no two with the same last part. */
    int inputs;
    char *input[LOOP_INPUTS_MAX];
};

/* Reads and checks a file; relative paths in it are meant from its own folder. `ruleset` replaces the file's (null = as
 * the file says). Plies and numbers of stages are then those of a board as large as the file was written for, and are
 * scaled to this one; those of a file that names no ruleset, and defaults, are of 8x8. Where that makes them less,
 * games and labels are solved from no more than a third of the plies on, so that something is left to learn. Yardsticks
 * and opponents of another game are left out. WILLOW_ERR_IO, _FORMAT (unknown key, wrong type, value out of range:
 * names the key), _ARGUMENT (no such ruleset), _MEMORY. The caller clears *config, also after a failure. */
enum willow_status loop_config_load(const char *path, const char *ruleset, struct loop_config *config,
                                    struct willow_error *error);
void loop_config_clear(struct loop_config *config);

/* The resolved configuration as YAML that loop_config_load reads back to the same values from a folder whose `inputs`
 * holds copies of the input files. *text is malloc'd, the caller frees. WILLOW_ERR_MEMORY. */
enum willow_status loop_config_text(const struct loop_config *config, char **text, struct willow_error *error);

/* Plies of a game that fills the board, passes not counted: 60 on 8x8. */
int loop_config_plies(const struct loop_config *config);

/* The last part of an input's path: the name of its copy in the folder's `inputs`. */
const char *loop_config_input_name(const struct loop_config *config, int input);

#endif
