/* Text that is written as snprintf writes: what does not fit is counted, too. Shared by the writers of game records.
 * Layer: rules, internal.
 */
#ifndef RULES_RECORD_WRITER_H
#define RULES_RECORD_WRITER_H

#include <willow/records.h>

struct record_writer {
    char *buffer;
    size_t size, length;
};

void record_put_bytes(struct record_writer *text, const char *bytes, size_t length);

/* Pieces are short: below 128 bytes, and cut there. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void record_put(struct record_writer *text, const char *format, ...);

/* NAME[value] of a text from outside, escaped as records.h says. */
void record_put_text(struct record_writer *text, const char *name, const char *value);

/* The side that plays game->moves[index]. Passes are among the moves, so the sides take turns. */
static inline enum willow_side record_side_of(const struct willow_game *game, int index)
{
    return (index % 2 == 0) == (game->start_side == WILLOW_BLACK) ? WILLOW_BLACK : WILLOW_WHITE;
}

#endif
