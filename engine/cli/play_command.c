/* The commands at the prompt of a game: which there are, what they say, and the short ones themselves.
 * Whatever is typed, the game goes on. Layer: engine/cli (program willow).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <willow/notation.h>

#include "engine_options.h"
#include "play.h"
#include "sheet.h"

enum { HINTS = 5 };

bool play_number(const char *text, long low, long high, int *value)
{
    char *end = NULL;
    const long parsed = strtol(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || parsed < low || parsed > high)
        return false;
    *value = (int)parsed;
    return true;
}

/* What a command that counts may be followed by: nothing, a number, "all". */
static bool parse_count(const char *command, const char *argument, int usual, int *count)
{
    *count = usual;
    if (!argument[0] || play_number(argument, 1, WILLOW_GAME_MAX, count))
        return true;
    *count = WILLOW_GAME_MAX;
    if (strcasecmp(argument, "all") == 0)
        return true;
    printf("'%s' takes how many, from 1, or 'all'.\n", command);
    return false;
}

static void print_refusal(const struct willow_error *error)
{
    printf("%c%s.\n", toupper((unsigned char)error->reason[0]), error->reason + 1);
}

static void do_move(struct play *play, willow_square move)
{
    struct willow_error error;
    char squares[PLAY_SQUARES_TEXT] = "", name[WILLOW_SQUARE_TEXT];
    const enum willow_side side = play->game.side;
    const struct willow_board board = willow_game_board(&play->game);
    const struct willow_ggf_move note = {.has_time = true, .seconds = (double)play->turn_ns * 1e-9};
    if (play_over(play)) {
        printf("The game is over; 'undo', 'new' or 'quit'.\n");
        return;
    }
    struct play_side *own = &play->sides[side];
    const struct willow_timer before = own->timer;
    /* The flag was looked at when the line came in. */
    if (own->clocked)
        (void)willow_timer_spend(&own->timer, play->turn_ns);
    if (play_move(play, move, &note, &error) != WILLOW_OK) {
        own->timer = before;
        print_refusal(&error);
    } else if (play->screen.words) {
        play_list_squares(willow_board_flips(board, move), squares, sizeof squares);
        printf("%s plays %s%s%s.\n", play_side_name(side), willow_square_format(move, name),
               squares[0] ? ", turning " : "", squares);
    }
}

/* Several moves at once, both sides'; the clocks do not run for them. */
static void do_play(struct play *play, const char *argument)
{
    struct willow_game game = play->game;
    struct willow_error error;
    char text[1024];
    if (play_over(play) || !argument[0]) {
        printf(argument[0] ? "The game is over; 'undo', 'new' or 'quit'.\n" : "'play' takes moves, as f5d6c3.\n");
        return;
    }
    const enum willow_status status = willow_transcript_parse(&game, argument, &error);
    for (int at = play->game.length; at < game.length; at++)
        if (play_move(play, game.moves[at], NULL, NULL) != WILLOW_OK)
            break;
    if (status != WILLOW_OK)
        printf("%s.\n", willow_error_text(&error, text, sizeof text));
}

/* Back to the last position in which a human could choose. */
static bool undo_turn(struct play *play)
{
    if (play->ending != PLAY_ON) {
        play->ending = PLAY_ON;
        play->turn_ns = 0;
        for (int side = 0; side < 2; side++)
            play->sides[side].timer = play->timers[play->game.length][side];
        play->changed = true;
        play->ended = false;
        return true;
    }
    int steps = 0;
    bool choice = false;
    while (!choice && play_back(play)) {
        steps++;
        choice = play_is_choice(play);
    }
    /* Nothing but the engine's moves and passes: there they stay. */
    for (; !choice && steps > 0; steps--)
        (void)play_forward(play);
    return choice;
}

/* What a listener cannot see: the moves from one place of the line to another. */
static void tell_moves(const struct play *play, const char *what, int from, int to)
{
    enum { LISTED = 10 };
    char name[WILLOW_SQUARE_TEXT];
    if (!play->screen.words || from == to)
        return;
    if (to - from > LISTED) {
        printf("%s: %d moves from %s on.\n", what, to - from, willow_square_format(play->line.moves[from], name));
        return;
    }
    printf("%s:", what);
    for (int i = from; i < to; i++)
        printf(" %s", willow_square_format(play->line.moves[i], name));
    printf(".\n");
}

static void do_undo(struct play *play, const char *argument)
{
    int count, done = 0;
    const int from = play->game.length;
    if (!parse_count("undo", argument, 1, &count))
        return;
    const bool changed = play->changed, ended = play->ended;
    const uint64_t turn_ns = play->turn_ns;
    while (done < count && undo_turn(play))
        done++;
    if (done > 0) {
        tell_moves(play, "Taken back", play->game.length, from);
        return;
    }
    play->changed = changed;
    play->ended = ended;
    play->turn_ns = turn_ns;
    printf("Cannot undo: there is no earlier turn of yours.\n");
}

/* Forward to the next position in which a human can choose, or to the end of what was taken back. */
static void do_redo(struct play *play, const char *argument)
{
    int count, done = 0;
    const int from = play->game.length;
    if (!parse_count("redo", argument, 1, &count))
        return;
    if (play->ending != PLAY_ON) {
        printf("The game is over; 'undo', 'new' or 'quit'.\n");
        return;
    }
    for (; done < count && play_forward(play); done++)
        while (!play_is_choice(play) && play_forward(play))
            continue;
    if (done == 0)
        printf("Cannot redo: nothing was taken back.\n");
    else
        tell_moves(play, "Played again", from, play->game.length);
}

static void do_hint(struct play *play, const char *argument)
{
    int count;
    if (!parse_count("hint", argument, HINTS, &count))
        return;
    if (play_over(play))
        printf("The game is over.\n");
    else
        play_hint(play, count);
}

static void do_eval(struct play *play, const char *argument)
{
    (void)argument;
    if (play_over(play))
        printf("The game is over.\n");
    else
        play_eval(play);
}

static void do_legal(struct play *play, const char *argument)
{
    char squares[PLAY_SQUARES_TEXT];
    const struct willow_game *game = &play->game;
    (void)argument;
    if (play_over(play)) {
        printf("The game is over.\n");
        return;
    }
    play_list_squares(willow_board_moves(game->ruleset, willow_game_board(game)), squares, sizeof squares);
    printf("%s can play %s.\n", play_side_name(game->side), squares);
}

static void forget(struct play *play)
{
    for (int side = 0; side < 2; side++)
        willow_search_clear(play->sides[side].search);
}

/* The usual start, whatever was set up or loaded before. */
static void do_new(struct play *play, const char *argument)
{
    struct willow_game game;
    (void)argument;
    willow_game_init(&game, play->game.ruleset);
    play->sides[WILLOW_BLACK].name[0] = play->sides[WILLOW_WHITE].name[0] = '\0';
    forget(play);
    play_begin(play, &game);
}

/* The start of this game, which may have been set up or loaded. */
static void do_restart(struct play *play, const char *argument)
{
    struct willow_game game = play->game;
    (void)argument;
    while (willow_game_undo(&game))
        continue;
    forget(play);
    play_begin(play, &game);
}

static void do_go(struct play *play, const char *argument)
{
    (void)argument;
    if (play_over(play))
        printf("The game is over.\n");
    else
        play_engine_move(play);
}

static void do_continue(struct play *play, const char *argument)
{
    (void)argument;
    if (!play->paused)
        printf("The game is not paused.\n");
    play->paused = false;
}

static void do_moves(struct play *play, const char *argument)
{
    (void)argument;
    char text[WILLOW_TRANSCRIPT_TEXT];
    willow_transcript_format(&play->game, text);
    printf("%s\n", text[0] ? text : "No move has been played.");
}

static void do_sheet(struct play *play, const char *argument)
{
    (void)argument;
    sheet_print(stdout, &play->game);
    if (play->ending != PLAY_ON)
        play_tell_result(play);
}

static void do_resign(struct play *play, const char *argument)
{
    (void)argument;
    if (play_over(play)) {
        printf("The game is over.\n");
        return;
    }
    play->ending = PLAY_RESIGNED;
    play->ended = false;
}

static void do_board(struct play *play, const char *argument)
{
    if (argument[0])
        play_set_board(play, argument);
    else if (play->screen.words)
        screen_read(&play->game);
    else
        play->changed = true;
}

static void do_setup(struct play *play, const char *argument)
{
    (void)argument;
    play_setup_open(play);
}

static void do_black(struct play *play, const char *argument)
{
    play_set_side(play, WILLOW_BLACK, argument);
}

static void do_white(struct play *play, const char *argument)
{
    play_set_side(play, WILLOW_WHITE, argument);
}

static void do_levels(struct play *play, const char *argument)
{
    (void)play;
    (void)argument;
    engine_options_print_levels();
}

static void do_swap(struct play *play, const char *argument)
{
    (void)argument;
    play_swap(play);
}

static void do_settings(struct play *play, const char *argument)
{
    (void)argument;
    play_show_settings(play);
}

static void do_quit(struct play *play, const char *argument)
{
    (void)argument;
    play->quit = true;
}

static void do_help(struct play *play, const char *argument);

/* In the order of `help`, which fits a screen of 24 lines; usage null = named in the line before. */
static const struct command {
    const char *name, *usage, *summary;
    bool takes_argument;
    void (*run)(struct play *play, const char *argument);
} commands[] = {
    {"play", "f5, play f5d6c3", "place a disc; play several moves, for both sides", true, do_play},
    {"undo", "undo [N], redo [N]", "to your turn before; forward again; N or 'all' turns", true, do_undo},
    {"redo", NULL, NULL, true, do_redo},
    {"hint", "hint [N], hint all", "the best moves with their scores in discs", true, do_hint},
    {"eval", "eval, legal", "the score and the expected line; what can be played", false, do_eval},
    {"legal", NULL, NULL, false, do_legal},
    {"moves", "moves, sheet", "the game so far: a transcript; a tournament sheet", false, do_moves},
    {"sheet", NULL, NULL, false, do_sheet},
    {"board", "board, board TEXT", "show it again; play from this one, in any notation", true, do_board},
    {"setup", "setup", "set up a position disc by disc", false, do_setup},
    {"new", "new, restart", "a game from the usual start; this one from its own", false, do_new},
    {"restart", NULL, NULL, false, do_restart},
    {"go", "go, swap", "let Willow move for the side to move; change sides", false, do_go},
    {"swap", NULL, NULL, false, do_swap},
    {"black", "black human", "who plays; also 'white engine', 'black level 5' ...", true, do_black},
    {"white", NULL, NULL, true, do_white},
    {"level", "level N, levels", "how well Willow plays, 1 to 30; what the levels mean", true, play_set_level},
    {"levels", NULL, NULL, false, do_levels},
    {"time", "time S, loss D", "its seconds a move; discs it may give away (weaker)", true, play_set_time},
    {"loss", NULL, NULL, true, play_set_loss},
    {"clock", "clock 5:00+3", "clocks for the game; 'clock off'; 'clock' shows them", true, play_set_clock},
    {"threads", "threads N, settings", "how many search together; how all is set", true, play_set_threads},
    {"settings", NULL, NULL, false, do_settings},
    {"save", "save FILE", "write the game: .ggf, .sgf, any other name a transcript", true, play_save},
    {"load", "load FILE [N]", "read a game or position, the Nth of its file", true, play_load},
    {"continue", "continue", "go on with a watched game that Ctrl-C paused", false, do_continue},
    {"resign", "resign, quit", "give the game up; leave (so does Ctrl-D)", false, do_resign},
    {"quit", NULL, NULL, false, do_quit},
    {"help", NULL, NULL, false, do_help},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void do_help(struct play *play, const char *argument)
{
    (void)play;
    (void)argument;
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].usage)
            printf("  %-19s  %s\n", commands[i].usage, commands[i].summary);
    printf("Ctrl-C stops Willow's thinking: it plays the best move that it has found.\n");
}

const char *play_example(const struct play *play, char *buffer)
{
    const struct willow_ruleset *ruleset = play->game.ruleset;
    const willow_square usual = willow_square_parse("f5");
    const willow_bits moves = play_over(play) ? 0 : willow_board_moves(ruleset, willow_game_board(&play->game));
    /* Where nothing can be played, a square that there is. */
    const willow_bits choice = moves ? moves : ruleset->playable;
    return willow_square_format(choice >> usual & 1 ? usual : (willow_square)willow_bits_first(choice), buffer);
}

const char *play_completion(void *context, const char *before, int index, char *buffer)
{
    const struct play *play = context;
    static const char *const of_side[] = {"human", "engine", "level", "time", "loss", "clock", NULL};
    if (strcmp(before, "black") == 0 || strcmp(before, "white") == 0)
        return of_side[index];
    if (strcmp(before, "hint") == 0 || strcmp(before, "undo") == 0 || strcmp(before, "redo") == 0)
        return index == 0 ? "all" : NULL;
    if (strcmp(before, "save") == 0 || strcmp(before, "load") == 0)
        return PROMPT_FILES;
    if (before[0])
        return NULL;
    if (index < COMMANDS)
        return commands[index].name;
    /* Then the moves. */
    willow_bits moves = play_over(play) ? 0 : willow_board_moves(play->game.ruleset, willow_game_board(&play->game));
    for (index -= COMMANDS; moves && index > 0; index--)
        moves &= moves - 1;
    return moves ? willow_square_format((willow_square)willow_bits_first(moves), buffer) : NULL;
}

void play_command(struct play *play, const char *line)
{
    char word[16] = "";
    const char *at = line + strspn(line, " \t");
    const size_t length = strcspn(at, " \t");
    for (size_t i = 0; i < length && i < sizeof word - 1; i++)
        word[i] = (char)tolower((unsigned char)at[i]);
    const char *rest = at + length + strspn(at + length, " \t");
    /* The argument without blanks at its end; file names may hold blanks. */
    char argument[512];
    size_t kept = strlen(rest);
    while (kept > 0 && (rest[kept - 1] == ' ' || rest[kept - 1] == '\t'))
        kept--;
    if (kept >= sizeof argument) {
        printf("That line is too long.\n");
        return;
    }
    memcpy(argument, rest, kept);
    argument[kept] = '\0';

    if (length == 0)
        return;
    const willow_square move = length < sizeof word ? willow_square_parse(word) : WILLOW_NO_SQUARE;
    if (move != WILLOW_NO_SQUARE && !argument[0]) {
        do_move(play, move);
        return;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (length >= sizeof word || strcmp(word, commands[i].name) != 0)
            continue;
        if (argument[0] && !commands[i].takes_argument)
            printf("'%s' takes nothing after it.\n", word);
        else
            commands[i].run(play, argument);
        return;
    }
    char example[WILLOW_SQUARE_TEXT];
    printf("Not understood. Type a move such as %s, or 'help'.\n", play_example(play, example));
}
