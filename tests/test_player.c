/* Players: whole games with other programs over both protocols in every dialect, each misbehaviour found out and no
 * process left behind, clocks told, stops heeded.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/random.h>

#include "selfplay/match/player.h"
#include "support/player_turns.h"
#include "support/referee.h"
#include "support/sanitized.h"
#include "support/scratch.h"

/* What is waited for in vain. */
enum { SHORT_MS = 150 };

enum { WORDS = 20 };

/* A player behind which the fake engine stands. */
struct guest {
    char folder[SCRATCH_PATH], log[SCRATCH_PATH];
    char *words[WORDS];
    struct engine engine;
    struct player *player;
};

/* The words after the protocol end with null. */
static void guest_open(struct guest *guest, enum engine_kind kind, unsigned start_limit_ms, ...)
{
    const struct player_options options = {.start_limit_ms = start_limit_ms};
    int count = 0;
    va_list words;

    scratch_make(guest->folder);
    /* Also for a program that is killed before it has opened it. */
    scratch_write(scratch_join(guest->log, guest->folder, "log"), "", 0);
    guest->words[count++] = (char *)(uintptr_t)FAKE_ENGINE;
    guest->words[count++] = (char *)(uintptr_t)(kind == ENGINE_GTP ? "--gtp" : "--nboard");
    guest->words[count++] = (char *)(uintptr_t) "--log";
    guest->words[count++] = guest->log;
    va_start(words, start_limit_ms);
    do {
        assert_true(count < WORDS);
        guest->words[count] = va_arg(words, char *);
    } while (guest->words[count++] != NULL);
    va_end(words);
    guest->engine = (struct engine){.name = "guest", .kind = kind, .command = guest->words};
    assert_int_equal(player_new(&guest->engine, &options, &guest->player, NULL), WILLOW_OK);
}

/* What the fake engine has noted down, as text; the caller frees. */
static char *guest_log(const struct guest *guest)
{
    size_t size;
    char *data = (char *)scratch_read(guest->log, &size);
    char *text = malloc(size + 1);

    assert_non_null(text);
    memcpy(text, data, size);
    text[size] = '\0';
    free(data);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static bool was_told(const struct guest *guest, const char *part)
{
    char *log = guest_log(guest);
    const bool found = strstr(log, part) != NULL;

    free(log);
    return found;
}

static int starts(const struct guest *guest)
{
    char *log = guest_log(guest);
    const int count = count_of(log, "pid ");

    free(log);
    return count;
}

static void assert_all_gone(const struct guest *guest)
{
    char *log = guest_log(guest);

    for (const char *at = strstr(log, "pid "); at != NULL; at = strstr(at + 1, "pid ")) {
        const pid_t pid = (pid_t)strtol(at + 4, NULL, 10);
        assert_true(pid > 1);
        assert_int_equal(kill(pid, 0), -1);
        assert_int_equal(errno, ESRCH);
    }
    free(log);
}

static void guest_close(struct guest *guest)
{
    player_free(guest->player);
    assert_all_gone(guest);
    scratch_remove(guest->folder);
}

static willow_square random_move(const struct willow_game *game, struct willow_random *random)
{
    const willow_bits moves = willow_board_moves(game->ruleset, willow_game_board(game));

    return moves == 0 ? WILLOW_PASS : (willow_square)willow_random_bit(random, moves);
}

/* A game against random moves, refereed square by square. Returns how many passes the guest had to be told of. */
static int play_game(struct player *player, const struct willow_game *opening, enum willow_side side, uint64_t seed,
                     bool scored)
{
    struct willow_game game = *opening;
    struct willow_random random;
    char reason[PLAYER_REASON];
    int passes = 0;

    willow_random_init(&random, seed, 0);
    struct referee referee = referee_of(game.ruleset, willow_game_board(&game));
    assert_int_equal(player_begin(player, opening, side, NULL, reason), PLAYER_FINE);
    while (!referee_over(&referee)) {
        willow_square move = random_move(&game, &random);
        if (game.side == side && move != WILLOW_PASS) {
            const struct player_turn turn = turn_of(&game, AMPLE_MS);
            struct player_answer answer;
            const enum player_fault fault = player_think(player, &turn, &answer, reason);
            assert_string_equal(reason, "");
            assert_int_equal(fault, PLAYER_FINE);
            assert_int_equal(answer.has_score, scored);
            if (scored)
                assert_true(answer.score_discs == 1.5);
            move = answer.move;
            assert_true(move < WILLOW_SQUARES && (referee_moves(&referee) >> move & 1) != 0);
        }
        passes += move == WILLOW_PASS;
        referee = referee_play(&referee, move);
        assert_int_equal(willow_game_play(&game, move, NULL), WILLOW_OK);
    }
    assert_true(willow_game_over(&game));
    return passes;
}

/* The moves of a random game up to the first pass, and with it if wanted. */
static struct willow_game opening_to_pass(bool with_pass)
{
    struct willow_random random;

    for (uint64_t seed = 0;; seed++) {
        struct willow_game game = opening_of("");
        willow_random_init(&random, seed, 1);
        while (!willow_game_over(&game)) {
            const willow_square move = random_move(&game, &random);
            if (move == WILLOW_PASS && with_pass)
                assert_int_equal(willow_game_play(&game, move, NULL), WILLOW_OK);
            if (move == WILLOW_PASS)
                return game;
            assert_int_equal(willow_game_play(&game, move, NULL), WILLOW_OK);
        }
    }
}

/* Games by one process, from both sides and from openings that end before a pass and with it. */
static void test_whole_games(void **state)
{
    static const struct {
        enum engine_kind kind;
        const char *dialect, *other;
    } cases[] = {{ENGINE_GTP, "capitals", "capitals"},    {ENGINE_GTP, "crlf", "noise"},
                 {ENGINE_GTP, "no-numbers", "no-list"},   {ENGINE_GTP, "no-pass", "crlf"},
                 {ENGINE_NBOARD, "capitals", "capitals"}, {ENGINE_NBOARD, "crlf", "noise"}};
    const struct willow_game openings[] = {opening_of(""), opening_to_pass(false), opening_to_pass(true)};
    int passes = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct guest guest;
        guest_open(&guest, cases[i].kind, AMPLE_MS, "--dialect", cases[i].dialect, "--dialect", cases[i].other, NULL);
        for (int game = 0; game < 6; game++) {
            passes += play_game(guest.player, &openings[game / 2], game % 2 == 0 ? WILLOW_BLACK : WILLOW_WHITE,
                                10 * i + (size_t)game, cases[i].kind == ENGINE_NBOARD);
        }
        assert_int_equal(starts(&guest), 1);
        guest_close(&guest);
    }
    assert_true(passes > 0);
}

/* A start that no transcript leads to, and white first: NBoard can tell of it, GTP cannot. */
static void test_other_start(void **state)
{
    struct willow_game opening;
    struct guest guest;
    char reason[PLAYER_REASON];
    struct willow_board board = willow_ruleset_default()->start;

    (void)state;
    board.opponent |= 1; /* a1 */
    assert_int_equal(willow_game_init_board(&opening, willow_ruleset_default(), board, WILLOW_WHITE, NULL), WILLOW_OK);
    guest_open(&guest, ENGINE_NBOARD, AMPLE_MS, NULL);
    play_game(guest.player, &opening, WILLOW_WHITE, 3, true);
    guest_close(&guest);
    guest_open(&guest, ENGINE_GTP, AMPLE_MS, NULL);
    assert_int_equal(player_begin(guest.player, &opening, WILLOW_WHITE, NULL, reason), PLAYER_GARBLED);
    assert_non_null(strstr(reason, "start"));
    guest_close(&guest);
}

/* Its second move goes wrong. The next game is begun by another process, or by the same where nothing is broken. */
static void misbehave(enum engine_kind kind, const char *what, enum player_fault expected, const char *part)
{
    const struct willow_game opening = opening_of("f5d6");
    const unsigned limit_ms = expected == PLAYER_HUNG ? SHORT_MS : AMPLE_MS;
    struct willow_game game = opening;
    struct player_answer answer;
    struct guest guest;
    char reason[PLAYER_REASON];

    guest_open(&guest, kind, AMPLE_MS, "--misbehave", what, "--at", "2", NULL);
    assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    struct player_turn turn = turn_of(&game, AMPLE_MS);
    assert_int_equal(player_think(guest.player, &turn, &answer, reason), PLAYER_FINE);
    assert_int_equal(willow_game_play(&game, answer.move, NULL), WILLOW_OK);
    assert_int_equal(
        willow_game_play(
            &game, (willow_square)__builtin_ctzll(willow_board_moves(game.ruleset, willow_game_board(&game))), NULL),
        WILLOW_OK);
    turn = turn_of(&game, limit_ms);
    assert_int_equal(player_think(guest.player, &turn, &answer, reason), expected);
    if (expected == PLAYER_FINE) {
        /* For the referee to judge. */
        assert_int_not_equal(willow_game_play(&game, answer.move, NULL), WILLOW_OK);
    } else {
        assert_printable(reason);
        if (strstr(reason, part) == NULL)
            fail_msg("%s: '%s' does not hold '%s'", what, reason, part);
    }
    const bool lives = expected == PLAYER_FINE || expected == PLAYER_RESIGNED;
    if (!lives)
        assert_all_gone(&guest);
    const int before = starts(&guest);
    assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    turn = turn_of(&opening, AMPLE_MS);
    assert_int_equal(player_think(guest.player, &turn, &answer, reason), PLAYER_FINE);
    assert_int_equal(starts(&guest), lives ? before : before + 1);
    guest_close(&guest);
}

static void test_misbehaviour(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const enum engine_kind kind = i == 0 ? ENGINE_GTP : ENGINE_NBOARD;
        misbehave(kind, "crash", PLAYER_CRASHED, "signal 9");
        misbehave(kind, "exit", PLAYER_CRASHED, "exit code 3");
        misbehave(kind, "fail", PLAYER_CRASHED, "exit code 255");
        misbehave(kind, "close", PLAYER_CRASHED, "closed");
        misbehave(kind, "hang", PLAYER_HUNG, "in time");
        misbehave(kind, "long-line", PLAYER_GARBLED, "a line of more than");
        misbehave(kind, "garbage", PLAYER_GARBLED, "z9?[2J");
        misbehave(kind, "illegal", PLAYER_FINE, "");
        misbehave(kind, "pass", PLAYER_FINE, "");
    }
    misbehave(ENGINE_GTP, "endless", PLAYER_GARBLED, "lines of something else");
    misbehave(ENGINE_NBOARD, "endless", PLAYER_HUNG, "in time");
    misbehave(ENGINE_NBOARD, "hang", PLAYER_HUNG, "its status is 'Thinking'");
    misbehave(ENGINE_GTP, "refuse", PLAYER_GARBLED, "'genmove b': I would rather not");
    misbehave(ENGINE_GTP, "wrong-number", PLAYER_GARBLED, "another number");
    misbehave(ENGINE_GTP, "resign", PLAYER_RESIGNED, "");
}

/* Begins a game, in vain. */
static void begin_fails(struct guest *guest, enum player_fault expected, const char *part)
{
    const struct willow_game opening = opening_of("");
    char reason[PLAYER_REASON];

    assert_int_equal(player_begin(guest->player, &opening, WILLOW_BLACK, NULL, reason), expected);
    assert_printable(reason);
    assert_non_null(strstr(reason, part));
    guest_close(guest);
}

static void test_no_start(void **state)
{
    struct guest guest;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const enum engine_kind kind = i == 0 ? ENGINE_GTP : ENGINE_NBOARD;
        guest_open(&guest, kind, AMPLE_MS, "--misbehave", "exit-at-once", NULL);
        begin_fails(&guest, PLAYER_CRASHED, "exit code 7");
        guest_open(&guest, kind, SHORT_MS, "--misbehave", "deaf", NULL);
        begin_fails(&guest, PLAYER_HUNG, "in time");
        guest_open(&guest, kind, AMPLE_MS, NULL);
        guest.words[0] = guest.folder;
        begin_fails(&guest, PLAYER_CRASHED, "cannot start");
    }
}

static void test_setup(void **state)
{
    static char *good[] = {(char *)"tune 3", (char *)"tune 4", NULL};
    static char *bad[] = {(char *)"tune 3", (char *)"overclock", NULL};
    const struct willow_game opening = opening_of("");
    struct guest guest;
    char reason[PLAYER_REASON];

    (void)state;
    guest_open(&guest, ENGINE_GTP, AMPLE_MS, NULL);
    guest.engine.setup = good;
    assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    assert_true(was_told(&guest, "set_game Othello\n3 tune 3\n4 tune 4\n5 boardsize 8\n6 clear_board\n"));
    guest_close(&guest);

    guest_open(&guest, ENGINE_GTP, AMPLE_MS, NULL);
    guest.engine.setup = bad;
    begin_fails(&guest, PLAYER_GARBLED, "the program refuses 'overclock': unknown command");

    guest_open(&guest, ENGINE_NBOARD, AMPLE_MS, NULL);
    guest.engine.setup = good;
    guest.engine.depth = 12;
    assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    assert_true(was_told(&guest, "nboard 2\nset depth 12\ntune 3\ntune 4\nping 1\nset game (;"));
    guest_close(&guest);
}

/* One move on a clock of which a part is gone; then a second one, with the control not told again. */
static void tell_clock(enum engine_kind kind, const char *text, uint64_t used_ms, const char *first, const char *second)
{
    const struct willow_game opening = opening_of("f5d6");
    struct willow_game game = opening;
    struct willow_time_control control;
    struct willow_timer timers[2];
    struct player_answer answer;
    struct guest guest;
    char reason[PLAYER_REASON];

    assert_int_equal(willow_time_control_parse(text, &control, NULL), WILLOW_OK);
    guest_open(&guest, kind, AMPLE_MS, NULL);
    assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, NULL, reason), PLAYER_FINE);
    for (int side = 0; side < 2; side++)
        willow_timer_start(&timers[side], &control);
    for (int move = 0; move < 2; move++) {
        struct player_turn turn = turn_of(&game, AMPLE_MS);
        turn.own = &timers[0];
        turn.other = &timers[1];
        assert_int_equal(player_think(guest.player, &turn, &answer, reason), PLAYER_FINE);
        assert_int_equal(willow_game_play(&game, answer.move, NULL), WILLOW_OK);
        const uint64_t moves = willow_board_moves(game.ruleset, willow_game_board(&game));
        assert_int_equal(willow_game_play(&game, (willow_square)__builtin_ctzll(moves), NULL), WILLOW_OK);
        assert_true(willow_timer_spend(&timers[0], used_ms * NS_PER_MS));
    }
    assert_true(was_told(&guest, first));
    assert_true(was_told(&guest, second));
    guest_close(&guest);
}

static void test_clocks(void **state)
{
    (void)state;
    tell_clock(ENGINE_GTP, "60", 1500,
               "6 play w d6\n7 time_settings 60 0 0\n8 time_left b 60 0\n9 time_left w 60 0\n10 genmove b\n",
               "time_left b 58 0\n13 time_left w 60 0\n14 genmove b\n");
    tell_clock(ENGINE_GTP, "60+2", 1500, "time_settings 60 0 0\n", "time_left b 60 0\n");
    tell_clock(ENGINE_GTP, "1+30/5", 4000, "time_settings 1 30 5\n", "time_left b 27 4\n");
    tell_clock(ENGINE_GTP, "0.5+0.1", 100, "time_settings 1 0 0\n", "time_left b 0 0\n");
    tell_clock(ENGINE_GTP, "2/1", 500, "time_settings 0 2 1\n", "time_left b 2 1\n");
    tell_clock(ENGINE_NBOARD, "90+2", 500, "TI[1:30/0:02]TY[8]", ";)\nmove F5\nmove D6\nping 3\ngo\n");
    tell_clock(ENGINE_NBOARD, "60", 500, "TI[1:00]TY[8]", "/1.50/");
    tell_clock(ENGINE_NBOARD, "1+0.01", 500, "TI[0:01/0:00.010]TY[8]", "//");
    tell_clock(ENGINE_NBOARD, "2/1", 500, "TI[0:02/0:02]TY[8]", "//");
    tell_clock(ENGINE_NBOARD, "1+2/1", 500, "TI[0:03/0:02]TY[8]", "TI[0:02.500/0:02]TY[8]");
}

struct stopper {
    struct willow_stop *stop;
};

static void *stop_soon(void *argument)
{
    const struct stopper *stopper = argument;
    const struct timespec wait = {.tv_nsec = 50000000};

    (void)nanosleep(&wait, NULL);
    willow_stop_set(stopper->stop, true);
    return NULL;
}

/* A stop ends the wait for a program that hangs, and the program. */
static void test_stop(void **state)
{
    const struct willow_game opening = opening_of("");
    struct player_answer answer;
    struct stopper stopper;
    struct guest guest;
    pthread_t thread;
    char reason[PLAYER_REASON];

    (void)state;
    assert_int_equal(willow_stop_new(&stopper.stop, NULL), WILLOW_OK);
    for (int i = 0; i < 2; i++) {
        willow_stop_set(stopper.stop, false);
        guest_open(&guest, i == 0 ? ENGINE_GTP : ENGINE_NBOARD, AMPLE_MS, "--misbehave", "hang", NULL);
        assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, stopper.stop, reason), PLAYER_FINE);
        struct player_turn turn = turn_of(&opening, AMPLE_MS);
        turn.stop = stopper.stop;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stopper), 0);
        assert_int_equal(player_think(guest.player, &turn, &answer, reason), PLAYER_STOPPED);
        assert_true(willow_clock_ns() < turn.deadline_ns);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_all_gone(&guest);
        assert_int_equal(player_begin(guest.player, &opening, WILLOW_BLACK, stopper.stop, reason), PLAYER_STOPPED);
        guest_close(&guest);
    }
    willow_stop_free(stopper.stop);
}

/* Whatever the program writes, the answer is one of the known ones, in a line that can be printed. */
static void test_random_bytes(void **state)
{
    const struct willow_game opening = opening_of("f5");
    const int seeds = SANITIZED ? 20 : 100;

    (void)state;
    for (int i = 0; i < 2 * seeds; i++) {
        char seed[16], reason[PLAYER_REASON];
        struct player_answer answer;
        struct guest guest;

        (void)snprintf(seed, sizeof seed, "%d", i);
        guest_open(&guest, i < seeds ? ENGINE_GTP : ENGINE_NBOARD, AMPLE_MS, "--misbehave", "random", "--seed", seed,
                   NULL);
        enum player_fault fault = player_begin(guest.player, &opening, WILLOW_WHITE, NULL, reason);
        const struct player_turn turn = turn_of(&opening, AMPLE_MS);
        if (fault == PLAYER_FINE)
            fault = player_think(guest.player, &turn, &answer, reason);
        assert_true(fault <= PLAYER_HUNG && fault != PLAYER_STOPPED);
        if (fault != PLAYER_FINE)
            assert_printable(reason);
        guest_close(&guest);
    }
}

/* Both games of a ruleset to their ends. */
static void play_ruleset(struct player *player, const char *name, bool scored)
{
    struct willow_game start;

    willow_game_init(&start, willow_ruleset_find(name));
    for (int side = 0; side < 2; side++)
        (void)play_game(player, &start, (enum willow_side)side, (uint64_t)side, scored);
}

static void assert_unable(struct guest *guest, const char *name, const char *part)
{
    struct willow_game start;
    char reason[PLAYER_REASON];

    willow_game_init(&start, willow_ruleset_find(name));
    assert_int_equal(player_begin(guest->player, &start, WILLOW_WHITE, NULL, reason), PLAYER_GARBLED);
    assert_printable(reason);
    assert_non_null(strstr(reason, part));
}

/* A program is told what is played in the words of its protocol; where there are none, it is not asked to play. */
static void test_rulesets(void **state)
{
    static const char *const names[] = {"anti", "4x4", "hole:c3", "6x6-parallel", "reversi", "othello"};
    struct guest guest;

    (void)state;
    guest_open(&guest, ENGINE_GTP, AMPLE_MS, "--dialect", "rulesets", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        play_ruleset(guest.player, names[i], false);
    assert_true(was_told(&guest, "willow-ruleset hole:c3\n"));
    assert_false(was_told(&guest, "set_game"));
    guest_close(&guest);

    guest_open(&guest, ENGINE_GTP, AMPLE_MS, "--dialect", "sizes", NULL);
    play_ruleset(guest.player, "6x6", false);
    play_ruleset(guest.player, "othello", false);
    assert_true(was_told(&guest, "boardsize 6\n"));
    assert_unable(&guest, "anti", "no command 'willow-ruleset'");
    assert_unable(&guest, "hole:c3", "no word for hole:c3");
    play_ruleset(guest.player, "4x4", false);
    guest_close(&guest);

    guest_open(&guest, ENGINE_GTP, AMPLE_MS, NULL);
    assert_unable(&guest, "6x6", "refuses 'boardsize 6'");
    guest_close(&guest);

    guest_open(&guest, ENGINE_NBOARD, AMPLE_MS, "--dialect", "rulesets", NULL);
    play_ruleset(guest.player, "6x6", true);
    play_ruleset(guest.player, "anti", true);
    play_ruleset(guest.player, "6x6-parallel", true);
    assert_true(was_told(&guest, "TY[8a]"));
    assert_unable(&guest, "hole:c3", "no word for hole:c3");
    assert_unable(&guest, "reversi", "no word for reversi");
    play_ruleset(guest.player, "othello", true);
    guest_close(&guest);

    guest_open(&guest, ENGINE_NBOARD, AMPLE_MS, "--dialect", "refuses", NULL);
    assert_unable(&guest, "6x6", "'The game was refused: no such board'");
    play_ruleset(guest.player, "othello", true);
    guest_close(&guest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_games), cmocka_unit_test(test_other_start),  cmocka_unit_test(test_misbehaviour),
        cmocka_unit_test(test_no_start),    cmocka_unit_test(test_setup),        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_stop),        cmocka_unit_test(test_random_bytes), cmocka_unit_test(test_rulesets)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
