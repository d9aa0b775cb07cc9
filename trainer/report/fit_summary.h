/* Figures over several stages of a fit, which its page and its text share. Layer: trainer (program). */
#ifndef TRAINER_FIT_SUMMARY_H
#define TRAINER_FIT_SUMMARY_H

#include "fit_document.h"

struct fit_summary {
    int stages;                    /* that have rows */
    struct errors train, held_out; /* no loss */
    double rounding_cost;          /* mean over the judged rows, in discs */
    struct judgement judgement;    /* rows of all stages together: held-out ones where a stage has some; no effects */
    uint64_t weights;              /* of these stages */
};

/* Of the stages whose first ply is first_ply .. last_ply. */
struct fit_summary fit_summary_of(const struct fit_report *report, int first_ply, int last_ply);

/* Of one kind of labels in all stages; no loss. */
struct errors fit_errors_of_kind(const struct fit_report *report, enum sample_part part, int kind);

/* Why rows were left out: "soon after a random move". */
const char *fit_verdict_text(enum label_verdict verdict);

/* Shares of the rows whose residual lies about -reach .. reach discs, of which the outer ones stand for all beyond. */
struct fit_residuals {
    int reach;
    double share[JUDGE_RESIDUALS]; /* at residual + reach */
};

/* reach: where at least the share `least` of the rows lies, >= 1. */
struct fit_residuals fit_residuals_of(const struct judgement *judgement, double least);

/* No minus before what is printed as zero with so many decimals. */
double fit_rounded(double value, int decimals);

/* What a stage is judged by: its held-out rows, or its training rows where no others are. */
const struct errors *fit_judged_errors(const struct fit_stage *stage);
const char *fit_judged_name(const struct fit_document *document, const struct fit_summary *summary);
double fit_judged_before(const struct fit_stage *stage);
double fit_judged_of_point(const struct fit_stage *stage, const struct solver_point *point);

/* The last count of a bin of sightings: "4", "512", "1k" (1024), "more". Returns buffer. */
enum { FIT_SIGHTINGS_TEXT = 16 };
char *fit_sightings_text(int bin, char buffer[FIT_SIGHTINGS_TEXT]);

/* One past the last bin of sightings that holds a weight. */
int fit_sightings_bins(const struct judgement *judgement);

/* The squares that stand for all others under the symmetries of the ruleset: on 8x8 a1, b1, c1, d1, b2, c2, d2, c3, d3,
 * d4, and more where there is a hole. Returns their number. */
int fit_effect_squares(const struct willow_ruleset *ruleset, willow_square squares[WILLOW_SQUARES]);

/* Whether a row had a disc on the square or on one of its images under the symmetries of the ruleset. */
bool fit_effect_known(const struct willow_ruleset *ruleset, const struct judgement *judgement, int square);

#endif
