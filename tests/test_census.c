/* What info counts: every sum held against a slow recount from the rows and games themselves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

#include "selfplay/tools/census.h"
#include "support/datasets.h"
#include "support/scratch.h"

enum { SHARDS = 2, GAMES = 6, FOLDERS = 2, SHARD_PATH = SCRATCH_PATH + 32 };

struct data {
    char root[SCRATCH_PATH], folders[FOLDERS][SCRATCH_PATH];
    const char *paths[FOLDERS];
    struct census census;
    struct willow_row *rows; /* of all folders */
    size_t count;
};

/* Scores of every kind, made from the position alone. */
static void label(struct willow_row *row, void *context)
{
    static const uint8_t percents[] = {73, 95, 100};
    struct willow_random random;
    (void)context;
    willow_random_init(&random, row->player, row->opponent);
    if (willow_random_below(&random, 4) == 0)
        return;
    bool exact = willow_random_below(&random, 3) == 0;
    row->depth = (uint8_t)(1 + willow_random_below(&random, 60));
    row->selectivity = exact ? 100 : percents[willow_random_below(&random, 3)];
    row->score = (int16_t)((int)willow_random_below(&random, 4097) - 2048);
    row->score = (int16_t)(exact ? row->score / 64 * 64 : row->score);
    row->flags =
        (uint8_t)(row->flags | (exact ? WILLOW_ROW_EXACT : 0) | (row->selectivity < 100 ? WILLOW_ROW_SELECTIVE : 0) |
                  (willow_random_below(&random, 5) == 0 ? WILLOW_ROW_SOLVED_RESULT : 0) |
                  (willow_random_below(&random, 5) == 0 ? WILLOW_ROW_AFTER_RANDOM : 0));
}

static enum willow_status take(struct data *data, size_t folders, bool duplicates, struct willow_error *error)
{
    struct census_options options = {
        .folders = data->paths, .count = folders, .duplicates = duplicates, .memory_bytes = 1 << 20};
    census_clear(&data->census);
    return census_take(&options, &data->census, error);
}

static int setup(void **state)
{
    struct data *data = calloc(1, sizeof *data);
    size_t counts[FOLDERS];
    struct willow_row *rows[FOLDERS];
    scratch_make(data->root);
    for (int i = 0; i < FOLDERS; i++) {
        data->paths[i] = scratch_join(data->folders[i], data->root, i ? "second" : "first");
        assert_true(datasets_write_random(data->paths[i], (uint64_t)(3 + i), SHARDS, GAMES, label, NULL));
        rows[i] = datasets_rows(data->paths[i], &counts[i]);
        data->count += counts[i];
    }
    data->rows = malloc(data->count * sizeof *data->rows);
    memcpy(data->rows, rows[0], counts[0] * sizeof *data->rows);
    memcpy(data->rows + counts[0], rows[1], counts[1] * sizeof *data->rows);
    free(rows[0]);
    free(rows[1]);
    assert_int_equal(take(data, FOLDERS, true, NULL), WILLOW_OK);
    *state = data;
    return 0;
}

static int teardown(void **state)
{
    struct data *data = *state;
    scratch_remove(data->root);
    census_clear(&data->census);
    free(data->rows);
    free(data);
    return 0;
}

static void rows_of_each_ply_are_counted(void **state)
{
    const struct data *data = *state;
    assert_int_equal(data->census.rows, data->count);
    for (int ply = 0; ply < WILLOW_PLIES; ply++) {
        uint64_t rows = 0, scored = 0, exact = 0, selective = 0, depth = 0;
        for (size_t i = 0; i < data->count; i++) {
            const struct willow_row *row = &data->rows[i];
            if (row->ply != ply)
                continue;
            rows++;
            if (row->score == WILLOW_SCORE_MISSING)
                continue;
            scored++;
            if (row->flags & WILLOW_ROW_EXACT)
                exact++;
            else
                depth += row->depth;
            if (row->flags & WILLOW_ROW_SELECTIVE)
                selective++;
        }
        const struct census_ply *at = &data->census.plies[ply];
        assert_int_equal(at->rows, rows);
        assert_int_equal(at->fit.rows, scored);
        assert_int_equal(at->exact, exact);
        assert_int_equal(at->searched, scored - exact);
        assert_int_equal(at->selective, selective);
        assert_int_equal(at->depth, depth);
    }
}

static void flags_and_kinds_are_counted(void **state)
{
    const struct data *data = *state;
    for (int bit = 0; bit < CENSUS_FLAGS; bit++) {
        uint64_t rows = 0;
        for (size_t i = 0; i < data->count; i++)
            rows += (data->rows[i].flags & 1 << bit) != 0;
        assert_int_equal(data->census.flags[bit], rows);
        assert_true(rows > 0);
    }
    uint64_t all = 0;
    for (int depth = 0; depth < CENSUS_DEPTHS; depth++)
        for (int selectivity = 0; selectivity < CENSUS_SELECTIVITIES; selectivity++) {
            uint64_t rows = 0;
            for (size_t i = 0; i < data->count; i++)
                rows += data->rows[i].score != WILLOW_SCORE_MISSING && !(data->rows[i].flags & WILLOW_ROW_EXACT) &&
                        data->rows[i].depth == depth && data->rows[i].selectivity == selectivity;
            assert_int_equal(data->census.kinds[depth][selectivity], rows);
            all += rows;
        }
    assert_true(all > 0);
}

/* The nearest of the bins' middles; of two the outer one. */
static int slow_bin(double discs)
{
    int best = 0;
    for (int bin = 0; bin < CENSUS_BINS; bin++) {
        double now = fabs(discs - CENSUS_BIN_DISCS * (bin - CENSUS_BINS / 2));
        double former = fabs(discs - CENSUS_BIN_DISCS * (best - CENSUS_BINS / 2));
        if (now < former || (now <= former && discs > 0))
            best = bin;
    }
    return best;
}

static void histograms_match_the_rows(void **state)
{
    const struct data *data = *state;
    static uint64_t scores[CENSUS_BINS], results[CENSUS_BINS], density[CENSUS_BINS][CENSUS_BINS];
    int64_t sums[CENSUS_BINS] = {0};
    memset(scores, 0, sizeof scores), memset(results, 0, sizeof results), memset(density, 0, sizeof density);
    for (size_t i = 0; i < data->count; i++) {
        const struct willow_row *row = &data->rows[i];
        results[slow_bin(row->result)]++;
        if (row->score == WILLOW_SCORE_MISSING)
            continue;
        int bin = slow_bin((double)row->score / WILLOW_SCORE_DISC);
        scores[bin]++;
        density[bin][slow_bin(row->result)]++;
        sums[bin] += row->result;
    }
    assert_memory_equal(data->census.scores, scores, sizeof scores);
    assert_memory_equal(data->census.results, results, sizeof results);
    assert_memory_equal(data->census.density, density, sizeof density);
    assert_memory_equal(data->census.result_by_score, sums, sizeof sums);
}

static void near(double got, double wanted)
{
    if (fabs(got - wanted) > 1e-9)
        fail_msg("%.12f instead of %.12f", got, wanted);
}

static void scores_are_held_against_results(void **state)
{
    const struct data *data = *state;
    for (int first = 0; first < WILLOW_PLIES; first += 20) {
        int last = first + 19 < WILLOW_PLIES ? first + 19 : WILLOW_PLIES - 1;
        double n = 0, absolute = 0, square = 0, bias = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
        for (size_t i = 0; i < data->count; i++) {
            const struct willow_row *row = &data->rows[i];
            if (row->ply < first || row->ply > last || row->score == WILLOW_SCORE_MISSING)
                continue;
            double score = (double)row->score / 32, difference = row->result - score;
            n++, absolute += fabs(difference), square += difference * difference, bias += difference;
            x += score, y += row->result;
        }
        struct census_fit fit = census_plies(&data->census, first, last).fit;
        if (n == 0) {
            near(census_mean_error(&fit), 0), near(census_rms_error(&fit), 0), near(census_bias(&fit), 0);
            continue;
        }
        for (size_t i = 0; i < data->count; i++) {
            const struct willow_row *row = &data->rows[i];
            if (row->ply < first || row->ply > last || row->score == WILLOW_SCORE_MISSING)
                continue;
            double score = (double)row->score / 32 - x / n, result = row->result - y / n;
            xx += score * score, yy += result * result, xy += score * result;
        }
        near(census_mean_error(&fit), absolute / n);
        near(census_rms_error(&fit), sqrt(square / n));
        near(census_bias(&fit), bias / n);
        near(census_correlation(&fit), xy / sqrt(xx * yy));
    }
}

static bool same_up_to_symmetry(struct willow_board a, struct willow_board b)
{
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        struct willow_board image = willow_board_symmetry(willow_ruleset_default(), a, symmetry);
        if (image.player == b.player && image.opponent == b.opponent)
            return true;
    }
    return false;
}

static void distinct_positions_are_counted(void **state)
{
    struct data *data = *state;
    uint64_t distinct[WILLOW_PLIES] = {0}, all = 0;
    for (size_t i = 0; i < data->count; i++) {
        const struct willow_row *row = &data->rows[i];
        bool repeated = false;
        for (size_t k = 0; k < i && !repeated; k++)
            repeated = data->rows[k].ply == row->ply &&
                       same_up_to_symmetry((struct willow_board){row->player, row->opponent},
                                           (struct willow_board){data->rows[k].player, data->rows[k].opponent});
        distinct[row->ply] += !repeated;
        all += !repeated;
    }
    assert_true(data->census.duplicates);
    assert_true(all < data->count);
    assert_int_equal(data->census.distinct, all);
    for (int ply = 0; ply < WILLOW_PLIES; ply++)
        assert_int_equal(data->census.plies[ply].distinct, distinct[ply]);
    /* Without that count everything else is the same. */
    struct census *with = malloc(sizeof *with);
    *with = data->census;
    with->folders = NULL, with->distinct = 0, with->duplicates = false;
    for (int ply = 0; ply < WILLOW_PLIES; ply++)
        with->plies[ply].distinct = 0;
    assert_int_equal(take(data, FOLDERS, false, NULL), WILLOW_OK);
    struct census_folder *folders = data->census.folders;
    data->census.folders = NULL;
    assert_memory_equal(&data->census, with, sizeof *with);
    data->census.folders = folders;
    free(with);
}

static void folders_are_described(void **state)
{
    struct data *data = *state;
    uint64_t rows = 0, games = 0, shards = 0, bytes = 0;
    for (int i = 0; i < FOLDERS; i++) {
        const struct census_folder *folder = &data->census.folders[i];
        char path[SHARD_PATH];
        size_t size;
        assert_string_equal(folder->path, data->paths[i]);
        assert_int_equal(folder->seed, 3 + i);
        assert_int_equal(folder->shards, SHARDS);
        assert_int_equal(folder->games, SHARDS * GAMES);
        assert_false(folder->shards_differ);
        uint64_t wanted = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            (void)snprintf(path, sizeof path, "%s/shard-%06d.h5", data->paths[i], shard);
            free(scratch_read(path, &size));
            wanted += size;
        }
        assert_int_equal(folder->size_bytes, wanted);
        rows += folder->rows, games += folder->games, shards += folder->shards, bytes += wanted;
    }
    assert_int_equal(data->census.rows, rows);
    assert_int_equal(data->census.games.games, games);
    assert_int_equal(data->census.shards, shards);
    assert_int_equal(data->census.size_bytes, bytes);
    data->paths[1] = "nowhere";
    struct willow_error error;
    assert_int_equal(take(data, FOLDERS, true, &error), WILLOW_ERR_IO);
    assert_int_equal(take(data, 1, true, NULL), WILLOW_OK);
    assert_int_equal(data->census.games.games, SHARDS * GAMES);
}

/* Random games, mirror images of some and the same opening for some, with weights of a pool. */
enum { PLAYED = 40, REPEATED = 7, ALL = PLAYED + REPEATED };

static void make_games(struct willow_game_row games[ALL])
{
    struct willow_game_row *played;
    size_t count;
    free(datasets_random_games(21, 0, PLAYED, &played, &count));
    memcpy(games, played, PLAYED * sizeof *games);
    free(played);
    for (int i = 0; i < PLAYED; i++) {
        games[i].opening_plies = (uint8_t)(i % 9);
        games[i].black_weights = (uint8_t)(i % 4 == 1 ? 1 + i % 2 : 0);
        games[i].white_weights = (uint8_t)(i % 4 == 3 || i == 1 ? 2 : 0);
    }
    for (int i = 0; i < REPEATED; i++) {
        struct willow_game_row *game = &games[PLAYED + i];
        *game = games[5 * i];
        /* Of the eight images those of an even number of turned axes begin from the same start. */
        static const int images[] = {0, 3, 4, 7};
        for (int k = 0; k < game->length; k++)
            if (game->moves[k] != WILLOW_PASS)
                game->moves[k] = willow_square_symmetry(willow_ruleset_default(), game->moves[k], images[i % 4]);
    }
}

static struct willow_board opening_of(const struct willow_game_row *row)
{
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    for (int i = 0, plies = 0; plies < row->opening_plies; i++) {
        assert_int_equal(willow_game_play(&game, row->moves[i], NULL), WILLOW_OK);
        plies += row->moves[i] != WILLOW_PASS;
    }
    return willow_game_board(&game);
}

static void games_and_openings_are_counted(void **state)
{
    (void)state;
    static struct willow_game_row games[ALL];
    struct census_games *census = calloc(1, sizeof *census);
    struct census_hashes hashes = {0};
    make_games(games);
    for (int part = 0; part < 2; part++) /* as of two shards */
        assert_int_equal(
            census_games_add(census, &hashes, willow_ruleset_default(), games + part * 10, part ? ALL - 10 : 10, NULL),
            WILLOW_OK);
    census_games_finish(census, &hashes);
    uint64_t openings = 0, black = 0, draws = 0, passes = 0, passed = 0, moves = 0, both = 0, pools = 0;
    int64_t discs = 0, pool_discs = 0;
    for (int i = 0; i < ALL; i++) {
        bool repeated = false;
        for (int k = 0; k < i && !repeated; k++)
            repeated = same_up_to_symmetry(opening_of(&games[i]), opening_of(&games[k]));
        openings += !repeated;
        uint64_t own = 0;
        for (int k = 0; k < games[i].length; k++)
            own += games[i].moves[k] == WILLOW_PASS;
        passes += own, passed += own > 0, moves += games[i].length - own;
        black += games[i].result > 0, draws += games[i].result == 0, discs += games[i].result;
        both += games[i].black_weights && games[i].white_weights;
        if (!games[i].black_weights && games[i].white_weights == 2)
            pools++, pool_discs -= games[i].result;
        if (games[i].black_weights == 2 && !games[i].white_weights)
            pools++, pool_discs += games[i].result;
    }
    assert_int_equal(census->games, ALL);
    assert_int_equal(census->distinct, PLAYED);
    assert_int_equal(census->distinct_openings, openings);
    assert_true(openings < PLAYED);
    assert_int_equal(census->openings[0], 5 + 1);
    assert_int_equal(census->black_wins, black);
    assert_int_equal(census->draws, draws);
    assert_int_equal(census->discs, discs);
    assert_int_equal(census->passes, passes);
    assert_int_equal(census->passed, passed);
    assert_int_equal(census->moves, moves);
    assert_int_equal(census->pool_both, both);
    assert_int_equal(census->pool[2].games, pools);
    assert_int_equal(census->pool[2].discs, pool_discs);
    assert_true(both > 0 && pools > 0);
    free(census);
}

static void nothing_divides_by_zero(void **state)
{
    (void)state;
    struct census_fit none = {0}, one = {.rows = 1, .score = 64, .score_square = 4096};
    near(census_mean_error(&none), 0), near(census_rms_error(&none), 0);
    near(census_bias(&none), 0), near(census_correlation(&none), 0);
    near(census_correlation(&one), 0);
    struct census_games *census = calloc(1, sizeof *census);
    struct census_hashes hashes = {0};
    assert_int_equal(census_games_add(census, &hashes, willow_ruleset_default(), NULL, 0, NULL), WILLOW_OK);
    census_games_finish(census, &hashes);
    assert_int_equal(census->distinct, 0);
    free(census);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_each_ply_are_counted),   cmocka_unit_test(flags_and_kinds_are_counted),
        cmocka_unit_test(histograms_match_the_rows),      cmocka_unit_test(scores_are_held_against_results),
        cmocka_unit_test(distinct_positions_are_counted), cmocka_unit_test(folders_are_described),
        cmocka_unit_test(games_and_openings_are_counted), cmocka_unit_test(nothing_divides_by_zero),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
