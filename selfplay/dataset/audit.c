/* The full check of a shard's content. Opens no files. Layer: selfplay. */
#include "audit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* An exact score at so few empties is checked by plain negamax, which then costs microseconds. */
enum { SOLVE_EMPTIES = 5 };

#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
static void
report(struct audit *audit, const char *column, uint64_t row, const char *format, ...)
{
    char place[96], reason[256];
    va_list arguments;
    audit->faults++;
    if (!audit->report)
        return;
    (void)snprintf(place, sizeof place, "%s row %" PRIu64, column, row);
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    audit->report(audit->context, place, reason);
}

/* Exact score in discs for the side to move, by trying everything. */
static int solve(const struct willow_ruleset *ruleset, struct willow_board board)
{
    uint64_t moves = willow_board_moves(ruleset, board);
    if (!moves) {
        struct willow_board passed = willow_board_play(board, WILLOW_PASS);
        return willow_board_moves(ruleset, passed) ? -solve(ruleset, passed) : willow_board_final_discs(ruleset, board);
    }
    int best = -64;
    for (; moves; moves &= moves - 1) {
        int score = -solve(ruleset, willow_board_play(board, (willow_square)__builtin_ctzll(moves)));
        best = score > best ? score : best;
    }
    return best;
}

static void audit_exact_score(struct audit *audit, const struct willow_row *row, uint64_t number)
{
    struct willow_board board = {row->player, row->opponent};
    if (!(row->flags & WILLOW_ROW_EXACT) || willow_board_empties(audit->ruleset, board) > SOLVE_EMPTIES)
        return;
    int exact = solve(audit->ruleset, board);
    if (exact * WILLOW_SCORE_DISC != row->score)
        report(audit, "/positions", number, "the score %+.2f is flagged as exact, but the position is worth %+d",
               (double)row->score / WILLOW_SCORE_DISC, exact);
}

/* False when the record cannot be replayed to the end of a game. */
static bool replay(struct audit *audit, const struct willow_game_row *record, uint64_t number, struct willow_game *game)
{
    struct willow_error error;
    willow_game_init(game, audit->ruleset);
    for (int i = 0; i < record->length; i++)
        if (willow_game_play(game, record->moves[i], &error) != WILLOW_OK) {
            report(audit, "/games", number, "game %" PRIu64 ", move %d: %s", record->id, i + 1, error.reason);
            return false;
        }
    if (!willow_game_over(game)) {
        report(audit, "/games", number, "game %" PRIu64 " ends before it is over", record->id);
        return false;
    }
    if (willow_game_final_discs(game) != record->result)
        report(audit, "/games", number, "game %" PRIu64 ": the result is %+d instead of %+d", record->id,
               record->result, willow_game_final_discs(game));
    return true;
}

/* The index in game->moves at which a row's position stood; -1 when there is none of that ply. */
static int find_position(const struct willow_game *game, const struct willow_row *row)
{
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] != WILLOW_PASS && willow_board_discs(game->boards[i]) - 4 == row->ply)
            return i;
    return -1;
}

static void compare_row(struct audit *audit, const struct willow_game *game, int at, const struct willow_row *row,
                        uint64_t number)
{
    if (at < 0) {
        report(audit, "/positions", number, "game %" PRIu64 " has no position of ply %d", row->game, row->ply);
        return;
    }
    /* Passes are in moves, so the side alternates with every entry. */
    int result = at % 2 == 0 ? willow_game_final_discs(game) : -willow_game_final_discs(game);
    bool after_pass = at > 0 && game->moves[at - 1] == WILLOW_PASS;
    if (game->boards[at].player != row->player || game->boards[at].opponent != row->opponent)
        report(audit, "/positions", number, "the board is not that of game %" PRIu64 " at ply %d", row->game, row->ply);
    if (game->moves[at] != row->move)
        report(audit, "/positions", number, "the move is not the one that game %" PRIu64 " played", row->game);
    if (row->result != result)
        report(audit, "/positions", number, "the result is %+d instead of %+d", row->result, result);
    if (((row->flags & WILLOW_ROW_AFTER_PASS) != 0) != after_pass)
        report(audit, "/positions", number, "the flag for a pass before it is wrong");
}

/* After an exact score, as long as no move is random, the game must end with just that score. The rows of one game in
 * order of plies; a gap (rows that were not kept) may hide a random move and ends the check. */
static void audit_perfect_ending(struct audit *audit, const struct willow_game *game, const struct willow_row *rows,
                                 const uint32_t *order, uint32_t count)
{
    int next_ply = willow_board_discs(game->boards[game->length]) - 4;
    for (uint32_t i = count; i-- > 0;) {
        const struct willow_row *row = &rows[order[i]];
        if (row->ply != next_ply - 1 || (row->flags & WILLOW_ROW_RANDOM) || !(row->flags & WILLOW_ROW_EXACT))
            return;
        next_ply = row->ply;
        if (row->score != row->result * WILLOW_SCORE_DISC)
            report(audit, "/positions", order[i],
                   "the score %+.2f is flagged as exact, but perfect play ended with %+d",
                   (double)row->score / WILLOW_SCORE_DISC, row->result);
    }
}

static void audit_game(struct audit *audit, const struct willow_game_row *record, uint64_t number,
                       const struct willow_row *rows, const uint32_t *order, uint32_t count)
{
    struct willow_game game;
    if (!replay(audit, record, number, &game))
        return;
    for (uint32_t i = 0; i < count; i++) {
        const struct willow_row *row = &rows[order[i]];
        compare_row(audit, &game, find_position(&game, row), row, order[i]);
    }
    audit_perfect_ending(audit, &game, rows, order, count);
}

/* Index of a game by id; `count` when there is none. The ids rise. */
static uint64_t find_game(const struct willow_game_row *games, uint64_t count, uint64_t id)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (games[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && games[low].id == id ? low : count;
}

/* Groups rows by game, keeping their order of plies: start[g] .. start[g + 1] - 1 in `order` belong to game g. */
static void group_rows(struct audit *audit, const struct willow_shard_info *info, const struct willow_row *rows,
                       const struct willow_game_row *games, uint32_t *start, uint32_t *order)
{
    for (uint64_t i = 0; i < info->rows; i++) {
        uint64_t game = find_game(games, info->games, rows[i].game);
        if (game == info->games)
            report(audit, "/positions", i, "game %" PRIu64 " is not in /games", rows[i].game);
        else
            start[game + 2]++;
    }
    for (uint64_t g = 2; g < info->games + 2; g++)
        start[g] += start[g - 1];
    for (uint64_t i = 0; i < info->rows; i++) {
        uint64_t game = find_game(games, info->games, rows[i].game);
        if (game < info->games)
            order[start[game + 1]++] = (uint32_t)i;
    }
}

static enum willow_status audit_games(struct audit *audit, const struct willow_shard_info *info,
                                      const struct willow_row *rows, const struct willow_game_row *games,
                                      struct willow_error *error)
{
    for (uint64_t g = 1; g < info->games; g++)
        if (games[g].id <= games[g - 1].id) {
            report(audit, "/games", g, "the ids of the games do not rise");
            return WILLOW_OK;
        }
    uint32_t *start = calloc((size_t)info->games + 2, sizeof *start);
    uint32_t *order = calloc((size_t)info->rows + 1, sizeof *order);
    enum willow_status status = WILLOW_OK;
    if (!start || !order || info->rows > UINT32_MAX) {
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    } else {
        group_rows(audit, info, rows, games, start, order);
        for (uint64_t g = 0; g < info->games; g++)
            audit_game(audit, &games[g], g, rows, order + start[g], start[g + 1] - start[g]);
    }
    free(start);
    free(order);
    return status;
}

enum willow_status audit_shard(struct audit *audit, const struct willow_shard_info *info, const struct willow_row *rows,
                               const struct willow_game_row *games, struct willow_error *error)
{
    for (uint64_t i = 0; i < info->rows; i++)
        audit_exact_score(audit, &rows[i], i);
    for (uint64_t i = 1; i < info->rows; i++)
        if (rows[i].ply == rows[i - 1].ply && rows[i].game < rows[i - 1].game)
            report(audit, "/positions", i, "the rows of a ply are not in order of games");
    return info->games > 0 ? audit_games(audit, info, rows, games, error) : WILLOW_OK;
}
