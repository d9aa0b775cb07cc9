/* Labelled positions as the passes read them: compact rows in an unnamed scratch file, in one list for each ply and
 * part. The datasets are decoded once; later passes read blocks from here, so that memory does not grow with the rows
 * and the system's page cache makes re-reading cheap. Layer: trainer.
 */
#ifndef TRAINER_SAMPLES_H
#define TRAINER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/checksum.h>
#include <willow/dataset.h>
#include <willow/status.h>

/* What a label rests on. */
enum sample_kind { SAMPLE_SCORE, SAMPLE_EXACT, SAMPLE_RESULT, SAMPLE_KINDS };

/* Rows that are fitted, and rows of the held-out games, which are measured only. */
enum sample_part { SAMPLE_TRAIN, SAMPLE_HELD_OUT, SAMPLE_PARTS };

enum {
    SAMPLE_WEIGHT_ONE = 4096,    /* the weight of an ordinary row */
    SAMPLE_PLIES = WILLOW_PLIES, /* 0 .. 60 on 8x8 */
    SAMPLE_BLOCK_ROWS = 1 << 10, /* rows of a block, the unit of reading; only the last one of a list has fewer */
    SAMPLE_PADDING = WILLOW_BITS_WORDS == 1 ? 1 : 9
};

struct sample {
    struct willow_board board;
    float label;                     /* 1/32 disc, side to move */
    uint16_t weight;                 /* how much its residual counts, in 1 / SAMPLE_WEIGHT_ONE; > 0 */
    uint8_t kind;                    /* enum sample_kind */
    uint8_t padding[SAMPLE_PADDING]; /* zero */
};

struct samples;

/* Creates the scratch file in folder; it has no name and vanishes with the process. Memory: one block for each list in
 * use. WILLOW_ERR_IO, WILLOW_ERR_MEMORY.
 */
enum willow_status samples_new(const char *folder, struct samples **samples, struct willow_error *error);
void samples_free(struct samples *samples);

/* Adds rows at the end of a list. WILLOW_ERR_IO, for instance when the disk is full; WILLOW_ERR_MEMORY; the store is
 * then fit for samples_free alone. Not while another thread reads. */
enum willow_status samples_append(struct samples *samples, int ply, enum sample_part part, const struct sample *rows,
                                  size_t count, struct willow_error *error);

/* Takes rows out of a list: the n-th where drop[n] is true. The order of the others stays; the file does not shrink.
 * The errors of samples_append and samples_read. Not while another thread reads. */
enum willow_status samples_drop(struct samples *samples, int ply, enum sample_part part, const bool *drop,
                                struct willow_error *error);

uint64_t samples_rows(const struct samples *samples, int ply, enum sample_part part);
size_t samples_blocks(const struct samples *samples, int ply, enum sample_part part);

/* Adds to digest[0..1] numbers that identify the rows of a ply, both parts, whatever their order: sums over rows, so
 * that the digests of disjoint stores add up (modulo 2^64) to that of their union. */
void samples_digest(const struct samples *samples, int ply, uint64_t digest[2]);

/* Copies a block (0 .. samples_blocks - 1) into rows, which has room for SAMPLE_BLOCK_ROWS. Any number of threads may
 * read at once. WILLOW_ERR_IO; WILLOW_ERR_CHECKSUM when the scratch file no longer holds what was written. */
enum willow_status samples_read(const struct samples *samples, int ply, enum sample_part part, size_t block,
                                struct sample *rows, size_t *count, struct willow_error *error);

/* Says that a block will be read soon, so that the system can fetch it from the disk meanwhile. Blocks that do not
 * exist are ignored. */
void samples_prefetch(const struct samples *samples, int ply, enum sample_part part, size_t block);

#endif
