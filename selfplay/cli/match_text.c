/* The result of a match as text. Layer: selfplay (program). */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "match_output.h"
#include "match_table.h"

/* "over +1200" at the clamp: the truth lies beyond. Returns buffer. */
static char *elo_text(double elo, char buffer[16])
{
    if (elo >= STATISTICS_ELO_LIMIT)
        snprintf(buffer, 16, "over +%.0f", STATISTICS_ELO_LIMIT);
    else if (elo <= -STATISTICS_ELO_LIMIT)
        snprintf(buffer, 16, "under -%.0f", STATISTICS_ELO_LIMIT);
    else
        snprintf(buffer, 16, "%+.0f", match_whole(elo));
    return buffer;
}

const char *match_verdict_name(enum sprt_verdict verdict)
{
    return verdict == SPRT_ACCEPT_H0 ? "H0" : verdict == SPRT_ACCEPT_H1 ? "H1" : "undecided";
}

/* Limits that hold where an engine says nothing. */
static void print_limits(const struct match_command *command)
{
    const struct match_limits *limits = &command->limits;
    const int depth = match_command_depth(command);
    char clock[WILLOW_TIME_CONTROL_TEXT];

    if (command->has_clock)
        printf(", clock %s", willow_time_control_format(&command->clock, clock));
    if (limits->level > 0)
        printf(", level %d", limits->level);
    if (depth > 0)
        printf(", depth %d", depth);
    if (limits->selectivity != 0 && limits->selectivity != WILLOW_NOT_SELECTIVE)
        printf("%s at %d%%", depth > 0 ? "" : ",", limits->selectivity);
    if (limits->nodes > 0)
        printf(", %llu nodes", (unsigned long long)limits->nodes);
    if (limits->time_ms > 0)
        printf(", %g s a move", (double)limits->time_ms / 1000.0);
    if (limits->exact > 0)
        printf(", exact from %d empties", limits->exact);
}

static void print_heading(const struct match_report *report)
{
    const struct match_command *command = report->command;

    if (command->players == 2)
        printf("%s against %s", command->typed[0], command->typed[1]);
    else if (command->format == SCHEDULE_GAUNTLET)
        printf("%s against %d others", report->names[0], command->players - 1);
    else
        printf("%d players, each against each", command->players);
    if (command->ruleset != willow_ruleset_othello())
        printf(", %s", command->ruleset->name);
    print_limits(command);
    if (command->list[0] != '\0')
        printf(", openings of %s", command->list);
    else
        printf(", openings of %d plies", command->opening_plies);
    if (report->result->balance_discs > 0)
        printf(" within %d discs", report->result->balance_discs);
    printf(" from seed %llu\n", (unsigned long long)command->seed);
    if (!report->result->complete)
        printf("Stopped: the result is that of the %zu pairs finished of %zu.%s\n", report->result->pairs,
               report->result->schedule.count, command->out[0] != '\0' ? " The same command goes on." : "");
}

static void print_sprt(const struct match_report *report)
{
    const struct sprt_test *test = &report->command->sprt;
    const struct sprt_state *state = &report->result->sprt;
    const char *verdict = state->verdict == SPRT_UNDECIDED   ? "undecided"
                          : state->verdict == SPRT_ACCEPT_H1 ? "H1 accepted"
                                                             : "H0 accepted";

    printf("SPRT        %s: LLR %.2f in [%.2f, %.2f], nElo %g against %g, alpha %g, beta %g\n", verdict, state->llr,
           state->lower, state->upper, test->nelo0, test->nelo1, test->alpha, test->beta);
}

static void print_estimate(const struct statistics_tally *tally, const struct willow_ruleset *ruleset)
{
    const unsigned long long pairs = statistics_pairs(tally);
    struct statistics_estimate values;
    const struct statistics_estimate *estimate = &values;
    char elo[16], low[16], high[16];

    statistics_estimate(tally, willow_ruleset_squares(ruleset), &values);
    printf("games       %llu in %llu pairs: %llu won, %llu drawn, %llu lost\n", 2 * pairs, pairs,
           (unsigned long long)tally->wins, (unsigned long long)tally->draws, (unsigned long long)tally->losses);
    printf("score       %.1f%%  [%.1f, %.1f] with 95%% confidence\n", 100.0 * estimate->score,
           100.0 * estimate->score_low, 100.0 * estimate->score_high);
    printf("Elo         %s  [%s, %s]\n", elo_text(estimate->elo, elo), elo_text(estimate->elo_low, low),
           elo_text(estimate->elo_high, high));
    printf("nElo        %s  [%s, %s]\n", elo_text(estimate->nelo, elo), elo_text(estimate->nelo_low, low),
           elo_text(estimate->nelo_high, high));
    printf("discs       %+.2f a game  [%+.2f, %+.2f]\n", estimate->discs, estimate->discs_low, estimate->discs_high);
    printf("pairs       0: %llu, 1/4: %llu, 1/2: %llu, 3/4: %llu, 1: %llu\n", (unsigned long long)tally->pentanomial[0],
           (unsigned long long)tally->pentanomial[1], (unsigned long long)tally->pentanomial[2],
           (unsigned long long)tally->pentanomial[3], (unsigned long long)tally->pentanomial[4]);
    printf("superiority %.1f%% likely\n", 100.0 * estimate->los);
}

static void print_clocks(const struct match_result *result)
{
    for (int player = 0; player < 2; player++) {
        const struct match_time *time = &result->times[player];

        printf("clock %c     %llu lost on time, %.3f s used in %llu moves, longest %.3f s\n", 'A' + player,
               (unsigned long long)result->ends[player][GAME_TIME], (double)time->used_ns * 1e-9,
               (unsigned long long)time->moves, (double)time->longest_ns * 1e-9);
    }
}

/* Games lost otherwise than on the board, for those players who have any. */
static void print_faults(const struct match_report *report)
{
    for (int player = 0; player < report->command->players; player++) {
        const char *before = "";
        uint64_t all = 0;

        for (int end = 0; end < GAME_ENDS; end++)
            all += report->result->ends[player][end];
        if (all == 0)
            continue;
        printf("lost        %s:", report->names[player]);
        for (int end = 0; end < GAME_ENDS; end++) {
            const unsigned long long count = report->result->ends[player][end];

            if (count > 0)
                printf("%s %llu %s", before, count, game_end_names[end]);
            before = count > 0 ? "," : before;
        }
        printf("%s\n", report->result->withdrawn[player] ? "; withdrawn" : "");
    }
}

static int columns(void)
{
    struct winsize window;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

void match_text_print(const struct match_report *report)
{
    const struct match_result *result = report->result;

    print_heading(report);
    if (result->pairs == 0)
        return;
    if (report->command->players == 2) {
        print_estimate(&result->encounters[0].tally, result->ruleset);
        if (report->command->has_sprt)
            print_sprt(report);
        if (report->command->has_clock)
            print_clocks(result);
    } else {
        match_table_print(stdout, report->names, report->standings, columns());
    }
    print_faults(report);
}
