/* Rows of a dataset in memory. Touches no file. Layer: selfplay/dataset. */
#include "row.h"

#include <stdlib.h>

enum { KNOWN_FLAGS = WILLOW_ROW_RANDOM | WILLOW_ROW_EXACT | WILLOW_ROW_AFTER_PASS | WILLOW_ROW_SELECTIVE };

static const char *score_fault(const struct willow_row *row)
{
    if (row->score == WILLOW_SCORE_MISSING) {
        if (row->depth != 0 || (row->flags & (WILLOW_ROW_EXACT | WILLOW_ROW_SELECTIVE)))
            return "a missing score has a depth or is flagged as exact or selective";
        return NULL;
    }
    if (row->score < -WILLOW_SCORE_MAX || row->score > WILLOW_SCORE_MAX)
        return "the score is outside -64..64 discs";
    if ((row->flags & WILLOW_ROW_EXACT) && row->score % WILLOW_SCORE_DISC != 0)
        return "the score is flagged as exact and is no whole number of discs";
    if (row->depth > 60)
        return "the depth is above 60";
    return NULL;
}

const char *row_fault(const struct willow_ruleset *ruleset, const struct willow_row *row)
{
    struct willow_board board = {row->player, row->opponent};
    /* An all-zero row is what a full disk leaves behind; it gets its own words. */
    if ((row->player | row->opponent) == 0)
        return "the board is empty";
    if (row->player & row->opponent)
        return "a square holds discs of both sides";
    if (!willow_board_valid(ruleset, board))
        return "a disc stands outside the board";
    if (row->ply != willow_board_discs(board) - 4)
        return "ply and discs do not agree";
    if (row->move > 63 || !willow_board_flips(board, row->move) || !(ruleset->playable >> row->move & 1))
        return "the move is illegal";
    if (row->result < -64 || row->result > 64)
        return "the result is outside -64..64 discs";
    if (row->flags & ~KNOWN_FLAGS)
        return "an unknown flag is set";
    return score_fault(row);
}

bool row_equal(const struct willow_row *a, const struct willow_row *b)
{
    return a->player == b->player && a->opponent == b->opponent && a->score == b->score && a->result == b->result &&
           a->move == b->move && a->ply == b->ply && a->depth == b->depth && a->flags == b->flags && a->game == b->game;
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    if (a->ply != b->ply)
        return a->ply < b->ply ? -1 : 1;
    if (a->game != b->game)
        return compare_u64(a->game, b->game);
    if (a->player != b->player)
        return compare_u64(a->player, b->player);
    return compare_u64(a->opponent, b->opponent);
}

void rows_sort(struct willow_row *rows, uint64_t count)
{
    if (count > 1)
        qsort(rows, (size_t)count, sizeof *rows, compare_rows);
}

void rows_offsets(const struct willow_row *rows, uint64_t count, uint64_t offsets[ROW_OFFSETS])
{
    uint64_t row = 0;
    for (int ply = 0; ply < ROW_PLIES; ply++) {
        while (row < count && rows[row].ply < ply)
            row++;
        offsets[ply] = row;
    }
    offsets[ROW_PLIES] = count;
}

const char *game_row_fault(const struct willow_game_row *game)
{
    if (game->length > WILLOW_GAME_MAX)
        return "the game is longer than any game";
    if (game->result < -64 || game->result > 64)
        return "the result is outside -64..64 discs";
    if (game->opening_plies > game->length)
        return "more opening plies than moves";
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] > WILLOW_PASS)
            return "a move is no square";
    return NULL;
}
