/* `willow selfplay info`: what a dataset holds, as text or JSON. Layer: selfplay (program). */
#include <inttypes.h>
#include <stdlib.h>

#include <willow/program.h>

#include "tools/census.h"
#include "verbs.h"

enum { KEY_JSON = 256, BAR_WIDTH = 40 };

struct info_command {
    const char *folder;
    bool json;
};

static const char *const flag_names[CENSUS_FLAGS] = {"random", "exact", "after_pass", "selective"};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct info_command *command = state->input;
    switch (key) {
    case KEY_JSON:
        command->json = true;
        return 0;
    default:
        return parse_folder(key, text, state, &command->folder);
    }
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static double mean_error(const struct census *census)
{
    double sum = 0;
    for (int ply = 0; ply < CENSUS_PLIES; ply++)
        sum += census->plies[ply].score_result_error;
    return census->scored > 0 ? sum / (double)census->scored : 0;
}

static void print_head(const struct info_command *command, const struct census *census)
{
    printf("%s: ruleset %s, seed %" PRIu64 "\n", command->folder, census->ruleset->name, census->seed);
    printf("%" PRIu64 " shards, %" PRIu64 " games", census->shards, census->games);
    if (census->planned_games > census->games)
        printf(" of %" PRIu64 " (unfinished)", census->planned_games);
    printf(", %" PRIu64 " positions, %.1f bytes a position\n", census->rows, share(census->size_bytes, census->rows));
    printf("scored %.1f%%, mean |score - result| %.2f discs\n", 100 * share(census->scored, census->rows),
           mean_error(census));
    for (int bit = 0; bit < CENSUS_FLAGS; bit++)
        printf("%s%s %.1f%%", bit ? ", " : "", flag_names[bit], 100 * share(census->flags[bit], census->rows));
    printf("\n");
}

static void print_plies(const struct census *census)
{
    printf("\n ply      positions    scored     exact  |score - result|\n");
    for (int ply = 0; ply < CENSUS_PLIES; ply++) {
        const struct census_ply *at = &census->plies[ply];
        if (at->rows == 0)
            continue;
        printf("%4d %14" PRIu64 " %8.1f%% %8.1f%%", ply, at->rows, 100 * share(at->scored, at->rows),
               100 * share(at->exact, at->rows));
        if (at->scored > 0)
            printf(" %17.2f", at->score_result_error / (double)at->scored);
        printf("\n");
    }
}

static void print_histogram(const char *title, const uint64_t bins[CENSUS_BINS], uint64_t total)
{
    uint64_t most = 1;
    for (int i = 0; i < CENSUS_BINS; i++)
        most = bins[i] > most ? bins[i] : most;
    printf("\n%s, discs\n", title);
    for (int i = 0; i < CENSUS_BINS; i++) {
        printf("%+4d %6.1f%% ", CENSUS_BIN_DISCS * (i - CENSUS_BINS / 2), 100 * share(bins[i], total));
        for (int bar = (int)(share(bins[i], most) * BAR_WIDTH + 0.5); bar > 0; bar--)
            (void)putchar('#');
        printf("\n");
    }
}

/* Numbers and the name of the ruleset: nothing needs escaping. The seed is text, because a JSON number holds 53 bits.
 */
static void print_json(const struct census *census)
{
    printf("{\"ruleset\": \"%s\", \"seed\": \"%" PRIu64 "\", \"shards\": %" PRIu64 ", \"games\": %" PRIu64
           ", \"planned_games\": %" PRIu64 ", \"positions\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"scored\": %" PRIu64
           ", \"mean_score_result_error\": %.4f",
           census->ruleset->name, census->seed, census->shards, census->games, census->planned_games, census->rows,
           census->size_bytes, census->scored, mean_error(census));
    for (int bit = 0; bit < CENSUS_FLAGS; bit++)
        printf(", \"%s\": %" PRIu64, flag_names[bit], census->flags[bit]);
    printf(", \"plies\": [");
    for (int ply = 0; ply < CENSUS_PLIES; ply++)
        printf("%s%" PRIu64, ply ? ", " : "", census->plies[ply].rows);
    printf("]}\n");
}

int verb_info(int argc, char **argv)
{
    static const struct argp_option options[] = {{"json", KEY_JSON, NULL, 0, "One JSON object", 0},
                                                 {NULL, 0, NULL, 0, NULL, 0}};
    static const char documentation[] = "Counts what a dataset holds: positions by ply, labels, flags.\v"
                                        "Example:\n  willow selfplay info data/first";
    static const struct argp argp = {options, parse_option, "DIR", documentation, NULL, NULL, NULL};
    struct info_command command = {0};
    struct willow_error error = {0};
    struct census census;
    willow_parse_options(&argp, argc, argv, &command);
    if (census_take(command.folder, &census, &error) != WILLOW_OK)
        return willow_report(&error);
    if (command.json) {
        print_json(&census);
        return willow_finish(WILLOW_EXIT_OK);
    }
    print_head(&command, &census);
    print_plies(&census);
    print_histogram("results", census.results, census.rows);
    if (census.scored > 0)
        print_histogram("scores", census.scores, census.scored);
    return willow_finish(WILLOW_EXIT_OK);
}
