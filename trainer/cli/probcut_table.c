/* Prints a ProbCut fit; see probcut_table.h. Layer: trainer (program). */
#include "probcut_table.h"

#include <math.h>
#include <stdbool.h>

/* Cells gather positions of several numbers of discs: first to last of each band. */
struct band {
    int first, last;
};
enum { BANDS = 6 };
static const struct band midgame_bands[BANDS] = {{4, 9}, {10, 19}, {20, 29}, {30, 39}, {40, 49}, {50, 58}};
static const struct band exact_bands[BANDS] = {{34, 39}, {40, 42}, {43, 45}, {46, 48}, {49, 51}, {52, 54}};

struct cell {
    size_t count;
    double mean, rms; /* of deep less shallow, discs */
    double sigma;     /* as the fit sees it: robust */
    double model;     /* root of the mean square of the model's sigma */
};

static double model_sigma(const struct probcut_report *report, const struct probcut_error *error)
{
    return error->deep == PROBCUT_EXACT
               ? willow_probcut_sigma_exact(&report->probcut, error->discs, error->shallow)
               : willow_probcut_sigma(&report->probcut, error->discs, error->shallow, error->deep);
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
        cell.mean += (double)first[i].discs_off / (double)cell.count;
        cell.rms += pow(first[i].discs_off, 2.0) / (double)cell.count;
        cell.model += pow(model_sigma(report, &first[i]), 2.0) / (double)cell.count;
    }
    cell.rms = sqrt(cell.rms);
    cell.model = sqrt(cell.model);
    cell.sigma = probcut_scale(first, cell.count);
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

/* A line for each pair of depths: sigma measured/model, or the means. */
static void print_pairs(FILE *stream, const struct probcut_report *report, const struct probcut_error *errors,
                        size_t count, const struct band *bands, bool means)
{
    fputs(means ? "mean, discs   " : "sigma, discs  ", stream);
    for (int i = 0; i < BANDS; i++)
        fprintf(stream, means ? "  %2d-%-2d" : "      %2d-%-2d ", bands[i].first, bands[i].last);
    fputs(means ? "\n" : "  (measured/model, by discs on the board)\n", stream);
    const struct probcut_error *const end = errors + count;
    for (const struct probcut_error *pair = errors, *next; pair < end; pair = next) {
        char deep[DEEP_TEXT];
        next = end_of_pair(pair, end);
        if (means && pair->shallow > 1)
            continue;
        fprintf(stream, "%4d to %-5s ", pair->shallow, deep_text(pair->deep, deep));
        for (int i = 0; i < BANDS; i++) {
            const struct cell cell = cell_of(report, pair, next, bands[i]);
            if (cell.count == 0)
                fputs(means ? "      -" : "           -", stream);
            else if (means)
                fprintf(stream, "  %+5.2f", cell.mean);
            else
                fprintf(stream, "  %5.2f/%-5.2f", cell.sigma, cell.model);
        }
        fputc('\n', stream);
    }
}

static void print_quality(FILE *stream, const char *name, const struct probcut_fit *fit)
{
    fprintf(stream, "%-8s %9zu %10.4f %9.4f ", name, fit->held_out.errors, fit->fitted.loss, fit->held_out.loss);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, " %5.1f%%", 100.0 * fit->held_out.share[w]);
    fputc('\n', stream);
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
    fputs("              pairs       loss  held out  held-out errors within", stream);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, "%s %.1f", w > 0 ? "," : "", probcut_widths[w]);
    fputs(" sigma\nnormal                                 ", stream);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, " %5.1f%%", 100.0 * probcut_normal_shares[w]);
    fputc('\n', stream);
    print_quality(stream, "midgame", &report->midgame);
    if (report->exact_errors > 0)
        print_quality(stream, "exact", &report->exact);
    else
        fputs("exact    no position was solved: constants kept\n", stream);
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
                    ",\"first_disc\":%d,\"last_disc\":%d,\"positions\":%zu,\"mean\":%.4f,\"rms\":%.4f,"
                    "\"sigma\":%.4f,\"model\":%.4f}",
                    bands[i].first, bands[i].last, cell.count, cell.mean, cell.rms, cell.sigma, cell.model);
            *first = false;
        }
    }
}

static void print_fit(FILE *stream, const char *name, const struct probcut_fit *fit)
{
    fprintf(stream, "\"%s\":{\"pairs\":%zu,\"loss\":%.6f,\"held_out_loss\":%.6f,\"held_out_within\":[", name,
            fit->fitted.errors, fit->fitted.loss, fit->held_out.loss);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        fprintf(stream, "%s{\"sigmas\":%.1f,\"share\":%.6f,\"normal\":%.4f}", w > 0 ? "," : "", probcut_widths[w],
                fit->held_out.share[w], probcut_normal_shares[w]);
    fputs("]},", stream);
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
