/* Finding weights by the name that a user gives: the linked set, the untrained one, or a file. Layer: eval. */
#include <willow/weights.h>

#include <stdlib.h>
#include <string.h>

/* Both from default_weights.S. */
extern const unsigned char willow_default_weights_begin[], willow_default_weights_end[];

enum { DEFAULT_STAGES = 20 };

enum willow_status willow_weights_default(struct willow_weights **weights, struct willow_error *error)
{
    size_t size_bytes = (size_t)(willow_default_weights_end - willow_default_weights_begin);
    return willow_weights_parse(willow_default_weights_begin, size_bytes, "default weights", weights, error);
}

bool willow_weights_shipped(const struct willow_ruleset *ruleset)
{
    return willow_ruleset_same_play(ruleset, willow_ruleset_default());
}

enum willow_status willow_weights_open(const char *name, const struct willow_ruleset *ruleset,
                                       struct willow_weights **weights, struct willow_error *error)
{
    (void)ruleset;
    /* An unset variable of a script is not a wish for the linked set. */
    if (name != NULL && *name == '\0')
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the name of the weights is empty");
    if (name == NULL)
        name = getenv("WILLOW_WEIGHTS");
    if (name == NULL || *name == '\0' || strcmp(name, "default") == 0)
        return willow_weights_default(weights, error);
    if (strcmp(name, "zero") == 0) {
        struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, DEFAULT_STAGES);
        return willow_weights_new_zero(willow_ruleset_default(), willow_pattern_set_default(), &stages, weights, error);
    }
    return willow_weights_load(name, weights, error);
}
