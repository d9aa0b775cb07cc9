/* willow nboard: the engine of a program that speaks the NBoard protocol. The protocol itself is protocol/nboard.c.
 * Layer: engine/cli (program willow).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <willow/program.h>
#include <willow/records.h>
#include <willow/ruleset.h>

#include "engine_options.h"
#include "protocol/nboard.h"
#include "protocol/serve.h"
#include "protocol/thinker.h"
#include "protocol_host.h"
#include "verb.h"

/* The level without "set depth", --level or a clock: about a tenth of a second a move. */
enum { DEFAULT_LEVEL = 18 };

struct nboard_options {
    struct engine_options engine;
    const char *ruleset; /* null = not given */
    bool ponder;
};

enum { KEY_PONDER = 256 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct nboard_options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->engine;
        state->child_inputs[1] = &options->ruleset;
        return 0;
    case KEY_PONDER:
        options->ponder = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What the callbacks of the server and of the protocol share. */
struct session {
    struct nboard *nboard;
    struct protocol_host host;
    struct serve_output output;
};

/* The other side waits for each line. A failed write ends the loop. */
static void write_line(void *context, const char *line)
{
    struct session *session = context;
    char text[NBOARD_LINE_MAX + 2];
    const int length = snprintf(text, sizeof text, "%s\n", line);
    (void)serve_write(&session->output, text, (size_t)length);
}

static void start_thinking(void *context, const struct think_request *request)
{
    const struct session *session = context;
    thinker_start(session->host.thinker, request);
}

static void stop_thinking(void *context)
{
    const struct session *session = context;
    thinker_stop(session->host.thinker);
}

static enum willow_status set_ruleset(void *context, const struct willow_ruleset *ruleset, struct willow_error *error)
{
    struct session *session = context;
    return protocol_host_set_ruleset(&session->host, ruleset, error);
}

static bool take_line(void *context, const char *line)
{
    const struct session *session = context;
    return nboard_line(session->nboard, line);
}

static bool ready(void *context)
{
    const struct session *session = context;
    return nboard_ready(session->nboard);
}

static bool take_end(void *context)
{
    const struct session *session = context;
    return nboard_end(session->nboard);
}

static bool take_report(void *context, const struct think_report *report)
{
    const struct session *session = context;
    return nboard_report(session->nboard, report);
}

/* A game comes as GGF, which knows boards of several sizes and anti, but neither holes nor discs placed freely. */
static enum willow_status check_known(const struct willow_ruleset *ruleset, struct willow_error *error)
{
    struct willow_game game;
    char text[1024];
    willow_game_init(&game, ruleset);
    const struct willow_ggf_game record = {.game = &game, .black = "", .white = "", .result_unknown = true};
    if (willow_ggf_format(&record, text, sizeof text) > 0)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, "--ruleset", NULL,
                       "NBoard has no word for games of %s; 'willow gtp --ruleset %s' plays them", ruleset->name,
                       ruleset->name);
}

static enum willow_status run(const struct nboard_options *options, const struct willow_ruleset *ruleset,
                              struct willow_error *error)
{
    const struct engine_options *engine = &options->engine;
    const struct nboard_settings settings = {.ruleset = ruleset,
                                             .choice = engine_options_choice(engine, DEFAULT_LEVEL, false),
                                             .clocked = engine_options_choice(engine, DEFAULT_LEVEL, true),
                                             .ponder = options->ponder};
    struct session session = {.host = {.options = engine}, .output = {.descriptor = STDOUT_FILENO}};
    const struct nboard_driver driver = {.context = &session,
                                         .write = write_line,
                                         .start = start_thinking,
                                         .stop = stop_thinking,
                                         .set_ruleset = set_ruleset};
    const struct server server = {
        .context = &session, .line = take_line, .end = take_end, .report = take_report, .ready = ready};

    enum willow_status status = check_known(ruleset, error);
    if (status == WILLOW_OK)
        status = protocol_host_set_ruleset(&session.host, ruleset, error);
    if (status == WILLOW_OK)
        status = nboard_new(&settings, &driver, &session.nboard, error);
    if (status == WILLOW_OK)
        status = serve(&server, session.host.thinker, STDIN_FILENO, &session.output, error);
    protocol_host_close(&session.host);
    nboard_free(session.nboard);
    return status;
}

int verb_nboard(int argc, char **argv)
{
    static const struct argp_option table[] = {{"ponder", KEY_PONDER, NULL, 0, "Think while the other side does", 0},
                                               {0}};
    static const struct argp_child children[] = {
        {&engine_options_argp, 0, "How the engine plays:", 0}, {&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .doc = "Plays for a program that speaks the NBoard protocol (version 2), as NBoard itself does.\v"
               "Enter the command there as an engine. 'set depth' takes the place of --level, --depth, --exact and "
               "--selectivity; a game with a clock is played within its time. A game or a move that is refused is "
               "told as a status, and nothing is played until the next game. A game says what it is one of, 'TY[6]' or "
               "'TY[8a]' (anti); --ruleset is for what is on the board before the first one. The end of the input ends "
               "hints.\n\n"
               "Examples:\n"
               "  willow nboard\n"
               "  willow nboard --ponder --threads 4\n"
               "  willow nboard --ruleset 6x6\n"
               "  willow match \"nboard:willow nboard --loss 2\" default --clock 5:00",
        .children = children};
    struct nboard_options options = {.ponder = false};
    struct willow_error error;
    engine_options_default(&options.engine);
    willow_parse_options(&argp, argc, argv, &options);
    const struct willow_ruleset *ruleset;
    const int chosen =
        willow_ruleset_choose(argv[0], options.ruleset, options.engine.seed, willow_ruleset_default(), &ruleset);
    if (chosen != WILLOW_EXIT_OK)
        return chosen;
    return run(&options, ruleset, &error) == WILLOW_OK ? willow_finish(WILLOW_EXIT_OK) : willow_report(&error);
}
