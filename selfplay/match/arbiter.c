/* Plays one game between two players: asks the one to move, measures what it took, and plays its answer if the rules
 * allow it. Layer: selfplay. Knows nothing of what stands behind a player, and of other games.
 */
#include "arbiter.h"

#include <math.h>
#include <stdio.h>

#include <willow/clock.h>

struct arbiter {
    const struct arbiter_side *sides;
    const struct arbiter_options *options;
    struct game_record *record;
    struct willow_timer timers[2]; /* of sides with a clock */
};

/* Whether the game goes on after a step. */
enum step { STEP_ON, STEP_OVER, STEP_STOPPED };

static bool is_stopped(const struct arbiter *arbiter)
{
    return arbiter->options->stop != NULL && willow_stop_get(arbiter->options->stop);
}

/* The game is lost for the culprit, by every playable square. */
static enum step lose(struct arbiter *arbiter, enum willow_side culprit, enum game_end end)
{
    struct game_record *record = arbiter->record;
    const int squares = willow_ruleset_squares(record->game.ruleset);

    record->end = end;
    record->culprit = culprit;
    record->discs = culprit == WILLOW_BLACK ? -squares : squares;
    return STEP_OVER;
}

/* The stop is looked at first: what a player says once it is set means nothing. */
static enum step take_fault(struct arbiter *arbiter, enum willow_side culprit, enum player_fault fault)
{
    if (fault == PLAYER_STOPPED || is_stopped(arbiter))
        return STEP_STOPPED;
    switch (fault) {
    case PLAYER_RESIGNED:
        arbiter->record->reason[0] = '\0';
        return lose(arbiter, culprit, GAME_RESIGNED);
    case PLAYER_GARBLED:
        return lose(arbiter, culprit, GAME_GARBLED);
    case PLAYER_CRASHED:
        return lose(arbiter, culprit, GAME_CRASHED);
    case PLAYER_HUNG:
        return lose(arbiter, culprit, GAME_HUNG);
    default:
        arbiter->record->reason[0] = '\0';
        return STEP_ON;
    }
}

/* The side to move first: a player that cannot play has lost before the other one is asked. */
static enum step begin(struct arbiter *arbiter)
{
    struct game_record *record = arbiter->record;
    enum step step = STEP_ON;

    for (int i = 0; i < 2 && step == STEP_ON; i++) {
        const enum willow_side side = i == 0 ? record->game.side : 1 - record->game.side;
        const enum player_fault fault =
            player_begin(arbiter->sides[side].player, &record->game, side, arbiter->options->stop, record->reason);
        step = take_fault(arbiter, side, fault);
        if (arbiter->sides[side].clock != NULL)
            willow_timer_start(&arbiter->timers[side], arbiter->sides[side].clock);
    }
    return step;
}

/* Far enough, with room to add to it. */
static const uint64_t NEVER_NS = UINT64_C(1) << 62;

static uint64_t deadline_ns(const struct arbiter *arbiter, const struct willow_timer *own, uint64_t now_ns)
{
    const uint64_t limit_ms = arbiter->options->move_limit_ms;

    if (own != NULL)
        return now_ns + willow_timer_left_ns(own) + ARBITER_GRACE_MS * UINT64_C(1000000);
    return limit_ms != 0 && limit_ms < NEVER_NS / 1000000 ? now_ns + limit_ms * 1000000 : NEVER_NS;
}

static enum step play_answer(struct arbiter *arbiter, const struct player_answer *answer, uint64_t used_ns)
{
    struct game_record *record = arbiter->record;
    struct game_move *move = &record->moves[record->game.length];
    const enum willow_side side = record->game.side;
    struct willow_error error;

    if (willow_game_play(&record->game, answer->move, &error) != WILLOW_OK) {
        snprintf(record->reason, sizeof record->reason, "%.*s", (int)sizeof record->reason - 1, error.reason);
        return lose(arbiter, side, GAME_ILLEGAL);
    }
    move->has_score = answer->has_score && isfinite((float)answer->score_discs);
    move->score_discs = move->has_score ? (float)answer->score_discs : 0.0f;
    move->depth = answer->depth;
    move->nodes = answer->nodes;
    move->used_ns = used_ns;
    return STEP_ON;
}

static enum step ask(struct arbiter *arbiter)
{
    struct game_record *record = arbiter->record;
    const enum willow_side side = record->game.side;
    struct willow_timer *const own = arbiter->sides[side].clock != NULL ? &arbiter->timers[side] : NULL;
    struct player_answer answer = {.move = WILLOW_NO_SQUARE};

    const uint64_t start_ns = willow_clock_ns();
    const uint64_t left_ns = own != NULL ? willow_timer_left_ns(own) : 0;
    const struct player_turn turn = {.game = &record->game,
                                     .own = own,
                                     .other =
                                         arbiter->sides[1 - side].clock != NULL ? &arbiter->timers[1 - side] : NULL,
                                     .deadline_ns = deadline_ns(arbiter, own, start_ns),
                                     .stop = arbiter->options->stop};
    const enum player_fault fault = player_think(arbiter->sides[side].player, &turn, &answer, record->reason);
    const uint64_t used_ns = willow_clock_ns() - start_ns;

    /* An answer came, but too late. */
    const bool answered = fault == PLAYER_FINE || fault == PLAYER_RESIGNED || fault == PLAYER_GARBLED;
    if (answered && own != NULL && !willow_timer_spend(own, used_ns) && !is_stopped(arbiter)) {
        snprintf(record->reason, sizeof record->reason, "took %.3f s for a move with %.3f s left",
                 (double)used_ns / 1e9, (double)left_ns / 1e9);
        return lose(arbiter, side, GAME_TIME);
    }
    const enum step step = take_fault(arbiter, side, fault);
    return step == STEP_ON ? play_answer(arbiter, &answer, used_ns) : step;
}

static enum step play_on(struct arbiter *arbiter)
{
    struct willow_game *game = &arbiter->record->game;
    enum step step = STEP_ON;

    while (step == STEP_ON && !willow_game_over(game)) {
        if (willow_board_moves(game->ruleset, willow_game_board(game)) != 0)
            step = ask(arbiter);
        else
            willow_game_play(game, WILLOW_PASS, NULL);
    }
    if (step == STEP_ON)
        arbiter->record->discs = willow_game_final_discs(game);
    return step;
}

bool arbiter_play(const struct willow_game *opening, const struct arbiter_side sides[2],
                  const struct arbiter_options *options, struct game_record *record)
{
    struct arbiter arbiter = {.sides = sides, .options = options, .record = record};

    *record = (struct game_record){.game = *opening, .opening = opening->length, .end = GAME_PLAYED};
    enum step step = begin(&arbiter);
    if (step == STEP_ON)
        step = play_on(&arbiter);
    return step != STEP_STOPPED;
}
