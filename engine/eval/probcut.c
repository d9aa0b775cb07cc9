/* The ProbCut model: log sigma is a sum of terms in discs and depths. Holds the constants of the default weights for
 * weights that have none. Knows nothing of searching or fitting. Layer: eval.
 */
#include <willow/probcut.h>

#include <math.h>
#include <stdbool.h>

enum { DISCS_MIN = 4, DISCS_MAX = 64, DEPTH_MAX = 60 };

/* Of the default weights: those of weights/default.wlw, made by `willow train probcut --data pc4 pc6 --positions 2750
 * --depth 11 --exact 22` (weights/README.md). A file without constants is most likely a step of a training: the order
 * of magnitude will do. */
static const struct willow_probcut built_in = {
    .count = WILLOW_PROBCUT_COUNT,
    .constant = {WILLOW_PROBCUT_MODEL,
                 /* the midgame's */
                 1.36246812F, 0.535867333F, -0.183478311F, -0.136090189F, -0.28535527F, 0.422728419F, 0.076436393F,
                 0.0506111197F,
                 /* the exact model's */
                 1.82605088F, 0.414539099F, -0.0365457982F, 0.76907438F},
};

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* Discs as about -1 .. 1. */
static double scaled(int discs)
{
    return (clamp(discs, DISCS_MIN, DISCS_MAX) - 34) / 30.0;
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

/* The sum of any finite floats is finite in double; even a NaN would end at the upper bound, which cuts least. */
static double sigma_of(const float *constants, const double *terms, int count)
{
    double log_sigma = 0.0;
    for (int i = 0; i < count; i++)
        log_sigma += (double)constants[i] * terms[i];
    if (log_sigma < log(WILLOW_PROBCUT_SIGMA_MIN))
        return WILLOW_PROBCUT_SIGMA_MIN;
    return log_sigma < log(WILLOW_PROBCUT_SIGMA_MAX) ? exp(log_sigma) : WILLOW_PROBCUT_SIGMA_MAX;
}

const float *willow_probcut_constants(const struct willow_probcut *probcut)
{
    const bool known = probcut->count == WILLOW_PROBCUT_COUNT && probcut->constant[0] == WILLOW_PROBCUT_MODEL;
    return (known ? probcut : &built_in)->constant + 1;
}

double willow_probcut_sigma(const struct willow_probcut *probcut, int discs, int shallow, int deep)
{
    double terms[WILLOW_PROBCUT_TERMS];
    willow_probcut_terms(discs, shallow, deep, terms);
    return sigma_of(willow_probcut_constants(probcut), terms, WILLOW_PROBCUT_TERMS);
}

double willow_probcut_sigma_exact(const struct willow_probcut *probcut, int discs, int shallow)
{
    double terms[WILLOW_PROBCUT_TERMS_EXACT];
    willow_probcut_terms_exact(discs, shallow, terms);
    return sigma_of(willow_probcut_constants(probcut) + WILLOW_PROBCUT_TERMS, terms, WILLOW_PROBCUT_TERMS_EXACT);
}
