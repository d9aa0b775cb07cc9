/* The line that says where nothing but zero weights could be had. Layer: selfplay (program). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/weights.h>

#include "verbs.h"

void tell_of_zero_weights(const char *name, const struct willow_ruleset *ruleset)
{
    const char *variable = getenv("WILLOW_WEIGHTS"), *meant = name ? name : variable;
    const bool by_default = !meant || meant[0] == '\0' || strcmp(meant, "default") == 0;
    if (by_default && !willow_weights_shipped(ruleset))
        (void)fprintf(stderr, "willow: no weights are shipped for %s: zero weights play, which know only the rules\n",
                      ruleset->name);
}
