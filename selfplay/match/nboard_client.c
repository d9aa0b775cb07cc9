/* The NBoard protocol, version 2. Layer: selfplay. Knows nothing of processes. */
#include "client.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/notation.h>
#include <willow/records.h>

/* Of a game without moves. */
enum { GAME_BYTES = 1024 };

static const uint64_t NS_PER_MS = 1000000;

static bool is_refused(const struct client *client)
{
    return strstr(client->status, "refused") != NULL;
}

/* A status is for people, but it alone says why a program does not play. What a refusal leads to is no news. */
static void note_status(struct client *client, const char *line)
{
    if (strncmp(line, "status ", 7) == 0 && !is_refused(client))
        (void)snprintf(client->status, sizeof client->status, "%s", line + 7);
}

/* Waits until the program has read all that was sent; what it wrote before is passed over. */
static enum player_fault synchronise(struct client *client)
{
    char expected[32];
    const char *line;

    client->status[0] = '\0';

    client->number++;
    snprintf(expected, sizeof expected, "pong %u", client->number);
    enum player_fault fault = client_send(client, "ping %u", client->number);
    while (fault == PLAYER_FINE) {
        fault = client_receive(client, expected, &line);
        if (fault == PLAYER_FINE && strncmp(line, expected, strlen(expected)) == 0 &&
            line[strlen(expected) + strspn(line + strlen(expected), " \t")] == '\0')
            break;
        if (fault == PLAYER_FINE)
            note_status(client, line);
    }
    return fault;
}

static enum player_fault start(struct client *client)
{
    const struct engine *engine = client->engine;
    const int depth = engine->depth != 0 ? engine->depth : engine->level;

    enum player_fault fault = client_send(client, "nboard 2");
    if (depth != 0 && fault == PLAYER_FINE)
        fault = client_send(client, "set depth %d", depth);
    for (char **line = engine->setup; line != NULL && *line != NULL && fault == PLAYER_FINE; line++)
        fault = client_send(client, "%s", *line);
    return fault == PLAYER_FINE ? synchronise(client) : fault;
}

/* Squares in capitals, "PA" for a pass. */
static char *square_text(willow_square move, char text[WILLOW_SQUARE_TEXT])
{
    willow_square_format(move, text);
    text[0] = (char)toupper((unsigned char)text[0]);
    if (move == WILLOW_PASS)
        text[1] = 'A';
    return text;
}

/* Its own moves come back with the score that it gave and the time it took, those of the other side with the time since
 * its last answer. */
static enum player_fault tell(struct client *client, enum willow_side side, willow_square move)
{
    char square[WILLOW_SQUARE_TEXT], score[32] = "";

    square_text(move, square);
    if (side == client->side) {
        if (client->scored)
            snprintf(score, sizeof score, "%.2f", client->score_discs);
        const double thought_s = client->thought_s;
        client->scored = false;
        client->thought_s = 0.0;
        return client_send(client, "move %s/%s/%.3f", square, score, thought_s);
    }
    const double waited_s = client->answered_ns != 0 ? 1e-9 * (double)(willow_clock_ns() - client->answered_ns) : 0.0;
    client->answered_ns = 0;
    return client_send(client, "move %s//%.2f", square, waited_s);
}

/* Minutes and seconds as GGF has them; a part of a second with decimals, as a program that was told a whole one would
 * lose on time. */
static char *time_text(uint64_t ms, char text[32])
{
    const uint64_t s = ms / 1000;
    const unsigned part = (unsigned)(ms % 1000);

    const int length = snprintf(text, 32, "%" PRIu64 ":%02u", s / 60, (unsigned)(s % 60));
    if (part > 0)
        snprintf(text + length, 32 - (size_t)length, ".%03u", part);
    return text;
}

/* "main/increment", null without a clock. Byo-yomi is not known here: what the next move may take is told as the main
 * time, and as the increment what a period comes to for each move. */
static const char *clock_text(const struct willow_timer *timer, char text[96])
{
    char main_time[32], increment[32];

    if (timer == NULL)
        return NULL;
    const struct willow_time_control *control = &timer->control;
    const bool periods = control->period_ms > 0;
    const uint64_t each_ms = periods ? control->period_ms / (uint64_t)control->period_moves : control->increment_ms;
    time_text(periods ? willow_timer_left_ns(timer) / NS_PER_MS : control->main_ms, main_time);
    if (each_ms > 0)
        snprintf(text, 96, "%s/%s", main_time, time_text(each_ms, increment));
    else
        snprintf(text, 96, "%s", main_time);
    return text;
}

/* The start of the game as GGF, then its moves one by one. */
static enum player_fault send_game(struct client *client, const struct willow_game *game,
                                   const struct willow_timer *timer)
{
    struct willow_game start = *game;
    char time[96], text[GAME_BYTES];
    const bool black = client->side == WILLOW_BLACK;
    const struct willow_ggf_game told = {.game = &start,
                                         .place = "Willow",
                                         .black = black ? "program" : "opponent",
                                         .white = black ? "opponent" : "program",
                                         .clock = clock_text(timer, time),
                                         .result_unknown = true};

    while (willow_game_undo(&start))
        ;
    if (willow_ggf_format(&told, text, sizeof text) == 0)
        return client_fault(client, PLAYER_GARBLED, "NBoard has no word for %s", game->ruleset->name);
    enum player_fault fault = client_send(client, "set game %s", text);
    for (int i = 0; i < game->length && fault == PLAYER_FINE; i++) {
        char square[WILLOW_SQUARE_TEXT];
        fault = client_send(client, "move %s", square_text(game->moves[i], square));
    }
    return fault;
}

/* The protocol has no answer to a game, but Willow, for one, says of what it does not play that it was refused. */
static enum player_fault begin(struct client *client, const struct willow_game *opening)
{
    enum player_fault fault = send_game(client, opening, NULL);
    if (fault == PLAYER_FINE)
        fault = synchronise(client);
    if (fault == PLAYER_FINE && is_refused(client))
        fault = client_fault(client, PLAYER_GARBLED, "its status is '%s'", client->status);
    client->scored = false;
    client->thought_s = 0.0;
    client->answered_ns = willow_clock_ns();
    return fault;
}

/* "=== d3/1.50/0.25", where the score and the time may be missing. */
static enum player_fault parse_answer(struct client *client, const char *line, struct player_answer *answer)
{
    const char *at = line + strspn(line, "= \t");
    const size_t length = strcspn(at, "/ \t");
    char square[8] = "";

    if (length < sizeof square)
        memcpy(square, at, length);
    answer->move = willow_square_parse(square);
    if (answer->move == WILLOW_NO_SQUARE)
        return client_fault(client, PLAYER_GARBLED, "'%s' instead of a move", line);
    if (at[length] == '/') {
        const char *from = at + length + 1;
        char *end;
        const double score = strtod(from, &end);
        answer->has_score = end != from && isfinite(score) && fabs(score) <= WILLOW_SQUARES;
        answer->score_discs = answer->has_score ? score : 0.0;
    }
    return PLAYER_FINE;
}

static enum player_fault think(struct client *client, const struct player_turn *turn, struct player_answer *answer)
{
    enum player_fault fault = PLAYER_FINE;
    const char *line;

    /* No command tells the time: it stands in the game. The time of a period does not add up as an increment does: it
     * is told anew before each move. */
    if (turn->own != NULL && (!client->clock_told || turn->own->control.period_ms > 0))
        fault = send_game(client, turn->game, turn->own);
    client->clock_told = true;
    if (fault == PLAYER_FINE)
        fault = synchronise(client);
    if (fault == PLAYER_FINE)
        fault = client_send(client, "go");
    while (fault == PLAYER_FINE) {
        fault = client_receive(client, "answer to 'go'", &line);
        if (fault == PLAYER_FINE && strncmp(line, "===", 3) == 0) {
            fault = parse_answer(client, line, answer);
            break;
        }
        if (fault == PLAYER_FINE)
            note_status(client, line);
    }
    if (fault == PLAYER_HUNG && client->status[0] != '\0')
        fault = client_fault(client, fault, "no answer to 'go' in time; its status is '%s'", client->status);
    client->answered_ns = willow_clock_ns();
    /* What its clock is charged with. */
    client->thought_s = 1e-9 * (double)(client->answered_ns - client->called_ns);
    client->scored = answer->has_score;
    client->score_discs = answer->score_discs;
    return fault;
}

/* The protocol knows no farewell but the end of its input. */
static void quit(struct client *client)
{
    (void)client;
}

const struct client_protocol nboard_protocol = {start, begin, tell, think, quit};
