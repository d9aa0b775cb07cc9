/* Maximum likelihood over the five outcomes of a pair under a given t-value. Layer: selfplay.
 *
 * With t > 0 (t < 0 is the mirror image) the condition is g(q) = mean(q) - 1/2 - t sigma(q) = 0. By the arithmetic and
 * the geometric mean, sigma(q) is the minimum over m and s > 0 of E_q[s + (a - m)^2 / s] / 2, taken at q's own mean and
 * sigma. So g(q) is the maximum over (m, s) of E_q[h] with the cut
 *     h(a) = a - 1/2 - t/2 (s + (a - m)^2 / s),
 * and for one cut the problem is the classic one of a given expectation: q_i = p_i / (1 + theta h_i), in which theta is
 * the root of sum p_i h_i / (1 + theta h_i) (Lagrange). Then m and s move to the mean and the sigma of that q:
 *  - if p is the weaker, g(p) < 0, any cut that q passes proves g(q) >= 0, so each step starts from a q that the new
 *    cut admits and can only lower the divergence;
 *  - if p is the stronger, all q with g(q) <= 0 pass below every cut, so each cut gives a lower bound, and the step
 *    points where that bound rises (its gradient in m and s vanishes only where they are q's own). The set is convex
 *    there: the end is the minimum. A full step might overshoot, but none of 600,000 random cases needed a shorter one
 *    (shares from 1e-10, t to 10), so none is tried.
 * The steps are those of the known fixed-point iteration for this likelihood; the above is why it may be trusted.
 */
#include "pentanomial.h"

#include <math.h>
#include <stdbool.h>

enum { OUTCOMES = STATISTICS_PAIR_OUTCOMES, STEPS = 200, ROOT_STEPS = 100 };

/* The divergence is flat in m and s at the solution: an error of this part of sigma costs less than 1e-15. */
static const double step_tolerance = 1e-8;

/* One cut, and the distribution that obeys it. */
struct fit {
    double m, s, theta;
    double shares[OUTCOMES];
    double divergence;
};

static double score_of(int outcome)
{
    return outcome / 4.0;
}

struct pentanomial_moments pentanomial_moments(const double shares[STATISTICS_PAIR_OUTCOMES])
{
    struct pentanomial_moments moments = {0.0, 0.0};

    for (int i = 0; i < OUTCOMES; i++)
        moments.mean += shares[i] * score_of(i);
    for (int i = 0; i < OUTCOMES; i++) {
        const double deviation = score_of(i) - moments.mean;
        moments.variance += shares[i] * deviation * deviation;
    }
    return moments;
}

double pentanomial_nelo(double t)
{
    return t * (800.0 / (sqrt(2.0) * log(10.0)));
}

double pentanomial_t(double nelo)
{
    return nelo * (sqrt(2.0) * log(10.0) / 800.0);
}

/* Root of sum p_i h_i / (1 + theta h_i), which falls in theta. Newton's method runs on the sum times both of its
 * outermost denominators: that has the same root and no pole near it, so a few steps do even where p_i is 1e-9.
 * Bisection takes over where a step would leave the bracket. No q_i may exceed 1, hence 1 + theta h_i >= p_i: the
 * bracket ends before the poles. */
static double multiplier(const double p[OUTCOMES], const double h[OUTCOMES], double theta)
{
    double low = -HUGE_VAL, high = HUGE_VAL, least = 0.0, most = 0.0;

    for (int i = 0; i < OUTCOMES; i++) {
        if (h[i] > 0.0)
            low = fmax(low, (p[i] - 1.0) / h[i]);
        else if (h[i] < 0.0)
            high = fmin(high, (p[i] - 1.0) / h[i]);
        least = fmin(least, h[i]);
        most = fmax(most, h[i]);
    }
    /* Without values on both sides the expectation cannot be 0: rounding at the edge of what is possible. */
    if (isinf(low) || isinf(high))
        return 0.0;
    if (!(theta > low && theta < high))
        theta = 0.0;
    for (int step = 0; step < ROOT_STEPS; step++) {
        double value = 0.0, slope = 0.0;

        for (int i = 0; i < OUTCOMES; i++) {
            const double ratio = h[i] / (1.0 + theta * h[i]);
            value += p[i] * ratio;
            slope -= p[i] * ratio * ratio;
        }
        if (value > 0.0)
            low = theta;
        else
            high = theta;
        const double poles = least / (1.0 + theta * least) + most / (1.0 + theta * most);
        double next = theta - value / (slope + value * poles);
        if (!(next >= low && next <= high))
            next = (low + high) / 2.0;
        const double change = fabs(next - theta);
        theta = next;
        if (change <= 1e-12 * fabs(theta))
            break;
    }
    return theta;
}

/* Fills theta, shares and divergence for the cut at fit->m, fit->s; theta is a first guess before. */
static void obey_cut(const double p[OUTCOMES], double t, struct fit *fit)
{
    double h[OUTCOMES];

    for (int i = 0; i < OUTCOMES; i++) {
        const double deviation = score_of(i) - fit->m;
        h[i] = score_of(i) - 0.5 - t / 2.0 * (fit->s + deviation * deviation / fit->s);
    }
    fit->theta = multiplier(p, h, fit->theta);
    fit->divergence = 0.0;
    for (int i = 0; i < OUTCOMES; i++) {
        fit->shares[i] = p[i] / (1.0 + fit->theta * h[i]);
        fit->divergence += p[i] * log1p(fit->theta * h[i]);
    }
}

/* Mean and sigma of p after enough pairs of one score were mixed in to reach t: a first cut for a weaker p. */
static struct fit mixed_with(struct pentanomial_moments moments, double score, double t)
{
    /* With the part x: mean + x gap, variance (1 - x) (variance + x gap^2). Larger root of
     * (lead + x gap)^2 = t^2 (1 - x) (variance + x gap^2); the smaller one is negative or belongs to -t. The formula
     * for it is the one that does not cancel. */
    const double gap = score - moments.mean, lead = moments.mean - 0.5;
    const double a = (1.0 + t * t) * gap * gap;
    const double b = 2.0 * lead * gap - t * t * (gap * gap - moments.variance);
    const double c = lead * lead - t * t * moments.variance;
    const double root = sqrt(fmax(0.0, b * b - 4.0 * a * c));
    const double x = b > 0.0 ? -2.0 * c / (b + root) : (root - b) / (2.0 * a);

    return (struct fit){.m = moments.mean + x * gap, .s = sqrt((1.0 - x) * (moments.variance + x * gap * gap))};
}

/* Moves a cut to the mean and sigma of its own distribution. False at the end: it stays, or rounding decides. */
static bool move_cut(const double p[OUTCOMES], double t, bool stronger, struct fit *fit)
{
    const struct pentanomial_moments moments = pentanomial_moments(fit->shares);
    struct fit next = {.m = moments.mean, .s = sqrt(moments.variance), .theta = fit->theta};

    if (fabs(next.m - fit->m) + fabs(next.s - fit->s) <= step_tolerance * fit->s)
        return false;
    obey_cut(p, t, &next);
    if (stronger ? next.divergence <= fit->divergence : next.divergence >= fit->divergence)
        return false;
    *fit = next;
    return true;
}

/* From a first cut to the end. */
static double settle(const double p[OUTCOMES], double t, bool stronger, struct fit fit)
{
    obey_cut(p, t, &fit);
    for (int step = 0; step < STEPS && move_cut(p, t, stronger, &fit); step++)
        continue;
    return fmax(0.0, fit.divergence);
}

double pentanomial_divergence(const double shares[STATISTICS_PAIR_OUTCOMES], double t)
{
    double p[OUTCOMES];

    for (int i = 0; i < OUTCOMES; i++)
        p[i] = shares[t < 0.0 ? OUTCOMES - 1 - i : i];
    t = fabs(t);
    const struct pentanomial_moments moments = pentanomial_moments(p);
    if (moments.mean - 0.5 > t * sqrt(moments.variance))
        return settle(p, t, true, (struct fit){.m = moments.mean, .s = sqrt(moments.variance)});
    /* A large t is reached by a small variance around either score above 1/2: two minima, where a small t has one. */
    return fmin(settle(p, t, false, mixed_with(moments, 0.75, t)), settle(p, t, false, mixed_with(moments, 1.0, t)));
}
