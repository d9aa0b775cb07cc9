/* Rounding; see rounding.h. Layer: trainer. */
#include "rounding.h"

#include <math.h>

enum willow_status rounding_run(struct pass *pass, struct pass_rows train, struct pass_rows held_out,
                                const double *weights, int16_t *values, struct rounding_report *report,
                                struct willow_error *error)
{
    *report = (struct rounding_report){.saturated = 0};
    for (uint32_t j = 0; j < pass_weights(pass); j++) {
        double rounded = rint(weights[j]);
        if (fabs(rounded) > INT16_MAX) {
            report->saturated++;
            rounded = copysign(INT16_MAX, rounded);
        }
        values[j] = (int16_t)rounded;
    }
    enum willow_status status = pass_rounded(pass, train, values, &report->train, error);
    return status ? status : pass_rounded(pass, held_out, values, &report->held_out, error);
}
