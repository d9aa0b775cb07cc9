/* Options that several verbs share: weights and a search for a ruleset, a board.
 * Layer: engine/cli (program willow).
 */
#include <string.h>

#include <willow/notation.h>
#include <willow/program.h>
#include <willow/ruleset.h>

#include "verb.h"

enum willow_status option_weights(const char *name, const struct willow_ruleset *ruleset,
                                  struct willow_weights **weights, struct willow_error *error)
{
    const enum willow_status status = willow_weights_open(name, ruleset, weights, error);
    if (status == WILLOW_OK)
        willow_tell_of_zero_weights("willow", name, ruleset);
    return status;
}

enum willow_status option_search(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                                 size_t hash_bytes, int threads, struct willow_search **search,
                                 struct willow_error *error)
{
    enum willow_status status = willow_search_new(weights, hash_bytes, search, error);
    if (status == WILLOW_OK)
        status = willow_search_set_ruleset(*search, ruleset, error);
    if (status == WILLOW_OK)
        status = willow_search_set_threads(*search, threads, error);
    return status;
}

/* Adds a part of a list to a text. */
static void add_part(char *text, const char *part)
{
    const size_t used = strlen(text);
    snprintf(text + used, OPTION_RULES_TEXT - used, "%s%s", used > 0 ? "; " : "", part);
}

/* Squares within the drawn board that do not exist. */
static willow_bits holes_of(const struct willow_ruleset *ruleset)
{
    willow_bits holes = 0;
    for (int row = 0; row < ruleset->height; row++)
        for (int column = 0; column < ruleset->width; column++)
            holes |= WILLOW_BIT(WILLOW_SIDE * row + column);
    return holes & ~ruleset->playable;
}

char *option_rules_text(const struct willow_ruleset *ruleset, char *buffer)
{
    char part[OPTION_RULES_TEXT], name[WILLOW_SQUARE_TEXT];
    buffer[0] = '\0';
    if (ruleset->fewest_wins)
        add_part(buffer, "fewest discs win");
    if (ruleset->placement != 0) {
        snprintf(part, sizeof part, "the first %d discs are placed freely", willow_bits_count(ruleset->placement));
        add_part(buffer, part);
    }
    for (willow_bits holes = holes_of(ruleset); holes != 0; holes &= holes - 1) {
        snprintf(part, sizeof part, "%s is a hole",
                 willow_square_format((willow_square)willow_bits_first(holes), name));
        add_part(buffer, part);
    }
    return buffer;
}

enum willow_status option_board(const char *text, const struct willow_ruleset *ruleset, struct willow_board *board,
                                enum willow_side *side, struct willow_error *error)
{
    const enum willow_status status = willow_board_parse(ruleset, text, board, side, error);
    if (status != WILLOW_OK && error)
        snprintf(error->file, sizeof error->file, "--board");
    return status;
}
