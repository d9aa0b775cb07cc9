/* What the parts of willow weights share: describing a set, comparing two. Layer: engine/cli (program willow). */
#ifndef WILLOW_CLI_VERB_WEIGHTS_H
#define WILLOW_CLI_VERB_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/weights.h>

/* Prints what a set holds. name: what the user calls it. */
void weights_info(const char *name, const struct willow_weights *weights, bool json);

struct weights_diff_options {
    const char *name[2];
    const char *positions_file; /* null = play games */
    size_t positions;
    uint64_t seed;
    size_t top; /* at most WEIGHTS_TOP_MAX */
    bool by_stage, json;
};

/* Prints how two sets differ; returns an exit code. */
int weights_diff(const struct weights_diff_options *options);

#endif
