/* GTP commands by which GoGui shows what the engine knows: the rules, the best moves, the evaluation, the expected
 * line. Layer: protocol.
 */
#include "protocol/gtp_session.h"

#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

/* A move that is worth so many discs less than the best one is shown in full red. */
static const double RED_DISCS = 8;

static enum gtp_outcome do_analyze_commands(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "%s",
            "pspairs/Best Moves/willow-best_moves\n"
            "cboard/Static Evaluation/willow-static_evaluation\n"
            "varc/Principal Variation/willow-principal_variation %c\n"
            "plist/Legal Moves/gogui-rules_legal_moves\n"
            "string/Final Score/final_score\n"
            "hstring/Show Board/showboard\n"
            "param/Settings/willow-param\n");
    return GTP_GOOD;
}

/* That "# interrupt" is understood. */
static enum gtp_outcome do_interrupt(struct gtp *gtp, int count, char **words)
{
    (void)gtp;
    (void)count;
    (void)words;
    return GTP_GOOD;
}

static enum gtp_outcome do_rules_game_id(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "%s", gtp_game_name(gtp));
    return GTP_GOOD;
}

static enum gtp_outcome do_rules_board_size(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "%d", gtp->ruleset->width);
    return GTP_GOOD;
}

/* GoGui's first row has the highest number, as on a board for Go, so that its squares have the names that they have
 * here. */
static enum gtp_outcome do_rules_board(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    const struct willow_board board = willow_game_board(&gtp->game);
    const willow_bits black = gtp->game.side == WILLOW_BLACK ? board.player : board.opponent;
    for (int row = gtp->ruleset->height - 1; row >= 0; row--)
        for (int column = 0; column < gtp->ruleset->width; column++) {
            const willow_bits square = WILLOW_BIT(WILLOW_SIDE * row + column);
            const char disc = ((board.player | board.opponent) & square) == 0 ? '.' : (black & square) != 0 ? 'X' : 'O';
            gtp_say(gtp, "%c%c", disc, column + 1 < gtp->ruleset->width ? ' ' : '\n');
        }
    return GTP_GOOD;
}

static enum gtp_outcome do_rules_side_to_move(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    gtp_say(gtp, "%s", gtp_side_name(gtp->game.side));
    return GTP_GOOD;
}

/* "pass" where that alone is legal; nothing after the end. */
static enum gtp_outcome do_rules_legal_moves(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    const willow_bits legal = willow_board_moves(gtp->ruleset, willow_game_board(&gtp->game));
    char text[WILLOW_SQUARE_TEXT];
    for (int square = 0; square < WILLOW_SQUARES; square++)
        if (legal >> square & 1)
            gtp_say(gtp, "%s%s", gtp->answer_length > 0 ? " " : "", willow_square_format((willow_square)square, text));
    if (legal == 0 && !willow_game_over(&gtp->game))
        gtp_say(gtp, "pass");
    return GTP_GOOD;
}

static enum gtp_outcome do_rules_final_result(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    if (!willow_game_over(&gtp->game))
        return GTP_GOOD;
    const int discs = willow_game_final_discs(&gtp->game);
    if (discs == 0)
        gtp_say(gtp, "A draw");
    else
        gtp_say(gtp, "%s wins by %d", discs > 0 ? "Black" : "White", abs(discs));
    return GTP_GOOD;
}

/* In discs; without decimals when it is exact. */
static void say_score(struct gtp *gtp, const struct willow_scored_move *move)
{
    const double discs = (double)move->score / WILLOW_SCORE_DISC;
    if (move->exact)
        gtp_say(gtp, "%+d", move->score / WILLOW_SCORE_DISC);
    else
        gtp_say(gtp, "%+.1f", discs);
}

static void say_square(struct gtp *gtp, willow_square move)
{
    char text[WILLOW_SQUARE_TEXT];
    gtp_say(gtp, "%s%s", gtp->answer_length > 0 ? " " : "",
            move == WILLOW_PASS ? "pass" : willow_square_format(move, text));
}

/* As deep as the engine plays, as far as the time of an analysis allows. */
static enum gtp_outcome analyse(struct gtp *gtp, enum gtp_errand errand, int count)
{
    struct think_request request = {
        .kind = THINK_HINT, .board = willow_game_board(&gtp->game), .choice = gtp->settings.choice, .count = count};
    request.choice.limits.time_ms = (uint64_t)(gtp->analysis_seconds * 1000);
    return gtp_think(gtp, errand, &request);
}

/* willow-best_moves [N]: squares and scores, the best first. A pass has no square to show a score on. */
static enum gtp_outcome do_best_moves(struct gtp *gtp, int count, char **words)
{
    int wanted = WILLOW_SQUARES;
    if (count > 0 && (!gtp_parse_integer(words[0], WILLOW_SQUARES, &wanted) || wanted < 1))
        return gtp_refuse_syntax(gtp);
    if (willow_board_moves(gtp->ruleset, willow_game_board(&gtp->game)) == 0)
        return GTP_GOOD;
    return analyse(gtp, GTP_BEST_MOVES, wanted);
}

enum gtp_outcome gtp_answer_best_moves(struct gtp *gtp, const struct think_report *report)
{
    for (int i = 0; i < report->count && i < WILLOW_SQUARES; i++) {
        say_square(gtp, report->moves[i].move);
        gtp_say(gtp, " ");
        say_score(gtp, &report->moves[i]);
    }
    return GTP_GOOD;
}

/* willow-principal_variation [COLOR], of the side to move. */
static enum gtp_outcome do_principal_variation(struct gtp *gtp, int count, char **words)
{
    enum willow_side side = gtp->game.side;
    if (count > 0 && !gtp_parse_side(words[0], &side))
        return gtp_refuse_syntax(gtp);
    if (side != gtp->game.side)
        return gtp_refuse(gtp, "it is %s's turn", gtp_side_name(gtp->game.side));
    if (willow_game_over(&gtp->game))
        return GTP_GOOD;
    return analyse(gtp, GTP_LINE, 1);
}

enum gtp_outcome gtp_answer_line(struct gtp *gtp, const struct think_report *report)
{
    for (int i = 0; report->count > 0 && i < report->pv_length[0] && i < WILLOW_PV_MAX; i++)
        say_square(gtp, report->pv[0][i]);
    return GTP_GOOD;
}

/* What the weights say of the position after each move, from the mover's side, without any search. They know nothing of
 * discs that are still to be placed. */
static willow_score evaluate_move(const struct gtp *gtp, willow_square move)
{
    const struct willow_board next = willow_board_play(willow_game_board(&gtp->game), move);
    if (willow_board_over(gtp->ruleset, next))
        return -willow_board_final_discs(gtp->ruleset, next) * WILLOW_SCORE_DISC;
    if (willow_board_placing(gtp->ruleset, next))
        return 0;
    return -willow_evaluate(gtp->settings.weights, next);
}

/* willow-static_evaluation: a colour for each legal move, from green for the best one to red. */
static enum gtp_outcome do_static_evaluation(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    const willow_bits legal = willow_board_moves(gtp->ruleset, willow_game_board(&gtp->game));
    willow_score scores[WILLOW_SQUARES], best = INT32_MIN;
    for (int square = 0; square < WILLOW_SQUARES; square++)
        if (legal >> square & 1) {
            scores[square] = evaluate_move(gtp, (willow_square)square);
            best = scores[square] > best ? scores[square] : best;
        }
    for (int row = gtp->ruleset->height - 1; row >= 0; row--)
        for (int column = 0; column < gtp->ruleset->width; column++) {
            const int square = WILLOW_SIDE * row + column;
            const char end = column + 1 < gtp->ruleset->width ? ' ' : '\n';
            if ((legal >> square & 1) == 0) {
                gtp_say(gtp, "\"\"%c", end);
                continue;
            }
            const double loss = (double)(best - scores[square]) / WILLOW_SCORE_DISC;
            const double red = loss < RED_DISCS ? loss / RED_DISCS : 1;
            gtp_say(gtp, "#%02X%02X40%c", (unsigned)(red * 0xC0), (unsigned)((1 - red) * 0xC0), end);
        }
    return GTP_GOOD;
}

const struct gtp_command gtp_gogui_commands[] = {
    {"gogui-analyze_commands", 0, 0, do_analyze_commands},
    {"gogui-interrupt", 0, 0, do_interrupt},
    {"gogui-rules_game_id", 0, 0, do_rules_game_id},
    {"gogui-rules_board", 0, 0, do_rules_board},
    {"gogui-rules_board_size", 0, 0, do_rules_board_size},
    {"gogui-rules_legal_moves", 0, 0, do_rules_legal_moves},
    {"gogui-rules_side_to_move", 0, 0, do_rules_side_to_move},
    {"gogui-rules_final_result", 0, 0, do_rules_final_result},
    {"willow-best_moves", 0, 1, do_best_moves},
    {"willow-principal_variation", 0, 1, do_principal_variation},
    {"willow-static_evaluation", 0, 0, do_static_evaluation},
    {NULL, 0, 0, NULL},
};
