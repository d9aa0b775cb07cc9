/* Squares, boards, transcripts and OBF lines as text. Layer: rules. Never guesses: what is not understood is refused
 * with its place.
 */
#ifndef WILLOW_NOTATION_H
#define WILLOW_NOTATION_H

#include <stddef.h>

#include <willow/game.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "a1".."h8" in either case, "pa", "pass", "ps" or "--" for a pass. WILLOW_NO_SQUARE when it is none of these.
 * The text ends at its terminator. */
willow_square willow_square_parse(const char *text);

/* Lower case, "pa" for a pass, "--" for no square; buffer holds at least 3 bytes. Returns buffer. */
char *willow_square_format(willow_square square, char *buffer);

/* Plays a transcript from the game's current position: squares in either case, with or without blanks, line ends,
 * commas and semicolons between them; move numbers ("12.", "12:", "12 "; their values are not looked at); passes
 * written or left out, a pass behind the last move only when written; a leading byte order mark. WILLOW_ERR_FORMAT
 * names the column (from 1, in bytes; with the line from the second one on) and the illegal move; the game then holds
 * the moves before it. */
enum willow_status willow_transcript_parse(struct willow_game *game, const char *text, struct willow_error *error);

/* All moves in lower case without separators, passes left out; at most 2 * WILLOW_GAME_MAX + 1 bytes. Returns buffer.
 */
char *willow_transcript_format(const struct willow_game *game, char *buffer);

/* 64 squares from a1 (X x * B b = black, O o 0 W w = white, - . _ = empty), then blanks (or none) and the side to move
 * (a black or white letter), with blanks allowed around it all. Anything else, a missing side, a short or long board:
 * WILLOW_ERR_FORMAT with the column; *board and *side are unchanged then. The board comes back from the side to move.
 */
enum willow_status willow_board_parse(const char *text, struct willow_board *board, enum willow_side *side,
                                      struct willow_error *error);

/* "X", "O" and "-" as above with a blank and the side; buffer holds at least 67 bytes. Returns buffer. */
char *willow_board_format(struct willow_board board, enum willow_side side, char *buffer);

enum { WILLOW_OBF_MOVES = 64 };

/* One line of an OBF file: a board and, optionally, scores of moves in discs for the side to move. */
struct willow_obf {
    struct willow_board board;
    enum willow_side side;
    int count; /* scored moves; the filler "--:-127" is left out */
    willow_square moves[WILLOW_OBF_MOVES];
    int scores_discs[WILLOW_OBF_MOVES];
};

/* Parses one line; a line end ends it. Moves may be in any order; a forced pass may have a score; a comment may follow
 * behind '%'. A blank line or one that starts with '%' or '#' gives WILLOW_OK with *empty = true. WILLOW_ERR_FORMAT
 * with the column: illegal move (on the board of 64 playable squares), move scored twice, score outside -64..64; *obf
 * is then unspecified. */
enum willow_status willow_obf_parse(const char *line, struct willow_obf *obf, bool *empty, struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
