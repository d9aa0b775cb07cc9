/* The openings of a run or match, one after another and none twice before all of its kind have been used.
 * Layer: selfplay. An opening is known by its position up to symmetry. Prints nothing.
 */
#ifndef WILLOW_SELFPLAY_OPENINGS_H
#define WILLOW_SELFPLAY_OPENINGS_H

#include <willow/game.h>
#include <willow/search.h>
#include <willow/weights.h>

enum openings_kind {
    OPENINGS_RANDOM, /* random moves, their number drawn between two bounds */
    OPENINGS_ALL,    /* every position after a number of plies, in random order */
    OPENINGS_LIST    /* those of a text, in random order */
};

/* An opening leaves something to play: OPENINGS_PLIES_MAX plies do. Every position after more than OPENINGS_ALL_MAX
 * plies would be too many (the positions after 9 plies are 434,029 or more). */
enum { OPENINGS_PLIES_MAX = 50, OPENINGS_ALL_MAX = 9, OPENINGS_SHARES = OPENINGS_PLIES_MAX + 1 };

struct opening {
    struct willow_game game; /* the start and the moves to its position, passes included; not over */
    int plies;               /* moves without passes */
};

struct openings_options {
    enum openings_kind kind;
    const struct willow_ruleset *ruleset;
    uint64_t seed;

    /* OPENINGS_RANDOM: plies uniform in min .. max, or with these shares (any scale; all zero = uniform) by number.
     * OPENINGS_ALL: plies_max alone. Passes are not counted. */
    int plies_min, plies_max;
    double shares[OPENINGS_SHARES];

    /* Balanced starts, of random openings only. A candidate with a score of s discs (a shallow search by the judge) is
     * taken with probability exp(-|s| / soft_discs), and never above limit_discs. 0 = that rule is off. The judge is
     * null when both are. */
    const struct willow_weights *judge;
    int judge_depth; /* plies of that search, at least 1 */
    double soft_discs;
    int limit_discs;

    const char *list, *list_name; /* OPENINGS_LIST: transcripts, one a line, blank lines and lines after '#' left out;
                                     the name stands for the text in errors */
    bool repeat; /* true: begin a new round when the openings (of one number of plies) are used up; false: an error */
    const struct willow_stop *stop; /* null = none */
};

struct openings;

/* Weights and list need not outlive the call's caller beyond openings_free (the list may be freed at once).
 * WILLOW_ERR_FORMAT names the list's line and column (illegal move, game over, no opening at all), _ARGUMENT,
 * _MEMORY, _STOPPED. */
enum willow_status openings_new(const struct openings_options *options, struct openings **openings,
                                struct willow_error *error);
void openings_free(struct openings *openings);

/* The opening of game `index`. A run asks with rising indices (equal ones are allowed); those between are drawn and
 * left out, at some microseconds each, so that the answer depends on options and index alone. One thread at a time.
 * WILLOW_ERR_ARGUMENT when they are used up and `repeat` is false, with how many there were; _MEMORY; _STOPPED. */
enum willow_status openings_take(struct openings *openings, uint64_t index, struct opening *opening,
                                 struct willow_error *error);

/* How many different openings there are, where that is known at once (list, all); 0 where not. */
uint64_t openings_count(const struct openings *openings);

/* Lines of the list that were left out because an earlier one leads to the same position up to symmetry. */
uint64_t openings_doubles(const struct openings *openings);

#endif
