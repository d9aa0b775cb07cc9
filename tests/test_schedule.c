/* Schedules: who meets whom is counted pair by pair, for every number of players up to 30 and the largest ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/match/schedule.h"

static struct schedule make(enum schedule_format format, int players, size_t pairs_each)
{
    struct schedule schedule;
    struct willow_error error;

    if (schedule_make(format, players, pairs_each, &schedule, &error) != WILLOW_OK)
        fail_msg("%d players: %s", players, error.reason);
    assert_int_equal(schedule.players, players);
    assert_int_equal(schedule.pairs_each, pairs_each);
    return schedule;
}

/* An encounter's pairs follow each other, numbered from 0; encounters by round and then by player. */
static void check_order(const struct schedule *schedule)
{
    assert_int_equal(schedule->count % schedule->pairs_each, 0);
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_pair *pair = &schedule->pairs[i];

        assert_int_equal(pair->number, i % schedule->pairs_each);
        assert_true(0 <= pair->a && pair->a < pair->b && pair->b < schedule->players);
        assert_true(0 <= pair->round && pair->round < schedule->rounds);
        if (i == 0)
            continue;
        const struct schedule_pair *before = &schedule->pairs[i - 1];
        if (pair->number > 0)
            assert_true(pair->round == before->round && pair->a == before->a && pair->b == before->b);
        else
            assert_true(pair->round > before->round || (pair->round == before->round && pair->a > before->a));
    }
}

static void check_round_robin(int players, size_t pairs_each)
{
    static size_t met[SCHEDULE_PLAYERS_MAX][SCHEDULE_PLAYERS_MAX];
    static size_t in_round[SCHEDULE_PLAYERS_MAX][SCHEDULE_PLAYERS_MAX];
    struct schedule schedule = make(SCHEDULE_ROUND_ROBIN, players, pairs_each);

    assert_int_equal(schedule.rounds, players % 2 == 0 ? players - 1 : players);
    check_order(&schedule);
    memset(met, 0, sizeof met);
    memset(in_round, 0, sizeof in_round);
    for (size_t i = 0; i < schedule.count; i++) {
        const struct schedule_pair *pair = &schedule.pairs[i];

        met[pair->a][pair->b]++;
        in_round[pair->round][pair->a]++;
        in_round[pair->round][pair->b]++;
    }
    for (int a = 0; a < players; a++) {
        int byes = 0;

        for (int b = a + 1; b < players; b++)
            assert_int_equal(met[a][b], pairs_each);
        for (int round = 0; round < schedule.rounds; round++) {
            byes += in_round[round][a] == 0;
            assert_true(in_round[round][a] == 0 || in_round[round][a] == pairs_each);
        }
        assert_int_equal(byes, players % 2);
        assert_int_equal(schedule.byes[a], byes);
    }
    /* One bye a round. */
    for (int round = 0; players % 2 == 1 && round < schedule.rounds; round++) {
        int idle = 0;

        for (int a = 0; a < players; a++)
            idle += in_round[round][a] == 0;
        assert_int_equal(idle, 1);
    }
    schedule_clear(&schedule);
    assert_null(schedule.pairs);
}

static void test_everyone_meets_everyone_once(void **state)
{
    (void)state;
    for (int players = 2; players <= 30; players++)
        for (size_t pairs_each = 1; pairs_each <= 3; pairs_each++)
            check_round_robin(players, pairs_each);
    check_round_robin(SCHEDULE_PLAYERS_MAX - 1, 2);
    check_round_robin(SCHEDULE_PLAYERS_MAX, 2);
}

static void test_gauntlet(void **state)
{
    (void)state;
    for (int players = 2; players <= SCHEDULE_PLAYERS_MAX; players += 7) {
        const size_t pairs_each = (size_t)players % 5 + 1;
        struct schedule schedule = make(SCHEDULE_GAUNTLET, players, pairs_each);

        check_order(&schedule);
        assert_int_equal(schedule.rounds, players - 1);
        assert_int_equal(schedule.count, (size_t)(players - 1) * pairs_each);
        for (size_t i = 0; i < schedule.count; i++) {
            assert_int_equal(schedule.pairs[i].round, i / pairs_each);
            assert_int_equal(schedule.pairs[i].a, 0);
            assert_int_equal(schedule.pairs[i].b, i / pairs_each + 1);
        }
        for (int player = 0; player < players; player++)
            assert_int_equal(schedule.byes[player], 0);
        schedule_clear(&schedule);
    }
}

/* On paper: in round r those meet whose numbers add up to 2r modulo 5. */
static void test_five_players_by_hand(void **state)
{
    static const int expected[10][3] = {{0, 1, 4}, {0, 2, 3}, {1, 0, 2}, {1, 3, 4}, {2, 0, 4},
                                        {2, 1, 3}, {3, 0, 1}, {3, 2, 4}, {4, 0, 3}, {4, 1, 2}};
    struct schedule schedule = make(SCHEDULE_ROUND_ROBIN, 5, 1);

    (void)state;
    assert_int_equal(schedule.count, 10);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(schedule.pairs[i].round, expected[i][0]);
        assert_int_equal(schedule.pairs[i].a, expected[i][1]);
        assert_int_equal(schedule.pairs[i].b, expected[i][2]);
    }
    schedule_clear(&schedule);
}

static void check_refused(enum schedule_format format, int players, size_t pairs_each)
{
    struct schedule schedule = {.count = 1};
    struct willow_error error = {0};

    assert_int_equal(schedule_make(format, players, pairs_each, &schedule, &error), WILLOW_ERR_ARGUMENT);
    assert_true(error.reason[0] != '\0');
    assert_null(schedule.pairs);
    assert_int_equal(schedule.count, 0);
    schedule_clear(&schedule);
}

static void test_limits(void **state)
{
    struct schedule schedule;

    (void)state;
    check_refused(SCHEDULE_ROUND_ROBIN, 1, 1);
    check_refused(SCHEDULE_ROUND_ROBIN, 0, 1);
    check_refused(SCHEDULE_ROUND_ROBIN, -3, 1);
    check_refused(SCHEDULE_GAUNTLET, SCHEDULE_PLAYERS_MAX + 1, 1);
    check_refused(SCHEDULE_GAUNTLET, 2, 0);
    check_refused(SCHEDULE_ROUND_ROBIN, 2, SCHEDULE_PAIRS_MAX + 1);
    check_refused(SCHEDULE_ROUND_ROBIN, 3, SIZE_MAX);
    check_refused(SCHEDULE_ROUND_ROBIN, 9, SIZE_MAX / 36 + 2); /* 36 times it is small again in a size_t */
    check_refused(SCHEDULE_ROUND_ROBIN, 128, 124);             /* 8128 encounters */

    schedule = make(SCHEDULE_ROUND_ROBIN, 2, SCHEDULE_PAIRS_MAX);
    assert_int_equal(schedule.count, SCHEDULE_PAIRS_MAX);
    assert_int_equal(schedule.pairs[SCHEDULE_PAIRS_MAX - 1].number, SCHEDULE_PAIRS_MAX - 1);
    schedule_clear(&schedule);
    schedule = make(SCHEDULE_ROUND_ROBIN, 128, 123);
    assert_int_equal(schedule.count, 8128 * 123);
    schedule_clear(&schedule);
    schedule_clear(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_everyone_meets_everyone_once),
                                       cmocka_unit_test(test_gauntlet), cmocka_unit_test(test_five_players_by_hand),
                                       cmocka_unit_test(test_limits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
