/* Built-in players: whole games within every kind of limit, the same again, and searches held to deadline and stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "selfplay/match/player.h"
#include "support/player_turns.h"

/* A game of a built-in player against itself; *nodes is what all its searches took. */
static struct willow_game self_play(const struct engine *engine, struct player *player, uint64_t *nodes)
{
    struct willow_game game = opening_of("f5d6");
    char reason[PLAYER_REASON];

    *nodes = 0;
    assert_int_equal(player_begin(player, &game, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    while (!willow_game_over(&game)) {
        struct willow_timer timer;
        struct player_turn turn = turn_of(&game, AMPLE_MS);
        struct player_answer answer = {.move = WILLOW_PASS};
        if (engine->has_clock) {
            willow_timer_start(&timer, &engine->clock);
            turn.own = &timer;
        }
        if (willow_board_moves(game.ruleset, willow_game_board(&game)) != 0) {
            assert_int_equal(player_think(player, &turn, &answer, reason), PLAYER_FINE);
            if (engine->depth > 0) {
                assert_true(answer.has_score && answer.nodes > 0);
                const int empties = willow_board_empties(game.ruleset, willow_game_board(&game));
                assert_int_equal(answer.depth, empties < engine->depth ? empties : engine->depth);
            }
        }
        *nodes += answer.nodes;
        assert_int_equal(willow_game_play(&game, answer.move, NULL), WILLOW_OK);
    }
    return game;
}

/* With every kind of limit; twice the same where no time is in them. */
static void test_builtin(void **state)
{
    static const char *const descriptions[] = {"zero,depth=3",    "zero,nodes=500,exact=6",
                                               "zero,level=4",    "zero,level=2,selectivity=73,exact=3",
                                               "zero,time=0.001", "zero,clock=0.02"};
    (void)state;
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++) {
        const struct player_options options = {.hash_bytes = 1 << 16};
        struct engine engine;
        struct player *player;

        assert_int_equal(engine_parse(descriptions[i], &engine, NULL), WILLOW_OK);
        assert_int_equal(engine_open(&engine, willow_ruleset_default(), NULL), WILLOW_OK);
        assert_int_equal(player_new(&engine, &options, &player, NULL), WILLOW_OK);
        uint64_t nodes[2];
        const struct willow_game first = self_play(&engine, player, &nodes[0]);
        const struct willow_game second = self_play(&engine, player, &nodes[1]);
        if (engine.time_ms == 0 && !engine.has_clock) {
            assert_int_equal(first.length, second.length);
            assert_memory_equal(first.moves, second.moves, (size_t)first.length);
            assert_true(nodes[0] == nodes[1]);
        }
        player_free(player);
        engine_clear(&engine);
    }
}

/* A search without a limit is held to the deadline, and to the stop. */
static void test_builtin_deadline(void **state)
{
    const struct player_options options = {.hash_bytes = 1 << 16};
    const struct willow_game opening = opening_of("");
    struct player_turn turn;
    struct player_answer answer;
    struct willow_stop *stop;
    struct engine engine;
    struct player *player;
    char reason[PLAYER_REASON];

    (void)state;
    assert_int_equal(engine_parse("zero", &engine, NULL), WILLOW_OK);
    assert_int_equal(engine_open(&engine, willow_ruleset_default(), NULL), WILLOW_OK);
    assert_int_equal(player_new(&engine, &options, &player, NULL), WILLOW_OK);
    assert_int_equal(player_begin(player, &opening, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    turn = turn_of(&opening, 20);
    assert_int_equal(player_think(player, &turn, &answer, reason), PLAYER_HUNG);
    assert_printable(reason);

    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    turn = turn_of(&opening, AMPLE_MS);
    turn.stop = stop;
    assert_int_equal(player_think(player, &turn, &answer, reason), PLAYER_STOPPED);
    willow_stop_free(stop);
    player_free(player);
    player_free(NULL);
    engine_clear(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_builtin), cmocka_unit_test(test_builtin_deadline)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
