/* Writes a game in Generic Game Format (GGF), which ggf.c and the GGS programs read. Layer: rules. Writes to memory
 * only; the same game gives the same bytes.
 */
#include <willow/records.h>

#include <math.h>

#include <willow/notation.h>

#include "rules/record_reader.h"
#include "rules/record_writer.h"

/* Two decimals, and no sign before a zero. */
static void put_number(struct record_writer *text, double number)
{
    record_put(text, "/%.2f", fabs(number) < 0.005 ? 0.0 : number);
}

static void put_move(struct record_writer *text, enum willow_side side, willow_square move,
                     const struct willow_ggf_move *known)
{
    char name[WILLOW_SQUARE_TEXT];
    record_put(text, "%c[%s", side == WILLOW_BLACK ? 'B' : 'W',
               move == WILLOW_PASS ? "PA" : willow_square_format(move, name));
    const bool has_score = known && known->has_score && isfinite(known->score_discs);
    const bool has_time = known && known->has_time && isfinite(known->seconds);
    if (has_score)
        put_number(text, known->score_discs);
    else if (has_time)
        record_put(text, "/");
    if (has_time)
        put_number(text, known->seconds);
    record_put(text, "]");
}

size_t willow_ggf_format(const struct willow_ggf_game *record, char *buffer, size_t size)
{
    const struct willow_game *game = record->game;
    char board[WILLOW_BOARD_TEXT];
    struct record_writer text = {.buffer = buffer, .size = size};
    if (size > 0)
        buffer[0] = '\0';
    if (!ruleset_has_ggf_type(game->ruleset))
        return 0;
    record_put(&text, "(;GM[Othello]");
    if (record->place)
        record_put_text(&text, "PC", record->place);
    record_put_text(&text, "PB", record->black);
    record_put_text(&text, "PW", record->white);
    if (record->clock)
        record_put_text(&text, "TI", record->clock);
    record_put(&text, "TY[%d%s]", game->ruleset->width, game->ruleset->fewest_wins ? "a" : "");
    if (record->result_unknown)
        record_put(&text, "RE[?]");
    else if (record->ending)
        record_put(&text, "RE[%+d.000:%c]", record->result_discs, record->ending);
    else
        record_put(&text, "RE[%+d.000]", record->result_discs);
    record_put(&text, "%s",
               willow_board_format_as(game->ruleset, game->boards[0], game->start_side, WILLOW_BOARD_GGF, board));
    for (int i = 0; i < game->length; i++)
        put_move(&text, record_side_of(game, i), game->moves[i], record->moves ? &record->moves[i] : NULL);
    record_put(&text, ";)");
    return text.length;
}
