/* Options that several verbs share: a ruleset by its name, a board.
 * Layer: engine/cli (program willow).
 */
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>
#include <willow/ruleset.h>

#include "verb.h"

enum willow_status option_ruleset(const char *name, const struct willow_ruleset **ruleset, struct willow_error *error)
{
    *ruleset = willow_ruleset_find(name);
    if (*ruleset)
        return WILLOW_OK;
    char known[256] = "";
    const struct willow_ruleset *entry;
    for (int i = 0; (entry = willow_ruleset_at(i)) != NULL; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", entry->name);
    }
    return willow_fail(error, WILLOW_ERR_ARGUMENT, "--ruleset", NULL, "unknown ruleset '%.64s'; known: %s", name,
                       known);
}

enum willow_status option_board(const char *text, const struct willow_ruleset *ruleset, struct willow_board *board,
                                enum willow_side *side, struct willow_error *error)
{
    const enum willow_status status = willow_board_parse(willow_ruleset_default(), text, board, side, error);
    if (status != WILLOW_OK) {
        if (error)
            snprintf(error->file, sizeof error->file, "--board");
        return status;
    }
    if (!willow_board_valid(ruleset, *board))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--board", NULL, "a disc stands outside the board of %s",
                           ruleset->name);
    return WILLOW_OK;
}
