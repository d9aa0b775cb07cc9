/* The generalised sequential probability ratio test of a match, with bounds in normalised Elo, from its pentanomial.
 * Layer: selfplay. Pure arithmetic. Source: Van den Bergh, "Normalized Elo" and "The generalized maximum likelihood
 * ratio for the expectation value of a distribution", as used by fishtest.
 */
#ifndef WILLOW_SELFPLAY_SPRT_H
#define WILLOW_SELFPLAY_SPRT_H

#include <willow/status.h>

#include "statistics.h"

/* H0: the first player's normalised Elo is nelo0; H1: it is nelo1 > nelo0. */
struct sprt_test {
    double nelo0, nelo1;
    double alpha, beta; /* probabilities of accepting H1 under H0 and H0 under H1, each in (0, 0.5) */
};

enum sprt_verdict { SPRT_UNDECIDED, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 };

struct sprt_state {
    double llr;          /* log likelihood ratio of H1 to H0 */
    double lower, upper; /* Wald's bounds: ln(beta / (1 - alpha)), ln((1 - beta) / alpha) */
    enum sprt_verdict verdict;
};

/* What the pairs say: the log-likelihood ratio of the distributions over the pairs' outcomes that explain them best if
 * the normalised Elo is nelo1, and nelo0. Empty cells are regularised to 0.001. Without a pair: llr 0, undecided. A few
 * microseconds, meant to be called after each pair. Expected length where it is longest, half-way between the bounds,
 * at alpha = beta = 0.05: 10,465 games for [0, 10], a quarter of it when the bounds lie twice as far apart. */
void sprt_judge(const struct sprt_test *test, const struct statistics_tally *tally, struct sprt_state *state);

/* "A,B" with A < B, in normalised Elo, within +-1000. WILLOW_ERR_FORMAT (*test is left alone then). alpha and beta are
 * set to 0.05. */
enum willow_status sprt_parse(const char *text, struct sprt_test *test, struct willow_error *error);

#endif
