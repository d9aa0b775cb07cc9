/* The rules of Othello spelled out square by square on an array of characters. Slow on purpose and free of engine code.
 */
#include "support/referee.h"

static bool holds(willow_bits mask, int square)
{
    return (mask >> square) % 2 == 1;
}

struct referee referee_from_words(willow_bits player, willow_bits opponent, willow_bits playable)
{
    struct referee referee = {.fewest_wins = false};
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        char cell = '-';
        if (!holds(playable, square))
            cell = '#';
        else if (holds(player, square))
            cell = 'X';
        else if (holds(opponent, square))
            cell = 'O';
        referee.cells[square] = cell;
    }
    return referee;
}

struct referee referee_of(const struct willow_ruleset *ruleset, struct willow_board board)
{
    struct referee referee = referee_from_words(board.player, board.opponent, ruleset->playable);
    for (int square = 0; square < WILLOW_SQUARES; square++)
        referee.placement[square] = holds(ruleset->placement, square);
    referee.fewest_wins = ruleset->fewest_wins;
    return referee;
}

void referee_to_words(const struct referee *referee, willow_bits *player, willow_bits *opponent)
{
    *player = *opponent = 0;
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        if (referee->cells[square] == 'X')
            *player += (willow_bits)1 << square;
        if (referee->cells[square] == 'O')
            *opponent += (willow_bits)1 << square;
    }
}

/* What stands at column, row; '#' outside the board. */
static char cell_at(const struct referee *referee, int column, int row)
{
    if (column < 0 || column >= WILLOW_SIDE || row < 0 || row >= WILLOW_SIDE)
        return '#';
    return referee->cells[WILLOW_SIDE * row + column];
}

/* While a square of the placement is empty and no disc stands anywhere else. */
static bool placing(const struct referee *referee)
{
    bool room = false;
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        const char cell = referee->cells[square];
        if (!referee->placement[square] && (cell == 'X' || cell == 'O'))
            return false;
        room = room || (referee->placement[square] && cell == '-');
    }
    return room;
}

willow_bits referee_flips(const struct referee *referee, int square)
{
    willow_bits flips = 0;
    if (referee->cells[square] != '-' || placing(referee))
        return 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            if (down == 0 && right == 0)
                continue;
            int column = square % WILLOW_SIDE + right, row = square / WILLOW_SIDE + down, run = 0;
            while (cell_at(referee, column, row) == 'O') {
                column += right;
                row += down;
                run++;
            }
            if (cell_at(referee, column, row) != 'X')
                continue;
            for (int i = 1; i <= run; i++)
                flips += (willow_bits)1 << (square + i * (WILLOW_SIDE * down + right));
        }
    return flips;
}

willow_bits referee_moves(const struct referee *referee)
{
    willow_bits moves = 0;
    const bool free_placing = placing(referee);
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        const bool placed = free_placing && referee->placement[square] && referee->cells[square] == '-';
        if (placed || referee_flips(referee, square) != 0)
            moves += (willow_bits)1 << square;
    }
    return moves;
}

struct referee referee_play(const struct referee *referee, int square)
{
    struct referee next = *referee;
    if (square < WILLOW_SQUARES) {
        const willow_bits flips = referee_flips(referee, square);
        for (int i = 0; i < WILLOW_SQUARES; i++)
            if (holds(flips, i))
                next.cells[i] = 'X';
        next.cells[square] = 'X';
    }
    for (int i = 0; i < WILLOW_SQUARES; i++) {
        if (next.cells[i] == 'X')
            next.cells[i] = 'O';
        else if (next.cells[i] == 'O')
            next.cells[i] = 'X';
    }
    return next;
}

bool referee_over(const struct referee *referee)
{
    const struct referee turned = referee_play(referee, WILLOW_PASS);
    return referee_moves(referee) == 0 && referee_moves(&turned) == 0;
}

int referee_final_discs(const struct referee *referee)
{
    int player = 0, opponent = 0, empty = 0, difference = 0;
    for (int i = 0; i < WILLOW_SQUARES; i++) {
        player += referee->cells[i] == 'X';
        opponent += referee->cells[i] == 'O';
        empty += referee->cells[i] == '-';
    }
    if (player > opponent)
        difference = player + empty - opponent;
    if (opponent > player)
        difference = player - opponent - empty;
    return referee->fewest_wins ? -difference : difference;
}
