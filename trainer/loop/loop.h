/* The training loop: generations of self-play, labels, fit, gate match and ladder, each step a program of its own.
 * Layer: trainer (program). What was finished stands in the folder, so that the same call continues where it stopped.
 */
#ifndef WILLOW_TRAINER_LOOP_H
#define WILLOW_TRAINER_LOOP_H

#include <limits.h>

#include <willow/program.h>
#include <willow/weights.h>

#include "loop_config.h"
#include "loop_live.h"
#include "loop_process.h"
#include "loop_report.h"
#include "loop_state.h"

/* What a step costs its time by; the estimate keeps one rate for each. */
enum loop_cost {
    LOOP_COST_START,
    LOOP_COST_GAMES,
    LOOP_COST_LABELS,
    LOOP_COST_FIT,
    LOOP_COST_PROBCUT,
    LOOP_COST_MATCH,
    LOOP_COST_SOLVE
};
enum { LOOP_COSTS = 7 };

/* The same walk over generations and steps serves four ends. */
enum loop_mode {
    LOOP_COUNT, /* adds up the planned work */
    LOOP_PRINT, /* prints the command lines on stdout; supposes that every generation is accepted */
    LOOP_READ,  /* reads the results of what is done; ends with WILLOW_ERR_STOPPED at the first step that is not */
    LOOP_RUN
};

/* Work in seconds of one thread as guessed beforehand, and the time that finished work took. */
struct loop_pace {
    double planned[LOOP_COSTS], done[LOOP_COSTS], seconds[LOOP_COSTS];
    double
        planned_until[LOOP_GENERATIONS_MAX + 1]; /* seconds guessed for all up to a generation, from the first walk */
};

struct loop_options {
    const char *folder;
    int threads;
    bool quiet;
    bool force; /* start although the estimate says that disk or time will not do */
};

struct loop {
    const struct loop_config *config;
    struct loop_options options;
    enum loop_mode mode;
    const struct willow_stop *stop;

    char willow[PATH_MAX], selfplay[PATH_MAX], train[PATH_MAX]; /* the programs */
    char weights[PATH_MAX];                                     /* of the best, for the user */
    char *configuration;                                        /* resolved text; the report points to it */
    struct loop_state state;
    struct loop_pace pace;
    struct live live;
    char doing[128];                /* the step at work, in words */
    uint64_t began_ns;              /* when it began */
    double expected_seconds;        /* that it will take */
    double seconds;                 /* of all finished steps */
    struct process_command command; /* of the step that is put together */

    struct willow_stages stages;         /* of the weights being trained */
    int best;                            /* number of the best generation */
    struct report_encounter *encounters; /* of the newest ladder; the report points to them */
    struct report report;
};

/* Each fills *loop for the caller's last words (report, folder); the caller clears it.
 * Runs the whole loop. WILLOW_ERR_BUSY (another loop works in the folder), _MISMATCH (the folder belongs to another
 * configuration), _STOPPED, _ARGUMENT (the estimate is over a limit), and the errors of files and steps. */
enum willow_status loop_run(struct loop *loop, const struct loop_config *config, const struct loop_options *options,
                            struct willow_error *error);

/* Prints the commands that it would run, as a script of a shell. */
enum willow_status loop_print(struct loop *loop, const struct loop_config *config, const struct loop_options *options,
                              struct willow_error *error);

/* Writes the report of what is finished, also beside a loop that runs. WILLOW_ERR_IO when no loop was begun there. */
enum willow_status loop_write_report(struct loop *loop, const struct loop_config *config,
                                     const struct loop_options *options, struct willow_error *error);

void loop_clear(struct loop *loop);

/* One step: a program run to its end, unless the state says that it is done. */
struct loop_step {
    char name[LOOP_STEP_NAME]; /* unique in the loop: "generation-01/fit-19" */
    char title[96];            /* for people: "generation 1: fit stage 19" */
    enum loop_cost cost;
    double units;        /* of work, > 0: seconds of one thread, guessed */
    const char *output;  /* receives what the program prints, atomically; null = to the log */
    const char *dataset; /* folder that the program makes, whose rows are noted; null = none */
};

/* Runs loop->command as the step. WILLOW_ERR_STOPPED: asked to stop, or in LOOP_READ, when it is not done. */
enum willow_status step_run(struct loop *loop, const struct loop_step *step, struct willow_error *error);
bool step_done(const struct loop *loop, const char *name);

/* Notes a step that needed no program. Nothing in LOOP_COUNT and LOOP_PRINT; in LOOP_READ as step_run. */
enum willow_status step_note(struct loop *loop, const char *name, struct willow_error *error);

/* As step_note, for work that step_run was to do and that proves to be done: it counts as such in the estimate. */
enum willow_status step_found(struct loop *loop, const struct loop_step *step, struct willow_error *error);

/* Copies a file or removes a file or folder of the loop, or prints the command that does. In LOOP_RUN alone it counts
 * as no step: what is done twice does no harm. Nothing in LOOP_COUNT and LOOP_READ. */
enum willow_status step_copy(struct loop *loop, const char *from, const char *to, struct willow_error *error);
enum willow_status step_remove(struct loop *loop, const char *path, struct willow_error *error);

/* Makes a folder of the loop, or prints the command that does. */
enum willow_status step_folder(struct loop *loop, const char *path, struct willow_error *error);

/* "folder/name..." within the loop's folder; PATH_MAX bytes. WILLOW_ERR_ARGUMENT when too long. */
enum willow_status loop_path(const struct loop *loop, char *buffer, struct willow_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Path of the copy of an input. */
enum willow_status loop_input_path(const struct loop *loop, char *buffer, int input, struct willow_error *error);

/* Generation 0: zero or given weights. Generation 1 and on: everything from its games to its ladder, and its line in
 * the report. */
enum willow_status generation_start(struct loop *loop, struct willow_error *error);
enum willow_status generation_run(struct loop *loop, int number, struct willow_error *error);

/* The matches of the best generation against numbers 0 and 1. */
enum willow_status generation_final(struct loop *loop, struct willow_error *error);

/* Seconds of the finished steps whose names begin with prefix. */
double loop_seconds(const struct loop *loop, const char *prefix);

/* Time that the planned and unfinished work will take, at the rates measured so far. */
double loop_seconds_left(const struct loop *loop);

#endif
