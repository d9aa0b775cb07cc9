/* Draws the board on a terminal, or tells it in words. Does not know who plays or what may be typed.
 * Layer: engine/cli (program willow).
 */
#include <langinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <willow/notation.h>
#include <willow/ruleset.h>

#include "base/utf8.h"
#include "screen.h"

struct screen screen_detect(bool plain)
{
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    const bool terminal = isatty(STDOUT_FILENO) && term && term[0] && strcmp(term, "dumb") != 0;
    const bool colour = terminal && !plain && !(no_colour && no_colour[0]);
    const bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return (struct screen){
        .colour = colour,
        .deep = colour && (strstr(term, "256color") || strstr(term, "direct") || getenv("COLORTERM")),
        .unicode = colour && utf8,
        .utf8 = utf8,
        .words = plain,
    };
}

/* What the last move did, and what can be done next. */
struct marks {
    willow_bits black, white, legal, flipped;
    willow_square last; /* WILLOW_NO_SQUARE when there was none or it was a pass */
};

static struct marks find_marks(const struct willow_game *game)
{
    const struct willow_board board = willow_game_board(game);
    const bool black = game->side == WILLOW_BLACK;
    struct marks marks = {.black = black ? board.player : board.opponent,
                          .white = black ? board.opponent : board.player,
                          .legal = willow_board_moves(game->ruleset, board),
                          .last = WILLOW_NO_SQUARE};
    /* A pass changes nothing on the board: the move before it stays marked. */
    for (int i = game->length - 1; i >= 0; i--) {
        if (game->moves[i] == WILLOW_PASS)
            continue;
        marks.last = game->moves[i];
        marks.flipped = willow_board_flips(game->boards[i], game->moves[i]);
        break;
    }
    return marks;
}

enum { SQUARE_COLUMNS = 3 };

static void draw_plain(const struct marks *marks, willow_bits bit, bool last)
{
    const char disc = marks->black & bit ? 'X' : marks->white & bit ? 'O' : marks->legal & bit ? '*' : '.';
    if (last)
        printf("[%c]", disc);
    else if (marks->flipped & bit)
        printf("(%c)", disc);
    else
        printf(" %c ", disc);
}

static void draw_colour(const struct screen *screen, const struct marks *marks, willow_bits bit, bool last)
{
    /* Greens of the cloth: plain, turned by the last move, the last move. */
    const char *ground = screen->deep ? "48;5;28" : "42";
    if (last)
        ground = screen->deep ? "48;5;136" : "43";
    else if (marks->flipped & bit)
        ground = screen->deep ? "48;5;65" : "46";
    const char *ink = screen->deep ? "38;5;22" : "30", *text = " ";
    if (marks->black & bit) {
        ink = screen->deep ? "38;5;16" : "30";
        text = screen->unicode ? "●" : "X";
    } else if (marks->white & bit) {
        ink = screen->deep ? "38;5;231" : "97";
        text = screen->unicode ? "●" : "O";
    } else if (marks->legal & bit) {
        ink = screen->deep ? "38;5;157" : "33";
        text = screen->unicode ? "·" : "+";
    }
    printf("\033[%s;%sm %s \033[0m", ground, ink, text);
}

static void draw_hole(const struct screen *screen)
{
    if (screen->colour)
        printf("\033[%sm   \033[0m", screen->deep ? "48;5;240" : "100");
    else
        printf("###");
}

static void draw_row(const struct screen *screen, const struct willow_game *game, const struct marks *marks, int row)
{
    printf(" %2d ", row + 1);
    for (int column = 0; column < game->ruleset->width; column++) {
        const int square = WILLOW_SIDE * row + column;
        const willow_bits bit = WILLOW_BIT(square);
        if (!(game->ruleset->playable & bit))
            draw_hole(screen);
        else if (screen->colour)
            draw_colour(screen, marks, bit, marks->last == square);
        else
            draw_plain(marks, bit, marks->last == square);
    }
}

/* Formatting characters that would turn the direction of what follows. */
static bool turns_text(uint32_t point)
{
    return (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

void screen_print_name(const char *name, int columns, bool utf8)
{
    while (*name) {
        uint32_t point;
        const size_t length = utf8_read(name, &point);
        const int width = length > 0 ? wcwidth((wchar_t)point) : -1;
        const bool shown = width >= 0 && !turns_text(point) && (point < 128 || utf8);
        columns -= shown ? width : 1;
        if (columns < 0)
            break;
        if (shown)
            printf("%.*s", (int)length, name);
        else
            printf("?");
        name += length > 0 ? length : 1;
    }
}

static void draw_side(const struct screen *screen, const struct willow_game *game, const struct marks *marks,
                      enum willow_side side, const struct screen_side *shown)
{
    enum { CLOCK_COLUMNS = 8, NAME_COLUMNS = 22, USUAL_WIDTH = 8 };
    const int wide = game->ruleset->width > USUAL_WIDTH ? SQUARE_COLUMNS * (game->ruleset->width - USUAL_WIDTH) : 0;
    const bool black = side == WILLOW_BLACK;
    const int discs = willow_bits_count(black ? marks->black : marks->white);
    const bool to_move = game->side == side && !willow_game_over(game);
    const struct marks chip = {.black = black, .white = !black, .last = WILLOW_NO_SQUARE};
    printf("   %s ", to_move ? ">" : " ");
    if (screen->colour)
        draw_colour(screen, &chip, 1, false);
    else
        draw_plain(&chip, 1, false);
    printf(" %s %2d  ", black ? "Black" : "White", discs);
    int wider = 0;
    if (shown->clock[0])
        wider = printf("%-*s  ", CLOCK_COLUMNS, shown->clock) - CLOCK_COLUMNS - 2;
    screen_print_name(shown->name, NAME_COLUMNS - wide - (wider > 0 ? wider : 0), screen->utf8);
}

/* The last moves in lines with the number of the first, so that board and list stay within 80 columns. */
static void draw_moves(const struct willow_game *game, int line, int lines)
{
    const int moves_a_line = game->ruleset->height > 9 ? 10 : 13; /* of three or two characters */
    const int rows = (game->length + moves_a_line - 1) / moves_a_line;
    const int row = (rows > lines ? rows - lines : 0) + line;
    char text[WILLOW_SQUARE_TEXT];
    if (row < rows)
        printf("  %3d", row * moves_a_line + 1);
    for (int i = row * moves_a_line; i < game->length && i < (row + 1) * moves_a_line; i++)
        printf(" %s", willow_square_format(game->moves[i], text));
}

static void draw_to_move(const struct willow_game *game, const struct marks *marks)
{
    const int count = willow_bits_count(marks->legal);
    const char *side = game->side == WILLOW_BLACK ? "Black" : "White";
    if (willow_game_over(game))
        printf("     The game is over.");
    else if (count == 0)
        printf("     %s to move: no move", side);
    else if (willow_board_placing(game->ruleset, willow_game_board(game)))
        printf("     %s to place a disc: %d square%s", side, count, count == 1 ? "" : "s");
    else
        printf("     %s to move: %d move%s", side, count, count == 1 ? "" : "s");
}

/* The letters, and beside them what is played where it is not othello. */
static void draw_files(const struct willow_ruleset *ruleset)
{
    printf("    ");
    for (int column = 0; column < ruleset->width; column++)
        printf(" %c ", 'a' + column);
    if (ruleset != willow_ruleset_othello())
        printf("     %s%s", ruleset->name, ruleset->fewest_wins ? ": the fewest discs win" : "");
    printf("\n");
}

void screen_draw(const struct screen *screen, const struct willow_game *game, const struct screen_side sides[2])
{
    const struct marks marks = find_marks(game);
    const int height = game->ruleset->height;
    draw_files(game->ruleset);
    for (int row = 0; row < height; row++) {
        draw_row(screen, game, &marks, row);
        if (row == 0)
            draw_side(screen, game, &marks, WILLOW_BLACK, &sides[WILLOW_BLACK]);
        else if (row == 1)
            draw_side(screen, game, &marks, WILLOW_WHITE, &sides[WILLOW_WHITE]);
        else if (row == 2)
            draw_to_move(game, &marks);
        else if (game->length > 0)
            draw_moves(game, row - 3, height - 3);
        printf("\n");
    }
}

/* The colour of the disc on a square; null without one. */
static const char *disc_word(const struct marks *marks, int square)
{
    const willow_bits bit = WILLOW_BIT(square);
    return marks->black & bit ? "black" : marks->white & bit ? "white" : NULL;
}

/* Neighbours of one colour are read together: "c to e black". */
static void read_row(const struct marks *marks, int row, int width)
{
    bool any = false;
    printf("Row %d:", row + 1);
    for (int column = 0; column < width;) {
        const char *word = disc_word(marks, WILLOW_SIDE * row + column);
        int end = column + 1;
        while (end < width && word == disc_word(marks, WILLOW_SIDE * row + end))
            end++;
        if (word) {
            printf("%s %c", any ? "," : "", 'a' + column);
            if (end - column > 1)
                printf(" %s %c", end - column > 2 ? "to" : "and", 'a' + end - 1);
            printf(" %s", word);
            any = true;
        }
        column = end;
    }
    printf("%s.\n", any ? "" : " empty");
}

static void read_holes(const struct willow_ruleset *ruleset)
{
    char name[WILLOW_SQUARE_TEXT];
    for (int row = 0; row < ruleset->height; row++)
        for (int column = 0; column < ruleset->width; column++) {
            const int square = WILLOW_SIDE * row + column;
            if (!(ruleset->playable >> square & 1))
                printf("%s is a hole.\n", willow_square_format((willow_square)square, name));
        }
}

void screen_read(const struct willow_game *game)
{
    const struct marks marks = find_marks(game);
    for (int row = 0; row < game->ruleset->height; row++)
        read_row(&marks, row, game->ruleset->width);
    read_holes(game->ruleset);
    printf("Discs: black %d, white %d.\n", willow_bits_count(marks.black), willow_bits_count(marks.white));
}
