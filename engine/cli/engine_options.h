/* The options that say how the engine plays, shared by the verbs in which it does: play, analyse, gtp, nboard.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_ENGINE_OPTIONS_H
#define WILLOW_CLI_ENGINE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include <willow/choice.h>
#include <willow/weights.h>

/* Filled with engine_options_default before parsing. */
struct engine_options {
    const char *weights; /* --weights; null = the default ones */
    int level;           /* --level; 0 = not given */
    int depth;           /* --depth; 0 = not given */
    int exact;           /* --exact; -1 = not given */
    int selectivity;     /* --selectivity; 0 = not given */
    double seconds;      /* --time, a move; 0 = not given */
    double loss_discs;   /* --loss */
    uint64_t seed;       /* --seed, of --loss */
    int threads;         /* --threads */
    int64_t hash_mb;     /* --hash */
};

void engine_options_default(struct engine_options *options);

/* As .children of a verb's argp; the verb hands &options to state->child_inputs[0] at ARGP_KEY_INIT. --level with
 * --depth, --exact or --selectivity is refused in one line, exit 2. The second one leaves out --loss and --seed, which
 * mean nothing where no game is played. */
extern const struct argp engine_options_argp;
extern const struct argp engine_search_argp;

/* What they mean. Nothing given: level `default_level`, or none when there is a clock (`clocked`) or --time. */
struct willow_choice engine_options_choice(const struct engine_options *options, int default_level, bool clocked);

/* Prints the table of levels: depth, selectivity, where the game is solved. */
void engine_options_print_levels(void);

#endif
