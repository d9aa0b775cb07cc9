/* What the readers of game records share: a record begun, played, failed and ended; pieces of text and their places.
 * Layer: rules, internal.
 */
#ifndef RULES_RECORD_READER_H
#define RULES_RECORD_READER_H

#include <willow/records.h>

/* The next number, the standard start, no moves, no names, no result; `at` is where it begins. */
void record_begin(struct willow_records *records, struct willow_record *record, size_t at);

/* Notes why the record is not complete; the first reason stays. */
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
void record_fail(struct willow_record *record, enum willow_record_kind kind, const char *place, const char *format, ...);

/* When nothing failed: other start, complete or unfinished, by the game. `place` is that of the record. */
void record_end(struct willow_record *record, const char *place);

/* Part of the data: from `at` (an offset), so many bytes. */
struct record_piece {
    size_t at, length;
};

/* Blanks and all that lays text out, line ends among them. */
static inline bool record_is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The byte that comes next, 0 at the end (text holds none); past the blanks; the offset of a text at or after `from`,
 * the end of the data when there is none. */
unsigned char record_current(const struct willow_records *records);
void record_skip_space(struct willow_records *records);
size_t record_find(const struct willow_records *records, size_t from, const char *text);

/* Offset of the next "(" with ";" behind it, with or without blanks between them; the end when there is none. */
size_t record_find_tree(const struct willow_records *records, size_t from);

/* "line 3, column 17" of an offset in text. Offsets that rise from call to call cost a single pass over the text. */
enum { RECORD_PLACE = 96 };
char *record_text_place(struct willow_records *records, size_t at, char place[RECORD_PLACE]);

/* As record_fail with the place of an offset; the second one quotes the beginning of a value, in printable ASCII
 * whatever the data holds. */
void record_fail_at(struct willow_records *records, struct willow_record *record, enum willow_record_kind kind,
                    size_t at, const char *reason);
void record_fail_quoting(struct willow_records *records, struct willow_record *record, enum willow_record_kind kind,
                         struct record_piece value, const char *reason);

/* What the game on a board of that width is called, usual or with the fewest discs winning, in whichever build it is:
 * false when there is none. */
enum { RULESET_NAME = 16 };
bool record_variant_name(int width, bool fewest_wins, char name[RULESET_NAME]);

/* A record of the ruleset of that name, which is not the one it is read as. */
void record_fail_other(struct willow_records *records, struct willow_record *record, size_t at, const char *name);

/* Whether TY of GGF has a word for the ruleset: whole boards that discs stand on from the start, whatever that is. */
static inline bool ruleset_has_ggf_type(const struct willow_ruleset *ruleset)
{
    return ruleset->placement == 0 && willow_ruleset_squares(ruleset) == ruleset->width * ruleset->height;
}

/* The value without blanks in a buffer of that size; true when it fits. */
bool record_squeeze(const struct willow_records *records, struct record_piece value, char *buffer, size_t size);

/* A player's name: escapes taken away (every "\x" with all_escapes, else "\]" and "\\" alone), line ends as blanks,
 * what cannot be printed as '?'. */
void record_name(const struct willow_records *records, struct record_piece value, bool all_escapes,
                 char name[WILLOW_NAME_BYTES]);

/* Plays a move that names its side, with the pass before it where one is due and was left out; passes behind the end of
 * the game are left alone. A move of the side that is not to move is illegal. */
void record_play(struct willow_records *records, struct willow_record *record, enum willow_side side,
                 willow_square move, struct record_piece value);

/* One per format; as willow_records_open and willow_records_next. */
enum willow_status wthor_check(const struct willow_records *records, struct willow_error *error);
bool wthor_next(struct willow_records *records, struct willow_record *record);
enum willow_status ggf_check(const struct willow_records *records, struct willow_error *error);
bool ggf_next(struct willow_records *records, struct willow_record *record);
enum willow_status sgf_check(const struct willow_records *records, struct willow_error *error);
bool sgf_next(struct willow_records *records, struct willow_record *record);
void transcripts_begin(struct willow_records *records); /* sets `joined` */
bool transcripts_next(struct willow_records *records, struct willow_record *record);
bool positions_next(struct willow_records *records, struct willow_record *record);

#endif
