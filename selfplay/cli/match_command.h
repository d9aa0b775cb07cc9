/* What `willow match` is told: command line over configuration file over defaults. Layer: selfplay (program). */
#ifndef WILLOW_SELFPLAY_MATCH_COMMAND_H
#define WILLOW_SELFPLAY_MATCH_COMMAND_H

#include <stdbool.h>

#include "match/match.h"

enum { MATCH_DEPTH_DEFAULT = 4, MATCH_PATH = 4096 };

/* Limits of a move, of built-in engines that do not say their own; 0 = not said. */
struct match_limits {
    int depth, exact, selectivity, level;
    uint64_t nodes, time_ms;
};

struct match_file;

struct match_command {
    const char *config_name; /* of the configuration file; null = none */
    struct match_file *file; /* null = none */

    const char *typed[SCHEDULE_PLAYERS_MAX]; /* players as the user names them: in the command line, or in the file */
    int players;
    struct engine engines[SCHEDULE_PLAYERS_MAX]; /* made of them by match_command_parse, not opened */

    const char *ruleset_name; /* as typed or in the file; null = not given */
    const struct willow_ruleset *ruleset;
    struct match_limits limits;
    bool default_depth; /* an engine plays at MATCH_DEPTH_DEFAULT, since nothing else limits it */
    bool has_clock;
    struct willow_time_control clock;
    enum schedule_format format;
    size_t pairs;
    uint64_t seed;
    int opening_plies, balance_discs;
    char list[MATCH_PATH]; /* file of openings; "" = random ones */
    size_t hash_mb;
    int threads;
    bool has_sprt;
    struct sprt_test sprt;
    uint64_t move_limit_ms, withdraw_after;
    unsigned start_limit_ms;
    const char *file_anchor; /* null = the first player */
    int anchor;              /* the player */
    char out[MATCH_PATH];    /* folder; "" = none */
    bool quiet, json;
};

/* Reads the command line and the file that it names. Ends the program with one line on bad usage; WILLOW_ERR_ARGUMENT,
 * _FORMAT, _IO, _MEMORY. The caller clears in any case. */
enum willow_status match_command_parse(struct match_command *command, int argc, char **argv,
                                       struct willow_error *error);
void match_command_clear(struct match_command *command);

/* The depth of built-in engines that say nothing about themselves, 0 = none, or there are no such engines. */
int match_command_depth(const struct match_command *command);

/* Makes command->engines of what was typed. */
enum willow_status match_players_make(struct match_command *command, struct willow_error *error);

/* The player of that name, -1 = none has it. */
int match_players_find(const struct match_command *command, const char *name);

/* All settings as a configuration file that gives the same match again, wherever it stands; programs are
 * started in the present folder of then, unless they have one of their own. The caller frees *text.
 * WILLOW_ERR_ARGUMENT (a name that no configuration can hold), _IO (the present folder is not known), _MEMORY. */
enum willow_status match_yaml_make(const struct match_command *command, char **text, struct willow_error *error);

#endif
