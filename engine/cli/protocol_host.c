/* Weights and thinker of willow gtp and willow nboard, by ruleset. Layer: engine/cli (program willow). */
#include "protocol_host.h"

#include "verb.h"

enum willow_status protocol_host_set_ruleset(struct protocol_host *host, const struct willow_ruleset *ruleset,
                                             struct willow_error *error)
{
    const struct engine_options *options = host->options;
    struct willow_weights *weights = NULL;
    enum willow_status status = option_weights(options->weights, ruleset, &weights, error);
    if (status == WILLOW_OK)
        status = host->thinker ? thinker_set_ruleset(host->thinker, weights, ruleset, error)
                               : thinker_new(weights, ruleset, (size_t)options->hash_mb << 20, options->threads,
                                             &host->thinker, error);
    if (status != WILLOW_OK) {
        willow_weights_free(weights);
        return status;
    }
    willow_weights_free(host->weights);
    host->weights = weights;
    return WILLOW_OK;
}

void protocol_host_close(struct protocol_host *host)
{
    thinker_free(host->thinker);
    willow_weights_free(host->weights);
    *host = (struct protocol_host){.options = host->options};
}
