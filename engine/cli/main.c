/* The program willow: its verbs, and the hand-over to its sister programs.
 * Layer: engine/cli (program willow).
 */
#include <stdio.h>

#include <willow/program.h>

#include "verb.h"

static int run_sister(int argc, char **argv)
{
    const int code = handover_run(argc, argv);
    if (code >= 0)
        return code;
    fprintf(stderr, "%s: its program is not installed beside this one\n", argv[0]);
    return WILLOW_EXIT_USAGE;
}

/* Any further willow-VERB beside this program is a verb, too. */
static int run_unknown(int argc, char **argv)
{
    char typed[128];
    const int length = snprintf(typed, sizeof typed, "willow %s", argv[1]);
    if (length < 0 || (size_t)length >= sizeof typed)
        return -1;
    char *verb = argv[1];
    argv[1] = typed;
    const int code = handover_run(argc - 1, argv + 1);
    argv[1] = verb;
    return code;
}

static const struct willow_verb verbs[] = {
    {"play", "play a game in the terminal, against the engine or watching it", verb_play},
    {"analyse", "score every move of a game or a position, and draw the course of the game", verb_analyse},
    {"solve", "solve the positions of an OBF file, or measure accuracy on them", verb_solve},
    {"convert", "read games and positions in any format and write them in another", verb_convert},
    {"perft", "count the leaves of the game tree", verb_perft},
    {"gtp", "play for a program that speaks the Go Text Protocol", verb_gtp},
    {"nboard", "play for a program that speaks the NBoard protocol", verb_nboard},
    {"bench", "run a fixed workload: its node signature, and speeds", verb_bench},
    {"weights", "describe, check, compare and create weights files", verb_weights},
    {"match", "play engine against engine and say which is stronger", run_sister},
    {"selfplay", "play the engine against itself and write labelled positions", run_sister},
    {"train", "fit weights to positions, or run the whole loop", run_sister},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    return willow_program_main(argc, argv, "willow", "Willow, an Othello program that teaches itself.", verbs,
                               run_unknown);
}
