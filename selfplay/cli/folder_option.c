/* The one argument of the verbs that look at a dataset or run: its folder. Layer: selfplay (program). */
#include "verbs.h"

error_t parse_folder(int key, char *text, struct argp_state *state, const char **folder)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one dataset is expected; '%s' is a second", text);
        *folder = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the dataset is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
