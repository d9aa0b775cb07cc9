/* What stands in for a thinker where a protocol is fuzzed; see session.h. */
#include "fuzz/session.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { RULESETS_MAX = 128 };

void fuzz_thinker_start(struct fuzz_thinker *thinker, const struct think_request *request)
{
    FUZZ_REQUIRE(!thinker->busy);
    FUZZ_REQUIRE(willow_board_valid(thinker->ruleset, request->board));
    FUZZ_REQUIRE(request->kind == THINK_MOVE || request->kind == THINK_HINT || request->kind == THINK_PONDER);
    FUZZ_REQUIRE(request->kind != THINK_HINT || (request->count >= 1 && request->count <= WILLOW_SQUARES));
    FUZZ_REQUIRE(request->choice.level >= 0 && request->choice.level <= WILLOW_LEVEL_MAX);
    FUZZ_REQUIRE(request->choice.loss_discs >= 0 && request->choice.loss_discs <= WILLOW_LOSS_MAX);
    struct willow_error error;
    FUZZ_REQUIRE(!request->clocked || willow_time_control_check(&request->timer.control, &error) == WILLOW_OK);
    thinker->request = *request;
    thinker->busy = true;
    thinker->stopped = false;
}

void fuzz_thinker_stop(struct fuzz_thinker *thinker)
{
    FUZZ_REQUIRE(thinker->busy);
    thinker->stopped = true;
}

static willow_square nth_move(const struct willow_ruleset *rules, struct willow_board board, int n)
{
    willow_bits moves = willow_board_moves(rules, board);
    if (moves == 0)
        return willow_board_over(rules, board) ? WILLOW_NO_SQUARE : WILLOW_PASS;
    for (n %= willow_bits_count(moves); n > 0; n--)
        moves &= moves - 1;
    return (willow_square)willow_bits_first(moves);
}

/* Some moves onwards from the one given. */
static int line_of(const struct willow_ruleset *rules, struct willow_board board, willow_square move,
                   willow_square pv[WILLOW_PV_MAX])
{
    int length = 0;
    while (move != WILLOW_NO_SQUARE && length < 5) {
        pv[length++] = move;
        board = willow_board_play(board, move);
        move = nth_move(rules, board, length);
    }
    return length;
}

static void report_hints(const struct willow_ruleset *rules, const struct think_request *request,
                         struct think_report *report)
{
    willow_bits moves = willow_board_moves(rules, request->board);
    for (; moves != 0 && report->count < request->count; moves &= moves - 1) {
        const int i = report->count++;
        report->moves[i] =
            (struct willow_scored_move){(willow_square)willow_bits_first(moves), 77 - 40 * i, i % 2 == 0};
        report->pv_length[i] = line_of(rules, request->board, report->moves[i].move, report->pv[i]);
    }
}

const struct think_report *fuzz_thinker_finish(struct fuzz_thinker *thinker)
{
    const struct think_request *request = &thinker->request;
    const struct willow_ruleset *rules = thinker->ruleset;
    struct think_report *report = &thinker->report;
    FUZZ_REQUIRE(thinker->busy);
    report->kind = request->kind;
    report->final = true;
    report->count = 0;
    report->result = (struct willow_result){.move = WILLOW_NO_SQUARE,
                                            .depth = 3,
                                            .selectivity = 100,
                                            .complete = !thinker->stopped,
                                            .nodes = 12345,
                                            .time_ns = 6789000};
    if (request->kind == THINK_MOVE) {
        report->result.move = thinker->bad_move ? WILLOW_SQUARES + 13 : nth_move(rules, request->board, request->ply);
        report->result.score = -123;
        if (!thinker->bad_move)
            report->result.pv_length = line_of(rules, request->board, report->result.move, report->result.pv);
        thinker->bad_move = false;
    }
    if (request->kind == THINK_HINT)
        report_hints(rules, request, report);
    thinker->busy = false;
    return report;
}

struct line {
    bool while_busy;
    const char *text; /* null = too long */
};

static bool next_line(char **rest, struct fuzz_thinker *thinker, struct line *line)
{
    bool too_long = false;
    line->while_busy = false;
    if (*rest == NULL || **rest == '\0')
        return false;
    for (;; ++*rest) {
        if (**rest == '~')
            line->while_busy = true;
        else if (**rest == '^')
            thinker->bad_move = !thinker->always_legal;
        else if (**rest == '+')
            thinker->now_ns += UINT64_C(20000000000);
        else if (**rest == '!')
            too_long = true;
        else
            break;
    }
    thinker->now_ns += 1000000;
    line->text = strsep(rest, "\n");
    if (too_long)
        line->text = NULL;
    return true;
}

bool fuzz_report_all(const struct fuzz_protocol *protocol)
{
    bool open = true;
    while (open && protocol->thinker->busy)
        open = protocol->report(protocol->session);
    return open;
}

bool fuzz_converse(const struct fuzz_protocol *protocol, const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text;
    struct line line;
    bool open = true;
    while (open && next_line(&rest, protocol->thinker, &line)) {
        while (open && protocol->thinker->busy && (!line.while_busy || !protocol->ready(protocol->session)))
            open = protocol->report(protocol->session);
        if (open)
            open = protocol->say(protocol->session, line.text);
    }
    free(text);
    return open && fuzz_report_all(protocol);
}

const struct willow_weights *fuzz_weights(const struct willow_ruleset *ruleset)
{
    static struct willow_weights *weights[RULESETS_MAX];
    struct willow_error error;
    int place = 0;
    while (willow_ruleset_at(place) != ruleset)
        place++;
    FUZZ_REQUIRE(place < RULESETS_MAX);
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), 1);
    if (weights[place] == NULL)
        FUZZ_REQUIRE(willow_weights_new_zero(ruleset, set, &stages, &weights[place], &error) == WILLOW_OK);
    return weights[place];
}

enum willow_status fuzz_thinker_set_ruleset(struct fuzz_thinker *thinker, const struct willow_ruleset *ruleset,
                                            struct willow_error *error)
{
    FUZZ_REQUIRE(!thinker->busy && ruleset != thinker->ruleset);
    if (ruleset->fewest_wins && ruleset->width == 4)
        return willow_fail(error, WILLOW_ERR_MISMATCH, "a.wlw", NULL, "weights of another ruleset");
    thinker->ruleset = ruleset;
    return WILLOW_OK;
}
