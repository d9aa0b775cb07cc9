/* What the engines of a game at the terminal do: moves, hints, scores; Ctrl-C ends their thinking.
 * Does not know what the user types. Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <willow/clock.h>
#include <willow/notation.h>
#include <willow/program.h>

#include "play.h"

/* A signal handler reaches nothing but static storage: the flag of the game at this terminal. */
static struct willow_stop *thinking_stop;

static void on_interrupt(int number)
{
    (void)number;
    willow_stop_set(thinking_stop, true);
}

static void watch_interrupt(struct play *play, struct sigaction *former)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    thinking_stop = play->stop;
    (void)sigaction(SIGINT, &action, former);
}

void play_watch_interrupt(struct play *play)
{
    watch_interrupt(play, NULL);
}

void play_unwatch_interrupt(void)
{
    (void)signal(SIGINT, SIG_DFL);
}

/* While a search runs: Ctrl-C ends it, and a line on the terminal shows that time goes by. */
struct thinking {
    struct sigaction former;
    const char *what;
    bool ticking;
    pthread_t thread;
    pthread_mutex_t lock; /* guards `over` */
    pthread_cond_t ended;
    bool over;
    uint64_t start_ns;
};

enum { TICK_MS = 250, SHOWN_FROM_MS = 400 };

static void *tick(void *context)
{
    struct thinking *thinking = context;
    struct willow_progress progress;
    willow_progress_start(&progress, false);
    (void)pthread_mutex_lock(&thinking->lock);
    while (!thinking->over) {
        struct timespec until;
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        (void)pthread_cond_timedwait(&thinking->ended, &thinking->lock, &until);
        const uint64_t elapsed_ns = willow_clock_ns() - thinking->start_ns;
        if (!thinking->over && elapsed_ns > SHOWN_FROM_MS * UINT64_C(1000000))
            willow_progress_line(&progress, false, "%s ... %.0f s (Ctrl-C: that is enough)", thinking->what,
                                 (double)elapsed_ns * 1e-9);
    }
    (void)pthread_mutex_unlock(&thinking->lock);
    /* Wiped: what was found takes the line's place. */
    if (progress.width > 0)
        fprintf(stderr, "\r%*s\r", (int)progress.width, "");
    return NULL;
}

static void begin_thinking(struct thinking *thinking, struct play *play, const char *what)
{
    *thinking = (struct thinking){.what = what, .start_ns = willow_clock_ns()};
    (void)fflush(stdout);
    watch_interrupt(play, &thinking->former);
    (void)pthread_mutex_init(&thinking->lock, NULL);
    (void)pthread_cond_init(&thinking->ended, NULL);
    /* Without a thread there is no line, and nothing else is missing. */
    thinking->ticking = prompt_is_terminal(play->prompt) && !play->screen.words &&
                        pthread_create(&thinking->thread, NULL, tick, thinking) == 0;
}

/* True when Ctrl-C was pressed, which is forgotten then. */
static bool end_thinking(struct thinking *thinking, struct play *play)
{
    if (thinking->ticking) {
        (void)pthread_mutex_lock(&thinking->lock);
        thinking->over = true;
        (void)pthread_cond_signal(&thinking->ended);
        (void)pthread_mutex_unlock(&thinking->lock);
        (void)pthread_join(thinking->thread, NULL);
    }
    (void)pthread_cond_destroy(&thinking->ended);
    (void)pthread_mutex_destroy(&thinking->lock);
    (void)sigaction(SIGINT, &thinking->former, NULL);
    const bool stopped = willow_stop_get(play->stop);
    willow_stop_set(play->stop, false);
    return stopped;
}

static void format_score(willow_score score, bool exact, char *buffer, size_t size)
{
    if (exact)
        snprintf(buffer, size, "%+d exact", (int)(score / WILLOW_SCORE_DISC));
    else
        snprintf(buffer, size, "%+.2f", (double)score / WILLOW_SCORE_DISC);
}

/* How far the search went, and how sure it is: ", depth 14 at 73%", ", 73% to the end"; nothing for an exact score. */
static const char *format_depth(const struct willow_result *result, int empties, char *buffer, size_t size)
{
    if (result->exact)
        return "";
    if (result->selectivity == WILLOW_NOT_SELECTIVE)
        snprintf(buffer, size, ", depth %d", result->depth);
    else if (result->depth == empties)
        snprintf(buffer, size, ", %d%% to the end", result->selectivity);
    else
        snprintf(buffer, size, ", depth %d at %d%%", result->depth, result->selectivity);
    return buffer;
}

/* "950", "12k", "3.4M": a line has room for little more. */
static const char *format_nodes(uint64_t nodes, char *buffer, size_t size)
{
    if (nodes < 10000)
        snprintf(buffer, size, "%" PRIu64, nodes);
    else if (nodes < 10000000)
        snprintf(buffer, size, "%" PRIu64 "k", nodes / 1000);
    else
        snprintf(buffer, size, "%" PRIu64 "M", nodes / 1000000);
    return buffer;
}

static int empties_now(const struct play *play)
{
    return willow_board_empties(play->game.ruleset, willow_game_board(&play->game));
}

/* How the side's engine chooses now: never without any limit, and with a flag for Ctrl-C. */
static struct willow_choice choice_now(const struct play *play, enum willow_side side)
{
    struct willow_choice choice = play->sides[side].choice;
    const bool limited = choice.limits.depth > 0 || choice.limits.time_ms > 0 || play->sides[side].clocked;
    if (choice.level == 0 && !limited)
        choice.level = play->default_level;
    choice.limits.stop = play->stop;
    return choice;
}

int play_hint_level(const struct play *play, enum willow_side side)
{
    const struct play_side *own = &play->sides[side];
    const int level = own->choice.level;
    return own->human && level > 0 && level < play->default_level ? play->default_level : level;
}

/* How the side to move would look at its position to advise a user. */
static struct willow_choice adviser_now(const struct play *play)
{
    struct willow_choice choice = choice_now(play, play->game.side);
    const int level = play_hint_level(play, play->game.side);
    choice.level = level > 0 ? level : choice.level;
    choice.loss_discs = 0;
    return choice;
}

/* The clock of the side to move; null without one. */
static const struct willow_timer *timer_now(const struct play *play, struct willow_timer *timer)
{
    const struct play_side *own = &play->sides[play->game.side];
    *timer = play_running_timer(own, play->turn_ns);
    return own->clocked ? timer : NULL;
}

/* Tells the move of an engine in at most 80 columns. */
static void tell_move(const struct play *play, const struct willow_result *result, bool stopped)
{
    char move[WILLOW_SQUARE_TEXT], score[32], depth[32], nodes[24], squares[PLAY_SQUARES_TEXT] = "";
    const enum willow_side side = play->game.side;
    if (play->screen.words)
        play_list_squares(willow_board_flips(willow_game_board(&play->game), result->move), squares, sizeof squares);
    format_score(result->score, result->exact, score, sizeof score);
    printf("Willow (%s) plays %s%s%s: score %s%s", play_side_name(side), willow_square_format(result->move, move),
           squares[0] ? ", turning " : "", squares, score,
           format_depth(result, empties_now(play), depth, sizeof depth));
    if (!play->screen.words && !stopped)
        printf(", %s nodes", format_nodes(result->nodes, nodes, sizeof nodes));
    printf(", %.2f s%s", (double)result->time_ns * 1e-9, stopped ? ", stopped" : "");
}

void play_engine_move(struct play *play)
{
    const enum willow_side side = play->game.side;
    struct play_side *own = &play->sides[side];
    char what[64];
    snprintf(what, sizeof what, "Willow (%s) is thinking", play_side_name(side));
    const struct willow_choice choice = choice_now(play, side);
    struct thinking thinking;
    struct willow_result result;
    struct willow_timer timer;
    begin_thinking(&thinking, play, what);
    willow_choice_run(&choice, own->search, play->game.ruleset, willow_game_board(&play->game), play->game.length,
                      timer_now(play, &timer), &result);
    /* A human that leaves the move to the engine has used time, too. */
    const uint64_t elapsed_ns = play->turn_ns + (willow_clock_ns() - thinking.start_ns);
    const bool stopped = end_thinking(&thinking, play);

    /* Where nobody is at the board, Ctrl-C can only mean that the user wants something: the move is thought about anew
     * when the game goes on, for a worse one would spoil it. Without a prompt it means the end. */
    if (stopped && play_nobody(play)) {
        const bool asked = play->paused;
        play->paused = prompt_is_terminal(play->prompt);
        play->quit = !play->paused;
        if (play->paused && !asked)
            return;
    }
    if (own->clocked && !willow_timer_spend(&own->timer, elapsed_ns)) {
        play->ending = PLAY_OUT_OF_TIME;
        play->ended = false;
        return;
    }
    tell_move(play, &result, stopped);
    if (own->clocked && !prompt_is_terminal(play->prompt))
        printf(", %.2f s left", (double)willow_timer_left_ns(&own->timer) * 1e-9);
    printf("\n");
    const struct willow_ggf_move note = {.has_score = true,
                                         .has_time = true,
                                         .score_discs = (double)result.score / WILLOW_SCORE_DISC,
                                         .seconds = (double)elapsed_ns * 1e-9};
    if (play_move(play, result.move, &note, NULL) != WILLOW_OK)
        play->quit = true;
}

void play_hint(struct play *play, int count)
{
    enum { COLUMNS = 4 };
    struct willow_scored_move moves[WILLOW_SQUARES];
    struct willow_result reached;
    const enum willow_side side = play->game.side;
    /* On a clock a hint takes as long as a move would, and costs nothing. */
    struct willow_timer timer;
    const struct willow_choice choice = adviser_now(play);
    const struct willow_limits limits = willow_choice_limits(&choice, empties_now(play), timer_now(play, &timer));
    struct thinking thinking;
    begin_thinking(&thinking, play, "Looking at every move");
    const int found =
        willow_search_moves_reached(play->sides[side].search, willow_game_board(&play->game), &limits, moves, &reached);
    (void)end_thinking(&thinking, play);

    char text[40], depth[32];
    printf("Scores in discs for %s%s:\n", play_side_name(side),
           reached.exact ? ", exact" : format_depth(&reached, empties_now(play), depth, sizeof depth));
    /* In columns on a terminal, so that the board stays in sight. */
    const int columns = prompt_is_terminal(play->prompt) && !play->screen.words ? COLUMNS : 1;
    for (int i = 0; i < found && i < count; i++) {
        char move[WILLOW_SQUARE_TEXT], score[32];
        format_score(moves[i].score, moves[i].exact, score, sizeof score);
        snprintf(text, sizeof text, "  %s  %s", willow_square_format(moves[i].move, move), score);
        const bool last = i + 1 == found || i + 1 == count || i % columns + 1 == columns;
        printf("%-*s%s", last ? 0 : 18, text, last ? "\n" : "");
    }
}

void play_eval(struct play *play)
{
    enum { LINE_MOVES = 20 };
    const enum willow_side side = play->game.side;
    const struct willow_board board = willow_game_board(&play->game);
    const struct willow_choice choice = adviser_now(play);
    struct thinking thinking;
    struct willow_result result;
    struct willow_timer timer;
    begin_thinking(&thinking, play, "Looking at the position");
    willow_choice_run(&choice, play->sides[side].search, play->game.ruleset, board, play->game.length,
                      timer_now(play, &timer), &result);
    (void)end_thinking(&thinking, play);
    char score[32], depth[32], move[WILLOW_SQUARE_TEXT];
    format_score(result.score, result.exact, score, sizeof score);
    printf("Score for %s: %s%s (at a glance %+.2f).\n", play_side_name(side), score,
           format_depth(&result, empties_now(play), depth, sizeof depth),
           (double)willow_evaluate(play->sides[side].weights, board) / WILLOW_SCORE_DISC);
    printf("Expected:");
    for (int i = 0; i < result.pv_length && i < LINE_MOVES; i++)
        printf(" %s", willow_square_format(result.pv[i], move));
    printf("%s\n", result.pv_length > LINE_MOVES ? " ..." : "");
}
