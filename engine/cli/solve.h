/* The positions of an OBF file and what an engine makes of them: shared by the parts of willow solve.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_SOLVE_H
#define WILLOW_CLI_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/notation.h>
#include <willow/search.h>
#include <willow/status.h>
#include <willow/weights.h>

struct solve_problem {
    struct willow_obf obf;
    int empties;
    int best_discs; /* best score in the file; meaningful when obf.count > 0 */
    struct willow_result result;
    bool finished; /* guarded by the mutex of the run; result is complete */
};

struct solve_set {
    struct solve_problem *problems;
    size_t count;
};

/* Reads a whole OBF file. WILLOW_ERR_IO, _MEMORY, _FORMAT with line and column. The caller clears *set. */
enum willow_status solve_set_load(const char *path, struct solve_set *set, struct willow_error *error);
void solve_set_clear(struct solve_set *set);

/* Sums over positions (search) or over scored moves (static), with the shares defined in the help text of willow solve.
 */
struct solve_totals {
    uint64_t positions, moves; /* positions with scores in the file; their scored moves */
    uint64_t compared;         /* differences summed: one a position, or one a scored move in static accuracy */
    double error_sum;
    uint64_t best, within_3, within_6, within_9;
    uint64_t wrong_exact; /* exact scores that disagree with the file */
    uint64_t nodes;
    double seconds;
};

void solve_totals_add(struct solve_totals *totals, double difference_discs);

/* The file's score of a move in discs; false when it has none. */
bool solve_file_score(const struct willow_obf *obf, willow_square move, int *discs);

/* Static accuracy of one position: every scored move's child is evaluated with no search. */
struct solve_static {
    double error_sum;
    willow_square best_move; /* best by evaluation, ties to the first square */
    willow_score best_score;
    bool best; /* it has the file's best score */
};
struct solve_static solve_static_position(const struct willow_weights *weights, const struct solve_problem *problem,
                                          struct solve_totals *totals);

/* Searches all problems with `jobs` handles of `threads` threads each, every position on its own with a cleared table,
 * and calls report in file order from the calling thread. Ends early when stop is set or report returns false.
 * *seconds: from the first position to the last, without the making of the tables. */
struct solve_plan {
    const struct willow_weights *weights;
    struct willow_limits limits;
    size_t hash_bytes;
    int jobs, threads;
    bool (*report)(void *context, size_t index, const struct solve_problem *problem);
    void *context;
};
enum willow_status solve_run(struct solve_set *set, const struct solve_plan *plan, double *seconds,
                             struct willow_error *error);

#endif
