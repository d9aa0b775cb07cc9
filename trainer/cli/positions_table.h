/* The trainer's evaluation of positions beside the engine's, which are to be equal. Layer: trainer (program). */
#ifndef TRAINER_POSITIONS_TABLE_H
#define TRAINER_POSITIONS_TABLE_H

#include <willow/status.h>
#include <willow/weights.h>

#include <stdio.h>

/* Prints each position of a file, in any notation, with either side to move: the stage of the weights, the sum that a
 * fit measures, and what the engine plays by, in discs. *differing counts the pairs that are not equal. Positions in
 * which no move can be left belong to no stage of a fit and are counted apart. WILLOW_ERR_FORMAT for a line that is no
 * position and a file without one; WILLOW_ERR_IO, _MEMORY. */
enum willow_status positions_table_print(FILE *stream, const struct willow_weights *weights, const char *path,
                                         uint64_t *differing, struct willow_error *error);

#endif
