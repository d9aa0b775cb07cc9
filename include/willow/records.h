/* Game records of other programs, read from memory and written: WTHOR, GGF, SGF, transcripts, positions. Layer: rules.
 * Games of one ruleset at a time; other boards, starts and variants are named, not guessed at. No byte of the data is
 * trusted.
 */
#ifndef WILLOW_RECORDS_H
#define WILLOW_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/notation.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum willow_record_format {
    /* The archive of the French federation: a header of 16 bytes, then 68 bytes a game, passes left out. The format is
     * described at www.ffothello.org (Format de la base WTHOR). */
    WILLOW_RECORDS_WTHOR,

    /* Generic Game Format: "(;GM[Othello]TY[8]BO[8 ...]B[d3//0.5]W[...];)", any number of games with or without line
     * ends between them, each with or without the count "1 " in front. Passes are written or left out; times and
     * evaluations behind a slash and unknown tags are left alone. TY, where there is one, is the width of the board,
     * "a" behind it for anti, and "r" for a start drawn at random; the start itself is in BO, so that a game of
     * 6x6-parallel is one of TY[6], and read as 6x6 one from another start. Rulesets with holes or a placement have no
     * TY. */
    WILLOW_RECORDS_GGF,

    /* What willow_transcript_parse reads, one game a line; blank lines and text behind '#' are left out. A line may
     * begin with the board that the moves start from, side to move included. Several lines are one game when the first
     * is a board alone or begins with a move, with or without a board before it, all others begin with a move, and
     * below the first line of moves none begins with a move that is legal at the start; or when together they are a
     * legal game, and one of those lines begins with a number as "3." or with a move that is not legal at the start. */
    WILLOW_RECORDS_TRANSCRIPTS,

    /* Smart Game Format, FF[1] to FF[4] with GM[2], as GoGui and others write it: ";B[de];W[cf]", column then row from
     * the top, both as letters; "B[]", "B[tt]" and "B[pa]" are passes, which may be left out; squares as "B[d5]" are
     * read, too. The start may be set up with AB, AW and PL. The main line (first variation) is the game. Collections
     * hold several. AB, AW and AE change the standard start, as for handicap games; without PL the first move says
     * which side begins. SZ must be the width of the ruleset's board, and RU, where it is the name of a ruleset, its
     * name: a game without RU is taken at the caller's word. Other texts in RU, and properties that have nothing to do
     * with the play, are left alone. */
    WILLOW_RECORDS_SGF,

    /* Positions, one a line, in any notation of a board that fits in a line, OBF with its scores included: each is a
     * game without moves. Blank lines and comments ('%', '#') are left out. */
    WILLOW_RECORDS_POSITIONS
};

/* By name ("wthor", "ggf", "transcripts", "sgf", "positions"); false when there is none. The name of one. */
bool willow_record_format_find(const char *name, enum willow_record_format *format);
const char *willow_record_format_name(enum willow_record_format format);

/* What the data looks like, whatever the size of its boards. False when it looks like none of them. */
bool willow_records_guess(const void *data, size_t size_bytes, enum willow_record_format *format);

enum { WILLOW_NAME_BYTES = 64 };

enum willow_record_kind {
    WILLOW_RECORD_COMPLETE,      /* legal from the standard start to the end of the game */
    WILLOW_RECORD_UNFINISHED,    /* legal, but a side could still move */
    WILLOW_RECORD_OTHER_START,   /* legal, complete or not, from another position or side */
    WILLOW_RECORD_OTHER_VARIANT, /* another board, game or type; nothing was played */
    WILLOW_RECORD_ILLEGAL,       /* a move that the rules forbid; the game holds the moves before it */
    WILLOW_RECORD_DAMAGED        /* no record of its format: cut off, garbled; the game holds the moves before that */
};

/* What is known of a move besides the move. Only finite numbers are written. */
struct willow_ggf_move {
    bool has_score, has_time;
    double score_discs; /* from the mover's side */
    double seconds;
};

struct willow_record {
    uint64_t number; /* in the data, from 1 */
    enum willow_record_kind kind;
    struct willow_game game;
    char black[WILLOW_NAME_BYTES]; /* the players' names where the record has them, cut to fit, printable UTF-8 */
    char white[WILLOW_NAME_BYTES];
    char venue[WILLOW_NAME_BYTES]; /* GGF: PC and TI as they stand there, cut to fit, printable UTF-8; else empty */
    char clock[WILLOW_NAME_BYTES];
    struct willow_ggf_move known[WILLOW_GAME_MAX]; /* GGF: beside game.moves; else nothing */
    bool has_result;                               /* WTHOR: always; transcripts and positions: never */
    int result_discs;      /* as recorded: black's difference, the winner takes the empties; any number. SGF: a win
                              without a number is by all squares, and what counts the discs of the final board alone is
                              completed */
    char ending;           /* what the result says besides: 'r' resigned, 't' time, other letters of GGF; 0 = nothing */
    size_t at, size_bytes; /* where the record begins in the data, and what it takes there */
    struct willow_error error; /* why the record is not WILLOW_RECORD_COMPLETE: place and reason, no file */
};

/* In the caller's storage; no resources behind it. */
struct willow_records {
    enum willow_record_format format;
    const unsigned char *data;
    size_t size_bytes;
    size_t at;       /* where the next record begins, or what stands before it */
    uint64_t number; /* of records handed out */
    size_t line_at;  /* text formats: an offset, and the line it lies in and that line's offset */
    uint64_t line;
    size_t line_start;
    bool joined; /* transcripts: one game over all lines */

    /* Positions: what willow_records_open sets to WILLOW_BOARD_ANY; the caller may demand another, as
     * WILLOW_BOARD_MOVER, which ANY never is. */
    enum willow_board_notation notation;

    const struct willow_ruleset *ruleset;
};

/* Reads the data as games of the ruleset. Records that name another board or variant come back as
 * WILLOW_RECORD_OTHER_VARIANT, with an error that says which ruleset they are for where there is one; a transcript or
 * an SGF game that is illegal here and legal from the start of another ruleset of the table as WILLOW_RECORD_ILLEGAL,
 * with an error that names that ruleset, as willow_transcript_parse does; and a game from another start with one that
 * names the ruleset that is played alike and starts so.
 *
 * The data is not copied and must stay as it is while records are read. WILLOW_ERR_FORMAT when it is no data of this
 * format at all (WTHOR: size and number of games do not agree; text: it holds control characters; GGF: no game begins
 * in it); WILLOW_ERR_MISMATCH for a WTHOR file of another board or of solitaires: WTHOR
 * holds games of othello alone. */
enum willow_status willow_records_open(struct willow_records *records, const struct willow_ruleset *ruleset,
                                       enum willow_record_format format, const void *data, size_t size_bytes,
                                       struct willow_error *error);

/* The next record, good or bad: a bad one does not end the reading. False at the end. */
bool willow_records_next(struct willow_records *records, struct willow_record *record);

/* Whether the record of a game that is over names another result than its board, which alone is to be trusted. */
bool willow_record_result_differs(const struct willow_record *record);

/* Reads a move as GGF and NBoard write it, "F5", "F5/1.25" or "F5/1.25/0.3" with a score and a time; anything but the
 * move may be left out, and what is no number there is not known. False when it names no square and no pass. */
bool willow_ggf_move_parse(const char *text, size_t length, willow_square *move, struct willow_ggf_move *known);

/* A game to be written as GGF. Texts may hold anything: what would end them is escaped ("\]", "\\"), control
 * characters become '?', and "(;" becomes "( ;". */
struct willow_ggf_game {
    const struct willow_game *game;      /* any start, finished or not */
    const char *place;                   /* PC, where it was played; null = left out */
    const char *black, *white;           /* PB, PW */
    const char *clock;                   /* TI, "5:00" or "15:00//2:00"; null = left out */
    const struct willow_ggf_move *moves; /* beside game->moves; null = nothing is known */
    int result_discs;                    /* RE: black's difference, whatever the board says */
    bool result_unknown;                 /* RE[?] instead */
    char ending;                         /* what RE says behind it: 'r' resigned, 't' time; 0 = nothing */
};

/* Writes the game in one line without its end, "(;GM[Othello]...B[d3/1.50/0.12]W[c5//0.30]B[f6]...W[PA];)", passes
 * included, and returns the length without the terminator; as with snprintf the text is cut when that is not below
 * size. 16 KiB hold any game with texts of up to a kilobyte in all. 0 for a ruleset that GGF has no word for: TY
 * is the size of the board, and "8a" for anti, with the board of the start in BO. */
size_t willow_ggf_format(const struct willow_ggf_game *record, char *buffer, size_t size);

/* Writes the game as SGF in one line without its end, "(;GM[2]FF[4]CA[UTF-8]SZ[8]PB[..]PW[..]RE[B+4];B[fe]...)", passes
 * included as "B[]", another start as AB, AW, AE and PL, "RE[B+R]" and "RE[B+T]" for what ended by resignation or time;
 * times and scores, and texts and results that there are not, left out; else as willow_ggf_format, which see for what
 * comes back and for the escaping. Any ruleset: SZ is the width of the board, and RU[NAME] names all but othello. */
size_t willow_sgf_format(const struct willow_ggf_game *record, char *buffer, size_t size);

/* Writes the game as a line of transcripts without its end: the board before the moves where it did not start as usual,
 * or has no moves. Returns buffer. */
enum { WILLOW_TRANSCRIPT_LINE = WILLOW_BOARD_LINE + WILLOW_TRANSCRIPT_TEXT + 1 };
char *willow_transcript_line(const struct willow_game *game, char buffer[WILLOW_TRANSCRIPT_LINE]);

/* A WTHOR file: header, then the games. Names are numbers there, and lost: all are 0. The theoretical score is the one
 * from no empty squares on, which is the result. */
enum { WILLOW_WTHOR_HEADER_BYTES = 16, WILLOW_WTHOR_GAME_BYTES = 68 };
struct willow_wthor_date {
    int year, month, day; /* the year is cut to 0 .. 25599, what the header can say */
};

/* The header of a file of so many games of that year, written on that day. */
void willow_wthor_header(const struct willow_wthor_date *written, uint32_t games, int year,
                         unsigned char header[WILLOW_WTHOR_HEADER_BYTES]);

/* One game. WILLOW_ERR_MISMATCH when it does not begin at the standard start, which is all that WTHOR knows. A game
 * that is not over is written with the discs on its board. */
enum willow_status willow_wthor_format(const struct willow_game *game, unsigned char record[WILLOW_WTHOR_GAME_BYTES],
                                       struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
