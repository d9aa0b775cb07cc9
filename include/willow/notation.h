/* Squares, boards, transcripts and OBF lines as text. Layer: rules. Never guesses: what is not understood is refused
 * with its place.
 */
#ifndef WILLOW_NOTATION_H
#define WILLOW_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include <willow/game.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "a1".."h8" in either case (in a wide build "a1".."j10"), "pa", "pass", "ps" or "--" for a pass. WILLOW_NO_SQUARE when
 * it is none of these. The text ends at its terminator. */
willow_square willow_square_parse(const char *text);

/* Lower case, "pa" for a pass, "--" for no square; buffer holds at least WILLOW_SQUARE_TEXT bytes. Returns buffer. */
enum { WILLOW_SQUARE_TEXT = 4 };
char *willow_square_format(willow_square square, char *buffer);

/* Plays a transcript from the game's current position: squares in either case, with or without blanks, line ends,
 * commas, semicolons and single hyphens ("d3-c5") between them; move numbers ("12.", "12...", "12:", "12)", "12 ";
 * their values are not looked at); passes written or left out, a pass behind the last move only when written; a leading
 * byte order mark. Several lines are one game. WILLOW_ERR_FORMAT names the column (from 1, in bytes; with the line from
 * the second one on) and the illegal move; the game then holds the moves before it. When the game starts as its ruleset
 * says, and all of its moves and the text's are legal from the start of another ruleset of the table, the reason ends
 * with "; the game is legal as NAME": the first one there is, holes last. Squares beyond h8 are told as those of 10x10.
 */
enum willow_status willow_transcript_parse(struct willow_game *game, const char *text, struct willow_error *error);

/* All moves in lower case without separators, passes left out but for one that is the last move so far ("pa"): what is
 * read back is the same game. At most WILLOW_TRANSCRIPT_TEXT bytes. Returns buffer. */
enum { WILLOW_TRANSCRIPT_TEXT = (WILLOW_SQUARE_TEXT - 1) * WILLOW_GAME_MAX + 1 };
char *willow_transcript_format(const struct willow_game *game, char *buffer);

/* How a board is written as text. The first word of each is what options call it. */
enum willow_board_notation {
    WILLOW_BOARD_ANY,       /* "auto", for reading: whichever of the others the text is, but never WILLOW_BOARD_MOVER */
    WILLOW_BOARD_LETTERS,   /* "obf": the squares from a1, row by row, black X, white O, empty -, a blank, the side to
                               move; Edax's setboard is the same */
    WILLOW_BOARD_EGAROUCID, /* "egaroucid": the same with 0 = black, 1 = white, . = empty */
    WILLOW_BOARD_DIGITS,    /* "digits": the same with 1 = black, 2 = white, 0 = empty */
    WILLOW_BOARD_GGF,       /* "ggf": BO[8 -------- ... *]; 4, 6 or 10 before other boards */
    WILLOW_BOARD_HEX,  /* "hex": 0x0000000810000000 0x0000001008000000 X: black, white (bit 0 = a1, bit 63 = h8; smaller
                          boards in the corner at a1; 32 digits in a wide build), the side to move */
    WILLOW_BOARD_GRID, /* "grid": a line a row, with coordinates, then "X to move" */
    WILLOW_BOARD_MOVER /* "mover": the squares, X = a disc of the side to move; that side is called black here */
};
enum { WILLOW_BOARD_TEXT = 5 * WILLOW_SQUARES + 60 }; /* bytes that hold a board in any notation */

/* By name; false when there is none. The name of one; a static text. */
bool willow_board_notation_find(const char *name, enum willow_board_notation *notation);
const char *willow_board_notation_name(enum willow_board_notation notation);

/* Reads a board of the ruleset, so many columns and rows; a square that does not exist there, as a hole, is written as
 * an empty one, and no disc may stand on it. Reads also X x * B b # for black, O o W w for white, - . _ for empty
 * squares, full-width letters and round discs in UTF-8; blanks or line ends between the rows, or blanks between all
 * squares; quotes around it all, a ";" at its end; the side to move behind it, also as "black" or "O to move", with
 * blanks before it or none.
 *
 * One text keeps to one alphabet, side to move included: letters and digits are not mixed. ANY tells the alphabets of
 * digits apart by the whole text: 2 is met in DIGITS alone, an empty square that is no digit in EGAROUCID alone. A text
 * that fits both with different boards is refused, and so is one in which a single digit is met (0 could be a letter
 * O); such a text is read when the notation is named. A grid may be in any of the three alphabets. ANY takes two
 * numbers for HEX when the first begins with 0x or both have all their digits. FEN is refused: its "w" is the first
 * player to some programs and the second to others. "#" is a disc here: who allows comments behind it looks for the
 * board first.
 *
 * A missing side, a short or long board (one of 4x4, 6x6, 8x8 or 10x10 is named as such), a disc on what is no square,
 * anything left over: WILLOW_ERR_FORMAT with the column (line and column from the second line on); *board and *side are
 * unchanged then. The board comes back from the side to move. */
enum willow_status willow_board_parse_as(const struct willow_ruleset *ruleset, const char *text,
                                         enum willow_board_notation notation, struct willow_board *board,
                                         enum willow_side *side, struct willow_error *error);

/* The same with WILLOW_BOARD_ANY. */
enum willow_status willow_board_parse(const struct willow_ruleset *ruleset, const char *text,
                                      struct willow_board *board, enum willow_side *side, struct willow_error *error);

/* Writes the board in that notation (ANY as LETTERS) without a line end at its end; the buffer holds at least
 * WILLOW_BOARD_TEXT bytes. Returns buffer. */
char *willow_board_format_as(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side,
                             enum willow_board_notation notation, char *buffer);

/* The same in letters, "X", "O" and "-" with a blank and the side; buffer holds at least
 * WILLOW_BOARD_LINE bytes. Returns buffer. */
enum { WILLOW_BOARD_LINE = WILLOW_SQUARES + 3 };
char *willow_board_format(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side,
                          char *buffer);

enum { WILLOW_OBF_MOVES = WILLOW_SQUARES };

/* One line of an OBF file: a board and, optionally, scores of moves in discs for the side to move. */
struct willow_obf {
    struct willow_board board;
    enum willow_side side;
    int count; /* scored moves; the filler "--:-127" is left out */
    willow_square moves[WILLOW_OBF_MOVES];
    int scores_discs[WILLOW_OBF_MOVES];
};

/* Parses one line; a line end ends it. The board may be in any notation that ANY reads and that fits in a line. Moves
 * may be in any order; a forced pass may have a score; a comment may follow behind '%'. A blank line or one that starts
 * with '%' gives WILLOW_OK with *empty = true, and so does one that starts with '#', unless it is a whole board with
 * its side, whose a1 is black. WILLOW_ERR_FORMAT with the column: illegal move, move
 * scored twice, score beyond all squares of the ruleset; *obf is then unspecified. */
enum willow_status willow_obf_parse(const struct willow_ruleset *ruleset, const char *line, struct willow_obf *obf,
                                    bool *empty, struct willow_error *error);

/* Writes the position and its scored moves in their order, "BOARD X; D3:+4; C5:+2;", without a line end; the buffer
 * holds at least WILLOW_OBF_TEXT bytes. Returns buffer. */
enum { WILLOW_OBF_TEXT = WILLOW_BOARD_LINE + 11 * WILLOW_OBF_MOVES };
char *willow_obf_format(const struct willow_ruleset *ruleset, const struct willow_obf *obf, char *buffer);

#ifdef __cplusplus
}
#endif
#endif
