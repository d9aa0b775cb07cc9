/* The course of a game at the terminal: turns, passes, clocks, what is taken back, the result.
 * Does not parse what the user types. Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/notation.h>

#include "play.h"
#include "sheet.h"
#include "verb.h"

const char *play_side_name(enum willow_side side)
{
    return side == WILLOW_BLACK ? "Black" : "White";
}

enum willow_side play_other(enum willow_side side)
{
    return side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
}

bool play_over(const struct play *play)
{
    return play->ending != PLAY_ON || willow_game_over(&play->game);
}

bool play_nobody(const struct play *play)
{
    return !play->sides[WILLOW_BLACK].human && !play->sides[WILLOW_WHITE].human;
}

bool play_is_choice(const struct play *play)
{
    const struct willow_game *game = &play->game;
    return willow_board_moves(game->ruleset, willow_game_board(game)) != 0 &&
           (play->sides[game->side].human || play_nobody(play));
}

/* The position is another one: nothing of the former turn counts any more. */
static void begin_turn(struct play *play)
{
    play->ending = PLAY_ON;
    play->turn_ns = 0;
    play->changed = true;
    play->ended = false;
}

static void keep_clocks(struct play *play)
{
    for (int side = 0; side < 2; side++)
        play->timers[play->game.length][side] = play->sides[side].timer;
}

static void set_clocks(struct play *play)
{
    for (int side = 0; side < 2; side++)
        play->sides[side].timer = play->timers[play->game.length][side];
}

void play_begin(struct play *play, const struct willow_game *game)
{
    play->game = play->line = *game;
    memset(play->notes, 0, sizeof play->notes);
    for (int side = 0; side < 2; side++) {
        struct play_side *own = &play->sides[side];
        const struct willow_time_control control = own->timer.control;
        if (own->clocked)
            willow_timer_start(&own->timer, &control);
        /* Whatever is taken back, nobody had used any time there. */
        for (int at = 0; at <= game->length; at++)
            play->timers[at][side] = own->timer;
    }
    begin_turn(play);
}

enum willow_status play_move(struct play *play, willow_square move, const struct willow_ggf_move *note,
                             struct willow_error *error)
{
    const enum willow_status status = willow_game_play(&play->game, move, error);
    if (status != WILLOW_OK)
        return status;
    const int at = play->game.length - 1;
    if (play->line.length <= at || play->line.moves[at] != move)
        play->line = play->game;
    play->notes[at] = note ? *note : (struct willow_ggf_move){.has_score = false};
    keep_clocks(play);
    begin_turn(play);
    return WILLOW_OK;
}

bool play_back(struct play *play)
{
    if (!willow_game_undo(&play->game))
        return false;
    set_clocks(play);
    begin_turn(play);
    return true;
}

bool play_forward(struct play *play)
{
    const int at = play->game.length;
    if (at >= play->line.length || willow_game_play(&play->game, play->line.moves[at], NULL) != WILLOW_OK)
        return false;
    set_clocks(play);
    begin_turn(play);
    return true;
}

struct willow_timer play_running_timer(const struct play_side *side, uint64_t spent_ns)
{
    struct willow_timer timer = side->timer;
    if (timer.fallen)
        return timer;
    /* Main time may end within the turn; byo-yomi follows. */
    if (spent_ns > timer.left_ns && timer.moves == 0 && timer.control.period_ms > 0) {
        spent_ns -= timer.left_ns;
        timer.left_ns = timer.control.period_ms * UINT64_C(1000000);
        timer.moves = timer.control.period_moves;
    }
    timer.left_ns = timer.left_ns > spent_ns ? timer.left_ns - spent_ns : 0;
    return timer;
}

char *play_clock_text(const struct play_side *side, uint64_t spent_ns, char *buffer)
{
    buffer[0] = '\0';
    if (!side->clocked)
        return buffer;
    const struct willow_timer timer = play_running_timer(side, spent_ns);
    const unsigned tenths = (unsigned)(timer.left_ns / 100000000), seconds = tenths / 10;
    if (seconds < 20)
        snprintf(buffer, PLAY_CLOCK_TEXT, "0:%02u.%u", seconds, tenths % 10);
    else if (seconds < 3600)
        snprintf(buffer, PLAY_CLOCK_TEXT, "%u:%02u", seconds / 60, seconds % 60);
    else
        snprintf(buffer, PLAY_CLOCK_TEXT, "%u:%02u:%02u", seconds / 3600, seconds / 60 % 60, seconds % 60);
    const size_t used = strlen(buffer);
    if (timer.moves > 0)
        snprintf(buffer + used, PLAY_CLOCK_TEXT - used, "/%d", timer.moves);
    return buffer;
}

void play_list_squares(willow_bits squares, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (; squares && used < size; squares &= squares - 1) {
        char name[WILLOW_SQUARE_TEXT];
        const bool first = used == 0, last = (squares & (squares - 1)) == 0;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                 first  ? ""
                                 : last ? " and "
                                        : ", ",
                                 willow_square_format((willow_square)willow_bits_first(squares), name));
    }
}

/* "you", "Willow", or the name of a loaded game with who plays it now. */
static void format_player(const struct play_side *side, char *buffer, size_t size)
{
    const char *role = side->human ? "you" : "Willow";
    if (side->name[0])
        snprintf(buffer, size, "%s (%s)", side->name, role);
    else
        snprintf(buffer, size, "%s", role);
}

static void draw(struct play *play)
{
    char names[2][96], clocks[2][PLAY_CLOCK_TEXT];
    struct screen_side sides[2];
    for (int side = 0; side < 2; side++) {
        format_player(&play->sides[side], names[side], sizeof names[side]);
        const uint64_t spent = (int)play->game.side == side ? play->turn_ns : 0;
        sides[side] = (struct screen_side){names[side], play_clock_text(&play->sides[side], spent, clocks[side])};
    }
    screen_draw(&play->screen, &play->game, sides);
    play->changed = false;
}

/* What a screen reader says in place of a board that is drawn. */
static void announce_turn(struct play *play)
{
    const struct willow_game *game = &play->game;
    play->changed = false;
    if (play_over(play))
        return;
    const int count = willow_bits_count(willow_board_moves(game->ruleset, willow_game_board(game)));
    char clock[PLAY_CLOCK_TEXT];
    if (willow_board_placing(game->ruleset, willow_game_board(game)))
        printf("%s to place a disc: %d square%s.", play_side_name(game->side), count, count == 1 ? "" : "s");
    else
        printf("%s to move: %d move%s.", play_side_name(game->side), count, count == 1 ? "" : "s");
    for (int side = 0; side < 2; side++) {
        const uint64_t spent = (int)game->side == side ? play->turn_ns : 0;
        if (play_clock_text(&play->sides[side], spent, clock)[0])
            printf(" %s's clock %s.", play_side_name((enum willow_side)side), clock);
    }
    printf("\n");
}

static void show(struct play *play)
{
    if (!play->changed)
        return;
    if (play->screen.words)
        announce_turn(play);
    else
        draw(play);
}

void play_tell_ruleset(const struct willow_ruleset *ruleset)
{
    char rules[OPTION_RULES_TEXT];
    option_rules_text(ruleset, rules);
    printf("Ruleset %s%s%s.\n", ruleset->name, rules[0] ? ": " : "", rules);
}

void play_tell_result(const struct play *play)
{
    const char *loser = play_side_name(play->game.side), *winner = play_side_name(play_other(play->game.side));
    switch (play->ending) {
    case PLAY_RESIGNED:
        printf("Game over. %s resigns. %s wins.\n", loser, winner);
        break;
    case PLAY_OUT_OF_TIME:
        printf("Game over. %s is out of time. %s wins %d-0, whatever the board says.\n", loser, winner,
               willow_ruleset_squares(play->game.ruleset));
        break;
    case PLAY_ON:
        sheet_print_result(stdout, &play->game);
        break;
    }
}

/* Charges the human to move for the time at the prompt; the flag may fall. */
static void charge(struct play *play, uint64_t elapsed_ns)
{
    const struct play_side *side = &play->sides[play->game.side];
    play->turn_ns += elapsed_ns;
    if (side->clocked && play->turn_ns > willow_timer_left_ns(&side->timer)) {
        play->ending = PLAY_OUT_OF_TIME;
        play->ended = false;
    }
}

bool play_read(struct play *play, const char *text, bool charged, const char **line)
{
    *line = "";
    (void)fflush(stdout);
    const uint64_t start_ns = willow_clock_ns();
    const enum prompt_answer answer = prompt_read(play->prompt, text, line);
    /* Whatever was meant to stop is over. */
    willow_stop_set(play->stop, false);
    if (charged)
        charge(play, willow_clock_ns() - start_ns);
    if (answer == PROMPT_CANCELLED)
        printf("Ctrl-C once more to quit.\n");
    else if (answer == PROMPT_END)
        play->quit = true;
    return answer == PROMPT_LINE;
}

/* Reads and does one command. */
static void ask(struct play *play)
{
    char text[80], own[PLAY_CLOCK_TEXT], other[PLAY_CLOCK_TEXT];
    const enum willow_side side = play->game.side;
    const bool over = play_over(play), timed = !over && !play->paused;
    play_clock_text(&play->sides[side], play->turn_ns, own);
    play_clock_text(&play->sides[play_other(side)], 0, other);
    if (over)
        snprintf(text, sizeof text, "game over> ");
    else if (play->paused)
        snprintf(text, sizeof text, "%s, paused> ", play_side_name(side));
    else if (own[0] && other[0])
        snprintf(text, sizeof text, "%s %s (%s %s)> ", play_side_name(side), own, play_side_name(play_other(side)),
                 other);
    else
        snprintf(text, sizeof text, "%s%s%s> ", play_side_name(side), own[0] ? " " : "", own);
    const char *line;
    if (!play_read(play, text, timed, &line))
        return;
    if (timed && play->ending == PLAY_OUT_OF_TIME) {
        /* The result comes first; what was typed may have been a move of a game that is over. */
        play_tell_result(play);
        play->ended = true;
    }
    play_command(play, line);
}

static void pass(struct play *play)
{
    printf("%s has no move and passes.\n", play_side_name(play->game.side));
    /* It is legal: there is no move, and the game is not over. */
    if (play_move(play, WILLOW_PASS, NULL, NULL) != WILLOW_OK)
        play->quit = true;
}

/* One step: a result told, a pass, an engine's move or a command. */
static void step(struct play *play)
{
    const struct willow_game *game = &play->game;
    const bool terminal = prompt_is_terminal(play->prompt), nobody = play_nobody(play);
    play->paused = play->paused && nobody;
    if (play->setup.open) {
        play_setup_step(play);
    } else if (play_over(play)) {
        /* A board that is drawn once more does not say who has resigned. */
        play->ended = play->ended && !play->changed;
        show(play);
        if (!play->ended)
            play_tell_result(play);
        play->ended = true;
        /* A watched game can still be saved by who watches it. */
        if (nobody && !terminal)
            play->quit = true;
        else
            ask(play);
    } else if (willow_board_moves(game->ruleset, willow_game_board(game)) == 0) {
        pass(play);
    } else if (play->sides[game->side].human || play->paused) {
        show(play);
        ask(play);
    } else {
        /* A watched game shows every position; into a file, the moves are enough. */
        if (nobody && terminal)
            show(play);
        play_engine_move(play);
    }
}

void play_run(struct play *play)
{
    /* At a terminal a second Ctrl-C, or one that comes early, must not end the game; elsewhere it ends the program. */
    const bool terminal = prompt_is_terminal(play->prompt);
    if (terminal)
        play_watch_interrupt(play);
    play->changed = true;
    while (!play->quit) {
        step(play);
        /* Nobody can see the game any more; main reports it. */
        if (fflush(stdout) != 0 || ferror(stdout))
            play->quit = true;
    }
    if (terminal)
        play_unwatch_interrupt();
}
