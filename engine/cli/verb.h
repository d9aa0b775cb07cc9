/* The verbs of the program willow, and the options that several of them share.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_VERB_H
#define WILLOW_CLI_VERB_H

#include <willow/board.h>
#include <willow/game.h>
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

/* The ruleset of that name; an error lists those that exist. */
enum willow_status option_ruleset(const char *name, const struct willow_ruleset **ruleset, struct willow_error *error);

/* The position of a --board option, checked against the ruleset. */
enum willow_status option_board(const char *text, const struct willow_ruleset *ruleset, struct willow_board *board,
                                enum willow_side *side, struct willow_error *error);

#endif
