/* A search in a thread of its own, so that a protocol reads its input while the engine thinks or ponders.
 * Layer: protocol. One caller at a time; the caller's thread is never blocked longer than a stop takes.
 */
#ifndef PROTOCOL_THINKER_H
#define PROTOCOL_THINKER_H

#include <stdbool.h>

#include <willow/choice.h>
#include <willow/ruleset.h>

struct thinker;

/* Thinks about the ruleset with weights that play it, which must outlive it. WILLOW_ERR_MEMORY, _IO (no thread, no
 * pipe), _ARGUMENT and _MISMATCH as willow_search_new, willow_search_set_ruleset and willow_search_set_threads. */
enum willow_status thinker_new(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                               size_t hash_bytes, int threads, struct thinker **thinker, struct willow_error *error);

/* Stops what runs and waits for it; null is accepted. */
void thinker_free(struct thinker *thinker);

/* Only while nothing runs. */
enum willow_status thinker_set_threads(struct thinker *thinker, int threads, struct willow_error *error);
void thinker_clear(struct thinker *thinker); /* as willow_search_clear */

/* Goes on with another ruleset and weights that play it, and knows nothing of what was before. Only while nothing runs;
 * it waits some milliseconds at most. What thinker_new returns; nothing is changed then. */
enum willow_status thinker_set_ruleset(struct thinker *thinker, const struct willow_weights *weights,
                                       const struct willow_ruleset *ruleset, struct willow_error *error);

enum think_kind {
    THINK_MOVE, /* one final report with a move */
    THINK_HINT, /* a report of the best moves after each depth, up to the choice's depth or level, and a final one; its
                   nodes and times hold for all of it together */
    THINK_PONDER, /* fills the table until it is stopped or the game is solved; one final report of nothing */
};

struct think_request {
    enum think_kind kind;
    struct willow_board board;
    int ply;                     /* for the draw of willow_choice_run */
    struct willow_choice choice; /* its stop is not looked at: thinker_stop is for that */
    bool clocked;
    struct willow_timer timer; /* meaningful when clocked; THINK_MOVE alone looks at it */
    int count;                 /* THINK_HINT: how many moves are wanted, 1 .. WILLOW_SQUARES */
};

struct think_report {
    enum think_kind kind;
    bool final;                                      /* nothing follows, and another request may be started */
    struct willow_result result;                     /* THINK_MOVE; else its nodes, time_ns, depth and selectivity */
    int count;                                       /* THINK_HINT */
    struct willow_scored_move moves[WILLOW_SQUARES]; /* THINK_HINT: best first */
    int pv_length[WILLOW_SQUARES];                   /* THINK_HINT: the line behind each move, that move first */
    willow_square pv[WILLOW_SQUARES][WILLOW_PV_MAX];
};

/* Begins; only while nothing runs (before the first request, or after the final report was taken). */
void thinker_start(struct thinker *thinker, const struct think_request *request);

/* True from thinker_start until the final report was taken. */
bool thinker_busy(const struct thinker *thinker);

/* Asks for the end of what runs, and does not wait: the final report comes within milliseconds, and THINK_MOVE always
 * has a legal move. A THINK_MOVE younger than THINK_GRACE_MS is first given the rest of that time, so that a limit that
 * it reaches at once (a small depth) is kept even when the next line is there already. */
enum { THINK_GRACE_MS = 20 };
void thinker_stop(struct thinker *thinker);

/* Readable as long as a report waits: for poll. */
int thinker_descriptor(const struct thinker *thinker);

/* Takes the oldest waiting report; false when there is none. A report of progress that was not taken in time is
 * replaced by the next one, a final one never. */
bool thinker_take(struct thinker *thinker, struct think_report *report);

#endif
