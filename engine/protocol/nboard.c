/* The state machine of the NBoard protocol: one job at a time, and a line that needs another waits until it has
 * stopped. Layer: protocol.
 */
#include "protocol/nboard.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/records.h>

#include "protocol/nboard_game.h"
#include "protocol/nboard_text.h"

enum { HINTS_MAX = WILLOW_SQUARES };

static const uint64_t MS = 1000000; /* in ns */

enum job { JOB_NONE, JOB_GO, JOB_HINT, JOB_ANALYZE, JOB_PONDER };

struct nboard {
    struct nboard_settings settings;
    struct nboard_driver driver;
    struct nboard_depth depth;
    struct nboard_game board;
    bool lost;     /* the other side has a board that is not ours */
    bool ending;   /* nothing follows the line that waits */
    bool over;     /* the conversation has ended */
    char *waiting; /* the line that what runs must stop for; null = none */
    uint64_t waiting_since_ns;

    /* What runs. A hint says something before it stops, and an analysis what it can within the grace of a move. */
    enum job job;
    bool interrupted; /* it is to stop */
    bool stopped;     /* and the driver was told so */
    bool endless;     /* nothing else would stop it within any time that somebody waits */
    bool win_loss;    /* go: it asks who wins alone, whatever was set since */
    uint64_t began_ns;
    bool told; /* hint: at least one depth was reported, the last one this: */
    int told_depth, told_selectivity;
    int analysed; /* moves made before the position that is looked at */

    /* The last answer to "go": to what, which move, and how long it took. */
    bool answered;
    bool pondered; /* the board behind it is thought through */
    enum willow_side answered_side;
    struct willow_board answered_board;
    willow_square answer;
    double answer_s; /* negative: not to be booked */
};

/* One line of printable ASCII, whatever it quotes. */
__attribute__((format(printf, 2, 3))) static void say(struct nboard *nboard, const char *format, ...)
{
    char line[NBOARD_LINE_MAX + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    nboard->driver.write(nboard->driver.context, line);
}

static int empties_of(const struct nboard *nboard, struct willow_board board)
{
    return willow_board_empties(nboard->board.game.ruleset, board);
}

static bool same_board(struct willow_board a, struct willow_board b)
{
    return a.player == b.player && a.opponent == b.opponent;
}

/* Deeper than the deepest level, and nothing bounds it: this may take days. */
static bool is_endless(const struct nboard *nboard, const struct think_request *request)
{
    const struct willow_limits *limits = &request->choice.limits;
    const int deepest = willow_level_find(WILLOW_LEVEL_MAX)->depth;
    return request->choice.level == 0 && !request->clocked && limits->time_ms == 0 && limits->nodes == 0 &&
           (limits->depth == 0 || limits->depth > deepest) && empties_of(nboard, request->board) > deepest;
}

static void begin(struct nboard *nboard, enum job job, const struct think_request *request)
{
    nboard->job = job;
    nboard->endless = request->kind != THINK_MOVE || is_endless(nboard, request);
    nboard->win_loss = request->choice.limits.win_loss;
    nboard->interrupted = nboard->stopped = nboard->told = false;
    nboard->driver.start(nboard->driver.context, request);
}

/* The settings, or what "set depth" has put in their place. */
static struct willow_choice choice_for(const struct nboard *nboard, bool clocked, int empties)
{
    struct willow_choice choice = clocked ? nboard->settings.clocked : nboard->settings.choice;
    if (nboard->depth.plies > 0) {
        choice.level = 0;
        nboard_depth_limit(&nboard->depth, empties, &choice.limits);
    }
    return choice;
}

static void tell_stats(struct nboard *nboard, const struct willow_result *result)
{
    say(nboard, "nodestats %llu %.2f", (unsigned long long)result->nodes, 1e-9 * (double)result->time_ns);
}

/* True when nothing can be said of the board, which is told. */
static bool refuse_lost(struct nboard *nboard)
{
    if (nboard->lost)
        say(nboard, "status The board is not known: a game or a move was refused. Waiting for 'set game'");
    return nboard->lost;
}

static void remember_answer(struct nboard *nboard, willow_square move)
{
    const struct willow_game *game = &nboard->board.game;
    nboard->answered = true;
    nboard->pondered = false;
    nboard->answered_side = game->side;
    nboard->answered_board = willow_game_board(game);
    nboard->answer = move;
    nboard->answer_s = 1e-9 * (double)(willow_clock_ns() - nboard->began_ns);
}

static void run_go(struct nboard *nboard, const char *rest)
{
    const struct willow_game *game = &nboard->board.game;
    const struct willow_board board = willow_game_board(game);
    (void)rest;
    if (refuse_lost(nboard))
        return;
    if (willow_game_over(game)) {
        say(nboard, "status The game is over: %+d for black", willow_game_final_discs(game));
        say(nboard, "=== PA");
        return;
    }
    if (willow_board_moves(game->ruleset, board) == 0) {
        say(nboard, "=== PA");
        remember_answer(nboard, WILLOW_PASS);
        return;
    }
    say(nboard, "status Thinking");
    const bool clocked = nboard->board.clocked;
    const struct think_request request = {.kind = THINK_MOVE,
                                          .board = board,
                                          .ply = game->length,
                                          .choice = choice_for(nboard, clocked, empties_of(nboard, board)),
                                          .clocked = clocked,
                                          .timer = nboard->board.timers[game->side]};
    begin(nboard, JOB_GO, &request);
}

static void run_hint(struct nboard *nboard, const char *rest)
{
    const struct willow_game *game = &nboard->board.game;
    char *end;
    const long wanted = strtol(rest, &end, 10);
    if (refuse_lost(nboard))
        return;
    if (end != rest && wanted < 1) {
        say(nboard, "status 'hint %.16s': a number from 1 on is expected", rest);
        return;
    }
    if (willow_game_over(game)) {
        say(nboard, "status The game is over: %+d for black", willow_game_final_discs(game));
        return;
    }
    say(nboard, "status Analyzing");
    struct think_request request = {.kind = THINK_HINT, .board = willow_game_board(game), .ply = game->length};
    request.count = end == rest ? 1 : wanted < HINTS_MAX ? (int)wanted : HINTS_MAX;
    begin(nboard, JOB_HINT, &request);
}

static void tell_analysis(struct nboard *nboard, double eval_discs)
{
    say(nboard, "analysis %d %.2f", nboard->analysed, eval_discs);
}

/* Goes on with the next position, or ends. */
static void analyse_next(struct nboard *nboard)
{
    const struct willow_game *game = &nboard->board.game;
    const uint64_t age_ms = (willow_clock_ns() - nboard->began_ns) / MS;
    if (nboard->interrupted && age_ms >= THINK_GRACE_MS)
        nboard->analysed = -1;
    if (nboard->analysed == game->length && willow_game_over(game)) {
        const struct willow_board board = willow_game_board(game);
        tell_analysis(nboard, willow_board_final_discs(game->ruleset, board));
        nboard->analysed--;
    }
    if (nboard->analysed < 0) {
        nboard->job = JOB_NONE;
        say(nboard, "status");
        return;
    }
    const struct willow_board board = game->boards[nboard->analysed];
    struct think_request request = {.kind = THINK_MOVE,
                                    .board = board,
                                    .ply = nboard->analysed,
                                    .choice = choice_for(nboard, false, empties_of(nboard, board))};
    request.choice.loss_discs = 0.0;
    const bool interrupted = nboard->interrupted;
    if (interrupted)
        request.choice.limits.time_ms = THINK_GRACE_MS - age_ms;
    begin(nboard, JOB_ANALYZE, &request);
    nboard->interrupted = nboard->stopped = interrupted;
}

static void run_analyze(struct nboard *nboard, const char *rest)
{
    (void)rest;
    if (refuse_lost(nboard))
        return;
    say(nboard, "status Analyzing the game");
    nboard->interrupted = false;
    nboard->analysed = nboard->board.game.length;
    analyse_next(nboard);
}

/* Thinks about the board behind the last answer, whether the other side has told that move yet or not. */
static void ponder(struct nboard *nboard)
{
    const struct willow_game *game = &nboard->board.game;
    const struct willow_board board = willow_game_board(game);
    if (!nboard->settings.ponder || !nboard->answered || nboard->pondered || nboard->lost)
        return;
    const struct willow_board behind = willow_board_play(nboard->answered_board, nboard->answer);
    const bool before = game->side == nboard->answered_side && same_board(board, nboard->answered_board);
    const bool after = game->side != nboard->answered_side && same_board(board, behind);
    if ((!before && !after) || willow_board_over(game->ruleset, behind))
        return;
    const struct think_request request = {.kind = THINK_PONDER, .board = behind, .ply = game->length + before};
    begin(nboard, JOB_PONDER, &request);
}

static void run_game(struct nboard *nboard, const char *rest)
{
    const struct willow_ruleset *played = nboard->board.game.ruleset;
    struct nboard_game told;
    struct willow_error error;
    /* It tells the times of its moves itself. */
    nboard->answer_s = -1.0;
    enum willow_status status = nboard_game_read(played, rest, &told, &error);
    if (status == WILLOW_OK && told.game.ruleset != played)
        status = nboard->driver.set_ruleset(nboard->driver.context, told.game.ruleset, &error);
    nboard->lost = status != WILLOW_OK;
    if (status == WILLOW_OK)
        nboard->board = told;
    else
        say(nboard, "status The game was refused: %s%s%s", error.place, error.place[0] != '\0' ? ": " : "",
            error.reason);
}

/* What an own move took is known better here than from the two decimals of the other side, which sees what lies
 * between the two besides. */
static void run_move(struct nboard *nboard, const char *rest)
{
    const struct willow_game *game = &nboard->board.game;
    struct willow_error error;
    struct willow_ggf_move known;
    willow_square move;
    if (refuse_lost(nboard))
        return;
    if (!willow_ggf_move_parse(rest, strlen(rest), &move, &known)) {
        say(nboard, "status 'move %.16s' names no square; it changes nothing", rest);
        return;
    }
    /* What "go" answers there. */
    if (move == WILLOW_PASS && willow_game_over(game))
        return;
    double seconds = known.has_time ? known.seconds : -1.0;
    if (nboard->answered && move == nboard->answer && game->side == nboard->answered_side &&
        same_board(willow_game_board(game), nboard->answered_board) && seconds < nboard->answer_s)
        seconds = nboard->answer_s;
    nboard->lost = nboard_game_move(&nboard->board, move, seconds, &error) != WILLOW_OK;
    if (nboard->lost)
        say(nboard, "status The move was refused: %s", error.reason);
}

static void run_depth(struct nboard *nboard, const char *rest)
{
    if (!nboard_depth_parse(rest, &nboard->depth))
        say(nboard, "status 'set depth %.16s': 1 to %d is expected, or 73%% to 100%%; the depth stays as it was", rest,
            NBOARD_DEPTH_MAX);
}

static void run_version(struct nboard *nboard, const char *rest)
{
    (void)rest;
    say(nboard, "set myname Willow");
}

static void run_ping(struct nboard *nboard, const char *rest)
{
    say(nboard, "pong %.*s", (int)strcspn(rest, " \t"), rest);
}

static void run_learn(struct nboard *nboard, const char *rest)
{
    (void)rest;
    say(nboard, "learned");
}

static void run_quit(struct nboard *nboard, const char *rest)
{
    (void)rest;
    nboard->over = true;
}

struct command {
    const char *words;
    bool interrupts;
    void (*run)(struct nboard *nboard, const char *rest);
};

static const struct command commands[] = {
    {"nboard", false, run_version}, {"set depth", false, run_depth}, {"set game", true, run_game},
    {"move", true, run_move},       {"hint", true, run_hint},        {"go", true, run_go},
    {"ping", true, run_ping},       {"learn", true, run_learn},      {"analyze", true, run_analyze},
    {"quit", true, run_quit},
};

/* The text behind the words, from its first letter on; null when the line does not begin with them. */
static const char *behind_words(const char *line, const char *words)
{
    static const char blanks[] = " \t";
    line += strspn(line, blanks);
    for (;;) {
        const size_t length = strcspn(words, " ");
        if (strncmp(line, words, length) != 0)
            return NULL;
        line += length;
        words += length;
        const size_t gap = strspn(line, blanks);
        if (*line != '\0' && gap == 0)
            return NULL;
        line += gap;
        if (*words == '\0')
            return line;
        words++;
    }
}

/* Null for a line that is none of the protocol's. */
static const struct command *find_command(const char *line, const char **rest)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        *rest = behind_words(line, commands[i].words);
        if (*rest != NULL)
            return &commands[i];
    }
    return NULL;
}

/* A hint that has not said anything yet does so first: its first depth takes no time. */
static void stop(struct nboard *nboard)
{
    if (nboard->job == JOB_NONE || !nboard->interrupted || nboard->stopped ||
        (nboard->job == JOB_HINT && !nboard->told))
        return;
    nboard->stopped = true;
    nboard->driver.stop(nboard->driver.context);
}

static void obey(struct nboard *nboard, const char *line, uint64_t read_ns)
{
    const char *rest;
    const struct command *command = find_command(line, &rest);
    if (nboard->job == JOB_NONE)
        nboard->began_ns = read_ns;
    if (command != NULL)
        command->run(nboard, rest);
}

/* After everything that may have changed what runs or waits. Returns what the caller is to return. */
static bool go_on(struct nboard *nboard)
{
    if (nboard->job == JOB_NONE && nboard->waiting != NULL) {
        char *line = nboard->waiting;
        nboard->waiting = NULL;
        obey(nboard, line, nboard->waiting_since_ns);
        free(line);
    }
    nboard->over = nboard->over || (nboard->ending && nboard->job == JOB_NONE);
    if (nboard->waiting != NULL || (nboard->ending && nboard->endless)) {
        nboard->interrupted = true;
        stop(nboard);
    } else if (nboard->job == JOB_NONE && !nboard->ending) {
        ponder(nboard);
    }
    return !nboard->over;
}

bool nboard_ready(const struct nboard *nboard)
{
    return nboard->waiting == NULL;
}

bool nboard_line(struct nboard *nboard, const char *line)
{
    const char *rest;
    const uint64_t now_ns = willow_clock_ns();
    /* Nothing but a game is that long. */
    if (line == NULL)
        line = "set game";
    const struct command *command = find_command(line, &rest);
    if (nboard->job == JOB_NONE || command == NULL || !command->interrupts) {
        obey(nboard, line, now_ns);
    } else {
        nboard->waiting = strdup(line);
        nboard->waiting_since_ns = now_ns;
        nboard->over = nboard->waiting == NULL;
    }
    return go_on(nboard);
}

bool nboard_end(struct nboard *nboard)
{
    nboard->ending = true;
    return go_on(nboard);
}

static void end_go(struct nboard *nboard, const struct willow_result *result)
{
    const struct willow_board board = willow_game_board(&nboard->board.game);
    char line[NBOARD_LINE], move[WILLOW_SQUARE_TEXT];
    const struct nboard_reach reach = {.depth = result->depth,
                                       .empties = empties_of(nboard, board),
                                       .selectivity = result->selectivity,
                                       .exact = result->exact,
                                       .win_loss = nboard->win_loss};
    say(nboard, "%s", nboard_search_format(result->move, result->pv, result->pv_length, result->score, &reach, line));
    tell_stats(nboard, result);
    remember_answer(nboard, result->move);
    say(nboard, "=== %s/%.2f/%.2f", nboard_move_format(result->move, move), nboard_eval(result->score),
        nboard->answer_s);
}

/* The final report may be that of a depth which was told already. */
static void tell_hint(struct nboard *nboard, const struct think_report *report)
{
    const struct willow_result *result = &report->result;
    const bool again =
        nboard->told && result->depth == nboard->told_depth && result->selectivity == nboard->told_selectivity;
    if (report->count == 0 || (report->final && again))
        return;
    for (int i = 0; i < report->count; i++) {
        const struct willow_scored_move *move = &report->moves[i];
        const struct nboard_reach reach = {.depth = result->depth,
                                           .empties = empties_of(nboard, willow_game_board(&nboard->board.game)),
                                           .selectivity = result->selectivity,
                                           .exact = move->exact};
        char line[NBOARD_LINE];
        say(nboard, "%s",
            nboard_search_format(move->move, report->pv[i], report->pv_length[i], move->score, &reach, line));
    }
    tell_stats(nboard, result);
    nboard->told = true;
    nboard->told_depth = result->depth;
    nboard->told_selectivity = result->selectivity;
}

bool nboard_report(struct nboard *nboard, const struct think_report *report)
{
    const enum job job = nboard->job;
    const bool stopped = nboard->stopped;
    if (job == JOB_HINT && !stopped)
        tell_hint(nboard, report);
    if (!report->final) {
        stop(nboard);
        return true;
    }
    nboard->job = JOB_NONE;
    if (job == JOB_GO) {
        end_go(nboard, &report->result);
    } else if (job == JOB_HINT) {
        say(nboard, "status");
    } else if (job == JOB_ANALYZE) {
        tell_analysis(nboard, nboard_eval(report->result.score));
        nboard->analysed--;
        analyse_next(nboard);
    } else if (job == JOB_PONDER) {
        nboard->pondered = !stopped;
    }
    return go_on(nboard);
}

enum willow_status nboard_new(const struct nboard_settings *settings, const struct nboard_driver *driver,
                              struct nboard **nboard, struct willow_error *error)
{
    struct nboard *made = calloc(1, sizeof *made);
    *nboard = made;
    if (made == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a conversation");
    made->settings = *settings;
    made->driver = *driver;
    nboard_game_init(&made->board, settings->ruleset);
    return WILLOW_OK;
}

void nboard_free(struct nboard *nboard)
{
    if (nboard == NULL)
        return;
    free(nboard->waiting);
    free(nboard);
}
