/* What the readers of game records share: a record begun, failed and ended; places in text. Layer: rules, internal. */
#ifndef RULES_RECORD_READER_H
#define RULES_RECORD_READER_H

#include <willow/records.h>

/* The next number, the standard start, no moves, no result. */
void record_begin(struct willow_records *records, struct willow_record *record);

/* Notes why the record is not complete; the first reason stays. */
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
void record_fail(struct willow_record *record, enum willow_record_kind kind, const char *place, const char *format, ...);

/* When nothing failed: other start, complete or unfinished, by the game. `place` is that of the record. */
void record_end(struct willow_record *record, const char *place);

/* "line 3, column 17" of an offset in text. Offsets that rise from call to call cost a single pass over the text. */
enum { RECORD_PLACE = 96 };
char *record_text_place(struct willow_records *records, size_t at, char place[RECORD_PLACE]);

/* One per format; as willow_records_open and willow_records_next. */
enum willow_status wthor_check(const struct willow_records *records, struct willow_error *error);
bool wthor_next(struct willow_records *records, struct willow_record *record);
enum willow_status ggf_check(const struct willow_records *records, struct willow_error *error);
bool ggf_next(struct willow_records *records, struct willow_record *record);

/* Plays a move of a record, with the pass before it where one is due and was left out. WILLOW_ERR_ARGUMENT as
 * willow_game_play gives it; the game is unchanged then. (Of the transcripts: see notation.c.) */
enum willow_status written_move_play(struct willow_game *game, willow_square move, struct willow_error *error);

#endif
