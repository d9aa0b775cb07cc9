/* A game, or a position, and what an engine makes of each of its moves: shared by the parts of willow analyse.
 * Layer: engine/cli (target willow_analysis).
 */
#ifndef WILLOW_CLI_ANALYSE_H
#define WILLOW_CLI_ANALYSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <willow/choice.h>
#include <willow/game.h>
#include <willow/search.h>
#include <willow/status.h>

/* A mistake costs at least half of what a blunder costs at least. */
enum analyse_mark { ANALYSE_GOOD, ANALYSE_MISTAKE, ANALYSE_BLUNDER };

struct analyse_move {
    willow_square move;
    willow_score score; /* from the mover's side */
    willow_score loss;  /* against the best move of the position; never negative */
    bool exact;         /* the score is the game's value, as that of a move that ends it always is */
    int line_length;
    willow_square line[WILLOW_PV_MAX]; /* line[0] = move; passes included */
};

/* A position of the game and its scored moves, best first; among equals the one that was played, then exact ones, then
 * by square. All of them were searched alike. */
struct analyse_position {
    enum willow_side side;
    int number;           /* of the move that is played here, from 1; passes are not counted */
    willow_square played; /* WILLOW_PASS for a pass; WILLOW_NO_SQUARE behind the last move */
    int empties;
    bool over, done;        /* done: score and what follows are known */
    willow_score score;     /* of the best move, from the side to move; final difference when the game is over */
    int depth;              /* how far the search went: plies, or the empty squares when to the end */
    int selectivity;        /* percent, of that search */
    bool exact;             /* score is the game's value */
    int legal;              /* how many moves there are */
    int count;              /* how many of them are in `moves`: all, or the best and the one that was played */
    int played_at;          /* the place in `moves` of the move that was played; -1 = none */
    enum analyse_mark mark; /* of the move that was played */
    uint64_t nodes, time_ns;
    struct analyse_move moves[WILLOW_SQUARES];
};

/* Too large for a stack. */
struct analyse_game {
    uint64_t number;   /* in its file, from 1 */
    char names[2][64]; /* of the players, by side; may be empty */
    bool has_result;
    int result_discs; /* as recorded: black's difference */
    struct willow_game game;
    bool complete; /* nothing stopped the analysis */
    int count;     /* positions: one more than moves and passes */
    struct analyse_position positions[WILLOW_GAME_MAX + 1];
};

/* How a game is analysed. The choice's limits hold for a position, its stop for all of it; nodes and loss_discs have no
 * meaning here. */
struct analyse_plan {
    struct willow_choice choice;
    bool all;                  /* score every legal move; otherwise the best and the one that was played */
    willow_score blunder_loss; /* from this loss on a move is a blunder, from half of it on a mistake */
    void (*progress)(void *context, const struct analyse_game *game, int index); /* may be null */
    void *context;
};

/* Takes the game, and adds the pass that a game ends with where its last position has no other move: what comes after
 * it is the position to look at. Nothing is analysed yet. */
void analyse_start(struct analyse_game *analysis, const struct willow_game *game);

/* Analyses the positions from the last to the first, so that what was learnt near the end helps what leads to it.
 * Every move of a position is scored by a search of the same depth and selectivity; with a time limit, the last one
 * that was finished for all of them in time. WILLOW_ERR_STOPPED when the stop was set: the positions that are done
 * stay. */
enum willow_status analyse_run(struct analyse_game *analysis, struct willow_search *search,
                               const struct analyse_plan *plan, struct willow_error *error);

/* The same for black's side. */
willow_score analyse_black_score(const struct analyse_position *position);

/* What a side did in the positions that are done; passes are left out. */
struct analyse_summary {
    int moves, best; /* best: those that lost nothing */
    int mistakes, blunders;
    willow_score lost;
    int worst; /* index of the position with the greatest loss above 0, the first of equals; -1 = none */
};
struct analyse_summary analyse_summarise(const struct analyse_game *analysis, enum willow_side side);

/* The score over the game: point n is the position after n moves. marks[n], movers[n] and indices[n] (of the position
 * in which it was played) are those of move n. */
struct analyse_curve {
    int moves;
    bool known[WILLOW_GAME_MAX + 1];
    willow_score black[WILLOW_GAME_MAX + 1]; /* from black's side */
    enum analyse_mark marks[WILLOW_GAME_MAX + 1];
    enum willow_side movers[WILLOW_GAME_MAX + 1];
    int indices[WILLOW_GAME_MAX + 1];
    int scale_discs; /* a round number, no score is beyond */
    int solved_from; /* from this point on every score is the game's value; -1 = the last one is not */
};
void analyse_curve_make(const struct analyse_game *analysis, struct analyse_curve *curve);

/* "exact", "end@95%" (to the end of the game, at a confidence), "16@73%", "16" (plies); at least 16 bytes. */
char *analyse_kind(const struct analyse_position *position, bool exact, char *buffer);

/* A score in discs, "+4" where it is of a search to the end of the game, "+4.25" otherwise; at least 16 bytes. */
char *analyse_score(const struct analyse_position *position, willow_score score, bool exact, char *buffer);

const char *analyse_side_name(enum willow_side side);

/* How text is printed. */
struct analyse_style {
    bool colour;  /* escape codes of a terminal */
    bool unicode; /* UTF-8 */
};

/* Tables in 80 columns. The caller checks the stream. Of a game: a line for each move, and with lines > 0 the so many
 * best moves below it. Of a position: a line for each scored move, at most `lines` (0 = all). */
void analyse_print_game(FILE *stream, const struct analyse_game *analysis, int lines,
                        const struct analyse_style *style);
void analyse_print_position(FILE *stream, const struct analyse_game *analysis, int lines);
void analyse_print_summary(FILE *stream, const struct analyse_game *analysis);

/* The score over the game in 80 columns: black's side up. */
void analyse_print_graph(FILE *stream, const struct analyse_game *analysis, const struct analyse_style *style);

/* The same as an SVG document. */
void analyse_print_svg(FILE *stream, const struct analyse_game *analysis);

/* One object in one line; its members are described in the help text of willow analyse. */
void analyse_print_json(FILE *stream, const struct analyse_game *analysis);

#endif
