/* willow solve: scores the positions of an OBF file, marks what disagrees with the file, and sums up the accuracy.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/program.h>

#include "solve.h"
#include "verb.h"

struct solve_options {
    const char *file, *weights;
    int depth; /* -1 = not given: exact; 0 = static accuracy */
    int exact, selectivity;
    int jobs, threads; /* threads: of each search; 0 = not given */
    int64_t hash_mb;
    bool json, quiet, verbose, win_loss;
};

enum { KEY_EXACT = 256, KEY_HASH, KEY_JSON, KEY_SELECTIVITY, KEY_VERBOSE, KEY_WIN_LOSS };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct solve_options *options = state->input;
    switch (key) {
    case 'd':
        options->depth = (int)willow_option_integer(argument, 0, 60, "--depth", state);
        return 0;
    case KEY_EXACT:
        options->exact = (int)willow_option_integer(argument, 0, 60, "--exact", state);
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
    case KEY_WIN_LOSS:
        options->win_loss = true;
        return 0;
    case KEY_SELECTIVITY:
        options->selectivity = willow_option_selectivity(argument, state);
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_VERBOSE:
        options->verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            return ARGP_ERR_UNKNOWN;
        options->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->file)
            argp_failure(state, argp_err_exit_status, 0, "the OBF file is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What the report of each position needs. */
struct context {
    const struct solve_options *options;
    size_t count;
    struct solve_totals *totals;
    struct willow_progress progress;
};

static void format_score(willow_score score, bool exact, char *buffer, size_t size)
{
    if (exact)
        snprintf(buffer, size, "%+d", (int)(score / WILLOW_SCORE_DISC));
    else
        snprintf(buffer, size, "%+.2f", (double)score / WILLOW_SCORE_DISC);
}

/* What a node rate reads like: three digits and a unit. */
static void format_rate(double nodes, double seconds, char *buffer, size_t size)
{
    const double rate = seconds > 0 ? nodes / seconds : 0;
    if (rate >= 1e6)
        snprintf(buffer, size, "%.1f M/s", rate * 1e-6);
    else
        snprintf(buffer, size, "%.0f k/s", rate * 1e-3);
}

/* How far the search went: to the end, to the end but selectively, or some plies. */
static void format_depth(const struct willow_result *result, int empties, char *buffer, size_t size)
{
    if (result->exact)
        snprintf(buffer, size, "exact");
    else if (result->selectivity == WILLOW_NOT_SELECTIVE)
        snprintf(buffer, size, "%d", result->depth);
    else if (result->depth == empties)
        snprintf(buffer, size, "end@%d%%", result->selectivity);
    else
        snprintf(buffer, size, "%d@%d%%", result->depth, result->selectivity);
}

static void print_position(size_t index, const struct solve_problem *problem, bool wrong_score, bool wrong_move)
{
    const struct willow_result *result = &problem->result;
    char move[3], score[16], file[16] = "-", depth[16], rate[24];
    format_score(result->score, result->exact || result->depth == problem->empties, score, sizeof score);
    if (problem->obf.count > 0)
        snprintf(file, sizeof file, "%+d", problem->best_discs);
    format_depth(result, problem->empties, depth, sizeof depth);
    const double seconds = (double)result->time_ns * 1e-9;
    format_rate((double)result->nodes, seconds, rate, sizeof rate);
    printf("%4zu %3d  %-4s %6s %5s %7s %9.3f %13" PRIu64 " %10s ", index + 1, problem->empties,
           willow_square_format(result->move, move), score, file, depth, seconds, result->nodes, rate);
    for (int i = 0; i < result->pv_length; i++)
        printf(" %s", willow_square_format(result->pv[i], move));
    printf("%s%s\n", wrong_score ? "  WRONG SCORE" : "", wrong_move ? "  wrong move" : "");
    fflush(stdout);
}

/* What is compared: whole scores, or with --win-loss who wins. */
static int compared(const struct solve_options *options, int discs)
{
    return options->win_loss ? (discs > 0) - (discs < 0) : discs;
}

static bool report_position(void *argument, size_t index, const struct solve_problem *problem)
{
    struct context *context = argument;
    struct solve_totals *totals = context->totals;
    const struct willow_result *result = &problem->result;
    bool wrong_score = false, wrong_move = false;
    totals->nodes += result->nodes;
    if (problem->obf.count > 0) {
        int discs = 0;
        totals->positions++;
        totals->moves += (uint64_t)problem->obf.count;
        const int best = compared(context->options, problem->best_discs);
        solve_totals_add(totals, (double)result->score / WILLOW_SCORE_DISC - best);
        wrong_move =
            !solve_file_score(&problem->obf, result->move, &discs) || compared(context->options, discs) != best;
        wrong_score = result->exact && result->score != best * WILLOW_SCORE_DISC;
        totals->best += !wrong_move;
        totals->wrong_exact += wrong_score;
    }
    if (!context->options->quiet && !context->options->json)
        print_position(index, problem, wrong_score, wrong_move);
    willow_progress_line(&context->progress, index + 1 == context->count, "%zu of %zu positions", index + 1,
                         context->count);
    return !ferror(stdout);
}

static void run_static(const struct solve_options *options, const struct willow_weights *weights,
                       const struct solve_set *set, struct solve_totals *totals)
{
    const uint64_t start_ns = willow_clock_ns();
    for (size_t i = 0; i < set->count; i++) {
        const struct solve_problem *problem = &set->problems[i];
        if (problem->obf.count == 0)
            continue;
        const struct solve_static outcome = solve_static_position(weights, problem, totals);
        totals->positions++;
        totals->moves += (uint64_t)problem->obf.count;
        totals->best += outcome.best;
        if (options->verbose && !options->json) {
            char move[3];
            printf("%4zu %3d  %-4s %+7.2f %+5d  mean error %6.2f over %2d moves%s\n", i + 1, problem->empties,
                   willow_square_format(outcome.best_move, move), (double)outcome.best_score / WILLOW_SCORE_DISC,
                   problem->best_discs, outcome.error_sum / problem->obf.count, problem->obf.count,
                   outcome.best ? "" : "  wrong move");
        }
    }
    totals->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0.0;
}

static void print_totals(const struct solve_totals *totals, bool is_static)
{
    char duration[32], rate[24];
    if (!is_static) {
        format_rate((double)totals->nodes, totals->seconds, rate, sizeof rate);
        printf("%s, %" PRIu64 " nodes, %s\n", willow_duration_text(totals->seconds, duration), totals->nodes, rate);
    }
    if (totals->positions == 0) {
        printf("no scores in the file to compare with\n");
        return;
    }
    printf("%s: %" PRIu64 " positions, %" PRIu64 " scored moves\n", is_static ? "static accuracy" : "accuracy",
           totals->positions, totals->moves);
    printf(
        "best move %.1f%%, within 3 discs %.1f%%, within 6 %.1f%%, within 9 %.1f%%, mean absolute error %.2f discs\n",
        100 * share(totals->best, totals->positions), 100 * share(totals->within_3, totals->compared),
        100 * share(totals->within_6, totals->compared), 100 * share(totals->within_9, totals->compared),
        totals->error_sum / (double)totals->compared);
    if (totals->wrong_exact > 0)
        printf("%" PRIu64 " exact scores disagree with the file\n", totals->wrong_exact);
}

/* Shares are fractions of 1. Without scores in the file there is nothing to measure: null. */
static void print_json(const struct solve_totals *totals)
{
    printf("{\"positions\": %" PRIu64 ", \"moves\": %" PRIu64, totals->positions, totals->moves);
    if (totals->positions > 0)
        printf(", \"mean_absolute_error\": %.6f, \"best_move\": %.6f, \"within_3\": %.6f, \"within_6\": %.6f, "
               "\"within_9\": %.6f",
               totals->error_sum / (double)totals->compared, share(totals->best, totals->positions),
               share(totals->within_3, totals->compared), share(totals->within_6, totals->compared),
               share(totals->within_9, totals->compared));
    else
        printf(", \"mean_absolute_error\": null, \"best_move\": null, \"within_3\": null, \"within_6\": null, "
               "\"within_9\": null");
    printf(", \"wrong_exact\": %" PRIu64 ", \"nodes\": %" PRIu64 ", \"seconds\": %.3f}\n", totals->wrong_exact,
           totals->nodes, totals->seconds);
}

static enum willow_status run_search(const struct solve_options *options, const struct willow_weights *weights,
                                     struct solve_set *set, struct solve_totals *totals, struct willow_error *error)
{
    struct context context = {.options = options, .count = set->count, .totals = totals};
    /* Lines of positions are progress enough. */
    willow_progress_start(&context.progress, options->quiet || !options->json);
    const struct solve_plan plan = {
        .weights = weights,
        .limits = {.depth = options->depth > 0 ? options->depth : 0,
                   .exact_empties = options->exact,
                   .selectivity = options->selectivity,
                   .win_loss = options->win_loss,
                   .stop = willow_interrupt()},
        .hash_bytes = (size_t)options->hash_mb << 20,
        .jobs = options->jobs,
        .threads = options->threads > 0 ? options->threads
                   : options->jobs > 1  ? 1
                                        : willow_default_threads(),
        .report = report_position,
        .context = &context,
    };
    if (!options->quiet && !options->json)
        printf("   # empties move score  file   depth   seconds         nodes       rate  line\n");
    return solve_run(set, &plan, &totals->seconds, error);
}

static int solve_file(const struct solve_options *options, struct willow_weights **weights, struct solve_set *set,
                      struct willow_error *error)
{
    if (willow_weights_open(options->weights, weights, error) != WILLOW_OK ||
        solve_set_load(options->file, set, error) != WILLOW_OK)
        return willow_report(error);
    for (size_t i = 0; i < set->count; i++) {
        if (!willow_board_valid(willow_weights_ruleset(*weights), set->problems[i].obf.board)) {
            willow_fail(error, WILLOW_ERR_MISMATCH, options->file, NULL, "position %zu does not fit the ruleset %s",
                        i + 1, willow_weights_ruleset(*weights)->name);
            return willow_report(error);
        }
    }
    struct solve_totals totals = {0};
    const bool is_static = options->depth == 0;
    if (is_static)
        run_static(options, *weights, set, &totals);
    else if (run_search(options, *weights, set, &totals, error) != WILLOW_OK)
        return willow_report(error);
    if (options->json)
        print_json(&totals);
    else
        print_totals(&totals, is_static);
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
        {"exact", KEY_EXACT, "E", 0, "With --depth: solve exactly from E empty squares on", 0},
        {"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero'", 0},
        {"selectivity", KEY_SELECTIVITY, "PERCENT", 0, WILLOW_SELECTIVITY_HELP " (default: 100)", 0},
        {"win-loss", KEY_WIN_LOSS, NULL, 0, "To the end of the game, ask only who wins: the score is +1, 0 or -1", 0},
        {"hash", KEY_HASH, "MB", 0, "Transposition table of a search (default: 64)", 0},
        {"threads", 't', "T", 0, "Threads that search a position together (default: the cores available)", 0},
        {"jobs", 'j', "J", 0,
         "Positions searched at once, each with a table of its own and --threads 1 unless given (default: 1)", 0},
        {"verbose", KEY_VERBOSE, NULL, 0, "With --depth 0: a line for each position", 0},
        {"quiet", 'q', NULL, 0, "Totals only", 0},
        {"json", KEY_JSON, NULL, 0, "One JSON object with the totals", 0},
        {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .args_doc = "FILE.obf",
        .doc = "Scores every position of an OBF file and compares with the scores in it. Exit 1 when an "
               "exact score disagrees.\v"
               "Difference: between the engine's score and the best one in the file. The best move is right "
               "when its score in the file is the best. Static accuracy compares, for every scored move, "
               "the evaluation of the position after it.\n\n"
               "Examples:\n"
               "  willow solve fforum-40-59.obf --hash 512\n"
               "  willow solve hard-30.obf --depth 15 --selectivity 73 --jobs 2\n"
               "  willow solve hard-30.obf --depth 0 --weights gen3.wlw"};
    struct solve_options options = {.depth = -1, .hash_mb = 64, .jobs = 1};
    willow_parse_options(&argp, argc, argv, &options);
    struct willow_weights *weights = NULL;
    struct solve_set set = {NULL, 0};
    struct willow_error error;
    const int code = solve_file(&options, &weights, &set, &error);
    solve_set_clear(&set);
    willow_weights_free(weights);
    return code;
}
