/* A game of a match as one line of JSON, written with fixed decimals and read without trust: its moves are replayed by
 * the rules and everything else is held against them. Layer: selfplay. Memory only; files are the caller's.
 */
#ifndef WILLOW_SELFPLAY_GAME_JSON_H
#define WILLOW_SELFPLAY_GAME_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#include "game_record.h"

/* No line is longer: each of at most 100 squares takes less than 120 bytes, and texts are short. */
enum { GAME_JSON_MAX = 16384 };

/* Every line begins with this. */
#define GAME_JSON_START "{\"pair\":"

struct game_json {
    uint64_t pair; /* number within the encounter */
    int game;      /* 0, 1 */
    char black[ENGINE_NAME_MAX], white[ENGINE_NAME_MAX];
    struct game_record record;
};

/* Writes the line with its end to buffer (GAME_JSON_MAX bytes). Fixed decimals and
 * order of keys: games that differ in their times alone differ in "seconds" alone. Bytes of a reason that are no UTF-8
 * become '?', a ruleset is named where it is not othello, numbers of nodes are cut at 2^63 - 1, times at 10^9 s.
 * WILLOW_ERR_ARGUMENT for a game that would not be read again (result and end do not agree, names that are no names),
 * _MEMORY. */
enum willow_status game_json_write(const struct game_json *game, char *buffer, size_t *length,
                                   struct willow_error *error);

/* Reads a line without its end. Passes come back as they were; scores to two decimals, times to the microsecond.
 * WILLOW_ERR_FORMAT, or _MISMATCH for a game of another ruleset, with this file and place; *game is then unspecified.
 * WILLOW_ERR_MEMORY. */
enum willow_status game_json_read(const char *text, size_t size, const struct willow_ruleset *ruleset, const char *file,
                                  const char *place, struct game_json *game, struct willow_error *error);

/* A JSON string of a text that may hold any bytes: where they are no UTF-8, all but ASCII become '?'. Null without
 * memory. */
json_t *game_json_text(const char *text);

/* The same text with everything but printable ASCII turned to '?', for a reason in one line; cut to size. Returns
 * buffer. */
char *game_json_printable(const char *text, char *buffer, size_t size);

#endif
