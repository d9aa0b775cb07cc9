/* willow gtp: the Go Text Protocol over standard input and output. Layer: engine/cli (program willow).
 */
#include <unistd.h>

#include <willow/clock.h>
#include <willow/program.h>

#include "engine_options.h"
#include "protocol/gtp.h"
#include "protocol/serve.h"
#include "protocol_host.h"
#include "verb.h"

/* Without a clock: a second or so a move at most. */
enum { DEFAULT_LEVEL = 18 };

struct gtp_options {
    struct engine_options engine;
    const char *ruleset; /* null = not given */
    bool ponder;
    const char *name;
};

enum { KEY_PONDER = 256, KEY_NAME };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct gtp_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->engine;
        state->child_inputs[1] = &options->ruleset;
        return 0;
    case KEY_PONDER:
        options->ponder = true;
        return 0;
    case KEY_NAME:
        for (const char *at = argument; *at; at++)
            if ((unsigned char)*at < ' ')
                argp_failure(state, argp_err_exit_status, 0, "--name: a name of one line is expected");
        options->name = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

struct session {
    struct gtp *gtp;
    struct protocol_host host;
};

static void start(void *context, const struct think_request *request)
{
    thinker_start(((struct session *)context)->host.thinker, request);
}

static void stop(void *context)
{
    thinker_stop(((struct session *)context)->host.thinker);
}

static void clear(void *context)
{
    thinker_clear(((struct session *)context)->host.thinker);
}

static enum willow_status set_threads(void *context, int threads, struct willow_error *error)
{
    return thinker_set_threads(((struct session *)context)->host.thinker, threads, error);
}

static enum willow_status set_ruleset(void *context, const struct willow_ruleset *ruleset,
                                      const struct willow_weights **weights, struct willow_error *error)
{
    struct session *session = context;
    const enum willow_status status = protocol_host_set_ruleset(&session->host, ruleset, error);
    *weights = session->host.weights;
    return status;
}

static bool send(void *output, const char *text, size_t length)
{
    return serve_write(output, text, length);
}

static bool on_line(void *context, const char *line)
{
    return gtp_line(((struct session *)context)->gtp, line, willow_clock_ns());
}

static bool on_end(void *context)
{
    gtp_end(((struct session *)context)->gtp);
    return true;
}

static bool on_report(void *context, const struct think_report *report)
{
    return gtp_report(((struct session *)context)->gtp, report, willow_clock_ns());
}

static bool on_ready(void *context)
{
    return gtp_ready(((struct session *)context)->gtp);
}

static enum willow_status run(const struct gtp_options *options, const struct willow_ruleset *ruleset,
                              struct willow_error *error)
{
    struct session session = {.host = {.options = &options->engine}};
    struct serve_output output = {.descriptor = STDOUT_FILENO};
    enum willow_status status = protocol_host_set_ruleset(&session.host, ruleset, error);
    const struct gtp_settings settings = {
        .name = options->name,
        .version = willow_version(),
        .ruleset = ruleset,
        .weights = session.host.weights,
        .choice = engine_options_choice(&options->engine, DEFAULT_LEVEL, false),
        .choice_clocked = engine_options_choice(&options->engine, DEFAULT_LEVEL, true),
        .threads = options->engine.threads,
        .ponder = options->ponder,
        .files = true,
        .engine = {&session, start, stop, clear, set_threads, set_ruleset},
        .write = send,
        .output = &output,
    };
    if (status == WILLOW_OK)
        status = gtp_new(&settings, &session.gtp, error);
    if (status == WILLOW_OK) {
        const struct server server = {&session, on_line, on_end, on_report, on_ready};
        status = serve(&server, session.host.thinker, STDIN_FILENO, &output, error);
    }
    protocol_host_close(&session.host);
    gtp_free(session.gtp);
    return status;
}

int verb_gtp(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"ponder", KEY_PONDER, NULL, 0, "Think while the opponent does", 0},
        {"name", KEY_NAME, "TEXT", 0, "What the command 'name' answers (default: Willow)", 0},
        {0}};
    static const struct argp_child children[] = {
        {&engine_options_argp, 0, NULL, 0}, {&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .doc =
            "Plays for a program that speaks GTP (version 2), as GoGui, Quarry and match runners do.\v"
            "Squares are Othello's: a1 is the top left one, 'play black f5' a usual first move. A side that must "
            "pass says 'pass'; a forced pass that is left out is played with the next move and undone with it. "
            "After the end of the game 'genmove' answers 'pass'. 'final_score' gives the winner the empty squares. "
            "'boardsize 6' and 'boardsize 4' begin a game on such a board, 'willow-ruleset NAME' one of any ruleset. "
            "A line '# interrupt' ends a search with the best move so far. The end of the input cuts nothing "
            "short, unless nobody reads the answers any more.\n\n"
            "Examples:\n"
            "  willow gtp --level 10\n"
            "  willow gtp --time 2 --ponder\n"
            "  willow gtp --ruleset anti\n"
            "  printf 'play black f5\\ngenmove white\\nshowboard\\n' | willow gtp\n"
            "  willow match \"gtp:willow gtp\" default --clock 60 --pairs 10"};
    struct gtp_options options = {.name = "Willow"};
    engine_options_default(&options.engine);
    willow_parse_options(&argp, argc, argv, &options);

    const struct willow_ruleset *ruleset;
    const int chosen =
        willow_ruleset_choose(argv[0], options.ruleset, options.engine.seed, willow_ruleset_default(), &ruleset);
    if (chosen != WILLOW_EXIT_OK)
        return chosen;
    struct willow_error error;
    return run(&options, ruleset, &error) == WILLOW_OK ? willow_finish(WILLOW_EXIT_OK) : willow_report(&error);
}
