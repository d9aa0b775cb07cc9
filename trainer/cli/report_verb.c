/* willow train report: the report of a fit, or of weights measured on datasets, as a page and as text. Layer: trainer
 * (program).
 */
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

#include "command_line.h"
#include "fit/data_weights.h"
#include "fit/measure.h"
#include "positions_table.h"
#include "report/fit_page.h"
#include "report/page.h"
#include "verbs.h"

struct report_verb {
    const char **data;
    size_t data_count;
    const char *report;  /* weights or their document */
    const char *weights; /* to measure */
    const char *positions;
    const char *ruleset; /* that the data and the weights must be of; null = not given */
    const char *html, *scratch;
    int first_ply, last_ply, threads;
    double held_out;
    bool has_seed, text, json, quiet;
    uint64_t seed;
};

enum { KEY_HTML = 256, KEY_TEXT, KEY_JSON, KEY_HELD_OUT, KEY_SCRATCH, KEY_POSITIONS };

static const struct argp_option option_table[] = {
    {"html", KEY_HTML, "FILE", 0, "The page to write (default: the name of the weights with .report.html)", 0},
    {"text", KEY_TEXT, NULL, 0, "The text alone, no page", 0},
    {"json", KEY_JSON, NULL, 0, "The report as one JSON document, no page and no text", 0},
    {"weights", 'w', "NAME", 0, "Measure these weights: a file, 'default' or 'zero'", 1},
    {"data", 'd', "DIR", 0,
     "Measure on this dataset; may be given again, and further folders may follow as arguments; one that is named "
     "twice "
     "counts twice",
     1},
    {"positions", KEY_POSITIONS, "FILE", 0,
     "Show what a fit and what the engine makes of these positions; exit status 1 when that differs", 1},
    {"plies", 'r', "A-B", 0, "Measure these plies alone (default: all)", 1},
    {"held-out", KEY_HELD_OUT, "SHARE", 0,
     "Measure the games that a fit with this share holds out, and the others as those it was fitted to (default: 1)",
     1},
    {"seed", 's', "S", 0, "Choice of the held-out games (default: each dataset's own)", 1},
    {"threads", 't', "T", 0, "Threads (default: the cores available)", 1},
    {"scratch", KEY_SCRATCH, "DIR", 0,
     "Folder for the scratch file, 24 bytes a row, 48 on 10x10 (default: the current one)", 1},
    {"quiet", 'q', NULL, 0, "No progress", 1},
    {0}};

static void add_argument(struct report_verb *verb, const char *argument, struct argp_state *state)
{
    if (argument[0] == '\0')
        argp_failure(state, argp_err_exit_status, 0, "an argument is empty");
    verb->data[verb->data_count++] = argument; /* room for every argument */
}

/* Without --weights the one argument is what to report. */
static void check_usage(struct report_verb *verb, struct argp_state *state)
{
    if (verb->positions && (!verb->weights || verb->data_count > 0 || verb->html || verb->json))
        argp_failure(state, argp_err_exit_status, 0, "--positions goes with --weights, and neither --data nor a page");
    if (verb->positions)
        return;
    if (verb->weights && verb->data_count == 0)
        argp_failure(state, argp_err_exit_status, 0, "--data: no dataset is named");
    if (verb->weights)
        return;
    if (verb->data_count != 1)
        argp_failure(state, argp_err_exit_status, 0,
                     "one weights file with a report is expected, or --weights and --data");
    verb->report = verb->data[0];
}

static error_t parse_key(int key, char *argument, struct argp_state *state)
{
    struct report_verb *verb = state->input;
    switch (key) {
    case KEY_HTML:
        verb->html = argument;
        return 0;
    case KEY_TEXT:
        verb->text = true;
        return 0;
    case KEY_JSON:
        verb->json = true;
        return 0;
    case 'w':
        verb->weights = argument;
        return 0;
    case KEY_POSITIONS:
        verb->positions = argument;
        return 0;
    case 'd':
    case ARGP_KEY_ARG:
        add_argument(verb, argument, state);
        return 0;
    case 'r':
        willow_option_range(argument, 0, SAMPLE_PLIES - 1, &verb->first_ply, &verb->last_ply, "--plies", state);
        return 0;
    case KEY_HELD_OUT:
        verb->held_out = willow_option_real(argument, 0.0, 1.0, "--held-out", state);
        return 0;
    case 's':
        verb->seed = (uint64_t)willow_option_integer(argument, 0, INT64_MAX, "--seed", state);
        verb->has_seed = true;
        return 0;
    case 't':
        verb->threads = (int)willow_option_integer(argument, 1, WILLOW_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_SCRATCH:
        verb->scratch = argument;
        return 0;
    case 'q':
        verb->quiet = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &verb->ruleset;
        return 0;
    case ARGP_KEY_END:
        check_usage(verb, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The page's name: --html, or the name of the weights with an ending. */
static enum willow_status page_path(const struct report_verb *verb, const char *weights,
                                    char path[FIT_DOCUMENT_PATH_BYTES], struct willow_error *error)
{
    const int length = verb->html ? snprintf(path, FIT_DOCUMENT_PATH_BYTES, "%s", verb->html)
                                  : snprintf(path, FIT_DOCUMENT_PATH_BYTES, "%s.report.html", weights);
    if (length <= 0 || length >= FIT_DOCUMENT_PATH_BYTES)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, weights, NULL, "the name of the page is empty or too long");
    return WILLOW_OK;
}

static enum willow_status check_page(const struct report_verb *verb, const char *weights, struct willow_error *error)
{
    char path[FIT_DOCUMENT_PATH_BYTES];
    if (verb->text || verb->json)
        return WILLOW_OK;
    const enum willow_status status = page_path(verb, weights, path, error);
    return status ? status : willow_file_check_mark(path, page_mark, strlen(page_mark), "page of this program", error);
}

static enum willow_status write_page(const struct fit_document *document, const char *path, struct willow_error *error)
{
    char *page = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&page, &size);
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    enum willow_status status = fit_page_print(stream, document, error);
    bool failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed;
    if (status == WILLOW_OK && failed)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status == WILLOW_OK)
        status = willow_file_replace(path, page, size, error);
    free(page);
    return status;
}

static enum willow_status print_document(const struct report_verb *verb, const struct fit_document *document,
                                         const char *weights, struct willow_error *error)
{
    char path[FIT_DOCUMENT_PATH_BYTES];
    if (verb->json) {
        fit_document_print(stdout, document);
        return WILLOW_OK;
    }
    enum willow_status status = check_page(verb, weights, error);
    if (status == WILLOW_OK && !verb->text)
        status = page_path(verb, weights, path, error);
    if (status == WILLOW_OK && !verb->text)
        status = write_page(document, path, error);
    if (status != WILLOW_OK)
        return status;
    fit_text_print(stdout, document);
    if (!verb->text)
        printf("\n%s written\n", path);
    return WILLOW_OK;
}

/* Whether the document is that of these weights. */
static enum willow_status check_owner(const struct fit_document *document, const char *path, const char *weights,
                                      struct willow_error *error)
{
    struct willow_weights *loaded = NULL;
    enum willow_status status = willow_weights_load(weights, &loaded, error);
    if (status == WILLOW_OK && strcmp(fit_document_of(loaded).values, document->values) != 0)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "is the report of other weights than those in %s",
                             weights);
    willow_weights_free(loaded);
    return status;
}

/* verb->report names weights beside their document, or that document; then the weights may be missing. */
static enum willow_status report(const struct report_verb *verb, struct willow_error *error)
{
    static const char ending[] = ".report.json";
    char path[FIT_DOCUMENT_PATH_BYTES], weights[FIT_DOCUMENT_PATH_BYTES];
    const size_t length = strlen(verb->report), cut = sizeof ending - 1;
    const bool direct = length > cut && strcmp(verb->report + length - cut, ending) == 0;
    struct fit_document *document = NULL;
    if (length >= sizeof path)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, verb->report, NULL, "the name is too long");
    snprintf(weights, sizeof weights, "%.*s", (int)(direct ? length - cut : length), verb->report);
    enum willow_status status = fit_document_path(weights, path, error);
    if (status == WILLOW_OK && !direct && !willow_file_exists(weights))
        status = willow_fail(error, WILLOW_ERR_IO, weights, NULL, "there is no such file");
    if (status == WILLOW_OK)
        status = fit_document_read(path, &document, error);
    if (status == WILLOW_OK && willow_file_exists(weights))
        status = check_owner(document, path, weights, error);
    if (status == WILLOW_OK)
        status = print_document(verb, document, weights, error);
    fit_document_free(document);
    return status;
}

static void show_reading(void *context, uint64_t rows, uint64_t of)
{
    willow_progress_line(context, false, "reading: %llu of %llu rows", (unsigned long long)rows,
                         (unsigned long long)of);
}

/* The ruleset that was named; null without a name. */
static enum willow_status named_ruleset(const struct report_verb *verb, const struct willow_ruleset **ruleset,
                                        struct willow_error *error)
{
    *ruleset = NULL;
    return verb->ruleset ? willow_ruleset_parse(verb->ruleset, verb->seed, ruleset, error) : WILLOW_OK;
}

/* That of the data, which must be the one that was named. */
static enum willow_status data_ruleset(const struct report_verb *verb, const struct willow_ruleset **ruleset,
                                       struct willow_error *error)
{
    const struct willow_ruleset *named;
    struct label_source *sources = NULL;
    enum willow_status status = named_ruleset(verb, &named, error);
    if (status == WILLOW_OK)
        status = label_sources_open(verb->data, verb->data_count, &sources, ruleset, error);
    if (status == WILLOW_OK && named && named != *ruleset)
        status =
            willow_fail(error, WILLOW_ERR_MISMATCH, verb->data[0], NULL,
                        "the dataset is of ruleset %s, not of %s as --ruleset says", (*ruleset)->name, named->name);
    free(sources);
    return status;
}

static enum willow_status measure(const struct report_verb *verb, const char *command, struct willow_error *error)
{
    const struct willow_ruleset *ruleset = NULL;
    struct willow_progress progress;
    struct willow_weights *weights = NULL;
    struct fit_report *measured = calloc(1, sizeof *measured);
    if (!measured)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    const struct label_rules rules = label_rules_default();
    enum willow_status status = check_page(verb, verb->weights, error);
    if (status == WILLOW_OK)
        status = data_ruleset(verb, &ruleset, error);
    if (status == WILLOW_OK)
        status = data_weights_open(verb->weights, ruleset, &weights, error);
    const struct measure_options options = {.folders = verb->data,
                                            .folder_count = verb->data_count,
                                            .weights = weights,
                                            .first_ply = verb->first_ply,
                                            .last_ply = verb->last_ply,
                                            .rules = &rules,
                                            .held_out = verb->held_out,
                                            .has_seed = verb->has_seed,
                                            .seed = verb->seed,
                                            .threads = verb->threads,
                                            .scratch = verb->scratch,
                                            .stop = willow_interrupt(),
                                            .progress = show_reading,
                                            .context = &progress};
    willow_progress_start(&progress, verb->quiet);
    if (status == WILLOW_OK)
        status = measure_run(&options, measured, error);
    if (status == WILLOW_OK) {
        willow_progress_line(&progress, true, "%llu rows measured", (unsigned long long)measured->rows);
        struct fit_document document = fit_document_of(weights);
        document.measured = true;
        document.tool = willow_version();
        document.command = command;
        document.data = verb->data;
        document.data_count = verb->data_count;
        document.report = measured;
        status = print_document(verb, &document, verb->weights, error);
    }
    willow_weights_free(weights);
    free(measured);
    return status;
}

/* The code that the program exits with, or *status says why there is none. */
static int compare(const struct report_verb *verb, enum willow_status *status, struct willow_error *error)
{
    struct willow_weights *weights = NULL;
    uint64_t differing = 0;
    const struct willow_ruleset *ruleset;
    *status = named_ruleset(verb, &ruleset, error);
    if (*status == WILLOW_OK)
        *status = willow_weights_open(verb->weights, ruleset, &weights, error);
    if (*status == WILLOW_OK)
        *status = positions_table_print(stdout, weights, verb->positions, &differing, error);
    willow_weights_free(weights);
    return differing > 0 ? WILLOW_EXIT_FAILED : WILLOW_EXIT_OK;
}

int verb_report(int argc, char **argv)
{
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 1}, {0}};
    static const struct argp argp = {option_table,
                                     parse_key,
                                     "WEIGHTS.wlw\n--weights NAME --data DIR...\n--weights NAME --positions FILE",
                                     "Shows the report that `willow train fit` left beside its weights, or measures "
                                     "any weights on any data: as text, "
                                     "and as one HTML page with drawings.\vExamples:\n  willow train report new.wlw\n  "
                                     "willow train report --weights "
                                     "default --data games --html games.html\n  willow train report --weights new.wlw "
                                     "--positions openings.obf",
                                     children,
                                     NULL,
                                     NULL};
    struct willow_error error;
    struct report_verb verb = {
        .last_ply = SAMPLE_PLIES - 1, .threads = willow_default_threads(), .held_out = 1.0, .scratch = "."};
    char *command = command_line_join(argc, argv); /* before argp reorders the arguments */
    verb.data = calloc((size_t)argc + 1, sizeof *verb.data);
    enum willow_status status = WILLOW_OK;
    int code = WILLOW_EXIT_OK;
    if (!command || !verb.data) {
        status = willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    } else {
        willow_parse_options(&argp, argc, argv, &verb);
        if (verb.positions)
            code = compare(&verb, &status, &error);
        else
            status = verb.report ? report(&verb, &error) : measure(&verb, command, &error);
    }
    free(verb.data);
    free(command);
    if (status == WILLOW_OK)
        return code;
    code = willow_report(&error);
    return status == WILLOW_ERR_STOPPED ? WILLOW_EXIT_FAILED : code;
}
