/* Tells by its content which format of game records some data is. Layer: rules. Reads no more of it than it must, and
 * says nothing of whether the data is good.
 */
#include <string.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "rules/board_text.h"
#include "rules/record_reader.h"
#include "rules/text_scan.h"
#include "rules/wthor.h"

/* A header with a day that may be, whatever the size: what is cut off is to be named as what it is. */
static bool looks_like_wthor(const struct willow_records *data)
{
    if (data->size_bytes < WILLOW_WTHOR_HEADER_BYTES)
        return false;
    struct willow_error error;
    if (wthor_check(data, &error) == WILLOW_OK || error.status == WILLOW_ERR_MISMATCH)
        return true;
    const unsigned char *header = data->data;
    const unsigned char *day = header + WTHOR_CENTURY;
    return (day[0] == 19 || day[0] == 20) && day[1] < 100 && day[2] >= 1 && day[2] <= 12 && day[3] >= 1 && day[3] <= 31;
}

/* GGF has its game in words, SGF as a number; the starting board tells those apart that say neither. */
static enum willow_record_format tree_format(const struct willow_records *data, size_t at)
{
    size_t end = record_find(data, at, ")");
    const size_t game = record_find(data, at, "GM[");
    if (game < end && game + 3 < data->size_bytes)
        return text_is_digit((char)data->data[game + 3]) ? WILLOW_RECORDS_SGF : WILLOW_RECORDS_GGF;
    return record_find(data, at, "BO[") < end ? WILLOW_RECORDS_GGF : WILLOW_RECORDS_SGF;
}

/* Copies the line at data->at, cut to fit, and moves behind it. */
static bool next_line(struct willow_records *data, char *line, size_t size)
{
    if (data->at >= data->size_bytes)
        return false;
    const unsigned char *text = data->data + data->at;
    const unsigned char *end = memchr(text, '\n', data->size_bytes - data->at);
    const size_t length = end ? (size_t)(end - text) : data->size_bytes - data->at;
    const size_t copied = length < size ? length : size - 1;
    memcpy(line, text, copied);
    line[copied] = '\0';
    data->at += length + (end != NULL);
    return true;
}

enum line_kind { LINE_EMPTY, LINE_MOVES, LINE_BOARD, LINE_BOARD_MOVES, LINE_OTHER };

static enum line_kind kind_of_line(const char *line)
{
    struct willow_obf position;
    struct willow_board board;
    enum willow_side side;
    willow_square move;
    bool empty;
    const char *at = text_skip_blanks(text_skip_mark(line));
    if (text_scan_move(at, &move) > 0 && move != WILLOW_PASS)
        return LINE_MOVES;
    if (willow_obf_parse(willow_ruleset_default(), line + (text_skip_mark(line) - line), &position, &empty, NULL) ==
        WILLOW_OK)
        return empty ? LINE_EMPTY : LINE_BOARD;
    const char *behind = at;
    if (board_text_scan(willow_ruleset_default(), line, &behind, WILLOW_BOARD_ANY, true, &board, &side, NULL) ==
        WILLOW_OK)
        return *text_skip_blanks(behind) == ';' ? LINE_BOARD : LINE_BOARD_MOVES;
    behind = board_text_any_size(line, at + (*at == '"' || *at == '\''));
    if (behind)
        return strchr(";%\"'", *text_skip_blanks(behind)) ? LINE_BOARD : LINE_BOARD_MOVES; /* the end is found, too */
    /* A board with a fault in it is to be named as what it is. */
    enum { BOARD_BYTES = 32 };
    if (strspn(at, "-._XxOo*#BbWw012 ") >= BOARD_BYTES)
        return LINE_BOARD;
    /* A move number and a move. A pass, which a word of other text may begin with as well, is none to begin with. */
    at += strspn(at, "0123456789.:)");
    return text_scan_move(text_skip_blanks(at), &move) > 0 && move != WILLOW_PASS ? LINE_MOVES : LINE_OTHER;
}

static bool is_text(const struct willow_records *data)
{
    for (size_t i = 0; i < data->size_bytes; i++)
        if (data->data[i] < ' ' && !record_is_space(data->data[i]))
            return false;
    return true;
}

/* By the first line that is not empty, and for a board alone by the next one. */
static bool guess_lines(struct willow_records *data, enum willow_record_format *format)
{
    char line[1024]; /* what a line is shows in less */
    bool board = false;
    while (next_line(data, line, sizeof line)) {
        const enum line_kind kind = kind_of_line(line);
        if (kind == LINE_EMPTY)
            continue;
        if (kind == LINE_MOVES || kind == LINE_BOARD_MOVES) {
            *format = WILLOW_RECORDS_TRANSCRIPTS;
            return true;
        }
        if (kind == LINE_OTHER || board)
            break;
        board = true;
    }
    *format = WILLOW_RECORDS_POSITIONS;
    return board;
}

bool willow_records_guess(const void *data, size_t size_bytes, enum willow_record_format *format)
{
    struct willow_records records = {.data = data, .size_bytes = size_bytes};
    if (looks_like_wthor(&records)) {
        *format = WILLOW_RECORDS_WTHOR;
        return true;
    }
    if (!is_text(&records))
        return false;
    if (guess_lines(&records, format))
        return true;
    /* Numbers of games, the head of a mail or other text may stand before the first game. */
    const size_t tree = record_find_tree(&records, 0);
    *format = tree_format(&records, tree);
    return tree < size_bytes;
}
