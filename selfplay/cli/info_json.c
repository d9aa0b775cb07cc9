/* A census as one line of JSON. Layer: selfplay (program). */
#include <inttypes.h>
#include <stdio.h>

#include <willow/program.h>

#include "info.h"

static void print_counts(const char *key, const uint64_t *counts, int count)
{
    printf(", \"%s\": [", key);
    for (int i = 0; i < count; i++)
        printf("%s%" PRIu64, i ? ", " : "", counts[i]);
    printf("]");
}

/* The seed is text, because a JSON number holds 53 bits. */
static void print_folder(const struct census_folder *folder)
{
    printf("{\"path\": ");
    willow_json_string(stdout, folder->path);
    printf(", \"seed\": \"%" PRIu64 "\", \"shards\": %" PRIu64 ", \"games\": %" PRIu64 ", \"planned_games\": %" PRIu64
           ", \"positions\": %" PRIu64 ", \"bytes\": %" PRIu64,
           folder->seed, folder->shards, folder->games, folder->planned_games, folder->rows, folder->size_bytes);
    printf(", \"tool\": ");
    willow_json_string(stdout, folder->first.tool);
    printf(", \"weights\": ");
    willow_json_string(stdout, folder->first.weights);
    printf(", \"labels\": ");
    willow_json_string(stdout, folder->first.labels);
    printf(", \"shards_differ\": %s}", folder->shards_differ ? "true" : "false");
}

static void print_fit(const struct census_fit *fit)
{
    if (fit->rows == 0) {
        printf("null");
        return;
    }
    printf("{\"mean_error\": %.4f, \"rms_error\": %.4f, \"bias\": %.4f, \"correlation\": %.4f}", census_mean_error(fit),
           census_rms_error(fit), census_bias(fit), census_correlation(fit));
}

static void print_plies(const struct census *census)
{
    printf(", \"plies\": [");
    for (int ply = 0; ply < info_plies(census); ply++)
        printf("%s%" PRIu64, ply ? ", " : "", census->plies[ply].rows);
    printf("], \"by_ply\": [");
    for (int ply = 0; ply < info_plies(census); ply++) {
        const struct census_ply *at = &census->plies[ply];
        printf("%s{\"positions\": %" PRIu64 ", \"scored\": %" PRIu64 ", \"exact\": %" PRIu64 ", \"selective\": %" PRIu64
               ", \"mean_depth\": ",
               ply ? ", " : "", at->rows, at->fit.rows, at->exact, at->selective);
        if (at->searched > 0)
            printf("%.3f", info_share(at->depth, at->searched));
        else
            printf("null");
        if (census->duplicates)
            printf(", \"distinct\": %" PRIu64, at->distinct);
        else
            printf(", \"distinct\": null");
        printf(", \"score_result\": ");
        print_fit(&at->fit);
        printf("}");
    }
    printf("]");
}

static void print_labels(const struct census *census)
{
    printf(", \"labels\": {\"bin_discs\": %d", CENSUS_BIN_DISCS);
    print_counts("scores", census->scores, CENSUS_BINS);
    print_counts("results", census->results, CENSUS_BINS);
    printf(", \"mean_result_by_score\": [");
    for (int bin = 0; bin < CENSUS_BINS; bin++) {
        printf("%s", bin ? ", " : "");
        if (census->scores[bin] > 0)
            printf("%.3f", (double)census->result_by_score[bin] / (double)census->scores[bin]);
        else
            printf("null");
    }
    printf("], \"density\": [");
    for (int score = 0; score < CENSUS_BINS; score++)
        for (int result = 0; result < CENSUS_BINS; result++)
            printf("%s%s%" PRIu64 "%s", score && !result ? ", " : "", result ? ", " : "[",
                   census->density[score][result], result == CENSUS_BINS - 1 ? "]" : "");
    printf("], \"searches\": [");
    bool begun = false;
    for (int depth = 0; depth < CENSUS_DEPTHS; depth++)
        for (int selectivity = 0; selectivity < CENSUS_SELECTIVITIES; selectivity++)
            if (census->kinds[depth][selectivity] > 0) {
                printf("%s{\"depth\": %d, \"selectivity\": %d, \"positions\": %" PRIu64 "}", begun ? ", " : "", depth,
                       selectivity, census->kinds[depth][selectivity]);
                begun = true;
            }
    printf("]}");
}

static void print_games(const struct census_games *games)
{
    printf(", \"game_results\": {\"black_wins\": %" PRIu64 ", \"draws\": %" PRIu64 ", \"white_wins\": %" PRIu64
           ", \"black_discs\": %" PRId64 ", \"moves\": %" PRIu64 ", \"passes\": %" PRIu64
           ", \"games_with_pass\": %" PRIu64 ", \"repeated_games\": %" PRIu64 "}",
           games->black_wins, games->draws, games->games - games->black_wins - games->draws, games->discs, games->moves,
           games->passes, games->passed, games->games - games->distinct);
    printf(", \"openings\": {\"distinct\": %" PRIu64 ", \"repeated\": %" PRIu64, games->distinct_openings,
           games->games - games->distinct_openings);
    print_counts("by_plies", games->openings, WILLOW_PLIES);
    printf("}, \"pool\": [");
    bool begun = false;
    for (int i = 1; i < CENSUS_WEIGHTS; i++) {
        const struct census_pool *pool = &games->pool[i];
        if (pool->games == 0)
            continue;
        printf("%s{\"weights\": %d, \"games\": %" PRIu64 ", \"wins\": %" PRIu64 ", \"draws\": %" PRIu64
               ", \"discs\": %" PRId64 "}",
               begun ? ", " : "", i, pool->games, pool->wins, pool->draws, pool->discs);
        begun = true;
    }
    printf("], \"pool_against_pool\": %" PRIu64, games->pool_both);
}

void info_print_json(const struct census *census)
{
    struct census_ply whole = info_whole(census);
    printf("{\"ruleset\": \"%s\", \"seed\": \"%" PRIu64 "\", \"shards\": %" PRIu64 ", \"games\": %" PRIu64
           ", \"planned_games\": %" PRIu64 ", \"positions\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"scored\": %" PRIu64
           ", \"mean_score_result_error\": %.4f",
           census->ruleset->name, census->folders[0].seed, census->shards, census->games.games,
           info_games_planned(census), census->rows, census->size_bytes, whole.fit.rows, census_mean_error(&whole.fit));
    for (int bit = 0; bit < CENSUS_FLAGS; bit++)
        printf(", \"%s\": %" PRIu64, info_flag_names[bit], census->flags[bit]);
    printf(", \"score_result\": ");
    print_fit(&whole.fit);
    if (census->duplicates)
        printf(", \"distinct\": %" PRIu64 ", \"repeated\": %" PRIu64, census->distinct,
               census->rows - census->distinct);
    else
        printf(", \"distinct\": null, \"repeated\": null");
    print_plies(census);
    print_labels(census);
    print_games(&census->games);
    printf(", \"folders\": [");
    for (size_t i = 0; i < census->folders_count; i++) {
        printf("%s", i ? ", " : "");
        print_folder(&census->folders[i]);
    }
    printf("]}\n");
}
