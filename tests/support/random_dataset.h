/* Small datasets of random games for tests, written through the dataset library. */
#ifndef TESTS_RANDOM_DATASET_H
#define TESTS_RANDOM_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/dataset.h>

/* Called for each row before it is written; may set score, depth, result and flags. */
typedef void random_dataset_label(struct willow_row *row, void *context);

/* Writes folder (which must not exist, or be empty) with `shards` shards of `games` random games each and its manifest.
 * Game ids count from 0, the games depend on seed alone. label may be null: rows then have results and no scores. False
 * when something failed. */
bool random_dataset_write(const char *folder, uint64_t seed, uint32_t shards, uint32_t games,
                          random_dataset_label *label, void *context);

/* Removes a folder with the files in it (no folders below), if it is there. */
void random_dataset_remove(const char *folder);

#endif
