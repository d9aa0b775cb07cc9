/* Self-play of every ruleset: rows that do not depend on threads, games that the referee replays, openings and what is
 * refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/dataset/audit.h"
#include "selfplay/dataset/shard_files.h"
#include "selfplay/run/opening_lines.h"
#include "selfplay/run/run.h"
#include "selfplay/tools/merge.h"
#include "support/datasets.h"
#include "support/referee.h"
#include "support/scratch.h"

enum { GAMES = 10, OPENINGS_MOST = 4096 };

/* A build leaves out those that it does not have. */
static const char *const names[] = {"anti",    "reversi",     "4x4",   "6x6", "6x6-parallel",
                                    "hole:c3", "hole:random", "10x10", NULL};

/* Ready to run, as the command line makes it; false when the build does not have the ruleset. */
static bool prepare(const char *name, struct run_config *config, struct run_inputs *inputs)
{
    *config = run_config_default();
    (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", name);
    strcpy(config->weights, "zero");
    config->games = GAMES, config->shard_games = 6;
    config->depth = 2, config->exact = 5, config->hash_mb = 1, config->noise = 2, config->noise_plies = 10;
    if (run_config_scale(config, NULL) != WILLOW_OK)
        return false;
    assert_int_equal(run_config_check(config, NULL), WILLOW_OK);
    assert_int_equal(run_inputs_load(inputs, config, NULL, NULL), WILLOW_OK);
    assert_string_equal(config->ruleset, inputs->ruleset->name);
    return true;
}

static enum willow_status run(const struct run_config *config, const struct run_inputs *inputs, const char *folder,
                              int threads, struct willow_error *error)
{
    const struct run_options options = {
        .config = config, .inputs = inputs, .folder = folder, .tool = "test", .threads = threads};
    struct run_summary summary;
    return run_dataset(&options, &summary, error);
}

/* The board of each row stood in its game, and the game ended as the referee says. */
static void replay(const struct willow_ruleset *ruleset, const struct willow_game_row *game,
                   const struct willow_row *rows, uint64_t count)
{
    struct referee referee = referee_of(ruleset, ruleset->start);
    uint64_t found = 0, own = 0;
    int plies = 0;
    for (uint64_t i = 0; i < count; i++)
        own += rows[i].game == game->id;
    for (int i = 0; i < game->length; i++) {
        struct willow_board board;
        referee_to_words(&referee, &board.player, &board.opponent);
        const bool passing = game->moves[i] == WILLOW_PASS;
        assert_true(passing ? referee_moves(&referee) == 0 : referee_moves(&referee) >> game->moves[i] & 1);
        for (uint64_t r = 0; !passing && r < count; r++)
            if (rows[r].game == game->id && rows[r].player == board.player && rows[r].opponent == board.opponent) {
                assert_int_equal(rows[r].move, game->moves[i]);
                assert_int_equal(rows[r].ply, willow_board_discs(board) - 4);
                if (plies < game->opening_plies)
                    assert_true(rows[r].flags & WILLOW_ROW_RANDOM);
                if (plies > 0 && plies <= game->opening_plies)
                    assert_true(rows[r].flags & WILLOW_ROW_AFTER_RANDOM);
                found++;
            }
        plies += !passing;
        referee = referee_play(&referee, game->moves[i]);
    }
    assert_true(found == own && own > 0);
    assert_true(referee_over(&referee));
    const int discs = referee_final_discs(&referee);
    assert_int_equal(game->result, game->length % 2 == 0 ? discs : -discs);
    assert_true(game->opening_plies >= willow_bits_count(ruleset->placement));
}

static void check_shard(const struct willow_ruleset *ruleset, const char *folder, uint32_t number)
{
    char path[SCRATCH_PATH];
    struct willow_shard_info info;
    struct willow_row *rows;
    struct willow_game_row *games;
    struct audit audit = {.ruleset = ruleset};
    assert_int_equal(shard_path(path, sizeof path, folder, number, NULL), WILLOW_OK);
    assert_int_equal(willow_shard_read(path, &info, &rows, &games, NULL), WILLOW_OK);
    assert_int_equal(info.ruleset, ruleset->id);
    assert_int_equal(audit_shard(&audit, &info, rows, games, NULL), WILLOW_OK);
    assert_int_equal(audit.faults, 0);
    for (uint64_t i = 0; i < info.games; i++)
        replay(ruleset, &games[i], rows, info.rows);
    free(rows);
    free(games);
}

static void check_texts(const struct willow_ruleset *ruleset, const char *folder)
{
    char path[SCRATCH_PATH], wanted[64];
    size_t size;
    struct willow_manifest manifest;
    char *text = (char *)scratch_read(scratch_join(path, folder, "config.yaml"), &size);
    (void)snprintf(wanted, sizeof wanted, "ruleset: \"%s\"\n", ruleset->name);
    assert_non_null(strstr(text, wanted));
    assert_null(strstr(text, "hole:random"));
    free(text);
    assert_int_equal(willow_manifest_read(folder, &manifest, NULL), WILLOW_OK);
    assert_int_equal(manifest.ruleset, ruleset->id);
    assert_int_equal(manifest.count, 2);
    willow_manifest_clear(&manifest);
}

static void games_of_every_ruleset_are_sound(void **state)
{
    (void)state;
    for (int i = 0; names[i]; i++) {
        char scratch[SCRATCH_PATH], one[SCRATCH_PATH], three[SCRATCH_PATH];
        struct run_config config;
        struct run_inputs inputs;
        size_t one_count, three_count;
        if (!prepare(names[i], &config, &inputs))
            continue;
        scratch_make(scratch);
        assert_int_equal(run(&config, &inputs, scratch_join(one, scratch, "one"), 1, NULL), WILLOW_OK);
        assert_int_equal(run(&config, &inputs, scratch_join(three, scratch, "three"), 3, NULL), WILLOW_OK);
        struct willow_row *a = datasets_rows(one, &one_count), *b = datasets_rows(three, &three_count);
        assert_true(datasets_rows_equal(a, one_count, b, three_count));
        check_shard(inputs.ruleset, one, 0);
        check_shard(inputs.ruleset, one, 1);
        check_texts(inputs.ruleset, one);
        free(a);
        free(b);
        run_inputs_clear(&inputs);
        scratch_remove(scratch);
    }
}

/* What is left of a placement phase when an opening is shorter is no position to be searched or kept. */
static void short_openings_end_a_placement(void **state)
{
    char scratch[SCRATCH_PATH], data[SCRATCH_PATH];
    struct run_config config;
    struct run_inputs inputs;
    (void)state;
    if (!prepare("reversi", &config, &inputs))
        return;
    config.opening_min = 0, config.opening_max = 3;
    scratch_make(scratch);
    assert_int_equal(run(&config, &inputs, scratch_join(data, scratch, "data"), 2, NULL), WILLOW_OK);
    check_shard(inputs.ruleset, data, 0);
    run_inputs_clear(&inputs);
    scratch_remove(scratch);
}

static void the_seed_draws_the_hole(void **state)
{
    struct run_config config = run_config_default();
    const struct willow_ruleset *first = NULL, *ruleset;
    int others = 0;
    (void)state;
    strcpy(config.ruleset, "hole:random");
    for (config.seed = 1; config.seed <= 20; config.seed++) {
        if (run_config_ruleset(&config, &ruleset, NULL) != WILLOW_OK)
            return; /* a wide build has none */
        first = first ? first : ruleset;
        others += ruleset != first;
        assert_true(strncmp(ruleset->name, "hole:", 5) == 0 && strcmp(ruleset->name, "hole:random") != 0);
    }
    assert_true(others > 0);
}

/* Positions up to symmetry after so many plies, listed by the referee, the game not over. */
static size_t count_positions(const struct willow_ruleset *ruleset, int plies)
{
    struct willow_board *now = calloc(OPENINGS_MOST, sizeof *now), *then = calloc(OPENINGS_MOST, sizeof *then);
    size_t count = 1;
    now[0] = ruleset->start;
    for (int ply = 0; ply < plies; ply++) {
        size_t next = 0;
        for (size_t i = 0; i < count; i++) {
            const struct referee referee = referee_of(ruleset, now[i]);
            for (int square = 0; square < WILLOW_SQUARES; square++) {
                if (!(referee_moves(&referee) >> square & 1))
                    continue;
                struct referee after = referee_play(&referee, square);
                struct willow_board board;
                if (referee_over(&after))
                    continue;
                if (referee_moves(&after) == 0)
                    after = referee_play(&after, WILLOW_PASS);
                referee_to_words(&after, &board.player, &board.opponent);
                board = willow_board_canonical(ruleset, board, NULL);
                size_t at = 0;
                while (at < next && (then[at].player != board.player || then[at].opponent != board.opponent))
                    at++;
                assert_true(next < OPENINGS_MOST);
                if (at == next)
                    then[next++] = board;
            }
        }
        struct willow_board *swap = now;
        now = then, then = swap, count = next;
    }
    free(now);
    free(then);
    return count;
}

static void openings_are_distinct_on_every_board(void **state)
{
    (void)state;
    for (int i = 0; names[i]; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(names[i]);
        for (int plies = 0; ruleset && plies <= 4; plies++) {
            struct opening_lines lines;
            assert_int_equal(opening_lines_enumerate(&lines, ruleset, plies, NULL, NULL), WILLOW_OK);
            assert_int_equal(lines.count, count_positions(ruleset, plies));
            opening_lines_clear(&lines);
        }
    }
}

static void expect_bad(struct run_config config, const char *option, const char *words)
{
    struct willow_error error = {0};
    assert_int_equal(run_config_check(&config, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.file, option);
    if (!strstr(error.reason, words))
        fail_msg("'%s' is not in '%s'", words, error.reason);
}

static void what_a_board_has_not_is_refused(void **state)
{
    struct run_config config = run_config_default();
    (void)state;
    strcpy(config.ruleset, "5x5");
    expect_bad(config, "ruleset", "5x5");
    if (!willow_ruleset_find("4x4"))
        return;
    strcpy(config.ruleset, "4x4");
    expect_bad(config, "opening", "12 plies leave nothing to play: 4x4 has 12");
    config.opening_max = 5, config.ply_min = 13;
    expect_bad(config, "plies", "4x4 has 0-12");
    strcpy(config.ruleset, "hole:d4");
    expect_bad(config, "ruleset", "d4");
    strcpy(config.ruleset, "10x10");
    expect_bad(config, "ruleset", "10x10");
}

/* A folder goes on with its own ruleset alone, and datasets of two are not one. */
static void rulesets_do_not_mix(void **state)
{
    char scratch[SCRATCH_PATH], data[SCRATCH_PATH], other[SCRATCH_PATH], out[SCRATCH_PATH];
    struct run_config config, anti_config;
    struct run_inputs inputs, anti;
    struct willow_error error = {0};
    (void)state;
    if (!prepare("anti", &anti_config, &anti))
        return;
    assert_true(prepare("6x6", &config, &inputs));
    scratch_make(scratch);
    scratch_join(data, scratch, "data");
    scratch_join(other, scratch, "other");
    assert_int_equal(run(&config, &inputs, data, 1, NULL), WILLOW_OK);
    assert_int_equal(run(&anti_config, &anti, data, 1, &error), WILLOW_ERR_MISMATCH);
    assert_int_equal(run(&anti_config, &anti, other, 1, NULL), WILLOW_OK);
    const char *const folders[] = {data, other};
    const struct merge_options options = {.rewrite = {.folders = folders,
                                                      .count = 2,
                                                      .target = scratch_join(out, scratch, "out"),
                                                      .shard_rows = 1000,
                                                      .memory_bytes = 1 << 22,
                                                      .tool = "test"}};
    struct merge_summary summary;
    assert_int_equal(merge_datasets(&options, &summary, &error), WILLOW_ERR_MISMATCH);
    if (!strstr(error.reason, "anti") || !strstr(error.reason, "6x6"))
        fail_msg("one of anti and 6x6 is not in '%s'", error.reason);
    run_inputs_clear(&anti);
    run_inputs_clear(&inputs);
    scratch_remove(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_every_ruleset_are_sound), cmocka_unit_test(short_openings_end_a_placement),
        cmocka_unit_test(the_seed_draws_the_hole),          cmocka_unit_test(openings_are_distinct_on_every_board),
        cmocka_unit_test(what_a_board_has_not_is_refused),  cmocka_unit_test(rulesets_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
