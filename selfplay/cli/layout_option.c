/* --layout, the option of the verbs that write datasets. Layer: selfplay (program). */
#include "layout_option.h"

#include "tools/target.h"

enum willow_shard_layout parse_layout(const char *text, struct argp_state *state)
{
    enum willow_shard_layout layout = WILLOW_LAYOUT_COMPACT;
    if (!target_layout_find(text, &layout))
        argp_error(state, "--layout: '%s' is neither compact nor plies", text);
    return layout;
}
