/* An engine that takes part in a match, as its user describes it: built in (weights and limits) or another program that
 * speaks a protocol. Layer: selfplay. Reads the description and opens its weights; plays nothing.
 */
#ifndef WILLOW_SELFPLAY_ENGINE_H
#define WILLOW_SELFPLAY_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/ruleset.h>
#include <willow/status.h>
#include <willow/timer.h>
#include <willow/weights.h>

enum engine_kind { ENGINE_BUILTIN, ENGINE_GTP, ENGINE_NBOARD };

enum { ENGINE_NAME_MAX = 64 }; /* bytes with the terminator; printable ASCII, without quotes and backslashes */

/* Owns its texts. Zero or null = not said: the match's own setting holds, or none. */
struct engine {
    char name[ENGINE_NAME_MAX]; /* unique in a match */
    enum engine_kind kind;
    bool withdrawn; /* plays no more games; those on record stand */

    /* Limits of every move: built-in engines. What a level says of exact and selectivity gives way to these fields.
     * NBoard programs are told depth or level; no other limit can be told to a program. */
    int depth, exact, selectivity, level;
    uint64_t nodes, time_ms;
    bool has_clock;
    struct willow_time_control clock; /* of every game, besides the limits */

    char *weights_name;             /* built in: as willow_weights_open takes it */
    struct willow_weights *weights; /* null until engine_open */

    char **command; /* other programs: arguments, ended by null, one block */
    char *folder;   /* where it is started; null = here */
    char **setup;   /* lines sent after each start, ended by null, one block; null = none */
};

/* Reads a description from the command line:
 *
 *   [NAME=]WEIGHTS[,KEY=VALUE...]          WEIGHTS: a file, "default" or "zero"
 *   [NAME=]gtp:COMMAND LINE                the command is split into words as by a shell, and no more than that
 *   [NAME=]nboard:COMMAND LINE
 *
 * with the keys depth, exact, selectivity, level, nodes, time (seconds a move) and clock (see timer.h). NAME has
 * letters, digits, '-', '_' and '.' alone; without it the name is made of WEIGHTS' file name without folder and ".wlw",
 * or of the program's, cut to fit. A file with '=' in its name has a folder in front ("./a=b.wlw"). The result has
 * passed engine_check. WILLOW_ERR_ARGUMENT (unknown key, key given twice, value out of range), _FORMAT, _MEMORY.
 * *engine must be cleared in any case. */
enum willow_status engine_parse(const char *text, struct engine *engine, struct willow_error *error);

/* Whether the fields agree and lie in their ranges, however they were filled in: depth and level exclude each other, as
 * do weights and a command, and a limit that a program could not be told is refused. WILLOW_ERR_ARGUMENT names the
 * engine and the field. */
enum willow_status engine_check(const struct engine *engine, struct willow_error *error);

/* Loads the weights of a built-in engine for games of the ruleset; nothing to do for others. What willow_weights_open
 * returns. */
enum willow_status engine_open(struct engine *engine, const struct willow_ruleset *ruleset, struct willow_error *error);

/* One line that says all that fixes how the engine plays, "default (<checksum>), depth 6, exact 14", in printable
 * ASCII: for people and for telling whether a match on record is the same. Needs engine_open; cut to fit. Returns
 * buffer. */
char *engine_describe(const struct engine *engine, char *buffer, size_t size);

void engine_clear(struct engine *engine);

#endif
