/* The verb `match`: two sets of weights play pairs of games, and the result is printed with its bounds.
 * Layer: selfplay (program). Playing and arithmetic are in match.c and statistics.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/program.h>

#include "match/match.h"
#include "run/openings.h"
#include "verbs.h"

struct match_verb {
    const char *names[2];
    int named;
    int depth, exact, selectivity;
    uint64_t nodes;
    size_t pairs;
    int threads;
    uint64_t seed;
    int opening_plies, balance_discs;
    const char *list; /* file of openings; null = random ones */
    size_t hash_mb;
    struct willow_time_control clock;
    bool depth_given, random_given, clock_given, quiet, json;
};

enum { OPTION_HASH = 256, OPTION_CLOCK, OPTION_OPENINGS, OPTION_SELECTIVITY };

/* Depth of the search with which B judges how even an opening is: enough to see who has lost a corner. */
enum { JUDGE_DEPTH = 4 };

_Static_assert((int)MATCH_THREADS_MAX == (int)WILLOW_THREADS_MAX, "one limit of threads for all verbs");

static const struct argp_option options[] = {
    {"depth", 'd', "D", 0, "Plies searched for every move (default: 4, or no limit with --nodes or --clock)", 0},
    {"exact", 'e', "N", 0, "Solve exactly from N empties on (default: 0, never by this rule)", 0},
    {"selectivity", OPTION_SELECTIVITY, "PERCENT", 0,
     WILLOW_SELECTIVITY_HELP " (default: 100). Without --depth a search rises to it from 73 by itself", 0},
    {"nodes", 'n', "N", 0, "Nodes searched for every move (default: no limit)", 0},
    {"clock", OPTION_CLOCK, "TIME", 0,
     "Each side's clock in each game: 60 (seconds for the game), 1+0.01 (with an increment a move), 2/1 (2 seconds a "
     "move), 300+30/5 (then 30 seconds for every 5 moves); a time may be written 5:00. Who oversteps loses 64-0",
     0},
    {"pairs", 'p', "N", 0, "Openings; each is played twice with colours swapped (default: 100)", 0},
    {"threads", 't', "T", 0, "Games played at once (default: the cores available)", 0},
    {"seed", 's', "S", 0, "Seed of the openings (default: 1)", 0},
    {"opening", 'o', "PLIES", 0, "Random moves before the engines take over (default: 8)", 0},
    {"balance", 'b', "DISCS", 0, "Leave out openings that B scores further than DISCS from even (default: 0, keep all)",
     0},
    {"openings", OPTION_OPENINGS, "FILE", 0,
     "Instead of random openings, those of a text with one transcript a line (# begins a comment), in random order", 0},
    {"hash", OPTION_HASH, "MB", 0, "Transposition table of each engine in each thread (default: 4)", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {"json", 'j', NULL, 0, "The result as one JSON object", 0},
    {0}};

static const char documentation[] =
    "Play a match between two sets of weights: every opening twice with colours swapped.\v"
    "A and B are weights files, \"default\" (the linked weights) or \"zero\" (an engine that knows only the rules). "
    "The same "
    "options give the same result, whatever the number of threads; only games on a clock come out another way each "
    "time, and need a core for each thread. No two openings are the same, mirrored or turned; a match for which there "
    "are too few is refused. Ctrl-C ends the match and reports its finished pairs.\n\n"
    "Examples:\n  willow match run/weights.wlw zero --depth 4 --pairs 100\n"
    "  willow match run/weights.wlw default --depth 12 --selectivity 73 --exact 18\n"
    "  willow match run/weights.wlw default --clock 1+0.01 --pairs 250\n"
    "  willow match run/weights.wlw default --openings xot.txt --pairs 500\n";

static void parse_clock(struct match_verb *verb, const char *text, struct argp_state *state)
{
    struct willow_error error;

    if (willow_time_control_parse(text, &verb->clock, &error) != WILLOW_OK)
        argp_failure(state, argp_err_exit_status, 0, "--clock '%s': %s", text, error.reason);
    verb->clock_given = true;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct match_verb *verb = state->input;

    switch (key) {
    case 'd':
        verb->depth = (int)willow_option_integer(text, 1, 60, "--depth", state);
        verb->depth_given = true;
        return 0;
    case 'e':
        verb->exact = (int)willow_option_integer(text, 0, 60, "--exact", state);
        return 0;
    case OPTION_SELECTIVITY:
        verb->selectivity = willow_option_selectivity(text, state);
        return 0;
    case 'n':
        verb->nodes = (uint64_t)willow_option_integer(text, 1, INT64_MAX, "--nodes", state);
        return 0;
    case 'p':
        verb->pairs = (size_t)willow_option_integer(text, 1, MATCH_PAIRS_MAX, "--pairs", state);
        return 0;
    case 't':
        verb->threads = (int)willow_option_integer(text, 1, MATCH_THREADS_MAX, "--threads", state);
        return 0;
    case 's':
        verb->seed = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--seed", state);
        return 0;
    case 'o':
        verb->opening_plies = (int)willow_option_integer(text, 0, OPENINGS_PLIES_MAX, "--opening", state);
        verb->random_given = true;
        return 0;
    case 'b':
        verb->balance_discs = (int)willow_option_integer(text, 0, 64, "--balance", state);
        verb->random_given = true;
        return 0;
    case OPTION_OPENINGS:
        verb->list = text;
        return 0;
    case OPTION_CLOCK:
        parse_clock(verb, text, state);
        return 0;
    case OPTION_HASH:
        verb->hash_mb = (size_t)willow_option_integer(text, 1, 1 << 20, "--hash", state);
        return 0;
    case 'q':
        verb->quiet = true;
        return 0;
    case 'j':
        verb->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (verb->named == 2)
            argp_error(state, "two players are expected; '%s' is a third", text);
        else
            verb->names[verb->named++] = text;
        return 0;
    case ARGP_KEY_END:
        if (verb->named != 2)
            argp_error(state, "two players are expected: weights files, \"default\" or \"zero\"");
        if (verb->list != NULL && verb->random_given)
            argp_error(state, "--opening and --balance are for random openings; --openings names those to play");
        if ((verb->nodes != 0 || verb->clock_given) && !verb->depth_given)
            verb->depth = 0;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

struct live {
    struct willow_progress progress;
    size_t pairs;
};

static void show_progress(void *context, const struct statistics_tally *tally)
{
    struct live *live = context;
    struct statistics_estimate estimate;
    const uint64_t pairs = statistics_pairs(tally);
    const double seconds = (double)(willow_clock_ns() - live->progress.start_ns) * 1e-9;
    char left[32] = "?";

    statistics_estimate(tally, &estimate);
    if (pairs > 0)
        willow_duration_text(seconds * (double)(live->pairs - pairs) / (double)pairs, left);
    willow_progress_line(&live->progress, false, "pair %llu of %zu, %.1f%% [%.1f, %.1f], %.1f games/s, %s left",
                         (unsigned long long)pairs, live->pairs, 100.0 * estimate.score, 100.0 * estimate.score_low,
                         100.0 * estimate.score_high, seconds > 0.0 ? 2.0 * (double)pairs / seconds : 0.0, left);
}

static void print_clock_json(const struct match_verb *verb, const struct match_time times[2])
{
    char text[WILLOW_TIME_CONTROL_TEXT];

    printf(",\"clock\":\"%s\",\"time_forfeits\":[%llu,%llu]", willow_time_control_format(&verb->clock, text),
           (unsigned long long)times[0].forfeits, (unsigned long long)times[1].forfeits);
    printf(",\"moves\":[%llu,%llu],\"time_used\":[%.3f,%.3f],\"longest_move\":[%.6f,%.6f]",
           (unsigned long long)times[0].moves, (unsigned long long)times[1].moves, (double)times[0].used_ns * 1e-9,
           (double)times[1].used_ns * 1e-9, (double)times[0].longest_ns * 1e-9, (double)times[1].longest_ns * 1e-9);
}

static void print_json(const struct match_verb *verb, const struct statistics_tally *tally,
                       const struct match_time times[2], bool complete)
{
    struct statistics_estimate values;
    const struct statistics_estimate *estimate = &values;

    statistics_estimate(tally, &values);
    printf("{\"a\":");
    willow_json_string(stdout, verb->names[0]);
    printf(",\"b\":");
    willow_json_string(stdout, verb->names[1]);
    printf(",\"depth\":%d,\"selectivity\":%d,\"exact\":%d,\"nodes\":%llu,", verb->depth, verb->selectivity, verb->exact,
           (unsigned long long)verb->nodes);
    if (verb->list != NULL) {
        printf("\"openings\":");
        willow_json_string(stdout, verb->list);
    } else {
        printf("\"opening\":%d,\"balance\":%d", verb->opening_plies, verb->balance_discs);
    }
    printf(",\"seed\":%llu,", (unsigned long long)verb->seed);
    printf("\"complete\":%s,\"games\":%llu,\"pairs\":%llu,\"wins\":%llu,\"draws\":%llu,\"losses\":%llu,",
           complete ? "true" : "false", 2 * (unsigned long long)statistics_pairs(tally),
           (unsigned long long)statistics_pairs(tally), (unsigned long long)tally->wins,
           (unsigned long long)tally->draws, (unsigned long long)tally->losses);
    printf("\"score\":%.6f,\"score_low\":%.6f,\"score_high\":%.6f,\"pentanomial\":[", estimate->score,
           estimate->score_low, estimate->score_high);
    for (int points = 0; points < STATISTICS_PAIR_OUTCOMES; points++)
        printf("%s%llu", points == 0 ? "" : ",", (unsigned long long)tally->pentanomial[points]);
    printf("],\"elo\":%.2f,\"elo_low\":%.2f,\"elo_high\":%.2f,\"los\":%.6f,", estimate->elo, estimate->elo_low,
           estimate->elo_high, estimate->los);
    printf("\"discs\":%.3f,\"discs_low\":%.3f,\"discs_high\":%.3f", estimate->discs, estimate->discs_low,
           estimate->discs_high);
    if (verb->clock_given)
        print_clock_json(verb, times);
    printf("}\n");
}

/* An Elo value at the clamp says only that the truth lies beyond. */
static char *elo_text(double elo, char buffer[16])
{
    if (elo >= STATISTICS_ELO_LIMIT)
        snprintf(buffer, 16, "over +%.0f", STATISTICS_ELO_LIMIT);
    else if (elo <= -STATISTICS_ELO_LIMIT)
        snprintf(buffer, 16, "under -%.0f", STATISTICS_ELO_LIMIT);
    else
        snprintf(buffer, 16, "%+.0f", elo);
    return buffer;
}

static void print_clock(const struct match_time times[2])
{
    for (int player = 0; player < 2; player++) {
        const struct match_time *time = &times[player];

        printf("clock %c     %llu lost on time, %.3f s used in %llu moves, longest %.3f s\n", 'A' + player,
               (unsigned long long)time->forfeits, (double)time->used_ns * 1e-9, (unsigned long long)time->moves,
               (double)time->longest_ns * 1e-9);
    }
}

static void print_heading(const struct match_verb *verb)
{
    char clock[WILLOW_TIME_CONTROL_TEXT];

    printf("%s against %s", verb->names[0], verb->names[1]);
    if (verb->clock_given)
        printf(", clock %s", willow_time_control_format(&verb->clock, clock));
    if (verb->depth > 0)
        printf(", depth %d", verb->depth);
    if (verb->selectivity != WILLOW_NOT_SELECTIVE)
        printf("%s at %d%%", verb->depth > 0 ? "" : ",", verb->selectivity);
    if (verb->nodes > 0)
        printf(", %llu nodes", (unsigned long long)verb->nodes);
    if (verb->exact > 0)
        printf(", exact from %d empties", verb->exact);
    if (verb->list != NULL)
        printf(", openings of %s", verb->list);
    else
        printf(", openings of %d plies", verb->opening_plies);
    printf(" from seed %llu\n", (unsigned long long)verb->seed);
}

static void print_text(const struct match_verb *verb, const struct statistics_tally *tally,
                       const struct match_time times[2], bool complete)
{
    const unsigned long long pairs = statistics_pairs(tally);
    struct statistics_estimate values;
    const struct statistics_estimate *estimate = &values;
    char elo[16], low[16], high[16];

    statistics_estimate(tally, &values);
    print_heading(verb);
    if (!complete)
        printf("Stopped: the result is that of the %llu pairs finished of %zu.\n", pairs, verb->pairs);
    if (pairs == 0)
        return;
    printf("games       %llu in %llu pairs: %llu won, %llu drawn, %llu lost\n", 2 * pairs, pairs,
           (unsigned long long)tally->wins, (unsigned long long)tally->draws, (unsigned long long)tally->losses);
    printf("score       %.1f%%  [%.1f, %.1f] with 95%% confidence\n", 100.0 * estimate->score,
           100.0 * estimate->score_low, 100.0 * estimate->score_high);
    printf("Elo         %s  [%s, %s]\n", elo_text(estimate->elo, elo), elo_text(estimate->elo_low, low),
           elo_text(estimate->elo_high, high));
    printf("discs       %+.2f a game  [%+.2f, %+.2f]\n", estimate->discs, estimate->discs_low, estimate->discs_high);
    printf("pairs       0: %llu, 1/4: %llu, 1/2: %llu, 3/4: %llu, 1: %llu\n", (unsigned long long)tally->pentanomial[0],
           (unsigned long long)tally->pentanomial[1], (unsigned long long)tally->pentanomial[2],
           (unsigned long long)tally->pentanomial[3], (unsigned long long)tally->pentanomial[4]);
    printf("superiority %.1f%% likely\n", 100.0 * estimate->los);
    if (verb->clock_given)
        print_clock(times);
}

static enum willow_status draw(const struct match_verb *verb, struct willow_weights *const weights[2],
                               struct willow_game *games, struct willow_error *error)
{
    struct openings_options openings = {.kind = verb->list != NULL ? OPENINGS_LIST : OPENINGS_RANDOM,
                                        .ruleset = willow_weights_ruleset(weights[0]),
                                        .seed = verb->seed,
                                        .plies_min = verb->opening_plies,
                                        .plies_max = verb->opening_plies,
                                        .judge = weights[1],
                                        .judge_depth = JUDGE_DEPTH,
                                        .limit_discs = verb->balance_discs,
                                        .list_name = verb->list,
                                        .stop = willow_interrupt()};
    char *text = NULL;
    size_t size_bytes;
    enum willow_status status = WILLOW_OK;

    if (verb->list != NULL)
        status = openings_read_list(verb->list, &text, &size_bytes, error);
    openings.list = text;
    if (status == WILLOW_OK)
        status = match_draw(&openings, games, verb->pairs, error);
    free(text);
    return status;
}

static enum willow_status play(const struct match_verb *verb, struct willow_weights *const weights[2],
                               struct willow_game *games, struct match_pair *pairs, struct willow_error *error)
{
    struct live live = {.pairs = verb->pairs};
    const struct willow_limits limits = {
        .depth = verb->depth, .selectivity = verb->selectivity, .exact_empties = verb->exact, .nodes = verb->nodes};
    const struct willow_time_control *clock = verb->clock_given ? &verb->clock : NULL;
    const struct match_options match = {.players = {{weights[0], limits, clock}, {weights[1], limits, clock}},
                                        .hash_bytes = verb->hash_mb << 20,
                                        .threads = verb->threads,
                                        .stop = willow_interrupt(),
                                        .progress = show_progress,
                                        .context = &live};

    if (willow_weights_ruleset(weights[0]) != willow_weights_ruleset(weights[1]))
        return willow_fail(error, WILLOW_ERR_MISMATCH, verb->names[1], NULL,
                           "its weights are for another ruleset than those of %s", verb->names[0]);
    enum willow_status status = draw(verb, weights, games, error);
    if (status != WILLOW_OK)
        return status;
    willow_progress_start(&live.progress, verb->quiet);
    status = match_play(&match, games, verb->pairs, pairs, error);
    if (live.progress.live && !live.progress.quiet && live.progress.width > 0)
        willow_progress_line(&live.progress, true, "%s", status == WILLOW_OK ? "finished" : "stopped");
    return status;
}

int verb_match(int argc, char **argv)
{
    static const struct argp argp = {options, parse_option, "A B", documentation, NULL, NULL, NULL};
    struct match_verb verb = {.depth = 4,
                              .selectivity = WILLOW_NOT_SELECTIVE,
                              .pairs = 100,
                              .seed = 1,
                              .opening_plies = 8,
                              .hash_mb = 4,
                              .threads = willow_default_threads()};
    struct willow_weights *weights[2] = {NULL, NULL};
    struct willow_error error = {0};
    enum willow_status status = WILLOW_OK;

    willow_parse_options(&argp, argc, argv, &verb);

    struct willow_game *games = calloc(verb.pairs, sizeof *games);
    struct match_pair *pairs = calloc(verb.pairs, sizeof *pairs);
    if (games == NULL || pairs == NULL)
        status = willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for %zu pairs", verb.pairs);
    for (int player = 0; player < 2 && status == WILLOW_OK; player++)
        status = willow_weights_open(verb.names[player], &weights[player], &error);
    if (status == WILLOW_OK)
        status = play(&verb, weights, games, pairs, &error);

    int exit_code = WILLOW_EXIT_OK;
    if (status == WILLOW_OK || status == WILLOW_ERR_STOPPED) {
        struct statistics_tally tally;
        struct match_time times[2];

        match_tally(pairs, verb.pairs, &tally);
        match_times(pairs, verb.pairs, times);
        (verb.json ? print_json : print_text)(&verb, &tally, times, status == WILLOW_OK);
    } else {
        exit_code = willow_report(&error);
    }
    willow_weights_free(weights[0]);
    willow_weights_free(weights[1]);
    free(games);
    free(pairs);
    return exit_code;
}
