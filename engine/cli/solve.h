/* The positions of files of positions and what an engine makes of them: shared by the parts of willow solve.
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
    const char *file; /* as the caller named it, and where in it */
    size_t line;
    size_t number;  /* among all positions that were read, from 1 */
    int best_discs; /* best score in the file; meaningful when obf.count > 0 */
    int empties;    /* playable */

    /* Filled by solve_run. */
    struct willow_result result;
    struct willow_scored_move *moves; /* best first, a forced pass included; null unless every move was to be scored */
    int move_count;
    bool finished; /* guarded by the mutex of the run; the result stands */
};

struct solve_set {
    const struct willow_ruleset *ruleset; /* of all positions */
    struct solve_problem *problems;
    size_t count, capacity;
};

/* Reads a whole file, "-" for standard input, and appends its positions: a line holds an OBF entry or a board in any
 * notation of one line, on the board of the set's ruleset. `path` must outlive the set. WILLOW_ERR_IO, _MEMORY, _FORMAT
 * with line and column; the caller clears *set, which begins as zeros but for the ruleset, in any case. */
enum willow_status solve_set_add(struct solve_set *set, const char *path, struct willow_error *error);

/* Appends the position that the ruleset starts from. WILLOW_ERR_MEMORY. */
enum willow_status solve_set_add_start(struct solve_set *set, struct willow_error *error);

/* One file; *set need not be initialised, and is empty after a failure. */
enum willow_status solve_set_load(const char *path, const struct willow_ruleset *ruleset, struct solve_set *set,
                                  struct willow_error *error);
void solve_set_clear(struct solve_set *set);

/* Leaves the positions `first` to `last` (from 1) alone in the set. */
void solve_set_choose(struct solve_set *set, size_t first, size_t last);

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

/* How a result compares with the file. */
struct solve_verdict {
    bool wrong_score; /* an exact score disagrees with the file */
    bool wrong_move;  /* the best move has not the file's best score */
};

/* Compares a finished position with the file's scores, or with their signs (win_loss), and adds it to the totals. */
struct solve_verdict solve_judge(const struct solve_problem *problem, bool win_loss, struct solve_totals *totals);

/* Static accuracy of one position of the ruleset: every scored move's child is evaluated with no search. */
struct solve_static {
    double error_sum;
    willow_square best_move; /* best by evaluation, ties to the first square */
    willow_score best_score;
    bool best; /* it has the file's best score */
};
struct solve_static solve_static_position(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                                          const struct solve_problem *problem, struct solve_totals *totals);

/* Searches all problems with `jobs` handles of `threads` threads each, every position on its own with a cleared table,
 * and calls from the calling thread begin, once all jobs work, and report in file order. Ends early when stop is set or
 * report returns false; what was finished by then is reported. tick is called from the same thread some times a second
 * with the number of positions finished. *seconds: from the first position to the last, without the making of the
 * tables. WILLOW_ERR_MEMORY, WILLOW_ERR_MISMATCH (weights of another ruleset than the set's). */
struct solve_plan {
    const struct willow_weights *weights;
    struct willow_limits limits;
    bool all_moves; /* score every move */
    size_t hash_bytes;
    int jobs, threads;
    void (*begin)(void *context);
    bool (*report)(void *context, size_t index, const struct solve_problem *problem);
    void (*tick)(void *context, size_t finished);
    void *context;
};
enum willow_status solve_run(struct solve_set *set, const struct solve_plan *plan, double *seconds,
                             struct willow_error *error);

#endif
