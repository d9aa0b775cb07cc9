/* The program willow-selfplay: its table of verbs. Layer: selfplay (program). */
#include <willow/program.h>

#include "verbs.h"

int main(int argc, char **argv)
{
    static const struct willow_verb verbs[] = {
        {"run", "play games against itself and write labelled positions", verb_run},
        {"resume", "finish a run that was stopped or killed", verb_resume},
        {"info", "what a dataset holds", verb_info},
        {"verify", "check every file, row and game of a dataset", verb_verify},
        {"relabel", "score the positions of some plies anew", verb_relabel},
        {"merge", "one dataset of several, duplicates dropped or averaged", verb_merge},
        {"shuffle", "deal the games of datasets out to new shards at random", verb_shuffle},
        {"import", "make a dataset of games played elsewhere", verb_import},
        {"export", "write positions as CSV, or games as transcripts", verb_export},
        {"match", "engine against engine: pairs of games, Elo with bounds", verb_match},
        {NULL, NULL, NULL},
    };
    return willow_program_main(argc, argv, "willow selfplay", "Plays games, and writes and checks datasets.", verbs,
                               NULL);
}
