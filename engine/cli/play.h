/* A game at the terminal: its state, and what can happen to it. Shared by the parts of willow play.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_PLAY_H
#define WILLOW_CLI_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/choice.h>
#include <willow/game.h>
#include <willow/records.h>

#include "prompt.h"
#include "screen.h"

struct play_side {
    bool human;
    char name[64]; /* of a game that was loaded; else empty */
    const struct willow_weights *weights;
    struct willow_search *search;
    struct willow_choice choice; /* how its engine plays, and what hints look at */
    bool clocked;
    struct willow_timer timer; /* as the running turn found it */
};

/* Why a game ends before its board does: the side to move has lost it. */
enum play_ending { PLAY_ON, PLAY_RESIGNED, PLAY_OUT_OF_TIME };

struct play {
    struct willow_game game;
    struct willow_game line; /* begins with `game`; what follows was taken back, and `redo` plays it again */
    struct willow_ggf_move notes[WILLOW_GAME_MAX];      /* beside line.moves */
    struct willow_timer timers[WILLOW_GAME_MAX + 1][2]; /* clocks in each position of the line */
    struct play_side sides[2];
    int default_level; /* where nothing else limits an engine */
    enum play_ending ending;
    uint64_t turn_ns;         /* what the human to move has used of this turn */
    struct willow_stop *stop; /* set by Ctrl-C */
    struct screen screen;
    struct prompt *prompt;
    struct {
        bool open;
        willow_bits discs[2]; /* by side */
        enum willow_side turn;
    } setup;      /* the position that `setup` edits; the game waits meanwhile */
    bool changed; /* the position has changed since it was drawn */
    bool ended;   /* the result has been told */
    bool paused;  /* nobody at the board is human, and the user wants to be asked */
    bool quit;
};

/* "Black", "White"; the other one. */
const char *play_side_name(enum willow_side side);
enum willow_side play_other(enum willow_side side);

/* Makes this the game that is played, its last position the current one. Clocks start. */
void play_begin(struct play *play, const struct willow_game *game);

/* Plays a move and keeps what `redo` needs; note may be null. Status and error as willow_game_play. */
enum willow_status play_move(struct play *play, willow_square move, const struct willow_ggf_move *note,
                             struct willow_error *error);

/* One move back or forward, with the clocks of that moment. False when there is none. */
bool play_back(struct play *play);
bool play_forward(struct play *play);

/* True when a user has something to decide in the current position: a move to choose for a human, or for anybody where
 * no side is human. */
bool play_is_choice(const struct play *play);

/* Plays until the user quits, the input ends, or a game without a human is over. */
void play_run(struct play *play);

/* True when nothing can be played any more. */
bool play_over(const struct play *play);
bool play_nobody(const struct play *play); /* neither side is human */

/* Reads one line for the prompt `text`; the side to move is charged for the time when `charged`. False at the end. */
bool play_read(struct play *play, const char *text, bool charged, const char **line);

/* A side's clock as it stands when it has run so long since the turn began. */
struct willow_timer play_running_timer(const struct play_side *side, uint64_t spent_ns);

/* What is left on a clock that has run so long since the turn began: "4:58", "0:09.5", "0:28/5" for 5 moves; empty
 * without a clock. Returns buffer. */
enum { PLAY_CLOCK_TEXT = 24 };
char *play_clock_text(const struct play_side *side, uint64_t spent_ns, char *buffer);

/* What is played, and what is special about it: one line. */
void play_tell_ruleset(const struct willow_ruleset *ruleset);

/* How the game ended, when it is over: one line. */
void play_tell_result(const struct play *play);

/* Adds the squares of a mask to a text as a list in words: "d3, c4 and f5". */
enum { PLAY_SQUARES_TEXT = 5 * WILLOW_SQUARES };
void play_list_squares(willow_bits squares, char *buffer, size_t size);

/* play_think.c: Ctrl-C sets the flag of the game from now on, whether an engine thinks or is about to. */
void play_watch_interrupt(struct play *play);
void play_unwatch_interrupt(void); /* before that flag is freed */

/* What engines do. The side to move has a move. */
void play_engine_move(struct play *play);
void play_hint(struct play *play, int count); /* scores of the best moves, by the engine of the side to move */
void play_eval(struct play *play);            /* score and expected line */

/* The level that hints for a side look at, 0 = none: of a human's side at least the usual one, for the level of a weak
 * opponent would be a bad adviser. */
int play_hint_level(const struct play *play, enum willow_side side);

/* play_file.c: `save FILE`, `load FILE [N]`. */
void play_save(struct play *play, const char *argument);
void play_load(struct play *play, const char *argument);

/* play_setup.c: positions. */
void play_set_board(struct play *play, const char *text);
void play_setup_open(struct play *play);
void play_setup_step(struct play *play); /* asks for one line of editing */

/* play_settings.c: who plays, and how. The argument may begin with a side ("black 5"), else both are meant. */
void play_set_side(struct play *play, enum willow_side side, const char *argument); /* `black ...`, `white ...` */
void play_set_level(struct play *play, const char *argument);
void play_set_time(struct play *play, const char *argument);
void play_set_loss(struct play *play, const char *argument);
void play_set_clock(struct play *play, const char *argument);
void play_set_threads(struct play *play, const char *argument);
void play_show_settings(struct play *play);
void play_swap(struct play *play);

/* play_command.c: does what one line says. What is not understood gets a line of advice. */
void play_command(struct play *play, const char *line);

/* A move for advice: one that is legal now where there is one. The buffer holds WILLOW_SQUARE_TEXT bytes. */
const char *play_example(const struct play *play, char *buffer);

/* Words that may stand at the end of the line so far, for the prompt's completion; null past the last. */
const char *play_completion(void *play, const char *before, int index, char *buffer);

/* A whole number from low to high, and nothing else. */
bool play_number(const char *text, long low, long high, int *value);

#endif
