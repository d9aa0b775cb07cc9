/* Weights of an evaluation: in memory, as a .wlw file, and the evaluation of a board with them.
 * Layer: eval. Immutable once made; any number of sets may be alive at once, each shared by any number of threads.
 */
#ifndef WILLOW_WEIGHTS_H
#define WILLOW_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/patterns.h>
#include <willow/ruleset.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As many stages as 8x8 has numbers of discs in a game; on 10x10 two plies a stage are as fine as it gets. */
enum { WILLOW_STAGES_MAX = 61, WILLOW_PROVENANCE_MAX = 32768 };

struct willow_weights;

/* How discs on the board map to stages: stage s covers first_disc[s] .. first_disc[s+1]-1, the last one to the
 * full board. */
struct willow_stages {
    int squares;                           /* discs of the full board: willow_ruleset_squares */
    int count;                             /* 1 .. WILLOW_STAGES_MAX */
    uint8_t first_disc[WILLOW_STAGES_MAX]; /* rising; first_disc[0] <= 4 */
};

/* Stages of equal width from 4 discs for a board of so many squares: width = ceil((squares - 4) / count) plies; on 8x8
 * 20 gives three plies a stage. Where the rounding of the width leaves no discs short of the full board for the last
 * stages, fewer than `count` are made. count: 1 .. WILLOW_STAGES_MAX. */
struct willow_stages willow_stages_even(int squares, int count);
int willow_stage_of_discs(const struct willow_stages *stages, int discs);

/* First and last ply (discs on the board - 4) of the positions of a stage in which a move can be left, within 0 ..
 * squares - 5. False when there is none. */
bool willow_stage_plies(const struct willow_stages *stages, int stage, int *first_ply, int *last_ply);

/* Constants of the ProbCut model as stored in the file; count = 0 means that none were fitted. */
enum { WILLOW_PROBCUT_MAX = 64 };
struct willow_probcut {
    uint32_t count;
    float constant[WILLOW_PROBCUT_MAX];
};

/* Makes a set from tied weights, for the pattern set as it lies on the ruleset's board (willow_pattern_set_on, which
 * see for `set`: it may be laid on any): values[stage * willow_pattern_set_weights(it) + i], in steps of 1/32 disc;
 * null = all zero. All arguments are copied. provenance: text lines "key: value" without control characters but tabs,
 * null for none, at most WILLOW_PROVENANCE_MAX bytes; probcut may be null, its constants are finite; the stages are for
 * as many squares as the ruleset has. The set is encoded as a file at once (some 4 ms a stage): its checksum is known
 * from then on. WILLOW_ERR_MEMORY, WILLOW_ERR_ARGUMENT. The caller frees *weights. */
enum willow_status willow_weights_new(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                      const struct willow_stages *stages, const int16_t *values,
                                      const struct willow_probcut *probcut, const char *provenance,
                                      struct willow_weights **weights, struct willow_error *error);

/* All weights zero: the engine that knows only the rules. */
enum willow_status willow_weights_new_zero(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                           const struct willow_stages *stages, struct willow_weights **weights,
                                           struct willow_error *error);

/* Reads a .wlw file of any version up to the present one. WILLOW_ERR_IO, _FORMAT, _VERSION, _CHECKSUM, _MISMATCH
 * (unknown pattern set, or a ruleset that is unknown or of the build for another size of board), _MEMORY. */
enum willow_status willow_weights_load(const char *path, struct willow_weights **weights, struct willow_error *error);

/* The same from memory; name stands for the file in errors. */
enum willow_status willow_weights_parse(const void *data, size_t size_bytes, const char *name,
                                        struct willow_weights **weights, struct willow_error *error);

/* The set that is linked into the library for willow_ruleset_default; where there is none, zero weights. */
enum willow_status willow_weights_default(struct willow_weights **weights, struct willow_error *error);

/* Whether a set is linked that plays the ruleset (willow_ruleset_same_play). */
bool willow_weights_shipped(const struct willow_ruleset *ruleset);

/* What a user means by NAME for games of the ruleset: null = the variable WILLOW_WEIGHTS where set, else "default";
 * "default" = the linked set that plays the ruleset, and where there is none "zero"; "zero" = willow_weights_new_zero
 * of the default pattern set and 20 stages; else a file. A null ruleset takes weights of any, "default" and "zero"
 * being those of willow_ruleset_default. WILLOW_ERR_ARGUMENT when the name is empty; WILLOW_ERR_MISMATCH, with both
 * names and what to type, when the weights do not play the ruleset; what the three functions above return. */
enum willow_status willow_weights_open(const char *name, const struct willow_ruleset *ruleset,
                                       struct willow_weights **weights, struct willow_error *error);

/* Writes a .wlw file atomically (willow_file_replace). The bytes depend on the contents alone; a set that was read has
 * those of its file, in the version of the format that it had. WILLOW_ERR_IO, _MEMORY, _BUSY when path is a file that
 * holds anything but weights: it is left alone.
 */
enum willow_status willow_weights_save(const struct willow_weights *weights, const char *path,
                                       struct willow_error *error);

/* The part of willow_weights_save that can be known before the weights are. WILLOW_ERR_IO, _BUSY. */
enum willow_status willow_weights_check_target(const char *path, struct willow_error *error);

void willow_weights_free(struct willow_weights *weights);

/* Properties. Pointers live as long as the set. */
const struct willow_ruleset *willow_weights_ruleset(const struct willow_weights *weights);
const struct willow_pattern_set *willow_weights_patterns(const struct willow_weights *weights);
const struct willow_stages *willow_weights_stages(const struct willow_weights *weights);
const int16_t *willow_weights_values(const struct willow_weights *weights); /* tied, as given to willow_weights_new */
const struct willow_probcut *willow_weights_probcut(const struct willow_weights *weights);
const char *willow_weights_provenance(const struct willow_weights *weights); /* "" when none */

/* XXH3-128 of the file that willow_weights_save would write: the identity of the set. 32 hexadecimal digits. */
const char *willow_weights_checksum(const struct willow_weights *weights);

/* The evaluation of a board, from scratch: the sum of the weights of its stage, clamped to -+(WILLOW_SCORE_MAX - 1).
 * Knows nothing of passes or the end of the game. Equal to the incremental evaluation inside the search. */
willow_score willow_evaluate(const struct willow_weights *weights, struct willow_board board);

#ifdef __cplusplus
}
#endif
#endif
