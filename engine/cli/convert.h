/* What willow convert is made of: games and positions read from files, texts and standard input, and written in any
 * notation. Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_CONVERT_H
#define WILLOW_CLI_CONVERT_H

#include <stdio.h>

#include <willow/notation.h>
#include <willow/records.h>
#include <willow/search.h>

/* What the input is. */
struct convert_source {
    const struct willow_ruleset *ruleset; /* of all games and positions */
    bool named;                           /* else guessed from the content */
    bool whole;                           /* one board over all lines: the notation grid */
    enum willow_record_format format;     /* when named */
    enum willow_board_notation notation;  /* of positions */
};

/* "wthor", "ggf", "sgf", "transcript", "positions", or the notation of a board; false when there is no such name. The
 * ruleset stays. */
bool convert_source_find(const char *name, struct convert_source *source);

/* A record as it was read. */
struct convert_item {
    const char *file; /* or what else it came from */
    struct willow_record record;
    bool is_position;
    struct willow_obf scores; /* of positions; count = 0 where there are none */
};

/* Called for every record, good or bad; false = stop reading, which is then the end. */
typedef bool convert_take(void *context, struct convert_item *item);

/* Reads a file, "-" for standard input; or a board and moves from the command line, either of which may be null. What
 * is no such data at all: WILLOW_ERR_FORMAT, _MISMATCH; else what reading gives. */
enum willow_status convert_read_file(const char *path, const struct convert_source *source, convert_take *take,
                                     void *context, struct willow_error *error);
enum willow_status convert_read_texts(const char *board, const char *moves, const struct convert_source *source,
                                      convert_take *take, void *context, struct willow_error *error);

enum convert_form {
    CONVERT_TRANSCRIPT,
    CONVERT_GGF,
    CONVERT_SGF,
    CONVERT_WTHOR,
    CONVERT_BOARD, /* in a notation */
    CONVERT_SHEET,
    CONVERT_JSON
};

/* Writes records one by one; a WTHOR file, whose head counts the games, at the end. */
struct convert_writer {
    enum convert_form form;
    enum willow_board_notation notation; /* of boards */
    bool scores;                         /* of moves, with boards in letters and JSON */
    FILE *stream;
    uint64_t written;
    unsigned char *games; /* WTHOR's */
    size_t games_bytes, capacity;
};

/* "transcript", "ggf", "sgf", "wthor", "sheet", "json", or the notation of a board; false when there is no such name.
 */
bool convert_form_find(const char *name, enum convert_form *form, enum willow_board_notation *notation);

/* WILLOW_ERR_MISMATCH (the format has no words for this game) and _MEMORY, with place and file. Failures of the stream
 * are the caller's to check. */
enum willow_status convert_write(struct convert_writer *writer, const struct convert_item *item,
                                 struct willow_error *error);
void convert_write_end(struct convert_writer *writer);
void convert_writer_clear(struct convert_writer *writer);

/* One object in one line; scores: with those of a position's moves. */
void convert_print_json(FILE *stream, const struct convert_item *item, bool scores);

#endif
