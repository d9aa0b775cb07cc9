/* --layout, the option of the verbs that write datasets. Layer: selfplay (program). */
#ifndef WILLOW_SELFPLAY_LAYOUT_OPTION_H
#define WILLOW_SELFPLAY_LAYOUT_OPTION_H

#include <argp.h>

#include <willow/dataset.h>

#define LAYOUT_VALUES "compact|plies"
#define LAYOUT_HELP                                                                                                    \
    "Smallest files, or larger ones in which the plies of a stage lie together and are read without the rest "         \
    "(default: compact)"

/* Ends the program with one line when there is no such layout. */
enum willow_shard_layout parse_layout(const char *text, struct argp_state *state);

#endif
