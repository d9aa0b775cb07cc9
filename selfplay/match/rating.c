/* Ratings by maximum likelihood. Sources: Zermelo's and Bradley and Terry's model; Firth, "Bias reduction of maximum
 * likelihood estimates": the likelihood is multiplied by the root of the determinant of the information; Huber and
 * White for the bounds. Newton's method on a dense matrix: a few dozen players at most are expected. Layer: selfplay.
 */
#include "rating.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { STEPS = 200, HALVINGS = 40, UNCONNECTED = -2, ANCHOR = -1 };

/* Of a step in natural units, in which 1 is 174 Elo. */
static const double longest_step = 1.0, step_tolerance = 1e-10;

/* What one encounter adds at the present strengths. */
struct term {
    int a, b;         /* rows of the players; ANCHOR has none */
    double pairs;     /* 0 if not connected to the anchor */
    double score;     /* of a, mean */
    double expected;  /* of a, by the model */
    double imaginary; /* weight of the imaginary pair: the leverage */
};

struct fit {
    size_t rows; /* connected players but the anchor */
    size_t count;
    const struct rating_encounter *encounters;
    int *row_of; /* by player */
    struct term *terms;
    double *strength; /* rows, as all below */
    double *trial, *step, *gradient;
    double *matrix; /* rows x rows: of the information, then its inverse */
};

/* In place, by Gauss and Jordan; a positive definite matrix needs no pivots. False if it is not. */
static bool invert(double *matrix, size_t rows, double *log_determinant)
{
    *log_determinant = 0.0;
    for (size_t p = 0; p < rows; p++) {
        double *const pivot_row = matrix + p * rows;
        const double pivot = pivot_row[p];

        if (!(pivot > 0.0))
            return false;
        *log_determinant += log(pivot);
        pivot_row[p] = 1.0;
        for (size_t j = 0; j < rows; j++)
            pivot_row[j] /= pivot;
        for (size_t i = 0; i < rows; i++) {
            double *const row = matrix + i * rows;
            const double factor = row[p];

            if (i == p || factor == 0.0)
                continue;
            row[p] = 0.0;
            for (size_t j = 0; j < rows; j++)
                row[j] -= factor * pivot_row[j];
        }
    }
    return true;
}

/* vector' d for the difference d of an encounter's players. */
static double along(const double *vector, const struct term *term)
{
    return (term->a == ANCHOR ? 0.0 : vector[term->a]) - (term->b == ANCHOR ? 0.0 : vector[term->b]);
}

/* matrix += weight d d' */
static void add_outer(const struct fit *fit, const struct term *term, double weight)
{
    const size_t rows = fit->rows, a = (size_t)term->a, b = (size_t)term->b;

    if (term->a != ANCHOR)
        fit->matrix[a * rows + a] += weight;
    if (term->b != ANCHOR)
        fit->matrix[b * rows + b] += weight;
    if (term->a != ANCHOR && term->b != ANCHOR) {
        fit->matrix[a * rows + b] -= weight;
        fit->matrix[b * rows + a] -= weight;
    }
}

/* Inverse of the information at the present expectations, with or without the imaginary pairs. */
static bool invert_information(const struct fit *fit, bool imaginary, double *log_determinant)
{
    for (size_t i = 0; i < fit->rows * fit->rows; i++)
        fit->matrix[i] = 0.0;
    for (size_t i = 0; i < fit->count; i++) {
        const struct term *const term = &fit->terms[i];
        const double pairs = term->pairs + (imaginary ? term->imaginary : 0.0);

        if (term->pairs > 0.0)
            add_outer(fit, term, pairs * term->expected * (1.0 - term->expected));
    }
    return invert(fit->matrix, fit->rows, log_determinant);
}

/* Firth's likelihood at these strengths; leaves expectations and leverages in the terms. -HUGE_VAL where rounding
 * leaves no information. */
static double evaluate(const struct fit *fit, const double *strength)
{
    double likelihood = 0.0, log_determinant;

    for (size_t i = 0; i < fit->count; i++) {
        struct term *const term = &fit->terms[i];
        const double difference = along(strength, term);

        term->expected = 1.0 / (1.0 + exp(-difference));
        if (term->pairs > 0.0)
            likelihood -=
                term->pairs * (term->score * log1p(exp(-difference)) + (1.0 - term->score) * log1p(exp(difference)));
    }
    if (!invert_information(fit, false, &log_determinant))
        return -HUGE_VAL;
    for (size_t i = 0; i < fit->count; i++) {
        struct term *const term = &fit->terms[i];
        double form = 0.0;

        if (!(term->pairs > 0.0))
            continue;
        if (term->a != ANCHOR)
            form += along(fit->matrix + (size_t)term->a * fit->rows, term);
        if (term->b != ANCHOR)
            form -= along(fit->matrix + (size_t)term->b * fit->rows, term);
        term->imaginary = term->pairs * term->expected * (1.0 - term->expected) * form;
    }
    return likelihood + log_determinant / 2.0;
}

/* Newton's step from where the terms were evaluated. Returns its length, 0 if there is none. */
static double find_step(const struct fit *fit)
{
    double longest = 0.0, log_determinant;

    for (size_t i = 0; i < fit->rows; i++)
        fit->gradient[i] = 0.0;
    for (size_t i = 0; i < fit->count; i++) {
        const struct term *const term = &fit->terms[i];
        const double slope = term->pairs * (term->score - term->expected) + term->imaginary * (0.5 - term->expected);

        if (!(term->pairs > 0.0))
            continue;
        if (term->a != ANCHOR)
            fit->gradient[term->a] += slope;
        if (term->b != ANCHOR)
            fit->gradient[term->b] -= slope;
    }
    if (!invert_information(fit, true, &log_determinant))
        return 0.0;
    for (size_t i = 0; i < fit->rows; i++) {
        fit->step[i] = 0.0;
        for (size_t j = 0; j < fit->rows; j++)
            fit->step[i] += fit->matrix[i * fit->rows + j] * fit->gradient[j];
        longest = fmax(longest, fabs(fit->step[i]));
    }
    return longest;
}

static void maximise(const struct fit *fit)
{
    double best = evaluate(fit, fit->strength);

    for (int iteration = 0; iteration < STEPS; iteration++) {
        const double length = find_step(fit);
        double part = fmin(1.0, longest_step / length), value = -HUGE_VAL;

        if (length <= step_tolerance)
            return;
        for (int halving = 0; halving < HALVINGS && !(value > best); halving++, part /= 2.0) {
            for (size_t i = 0; i < fit->rows; i++)
                fit->trial[i] = fit->strength[i] + part * fit->step[i];
            value = evaluate(fit, fit->trial);
        }
        if (!(value > best))
            break;
        best = value;
        for (size_t i = 0; i < fit->rows; i++)
            fit->strength[i] = fit->trial[i];
    }
    /* No step improves within rounding: the terms belong to a trial that was not taken. */
    evaluate(fit, fit->strength);
}

/* Squared deviations of an encounter's pairs from the expectation, the imaginary one spread evenly over the outcomes.
 */
static double deviations(const struct statistics_tally *tally, const struct term *term)
{
    double sum = 0.0;

    for (int i = 0; i < STATISTICS_PAIR_OUTCOMES; i++) {
        const double weight = (double)tally->pentanomial[i] + term->imaginary / STATISTICS_PAIR_OUTCOMES;
        const double deviation = i / 4.0 - term->expected;
        sum += weight * deviation * deviation;
    }
    return sum;
}

/* The variance of a strength is e' M (sum of deviations d d') M e, with M the inverse of the information. */
static void set_ratings(const struct fit *fit, int players, struct rating *ratings)
{
    const double elo_unit = 400.0 / log(10.0);
    double log_determinant;
    const bool known = invert_information(fit, true, &log_determinant);

    for (int player = 0; player < players; player++) {
        const int row = fit->row_of[player];
        double variance = 0.0;

        ratings[player] = (struct rating){0.0, 0.0, 0.0};
        if (row == ANCHOR)
            continue;
        if (row == UNCONNECTED || !known) {
            ratings[player] = (struct rating){NAN, NAN, NAN};
            continue;
        }
        for (size_t i = 0; i < fit->count; i++) {
            const struct term *const term = &fit->terms[i];
            if (!(term->pairs > 0.0))
                continue;
            const double share = along(fit->matrix + (size_t)row * fit->rows, term);
            variance += share * share * deviations(&fit->encounters[i].tally, term);
        }
        const double width = STATISTICS_QUANTILE * sqrt(variance);
        ratings[player].elo = elo_unit * fit->strength[row];
        ratings[player].elo_low = elo_unit * (fit->strength[row] - width);
        ratings[player].elo_high = elo_unit * (fit->strength[row] + width);
    }
}

/* Rows for all whom encounters connect to the anchor. */
static void number_rows(struct fit *fit, int players, int anchor)
{
    bool changed = true;

    for (int player = 0; player < players; player++)
        fit->row_of[player] = UNCONNECTED;
    fit->row_of[anchor] = ANCHOR;
    fit->rows = 0;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < fit->count; i++) {
            const struct rating_encounter *const encounter = &fit->encounters[i];
            int *const a = &fit->row_of[encounter->a], *const b = &fit->row_of[encounter->b];

            if (statistics_pairs(&encounter->tally) == 0 || (*a == UNCONNECTED) == (*b == UNCONNECTED))
                continue;
            *(*a == UNCONNECTED ? a : b) = (int)fit->rows++;
            changed = true;
        }
    }
}

static void fill_terms(const struct fit *fit)
{
    for (size_t i = 0; i < fit->count; i++) {
        const struct rating_encounter *const encounter = &fit->encounters[i];
        struct term *const term = &fit->terms[i];
        double points = 0.0;

        *term = (struct term){.a = fit->row_of[encounter->a], .b = fit->row_of[encounter->b]};
        if (term->a == UNCONNECTED || statistics_pairs(&encounter->tally) == 0) {
            term->a = term->b = ANCHOR;
            continue;
        }
        for (int outcome = 0; outcome < STATISTICS_PAIR_OUTCOMES; outcome++)
            points += (double)encounter->tally.pentanomial[outcome] * outcome;
        term->pairs = (double)statistics_pairs(&encounter->tally);
        term->score = points / (4.0 * term->pairs);
    }
}

enum willow_status rating_fit(int players, int anchor, const struct rating_encounter *encounters, size_t count,
                              struct rating *ratings, struct willow_error *error)
{
    struct fit fit = {.count = count, .encounters = encounters};
    double *vectors = NULL;
    enum willow_status status = WILLOW_OK;

    assert(players > 0 && anchor >= 0 && anchor < players);
    fit.row_of = calloc((size_t)players, sizeof *fit.row_of);
    fit.terms = calloc(count + 1, sizeof *fit.terms);
    if (fit.row_of)
        number_rows(&fit, players, anchor);
    vectors = calloc(fit.rows + 1, 4 * sizeof *vectors);
    fit.matrix = calloc(fit.rows * fit.rows + 1, sizeof *fit.matrix);
    if (!fit.row_of || !fit.terms || !vectors || !fit.matrix) {
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the ratings of %d players", players);
        goto cleanup;
    }
    fit.strength = vectors;
    fit.trial = vectors + fit.rows;
    fit.step = vectors + 2 * fit.rows;
    fit.gradient = vectors + 3 * fit.rows;
    fill_terms(&fit);
    maximise(&fit);
    set_ratings(&fit, players, ratings);
cleanup:
    free(fit.row_of);
    free(fit.terms);
    free(vectors);
    free(fit.matrix);
    return status;
}
