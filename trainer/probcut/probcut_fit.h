/* The fit of the ProbCut model to differences of scores, and how well it holds. Layer: trainer.
 *
 * What is maximised is the likelihood of a distribution that is normal up to 2.5 sigma and has a heavy tail beyond, so
 * that a blunder that the shallow search did not see counts as one miss and not for its size: margins are about the
 * bulk. log(sigma) and the mean are linear in the constants; the two are fitted together.
 */
#ifndef TRAINER_PROBCUT_FIT_H
#define TRAINER_PROBCUT_FIT_H

#include <stddef.h>
#include <stdint.h>

#include <willow/probcut.h>
#include <willow/status.h>

/* Score to `deep` plies less score to `shallow` plies of one position. */
struct probcut_error {
    float discs_off;       /* the difference, in discs */
    uint8_t discs;         /* on the board, as probcut.h counts them */
    uint8_t shallow, deep; /* deep = PROBCUT_EXACT: the exact score */
    uint8_t half;          /* 0 or 1: which half of the games it comes from */
};
enum { PROBCUT_EXACT = 0 };

/* Shares of |error| within 1.1, 1.5, 2.0 and 2.6 sigma. */
enum { PROBCUT_WIDTHS = 4 };
extern const double probcut_widths[PROBCUT_WIDTHS];
extern const double probcut_normal_shares[PROBCUT_WIDTHS];

struct probcut_quality {
    size_t errors;
    double loss; /* mean negative log likelihood, without its constant */
    double mean; /* of error less the model's mean, discs */
    double share[PROBCUT_WIDTHS];
};

struct probcut_fit {
    double sigma[WILLOW_PROBCUT_MAX], mean[WILLOW_PROBCUT_MAX]; /* constants, as many as there are terms */
    struct probcut_quality fitted;                              /* of the constants, on all errors */
    struct probcut_quality held_out;              /* of the constants from one half, on the other; both ways together */
    struct probcut_quality held_out_without_mean; /* the same of a model whose mean is zero */
};

/* Fits the terms of the midgame (every error has deep > 0) or of the exact model (deep = PROBCUT_EXACT in all). The
 * priors are constants that the result is pulled to by the force of a few errors, which decides only what the errors
 * leave open. The result depends on the arguments alone. WILLOW_ERR_MEMORY; WILLOW_ERR_ARGUMENT without errors. */
enum willow_status probcut_fit(const struct probcut_error *errors, size_t count, const float *sigma_prior,
                               const float *mean_prior, struct probcut_fit *fit, struct willow_error *error);

/* Mean and sigma of one sample by the same likelihood; 0 when it is empty. */
void probcut_moments(const struct probcut_error *errors, size_t count, double *mean, double *sigma);

#endif
