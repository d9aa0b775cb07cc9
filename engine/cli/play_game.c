/* The course of a game at the terminal: turns, passes, the engine's thinking, the result.
 * Does not parse what the user types. Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/notation.h>

#include "play.h"

/* A signal handler reaches nothing but static storage: the flag of the search that runs now. */
static struct willow_stop *thinking_stop;

static void on_interrupt(int number)
{
    (void)number;
    willow_stop_set(thinking_stop, true);
}

/* Ctrl-C ends the thinking while this is in force, and has its usual meaning after. */
static void watch_interrupt(struct play *play, struct sigaction *former)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    willow_stop_set(play->stop, false);
    thinking_stop = play->stop;
    (void)sigaction(SIGINT, &action, former);
}

static void unwatch_interrupt(const struct sigaction *former)
{
    (void)sigaction(SIGINT, former, NULL);
}

static const char *side_name(enum willow_side side)
{
    return side == WILLOW_BLACK ? "Black" : "White";
}

bool play_over(const struct play *play)
{
    return play->resigned || willow_game_over(&play->game);
}

static void format_score(willow_score score, bool exact, char *buffer, size_t size)
{
    if (exact)
        snprintf(buffer, size, "%+d exact", (int)(score / WILLOW_SCORE_DISC));
    else
        snprintf(buffer, size, "%+.2f", (double)score / WILLOW_SCORE_DISC);
}

/* How far the search went, and how sure it is: "depth 14 at 73%", "73% to the end"; nothing for an exact score. */
static const char *format_depth(const struct willow_result *result, int empties, char *buffer, size_t size)
{
    if (result->exact)
        return "";
    if (result->selectivity == WILLOW_NOT_SELECTIVE)
        snprintf(buffer, size, "depth %d, ", result->depth);
    else if (result->depth == empties)
        snprintf(buffer, size, "%d%% to the end, ", result->selectivity);
    else
        snprintf(buffer, size, "depth %d at %d%%, ", result->depth, result->selectivity);
    return buffer;
}

void play_start_clocks(struct play *play, const struct willow_time_control *control)
{
    play->clocked = true;
    for (int side = 0; side < 2; side++)
        willow_timer_start(&play->clock[side], control);
}

/* A search to a depth is selective unless the user said how: that looks much deeper in the same time. Without a depth
 * the search begins so by itself, and gets as far towards the whole truth as its time allows. */
enum { DEFAULT_SELECTIVITY = 73 };

/* The limits of the next search of the side to move. */
static struct willow_limits limits_now(const struct play *play)
{
    struct willow_limits limits = play->limits;
    if (limits.selectivity == 0)
        limits.selectivity = limits.depth > 0 ? DEFAULT_SELECTIVITY : WILLOW_NOT_SELECTIVE;
    if (play->clocked)
        willow_timer_limit(&play->clock[play->game.side],
                           willow_board_empties(play->game.ruleset, willow_game_board(&play->game)), &limits);
    return limits;
}

/* Books a move on the clock and says what is left. The game goes on when the flag falls: the engine then answers at
 * once. */
static const char *spend(struct play *play, uint64_t elapsed_ns, char *buffer, size_t size)
{
    struct willow_timer *timer = &play->clock[play->game.side];
    if (!play->clocked)
        return "";
    if (!willow_timer_spend(timer, elapsed_ns))
        return ", out of time";
    snprintf(buffer, size, ", %.2f s left", (double)willow_timer_left_ns(timer) * 1e-9);
    return buffer;
}

void play_engine_move(struct play *play)
{
    const enum willow_side side = play->game.side;
    if (prompt_is_terminal(play->prompt)) {
        printf("Willow (%s) is thinking ...", side_name(side));
        fflush(stdout);
    }
    struct sigaction former;
    struct willow_result result;
    watch_interrupt(play, &former);
    const uint64_t start_ns = willow_clock_ns();
    const struct willow_limits limits = limits_now(play);
    willow_search_run(play->search[side], willow_game_board(&play->game), &limits, &result);
    const uint64_t elapsed_ns = willow_clock_ns() - start_ns;
    unwatch_interrupt(&former);

    char move[3], score[32], depth[32], left[32];
    format_score(result.score, result.exact, score, sizeof score);
    const int empties = willow_board_empties(play->game.ruleset, willow_game_board(&play->game));
    printf("%sWillow (%s) plays %s: score %s, %s%" PRIu64 " nodes, %.2f s%s%s\n",
           prompt_is_terminal(play->prompt) ? "\r" : "", side_name(side), willow_square_format(result.move, move),
           score, format_depth(&result, empties, depth, sizeof depth), result.nodes, (double)result.time_ns * 1e-9,
           spend(play, elapsed_ns, left, sizeof left), willow_stop_get(play->stop) ? ", stopped" : "");
    /* With nobody at the prompt, Ctrl-C can only mean the end. */
    if (willow_stop_get(play->stop) && !play->human[WILLOW_BLACK] && !play->human[WILLOW_WHITE])
        play->quit = true;
    if (willow_game_play(&play->game, result.move, NULL) != WILLOW_OK)
        play->quit = true;
    play->changed = true;
}

void play_hint(struct play *play, int count)
{
    struct willow_scored_move moves[64];
    struct sigaction former;
    /* On a clock a hint takes as long as a move would, and costs nothing. */
    const struct willow_limits limits = limits_now(play);
    watch_interrupt(play, &former);
    const int found =
        willow_search_moves(play->search[play->game.side], willow_game_board(&play->game), &limits, moves);
    unwatch_interrupt(&former);
    for (int i = 0; i < found && i < count; i++) {
        char move[3], score[32];
        format_score(moves[i].score, moves[i].exact, score, sizeof score);
        printf("  %s  %s\n", willow_square_format(moves[i].move, move), score);
    }
}

static void draw(struct play *play)
{
    const char *const names[2] = {play->human[WILLOW_BLACK] ? "you" : "Willow",
                                  play->human[WILLOW_WHITE] ? "you" : "Willow"};
    screen_draw(&play->screen, &play->game, names);
    play->changed = false;
}

static void tell_result(const struct play *play)
{
    const struct willow_game *game = &play->game;
    if (play->resigned) {
        printf("%s resigns. %s wins.\n", side_name(game->side),
               side_name(game->side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK));
        return;
    }
    const struct willow_board board = willow_game_board(game);
    const bool black_view = game->side == WILLOW_BLACK;
    const int black = __builtin_popcountll(black_view ? board.player : board.opponent);
    const int white = __builtin_popcountll(black_view ? board.opponent : board.player);
    const int difference = willow_game_final_discs(game);
    const int empties = willow_board_empties(game->ruleset, board);
    printf("Game over. Discs: Black %d, White %d. ", black, white);
    if (difference == 0)
        printf("A draw.\n");
    else
        printf("%s wins by %d%s.\n", side_name(difference > 0 ? WILLOW_BLACK : WILLOW_WHITE),
               difference > 0 ? difference : -difference, empties > 0 ? ", as the winner takes the empty squares" : "");
}

/* Reads and does one command. */
static void ask(struct play *play)
{
    char text[48];
    if (play_over(play))
        snprintf(text, sizeof text, "game over> ");
    else
        snprintf(text, sizeof text, "%s> ", side_name(play->game.side));
    const char *line = "";
    fflush(stdout);
    switch (prompt_read(play->prompt, text, &line)) {
    case PROMPT_LINE:
        play_command(play, line);
        break;
    case PROMPT_CANCELLED:
        printf("Ctrl-C once more to quit.\n");
        break;
    case PROMPT_END:
        play->quit = true;
        break;
    }
}

/* One step: a result told, a pass, an engine's move or a command. */
static void step(struct play *play)
{
    struct willow_game *game = &play->game;
    const bool nobody = !play->human[WILLOW_BLACK] && !play->human[WILLOW_WHITE];
    if (play_over(play)) {
        if (play->changed)
            draw(play);
        if (!play->ended)
            tell_result(play);
        play->ended = true;
        if (nobody)
            play->quit = true;
        else
            ask(play);
    } else if (willow_board_moves(game->ruleset, willow_game_board(game)) == 0) {
        printf("%s has no move and passes.\n", side_name(game->side));
        /* It is legal: there is no move, and the game is not over. */
        if (willow_game_play(game, WILLOW_PASS, NULL) != WILLOW_OK)
            play->quit = true;
        play->changed = true;
    } else if (play->human[game->side]) {
        if (play->changed)
            draw(play);
        ask(play);
    } else {
        /* A watched game shows every position; into a file, the moves are enough. */
        if (nobody && prompt_is_terminal(play->prompt) && play->changed)
            draw(play);
        play_engine_move(play);
    }
}

void play_run(struct play *play)
{
    play->changed = true;
    while (!play->quit) {
        step(play);
        /* Nobody can see the game any more; main reports it. */
        if (fflush(stdout) != 0 || ferror(stdout))
            play->quit = true;
    }
}
