/* Tables of the loop's page; see loop_page.h. Layer: trainer (program). */
#include "loop_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "report/chart.h"
#include "report/page.h"

/* More players make no table that can be read. */
enum { CROSS_MAX = 40 };

static const char dash[] = "<td>&ndash;</td>";

static void print_heading_cell(FILE *out, const char *text)
{
    fprintf(out, "<th>");
    chart_escape(out, text);
    fprintf(out, "</th>");
}

static void print_error(FILE *out, double error)
{
    if (isnan(error))
        fputs(dash, out);
    else
        fprintf(out, "<td>%.2f</td>", error);
}

static void print_count(FILE *out, uint64_t count)
{
    char text[32];

    if (count == 0)
        fputs(dash, out);
    else
        fprintf(out, "<td>%s</td>", report_short(count, text));
}

static void print_bounded(FILE *out, double value, double low, double high)
{
    char text[16];

    if (isnan(value)) {
        fputs(dash, out);
        return;
    }
    fprintf(out, "<td>%s", report_ladder_elo(value, text));
    if (low < high) {
        fprintf(out, " <span class=\"soft\">[%s, ", report_ladder_elo(low, text));
        fprintf(out, "%s]</span>", report_ladder_elo(high, text));
    }
    fprintf(out, "</td>");
}

static void print_gate(FILE *out, const struct report_generation *generation)
{
    const struct report_match *match = &generation->match;
    const struct report_test *test = &generation->test;

    if (!match->played) {
        for (int i = 0; i < 5; i++)
            fputs(dash, out);
        return;
    }
    fprintf(out, "<td>%d</td><td>%llu</td><td>%.1f%%</td>", generation->opponent, (unsigned long long)match->pairs,
            100.0 * match->score);
    print_bounded(out, match->nelo, match->nelo_low, match->nelo_high);
    if (test->tested)
        fprintf(out, "<td title=\"bounds %+.2f and %+.2f\">%+.2f</td>", test->lower, test->upper, test->llr);
    else
        fputs(dash, out);
}

static void print_verdict(FILE *out, const struct report *report, const struct report_generation *generation)
{
    if (generation->number >= report->count)
        fprintf(out, "<td class=\"name soft\">in the making</td>");
    else if (generation->kind == REPORT_START)
        fprintf(out, "<td class=\"name\">%s</td>", report->best == 0 ? "best" : "");
    else
        fprintf(out, "<td class=\"name %s\">%s%s</td>", generation->accepted ? "yes" : "no",
                report_gate_word(generation), generation->number == report->best ? ", best" : "");
}

static void print_strength_head(FILE *out, const struct report *report)
{
    fprintf(out, "<tr><th colspan=\"3\" class=\"group\">generation</th><th class=\"group\">ladder</th>");
    if (report->yardsticks > 0)
        fprintf(out, "<th colspan=\"%d\" class=\"group\">static error, discs</th>", report->yardsticks);
    fprintf(out, "<th colspan=\"5\" class=\"group\">gate</th></tr>\n<tr><th>no.</th><th class=\"name\">kind</th>"
                 "<th class=\"name\">verdict</th><th>Elo [95%%]</th>");
    for (int y = 0; y < report->yardsticks; y++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", report_name_length(report->yardstick_names[y], sizeof name - 1),
                 report->yardstick_names[y]);
        print_heading_cell(out, name);
    }
    fprintf(out, "<th>against</th><th>pairs</th><th>score</th><th>nElo [95%%]</th><th>LLR</th></tr>\n");
}

static void print_strength_row(FILE *out, const struct report *report, const struct report_generation *generation)
{
    const struct report_rating *ladder = &generation->ladder;

    fprintf(out, "<tr><td>%d</td><td class=\"name\">%s</td>", generation->number, report_kind_name(generation->kind));
    print_verdict(out, report, generation);
    print_bounded(out, ladder->elo, ladder->elo_low, ladder->elo_high);
    for (int y = 0; y < report->yardsticks; y++)
        print_error(out, generation->yardstick[y]);
    print_gate(out, generation);
    fprintf(out, "</tr>\n");
}

static void print_players(FILE *out, const struct report *report)
{
    for (int i = 0; i < report->players; i++) {
        const struct report_player *player = &report->player[i];

        fprintf(out, "<tr><td></td><td class=\"name\">");
        chart_escape(out, player->name);
        fprintf(out, "</td><td class=\"name soft\">fixed</td>");
        print_bounded(out, player->rating.elo, player->rating.elo_low, player->rating.elo_high);
        fprintf(out, "<td colspan=\"%d\"></td></tr>\n", report->yardsticks + 5);
    }
}

/* The bounds of the test are the same for all generations. */
static void print_gate_note(FILE *out, const struct report *report)
{
    const struct report_test *test = NULL;

    for (int i = 0; i < report->count && test == NULL; i++)
        if (report->generations[i].test.tested)
            test = &report->generations[i].test;
    fprintf(
        out,
        "<p class=\"soft\">Gate: at most %d pairs of games at depth %d, colours swapped, against the best generation "
        "before. nElo is normalised Elo, which does not depend on how many games are drawn. LLR says how much "
        "better %+g nElo fits the games than %+g",
        report->gate_pairs, report->gate_depth, report->gate_nelo1, report->gate_nelo0);
    if (test != NULL)
        fprintf(out, ": the match ends and the generation is accepted at %+.2f, and rejected at %+.2f", test->upper,
                test->lower);
    fprintf(out, ". A star: the pairs ran out before, and the likelier stands.</p>\n");
}

void loop_page_generations(FILE *out, const struct report *report)
{
    page_heading(out, "generations", "Generations");
    page_table_begin(out, "Generations: strength and errors");
    print_strength_head(out, report);
    for (int i = 0; i < report_rows(report); i++)
        print_strength_row(out, report, &report->generations[i]);
    print_players(out, report);
    page_table_end(out);
    if (report->gate_pairs > 0)
        print_gate_note(out, report);
    if (report->ladder_pairs > 0) {
        fprintf(out, "<p class=\"soft\">Ladder: every two players meet in %d pairs at depth %d; Elo above ",
                report->ladder_pairs, report->ladder_depth);
        chart_escape(out, report->ladder_anchor);
        fprintf(out, ", from all games together.</p>\n");
    }
}

static void print_learning_row(FILE *out, const struct report_generation *generation)
{
    char text[32];

    fprintf(out, "<tr><td>%d</td><td class=\"name\">%s</td>", generation->number, report_kind_name(generation->kind));
    print_count(out, (uint64_t)generation->depth);
    print_count(out, (uint64_t)report_label_depth(generation));
    print_count(out, (uint64_t)generation->games);
    print_count(out, report_labelled(generation));
    print_count(out, generation->positions);
    print_error(out, generation->held_out);
    for (int work = 0; work < REPORT_WORKS; work++)
        if (generation->spent[work] > 0.0)
            fprintf(out, "<td>%s</td>", report_clock(generation->spent[work], text));
        else
            fputs(dash, out);
    fprintf(out, "<td>%s</td></tr>\n", report_clock(generation->seconds, text));
}

void loop_page_learning(FILE *out, const struct report *report)
{
    page_heading(out, "learning", "Learning and time");
    page_table_begin(out, "Learning and time by kind of step");
    fprintf(out,
            "<tr><th colspan=\"2\" class=\"group\">generation</th><th colspan=\"2\" class=\"group\">depth of</th>"
            "<th colspan=\"4\" class=\"group\">games and positions</th><th colspan=\"%d\" class=\"group\">time, "
            "h:mm:ss</th></tr>\n<tr><th>no.</th><th class=\"name\">kind</th><th>play</th><th>labels</th><th>games</th>"
            "<th>labelled</th><th>fitted</th><th>held-out</th>",
            REPORT_WORKS + 1);
    for (int work = 0; work < REPORT_WORKS; work++)
        print_heading_cell(out, report_work_names[work]);
    fprintf(out, "<th>in all</th></tr>\n");
    for (int i = 0; i < report_rows(report); i++)
        print_learning_row(out, &report->generations[i]);
    page_table_end(out);
    page_note(out, "Labels are scores of a search of that depth. Held-out is the mean error in discs on games that "
                   "were not fitted, against the generation's own labels.");
}

/* A player of the cross table, numbered as encounters do. */
struct cross_player {
    int id;
    double elo;
    char name[32];
};

static int by_elo(const void *a, const void *b)
{
    const struct cross_player *one = a, *other = b;

    return one->elo < other->elo ? 1 : one->elo > other->elo ? -1 : one->id - other->id;
}

/* Who is rated, best first. `players` has room for all. */
static int cross_players(const struct report *report, struct cross_player *players)
{
    int count = 0;

    for (int i = 0; i < report_rows(report); i++) {
        const struct report_generation *generation = &report->generations[i];
        if (isnan(generation->ladder.elo))
            continue;
        players[count] = (struct cross_player){.id = generation->number, .elo = generation->ladder.elo};
        snprintf(players[count].name, sizeof players[count].name, "g%d", generation->number);
        count++;
    }
    for (int i = 0; i < report->players; i++) {
        if (isnan(report->player[i].rating.elo))
            continue;
        players[count] = (struct cross_player){.id = REPORT_OPPONENT + i, .elo = report->player[i].rating.elo};
        snprintf(players[count].name, sizeof players[count].name, "%s", report->player[i].name);
        count++;
    }
    qsort(players, (size_t)count, sizeof *players, by_elo);
    return count < CROSS_MAX ? count : CROSS_MAX;
}

/* The more decisive, the stronger the colour: green for who won, red for who lost. */
static void print_cross_cell(FILE *out, double score, uint64_t games)
{
    const double strength = 0.55 * fabs(2.0 * score - 1.0);

    fprintf(out, "<td class=\"cell\" style=\"background:rgba(%s,%.2f)\" title=\"%llu games\">%.0f</td>",
            score >= 0.5 ? "31,140,84" : "200,70,70", strength, (unsigned long long)games, 100.0 * score);
}

static void print_cross_row(FILE *out, const struct report *report, const struct cross_player *players, int count,
                            int row)
{
    char text[16];

    fprintf(out, "<tr><td class=\"name\">");
    chart_escape(out, players[row].name);
    fprintf(out, "</td><td>%s</td>", report_ladder_elo(players[row].elo, text));
    for (int column = 0; column < count; column++) {
        const struct report_encounter *found = NULL;
        for (int i = 0; i < report->encounters && found == NULL; i++) {
            const struct report_encounter *each = &report->encounter[i];
            if (each->games > 0 && ((each->a == players[row].id && each->b == players[column].id) ||
                                    (each->b == players[row].id && each->a == players[column].id)))
                found = each;
        }
        if (found == NULL)
            fprintf(out, "<td class=\"cell soft\">%s</td>", row == column ? "&middot;" : "&ndash;");
        else
            print_cross_cell(out, found->a == players[row].id ? found->score : 1.0 - found->score, found->games);
    }
    fprintf(out, "</tr>\n");
}

void loop_page_cross(FILE *out, const struct report *report)
{
    struct cross_player players[REPORT_GENERATIONS_MAX + REPORT_PLAYERS_MAX];
    const int count = report->encounters > 0 ? cross_players(report, players) : 0;

    if (count < 2)
        return;
    page_heading(out, "cross", "Who beat whom");
    page_note(out, "Percent of the points that the player of the line took from the player of the column in the games "
                   "of the ladder, the strongest first; g3 is generation 3.");
    page_table_begin(out, "Scores of the ladder, player by player");
    fprintf(out, "<tr><th class=\"name\">player</th><th>Elo</th>");
    for (int i = 0; i < count; i++) {
        fprintf(out, "<th class=\"group\">");
        chart_escape(out, players[i].name);
        fprintf(out, "</th>");
    }
    fprintf(out, "</tr>\n");
    for (int row = 0; row < count; row++)
        print_cross_row(out, report, players, count, row);
    page_table_end(out);
}
