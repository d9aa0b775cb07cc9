/* What is asked of a player in a test: games from an opening, moves by a deadline, reasons that can be printed. */
#ifndef TESTS_PLAYER_TURNS_H
#define TESTS_PLAYER_TURNS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/notation.h>

#include "selfplay/match/player.h"

static const uint64_t NS_PER_MS = 1000000;

/* Longer than anything takes on a slow machine. */
enum { AMPLE_MS = 60000 };

static inline struct willow_game opening_of(const char *text)
{
    struct willow_game game;

    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, text, NULL), WILLOW_OK);
    return game;
}

static inline struct player_turn turn_of(const struct willow_game *game, unsigned limit_ms)
{
    return (struct player_turn){.game = game, .deadline_ns = willow_clock_ns() + limit_ms * NS_PER_MS};
}

static inline void assert_printable(const char *reason)
{
    assert_true(strlen(reason) > 0 && strlen(reason) < PLAYER_REASON);
    for (const char *c = reason; *c; c++)
        assert_true(*c >= ' ' && *c <= '~');
}

#endif
