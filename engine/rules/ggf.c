/* Reads Generic Game Format (GGF), the text in which the GGS server and NBoard keep games. Layer: rules.
 * Unknown tags are left alone; a fault in one game does not hide the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

#include "rules/record_reader.h"
#include "rules/text_scan.h"

enum { MOVE_BYTES = 8, NUMBER_BYTES = 32 };

/* The game being read. */
struct game_text {
    struct willow_records *records;
    struct willow_record *record;
    bool started; /* BO was read */
};

static const char *text_of(const struct willow_records *records, struct record_piece piece)
{
    return (const char *)records->data + piece.at;
}

static char upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static bool is_word(const struct willow_records *records, struct record_piece piece, const char *word)
{
    const char *text = text_of(records, piece);
    if (strlen(word) != piece.length)
        return false;
    for (size_t i = 0; i < piece.length; i++)
        if (upper(text[i]) != word[i])
            return false;
    return true;
}

/* "8" with "s" before it (two games at a time), "a" behind it (anti) and "r14" behind that (a start drawn at random,
 * which the game tells). False for komi and all else that is not known. */
static bool parse_type(const struct willow_records *records, struct record_piece type, int *width, bool *fewest_wins)
{
    const char *text = text_of(records, type);
    size_t i = type.length > 0 && upper(text[0]) == 'S';
    *width = 0;
    for (; i < type.length && text_is_digit(text[i]) && *width < 100; i++)
        *width = 10 * *width + text[i] - '0';
    *fewest_wins = i < type.length && upper(text[i]) == 'A';
    i += *fewest_wins;
    if (i < type.length && upper(text[i]) == 'R')
        for (i++; i < type.length && text_is_digit(text[i]); i++)
            ;
    return *width > 0 && i == type.length;
}

static void fail_at(const struct game_text *game, enum willow_record_kind kind, size_t at, const char *reason)
{
    record_fail_at(game->records, game->record, kind, at, reason);
}

static void fail_quoting(const struct game_text *game, enum willow_record_kind kind, struct record_piece value,
                         const char *reason)
{
    record_fail_quoting(game->records, game->record, kind, value, reason);
}

/* A game on a board of that width, which is not the ruleset's, or with the other side as the winner. */
static void fail_variant(const struct game_text *game, struct record_piece value, int width, bool fewest_wins)
{
    char name[RULESET_NAME], reason[64];
    if (record_variant_name(width, fewest_wins, name)) {
        record_fail_other(game->records, game->record, value.at, name);
        return;
    }
    (void)snprintf(reason, sizeof reason, "another variant than %s", game->records->ruleset->name);
    fail_quoting(game, WILLOW_RECORD_OTHER_VARIANT, value, reason);
}

/* TY[8a]. */
static void read_type(struct game_text *game, struct record_piece value)
{
    const struct willow_ruleset *ruleset = game->records->ruleset;
    int width;
    bool fewest_wins;
    if (!parse_type(game->records, value, &width, &fewest_wins))
        fail_variant(game, value, 0, false);
    else if (!ruleset_has_ggf_type(ruleset) || width != ruleset->width || fewest_wins != ruleset->fewest_wins)
        fail_variant(game, value, width, fewest_wins);
}

/* BO[8 ---...--- *]: the width, the squares with or without blanks between them, the side to move. */
static void read_start(struct game_text *game, struct record_piece value)
{
    const struct willow_ruleset *ruleset = game->records->ruleset;
    const char *text = text_of(game->records, value);
    size_t i = 0;
    int width = 0;
    while (i < value.length && record_is_space((unsigned char)text[i]))
        i++;
    for (; i < value.length && text_is_digit(text[i]) && width < 100; i++)
        width = 10 * width + text[i] - '0';
    if (width != ruleset->width && width > 0) {
        fail_variant(game, value, width, false);
        return;
    }
    if (width == 0) {
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "a start position without its width");
        return;
    }
    const size_t expected = (size_t)(ruleset->width * ruleset->height);
    char squares[WILLOW_SQUARES + 2];
    size_t count = 0;
    for (; i < value.length; i++)
        if (!record_is_space((unsigned char)text[i]) && count++ < sizeof squares - 1)
            squares[count - 1] = text[i];
    if (count != expected + 1) {
        char reason[96];
        (void)snprintf(reason, sizeof reason, "a start position of %zu squares instead of %zu",
                       count > 0 ? count - 1 : 0, expected);
        fail_at(game, WILLOW_RECORD_DAMAGED, value.at, reason);
        return;
    }
    squares[count] = '\0';
    struct willow_board board;
    enum willow_side side;
    struct willow_error error;
    if (willow_board_parse_as(ruleset, squares, WILLOW_BOARD_LETTERS, &board, &side, &error) != WILLOW_OK ||
        willow_game_init_board(&game->record->game, ruleset, board, side, &error) != WILLOW_OK) {
        fail_at(game, WILLOW_RECORD_DAMAGED, value.at, error.reason);
        return;
    }
    game->started = true;
}

/* The text without blanks up to a slash, moved behind it. False when it does not fit the buffer. */
static bool take_part(const char **at, const char *end, char *buffer, size_t size)
{
    size_t length = 0;
    for (; *at < end && **at != '/'; ++*at)
        if (!record_is_space((unsigned char)**at) && length++ < size - 1)
            buffer[length - 1] = **at;
    *at += *at < end;
    buffer[length < size ? length : 0] = '\0';
    return length < size;
}

/* Digits with or without a point and a sign: strtod knows words and exponents that nobody means here. */
static bool is_number(const char *text, bool with_sign)
{
    text += with_sign && (*text == '-' || *text == '+');
    return text[strspn(text, "0123456789.")] == '\0' && strpbrk(text, "0123456789") != NULL &&
           strchr(text, '.') == strrchr(text, '.');
}

bool willow_ggf_move_parse(const char *text, size_t length, willow_square *move, struct willow_ggf_move *known)
{
    const char *at = text, *end = text + length;
    char name[MOVE_BYTES], number[NUMBER_BYTES];
    *known = (struct willow_ggf_move){.has_score = false};
    *move = take_part(&at, end, name, sizeof name) ? willow_square_parse(name) : WILLOW_NO_SQUARE;
    known->has_score = take_part(&at, end, number, sizeof number) && is_number(number, true);
    if (known->has_score)
        known->score_discs = strtod(number, NULL);
    known->has_time = take_part(&at, end, number, sizeof number) && is_number(number, false);
    if (known->has_time)
        known->seconds = strtod(number, NULL);
    return *move != WILLOW_NO_SQUARE;
}

/* B[d3/evaluation/time]. */
static void read_move(struct game_text *game, enum willow_side side, struct record_piece value)
{
    willow_square move;
    struct willow_ggf_move known;
    const struct willow_game *played = &game->record->game;
    const int before = played->length;
    if (!willow_ggf_move_parse(text_of(game->records, value), value.length, &move, &known))
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "not a move");
    else if (!game->started)
        fail_at(game, WILLOW_RECORD_DAMAGED, value.at, "a move before the start position (BO)");
    else
        record_play(game->records, game->record, side, move, value);
    if (played->length > before && played->moves[played->length - 1] == move)
        game->record->known[played->length - 1] = known;
}

/* RE[+4.000:r]: black's difference; what follows the number says how the game ended. A part of a disc, as with komi, is
 * no result of the board. */
static void read_result(struct game_text *game, struct record_piece value)
{
    const char *text = text_of(game->records, value);
    size_t i = 0;
    int discs = 0;
    bool whole = true;
    const bool negative = value.length > 0 && text[0] == '-';
    if (value.length > 0 && (text[0] == '-' || text[0] == '+'))
        i++;
    const size_t first = i;
    for (; i < value.length && text_is_digit(text[i]) && i < first + 4; i++)
        discs = 10 * discs + text[i] - '0';
    const bool number = i > first;
    if (i < value.length && text[i] == '.')
        for (i++; i < value.length && text_is_digit(text[i]); i++)
            whole = whole && text[i] == '0';
    game->record->has_result = number && whole;
    game->record->result_discs = negative ? -discs : discs;
    if (number && i + 1 < value.length && text[i] == ':' && text_lower(text[i + 1]) >= 'a' &&
        text_lower(text[i + 1]) <= 'z')
        game->record->ending = text_lower(text[i + 1]);
}

static void read_tag(struct game_text *game, struct record_piece name, struct record_piece value)
{
    const struct willow_records *records = game->records;
    /* Behind a fault the tags are only passed over. */
    if (game->record->kind != WILLOW_RECORD_COMPLETE)
        return;
    if (is_word(records, name, "B") || is_word(records, name, "W")) {
        read_move(game, is_word(records, name, "B") ? WILLOW_BLACK : WILLOW_WHITE, value);
    } else if (is_word(records, name, "BO")) {
        if (game->started)
            fail_at(game, WILLOW_RECORD_DAMAGED, name.at, "a second start position");
        else
            read_start(game, value);
    } else if (is_word(records, name, "GM")) {
        if (!is_word(records, value, "OTHELLO") && !is_word(records, value, "REVERSI"))
            fail_quoting(game, WILLOW_RECORD_OTHER_VARIANT, value, "not a game of Othello");
    } else if (is_word(records, name, "TY")) {
        read_type(game, value);
    } else if (is_word(records, name, "RE")) {
        read_result(game, value);
    } else if (is_word(records, name, "PC")) {
        record_name(records, value, false, game->record->venue);
    } else if (is_word(records, name, "TI")) {
        record_name(records, value, false, game->record->clock);
    } else if (is_word(records, name, "PB")) {
        record_name(records, value, false, game->record->black);
    } else if (is_word(records, name, "PW")) {
        record_name(records, value, false, game->record->white);
    }
}

/* Reads a value up to its bracket, from behind the opening one; "\]" does not end it. False when it has no end: then
 * the reading is at the next game. */
static bool scan_value(struct willow_records *records, struct record_piece *value)
{
    static const char next_game[] = "(;GM[";
    *value = (struct record_piece){records->at, 0};
    for (size_t i = records->at; i < records->size_bytes; i++) {
        const unsigned char c = records->data[i];
        const unsigned char next = i + 1 < records->size_bytes ? records->data[i + 1] : 0;
        if (c == '\\' && (next == ']' || next == '\\')) {
            i++;
        } else if (c == ']') {
            value->length = i - value->at;
            records->at = i + 1;
            return true;
        } else if (c == '(' && records->size_bytes - i >= sizeof next_game - 1 &&
                   memcmp(records->data + i, next_game, sizeof next_game - 1) == 0) {
            records->at = i;
            return false;
        }
    }
    records->at = records->size_bytes;
    return false;
}

/* Reads "NAME[value]". False when there is none; the fault is noted then. */
static bool scan_tag(struct game_text *game)
{
    struct willow_records *records = game->records;
    struct record_piece name = {records->at, 0}, value;
    while (upper((char)record_current(records)) >= 'A' && upper((char)record_current(records)) <= 'Z')
        records->at++;
    name.length = records->at - name.at;
    if (name.length == 0 || record_current(records) != '[') {
        fail_at(game, WILLOW_RECORD_DAMAGED, records->at,
                records->at < records->size_bytes ? "a tag or the end of the game is expected"
                                                  : "the text ends within a game");
        return false;
    }
    records->at++;
    if (!scan_value(records, &value)) {
        fail_at(game, WILLOW_RECORD_DAMAGED, name.at, "the game is cut off within a value");
        return false;
    }
    read_tag(game, name, value);
    return true;
}

/* From behind "(;" to behind the end of the game, or to the beginning of another where this one has no end. */
static void read_game(struct game_text *game, size_t start)
{
    struct willow_records *records = game->records;
    char place[RECORD_PLACE];
    for (;;) {
        while (record_is_space(record_current(records)) || record_current(records) == ';')
            records->at++;
        if (record_current(records) == ')')
            break;
        if (!scan_tag(game)) {
            records->at = record_find(records, records->at, "(;");
            return;
        }
    }
    records->at++;
    if (!game->started)
        fail_at(game, WILLOW_RECORD_DAMAGED, start, "a game without a start position (BO)");
    if (game->record->kind == WILLOW_RECORD_COMPLETE)
        record_end(game->record, record_text_place(records, start, place));
}

enum willow_status ggf_check(const struct willow_records *records, struct willow_error *error)
{
    if (record_find(records, 0, "(;") == records->size_bytes)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL,
                           "no GGF: \"(;\", with which a game begins, is missing");
    return WILLOW_OK;
}

bool ggf_next(struct willow_records *records, struct willow_record *record)
{
    struct game_text game = {.records = records, .record = record};
    record_skip_space(records);
    if (records->at >= records->size_bytes)
        return false;
    const size_t before = records->at;
    record_begin(records, record, before);
    while (text_is_digit((char)record_current(records)))
        records->at++;
    record_skip_space(records);
    const size_t start = records->at, game_start = record_find(records, start, "(;");
    if (game_start != start || start == records->size_bytes) {
        fail_at(&game, WILLOW_RECORD_DAMAGED, before, "text outside of a game");
        records->at = game_start;
        return true;
    }
    records->at += 2;
    read_game(&game, start);
    return true;
}
