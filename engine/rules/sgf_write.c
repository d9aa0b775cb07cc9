/* Writes a game in Smart Game Format (SGF), FF[4], which sgf.c and GoGui read. Layer: rules. Writes to memory only; the
 * same game gives the same bytes.
 */
#include <willow/records.h>

#include <stdlib.h>

#include "rules/record_writer.h"

static void put_square(struct record_writer *text, int square)
{
    record_put(text, "[%c%c]", 'a' + square % WILLOW_SIDE, 'a' + square / WILLOW_SIDE);
}

static void put_squares(struct record_writer *text, const char *name, willow_bits squares)
{
    if (squares == 0)
        return;
    record_put(text, "%s", name);
    for (; squares != 0; squares &= squares - 1)
        put_square(text, willow_bits_first(squares));
}

/* What differs from the usual start; AE says what is empty there, which readers would else take as filled. */
static void put_start(struct record_writer *text, const struct willow_game *game)
{
    if (willow_game_starts_usually(game))
        return;
    const struct willow_board board = game->boards[0], standard = game->ruleset->start;
    const bool black_first = game->start_side == WILLOW_BLACK;
    put_squares(text, "AB", black_first ? board.player : board.opponent);
    put_squares(text, "AW", black_first ? board.opponent : board.player);
    put_squares(text, "AE", (standard.player | standard.opponent) & ~(board.player | board.opponent));
    record_put(text, "PL[%c]", black_first ? 'B' : 'W');
}

static void put_result(struct record_writer *text, const struct willow_ggf_game *record)
{
    const char winner = record->result_discs > 0 ? 'B' : 'W';
    if (record->result_unknown)
        return;
    if (record->result_discs == 0)
        record_put(text, "RE[0]");
    else if (record->ending == 'r' || record->ending == 't')
        record_put(text, "RE[%c+%c]", winner, record->ending == 'r' ? 'R' : 'T');
    else
        record_put(text, "RE[%c+%d]", winner, abs(record->result_discs));
}

static void put_known_text(struct record_writer *text, const char *name, const char *value)
{
    if (value && value[0])
        record_put_text(text, name, value);
}

size_t willow_sgf_format(const struct willow_ggf_game *record, char *buffer, size_t size)
{
    const struct willow_game *game = record->game;
    struct record_writer text = {.buffer = buffer, .size = size};
    if (size > 0)
        buffer[0] = '\0';
    record_put(&text, "(;GM[2]FF[4]CA[UTF-8]");
    if (game->ruleset != willow_ruleset_othello())
        record_put(&text, "RU[%s]", game->ruleset->name);
    record_put(&text, "SZ[%d]", game->ruleset->width);
    put_known_text(&text, "PC", record->place);
    put_known_text(&text, "PB", record->black);
    put_known_text(&text, "PW", record->white);
    put_result(&text, record);
    put_start(&text, game);
    for (int i = 0; i < game->length; i++) {
        record_put(&text, ";%c", record_side_of(game, i) == WILLOW_BLACK ? 'B' : 'W');
        if (game->moves[i] == WILLOW_PASS)
            record_put(&text, "[]");
        else
            put_square(&text, game->moves[i]);
    }
    record_put(&text, ")");
    return text.length;
}
