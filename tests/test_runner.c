/* The runner: the same pairs in the same order whatever the threads, also where the match ends early or a player is
 * withdrawn; a fault stays in its game; a stop and an error end all threads; at most a window is played ahead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/match/runner.h"
#include "support/scripted_players.h"

enum { PLAYERS = 3, OPENINGS = 20, ENCOUNTERS = 3, PAIRS = ENCOUNTERS * OPENINGS };

static const int thread_counts[] = {1, 2, 5};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

/* A game as it came out. */
struct outcome {
    enum game_end end;
    enum willow_side culprit;
    int discs, length;
    willow_square moves[WILLOW_GAME_MAX];
};

/* What the caller of a run saw. */
struct seen {
    size_t count;
    size_t indices[PAIRS];
    struct outcome games[PAIRS][2];
    uint64_t faults[PAIRS][PLAYERS]; /* at each commit */
};

/* Three engines that all meet each other. */
struct run {
    struct engine engines[PLAYERS];
    struct script scripts[PLAYERS];
    struct schedule_pair pairs[PAIRS];
    struct schedule schedule;
    struct willow_game openings[OPENINGS];
    uint64_t faults[PLAYERS];
    bool withdrawn[PLAYERS];
    struct runner_options options;

    size_t enough;             /* commits after which the caller has seen enough; 0 = never */
    enum willow_status refuse; /* what the commit of that pair returns instead */
    struct willow_stop *stop;  /* set in the commit of that pair, or when the first encounter is over */
    bool stop_at_commit, stop_at_tick;
    struct seen seen;
};

static enum willow_status commit(void *context, const struct schedule_pair *pair, const struct game_record games[2],
                                 enum runner_wish *wish, struct willow_error *error)
{
    struct run *run = context;
    struct seen *seen = &run->seen;
    const size_t at = seen->count++;

    assert_int_equal(*wish, RUNNER_GO_ON);
    assert_in_range(at, 0, PAIRS - 1);
    seen->indices[at] = (size_t)(pair - run->schedule.pairs);
    for (int i = 0; i < 2; i++) {
        struct outcome *outcome = &seen->games[at][i];
        outcome->end = games[i].end;
        outcome->culprit = games[i].culprit;
        outcome->discs = games[i].discs;
        outcome->length = games[i].game.length;
        memcpy(outcome->moves, games[i].game.moves, (size_t)outcome->length * sizeof *outcome->moves);
    }
    memcpy(seen->faults[at], run->faults, sizeof run->faults);
    if (seen->count != run->enough)
        return WILLOW_OK;
    if (run->stop_at_commit)
        willow_stop_set(run->stop, true);
    else if (run->refuse == WILLOW_OK)
        *wish = RUNNER_ENOUGH;
    else
        return willow_fail(error, run->refuse, NULL, NULL, "no more");
    return WILLOW_OK;
}

static void tick(void *context, int running)
{
    struct run *run = context;

    assert_in_range(running, 0, run->options.threads);
    if (run->stop_at_tick && run->seen.count == OPENINGS)
        willow_stop_set(run->stop, true);
}

static struct run *new_run(int threads)
{
    struct run *run = calloc(1, sizeof *run);
    size_t count = 0;

    assert_non_null(run);
    for (int a = 0; a < PLAYERS; a++)
        for (int b = a + 1; b < PLAYERS; b++)
            for (size_t number = 0; number < OPENINGS; number++)
                run->pairs[count++] = (struct schedule_pair){.round = a + b - 1, .a = a, .b = b, .number = number};
    run->schedule = (struct schedule){.pairs = run->pairs, .count = count, .players = PLAYERS, .rounds = ENCOUNTERS};
    for (uint64_t i = 0; i < OPENINGS; i++)
        run->openings[i] = script_opening(willow_ruleset_default(), i, 8);
    for (int i = 0; i < PLAYERS; i++) {
        run->engines[i].kind = ENGINE_GTP;
        run->scripts[i].one_in = 1;
    }
    assert_int_equal(willow_stop_new(&run->stop, NULL), WILLOW_OK);
    run->options = (struct runner_options){.engines = run->engines,
                                           .move_limit_ms = 600000,
                                           .threads = threads,
                                           .faults = run->faults,
                                           .withdrawn = run->withdrawn,
                                           .stop = run->stop,
                                           .commit = commit,
                                           .tick = tick,
                                           .context = run};
    return run;
}

static void free_run(struct run *run)
{
    if (run != NULL)
        willow_stop_free(run->stop);
    free(run);
}

/* Plays, and sees that nobody is left behind. */
static enum willow_status play(struct run *run, const bool *done)
{
    struct willow_error error = {0};

    scripted_players_set(run->engines, run->scripts, PLAYERS);
    const enum willow_status status = runner_play(&run->options, &run->schedule, run->openings, done, &error);
    assert_int_equal(status, error.status);
    for (int i = 0; i < PLAYERS; i++)
        assert_int_equal(run->scripts[i].living, 0);
    return status;
}

static void assert_same_game(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->culprit, b->culprit);
    assert_int_equal(a->discs, b->discs);
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->moves, b->moves, (size_t)a->length);
}

/* The pairs seen are the wanted ones, `count` of them. */
static void assert_same_pairs(const struct seen *seen, const struct seen *wanted, size_t count)
{
    assert_int_equal(seen->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(seen->indices[i], wanted->indices[i]);
        for (int game = 0; game < 2; game++)
            assert_same_game(&seen->games[i][game], &wanted->games[i][game]);
        assert_memory_equal(seen->faults[i], wanted->faults[i], sizeof wanted->faults[i]);
    }
}

/* Games in which the first two players crash now and then, one thread, no delays. */
static void make_faulty(struct run *run)
{
    run->scripts[0].deed = SCRIPT_CRASH;
    run->scripts[0].at = 3;
    run->scripts[0].one_in = 5;
    run->scripts[1].deed = SCRIPT_ILLEGAL;
    run->scripts[1].at = 1;
    run->scripts[1].one_in = 3;
}

static void make_slow(struct run *run)
{
    run->scripts[0].jitter_us = 300;
    run->scripts[2].jitter_us = 1500;
}

/* Who failed in a pair, by player. */
static void count_faults(const struct run *run, const struct seen *seen, size_t at, uint64_t faults[PLAYERS])
{
    const struct schedule_pair *pair = &run->pairs[seen->indices[at]];

    for (int game = 0; game < 2; game++)
        if (game_end_is_fault(seen->games[at][game].end)) {
            const int black = game == 0 ? pair->a : pair->b, white = pair->a + pair->b - black;
            faults[seen->games[at][game].culprit == WILLOW_BLACK ? black : white]++;
        }
}

/* Each game is what two scripted players make of the opening, with the colours as the schedule says. */
static void test_all_pairs_in_order(void **state)
{
    (void)state;
    for (int i = 0; i < THREAD_COUNTS; i++) {
        struct run *run = new_run(thread_counts[i]);

        make_faulty(run);
        make_slow(run);
        assert_int_equal(play(run, NULL), WILLOW_OK);
        assert_int_equal(run->seen.count, PAIRS);
        for (size_t at = 0; at < PAIRS; at++) {
            const struct schedule_pair *pair = &run->pairs[at];
            const struct willow_game *opening = &run->openings[pair->number];

            assert_int_equal(run->seen.indices[at], at);
            for (int game = 0; game < 2; game++) {
                const struct outcome *outcome = &run->seen.games[at][game];
                const int who[2] = {game == 0 ? pair->a : pair->b, game == 0 ? pair->b : pair->a};
                struct willow_game wanted = *opening;
                int moved[2] = {0, 0}, failed = -1;

                while (failed < 0 && !willow_game_over(&wanted)) {
                    const bool passes = willow_board_moves(wanted.ruleset, willow_game_board(&wanted)) == 0;
                    const struct script *script = &run->scripts[who[wanted.side]];
                    moved[wanted.side] += !passes;
                    if (!passes && moved[wanted.side] == script->at && script_strikes(script, opening, wanted.side))
                        failed = (int)wanted.side;
                    else
                        willow_game_play(&wanted, passes ? WILLOW_PASS : script_move(&wanted), NULL);
                }
                assert_int_equal(outcome->length, wanted.length);
                assert_memory_equal(outcome->moves, wanted.moves, (size_t)wanted.length);
                assert_int_equal(game_end_is_fault(outcome->end), failed >= 0);
                if (failed >= 0)
                    assert_int_equal(outcome->culprit, failed);
                else
                    assert_int_equal(outcome->discs, willow_game_final_discs(&wanted));
            }
        }
        free_run(run);
    }
}

static void test_faults_are_counted(void **state)
{
    struct run *run = new_run(2);
    uint64_t faults[PLAYERS] = {7, 0, 1};

    (void)state;
    make_faulty(run);
    memcpy(run->faults, faults, sizeof faults);
    assert_int_equal(play(run, NULL), WILLOW_OK);
    for (size_t at = 0; at < PAIRS; at++) {
        count_faults(run, &run->seen, at, faults);
        assert_memory_equal(run->seen.faults[at], faults, sizeof faults);
    }
    assert_true(faults[0] > 10 && faults[1] > 10);
    assert_int_equal(faults[2], 1);
    for (int i = 0; i < PLAYERS; i++)
        assert_false(run->withdrawn[i]);
    free_run(run);
}

static void test_enough_is_enough(void **state)
{
    struct run *all = new_run(1);

    (void)state;
    make_faulty(all);
    assert_int_equal(play(all, NULL), WILLOW_OK);
    for (size_t enough = 1; enough <= PAIRS; enough += 13)
        for (int i = 0; i < THREAD_COUNTS; i++) {
            struct run *run = new_run(thread_counts[i]);

            make_faulty(run);
            make_slow(run);
            run->enough = enough;
            assert_int_equal(play(run, NULL), WILLOW_OK);
            assert_same_pairs(&run->seen, &all->seen, enough);
            free_run(run);
        }
    free_run(all);
}

/* What is left of all pairs when players leave at their limit, worked out from the whole match. */
static void withdraw(const struct run *all, uint64_t limit, const bool *done, struct seen *left, bool *withdrawn)
{
    uint64_t faults[PLAYERS] = {0};

    *left = (struct seen){0};
    for (size_t at = 0; at < PAIRS; at++) {
        const struct schedule_pair *pair = &all->pairs[at];

        if (done[at] || withdrawn[pair->a] || withdrawn[pair->b])
            continue;
        left->indices[left->count] = at;
        memcpy(left->games[left->count], all->seen.games[at], sizeof all->seen.games[at]);
        count_faults(all, &all->seen, at, faults);
        memcpy(left->faults[left->count++], faults, sizeof faults);
        for (int i = 0; i < PLAYERS; i++)
            withdrawn[i] = withdrawn[i] || faults[i] >= limit;
    }
}

static void test_withdrawals_do_not_depend_on_threads(void **state)
{
    struct run *all = new_run(1);
    struct seen *left = calloc(1, sizeof *left);

    (void)state;
    assert_non_null(left);
    make_faulty(all);
    assert_int_equal(play(all, NULL), WILLOW_OK);
    for (uint64_t limit = 1; limit <= 13; limit += 4)
        for (int i = 0; i < THREAD_COUNTS; i++) {
            struct run *run = new_run(thread_counts[i]);
            bool withdrawn[PLAYERS] = {false}, done[PAIRS];

            for (size_t at = 0; at < PAIRS; at++)
                done[at] = at % 7 == 1;
            withdraw(all, limit, done, left, withdrawn);
            assert_true(left->count < PAIRS - 9);
            make_faulty(run);
            make_slow(run);
            run->options.faults_limit = limit;
            assert_int_equal(play(run, done), WILLOW_OK);
            assert_same_pairs(&run->seen, left, left->count);
            assert_memory_equal(run->withdrawn, withdrawn, sizeof withdrawn);
            free_run(run);
        }
    free(left);
    free_run(all);
}

/* Those who left before do not come back; where only one is left there is nothing to play. */
static void test_withdrawn_before(void **state)
{
    struct run *run = new_run(2);

    (void)state;
    run->withdrawn[1] = true;
    assert_int_equal(play(run, NULL), WILLOW_OK);
    assert_int_equal(run->seen.count, OPENINGS);
    assert_int_equal(run->scripts[1].made, 0);
    run->withdrawn[0] = true;
    run->seen.count = 0;
    assert_int_equal(play(run, NULL), WILLOW_OK);
    assert_int_equal(run->seen.count, 0);
    free_run(run);
}

/* One crash in one game: every other game is the one that would have been. */
static void test_a_crash_hurts_one_game(void **state)
{
    struct run *all = new_run(2), *run = new_run(2);
    size_t faults = 0;

    (void)state;
    assert_int_equal(play(all, NULL), WILLOW_OK);
    run->scripts[2].deed = SCRIPT_CRASH;
    run->scripts[2].at = 0;
    run->scripts[2].one_in = 9;
    assert_int_equal(play(run, NULL), WILLOW_OK);
    for (size_t at = 0; at < PAIRS; at++)
        for (int game = 0; game < 2; game++) {
            if (run->seen.games[at][game].end == GAME_CRASHED)
                faults++;
            else
                assert_same_game(&run->seen.games[at][game], &all->seen.games[at][game]);
        }
    assert_in_range(faults, 1, PAIRS / 2);
    free_run(run);
    free_run(all);
}

static void test_done_pairs_are_left_out(void **state)
{
    struct run *all = new_run(1), *run = new_run(3);
    bool done[PAIRS];

    (void)state;
    assert_int_equal(play(all, NULL), WILLOW_OK);
    for (size_t at = 0; at < PAIRS; at++)
        done[at] = at < 10 || at % 3 == 0 || at == PAIRS - 1;
    assert_int_equal(play(run, done), WILLOW_OK);
    for (size_t at = 0, got = 0; at < PAIRS; at++)
        if (!done[at]) {
            assert_int_equal(run->seen.indices[got], at);
            assert_same_game(&run->seen.games[got][1], &all->seen.games[at][1]);
            got++;
        }
    memset(done, true, sizeof done);
    run->seen.count = 0;
    assert_int_equal(play(run, done), WILLOW_OK);
    assert_int_equal(run->seen.count, 0);
    free_run(run);
    free_run(all);
}

/* A stop in the tenth commit: the pairs before it and perhaps some that were just finished, in order; going on from
 * there gives the rest. */
static void test_stop_keeps_whole_pairs(void **state)
{
    struct run *all = new_run(1);

    (void)state;
    assert_int_equal(play(all, NULL), WILLOW_OK);
    for (int i = 0; i < THREAD_COUNTS; i++) {
        struct run *run = new_run(thread_counts[i]);
        bool done[PAIRS] = {false};

        /* The first encounter does not need the third player. */
        make_slow(run);
        run->scripts[2].deed = SCRIPT_WAIT;
        run->scripts[2].at = 4;
        run->scripts[2].held = true;
        run->enough = 10;
        run->stop_at_commit = true;
        assert_int_equal(play(run, NULL), WILLOW_ERR_STOPPED);
        assert_in_range(run->seen.count, 10, OPENINGS);
        assert_same_pairs(&run->seen, &all->seen, run->seen.count);
        memset(done, true, run->seen.count);
        willow_stop_set(run->stop, false);
        run->scripts[2].held = false;
        assert_int_equal(play(run, done), WILLOW_OK);
        assert_same_pairs(&run->seen, &all->seen, PAIRS);
        free_run(run);
    }
    free_run(all);
}

/* A player without an answer and without a limit does not keep the match from ending, for whatever reason it ends. */
static void test_ends_while_a_player_hangs(void **state)
{
    static const struct {
        bool stop;
        enum willow_status refuse, status;
    } ends[] = {
        {true, WILLOW_OK, WILLOW_ERR_STOPPED}, {false, WILLOW_OK, WILLOW_OK}, {false, WILLOW_ERR_IO, WILLOW_ERR_IO}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct run *run = new_run(3);

        run->options.move_limit_ms = 0;
        run->scripts[2].deed = SCRIPT_WAIT;
        run->scripts[2].at = 4;
        run->scripts[2].held = true;
        run->stop_at_tick = ends[i].stop; /* and the first encounter is over */
        run->enough = ends[i].stop ? 0 : OPENINGS;
        run->refuse = ends[i].refuse;
        assert_int_equal(play(run, NULL), ends[i].status);
        assert_int_equal(run->seen.count, OPENINGS);
        free_run(run);
    }
}

static void test_errors_end_the_match(void **state)
{
    struct run *run = new_run(2);

    (void)state;
    run->scripts[2].fails_to_start = true;
    assert_int_equal(play(run, NULL), WILLOW_ERR_MEMORY);
    assert_in_range(run->seen.count, 0, OPENINGS);
    for (int i = 0; i < 2; i++) {
        run->options.threads = i == 0 ? 0 : RUNNER_THREADS_MAX + 1;
        assert_int_equal(play(run, NULL), WILLOW_ERR_ARGUMENT);
    }
    free_run(run);
}

/* One thread makes each player once an encounter at most: the first seat keeps its player, the second changes. */
static void test_players_are_kept(void **state)
{
    struct run *run = new_run(1);

    (void)state;
    assert_int_equal(play(run, NULL), WILLOW_OK);
    /* 0-1, 0-2, 1-2. */
    assert_int_equal(run->scripts[0].made, 1);
    assert_int_equal(run->scripts[1].made, 2);
    assert_int_equal(run->scripts[2].made, 1);
    for (int i = 0; i < PLAYERS; i++)
        assert_int_equal(run->scripts[i].begun, 4 * OPENINGS);
    free_run(run);
}

/* Far more pairs than a window, of short games; the first one does not end before the others have waited for it. */
enum { MANY = RUNNER_WINDOW + 500 };

struct crowd {
    struct engine engines[2];
    struct script scripts[2];
    struct schedule_pair pairs[MANY];
    size_t committed;
    int quiet, last; /* ticks without a new game */
};

static enum willow_status count_pair(void *context, const struct schedule_pair *pair, const struct game_record games[2],
                                     enum runner_wish *wish, struct willow_error *error)
{
    struct crowd *crowd = context;

    (void)games;
    (void)wish;
    (void)error;
    assert_int_equal(pair - crowd->pairs, crowd->committed);
    crowd->committed++;
    return WILLOW_OK;
}

static void release_when_quiet(void *context, int running)
{
    struct crowd *crowd = context;
    const int begun = atomic_load(&crowd->scripts[1].begun);

    (void)running;
    crowd->quiet = begun == crowd->last ? crowd->quiet + 1 : 0;
    crowd->last = begun;
    if (!atomic_load(&crowd->scripts[0].held))
        return;
    assert_int_equal(crowd->committed, 0);
    assert_true(begun <= 2 * RUNNER_WINDOW - 1);
    /* The held pair has begun one game of two. */
    if (begun == 2 * RUNNER_WINDOW - 1 && crowd->quiet >= 2)
        atomic_store(&crowd->scripts[0].held, false);
}

static void test_games_ahead_are_bounded(void **state)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct willow_game *openings = calloc(MANY, sizeof *openings);
    struct schedule schedule = {.count = MANY, .players = 2, .rounds = 1};
    uint64_t faults[2] = {0, 0};
    bool withdrawn[2] = {false, false};

    (void)state;
    assert_non_null(crowd);
    assert_non_null(openings);
    schedule.pairs = crowd->pairs;
    for (size_t i = 0; i < MANY; i++) {
        crowd->pairs[i] = (struct schedule_pair){.a = 0, .b = 1, .number = i};
        /* All but the first are almost over. */
        openings[i] = script_opening(willow_ruleset_default(), i, i == 0 ? 4 : 56);
    }
    for (int i = 0; i < 2; i++) {
        crowd->engines[i].kind = ENGINE_GTP;
        crowd->scripts[i].one_in = 1;
    }
    crowd->scripts[0].deed = SCRIPT_WAIT;
    crowd->scripts[0].at = 20; /* reached in the first pair alone */
    crowd->scripts[0].held = true;
    const struct runner_options options = {.engines = crowd->engines,
                                           .threads = 3,
                                           .faults = faults,
                                           .withdrawn = withdrawn,
                                           .commit = count_pair,
                                           .tick = release_when_quiet,
                                           .context = crowd};
    scripted_players_set(crowd->engines, crowd->scripts, 2);
    assert_int_equal(runner_play(&options, &schedule, openings, NULL, NULL), WILLOW_OK);
    assert_int_equal(crowd->committed, MANY);
    assert_false(atomic_load(&crowd->scripts[0].held));
    free(openings);
    free(crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs_in_order),        cmocka_unit_test(test_faults_are_counted),
        cmocka_unit_test(test_enough_is_enough),          cmocka_unit_test(test_withdrawals_do_not_depend_on_threads),
        cmocka_unit_test(test_withdrawn_before),          cmocka_unit_test(test_a_crash_hurts_one_game),
        cmocka_unit_test(test_done_pairs_are_left_out),   cmocka_unit_test(test_stop_keeps_whole_pairs),
        cmocka_unit_test(test_ends_while_a_player_hangs), cmocka_unit_test(test_errors_end_the_match),
        cmocka_unit_test(test_players_are_kept),          cmocka_unit_test(test_games_ahead_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
