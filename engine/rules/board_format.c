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

/* The discs on a board of the ruleset, whose other squares are empty or do not exist. */
struct discs {
    const struct willow_ruleset *ruleset;
    willow_bits black, white;
};

static char square_of(const struct discs *discs, int row, int column, const char characters[3])
{
    const int square = WILLOW_SIDE * row + column;
    return characters[discs->black >> square & 1 ? 0 : discs->white >> square & 1 ? 1 : 2];
}

/* Writes the squares with these characters, and `between` behind every row but the last. Returns the end. */
static char *put_squares(char *buffer, const struct discs *discs, const char characters[3], char between)
{
    const struct willow_ruleset *ruleset = discs->ruleset;
    for (int row = 0; row < ruleset->height; row++) {
        if (between && row > 0)
            *buffer++ = between;
        for (int column = 0; column < ruleset->width; column++)
            *buffer++ = square_of(discs, row, column, characters);
    }
    *buffer = '\0';
    return buffer;
}

static void put_grid(char *buffer, const struct discs *discs, char mover)
{
    const struct willow_ruleset *ruleset = discs->ruleset;
    const int digits = ruleset->height >= 10 ? 2 : 1;
    buffer += sprintf(buffer, "%*s", digits, "");
    for (int column = 0; column < ruleset->width; column++)
        buffer += sprintf(buffer, " %c", 'A' + column);
    *buffer++ = '\n';
    for (int row = 0; row < ruleset->height; row++) {
        buffer += sprintf(buffer, "%*d", digits, row + 1);
        for (int column = 0; column < ruleset->width; column++)
            buffer += sprintf(buffer, " %c", square_of(discs, row, column, "XO-"));
        *buffer++ = '\n';
    }
    sprintf(buffer, "%c to move", mover);
}

/* A mask in hexadecimal, all words of it. Returns the end. */
static char *put_hex(char *buffer, willow_bits mask)
{
    buffer += sprintf(buffer, "0x");
    for (int word = WILLOW_BITS_WORDS - 1; word >= 0; word--)
        buffer += sprintf(buffer, "%016" PRIx64, willow_bits_word(mask, word));
    *buffer++ = ' ';
    return buffer;
}

char *willow_board_format_as(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side,
                             enum willow_board_notation notation, char *buffer)
{
    const bool black_moves = side == WILLOW_BLACK;
    const struct discs discs = {ruleset, black_moves ? board.player : board.opponent,
                                black_moves ? board.opponent : board.player};
    char *end = buffer;
    switch (notation) {
    case WILLOW_BOARD_EGAROUCID:
        end = put_squares(buffer, &discs, "01.", 0);
        sprintf(end, " %c", black_moves ? '0' : '1');
        return buffer;
    case WILLOW_BOARD_DIGITS:
        end = put_squares(buffer, &discs, "120", 0);
        sprintf(end, " %c", black_moves ? '1' : '2');
        return buffer;
    case WILLOW_BOARD_GGF:
        end = put_squares(buffer + sprintf(buffer, "BO[%d ", ruleset->width), &discs, "*O-", ' ');
        sprintf(end, " %c]", black_moves ? '*' : 'O');
        return buffer;
    case WILLOW_BOARD_HEX:
        end = put_hex(put_hex(buffer, discs.black), discs.white);
        sprintf(end, "%c", black_moves ? 'X' : 'O');
        return buffer;
    case WILLOW_BOARD_GRID:
        put_grid(buffer, &discs, black_moves ? 'X' : 'O');
        return buffer;
    case WILLOW_BOARD_MOVER:
        put_squares(buffer, &(struct discs){ruleset, board.player, board.opponent}, "XO-", 0);
        return buffer;
    case WILLOW_BOARD_ANY:
    case WILLOW_BOARD_LETTERS:
        break;
    }
    end = put_squares(buffer, &discs, "XO-", 0);
    sprintf(end, " %c", black_moves ? 'X' : 'O');
    return buffer;
}

char *willow_board_format(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side,
                          char *buffer)
{
    return willow_board_format_as(ruleset, board, side, WILLOW_BOARD_LETTERS, buffer);
}
