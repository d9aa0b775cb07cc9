/* What the tests of the solvers fit: two small sets of features, and rows of one ply with labels from known weights.
 * Its own checks are cmocka's: a failure ends the test.
 */
#ifndef TESTS_SOLVER_FIXTURE_H
#define TESTS_SOLVER_FIXTURE_H

#include "trainer/fit/solver.h"

/* Four groups of sixteen weights, picked by four bits each of the player's word: every weight is seen often. */
enum { GROUPS = 4, GROUP_SIZE = 16, TOY_WEIGHTS = GROUPS * GROUP_SIZE };
extern const struct features solver_toy;

/* Three terms among six weights, with repetitions: small enough to solve by hand. */
enum { TINY_WEIGHTS = 6 };
extern const struct features solver_tiny;

/* Rows of one ply, and a fit to them. */
enum { PLY = 30 };
struct solver_fixture {
    struct samples *samples;
    struct pass_range train, held_out;
    struct solver_task task;
    struct solver_options options;
    struct solver_report report;
    double start[TOY_WEIGHTS], weights[TOY_WEIGHTS];
};

/* A fit by conjugate gradients from zero, with one thread, without rows yet. */
void solver_fixture_init(struct solver_fixture *fixture, const struct features *features, int iterations, double prior);
void solver_fixture_clear(struct solver_fixture *fixture);

/* Fits; weights and report are those of the last fit. */
enum willow_status solver_fixture_fit(struct solver_fixture *fixture);

void solver_fixture_add(struct solver_fixture *fixture, enum sample_part part, uint64_t player, double label,
                        double weight);
double solver_fixture_predict(const struct features *features, const double *weights, uint64_t player);

/* Rows with labels from `truth` plus noise. outlier = 0: every tenth row is held out; else none is, and every
 * outlier-th is wrong by 60 discs. */
void solver_fixture_fill(struct solver_fixture *fixture, const double *truth, size_t count, double noise,
                         size_t outlier);

/* Whole numbers from -spread to spread. */
void solver_fixture_truth(double *truth, uint32_t count, uint32_t spread);

/* Reports alike but for what they point to; that is compared as well. */
void solver_fixture_same_reports(const struct solver_report *a, const struct solver_report *b);

#endif
