/* Opens weights for data; see data_weights.h. Layer: trainer. */
#include "data_weights.h"

enum willow_status data_weights_open(const char *name, const struct willow_ruleset *ruleset,
                                     struct willow_weights **weights, struct willow_error *error)
{
    struct willow_weights *other = NULL;
    enum willow_status status = willow_weights_open(name, ruleset, weights, error);
    /* Of all that a mismatch may be, this one alone is none when the file is opened for itself. */
    if (status == WILLOW_ERR_MISMATCH && name && willow_weights_open(name, NULL, &other, NULL) == WILLOW_OK)
        status =
            willow_fail(error, WILLOW_ERR_MISMATCH, name, NULL, "weights of %s do not play %s, which the data are of",
                        willow_weights_ruleset(other)->name, ruleset->name);
    willow_weights_free(other);
    return status;
}
