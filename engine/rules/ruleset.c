/* The table of rulesets and how to find an entry.
 * Layer: rules.
 */
#include <willow/ruleset.h>

#include <stddef.h>
#include <string.h>

/* Ids are stored in files: append, never renumber. 0 is left out so that a zeroed header names no ruleset. */
static const struct willow_ruleset rulesets[] = {
    {
        .name = "othello",
        .id = 1,
        .width = 8,
        .height = 8,
        .playable = UINT64_MAX,
        .start = {.player = UINT64_C(0x0000000810000000),    /* black on e4 and d5 */
                  .opponent = UINT64_C(0x0000001008000000)}, /* white on d4 and e5 */
    },
};
enum { RULESETS = sizeof rulesets / sizeof rulesets[0] };

const struct willow_ruleset *willow_ruleset_othello(void)
{
    return &rulesets[0];
}

const struct willow_ruleset *willow_ruleset_find(const char *name)
{
    for (int i = 0; i < RULESETS; i++)
        if (strcmp(rulesets[i].name, name) == 0)
            return &rulesets[i];
    return NULL;
}

const struct willow_ruleset *willow_ruleset_by_id(uint32_t id)
{
    for (int i = 0; i < RULESETS; i++)
        if (rulesets[i].id == id)
            return &rulesets[i];
    return NULL;
}

const struct willow_ruleset *willow_ruleset_at(int index)
{
    return index >= 0 && index < RULESETS ? &rulesets[index] : NULL;
}
