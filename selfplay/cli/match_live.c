/* What is seen of a match while it is played, on stderr: a line of progress, and the first faults one by one.
 * Layer: selfplay (program).
 */
#include <stdint.h>
#include <stdio.h>

#include <willow/clock.h>

#include "match_output.h"

/* An engine that fails always would fill the screen. */
enum { FAULTS_SHOWN = 24, LIVE_TEXT = 128 };

void match_live_start(struct match_live *live, const struct match_command *command, const char *const *names)
{
    *live = (struct match_live){.command = command, .names = names, .taken_over = SIZE_MAX};
    willow_progress_start(&live->progress, command->quiet);
}

/* Score with bounds, and the test's state where there is one. */
static void describe_two(const struct match_live *live, const struct match_result *result, char text[LIVE_TEXT])
{
    struct statistics_estimate estimate;
    const struct sprt_state *sprt = &result->sprt;

    statistics_estimate(&result->encounters[0].tally, &estimate);
    const int length = snprintf(text, LIVE_TEXT, "%.1f%% [%.1f, %.1f]", 100.0 * estimate.score,
                                100.0 * estimate.score_low, 100.0 * estimate.score_high);
    if (live->command->has_sprt && length > 0 && length < LIVE_TEXT)
        snprintf(text + length, (size_t)(LIVE_TEXT - length), ", LLR %.2f in [%.2f, %.2f]", sprt->llr, sprt->lower,
                 sprt->upper);
}

/* Who has the greatest share of the points so far. */
static void describe_leader(const struct match_live *live, const struct match_result *result, char text[LIVE_TEXT])
{
    double points[SCHEDULE_PLAYERS_MAX] = {0}, games[SCHEDULE_PLAYERS_MAX] = {0};
    int leader = 0;

    for (size_t i = 0; i < result->encounters_count; i++) {
        const struct rating_encounter *encounter = &result->encounters[i];
        const double own = (double)encounter->tally.wins + 0.5 * (double)encounter->tally.draws;
        const double played = 2.0 * (double)statistics_pairs(&encounter->tally);

        points[encounter->a] += own;
        points[encounter->b] += played - own;
        games[encounter->a] += played;
        games[encounter->b] += played;
    }
    for (int i = 1; i < live->command->players; i++)
        if (games[i] > 0.0 && (games[leader] == 0.0 || points[i] * games[leader] > points[leader] * games[i]))
            leader = i;
    snprintf(text, LIVE_TEXT, "%.40s leads with %.1f%%", live->names[leader],
             games[leader] > 0.0 ? 100.0 * points[leader] / games[leader] : 0.0);
}

void match_live_tick(void *context, const struct match_result *result)
{
    struct match_live *live = context;
    const size_t all = result->schedule.count;
    char left[32] = "?", state[LIVE_TEXT];

    if (live->progress.quiet)
        return;
    if (live->taken_over == SIZE_MAX)
        live->taken_over = result->taken_over;
    const double seconds = (double)(willow_clock_ns() - live->progress.start_ns) * 1e-9;
    const double played = (double)(result->pairs - live->taken_over);
    if (played > 0.0)
        willow_duration_text(seconds * (double)(all - result->pairs) / played, left);
    (live->command->players == 2 ? describe_two : describe_leader)(live, result, state);
    willow_progress_line(&live->progress, false, "pair %zu of %zu, %s, %.1f games/s, %s left", result->pairs, all,
                         state, seconds > 0.0 ? 2.0 * played / seconds : 0.0, left);
}

void match_live_fault(void *context, const struct match_fault *fault)
{
    struct match_live *live = context;
    const struct game_record *record = fault->record;

    if (!game_end_is_fault(record->end) || live->faults > FAULTS_SHOWN)
        return;
    if (live->progress.live && live->progress.width > 0)
        fputs("\r\033[K", stderr);
    if (live->faults++ == FAULTS_SHOWN)
        fputs("further faults are counted only\n", stderr);
    else
        fprintf(stderr, "%s lost a game of pair %zu against %s: %s%s%s\n", live->names[fault->player],
                fault->number + 1, live->names[fault->opponent], game_end_names[record->end],
                record->reason[0] != '\0' ? ": " : "", record->reason);
}

void match_live_end(struct match_live *live, const struct match_result *result)
{
    if (live->progress.live && !live->progress.quiet && live->progress.width > 0)
        willow_progress_line(&live->progress, true, "%s", result->complete ? "finished" : "stopped");
}
