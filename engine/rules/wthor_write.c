/* Writes WTHOR files (.wtb): the header, and games without their passes. Layer: rules. Writes to memory only. */
#include <willow/records.h>

#include <string.h>

#include "rules/wthor.h"

static void put_little_endian(unsigned char *bytes, uint32_t value, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

void willow_wthor_header(const struct willow_wthor_date *written, uint32_t games, int year,
                         unsigned char header[WILLOW_WTHOR_HEADER_BYTES])
{
    enum { YEAR_MAX = 25599 };
    const int written_year = clamp(written->year, 0, YEAR_MAX);
    memset(header, 0, WILLOW_WTHOR_HEADER_BYTES);
    header[WTHOR_CENTURY] = (unsigned char)(written_year / 100);
    header[WTHOR_CENTURY + 1] = (unsigned char)(written_year % 100);
    header[WTHOR_CENTURY + 2] = (unsigned char)written->month;
    header[WTHOR_CENTURY + 3] = (unsigned char)written->day;
    put_little_endian(header + WTHOR_GAMES, games, 4);
    put_little_endian(header + WTHOR_YEAR, (uint32_t)clamp(year, 0, YEAR_MAX), 2);
    header[WTHOR_BOARD] = 8;
}

enum willow_status willow_wthor_format(const struct willow_game *game, unsigned char record[WILLOW_WTHOR_GAME_BYTES],
                                       struct willow_error *error)
{
    if (game->ruleset != willow_ruleset_othello())
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL, "WTHOR holds games of othello, not of %s",
                           game->ruleset->name);
    if (!willow_game_starts_usually(game))
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL,
                           "WTHOR knows no games that start from another position than othello does");
    const struct willow_board board = willow_game_board(game);
    const willow_bits black = game->side == WILLOW_BLACK ? board.player : board.opponent;
    const int discs = willow_game_over(game) ? (64 + willow_game_final_discs(game)) / 2 : willow_bits_count(black);
    memset(record, 0, WILLOW_WTHOR_GAME_BYTES);
    record[WTHOR_GAME_RESULT] = record[WTHOR_GAME_THEORY] = (unsigned char)discs;
    unsigned char *byte = record + WTHOR_GAME_MOVES;
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] != WILLOW_PASS)
            *byte++ = (unsigned char)(10 * (game->moves[i] / WILLOW_SIDE + 1) + game->moves[i] % WILLOW_SIDE + 1);
    return WILLOW_OK;
}
