/* Temporary folders, files changed on purpose, and a whole dataset in memory, for tests of what lies on disk. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stddef.h>

#include <willow/dataset.h>

enum { SCRATCH_PATH = 512 };

/* A new empty folder under the system's temporary folder. Ends the test program when that fails. */
void scratch_make(char path[SCRATCH_PATH]);
void scratch_remove(const char *path); /* with everything in it */

/* "folder/name" in buffer; returns buffer. */
char *scratch_join(char buffer[SCRATCH_PATH], const char *folder, const char *name);

/* The whole file; the caller frees. */
unsigned char *scratch_read(const char *path, size_t *size);
void scratch_write(const char *path, const void *data, size_t size);

/* Number of names in the folder that end so. */
int scratch_count(const char *folder, const char *suffix);

/* All rows of a dataset in the reader's order; the caller frees. Ends the test program when the reader fails. */
struct willow_row *scratch_rows(const char *folder, size_t *count);

/* Field by field; reports the first difference on stderr. */
int scratch_rows_equal(const struct willow_row *a, size_t a_count, const struct willow_row *b, size_t b_count);

/* Games of random moves and all their rows with a made-up score; the caller frees both. ids first, first + 1, ... */
struct willow_row *scratch_games(uint64_t seed, uint64_t first, size_t games, struct willow_game_row **records,
                                 size_t *count);

#endif
