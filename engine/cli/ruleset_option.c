/* --ruleset NAME for every verb that plays or reads games, and what is said where a ruleset has no weights. Layer:
 * engine/cli (willow_program).
 */
#include <willow/program.h>

#include <stdlib.h>
#include <string.h>

#include <willow/ruleset.h>
#include <willow/weights.h>

static error_t parse_ruleset(int key, char *arg, struct argp_state *state)
{
    const char **name = state->input;
    if (key != 'R')
        return ARGP_ERR_UNKNOWN;
    *name = arg;
    return 0;
}

static const struct argp_option ruleset_options[] = {
    {"ruleset", 'R', "NAME", 0,
     "othello, anti (fewest discs win), reversi (the first four discs are placed freely), 4x4, 4x4-parallel, 4x4-anti, "
     "4x4-anti-parallel, 4x4-reversi, 4x4-anti-reversi, 6x6, 6x6-parallel, 6x6-anti, 10x10, hole:SQUARE (no disc may "
     "be there, no line passes it), hole:random (drawn from the seed)",
     0},
    {0},
};

const struct argp willow_ruleset_argp = {.options = ruleset_options, .parser = parse_ruleset};

int willow_ruleset_choose(const char *typed, const char *name, uint64_t seed, const struct willow_ruleset *otherwise,
                          const struct willow_ruleset **ruleset)
{
    struct willow_error error;
    *ruleset = otherwise;
    if (!name || willow_ruleset_parse(name, seed, ruleset, &error) == WILLOW_OK)
        return WILLOW_EXIT_OK;
    char text[1024];
    fprintf(stderr, "%s: %s\n", typed, willow_error_text(&error, text, sizeof text));
    return WILLOW_EXIT_USAGE;
}

void willow_tell_of_zero_weights(const char *who, const char *name, const struct willow_ruleset *ruleset)
{
    const char *meant = name ? name : getenv("WILLOW_WEIGHTS");
    const bool by_default = !meant || meant[0] == '\0' || strcmp(meant, "default") == 0;
    if (by_default && !willow_weights_shipped(ruleset))
        fprintf(stderr,
                "%s: no weights are shipped for %s: zero weights play, which know only the rules; 'willow train loop "
                "--ruleset %s' makes some\n",
                who, ruleset->name, ruleset->name);
}
