/* Lines of OBF files: a board with the exact scores of moves. Layer: rules. Knows no files; line numbers are added by
 * the caller.
 */
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>

#include "rules/board_text.h"
#include "rules/text_scan.h"

/* Reads [+-]digits, at most three of them. Returns the bytes read, 0 when it is no such number. */
static size_t scan_score(const char *text, int *score)
{
    const size_t sign = text[0] == '+' || text[0] == '-';
    size_t digits = 0;
    int value = 0;
    while (digits < 4 && text_is_digit(text[sign + digits]))
        value = 10 * value + text[sign + digits++] - '0';
    if (digits == 0 || digits == 4)
        return 0;
    *score = text[0] == '-' ? -value : value;
    return sign + digits;
}

static bool move_legal(const struct willow_ruleset *ruleset, struct willow_board board, willow_square move)
{
    if (move == WILLOW_PASS)
        return willow_board_moves(ruleset, board) == 0 && !willow_board_over(ruleset, board);
    return willow_board_legal(ruleset, board, move);
}

/* Reads "move:score" at *at, with blanks around both, and adds it unless it is the filler. */
static enum willow_status scan_scored_move(const struct willow_ruleset *ruleset, const char *line, const char **at,
                                           struct willow_obf *obf, struct willow_error *error)
{
    enum { FILLER_SCORE = -127 };
    const char *start = *at;
    willow_square move;
    int score;
    const size_t move_length = text_scan_move(start, &move);
    if (move_length == 0)
        return text_fail_at(error, line, start, "not a move");
    const char *c = text_skip_blanks(start + move_length);
    if (*c != ':')
        return text_fail_at(error, line, c, "no \":\" between move and score");
    c = text_skip_blanks(c + 1);
    const size_t score_length = scan_score(c, &score);
    if (score_length == 0)
        return text_fail_at(error, line, c, "not a score");
    *at = c + score_length;
    if (text_starts_with(start, "--") && score == FILLER_SCORE)
        return WILLOW_OK;
    const int squares = willow_ruleset_squares(ruleset);
    if (score < -squares || score > squares) {
        char what[64];
        snprintf(what, sizeof what, "score outside -%d..%d", squares, squares);
        return text_fail_at(error, line, c, what);
    }
    if (!move_legal(ruleset, obf->board, move))
        return text_fail_at(error, line, start, "illegal move");
    for (int i = 0; i < obf->count; i++)
        if (obf->moves[i] == move)
            return text_fail_at(error, line, start, "move scored twice");
    obf->moves[obf->count] = move; /* distinct legal moves: never more than squares */
    obf->scores_discs[obf->count++] = score;
    return WILLOW_OK;
}

/* True where a line holds no more than a comment. A "#" may also be black's disc on a1: a line that is a whole board
 * with its side is a position. ("#" before a line that was taken out makes a square too many.) */
static bool is_empty_line(const struct willow_ruleset *ruleset, const char *line, const char *at)
{
    struct willow_board board;
    enum willow_side side;
    if (*at == '#')
        return board_text_scan(ruleset, line, &at, WILLOW_BOARD_ANY, true, &board, &side, NULL) != WILLOW_OK;
    return *at == '\0' || *at == '\n' || *at == '%';
}

/* Reads what stands behind the side to move: semicolons, scored moves between them, a comment. */
static enum willow_status scan_scores(const struct willow_ruleset *ruleset, const char *line, const char *at,
                                      struct willow_obf *obf, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    bool item_may_follow = false; /* only behind a semicolon */
    while (status == WILLOW_OK) {
        at = text_skip_blanks(at);
        if (*at == '\0' || *at == '%' || *at == '\n')
            break;
        if (*at == ';') {
            item_may_follow = true;
            at++;
        } else if (item_may_follow) {
            item_may_follow = false;
            status = scan_scored_move(ruleset, line, &at, obf, error);
        } else {
            status = text_fail_at(error, line, at, "\";\" expected");
        }
    }
    return status;
}

enum willow_status willow_obf_parse(const struct willow_ruleset *ruleset, const char *line, struct willow_obf *obf,
                                    bool *empty, struct willow_error *error)
{
    *obf = (struct willow_obf){0};
    const char *at = text_skip_blanks(line);
    *empty = is_empty_line(ruleset, line, at);
    if (*empty)
        return WILLOW_OK;
    const char quote = *at == '"' || *at == '\'' ? *at : '\0';
    if (quote)
        at = text_skip_blanks(at + 1);
    enum willow_status status =
        board_text_scan(ruleset, line, &at, WILLOW_BOARD_ANY, true, &obf->board, &obf->side, error);
    if (status == WILLOW_OK && quote) {
        at = text_skip_blanks(at);
        if (*at != quote)
            return text_fail_at(error, line, at, "no quote behind the board, as there is before it");
        at++;
    }
    return status == WILLOW_OK ? scan_scores(ruleset, line, at, obf, error) : status;
}

char *willow_obf_format(const struct willow_ruleset *ruleset, const struct willow_obf *obf, char *buffer)
{
    char *end = buffer + strlen(willow_board_format(ruleset, obf->board, obf->side, buffer));
    *end++ = ';';
    *end = '\0';
    for (int i = 0; i < obf->count; i++) {
        const willow_square move = obf->moves[i];
        char name[WILLOW_SQUARE_TEXT] = "PS";
        if (move < WILLOW_SQUARES) {
            willow_square_format(move, name);
            name[0] = (char)(name[0] - 'a' + 'A');
        }
        end += sprintf(end, " %s:%+d;", name, obf->scores_discs[i]);
    }
    return buffer;
}
