/* The analysis of a game as one JSON object in one line. Its members are described in the help text of willow analyse.
 * Layer: engine/cli (target willow_analysis).
 */
#include <inttypes.h>

#include <willow/notation.h>
#include <willow/program.h>

#include "analyse.h"

/* A score is a multiple of 1/32: nine digits say any sum of them without rounding. */
static void print_discs(FILE *stream, const char *name, willow_score score)
{
    fprintf(stream, "\"%s\": %.9g", name, (double)score / WILLOW_SCORE_DISC);
}

static void print_square(FILE *stream, const char *name, willow_square square)
{
    char text[WILLOW_SQUARE_TEXT];
    if (square == WILLOW_NO_SQUARE)
        fprintf(stream, "\"%s\": null", name);
    else
        fprintf(stream, "\"%s\": \"%s\"", name, willow_square_format(square, text));
}

static void print_move(FILE *stream, const struct analyse_move *move)
{
    char text[WILLOW_SQUARE_TEXT];
    fprintf(stream, "{");
    print_square(stream, "move", move->move);
    fprintf(stream, ", ");
    print_discs(stream, "score", move->score);
    fprintf(stream, ", ");
    print_discs(stream, "loss", move->loss);
    fprintf(stream, ", \"exact\": %s, \"line\": [", move->exact ? "true" : "false");
    for (int i = 0; i < move->line_length; i++)
        fprintf(stream, "%s\"%s\"", i ? ", " : "", willow_square_format(move->line[i], text));
    fprintf(stream, "]}");
}

/* How its scores were found. */
static void print_kind(FILE *stream, const struct analyse_position *position)
{
    const char *kind = position->exact ? "exact" : position->depth >= position->empties ? "end" : "depth";
    fprintf(stream, ", \"kind\": \"%s\", \"depth\": %d, \"selectivity\": %d", kind, position->depth,
            position->selectivity);
}

static void print_position(FILE *stream, const struct analyse_game *analysis, int index)
{
    static const char *const marks[] = {"", "mistake", "blunder"};
    const struct analyse_position *position = &analysis->positions[index];
    char board[WILLOW_BOARD_TEXT];
    fprintf(stream, "{\"number\": %d, \"side\": \"%s\", \"board\": \"%s\", \"empties\": %d, \"legal\": %d, ",
            position->number, position->side == WILLOW_BLACK ? "black" : "white",
            willow_board_format(analysis->game.ruleset, analysis->game.boards[index], position->side, board),
            position->empties, position->legal);
    print_square(stream, "played", position->played);
    if (!position->done) {
        fprintf(stream, ", \"done\": false}");
        return;
    }
    fprintf(stream, ", \"done\": true, ");
    print_discs(stream, "score", position->score);
    fprintf(stream, ", ");
    print_discs(stream, "black_score", analyse_black_score(position));
    print_kind(stream, position);
    if (position->played_at >= 0) {
        const struct analyse_move *played = &position->moves[position->played_at];
        fprintf(stream, ", ");
        print_discs(stream, "played_score", played->score);
        fprintf(stream, ", ");
        print_discs(stream, "loss", played->loss);
        fprintf(stream, ", \"mark\": \"%s\"", marks[position->mark]);
    }
    fprintf(stream, ", \"nodes\": %" PRIu64 ", \"seconds\": %.3f, \"moves\": [", position->nodes,
            (double)position->time_ns * 1e-9);
    for (int i = 0; i < position->count; i++) {
        fprintf(stream, "%s", i ? ", " : "");
        print_move(stream, &position->moves[i]);
    }
    fprintf(stream, "]}");
}

static void print_side(FILE *stream, const struct analyse_game *analysis, enum willow_side side)
{
    const struct analyse_summary summary = analyse_summarise(analysis, side);
    fprintf(stream, "\"%s\": {\"moves\": %d, ", side == WILLOW_BLACK ? "black" : "white", summary.moves);
    print_discs(stream, "discs_lost", summary.lost);
    if (summary.moves > 0)
        fprintf(stream, ", \"mean_loss\": %.6f, \"best\": %.6f",
                (double)summary.lost / WILLOW_SCORE_DISC / summary.moves, (double)summary.best / summary.moves);
    else
        fprintf(stream, ", \"mean_loss\": null, \"best\": null");
    fprintf(stream, ", \"mistakes\": %d, \"blunders\": %d, \"worst\": ", summary.mistakes, summary.blunders);
    if (summary.worst >= 0) {
        const struct analyse_position *worst = &analysis->positions[summary.worst];
        fprintf(stream, "{\"number\": %d, ", worst->number);
        print_square(stream, "move", worst->played);
        fprintf(stream, ", ");
        print_discs(stream, "loss", worst->moves[worst->played_at].loss);
        fprintf(stream, "}}");
    } else {
        fprintf(stream, "null}");
    }
}

void analyse_print_json(FILE *stream, const struct analyse_game *analysis)
{
    const struct willow_game *game = &analysis->game;
    fprintf(stream, "{\"game\": %" PRIu64 ", \"ruleset\": \"%s\", \"black\": ", analysis->number, game->ruleset->name);
    willow_json_string(stream, analysis->names[WILLOW_BLACK]);
    fprintf(stream, ", \"white\": ");
    willow_json_string(stream, analysis->names[WILLOW_WHITE]);
    if (willow_game_over(game))
        fprintf(stream, ", \"result\": %d", willow_game_final_discs(game));
    else
        fprintf(stream, ", \"result\": null");
    if (analysis->has_result)
        fprintf(stream, ", \"recorded_result\": %d", analysis->result_discs);
    else
        fprintf(stream, ", \"recorded_result\": null");
    fprintf(stream, ", \"complete\": %s, \"summary\": {", analysis->complete ? "true" : "false");
    print_side(stream, analysis, WILLOW_BLACK);
    fprintf(stream, ", ");
    print_side(stream, analysis, WILLOW_WHITE);
    fprintf(stream, "}, \"positions\": [");
    for (int i = 0; i < analysis->count; i++) {
        fprintf(stream, "%s", i ? ", " : "");
        print_position(stream, analysis, i);
    }
    fprintf(stream, "]}\n");
}
