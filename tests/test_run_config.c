/* The configuration of a self-play run: every limit, and a text that says each thing in one way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/search.h>

#include "selfplay/run/run_config.h"

static struct run_config good(void)
{
    return run_config_default();
}

static void assert_refused(const struct run_config *config, const char *option)
{
    struct willow_error error;
    assert_int_equal(run_config_check(config, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.file, option);
    assert_true(error.reason[0] != '\0');
}

/* The values just inside the limits are taken, those just outside are not. */
#define INTEGER(field, low, high, option)                                                                              \
    do {                                                                                                               \
        struct run_config config = good();                                                                             \
        config.field = low;                                                                                            \
        assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);                                                  \
        config.field = high;                                                                                           \
        assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);                                                  \
        config.field = (low)-1;                                                                                        \
        assert_refused(&config, option);                                                                               \
        config.field = (high) + 1;                                                                                     \
        assert_refused(&config, option);                                                                               \
    } while (0)

#define REAL(field, high, option)                                                                                      \
    do {                                                                                                               \
        struct run_config config = good();                                                                             \
        config.field = 0;                                                                                              \
        assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);                                                  \
        config.field = high;                                                                                           \
        assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);                                                  \
        config.field = nextafter(high, INFINITY);                                                                      \
        assert_refused(&config, option);                                                                               \
        config.field = -1e-9;                                                                                          \
        assert_refused(&config, option);                                                                               \
        config.field = NAN;                                                                                            \
        assert_refused(&config, option);                                                                               \
    } while (0)

static void numbers_have_limits(void **state)
{
    (void)state;
    INTEGER(depth, 1, 60, "depth");
    INTEGER(exact, 0, 60, "exact");
    INTEGER(hash_mb, 1, 65536, "hash");
    INTEGER(noise_plies, 0, 60, "noise-plies");
    INTEGER(positions, 0, 60, "positions");
    INTEGER(tail, 0, 60, "tail");
    INTEGER(shard_games, UINT64_C(1), UINT64_C(1048576), "shard-games");
    REAL(noise, 64.0, "noise");
    REAL(random_move, 1.0, "random-move");
    REAL(pool_share, 1.0, "pool-share");
    REAL(keep, 1.0, "keep");
    REAL(opening_balance, 64.0, "opening-balance");
    struct run_config config = good();
    config.games = 0;
    assert_refused(&config, "games");
    config.games = UINT64_C(1000000) * 4096;
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.games++;
    assert_refused(&config, "shard-games");
    config.shard_games = RUN_SHARD_GAMES_MAX;
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.games = (UINT64_C(1) << 48) + 1;
    assert_refused(&config, "games");
    for (int percent = 0; percent <= 101; percent++) {
        bool known = false;
        for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
            known = known || percent == willow_selectivities[i];
        config = good();
        config.selectivity = percent;
        if (known)
            assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
        else
            assert_refused(&config, "selectivity");
    }
}

static void ranges_and_kinds_have_limits(void **state)
{
    (void)state;
    static const struct {
        int low, high;
        bool plies, opening; /* right as a range of plies, of an opening */
    } ranges[] = {{0, 0, true, true},   {0, 50, true, true},   {50, 50, true, true}, {-1, 5, false, false},
                  {6, 5, false, false}, {60, 60, true, false}, {0, 51, true, false}, {0, 61, false, false}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct run_config stored = good(), random = good();
        stored.ply_min = ranges[i].low, stored.ply_max = ranges[i].high;
        random.opening_min = ranges[i].low, random.opening_max = ranges[i].high;
        if (ranges[i].plies)
            assert_int_equal(run_config_check(&stored, NULL), WILLOW_OK);
        else
            assert_refused(&stored, "plies");
        if (ranges[i].opening)
            assert_int_equal(run_config_check(&random, NULL), WILLOW_OK);
        else
            assert_refused(&random, "opening");
        random.opening = OPENINGS_ALL; /* which does not look at them */
        assert_int_equal(run_config_check(&random, NULL), WILLOW_OK);
    }
    struct run_config config = good();
    config.opening = OPENINGS_ALL, config.opening_plies = OPENINGS_ALL_MAX;
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.opening_plies++;
    assert_refused(&config, "opening-plies");
    config.opening_plies = -1;
    assert_refused(&config, "opening-plies");
    config.opening = OPENINGS_LIST;
    assert_refused(&config, "openings");
    strcpy(config.opening_list, "list.txt");
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.pool_count = 1;
    assert_refused(&config, "pool");
    strcpy(config.pool[0], "zero");
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.policy = RUN_POLICY_MOBILITY;
    assert_refused(&config, "policy"); /* it has no scores */
    config.label = RUN_LABEL_NONE;
    assert_refused(&config, "policy"); /* and asks no weights */
    config.pool_count = 0;
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.pool_count = RUN_POOL_MAX + 1;
    assert_refused(&config, "pool");
}

static void shares_go_with_their_range(void **state)
{
    (void)state;
    struct run_config config = good();
    struct willow_error error;
    static const double shares[] = {1, 0, 2.5}, none[] = {0, 0, 0}, negative[] = {1, -1, 1},
                        endless[] = {1, INFINITY, 1};
    config.opening_min = 48, config.opening_max = 50;
    assert_int_equal(run_config_set_shares(&config, shares, 3, NULL), WILLOW_OK);
    assert_true(config.opening_shares[48] == 1 && config.opening_shares[49] == 0 && config.opening_shares[50] == 2.5);
    assert_int_equal(run_config_check(&config, NULL), WILLOW_OK);
    config.opening_min = 49;
    assert_refused(&config, "opening-shares");
    config.opening_min = 48, config.opening_max = 49;
    assert_refused(&config, "opening-shares");
    config.opening_min = 0, config.opening_max = 2;
    assert_int_equal(run_config_set_shares(&config, shares, 3, NULL), WILLOW_OK);
    assert_true(config.opening_shares[48] == 0 && config.opening_shares[2] == 2.5);
    assert_int_equal(run_config_set_shares(&config, shares, 2, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.reason, "2 for the 3 numbers of plies in 0-2");
    assert_int_equal(run_config_set_shares(&config, none, 3, NULL), WILLOW_ERR_ARGUMENT);
    assert_int_equal(run_config_set_shares(&config, negative, 3, NULL), WILLOW_ERR_ARGUMENT);
    assert_int_equal(run_config_set_shares(&config, endless, 3, NULL), WILLOW_ERR_ARGUMENT);
}

static void assert_line(const struct run_config *config, const char *line, bool there)
{
    char *text;
    assert_int_equal(run_config_text(config, &text, NULL), WILLOW_OK);
    const char *at = strstr(text, line);
    if ((at != NULL) != there)
        fail_msg("%s%s in: %s", line, there ? " is missing" : " stands", text);
    assert_true(!at || at == text || at[-1] == '\n');
    free(text);
}

static void each_setting_has_its_line(void **state)
{
    (void)state;
    struct run_config config = good();
    config.games = 7, config.seed = UINT64_MAX, config.shard_games = 3, config.depth = 9, config.exact = 11;
    config.selectivity = 95, config.hash_mb = 2, config.noise = 0.1, config.noise_plies = 8,
    config.random_move = 1.0 / 3;
    config.ply_min = 5, config.ply_max = 55, config.keep = 0.25, config.positions = 12, config.tail = 13;
    strcpy(config.ruleset, "othello");
    static const char *const lines[] = {"games: 7\n",        "seed: 18446744073709551615\n",
                                        "shard_games: 3\n",  "depth: 9\n",
                                        "exact: 11\n",       "selectivity: 95\n",
                                        "hash: 2\n",         "noise: 0.1\n",
                                        "noise_plies: 8\n",  "random_move: 0.3333333333333333\n",
                                        "plies: 5-55\n",     "keep: 0.25\n",
                                        "positions: 12\n",   "tail: 13\n",
                                        "label: search\n",   "policy: search\n",
                                        "opening: random\n", "opening_min: 4\n",
                                        "opening_max: 12\n", "opening_balance: 0\n",
                                        "weights: \"\"\n",   "ruleset: \"othello\"\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_line(&config, lines[i], true);
    assert_line(&config, "opening_shares", false);
    assert_line(&config, "pool", false);
    config.label = RUN_LABEL_NONE, config.policy = RUN_POLICY_MOBILITY;
    assert_line(&config, "label: none\n", true);
    assert_line(&config, "policy: mobility\n", true);
    config.opening_min = 3, config.opening_max = 5, config.opening_shares[3] = 1, config.opening_shares[5] = 0.5;
    assert_line(&config, "opening_shares: [1, 0, 0.5]\n", true);
    config.pool_count = 2, config.pool_share = 0.125;
    strcpy(config.pool[0], "a.wlw");
    strcpy(config.pool[1], "b.wlw");
    strcpy(config.pool_checksums[1], "0123");
    assert_line(&config, "pool:\n  - \"a.wlw\"\n  - \"b.wlw\"\n", true);
    assert_line(&config, "pool_checksums:\n  - \"\"\n  - \"0123\"\n", true);
    assert_line(&config, "pool_share: 0.125\n", true);
}

/* What is set of a kind of opening that is not used has no line: the same run has the same text. */
static void other_kinds_of_openings_leave_no_trace(void **state)
{
    (void)state;
    struct run_config config = good(), plain = good();
    char *text, *other;
    config.opening_plies = 5, config.pool_share = 0.9;
    strcpy(config.opening_list, "list.txt");
    strcpy(config.opening_checksum, "0123");
    assert_int_equal(run_config_text(&config, &text, NULL), WILLOW_OK);
    assert_int_equal(run_config_text(&plain, &other, NULL), WILLOW_OK);
    assert_string_equal(text, other);
    free(text);
    free(other);
    config.opening = OPENINGS_ALL;
    assert_line(&config, "opening: all\nopening_plies: 5\nnoise", true);
    config.opening = OPENINGS_LIST;
    assert_line(&config, "opening: list\nopenings: \"list.txt\"\nopenings_checksum: \"0123\"\nnoise", true);
}

static void names_are_quoted(void **state)
{
    (void)state;
    struct run_config config = good();
    strcpy(config.weights, " it's: #1 \"\\");
    assert_line(&config, "weights: \" it's: #1 \\\"\\\\\"\n", true);
    strcpy(config.weights, "a\nb\tc\rd");
    assert_line(&config, "weights: \"a\\x0ab\\x09c\\x0dd\"\n", true);
    strcpy(config.weights, "\xC3\xA9\xC2\x85\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA7");
    assert_line(&config, "weights: \"\xC3\xA9\\N\\L\\P\xE2\x80\xA7\"\n", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_limits),
        cmocka_unit_test(ranges_and_kinds_have_limits),
        cmocka_unit_test(shares_go_with_their_range),
        cmocka_unit_test(each_setting_has_its_line),
        cmocka_unit_test(other_kinds_of_openings_leave_no_trace),
        cmocka_unit_test(names_are_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
