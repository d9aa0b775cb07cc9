/* Parts of the training loop: configuration with defaults and refusals, the estimate, the state file, results read
 * back, and removal of folders. Its processes are in test_loop_process.c, the loop as a whole in cli/loop_smoke.sh. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/file.h>

#include "support/scratch.h"
#include "trainer/loop/loop_budget.h"
#include "trainer/loop/loop_config.h"
#include "trainer/loop/loop_folder.h"
#include "trainer/loop/loop_results.h"
#include "trainer/loop/loop_state.h"

struct folder {
    char path[SCRATCH_PATH];
};

static int set_up(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);

    assert_non_null(folder);
    scratch_make(folder->path);
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    struct folder *folder = *state;

    assert_int_equal(folder_remove(folder->path, NULL), WILLOW_OK);
    assert_false(willow_file_exists(folder->path));
    free(folder);
    return 0;
}

static char *path_of(const struct folder *folder, const char *name, char *path)
{
    assert_int_equal(willow_path_join(path, PATH_MAX, folder->path, name, NULL), WILLOW_OK);
    return path;
}

static char *write_file(const struct folder *folder, const char *name, const char *text, char *path)
{
    path_of(folder, name, path);
    assert_int_equal(willow_file_replace(path, text, strlen(text), NULL), WILLOW_OK);
    return path;
}

static void load(void **state, const char *text, struct loop_config *config)
{
    struct willow_error error = {0};
    char path[PATH_MAX], reason[1200];

    write_file(*state, "c.yaml", text, path);
    if (loop_config_load(path, NULL, config, &error) != WILLOW_OK)
        fail_msg("%s", willow_error_text(&error, reason, sizeof reason));
}

static void test_configuration_fills_in_defaults(void **state)
{
    struct loop_config config;

    load(state,
         "backward:\n  - {games: 500, opening: \"2-20\", noise: 0, policy: mobility}\n  - {}\ngenerations:\n  - "
         "{window: 1}\n"
         "gate: {pairs: 3}\n",
         &config);
    assert_int_equal(config.count, 3);
    assert_int_equal(config.seed, 1);
    assert_int_equal(config.stages, 20);
    assert_int_equal(config.start, LOOP_NO_INPUT);
    assert_false(config.keep_data);
    assert_int_equal(config.generations[0].kind, LOOP_BACKWARD);
    assert_int_equal(config.generations[0].games, 500);
    assert_int_equal(config.generations[0].opening_first, 2);
    assert_int_equal(config.generations[0].opening_last, 20);
    assert_int_equal(config.generations[0].openings, LOOP_NO_INPUT);
    assert_int_equal(config.generations[0].policy, LOOP_POLICY_MOBILITY);
    assert_true(config.generations[0].noise == 0.0); /* zero is not absence */
    assert_true(config.generations[1].noise > 0.0);
    assert_int_equal(config.generations[1].policy, LOOP_POLICY_SEARCH);
    assert_int_equal(config.generations[1].label_depth, 3);
    assert_int_equal(config.generations[1].label_exact, 10);
    assert_string_equal(config.generations[1].fit.start, "next");
    assert_true(isnan(config.generations[1].fit.number[LOOP_FIT_PRIOR]));
    assert_int_equal(config.generations[2].kind, LOOP_SELFPLAY);
    assert_int_equal(config.generations[2].label_depth, 0);
    assert_int_equal(config.generations[2].window, 1);
    assert_null(config.generations[2].fit.start);
    assert_int_equal(config.generations[2].probcut.positions, 0);
    assert_int_equal(config.gate.pairs, 3);
    assert_true(config.sprt.nelo0 == 0.0 && config.sprt.nelo1 == 20.0 && config.sprt.alpha == 0.05);
    assert_string_equal(config.ladder.anchor, "g0");
    assert_true(config.ladder.rejected);
    assert_int_equal(config.final.pairs, 100);
    assert_int_equal(config.final.depth, 4);
    loop_config_clear(&config);
}

/* What was written for 8x8 is scaled to the ruleset that is asked for; a file of its own ruleset is taken as it stands,
 * and so is what was resolved. */
static void test_configuration_is_scaled_to_the_board(void **state)
{
    static const char text[] =
        "backward:\n  - {opening: \"0-30\", noise_plies: 60, label_exact: 20}\n  - {}\n"
        "generations: [{}]\nladder: {opponents: [{}], anchor: default}\nyardsticks: [none.obf]\n";
    struct loop_config config, again;
    struct willow_error error = {0};
    char path[PATH_MAX], *resolved[2];

    write_file(*state, "c.yaml", text, path);
    assert_int_equal(loop_config_load(path, "6x6-anti", &config, &error), WILLOW_OK);
    assert_string_equal(config.ruleset->name, "6x6-anti");
    assert_int_equal(loop_config_plies(&config), 32);
    assert_int_equal(config.stages, 11);
    assert_int_equal(config.generations[0].opening_last, 16);
    assert_int_equal(config.generations[0].noise_plies, 32);
    assert_int_equal(config.generations[0].label_exact, 10);
    assert_int_equal(config.generations[1].opening_last, 5);
    assert_int_equal(config.generations[1].noise_plies, 32);
    assert_int_equal(config.generations[2].exact, 10);
    assert_string_equal(config.left_out, "default, none.obf");
    assert_string_equal(config.ladder.anchor, "g0");
    assert_int_equal(loop_config_text(&config, &resolved[0], NULL), WILLOW_OK);
    write_file(*state, "resolved.yaml", resolved[0], path);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(loop_config_load(path, round > 0 ? "6x6-anti" : NULL, &again, &error), WILLOW_OK);
        assert_int_equal(loop_config_text(&again, &resolved[1], NULL), WILLOW_OK);
        assert_string_equal(resolved[0], resolved[1]);
        free(resolved[1]);
        loop_config_clear(&again);
    }
    free(resolved[0]);
    loop_config_clear(&config);

    load(state, "ruleset: 4x4\nbackward: [{opening: \"2-6\", noise_plies: 12, label_exact: 6}, {}]\n", &config);
    assert_int_equal(config.generations[0].opening_last, 6);
    assert_int_equal(config.generations[0].label_exact, 6);
    assert_int_equal(config.generations[1].label_exact, 4);
    loop_config_clear(&config);
    write_file(*state, "c.yaml", "ruleset: hole:random\nseed: 7\nbackward: [{}]\n", path);
    assert_int_equal(loop_config_load(path, NULL, &config, &error), WILLOW_OK);
    assert_string_not_equal(config.ruleset->name, "hole:random");
    assert_int_equal(loop_config_plies(&config), 59);
    loop_config_clear(&config);
    write_file(*state, "c.yaml", "ruleset: 7x7\nbackward: [{}]\n", path);
    assert_int_equal(loop_config_load(path, NULL, &config, &error), WILLOW_ERR_FORMAT);
    assert_non_null(strstr(error.reason, "7x7"));
    loop_config_clear(&config);
    assert_int_equal(loop_config_load(path, "6x6-anti", &config, &error), WILLOW_ERR_FORMAT);
    assert_non_null(strstr(error.reason, "7x7"));
    loop_config_clear(&config);
}

/* An opening leaves a game to play, on the board that the file is for and on the one that is asked for. */
static void test_openings_end_before_the_game(void **state)
{
    static const struct {
        const char *text, *ruleset;
        int first, last; /* last -1: refused */
    } cases[] = {{"ruleset: 4x4\nbackward: [{opening: \"2-11\"}]\n", NULL, 2, 11},
                 {"ruleset: 4x4\nbackward: [{opening: \"2-12\"}]\n", NULL, 0, -1},
                 {"ruleset: 4x4\nbackward: [{opening: \"0-30\"}]\n", "othello", 0, -1},
                 {"ruleset: 4x4\nbackward: [{opening: \"11\"}]\n", "othello", 50, 50},
                 {"ruleset: 6x6\nbackward: [{opening: \"31\"}]\n", "4x4", 11, 11},
                 {"backward: [{opening: \"50\"}]\n", "4x4", 10, 10},
                 {"backward: [{opening: \"51\"}]\n", NULL, 0, -1}};
    struct loop_config config;
    struct willow_error error = {0};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(*state, "c.yaml", cases[i].text, path);
        const enum willow_status status = loop_config_load(path, cases[i].ruleset, &config, &error);
        if (cases[i].last < 0) {
            assert_int_equal(status, WILLOW_ERR_FORMAT);
            assert_non_null(strstr(error.reason, "opening"));
        } else {
            assert_int_equal(status, WILLOW_OK);
            assert_int_equal(config.generations[0].opening_first, cases[i].first);
            assert_int_equal(config.generations[0].opening_last, cases[i].last);
        }
        loop_config_clear(&config);
    }
}

/* A generation's own word counts most, then that for all of its kind, then that for all. */
static void test_settings_of_all_generations(void **state)
{
    struct loop_config config;

    load(state,
         "fit: {prior: 10, window: 2}\nprobcut: {positions: 100, depth: 5}\n"
         "every_backward: {games: 7, fit: {prior: 20, start: base}}\n"
         "every_generation: {games: 9, label_depth: 4, fit: {tolerance: 0.01}}\n"
         "backward: [{}, {games: 8, fit: {prior: 30}, probcut: {positions: 50}}]\n"
         "generations: [{}, {label_depth: 0, fit: {window: 0}, probcut: {positions: 0}}]\n",
         &config);
    const struct loop_generation *g = config.generations;
    assert_int_equal(config.count, 4);
    assert_int_equal(g[0].games, 7);
    assert_true(g[0].fit.number[LOOP_FIT_PRIOR] == 20.0 && g[0].fit.number[LOOP_FIT_WINDOW] == 2.0);
    assert_string_equal(g[0].fit.start, "base");
    assert_int_equal(g[0].probcut.positions, 0); /* a backward pass measures margins only when it says so itself */
    assert_int_equal(g[1].games, 8);
    assert_true(g[1].fit.number[LOOP_FIT_PRIOR] == 30.0);
    assert_int_equal(g[1].probcut.positions, 50);
    assert_int_equal(g[2].games, 9);
    assert_int_equal(g[2].label_depth, 4);
    assert_true(g[2].fit.number[LOOP_FIT_PRIOR] == 10.0 && g[2].fit.number[LOOP_FIT_TOLERANCE] == 0.01);
    assert_int_equal(g[2].probcut.positions, 100);
    assert_int_equal(g[2].probcut.depth, 5);
    assert_true(g[2].depth == 1 && g[2].exact == 0); /* labelled later: games may be quick */
    assert_true(g[3].depth == 6 && g[3].exact == 14);
    assert_int_equal(g[3].label_depth, 0);
    assert_true(g[3].fit.number[LOOP_FIT_WINDOW] == 0.0);
    assert_int_equal(g[3].probcut.positions, 0);
    loop_config_clear(&config);
}

/* The resolved text is a configuration again, and resolves to itself: in the folder of a loop, where `inputs` holds
 * copies of the files. */
static void test_resolved_text_reads_back(void **state)
{
    struct loop_config config;
    char path[PATH_MAX], *first, *second;

    write_file(*state, "set.obf", "", path);
    write_file(*state, "lines.txt", "", path);
    write_file(*state, "old.wlw", "", path);
    load(state,
         "seed: 77\nstages: 15\nkeep_data: true\nstart: old.wlw\n"
         "backward:\n  - {games: 5, fit: {prior: 2.5, iterations: 9, solver: descent}, limit: 100}\n"
         "generations:\n  - {random_move: 0.125, result_weight: 0.3, openings: lines.txt}\n"
         "  - {label_depth: 3, label_selectivity: 73, limit: 1000, probcut: {positions: 20}}\n"
         "yardsticks: [set.obf]\nfinal: {pairs: 7, exact: 8}\ngate: {nelo0: -5, nelo1: 12.5, selectivity: 87}\n"
         "ladder: {rejected: false, anchor: old, opponents: [{name: old, weights: old.wlw}, {weights: default}]}\n"
         "budget: {disk_gb: 2.5, hours: 3}\n",
         &config);
    assert_int_equal(config.inputs, 3);
    assert_int_equal(config.ladder.opponent[0].weights, config.start); /* a file is copied once */
    assert_int_equal(loop_config_text(&config, &first, NULL), WILLOW_OK);
    loop_config_clear(&config);
    path_of(*state, "inputs", path);
    assert_int_equal(willow_folder_create(path, NULL), WILLOW_OK);
    write_file(*state, "inputs/set.obf", "", path);
    write_file(*state, "inputs/lines.txt", "", path);
    write_file(*state, "inputs/old.wlw", "", path);
    load(state, first, &config);
    assert_int_equal(loop_config_text(&config, &second, NULL), WILLOW_OK);
    assert_string_equal(first, second);
    assert_int_equal(config.inputs, 3);
    assert_true(config.generations[0].fit.number[LOOP_FIT_PRIOR] == 2.5);
    assert_string_equal(config.generations[0].fit.solver, "descent");
    assert_true(config.generations[1].random_move == 0.125);
    assert_string_equal(loop_config_input_name(&config, config.generations[1].openings), "lines.txt");
    assert_int_equal(config.generations[2].limit, 1000);
    assert_int_equal(config.final.exact, 8);
    assert_int_equal(config.gate.selectivity, 87);
    assert_true(config.sprt.nelo1 == 12.5);
    assert_false(config.ladder.rejected);
    assert_string_equal(config.ladder.anchor, "old");
    assert_string_equal(config.ladder.opponent[1].name, "default");
    assert_true(config.limits.disk_gb == 2.5 && config.limits.hours == 3.0);
    loop_config_clear(&config);
    free(first);
    free(second);
}

static void test_bad_configurations_name_the_key(void **state)
{
    static const struct {
        const char *text, *named;
    } cases[] = {
        {"backward: [{games: 0}]\n", "games"},
        {"backward: [{games: 5, dept: 3}]\n", "dept"},
        {"backward: [{games: many}]\n", "games"},
        {"backward: [{opening: \"9-3\"}]\n", "opening"},
        {"backward: [{opening: \"3-\"}]\n", "opening"},
        {"backward: [{opening: \"3-4\", openings: bad.yaml}]\n", "opening, openings"},
        {"backward: [{openings: missing.txt}]\n", "missing.txt"},
        {"backward: [{random_move: 1.5}]\n", "random_move"},
        {"backward: [{keep: .nan}]\n", "keep"},
        {"backward: [{window: 2}]\n", "window"},
        {"backward: [{policy: greedy}]\n", "policy"},
        {"backward: [{label_depth: 0}]\n", "label_depth"},
        {"backward: [{iterations: 5}]\n", "iterations"},
        {"backward: [{selectivity: 80}]\n", "selectivity"},
        {"backward: [{fit: {prior: -1}}]\n", "prior"},
        {"backward: [{fit: {window: 1.5}}]\n", "window"},
        {"backward: [{fit: {start: best}}]\n", "start: zero, next or base"},
        {"fit: {solver: newton}\nbackward: [{}]\n", "solver"},
        {"every_backward: {games: -1}\nbackward: [{}]\n", "every_backward"},
        {"generations: [{limit: 5}]\n", "limit"},
        {"generations: [{from: best}, {from: scratch}]\n", "generations 2"},
        {"start: bad.yaml\ngenerations: [{from: nothing}]\n", "from"},
        {"generations: [{probcut: {depth: 1}}]\n", "depth"},
        {"generations: [{}]\npatterns: nonesuch\n", "patterns"},
        {"generations: [{}]\nstages: 62\n", "stages"},
        {"generations: [{}]\ngate: {minimum: 0.5}\n", "minimum"},
        {"generations: [{}]\ngate: {nelo0: 20}\n", "nelo1"},
        {"generations: [{}]\ngate: {alpha: 0.5}\n", "alpha"},
        {"generations: [{}]\nladder: {anchor: g2}\n", "anchor"},
        {"generations: [{}]\nladder: {opponents: [{name: g7}]}\n", "name"},
        {"generations: [{}]\nladder: {opponents: [{}, {}]}\n", "name"},
        {"generations: [{}]\nladder: {opponents: [{name: x, weights: missing.wlw}]}\n", "missing.wlw"},
        {"generations: [{}]\nbudget: {hours: -1}\n", "hours"},
        {"generations: [{}]\nyardsticks: [missing.obf]\n", "missing.obf"},
        {"generations: [{}]\nyardsticks: [bad.yaml, other/bad.yaml]\n", "different names"},
        {"generations: [{}]\nstart: missing.wlw\n", "missing.wlw"},
        {"seed: 4\n", "at least one"},
    };
    char path[PATH_MAX];

    path_of(*state, "other", path);
    assert_int_equal(willow_folder_create(path, NULL), WILLOW_OK);
    write_file(*state, "other/bad.yaml", "", path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loop_config config;
        struct willow_error error = {0};
        char text[1200];

        write_file(*state, "bad.yaml", cases[i].text, path);
        assert_int_not_equal(loop_config_load(path, NULL, &config, &error), WILLOW_OK);
        willow_error_text(&error, text, sizeof text);
        if (strstr(text, cases[i].named) == NULL || strstr(text, "bad.yaml") == NULL)
            fail_msg("case %zu: \"%s\" does not name %s", i, text, cases[i].named);
        loop_config_clear(&config);
    }
}

/* Hand-made bounds that guesses must keep, whatever they are made of. */
static void test_budget_follows_the_plan(void **state)
{
    struct loop_config config;
    struct budget_disk disk;
    double peaks[LOOP_GENERATIONS_MAX];

    load(
        state,
        "generations: [{games: 10000, window: 1}, {games: 10000, window: 2}, {games: 10000, window: 2, label_depth: 3, "
        "limit: 1000}]\n",
        &config);
    budget_disk(&config, &disk, peaks);
    const double games = 10000 * 60 * 14.0;
    assert_true(peaks[0] > games && peaks[0] < 6 * games);
    assert_true(peaks[1] > peaks[0]); /* the data of two */
    assert_true(disk.peak_bytes >= peaks[1] && disk.peak_bytes < 10 * games);
    assert_true(disk.end_bytes < 3e7); /* weights alone */
    assert_true(budget_rows_labelled(&config.generations[2], 60) == 1000.0);
    assert_true(budget_rows_labelled(&config.generations[1], 60) == 600000.0);
    loop_config_clear(&config);
    load(state, "keep_data: true\ngenerations: [{games: 10000}, {games: 10000}]\n", &config);
    budget_disk(&config, &disk, NULL);
    assert_true(disk.end_bytes > 2 * games);
    loop_config_clear(&config);
    for (int depth = 1; depth < 20; depth++)
        assert_true(budget_search(60, depth + 1, 10, 100) > budget_search(60, depth, 10, 100) &&
                    budget_search(60, depth, 10, 100) >= budget_search(60, depth, 10, 73));
    for (int exact = 6; exact < 20; exact++) /* solving a few squares costs less than a search */
        assert_true(budget_search(60, 1, exact + 1, 100) > budget_search(60, 1, exact, 100));
}

static void test_state_reads_back(void **state)
{
    struct loop_state written = {0}, read;
    char path[PATH_MAX];

    path_of(*state, "state.json", path);
    assert_int_equal(loop_state_read(path, &read, NULL), WILLOW_OK);
    assert_int_equal(read.count, 0);
    memcpy(written.configuration, "0123456789abcdef0123456789abcdef", WILLOW_CHECKSUM_TEXT);
    assert_int_equal(loop_state_write(path, &written, NULL), WILLOW_OK);
    assert_int_equal(loop_state_read(path, &read, NULL), WILLOW_OK);
    assert_int_equal(read.count, 0);
    loop_state_clear(&read);
    for (int i = 0; i < 200; i++) {
        char name[LOOP_STEP_NAME];
        snprintf(name, sizeof name, "generation-%02d/fit", i);
        assert_int_equal(loop_state_add(&written, name, i / 8.0, i % 2 == 0 ? i : -1, NULL), WILLOW_OK);
    }
    assert_int_equal(loop_state_write(path, &written, NULL), WILLOW_OK);
    assert_int_equal(loop_state_read(path, &read, NULL), WILLOW_OK);
    assert_int_equal(read.count, 200);
    assert_string_equal(read.configuration, written.configuration);
    assert_true(loop_state_find(&read, "generation-80/fit")->seconds == 10.0);
    assert_int_equal(loop_state_find(&read, "generation-80/fit")->rows, 80);
    assert_int_equal(loop_state_find(&read, "generation-81/fit")->rows, -1);
    assert_null(loop_state_find(&read, "generation-8/fit"));
    loop_state_clear(&read);
    loop_state_clear(&written);
}

static void test_damaged_state_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{\"version\": 1",
        "{\"version\": 1, \"steps\": []}",
        "[1, 2]",
        "{\"version\": 9, \"configuration\": \"0123456789abcdef0123456789abcdef\", \"steps\": []}",
        "{\"version\": 1, \"configuration\": \"0123456789abcdef\", \"steps\": []}"};
    struct loop_state read;
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct willow_error error = {0};

        write_file(*state, "state.json", texts[i], path);
        assert_int_not_equal(loop_state_read(path, &read, &error), WILLOW_OK);
        assert_non_null(strstr(error.file, "state.json"));
        loop_state_clear(&read);
    }
}

#define MATCH_JSON                                                                                                     \
    "{\"a\":\"x\",\"pairs\":2,\"wins\":3,\"draws\":1,\"losses\":0,\"score\":0.875,\"score_low\":0.5,\"score_high\":1," \
    "\"pentanomial\":[0,0,0,1,1],\"elo\":338.04,\"elo_low\":0,\"elo_high\":1200.00,\"nelo\":300,\"nelo_low\":-1.5,"    \
    "\"nelo_high\":1200,\"los\":0.9,\"discs\":4.5,\"discs_low\":-1,\"discs_high\":10"

static void test_results_are_read(void **state)
{
    struct fit_results fit;
    struct report_match match;
    struct report_test test;
    double error, best;
    char path[PATH_MAX];

    write_file(*state, "fit.json",
               "{\"stages\":[{\"stage\":3,\"rows\":200,\"held_out_rows\":10,\"held_out_mae\":2.5,\"other\":null},"
               "{\"stage\":4,\"rows\":0,\"held_out_rows\":0,\"held_out_mae\":0}],\"rows\":200}\n",
               path);
    assert_int_equal(results_read_fit(path, &fit, NULL), WILLOW_OK);
    assert_int_equal(fit.count, 2);
    assert_int_equal(fit.stages[0].stage, 3);
    assert_int_equal(fit.stages[0].rows, 200);
    assert_true(fit.stages[0].held_out == 2.5);
    assert_true(isnan(fit.stages[1].held_out));
    write_file(*state, "match.json", MATCH_JSON "}\n", path);
    assert_int_equal(results_read_match(path, &match, &test, NULL), WILLOW_OK);
    assert_true(match.played && match.pairs == 2 && match.wins == 3 && match.score == 0.875 && match.elo == 338.04 &&
                match.nelo_low == -1.5 && match.discs_low == -1);
    assert_false(test.tested);
    assert_int_equal(results_read_fit(path, &fit, NULL), WILLOW_ERR_FORMAT);
    write_file(*state, "match.json",
               MATCH_JSON
               ",\"sprt\":{\"nelo0\":0,\"llr\":-2.97,\"lower\":-2.944,\"upper\":2.944,\"verdict\":\"H0\"}}\n",
               path);
    assert_int_equal(results_read_match(path, &match, &test, NULL), WILLOW_OK);
    assert_true(test.tested && test.llr == -2.97 && test.upper == 2.944 && test.verdict == REPORT_H0);
    write_file(*state, "solve.json", "{\"positions\": 2, \"mean_absolute_error\": 6.25, \"best_move\": 0.5}\n", path);
    assert_int_equal(results_read_yardstick(path, &error, &best, NULL), WILLOW_OK);
    assert_true(error == 6.25 && best == 0.5);
    write_file(*state, "solve.json", "{\"positions\": 0, \"mean_absolute_error\": null, \"best_move\": null}\n", path);
    assert_int_equal(results_read_yardstick(path, &error, &best, NULL), WILLOW_OK);
    assert_true(isnan(error) && isnan(best));
}

static void test_ladder_is_read(void **state)
{
    struct report_rating ratings[3] = {{.games = 1, .elo = 1.0}, {.games = 1, .elo = 1.0}, {.games = 1, .elo = 1.0}};
    const struct results_player players[] = {
        {"g0", 0, &ratings[0]}, {"g1", 1, &ratings[1]}, {"linked", REPORT_OPPONENT, &ratings[2]}};
    struct report_encounter *encounters;
    char path[PATH_MAX];
    int count;

    write_file(*state, "ladder.json",
               "{\"players\":[{\"name\":\"linked\",\"games\":8,\"elo\":90.5,\"elo_low\":-10,\"elo_high\":200},"
               "{\"name\":\"g0\",\"games\":4,\"elo\":null,\"elo_low\":null,\"elo_high\":null},"
               "{\"name\":\"other\",\"games\":4,\"elo\":1,\"elo_low\":1,\"elo_high\":1}],"
               "\"encounters\":[{\"a\":\"g0\",\"b\":\"linked\",\"games\":4,\"score\":0.25},"
               "{\"a\":\"other\",\"b\":\"linked\",\"games\":4,\"score\":0.5}]}\n",
               path);
    assert_int_equal(results_read_ladder(path, players, 3, &encounters, &count, NULL), WILLOW_OK);
    assert_true(ratings[2].games == 8 && ratings[2].elo == 90.5 && ratings[2].elo_low == -10);
    assert_true(ratings[0].games == 4 && isnan(ratings[0].elo));
    assert_true(ratings[1].games == 0 && isnan(ratings[1].elo)); /* not in this ladder */
    assert_int_equal(count, 1);
    assert_true(encounters[0].a == 0 && encounters[0].b == REPORT_OPPONENT && encounters[0].score == 0.25);
    free(encounters);
    write_file(*state, "ladder.json", "{\"players\":[]}\n", path);
    assert_int_equal(results_read_ladder(path, players, 3, &encounters, &count, NULL), WILLOW_ERR_FORMAT);
    free(encounters);
}

static void test_folders_are_removed_but_links_not_followed(void **state)
{
    const struct folder *folder = *state;
    char inner[PATH_MAX], kept[PATH_MAX], path[PATH_MAX], link[PATH_MAX];

    path_of(folder, "labels-01/deep", inner);
    assert_int_equal(willow_folder_create(inner, NULL), WILLOW_OK);
    path_of(folder, "labels-02", path);
    assert_int_equal(willow_folder_create(path, NULL), WILLOW_OK);
    write_file(folder, "kept", "data", kept);
    path_of(folder, "labels-01/link", link);
    assert_int_equal(symlink(kept, link), 0);
    assert_int_equal(folder_remove_matching(folder->path, "labels-", NULL), WILLOW_OK);
    assert_false(willow_file_exists(inner));
    assert_false(willow_file_exists(path));
    assert_true(willow_file_exists(kept));
    assert_int_equal(folder_remove(path, NULL), WILLOW_OK); /* missing already */
}

static void test_folder_is_measured(void **state)
{
    const struct folder *folder = *state;
    char inner[PATH_MAX], path[PATH_MAX];
    static char text[100001];

    assert_int_equal(folder_bytes(folder->path), 0);
    path_of(folder, "a/b", inner);
    assert_int_equal(folder_bytes(inner), 0); /* missing */
    assert_int_equal(willow_folder_create(inner, NULL), WILLOW_OK);
    memset(text, 'x', sizeof text - 1);
    write_file(folder, "a/b/file", text, path);
    assert_in_range(folder_bytes(folder->path), 100000, 300000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_configuration_fills_in_defaults),
        TEST(test_configuration_is_scaled_to_the_board),
        TEST(test_openings_end_before_the_game),
        TEST(test_settings_of_all_generations),
        TEST(test_resolved_text_reads_back),
        TEST(test_bad_configurations_name_the_key),
        TEST(test_budget_follows_the_plan),
        TEST(test_state_reads_back),
        TEST(test_damaged_state_is_refused),
        TEST(test_results_are_read),
        TEST(test_ladder_is_read),
        TEST(test_folders_are_removed_but_links_not_followed),
        TEST(test_folder_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
