/* willow solve: scores the positions of files, marks what disagrees with them, and sums up the accuracy.
 * Layer: engine/cli (program willow).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/clock.h>
#include <willow/program.h>

#include "solve_output.h"
#include "verb.h"

enum { FILES_MAX = 1024, POSITIONS_MAX = 1 << 30, PLIES_MAX = WILLOW_SQUARES };

struct solve_options {
    const char *files[FILES_MAX], *weights, *ruleset_name;
    const struct willow_ruleset *ruleset;
    int file_count;
    int depth; /* -1 = not given: exact; 0 = static accuracy */
    int exact; /* the default lets a depth of a few plies give true scores at the end of the game */
    int selectivity;
    int jobs, threads;     /* threads: of each search; 0 = not given */
    int first, last;       /* of the positions; 0 = all */
    const char *positions; /* how that was written */
    enum solve_format format;
    double seconds; /* a position; 0 = no limit */
    int64_t hash_mb;
    bool start; /* the position that the ruleset starts from, in place of files */
    bool all_moves, quiet, raw, verbose, win_loss;
};

enum {
    KEY_EXACT = 256,
    KEY_FORMAT,
    KEY_HASH,
    KEY_JSON,
    KEY_RAW,
    KEY_SELECTIVITY,
    KEY_START,
    KEY_TIME,
    KEY_VERBOSE,
    KEY_WIN_LOSS
};

static enum solve_format parse_format(const char *text, struct argp_state *state)
{
    static const char *const names[] = {[SOLVE_TEXT] = "text", [SOLVE_OBF] = "obf", [SOLVE_JSON] = "json"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0)
            return (enum solve_format)i;
    }
    argp_failure(state, argp_err_exit_status, 0, "--format '%s': text, obf or json is expected", text);
    return SOLVE_TEXT;
}

/* What contradicts itself, or asks for what a format cannot say. */
static void check_options(const struct solve_options *options, struct argp_state *state)
{
    const char *fault = NULL;
    int piped = 0;
    for (int i = 0; i < options->file_count; i++)
        piped += strcmp(options->files[i], "-") == 0;
    if (options->file_count == 0 && !options->start)
        fault = "a FILE of positions is missing";
    else if (options->file_count > 0 && options->start)
        fault = "--start stands in place of a FILE";
    else if (options->start && options->depth == 0)
        fault = "--depth 0 compares with scores in a FILE, which --start has none of";
    else if (piped > 1)
        fault = "- stands twice: standard input can be read once";
    else if (options->depth == 0 && options->all_moves)
        fault = "--all-moves needs a search; --depth 1 gives the evaluation after every move";
    else if (options->depth == 0 && options->format == SOLVE_OBF)
        fault = "--format obf needs a search, not --depth 0";
    else if (options->depth == 0 && options->seconds > 0)
        fault = "--time needs a search, not --depth 0";
    else if (options->win_loss && options->format == SOLVE_OBF)
        fault = "--format obf holds scores in discs, which --win-loss does not find";
    else if (options->raw && options->depth >= 0)
        fault = "--raw is for the end of the game, and --depth does not look there";
    else if (options->raw && options->win_loss)
        fault = "--raw and --win-loss exclude each other: who wins does not depend on the empty squares";
    if (fault)
        argp_failure(state, argp_err_exit_status, 0, "%s", fault);
}

static error_t parse_switch(int key, char *argument, struct argp_state *state, struct solve_options *options)
{
    switch (key) {
    case 'a':
        options->all_moves = true;
        return 0;
    case KEY_RAW:
        options->raw = true;
        return 0;
    case KEY_START:
        options->start = true;
        return 0;
    case KEY_WIN_LOSS:
        options->win_loss = true;
        return 0;
    case KEY_FORMAT:
        options->format = parse_format(argument, state);
        return 0;
    case KEY_JSON:
        options->format = SOLVE_JSON;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_VERBOSE:
        options->verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file_count == FILES_MAX)
            argp_failure(state, argp_err_exit_status, 0, "more than %d files", FILES_MAX);
        options->files[options->file_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        check_options(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct solve_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->ruleset_name;
        return 0;
    case 'd':
        options->depth = (int)willow_option_integer(argument, 0, PLIES_MAX, "--depth", state);
        return 0;
    case KEY_EXACT:
        options->exact = (int)willow_option_integer(argument, 0, PLIES_MAX, "--exact", state);
        return 0;
    case 'w':
        options->weights = argument;
        return 0;
    case KEY_HASH:
        options->hash_mb = willow_option_integer(argument, 1, 1 << 20, "--hash", state);
        return 0;
    case 't':
        options->threads = (int)willow_option_integer(argument, 1, WILLOW_SEARCH_THREADS_MAX, "--threads", state);
        return 0;
    case 'j':
        options->jobs = (int)willow_option_integer(argument, 1, WILLOW_THREADS_MAX, "--jobs", state);
        return 0;
    case 'p':
        options->positions = argument;
        willow_option_range(argument, 1, POSITIONS_MAX, &options->first, &options->last, "--positions", state);
        return 0;
    case KEY_TIME:
        options->seconds = willow_option_real(argument, 0.001, 1e6, "--time", state);
        return 0;
    case KEY_SELECTIVITY:
        options->selectivity = willow_option_selectivity(argument, state);
        return 0;
    default:
        return parse_switch(key, argument, state, options);
    }
}

/* What the report of each position needs. */
struct context {
    const struct solve_options *options;
    const struct solve_set *set;
    struct solve_style style;
    struct solve_totals *totals;
    struct willow_progress progress;
    bool begun; /* the result */
    size_t reported;
    int *most_empties; /* [i]: of the positions from the i-th on */
    int hardest;       /* most empties of those reported */
};

/* What is left, by the mean of those that are finished: only where these were as hard as what is left, for a single
 * empty square more can treble the time; else no more than --time allows. Empty where nothing honest can be said. */
static void format_left(const struct context *context, size_t finished, double elapsed, char *text, size_t size)
{
    enum { SAMPLE_MIN = 5 };
    const struct solve_options *options = context->options;
    const size_t count = context->set->count, open = count - finished;
    const bool alike = finished >= SAMPLE_MIN && context->reported < count &&
                       (options->depth > 0 || context->most_empties[context->reported] <= context->hardest);
    const double mean = alike ? elapsed / (double)finished * (double)open : HUGE_VAL;
    const double most = options->seconds > 0 ? options->seconds * (double)open / options->jobs : HUGE_VAL;
    char duration[32];
    text[0] = '\0';
    if (open > 0 && (mean < HUGE_VAL || most < HUGE_VAL))
        snprintf(text, size, ", %s %s left", mean <= most ? "about" : "at most",
                 willow_duration_text(mean <= most ? mean : most, duration));
}

static void show_progress(void *argument, size_t finished)
{
    struct context *context = argument;
    char spent[32], left[64];
    const double elapsed = (double)(willow_clock_ns() - context->progress.start_ns) * 1e-9;
    format_left(context, finished, elapsed, left, sizeof left);
    willow_progress_line(&context->progress, false, "%zu of %zu positions, %s%s", finished, context->set->count,
                         willow_duration_text(elapsed, spent), left);
}

/* Takes the live line away: a line of the result may come to the same terminal. */
static void wipe_progress(struct willow_progress *progress)
{
    if (progress->live && progress->width > 0) {
        fprintf(stderr, "\r%*s\r", (int)progress->width, "");
        fflush(stderr);
        progress->width = 0;
    }
}

static void begin_result(void *argument)
{
    struct context *context = argument;
    context->begun = true;
    solve_output_begin(&context->style);
    /* A position may take long: whoever looks sees that it has begun. */
    fflush(stdout);
}

static bool report_position(void *argument, size_t index, const struct solve_problem *problem)
{
    struct context *context = argument;
    const struct solve_verdict verdict = solve_judge(problem, context->options->win_loss, context->totals);
    wipe_progress(&context->progress);
    solve_output_position(&context->style, problem, &verdict, context->reported == 0);
    context->reported = index + 1;
    context->hardest = problem->empties > context->hardest ? problem->empties : context->hardest;
    return !ferror(stdout);
}

static void run_static(const struct solve_style *style, const struct willow_weights *weights,
                       const struct solve_set *set, struct solve_totals *totals)
{
    const uint64_t start_ns = willow_clock_ns();
    solve_output_begin(style);
    for (size_t i = 0; i < set->count; i++) {
        const struct solve_problem *problem = &set->problems[i];
        if (problem->obf.count == 0)
            continue;
        const struct solve_static outcome = solve_static_position(weights, set->ruleset, problem, totals);
        solve_output_static(style, problem, &outcome, totals->positions == 0);
        totals->positions++;
        totals->moves += (uint64_t)problem->obf.count;
        totals->best += outcome.best;
    }
    totals->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    solve_output_end(style, totals);
}

static struct solve_plan plan_of(const struct solve_options *options, const struct willow_weights *weights,
                                 struct context *context)
{
    return (struct solve_plan){
        .weights = weights,
        .limits = {.depth = options->depth > 0 ? options->depth : 0,
                   .exact_empties = options->exact,
                   .selectivity = options->selectivity,
                   .win_loss = options->win_loss,
                   .raw = options->raw,
                   .time_ms = (uint64_t)(options->seconds * 1000 + 0.5),
                   .stop = willow_interrupt()},
        .all_moves = options->all_moves,
        .hash_bytes = (size_t)options->hash_mb << 20,
        .jobs = options->jobs,
        .threads = options->threads > 0 ? options->threads
                   : options->jobs > 1  ? 1
                                        : willow_default_threads(),
        .begin = begin_result,
        .report = report_position,
        .tick = show_progress,
        .context = context,
    };
}

static enum willow_status run_search(const struct solve_options *options, const struct solve_style *style,
                                     const struct willow_weights *weights, struct solve_set *set,
                                     struct solve_totals *totals, struct willow_error *error)
{
    struct context context = {.options = options, .set = set, .style = *style, .totals = totals};
    context.most_empties = calloc(set->count, sizeof *context.most_empties);
    if (!context.most_empties)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (size_t i = set->count; i-- > 0;) {
        const int after = i + 1 < set->count ? context.most_empties[i + 1] : 0;
        context.most_empties[i] = set->problems[i].empties > after ? set->problems[i].empties : after;
    }
    /* Elsewhere than on a terminal lines of positions are progress enough, where there are several. */
    willow_progress_start(&context.progress, options->quiet);
    if (!context.progress.live && style->format == SOLVE_TEXT && set->count > 1)
        context.progress.quiet = true;
    const struct solve_plan plan = plan_of(options, weights, &context);
    const enum willow_status status = solve_run(set, &plan, &totals->seconds, error);
    wipe_progress(&context.progress);
    /* What has begun ends as it should, whatever came in between. */
    if (context.begun)
        solve_output_end(style, totals);
    free(context.most_empties);
    return status;
}

static enum willow_status load(const struct solve_options *options, struct willow_weights **weights,
                               struct solve_set *set, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    set->ruleset = options->ruleset;
    if (options->start)
        status = solve_set_add_start(set, error);
    for (int i = 0; i < options->file_count && status == WILLOW_OK; i++)
        status = solve_set_add(set, options->files[i], error);
    if (status == WILLOW_OK && options->first != 0 && (size_t)options->last > set->count)
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "--positions '%s': the files hold %zu",
                             options->positions, set->count);
    if (status == WILLOW_OK && options->first != 0)
        solve_set_choose(set, (size_t)options->first, (size_t)options->last);
    /* Behind the input, so that what is wrong with it is all that is said. */
    return status == WILLOW_OK ? option_weights(options->weights, options->ruleset, weights, error) : status;
}

static int solve_files(const struct solve_options *options, struct willow_weights **weights, struct solve_set *set,
                       struct willow_error *error)
{
    if (load(options, weights, set, error) != WILLOW_OK)
        return willow_report(error);
    struct solve_totals totals = {0};
    const bool is_static = options->depth == 0;
    const struct solve_style style = {.format = options->format,
                                      .ruleset = options->ruleset,
                                      .positions = options->format == SOLVE_OBF ||
                                                   (!options->quiet && (!is_static || options->verbose)),
                                      .is_static = is_static,
                                      .all_moves = options->all_moves,
                                      .raw = options->raw};
    if (is_static)
        run_static(&style, *weights, set, &totals);
    else if (run_search(options, &style, *weights, set, &totals, error) != WILLOW_OK)
        return willow_report(error);
    if (options->format == SOLVE_OBF && !options->quiet) {
        fflush(stdout);
        solve_text_totals(stderr, &totals, is_static);
    }
    const struct willow_stop *stop = is_static ? NULL : willow_interrupt();
    if (stop && willow_stop_get(stop)) {
        fprintf(stderr, "willow: stopped; the totals are those of the positions finished so far\n");
        return WILLOW_EXIT_FAILED;
    }
    return totals.wrong_exact > 0 ? WILLOW_EXIT_FAILED : WILLOW_EXIT_OK;
}

int verb_solve(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"depth", 'd', "D", 0, "Search D plies; 0 = static accuracy, no search (default: exact)", 0},
        {"exact", KEY_EXACT, "E", 0,
         "With --depth: solve exactly from E empty squares on, whatever the depth (default: 12, which takes "
         "milliseconds)",
         0},
        {"time", KEY_TIME, "S", 0, "At most S seconds a position; what is not finished then is not called exact", 0},
        {"all-moves", 'a', NULL, 0, "Score every move, not the best alone", 0},
        {"win-loss", KEY_WIN_LOSS, NULL, 0, "To the end of the game, ask only who wins: the score is +1, 0 or -1", 0},
        {"raw", KEY_RAW, NULL, 0,
         "At the end of the game the empty squares are nobody's: the score is the difference of the discs there are",
         0},
        {"start", KEY_START, NULL, 0, "In place of FILE: the position that the ruleset starts from", 0},
        {"selectivity", KEY_SELECTIVITY, "PERCENT", 0, WILLOW_SELECTIVITY_HELP " (default: 100)", 0},
        {"positions", 'p', "A-B", 0, "Only these, counted over all files from 1 (column # of the text)", 0},
        {"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero'", 0},
        {"hash", KEY_HASH, "MB", 0, "Transposition table of a search (default: 64)", 0},
        {"threads", 't', "T", 0, "Threads that search a position together (default: the cores available)", 0},
        {"jobs", 'j', "J", 0,
         "Positions searched at once, each with a table of its own and --threads 1 unless given (default: 1)", 0},
        {"format", KEY_FORMAT, "F", 0,
         "text; obf: a line a position with its best move, or all, and score; json: one object, ruleset, raw, the "
         "positions in "
         "\"results\" and the totals",
         0},
        {"json", KEY_JSON, NULL, 0, "The same as --format json", 0},
        {"verbose", KEY_VERBOSE, NULL, 0, "With --depth 0: each position, too", 0},
        {"quiet", 'q', NULL, 0, "No progress, and the totals only; with --format obf the lines only", 0},
        {0}};
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .args_doc = "FILE...\n--start",
        .doc =
            "Scores every position of the files (- is standard input) and compares with the scores in them. Exit 1 "
            "when an exact score disagrees.\v"
            "A line holds an OBF entry or a board in any notation that willow reads; blank lines and those that "
            "begin with % or # are skipped. A line that is wrong is named with its column, and nothing is solved.\n\n"
            "Difference: between the engine's score and the best one in the file. The best move is right "
            "when its score in the file is the best. Static accuracy compares, for every scored move, "
            "the evaluation of the position after it.\n\n"
            "Ctrl-C ends the run; what is finished by then is printed. Go on with --positions.\n\n"
            "Examples:\n"
            "  willow solve fforum-40-59.obf --hash 512\n"
            "  willow solve games.txt --all-moves --format obf > scored.obf\n"
            "  willow solve hard-30.obf --depth 15 --selectivity 73 --jobs 2\n"
            "  willow solve hard-30.obf --depth 0 --weights gen3.wlw\n"
            "  willow solve --start --ruleset 4x4 --raw"};
    struct solve_options options = {.depth = -1, .exact = 12, .hash_mb = 64, .jobs = 1};
    willow_parse_options(&argp, argc, argv, &options);
    struct willow_weights *weights = NULL;
    const int usage = willow_ruleset_choose(argv[0], options.ruleset_name, OPTION_HOLE_SEED, willow_ruleset_default(),
                                            &options.ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
    struct solve_set set = {.ruleset = options.ruleset};
    struct willow_error error;
    const int code = solve_files(&options, &weights, &set, &error);
    solve_set_clear(&set);
    willow_weights_free(weights);
    return code;
}
