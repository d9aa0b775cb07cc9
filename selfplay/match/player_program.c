/* A player behind which another program stands: its life from start to end, and the moves it has to be told.
 * Layer: selfplay. What is said to it is up to its protocol.
 */
#include "player_kind.h"

#include <stdio.h>
#include <stdlib.h>

#include <willow/clock.h>

#include "client.h"

static const uint64_t NS_PER_MS = 1000000;

/* When the options say nothing; and how long a program may take to end by itself, then at the asking of a signal. */
enum { START_LIMIT_MS = 10000, QUIT_MS = 500, TERMINATE_MS = 500 };

struct program {
    struct player player;
    struct client client;
    uint64_t start_limit_ns;
    int log_fd;
};

/* For one call: how long it may take, and where its reason goes. */
static void open_call(struct program *program, uint64_t deadline_ns, const struct willow_stop *stop, char *reason)
{
    program->client.called_ns = willow_clock_ns();
    program->client.deadline_ns = deadline_ns;
    program->client.stop = stop;
    program->client.reason = reason;
}

/* After a fault nobody knows what the program would answer to: it is started anew for its next game. */
static enum player_fault close_call(struct program *program, enum player_fault fault)
{
    if (fault != PLAYER_FINE && fault != PLAYER_RESIGNED) {
        willow_child_end(program->client.child, 0, 0);
        program->client.child = NULL;
    }
    return fault;
}

static enum player_fault start(struct program *program)
{
    struct client *client = &program->client;
    const struct engine *engine = client->engine;
    const struct willow_child_options options = {.arguments = (const char *const *)engine->command,
                                                 .folder = engine->folder,
                                                 .talk = true,
                                                 .error_fd = program->log_fd};
    struct willow_error error;

    if (willow_child_start(&options, &client->child, &error) != WILLOW_OK) {
        char text[PLAYER_REASON];

        client->child = NULL;
        return client_fault(client, PLAYER_CRASHED, "%s", willow_error_text(&error, text, sizeof text));
    }
    client->number = 0;
    client->commands = 0;
    client->ruleset = NULL;
    return client->protocol->start(client);
}

static enum player_fault begin(struct player *player, const struct willow_game *opening, enum willow_side side,
                               const struct willow_stop *stop, char *reason)
{
    struct program *program = (struct program *)player;
    struct client *client = &program->client;
    enum player_fault fault = PLAYER_FINE;

    if (client->child == NULL) {
        open_call(program, willow_clock_ns() + program->start_limit_ns, stop, reason);
        fault = start(program);
    }
    if (fault == PLAYER_FINE) {
        open_call(program, willow_clock_ns() + program->start_limit_ns, stop, reason);
        client->side = side;
        client->clock_told = false;
        fault = client->protocol->begin(client, opening);
        client->seen = opening->length;
    }
    return close_call(program, fault);
}

/* Sides take turns with every move, passes included. */
static enum willow_side side_of(const struct willow_game *game, int index)
{
    return index % 2 == 0 ? game->start_side : game->start_side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
}

static enum player_fault think(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                               char *reason)
{
    struct program *program = (struct program *)player;
    struct client *client = &program->client;
    const struct willow_game *game = turn->game;
    enum player_fault fault = PLAYER_FINE;

    open_call(program, turn->deadline_ns, turn->stop, reason);
    if (client->child == NULL)
        return client_fault(client, PLAYER_CRASHED, "the program does not run");
    for (; client->seen < game->length && fault == PLAYER_FINE; client->seen++)
        fault = client->protocol->tell(client, side_of(game, client->seen), game->moves[client->seen]);
    if (fault == PLAYER_FINE)
        fault = client->protocol->think(client, turn, answer);
    return close_call(program, fault);
}

static void program_free(struct player *player)
{
    struct program *program = (struct program *)player;
    char reason[PLAYER_REASON];

    if (program->client.child != NULL) {
        open_call(program, willow_clock_ns() + QUIT_MS * NS_PER_MS, NULL, reason);
        program->client.protocol->quit(&program->client);
        willow_child_end(program->client.child, QUIT_MS, TERMINATE_MS);
    }
    free(program);
}

enum willow_status player_program_new(const struct engine *engine, const struct player_options *options,
                                      struct player **player, struct willow_error *error)
{
    static const struct player_kind kind = {begin, think, program_free};
    struct program *program = calloc(1, sizeof *program);

    *player = NULL;
    if (program == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a player");
    program->player.kind = &kind;
    program->client.protocol = engine->kind == ENGINE_GTP ? &gtp_protocol : &nboard_protocol;
    program->client.engine = engine;
    program->start_limit_ns = NS_PER_MS * (options->start_limit_ms > 0 ? options->start_limit_ms : START_LIMIT_MS);
    program->log_fd = options->log_fd;
    *player = &program->player;
    return WILLOW_OK;
}
