/* A player that searches by itself, with the weights and limits of its engine. Layer: selfplay. */
#include "player_kind.h"

#include <stdio.h>
#include <stdlib.h>

#include <willow/clock.h>
#include <willow/level.h>

struct builtin {
    struct player player;
    const struct engine *engine;
    struct willow_search *search;
};

static const uint64_t NS_PER_MS = 1000000;

/* What the engine's description and its clock allow for this move, and no more than the referee does. */
static struct willow_limits limits_of(const struct engine *engine, const struct player_turn *turn, int empties,
                                      uint64_t now_ns)
{
    struct willow_limits limits = {
        .depth = engine->depth, .nodes = engine->nodes, .time_ms = engine->time_ms, .stop = turn->stop};

    if (engine->level != 0)
        willow_level_limit(engine->level, empties, &limits);
    if (engine->selectivity != 0)
        limits.selectivity = engine->selectivity;
    if (engine->exact != 0)
        limits.exact_empties = engine->exact;
    if (turn->own != NULL)
        willow_timer_limit(turn->own, empties, &limits);
    /* A search to a depth is not held to the deadline: with a limit of time it would deepen ply by ply, which takes a
     * quarter longer at depth 6 and plays other moves. */
    if (limits.depth != 0 && limits.nodes == 0 && limits.time_ms == 0)
        return limits;
    /* Rounded up: a search that ends for this reason ends behind the deadline. */
    const uint64_t left_ms = turn->deadline_ns > now_ns ? (turn->deadline_ns - now_ns) / NS_PER_MS + 1 : 1;
    if (limits.time_ms == 0 || limits.time_ms > left_ms)
        limits.time_ms = left_ms;
    return limits;
}

static enum player_fault begin(struct player *player, const struct willow_game *opening, enum willow_side side,
                               const struct willow_stop *stop, char *reason)
{
    struct builtin *builtin = (struct builtin *)player;

    struct willow_error error;

    (void)side;
    (void)stop;
    willow_search_clear(builtin->search);
    if (willow_search_set_ruleset(builtin->search, opening->ruleset, &error) == WILLOW_OK)
        return PLAYER_FINE;
    snprintf(reason, PLAYER_REASON, "%.*s", PLAYER_REASON - 1, error.reason);
    return PLAYER_GARBLED;
}

static enum player_fault think(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                               char *reason)
{
    struct builtin *builtin = (struct builtin *)player;
    const struct willow_board board = willow_game_board(turn->game);
    const int empties = willow_board_empties(turn->game->ruleset, board);
    const struct willow_limits limits = limits_of(builtin->engine, turn, empties, willow_clock_ns());
    struct willow_result result;

    willow_search_run(builtin->search, board, &limits, &result);
    if (turn->stop != NULL && willow_stop_get(turn->stop))
        return PLAYER_STOPPED;
    if (!result.complete && willow_clock_ns() >= turn->deadline_ns) {
        snprintf(reason, PLAYER_REASON, "no move in time: the engine's limits are too wide");
        return PLAYER_HUNG;
    }
    *answer = (struct player_answer){.move = result.move,
                                     .has_score = result.depth > 0,
                                     .score_discs = (double)result.score / WILLOW_SCORE_DISC,
                                     .depth = result.depth,
                                     .nodes = result.nodes};
    return PLAYER_FINE;
}

static void builtin_free(struct player *player)
{
    struct builtin *builtin = (struct builtin *)player;

    willow_search_free(builtin->search);
    free(builtin);
}

enum willow_status player_builtin_new(const struct engine *engine, const struct player_options *options,
                                      struct player **player, struct willow_error *error)
{
    static const struct player_kind kind = {begin, think, builtin_free};
    struct builtin *builtin = calloc(1, sizeof *builtin);

    *player = NULL;
    if (builtin == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a player");
    builtin->player.kind = &kind;
    builtin->engine = engine;
    const enum willow_status status = willow_search_new(engine->weights, options->hash_bytes, &builtin->search, error);
    if (status != WILLOW_OK) {
        free(builtin);
        return status;
    }
    *player = &builtin->player;
    return WILLOW_OK;
}
