/* Squares and transcripts as text. Boards are in board_text.c, OBF lines in obf.c. Layer: rules. Reads from memory
 * only; file names and line numbers are added by the caller.
 */
#include <willow/notation.h>

#include <stdbool.h>
#include <string.h>

#include "rules/text_scan.h"
#include "rules/written_moves.h"

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

/* A transcript as far as it is read. */
struct reading {
    const char *at;
    bool separated;   /* at the start or behind a separator, where a move number may stand */
    bool behind_move; /* directly */
};

/* Reads the next move, which begins at *start. False at the end of the text, and before what is no move. */
static bool next_move(struct reading *reading, willow_square *move, const char **start)
{
    while (*reading->at) {
        const size_t separator = scan_separator(reading->at, reading->behind_move);
        reading->behind_move = false;
        const size_t number = separator == 0 && reading->separated ? scan_move_number(reading->at) : 0;
        if (separator + number == 0)
            break;
        reading->separated = separator > 0;
        reading->at += separator + number;
    }
    *start = reading->at;
    const size_t length = text_scan_move(reading->at, move);
    reading->separated = false;
    reading->behind_move = true;
    reading->at += length;
    return length > 0;
}

/* Whether what is no move here is one on the largest board there is: "i3", "a9", "c10". `from` is where the text
 * begins; of the last kind two characters may have been read as a move. */
static bool is_larger_square(const char *from, const char *at)
{
    const int largest = 10;
    const char column = text_lower(at[0]);
    if (WILLOW_SIDE >= largest)
        return false;
    return (at > from && at[-1] == '1' && at[0] == '0') ||
           (column >= 'a' && column < 'a' + largest && at[1] >= '1' && at[1] <= '9');
}

void transcript_moves(const char *text, struct written_moves *written)
{
    text = text_skip_mark(text);
    struct reading reading = {.at = text, .separated = true};
    const char *start;
    willow_square move;
    while (next_move(&reading, &move, &start))
        written_moves_add(written, move, WRITTEN_ANY_SIDE);
    if (*start) {
        written->unreadable = true;
        written->beyond = is_larger_square(text, start);
    }
}

enum willow_status transcript_play(struct willow_game *game, const char *text, struct willow_error *error)
{
    text = text_skip_mark(text);
    struct reading reading = {.at = text, .separated = true};
    const char *start;
    willow_square move;
    while (next_move(&reading, &move, &start)) {
        struct willow_error reason;
        if (written_move_play(game, move, &reason) != WILLOW_OK) {
            (void)text_fail_at(error, text, start, "illegal move");
            if (error)
                memcpy(error->reason, reason.reason, sizeof error->reason);
            return WILLOW_ERR_FORMAT;
        }
    }
    return *start ? text_fail_at(error, text, start, "not a move") : WILLOW_OK;
}

enum willow_status willow_transcript_parse(struct willow_game *game, const char *text, struct willow_error *error)
{
    const int before = game->length;
    const enum willow_status status = transcript_play(game, text, error);
    if (status != WILLOW_OK && error) {
        struct written_moves written = {.count = 0};
        written_moves_add_played(&written, game, before);
        transcript_moves(text, &written);
        written_moves_suggest(&written, game, error);
    }
    return status;
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
