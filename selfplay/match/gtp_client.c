/* The Go Text Protocol, version 2, as Othello programs speak it. Layer: selfplay. Knows nothing of processes. */
#include "client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <willow/notation.h>

/* Commands that a program need not know, as bits of client->commands. */
enum { COMMAND_SET_GAME = 1, COMMAND_TIME_SETTINGS = 2, COMMAND_TIME_LEFT = 4, COMMAND_RULESET = 8 };
static const char *const optional_commands[] = {"set_game", "time_settings", "time_left", "willow-ruleset"};
enum { OPTIONAL_COMMANDS = 4 };

enum { COMMAND_SIZE = 512, TEXT_SIZE = 128 };

/* Greetings and debugging output in front of an answer, and lines of a long answer, are passed over up to here. */
enum { LINES_MAX = 2000 };

struct gtp_answer {
    bool good;
    char text[TEXT_SIZE]; /* its first line, cut to fit, without blanks at its ends */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char *from, char text[TEXT_SIZE])
{
    while (is_blank(*from))
        from++;
    size_t length = strlen(from);
    while (length > 0 && is_blank(from[length - 1]))
        length--;
    if (length >= TEXT_SIZE)
        length = TEXT_SIZE - 1;
    memcpy(text, from, length);
    text[length] = '\0';
}

/* Waits for the first line of the answer, and past everything else. */
static enum player_fault await_answer(struct client *client, const char *command, struct gtp_answer *answer)
{
    char awaited[TEXT_SIZE];
    const char *line;

    snprintf(awaited, sizeof awaited, "answer to '%s'", command);
    for (int lines = 0; lines < LINES_MAX; lines++) {
        const enum player_fault fault = client_receive(client, awaited, &line);
        if (fault != PLAYER_FINE)
            return fault;
        if (*line != '=' && *line != '?')
            continue;
        answer->good = *line == '=';
        /* Some programs leave the number out. */
        const size_t digits = strspn(line + 1, "0123456789");
        if (digits > 0 && strtoul(line + 1, NULL, 10) != client->number)
            return client_fault(client, PLAYER_GARBLED, "'%s' as the %s, which has another number", line, awaited);
        trim(line + 1 + digits, answer->text);
        return PLAYER_FINE;
    }
    return client_fault(client, PLAYER_GARBLED, "%d lines of something else than the %s", LINES_MAX, awaited);
}

static void note_command(const char *name, unsigned *listed)
{
    for (int i = 0; i < OPTIONAL_COMMANDS && listed != NULL; i++)
        if (strcmp(name, optional_commands[i]) == 0)
            *listed |= 1u << i;
}

/* The lines behind the first one, up to an empty one. */
static enum player_fault await_end(struct client *client, unsigned *listed)
{
    const char *line;

    for (int lines = 0; lines < LINES_MAX; lines++) {
        char name[TEXT_SIZE];
        const enum player_fault fault = client_receive(client, "empty line behind an answer", &line);
        if (fault != PLAYER_FINE)
            return fault;
        trim(line, name);
        if (name[0] == '\0')
            return PLAYER_FINE;
        note_command(name, listed);
    }
    return client_fault(client, PLAYER_GARBLED, "an answer of more than %d lines", LINES_MAX);
}

/* Sends a command and waits for its answer, good or bad. Where `listed` is not null, lines that are the names of
 * optional commands are noted in it. */
static enum player_fault converse(struct client *client, const char *text, struct gtp_answer *answer, unsigned *listed)
{
    client->number++;
    enum player_fault fault = client_send(client, "%u %s", client->number, text);
    if (fault == PLAYER_FINE)
        fault = await_answer(client, text, answer);
    if (fault != PLAYER_FINE)
        return fault;
    note_command(answer->text, listed);
    return await_end(client, listed);
}

/* Sends a command that the program must not refuse. */
static enum player_fault command(struct client *client, const char *text, struct gtp_answer *answer)
{
    const enum player_fault fault = converse(client, text, answer, NULL);

    if (fault == PLAYER_FINE && !answer->good)
        return client_fault(client, PLAYER_GARBLED, "the program refuses '%s': %s", text, answer->text);
    return fault;
}

static enum player_fault start(struct client *client)
{
    struct gtp_answer answer;
    unsigned listed = 0;
    enum player_fault fault = converse(client, "list_commands", &answer, &listed);

    if (fault != PLAYER_FINE)
        return fault;
    client->commands = answer.good ? listed : COMMAND_TIME_SETTINGS | COMMAND_TIME_LEFT;
    /* Programs for several games are asked for this one, but where a better word follows. */
    if ((client->commands & (COMMAND_SET_GAME | COMMAND_RULESET)) == COMMAND_SET_GAME)
        fault = command(client, "set_game Othello", &answer);
    for (char **line = client->engine->setup; line != NULL && *line != NULL && fault == PLAYER_FINE; line++)
        fault = command(client, *line, &answer);
    return fault;
}

/* Passes may be refused: there are programs (GRhino is one) that know by themselves when a side must pass. */
static enum player_fault tell(struct client *client, enum willow_side side, willow_square move)
{
    const char colour = side == WILLOW_BLACK ? 'b' : 'w';
    struct gtp_answer answer;
    char text[COMMAND_SIZE], square[WILLOW_SQUARE_TEXT];

    if (move == WILLOW_PASS) {
        snprintf(text, sizeof text, "play %c pass", colour);
        return converse(client, text, &answer, NULL);
    }
    snprintf(text, sizeof text, "play %c %s", colour, willow_square_format(move, square));
    return command(client, text, &answer);
}

/* Othello on a board of some size: all that "boardsize" alone can mean. */
static bool is_usual(const struct willow_ruleset *ruleset)
{
    static const char *const names[] = {"othello", "4x4", "6x6", "10x10"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(ruleset->name, names[i]) == 0)
            return true;
    return false;
}

/* Our own programs are told the ruleset by its name; they keep it when the size is told. */
static enum player_fault tell_ruleset(struct client *client, const struct willow_ruleset *ruleset)
{
    char text[COMMAND_SIZE];
    struct gtp_answer answer;
    enum player_fault fault = PLAYER_FINE;

    if (client->ruleset == ruleset)
        return PLAYER_FINE;
    snprintf(text, sizeof text, "willow-ruleset %s", ruleset->name);
    if ((client->commands & COMMAND_RULESET) != 0)
        fault = command(client, text, &answer);
    else if (!is_usual(ruleset))
        return client_fault(client, PLAYER_GARBLED, "it has no command 'willow-ruleset', and GTP has no word for %s",
                            ruleset->name);
    if (fault == PLAYER_FINE)
        client->ruleset = ruleset;
    return fault;
}

static enum player_fault begin(struct client *client, const struct willow_game *opening)
{
    char text[COMMAND_SIZE];
    struct gtp_answer answer;

    if (!willow_game_starts_usually(opening))
        return client_fault(client, PLAYER_GARBLED, "GTP has no words for another start than that of the game");
    enum player_fault fault = tell_ruleset(client, opening->ruleset);
    snprintf(text, sizeof text, "boardsize %d", opening->ruleset->width);
    if (fault == PLAYER_FINE)
        fault = command(client, text, &answer);
    if (fault == PLAYER_FINE)
        fault = command(client, "clear_board", &answer);
    enum willow_side side = WILLOW_BLACK;
    for (int i = 0; i < opening->length && fault == PLAYER_FINE; i++) {
        fault = tell(client, side, opening->moves[i]);
        side = side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
    }
    return fault;
}

/* Whole seconds; time that is there never becomes none at all, which would mean something else. */
static uint64_t seconds(uint64_t ms)
{
    return ms > 0 && ms < 1000 ? 1 : ms / 1000;
}

/* A refusal costs nothing: the clock runs whether the program looks at it or not. */
static enum player_fault tell_time(struct client *client, unsigned needed, const char *text)
{
    struct gtp_answer answer;

    return (client->commands & needed) != 0 ? converse(client, text, &answer, NULL) : PLAYER_FINE;
}

/* GTP has no increments: the main time alone is told, and what an increment adds comes with time_left. */
static enum player_fault tell_control(struct client *client, const struct willow_time_control *control)
{
    char text[COMMAND_SIZE];

    snprintf(text, sizeof text, "time_settings %" PRIu64 " %" PRIu64 " %d", seconds(control->main_ms),
             seconds(control->period_ms), control->period_moves);
    return tell_time(client, COMMAND_TIME_SETTINGS, text);
}

/* Rounded down, so that the program does not count on what it has not. */
static enum player_fault tell_left(struct client *client, enum willow_side side, const struct willow_timer *timer)
{
    char text[COMMAND_SIZE];

    snprintf(text, sizeof text, "time_left %c %" PRIu64 " %d", side == WILLOW_BLACK ? 'b' : 'w',
             timer->left_ns / 1000000000, timer->moves);
    return tell_time(client, COMMAND_TIME_LEFT, text);
}

static enum player_fault think(struct client *client, const struct player_turn *turn, struct player_answer *answer)
{
    const enum willow_side side = turn->game->side;
    struct gtp_answer reply;
    enum player_fault fault = PLAYER_FINE;

    if (turn->own != NULL && !client->clock_told)
        fault = tell_control(client, &turn->own->control);
    client->clock_told = true;
    if (turn->own != NULL && fault == PLAYER_FINE)
        fault = tell_left(client, side, turn->own);
    if (turn->own != NULL && turn->other != NULL && fault == PLAYER_FINE)
        fault = tell_left(client, side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK, turn->other);
    if (fault == PLAYER_FINE)
        fault = command(client, side == WILLOW_BLACK ? "genmove b" : "genmove w", &reply);
    if (fault != PLAYER_FINE)
        return fault;
    if (strcasecmp(reply.text, "resign") == 0)
        return client_fault(client, PLAYER_RESIGNED, "the program resigns");
    answer->move = willow_square_parse(reply.text);
    if (answer->move == WILLOW_NO_SQUARE)
        return client_fault(client, PLAYER_GARBLED, "'%s' instead of a move", reply.text);
    client->seen = turn->game->length + 1;
    return PLAYER_FINE;
}

static void quit(struct client *client)
{
    (void)client_send(client, "quit");
}

const struct client_protocol gtp_protocol = {start, begin, tell, think, quit};
