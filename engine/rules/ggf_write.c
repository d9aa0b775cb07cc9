/* Writes a game in Generic Game Format (GGF), which ggf.c and the GGS programs read. Layer: rules. Writes to memory
 * only; the same game gives the same bytes.
 */
#include <willow/records.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>

/* As snprintf: counts what does not fit, too. */
struct text {
    char *buffer;
    size_t size, length;
};

static void put_bytes(struct text *text, const char *bytes, size_t length)
{
    if (text->length < text->size) {
        const size_t room = text->size - text->length - 1;
        const size_t copied = length < room ? length : room;
        memcpy(text->buffer + text->length, bytes, copied);
        text->buffer[text->length + copied] = '\0';
    }
    text->length += length;
}

/* Pieces are short: the longest is a move with a float's largest number beside it. */
__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    char piece[128];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length > 0)
        put_bytes(text, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

/* NAME[value] of a text from outside. */
static void put_text(struct text *text, const char *name, const char *value)
{
    put(text, "%s[", name);
    for (const char *c = value; *c; c++) {
        if (*c == ']' || *c == '\\')
            put_bytes(text, "\\", 1);
        put_bytes(text, (unsigned char)*c < ' ' || *c == 127 ? "?" : c, 1);
        /* A reader that has lost its way looks for "(;" to find the next game. */
        if (c[0] == '(' && c[1] == ';')
            put_bytes(text, " ", 1);
    }
    put_bytes(text, "]", 1);
}

static void put_start(struct text *text, const struct willow_game *game)
{
    char board[67];
    willow_board_format(game->boards[0], game->start_side, board);
    for (char *c = board; *c; c++)
        if (*c == 'X')
            *c = '*';
    put(text, "BO[8");
    for (size_t row = 0; row < 8; row++)
        put(text, " %.8s", board + 8 * row);
    put(text, " %c]", board[65]);
}

/* Two decimals, and no sign before a zero. */
static void put_number(struct text *text, double number)
{
    put(text, "/%.2f", fabs(number) < 0.005 ? 0.0 : number);
}

static void put_move(struct text *text, enum willow_side side, willow_square move, const struct willow_ggf_move *known)
{
    char name[3];
    put(text, "%c[%s", side == WILLOW_BLACK ? 'B' : 'W', move == WILLOW_PASS ? "PA" : willow_square_format(move, name));
    const bool has_score = known && known->has_score && isfinite(known->score_discs);
    const bool has_time = known && known->has_time && isfinite(known->seconds);
    if (has_score)
        put_number(text, known->score_discs);
    else if (has_time)
        put(text, "/");
    if (has_time)
        put_number(text, known->seconds);
    put(text, "]");
}

size_t willow_ggf_format(const struct willow_ggf_game *record, char *buffer, size_t size)
{
    const struct willow_game *game = record->game;
    struct text text = {.buffer = buffer, .size = size};
    if (size > 0)
        buffer[0] = '\0';
    if (game->ruleset != willow_ruleset_othello())
        return 0;
    put(&text, "(;GM[Othello]");
    put_text(&text, "PC", record->place);
    put_text(&text, "PB", record->black);
    put_text(&text, "PW", record->white);
    if (record->clock)
        put_text(&text, "TI", record->clock);
    put(&text, "TY[8]RE[%+d.000", record->result_discs);
    if (record->ending)
        put(&text, ":%c", record->ending);
    put(&text, "]");
    put_start(&text, game);
    for (int i = 0; i < game->length; i++) {
        const bool first = i % 2 == 0;
        const enum willow_side side = first == (game->start_side == WILLOW_BLACK) ? WILLOW_BLACK : WILLOW_WHITE;
        put_move(&text, side, game->moves[i], record->moves ? &record->moves[i] : NULL);
    }
    put(&text, ";)");
    return text.length;
}
