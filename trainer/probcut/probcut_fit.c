/* Maximum likelihood for the ProbCut model; see probcut_fit.h. Layer: trainer.
 *
 * With u = |error - mean| / sigma the loss is log(sigma) + g(u), where u g'(u) = min(u, cap)^2 / unit. It is convex in
 * log(sigma). In the mean it is not, because a blunder ceases to pull; there the curvature is that of the parabola
 * which touches the loss from above. The step takes both blocks at once and is halved until the loss falls.
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

/* How many errors the prior is worth, in every constant; in the mean's, errors of a sigma of 4 discs. */
static const double prior_errors = 4.0, prior_sigma_discs = 4.0;

enum { TERMS_MAX = WILLOW_PROBCUT_TERMS + WILLOW_PROBCUT_MEAN_TERMS, STEPS_MAX = 100, HALVINGS_MAX = 40 };

const double probcut_widths[PROBCUT_WIDTHS] = {1.1, 1.5, 2.0, 2.6};
const double probcut_normal_shares[PROBCUT_WIDTHS] = {0.7287, 0.8664, 0.9545, 0.9907};

/* One problem: which errors, and the terms of each. Constants are those of log(sigma), then those of the mean. */
struct problem {
    const struct probcut_error *errors;
    size_t count;
    int sigma_terms, terms; /* all terms; = sigma_terms for a mean of zero */
    int stride;
    const double *term; /* count rows of `stride` */
    const double *prior;
    int half; /* only errors of this half; -1 = all */
};

static double sum_of(const double *constant, const double *term, int first, int end)
{
    double sum = 0.0;
    for (int j = first; j < end; j++)
        sum += constant[j] * term[j];
    return sum;
}

/* An error as constants see it. */
struct view {
    const double *term;
    double log_sigma, off; /* off: the error less the mean, discs */
    double u;
};

static struct view view_of(const struct problem *problem, size_t i, const double *constant)
{
    struct view view = {.term = problem->term + i * (size_t)problem->stride};
    view.log_sigma = sum_of(constant, view.term, 0, problem->sigma_terms);
    view.off = (double)problem->errors[i].discs_off - sum_of(constant, view.term, problem->sigma_terms, problem->terms);
    view.u = hypot(view.off, rounding_discs) * exp(-view.log_sigma);
    return view;
}

static bool included(const struct problem *problem, size_t i)
{
    return problem->half < 0 || problem->errors[i].half == problem->half;
}

static double loss_of(double u, double log_sigma_discs)
{
    const double inner = fmin(u, cap);
    return log_sigma_discs + inner * inner / (2.0 * unit) + (u > cap ? cap * cap / unit * log(u / cap) : 0.0);
}

static double prior_weight(const struct problem *problem, int j)
{
    return prior_errors / (j < problem->sigma_terms ? 1.0 : prior_sigma_discs * prior_sigma_discs);
}

static double total_loss(const struct problem *problem, const double *constant)
{
    double loss = 0.0;
    for (size_t i = 0; i < problem->count; i++)
        if (included(problem, i)) {
            const struct view view = view_of(problem, i, constant);
            loss += loss_of(view.u, view.log_sigma);
        }
    for (int j = 0; j < problem->terms; j++)
        loss += 0.5 * prior_weight(problem, j) * pow(constant[j] - problem->prior[j], 2.0);
    return loss;
}

/* Gradient of the loss and a curvature that is positive definite. Errors are about as often above the mean as below, so
 * that the blocks of sigma and of the mean hardly meet: what lies between them is left out. */
static void differentiate(const struct problem *problem, const double *constant, double *gradient,
                          double curvature[TERMS_MAX][TERMS_MAX])
{
    const int sigma_terms = problem->sigma_terms, terms = problem->terms;
    memset(gradient, 0, TERMS_MAX * sizeof *gradient);
    memset(curvature, 0, TERMS_MAX * sizeof *curvature);
    for (size_t i = 0; i < problem->count; i++) {
        if (!included(problem, i))
            continue;
        const struct view view = view_of(problem, i, constant);
        const double u = view.u, inner = fmin(u, cap);
        const double slope = 1.0 - inner * inner / unit, bend = u < cap ? 2.0 * u * u / unit : 0.0;
        const double weight = pow(inner / u * exp(-view.log_sigma), 2.0) / unit;
        for (int j = 0; j < terms; j++) {
            const bool of_sigma = j < sigma_terms;
            gradient[j] += (of_sigma ? slope : -weight * view.off) * view.term[j];
            for (int k = of_sigma ? 0 : sigma_terms; k <= j; k++)
                curvature[j][k] += (of_sigma ? bend : weight) * view.term[j] * view.term[k];
        }
    }
    for (int j = 0; j < terms; j++) {
        gradient[j] += prior_weight(problem, j) * (constant[j] - problem->prior[j]);
        curvature[j][j] += prior_weight(problem, j);
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
        const struct view view = view_of(problem, i, constant);
        quality->errors++;
        quality->loss += loss_of(view.u, view.log_sigma);
        quality->mean += view.off;
        for (int w = 0; w < PROBCUT_WIDTHS; w++)
            quality->share[w] += view.u <= probcut_widths[w];
    }
}

static void finish_quality(struct probcut_quality *quality)
{
    const double errors = quality->errors > 0 ? (double)quality->errors : 1.0;
    quality->loss /= errors;
    quality->mean /= errors;
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        quality->share[w] /= errors;
}

/* Fits one half and measures the other, both ways, from the constants given. */
static void cross_validate(struct problem problem, const double *constant, struct probcut_quality *quality)
{
    for (int half = 0; half < 2; half++) {
        double other[TERMS_MAX];
        memcpy(other, constant, (size_t)problem.terms * sizeof *other);
        problem.half = half;
        minimise(&problem, other);
        problem.half = 1 - half;
        add_quality(&problem, other, quality);
    }
    finish_quality(quality);
}

/* count rows of terms, which the caller frees; null without memory. */
static double *matrix_of(const struct probcut_error *errors, size_t count, int sigma_terms, int terms)
{
    double *matrix = calloc(count, (size_t)terms * sizeof *matrix);
    for (size_t i = 0; matrix && i < count; i++) {
        double *row = matrix + i * (size_t)terms;
        const struct probcut_error *error = &errors[i];
        if (error->deep == PROBCUT_EXACT) {
            willow_probcut_terms_exact(error->discs, error->shallow, row);
            willow_probcut_mean_terms_exact(error->discs, error->shallow, row + sigma_terms);
        } else {
            willow_probcut_terms(error->discs, error->shallow, error->deep, row);
            willow_probcut_mean_terms(error->discs, error->shallow, error->deep, row + sigma_terms);
        }
    }
    return matrix;
}

enum willow_status probcut_fit(const struct probcut_error *errors, size_t count, const float *sigma_prior,
                               const float *mean_prior, struct probcut_fit *fit, struct willow_error *error)
{
    *fit = (struct probcut_fit){0};
    if (count == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no pair of depths to fit");
    const bool exact = errors[0].deep == PROBCUT_EXACT;
    const int sigma_terms = exact ? WILLOW_PROBCUT_TERMS_EXACT : WILLOW_PROBCUT_TERMS;
    const int terms = sigma_terms + WILLOW_PROBCUT_MEAN_TERMS;
    double start[TERMS_MAX], constant[TERMS_MAX], *matrix = matrix_of(errors, count, sigma_terms, terms);
    if (!matrix)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu pairs", count);
    for (int j = 0; j < terms; j++)
        constant[j] = start[j] = (double)(j < sigma_terms ? sigma_prior[j] : mean_prior[j - sigma_terms]);
    struct problem problem = {.errors = errors,
                              .count = count,
                              .sigma_terms = sigma_terms,
                              .terms = terms,
                              .stride = terms,
                              .term = matrix,
                              .prior = start,
                              .half = -1};
    minimise(&problem, constant);
    memcpy(fit->sigma, constant, (size_t)sigma_terms * sizeof *constant);
    memcpy(fit->mean, constant + sigma_terms, (size_t)(terms - sigma_terms) * sizeof *constant);
    add_quality(&problem, constant, &fit->fitted);
    finish_quality(&fit->fitted);
    cross_validate(problem, constant, &fit->held_out);
    problem.terms = sigma_terms;
    cross_validate(problem, constant, &fit->held_out_without_mean);
    free(matrix);
    return WILLOW_OK;
}

void probcut_moments(const struct probcut_error *errors, size_t count, double *mean, double *sigma)
{
    double centre = 0.0, square = 0.0;
    *mean = *sigma = 0.0;
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        centre += (double)errors[i].discs_off / (double)count;
        square += pow(hypot(errors[i].discs_off, rounding_discs), 2.0) / (double)count;
    }
    double scale = sqrt(square), before = -1.0;
    for (int step = 0; step < STEPS_MAX && fabs(scale - before) > 1e-6 * scale; step++) {
        double sum = 0.0, weights = 0.0, shift = 0.0;
        for (size_t i = 0; i < count; i++) {
            const double off = (double)errors[i].discs_off - centre, u = hypot(off, rounding_discs) / scale;
            const double inner = fmin(u, cap), weight = pow(inner / u, 2.0);
            sum += inner * inner;
            weights += weight;
            shift += weight * off;
        }
        before = scale;
        scale *= sqrt(sum / unit / (double)count);
        centre += shift / weights;
    }
    *mean = centre;
    *sigma = scale;
}
