/* What `willow match` shows: a line while it plays, faults as they happen, and the result. Layer: selfplay (program).
 */
#ifndef WILLOW_SELFPLAY_MATCH_OUTPUT_H
#define WILLOW_SELFPLAY_MATCH_OUTPUT_H

#include <willow/program.h>

#include "match_command.h"

/* Everything that is printed at the end. */
struct match_report {
    const struct match_command *command;
    const struct match_result *result;
    const struct standings *standings;
    const char *const *names; /* by player */
};

/* The result on stdout; the caller checks the stream. */
void match_text_print(const struct match_report *report);
void match_json_print(const struct match_report *report);

/* The name of a verdict: "H0", "H1" or "undecided". */
const char *match_verdict_name(enum sprt_verdict verdict);

/* Progress on stderr. */
struct match_live {
    struct willow_progress progress;
    const struct match_command *command;
    const char *const *names;
    size_t taken_over; /* pairs that were there before; SIZE_MAX until known */
    unsigned faults;   /* reported so far */
    int rows;          /* of standings on the terminal, above the line */
    bool warned;       /* of players that know only the rules */
};
void match_live_start(struct match_live *live, const struct match_command *command, const char *const *names);
/* Callbacks for match_settings, with a match_live. */
void match_live_tick(void *context, const struct match_result *result);
void match_live_fault(void *context, const struct match_fault *fault);
void match_live_end(struct match_live *live, const struct match_result *result);

#endif
