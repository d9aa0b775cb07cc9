/* Boards written as text, and the names of the notations. Layer: rules. Reads none: see board_text.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>

static const struct {
    const char *name;
    enum willow_board_notation notation;
} notation_names[] = {
    {"auto", WILLOW_BOARD_ANY},      {"obf", WILLOW_BOARD_LETTERS}, {"egaroucid", WILLOW_BOARD_EGAROUCID},
    {"digits", WILLOW_BOARD_DIGITS}, {"ggf", WILLOW_BOARD_GGF},     {"hex", WILLOW_BOARD_HEX},
    {"grid", WILLOW_BOARD_GRID},     {"mover", WILLOW_BOARD_MOVER},
};
enum { NOTATIONS = sizeof notation_names / sizeof notation_names[0] };

bool willow_board_notation_find(const char *name, enum willow_board_notation *notation)
{
    for (int i = 0; i < NOTATIONS; i++)
        if (strcmp(notation_names[i].name, name) == 0) {
            *notation = notation_names[i].notation;
            return true;
        }
    return false;
}

const char *willow_board_notation_name(enum willow_board_notation notation)
{
    int i = 0;
    while (notation_names[i].notation != notation && i < NOTATIONS - 1)
        i++;
    return notation_names[i].name;
}

/* Writes the squares with these characters, and `between` behind every eighth but the last. Returns the end. */
static char *put_squares(char *buffer, uint64_t black, uint64_t white, const char characters[3], char between)
{
    for (int square = 0; square < 64; square++) {
        *buffer++ = characters[black >> square & 1 ? 0 : white >> square & 1 ? 1 : 2];
        if (between && square % 8 == 7 && square < 63)
            *buffer++ = between;
    }
    *buffer = '\0';
    return buffer;
}

static void put_grid(char *buffer, uint64_t black, uint64_t white, char mover)
{
    char squares[64 + 1];
    put_squares(squares, black, white, "XO-", 0);
    buffer += sprintf(buffer, "  A B C D E F G H\n");
    for (int row = 0; row < 8; row++) {
        buffer += sprintf(buffer, "%d", row + 1);
        for (int column = 0; column < 8; column++)
            buffer += sprintf(buffer, " %c", squares[8 * row + column]);
        *buffer++ = '\n';
    }
    sprintf(buffer, "%c to move", mover);
}

char *willow_board_format_as(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side,
                             enum willow_board_notation notation, char *buffer)
{
    (void)ruleset;
    const bool black_moves = side == WILLOW_BLACK;
    const uint64_t black = black_moves ? board.player : board.opponent;
    const uint64_t white = black_moves ? board.opponent : board.player;
    char *end = buffer;
    switch (notation) {
    case WILLOW_BOARD_EGAROUCID:
        end = put_squares(buffer, black, white, "01.", 0);
        sprintf(end, " %c", black_moves ? '0' : '1');
        return buffer;
    case WILLOW_BOARD_DIGITS:
        end = put_squares(buffer, black, white, "120", 0);
        sprintf(end, " %c", black_moves ? '1' : '2');
        return buffer;
    case WILLOW_BOARD_GGF:
        end = put_squares(buffer + sprintf(buffer, "BO[8 "), black, white, "*O-", ' ');
        sprintf(end, " %c]", black_moves ? '*' : 'O');
        return buffer;
    case WILLOW_BOARD_HEX:
        sprintf(buffer, "0x%016" PRIx64 " 0x%016" PRIx64 " %c", black, white, black_moves ? 'X' : 'O');
        return buffer;
    case WILLOW_BOARD_GRID:
        put_grid(buffer, black, white, black_moves ? 'X' : 'O');
        return buffer;
    case WILLOW_BOARD_MOVER:
        put_squares(buffer, board.player, board.opponent, "XO-", 0);
        return buffer;
    case WILLOW_BOARD_ANY:
    case WILLOW_BOARD_LETTERS:
        break;
    }
    end = put_squares(buffer, black, white, "XO-", 0);
    sprintf(end, " %c", black_moves ? 'X' : 'O');
    return buffer;
}

char *willow_board_format(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side,
                          char *buffer)
{
    return willow_board_format_as(ruleset, board, side, WILLOW_BOARD_LETTERS, buffer);
}
