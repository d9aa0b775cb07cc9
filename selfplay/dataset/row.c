/* Rows of a dataset in memory. Touches no file. Layer: selfplay/dataset. */
#include "row.h"

#include <stdlib.h>
#include <string.h>

enum {
    KNOWN_FLAGS = WILLOW_ROW_RANDOM | WILLOW_ROW_EXACT | WILLOW_ROW_AFTER_PASS | WILLOW_ROW_SELECTIVE |
                  WILLOW_ROW_AFTER_RANDOM | WILLOW_ROW_SOLVED_RESULT
};

static const char *selectivity_fault(const struct willow_row *row)
{
    static const uint8_t known[] = {73, 87, 95, 98, 99, 100};
    if (!memchr(known, row->selectivity, sizeof known))
        return "the selectivity is none of 73, 87, 95, 98, 99 and 100";
    if ((row->flags & WILLOW_ROW_EXACT) && row->selectivity != 100)
        return "the score is flagged as exact and comes from a selective search";
    if (((row->flags & WILLOW_ROW_SELECTIVE) != 0) != (row->selectivity < 100))
        return "the selectivity and the flag for it do not agree";
    return NULL;
}

/* Scores of searches may exceed a small board: an evaluation is a sum that knows no such bound. */
static const char *score_fault(const struct willow_row *row, int squares)
{
    if (row->score == WILLOW_SCORE_MISSING) {
        if (row->depth != 0 || row->selectivity != 0 || (row->flags & (WILLOW_ROW_EXACT | WILLOW_ROW_SELECTIVE)))
            return "a missing score has a depth or selectivity, or is flagged as exact or selective";
        return NULL;
    }
    if (row->score < -WILLOW_SCORE_MAX || row->score > WILLOW_SCORE_MAX)
        return "the score is of more discs than there are squares";
    if ((row->flags & WILLOW_ROW_EXACT) && row->score % WILLOW_SCORE_DISC != 0)
        return "the score is flagged as exact and is no whole number of discs";
    if ((row->flags & WILLOW_ROW_EXACT) && abs(row->score) > squares * WILLOW_SCORE_DISC)
        return "the score is flagged as exact and is of more discs than there are squares";
    if (row->depth >= WILLOW_PLIES)
        return "the depth is above that of any search";
    return selectivity_fault(row);
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
    /* The ply leaves no placement phase, so what turns no disc is illegal. */
    if (row->move >= WILLOW_SQUARES || !willow_board_flips(board, row->move) ||
        !(ruleset->playable & WILLOW_BIT(row->move)))
        return "the move is illegal";
    const int squares = willow_ruleset_squares(ruleset);
    if (abs(row->result) > squares)
        return "the result is of more discs than there are squares";
    if (row->flags & ~KNOWN_FLAGS)
        return "an unknown flag is set";
    return score_fault(row, squares);
}

bool row_equal(const struct willow_row *a, const struct willow_row *b)
{
    return a->player == b->player && a->opponent == b->opponent && a->score == b->score && a->result == b->result &&
           a->move == b->move && a->ply == b->ply && a->depth == b->depth && a->selectivity == b->selectivity &&
           a->flags == b->flags && a->game == b->game;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct willow_row *a = left, *b = right;
    const unsigned block_plies = *(const unsigned *)context;
    const unsigned a_block = a->ply / block_plies, b_block = b->ply / block_plies;
    if (a_block != b_block)
        return a_block < b_block ? -1 : 1;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    if (a->ply != b->ply)
        return a->ply < b->ply ? -1 : 1;
    if (a->player != b->player)
        return a->player < b->player ? -1 : 1;
    return (a->opponent > b->opponent) - (a->opponent < b->opponent);
}

/* Sorts what is not sorted already. */
static void sort_part(struct willow_row *rows, uint64_t count, unsigned block_plies)
{
    for (uint64_t i = 1; i < count; i++)
        if (compare_rows(&rows[i - 1], &rows[i], &block_plies) > 0) {
            qsort_r(rows, (size_t)count, sizeof *rows, compare_rows, &block_plies);
            return;
        }
}

/* Moves rows to their blocks, keeping the order within each: rows that come game by game are then sorted, in a quarter
 * of the time of sorting them. False without memory. */
static bool gather_blocks(struct willow_row *rows, uint64_t count, unsigned block_plies)
{
    uint64_t next[UINT8_MAX + 1] = {0}; /* the plies were not checked yet */
    struct willow_row *copy = count < SIZE_MAX / sizeof *rows ? malloc((size_t)count * sizeof *rows + 1) : NULL;
    if (!copy)
        return false;
    memcpy(copy, rows, (size_t)count * sizeof *rows);
    for (uint64_t i = 0; i < count; i++)
        if (copy[i].ply / block_plies < UINT8_MAX)
            next[copy[i].ply / block_plies + 1]++;
    for (int block = 1; block <= UINT8_MAX; block++)
        next[block] += next[block - 1];
    for (uint64_t i = 0; i < count; i++)
        rows[next[copy[i].ply / block_plies]++] = copy[i];
    free(copy);
    return true;
}

void rows_sort(struct willow_row *rows, uint64_t count, unsigned block_plies)
{
    if (count < 2)
        return;
    if (!gather_blocks(rows, count, block_plies)) {
        sort_part(rows, count, block_plies);
        return;
    }
    for (uint64_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && rows[end].ply / block_plies == rows[first].ply / block_plies)
            end++;
        sort_part(rows + first, end - first, block_plies);
    }
}

uint64_t row_layout_finish(struct row_layout *layout)
{
    uint64_t before = 0;
    for (unsigned first = 0; first < WILLOW_PLIES; first += layout->block_plies) {
        const unsigned end = first + layout->block_plies < WILLOW_PLIES ? first + layout->block_plies : WILLOW_PLIES;
        uint64_t through = before;
        for (unsigned ply = first; ply < end; ply++)
            through += layout->plies[ply];
        for (unsigned ply = first; ply < end; ply++) {
            layout->before[ply] = before;
            layout->through[ply] = through;
        }
        before = through;
    }
    return before;
}

void row_layout_count(struct row_layout *layout, const struct willow_row *rows, uint64_t count, unsigned block_plies)
{
    memset(layout, 0, sizeof *layout);
    layout->block_plies = block_plies;
    for (uint64_t i = 0; i < count; i++)
        layout->plies[rows[i].ply]++;
    (void)row_layout_finish(layout);
}

uint64_t row_layout_rows(const struct row_layout *layout, int first_ply, int last_ply)
{
    uint64_t rows = 0;
    for (int ply = first_ply; ply <= last_ply; ply++)
        rows += layout->plies[ply];
    return rows;
}

const char *row_layout_fault(const struct row_layout *layout, const struct willow_row *row,
                             const struct willow_row *former, uint64_t number)
{
    if (number < layout->before[row->ply] || number >= layout->through[row->ply])
        return "the row lies outside its block of plies";
    /* Two rows of one game and ply may follow each other in any order. */
    if (former && number > layout->before[row->ply] &&
        (row->game < former->game || (row->game == former->game && row->ply < former->ply)))
        return "the rows of a block are not in the order of game and ply";
    return NULL;
}

const char *game_row_fault(const struct willow_ruleset *ruleset, const struct willow_game_row *game)
{
    if (game->length > WILLOW_GAME_MAX)
        return "the game is longer than any game";
    if (abs(game->result) > willow_ruleset_squares(ruleset))
        return "the result is of more discs than there are squares";
    if (game->opening_plies > game->length)
        return "more opening plies than moves";
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] > WILLOW_PASS)
            return "a move is no square";
    return NULL;
}

bool game_row_equal(const struct willow_game_row *a, const struct willow_game_row *b)
{
    return a->id == b->id && a->opening_plies == b->opening_plies && a->result == b->result && a->length == b->length &&
           a->black_weights == b->black_weights && a->white_weights == b->white_weights &&
           memcmp(a->moves, b->moves, sizeof a->moves) == 0;
}
