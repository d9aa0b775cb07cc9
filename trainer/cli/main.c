/* The program willow-train: its verbs. Layer: trainer (program). */
#include "verbs.h"

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
    return willow_program_main(argc, argv, "willow train", "Turns labelled positions into weights.", verbs, NULL);
}
