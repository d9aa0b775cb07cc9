/* The sequential test of a match. The likelihood ratio is that of the two distributions that explain the pairs best if
 * the normalised Elo is nelo0 or nelo1; the bounds are Wald's. Layer: selfplay.
 */
#include "sprt.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pentanomial.h"

/* For outcomes that were not seen, so that no hypothesis is impossible after one pair. */
static const double unseen = 0.001;

static const double nelo_limit = 1000.0;

void sprt_judge(const struct sprt_test *test, const struct statistics_tally *tally, struct sprt_state *state)
{
    double shares[STATISTICS_PAIR_OUTCOMES], total = 0.0;

    *state = (struct sprt_state){.llr = 0.0,
                                 .lower = log(test->beta / (1.0 - test->alpha)),
                                 .upper = log((1.0 - test->beta) / test->alpha),
                                 .verdict = SPRT_UNDECIDED};
    if (statistics_pairs(tally) == 0)
        return;
    for (int i = 0; i < STATISTICS_PAIR_OUTCOMES; i++) {
        shares[i] = fmax(unseen, (double)tally->pentanomial[i]);
        total += shares[i];
    }
    for (int i = 0; i < STATISTICS_PAIR_OUTCOMES; i++)
        shares[i] /= total;
    state->llr = total * (pentanomial_divergence(shares, pentanomial_t(test->nelo0)) -
                          pentanomial_divergence(shares, pentanomial_t(test->nelo1)));
    if (state->llr >= state->upper)
        state->verdict = SPRT_ACCEPT_H1;
    else if (state->llr <= state->lower)
        state->verdict = SPRT_ACCEPT_H0;
}

/* A plain decimal number that ends at `stop`; strtod would also take blanks, "inf", "nan" and hexadecimal. */
static bool read_number(const char *text, const char *stop, double *value)
{
    char *end;

    if (text == stop || text + strspn(text, "0123456789+-.eE") < stop)
        return false;
    *value = strtod(text, &end);
    return end == stop && fabs(*value) <= nelo_limit;
}

enum willow_status sprt_parse(const char *text, struct sprt_test *test, struct willow_error *error)
{
    const char *const comma = strchr(text, ',');
    double nelo0, nelo1;

    if (!comma || !read_number(text, comma, &nelo0) || !read_number(comma + 1, text + strlen(text), &nelo1))
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL,
                           "\"%.40s\" is not A,B in normalised Elo, each within +-%.0f", text, nelo_limit);
    if (nelo0 >= nelo1)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "the first of \"%.40s\" must be below the second",
                           text);
    *test = (struct sprt_test){.nelo0 = nelo0, .nelo1 = nelo1, .alpha = 0.05, .beta = 0.05};
    return WILLOW_OK;
}
