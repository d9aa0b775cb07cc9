/* What the verbs that make one dataset of several share: the sources, --out, --shard-rows, --memory, --layout, --quiet,
 * notes and progress. Layer: selfplay (program).
 */
#ifndef WILLOW_SELFPLAY_SOURCES_OPTION_H
#define WILLOW_SELFPLAY_SOURCES_OPTION_H

#include <argp.h>

#include <willow/dataset.h>
#include <willow/program.h>

struct sources_command {
    const char **folders; /* for sources_command_clear */
    size_t count;
    const char *out;
    uint64_t shard_rows;
    size_t memory_bytes;
    enum willow_shard_layout layout;
    bool quiet;
    struct willow_progress progress;
};

/* The children of the verb's own argp: the options, their defaults set. */
extern const struct argp_child sources_children[];

/* For all other keys that the verb's parser does not know. The command is zeroed before. */
error_t parse_sources(int key, char *text, struct argp_state *state, struct sources_command *command);

/* A sources_note: a line on stderr, unless quiet. context begins with a sources_command. */
void sources_command_note(void *context, const char *text);

/* Says how a verb ended that made no dataset, and gives its exit code. */
int sources_command_failed(struct sources_command *command, enum willow_status status,
                           const struct willow_error *error);
void sources_command_clear(struct sources_command *command);

#endif
