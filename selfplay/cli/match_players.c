/* The players of `willow match`: what the user typed becomes engines with names of their own and all their limits.
 * Layer: selfplay (program).
 */
#include <stdio.h>
#include <string.h>

#include "match_command.h"
#include "match_file.h"

int match_command_depth(const struct match_command *command)
{
    return command->default_depth ? MATCH_DEPTH_DEFAULT : command->limits.depth;
}

int match_players_find(const struct match_command *command, const char *name)
{
    for (int i = 0; i < command->players; i++)
        if (strcmp(command->engines[i].name, name) == 0)
            return i;
    return -1;
}

/* What the engine does not say itself is as the match has it. A level stands for a depth, and the depth that holds
 * where nobody says anything is only for engines without any limit. */
static void complete(struct engine *engine, struct match_command *command)
{
    const struct match_limits *limits = &command->limits;
    const bool own_level = engine->level != 0, own_depth = engine->depth != 0;

    if (engine->kind != ENGINE_BUILTIN)
        return;
    if (!own_level && !own_depth) {
        engine->depth = limits->depth;
        engine->level = limits->level;
    }
    if (engine->exact == 0 && !own_level)
        engine->exact = limits->exact;
    if (engine->selectivity == 0 && !own_level)
        engine->selectivity = limits->selectivity;
    if (engine->nodes == 0)
        engine->nodes = limits->nodes;
    if (engine->time_ms == 0)
        engine->time_ms = limits->time_ms;
    if (engine->depth == 0 && engine->level == 0 && engine->nodes == 0 && engine->time_ms == 0 && !engine->has_clock &&
        !command->has_clock) {
        engine->depth = MATCH_DEPTH_DEFAULT;
        command->default_depth = true;
    }
}

/* Appends -2, -3 ... to a name that an earlier player has: an engine may play against itself. */
static void make_unique(struct match_command *command, int player)
{
    char *name = command->engines[player].name, base[ENGINE_NAME_MAX];
    const int earlier = command->players;

    memcpy(base, name, sizeof base);
    command->players = player; /* those before it */
    for (int number = 2; match_players_find(command, name) >= 0; number++) {
        char ending[16];
        const int length = snprintf(ending, sizeof ending, "-%d", number);

        snprintf(name, ENGINE_NAME_MAX, "%.*s%s", ENGINE_NAME_MAX - 1 - length, base, ending);
    }
    command->players = earlier;
}

enum willow_status match_players_make(struct match_command *command, struct willow_error *error)
{
    for (int i = 0; i < command->players; i++) {
        struct engine *engine = &command->engines[i];
        bool found = false;
        enum willow_status status = match_file_engine(command->file, command->typed[i], engine, &found, error);

        if (status == WILLOW_OK && !found)
            status = engine_parse(command->typed[i], engine, error);
        if (status != WILLOW_OK)
            return status;
        complete(engine, command);
        make_unique(command, i);
        status = engine_check(engine, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}
