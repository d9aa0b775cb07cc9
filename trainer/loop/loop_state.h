/* What a loop has finished so far: DIR/state.json, replaced atomically after every step.
 * Layer: trainer (program). A step counts as done only when it stands here, so a kill at any instant costs one step.
 */
#ifndef WILLOW_TRAINER_LOOP_STATE_H
#define WILLOW_TRAINER_LOOP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/checksum.h>
#include <willow/status.h>

enum { LOOP_STEP_NAME = 64 };

struct loop_state_step {
    char name[LOOP_STEP_NAME]; /* "generation-01/fit-19"; letters, digits, '-' and '/' */
    double seconds;
    int64_t rows; /* of the dataset that it made; -1 = it made none */
};

/* Zeroed = nothing done. */
struct loop_state {
    char configuration[WILLOW_CHECKSUM_TEXT]; /* of the resolved configuration that the steps belong to */
    size_t count, capacity;
    struct loop_state_step *steps;
};

/* A missing file reads as nothing done. WILLOW_ERR_IO, _FORMAT, _MEMORY. The caller clears *state. */
enum willow_status loop_state_read(const char *path, struct loop_state *state, struct willow_error *error);
enum willow_status loop_state_write(const char *path, const struct loop_state *state, struct willow_error *error);

/* Adds a finished step; in memory only. WILLOW_ERR_MEMORY. */
enum willow_status loop_state_add(struct loop_state *state, const char *name, double seconds, int64_t rows,
                                  struct willow_error *error);

/* The step by name, null when it is not done. */
const struct loop_state_step *loop_state_find(const struct loop_state *state, const char *name);

void loop_state_clear(struct loop_state *state);

#endif
