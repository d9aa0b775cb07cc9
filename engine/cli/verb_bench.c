/* willow bench: a fixed workload whose node count names the search's behaviour, and the speeds of its parts.
 * Not a measure of strength. Layer: engine/cli (program willow).
 */
#include <inttypes.h>

#include <willow/clock.h>
#include <willow/notation.h>
#include <willow/program.h>
#include <willow/ruleset.h>

#include "verb.h"

/* Games of Willow with itself at depth 6 from four common openings (willow play, the opening loaded, then `go`). */
static const char *const games[] = {
    "f5d6c3d3c4f4f6b4c2f3e3d2b2c5e1e6f2g4g6g2g3f1h3h4h5b3g1g5h6e2d1a1h1h2a2a3a4a5b5b1c1a6b6c6f7e7e8g8g7f8h8h7d8d7c8c7b8"
    "b7a8a7",
    "f5f6e6f4e3c5c6d6c4c3g5g3e7g7h2f3g4d3d2e1c1h3h4h5h6g6e2c2f2d1f1d8f7h7e8f8h8g8b1d7b3g1h1g2c8c7b8b6b4b5a4a3a2a6b2a1a5"
    "a7a8b7",
    "f5f4e3f6d3c5b6c4b5c2e2d2f2c3b3b2c1a2a1b1d6e6g3g4h4f3g5h5h6g6e7h3h2e1d1f1h7a5c6b4g2a7g1h1a3a4a6h8a8e8d7g7g8f7f8d8c7"
    "b8b7c8",
    "f5d6c5f4e3c6d3c4e6f3b3g5g4d2c2f6g6h5d1b1b2b5g3h3e7h6h4f7g8c3g7d7h7e8h2f8d8c1a1h8e2c8b4h1a5g2b6c7b7a8a7b8a6a4a3f1e1"
    "f2g1a2",
};
enum {
    GAMES = sizeof games / sizeof games[0],
    PERFT_DEPTH = 10,
    ENDGAME_EMPTIES = 20,
    MIDGAME_DEPTH = 11,
    HASH_BYTES = 32 << 20,
    EVALUATION_ROUNDS = 4000
};
static const int midgame_empties[] = {48, 40, 32, 26};
enum { MIDGAMES = sizeof midgame_empties / sizeof midgame_empties[0] };

struct bench_options {
    const char *weights;
    bool json;
};

enum { KEY_JSON = 256 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct bench_options *options = state->input;
    switch (key) {
    case 'w':
        options->weights = argument;
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* One part: how much was done, of what, in which time. */
struct part {
    const char *name, *unit;
    uint64_t count;
    double seconds;
};

static double since(uint64_t start_ns)
{
    return (double)(willow_clock_ns() - start_ns) * 1e-9;
}

/* The position of a game with that many empty squares. */
static struct willow_board position(const struct willow_game *game, int empties)
{
    int at = 0;
    while (at < game->length && willow_board_empties(game->ruleset, game->boards[at]) > empties)
        at++;
    return game->boards[at];
}

static struct part bench_perft(void)
{
    const uint64_t start_ns = willow_clock_ns();
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const uint64_t leaves = willow_perft(ruleset, ruleset->start, PERFT_DEPTH, false);
    return (struct part){"perft", "leaves", leaves, since(start_ns)};
}

/* Every position from an empty table: the node count does not depend on the order. */
static void search_from_scratch(struct willow_search *search, struct willow_board board, int depth, struct part *part)
{
    struct willow_result result;
    willow_search_clear(search);
    willow_search_run(search, board, &(struct willow_limits){.depth = depth}, &result);
    part->count += result.nodes;
    part->seconds += (double)result.time_ns * 1e-9;
}

static struct part bench_endgame(struct willow_search *search, const struct willow_game *played)
{
    struct part part = {"endgame", "nodes", 0, 0};
    for (int i = 0; i < GAMES; i++)
        search_from_scratch(search, position(&played[i], ENDGAME_EMPTIES), 0, &part);
    return part;
}

static struct part bench_midgame(struct willow_search *search, const struct willow_game *played)
{
    struct part part = {"midgame", "nodes", 0, 0};
    for (int i = 0; i < GAMES * MIDGAMES; i++)
        search_from_scratch(search, position(&played[i / MIDGAMES], midgame_empties[i % MIDGAMES]), MIDGAME_DEPTH,
                            &part);
    return part;
}

/* From scratch, not as the search does it: this is what static accuracy and the trainer's checks pay. */
static struct part bench_evaluation(const struct willow_weights *weights, const struct willow_game *played)
{
    struct part part = {"evaluate", "positions", 0, 0};
    const uint64_t start_ns = willow_clock_ns();
    for (int round = 0; round < EVALUATION_ROUNDS; round++) {
        for (int i = 0; i < GAMES; i++) {
            for (int ply = round & 1; ply < played[i].length; ply += 2) {
                (void)willow_evaluate(weights, played[i].boards[ply]);
                part.count++;
            }
        }
    }
    part.seconds = since(start_ns);
    return part;
}

static void print_parts(const struct part *parts, int count, uint64_t signature, const char *checksum, bool json)
{
    if (json)
        printf("{\"signature\": %" PRIu64 ", \"weights\": \"%s\"", signature, checksum);
    for (int i = 0; i < count; i++) {
        const struct part *part = &parts[i];
        const double rate = part->seconds > 0 ? (double)part->count / part->seconds : 0.0;
        if (json)
            printf(", \"%s\": {\"%s\": %" PRIu64 ", \"seconds\": %.3f, \"per_second\": %.0f}", part->name, part->unit,
                   part->count, part->seconds, rate);
        else
            printf("%-9s %11" PRIu64 " %-9s %7.3f s %8.1f million/s\n", part->name, part->count, part->unit,
                   part->seconds, rate * 1e-6);
    }
    if (json)
        printf("}\n");
    else
        printf("signature %" PRIu64 " nodes (weights %s)\n", signature, checksum);
}

static enum willow_status run(const struct bench_options *options, struct willow_weights **weights,
                              struct willow_search **search, struct willow_error *error)
{
    enum willow_status status = willow_weights_open(options->weights, NULL, weights, error);
    if (status == WILLOW_OK && willow_weights_ruleset(*weights) != willow_ruleset_default())
        status =
            willow_fail(error, WILLOW_ERR_MISMATCH, options->weights, NULL, "the workload needs weights for othello");
    if (status == WILLOW_OK)
        status = willow_search_new(*weights, HASH_BYTES, search, error);
    struct willow_game played[GAMES];
    for (int i = 0; status == WILLOW_OK && i < GAMES; i++) {
        willow_game_init(&played[i], willow_ruleset_default());
        status = willow_transcript_parse(&played[i], games[i], error);
    }
    if (status != WILLOW_OK)
        return status;

    struct part parts[4];
    parts[0] = bench_perft();
    parts[1] = bench_endgame(*search, played);
    parts[2] = bench_midgame(*search, played);
    parts[3] = bench_evaluation(*weights, played);
    const uint64_t signature = parts[1].count + parts[2].count;
    print_parts(parts, 4, signature, willow_weights_checksum(*weights), options->json);
    return WILLOW_OK;
}

int verb_bench(int argc, char **argv)
{
    static const struct argp_option table[] = {{"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero'", 0},
                                               {"json", KEY_JSON, NULL, 0, "One JSON object", 0},
                                               {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .doc = "Runs a fixed workload in one thread. The signature is its node count: it is the same on "
               "every machine as long as search and weights are the same.\v"
               "Example:\n"
               "  willow bench --json"};
    struct bench_options options = {0};
    willow_parse_options(&argp, argc, argv, &options);
    struct willow_weights *weights = NULL;
    struct willow_search *search = NULL;
    struct willow_error error;
    const enum willow_status status = run(&options, &weights, &search, &error);
    willow_search_free(search);
    willow_weights_free(weights);
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}
