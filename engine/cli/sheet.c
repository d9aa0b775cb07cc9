/* The tournament sheet of a game as text. Knows no colours, scores or terminals.
 * Layer: engine/cli (program willow).
 */
#include "sheet.h"

#include <stdint.h>

enum { SHEET_COLUMNS = 76 };

static const char *side_name(enum willow_side side)
{
    return side == WILLOW_BLACK ? "Black" : "White";
}

static enum willow_side other_side(enum willow_side side)
{
    return side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
}

/* Passes are among the moves, so that the sides take turns. */
static enum willow_side side_of_move(const struct willow_game *game, int index)
{
    return index % 2 == 0 ? game->start_side : other_side(game->start_side);
}

void sheet_numbers(const struct willow_game *game, int numbers[WILLOW_SQUARES])
{
    int number = 0;
    for (int square = 0; square < WILLOW_SQUARES; square++)
        numbers[square] = 0;
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] != WILLOW_PASS)
            numbers[game->moves[i]] = ++number;
}

static void print_square(FILE *stream, const struct willow_game *game, const int numbers[WILLOW_SQUARES], int square)
{
    const willow_bits bit = WILLOW_BIT(square);
    const struct willow_board start = game->boards[0];
    const bool black_first = game->start_side == WILLOW_BLACK;
    if (numbers[square] > 0)
        (void)fprintf(stream, " %2d", numbers[square]);
    else if (start.player & bit)
        (void)fprintf(stream, "  %c", black_first ? 'X' : 'O');
    else if (start.opponent & bit)
        (void)fprintf(stream, "  %c", black_first ? 'O' : 'X');
    else
        (void)fprintf(stream, "%s", game->ruleset->playable & bit ? "  ." : " ##");
}

/* "Black passes before move 13, 16, 23." in lines of one width; a pass behind the last move has no move after it. */
static void print_passes(FILE *stream, const struct willow_game *game, enum willow_side side)
{
    int number = 1, column = 0;
    for (int i = 0; i < game->length; i++) {
        if (game->moves[i] != WILLOW_PASS) {
            number++;
            continue;
        }
        if (side_of_move(game, i) != side)
            continue;
        char piece[48];
        const bool last = i == game->length - 1;
        const int length =
            last ? snprintf(piece, sizeof piece, "after the last") : snprintf(piece, sizeof piece, "%d", number);
        if (column == 0)
            column = fprintf(stream, "%s passes%s %s", side_name(side), last ? "" : " before move", piece);
        else if (column + 2 + length > SHEET_COLUMNS)
            column = fprintf(stream, ",\n  %s", piece) - 2;
        else
            column += fprintf(stream, ", %s", piece);
    }
    if (column != 0)
        (void)fprintf(stream, "\n");
}

void sheet_print_result(FILE *stream, const struct willow_game *game)
{
    const struct willow_board board = willow_game_board(game);
    const bool black_view = game->side == WILLOW_BLACK;
    const int black = willow_bits_count(black_view ? board.player : board.opponent);
    const int white = willow_bits_count(black_view ? board.opponent : board.player);
    if (!willow_game_over(game)) {
        (void)fprintf(stream, "Discs: Black %d, White %d. %s to move.\n", black, white, side_name(game->side));
        return;
    }
    const int difference = willow_game_final_discs(game);
    (void)fprintf(stream, "Game over. Discs: Black %d, White %d. ", black, white);
    if (difference == 0)
        (void)fprintf(stream, "A draw.\n");
    else
        (void)fprintf(stream, "%s%s wins by %d%s.\n", game->ruleset->fewest_wins ? "The fewest win: " : "",
                      side_name(difference > 0 ? WILLOW_BLACK : WILLOW_WHITE),
                      difference > 0 ? difference : -difference,
                      willow_board_empties(game->ruleset, board) > 0 ? ", empty squares included" : "");
}

void sheet_print(FILE *stream, const struct willow_game *game)
{
    int numbers[WILLOW_SQUARES];
    sheet_numbers(game, numbers);
    (void)fprintf(stream, "  ");
    for (int column = 0; column < game->ruleset->width; column++)
        (void)fprintf(stream, "  %c", 'a' + column);
    (void)fprintf(stream, "\n");
    for (int row = 0; row < game->ruleset->height; row++) {
        (void)fprintf(stream, "%2d", row + 1);
        for (int column = 0; column < game->ruleset->width; column++)
            print_square(stream, game, numbers, WILLOW_SIDE * row + column);
        (void)fprintf(stream, "\n");
    }
    print_passes(stream, game, WILLOW_BLACK);
    print_passes(stream, game, WILLOW_WHITE);
    sheet_print_result(stream, game);
}
