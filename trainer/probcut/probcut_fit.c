/* Maximum likelihood for the ProbCut model; see probcut_fit.h. Layer: trainer.
 *
 * With u = |error| / sigma the loss is log(sigma) + g(u), where u g'(u) = min(u, cap)^2 / unit. It is convex in
 * log(sigma): Newton's method with halved steps finds the one minimum from anywhere.
 */
#include "probcut_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* unit is the mean of min(u, cap)^2 for a normal u: sigma is then the standard deviation where errors are normal. */
static const double cap = 2.5, unit = 0.977560;

/* Scores are rounded to 1/32 disc; an error of zero is somewhere within half a step. */
static const double rounding_discs = 1.0 / 64.0;

/* How many errors the prior is worth, in every constant. */
static const double prior_errors = 4.0;

enum { TERMS_MAX = WILLOW_PROBCUT_TERMS, STEPS_MAX = 100, HALVINGS_MAX = 40 };

const double probcut_widths[PROBCUT_WIDTHS] = {1.1, 1.5, 2.0, 2.6};
const double probcut_normal_shares[PROBCUT_WIDTHS] = {0.7287, 0.8664, 0.9545, 0.9907};

/* One linear problem: which errors, and the terms of each. */
struct problem {
    const struct probcut_error *errors;
    size_t count;
    int terms;
    const double *term;  /* count rows of `terms` */
    const double *prior; /* null = none */
    int half;            /* only errors of this half; -1 = all */
};

static double log_sigma(const struct problem *problem, size_t i, const double *constant)
{
    double sum = 0.0;
    for (int j = 0; j < problem->terms; j++)
        sum += constant[j] * problem->term[i * (size_t)problem->terms + (size_t)j];
    return sum;
}

static bool included(const struct problem *problem, size_t i)
{
    return problem->half < 0 || problem->errors[i].half == problem->half;
}

static double scaled_error(const struct probcut_error *error, double log_sigma_discs)
{
    return hypot(error->discs_off, rounding_discs) * exp(-log_sigma_discs);
}

static double loss_of(double u, double log_sigma_discs)
{
    const double inner = fmin(u, cap);
    return log_sigma_discs + inner * inner / (2.0 * unit) + (u > cap ? cap * cap / unit * log(u / cap) : 0.0);
}

static double total_loss(const struct problem *problem, const double *constant)
{
    double loss = 0.0;
    for (size_t i = 0; i < problem->count; i++)
        if (included(problem, i)) {
            const double sum = log_sigma(problem, i, constant);
            loss += loss_of(scaled_error(&problem->errors[i], sum), sum);
        }
    for (int j = 0; problem->prior && j < problem->terms; j++)
        loss += 0.5 * prior_errors * pow(constant[j] - problem->prior[j], 2.0);
    return loss;
}

/* Gradient and curvature of the loss; the curvature is positive definite. */
static void differentiate(const struct problem *problem, const double *constant, double *gradient,
                          double curvature[TERMS_MAX][TERMS_MAX])
{
    const int terms = problem->terms;
    memset(gradient, 0, TERMS_MAX * sizeof *gradient);
    memset(curvature, 0, TERMS_MAX * sizeof *curvature);
    for (size_t i = 0; i < problem->count; i++) {
        if (!included(problem, i))
            continue;
        const double *term = problem->term + i * (size_t)terms;
        const double u = scaled_error(&problem->errors[i], log_sigma(problem, i, constant)), inner = fmin(u, cap);
        const double slope = 1.0 - inner * inner / unit, bend = u < cap ? 2.0 * u * u / unit : 0.0;
        for (int j = 0; j < terms; j++) {
            gradient[j] += slope * term[j];
            for (int k = 0; k <= j; k++)
                curvature[j][k] += bend * term[j] * term[k];
        }
    }
    for (int j = 0; j < terms; j++) {
        if (problem->prior)
            gradient[j] += prior_errors * (constant[j] - problem->prior[j]);
        curvature[j][j] += problem->prior ? prior_errors : 1e-6;
    }
}

/* Solves curvature * step = gradient by Cholesky's method, in place. */
static void solve(int terms, double curvature[TERMS_MAX][TERMS_MAX], double *gradient)
{
    for (int j = 0; j < terms; j++)
        for (int k = j; k < terms; k++) {
            double sum = curvature[k][j];
            for (int l = 0; l < j; l++)
                sum -= curvature[k][l] * curvature[j][l];
            curvature[k][j] = k == j ? sqrt(sum) : sum / curvature[j][j];
        }
    for (int j = 0; j < terms; j++) {
        for (int l = 0; l < j; l++)
            gradient[j] -= curvature[j][l] * gradient[l];
        gradient[j] /= curvature[j][j];
    }
    for (int j = terms - 1; j >= 0; j--) {
        for (int l = j + 1; l < terms; l++)
            gradient[j] -= curvature[l][j] * gradient[l];
        gradient[j] /= curvature[j][j];
    }
}

/* From the constants given to the minimum. */
static void minimise(const struct problem *problem, double *constant)
{
    double loss = total_loss(problem, constant);
    for (int step = 0; step < STEPS_MAX; step++) {
        double direction[TERMS_MAX], curvature[TERMS_MAX][TERMS_MAX], tried[TERMS_MAX], found = loss;
        differentiate(problem, constant, direction, curvature);
        solve(problem->terms, curvature, direction);
        double length = 1.0;
        for (int halving = 0; halving < HALVINGS_MAX; halving++, length *= 0.5) {
            for (int j = 0; j < problem->terms; j++)
                tried[j] = constant[j] - length * direction[j];
            found = total_loss(problem, tried);
            if (found < loss) /* false for the NaN of a wild step */
                break;
        }
        if (!(found < loss))
            return;
        memcpy(constant, tried, (size_t)problem->terms * sizeof *constant);
        if (loss - found <= 1e-10 * fabs(loss))
            return;
        loss = found;
    }
}

static void add_quality(const struct problem *problem, const double *constant, struct probcut_quality *quality)
{
    for (size_t i = 0; i < problem->count; i++) {
        if (!included(problem, i))
            continue;
        const double sum = log_sigma(problem, i, constant), u = scaled_error(&problem->errors[i], sum);
        quality->errors++;
        quality->loss += loss_of(u, sum);
        for (int w = 0; w < PROBCUT_WIDTHS; w++)
            quality->share[w] += u <= probcut_widths[w];
    }
}

static void finish_quality(struct probcut_quality *quality)
{
    const double errors = quality->errors > 0 ? (double)quality->errors : 1.0;
    quality->loss /= errors;
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        quality->share[w] /= errors;
}

enum willow_status probcut_fit(const struct probcut_error *errors, size_t count, const float *prior,
                               struct probcut_fit *fit, struct willow_error *error)
{
    *fit = (struct probcut_fit){0};
    if (count == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no pair of depths to fit");
    const bool exact = errors[0].deep == PROBCUT_EXACT;
    const int terms = exact ? WILLOW_PROBCUT_TERMS_EXACT : WILLOW_PROBCUT_TERMS;
    double start[TERMS_MAX], other[TERMS_MAX];
    double *matrix = calloc(count, (size_t)terms * sizeof *matrix);
    if (!matrix)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu pairs", count);
    for (size_t i = 0; i < count; i++) {
        double *row = matrix + i * (size_t)terms;
        if (exact)
            willow_probcut_terms_exact(errors[i].discs, errors[i].shallow, row);
        else
            willow_probcut_terms(errors[i].discs, errors[i].shallow, errors[i].deep, row);
    }
    for (int j = 0; j < terms; j++)
        fit->constant[j] = start[j] = (double)prior[j];
    struct problem problem = {
        .errors = errors, .count = count, .terms = terms, .term = matrix, .prior = start, .half = -1};
    minimise(&problem, fit->constant);
    add_quality(&problem, fit->constant, &fit->fitted);
    for (int half = 0; half < 2; half++) {
        memcpy(other, fit->constant, sizeof other);
        problem.half = half;
        minimise(&problem, other);
        problem.half = 1 - half;
        add_quality(&problem, other, &fit->held_out);
    }
    finish_quality(&fit->fitted);
    finish_quality(&fit->held_out);
    free(matrix);
    return WILLOW_OK;
}

double probcut_scale(const struct probcut_error *errors, size_t count)
{
    double sigma = 0.0, before = -1.0;
    if (count == 0)
        return 0.0;
    for (size_t i = 0; i < count; i++)
        sigma += pow(hypot(errors[i].discs_off, rounding_discs), 2.0) / (double)count;
    sigma = sqrt(sigma);
    /* Falls towards the one solution, because the root of the mean square lies above it. */
    for (int step = 0; step < STEPS_MAX && fabs(sigma - before) > 1e-6 * sigma; step++) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++)
            sum += pow(fmin(scaled_error(&errors[i], log(sigma)), cap), 2.0);
        before = sigma;
        sigma *= sqrt(sum / unit / (double)count);
    }
    return sigma;
}
