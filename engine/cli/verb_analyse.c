/* willow analyse: options, and the course of an analysis from the games to the tables, the graph and the files.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdlib.h>

#include <willow/clock.h>
#include <willow/file.h>
#include <willow/program.h>

#include "analyse.h"
#include "analyse_input.h"
#include "engine_options.h"
#include "screen.h"
#include "sheet.h"
#include "verb.h"

/* Three balanced games of 60 moves took 5 to 8 s of processor time at this level, 2 to 3 s at 18 and 8 to 17 s at 22.
 */
enum { DEFAULT_LEVEL = 20 };

struct analyse_options {
    struct engine_options engine;
    const char *ruleset_name;
    const struct willow_ruleset *ruleset;
    struct analyse_source source;
    const char *svg;
    int lines; /* -1 = not given */
    double blunder_discs;
    bool json, plain, quiet;
};

enum { KEY_FROM = 256, KEY_GAME, KEY_BOARD, KEY_MOVES, KEY_LINES, KEY_BLUNDER, KEY_SVG, KEY_JSON, KEY_PLAIN };

static void check(const struct analyse_options *options, struct argp_state *state)
{
    const struct analyse_source *source = &options->source;
    if ((source->board || source->moves) && (source->file || source->number > 0))
        argp_failure(state, argp_err_exit_status, 0, "--board and --moves stand in place of a file");
    if (options->svg && !options->svg[0])
        argp_failure(state, argp_err_exit_status, 0, "--svg: the name of the file is empty");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct analyse_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->engine;
        state->child_inputs[1] = &options->ruleset_name;
        return 0;
    case KEY_FROM:
        options->source.format = argument;
        return 0;
    case KEY_GAME:
        options->source.number = (uint64_t)willow_option_integer(argument, 1, INT64_MAX, "--game", state);
        return 0;
    case KEY_BOARD:
        options->source.board = argument;
        return 0;
    case KEY_MOVES:
        options->source.moves = argument;
        return 0;
    case KEY_LINES:
        options->lines = (int)willow_option_integer(argument, 1, 1000, "--lines", state);
        return 0;
    case KEY_BLUNDER:
        options->blunder_discs = willow_option_real(argument, 0.1, 128, "--blunder", state);
        return 0;
    case KEY_SVG:
        options->svg = argument;
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_PLAIN:
        options->plain = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->source.file)
            return ARGP_ERR_UNKNOWN;
        options->source.file = argument;
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What an analysis of any number of games needs. */
struct work {
    const struct analyse_options *options;
    struct willow_weights *weights;
    struct willow_search *search;
    struct analyse_input input;
    struct analyse_game *analysis;
    struct screen screen;
    struct analyse_style style;
    struct willow_progress progress;
    size_t done; /* games */
};

static void show_progress(void *context, const struct analyse_game *analysis, int index)
{
    struct work *work = context;
    const struct analyse_position *position = &analysis->positions[index];
    char games[64] = "", kind[16];
    if (work->input.count > 1)
        snprintf(games, sizeof games, "game %zu of %zu, ", work->done + 1, work->input.count);
    willow_progress_line(&work->progress, false, "%s%d of %d positions, %s", games, analysis->count - 1 - index,
                         analysis->count, analyse_kind(position, position->exact, kind));
}

/* A line that is shown gets its end, so that the tables do not begin in it. */
static void end_progress(struct work *work)
{
    char duration[32];
    const double seconds = (double)(willow_clock_ns() - work->progress.start_ns) * 1e-9;
    if (work->progress.live && work->progress.width > 0)
        willow_progress_line(&work->progress, true, "%d positions, %s", work->analysis->count,
                             willow_duration_text(seconds, duration));
}

/* Nothing was played: the position itself is the matter. */
static bool is_position(const struct analyse_game *analysis)
{
    return analysis->positions[analysis->count - 1].number == 1;
}

/* The position in words, and who is to move. */
static void read_out(const struct willow_game *game)
{
    screen_read(game);
    if (!willow_game_over(game))
        printf("%s to move.\n", analyse_side_name(game->side));
}

/* A name that is not known is "?". Two of them and their sides take 76 columns at most. */
static void print_name(const struct work *work, const char *name)
{
    enum { NAME_COLUMNS = 28 };
    screen_print_name(name[0] ? name : "?", NAME_COLUMNS, work->style.unicode);
}

/* Of othello there is nothing to say. */
static void print_ruleset(const struct willow_ruleset *ruleset)
{
    char rules[OPTION_RULES_TEXT];
    if (ruleset == willow_ruleset_othello())
        return;
    option_rules_text(ruleset, rules);
    printf("Ruleset %s%s%s.\n", ruleset->name, rules[0] ? ": " : "", rules);
}

static void print_head(const struct work *work)
{
    const struct analyse_game *analysis = work->analysis;
    const char *const names[] = {analysis->names[0], analysis->names[1]};
    if (work->done > 0)
        printf("\n");
    if (work->input.count > 1)
        printf("Game %" PRIu64 "%s", analysis->number, names[0][0] || names[1][0] ? ": " : "\n");
    if (names[0][0] || names[1][0]) {
        print_name(work, names[0]);
        printf(" (Black) - ");
        print_name(work, names[1]);
        printf(" (White)\n");
    }
    print_ruleset(analysis->game.ruleset);
    if (is_position(analysis)) {
        if (work->screen.words)
            read_out(&analysis->game);
        else
            screen_draw(&work->screen, &analysis->game, (const struct screen_side[]){{"", ""}, {"", ""}});
        if (willow_game_over(&analysis->game)) {
            sheet_print_result(stdout, &analysis->game);
            return;
        }
    } else {
        sheet_print(stdout, &analysis->game);
    }
    printf("\n");
}

static void print_text(const struct work *work)
{
    const struct analyse_game *analysis = work->analysis;
    const int lines = work->options->lines > 0 ? work->options->lines : 0;
    print_head(work);
    if (is_position(analysis)) {
        analyse_print_position(stdout, analysis, lines);
        return;
    }
    analyse_print_game(stdout, analysis, lines, &work->style);
    printf("\n");
    analyse_print_graph(stdout, analysis, &work->style);
    printf("\n");
    analyse_print_summary(stdout, analysis);
}

static enum willow_status write_svg(const struct analyse_game *analysis, const char *path, struct willow_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    bool good = stream != NULL;
    if (stream) {
        analyse_print_svg(stream, analysis);
        good = !ferror(stream);
        good = fclose(stream) == 0 && good;
    }
    const enum willow_status status = good ? willow_file_replace(path, text, size, error)
                                           : willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    free(text);
    return status;
}

static enum willow_status analyse_record(struct work *work, const struct willow_record *record,
                                         struct willow_error *error)
{
    const struct analyse_options *options = work->options;
    struct analyse_game *analysis = work->analysis;
    analysis->number = record->number;
    snprintf(analysis->names[WILLOW_BLACK], sizeof analysis->names[0], "%s", record->black);
    snprintf(analysis->names[WILLOW_WHITE], sizeof analysis->names[0], "%s", record->white);
    analysis->has_result = record->has_result;
    analysis->result_discs = record->result_discs;
    analyse_start(analysis, &record->game);
    if (options->svg && is_position(analysis))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--svg", NULL, "a position without moves has no graph");
    struct analyse_plan plan = {.choice = engine_options_choice(&options->engine, DEFAULT_LEVEL, false),
                                .all = options->lines > 0 || is_position(analysis),
                                .blunder_loss = (willow_score)(options->blunder_discs * WILLOW_SCORE_DISC + 0.5),
                                .progress = show_progress,
                                .context = work};
    plan.choice.limits.stop = willow_interrupt();
    /* Each game starts from nothing: what is said of it does not depend on those before it. */
    willow_search_clear(work->search);
    const enum willow_status status = analyse_run(analysis, work->search, &plan, error);
    end_progress(work);
    if (options->json)
        analyse_print_json(stdout, analysis);
    else
        print_text(work);
    fflush(stdout);
    if (options->svg) {
        const enum willow_status written = write_svg(analysis, options->svg, error);
        return written == WILLOW_OK ? status : written;
    }
    return status;
}

static enum willow_status open_work(struct work *work, struct willow_error *error)
{
    const struct analyse_options *options = work->options;
    enum willow_status status = analyse_input_read(&work->input, &options->source, options->ruleset, error);
    if (status == WILLOW_OK && options->svg && work->input.count > 1)
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, "--svg", NULL,
                             "a graph shows one game of the %zu; --game chooses it", work->input.count);
    if (status == WILLOW_OK && options->svg)
        status = willow_file_check_mark(options->svg, "<svg", 4, "SVG picture", error);
    /* Behind the input, so that what is wrong with it is all that is said. */
    if (status == WILLOW_OK)
        status = option_weights(options->engine.weights, options->ruleset, &work->weights, error);
    if (status == WILLOW_OK)
        status = option_search(work->weights, options->ruleset, (size_t)options->engine.hash_mb << 20,
                               options->engine.threads, &work->search, error);
    if (status == WILLOW_OK && !(work->analysis = calloc(1, sizeof *work->analysis)))
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    return status;
}

static int analyse(const struct analyse_options *options)
{
    struct work work = {.options = options, .screen = screen_detect(options->plain)};
    work.style.colour = work.screen.colour;
    work.style.unicode = work.screen.utf8 && !options->plain;
    willow_progress_start(&work.progress, options->quiet);
    struct willow_error error;
    enum willow_status status = open_work(&work, &error);
    for (; status == WILLOW_OK && !ferror(stdout) && work.done < work.input.count; work.done++)
        status = analyse_record(&work, &work.input.records[work.done], &error);
    int code = WILLOW_EXIT_OK;
    if (status == WILLOW_ERR_STOPPED) {
        fprintf(stderr, "willow: stopped; what was analysed so far is above\n");
        code = WILLOW_EXIT_FAILED;
    } else if (status != WILLOW_OK) {
        code = willow_report(&error);
    }
    free(work.analysis);
    analyse_input_clear(&work.input);
    willow_search_free(work.search);
    willow_weights_free(work.weights);
    return code;
}

int verb_analyse(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"from", KEY_FROM, "FORMAT", 0,
         "wthor, ggf, sgf, transcript, positions, or the notation of a board (default: what FILE looks like)", 0},
        {"game", KEY_GAME, "N", 0, "Only the Nth game of FILE (default: all, one after another)", 0},
        {"board", KEY_BOARD, "BOARD", 0, "In place of FILE: this position, or where --moves start from", 0},
        {"moves", KEY_MOVES, "MOVES", 0, "In place of FILE: these moves, as f5d6c3", 0},
        {"lines", KEY_LINES, "N", 0,
         "Show the N best moves of each position with their lines; of a position alone N at most (default: the best "
         "move beside the one that was played; of a position alone all moves)",
         0},
        {"blunder", KEY_BLUNDER, "DISCS", 0,
         "Mark moves that lose so many discs or more with ??, and at least half as many with ? (default: 6)", 0},
        {"svg", KEY_SVG, "FILE", 0, "Draw the score over the game as a picture, too", 0},
        {"json", KEY_JSON, NULL, 0, "One JSON object for each game, in one line", 0},
        {"plain", KEY_PLAIN, NULL, 0, "ASCII without colours", 0},
        {"quiet", 'q', NULL, 0, "No progress", 0},
        {0}};
    static const struct argp_child children[] = {
        {&engine_search_argp, 0, NULL, 0}, {&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .args_doc = "[FILE]",
        .children = children,
        .doc =
            "Scores every move of a game, or of a position, against the best one. FILE holds games or positions in any "
            "format; without it, or as -, they come from standard input.\v"
            "Scores are in discs, from the side of the player to move. All moves of a position are searched alike: "
            "16@73% = 16 plies at 73% confidence, 16 = 16 plies with nothing left out, end@95% = to the end of the "
            "game at 95%, exact = solved. --time is for each position. Without a limit: level 20. Ctrl-C ends the "
            "analysis; what is done is printed, from the end of the game backwards, with exit code 1.\n\n"
            "JSON: game, ruleset, black, white, result (black's difference, null when not over), recorded_result, "
            "complete, "
            "summary (for black and white: moves, discs_lost, mean_loss, best as a fraction of 1, mistakes, blunders, "
            "worst), positions. Each position: number of the move played there, side, board, empties, legal (how many "
            "moves), played (\"pa\" = a pass, null = the end), done, score, black_score, kind (exact, end or depth), "
            "depth, selectivity, played_score, loss, mark, nodes, seconds, moves (best first: move, score, loss, "
            "exact, line).\n\n"
            "Examples:\n"
            "  willow analyse game.sgf --svg game.svg\n"
            "  willow analyse --moves f5d6c3d3c4f4f6 --level 20\n"
            "  willow analyse games.ggf --game 3 --blunder 10 --lines 3\n"
            "  willow analyse positions.obf --time 5 --json\n"
            "  willow analyse game.txt --ruleset anti"};
    struct analyse_options options = {.lines = -1, .blunder_discs = 6};
    engine_options_default(&options.engine);
    willow_parse_options(&argp, argc, argv, &options);
    const int usage = willow_ruleset_choose(argv[0], options.ruleset_name, OPTION_HOLE_SEED, willow_ruleset_default(),
                                            &options.ruleset);
    return usage == WILLOW_EXIT_OK ? analyse(&options) : usage;
}
