/* The training loop: generations of self-play, labels, fit and gate match, each step a program of its own.
 * Layer: trainer (program). What was finished stands in the folder, so that the same call continues where it stopped.
 */
#ifndef WILLOW_TRAINER_LOOP_H
#define WILLOW_TRAINER_LOOP_H

#include <limits.h>

#include <willow/program.h>
#include <willow/weights.h>

#include "loop_config.h"
#include "loop_process.h"
#include "loop_report.h"
#include "loop_state.h"

/* What a step costs its time by; the estimate keeps one rate for each. */
enum loop_cost { LOOP_COST_START, LOOP_COST_GAMES, LOOP_COST_LABELS, LOOP_COST_FIT, LOOP_COST_MATCH, LOOP_COST_SOLVE };
enum { LOOP_COSTS = 6 };

/* The same walk over generations and steps serves three ends. */
enum loop_mode {
    LOOP_COUNT, /* adds up the planned work */
    LOOP_PRINT, /* prints the command lines on stdout; supposes that every generation is accepted */
    LOOP_RUN
};

/* Work in units of its kind, and the time that finished units took. */
struct loop_pace {
    double planned[LOOP_COSTS], done[LOOP_COSTS], seconds[LOOP_COSTS];
};

struct loop {
    const struct loop_config *config;
    const char *folder;
    int threads;
    enum loop_mode mode;
    const struct willow_stop *stop;

    char willow[PATH_MAX], selfplay[PATH_MAX], train[PATH_MAX]; /* the programs */
    char weights[PATH_MAX];                                     /* of the best, for the user */
    char *configuration;                                        /* resolved text; the report points to it */
    struct loop_state state;
    struct loop_pace pace;
    struct willow_progress progress;
    char doing[128];                /* the step at work, in words */
    uint64_t began_ns;              /* when it began */
    double seconds;                 /* of all finished steps */
    struct process_command command; /* of the step that is put together */

    struct willow_stages stages; /* of the weights being trained */
    int best;                    /* number of the best generation */
    struct report report;
};

/* Runs, or prints when dry_run, the whole loop. *loop is filled for the caller's last words (report, folder); the
 * caller clears it. WILLOW_ERR_BUSY (another loop works in the folder), _MISMATCH (the folder belongs to another
 * configuration), _STOPPED, and the errors of files and steps. */
enum willow_status loop_run(struct loop *loop, const struct loop_config *config, const char *folder, int threads,
                            bool dry_run, bool quiet, struct willow_error *error);
void loop_clear(struct loop *loop);

/* One step: a program run to its end, unless the state says that it is done. */
struct loop_step {
    char name[LOOP_STEP_NAME]; /* unique in the loop: "generation-01/fit-19" */
    char title[96];            /* for people: "generation 1: fit stage 19" */
    enum loop_cost cost;
    double units;       /* of work, > 0 */
    const char *output; /* receives what the program prints, atomically; null = to the log */
    const char *fresh;  /* file or folder removed before the program starts; null = none */
};

/* Runs loop->command as the step. */
enum willow_status step_run(struct loop *loop, const struct loop_step *step, struct willow_error *error);
bool step_done(const struct loop *loop, const char *name);

/* Notes a step that needed no program. In mode LOOP_RUN only. */
enum willow_status step_note(struct loop *loop, const char *name, struct willow_error *error);

/* "folder/name..." within the loop's folder; PATH_MAX bytes. WILLOW_ERR_ARGUMENT when too long. */
enum willow_status loop_path(const struct loop *loop, char *buffer, struct willow_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Generation 0: zero or given weights. Generation 1 and on: everything from its games to its gate match, and its line
 * in the report. */
enum willow_status generation_start(struct loop *loop, struct willow_error *error);
enum willow_status generation_run(struct loop *loop, int number, struct willow_error *error);

/* The match of the best generation against number 0. */
enum willow_status generation_final(struct loop *loop, struct willow_error *error);

/* Seconds of the finished steps whose names begin with prefix. */
double loop_seconds(const struct loop *loop, const char *prefix);

#endif
