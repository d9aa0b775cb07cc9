/* Prints a ProbCut fit; see probcut_table.h. Layer: trainer (program). */
#include "probcut_table.h"

#include <math.h>
#include <stdbool.h>

/* Cells gather positions of several numbers of discs, as probcut.h counts them: first to last of each band. On 10x10
 * they are as far from the end as on 8x8. */
struct band {
    int first, last;
};
enum { BANDS = 6, MORE = WILLOW_SQUARES - 64 };
static const struct band midgame_bands[BANDS] = {{4, MORE + 9},          {MORE + 10, MORE + 19},
                                                 {MORE + 20, MORE + 29}, {MORE + 30, MORE + 39},
                                                 {MORE + 40, MORE + 49}, {MORE + 50, MORE + 58}};
static const struct band exact_bands[BANDS] = {{MORE + 34, MORE + 39}, {MORE + 40, MORE + 42}, {MORE + 43, MORE + 45},
                                               {MORE + 46, MORE + 48}, {MORE + 49, MORE + 51}, {MORE + 52, MORE + 54}};

/* Of deep less shallow, discs. */
struct cell {
    size_t count;
    double mean, sigma;               /* measured, as the fit sees them: robust */
    double fitted_mean, fitted_sigma; /* the model's: its mean there, the root of the mean square of its sigma */
};

static double model_sigma(const struct probcut_report *report, const struct probcut_error *error)
{
    return error->deep == PROBCUT_EXACT
               ? willow_probcut_sigma_exact(&report->probcut, error->discs, error->shallow)
               : willow_probcut_sigma(&report->probcut, error->discs, error->shallow, error->deep);
}

static double model_mean(const struct probcut_report *report, const struct probcut_error *error)
{
    return error->deep == PROBCUT_EXACT
               ? willow_probcut_mean_exact(&report->probcut, error->discs, error->shallow)
               : willow_probcut_mean(&report->probcut, error->discs, error->shallow, error->deep);
}

/* The run of errors from `first` on that have its depths and lie in the band; errors are sorted by depths and discs. */
static struct cell cell_of(const struct probcut_report *report, const struct probcut_error *first,
                           const struct probcut_error *end, struct band band)
{
    struct cell cell = {0};
    while (first < end && first->discs < band.first)
        first++;
    while (first + cell.count < end && first[cell.count].discs <= band.last)
        cell.count++;
    for (size_t i = 0; i < cell.count; i++) {
        cell.fitted_mean += model_mean(report, &first[i]) / (double)cell.count;
        cell.fitted_sigma += pow(model_sigma(report, &first[i]), 2.0) / (double)cell.count;
    }
    cell.fitted_sigma = sqrt(cell.fitted_sigma);
    probcut_moments(first, cell.count, &cell.mean, &cell.sigma);
    return cell;
}

/* One past the last error with the depths of `first`. */
static const struct probcut_error *end_of_pair(const struct probcut_error *first, const struct probcut_error *end)
{
    const struct probcut_error *at = first;
    while (at < end && at->deep == first->deep && at->shallow == first->shallow)
        at++;
    return at;
}

enum { DEEP_TEXT = 8 };
static const char *deep_text(int deep, char text[DEEP_TEXT])
{
    if (deep == PROBCUT_EXACT)
        snprintf(text, DEEP_TEXT, "exact");
    else
        snprintf(text, DEEP_TEXT, "%d", deep);
    return text;
}

/* A line for each pair of depths: sigma or the mean, measured/fitted. */
static void print_pairs(FILE *stream, const struct probcut_report *report, const struct probcut_error *errors,
                        size_t count, const struct band *bands, bool means)
{
    fputs(means ? "mean, discs   " : "sigma, discs  ", stream);
    for (int i = 0; i < BANDS; i++)
        fprintf(stream, "      %2d-%-2d ", bands[i].first, bands[i].last);
    fprintf(stream, "  (measured/fitted, by discs on a board of %d squares with as many empty ones)\n", WILLOW_SQUARES);
    const struct probcut_error *const end = errors + count;
    for (const struct probcut_error *pair = errors, *next; pair < end; pair = next) {
        char deep[DEEP_TEXT];
        next = end_of_pair(pair, end);
        fprintf(stream, "%4d to %-5s ", pair->shallow, deep_text(pair->deep, deep));
        for (int i = 0; i < BANDS; i++) {
            const struct cell cell = cell_of(report, pair, next, bands[i]);
            if (cell.count == 0)
                fputs("           -", stream);
            else if (means)
                fprintf(stream, "  %+5.2f/%-+5.2f", cell.mean, cell.fitted_mean);
            else
                fprintf(stream, "  %5.2f/%-5.2f", cell.sigma, cell.fitted_sigma);
        }
        fputc('\n', stream);
    }
}

static void print_quality(FILE *stream, const char *name, const struct probcut_quality *held_out)
{
    fprintf(stream, "%-22s %9zu %9.4f %+7.3f  ", name, held_out->errors, held_out->loss, held_out->mean);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, " %5.1f%%", 100.0 * held_out->share[w]);
    fputc('\n', stream);
}

static void print_qualities(FILE *stream, const struct probcut_report *report)
{
    fputs("held-out errors            pairs      loss    mean  within", stream);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, "%s %.1f", w > 0 ? "," : "", probcut_widths[w]);
    fprintf(stream, " sigma\n%-52s", "normal");
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, " %5.1f%%", 100.0 * probcut_normal_shares[w]);
    fputc('\n', stream);
    print_quality(stream, "midgame", &report->midgame.held_out);
    print_quality(stream, "midgame, without mean", &report->midgame.held_out_without_mean);
    if (report->exact_errors > 0) {
        print_quality(stream, "exact", &report->exact.held_out);
        print_quality(stream, "exact, without mean", &report->exact.held_out_without_mean);
    } else {
        fputs("exact: no position was solved, constants kept\n", stream);
    }
}

static void print_constants(FILE *stream, const struct probcut_report *report, const char *separator)
{
    for (uint32_t i = 0; i < report->probcut.count; i++)
        fprintf(stream, "%s%.9g", i > 0 ? separator : "", (double)report->probcut.constant[i]);
}

void probcut_table_print(FILE *stream, const struct probcut_report *report, const char *out)
{
    const struct probcut_error *const exact = report->errors + report->midgame_errors;
    print_pairs(stream, report, report->errors, report->midgame_errors, midgame_bands, false);
    print_pairs(stream, report, exact, report->exact_errors, exact_bands, false);
    print_pairs(stream, report, report->errors, report->midgame_errors, midgame_bands, true);
    print_pairs(stream, report, exact, report->exact_errors, exact_bands, true);
    print_qualities(stream, report);
    fputs("constants: ", stream);
    print_constants(stream, report, " ");
    fprintf(stream, "\n%zu positions, %zu solved, %.1f s\n%s written\n", report->positions, report->solved,
            report->seconds, out);
}

static void print_cells(FILE *stream, const struct probcut_report *report, const struct probcut_error *errors,
                        size_t count, const struct band *bands, bool *first)
{
    const struct probcut_error *const end = errors + count;
    for (const struct probcut_error *pair = errors, *next; pair < end; pair = next) {
        next = end_of_pair(pair, end);
        for (int i = 0; i < BANDS; i++) {
            const struct cell cell = cell_of(report, pair, next, bands[i]);
            if (cell.count == 0)
                continue;
            fprintf(stream, "%s{\"shallow\":%d,\"deep\":", *first ? "" : ",", pair->shallow);
            fprintf(stream, pair->deep == PROBCUT_EXACT ? "null" : "%d", pair->deep);
            fprintf(stream,
                    ",\"first_disc\":%d,\"last_disc\":%d,\"positions\":%zu,\"mean\":%.4f,\"fitted_mean\":%.4f,"
                    "\"sigma\":%.4f,\"fitted_sigma\":%.4f}",
                    bands[i].first, bands[i].last, cell.count, cell.mean, cell.fitted_mean, cell.sigma,
                    cell.fitted_sigma);
            *first = false;
        }
    }
}

static void print_held_out(FILE *stream, const char *name, const struct probcut_quality *held_out)
{
    fprintf(stream, ",\"%s\":{\"loss\":%.6f,\"mean\":%.6f,\"within\":[", name, held_out->loss, held_out->mean);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, "%s{\"sigmas\":%.1f,\"share\":%.6f,\"normal\":%.4f}", w > 0 ? "," : "", probcut_widths[w],
                held_out->share[w], probcut_normal_shares[w]);
    fputs("]}", stream);
}

static void print_fit(FILE *stream, const char *name, const struct probcut_fit *fit)
{
    fprintf(stream, "\"%s\":{\"pairs\":%zu,\"loss\":%.6f", name, fit->fitted.errors, fit->fitted.loss);
    print_held_out(stream, "held_out", &fit->held_out);
    print_held_out(stream, "held_out_without_mean", &fit->held_out_without_mean);
    fputs("},", stream);
}

void probcut_json_print(FILE *stream, const struct probcut_report *report, const struct willow_weights *weights)
{
    bool first = true;
    fprintf(stream, "{\"positions\":%zu,\"solved\":%zu,\"constants\":[", report->positions, report->solved);
    print_constants(stream, report, ",");
    fputs("],", stream);
    print_fit(stream, "midgame", &report->midgame);
    print_fit(stream, "exact", &report->exact);
    fputs("\"cells\":[", stream);
    print_cells(stream, report, report->errors, report->midgame_errors, midgame_bands, &first);
    print_cells(stream, report, report->errors + report->midgame_errors, report->exact_errors, exact_bands, &first);
    fprintf(stream, "],\"seconds\":%.3f,\"weights\":\"%s\"}\n", report->seconds, willow_weights_checksum(weights));
}
