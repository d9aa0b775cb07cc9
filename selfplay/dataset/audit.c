/* The full check of a dataset's content. Opens no files. Layer: selfplay/dataset. */
#include "audit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Every exact score at so few empties is checked by a plain search, which then costs microseconds; one that its
 * neighbours in the game throw doubt on, at so many. */
enum { SOLVE_EMPTIES = 5, DOUBT_EMPTIES = 8 };

/* No solver makes results of positions with more empties than this. */
enum { TAIL_EMPTIES_MAX = 36 };

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

static struct willow_board board_of(const struct willow_row *row)
{
    return (struct willow_board){row->player, row->opponent};
}

static int empties_of(const struct audit *audit, const struct willow_row *row)
{
    return willow_board_empties(audit->ruleset, board_of(row));
}

static bool is_exact(const struct willow_row *row)
{
    return row->flags & WILLOW_ROW_EXACT;
}

/* Exact score in discs for the side to move, by trying everything that alpha and beta leave. */
static int solve(const struct willow_ruleset *ruleset, struct willow_board board, int alpha, int beta)
{
    willow_bits moves = willow_board_moves(ruleset, board);
    if (!moves) {
        struct willow_board passed = willow_board_play(board, WILLOW_PASS);
        return willow_board_moves(ruleset, passed) ? -solve(ruleset, passed, -beta, -alpha)
                                                   : willow_board_final_discs(ruleset, board);
    }
    int best = -WILLOW_SQUARES;
    for (; moves && best < beta; moves &= moves - 1) {
        struct willow_board next = willow_board_play(board, (willow_square)willow_bits_first(moves));
        int score = -solve(ruleset, next, -beta, -(best > alpha ? best : alpha));
        best = score > best ? score : best;
    }
    return best;
}

static int worth(const struct audit *audit, const struct willow_row *row)
{
    return solve(audit->ruleset, board_of(row), -WILLOW_SQUARES, WILLOW_SQUARES);
}

/* Compares an exact score with what the position is worth. */
static void audit_worth(struct audit *audit, const struct willow_row *row, uint64_t number)
{
    int exact = worth(audit, row);
    if (exact * WILLOW_SCORE_DISC != row->score)
        report(audit, "/positions", number, "the score %+.2f is flagged as exact, but the position is worth %+d",
               (double)row->score / WILLOW_SCORE_DISC, exact);
}

static void audit_exact_score(struct audit *audit, const struct willow_row *row, uint64_t number)
{
    if (!is_exact(row))
        return;
    /* The winner takes the empties: a difference has the parity of the number of squares, but for a draw. */
    int discs = row->score / WILLOW_SCORE_DISC;
    if (discs != 0 && (discs - willow_ruleset_squares(audit->ruleset)) % 2 != 0)
        report(audit, "/positions", number, "the score %+d is flagged as exact, but no game ends so", discs);
    else if (empties_of(audit, row) <= SOLVE_EMPTIES)
        audit_worth(audit, row, number);
}

/* The rows of one game, by ply, and what its record says of them. */
struct kept {
    const struct willow_row *rows; /* of the shard */
    const uint32_t *numbers;       /* of the game's rows */
    uint32_t count;
    const struct willow_game_row *record; /* null = none */
    const struct willow_game *game;       /* the record replayed */
    const int *at;                        /* of each row: its index in game->moves; -1 = there is none */
};

static const struct willow_row *row_at(const struct kept *kept, uint32_t i)
{
    return &kept->rows[kept->numbers[i]];
}

/* No move makes an exact score better, whoever chose it. A worse one is a random move, a mistake or a wrong score:
 * where that is quick, the position tells. */
static void audit_exact_steps(struct audit *audit, const struct kept *kept)
{
    for (uint32_t i = 0; i + 1 < kept->count; i++) {
        const struct willow_row *row = row_at(kept, i), *next = row_at(kept, i + 1);
        if (!is_exact(row) || !is_exact(next) || !label_signs_follows(row, next))
            continue;
        int after = next->flags & WILLOW_ROW_AFTER_PASS ? next->score : -next->score, empties = empties_of(audit, row);
        if (after > row->score)
            report(audit, "/positions", kept->numbers[i],
                   "the score %+.2f is flagged as exact, but the move leads to one of %+.2f",
                   (double)row->score / WILLOW_SCORE_DISC, (double)after / WILLOW_SCORE_DISC);
        else if (after < row->score && !(row->flags & WILLOW_ROW_RANDOM) && empties > SOLVE_EMPTIES &&
                 empties <= DOUBT_EMPTIES)
            audit_worth(audit, row, kept->numbers[i]);
    }
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

static void audit_record(struct audit *audit, const struct willow_game_row *record, uint64_t number)
{
    int weights = record->black_weights > record->white_weights ? record->black_weights : record->white_weights;
    if (audit->pool_max > 0 && weights > audit->pool_max)
        report(audit, "/games", number, "game %" PRIu64 ": weights %d, but a pool has %d at most", record->id, weights,
               audit->pool_max);
    int plies = 0;
    for (int i = 0; i < record->length; i++)
        plies += record->moves[i] != WILLOW_PASS;
    if (record->opening_plies > plies)
        report(audit, "/games", number, "game %" PRIu64 ": an opening of %d plies in a game of %d", record->id,
               record->opening_plies, plies);
}

/* The index in game->moves at which a row's position stood; -1 when there is none of that ply. */
static int find_position(const struct willow_game *game, const struct willow_row *row)
{
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] != WILLOW_PASS && willow_board_discs(game->boards[i]) - 4 == row->ply)
            return i;
    return -1;
}

/* Index of the move before the one at `at`, passes left out; -1 when there is none. */
static int move_before(const struct willow_game *game, int at)
{
    do
        at--;
    while (at >= 0 && game->moves[at] == WILLOW_PASS);
    return at;
}

static bool in_opening(const struct kept *kept, int at)
{
    int plies = 0;
    for (int i = 0; i < at; i++)
        plies += kept->game->moves[i] != WILLOW_PASS;
    return plies < kept->record->opening_plies;
}

static void compare_row(struct audit *audit, const struct kept *kept, uint32_t i)
{
    const struct willow_game *game = kept->game;
    const struct willow_row *row = row_at(kept, i);
    uint64_t number = kept->numbers[i];
    int at = kept->at[i];
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
    if (row->result != result && !(row->flags & WILLOW_ROW_SOLVED_RESULT))
        report(audit, "/positions", number, "the result is %+d instead of %+d", row->result, result);
    if (((row->flags & WILLOW_ROW_AFTER_PASS) != 0) != after_pass)
        report(audit, "/positions", number, "the flag for a pass before it is wrong");
    if (in_opening(kept, at) && !(row->flags & WILLOW_ROW_RANDOM))
        report(audit, "/positions", number, "the move is of the opening and not flagged as random");
    if (i > 0 && row_at(kept, i - 1)->ply == row->ply)
        report(audit, "/positions", number, "game %" PRIu64 " has two rows of ply %d", row->game, row->ply);
}

enum answer { NO, YES, UNKNOWN };

/* Whether the last move before a row was random: of the opening, or as the row before says if it was kept. */
static enum answer after_random(const struct kept *kept, uint32_t i)
{
    int before = kept->at[i] < 0 ? -2 : move_before(kept->game, kept->at[i]);
    if (before == -2)
        return UNKNOWN;
    if (before == -1)
        return NO;
    if (in_opening(kept, before))
        return YES;
    if (i == 0 || kept->at[i - 1] != before)
        return UNKNOWN;
    return row_at(kept, i - 1)->flags & WILLOW_ROW_RANDOM ? YES : NO;
}

static void audit_after_random(struct audit *audit, const struct kept *kept)
{
    bool flagged = false, wanted = false;
    for (uint32_t i = 0; i < kept->count; i++) {
        flagged = flagged || (row_at(kept, i)->flags & WILLOW_ROW_AFTER_RANDOM);
        wanted = wanted || after_random(kept, i) == YES;
    }
    if (!flagged) {
        audit->unflagged += wanted;
        return;
    }
    for (uint32_t i = 0; i < kept->count; i++) {
        bool flag = row_at(kept, i)->flags & WILLOW_ROW_AFTER_RANDOM;
        enum answer answer = after_random(kept, i);
        if (answer != UNKNOWN && flag != (answer == YES))
            report(audit, "/positions", kept->numbers[i], "the flag for a random move before it is wrong");
    }
}

/* A row's result, seen from black. */
static int black_result(const struct kept *kept, uint32_t i)
{
    return kept->at[i] % 2 == 0 ? row_at(kept, i)->result : -row_at(kept, i)->result;
}

/* Whether the results that are flagged as solved are what a solver gives that judges positions of at most `tail`
 * empties, by what is known of these: exact scores, values of the last positions (worths, from black's side), and that
 * no move gains. Rows before the tail share the result of its first position, unless they were solved themselves. */
static bool tail_explains(const struct audit *audit, const struct kept *kept, int tail, const int *worths)
{
    bool shared_known = false;
    int shared = 0;
    for (uint32_t i = 0; i < kept->count; i++) {
        const struct willow_row *row = row_at(kept, i);
        if (!(row->flags & WILLOW_ROW_SOLVED_RESULT))
            continue;
        bool own = is_exact(row) && row->score == row->result * WILLOW_SCORE_DISC;
        int result = black_result(kept, i), before = move_before(kept->game, kept->at[i]);
        int empties = empties_of(audit, row);
        if (empties > tail) {
            if (own)
                continue;
            if (shared_known && result != shared)
                return false;
            shared_known = true;
            shared = result;
            continue;
        }
        if ((is_exact(row) && !own) || (empties <= SOLVE_EMPTIES && worths[i] != result))
            return false;
        bool first = before < 0 || willow_board_empties(audit->ruleset, kept->game->boards[before]) > tail;
        if (first && shared_known && result != shared)
            return false;
        if (i > 0 && kept->at[i - 1] == before && (row_at(kept, i - 1)->flags & WILLOW_ROW_SOLVED_RESULT) && !first) {
            int gain = result - black_result(kept, i - 1);
            if ((before % 2 == 0 ? gain : -gain) > 0)
                return false;
        }
    }
    return true;
}

static void audit_solved_results(struct audit *audit, const struct kept *kept)
{
    int worths[WILLOW_SQUARES];
    uint32_t first = kept->count;
    for (uint32_t i = kept->count; i-- > 0;) {
        /* Wrong positions have been reported, and say nothing more. */
        if (kept->at[i] < 0 || kept->count > WILLOW_SQUARES)
            return;
        if (!(row_at(kept, i)->flags & WILLOW_ROW_SOLVED_RESULT))
            continue;
        first = i;
        if (empties_of(audit, row_at(kept, i)) <= SOLVE_EMPTIES)
            worths[i] = worth(audit, row_at(kept, i)) * (kept->at[i] % 2 == 0 ? 1 : -1);
    }
    if (first == kept->count)
        return;
    for (int tail = 0; tail <= TAIL_EMPTIES_MAX; tail++)
        if (tail_explains(audit, kept, tail, worths))
            return;
    report(audit, "/positions", kept->numbers[first],
           "the solved results of game %" PRIu64 " contradict each other or its exact scores",
           row_at(kept, first)->game);
}

static void audit_game(struct audit *audit, struct kept *kept, uint64_t number)
{
    struct willow_game game;
    int at[WILLOW_GAME_MAX];
    bool white[WILLOW_GAME_MAX];
    audit_record(audit, kept->record, number);
    if (kept->count > WILLOW_GAME_MAX) {
        report(audit, "/games", number, "game %" PRIu64 " has %" PRIu32 " rows", kept->record->id, kept->count);
        return;
    }
    if (!replay(audit, kept->record, number, &game))
        return;
    kept->game = &game;
    kept->at = at;
    for (uint32_t i = 0; i < kept->count; i++) {
        at[i] = find_position(&game, row_at(kept, i));
        white[i] = at[i] % 2 != 0;
    }
    for (uint32_t i = 0; i < kept->count; i++)
        compare_row(audit, kept, i);
    audit_exact_steps(audit, kept);
    audit_after_random(audit, kept);
    audit_solved_results(audit, kept);
    label_signs_game(&audit->signs, kept->numbers, kept->count, white);
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct willow_row *rows = context;
    const uint32_t *a = left, *b = right;
    if (rows[*a].game != rows[*b].game)
        return rows[*a].game < rows[*b].game ? -1 : 1;
    if (rows[*a].ply != rows[*b].ply)
        return rows[*a].ply < rows[*b].ply ? -1 : 1;
    return (*a > *b) - (*a < *b);
}

/* Every row in turn has a game that the shard lists, in the order of both. */
static void audit_games(struct audit *audit, const struct willow_shard_info *info, const struct willow_row *rows,
                        const struct willow_game_row *games, const uint32_t *numbers)
{
    uint64_t row = 0;
    for (uint64_t g = 0; g < info->games; g++) {
        struct kept kept = {.rows = rows, .record = &games[g]};
        if (g > 0 && games[g].id <= games[g - 1].id) {
            report(audit, "/games", g, "the ids of the games do not rise");
            return;
        }
        for (; row < info->rows && rows[numbers[row]].game < games[g].id; row++)
            report(audit, "/positions", numbers[row], "game %" PRIu64 " is not in /games", rows[numbers[row]].game);
        kept.numbers = numbers + row;
        for (; row < info->rows && rows[numbers[row]].game == games[g].id; row++)
            kept.count++;
        audit_game(audit, &kept, g);
    }
    for (; row < info->rows; row++)
        report(audit, "/positions", numbers[row], "game %" PRIu64 " is not in /games", rows[numbers[row]].game);
}

/* The squares of a set and those around them, some of which may be none of the board. */
static willow_bits with_neighbours(willow_bits set)
{
    willow_bits first_column = 0;
    for (int row = 0; row < WILLOW_SIDE; row++)
        first_column |= WILLOW_BIT(WILLOW_SIDE * row);
    set |= (set & ~(first_column << (WILLOW_SIDE - 1))) << 1 | (set & ~first_column) >> 1;
    return set | set << WILLOW_SIDE | set >> WILLOW_SIDE;
}

/* Why no game comes to this board, as far as a board tells: discs are never taken away, and each new one touches
 * another. Null when nothing speaks against it. */
static const char *unreachable(const struct willow_ruleset *ruleset, struct willow_board board)
{
    const struct willow_board start = ruleset->start;
    const willow_bits occupied = board.player | board.opponent, first = start.player | start.opponent;
    if (first & ~occupied)
        return "a square is empty on which the game starts with a disc";
    if (first != 0 && occupied == first && (board.player != start.player || board.opponent != start.opponent))
        return "the discs of the start have other colours";
    if (ruleset->placement & ~occupied)
        return "a square is empty on which one of the first discs is placed";
    if (ruleset->placement != 0 && occupied == ruleset->placement &&
        willow_bits_count(board.player) != willow_bits_count(board.opponent))
        return "the first discs are not as many of each side";
    willow_bits reached = 0;
    for (willow_bits next = occupied & -occupied; next != reached;) {
        reached = next;
        next = with_neighbours(reached) & occupied;
    }
    return reached != occupied ? "its discs are not connected" : NULL;
}

/* What a replay would show, were there a game. */
static void audit_reach(struct audit *audit, const struct willow_row *row, uint64_t number)
{
    const char *reason = unreachable(audit->ruleset, board_of(row));
    if (reason)
        report(audit, "/positions", number, "no game comes to this board: %s", reason);
}

/* Without games, rows of one game still know each other. */
static void audit_loose_rows(struct audit *audit, uint64_t count, const struct willow_row *rows,
                             const uint32_t *numbers)
{
    for (uint64_t i = 0; i < count; i++)
        audit_reach(audit, &rows[i], i);
    for (uint64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && rows[numbers[end]].game == rows[numbers[first]].game;)
            end++;
        const struct kept kept = {.rows = rows, .numbers = numbers + first, .count = (uint32_t)(end - first)};
        audit_exact_steps(audit, &kept);
        label_signs_game(&audit->signs, kept.numbers, kept.count, NULL);
    }
}

static enum willow_status keep_ids(struct audit *audit, const struct willow_game_row *games, uint64_t count,
                                   struct willow_error *error)
{
    if (audit->ids_capacity - audit->ids_count < count) {
        size_t capacity = audit->ids_count + audit->ids_count / 2 + (size_t)count;
        uint64_t *grown = reallocarray(audit->ids, capacity, sizeof *grown);
        if (!grown)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, "games", "out of memory");
        audit->ids = grown;
        audit->ids_capacity = capacity;
    }
    for (uint64_t i = 0; i < count; i++)
        audit->ids[audit->ids_count++] = games[i].id;
    return WILLOW_OK;
}

enum willow_status audit_shard(struct audit *audit, const struct willow_shard_info *info, const struct willow_row *rows,
                               const struct willow_game_row *games, struct willow_error *error)
{
    uint32_t *numbers = info->rows <= UINT32_MAX ? calloc((size_t)info->rows + 1, sizeof *numbers) : NULL;
    if (!numbers)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (uint32_t i = 0; i < info->rows; i++) {
        audit_exact_score(audit, &rows[i], i);
        numbers[i] = i;
    }
    qsort_r(numbers, (size_t)info->rows, sizeof *numbers, compare_rows, (void *)(uintptr_t)rows);
    label_signs_shard(&audit->signs, rows, info->rows);
    if (info->games > 0)
        audit_games(audit, info, rows, games, numbers);
    else
        audit_loose_rows(audit, info->rows, rows, numbers);
    free(numbers);
    return audit->unique_ids ? keep_ids(audit, games, info->games, error) : WILLOW_OK;
}

static int compare_ids(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void audit_ids(struct audit *audit)
{
    if (audit->ids_count == 0)
        return;
    qsort(audit->ids, audit->ids_count, sizeof *audit->ids, compare_ids);
    for (size_t i = 1; i < audit->ids_count; i++)
        if (audit->ids[i] == audit->ids[i - 1]) {
            char reason[64];
            audit->faults++;
            (void)snprintf(reason, sizeof reason, "game %" PRIu64 " is in two shards", audit->ids[i]);
            if (audit->report)
                audit->report(audit->context, "games", reason);
        }
}

static void report_signs(void *context, const char *reason)
{
    struct audit *audit = context;
    audit->faults++;
    if (audit->report)
        audit->report(audit->context, "labels", reason);
}

void audit_finish(struct audit *audit)
{
    (void)label_signs_judge(&audit->signs, report_signs, audit);
    audit_ids(audit);
}

void audit_clear(struct audit *audit)
{
    free(audit->ids);
    audit->ids = NULL;
    audit->ids_count = audit->ids_capacity = 0;
}
