/* The labelled positions of one stage as the solver reads them, pass after pass: compact rows in an unnamed scratch
 * file. The dataset is decoded once a stage; later passes read blocks from here, so that memory does not grow with the
 * rows and the system's page cache makes re-reading cheap. Layer: trainer.
 */
#ifndef TRAINER_SAMPLES_H
#define TRAINER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/checksum.h>
#include <willow/status.h>

struct sample {
    struct willow_board board;
    float label;       /* 1/32 disc, side to move */
    uint32_t held_out; /* 1 = measured only, never fitted */
};

struct samples;

/* Creates the scratch file in folder; it has no name and vanishes with the process. WILLOW_ERR_IO, WILLOW_ERR_MEMORY.
 */
enum willow_status samples_new(const char *folder, struct samples **samples, struct willow_error *error);
void samples_free(struct samples *samples);

/* Forgets all rows and gives their space back. WILLOW_ERR_IO. */
enum willow_status samples_clear(struct samples *samples, struct willow_error *error);

/* Adds rows at the end. WILLOW_ERR_IO, for instance when the disk is full. Not while another thread reads. */
enum willow_status samples_append(struct samples *samples, const struct sample *rows, size_t count,
                                  struct willow_error *error);

/* All rows, and the held-out ones among them. */
uint64_t samples_rows(const struct samples *samples);
uint64_t samples_held_out(const struct samples *samples);

/* Identity of the rows (boards, labels, held out or not) in their order: equal for equal data, whatever the time and
 * place of its making. Lives until the next append or clear. */
const char *samples_checksum(const struct samples *samples);

/* Copies rows first .. first + count - 1, which must exist. Any number of threads may read at once. WILLOW_ERR_IO. */
enum willow_status samples_read(const struct samples *samples, uint64_t first, size_t count, struct sample *rows,
                                struct willow_error *error);

#endif
