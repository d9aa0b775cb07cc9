/* The verbs of the program willow, and the options that several of them share.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_VERB_H
#define WILLOW_CLI_VERB_H

#include <willow/board.h>
#include <willow/game.h>
#include <willow/search.h>
#include <willow/status.h>
#include <willow/weights.h>

int verb_play(int argc, char **argv);
int verb_analyse(int argc, char **argv);
int verb_solve(int argc, char **argv);
int verb_convert(int argc, char **argv);
int verb_perft(int argc, char **argv);
int verb_bench(int argc, char **argv);
int verb_gtp(int argc, char **argv);
int verb_nboard(int argc, char **argv);
int verb_weights(int argc, char **argv);

/* Replaces this process by the sister program that has the verb in argv[0] ("willow selfplay"). Returns an exit code
 * after an error, -1 when there is no such program. */
int handover_run(int argc, char **argv);

/* What hole:random is drawn from in verbs without a --seed, as by the default of those that have one. */
enum { OPTION_HOLE_SEED = 1 };

/* Weights of that name for games of the ruleset, as willow_weights_open. Where none are shipped and none were asked
 * for, one line on stderr says that the zero ones play. */
enum willow_status option_weights(const char *name, const struct willow_ruleset *ruleset,
                                  struct willow_weights **weights, struct willow_error *error);

/* A handle that plays the ruleset with these weights, so many threads together. The caller frees *search, which may be
 * set after a failure, too. */
enum willow_status option_search(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                                 size_t hash_bytes, int threads, struct willow_search **search,
                                 struct willow_error *error);

/* What is special about a ruleset, for users: "fewest discs win; c3 is a hole"; empty for othello. */
enum { OPTION_RULES_TEXT = 160 };
char *option_rules_text(const struct willow_ruleset *ruleset, char *buffer);

/* The position of a --board option, checked against the ruleset. */
enum willow_status option_board(const char *text, const struct willow_ruleset *ruleset, struct willow_board *board,
                                enum willow_side *side, struct willow_error *error);

#endif
