/* Draws the openings of a match with the rules of run/openings.h, judged by the linked weights: they are the same
 * whoever plays. Layer: selfplay.
 */
#include "starts.h"

#include <inttypes.h>
#include <string.h>

#include <willow/checksum.h>
#include <willow/weights.h>

#include "run/openings.h"

/* What `balance_discs` means in this ruleset; *judge is for the caller to free. Weights that know nothing are no judge.
 */
static enum willow_status find_judge(const struct match_openings *wanted, const struct willow_ruleset *ruleset,
                                     int *balance_discs, struct willow_weights **judge, struct willow_error *error)
{
    *judge = NULL;
    *balance_discs = wanted->list != NULL ? 0 : wanted->balance_discs;
    if (*balance_discs == 0)
        return WILLOW_OK;
    const bool known = willow_weights_shipped(ruleset);
    if (*balance_discs == MATCH_BALANCE_DEFAULT)
        *balance_discs = known ? MATCH_BALANCE_DISCS : 0;
    if (*balance_discs == 0)
        return WILLOW_OK;
    if (!known)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--balance", NULL,
                           "no weights for %s are built in that could judge openings: 0 takes any", ruleset->name);
    return willow_weights_open("default", ruleset, judge, error);
}

static enum willow_status draw(const struct openings_options *options, struct willow_game *games, size_t count,
                               struct willow_error *error)
{
    struct openings *openings;
    struct opening opening;
    enum willow_status status = openings_new(options, &openings, error);

    for (size_t i = 0; i < count && status == WILLOW_OK; i++) {
        status = openings_take(openings, i, &opening, error);
        if (status == WILLOW_OK)
            games[i] = opening.game;
    }
    openings_free(openings);
    return status;
}

enum willow_status starts_draw(const struct match_openings *openings, const struct willow_ruleset *ruleset,
                               const struct willow_stop *stop, struct willow_game *games, size_t count,
                               int *balance_discs, struct willow_error *error)
{
    struct willow_weights *judge;
    enum willow_status status = find_judge(openings, ruleset, balance_discs, &judge, error);
    const struct openings_options options = {.kind = openings->list != NULL ? OPENINGS_LIST : OPENINGS_RANDOM,
                                             .ruleset = ruleset,
                                             .seed = openings->seed,
                                             .plies_min = openings->plies,
                                             .plies_max = openings->plies,
                                             .judge = judge,
                                             .judge_depth = MATCH_JUDGE_DEPTH,
                                             .limit_discs = *balance_discs,
                                             .list = openings->list,
                                             .list_name = openings->list_name,
                                             .stop = stop};

    if (status == WILLOW_OK)
        status = draw(&options, games, count, error);
    willow_weights_free(judge);
    return status;
}

enum willow_status starts_describe(const struct match_openings *openings, const struct willow_ruleset *ruleset,
                                   int balance_discs, FILE *stream, struct willow_error *error)
{
    fprintf(stream, "ruleset: %s\nseed of the openings: %" PRIu64 "\n", ruleset->name, openings->seed);
    if (openings->list != NULL) {
        char checksum[WILLOW_CHECKSUM_TEXT];

        willow_checksum128_text(openings->list, strlen(openings->list), checksum);
        fprintf(stream, "openings: list %s\n", checksum);
        return WILLOW_OK;
    }
    fprintf(stream, "openings: random, %d plies\n", openings->plies);
    if (balance_discs == 0)
        return WILLOW_OK;
    struct willow_weights *judge;
    const enum willow_status status = willow_weights_open("default", ruleset, &judge, error);
    if (status == WILLOW_OK)
        fprintf(stream, "even to %d discs by %s at depth %d\n", balance_discs, willow_weights_checksum(judge),
                MATCH_JUDGE_DEPTH);
    willow_weights_free(judge);
    return status;
}
