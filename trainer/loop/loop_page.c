/* The loop's report as one HTML page: headline, charts, tables, provenance. No scripts, no outside resources.
 * Layer: trainer (program).
 */
#include "loop_page.h"

#include <math.h>
#include <string.h>

#include <willow/program.h>

#include "report/chart.h"
#include "report/page.h"

static void print_progress_card(FILE *out, const struct report *report)
{
    char figure[64], words[160], time[32], disk[32], peak[32];
    int length = snprintf(words, sizeof words, "generations done%s; %s used",
                          report->complete && report->best == 0 ? ", none was accepted" : "",
                          willow_duration_text(report->seconds, time));

    if (!report->complete && report->seconds_left > 0.0)
        length += snprintf(words + length, sizeof words - (size_t)length, ", about %s left",
                           willow_duration_text(report->seconds_left, time));
    if (report->disk_bytes > 0.0)
        length += snprintf(words + length, sizeof words - (size_t)length, "; %s on disk",
                           report_bytes(report->disk_bytes, disk));
    if (!report->complete && report->disk_peak_bytes > 0.0)
        snprintf(words + length, sizeof words - (size_t)length, ", at most %s expected",
                 report_bytes(report->disk_peak_bytes, peak));
    snprintf(figure, sizeof figure, "%d of %d", report->count > 0 ? report->count - 1 : 0, report->planned);
    page_card(out, figure, words);
}

static void print_final_card(FILE *out, const struct report *report, const struct report_match *match, int opponent)
{
    char figure[64], words[200], elo[16], low[16], high[16];

    snprintf(figure, sizeof figure, "%.1f%%", 100.0 * match->score);
    snprintf(words, sizeof words,
             "of the points for generation %d against generation %d at depth %d: Elo %s, 95%% bounds %s to %s, %+.1f "
             "discs a game",
             report->best, opponent, report->final_depth, report_elo(match->elo, elo), report_elo(match->elo_low, low),
             report_elo(match->elo_high, high), match->discs);
    page_card(out, figure, words);
}

static void print_ladder_card(FILE *out, const struct report *report)
{
    const struct report_generation *best = &report->generations[report->best];
    char figure[16], words[160], low[16], high[16];

    if (report->best == 0 || isnan(best->ladder.elo))
        return;
    snprintf(words, sizeof words, "Elo of the best, generation %d, above %.32s on the ladder, 95%% bounds %s to %s",
             best->number, report->ladder_anchor, report_ladder_elo(best->ladder.elo_low, low),
             report_ladder_elo(best->ladder.elo_high, high));
    page_card(out, report_ladder_elo(best->ladder.elo, figure), words);
}

static void print_static_card(FILE *out, const struct report *report)
{
    const double first = report_static_error(report, &report->generations[0]);
    const double best = report_static_error(report, &report->generations[report->best]);
    char figure[16], words[160];

    if (isnan(best))
        return;
    snprintf(figure, sizeof figure, "%.2f", best);
    if (report->best == 0 || isnan(first))
        snprintf(words, sizeof words, "discs: mean static error of generation %d", report->best);
    else
        snprintf(words, sizeof words, "discs: mean static error of generation %d; generation 0 had %.2f", report->best,
                 first);
    page_card(out, figure, words);
}

static void print_cards(FILE *out, const struct report *report)
{
    char figure[64], words[160];
    uint64_t positions = 0;
    int64_t games = 0;

    for (int i = 0; i < report_rows(report); i++) {
        positions += report_labelled(&report->generations[i]);
        games += report->generations[i].games;
    }
    page_cards_begin(out);
    print_progress_card(out, report);
    if (report->count > 0) {
        print_ladder_card(out, report);
        print_static_card(out, report);
    }
    if (report->final.played)
        print_final_card(out, report, &report->final, 0);
    if (report->final_first.played)
        print_final_card(out, report, &report->final_first, 1);
    snprintf(words, sizeof words, "positions labelled, from %s games of self-play",
             report_number((uint64_t)games, figure));
    page_card(out, report_short(positions, figure), words);
    page_cards_end(out);
}

static void print_start(FILE *out, const struct report *report)
{
    if (strcmp(report->ruleset, "othello") == 0) {
        fprintf(out, "<p class=\"soft\">An Othello engine that begins with ");
    } else {
        fprintf(out, "<p class=\"soft\">An engine for the ruleset ");
        chart_escape(out, report->ruleset);
        fprintf(out, " that begins with ");
    }
    if (strcmp(report->start, "zero") == 0)
        fprintf(out, "nothing but the rules");
    else
        chart_escape(out, report->start);
    fprintf(out, " and teaches itself: %s</p>\n",
            report->complete ? "finished." : "still running or stopped; this page shows what is finished.");
}

/* The steps of the generation that is not finished, the latest first. */
static void print_making(FILE *out, const struct report *report)
{
    char title[64], text[32];

    if (!report->unfinished || report->count >= REPORT_GENERATIONS_MAX)
        return;
    snprintf(title, sizeof title, "Generation %d in the making", report->count);
    page_heading(out, "making", title);
    if (report->steps == 0) {
        page_note(out, "None of its steps is finished yet.");
        return;
    }
    const struct report_step *last = &report->step[report->steps - 1];
    fprintf(out, "<details><summary>%d step%s finished; the latest: ", report->steps, report->steps == 1 ? "" : "s");
    chart_escape(out, last->title);
    fprintf(out, ", %s</summary>\n", willow_duration_text(last->seconds, text));
    page_table_begin(out, "Finished steps of the generation in the making");
    fprintf(out, "<tr><th class=\"name\">step</th><th>time</th></tr>\n");
    for (int i = report->steps - 1; i >= 0; i--) {
        fprintf(out, "<tr><td class=\"name\">");
        chart_escape(out, report->step[i].title);
        fprintf(out, "</td><td>%s</td></tr>\n", willow_duration_text(report->step[i].seconds, text));
    }
    page_table_end(out);
    fprintf(out, "</details>\n");
}

static void print_provenance(FILE *out, const struct report *report)
{
    page_heading(out, "repeat", "How to repeat it");
    fprintf(out, "<p>Weights: <code>");
    chart_escape(out, report->weights);
    fprintf(out, "</code>, pattern set ");
    chart_escape(out, report->patterns);
    fprintf(out, ", made by willow ");
    chart_escape(out, report->version);
    fprintf(out,
            " from seed %lld.</p>\n<p>Save the configuration below as <code>config.yaml</code>, or take the one beside "
            "this page; the same version makes the same weights from it:</p>\n<pre>willow train loop config.yaml "
            "--out NEW-FOLDER</pre>\n<p>Play against them:</p>\n<pre>willow play --weights ",
            (long long)report->seed);
    chart_escape(out, report->weights);
    fprintf(out, "</pre>\n<p>The configuration, every default filled in:</p>\n<pre tabindex=\"0\">");
    chart_escape(out, report->configuration);
    fprintf(out, "</pre>\n");
}

void report_html(FILE *out, const struct report *report)
{
    page_begin(out, "Willow training loop");
    print_start(out, report);
    print_cards(out, report);
    loop_page_charts(out, report);
    print_making(out, report);
    loop_page_generations(out, report);
    loop_page_learning(out, report);
    loop_page_cross(out, report);
    print_provenance(out, report);
    page_end(out);
}
