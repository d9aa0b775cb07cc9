/* The ProbCut model: log sigma and the mean are sums of terms in discs and depths. Holds the constants of the default
 * weights for weights that have none. Knows nothing of searching or fitting. Layer: eval.
 */
#include <willow/probcut.h>

#include <math.h>
#include <stdbool.h>

enum { DISCS_MIN = 4, DISCS_MAX = WILLOW_SQUARES, DEPTH_MAX = DISCS_MAX - DISCS_MIN, MODEL_WITHOUT_MEAN = 1 };

/* Of the default weights: those of weights/default.wlw, made by `willow train probcut --data pc4 pc6 --positions 2750
 * --depth 11 --exact 22` (weights/README.md). A file without constants is most likely a step of a training: the order
 * of magnitude will do. */
static const struct willow_probcut built_in = {
    .count = WILLOW_PROBCUT_COUNT,
    .constant = {WILLOW_PROBCUT_MODEL,
                 /* sigma of the midgame */
                 1.29120064F, 0.541380703F, -0.261202753F, -0.154487684F, -0.242413983F, 0.413935483F, 0.0693997443F,
                 0.00583825074F,
                 /* sigma of the exact model */
                 1.64812958F, 0.733189106F, -0.121476687F, 0.596460223F,
                 /* means of both */
                 -1.8345108F, -0.110119276F, -2.09836197F, -0.809027433F, -1.81694221F, -0.480899721F, -2.0994885F,
                 -0.328004658F},
};

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* Discs as about -1 .. 1. */
static double scaled(int discs)
{
    const int middle = (DISCS_MIN + DISCS_MAX) / 2;
    return (clamp(discs, DISCS_MIN, DISCS_MAX) - middle) / (double)(middle - DISCS_MIN);
}

void willow_probcut_terms(int discs, int shallow, int deep, double terms[WILLOW_PROBCUT_TERMS])
{
    shallow = clamp(shallow, 0, DEPTH_MAX - 1);
    deep = clamp(deep, shallow + 1, DEPTH_MAX);
    const double stage = scaled(discs), distance = log(deep - shallow);
    terms[0] = 1.0;
    terms[1] = stage;
    terms[2] = stage * stage;
    terms[3] = log(shallow + 1);
    terms[4] = log(deep + 1);
    terms[5] = distance;
    terms[6] = stage * distance;
    terms[7] = (deep - shallow) % 2;
}

void willow_probcut_terms_exact(int discs, int shallow, double terms[WILLOW_PROBCUT_TERMS_EXACT])
{
    const int empties = clamp(DISCS_MAX - discs, 1, DISCS_MAX - DISCS_MIN);
    shallow = clamp(shallow, 0, empties - 1);
    terms[0] = 1.0;
    terms[1] = scaled(discs);
    terms[2] = log(shallow + 1);
    terms[3] = log((double)(empties - shallow) / empties);
}

/* What parity does to a score: searches of odd and of even depth stand on either side of the truth, and come nearer to
 * it as less of the game is left beyond them. The exact score is at the end, where nothing is left. */
static double swing(int discs, int depth)
{
    const double empties = clamp(DISCS_MAX - discs, 1, DISCS_MAX - DISCS_MIN);
    const double left = fmax(0.0, empties - depth) / empties;
    return depth % 2 ? 0.5 * left : -0.5 * left;
}

static void mean_terms(int discs, int shallow, double swing_difference, double terms[WILLOW_PROBCUT_MEAN_TERMS])
{
    terms[0] = swing_difference;
    terms[1] = shallow == 0;
    terms[2] = scaled(discs) * terms[0];
    terms[3] = scaled(discs) * terms[1];
}

void willow_probcut_mean_terms(int discs, int shallow, int deep, double terms[WILLOW_PROBCUT_MEAN_TERMS])
{
    shallow = clamp(shallow, 0, DEPTH_MAX - 1);
    deep = clamp(deep, shallow + 1, DEPTH_MAX);
    mean_terms(discs, shallow, swing(discs, deep) - swing(discs, shallow), terms);
}

void willow_probcut_mean_terms_exact(int discs, int shallow, double terms[WILLOW_PROBCUT_MEAN_TERMS])
{
    shallow = clamp(shallow, 0, DEPTH_MAX);
    mean_terms(discs, shallow, -swing(discs, shallow), terms);
}

/* Even a NaN would end at the upper bound, which cuts least. */
static double to_sigma(double log_sigma)
{
    if (log_sigma < log(WILLOW_PROBCUT_SIGMA_MIN))
        return WILLOW_PROBCUT_SIGMA_MIN;
    return log_sigma < log(WILLOW_PROBCUT_SIGMA_MAX) ? exp(log_sigma) : WILLOW_PROBCUT_SIGMA_MAX;
}

static double to_mean(double mean)
{
    return fmax(-WILLOW_PROBCUT_MEAN_MAX, fmin(mean, WILLOW_PROBCUT_MEAN_MAX));
}

struct willow_probcut willow_probcut_in_force(const struct willow_probcut *probcut)
{
    const bool known = probcut->count == WILLOW_PROBCUT_COUNT && probcut->constant[0] == WILLOW_PROBCUT_MODEL;
    const bool without_mean =
        probcut->count == WILLOW_PROBCUT_COUNT_WITHOUT_MEAN && probcut->constant[0] == MODEL_WITHOUT_MEAN;
    const struct willow_probcut *const source = known || without_mean ? probcut : &built_in;
    struct willow_probcut in_force = {.count = WILLOW_PROBCUT_COUNT, .constant = {WILLOW_PROBCUT_MODEL}};
    for (uint32_t i = 1; i < source->count; i++)
        in_force.constant[i] = source->constant[i];
    return in_force;
}

/* Of the constants in force from number `at` on. The sum of any finite floats is finite in double. */
static double sum_of(const struct willow_probcut *probcut, int at, const double *terms, int count)
{
    const struct willow_probcut in_force = willow_probcut_in_force(probcut);
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += (double)in_force.constant[at + i] * terms[i];
    return sum;
}

double willow_probcut_sigma(const struct willow_probcut *probcut, int discs, int shallow, int deep)
{
    double terms[WILLOW_PROBCUT_TERMS];
    willow_probcut_terms(discs, shallow, deep, terms);
    return to_sigma(sum_of(probcut, WILLOW_PROBCUT_AT, terms, WILLOW_PROBCUT_TERMS));
}

double willow_probcut_sigma_exact(const struct willow_probcut *probcut, int discs, int shallow)
{
    double terms[WILLOW_PROBCUT_TERMS_EXACT];
    willow_probcut_terms_exact(discs, shallow, terms);
    return to_sigma(sum_of(probcut, WILLOW_PROBCUT_AT_EXACT, terms, WILLOW_PROBCUT_TERMS_EXACT));
}

double willow_probcut_mean(const struct willow_probcut *probcut, int discs, int shallow, int deep)
{
    double terms[WILLOW_PROBCUT_MEAN_TERMS];
    willow_probcut_mean_terms(discs, shallow, deep, terms);
    return to_mean(sum_of(probcut, WILLOW_PROBCUT_AT_MEAN, terms, WILLOW_PROBCUT_MEAN_TERMS));
}

double willow_probcut_mean_exact(const struct willow_probcut *probcut, int discs, int shallow)
{
    double terms[WILLOW_PROBCUT_MEAN_TERMS];
    willow_probcut_mean_terms_exact(discs, shallow, terms);
    return to_mean(sum_of(probcut, WILLOW_PROBCUT_AT_MEAN_EXACT, terms, WILLOW_PROBCUT_MEAN_TERMS));
}
