/* The loop's report as plain text, and what text and page share: the ladder and number formats.
 * Layer: trainer (program).
 */
#include "loop_report.h"

#include <math.h>
#include <string.h>

#include <willow/program.h>

/* Matches clamp Elo there: a score of 99.9%. */
static const double elo_limit = 1200.0;

void report_climb(struct report *report)
{
    struct report_generation *last = &report->generations[report->count - 1];

    if (last->kind == REPORT_START || !last->match.played)
        return;
    const struct report_generation *below = &report->generations[last->opponent];
    const double down = hypot(below->ladder - below->ladder_low, last->match.elo - last->match.elo_low);
    const double up = hypot(below->ladder_high - below->ladder, last->match.elo_high - last->match.elo);
    last->ladder = below->ladder + last->match.elo;
    last->ladder_low = last->ladder - down;
    last->ladder_high = last->ladder + up;
}

char *report_elo(double elo, char *buffer)
{
    if (elo >= elo_limit)
        snprintf(buffer, 16, "> +%.0f", elo_limit);
    else if (elo <= -elo_limit)
        snprintf(buffer, 16, "< -%.0f", elo_limit);
    else
        snprintf(buffer, 16, "%+.0f", fabs(elo) < 0.5 ? 0.0 : elo);
    return buffer;
}

static const char *kind_name(enum report_kind kind)
{
    return kind == REPORT_START ? "start" : kind == REPORT_BACKWARD ? "backward" : "self-play";
}

static void print_error(FILE *out, double error)
{
    if (isnan(error))
        fprintf(out, " %8s", "-");
    else
        fprintf(out, " %8.2f", error);
}

static void print_generation(FILE *out, const struct report *report, const struct report_generation *generation)
{
    char games[32], positions[32], seconds[32], elo[16], low[16], high[16], bounds[48];

    fprintf(out, "%3d %-9s %11s %12s", generation->number, kind_name(generation->kind),
            report_number((uint64_t)generation->games, games), report_number(generation->positions, positions));
    print_error(out, generation->held_out);
    for (int i = 0; i < report->yardsticks; i++)
        print_error(out, generation->yardstick[i]);
    if (generation->match.played) {
        snprintf(bounds, sizeof bounds, "[%s, %s]", report_elo(generation->match.elo_low, low),
                 report_elo(generation->match.elo_high, high));
        fprintf(out, " %6.1f%% %8s %-18s", 100.0 * generation->match.score, report_elo(generation->match.elo, elo),
                bounds);
    } else {
        fprintf(out, " %7s %8s %-18s", "-", "-", "");
    }
    fprintf(out, " %7.0f %13s  %s\n", generation->ladder, willow_duration_text(generation->seconds, seconds),
            generation->kind == REPORT_START ? ""
            : generation->accepted           ? "accepted"
                                             : "rejected");
}

static void print_stages(FILE *out, const struct report *report)
{
    const struct report_generation *best = &report->generations[report->best];

    if (best->stages == 0)
        return;
    fprintf(out, "\nHeld-out error of generation %d by stage, in discs (labels of its own data)\n", best->number);
    for (int stage = 0; stage < best->stages; stage++) {
        char positions[32];

        if (isnan(best->stage_held_out[stage]))
            continue;
        fprintf(out, "  stage %2d  from %2d discs  %12s positions  %6.2f\n", stage, report->stages.first_disc[stage],
                report_number(best->stage_positions[stage], positions), best->stage_held_out[stage]);
    }
}

void report_text(FILE *out, const struct report *report)
{
    char seconds[32], elo[16], low[16], high[16];

    fprintf(out, "Willow training loop: %d of %d generations, %s\n\n", report->count > 0 ? report->count - 1 : 0,
            report->planned, willow_duration_text(report->seconds, seconds));
    fprintf(out, "%3s %-9s %11s %12s %8s", "gen", "kind", "games", "positions", "held-out");
    for (int i = 0; i < report->yardsticks; i++)
        fprintf(out, " %8.8s", report->yardstick_names[i]);
    fprintf(out, " %7s %8s %-18s %7s %13s\n", "score", "Elo", "[95% bounds]", "ladder", "time");
    for (int i = 0; i < report->count; i++)
        print_generation(out, report, &report->generations[i]);
    fprintf(
        out,
        "\nErrors are mean absolute errors in discs.\n"
        "held-out  on games that were not fitted, against the generation's own labels: how well they were learnt, not "
        "how good they are\n%s"
        "score     against the best before, at depth %d; accepted from %.0f%% on\n"
        "ladder    sum of the accepted Elo steps above generation 0\n",
        report->yardsticks > 0 ? "*.obf     of the bare evaluation on files of exact scores\n" : "", report->gate_depth,
        100.0 * report->gate_minimum);
    print_stages(out, report);
    if (report->final.played)
        fprintf(out,
                "\nResult: generation %d against generation 0 at depth %d: %.1f%% [%.1f, %.1f], %llu won, %llu drawn, "
                "%llu lost,\n"
                "        Elo %s [%s, %s], %+.1f discs a game.\n",
                report->best, report->final_depth, 100.0 * report->final.score, 100.0 * report->final.score_low,
                100.0 * report->final.score_high, (unsigned long long)report->final.wins,
                (unsigned long long)report->final.draws, (unsigned long long)report->final.losses,
                report_elo(report->final.elo, elo), report_elo(report->final.elo_low, low),
                report_elo(report->final.elo_high, high), report->final.discs);
    else if (report->complete)
        fprintf(out, "\nResult: no generation was accepted; the weights are those of the start.\n");
    fprintf(out, "\nweights  %s\nversion  willow %s\nseed     %lld\n\nConfiguration\n\n%s", report->weights,
            report->version, (long long)report->seed, report->configuration);
}
