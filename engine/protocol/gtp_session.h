/* The inside of a GTP session, shared by the files that hold its commands. Layer: protocol.
 */
#ifndef PROTOCOL_GTP_SESSION_H
#define PROTOCOL_GTP_SESSION_H

#include <willow/game.h>

#include "protocol/gtp.h"
#include "protocol/gtp_clock.h"
#include "protocol/serve.h"

/* Enough for every command: a sequence of moves names each with its colour. */
enum { GTP_WORDS_MAX = 2 * WILLOW_GAME_MAX + 44 };

/* What came of a command: an answer in gtp->answer, an error there, or a search whose report is the answer. */
enum gtp_outcome { GTP_GOOD, GTP_BAD, GTP_LATER };

struct gtp_command {
    const char *name;
    int least, most;                                                   /* arguments */
    enum gtp_outcome (*run)(struct gtp *gtp, int count, char **words); /* words: the arguments */
};

/* By whom a search was asked for. */
enum gtp_errand { GTP_IDLE, GTP_MOVE, GTP_MOVE_UNPLAYED, GTP_BEST_MOVES, GTP_LINE, GTP_PONDER };

enum { GTP_ANSWER_MAX = 1 << 15, GTP_ID_MAX = 24, GTP_QUEUE_BYTES = 3 * SERVE_LINE_MAX };

/* Lines that came while a search ran, each with the time it came at in front and a zero behind. */
struct gtp_queue {
    size_t begin, end;
    char bytes[GTP_QUEUE_BYTES];
};

struct gtp {
    struct gtp_settings settings; /* changed by willow-param; its weights play `ruleset` */
    const struct willow_ruleset *ruleset;
    struct willow_game game;
    bool implied[WILLOW_GAME_MAX]; /* passes that the controller left out; they go with the move behind them */
    struct gtp_clock clock;
    double analysis_seconds;

    enum gtp_errand errand; /* of the search that runs */
    bool ponder_due;        /* the opponent is to move, who is known to think */
    bool interrupted;       /* the search that is asked for by a line that waits for the end of pondering */
    bool ended, quit, failed;
    uint64_t now_ns;      /* when the command that runs came, or could begin */
    uint64_t turn_ns;     /* since when the clock of the side to move is thought to run; 0 = it is not */
    uint64_t answered_ns; /* when the last answer was given */

    struct gtp_queue queue;
    char line[SERVE_LINE_MAX + 1]; /* the command that runs, cut into words */
    char id[GTP_ID_MAX];
    size_t answer_length;
    char answer[GTP_ANSWER_MAX];
};

/* Adds to the answer; what does not fit is left out. */
__attribute__((format(printf, 2, 3))) void gtp_say(struct gtp *gtp, const char *format, ...);

/* Makes this the error that is answered. */
__attribute__((format(printf, 2, 3))) enum gtp_outcome gtp_refuse(struct gtp *gtp, const char *format, ...);
enum gtp_outcome gtp_refuse_syntax(struct gtp *gtp);

/* Starts a search of the game's board. */
enum gtp_outcome gtp_think(struct gtp *gtp, enum gtp_errand errand, const struct think_request *request);

/* Arguments; false when they are none. Numbers are plain ones, without a sign. */
bool gtp_parse_side(const char *word, enum willow_side *side);
bool gtp_parse_integer(const char *word, int most, int *value);
bool gtp_parse_real(const char *word, double *value);
const char *gtp_side_name(enum willow_side side); /* "black" */

/* As set_game and GoGui know it: "Othello" on a board of any size, else the ruleset's name. */
const char *gtp_game_name(const struct gtp *gtp);

/* Goes on with that ruleset, at its start, or refuses: "REFUSAL: why", or the reason alone where refusal is null. */
enum gtp_outcome gtp_set_ruleset(struct gtp *gtp, const struct willow_ruleset *ruleset, const char *refusal);

/* A new game, of what stands in *game. */
void gtp_set_game(struct gtp *gtp, const struct willow_game *game);

/* Plays, a pass that was left out before it included. False when it is illegal; the game is unchanged then. */
bool gtp_play(struct gtp *gtp, enum willow_side side, willow_square move);

/* Lines of the board with column letters and row numbers. */
void gtp_say_board(struct gtp *gtp);

/* The answers of searches. */
enum gtp_outcome gtp_answer_move(struct gtp *gtp, const struct think_report *report, bool played);
enum gtp_outcome gtp_answer_best_moves(struct gtp *gtp, const struct think_report *report);
enum gtp_outcome gtp_answer_line(struct gtp *gtp, const struct think_report *report);

/* Tables of commands, each ended by a null name, and all of them. */
extern const struct gtp_command gtp_game_commands[], gtp_ruleset_commands[], gtp_file_commands[], gtp_gogui_commands[],
    gtp_param_commands[];
extern const struct gtp_command *const gtp_commands[]; /* ended by null */
const struct gtp_command *gtp_find_command(const char *name);

#endif
