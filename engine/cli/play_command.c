/* The commands at the prompt of a game: moves, undo, hint, saving and the rest.
 * Whatever is typed, the game goes on. Layer: engine/cli (program willow).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/notation.h>

#include "play.h"

enum { DEPTH_MAX = 60, HINTS = 5, GAME_FILE_BYTES_MAX = 1 << 16 };

static void set_changed(struct play *play)
{
    play->changed = true;
    play->ended = false;
}

static void print_error(const struct willow_error *error)
{
    char text[1024];
    printf("%s.\n", willow_error_text(error, text, sizeof text));
}

/* A whole number from low to high, and nothing else. */
static bool parse_number(const char *text, long low, long high, int *value)
{
    char *end = NULL;
    const long parsed = strtol(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || parsed < low || parsed > high)
        return false;
    *value = (int)parsed;
    return true;
}

static void do_move(struct play *play, willow_square move)
{
    struct willow_error error;
    if (play_over(play))
        printf("The game is over; 'undo', 'new' or 'quit'.\n");
    else if (willow_game_play(&play->game, move, &error) != WILLOW_OK)
        printf("%c%s.\n", toupper((unsigned char)error.reason[0]), error.reason + 1);
    else
        set_changed(play);
}

/* Back to the last position in which a human could choose. */
static void do_undo(struct play *play, const char *argument)
{
    (void)argument;
    if (play->resigned) {
        play->resigned = false;
        set_changed(play);
        return;
    }
    struct willow_game game = play->game;
    while (willow_game_undo(&game)) {
        const bool choice = willow_board_moves(game.ruleset, willow_game_board(&game)) != 0;
        if (!choice || !play->human[game.side])
            continue;
        play->game = game;
        set_changed(play);
        return;
    }
    printf("Nothing to take back.\n");
}

static void do_hint(struct play *play, const char *argument)
{
    int count = HINTS;
    if (argument[0] && !parse_number(argument, 1, 64, &count))
        printf("'hint' takes how many moves to show, 1 to 64.\n");
    else if (play_over(play))
        printf("The game is over.\n");
    else
        play_hint(play, count);
}

static void do_new(struct play *play, const char *argument)
{
    (void)argument;
    play->game = play->start;
    play->resigned = false;
    willow_search_clear(play->search[WILLOW_BLACK]);
    willow_search_clear(play->search[WILLOW_WHITE]);
    if (play->clocked)
        play_start_clocks(play, &play->clock[WILLOW_BLACK].control);
    set_changed(play);
}

static void do_go(struct play *play, const char *argument)
{
    (void)argument;
    if (play_over(play)) {
        printf("The game is over.\n");
        return;
    }
    play_engine_move(play);
    play->ended = false;
}

static void do_swap(struct play *play, const char *argument)
{
    (void)argument;
    const bool black = play->human[WILLOW_BLACK];
    play->human[WILLOW_BLACK] = play->human[WILLOW_WHITE];
    play->human[WILLOW_WHITE] = black;
    if (black == play->human[WILLOW_BLACK]) {
        printf("Both sides are yours; there is nothing to swap.\n");
        return;
    }
    printf("You play %s now.\n", black ? "White" : "Black");
    play->changed = true;
}

static void do_level(struct play *play, const char *argument)
{
    int depth;
    if (!parse_number(argument, 1, DEPTH_MAX, &depth)) {
        printf("'level' takes a depth in plies, 1 to %d.\n", DEPTH_MAX);
        return;
    }
    play->limits.depth = depth;
    printf("Willow looks %d plies ahead now.\n", depth);
}

static void do_moves(struct play *play, const char *argument)
{
    (void)argument;
    char text[2 * WILLOW_GAME_MAX + 1];
    willow_transcript_format(&play->game, text);
    printf("%s\n", text[0] ? text : "No move has been played.");
}

/* The first line may be a board; the rest is a transcript. */
static enum willow_status parse_game(const char *path, char *text, const struct play *play, struct willow_game *game,
                                     struct willow_error *error)
{
    willow_game_init(game, play->game.ruleset);
    char *end = strchr(text, '\n');
    if (end) {
        struct willow_board board;
        enum willow_side side;
        *end = '\0';
        if (end > text && end[-1] == '\r')
            end[-1] = '\0';
        const bool is_board = willow_board_parse(text, &board, &side, NULL) == WILLOW_OK;
        if (is_board) {
            const enum willow_status status = willow_game_init_board(game, play->game.ruleset, board, side, error);
            if (status != WILLOW_OK)
                return status;
            text = end + 1;
        } else {
            *end = '\n';
        }
    }
    const enum willow_status status = willow_transcript_parse(game, text, error);
    if (status != WILLOW_OK)
        snprintf(error->file, sizeof error->file, "%s", path);
    return status;
}

static enum willow_status read_game(const char *path, const struct play *play, struct willow_game *game,
                                    struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_file_read(path, GAME_FILE_BYTES_MAX, &data, &size, error);
    if (status == WILLOW_OK && strlen((char *)data) != size)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "a zero byte; this is not a transcript");
    if (status == WILLOW_OK)
        status = parse_game(path, (char *)data, play, game, error);
    free(data);
    return status;
}

static void do_save(struct play *play, const char *argument)
{
    if (!argument[0]) {
        printf("'save' takes a file name.\n");
        return;
    }
    const struct willow_ruleset *ruleset = play->game.ruleset;
    const struct willow_board start = play->game.boards[0];
    const bool usual = play->game.start_side == WILLOW_BLACK && start.player == ruleset->start.player &&
                       start.opponent == ruleset->start.opponent;
    /* A first line with the board where the game did not begin as usual; then the moves. */
    char board[80] = "", moves[2 * WILLOW_GAME_MAX + 1], text[sizeof board + sizeof moves + 4];
    if (!usual)
        willow_board_format(start, play->game.start_side, board);
    const int length =
        snprintf(text, sizeof text, "%s%s%s\n", board, usual ? "" : "\n", willow_transcript_format(&play->game, moves));
    struct willow_error error;
    struct willow_game replaced;
    if (willow_file_exists(argument) && read_game(argument, play, &replaced, &error) != WILLOW_OK)
        printf("%s exists and is no saved game; it is left alone.\n", argument);
    else if (willow_file_replace(argument, text, (size_t)length, &error) != WILLOW_OK)
        print_error(&error);
    else
        printf("Saved to %s.\n", argument);
}

static void do_load(struct play *play, const char *argument)
{
    if (!argument[0]) {
        printf("'load' takes a file name.\n");
        return;
    }
    struct willow_error error;
    struct willow_game game;
    if (read_game(argument, play, &game, &error) != WILLOW_OK) {
        print_error(&error);
        return;
    }
    play->game = game;
    play->resigned = false;
    set_changed(play);
}

static void do_resign(struct play *play, const char *argument)
{
    (void)argument;
    if (play_over(play)) {
        printf("The game is over.\n");
        return;
    }
    play->resigned = true;
    play->ended = false;
}

static void do_board(struct play *play, const char *argument)
{
    (void)argument;
    play->changed = true;
}

static void do_quit(struct play *play, const char *argument)
{
    (void)argument;
    play->quit = true;
}

static void do_help(struct play *play, const char *argument);

static const struct command {
    const char *name, *argument, *summary;
    void (*run)(struct play *play, const char *argument);
} commands[] = {
    {"undo", "", "back to your previous turn", do_undo},
    {"hint", " [N]", "the N best moves with scores in discs", do_hint},
    {"go", "", "let Willow move now for the side to move", do_go},
    {"swap", "", "change sides", do_swap},
    {"level", " D", "let Willow look D plies ahead", do_level},
    {"new", "", "start again", do_new},
    {"moves", "", "the game so far as a transcript", do_moves},
    {"board", "", "draw the board again", do_board},
    {"save", " FILE", "write the transcript", do_save},
    {"load", " FILE", "read a transcript", do_load},
    {"resign", "", "give the game up", do_resign},
    {"help", "", "this list", do_help},
    {"quit", "", "leave; so does the end of input", do_quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void do_help(struct play *play, const char *argument)
{
    (void)play;
    (void)argument;
    printf("  %-11s place a disc\n", "f5");
    for (int i = 0; i < COMMANDS; i++) {
        char usage[32];
        snprintf(usage, sizeof usage, "%s%s", commands[i].name, commands[i].argument);
        printf("  %-11s %s\n", usage, commands[i].summary);
    }
    printf("Ctrl-C stops Willow's thinking: it then plays the best move it has found.\n");
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
        if (argument[0] && !commands[i].argument[0])
            printf("'%s' takes nothing after it.\n", word);
        else
            commands[i].run(play, argument);
        return;
    }
    printf("Not understood. Type a move such as f5, or 'help'.\n");
}
