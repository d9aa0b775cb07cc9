/* Configuration of the training loop: what a YAML file says, with every default filled in.
 * Layer: trainer (program). Reads and writes the text; runs nothing.
 */
#ifndef WILLOW_TRAINER_LOOP_CONFIG_H
#define WILLOW_TRAINER_LOOP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/checksum.h>
#include <willow/status.h>

/* What one generation does. A backward pass plays games and labels them stage by stage from the end, each stage by a
 * shallow search into the one that was fitted a moment before. A self-play generation labels while it plays and fits
 * all stages at once. */
enum loop_kind { LOOP_BACKWARD, LOOP_SELFPLAY };

/* How games are played: by search with the weights, or (before there are any) so that the other side has few moves. */
enum loop_policy { LOOP_POLICY_SEARCH, LOOP_POLICY_MOBILITY };

/* Stand for the default of `willow train fit`, whatever it is. */
enum { LOOP_ITERATIONS_OF_FIT = 0 };
#define LOOP_PRIOR_OF_FIT (-1.0)

struct loop_generation {
    enum loop_kind kind;
    int64_t games;
    int depth, exact;                /* of the moves played; also of the labels in self-play */
    int opening_first, opening_last; /* random plies at the start of a game, drawn from this range */
    double noise;                    /* temperature in discs of the choice among scored moves; 0 = the best */
    int noise_plies;                 /* noise applies to so many plies after the opening */
    double random_move;              /* probability of a random move at any later ply */
    double keep;                     /* share of positions kept */
    int iterations;                  /* of the fit; LOOP_ITERATIONS_OF_FIT */
    double prior;                    /* of the fit; LOOP_PRIOR_OF_FIT */
    /* Backward passes only. */
    enum loop_policy policy;
    int label_depth, label_exact;
    int64_t limit; /* rows labelled a stage; 0 = all */
    /* Self-play only. */
    double result_weight; /* share of the game's result in the label */
    int window;           /* self-play generations whose data is fitted, this one included */
};

struct loop_match {
    int pairs, depth, exact;
    double minimum; /* score from which a generation is accepted; the gate only */
};

enum { LOOP_GENERATIONS_MAX = 98, LOOP_YARDSTICKS_MAX = 16 };

struct loop_config {
    int64_t seed;
    char *patterns; /* pattern set by name */
    int stages;
    char *start;    /* "zero" or an absolute path of a weights file */
    bool keep_data; /* keep games when no later generation needs them */
    int count;      /* generations, backward passes first */
    struct loop_generation generations[LOOP_GENERATIONS_MAX];
    struct loop_match gate, final;
    int yardsticks;
    char *yardstick[LOOP_YARDSTICKS_MAX]; /* absolute paths of OBF files */
};

/* Reads and checks a file; relative paths in it are meant from its own folder. WILLOW_ERR_IO, _FORMAT (unknown key,
 * wrong type, value out of range: names the key), _MEMORY. The caller clears *config, also after a failure. */
enum willow_status loop_config_load(const char *path, struct loop_config *config, struct willow_error *error);
void loop_config_clear(struct loop_config *config);

/* The resolved configuration as YAML that loop_config_load reads back to the same values. *text is malloc'd, the caller
 * frees. WILLOW_ERR_MEMORY. */
enum willow_status loop_config_text(const struct loop_config *config, char **text, struct willow_error *error);

#endif
