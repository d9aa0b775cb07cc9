/* What is seen of a match while it is played, on stderr: a line of progress, below the standings so far where there are
 * many players and a terminal, and the first faults one by one. Layer: selfplay (program).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/program.h>

#include "match_output.h"

enum {
    FAULTS_SHOWN = 24, /* an engine that fails always would fill the screen */
    ROWS_MAX = 20,     /* of the standings: they and the line fit a terminal of 24 rows */
    REDRAW_NS = 200000000,
    LIVE_TEXT = 128
};

void match_live_start(struct match_live *live, const struct match_command *command, const char *const *names)
{
    *live = (struct match_live){.command = command, .names = names, .taken_over = SIZE_MAX};
    willow_progress_start(&live->progress, command->quiet);
}

/* What "default" means for a ruleset is seen in no name: one line for each such engine, once the match has begun. */
static void warn_of_zeros(struct match_live *live)
{
    const struct match_command *command = live->command;

    if (live->warned)
        return;
    live->warned = true;
    for (int i = 0; i < command->players; i++) {
        const struct engine *engine = &command->engines[i];

        if (engine->kind == ENGINE_BUILTIN)
            willow_tell_of_zero_weights(engine->name, engine->weights_name, command->ruleset);
    }
}

/* Score with bounds, and the test's state where there is one. */
static void describe_two(const struct match_live *live, const struct match_result *result, char text[LIVE_TEXT])
{
    struct statistics_estimate estimate;
    const struct sprt_state *sprt = &result->sprt;

    statistics_estimate(&result->encounters[0].tally, willow_ruleset_squares(result->ruleset), &estimate);
    const int length = snprintf(text, LIVE_TEXT, "%.1f%% [%.1f, %.1f]", 100.0 * estimate.score,
                                100.0 * estimate.score_low, 100.0 * estimate.score_high);
    if (live->command->has_sprt && length > 0 && length < LIVE_TEXT)
        snprintf(text + length, (size_t)(LIVE_TEXT - length), ", LLR %.2f in [%.2f, %.2f]", sprt->llr, sprt->lower,
                 sprt->upper);
}

/* A player's points so far. */
struct share {
    int player;
    double points, games;
};

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left, *b = right;
    const double first = a->points * b->games, second = b->points * a->games;

    if ((a->games > 0.0) != (b->games > 0.0))
        return a->games > 0.0 ? -1 : 1;
    return first > second ? -1 : first < second ? 1 : a->player - b->player;
}

/* Players by the share of the points that they have in their games so far. */
static void rank(const struct match_result *result, int players, struct share shares[SCHEDULE_PLAYERS_MAX])
{
    for (int i = 0; i < players; i++)
        shares[i] = (struct share){.player = i};
    for (size_t i = 0; i < result->encounters_count; i++) {
        const struct rating_encounter *encounter = &result->encounters[i];
        const double own = (double)encounter->tally.wins + 0.5 * (double)encounter->tally.draws;
        const double played = 2.0 * (double)statistics_pairs(&encounter->tally);

        shares[encounter->a].points += own;
        shares[encounter->b].points += played - own;
        shares[encounter->a].games += played;
        shares[encounter->b].games += played;
    }
    qsort(shares, (size_t)players, sizeof *shares, compare_shares);
}

static double percent(const struct share *share)
{
    return share->games > 0.0 ? 100.0 * share->points / share->games : 0.0;
}

/* Takes away what is drawn on the terminal. */
static void erase(struct match_live *live)
{
    if (!live->progress.live || live->progress.width == 0)
        return;
    if (live->rows > 0)
        fprintf(stderr, "\033[%dA", live->rows);
    fputs("\r\033[J", stderr);
    live->rows = 0;
}

static void draw_standings(struct match_live *live, const struct share *shares)
{
    const int players = live->command->players;

    erase(live);
    for (live->rows = 0; live->rows < players && live->rows < ROWS_MAX; live->rows++) {
        const struct share *share = &shares[live->rows];

        fprintf(stderr, "%3d  %-30.30s %7.1f of %-6.0f %5.1f%%\n", live->rows + 1, live->names[share->player],
                share->points, share->games, percent(share));
    }
}

void match_live_tick(void *context, const struct match_result *result)
{
    struct match_live *live = context;
    const size_t all = result->schedule.count;
    const uint64_t now_ns = willow_clock_ns();
    char left[32] = "?", state[LIVE_TEXT];

    warn_of_zeros(live);
    if (live->progress.quiet)
        return;
    if (live->taken_over == SIZE_MAX)
        live->taken_over = result->taken_over;
    const double seconds = (double)(now_ns - live->progress.start_ns) * 1e-9;
    const double played = (double)(result->pairs - live->taken_over);
    if (played > 0.0)
        willow_duration_text(seconds * (double)(all - result->pairs) / played, left);
    if (live->command->players == 2) {
        describe_two(live, result, state);
    } else {
        struct share shares[SCHEDULE_PLAYERS_MAX];

        rank(result, live->command->players, shares);
        snprintf(state, sizeof state, "%.40s leads with %.1f%%", live->names[shares[0].player], percent(&shares[0]));
        if (live->progress.live && now_ns - live->progress.last_ns >= REDRAW_NS)
            draw_standings(live, shares);
    }
    willow_progress_line(&live->progress, false, "pair %zu of %zu, %s, %.1f games/s, %s left", result->pairs, all,
                         state, seconds > 0.0 ? 2.0 * played / seconds : 0.0, left);
}

void match_live_fault(void *context, const struct match_fault *fault)
{
    struct match_live *live = context;
    const struct game_record *record = fault->record;

    if (!game_end_is_fault(record->end) || live->faults > FAULTS_SHOWN)
        return;
    erase(live);
    if (live->faults++ == FAULTS_SHOWN)
        fputs("further faults are counted only\n", stderr);
    else
        fprintf(stderr, "%s lost a game of pair %zu against %s: %s%s%s\n", live->names[fault->player],
                fault->number + 1, live->names[fault->opponent], game_end_names[record->end],
                record->reason[0] != '\0' ? ": " : "", record->reason);
}

void match_live_end(struct match_live *live, const struct match_result *result)
{
    if (result->pairs > 0)
        warn_of_zeros(live);
    if (!live->progress.live || live->progress.quiet || live->progress.width == 0)
        return;
    erase(live);
    willow_progress_line(&live->progress, true, "%s", result->complete ? "finished" : "stopped");
}
