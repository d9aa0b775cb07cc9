/* Fits to the games of every ruleset of the build: the trainer's evaluation is the engine's, the report's error is the
 * one that the engine makes on the held-out rows, and data and weights of different games do not mix.
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

#include <cmocka.h>

static const char folder[] = "fit-rulesets", other_folder[] = "fit-rulesets-other";
enum { GAMES = 40, SEED = 21 };
static const double held_out = 0.25;

/* What discs on the left and on the right edge differ by: no symmetry hides an orientation that went wrong. */
static void label_sides(struct willow_row *row, void *context)
{
    (void)context;
    int score = 0;
    for (int rank = 0; rank < WILLOW_SIDE; rank++) {
        const willow_bits left = WILLOW_BIT(WILLOW_SIDE * rank);
        score += 90 * ((row->player & left) != 0) - 90 * ((row->opponent & left) != 0);
    }
    score += (int)((uint64_t)row->player % 61) - 30;
    row->score = (int16_t)score;
    row->depth = 1;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(folder);
    scratch_remove(other_folder);
    return 0;
}

static enum willow_status fit(const char *const *folders, size_t count, const struct willow_ruleset *ruleset,
                              const char *init, struct willow_weights **weights, struct fit_report *report,
                              struct willow_error *error)
{
    const struct label_rules rules = label_rules_default();
    const struct fit_options options = {.folders = folders,
                                        .folder_count = count,
                                        .ruleset = ruleset,
                                        .init = init,
                                        .patterns = init ? NULL : "p62",
                                        .stages = init ? 0 : 3,
                                        .last_ply = SAMPLE_PLIES - 1,
                                        .rules = &rules,
                                        .held_out = held_out,
                                        .solver = {.iterations = 3,
                                                   .tolerance = 1e-3,
                                                   .patience = 3,
                                                   .prior = 3.0,
                                                   .backoff_squares = 3,
                                                   .backoff_prior = 30.0,
                                                   .clip_discs = 24.0,
                                                   .threads = 2},
                                        .scratch = ".",
                                        .command = "test",
                                        .tool = "test"};
    return fit_run(&options, weights, report, error);
}

/* Every row's evaluation, and the mean error of those that the fit left among the held-out ones. */
static void compare(const struct willow_weights *weights, const struct fit_report *report)
{
    const struct willow_pattern_set *set = willow_weights_patterns(weights);
    const struct features features = features_of_patterns(set);
    const struct willow_stages *stages = willow_weights_stages(weights);
    size_t count = 0;
    uint64_t rows_held_out = 0;
    bool differ = false;
    struct willow_row *rows = datasets_rows(folder, &count);
    for (size_t i = 0; i < count; i++) {
        const struct willow_board board = {rows[i].player, rows[i].opponent};
        const int stage = willow_stage_of_discs(stages, willow_board_discs(board));
        const int16_t *values = willow_weights_values(weights) + (size_t)stage * features.weights;
        const willow_score engine = willow_evaluate(weights, board);
        assert_int_equal(pass_evaluate(&features, values, board), engine);
        differ = differ || engine != 0;
        rows_held_out += willow_game_held_out(SEED, rows[i].game, held_out);
    }
    assert_true(differ);
    assert_int_equal(report->held_out_rows + report->overlap.all.dropped, rows_held_out);
    assert_int_equal(report->overlap.all.training + rows_held_out, count);
    free(rows);
}

/* The same with rows that are all held out of nothing: each is measured, and the engine's errors add up to the
 * report's.
 */
static void measures_what_the_engine_plays(const struct willow_weights *weights, const struct fit_report *report)
{
    size_t count = 0;
    struct willow_row *rows = datasets_rows(folder, &count);
    double absolute = 0.0, measured = 0.0;
    uint64_t training = 0;
    for (size_t i = 0; i < count; i++) {
        if (willow_game_held_out(SEED, rows[i].game, held_out))
            continue;
        const willow_score score = willow_evaluate(weights, (struct willow_board){rows[i].player, rows[i].opponent});
        absolute += fabs((double)(score - rows[i].score)) / WILLOW_SCORE_DISC;
        training++;
    }
    for (int i = 0; i < report->count; i++) {
        const struct errors *errors = &report->stages[i].rounding.train.all;
        measured += errors->mae_discs * (double)errors->rows;
    }
    assert_true(training > 0 && fabs(measured - absolute) < 1e-6 * absolute + 1e-9 * (double)training + 1e-3);
    free(rows);
}

static void learn(const char *name)
{
    const char *const folders[] = {folder};
    const struct willow_ruleset *ruleset = NULL;
    struct willow_error error = {0};
    struct willow_weights *weights = NULL;
    struct fit_report *report = calloc(1, sizeof *report);
    char text[1024], line[64];
    assert_non_null(report);
    assert_int_equal(willow_ruleset_parse(name, 1, &ruleset, NULL), WILLOW_OK);
    scratch_remove(folder);
    assert_true(datasets_write_of(ruleset, folder, SEED, 1, GAMES, label_sides, NULL));
    if (fit(folders, 1, ruleset, NULL, &weights, report, &error) != WILLOW_OK)
        fail_msg("%s: %s", name, willow_error_text(&error, text, sizeof text));
    assert_ptr_equal(willow_weights_ruleset(weights), ruleset);
    assert_int_equal(willow_weights_stages(weights)->squares, willow_ruleset_squares(ruleset));
    snprintf(line, sizeof line, "ruleset: %s\n", name);
    assert_non_null(strstr(willow_weights_provenance(weights), line));
    compare(weights, report);
    measures_what_the_engine_plays(weights, report);
    willow_weights_free(weights);
    fit_report_clear(report);
    free(report);
}

static void every_ruleset_is_learnt(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++)
        if (strncmp(ruleset->name, "hole:", 5) != 0)
            learn(ruleset->name);
    if (willow_ruleset_othello()) {
        learn("hole:c3");
        learn("hole:d1");
    }
}

static void games_do_not_mix(void **state)
{
    (void)state;
    if (!willow_ruleset_othello())
        return;
    const char *const folders[] = {folder, other_folder};
    const struct willow_ruleset *anti = willow_ruleset_find("anti"), *hole = willow_ruleset_find("hole:c3");
    struct willow_weights *weights = NULL;
    struct fit_report *report = calloc(1, sizeof *report);
    struct willow_error error = {0};
    char text[1024];
    assert_true(report && anti && hole);
    clean(NULL);
    assert_true(datasets_write_of(anti, folder, 1, 1, 4, label_sides, NULL));
    assert_true(datasets_write_of(hole, other_folder, 1, 1, 4, label_sides, NULL));
    assert_int_equal(fit(folders, 2, NULL, NULL, &weights, report, &error), WILLOW_ERR_MISMATCH);
    willow_error_text(&error, text, sizeof text);
    assert_true(strstr(text, "anti") && strstr(text, "hole:c3") && strstr(text, other_folder));
    assert_int_equal(fit(folders, 1, hole, NULL, &weights, report, &error), WILLOW_ERR_MISMATCH);
    willow_error_text(&error, text, sizeof text);
    assert_true(strstr(text, "anti") && strstr(text, "hole:c3") && strstr(text, folder));
    /* And weights of another game are no start. */
    const struct willow_stages stages = willow_stages_even(64, 3);
    struct willow_weights *zero = NULL;
    assert_int_equal(
        willow_weights_new_zero(willow_ruleset_othello(), willow_pattern_set_default(), &stages, &zero, NULL),
        WILLOW_OK);
    assert_int_equal(willow_weights_save(zero, "fit-rulesets.wlw", NULL), WILLOW_OK);
    willow_weights_free(zero);
    assert_int_equal(fit(folders, 1, NULL, "fit-rulesets.wlw", &weights, report, &error), WILLOW_ERR_MISMATCH);
    willow_error_text(&error, text, sizeof text);
    assert_true(strstr(text, "anti") && strstr(text, "othello") && strstr(text, "fit-rulesets.wlw"));
    assert_non_null(strstr(text, "data"));
    (void)remove("fit-rulesets.wlw");
    fit_report_clear(report);
    free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_ruleset_is_learnt, clean, clean),
        cmocka_unit_test_setup_teardown(games_do_not_mix, clean, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
