/* Game records of which each takes a line: transcripts, with or without the board that they start from, are read and
 * written, positions are read. Layer: rules. What a move or a board looks like is the business of notation.c,
 * board_text.c and obf.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>

#include "rules/board_text.h"
#include "rules/record_reader.h"
#include "rules/text_scan.h"
#include "rules/written_moves.h"

/* The longest game with passes, numbers and separators takes about a thousand bytes, and so do the scores of a
 * position. */
enum { LINE_BYTES = 4096 };

/* The next line, cut where the buffer ends. `piece` is all of it, without its end. */
static bool next_line(struct willow_records *records, char line[LINE_BYTES], struct record_piece *piece)
{
    if (records->at >= records->size_bytes)
        return false;
    const unsigned char *text = records->data + records->at;
    const unsigned char *end = memchr(text, '\n', records->size_bytes - records->at);
    *piece = (struct record_piece){records->at, end ? (size_t)(end - text) : records->size_bytes - records->at};
    records->at += piece->length + (end != NULL);
    const size_t copied = piece->length < LINE_BYTES ? piece->length : LINE_BYTES - 1;
    memcpy(line, text, copied);
    line[copied] = '\0';
    return true;
}

/* The first move of a line, and the number before it when it is written as "3." (else 0); false when the line begins
 * with anything else. */
static bool first_move(const char *line, int *number, willow_square *move)
{
    const char *at = text_skip_blanks(text_skip_mark(line));
    int value = 0;
    const char *digits = at;
    for (; text_is_digit(*at) && at < digits + 3; at++)
        value = 10 * value + *at - '0';
    const bool numbered = at > digits && (*at == '.' || *at == ':' || *at == ')');
    *number = numbered ? value : 0;
    while (numbered && (*at == '.' || *at == ':' || *at == ')'))
        at++;
    at = text_skip_blanks(at);
    /* Two hyphens are a pass, but three or more begin a board. */
    return strncmp(at, "---", 3) != 0 && text_scan_move(at, move) > 0;
}

/* Behind the board that a line begins with, blanks left out; null when it begins with none. A pass as "--" is none. */
static const char *scan_board(const struct willow_ruleset *ruleset, const char *line, struct willow_board *board,
                              enum willow_side *side, struct willow_error *error)
{
    const char *at = text_skip_blanks(text_skip_mark(line));
    willow_square move;
    /* What moves begin with, most of all; cheaper than to try. */
    if (text_scan_move(at, &move) > 0 && move != WILLOW_PASS)
        return NULL;
    return board_text_scan(ruleset, line, &at, WILLOW_BOARD_ANY, true, board, side, error) == WILLOW_OK ? at : NULL;
}

/* Takes the comment away, which begins with '#', and the blanks before it: from the buffer, and from the length of the
 * piece. A '#' in the board at the start is a disc. */
static void strip_comment(const struct willow_records *records, char *line, struct record_piece *piece)
{
    struct willow_board board;
    enum willow_side side;
    const unsigned char *text = records->data + piece->at, *from = text;
    if (!memchr(text, '#', piece->length) && piece->length < LINE_BYTES) {
        while (piece->length > 0 && text_is_blank(line[piece->length - 1]))
            piece->length--;
        line[piece->length] = '\0';
        return;
    }
    const char *behind = scan_board(records->ruleset, line, &board, &side, NULL);
    if (behind)
        from += behind - line;
    const unsigned char *comment = memchr(from, '#', piece->length - (size_t)(from - text));
    if (comment)
        piece->length = (size_t)(comment - text);
    while (piece->length > 0 && text_is_blank((char)text[piece->length - 1]))
        piece->length--;
    if (piece->length < LINE_BYTES)
        line[piece->length] = '\0';
}

/* The next line of transcripts that holds more than blanks and a comment. */
static bool next_transcript(struct willow_records *records, char line[LINE_BYTES], struct record_piece *piece)
{
    while (next_line(records, line, piece)) {
        strip_comment(records, line, piece);
        if (piece->length > 0)
            return true;
    }
    return false;
}

void transcripts_begin(struct willow_records *records)
{
    struct willow_records ahead = *records;
    struct record_piece piece;
    struct willow_game game;
    char line[LINE_BYTES];
    /* Of the lines below the first moves: whether one begins as a game may, and one as no game can. */
    bool fresh = false, continued = false, legal = true, moves_begun = false;
    willow_game_init(&game, records->ruleset);
    const willow_bits openings = willow_board_moves(game.ruleset, willow_game_board(&game));
    for (bool first = true; next_transcript(&ahead, line, &piece); first = false) {
        int number;
        willow_square move;
        struct willow_board board;
        enum willow_side side;
        const char *behind = first ? scan_board(records->ruleset, line, &board, &side, NULL) : NULL;
        if (behind) {
            (void)willow_game_init_board(&game, game.ruleset, board, side, NULL);
            memset(line, ' ', (size_t)(behind - line));
            moves_begun = *text_skip_blanks(behind) != '\0';
        } else if (!first_move(line, &number, &move)) {
            return;
        } else if (!moves_begun) {
            moves_begun = true;
            continued = !first; /* moves below a board alone */
        } else {
            const bool opening = move < WILLOW_SQUARES && openings >> move & 1;
            fresh |= opening;
            continued |= !opening || number > 1;
        }
        legal = legal && piece.length < LINE_BYTES && willow_transcript_parse(&game, line, NULL) == WILLOW_OK;
        if (fresh && !legal)
            return;
    }
    records->joined = continued;
}

/* Plays the moves of a line, behind the board when it may begin with one. A line that begins with a move and fails
 * later is a game with a fault in it; one that does not is something else. The moves of an illegal one are noted. */
static void play_line(struct willow_records *records, struct willow_record *record, struct record_piece piece,
                      char *line, bool may_be_board, struct written_moves *written)
{
    char place[RECORD_PLACE], both[2 * RECORD_PLACE + 16];
    struct willow_board board;
    enum willow_side side;
    struct willow_error error, board_error = {0};
    (void)record_text_place(records, piece.at, place);
    if (piece.length >= LINE_BYTES) {
        record_fail(record, WILLOW_RECORD_DAMAGED, place, "a line of %zu bytes is no transcript", piece.length);
        return;
    }
    const char *behind = may_be_board ? scan_board(records->ruleset, line, &board, &side, &board_error) : NULL;
    if (behind) {
        (void)willow_game_init_board(&record->game, records->ruleset, board, side, NULL);
        memset(line, ' ', (size_t)(behind - line)); /* columns stay as they are */
    }
    const int before = record->game.length;
    if (transcript_play(&record->game, line, &error) == WILLOW_OK)
        return;
    /* A long word that does not begin with a move is a board with a fault in it rather than moves. */
    int number;
    willow_square move;
    const size_t long_word = (size_t)(records->ruleset->width * records->ruleset->height) / 4;
    const bool as_board = board_error.reason[0] && !first_move(line, &number, &move) &&
                          strcspn(text_skip_blanks(line), " \t") >= long_word;
    /* The parser's words for a move that it read and could not play begin so. */
    const bool illegal = !as_board && strncmp(error.reason, "illegal ", 8) == 0;
    if (as_board)
        error = board_error;
    (void)snprintf(both, sizeof both, "line %" PRIu64 ", %s", records->line, error.place);
    record_fail(record, illegal ? WILLOW_RECORD_ILLEGAL : WILLOW_RECORD_DAMAGED, both, "%s", error.reason);
    if (illegal) {
        written_moves_add_played(written, &record->game, before);
        transcript_moves(line, written);
    }
}

bool transcripts_next(struct willow_records *records, struct willow_record *record)
{
    char line[LINE_BYTES], place[RECORD_PLACE];
    struct record_piece piece;
    struct written_moves written = {.count = 0};
    if (!next_transcript(records, line, &piece))
        return false;
    const size_t start = piece.at;
    record_begin(records, record, start);
    play_line(records, record, piece, line, true, &written);
    while (records->joined && next_transcript(records, line, &piece))
        if (record->kind == WILLOW_RECORD_COMPLETE)
            play_line(records, record, piece, line, false, &written);
        else
            transcript_moves(line, &written);
    if (record->kind == WILLOW_RECORD_ILLEGAL)
        written_moves_suggest(&written, &record->game, &record->error);
    if (record->kind == WILLOW_RECORD_COMPLETE)
        record_end(record, record_text_place(records, start, place));
    return true;
}

char *willow_transcript_line(const struct willow_game *game, char buffer[WILLOW_TRANSCRIPT_LINE])
{
    char *moves = buffer;
    if (!willow_game_starts_usually(game) || game->length == 0) {
        moves += strlen(willow_board_format(game->ruleset, game->boards[0], game->start_side, buffer));
        if (game->length > 0)
            *moves++ = ' ';
    }
    (void)willow_transcript_format(game, moves);
    return buffer;
}

/* A line as a board in one notation. *empty as of willow_obf_parse. */
static enum willow_status parse_board_line(const struct willow_records *records, char *line,
                                           struct willow_obf *position, bool *empty, struct willow_error *error)
{
    const char first = *text_skip_blanks(line);
    char *comment = strchr(line, '%');
    if (comment)
        *comment = '\0';
    *empty = first == '\0' || first == '%';
    if (*empty)
        return WILLOW_OK;
    const enum willow_status status =
        willow_board_parse_as(records->ruleset, line, records->notation, &position->board, &position->side, error);
    *empty = status != WILLOW_OK && first == '#';
    return *empty ? WILLOW_OK : status;
}

bool positions_next(struct willow_records *records, struct willow_record *record)
{
    char line[LINE_BYTES], place[RECORD_PLACE], both[2 * RECORD_PLACE + 16];
    struct record_piece piece;
    while (next_line(records, line, &piece)) {
        struct willow_obf position;
        struct willow_error error = {0};
        bool empty = false, long_line = piece.length >= LINE_BYTES;
        char *text = line + (text_skip_mark(line) - line);
        const enum willow_status status = long_line || records->notation == WILLOW_BOARD_ANY
                                              ? willow_obf_parse(records->ruleset, text, &position, &empty, &error)
                                              : parse_board_line(records, text, &position, &empty, &error);
        if (empty)
            continue;
        record_begin(records, record, piece.at);
        (void)record_text_place(records, piece.at, place);
        (void)snprintf(both, sizeof both, "line %" PRIu64 ", %s", records->line, error.place);
        if (long_line)
            record_fail(record, WILLOW_RECORD_DAMAGED, place, "a line of %zu bytes is no position", piece.length);
        else if (status != WILLOW_OK)
            record_fail(record, WILLOW_RECORD_DAMAGED, both, "%s", error.reason);
        else
            (void)willow_game_init_board(&record->game, records->ruleset, position.board, position.side, NULL);
        record_end(record, place);
        return true;
    }
    return false;
}
