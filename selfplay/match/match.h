/* A whole match, from its settings to its result: openings drawn, pairs on record taken over, the rest played and
 * counted. Layer: selfplay. Prints nothing; who plays a game and how is the runner's business.
 */
#ifndef WILLOW_SELFPLAY_MATCH_H
#define WILLOW_SELFPLAY_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/search.h>
#include <willow/timer.h>

#include "engine.h"
#include "game_record.h"
#include "rating.h"
#include "schedule.h"
#include "sprt.h"
#include "standings.h"

/* Even openings are those that the linked weights score within so many discs by a search of so many plies, unless a
 * match says otherwise. Of the 67,245 positions after 8 plies 34,478 are; drawing one takes 0.07 ms. */
enum { MATCH_BALANCE_DISCS = 6, MATCH_JUDGE_DEPTH = 4, MATCH_BALANCE_DEFAULT = -1 };

enum { MATCH_PAIRS_MAX = 100000 }; /* of an encounter */

struct match_openings {
    const char *list, *list_name; /* text with a transcript a line, and its name in errors; null = random ones */
    int plies;                    /* random: moves before the engines take over */
    int balance_discs; /* random: 0 = any, MATCH_BALANCE_DEFAULT = MATCH_BALANCE_DISCS for rulesets that the linked
                          weights know, any for others */
    uint64_t seed;
};

/* What a player's moves took. */
struct match_time {
    uint64_t moves, used_ns, longest_ns; /* of moves after the opening; a pass takes none */
};

struct match_result {
    struct schedule schedule;
    const struct willow_ruleset *ruleset;
    int balance_discs; /* of the openings; 0 = any */
    struct rating_encounter
        *encounters; /* of the schedule, in its order; those without a pair yet have empty tallies */
    size_t encounters_count;
    struct match_time *times;    /* by player, like all below */
    uint64_t (*ends)[GAME_ENDS]; /* games that the player lost in this way; GAME_PLAYED counts none */
    uint64_t *faults;            /* all of these but resignations */
    bool *withdrawn;
    size_t pairs;      /* counted so far ... */
    size_t taken_over; /* ... of them from the folder */
    int running;       /* games being played */
    struct sprt_state sprt;
    bool complete; /* every pair was played but those of withdrawn players, or the test decided */
};

/* A game that a player lost otherwise than on the board, in the order of the schedule. */
struct match_fault {
    int player, opponent;
    size_t number; /* of the pair */
    const struct game_record *record;
};
typedef void match_on_fault(void *context, const struct match_fault *fault);

/* About ten times a second, on the thread that called match_run. */
typedef void match_on_tick(void *context, const struct match_result *result);

/* All pointers outlive the call. */
struct match_settings {
    struct engine *engines; /* opened by match_run; the caller's to clear */
    int players;            /* 2 .. SCHEDULE_PLAYERS_MAX */
    const struct willow_ruleset *ruleset;
    enum schedule_format format;
    size_t pairs; /* of each encounter, 1 .. MATCH_PAIRS_MAX */
    struct match_openings openings;
    const struct willow_time_control *clock; /* of engines without one of their own; null = none */
    size_t hash_bytes;                       /* of a built-in search; one for each player and thread */
    int threads;                             /* games at once */
    unsigned start_limit_ms;                 /* see player.h */
    uint64_t move_limit_ms;                  /* see arbiter.h */
    uint64_t faults_limit;                   /* a player withdraws at so many; 0 = never */
    const struct sprt_test *sprt;            /* of two players; null = none */

    const char *folder; /* where every game is kept, and a match goes on where it stopped; null = nowhere */
    const char *yaml;   /* the settings as people read them, kept there too */

    const struct willow_stop *stop; /* null = none */
    match_on_fault *fault;          /* null = none */
    match_on_tick *tick;            /* null = none */
    void *context;
};

/* Plays what is missing and sums up. The result depends on openings, engines, pairs and `sprt` alone for limits of
 * depth and nodes, not on threads or on how often the match was stopped: pairs count in the order of the schedule, up
 * to the one at which the test decides. Every encounter has the same openings; a greater number of pairs only adds to
 * them, so that a folder may hold fewer pairs and players than are asked for now, or more.
 *
 * WILLOW_ERR_STOPPED when `stop` was set, WILLOW_ERR_ARGUMENT (too few openings), _MISMATCH (weights or a program that
 * do not play the ruleset; a folder of other engines, openings or ruleset), and what engine_open, runner_play and
 * match_folder_open return. The caller clears the result in any case; it holds what was counted until then. */
enum willow_status match_run(const struct match_settings *settings, struct match_result *result,
                             struct willow_error *error);
void match_result_clear(struct match_result *result);

/* The final table. What standings_make returns; the caller clears. */
enum willow_status match_standings(const struct match_result *result, int anchor, struct standings *standings,
                                   struct willow_error *error);

#endif
