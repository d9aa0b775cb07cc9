/* Pairs made of their numbers, and folders that hold them, for the tests of a match on disk. */
#ifndef WILLOW_TESTS_FOLDER_PAIRS_H
#define WILLOW_TESTS_FOLDER_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "selfplay/match/match_folder.h"
#include "support/scratch.h"

/* With what the folders are opened. */
extern const char folder_pairs_identity[], folder_pairs_settings[];

/* A game of random moves behind `opening` ones, up to `plies` in all, that ends in this way. */
void folder_pairs_game(struct game_record *record, const struct willow_game *opening, uint64_t seed, enum game_end end,
                       int plies);

/* The pair of that number. The names are constant. */
void folder_pairs_make(struct match_folder_pair *pair, size_t number);

void folder_pairs_check_game(const struct game_record *record, const struct game_record *wanted);

/* A visitor: counts the pairs and compares each with the one that folder_pairs_make makes of that number. */
enum willow_status folder_pairs_check(void *count, const struct match_folder_pair *pair, struct willow_error *error);

/* Opens a folder that holds so many pairs. */
struct match_folder *folder_pairs_open(const char *path, size_t wanted);

/* Appends the pairs from `first` up to `end`. */
void folder_pairs_append(struct match_folder *folder, size_t first, size_t end);

/* A folder "match" in a new scratch folder, with so many pairs. */
void folder_pairs_folder(char scratch[SCRATCH_PATH], char path[SCRATCH_PATH], size_t pairs);

/* Offset of the line with this number, from 0. */
size_t folder_pairs_line(const unsigned char *data, size_t size, size_t line);

#endif
