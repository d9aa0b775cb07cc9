/* Standings: a tournament worked by hand, ties, and random tournaments computed again from single games, one by one and
 * in whole numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

#include "selfplay/match/standings.h"

enum { PLAYERS = 12, ENCOUNTERS = PLAYERS * (PLAYERS - 1) / 2 };

static const struct standings_player *find_player(const struct standings *standings, int player)
{
    for (int i = 0; i < standings->players; i++)
        if (standings->rows[i].player == player)
            return &standings->rows[i];
    fail_msg("player %d is missing", player);
    return NULL;
}

static struct standings compute(const struct standings_input *input)
{
    struct standings standings;
    struct willow_error error;

    if (standings_make(input, &standings, &error) != WILLOW_OK)
        fail_msg("%s", error.reason);
    return standings;
}

static void add_encounter(struct rating_encounter *encounter, int a, int b, int first_discs, int second_discs)
{
    *encounter = (struct rating_encounter){.a = a, .b = b};
    statistics_add_pair(&encounter->tally, first_discs, second_discs);
}

/* Four players, a pair each; player 3 withdraws after the first round, so that its other four games are byes of players
 * 1 and 2. 64 squares and 3 rounds of 2 games: c = nearest to 64/6 = 11.
 *
 *   0-3: 37-27, 30-34    0-2: 33-31, 35-29    0-1: 28-36, 26-38    1-2: 42-22, 32-32
 *
 * Points: 0 has 1 + 2 + 0 = 3; 1 has 2 + 1.5 + 2 byes = 5.5; 2 has 0 + 0.5 + 2 byes = 2.5; 3 has 1.
 * Brightwell: 0: against 2: 68 + 2 * 11 * 2.5 = 123, against 1: 54 + 2 * 11 * 5.5 = 175, against 3, who withdrew:
 * 2 * (32 + 11 * 3) = 130; 428. 1: 74 + 55 = 129, 74 + 66 = 140, byes 2 * (32 + 11 * 5.5) = 185; 454.
 * 2: 54 + 121 = 175, 60 + 66 = 126, byes 2 * (32 + 11 * 2.5) = 119; 420. 3: 61 + 66 = 127. */
static void test_by_hand(void **state)
{
    static const struct {
        int player, wins, draws, losses, byes;
        double points, discs, brightwell;
    } expected[4] = {{1, 3, 1, 0, 2, 5.5, 148, 454},
                     {0, 3, 0, 3, 0, 3, 189, 428},
                     {2, 0, 1, 3, 2, 2.5, 114, 420},
                     {3, 1, 0, 1, 0, 1, 61, 127}};
    const bool withdrawn[4] = {false, false, false, true};
    const uint64_t faults[4] = {0, 1, 0, 7};
    struct rating_encounter encounters[4];
    struct schedule schedule;

    (void)state;
    assert_int_equal(schedule_make(SCHEDULE_ROUND_ROBIN, 4, 1, &schedule, NULL), WILLOW_OK);
    add_encounter(&encounters[0], 0, 3, 10, -4);
    add_encounter(&encounters[1], 2, 0, -2, -6); /* seen from the other side: as good */
    add_encounter(&encounters[2], 0, 1, -8, -12);
    add_encounter(&encounters[3], 1, 2, 20, 0);
    struct standings standings = compute(&(struct standings_input){.schedule = &schedule,
                                                                   .withdrawn = withdrawn,
                                                                   .encounters = encounters,
                                                                   .count = 4,
                                                                   .faults = faults,
                                                                   .squares = 64});
    assert_int_equal(standings.players, 4);
    assert_int_equal(standings.brightwell_factor, 11);
    for (int i = 0; i < 4; i++) {
        const struct standings_player *row = &standings.rows[i];

        assert_int_equal(row->player, expected[i].player);
        assert_int_equal(row->withdrawn, withdrawn[row->player]);
        assert_int_equal(row->wins, expected[i].wins);
        assert_int_equal(row->draws, expected[i].draws);
        assert_int_equal(row->losses, expected[i].losses);
        assert_int_equal(row->byes, expected[i].byes);
        assert_true(row->points == expected[i].points);
        assert_true(row->discs == expected[i].discs);
        assert_true(row->brightwell == expected[i].brightwell);
        assert_int_equal(row->faults, faults[row->player]);
    }
    assert_true(standings.points[1 * 4 + 2] == 1.5 && standings.points[2 * 4 + 1] == 0.5);
    assert_int_equal(standings.games[2 * 4 + 3], 0);
    /* Ratings are those of rating.h, beside their players. */
    assert_true(find_player(&standings, 0)->rating.elo == 0.0);
    assert_true(find_player(&standings, 1)->rating.elo > 0.0);
    assert_true(find_player(&standings, 2)->rating.elo < 0.0);
    standings_clear(&standings);
    standings_clear(&standings);
    schedule_clear(&schedule);
}

/* Everyone wins one game of each pair: points are equal, and the quotient is c times equal points + own discs. */
static void test_ties(void **state)
{
    const bool nobody[3] = {false, false, false};
    const bool first[3] = {true, false, false};
    const uint64_t faults[3] = {0, 0, 0};
    struct rating_encounter encounters[3];
    struct schedule schedule;
    struct standings_input input = {.schedule = &schedule,
                                    .withdrawn = nobody,
                                    .encounters = encounters,
                                    .count = 3,
                                    .faults = faults,
                                    .squares = 64};

    (void)state;
    assert_int_equal(schedule_make(SCHEDULE_ROUND_ROBIN, 3, 1, &schedule, NULL), WILLOW_OK);
    add_encounter(&encounters[0], 0, 1, 10, -10);
    add_encounter(&encounters[1], 0, 2, 2, -4); /* two discs for player 2 */
    add_encounter(&encounters[2], 1, 2, 6, -6);
    struct standings standings = compute(&input);
    assert_int_equal(standings.rows[0].player, 2);
    assert_int_equal(standings.rows[1].player, 1);
    assert_int_equal(standings.rows[2].player, 0);
    assert_true(standings.rows[0].points == standings.rows[2].points);
    assert_true(standings.rows[0].brightwell - standings.rows[2].brightwell == 2.0);
    standings_clear(&standings);

    add_encounter(&encounters[1], 0, 2, 4, -4); /* equal in everything: by number */
    standings = compute(&input);
    for (int i = 0; i < 3; i++)
        assert_int_equal(standings.rows[i].player, i);
    standings_clear(&standings);

    add_encounter(&encounters[0], 0, 1, 64, 64); /* more points than the others with their byes, but it left */
    add_encounter(&encounters[1], 0, 2, 64, 64);
    input.withdrawn = first;
    standings = compute(&input);
    assert_int_equal(standings.rows[2].player, 0);
    assert_true(standings.rows[2].points == 4.0 && standings.rows[0].points == 3.0);
    assert_int_equal(standings.rows[2].byes, 0);
    standings_clear(&standings);
    schedule_clear(&schedule);
}

/* c is the nearest integer, 0 in long matches, and halves go up: 64 squares and 128 games. */
static void test_factor(void **state)
{
    static const struct {
        enum schedule_format format;
        int players;
        size_t pairs_each;
        int squares, factor;
    } cases[] = {{SCHEDULE_ROUND_ROBIN, 2, 1, 64, 32},  {SCHEDULE_ROUND_ROBIN, 5, 1, 64, 6},
                 {SCHEDULE_ROUND_ROBIN, 2, 64, 64, 1},  {SCHEDULE_ROUND_ROBIN, 2, 65, 64, 0},
                 {SCHEDULE_ROUND_ROBIN, 2, 21, 63, 2},  {SCHEDULE_GAUNTLET, 5, 1, 64, 8},
                 {SCHEDULE_ROUND_ROBIN, 4, 1, 100, 17}, {SCHEDULE_ROUND_ROBIN, 2, 1000000, 64, 0}};
    const bool withdrawn[5] = {false};
    const uint64_t faults[5] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schedule schedule;

        assert_int_equal(schedule_make(cases[i].format, cases[i].players, cases[i].pairs_each, &schedule, NULL),
                         WILLOW_OK);
        struct standings standings = compute(&(struct standings_input){
            .schedule = &schedule, .withdrawn = withdrawn, .faults = faults, .squares = cases[i].squares});
        assert_int_equal(standings.brightwell_factor, cases[i].factor);
        standings_clear(&standings);
        schedule_clear(&schedule);
    }
}

/* What becomes of a single game of the schedule. */
struct game {
    int a, b;
    bool cancelled; /* one of them had left */
    int discs;      /* for a */
};

struct tournament {
    struct schedule schedule;
    int squares;
    bool withdrawn[PLAYERS];
    uint64_t faults[PLAYERS];
    struct game *games;
    size_t count;
    struct rating_encounter encounters[ENCOUNTERS];
    size_t encounter_count;
};

static int draw_discs(struct willow_random *random, int squares)
{
    /* Draws are frequent, also on boards of an odd number of squares, where an empty one makes them possible. */
    if (willow_random_below(random, 4) == 0)
        return 0;
    return squares - 2 * (int)willow_random_below(random, (uint32_t)squares + 1);
}

static void play_tournament(struct tournament *tournament, uint64_t stream)
{
    static const int boards[] = {64, 36, 16, 63, 60, 100};
    struct willow_random random;
    size_t leaves[PLAYERS]; /* pair of the schedule from which on a player is gone */

    willow_random_init(&random, 20, stream);
    memset(tournament, 0, sizeof *tournament);
    tournament->squares = boards[willow_random_below(&random, 6)];
    const int players = 2 + (int)willow_random_below(&random, PLAYERS - 1);
    assert_int_equal(schedule_make(willow_random_below(&random, 4) == 0 ? SCHEDULE_GAUNTLET : SCHEDULE_ROUND_ROBIN,
                                   players, 1 + willow_random_below(&random, 5), &tournament->schedule, NULL),
                     WILLOW_OK);
    const struct schedule *schedule = &tournament->schedule;
    for (int player = 0; player < players; player++) {
        tournament->withdrawn[player] = willow_random_below(&random, 4) == 0;
        tournament->faults[player] = willow_random_below(&random, 3);
        leaves[player] = tournament->withdrawn[player] ? willow_random_below(&random, (uint32_t)schedule->count + 1)
                                                       : schedule->count;
    }
    tournament->games = calloc(2 * schedule->count, sizeof *tournament->games);
    assert_non_null(tournament->games);
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_pair *pair = &schedule->pairs[i];
        struct game *games = &tournament->games[tournament->count];
        struct rating_encounter *encounter = &tournament->encounters[tournament->encounter_count];

        tournament->count += 2;
        for (int game = 0; game < 2; game++)
            games[game] = (struct game){.a = pair->a,
                                        .b = pair->b,
                                        .cancelled = i >= leaves[pair->a] || i >= leaves[pair->b],
                                        .discs = draw_discs(&random, tournament->squares)};
        if (pair->number == 0) {
            encounter->a = pair->a;
            encounter->b = pair->b;
        }
        if (!games[0].cancelled)
            statistics_add_pair(&encounter->tally, games[0].discs, games[1].discs);
        if (pair->number + 1 == schedule->pairs_each)
            tournament->encounter_count++;
    }
}

/* Points, discs and quotients doubled, so that all are whole. */
struct sums {
    int64_t wins, draws, losses, byes, points2, discs2, brightwell2;
};

static bool is_bye(const struct tournament *tournament, const struct game *game, int player)
{
    const int opponent = game->a == player ? game->b : game->a;
    return game->cancelled && tournament->withdrawn[opponent] && !tournament->withdrawn[player];
}

static void count_games(const struct tournament *tournament, int player, struct sums *sums)
{
    for (size_t i = 0; i < tournament->count; i++) {
        const struct game *game = &tournament->games[i];

        if (game->a != player && game->b != player)
            continue;
        const int discs = game->a == player ? game->discs : -game->discs;
        if (is_bye(tournament, game, player)) {
            sums->byes++;
        } else if (!game->cancelled) {
            sums->wins += discs > 0;
            sums->draws += discs == 0;
            sums->losses += discs < 0;
            sums->discs2 += tournament->squares + discs;
        }
    }
    /* Rounds that do not know the player at all; a gauntlet has none that count. */
    const struct schedule *schedule = &tournament->schedule;
    const bool gauntlet = schedule->count == (size_t)(schedule->players - 1) * schedule->pairs_each;
    for (int round = 0; round < schedule->rounds && !gauntlet && !tournament->withdrawn[player]; round++) {
        bool plays = false;

        for (size_t i = 0; i < schedule->count; i++)
            plays = plays || (schedule->pairs[i].round == round &&
                              (schedule->pairs[i].a == player || schedule->pairs[i].b == player));
        if (!plays)
            sums->byes += 2 * (int64_t)schedule->pairs_each;
    }
    sums->points2 = 2 * sums->wins + sums->draws + 2 * sums->byes;
}

static int nearest_factor(int squares, int games)
{
    int best = 0;

    for (int c = 0; c <= squares; c++)
        if (abs(c * games - squares) <= abs(best * games - squares))
            best = c;
    return best;
}

static void sum_brightwell(const struct tournament *tournament, int factor, int player, struct sums *all)
{
    struct sums *own = &all[player];
    int64_t played = 0;

    for (size_t i = 0; i < tournament->count; i++) {
        const struct game *game = &tournament->games[i];

        if (game->cancelled || (game->a != player && game->b != player))
            continue;
        const int opponent = game->a == player ? game->b : game->a;
        const int discs = game->a == player ? game->discs : -game->discs;
        played++;
        if (tournament->withdrawn[opponent])
            own->brightwell2 += tournament->squares + factor * own->points2;
        else
            own->brightwell2 += tournament->squares + discs + factor * all[opponent].points2;
    }
    for (int64_t bye = 0; bye < own->byes; bye++)
        own->brightwell2 += tournament->squares + factor * own->points2;
    assert_int_equal(played, own->wins + own->draws + own->losses);
}

static void check_cross_table(const struct tournament *tournament, const struct standings *standings)
{
    const size_t players = (size_t)standings->players;

    for (size_t a = 0; a < players; a++) {
        double points = 0.0;

        for (size_t b = 0; b < players; b++) {
            uint64_t games = 0;

            for (size_t i = 0; i < tournament->count; i++) {
                const struct game *game = &tournament->games[i];
                games += !game->cancelled &&
                         ((game->a == (int)a && game->b == (int)b) || (game->a == (int)b && game->b == (int)a));
            }
            assert_int_equal(standings->games[a * players + b], games);
            assert_true(standings->points[a * players + b] + standings->points[b * players + a] == (double)games);
            points += standings->points[a * players + b];
        }
        const struct standings_player *row = find_player(standings, (int)a);
        assert_true(row->points == points + (double)row->byes);
    }
}

static void check_order(const struct standings *standings)
{
    for (int i = 1; i < standings->players; i++) {
        const struct standings_player *above = &standings->rows[i - 1], *below = &standings->rows[i];

        if (above->withdrawn != below->withdrawn)
            assert_true(below->withdrawn);
        else if (above->points != below->points)
            assert_true(above->points > below->points);
        else if (above->brightwell != below->brightwell)
            assert_true(above->brightwell > below->brightwell);
        else
            assert_true(above->player < below->player);
    }
}

static void test_random_tournaments(void **state)
{
    uint64_t byes = 0, played_by_withdrawn = 0;

    (void)state;
    for (uint64_t stream = 0; stream < 300; stream++) {
        struct tournament tournament;
        struct sums sums[PLAYERS] = {{0}};

        play_tournament(&tournament, stream);
        struct standings standings = compute(&(struct standings_input){.schedule = &tournament.schedule,
                                                                       .withdrawn = tournament.withdrawn,
                                                                       .encounters = tournament.encounters,
                                                                       .count = tournament.encounter_count,
                                                                       .faults = tournament.faults,
                                                                       .squares = tournament.squares});
        const int factor =
            nearest_factor(tournament.squares, tournament.schedule.rounds * 2 * (int)tournament.schedule.pairs_each);
        assert_int_equal(standings.brightwell_factor, factor);
        for (int player = 0; player < standings.players; player++)
            count_games(&tournament, player, &sums[player]);
        for (int player = 0; player < standings.players; player++) {
            const struct standings_player *row = find_player(&standings, player);

            sum_brightwell(&tournament, factor, player, sums);
            assert_int_equal(row->wins, sums[player].wins);
            assert_int_equal(row->draws, sums[player].draws);
            assert_int_equal(row->losses, sums[player].losses);
            assert_int_equal(row->byes, sums[player].byes);
            assert_true(2.0 * row->points == (double)sums[player].points2);
            assert_true(2.0 * row->discs == (double)sums[player].discs2);
            assert_true(2.0 * row->brightwell == (double)sums[player].brightwell2);
            assert_int_equal(row->withdrawn, tournament.withdrawn[player]);
            assert_int_equal(row->faults, tournament.faults[player]);
            byes += row->byes;
            played_by_withdrawn += row->withdrawn ? row->wins + row->losses : 0;
        }
        check_cross_table(&tournament, &standings);
        check_order(&standings);
        standings_clear(&standings);
        free(tournament.games);
        schedule_clear(&tournament.schedule);
    }
    assert_true(byes > 100 && played_by_withdrawn > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_ties),
                                       cmocka_unit_test(test_factor), cmocka_unit_test(test_random_tournaments)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
