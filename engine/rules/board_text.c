/* Boards read from text: their squares in one line or in rows, with or without coordinates, in letters, digits or
 * discs, GGF's BO and hexadecimal bitboards. Which alphabet a text is in is decided when all of it has been read, and a
 * text that fits two is refused. Layer: rules. Writes none: see board_format.c.
 */
#include "rules/board_text.h"

#include <stdio.h>
#include <string.h>

#include "rules/board_symbol.h"
#include "rules/text_scan.h"

/* Sides of the boards that any build plays on: one of another size is told as what it is. */
static const int sides[] = {4, 6, 8, 10};
enum { SIDES = sizeof sides / sizeof sides[0], SQUARES_MAX = 100, INSTEAD_BYTES = 64 };

/* A board in letters, digits or discs as far as it is read. The layout is told by the first row. */
struct drawing {
    const struct willow_ruleset *ruleset;
    int columns, rows; /* as many as its board has, or those of another that the text may be meant for */
    const char *text;  /* all of it, for places */
    enum willow_board_notation notation;
    bool one_line; /* a line end ends the text */
    bool labelled; /* "1 - - - - - - - -" */
    bool spaced;   /* a blank behind every square, instead of none inside a row */
    bool lines;    /* every row in a line of its own */
    int count;
    enum symbol squares[SQUARES_MAX], side;
    const char *square_at[SQUARES_MAX], *start, *side_at;
    const char *first[SYMBOLS]; /* where each symbol was met first, squares and side; null = nowhere */
    struct willow_error *error;
};

static enum willow_status fail_drawing(const struct drawing *drawing, const char *at, const char *what)
{
    return text_fail_at(drawing->error, drawing->text, at, what);
}

/* How many squares there should be; the default ruleset goes without saying. */
static char *instead(const struct willow_ruleset *ruleset, char buffer[INSTEAD_BYTES])
{
    const int squares = ruleset->width * ruleset->height;
    if (ruleset == willow_ruleset_default())
        snprintf(buffer, INSTEAD_BYTES, "instead of %d", squares);
    else
        snprintf(buffer, INSTEAD_BYTES, "instead of %d (as %s has)", squares, ruleset->name);
    return buffer;
}

static enum willow_status fail_short(const struct drawing *drawing, const char *at)
{
    char what[128], expected[INSTEAD_BYTES];
    snprintf(what, sizeof what, "the board has %d squares %s", drawing->count, instead(drawing->ruleset, expected));
    return fail_drawing(drawing, at, what);
}

static enum willow_status fail_no_square(const struct willow_ruleset *ruleset, const char *text, const char *at,
                                         int square, struct willow_error *error)
{
    char what[128], name[WILLOW_SQUARE_TEXT];
    snprintf(what, sizeof what, "a disc on %s, which is no square of %s",
             willow_square_format((willow_square)square, name), ruleset->name);
    return text_fail_at(error, text, at, what);
}

static const char *skip_between_rows(const struct drawing *drawing, const char *text)
{
    return drawing->one_line ? text_skip_blanks(text) : text_skip_space(text);
}

/* True when nothing but a side to move follows, where squares should. */
static bool only_side_follows(const char *text)
{
    enum symbol side;
    text = text_skip_blanks(text);
    const size_t length = board_side_scan(text, &side);
    if (length == 0 || !board_ends_at(text + length))
        return false;
    text = text_skip_blanks(text + length);
    return board_ends_at(text) || *text == '%';
}

/* Length of "a b c d e f g h" in either case, with or without blanks; 0 when it is not there. */
static size_t scan_columns(const struct drawing *drawing, const char *text)
{
    const char *at = text_skip_blanks(text);
    for (int column = 0; column < drawing->columns; column++) {
        if (text_lower(*at) != 'a' + column)
            return 0;
        at = text_skip_blanks(at + 1);
    }
    return *at == '\n' || *at == '\0' ? (size_t)(at - text) : 0;
}

/* Length of a row's number and the blank behind it, or of the number alone at the end of a line. */
static size_t scan_label(const char *at, int row)
{
    char number[16];
    const size_t digits = (size_t)snprintf(number, sizeof number, "%d", row + 1);
    if (strncmp(at, number, digits) != 0)
        return 0;
    const size_t blank = text_scan_blank(at + digits);
    return blank > 0 || at[digits] == '\n' || at[digits] == '\0' ? digits + blank : 0;
}

/* True when the line is one row behind its number: "1", the squares, and perhaps the number again. A "1" may also be a
 * square; then there is one other less in the line, or there are more. */
static bool is_labelled_row(const struct drawing *drawing, const char *at)
{
    const size_t label = scan_label(at, 0);
    if (label == 0)
        return false;
    at += label;
    for (int i = 0; i < drawing->columns; i++) {
        enum symbol symbol;
        at = text_skip_blanks(at);
        at += board_symbol_scan(at, &symbol);
        if (symbol == SYMBOL_NONE)
            return false;
    }
    at = text_skip_blanks(at);
    at = text_skip_blanks(at + scan_label(at, 0));
    return *at == '\n' || *at == '\0';
}

static void note_symbol(struct drawing *drawing, enum symbol symbol, const char *at)
{
    if (!drawing->first[symbol])
        drawing->first[symbol] = at;
}

/* Reads the squares of a row. */
static enum willow_status scan_row(struct drawing *drawing, const char **at)
{
    const char *c = *at;
    const bool first_row = drawing->count == 0;
    for (int column = 0; column < drawing->columns; column++) {
        const char *square = column > 0 ? text_skip_blanks(c) : c;
        const bool gap = square > c;
        if (first_row && column == 1)
            drawing->spaced = gap;
        if (gap && !drawing->spaced)
            return only_side_follows(c) || board_ends_at(square)
                       ? fail_short(drawing, c)
                       : fail_drawing(drawing, c, "a blank inside a row of squares");
        enum symbol symbol;
        const size_t length = board_symbol_scan(square, &symbol);
        if (length == 0 && board_ends_at(square))
            return fail_short(drawing, square);
        if (length == 0)
            return fail_drawing(drawing, square, "neither a disc nor an empty square");
        if (column > 0 && !gap && drawing->spaced)
            return fail_drawing(drawing, c, "no blank between squares, as there is between those before");
        note_symbol(drawing, symbol, square);
        drawing->square_at[drawing->count] = square;
        drawing->squares[drawing->count++] = symbol;
        c = square + length;
    }
    *at = c;
    return WILLOW_OK;
}

/* Reads the number in front of a row of a board with coordinates. */
static enum willow_status scan_row_number(const struct drawing *drawing, const char **at, int row)
{
    const size_t label = scan_label(*at, row);
    if (label == 0) {
        char what[64];
        snprintf(what, sizeof what, "not the number of row %d", row + 1);
        return fail_drawing(drawing, *at, what);
    }
    *at = text_skip_blanks(*at + label);
    return WILLOW_OK;
}

/* Reads the squares in rows; *at is then behind the last, and behind what belongs to a frame of coordinates. */
static enum willow_status scan_squares(struct drawing *drawing, const char **at)
{
    const bool must_be_grid = drawing->notation == WILLOW_BOARD_GRID;
    const bool may_be_grid = must_be_grid || (drawing->notation == WILLOW_BOARD_ANY && !drawing->one_line);
    const char *c = *at;
    const size_t columns = may_be_grid ? scan_columns(drawing, c) : 0;
    c = skip_between_rows(drawing, c + columns);
    drawing->start = c;
    drawing->labelled = may_be_grid && is_labelled_row(drawing, c);
    drawing->lines = must_be_grid || drawing->labelled || columns > 0;
    for (int row = 0; row < drawing->rows; row++) {
        const char *end = text_skip_blanks(c);
        c = skip_between_rows(drawing, end);
        if (row > 0 && only_side_follows(c))
            return fail_short(drawing, c);
        if (row > 0 && drawing->lines && *end != '\n' && *end != '\0')
            return fail_drawing(drawing, end, "a row of the grid has no line of its own");
        enum willow_status status = drawing->labelled ? scan_row_number(drawing, &c, row) : WILLOW_OK;
        if (status == WILLOW_OK)
            status = scan_row(drawing, &c);
        if (status != WILLOW_OK)
            return status;
        end = text_skip_blanks(c);
        if (drawing->labelled && scan_label(end, row) > 0)
            c = end + scan_label(end, row);
    }
    if (columns > 0) {
        const char *below = text_skip_space(c);
        c = below + scan_columns(drawing, below);
    }
    *at = c;
    return WILLOW_OK;
}

enum alphabet { ALPHABET_LETTERS, ALPHABET_EGAROUCID, ALPHABET_DIGITS };

static const char *earlier(const char *a, const char *b)
{
    return !a || (b && b < a) ? b : a;
}

/* The alphabet of a board of digits whose notation is not named. Each way out names what decides; a board that two
 * alphabets would read differently is refused, and so is one where 0 could stand for the letter O. */
static enum willow_status decide_digits(const struct drawing *drawing, enum alphabet *alphabet)
{
    const char *const *first = drawing->first;
    if (first[SYMBOL_TWO] && first[SYMBOL_EMPTY])
        return fail_drawing(drawing, first[SYMBOL_TWO], "2 in a board whose empty squares are not written 0");
    if (first[SYMBOL_TWO]) {
        *alphabet = ALPHABET_DIGITS;
        return WILLOW_OK;
    }
    const bool both = first[SYMBOL_ZERO] && first[SYMBOL_ONE];
    if (both && (first[SYMBOL_EMPTY] || drawing->side == SYMBOL_ZERO)) {
        *alphabet = ALPHABET_EGAROUCID;
        return WILLOW_OK;
    }
    return fail_drawing(drawing, drawing->start,
                        both ? "the board fits two notations (egaroucid, digits), and none is named"
                             : "a single digit does not tell its meaning, and no notation is named");
}

static enum willow_status decide_alphabet(const struct drawing *drawing, enum alphabet *alphabet)
{
    const enum willow_board_notation notation = drawing->notation;
    const char *const *first = drawing->first;
    const char *letter = earlier(first[SYMBOL_BLACK], first[SYMBOL_WHITE]);
    const char *digit = earlier(earlier(first[SYMBOL_ZERO], first[SYMBOL_ONE]), first[SYMBOL_TWO]);
    const bool any = notation == WILLOW_BOARD_ANY || notation == WILLOW_BOARD_GRID;
    const bool digits = notation == WILLOW_BOARD_EGAROUCID || notation == WILLOW_BOARD_DIGITS;
    if (letter && digit)
        return fail_drawing(drawing, letter < digit ? digit : letter, "letters and digits mixed in one board");
    if (digit && !any && !digits)
        return fail_drawing(drawing, digit, "a digit in a board of letters");
    if (letter && digits)
        return fail_drawing(drawing, letter, "a letter in a board of digits");
    if (notation == WILLOW_BOARD_EGAROUCID && first[SYMBOL_TWO])
        return fail_drawing(drawing, first[SYMBOL_TWO], "neither 0 nor 1 nor an empty square");
    if (notation == WILLOW_BOARD_DIGITS && first[SYMBOL_EMPTY])
        return fail_drawing(drawing, first[SYMBOL_EMPTY], "neither 0 nor 1 nor 2");
    if (any && digit)
        return decide_digits(drawing, alphabet);
    *alphabet = notation == WILLOW_BOARD_EGAROUCID ? ALPHABET_EGAROUCID
                : notation == WILLOW_BOARD_DIGITS  ? ALPHABET_DIGITS
                                                   : ALPHABET_LETTERS;
    return WILLOW_OK;
}

/* SYMBOL_BLACK, SYMBOL_WHITE or SYMBOL_EMPTY. */
static enum symbol meaning(enum alphabet alphabet, enum symbol symbol)
{
    if (alphabet == ALPHABET_EGAROUCID)
        return symbol == SYMBOL_ZERO ? SYMBOL_BLACK : symbol == SYMBOL_ONE ? SYMBOL_WHITE : SYMBOL_EMPTY;
    if (alphabet == ALPHABET_DIGITS)
        return symbol == SYMBOL_ONE ? SYMBOL_BLACK : symbol == SYMBOL_TWO ? SYMBOL_WHITE : SYMBOL_EMPTY;
    return symbol;
}

static const char *what_is_left_over(enum willow_board_notation notation)
{
    return notation == WILLOW_BOARD_MOVER ? "text behind the squares" : "text behind the side to move";
}

/* Reads squares and side, whatever the alphabet; of MOVER the squares alone. */
static enum willow_status scan_symbols(struct drawing *drawing, const char **at)
{
    const char *c = *at;
    const enum willow_status status = scan_squares(drawing, &c);
    if (status != WILLOW_OK)
        return status;
    if (drawing->notation != WILLOW_BOARD_MOVER) {
        c = skip_between_rows(drawing, c);
        drawing->side_at = c;
        const size_t length = board_side_scan(c, &drawing->side);
        if (length == 0 && drawing->side == SYMBOL_EMPTY)
            return fail_drawing(drawing, c, "an empty square where the side to move should be");
        if (length == 0)
            return fail_drawing(drawing, c, board_ends_at(c) ? "no side to move" : "not a side to move");
        note_symbol(drawing, drawing->side, c);
        c += length;
    }
    if (!board_ends_at(c))
        return fail_drawing(drawing, c, what_is_left_over(drawing->notation));
    *at = c;
    return WILLOW_OK;
}

static struct willow_board board_of(willow_bits black, willow_bits white, enum willow_side side)
{
    return side == WILLOW_BLACK ? (struct willow_board){black, white} : (struct willow_board){white, black};
}

/* Reads a board in letters, digits or discs up to what its symbols mean: the alphabet and the side to move. */
static enum willow_status scan_meanings(struct drawing *drawing, const char **at, enum alphabet *alphabet,
                                        enum willow_side *side)
{
    enum willow_status status = scan_symbols(drawing, at);
    if (status == WILLOW_OK)
        status = decide_alphabet(drawing, alphabet);
    if (status != WILLOW_OK)
        return status;
    enum symbol mover = SYMBOL_BLACK;
    if (drawing->notation != WILLOW_BOARD_MOVER)
        mover = meaning(*alphabet, drawing->side);
    if (mover == SYMBOL_EMPTY)
        return fail_drawing(drawing, drawing->side_at, "not a side to move");
    *side = mover == SYMBOL_BLACK ? WILLOW_BLACK : WILLOW_WHITE;
    return WILLOW_OK;
}

/* A drawing of nothing yet, with so many columns and rows. */
static struct drawing begin_drawing(const struct willow_ruleset *ruleset, int columns, int rows, const char *text,
                                    enum willow_board_notation notation, bool one_line)
{
    return (struct drawing){
        .ruleset = ruleset, .columns = columns, .rows = rows, .text = text, .notation = notation, .one_line = one_line};
}

/* The side of the board that the text at `at` is, squares and side to move, when it is one of any of our sizes; 0 when
 * it is none. *behind is then where it ends. */
static int side_of_board(const char *text, const char *at, enum willow_board_notation notation, bool one_line,
                         const char **behind)
{
    for (int i = 0; i < SIDES; i++) {
        struct drawing drawing = begin_drawing(willow_ruleset_default(), sides[i], sides[i], text, notation, one_line);
        enum alphabet alphabet;
        enum willow_side side;
        enum symbol next;
        willow_square move;
        *behind = at;
        if (scan_meanings(&drawing, behind, &alphabet, &side) != WILLOW_OK)
            continue;
        /* Where more squares follow, the side to move was but one of them. */
        const char *rest = text_skip_space(*behind);
        if (board_symbol_scan(rest, &next) == 0 || text_scan_move(rest, &move) > 0)
            return sides[i];
    }
    return 0;
}

/* Reads a board in letters, digits or discs. */
static enum willow_status scan_drawing(struct drawing *drawing, const char **at, struct willow_board *board,
                                       enum willow_side *side)
{
    const struct willow_ruleset *ruleset = drawing->ruleset;
    enum alphabet alphabet = ALPHABET_LETTERS;
    enum willow_side mover;
    const char *c = *at;
    const enum willow_status status = scan_meanings(drawing, &c, &alphabet, &mover);
    if (status != WILLOW_OK)
        return status;
    willow_bits black = 0, white = 0;
    for (int i = 0, square = 0; i < drawing->count; i++, square++) {
        if (square % WILLOW_SIDE == drawing->columns)
            square += WILLOW_SIDE - drawing->columns; /* a smaller board lies in the corner */
        const enum symbol meant = meaning(alphabet, drawing->squares[i]);
        if (meant != SYMBOL_EMPTY && (ruleset->playable >> square & 1) == 0)
            return fail_no_square(ruleset, drawing->text, drawing->square_at[i], square, drawing->error);
        black |= (willow_bits)(meant == SYMBOL_BLACK) << square;
        white |= (willow_bits)(meant == SYMBOL_WHITE) << square;
    }
    *side = mover;
    *board = board_of(black, white, mover);
    *at = c;
    return WILLOW_OK;
}

/* Reads "BO[8 squares side]". The squares are stars, letters and hyphens, never digits. */
static enum willow_status scan_ggf(struct drawing *drawing, const char **at, struct willow_board *board,
                                   enum willow_side *side)
{
    const char *c = *at;
    if (!text_starts_with(c, "bo["))
        return fail_drawing(drawing, c, "no \"BO[\" of a GGF board");
    c = text_skip_blanks(c + strlen("bo["));
    char width[16], what[64];
    const size_t digits = (size_t)snprintf(width, sizeof width, "%d", drawing->columns);
    if (strncmp(c, width, digits) != 0 || text_is_digit(c[digits])) {
        snprintf(what, sizeof what, "not a board of %dx%d", drawing->columns, drawing->rows);
        return fail_drawing(drawing, c, text_is_digit(*c) ? what : "a board without its width");
    }
    c = text_skip_blanks(c + digits);
    struct willow_board found;
    enum willow_side mover;
    drawing->notation = WILLOW_BOARD_GGF;
    const enum willow_status status = scan_drawing(drawing, &c, &found, &mover);
    if (status != WILLOW_OK)
        return status;
    c = skip_between_rows(drawing, c);
    if (*c != ']')
        return fail_drawing(drawing, c, "no \"]\" behind the board");
    *board = found;
    *side = mover;
    *at = c + 1;
    return WILLOW_OK;
}

/* The value of a hexadecimal digit in either case, -1 for anything else. */
static int hex_value(char c)
{
    if (text_is_digit(c))
        return c - '0';
    const char letter = text_lower(c);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static size_t count_hex_digits(const char *text)
{
    size_t count = 0;
    while (hex_value(text[count]) >= 0)
        count++;
    return count;
}

static size_t scan_hex_prefix(const char *text)
{
    return text[0] == '0' && text_lower(text[1]) == 'x' ? 2 : 0;
}

/* Digits of a hexadecimal board: four squares each, in whole words. */
enum { HEX_DIGITS = 16 * WILLOW_BITS_WORDS };

/* Two numbers, the first of which has the prefix, or both all of their digits: no other notation looks so. Groups of 16
 * squares in digits go on where a side to move would stand. */
static bool looks_like_hex(const char *text)
{
    if (scan_hex_prefix(text) > 0)
        return true;
    if (count_hex_digits(text) != HEX_DIGITS || text_scan_blank(text + HEX_DIGITS) == 0)
        return false;
    text = text_skip_blanks(text + HEX_DIGITS);
    text += scan_hex_prefix(text);
    return count_hex_digits(text) == HEX_DIGITS && board_ends_at(text + HEX_DIGITS) &&
           count_hex_digits(text_skip_blanks(text + HEX_DIGITS)) < 2;
}

static enum willow_status scan_hex_number(const char *text, const char **at, willow_bits *number,
                                          struct willow_error *error)
{
    const char *digits = *at + scan_hex_prefix(*at);
    const size_t count = count_hex_digits(digits);
    if (count == 0 || !board_ends_at(digits + count))
        return text_fail_at(error, text, *at, "not a hexadecimal number");
    if (count > HEX_DIGITS) {
        char what[64];
        snprintf(what, sizeof what, "more than %d hexadecimal digits", (int)HEX_DIGITS);
        return text_fail_at(error, text, *at, what);
    }
    *number = 0;
    for (size_t i = 0; i < count; i++)
        *number = *number << 4 | (unsigned)hex_value(digits[i]);
    *at = digits + count;
    return WILLOW_OK;
}

static enum willow_status scan_hex(const struct willow_ruleset *ruleset, const char *text, const char **at,
                                   struct willow_board *board, enum willow_side *side, struct willow_error *error)
{
    willow_bits black, white;
    const char *first = *at, *c = first;
    enum willow_status status = scan_hex_number(text, &c, &black, error);
    if (status != WILLOW_OK)
        return status;
    const char *second = c = text_skip_blanks(c);
    status = scan_hex_number(text, &c, &white, error);
    if (status != WILLOW_OK)
        return status;
    if (black & white)
        return text_fail_at(error, text, second, "discs of both colours on one square");
    const willow_bits outside = (black | white) & ~ruleset->playable;
    if (outside) {
        const int square = willow_bits_first(outside);
        if (square >= WILLOW_SQUARES)
            return text_fail_at(error, text, black & outside ? first : second, "a disc behind the last square");
        return fail_no_square(ruleset, text, black >> square & 1 ? first : second, square, error);
    }
    c = text_skip_blanks(c);
    enum symbol mover;
    const size_t length = board_side_scan(c, &mover);
    if (length == 0 && board_ends_at(c))
        return text_fail_at(error, text, c, "no side to move");
    if (length == 0 || (mover != SYMBOL_BLACK && mover != SYMBOL_WHITE))
        return text_fail_at(error, text, c, "not a side to move");
    if (!board_ends_at(c + length))
        return text_fail_at(error, text, c + length, "text behind the side to move");
    *side = mover == SYMBOL_BLACK ? WILLOW_BLACK : WILLOW_WHITE;
    *board = board_of(black, white, *side);
    *at = c + length;
    return WILLOW_OK;
}

/* Rows of digits and letters with slashes between them. Some programs that write so mean the first player by "w", some
 * the player of the light discs: there is nothing to decide by. */
static bool looks_like_fen(const char *text)
{
    const size_t length = strcspn(text, "/ \t\r\n");
    return length > 0 && length <= WILLOW_SIDE && text[length] == '/' && strspn(text, "0123456789pP") == length;
}

/* A board of another size is told as what it is. */
static enum willow_status fail_other_size(const struct drawing *drawing, const char *at, enum willow_status status)
{
    const char *behind;
    const int side = side_of_board(drawing->text, at, drawing->notation, drawing->one_line, &behind);
    if (side == 0 || side == drawing->columns)
        return status;
    char what[160], expected[INSTEAD_BYTES];
    snprintf(what, sizeof what, "the board has %d squares (as %s has) %s", side * side, board_text_size_name(side),
             instead(drawing->ruleset, expected));
    return fail_drawing(drawing, at, what);
}

enum willow_status board_text_scan(const struct willow_ruleset *ruleset, const char *text, const char **at,
                                   enum willow_board_notation notation, bool one_line, struct willow_board *board,
                                   enum willow_side *side, struct willow_error *error)
{
    const bool any = notation == WILLOW_BOARD_ANY;
    struct drawing drawing = begin_drawing(ruleset, ruleset->width, ruleset->height, text, notation, one_line);
    drawing.error = error;
    if (notation == WILLOW_BOARD_GGF || (any && text_starts_with(*at, "bo[")))
        return scan_ggf(&drawing, at, board, side);
    if (notation == WILLOW_BOARD_HEX || (any && looks_like_hex(*at)))
        return scan_hex(ruleset, text, at, board, side, error);
    if (any && looks_like_fen(*at))
        return text_fail_at(error, text, *at, "a board in FEN, whose \"w\" and \"b\" are not agreed on");
    const enum willow_status status = scan_drawing(&drawing, at, board, side);
    return status != WILLOW_OK && error ? fail_other_size(&drawing, *at, status) : status;
}

const char *board_text_size_name(int side)
{
    return side == 4 ? "4x4" : side == 6 ? "6x6" : side == 8 ? "othello" : side == 10 ? "10x10" : NULL;
}

const char *board_text_any_size(const char *line, const char *at)
{
    const char *behind;
    return side_of_board(line, at, WILLOW_BOARD_ANY, true, &behind) > 0 ? behind : NULL;
}

enum willow_status willow_board_parse_as(const struct willow_ruleset *ruleset, const char *text,
                                         enum willow_board_notation notation, struct willow_board *board,
                                         enum willow_side *side, struct willow_error *error)
{
    struct willow_board found;
    enum willow_side mover;
    text = text_skip_mark(text);
    const char *at = text_skip_space(text);
    const char quote = *at == '"' || *at == '\'' ? *at : '\0';
    if (quote)
        at = text_skip_space(at + 1);
    const enum willow_status status = board_text_scan(ruleset, text, &at, notation, false, &found, &mover, error);
    if (status != WILLOW_OK)
        return status;
    at = text_skip_space(at);
    if (*at == ';') /* of OBF */
        at = text_skip_space(at + 1);
    if (quote && *at != quote)
        return text_fail_at(error, text, at, "no quote behind the board, as there is before it");
    if (quote)
        at = text_skip_space(at + 1);
    if (*at != '\0')
        return text_fail_at(error, text, at, what_is_left_over(notation));
    *board = found;
    *side = mover;
    return WILLOW_OK;
}

enum willow_status willow_board_parse(const struct willow_ruleset *ruleset, const char *text,
                                      struct willow_board *board, enum willow_side *side, struct willow_error *error)
{
    return willow_board_parse_as(ruleset, text, WILLOW_BOARD_ANY, board, side, error);
}
