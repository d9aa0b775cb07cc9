/* A census as text: head, table by stage, histograms, a density plot, games. Layer: selfplay (program). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"

/* Rows of a histogram take five bins of 2 discs each, 10 discs about -60, -50, ..., 60; rows of the plot take three, 6
 * discs about -66, -60, ..., 66. Both cut the 65 bins without leaving an odd one in the middle. In a wide build all of
 * this is twice as many discs. */
enum {
    DISCS_MAX = CENSUS_BINS / 2 * CENSUS_BIN_DISCS,
    HISTOGRAM_BINS = 5,
    HISTOGRAM_ROWS = CENSUS_BINS / HISTOGRAM_BINS,
    PLOT_BINS = 3,
    PLOT_ROWS = 23,
    BAR_WIDTH = 20,
    KINDS_SHOWN = 8,
    OPENING_ROWS = 17,
    WIDTH = 80
};

static double percent(uint64_t part, uint64_t whole)
{
    return 100 * info_share(part, whole);
}

/* A number of discs with its sign, in five columns. */
static void print_discs(int discs)
{
    printf(discs == 0 ? "%5d" : "%+5d", discs);
}

/* After a blank, unless there is nothing. Returns how many of the width + 1 columns are left. */
static int print_bar(double share_of_most, int width, bool unicode)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int parts = (int)lround(share_of_most * width * 8);
    int cells = unicode ? parts / 8 : (parts + 4) / 8, printed = cells;
    if (unicode ? parts == 0 : cells == 0)
        return width + 1;
    (void)putchar(' ');
    for (int i = 0; i < cells; i++)
        (void)fputs(unicode ? "█" : "#", stdout);
    if (unicode && parts % 8) {
        (void)fputs(eighths[parts % 8], stdout);
        printed++;
    }
    return width - printed;
}

/* The words of a text behind a title, in lines of WIDTH columns where words allow it. */
static void print_wrapped(const char *title, const char *text)
{
    size_t column = strlen(title);
    printf("%s", title);
    for (;;) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        if (length == 0)
            break;
        if (column + 1 + length > WIDTH) {
            printf("\n ");
            column = 1;
        }
        printf(" %.*s", (int)length, text);
        column += 1 + length;
        text += length;
    }
    printf("\n");
}

static void print_origin(const struct census_folder *folder)
{
    if (folder->shards == 0)
        return;
    printf("written by %s\n", folder->first.tool);
    if (folder->first.weights[0])
        printf("weights %s\n", folder->first.weights);
    print_wrapped("scores:", folder->first.labels[0] ? folder->first.labels : "not described");
    if (folder->shards_differ)
        printf("(so says the first shard; others differ)\n");
}

static void print_folder(const struct census *census, const struct census_folder *folder)
{
    printf("%s: ruleset %s, seed %" PRIu64 "\n", folder->path, census->ruleset->name, folder->seed);
    printf("%" PRIu64 " shards, %" PRIu64 " games", folder->shards, folder->games);
    if (folder->planned_games > folder->games)
        printf(" of %" PRIu64 " (unfinished)", folder->planned_games);
    printf(", %" PRIu64 " positions", folder->rows);
    if (folder->rows > 0)
        printf(", %.1f bytes a position", info_share(folder->size_bytes, folder->rows));
    printf("\n");
    print_origin(folder);
}

static void print_labels(const struct census *census)
{
    struct census_ply whole = info_whole(census);
    printf("\nlabels: %.1f%% exact, %.1f%% searched, %.1f%% none\n", percent(whole.exact, whole.rows),
           percent(whole.searched, whole.rows), percent(whole.rows - whole.fit.rows, whole.rows));
    if (whole.fit.rows > 0)
        printf("score against result: mean |score - result| %.2f discs, root mean square %.2f,\n"
               "  bias (result - score) %+.2f, correlation %.3f\n",
               census_mean_error(&whole.fit), census_rms_error(&whole.fit), census_bias(&whole.fit),
               census_correlation(&whole.fit));
    printf("flags: ");
    for (int bit = 0; bit < CENSUS_FLAGS; bit++)
        printf("%s%s %.1f%%", bit ? (bit == CENSUS_FLAGS / 2 ? ",\n  " : ", ") : "", info_flag_names[bit],
               percent(census->flags[bit], census->rows));
    printf("\n");
    if (census->duplicates)
        printf("up to symmetry %" PRIu64 " positions are distinct; %" PRIu64 " (%.1f%%) repeat another\n",
               census->distinct, census->rows - census->distinct,
               percent(census->rows - census->distinct, census->rows));
}

static void print_stage(const struct census *census, int first, int last)
{
    struct census_ply stage = census_plies(census, first, last);
    if (stage.rows == 0)
        return;
    printf(" %2d-%-2d %11" PRIu64 " %5.1f%% %5.1f%% %5.1f%%", first, last, stage.rows,
           percent(stage.fit.rows, stage.rows), percent(stage.exact, stage.rows), percent(stage.selective, stage.rows));
    if (stage.searched > 0)
        printf(" %5.1f", info_share(stage.depth, stage.searched));
    else
        printf(" %5s", "-");
    if (stage.fit.rows > 0)
        printf(" %6.2f %6.2f %+6.2f %5.2f", census_mean_error(&stage.fit), census_rms_error(&stage.fit),
               census_bias(&stage.fit), census_correlation(&stage.fit));
    else
        printf(" %6s %6s %6s %5s", "-", "-", "-", "-");
    if (census->duplicates)
        printf(" %5.1f%%", percent(stage.rows - stage.distinct, stage.rows));
    printf("\n");
}

static void print_stages(const struct census *census)
{
    printf("\n plies   positions scored  exact select depth |error|   rms   bias  corr%s\n",
           census->duplicates ? " repeat" : "");
    for (int stage = 0; stage < CENSUS_STAGES; stage++) {
        int first = stage * CENSUS_STAGE_PLIES;
        print_stage(census, first, stage == CENSUS_STAGES - 1 ? WILLOW_PLIES - 1 : first + CENSUS_STAGE_PLIES - 1);
    }
}

struct kind {
    uint64_t rows;
    int depth, selectivity;
};

static int compare_kinds(const void *left, const void *right)
{
    const struct kind *a = left, *b = right;
    if (a->rows != b->rows)
        return a->rows > b->rows ? -1 : 1;
    return a->depth != b->depth ? b->depth - a->depth : b->selectivity - a->selectivity;
}

static void print_kinds(const struct census *census)
{
    struct kind kinds[CENSUS_DEPTHS * CENSUS_SELECTIVITIES];
    int count = 0;
    for (int depth = 0; depth < CENSUS_DEPTHS; depth++)
        for (int selectivity = 0; selectivity < CENSUS_SELECTIVITIES; selectivity++)
            if (census->kinds[depth][selectivity] > 0)
                kinds[count++] = (struct kind){census->kinds[depth][selectivity], depth, selectivity};
    if (count == 0)
        return;
    qsort(kinds, (size_t)count, sizeof *kinds, compare_kinds);
    printf("\nsearched to depth  selectivity   positions\n");
    for (int i = 0; i < count && i < KINDS_SHOWN; i++)
        printf("%17d %11d%% %11" PRIu64 " %5.1f%%\n", kinds[i].depth, kinds[i].selectivity, kinds[i].rows,
               percent(kinds[i].rows, census->rows));
    if (count > KINDS_SHOWN)
        printf("and %d other kinds\n", count - KINDS_SHOWN);
}

struct histogram {
    uint64_t rows[HISTOGRAM_ROWS], total, most;
};

static struct histogram fold(const uint64_t bins[CENSUS_BINS])
{
    struct histogram histogram = {.most = 1};
    for (int bin = 0; bin < CENSUS_BINS; bin++) {
        histogram.rows[bin / HISTOGRAM_BINS] += bins[bin];
        histogram.total += bins[bin];
    }
    for (int row = 0; row < HISTOGRAM_ROWS; row++)
        histogram.most = histogram.rows[row] > histogram.most ? histogram.rows[row] : histogram.most;
    return histogram;
}

/* Whether a row of so many bins around these discs holds what a board of this ruleset can end with. */
static bool is_possible(const struct census *census, int discs, int bins)
{
    return abs(discs) - bins * CENSUS_BIN_DISCS / 2 <= willow_ruleset_squares(census->ruleset);
}

static void print_histograms(const struct census *census, bool unicode)
{
    struct histogram scores = fold(census->scores), results = fold(census->results);
    if (results.total == 0)
        return;
    printf("\ndiscs  results");
    if (scores.total > 0)
        printf("%21sscores%22stheir mean result", "", "");
    printf("\n");
    for (int row = 0; row < HISTOGRAM_ROWS; row++) {
        const int discs = (row - HISTOGRAM_ROWS / 2) * HISTOGRAM_BINS * CENSUS_BIN_DISCS;
        int64_t result = 0;
        if (!is_possible(census, discs, HISTOGRAM_BINS))
            continue;
        for (int bin = row * HISTOGRAM_BINS; bin < (row + 1) * HISTOGRAM_BINS; bin++)
            result += census->result_by_score[bin];
        print_discs(discs);
        printf(" %5.1f%%", percent(results.rows[row], results.total));
        int left = print_bar(info_share(results.rows[row], results.most), BAR_WIDTH, unicode);
        if (scores.total > 0) {
            printf("%*s %5.1f%%", left, "", percent(scores.rows[row], scores.total));
            left = print_bar(info_share(scores.rows[row], scores.most), BAR_WIDTH, unicode);
        }
        if (scores.rows[row] > 0)
            printf("%*s %+7.2f", left, "", (double)result / (double)scores.rows[row]);
        printf("\n");
    }
}

/* The row of a plot in which a result lies; the largest results are on top. */
static int plot_row(double result)
{
    return PLOT_ROWS / 2 - (int)lround(result / (PLOT_BINS * CENSUS_BIN_DISCS));
}

static uint64_t plot_cell(const struct census *census, int row, int column)
{
    uint64_t sum = 0;
    for (int i = 0; i < PLOT_BINS; i++) {
        /* Bin 32 is 0 discs and the middle one of the middle row. */
        int bin = CENSUS_BINS / 2 + (PLOT_ROWS / 2 - row) * PLOT_BINS + i - PLOT_BINS / 2;
        sum += bin >= 0 && bin < CENSUS_BINS ? census->density[column][bin] : 0;
    }
    return sum;
}

/* Each shade stands for `factor` times as many positions as the one before. */
struct ramp {
    const char *shades[10], *mean;
    int count;
    double factor;
};

static const char *shade(const struct ramp *ramp, uint64_t cell, uint64_t most)
{
    if (cell == 0)
        return " ";
    int below = (int)(log((double)most / (double)cell) / log(ramp->factor));
    return ramp->shades[below < ramp->count ? ramp->count - 1 - below : 0];
}

static void print_plot(const struct census *census, bool unicode)
{
    static const struct ramp blocks = {{"·", "░", "▒", "▓", "█"}, "o", 5, 4};
    static const struct ramp letters = {{".", ":", "-", "=", "+", "*", "#", "%", "@"}, "O", 9, 2};
    const struct ramp *ramp = unicode ? &blocks : &letters;
    uint64_t most = 0;
    for (int row = 0; row < PLOT_ROWS; row++)
        for (int column = 0; column < CENSUS_BINS; column++) {
            uint64_t cell = plot_cell(census, row, column);
            most = cell > most ? cell : most;
        }
    if (most == 0)
        return;
    printf("\nresult over score; a shade is %.0f times the one before, %s = the mean result\n", ramp->factor,
           ramp->mean);
    for (int row = 0; row < PLOT_ROWS; row++) {
        const int label = (PLOT_ROWS / 2 - row) * PLOT_BINS * CENSUS_BIN_DISCS;
        if (!is_possible(census, label, PLOT_BINS))
            continue;
        print_discs(label > DISCS_MAX ? DISCS_MAX : label < -DISCS_MAX ? -DISCS_MAX : label);
        printf(" %s", unicode ? "│" : "|");
        for (int column = 0; column < CENSUS_BINS; column++) {
            uint64_t scores = census->scores[column];
            bool mean = scores > 0 && plot_row((double)census->result_by_score[column] / (double)scores) == row;
            (void)fputs(mean ? ramp->mean : shade(ramp, plot_cell(census, row, column), most), stdout);
        }
        printf("%s\n", unicode ? "│" : "|");
    }
    /* A label takes eight columns, as eight bins do. */
    printf("%5s", "");
    for (int discs = -DISCS_MAX; discs <= DISCS_MAX; discs += 8 * CENSUS_BIN_DISCS) {
        print_discs(discs);
        printf("%s", discs < DISCS_MAX ? "   " : "\n");
    }
}

static void print_openings(const struct census_games *games, bool unicode)
{
    int first = WILLOW_PLIES, last = 0;
    for (int plies = 0; plies < WILLOW_PLIES; plies++)
        if (games->openings[plies] > 0) {
            first = plies < first ? plies : first;
            last = plies;
        }
    printf("openings: %d", first);
    if (last > first)
        printf("-%d", last);
    if (last == 0) {
        printf(" plies\n");
        return;
    }
    printf(" plies; up to symmetry %" PRIu64 " are distinct, %" PRIu64 " repeated\n", games->distinct_openings,
           games->games - games->distinct_openings);
    if (first == last)
        return;
    int step = (last - first) / OPENING_ROWS + 1;
    uint64_t counts[WILLOW_PLIES] = {0}, most = 1;
    for (int plies = first; plies <= last; plies++) {
        uint64_t *count = &counts[(plies - first) / step];
        *count += games->openings[plies];
        most = *count > most ? *count : most;
    }
    for (int plies = first; plies <= last; plies += step) {
        uint64_t count = counts[(plies - first) / step];
        int end = plies + step - 1 < last ? plies + step - 1 : last;
        if (step == 1)
            printf("%5d    ", plies);
        else
            printf("%5d-%-3d", plies, end);
        printf(" %5.1f%%", percent(count, games->games));
        (void)print_bar(info_share(count, most), 2 * BAR_WIDTH, unicode);
        printf("\n");
    }
}

static void print_pool(const struct census_games *games)
{
    for (int i = 1; i < CENSUS_WEIGHTS; i++) {
        const struct census_pool *pool = &games->pool[i];
        if (pool->games == 0)
            continue;
        printf("pool %d: %" PRIu64 " games, %.1f%% against the run's weights (+%" PRIu64 " =%" PRIu64 " -%" PRIu64
               "), mean %+.2f discs\n",
               i, pool->games, 100 * info_share(2 * pool->wins + pool->draws, 2 * pool->games), pool->wins, pool->draws,
               pool->games - pool->wins - pool->draws, (double)pool->discs / (double)pool->games);
    }
    if (games->pool_both > 0)
        printf("pool against pool: %" PRIu64 " games\n", games->pool_both);
}

static void print_games(const struct census_games *games, bool unicode)
{
    if (games->games == 0)
        return;
    double count = (double)games->games;
    printf("\ngames: black wins %.1f%%, draws %.1f%%, white wins %.1f%%, black's mean %+.2f discs\n",
           percent(games->black_wins, games->games), percent(games->draws, games->games),
           percent(games->games - games->black_wins - games->draws, games->games), (double)games->discs / count);
    printf("%.1f moves a game, %.2f passes (%.1f%% of the games have one)\n", (double)games->moves / count,
           (double)games->passes / count, percent(games->passed, games->games));
    printf("whole games that repeat another up to symmetry: %" PRIu64 "\n", games->games - games->distinct);
    print_openings(games, unicode);
    print_pool(games);
}

void info_print_text(const struct census *census, bool unicode)
{
    for (size_t i = 0; i < census->folders_count; i++)
        print_folder(census, &census->folders[i]);
    if (census->folders_count > 1)
        printf("together: %" PRIu64 " shards, %" PRIu64 " games, %" PRIu64 " positions\n", census->shards,
               census->games.games, census->rows);
    if (census->rows == 0) {
        printf("no positions\n");
    } else {
        print_labels(census);
        print_stages(census);
        print_kinds(census);
        print_histograms(census, unicode);
        print_plot(census, unicode);
    }
    print_games(&census->games, unicode);
}
