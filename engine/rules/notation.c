/* Squares and transcripts as text. Boards are in board_text.c, OBF lines in obf.c. Layer: rules. Reads from memory
 * only; file names and line numbers are added by the caller.
 */
#include <willow/notation.h>

#include <stdbool.h>
#include <string.h>

#include "rules/record_reader.h"
#include "rules/text_scan.h"

willow_square willow_square_parse(const char *text)
{
    willow_square move;
    const size_t length = text_scan_move(text, &move);
    return length > 0 && text[length] == '\0' ? move : WILLOW_NO_SQUARE;
}

char *willow_square_format(willow_square square, char *buffer)
{
    if (square < WILLOW_SQUARES) {
        char *end = buffer;
        *end++ = (char)('a' + square % WILLOW_SIDE);
        const int row = square / WILLOW_SIDE + 1;
        if (row >= 10)
            *end++ = (char)('0' + row / 10);
        *end++ = (char)('0' + row % 10);
        *end = '\0';
    } else {
        memcpy(buffer, square == WILLOW_PASS ? "pa" : "--", 3);
    }
    return buffer;
}

/* Length of a move number at the start of text: digits with ".", "...", ":" or ")" behind, or digits alone with a blank
 * behind. 0 when there is none. */
static size_t scan_move_number(const char *text)
{
    size_t digits = 0;
    while (digits < 4 && text_is_digit(text[digits]))
        digits++;
    if (digits == 0 || digits == 4)
        return 0;
    const char *behind = text + digits;
    if (strncmp(behind, "...", 3) == 0)
        return digits + 3;
    if (*behind == '.' || *behind == ':' || *behind == ')')
        return digits + 1;
    return text_scan_blank(behind) > 0 ? digits : 0;
}

/* Length of the separator at the start of text. A hyphen is one only between two moves that touch it, so that two of
 * them stay a pass. */
static size_t scan_separator(const char *text, bool behind_move)
{
    willow_square move;
    if (*text == '\n' || *text == ',' || *text == ';')
        return 1;
    if (behind_move && text[0] == '-' && text[1] != '-')
        return text_scan_move(text + 1, &move) > 0;
    return text_scan_blank(text);
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
    text = text_skip_mark(text);
    const char *at = text;
    bool separated = true;    /* at the start or behind a separator, where a move number may stand */
    bool behind_move = false; /* directly */
    while (*at) {
        const size_t separator = scan_separator(at, behind_move);
        behind_move = false;
        if (separator > 0) {
            separated = true;
            at += separator;
            continue;
        }
        const size_t number = separated ? scan_move_number(at) : 0;
        if (number > 0) {
            separated = false;
            at += number;
            continue;
        }
        willow_square move;
        const size_t length = text_scan_move(at, &move);
        if (length == 0)
            return text_fail_at(error, text, at, "not a move");
        struct willow_error reason;
        if (written_move_play(game, move, &reason) != WILLOW_OK) {
            (void)text_fail_at(error, text, at, "illegal move");
            if (error)
                memcpy(error->reason, reason.reason, sizeof error->reason);
            return WILLOW_ERR_FORMAT;
        }
        separated = false;
        behind_move = true;
        at += length;
    }
    return WILLOW_OK;
}

char *willow_transcript_format(const struct willow_game *game, char *buffer)
{
    char *end = buffer;
    *end = '\0';
    for (int i = 0; i < game->length; i++)
        if (game->moves[i] != WILLOW_PASS || i == game->length - 1) {
            willow_square_format(game->moves[i], end);
            end += strlen(end);
        }
    return buffer;
}
