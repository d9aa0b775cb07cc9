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
    char current[PATH_MAX];                                    /* backward pass: newest stage included */
};

/* Searching one ply deeper costs about this factor more time. */
double making_depth_cost(int depth);

/* Seed of a generation's programs. */
uint64_t making_seed(const struct loop *loop, int number);

/* Fills in name and title of a step of generation `number`. */
void making_name_step(struct loop_step *step, int number, const char *name, const char *title);

/* Starts the loop's command line with a program; arguments follow. */
struct process_command *command_begin(struct loop *loop, const char *program);
void command_text(struct process_command *command, const char *option, const char *value);
void command_integer(struct process_command *command, const char *option, int64_t value);

/* Index in the configuration of the first generation whose games number `number` (of self-play) fits. */
int making_window_start(const struct loop_config *config, int number);

/* From the best weights to making->weights: games, then labels and fits of all stages. */
enum willow_status making_learn(struct making *making, struct willow_error *error);

#endif
