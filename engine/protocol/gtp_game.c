/* GTP commands of the protocol's text: the session, moves, time, the board as text. Layer: protocol. */
#include "protocol/gtp_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <willow/notation.h>

static enum willow_side other_side(enum willow_side side)
{
    return side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
}

const char *gtp_side_name(enum willow_side side)
{
    return side == WILLOW_BLACK ? "black" : "white";
}

bool gtp_parse_side(const char *word, enum willow_side *side)
{
    const bool black = strcasecmp(word, "b") == 0 || strcasecmp(word, "black") == 0;
    *side = black ? WILLOW_BLACK : WILLOW_WHITE;
    return black || strcasecmp(word, "w") == 0 || strcasecmp(word, "white") == 0;
}

bool gtp_parse_integer(const char *word, int most, int *value)
{
    const size_t digits = strspn(word, "0123456789");
    if (digits == 0 || digits > 9 || word[digits] != '\0')
        return false;
    *value = (int)strtol(word, NULL, 10);
    return *value <= most;
}

bool gtp_parse_real(const char *word, double *value)
{
    const size_t digits = strspn(word, "0123456789");
    size_t end = digits;
    if (word[end] == '.')
        end += 1 + strspn(word + end + 1, "0123456789");
    if (digits == 0 || word[end] != '\0')
        return false;
    *value = strtod(word, NULL);
    return true;
}

/* A GTP vertex, within the words that notation has for squares and passes. A hole is one, and an illegal move. */
static willow_square parse_vertex(const struct gtp *gtp, const char *word)
{
    const willow_square square = willow_square_parse(word);
    const int size = gtp->ruleset->width;
    if (square < WILLOW_SQUARES && (square % WILLOW_SIDE >= size || square / WILLOW_SIDE >= size))
        return WILLOW_NO_SQUARE;
    return square;
}

static void say_move(struct gtp *gtp, willow_square move)
{
    char text[WILLOW_SQUARE_TEXT];
    gtp_say(gtp, "%s", move == WILLOW_PASS ? "pass" : willow_square_format(move, text));
}

/* The position is another now: nobody thinks about the former one. */
static void note_change(struct gtp *gtp)
{
    gtp->ponder_due = false;
    gtp->turn_ns = gtp->now_ns;
}

void gtp_set_game(struct gtp *gtp, const struct willow_game *game)
{
    gtp->game = *game;
    memset(gtp->implied, 0, sizeof gtp->implied);
    gtp_clock_restart(&gtp->clock);
    gtp->settings.engine.clear(gtp->settings.engine.context);
    note_change(gtp);
}

/* Whether the side may move now: it is its turn, or the other one must pass. */
static bool may_move(const struct willow_game *game, enum willow_side side)
{
    return game->side == side ||
           (!willow_game_over(game) && willow_board_moves(game->ruleset, willow_game_board(game)) == 0);
}

/* Turns to the side that may move. */
static void imply_pass(struct gtp *gtp, enum willow_side side)
{
    if (gtp->game.side == side)
        return;
    gtp->implied[gtp->game.length] = true;
    (void)willow_game_play(&gtp->game, WILLOW_PASS, NULL);
}

static void take_back(struct gtp *gtp)
{
    (void)willow_game_undo(&gtp->game);
    gtp->implied[gtp->game.length] = false;
}

static bool last_is_implied(const struct gtp *gtp)
{
    return gtp->game.length > 0 && gtp->implied[gtp->game.length - 1];
}

bool gtp_play(struct gtp *gtp, enum willow_side side, willow_square move)
{
    if (!may_move(&gtp->game, side) || gtp->game.length + 2 > WILLOW_GAME_MAX)
        return false;
    imply_pass(gtp, side);
    if (willow_game_play(&gtp->game, move, NULL) != WILLOW_OK) {
        if (last_is_implied(gtp))
            take_back(gtp);
        return false;
    }
    note_change(gtp);
    return true;
}

static enum gtp_outcome do_protocol_version(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "2");
    return GTP_GOOD;
}

static enum gtp_outcome do_name(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "%s", gtp->settings.name);
    return GTP_GOOD;
}

static enum gtp_outcome do_version(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "%s", gtp->settings.version);
    return GTP_GOOD;
}

static enum gtp_outcome do_known_command(struct gtp *gtp, int count, char **words)
{
    (void)count;
    gtp_say(gtp, "%s", gtp_find_command(words[0]) ? "true" : "false");
    return GTP_GOOD;
}

static enum gtp_outcome do_list_commands(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    for (int table = 0; gtp_commands[table]; table++)
        for (const struct gtp_command *command = gtp_commands[table]; command->name; command++)
            gtp_say(gtp, "%s\n", command->name);
    return GTP_GOOD;
}

static enum gtp_outcome do_quit(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp->quit = true;
    return GTP_GOOD;
}

/* Of no meaning here, and sent by programs that know Go alone. */
static enum gtp_outcome do_komi(struct gtp *gtp, int count, char **words)
{
    (void)count;
    double komi;
    return gtp_parse_real(words[0] + (words[0][0] == '-' || words[0][0] == '+'), &komi) ? GTP_GOOD
                                                                                        : gtp_refuse_syntax(gtp);
}

static enum gtp_outcome do_play(struct gtp *gtp, int count, char **words)
{
    (void)count;
    enum willow_side side;
    const willow_square move = parse_vertex(gtp, words[1]);
    if (!gtp_parse_side(words[0], &side) || move == WILLOW_NO_SQUARE)
        return gtp_refuse_syntax(gtp);
    return gtp_play(gtp, side, move) ? GTP_GOOD : gtp_refuse(gtp, "illegal move");
}

/* All of it or nothing. */
static enum gtp_outcome do_play_sequence(struct gtp *gtp, int count, char **words)
{
    const struct willow_game before = gtp->game;
    bool implied[WILLOW_GAME_MAX];
    memcpy(implied, gtp->implied, sizeof implied);
    enum gtp_outcome outcome = count % 2 == 0 ? GTP_GOOD : gtp_refuse_syntax(gtp);
    for (int i = 0; i + 1 < count && outcome == GTP_GOOD; i += 2)
        outcome = do_play(gtp, 2, words + i);
    if (outcome != GTP_GOOD) {
        gtp->game = before;
        memcpy(gtp->implied, implied, sizeof implied);
    }
    return outcome;
}

static enum gtp_outcome do_undo(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    if (gtp->game.length == 0)
        return gtp_refuse(gtp, "cannot undo");
    take_back(gtp);
    while (last_is_implied(gtp))
        take_back(gtp);
    note_change(gtp);
    return GTP_GOOD;
}

/* After a move of the engine: the opponent thinks, and nobody here is being waited for. */
static void hand_over(struct gtp *gtp)
{
    gtp->turn_ns = 0;
    gtp->ponder_due = !willow_game_over(&gtp->game);
}

/* A move of the side to move, or the request for one. */
static enum gtp_outcome generate(struct gtp *gtp, const char *word, enum gtp_errand errand)
{
    enum willow_side side;
    if (!gtp_parse_side(word, &side))
        return gtp_refuse_syntax(gtp);
    if (willow_game_over(&gtp->game)) {
        say_move(gtp, WILLOW_PASS);
        return GTP_GOOD;
    }
    if (!may_move(&gtp->game, side) || gtp->game.length + 2 > WILLOW_GAME_MAX)
        return gtp_refuse(gtp, "it is %s's turn", gtp_side_name(other_side(side)));
    struct willow_board board = willow_game_board(&gtp->game);
    if (errand == GTP_MOVE) {
        imply_pass(gtp, side);
        board = willow_game_board(&gtp->game);
    } else if (gtp->game.side != side) {
        board = willow_board_play(board, WILLOW_PASS);
    }
    if (willow_board_moves(gtp->ruleset, board) == 0) {
        if (errand == GTP_MOVE && gtp_play(gtp, side, WILLOW_PASS))
            hand_over(gtp);
        say_move(gtp, WILLOW_PASS);
        return GTP_GOOD;
    }
    struct think_request request = {.kind = THINK_MOVE, .board = board, .ply = gtp->game.length};
    /* A move that is not played costs no time. */
    request.clocked = gtp->clock.used && errand == GTP_MOVE;
    request.choice = request.clocked ? gtp->settings.choice_clocked : gtp->settings.choice;
    if (request.clocked)
        request.timer = gtp_clock_timer(&gtp->clock, side, gtp->now_ns - gtp->turn_ns);
    return gtp_think(gtp, errand, &request);
}

static enum gtp_outcome do_genmove(struct gtp *gtp, int count, char **words)
{
    (void)count;
    return generate(gtp, words[0], GTP_MOVE);
}

static enum gtp_outcome do_reg_genmove(struct gtp *gtp, int count, char **words)
{
    (void)count;
    return generate(gtp, words[0], GTP_MOVE_UNPLAYED);
}

enum gtp_outcome gtp_answer_move(struct gtp *gtp, const struct think_report *report, bool played)
{
    const willow_square move = report->result.move;
    const enum willow_side side = gtp->game.side;
    const uint64_t elapsed_ns = gtp->now_ns - gtp->turn_ns;
    if (move > WILLOW_PASS || (played && !gtp_play(gtp, side, move)))
        return gtp_refuse(gtp, "the search gave no legal move");
    if (played) {
        gtp_clock_spend(&gtp->clock, side, elapsed_ns);
        hand_over(gtp);
    }
    say_move(gtp, move);
    return GTP_GOOD;
}

static enum gtp_outcome do_time_settings(struct gtp *gtp, int count, char **words)
{
    (void)count;
    double main_seconds, period_seconds;
    int moves;
    if (!gtp_parse_real(words[0], &main_seconds) || !gtp_parse_real(words[1], &period_seconds) ||
        !gtp_parse_integer(words[2], WILLOW_PERIOD_MOVES_MAX, &moves) ||
        !gtp_clock_set(&gtp->clock, main_seconds, period_seconds, moves))
        return gtp_refuse_syntax(gtp);
    return GTP_GOOD;
}

static enum gtp_outcome do_time_left(struct gtp *gtp, int count, char **words)
{
    (void)count;
    enum willow_side side;
    double seconds;
    int moves;
    /* Controllers that let a clock run on tell what it lacks. */
    const bool overdrawn = words[1][0] == '-';
    if (!gtp_parse_side(words[0], &side) || !gtp_parse_real(words[1] + overdrawn, &seconds) ||
        !gtp_parse_integer(words[2], WILLOW_PERIOD_MOVES_MAX, &moves))
        return gtp_refuse_syntax(gtp);
    gtp_clock_told(&gtp->clock, side, overdrawn ? 0 : seconds, moves);
    return GTP_GOOD;
}

static enum gtp_outcome do_final_score(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    if (!willow_game_over(&gtp->game))
        return gtp_refuse(gtp, "game is not over");
    const int discs = willow_game_final_discs(&gtp->game);
    if (discs == 0)
        gtp_say(gtp, "0");
    else
        gtp_say(gtp, "%c+%d", discs > 0 ? 'B' : 'W', abs(discs));
    return GTP_GOOD;
}

static willow_bits discs_of(const struct willow_game *game, enum willow_side side)
{
    const struct willow_board board = willow_game_board(game);
    return game->side == side ? board.player : board.opponent;
}

void gtp_say_board(struct gtp *gtp)
{
    const willow_bits black = discs_of(&gtp->game, WILLOW_BLACK), white = discs_of(&gtp->game, WILLOW_WHITE);
    gtp_say(gtp, "   ");
    for (int column = 0; column < gtp->ruleset->width; column++)
        gtp_say(gtp, " %c", 'a' + column);
    for (int row = 0; row < gtp->ruleset->height; row++) {
        gtp_say(gtp, "\n %2d", row + 1);
        for (int column = 0; column < gtp->ruleset->width; column++) {
            const willow_bits square = WILLOW_BIT(WILLOW_SIDE * row + column);
            gtp_say(gtp, " %c",
                    (black & square) != 0                    ? 'X'
                    : (white & square) != 0                  ? 'O'
                    : (gtp->ruleset->playable & square) != 0 ? '.'
                                                             : '#');
        }
    }
}

static enum gtp_outcome do_showboard(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    if (gtp->ruleset != willow_ruleset_default())
        gtp_say(gtp, "%s: ", gtp->ruleset->name);
    gtp_say(gtp, "black (X) %d, white (O) %d, %s%s\n", willow_bits_count(discs_of(&gtp->game, WILLOW_BLACK)),
            willow_bits_count(discs_of(&gtp->game, WILLOW_WHITE)),
            willow_game_over(&gtp->game) ? "game over" : gtp_side_name(gtp->game.side),
            willow_game_over(&gtp->game) ? "" : " to move");
    gtp_say_board(gtp);
    return GTP_GOOD;
}

static enum gtp_outcome do_cputime(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    struct timespec used = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    gtp_say(gtp, "%ld.%02ld", (long)used.tv_sec, used.tv_nsec / 10000000);
    return GTP_GOOD;
}

const struct gtp_command gtp_game_commands[] = {
    {"protocol_version", 0, 0, do_protocol_version},
    {"name", 0, 0, do_name},
    {"version", 0, 0, do_version},
    {"known_command", 1, 1, do_known_command},
    {"list_commands", 0, 0, do_list_commands},
    {"quit", 0, 0, do_quit},
    {"komi", 1, 1, do_komi},
    {"play", 2, 2, do_play},
    {"genmove", 1, 1, do_genmove},
    {"reg_genmove", 1, 1, do_reg_genmove},
    {"undo", 0, 0, do_undo},
    {"time_settings", 3, 3, do_time_settings},
    {"time_left", 3, 3, do_time_left},
    {"final_score", 0, 0, do_final_score},
    {"showboard", 0, 0, do_showboard},
    {"cputime", 0, 0, do_cputime},
    {"gogui-play_sequence", 0, 2 * WILLOW_GAME_MAX, do_play_sequence},
    {NULL, 0, 0, NULL},
};
