/* Game records of other programs, read from memory: WTHOR files, GGF text, transcripts one a line; and games written as
 * GGF. Layer: rules. Standard Othello only; other boards, starts and variants are named, not guessed at. No byte of the
 * data is trusted.
 */
#ifndef WILLOW_RECORDS_H
#define WILLOW_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>
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
     * evaluations behind a slash and unknown tags are left alone. */
    WILLOW_RECORDS_GGF,

    /* What willow_transcript_parse reads, one game a line; blank lines and text behind '#' are left out. */
    WILLOW_RECORDS_TRANSCRIPTS
};

enum willow_record_kind {
    WILLOW_RECORD_COMPLETE,      /* legal from the standard start to the end of the game */
    WILLOW_RECORD_UNFINISHED,    /* legal, but a side could still move */
    WILLOW_RECORD_OTHER_START,   /* legal, complete or not, from another position or side */
    WILLOW_RECORD_OTHER_VARIANT, /* another board, game or type; nothing was played */
    WILLOW_RECORD_ILLEGAL,       /* a move that the rules forbid; the game holds the moves before it */
    WILLOW_RECORD_DAMAGED        /* no record of its format: cut off, garbled; the game holds the moves before that */
};

struct willow_record {
    uint64_t number; /* in the data, from 1 */
    enum willow_record_kind kind;
    struct willow_game game;
    bool has_result;           /* WTHOR: always; transcripts: never */
    int result_discs;          /* as recorded: black's difference, the winner takes the empties; any number */
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
};

/* The data is not copied and must stay as it is while records are read. WILLOW_ERR_FORMAT when it is no data of this
 * format at all (WTHOR: size and number of games do not agree; text: it holds control characters; GGF: no game begins
 * in it); WILLOW_ERR_MISMATCH for a WTHOR file of another board or of solitaires. */
enum willow_status willow_records_open(struct willow_records *records, enum willow_record_format format,
                                       const void *data, size_t size_bytes, struct willow_error *error);

/* The next record, good or bad: a bad one does not end the reading. False at the end. */
bool willow_records_next(struct willow_records *records, struct willow_record *record);

/* What is known of a move besides the move. Only finite numbers are written. */
struct willow_ggf_move {
    bool has_score, has_time;
    double score_discs; /* from the mover's side */
    double seconds;
};

/* A game to be written as GGF. Texts may hold anything: what would end them is escaped ("\]", "\\"), control
 * characters become '?', and "(;" becomes "( ;". */
struct willow_ggf_game {
    const struct willow_game *game;      /* any start, finished or not */
    const char *place;                   /* PC, where it was played */
    const char *black, *white;           /* PB, PW */
    const char *clock;                   /* TI, "5:00" or "15:00//2:00"; null = left out */
    const struct willow_ggf_move *moves; /* beside game->moves; null = nothing is known */
    int result_discs;                    /* RE: black's difference, whatever the board says */
    char ending;                         /* what RE says behind it: 'r' resigned, 't' time; 0 = nothing */
};

/* Writes the game in one line without its end, "(;GM[Othello]...B[d3/1.50/0.12]W[c5//0.30]B[f6]...W[PA];)", passes
 * included, and returns the length without the terminator; as with snprintf the text is cut when that is not below
 * size. 16 KiB hold any game with texts of up to a kilobyte in all. 0 for a ruleset other than othello's, which is
 * nothing that GGF has a word for here. */
size_t willow_ggf_format(const struct willow_ggf_game *record, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
