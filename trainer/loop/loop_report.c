/* The loop's report as plain text, and what text, page and terminal share: words and number formats.
 * Layer: trainer (program).
 */
#include "loop_report.h"

#include <math.h>
#include <string.h>

#include <willow/program.h>

/* So many yardsticks have columns of their own beside the ladder, which keeps the table within 150 columns. */
enum { BESIDE_MAX = 4 };

/* Matches clamp Elo there: a score of 99.9%. */
static const double elo_limit = 1200.0;

const char *const report_work_names[REPORT_WORKS] = {
    [REPORT_GAMES] = "games",          [REPORT_LABELS] = "labels", [REPORT_FIT] = "fit",
    [REPORT_PROBCUT] = "probcut",      [REPORT_GATE] = "gate",     [REPORT_LADDER] = "ladder",
    [REPORT_YARDSTICKS] = "yardsticks"};

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

char *report_ladder_elo(double rating, char *buffer)
{
    snprintf(buffer, 16, "%+.0f", fabs(rating) < 0.5 ? 0.0 : rating);
    return buffer;
}

const char *report_kind_name(enum report_kind kind)
{
    return kind == REPORT_START ? "start" : kind == REPORT_BACKWARD ? "backward" : "self-play";
}

const char *report_gate_word(const struct report_generation *generation)
{
    const bool open = generation->test.tested && generation->test.verdict == REPORT_UNDECIDED;

    if (generation->kind == REPORT_START)
        return "";
    return generation->accepted ? (open ? "accepted*" : "accepted") : (open ? "rejected*" : "rejected");
}

double report_static_error(const struct report *report, const struct report_generation *generation)
{
    double sum = 0.0;

    for (int i = 0; i < report->yardsticks; i++)
        sum += generation->yardstick[i];
    return report->yardsticks > 0 ? sum / report->yardsticks : (double)NAN;
}

int report_label_depth(const struct report_generation *generation)
{
    return generation->label_depth > 0 ? generation->label_depth : generation->depth;
}

int report_name_length(const char *name, int most)
{
    const char *dot = strrchr(name, '.');
    const int length = (int)(dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));

    return length < most ? length : most;
}

int report_rows(const struct report *report)
{
    return report->count + (report->unfinished && report->count < REPORT_GENERATIONS_MAX);
}

uint64_t report_labelled(const struct report_generation *generation)
{
    return generation->labelled > 0 ? generation->labelled : generation->positions;
}

bool report_has_ladder(const struct report *report)
{
    for (int i = 0; i < report->count; i++)
        if (!isnan(report->generations[i].ladder.elo) && report->generations[i].ladder.games > 0)
            return true;
    return false;
}

static void print_error(FILE *out, double error)
{
    if (isnan(error))
        fprintf(out, " %8s", "-");
    else
        fprintf(out, " %8.2f", error);
}

/* Names of yardsticks, without the ending of the file. */
static void print_names(FILE *out, const struct report *report)
{
    for (int i = 0; i < report->yardsticks; i++)
        fprintf(out, " %8.*s", report_name_length(report->yardstick_names[i], 8), report->yardstick_names[i]);
}

/* "+123 [+100, +146]" in 23 columns; no bounds for who has none. */
static void print_rating(FILE *out, double rating, double low, double high)
{
    char text[16], low_text[16], high_text[16], bounds[40] = "";

    if (low < high)
        snprintf(bounds, sizeof bounds, "[%s, %s]", report_ladder_elo(low, low_text),
                 report_ladder_elo(high, high_text));
    fprintf(out, " %6s %-16s", isnan(rating) ? "-" : report_ladder_elo(rating, text), bounds);
}

static void print_count(FILE *out, int width, uint64_t count)
{
    char text[32];

    fprintf(out, " %*s", width, count > 0 ? report_short(count, text) : "-");
}

static void print_gate(FILE *out, const struct report_generation *generation)
{
    const struct report_match *match = &generation->match;
    char score[16];

    if (!match->played) {
        fprintf(out, " %3s %5s %7s %6s %-16s %6s", "-", "-", "-", "-", "", "-");
        return;
    }
    snprintf(score, sizeof score, "%.1f%%", 100.0 * match->score);
    fprintf(out, " %3d %5llu %7s", generation->opponent, (unsigned long long)match->pairs, score);
    print_rating(out, match->nelo, match->nelo_low, match->nelo_high);
    if (generation->test.tested)
        fprintf(out, " %+6.2f", generation->test.llr);
    else
        fprintf(out, " %6s", "-");
}

static void print_strength_row(FILE *out, const struct report *report, const struct report_generation *generation)
{
    const struct report_rating *ladder = &generation->ladder;
    const bool making = generation->number >= report->count;

    fprintf(out, "%3d %-9s", generation->number, report_kind_name(generation->kind));
    print_rating(out, ladder->elo, ladder->elo_low, ladder->elo_high);
    for (int i = 0; report->yardsticks <= BESIDE_MAX && i < report->yardsticks; i++)
        print_error(out, generation->yardstick[i]);
    if (report->yardsticks > 1)
        print_error(out, report_static_error(report, generation));
    print_gate(out, generation);
    if (making)
        fprintf(out, "  in the making\n");
    else if (generation->kind == REPORT_START)
        fprintf(out, "%s\n", report->best == 0 ? "  best" : "");
    else
        fprintf(out, "  %s%s\n", report_gate_word(generation), generation->number == report->best ? ", best" : "");
}

static void print_strength(FILE *out, const struct report *report)
{
    fprintf(out, "Strength and static errors\n%3s %-9s %6s %-16s", "gen", "kind", "Elo", "[95% bounds]");
    if (report->yardsticks <= BESIDE_MAX)
        print_names(out, report);
    if (report->yardsticks > 1)
        fprintf(out, " %8s", "mean");
    fprintf(out, " %3s %5s %7s %6s %-16s %6s  %s\n", "vs", "pairs", "score", "nElo", "[95% bounds]", "LLR", "gate");
    for (int i = 0; i < report_rows(report); i++)
        print_strength_row(out, report, &report->generations[i]);
    for (int i = 0; i < report->players; i++) {
        const struct report_rating *rating = &report->player[i].rating;

        fprintf(out, "  = %-9.9s", report->player[i].name);
        print_rating(out, rating->elo, rating->elo_low, rating->elo_high);
        fprintf(out, " fixed opponent of the ladder\n");
    }
}

static void print_strength_notes(FILE *out, const struct report *report)
{
    fputc('\n', out);
    if (report->ladder_pairs > 0)
        fprintf(out,
                "Elo     above %s, of all games of a round robin of %d pairs each at depth %d; 200 more scores 76%%\n",
                report->ladder_anchor, report->ladder_pairs, report->ladder_depth);
    if (report->yardsticks > 0)
        fprintf(out, "errors  mean, in discs, of the bare evaluation on files of exact scores\n");
    if (report->gate_pairs > 0)
        fprintf(out,
                "gate    at most %d pairs at depth %d against the best before, until a sequential test tells %+g from "
                "%+g\n        normalised Elo; * it did not, and the likelier stands\n",
                report->gate_pairs, report->gate_depth, report->gate_nelo0, report->gate_nelo1);
}

static void print_yardsticks(FILE *out, const struct report *report)
{
    if (report->yardsticks <= BESIDE_MAX)
        return;
    fprintf(out, "\nStatic errors by file, in discs\n%3s", "gen");
    print_names(out, report);
    fputc('\n', out);
    for (int i = 0; i < report_rows(report); i++) {
        fprintf(out, "%3d", report->generations[i].number);
        for (int y = 0; y < report->yardsticks; y++)
            print_error(out, report->generations[i].yardstick[y]);
        fputc('\n', out);
    }
}

static void print_learning(FILE *out, const struct report *report)
{
    char text[32];

    fprintf(out, "\nLearning and time\n%3s %-9s %5s %6s %7s %8s %7s %8s", "gen", "kind", "plays", "labels", "games",
            "labelled", "fitted", "held-out");
    for (int work = 0; work < REPORT_WORKS; work++)
        fprintf(out, " %*s", work == REPORT_YARDSTICKS ? 10 : 8, report_work_names[work]);
    fprintf(out, " %9s\n", "total");
    for (int i = 0; i < report_rows(report); i++) {
        const struct report_generation *generation = &report->generations[i];

        fprintf(out, "%3d %-9s", generation->number, report_kind_name(generation->kind));
        print_count(out, 5, (uint64_t)generation->depth);
        print_count(out, 6, (uint64_t)report_label_depth(generation));
        print_count(out, 7, (uint64_t)generation->games);
        print_count(out, 8, report_labelled(generation));
        print_count(out, 7, generation->positions);
        print_error(out, generation->held_out);
        for (int work = 0; work < REPORT_WORKS; work++)
            fprintf(out, " %*s", work == REPORT_YARDSTICKS ? 10 : 8,
                    generation->spent[work] > 0.0 ? report_clock(generation->spent[work], text) : "-");
        fprintf(out, " %9s\n", report_clock(generation->seconds, text));
    }
    fprintf(out, "\nplays, labels: depth of the searches; held-out: mean error in discs on games that were not fitted, "
                 "against the\ngeneration's own labels: how well they were learnt, not how good they are; times are "
                 "h:mm:ss\n");
}

static void print_stages(FILE *out, const struct report *report)
{
    const struct report_generation *best = &report->generations[report->best];

    if (best->stages == 0)
        return;
    fprintf(out, "\nHeld-out error of generation %d by stage, in discs\n", best->number);
    for (int stage = 0; stage < best->stages; stage++) {
        char positions[32];

        if (isnan(best->stage_held_out[stage]))
            continue;
        fprintf(out, "  stage %2d  from %2d discs  %12s positions  %6.2f\n", stage, report->stages.first_disc[stage],
                report_number(best->stage_positions[stage], positions), best->stage_held_out[stage]);
    }
}

static void print_final(FILE *out, const struct report *report, const struct report_match *final, int opponent)
{
    char elo[16], low[16], high[16];

    if (final->played)
        fprintf(out,
                "\nResult: generation %d against generation %d at depth %d: %.1f%% [%.1f, %.1f], %llu won, %llu drawn, "
                "%llu lost,\n        Elo %s [%s, %s], %+.1f discs a game.\n",
                report->best, opponent, report->final_depth, 100.0 * final->score, 100.0 * final->score_low,
                100.0 * final->score_high, (unsigned long long) final->wins, (unsigned long long) final->draws,
                (unsigned long long) final->losses, report_elo(final->elo, elo), report_elo(final->elo_low, low),
                report_elo(final->elo_high, high), final->discs);
}

static void print_result(FILE *out, const struct report *report)
{
    print_final(out, report, &report->final, 0);
    print_final(out, report, &report->final_first, 1);
    if (!report->final.played && report->complete && report->best == 0)
        fprintf(out, "\nResult: no generation was accepted; the weights are those of the start.\n");
}

static void print_head(FILE *out, const struct report *report)
{
    char used[32], left[32], disk[32];

    fprintf(out, "Willow training loop, ruleset %s: %d of %d generations, %s used", report->ruleset,
            report->count > 0 ? report->count - 1 : 0, report->planned, willow_duration_text(report->seconds, used));
    if (!report->complete && report->seconds_left > 0.0)
        fprintf(out, ", about %s left", willow_duration_text(report->seconds_left, left));
    if (report->disk_bytes > 0.0)
        fprintf(out, ", %s on disk", report_bytes(report->disk_bytes, disk));
    fprintf(out, "\n");
    if (report->unfinished && report->steps > 0)
        fprintf(out, "In the making: generation %d; the latest step done: %s\n", report->count,
                report->step[report->steps - 1].title);
    fputc('\n', out);
}

void report_text(FILE *out, const struct report *report)
{
    print_head(out, report);
    print_strength(out, report);
    print_strength_notes(out, report);
    print_yardsticks(out, report);
    print_learning(out, report);
    if (report->count > 0)
        print_stages(out, report);
    print_result(out, report);
    fprintf(out, "\nweights  %s\nversion  willow %s\nseed     %lld\n\nConfiguration\n\n%s", report->weights,
            report->version, (long long)report->seed, report->configuration);
}
