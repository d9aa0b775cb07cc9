/* A generation in the making, and the parts that its steps are put together from.
 * Layer: trainer (program), inside the loop alone.
 */
#ifndef WILLOW_TRAINER_LOOP_MAKING_H
#define WILLOW_TRAINER_LOOP_MAKING_H

#include "loop.h"

/* A generation being made. */
struct making {
    struct loop *loop;
    int number;
    const struct loop_generation *plan;                        /* null for generation 0 */
    char folder[PATH_MAX], games[PATH_MAX], weights[PATH_MAX]; /* of this generation */
    char best[PATH_MAX];                                       /* weights of the best generation so far */
    char current[PATH_MAX];                                    /* weights in the making, before they are published */
};

/* Fills in paths and makes the folder. */
enum willow_status making_begin(struct loop *loop, int number, struct making *making, struct willow_error *error);

/* Seed of a generation's programs. */
uint64_t making_seed(const struct loop *loop, int number);

/* Fills in name and title of a step of generation `number`. */
void making_name_step(struct loop_step *step, int number, const char *name, const char *title);

/* Starts the loop's command line with a program; arguments follow. */
struct process_command *command_begin(struct loop *loop, const char *program);
void command_text(struct process_command *command, const char *option, const char *value);
void command_integer(struct process_command *command, const char *option, int64_t value);
void command_real(struct process_command *command, const char *option, double value);
void command_range(struct process_command *command, const char *option, int first, int last);

/* What all fits of a generation have in common, threads and output included. */
void making_fit_options(struct process_command *command, const struct making *making);

/* Labels games by `weights` into the dataset `labels`: all positions, or those of some plies when first >= 0. */
struct making_labels {
    const char *weights, *labels;
    int first, last;
    double positions; /* expected */
};
enum willow_status making_relabel(struct making *making, const struct making_labels *what, struct loop_step *step,
                                  struct willow_error *error);

/* A backward pass from the games to making->current. */
enum willow_status making_backward(struct making *making, struct willow_error *error);

/* A self-play generation from the games to making->current. */
enum willow_status making_selfplay(struct making *making, struct willow_error *error);

/* From the best weights to making->weights: games, labels, fits and margins. */
enum willow_status making_learn(struct making *making, struct willow_error *error);

/* Index in the configuration of the first generation whose data number `number` (of self-play) fits. */
int making_window_start(const struct loop_config *config, int number);

/* Removes the data that no later generation fits; unlabelled games that were labelled since, in any case. */
enum willow_status making_drop_data(struct loop *loop, int number, struct willow_error *error);

/* The match against the best generation so far: fills in match, test and verdict of the line. */
enum willow_status match_gate(struct making *making, struct report_generation *line, struct willow_error *error);

/* The round robin of all generations so far and the fixed opponents: rates all lines of the report. */
enum willow_status match_ladder(struct making *making, struct willow_error *error);

#endif
