/* willow bench: a fixed workload of a ruleset, whose node count names the search's behaviour, and the speeds of its
 * parts. Not a measure of strength. Layer: engine/cli (program willow).
 */
#include <inttypes.h>

#include <willow/clock.h>
#include <willow/notation.h>
#include <willow/program.h>
#include <willow/random.h>
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
    PERFT_LEAVES = 8000000, /* the first depth with so many, or the whole tree */
    HASH_BYTES = 32 << 20,
    EVALUATION_ROUNDS = 4000,
    GAMES_SEED = 8 /* of the games of other rulesets */
};

/* Midgames on a board with 60 squares to fill; on others, so much of it. */
static const int midgame_empties[] = {48, 40, 32, 26};
enum { MIDGAMES = sizeof midgame_empties / sizeof midgame_empties[0], MIDGAME_BOARD = 60 };

/* What there is to do, so that each part takes some tenths of a second whatever the board is. */
struct workload {
    const struct willow_ruleset *ruleset;
    struct willow_game games[GAMES];
    int endgame_empties, midgame_depth;
};

struct bench_options {
    const char *weights, *ruleset_name;
    bool json;
};

enum { KEY_JSON = 256 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct bench_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->ruleset_name;
        return 0;
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

/* A game of random moves, the same on every machine. */
static void play_randomly(struct willow_game *game, const struct willow_ruleset *ruleset, uint64_t number)
{
    struct willow_random random;
    willow_random_init(&random, GAMES_SEED, number);
    willow_game_init(game, ruleset);
    while (!willow_game_over(game)) {
        const willow_bits moves = willow_board_moves(ruleset, willow_game_board(game));
        const willow_square move = moves != 0 ? (willow_square)willow_random_bit(&random, moves) : WILLOW_PASS;
        if (willow_game_play(game, move, NULL) != WILLOW_OK)
            break;
    }
}

static enum willow_status make_workload(struct workload *work, const struct willow_ruleset *ruleset,
                                        struct willow_error *error)
{
    const int squares = willow_ruleset_squares(ruleset);
    work->ruleset = ruleset;
    /* On a full board fewer than in othello: most rulesets are played with weights that are young, or none. */
    const bool othello = ruleset == willow_ruleset_othello();
    work->endgame_empties = squares > 64 ? 16 : squares > 36 && !othello ? 18 : 20;
    work->midgame_depth = squares > 64 ? 7 : 11;
    for (int i = 0; i < GAMES; i++) {
        if (!othello) {
            play_randomly(&work->games[i], ruleset, (uint64_t)i);
            continue;
        }
        willow_game_init(&work->games[i], ruleset);
        if (willow_transcript_parse(&work->games[i], games[i], error) != WILLOW_OK)
            return error->status;
    }
    return WILLOW_OK;
}

/* The last of the depths alone is timed. */
static struct part bench_perft(const struct willow_ruleset *ruleset)
{
    struct part part = {"perft", "leaves", 0, 0};
    for (int depth = 1; part.count < PERFT_LEAVES; depth++) {
        const uint64_t start_ns = willow_clock_ns();
        const uint64_t leaves = willow_perft(ruleset, ruleset->start, depth, false);
        part.seconds = since(start_ns);
        /* Every game has ended. While discs are placed, too, the count may stand still. */
        if (leaves == part.count && depth > willow_ruleset_squares(ruleset) / 2)
            break;
        part.count = leaves;
    }
    return part;
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

static struct part bench_endgame(struct willow_search *search, const struct workload *work)
{
    struct part part = {"endgame", "nodes", 0, 0};
    for (int i = 0; i < GAMES; i++)
        search_from_scratch(search, position(&work->games[i], work->endgame_empties), 0, &part);
    return part;
}

static struct part bench_midgame(struct willow_search *search, const struct workload *work)
{
    struct part part = {"midgame", "nodes", 0, 0};
    const int board = willow_ruleset_squares(work->ruleset) - 4;
    for (int i = 0; i < GAMES * MIDGAMES; i++) {
        const int empties = (midgame_empties[i % MIDGAMES] * board + MIDGAME_BOARD / 2) / MIDGAME_BOARD;
        search_from_scratch(search, position(&work->games[i / MIDGAMES], empties), work->midgame_depth, &part);
    }
    return part;
}

/* From scratch, not as the search does it: this is what static accuracy and the trainer's checks pay. */
static struct part bench_evaluation(const struct willow_weights *weights, const struct workload *work)
{
    struct part part = {"evaluate", "positions", 0, 0};
    const uint64_t start_ns = willow_clock_ns();
    for (int round = 0; round < EVALUATION_ROUNDS; round++) {
        for (int i = 0; i < GAMES; i++) {
            for (int ply = round & 1; ply < work->games[i].length; ply += 2) {
                (void)willow_evaluate(weights, work->games[i].boards[ply]);
                part.count++;
            }
        }
    }
    part.seconds = since(start_ns);
    return part;
}

static void print_parts(const struct part *parts, int count, const struct willow_ruleset *ruleset, const char *checksum,
                        bool json)
{
    const uint64_t signature = parts[1].count + parts[2].count;
    if (json)
        printf("{\"ruleset\": \"%s\", \"signature\": %" PRIu64 ", \"weights\": \"%s\"", ruleset->name, signature,
               checksum);
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

static enum willow_status run(const struct bench_options *options, const struct willow_ruleset *ruleset,
                              struct willow_weights **weights, struct willow_search **search,
                              struct willow_error *error)
{
    struct workload work;
    enum willow_status status = option_weights(options->weights, ruleset, weights, error);
    if (status == WILLOW_OK)
        status = option_search(*weights, ruleset, HASH_BYTES, 1, search, error);
    if (status == WILLOW_OK)
        status = make_workload(&work, ruleset, error);
    if (status != WILLOW_OK)
        return status;

    struct part parts[4];
    parts[0] = bench_perft(ruleset);
    parts[1] = bench_endgame(*search, &work);
    parts[2] = bench_midgame(*search, &work);
    parts[3] = bench_evaluation(*weights, &work);
    print_parts(parts, 4, ruleset, willow_weights_checksum(*weights), options->json);
    return WILLOW_OK;
}

int verb_bench(int argc, char **argv)
{
    static const struct argp_option table[] = {{"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero'", 0},
                                               {"json", KEY_JSON, NULL, 0, "One JSON object", 0},
                                               {0}};
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .doc = "Runs a fixed workload in one thread: games of Willow with itself in othello, random games of other "
               "rulesets. The signature is its node count: it is the same on "
               "every machine as long as search and weights are the same.\v"
               "Examples:\n"
               "  willow bench --json\n"
               "  willow bench --ruleset 6x6"};
    struct bench_options options = {0};
    willow_parse_options(&argp, argc, argv, &options);
    const struct willow_ruleset *ruleset;
    const int usage =
        willow_ruleset_choose(argv[0], options.ruleset_name, OPTION_HOLE_SEED, willow_ruleset_default(), &ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
    struct willow_weights *weights = NULL;
    struct willow_search *search = NULL;
    struct willow_error error;
    const enum willow_status status = run(&options, ruleset, &weights, &search, &error);
    willow_search_free(search);
    willow_weights_free(weights);
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}
