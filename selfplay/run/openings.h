/* The openings of a run or match, one after another and none twice before all of its kind have been used.
 * Layer: selfplay. An opening is known by its position up to symmetry. Prints nothing.
 */
#ifndef WILLOW_SELFPLAY_OPENINGS_H
#define WILLOW_SELFPLAY_OPENINGS_H

#include <willow/dataset.h>
#include <willow/game.h>
#include <willow/search.h>
#include <willow/weights.h>

enum openings_kind {
    OPENINGS_RANDOM, /* random moves, their number drawn between two bounds */
    OPENINGS_ALL,    /* every position after a number of plies, in random order */
    OPENINGS_LIST    /* those of a text, in random order */
};

/* An opening leaves something to play: OPENINGS_PLIES_MAX plies do. Every position after more than OPENINGS_ALL_MAX
 * plies would be too many: after 9 plies of Othello there are 434,029 (36 of them ends of games), after 10 nearly seven
 * times as many. */
enum { OPENINGS_PLIES_MAX = WILLOW_PLIES - 11, OPENINGS_ALL_MAX = 9, OPENINGS_SHARES = OPENINGS_PLIES_MAX + 1 };

struct opening {
    struct willow_game game; /* the start and the moves to its position, with the passes between them; not over. Where
                                the next side must pass, the players do that */
    int plies;               /* moves without passes */
};

struct openings_options {
    enum openings_kind kind;
    const struct willow_ruleset *ruleset;
    uint64_t seed; /* openings use random streams of their own: a run may draw from (seed, game) */

    /* OPENINGS_RANDOM: plies uniform in min .. max, or with these shares by number (any scale; none outside min .. max;
     * all zero = uniform). OPENINGS_ALL: plies_max alone. Passes are not counted. */
    int plies_min, plies_max;
    double shares[OPENINGS_SHARES];

    /* Balanced starts, of random openings only. A candidate with a score of s discs (a shallow search by the judge) is
     * taken with probability exp(-|s| / soft_discs), and never above limit_discs. 0 = that rule is off. The judge is
     * null when both are. A candidate that was not taken comes back in the next round only. */
    const struct willow_weights *judge;
    int judge_depth; /* plies of that search, at least 1 */
    double soft_discs;
    int limit_discs;

    const char *list, *list_name; /* OPENINGS_LIST: transcripts, one a line, blank lines and all behind a '#' left out;
                                     the name stands for the text in errors */
    /* Openings are drawn in groups of so many, the last of them up to `total`, and each group is handed out in order of
     * its moves: games that are numbered one after another then begin alike, which makes their files a twentieth
     * smaller. 0 = as they are drawn. */
    uint64_t group, total;

    bool repeat; /* true: begin a new round when the openings (of one number of plies) are used up; false: an error */
    const struct willow_stop *stop; /* null = none */
};

struct openings;

/* Weights, list_name (null but for a list) and `stop` must outlive *openings; the list may be freed at once. Random
 * openings cost nothing yet; all positions after 9 plies take 0.2 s. WILLOW_ERR_FORMAT names the list's line and column
 * (illegal move, game over, no opening at all), _ARGUMENT, _MEMORY, _STOPPED. */
enum willow_status openings_new(const struct openings_options *options, struct openings **openings,
                                struct willow_error *error);
void openings_free(struct openings *openings);

/* The opening of game `index`. A run asks with rising indices (equal ones are allowed, a lower one is
 * WILLOW_ERR_ARGUMENT); those between are drawn and left out, so that the answer depends on options and index alone.
 * One thread at a time. WILLOW_ERR_ARGUMENT when they are used up and `repeat` is false, with how many there were,
 * when there are none to take, or where groups end at `total`; _MEMORY; _STOPPED.
 *
 * An opening of 12 random plies takes 0.6 us and 16 bytes, kept until its round ends, and 65 bytes while its group is
 * handed out; a balanced one of 8 to 12 plies
 * 15 us with the default weights, 2 plies of search and 4 soft discs.
 *
 * Up to OPENINGS_ALL_MAX plies, random openings are used up exactly when every position was drawn. Above, they pass for
 * used up when OPENINGS_FRUITLESS_MAX random games in a row led to nothing new: of 10 plies after 2.8 million, which
 * take 5 us each then. */
enum { OPENINGS_FRUITLESS_MAX = 1000 };
enum willow_status openings_take(struct openings *openings, uint64_t index, struct opening *opening,
                                 struct willow_error *error);

/* How many different openings there are, where that is known at once (list, all); 0 where not. */
uint64_t openings_count(const struct openings *openings);

/* Lines of the list that were left out because an earlier one leads to the same position up to symmetry. */
uint64_t openings_doubles(const struct openings *openings);

/* Largest file of a list. */
enum { OPENINGS_LIST_BYTES_MAX = 1 << 28 };

/* Reads the file of a list, *size_bytes and a terminator. The caller frees *list. WILLOW_ERR_IO, _FORMAT (too
 * large, or not a text), _MEMORY. */
enum willow_status openings_read_list(const char *path, char **list, size_t *size_bytes, struct willow_error *error);

#endif
