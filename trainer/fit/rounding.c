/* Rounding; see rounding.h. Layer: trainer.
 *
 * With d = rounded - fitted weights, the rounding error of a row is d.x. One pass gives H d, for each weight the sum of
 * the errors of the rows that have it, and d.H d, the sum of their squares. Moving a weight by one step changes that
 * sum by 2 |H d|_j - H_jj; the weight for which this is best moves, unless the next pass finds it worse after all (H_jj
 * is only known to be at least the count of the weight, since a row may have it several times).
 */
#include "rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stage of real rows takes two to ten. */
enum { PASSES_MAX = 24 };

/* Moves that lower the mean square by less, in steps, are not worth a pass: 0.1 steps^2 are (0.01 discs)^2. */
static const double least_gain = 0.1;

struct rounding {
    struct pass *pass;
    uint32_t count;
    double *storage; /* one block behind the arrays below */
    double *counts, *off, *sums, *next_sums;
    bool *settled; /* weights that have had their turn, or cannot be moved */
};

enum { ARRAYS = 4 };

static void round_each(struct rounding *rounding, const double *weights, const bool *fixed, int16_t *values,
                       struct rounding_report *report)
{
    for (uint32_t j = 0; j < rounding->count; j++) {
        double rounded = rint(weights[j]);
        if (fabs(rounded) > INT16_MAX) {
            report->saturated++;
            rounded = copysign(INT16_MAX, rounded);
        }
        rounding->settled[j] = fabs(rounded) >= INT16_MAX || (fixed && fixed[j]);
        values[j] = (int16_t)rounded;
        rounding->off[j] = rounded - weights[j];
    }
}

/* The weight whose move promises most, by what is known of it; count when none is worth it. rows: sum of their weights.
 */
static uint32_t best_move(const struct rounding *rounding, double rows)
{
    uint32_t best = rounding->count;
    double most = least_gain * rows;
    for (uint32_t j = 0; j < rounding->count; j++) {
        const double gain = 2.0 * fabs(rounding->sums[j]) - rounding->counts[j];
        if (gain > most && !rounding->settled[j]) {
            most = gain;
            best = j;
        }
    }
    return best;
}

/* Moves weights one after the other. */
static enum willow_status compensate(struct rounding *rounding, struct pass_rows train, const double *weights,
                                     int16_t *values, struct rounding_report *report, struct willow_error *error)
{
    enum willow_status status = pass_counts(rounding->pass, train, true, rounding->counts, error);
    double *sums = rounding->sums, *next_sums = rounding->next_sums;
    double least = INFINITY;
    uint32_t moved = rounding->count; /* by the last move, if any */
    int16_t step = 0;
    for (int passes = 0; status == WILLOW_OK && passes < PASSES_MAX; passes++) {
        struct pass_result result;
        status = pass_curvature(rounding->pass, train, weights, rounding->off, next_sums, &result, error);
        if (status != WILLOW_OK)
            break;
        if (result.curvature < least) {
            least = result.curvature;
            memcpy(sums, next_sums, rounding->count * sizeof *sums);
            report->moved += moved < rounding->count;
        } else { /* takes the move back */
            values[moved] = (int16_t)(values[moved] - step);
            rounding->off[moved] -= step;
        }
        moved = best_move(rounding, result.all.weight);
        if (moved == rounding->count || passes + 1 == PASSES_MAX)
            break;
        step = sums[moved] > 0.0 ? -1 : 1;
        values[moved] = (int16_t)(values[moved] + step);
        rounding->off[moved] += step;
        rounding->settled[moved] = true;
    }
    return status;
}

enum willow_status rounding_run(struct pass *pass, struct pass_rows train, struct pass_rows held_out,
                                const double *weights, const bool *fixed, int16_t *values,
                                struct rounding_report *report, struct willow_error *error)
{
    struct rounding rounding = {.pass = pass, .count = pass_weights(pass)};
    enum willow_status status = WILLOW_OK;
    *report = (struct rounding_report){.saturated = 0};
    rounding.storage = calloc(rounding.count, ARRAYS * sizeof *rounding.storage);
    rounding.settled = calloc(rounding.count, sizeof *rounding.settled);
    if (!rounding.storage || !rounding.settled) {
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %u weights", rounding.count);
    } else {
        rounding.counts = rounding.storage;
        rounding.off = rounding.counts + rounding.count;
        rounding.sums = rounding.off + rounding.count;
        rounding.next_sums = rounding.sums + rounding.count;
        round_each(&rounding, weights, fixed, values, report);
        status = compensate(&rounding, train, weights, values, report, error);
    }
    free(rounding.storage);
    free(rounding.settled);
    if (status == WILLOW_OK)
        status = pass_rounded(pass, train, values, &report->train, error);
    return status ? status : pass_rounded(pass, held_out, values, &report->held_out, error);
}
