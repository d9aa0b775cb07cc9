/* What the verbs that make one dataset of several share: the sources, --out, --shard-rows, --memory, --layout, --quiet,
 * notes and progress. Layer: selfplay (program).
 */
#ifndef WILLOW_SELFPLAY_SOURCES_OPTION_H
#define WILLOW_SELFPLAY_SOURCES_OPTION_H

#include <argp.h>

#include <willow/program.h>

#include "tools/rewrite.h"

struct sources_command {
    struct rewrite_options options;
    const char **folders; /* those of the options, to be freed */
    bool quiet;
    struct willow_progress progress;
};

/* The children of the verb's own argp: the options, their defaults set. */
extern const struct argp_child sources_children[];

/* For all other keys that the verb's parser does not know. The command is zeroed before. */
error_t parse_sources(int key, char *text, struct argp_state *state, struct sources_command *command);

/* Before the work: the verb's command, which begins with this, becomes the context of notes and progress. */
void sources_command_start(struct sources_command *command);

/* When a dataset was made: ends the progress, so that a summary may follow. */
void sources_command_done(struct sources_command *command, const struct rewrite_summary *summary);

/* The line of the summary about sizes and speed. */
void sources_command_sizes(const struct rewrite_summary *summary);

/* Last of all: says what failed, if anything did, frees, and gives the exit code. */
int sources_command_end(struct sources_command *command, enum willow_status status, const struct willow_error *error);

#endif
