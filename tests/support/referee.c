/* The rules of Othello spelled out square by square on an array of characters. Slow on purpose and free of engine code.
 */
#include "support/referee.h"

struct referee referee_from_words(uint64_t player, uint64_t opponent, uint64_t playable)
{
    struct referee referee;
    for (int square = 0; square < 64; square++) {
        char cell = '-';
        if ((playable >> square) % 2 == 0)
            cell = '#';
        else if ((player >> square) % 2 == 1)
            cell = 'X';
        else if ((opponent >> square) % 2 == 1)
            cell = 'O';
        referee.cells[square] = cell;
    }
    return referee;
}

void referee_to_words(const struct referee *referee, uint64_t *player, uint64_t *opponent)
{
    *player = *opponent = 0;
    for (int square = 0; square < 64; square++) {
        if (referee->cells[square] == 'X')
            *player += (uint64_t)1 << square;
        if (referee->cells[square] == 'O')
            *opponent += (uint64_t)1 << square;
    }
}

/* What stands at column, row; '#' outside the board. */
static char cell_at(const struct referee *referee, int column, int row)
{
    if (column < 0 || column > 7 || row < 0 || row > 7)
        return '#';
    return referee->cells[8 * row + column];
}

uint64_t referee_flips(const struct referee *referee, int square)
{
    uint64_t flips = 0;
    if (referee->cells[square] != '-')
        return 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            if (down == 0 && right == 0)
                continue;
            int column = square % 8 + right, row = square / 8 + down, run = 0;
            while (cell_at(referee, column, row) == 'O') {
                column += right;
                row += down;
                run++;
            }
            if (cell_at(referee, column, row) != 'X')
                continue;
            for (int i = 1; i <= run; i++)
                flips += (uint64_t)1 << (square + i * (8 * down + right));
        }
    return flips;
}

uint64_t referee_moves(const struct referee *referee)
{
    uint64_t moves = 0;
    for (int square = 0; square < 64; square++)
        if (referee_flips(referee, square) != 0)
            moves += (uint64_t)1 << square;
    return moves;
}

struct referee referee_play(const struct referee *referee, int square)
{
    struct referee next = *referee;
    if (square < 64) {
        const uint64_t flips = referee_flips(referee, square);
        for (int i = 0; i < 64; i++)
            if ((flips >> i) % 2 == 1)
                next.cells[i] = 'X';
        next.cells[square] = 'X';
    }
    for (int i = 0; i < 64; i++) {
        if (next.cells[i] == 'X')
            next.cells[i] = 'O';
        else if (next.cells[i] == 'O')
            next.cells[i] = 'X';
    }
    return next;
}

bool referee_over(const struct referee *referee)
{
    const struct referee turned = referee_play(referee, 64);
    return referee_moves(referee) == 0 && referee_moves(&turned) == 0;
}

int referee_final_discs(const struct referee *referee)
{
    int player = 0, opponent = 0, empty = 0;
    for (int i = 0; i < 64; i++) {
        player += referee->cells[i] == 'X';
        opponent += referee->cells[i] == 'O';
        empty += referee->cells[i] == '-';
    }
    if (player > opponent)
        return player + empty - opponent;
    if (opponent > player)
        return player - opponent - empty;
    return 0;
}
