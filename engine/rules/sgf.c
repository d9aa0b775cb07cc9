/* Reads Smart Game Format (SGF), FF[1] to FF[4], as far as it is Othello: the main line of each game. Layer: rules.
 * What has nothing to do with the play (comments, marks, clocks, unknown properties) is left alone; a fault in one game
 * does not hide the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

#include "rules/record_reader.h"
#include "rules/text_scan.h"
#include "rules/written_moves.h"

enum { PROPERTY_BYTES = 8, MOVE_BYTES = 8 };

/* The game being read. */
struct game_text {
    struct willow_records *records;
    struct willow_record *record;
    bool main_line;           /* no variation has ended yet: the rest are others */
    bool playing;             /* the start is fixed: a move was read */
    bool side_known;          /* PL was read */
    bool set_up;              /* AB, AW or AE was read */
    enum willow_side side;    /* that PL names */
    willow_bits black, white; /* of the start */
    struct written_moves written;
    willow_bits node_squares; /* that this node has set up */
};

static void fail_at(const struct game_text *game, enum willow_record_kind kind, size_t at, const char *reason)
{
    record_fail_at(game->records, game->record, kind, at, reason);
}

static void fail_quoting(const struct game_text *game, enum willow_record_kind kind, struct record_piece value,
                         const char *reason)
{
    record_fail_quoting(game->records, game->record, kind, value, reason);
}

/* The first move, or the end of the game, fixes the start. */
static void begin_play(struct game_text *game, enum willow_side first)
{
    struct willow_record *record = game->record;
    if (game->playing)
        return;
    game->playing = true;
    const enum willow_side side = game->side_known ? game->side : game->set_up ? first : WILLOW_BLACK;
    const struct willow_board board = {side == WILLOW_BLACK ? game->black : game->white,
                                       side == WILLOW_BLACK ? game->white : game->black};
    /* Valid by the way it was made: no square holds two discs, and what is no square none. */
    (void)willow_game_init_board(&record->game, game->records->ruleset, board, side, NULL);
}

/* Column and row from the top, both as letters from a, or a square as elsewhere in Othello. */
static willow_square parse_point(const char *text)
{
    const char column = text_lower(text[0]), row = column ? text_lower(text[1]) : '\0';
    if (column >= 'a' && column < 'a' + WILLOW_SIDE && row >= 'a' && row < 'a' + WILLOW_SIDE && text[2] == '\0')
        return (willow_square)(WILLOW_SIDE * (row - 'a') + column - 'a');
    return willow_square_parse(text);
}

static void read_move(struct game_text *game, enum willow_side side, struct record_piece value)
{
    char text[MOVE_BYTES];
    willow_square move = WILLOW_NO_SQUARE;
    if (record_squeeze(game->records, value, text, sizeof text))
        move = text[0] == '\0' || strcmp(text, "tt") == 0 ? WILLOW_PASS : parse_point(text);
    if (move == WILLOW_NO_SQUARE) {
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "not a move");
        game->written.unreadable = true;
        return;
    }
    begin_play(game, side);
    written_moves_add(&game->written, move, side);
    if (game->record->kind == WILLOW_RECORD_COMPLETE)
        record_play(game->records, game->record, side, move, value);
}

/* One square, or two corners of a rectangle, "aa:cb". 0 when it is neither. */
static willow_bits parse_points(const struct game_text *game, struct record_piece value)
{
    char text[2 * MOVE_BYTES];
    if (!record_squeeze(game->records, value, text, sizeof text))
        return 0;
    char *second = strchr(text, ':');
    if (second)
        *second++ = '\0';
    const willow_square from = parse_point(text), to = second ? parse_point(second) : from;
    if (from >= WILLOW_SQUARES || to >= WILLOW_SQUARES)
        return 0;
    willow_bits squares = 0;
    for (int row = from / WILLOW_SIDE; row <= to / WILLOW_SIDE; row++)
        for (int column = from % WILLOW_SIDE; column <= to % WILLOW_SIDE; column++)
            squares |= WILLOW_BIT(WILLOW_SIDE * row + column);
    return squares;
}

static void fail_outside(const struct game_text *game, struct record_piece value)
{
    char reason[96];
    (void)snprintf(reason, sizeof reason, "a disc on what is no square of %s", game->records->ruleset->name);
    fail_quoting(game, WILLOW_RECORD_DAMAGED, value, reason);
}

/* AB, AW and AE: `kind` is the last letter of the name. */
static void read_setup(struct game_text *game, char kind, struct record_piece value)
{
    const willow_bits squares = parse_points(game, value);
    if (squares == 0) {
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "no square of the board is set up");
    } else if (game->playing) {
        fail_at(game, WILLOW_RECORD_DAMAGED, value.at, "discs are set up in the midst of the game");
    } else if (squares & game->node_squares) {
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "a square is set up twice");
    } else if (kind != 'E' && squares & ~game->records->ruleset->playable) {
        fail_outside(game, value);
    } else {
        game->set_up = true;
        game->node_squares |= squares;
        game->black = kind == 'B' ? game->black | squares : game->black & ~squares;
        game->white = kind == 'W' ? game->white | squares : game->white & ~squares;
    }
}

/* PL[B], PL[white], and 1 or 2 of the oldest files. Behind the first move the moves themselves say whose they are. */
static void read_side(struct game_text *game, struct record_piece value)
{
    char text[MOVE_BYTES] = "";
    (void)record_squeeze(game->records, value, text, sizeof text);
    const char side = text_lower(text[0]);
    if (side != 'b' && side != 'w' && side != '1' && side != '2')
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "not a side to move");
    if (game->playing)
        return;
    game->side_known = true;
    game->side = side == 'w' || side == '2' ? WILLOW_WHITE : WILLOW_BLACK;
}

/* RE[B+4], RE[W+R], RE[0], RE[Draw]; what else there is (Void, ?, B+) says nothing of discs. */
static void read_result(struct game_text *game, struct record_piece value)
{
    char text[16];
    struct willow_record *record = game->record;
    if (!record_squeeze(game->records, value, text, sizeof text))
        return;
    const char winner = text_lower(text[0]);
    if (strcmp(text, "0") == 0 || text_starts_with(text, "draw")) {
        record->has_result = true;
        return;
    }
    if ((winner != 'b' && winner != 'w') || text[1] != '+')
        return;
    const char first = text_lower(text[2]);
    int discs = first == 'r' || first == 't' || first == 'f' ? willow_ruleset_squares(game->records->ruleset) : 0;
    size_t at = 2;
    for (; text_is_digit(text[at]) && at < 5; at++)
        discs = 10 * discs + text[at] - '0';
    /* A part of a disc, as with komi, is no result of the board. */
    if (text[at] == '.' && strspn(text + at + 1, "0") == strlen(text + at + 1))
        at = strlen(text);
    if (discs == 0 || (first != 'r' && first != 't' && first != 'f' && text[at] != '\0'))
        return;
    record->has_result = true;
    record->result_discs = winner == 'b' ? discs : -discs;
    record->ending = first == 'r' || first == 't' || first == 'f' ? first : '\0';
}

static void read_size(struct game_text *game, struct record_piece value)
{
    const struct willow_ruleset *ruleset = game->records->ruleset;
    char text[MOVE_BYTES], name[RULESET_NAME], reason[64], both[MOVE_BYTES] = "";
    const bool fits = record_squeeze(game->records, value, text, sizeof text);
    const int width = fits ? (int)strtol(text, NULL, 10) : 0;
    if (fits && strchr(text, ':')) /* a square board may say so */
        (void)snprintf(both, sizeof both, "%d:%d", width, width);
    else
        (void)snprintf(both, sizeof both, "%d", width);
    const bool square = fits && strcmp(text, both) == 0;
    if (square && width == ruleset->width)
        return;
    if (square && record_variant_name(width, false, name)) {
        record_fail_other(game->records, game->record, value.at, name);
        return;
    }
    (void)snprintf(reason, sizeof reason, "not a board of %dx%d", ruleset->width, ruleset->height);
    fail_quoting(game, WILLOW_RECORD_OTHER_VARIANT, value, reason);
}

/* RU[anti]: our own name of the rules; the words of other programs are left alone. No other has holes: there the square
 * may be in either case, and one that cannot be is no game. */
static void read_rules(struct game_text *game, struct record_piece value)
{
    static const char hole[] = "hole:";
    char text[32];
    if (!record_squeeze(game->records, value, text, sizeof text))
        return;
    const struct willow_ruleset *named = willow_ruleset_find(text);
    if (!named && strncmp(text, hole, sizeof hole - 1) == 0 &&
        (strcmp(text + sizeof hole - 1, "random") == 0 || willow_ruleset_parse(text, 0, &named, NULL) != WILLOW_OK))
        fail_quoting(game, WILLOW_RECORD_OTHER_VARIANT, value, "no ruleset of a game");
    else if (named && named != game->records->ruleset)
        record_fail_other(game->records, game->record, value.at, named->name);
}

static void read_game_kind(struct game_text *game, struct record_piece value)
{
    char text[MOVE_BYTES];
    if (!record_squeeze(game->records, value, text, sizeof text) || strcmp(text, "2") != 0)
        fail_quoting(game, WILLOW_RECORD_OTHER_VARIANT, value, "not a game of Othello, which is 2");
}

/* `first`: its first value, which is all that most properties have. */
static void read_property(struct game_text *game, const char *name, struct record_piece value, bool first)
{
    struct willow_record *record = game->record;
    const bool is_move = strcmp(name, "B") == 0 || strcmp(name, "W") == 0;
    /* Behind a fault the properties are only passed over; but which other game an illegal one is all moves tell. */
    const bool noted = record->kind == WILLOW_RECORD_ILLEGAL && is_move;
    if (!game->main_line || (record->kind != WILLOW_RECORD_COMPLETE && !noted))
        return;
    if (is_move && first)
        read_move(game, name[0] == 'B' ? WILLOW_BLACK : WILLOW_WHITE, value);
    else if (is_move)
        fail_quoting(game, WILLOW_RECORD_DAMAGED, value, "a second move in the same property");
    else if (strcmp(name, "AB") == 0 || strcmp(name, "AW") == 0 || strcmp(name, "AE") == 0)
        read_setup(game, name[1], value);
    else if (strcmp(name, "PL") == 0)
        read_side(game, value);
    else if (strcmp(name, "GM") == 0)
        read_game_kind(game, value);
    else if (strcmp(name, "SZ") == 0)
        read_size(game, value);
    else if (strcmp(name, "RU") == 0)
        read_rules(game, value);
    else if (strcmp(name, "RE") == 0)
        read_result(game, value);
    else if (strcmp(name, "PB") == 0)
        record_name(game->records, value, true, record->black);
    else if (strcmp(name, "PW") == 0)
        record_name(game->records, value, true, record->white);
}

/* Whether a game begins at this offset: nothing but GM or FF tells it from a variation. */
static bool game_begins(const struct willow_records *records, size_t at)
{
    enum { BEGINNING = 5 };
    const unsigned char *text = records->data + at;
    return records->size_bytes - at >= BEGINNING &&
           (memcmp(text, "(;GM[", BEGINNING) == 0 || memcmp(text, "(;FF[", BEGINNING) == 0);
}

/* The next offset at which one does; the end of the data when there is none. */
static size_t find_game(const struct willow_records *records, size_t from)
{
    while ((from = record_find(records, from, "(;")) < records->size_bytes && !game_begins(records, from))
        from++;
    return from;
}

/* Reads a value up to its bracket, from behind the opening one; a backslash takes the meaning of what follows it. False
 * when it has no end, but another game begins in it (at the start of a line, or anywhere in a move) or the data ends:
 * the reading is there then. */
static bool scan_value(struct willow_records *records, bool is_move, struct record_piece *value)
{
    const unsigned char *data = records->data;
    const size_t start = records->at;
    for (; records->at < records->size_bytes; records->at++) {
        const size_t at = records->at;
        if (data[at] == '\\' && at + 1 < records->size_bytes) {
            records->at++;
        } else if (data[at] == ']') {
            *value = (struct record_piece){start, at - start};
            records->at++;
            return true;
        } else if (data[at] == '(' && (is_move || data[at - 1] == '\n') && game_begins(records, at)) {
            return false;
        }
    }
    return false;
}

/* Reads the name: the capitals of it (the oldest files write words, "GaMe"), cut where no name known is as long. */
static void scan_name(struct willow_records *records, char name[PROPERTY_BYTES])
{
    size_t length = 0;
    for (;; records->at++) {
        const char c = (char)record_current(records);
        if (c >= 'A' && c <= 'Z' && length < PROPERTY_BYTES - 1)
            name[length++] = c;
        else if (!(text_lower(c) >= 'a' && text_lower(c) <= 'z'))
            break;
    }
    name[length] = '\0';
}

/* Reads "NAME[value]...". False when there is none or it does not end; the fault is noted then, and the reading is at
 * the next game. */
static bool scan_property(struct game_text *game)
{
    struct willow_records *records = game->records;
    char name[PROPERTY_BYTES];
    const size_t start = records->at;
    bool first = true;
    scan_name(records, name);
    record_skip_space(records);
    if (records->at == start || record_current(records) != '[') {
        fail_at(game, WILLOW_RECORD_DAMAGED, records->at,
                records->at < records->size_bytes ? "a property or the end of the game is expected"
                                                  : "the text ends within a game");
        records->at = find_game(records, start);
        return false;
    }
    const bool is_move = strcmp(name, "B") == 0 || strcmp(name, "W") == 0;
    for (; record_current(records) == '['; first = false) {
        struct record_piece value;
        records->at++;
        if (!scan_value(records, is_move, &value)) {
            fail_at(game, WILLOW_RECORD_DAMAGED, start, "the game is cut off within a value");
            return false;
        }
        read_property(game, name, value, first);
        record_skip_space(records);
    }
    return true;
}

/* From the bracket that opens the game to behind the one that closes it. False when it has no end: the fault is noted
 * then, and the reading is at the next game. */
static bool read_tree(struct game_text *game)
{
    struct willow_records *records = game->records;
    size_t depth = 0;
    do {
        record_skip_space(records);
        const unsigned char c = record_current(records);
        if (c == '(') {
            if (depth > 0 && game_begins(records, records->at)) {
                fail_at(game, WILLOW_RECORD_DAMAGED, records->at, "another game begins before this one ends");
                return false;
            }
            depth++;
            records->at++;
        } else if (c == ')') {
            depth--;
            records->at++;
            game->main_line = false;
        } else if (c == ';') {
            game->node_squares = 0;
            records->at++;
        } else if (!scan_property(game)) {
            return false;
        }
    } while (depth > 0);
    return true;
}

/* A difference that counts the discs of the final board alone means the same as one with the empty squares. */
static void complete_result(struct willow_record *record)
{
    const struct willow_game *game = &record->game;
    if (!record->has_result || !willow_game_over(game))
        return;
    const struct willow_board board = willow_game_board(game);
    const int more = willow_bits_count(board.player) - willow_bits_count(board.opponent);
    const int discs = game->ruleset->fewest_wins ? -more : more;
    if (record->result_discs == (game->side == WILLOW_BLACK ? discs : -discs))
        record->result_discs = willow_game_final_discs(game);
}

enum willow_status sgf_check(const struct willow_records *records, struct willow_error *error)
{
    if (record_find_tree(records, 0) == records->size_bytes)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL,
                           "no SGF: \"(;\", with which a game begins, is missing");
    return WILLOW_OK;
}

bool sgf_next(struct willow_records *records, struct willow_record *record)
{
    struct game_text game = {.records = records, .record = record, .main_line = true};
    char place[RECORD_PLACE];
    /* What stands before the first game, as the head of a mail, is no part of the collection. */
    if (records->number == 0)
        records->at = record_find_tree(records, records->at);
    record_skip_space(records);
    if (records->at >= records->size_bytes)
        return false;
    const size_t start = records->at, tree = record_find_tree(records, start);
    record_begin(records, record, start);
    if (tree != start) {
        fail_at(&game, WILLOW_RECORD_DAMAGED, start, "text outside of a game");
        records->at = tree;
        return true;
    }
    const struct willow_board standard = willow_game_board(&record->game);
    game.black = standard.player;
    game.white = standard.opponent;
    const bool ended = read_tree(&game);
    if (ended && record->kind == WILLOW_RECORD_COMPLETE) {
        begin_play(&game, WILLOW_BLACK);
        record_end(record, record_text_place(records, start, place));
    }
    if (ended && record->kind == WILLOW_RECORD_ILLEGAL)
        written_moves_suggest(&game.written, &record->game, &record->error);
    complete_result(record);
    return true;
}
