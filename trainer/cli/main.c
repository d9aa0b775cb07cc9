/* The program willow-train: its verbs. Layer: trainer (program). */
#include "verbs.h"

#include <signal.h>
#include <stddef.h>

#include <willow/program.h>

static const struct willow_verb verbs[] = {
    {"fit", "fit pattern weights to labelled positions", verb_fit},
    {"probcut", "fit the margins of selective search to a set of weights", verb_probcut},
    {"report", "show how good a fit is: a page with drawings, and text", verb_report},
    {"loop", "self-play, fit and match, generation after generation", verb_loop},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    /* A write beyond a limit on file sizes shall fail like a full disk, not kill. */
    (void)signal(SIGXFSZ, SIG_IGN);
    return willow_program_main(argc, argv, "willow train", "Turns labelled positions into weights.", verbs, NULL);
}
