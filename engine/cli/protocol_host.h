/* The engine behind a protocol: a thinker, and the weights of what it plays, exchanged together.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_PROTOCOL_HOST_H
#define WILLOW_CLI_PROTOCOL_HOST_H

#include "engine_options.h"
#include "protocol/thinker.h"

struct protocol_host {
    const struct engine_options *options; /* set by the caller; must outlive it */
    struct willow_weights *weights;
    struct thinker *thinker;
};

/* Opens the weights that the options name for the ruleset, and a thinker; later the same with another ruleset, which
 * changes nothing when it fails. Nothing may run then. Without shipped weights one line on stderr says so. What
 * willow_weights_open and thinker_new return. */
enum willow_status protocol_host_set_ruleset(struct protocol_host *host, const struct willow_ruleset *ruleset,
                                             struct willow_error *error);

/* What never was opened is accepted. */
void protocol_host_close(struct protocol_host *host);

#endif
