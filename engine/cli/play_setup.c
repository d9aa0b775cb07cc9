/* Positions that the user sets up: a board as text, or disc by disc at a prompt of its own.
 * What is edited becomes a game only when the user says so. Layer: engine/cli (program willow).
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <willow/notation.h>

#include "play.h"

static void begin_at(struct play *play, struct willow_board board, enum willow_side side)
{
    struct willow_game game;
    struct willow_error error;
    char text[1024];
    if (willow_game_init_board(&game, play->game.ruleset, board, side, &error) != WILLOW_OK) {
        printf("%s.\n", willow_error_text(&error, text, sizeof text));
        return;
    }
    play->sides[WILLOW_BLACK].name[0] = play->sides[WILLOW_WHITE].name[0] = '\0';
    play_begin(play, &game);
}

void play_set_board(struct play *play, const char *text)
{
    struct willow_board board;
    enum willow_side side;
    struct willow_error error;
    char message[1024];
    if (willow_board_parse(play->game.ruleset, text, &board, &side, &error) != WILLOW_OK)
        printf("%s.\n", willow_error_text(&error, message, sizeof message));
    else
        begin_at(play, board, side);
}

static struct willow_board edited(const struct play *play)
{
    const enum willow_side turn = play->setup.turn;
    return (struct willow_board){.player = play->setup.discs[turn], .opponent = play->setup.discs[play_other(turn)]};
}

static void edit_from(struct play *play, struct willow_board board, enum willow_side side)
{
    play->setup.discs[side] = board.player;
    play->setup.discs[play_other(side)] = board.opponent;
    play->setup.turn = side;
}

static void show_edited(struct play *play)
{
    struct willow_game game;
    if (willow_game_init_board(&game, play->game.ruleset, edited(play), play->setup.turn, NULL) != WILLOW_OK)
        return;
    if (play->screen.words) {
        screen_read(&game);
        printf("%s to move.\n", play_side_name(play->setup.turn));
    } else {
        screen_draw(&play->screen, &game, (const struct screen_side[2]){{"", ""}, {"", ""}});
    }
}

static void show_help(void)
{
    printf("  black d3 e4     black discs on these squares; also: white d5, empty c3\n"
           "  clear, start    no discs at all; the usual start\n"
           "  board TEXT      a whole board, in any notation\n"
           "  turn white      who is to move\n"
           "  done, cancel    play from here; leave the game as it was\n");
}

void play_setup_open(struct play *play)
{
    edit_from(play, willow_game_board(&play->game), play->game.side);
    play->setup.open = true;
    printf("Setting up a position:\n");
    show_help();
    show_edited(play);
}

/* Squares with blanks or commas between them; nothing is changed when one is wrong. */
static bool parse_squares(const struct play *play, const char *text, willow_bits *squares)
{
    *squares = 0;
    for (;;) {
        enum { LONGEST = WILLOW_SQUARE_TEXT - 1 };
        char name[WILLOW_SQUARE_TEXT] = "";
        text += strspn(text, " \t,");
        if (!*text)
            break;
        const size_t length = strcspn(text, " \t,");
        memcpy(name, text, length < LONGEST ? length : LONGEST);
        const willow_square square = length <= LONGEST ? willow_square_parse(name) : WILLOW_NO_SQUARE;
        if (square >= WILLOW_PASS || !(play->game.ruleset->playable >> square & 1)) {
            printf("'%.*s' is no square.\n", (int)(length < 40 ? length : 40), text);
            return false;
        }
        *squares |= WILLOW_BIT(square);
        text += length;
    }
    if (*squares == 0)
        printf("Which squares? For example: d3 e4.\n");
    return *squares != 0;
}

/* side < 0 empties the squares. */
static void put(struct play *play, int side, const char *argument)
{
    willow_bits squares;
    if (!parse_squares(play, argument, &squares))
        return;
    play->setup.discs[WILLOW_BLACK] &= ~squares;
    play->setup.discs[WILLOW_WHITE] &= ~squares;
    if (side >= 0)
        play->setup.discs[side] |= squares;
    show_edited(play);
}

static void set_turn(struct play *play, const char *argument)
{
    if (strcasecmp(argument, "black") == 0)
        play->setup.turn = WILLOW_BLACK;
    else if (strcasecmp(argument, "white") == 0)
        play->setup.turn = WILLOW_WHITE;
    else
        printf("'turn' takes black or white.\n");
    show_edited(play);
}

static void set_text(struct play *play, const char *argument)
{
    struct willow_board board;
    enum willow_side side;
    struct willow_error error;
    char message[1024];
    if (willow_board_parse(play->game.ruleset, argument, &board, &side, &error) != WILLOW_OK) {
        printf("%s.\n", willow_error_text(&error, message, sizeof message));
    } else {
        edit_from(play, board, side);
        show_edited(play);
    }
}

static void leave(struct play *play, bool done)
{
    play->setup.open = false;
    play->changed = true;
    if (done)
        begin_at(play, edited(play), play->setup.turn);
}

static void edit(struct play *play, const char *line)
{
    char word[8] = "", argument[512];
    const char *at = line + strspn(line, " \t");
    const size_t length = strcspn(at, " \t");
    memcpy(word, at, length < sizeof word - 1 ? length : sizeof word - 1);
    at += length;
    at += strspn(at, " \t");
    snprintf(argument, sizeof argument, "%s", at);
    for (size_t end = strlen(argument); end > 0 && strchr(" \t", argument[end - 1]); end--)
        argument[end - 1] = '\0';
    if (length == 0)
        return;
    static const char *const alone[] = {"clear", "start", "done", "cancel", "quit", "help"};
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        if (argument[0] && strcasecmp(word, alone[i]) == 0) {
            printf("'%s' takes nothing after it.\n", alone[i]);
            return;
        }
    if (strcasecmp(word, "black") == 0) {
        put(play, WILLOW_BLACK, argument);
    } else if (strcasecmp(word, "white") == 0) {
        put(play, WILLOW_WHITE, argument);
    } else if (strcasecmp(word, "empty") == 0) {
        put(play, -1, argument);
    } else if (strcasecmp(word, "clear") == 0) {
        play->setup.discs[WILLOW_BLACK] = play->setup.discs[WILLOW_WHITE] = 0;
        show_edited(play);
    } else if (strcasecmp(word, "start") == 0) {
        edit_from(play, play->game.ruleset->start, WILLOW_BLACK);
        show_edited(play);
    } else if (strcasecmp(word, "board") == 0 && argument[0]) {
        set_text(play, argument);
    } else if (strcasecmp(word, "board") == 0) {
        show_edited(play);
    } else if (strcasecmp(word, "turn") == 0) {
        set_turn(play, argument);
    } else if (strcasecmp(word, "done") == 0 || strcasecmp(word, "cancel") == 0) {
        leave(play, strcasecmp(word, "done") == 0);
    } else if (strcasecmp(word, "quit") == 0) {
        play->quit = true;
    } else {
        if (strcasecmp(word, "help") != 0)
            printf("Not understood. The game's commands come after 'done' or 'cancel'.\n");
        show_help();
    }
}

void play_setup_step(struct play *play)
{
    const char *line;
    if (play_read(play, "setup> ", false, &line))
        edit(play, line);
}
