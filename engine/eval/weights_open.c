/* Finding weights by the name that a user gives: a linked set, the untrained one, or a file. Layer: eval. */
#include <willow/weights.h>

#include <stdlib.h>
#include <string.h>

#include "eval/weight_table.h"

/* From shipped_weights.S.in: for each file its length in 64 bits, then its bytes, filled up to whole words. */
extern const unsigned char willow_shipped_weights[];

enum { DEFAULT_STAGES = 20 };

/* The linked file that plays the ruleset; null when there is none. */
static const unsigned char *find_shipped(const struct willow_ruleset *ruleset, size_t *size_bytes)
{
    const unsigned char *at = willow_shipped_weights;
    for (uint64_t bytes; memcpy(&bytes, at, sizeof bytes), bytes != 0; at += (bytes + 7) / 8 * 8) {
        at += sizeof bytes;
        const struct willow_ruleset *played = willow_ruleset_by_id(weights_file_ruleset(at));
        if (played != NULL && willow_ruleset_same_play(played, ruleset)) {
            *size_bytes = (size_t)bytes;
            return at;
        }
    }
    return NULL;
}

static enum willow_status open_zero(const struct willow_ruleset *ruleset, struct willow_weights **weights,
                                    struct willow_error *error)
{
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), DEFAULT_STAGES);
    const struct willow_pattern_set *set = willow_pattern_set_default();
    if (set == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a pattern set");
    return willow_weights_new_zero(ruleset, set, &stages, weights, error);
}

static enum willow_status open_default(const struct willow_ruleset *ruleset, struct willow_weights **weights,
                                       struct willow_error *error)
{
    size_t size_bytes;
    const unsigned char *shipped = find_shipped(ruleset, &size_bytes);
    if (shipped == NULL)
        return open_zero(ruleset, weights, error);
    return willow_weights_parse(shipped, size_bytes, "default weights", weights, error);
}

enum willow_status willow_weights_default(struct willow_weights **weights, struct willow_error *error)
{
    return open_default(willow_ruleset_default(), weights, error);
}

bool willow_weights_shipped(const struct willow_ruleset *ruleset)
{
    size_t size_bytes;
    return find_shipped(ruleset, &size_bytes) != NULL;
}

static enum willow_status open_file(const char *path, const struct willow_ruleset *ruleset,
                                    struct willow_weights **weights, struct willow_error *error)
{
    struct willow_weights *loaded = NULL;
    const enum willow_status status = willow_weights_load(path, &loaded, error);
    if (status != WILLOW_OK)
        return status;
    const struct willow_ruleset *own = willow_weights_ruleset(loaded);
    if (ruleset != NULL && !willow_ruleset_same_play(own, ruleset)) {
        willow_weights_free(loaded);
        return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "weights of %s do not play %s: say --ruleset %s",
                           own->name, ruleset->name, own->name);
    }
    *weights = loaded;
    return WILLOW_OK;
}

enum willow_status willow_weights_open(const char *name, const struct willow_ruleset *ruleset,
                                       struct willow_weights **weights, struct willow_error *error)
{
    const struct willow_ruleset *played = ruleset != NULL ? ruleset : willow_ruleset_default();
    /* An unset variable of a script is not a wish for the linked set. */
    if (name != NULL && *name == '\0')
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the name of the weights is empty");
    if (name == NULL)
        name = getenv("WILLOW_WEIGHTS");
    if (name == NULL || *name == '\0' || strcmp(name, "default") == 0)
        return open_default(played, weights, error);
    if (strcmp(name, "zero") == 0)
        return open_zero(played, weights, error);
    return open_file(name, ruleset, weights, error);
}
