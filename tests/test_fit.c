/* The fit end to end: the evaluation it minimises is the one the engine plays, whatever the threads; memory; bad input.
 */
#include "support/datasets.h"
#include "support/scratch.h"
#include "trainer/fit/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/random.h>

#include "support/sanitized.h"

static const char folder[] = "fit-data", big_folder[] = "fit-data-big", file[] = "fit-weights.wlw";
enum { GAMES = 150 };

/* A label that a linear evaluation can learn: discs on edges and in corners, with some noise. */
static void label_edges(struct willow_row *row, void *context)
{
    (void)context;
    const uint64_t edges = 0xFF818181818181FFULL, corners = 0x8100000000000081ULL;
    int score = 80 * (__builtin_popcountll(row->player & edges) - __builtin_popcountll(row->opponent & edges)) +
                200 * (__builtin_popcountll(row->player & corners) - __builtin_popcountll(row->opponent & corners)) +
                (int)(row->player % 97);
    row->score = (int16_t)(score > 2000 ? 2000 : score < -2000 ? -2000 : score);
    row->depth = 1;
}

static int set_up(void **state)
{
    (void)state;
    scratch_remove(folder);
    scratch_remove(big_folder);
    return datasets_write_random(folder, 21, 2, GAMES, label_edges, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(folder);
    scratch_remove(big_folder);
    unlink(file);
    return 0;
}

static const char *const folders[] = {folder};

static struct label_rules rules;

static struct fit_options options_for(int iterations, int threads)
{
    rules = label_rules_default();
    return (struct fit_options){.folders = folders,
                                .folder_count = 1,
                                .patterns = "p46",
                                .stages = 12,
                                .last_ply = 60,
                                .rules = &rules,
                                .held_out = 0.2,
                                .solver = {.iterations = iterations,
                                           .tolerance = 1e-3,
                                           .patience = 5,
                                           .prior = 3.0,
                                           .clip_discs = 24.0,
                                           .threads = threads},
                                .scratch = ".",
                                .command = "test",
                                .tool = "test"};
}

static struct willow_weights *run(const struct fit_options *options, struct fit_report *report)
{
    struct willow_weights *weights = NULL;
    struct willow_error error = {0};
    char text[1024];
    if (fit_run(options, &weights, report, &error) != WILLOW_OK)
        fail_msg("%s", willow_error_text(&error, text, sizeof text));
    return weights;
}

/* The trainer's evaluation of a board in a stage, as pass_rounded measures it. */
static willow_score trainer_evaluate(const struct willow_weights *weights, int stage, struct willow_board board)
{
    struct features features = features_of_patterns(willow_weights_patterns(weights));
    return pass_evaluate(&features, willow_weights_values(weights) + (size_t)stage * features.weights, board);
}

static int trainer_stage(const struct willow_weights *weights, int ply)
{
    const struct willow_stages *stages = willow_weights_stages(weights);
    int found = -1;
    for (int s = 0; s < stages->count; s++) {
        int first, last;
        if (!willow_stage_plies(stages, s, &first, &last) || ply < first || ply > last)
            continue;
        assert_int_equal(found, -1); /* a ply belongs to one stage */
        found = s;
    }
    assert_int_not_equal(found, -1);
    return found;
}

/* Every row of the data; the caller frees it. */
static struct willow_row *read_all(size_t *count)
{
    struct willow_reader *reader = NULL;
    struct willow_error error;
    assert_int_equal(willow_reader_open(folders, 1, 0, 60, willow_ruleset_default(), false, &reader, &error),
                     WILLOW_OK);
    const size_t capacity = (size_t)willow_reader_rows(reader);
    struct willow_row *rows = calloc(capacity + 1, sizeof *rows);
    assert_non_null(rows);
    *count = 0;
    for (size_t got = 1; got > 0; *count += got)
        assert_int_equal(willow_reader_next(reader, rows + *count, capacity - *count + 1, &got, &error), WILLOW_OK);
    assert_int_equal(*count, capacity);
    willow_reader_free(reader);
    return rows;
}

/* The same for the images of a board. */
static uint64_t board_key(const struct willow_row *row)
{
    return willow_board_hash(
        willow_board_canonical(willow_ruleset_default(), (struct willow_board){row->player, row->opponent}, NULL));
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Promise 1: on the file as written and read again, over every row and every ply, the trainer's sum and the engine's
 * evaluation are the same integer, and the reported held-out error is the engine's own. */
static void test_trainer_and_engine_agree(void **state)
{
    (void)state;
    struct fit_options options = options_for(3, 2);
    struct fit_report report;
    struct willow_error error;
    struct willow_weights *fitted = run(&options, &report), *weights = NULL;
    assert_int_equal(willow_weights_save(fitted, file, &error), WILLOW_OK);
    assert_int_equal(willow_weights_load(file, &weights, &error), WILLOW_OK);
    assert_string_equal(willow_weights_checksum(fitted), willow_weights_checksum(weights));
    assert_int_equal(report.count, 12);

    size_t count;
    struct willow_row *rows = read_all(&count);
    uint64_t *fitted_boards = calloc(count, sizeof *fitted_boards);
    size_t fitted_count = 0;
    assert_non_null(fitted_boards);
    for (size_t i = 0; i < count; i++)
        if (!willow_game_held_out(21, rows[i].game, 0.2))
            fitted_boards[fitted_count++] = board_key(&rows[i]);
    qsort(fitted_boards, fitted_count, sizeof *fitted_boards, compare_keys);

    uint64_t seen[61] = {0}, held_out[WILLOW_STAGES_MAX] = {0}, all[WILLOW_STAGES_MAX] = {0};
    double absolute[WILLOW_STAGES_MAX] = {0};
    int distinct = 0;
    for (size_t i = 0; i < count; i++) {
        struct willow_board board = {rows[i].player, rows[i].opponent};
        int stage = trainer_stage(weights, rows[i].ply);
        willow_score played = willow_evaluate(weights, board);
        assert_int_equal(played, trainer_evaluate(weights, stage, board));
        distinct += stage > 0 && played != trainer_evaluate(weights, stage - 1, board);
        seen[rows[i].ply]++;
        const uint64_t key = board_key(&rows[i]);
        const bool is_held_out = willow_game_held_out(21, rows[i].game, 0.2);
        if (is_held_out && bsearch(&key, fitted_boards, fitted_count, sizeof key, compare_keys))
            continue; /* a board that was fitted too measures nothing */
        all[stage]++;
        if (is_held_out) {
            held_out[stage]++;
            absolute[stage] += abs(played - rows[i].score);
        }
    }
    free(rows);
    free(fitted_boards);
    for (int ply = 0; ply < 60; ply++)
        assert_true(seen[ply] > 0);
    assert_true(distinct > 10000); /* another stage would have been noticed */
    int measured = 0;
    for (int s = 0; s < report.count; s++) {
        const struct fit_stage *stage = &report.stages[s];
        assert_int_equal(stage->rows, all[stage->stage]);
        assert_int_equal(stage->rounding.held_out.all.rows, held_out[stage->stage]);
        if (held_out[stage->stage] == 0)
            continue; /* few boards, all of them fitted */
        measured++;
        double mae = absolute[stage->stage] / (double)held_out[stage->stage] / WILLOW_SCORE_DISC;
        assert_true(fabs(mae - stage->rounding.held_out.all.mae_discs) < 1e-6);
    }
    assert_true(measured >= 10);
    willow_weights_free(fitted);
    willow_weights_free(weights);
    fit_report_clear(&report);
}

/* Boards that no game shows: any discs anywhere, from a lone disc to a full board. */
static void test_agree_on_random_boards(void **state)
{
    (void)state;
    struct fit_options options = options_for(2, 1);
    struct fit_report report;
    struct willow_weights *weights = run(&options, &report);
    struct willow_random random;
    willow_random_init(&random, 3, 3);
    for (int i = 0; i < 20000; i++) {
        uint64_t discs = 0;
        for (uint32_t wanted = 4 + (uint32_t)i % 60; (uint32_t)__builtin_popcountll(discs) < wanted;)
            discs |= 1ULL << willow_random_below(&random, 64);
        uint64_t player = discs & willow_random_u64(&random);
        struct willow_board board = {player, discs & ~player};
        int stage = trainer_stage(weights, __builtin_popcountll(discs) - 4);
        assert_int_equal(stage, willow_stage_of_discs(willow_weights_stages(weights), __builtin_popcountll(discs)));
        assert_int_equal(willow_evaluate(weights, board), trainer_evaluate(weights, stage, board));
    }
    willow_weights_free(weights);
    fit_report_clear(&report);
}

static void test_fit_learns(void **state)
{
    (void)state;
    struct fit_options options = options_for(20, 2);
    options.first_ply = 35;
    struct fit_report report;
    struct willow_weights *weights = run(&options, &report);
    int better = 0;
    double cost = 0.0;
    for (int s = 0; s < report.count; s++) {
        const struct solver_report *solver = &report.stages[s].solver;
        const double mae = report.stages[s].rounding.held_out.all.mae_discs;
        assert_true(mae <= solver->held_out_before.mae_discs + 0.1);
        better += mae < 0.7 * solver->held_out_before.mae_discs;
        cost += fabs(mae - solver->held_out_fitted.all.mae_discs) / report.count;
    }
    assert_true(cost < 0.1); /* rounding */
    assert_int_equal(better, report.count);
    /* Promise 7: what the weights were made of, and how well, stands in the file. */
    const char *provenance = willow_weights_provenance(weights);
    const struct fit_stage *last = &report.stages[report.count - 1];
    char line[256];
    snprintf(line, sizeof line, "\nstage 11: plies 55-59 rows %llu held-out %llu mae %.4f rmse %.4f data %s\n",
             (unsigned long long)last->rows, (unsigned long long)last->rounding.held_out.all.rows,
             last->rounding.held_out.all.mae_discs, last->rounding.held_out.all.rmse_discs, last->data);
    assert_non_null(strstr(provenance, line));
    assert_int_equal(strlen(last->data), WILLOW_CHECKSUM_TEXT - 1);
    assert_non_null(
        strstr(provenance, "command: test\ntool: test\nseed: of the data\nruleset: othello\ninit: zero\ndata: rows "));
    willow_weights_free(weights);
    fit_report_clear(&report);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    struct fit_report report;
    char checksum[WILLOW_CHECKSUM_TEXT] = "";
    for (int threads = 1; threads <= 4; threads++) {
        struct fit_options options = options_for(4, threads);
        options.first_ply = 45;
        struct willow_weights *weights = run(&options, &report);
        if (threads == 1)
            memcpy(checksum, willow_weights_checksum(weights), sizeof checksum);
        assert_string_equal(willow_weights_checksum(weights), checksum);
        willow_weights_free(weights);
        fit_report_clear(&report);
    }
}

/* Only the stages of the plies change; a later fit keeps the other stages and their lines of provenance. */
static void test_plies_and_init(void **state)
{
    (void)state;
    struct fit_options options = options_for(4, 1);
    struct fit_report report;
    struct willow_error error;
    options.first_ply = 40;
    options.last_ply = 44;
    struct willow_weights *first = run(&options, &report);
    assert_int_equal(report.count, 1); /* plies 40-44 are stage 8 of 12 */
    assert_int_equal(report.stages[0].stage, 8);
    assert_int_equal(willow_weights_save(first, file, &error), WILLOW_OK);

    options.init = file;
    options.first_ply = options.last_ply = 39;
    options.start = FIT_START_NEXT;
    options.solver.iterations = 0;
    fit_report_clear(&report);
    struct willow_weights *second = run(&options, &report);
    const uint32_t weights = willow_pattern_set_weights(willow_weights_patterns(second));
    const int16_t *before = willow_weights_values(first), *after = willow_weights_values(second);
    assert_int_equal(report.stages[0].stage, 7);
    assert_int_equal(report.stages[0].first_ply, 39);
    assert_int_equal(report.stages[0].last_ply, 39);
    for (int s = 0; s < 12; s++) {
        /* No step was made, so stage 7 shows where it started from: stage 8. */
        const int16_t *wanted = before + (size_t)(s == 7 ? 8 : s) * weights;
        assert_memory_equal(after + (size_t)s * weights, wanted, weights * sizeof *wanted);
    }
    assert_non_null(strstr(willow_weights_provenance(second), "\nstage 8: plies 40-44 rows "));
    assert_non_null(strstr(willow_weights_provenance(second), "\nstage 7: plies 39-39 rows "));
    assert_null(strstr(willow_weights_provenance(second), "\nstage 6: "));
    willow_weights_free(first);
    willow_weights_free(second);
    fit_report_clear(&report);
}

static void expect_failure(const struct fit_options *options, enum willow_status status, const char *reason)
{
    struct fit_report report;
    struct willow_error error = {0};
    struct willow_weights *weights = NULL;
    char text[1024];
    assert_int_equal(fit_run(options, &weights, &report, &error), status);
    fit_report_clear(&report);
    assert_null(weights);
    if (!strstr(willow_error_text(&error, text, sizeof text), reason))
        fail_msg("'%s' does not say '%s'", text, reason);
}

static void test_bad_input(void **state)
{
    (void)state;
    struct fit_options options = options_for(2, 1);
    options.patterns = "p47";
    expect_failure(&options, WILLOW_ERR_ARGUMENT, "p47");

    options = options_for(2, 1);
    options.init = "no-such-file.wlw";
    expect_failure(&options, WILLOW_ERR_IO, "no-such-file.wlw");

    const char *const missing[] = {"no-such-folder"};
    options = options_for(2, 1);
    options.folders = missing;
    expect_failure(&options, WILLOW_ERR_IO, "no-such-folder");

    options = options_for(2, 1);
    options.scratch = "no-such-folder";
    expect_failure(&options, WILLOW_ERR_IO, "no-such-folder");

    options = options_for(2, 1);
    options.first_ply = 60;
    expect_failure(&options, WILLOW_ERR_MISMATCH, "no position to fit in plies 60-60");

    struct fit_report report;
    struct willow_error error;
    options = options_for(0, 1);
    struct willow_weights *weights = run(&options, &report);
    assert_int_equal(willow_weights_save(weights, file, &error), WILLOW_OK);
    willow_weights_free(weights);
    fit_report_clear(&report);
    options.init = file;
    options.stages = 20;
    expect_failure(&options, WILLOW_ERR_MISMATCH, "12 stages, not 20");
    options.stages = 0;
    options.patterns = "p58";
    expect_failure(&options, WILLOW_ERR_MISMATCH, "p46, not p58");

    char shard[64];
    snprintf(shard, sizeof shard, "%s/shard-000001.h5", folder);
    assert_int_equal(truncate(shard, 1000), 0);
    options = options_for(2, 1);
    expect_failure(&options, WILLOW_ERR_FORMAT, "shard-000001.h5");
}

/* Peak memory of a child that fits one stage to all rows of a dataset, in KiB; 0 when it failed. */
static long peak_of_fit(const char *data)
{
    int ends[2];
    long peak = 0;
    if (pipe(ends) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0) {
        const char *const one[] = {data};
        struct fit_options options = options_for(2, 2);
        options.folders = one;
        options.stages = 1;
        options.held_out = 0.0; /* every list has filled its block in memory with the smaller data */
        struct fit_report report;
        struct willow_weights *weights = NULL;
        if (fit_run(&options, &weights, &report, NULL) != WILLOW_OK)
            _exit(1);
        FILE *status = fopen("/proc/self/status", "r");
        char line[256];
        while (status && fgets(line, sizeof line, status))
            if (sscanf(line, "VmHWM: %ld", &peak) == 1)
                break;
        _exit(write(ends[1], &peak, sizeof peak) == (ssize_t)sizeof peak ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &peak, sizeof peak) != (ssize_t)sizeof peak)
        peak = 0;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return peak;
}

/* Three times the rows: 144,000 more, which would take 3.4 MB even in the most compact form. */
static void test_memory_does_not_grow(void **state)
{
    (void)state;
    if (SANITIZED)
        skip(); /* freed memory stays in quarantine there */
    static const char larger_folder[] = "fit-data-larger";
    scratch_remove(larger_folder);
    assert_true(datasets_write_random(big_folder, 22, 8, GAMES, label_edges, NULL));
    assert_true(datasets_write_random(larger_folder, 23, 24, GAMES, label_edges, NULL));
    long small = peak_of_fit(big_folder), big = peak_of_fit(larger_folder);
    scratch_remove(larger_folder);
    assert_true(small > 0 && big > 0);
    if (labs(big - small) > 768)
        fail_msg("peak memory %ld KiB with %d games, %ld KiB with %d games", small, 8 * GAMES, big, 24 * GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trainer_and_engine_agree),
        cmocka_unit_test(test_agree_on_random_boards),
        cmocka_unit_test(test_fit_learns),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_plies_and_init),
        cmocka_unit_test(test_memory_does_not_grow),
        cmocka_unit_test(test_bad_input), /* last: it damages the data */
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
