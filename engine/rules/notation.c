/* Squares, transcripts, boards and OBF lines as text, by hand-written scanners that know their column.
 * Layer: rules. Reads from memory only; file names and line numbers are added by the caller.
 */
#include <willow/notation.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rules/kernel.h"
#include "rules/record_reader.h"

/* Character classes of our own: those of <ctype.h> follow the locale and are undefined for negative char. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool starts_with(const char *text, const char *word)
{
    while (*word)
        if (lower(*text++) != *word++)
            return false;
    return true;
}

/* Reads a square or a pass at the start of text. Returns the bytes read, 0 when it is neither. */
static size_t scan_move(const char *text, willow_square *move)
{
    static const char *const passes[] = {"pass", "pa", "ps", "--"};
    const char column = lower(text[0]);
    if (column >= 'a' && column <= 'h' && text[1] >= '1' && text[1] <= '8') {
        *move = (willow_square)(8 * (text[1] - '1') + column - 'a');
        return 2;
    }
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
        if (starts_with(text, passes[i])) {
            *move = WILLOW_PASS;
            return strlen(passes[i]);
        }
    return 0;
}

willow_square willow_square_parse(const char *text)
{
    willow_square move;
    const size_t length = scan_move(text, &move);
    return length > 0 && text[length] == '\0' ? move : WILLOW_NO_SQUARE;
}

char *willow_square_format(willow_square square, char *buffer)
{
    if (square < 64) {
        buffer[0] = (char)('a' + square % 8);
        buffer[1] = (char)('1' + square / 8);
        buffer[2] = '\0';
    } else {
        memcpy(buffer, square == WILLOW_PASS ? "pa" : "--", 3);
    }
    return buffer;
}

/* Fails with the place of `at` in text: "column 7", or "line 2, column 7" after a line end; the column counts bytes.
 * `what` goes before the first characters found there (plain ASCII alone, so that the report is good text whatever the
 * input). */
static enum willow_status fail_at(struct willow_error *error, const char *text, const char *at, const char *what)
{
    int line = 1;
    const char *start = text;
    for (const char *c = text; c < at; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    char place[64];
    if (line == 1)
        snprintf(place, sizeof place, "column %td", at - start + 1);
    else
        snprintf(place, sizeof place, "line %d, column %td", line, at - start + 1);

    size_t length = 0;
    while (length < 8 && at[length] > ' ' && at[length] < 127 && at[length] != ';' && at[length] != ',')
        length++;
    if (length > 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "%s: \"%.*s\"", what, (int)length, at);
    return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "%s%s", what, *at == '\0' ? " at the end" : "");
}

/* Length of a move number at the start of text: digits with "." or ":", or digits alone with a blank behind. 0 when
 * there is none. */
static size_t scan_move_number(const char *text)
{
    size_t digits = 0;
    while (digits < 4 && is_digit(text[digits]))
        digits++;
    if (digits == 0 || digits == 4)
        return 0;
    if (text[digits] == '.' || text[digits] == ':')
        return digits + 1;
    return is_blank(text[digits]) ? digits : 0;
}

static bool is_separator(char c)
{
    return is_blank(c) || c == '\n' || c == ',' || c == ';';
}

enum willow_status written_move_play(struct willow_game *game, willow_square move, struct willow_error *error)
{
    const bool pass_left_out = move != WILLOW_PASS && !willow_game_over(game) &&
                               willow_board_moves(game->ruleset, willow_game_board(game)) == 0;
    if (!pass_left_out)
        return willow_game_play(game, move, error);
    enum willow_status status = willow_game_play(game, WILLOW_PASS, error);
    if (status != WILLOW_OK)
        return status;
    status = willow_game_play(game, move, error);
    if (status != WILLOW_OK)
        willow_game_undo(game); /* the pass was our reading; without the move it was not in the text */
    return status;
}

enum willow_status willow_transcript_parse(struct willow_game *game, const char *text, struct willow_error *error)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (strncmp(text, byte_order_mark, 3) == 0)
        text += 3;

    const char *at = text;
    bool separated = true; /* at the start or behind a separator, where a move number may stand */
    while (*at) {
        if (is_separator(*at)) {
            separated = true;
            at++;
            continue;
        }
        const size_t number = separated ? scan_move_number(at) : 0;
        if (number > 0) {
            separated = false;
            at += number;
            continue;
        }
        willow_square move;
        const size_t length = scan_move(at, &move);
        if (length == 0)
            return fail_at(error, text, at, "not a move");
        struct willow_error reason;
        if (written_move_play(game, move, &reason) != WILLOW_OK) {
            (void)fail_at(error, text, at, "illegal move");
            if (error)
                memcpy(error->reason, reason.reason, sizeof error->reason);
            return WILLOW_ERR_FORMAT;
        }
        separated = false;
        at += length;
    }
    return WILLOW_OK;
}

char *willow_transcript_format(const struct willow_game *game, char *buffer)
{
    char *end = buffer;
    *end = '\0';
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] != WILLOW_PASS) {
            willow_square_format(game->moves[i], end);
            end += 2;
        }
    return buffer;
}

/* 'X', 'O' or '-' for every accepted spelling, else 0. */
static char square_content(char c)
{
    if (c == '\0')
        return 0;
    if (strchr("Xx*Bb", c))
        return 'X';
    if (strchr("Oo0Ww", c))
        return 'O';
    return strchr("-._", c) ? '-' : 0;
}

/* Reads 64 squares, blanks and a side at `at` inside text. On success *end is behind the side. */
static enum willow_status scan_position(const char *text, const char *at, struct willow_board *board,
                                        enum willow_side *side, const char **end, struct willow_error *error)
{
    uint64_t black = 0, white = 0;
    for (int i = 0; i < 64; i++, at++) {
        const char content = square_content(*at);
        if (content == 0 && (*at == '\0' || is_blank(*at) || *at == ';')) {
            char what[64];
            snprintf(what, sizeof what, "the board has %d squares instead of 64", i);
            return fail_at(error, text, at, what);
        }
        if (content == 0)
            return fail_at(error, text, at, "neither a disc nor an empty square");
        if (content == 'X')
            black |= UINT64_C(1) << i;
        else if (content == 'O')
            white |= UINT64_C(1) << i;
    }
    while (is_blank(*at))
        at++;
    const char mover = square_content(*at);
    if (mover != 'X' && mover != 'O')
        return fail_at(error, text, at, *at == '\0' || *at == ';' ? "no side to move" : "not a side to move");
    *side = mover == 'X' ? WILLOW_BLACK : WILLOW_WHITE;
    board->player = mover == 'X' ? black : white;
    board->opponent = mover == 'X' ? white : black;
    *end = at + 1;
    return WILLOW_OK;
}

enum willow_status willow_board_parse(const char *text, struct willow_board *board, enum willow_side *side,
                                      struct willow_error *error)
{
    struct willow_board found;
    enum willow_side mover;
    const char *at = text;
    while (is_blank(*at))
        at++;
    const enum willow_status status = scan_position(text, at, &found, &mover, &at, error);
    if (status != WILLOW_OK)
        return status;
    while (is_blank(*at))
        at++;
    if (*at != '\0')
        return fail_at(error, text, at, "text behind the side to move");
    *board = found;
    *side = mover;
    return WILLOW_OK;
}

char *willow_board_format(struct willow_board board, enum willow_side side, char *buffer)
{
    const uint64_t black = side == WILLOW_BLACK ? board.player : board.opponent;
    const uint64_t white = side == WILLOW_BLACK ? board.opponent : board.player;
    for (int i = 0; i < 64; i++)
        buffer[i] = (char)(black >> i & 1 ? 'X' : white >> i & 1 ? 'O' : '-');
    buffer[64] = ' ';
    buffer[65] = side == WILLOW_BLACK ? 'X' : 'O';
    buffer[66] = '\0';
    return buffer;
}

/* Reads [+-]digits, at most three of them. Returns the bytes read, 0 when it is no such number. */
static size_t scan_score(const char *text, int *score)
{
    const size_t sign = text[0] == '+' || text[0] == '-';
    size_t digits = 0;
    int value = 0;
    while (digits < 4 && is_digit(text[sign + digits]))
        value = 10 * value + text[sign + digits++] - '0';
    if (digits == 0 || digits == 4)
        return 0;
    *score = text[0] == '-' ? -value : value;
    return sign + digits;
}

/* True when `move` may be played on the board of *obf: the line's own ruleset is not known here, so every square
 * counts. */
static bool obf_move_legal(const struct willow_obf *obf, willow_square move)
{
    const struct willow_board board = obf->board;
    if (move == WILLOW_PASS)
        return kernel_moves(board.player, board.opponent) == 0 && kernel_moves(board.opponent, board.player) != 0;
    return kernel_moves(board.player, board.opponent) >> move & 1;
}

/* Reads "move:score" at *at, with blanks around both, and adds it unless it is the filler. */
static enum willow_status scan_scored_move(const char *line, const char **at, struct willow_obf *obf,
                                           struct willow_error *error)
{
    enum { FILLER_SCORE = -127 };
    const char *start = *at;
    willow_square move;
    int score;
    const size_t move_length = scan_move(start, &move);
    if (move_length == 0)
        return fail_at(error, line, start, "not a move");
    const char *c = start + move_length;
    while (is_blank(*c))
        c++;
    if (*c != ':')
        return fail_at(error, line, c, "no \":\" between move and score");
    c++;
    while (is_blank(*c))
        c++;
    const size_t score_length = scan_score(c, &score);
    if (score_length == 0)
        return fail_at(error, line, c, "not a score");
    *at = c + score_length;
    if (starts_with(start, "--") && score == FILLER_SCORE)
        return WILLOW_OK;
    if (score < -64 || score > 64)
        return fail_at(error, line, c, "score outside -64..64");
    if (!obf_move_legal(obf, move))
        return fail_at(error, line, start, "illegal move");
    for (int i = 0; i < obf->count; i++)
        if (obf->moves[i] == move)
            return fail_at(error, line, start, "move scored twice");
    obf->moves[obf->count] = move; /* distinct legal moves: never more than 64 */
    obf->scores_discs[obf->count++] = score;
    return WILLOW_OK;
}

enum willow_status willow_obf_parse(const char *line, struct willow_obf *obf, bool *empty, struct willow_error *error)
{
    *obf = (struct willow_obf){0};
    const char *at = line;
    while (is_blank(*at))
        at++;
    *empty = *at == '\0' || *at == '%' || *at == '#';
    if (*empty)
        return WILLOW_OK;

    enum willow_status status = scan_position(line, at, &obf->board, &obf->side, &at, error);
    bool item_may_follow = false; /* only behind a semicolon */
    while (status == WILLOW_OK) {
        while (is_blank(*at))
            at++;
        if (*at == '\0' || *at == '%' || *at == '\n')
            break;
        if (*at == ';') {
            item_may_follow = true;
            at++;
        } else if (item_may_follow) {
            item_may_follow = false;
            status = scan_scored_move(line, &at, obf, error);
        } else {
            status = fail_at(error, line, at, "\";\" expected");
        }
    }
    return status;
}
