/* Short matches between players that need no training, for the tests of whole matches. */
#ifndef WILLOW_TESTS_MATCH_FIXTURE_H
#define WILLOW_TESTS_MATCH_FIXTURE_H

#include <willow/weights.h>

#include "selfplay/match/match.h"
#include "support/scratch.h"

enum { MATCH_FIXTURE_PAIRS = 12, MATCH_FIXTURE_PLAYERS_MAX = 5 };

struct match_fixture {
    struct willow_weights *mobile, *clumsy; /* knows that moves are worth having; believes the opposite */
    char folder[SCRATCH_PATH], match[SCRATCH_PATH];
};

/* Of a group of tests. */
int match_fixture_set_up(void **state);
int match_fixture_tear_down(void **state);

/* Players whose weights belong to the fixture, and settings of a match between them. */
struct match_setting {
    struct engine engines[MATCH_FIXTURE_PLAYERS_MAX];
    struct match_settings match;
};

/* A match of no players yet. */
void match_fixture_begin(struct match_setting *setting, int threads);
void match_fixture_add_player(struct match_setting *setting, const char *name, struct willow_weights *weights,
                              int depth);

/* The better against the worse. */
void match_fixture_begin_two(struct match_setting *setting, const struct match_fixture *fixture, int threads);

/* A new folder for the match. */
void match_fixture_keep_games(struct match_setting *setting, const struct match_fixture *fixture);

/* Plays it to its end; the caller clears the result. */
void match_fixture_run(const struct match_setting *setting, struct match_result *result);

/* What match_run returns. */
enum willow_status match_fixture_outcome(const struct match_setting *setting);

/* Plays it to its end: the tally of the first encounter. */
struct statistics_tally match_fixture_tally(const struct match_setting *setting);

/* games.txt of the folder; the caller frees. */
char *match_fixture_transcripts(const struct match_fixture *fixture);

#endif
