/* The turns of a conversation in the NBoard protocol: what interrupts what, what is asked of a search, and pondering.
 * Nothing is searched: the reports are made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/random.h>

#include "support/nboard_talk.h"

/* A hint of the old board is silent from the moment on when a line for another one has come. */
static void a_hint_ends_before_the_board_changes(void **state)
{
    (void)state;
    struct talk talk;
    const willow_square f5 = willow_square_parse("f5");
    talk_open(&talk, NULL);
    talk_line(&talk, "hint 3");
    assert_int_equal(talk.request.kind, THINK_HINT);
    assert_int_equal(talk.request.count, 3);
    talk_report(&talk, false, f5, 40, 5);
    assert_true(talk_has(&talk, "search F5 1.25 0 5"));
    assert_true(talk_has(&talk, "nodestats 100 0.25"));
    assert_int_equal(talk.stops, 0);
    talk_clear(&talk);
    talk_line(&talk, GAME("B[F5]"));
    assert_int_equal(talk.stops, 1);
    assert_false(nboard_ready(talk.nboard));
    talk_report(&talk, false, f5, 50, 6);
    talk_report(&talk, true, f5, 50, 6);
    assert_string_equal(talk.output, "status\n");
    assert_true(nboard_ready(talk.nboard));
    talk_line(&talk, "ping 7");
    assert_string_equal(talk.output, "status\npong 7\n");
    /* The new board is there. */
    talk_line(&talk, "hint 1");
    assert_int_equal(talk.request.board.player, UINT64_C(1) << 27); /* d4 alone is left */
    talk_close(&talk);
}

/* A piped session asks for the next thing at once: a hint still says something. */
static void a_hint_says_something_first(void **state)
{
    (void)state;
    struct talk talk;
    const willow_square f5 = willow_square_parse("f5");
    talk_open(&talk, NULL);
    talk_line(&talk, "hint 1");
    talk_line(&talk, "ping 1");
    assert_int_equal(talk.stops, 0);
    talk_report(&talk, false, f5, 32, 1);
    assert_int_equal(talk.stops, 1);
    talk_report(&talk, false, f5, 64, 2);
    talk_report(&talk, true, f5, 64, 2);
    assert_string_equal(talk.output, "status Analyzing\nsearch F5 1.00 0 1\nnodestats 100 0.25\nstatus\npong 1\n");
    /* It may also be at its end with its first report; and what was told is not told again. */
    talk_clear(&talk);
    talk_line(&talk, "hint 1");
    talk_report(&talk, true, f5, 32, 1);
    assert_int_equal(talk_count(&talk, "search"), 1);
    talk_line(&talk, "hint 1");
    talk_report(&talk, false, f5, 32, 1);
    talk_report(&talk, true, f5, 32, 1);
    assert_int_equal(talk_count(&talk, "search"), 2);
    talk_close(&talk);
}

/* Each line that needs the engine ends a running "go" with its answer, and comes after that. */
static void a_move_is_answered_before_what_interrupts_it(void **state)
{
    (void)state;
    static const struct {
        const char *line, *behind;
    } cases[] = {{"ping 5", "pong 5\n"},
                 {"learn", "learned\n"},
                 {"hint 1", "status Analyzing\n"},
                 {"go", "status Thinking\n"},
                 {"move F5", ""},
                 {GAME(""), ""},
                 {"quit", ""},
                 {"analyze", "status Analyzing the game\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct talk talk;
        talk_open(&talk, NULL);
        talk_line(&talk, "go");
        talk_clear(&talk);
        /* These do not. */
        talk_line(&talk, "set contempt 5");
        talk_line(&talk, "something else");
        talk_line(&talk, "set depth 9");
        assert_int_equal(talk.stops, 0);
        talk_line(&talk, cases[i].line);
        assert_int_equal(talk.stops, 1);
        assert_int_equal(talk.size, 0);
        talk_report(&talk, true, willow_square_parse("d3"), -16, 7);
        const char *answer = talk_answer(&talk);
        assert_non_null(answer);
        assert_int_equal(strncmp(answer, "D3/-0.50/0.", 11), 0);
        assert_string_equal(strchr(answer, '\n') + 1, cases[i].behind);
        assert_int_equal(talk.goes_on, strcmp(cases[i].line, "quit") != 0);
        talk_close(&talk);
    }
}

/* A session from a file is brought to its end, but for what has none. */
static void the_end_of_input_ends_what_would_not_end(void **state)
{
    (void)state;
    static const struct {
        const char *before, *line;
        bool stopped;
    } cases[] = {{"set depth 34", "go", false},   {"set depth 34", "analyze", false},
                 {"set depth 35", "go", true},    {"set depth 100%", "analyze", true},
                 {GAME("TI[5:00]"), "go", false}, {"set contempt 0", "hint 1", true}};
    const willow_square d3 = willow_square_parse("d3");
    struct talk talk;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        talk_open(&talk, NULL);
        talk_line(&talk, cases[i].before);
        talk_line(&talk, cases[i].line);
        assert_true(nboard_end(talk.nboard));
        if (talk.request.kind == THINK_HINT)
            talk_report(&talk, false, d3, 0, 7);
        assert_int_equal(talk.stops, cases[i].stopped);
        talk_report(&talk, true, d3, 0, 7);
        assert_int_equal(talk_count(&talk, "===") + talk_count(&talk, "analysis 0") + talk_count(&talk, "search"),
                         strcmp(cases[i].line, "go") == 0 ? 2 : 1);
        assert_false(talk.goes_on);
        talk_close(&talk);
    }

    /* Also behind a line that waits. */
    talk_open(&talk, NULL);
    talk_line(&talk, "hint 1");
    talk_report(&talk, false, d3, 0, 7);
    talk_line(&talk, "go");
    assert_true(nboard_end(talk.nboard));
    talk_report(&talk, true, d3, 0, 7);
    assert_true(talk.goes_on);
    assert_int_equal(talk.request.kind, THINK_MOVE);
    talk_report(&talk, true, d3, 0, 7);
    assert_non_null(talk_answer(&talk));
    assert_false(talk.goes_on);
    talk_close(&talk);

    talk_open(&talk, NULL);
    assert_false(nboard_end(talk.nboard));
    talk_close(&talk);
}

/* The limits that "go" is asked with, then ended. */
static struct think_request request_of_go(struct talk *talk)
{
    talk_line(talk, "go");
    const struct think_request request = talk->request;
    talk_report(talk, true, willow_square_parse("d3"), 0, 1);
    return request;
}

/* Until a depth is set the options hold; a depth that is none leaves the one before. */
static void depths_take_the_place_of_options(void **state)
{
    (void)state;
    const struct nboard_settings settings = {
        .ruleset = willow_ruleset_default(),
        .choice = {.level = 12, .limits = {.time_ms = 500}, .loss_discs = 2.0, .seed = 5},
        .clocked = {.limits = {.exact_empties = 20}, .loss_discs = 2.0}};
    struct talk talk;
    talk_open(&talk, &settings);
    struct think_request request = request_of_go(&talk);
    assert_int_equal(request.kind, THINK_MOVE);
    assert_int_equal(request.choice.level, 12);
    assert_false(request.clocked);
    talk_line(&talk, "set depth 10");
    static const char *const none[] = {"set depth 0", "set depth 100", "set depth x", "set depth"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        request = request_of_go(&talk);
        assert_int_equal(request.choice.level, 0);
        assert_int_equal(request.choice.limits.depth, 10);
        assert_int_equal(request.choice.limits.exact_empties, 16);
        /* These stay. */
        assert_int_equal(request.choice.limits.time_ms, 500);
        assert_true(request.choice.loss_discs == 2.0 && request.choice.seed == 5);
        talk_clear(&talk);
        talk_line(&talk, none[i]);
        assert_int_equal(talk_count(&talk, "status 'set depth"), 1);
    }
    talk_line(&talk, "set depth 100%W");
    request = request_of_go(&talk);
    assert_true(request.choice.limits.win_loss);
    assert_true(request.choice.limits.depth >= 60);
    talk_line(&talk, "set depth 26");
    request = request_of_go(&talk);
    assert_false(request.choice.limits.win_loss);
    assert_int_equal(request.choice.limits.depth, 26);
    talk_close(&talk);
}

/* What is set while a move is looked for holds for the next one, and does not change what is said of this one. */
static void a_depth_set_meanwhile_is_for_the_next_move(void **state)
{
    (void)state;
    static const char *const depths[] = {"set depth 100%", "set depth 100%W"};
    for (int first = 0; first < 2; first++) {
        struct talk talk;
        talk_open(&talk, NULL);
        talk_line(&talk, depths[first]);
        talk_line(&talk, "go");
        talk_line(&talk, depths[1 - first]);
        talk_report(&talk, true, willow_square_parse("d3"), 32, 60);
        assert_true(talk_has(&talk, first == 0 ? "search D3 1.00 0 73%" : "search D3 1.00 0 73%W"));
        talk_close(&talk);
    }
}

/* Neither the depth nor the clock bounds a hint. */
static void hints_have_no_limits(void **state)
{
    (void)state;
    struct talk talk;
    talk_open(&talk, NULL);
    talk_line(&talk, "set depth 3");
    talk_line(&talk, GAME("TI[0:01]"));
    talk_line(&talk, "hint 2");
    const struct willow_choice none = {.level = 0};
    assert_int_equal(talk.request.kind, THINK_HINT);
    assert_false(talk.request.clocked);
    assert_memory_equal(&talk.request.choice.limits, &none.limits, sizeof none.limits);
    assert_int_equal(talk.request.choice.level, 0);
    talk_close(&talk);
}

static int64_t left_ms(const struct think_request *request)
{
    assert_true(request->clocked);
    return (int64_t)(willow_timer_left_ns(&request->timer) / 1000000);
}

/* The clock is that of the side to move, and an own move costs at least what it took here, whatever is told of it. */
static void the_clock_of_the_side_to_move_counts(void **state)
{
    (void)state;
    const struct nboard_settings settings = {
        .ruleset = willow_ruleset_default(), .choice = {.level = 12}, .clocked = {.limits = {.exact_empties = 20}}};
    struct talk talk;
    talk_open(&talk, &settings);
    talk_line(&talk, GAME("TI[1:00/0:01]B[F5//10]W[D6//20]B[C5//5]"));
    struct think_request request = request_of_go(&talk);
    assert_int_equal(left_ms(&request), 41000);
    assert_int_equal(request.choice.level, 0);
    assert_int_equal(request.choice.limits.exact_empties, 20);
    assert_int_equal(request.ply, 3);
    talk_line(&talk, "move F4//1");
    request = request_of_go(&talk);
    assert_int_equal(left_ms(&request), 47000);

    /* 30 ms, of which it is told 10. */
    talk_line(&talk, GAME("TI[0:01/0:00.01]"));
    talk_line(&talk, "go");
    const struct timespec while_ms = {.tv_nsec = 30000000};
    (void)nanosleep(&while_ms, NULL);
    talk_report(&talk, true, willow_square_parse("d3"), 0, 1);
    talk_line(&talk, "move D3/0.00/0.01");
    talk_line(&talk, "move C3//0.5");
    request = request_of_go(&talk);
    assert_true(left_ms(&request) <= 980);
    /* A move that it did not choose costs what is told. */
    talk_line(&talk, "move C4//0.01");
    talk_line(&talk, "move C5//0.5");
    const int64_t before_ms = left_ms(&request);
    request = request_of_go(&talk);
    assert_int_equal(left_ms(&request), before_ms);
    /* Nor does one of a game before; told again without a time it is not on the clock. */
    talk_line(&talk, GAME("TI[0:01/0:02]"));
    talk_line(&talk, "move D3");
    talk_line(&talk, "move C3//0.5");
    request = request_of_go(&talk);
    assert_int_equal(left_ms(&request), 1000);
    talk_close(&talk);
}

/* One line for each position, passes counted, from the end backwards; nothing is given away, and no clock runs. */
static void games_are_analysed_backwards(void **state)
{
    (void)state;
    const struct nboard_settings settings = {.ruleset = willow_ruleset_default(),
                                             .choice = {.level = 12, .loss_discs = 3.0},
                                             .clocked = {.limits = {.exact_empties = 20}, .loss_discs = 3.0}};
    struct talk talk;
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    talk_open(&talk, &settings);
    talk_line(&talk, GAME("TI[0:10]B[F5]W[D6]B[C5]"));
    assert_int_equal(willow_transcript_parse(&game, "f5d6c5", NULL), WILLOW_OK);
    talk_clear(&talk);
    talk_line(&talk, "analyze");
    for (int i = 3; i >= 0; i--) {
        assert_true(talk.pending);
        assert_memory_equal(&talk.request.board, &game.boards[i], sizeof game.boards[i]);
        assert_false(talk.request.clocked);
        assert_int_equal(talk.request.choice.level, 12);
        assert_true(talk.request.choice.loss_discs == 0.0);
        talk_report(&talk, true, willow_square_parse("d3"), 16 * i, 9);
    }
    assert_string_equal(talk.output, "status Analyzing the game\nanalysis 3 1.50\nanalysis 2 1.00\nanalysis 1 0.50\n"
                                     "analysis 0 0.00\nstatus\n");
    assert_false(talk.pending);

    /* Over a pass at the end: 16 moves, the pass, a move. */
    talk_line(&talk, GAME("B[E6]W[F6]B[C4]W[C5]B[C6]W[D6]B[G7]W[F4]B[G4]W[G6]B[E7]W[H8]B[H6]W[G5]B[G8]W[F8]"));
    talk_line(&talk, "move PA");
    talk_clear(&talk);
    talk_line(&talk, "analyze");
    talk_report(&talk, true, willow_square_parse("d3"), 32, 9);
    talk_report(&talk, true, WILLOW_PASS, -32, 9);
    talk_line(&talk, "ping 3");
    assert_string_equal(talk.output, "status Analyzing the game\nanalysis 17 1.00\nanalysis 16 -1.00\n");
    assert_int_equal(talk.stops, 1);
    talk_close(&talk);
}

/* An analysis that is old enough ends with the position that it is at. */
static void an_analysis_is_interrupted(void **state)
{
    (void)state;
    struct talk talk;
    talk_open(&talk, NULL);
    talk_line(&talk, GAME("B[F5]W[D6]B[C5]"));
    talk_line(&talk, "analyze");
    const struct timespec grace = {.tv_nsec = (THINK_GRACE_MS + 5) * 1000000};
    (void)nanosleep(&grace, NULL);
    talk_line(&talk, "ping 3");
    assert_int_equal(talk.stops, 1);
    talk_clear(&talk);
    talk_report(&talk, true, willow_square_parse("d3"), 16, 2);
    assert_string_equal(talk.output, "analysis 3 0.50\nstatus\npong 3\n");
    talk_close(&talk);
}

/* Pondering is about the board behind the answer, before and after that move is told; nothing is said of it, and every
 * line of the game ends it. */
static void it_ponders_behind_its_answer(void **state)
{
    (void)state;
    const struct nboard_settings settings = {
        .ruleset = willow_ruleset_default(), .choice = {.level = 5}, .clocked = {.level = 5}, .ponder = true};
    struct talk talk;
    struct willow_game game;
    talk_open(&talk, &settings);
    talk_line(&talk, GAME(""));
    talk_line(&talk, "ping 1");
    assert_false(talk.pending);
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, "d3", NULL), WILLOW_OK);
    (void)request_of_go(&talk);
    for (int round = 0; round < 2; round++) {
        static const char *const lines[] = {"move D3", "ping 2"};
        assert_true(talk.pending);
        assert_int_equal(talk.request.kind, THINK_PONDER);
        assert_memory_equal(&talk.request.board, &game.boards[1], sizeof game.boards[1]);
        talk_line(&talk, "set depth 7");
        assert_int_equal(talk.stops, 0);
        talk_clear(&talk);
        talk_line(&talk, lines[round]);
        assert_int_equal(talk.stops, 1);
        assert_int_equal(talk.size, 0);
        talk_report(&talk, true, WILLOW_NO_SQUARE, 0, 0);
        assert_int_equal(talk_count(&talk, ""), round);
    }
    /* When it has seen all, it does not begin again. */
    assert_true(talk.pending);
    talk_report(&talk, true, WILLOW_NO_SQUARE, 0, 0);
    assert_false(talk.pending);
    talk_line(&talk, "ping 3");
    assert_false(talk.pending);
    /* The other side has moved: "go" comes next. */
    talk_line(&talk, "move C3");
    assert_false(talk.pending);
    (void)request_of_go(&talk);
    assert_true(talk.pending);
    talk_line(&talk, GAME(""));
    talk_report(&talk, true, WILLOW_NO_SQUARE, 0, 0);
    assert_false(talk.pending);
    talk_close(&talk);
}

/* A report as a search might give it at any moment: of one of the moves that the request allows. */
static void report_anything(struct talk *talk, struct willow_random *random)
{
    const struct willow_board board = talk->request.board;
    uint64_t moves = willow_board_moves(willow_ruleset_default(), board);
    willow_square move = WILLOW_PASS;
    for (uint32_t skip = willow_random_below(random, 10); moves != 0; skip--) {
        move = (willow_square)__builtin_ctzll(moves);
        moves &= moves - 1;
        if (skip == 0)
            break;
    }
    const bool final = talk->request.kind == THINK_MOVE || willow_random_below(random, 2) == 0;
    if (final || talk->request.kind == THINK_HINT)
        talk_report(talk, final, move, (willow_score)willow_random_below(random, 4097) - 2048,
                    (int)willow_random_below(random, 60));
}

/* Whatever is said and whenever a search reports: every line of the output is one of the protocol's, every ping is
 * answered in its turn, and behind that answer comes nothing that was asked for before it. */
static void random_conversations_keep_their_order(void **state)
{
    (void)state;
    static const char *const lines[] = {"ping",
                                        "ping",
                                        "go",
                                        "hint 3",
                                        "analyze",
                                        "learn",
                                        "move D3",
                                        "move C3",
                                        "move C4",
                                        "move PA",
                                        "move E3//1",
                                        "move A1",
                                        "set depth 9",
                                        "set x",
                                        "nboard 2",
                                        GAME(""),
                                        GAME("B[F5]W[D6]"),
                                        GAME("B[A1]"),
                                        GAME("TI[0:05]B[F5//2]W[F6//2]")};
    const struct nboard_settings settings = {
        .ruleset = willow_ruleset_default(), .choice = {.level = 5}, .clocked = {.level = 5}, .ponder = true};
    struct willow_random random;
    struct talk talk;
    int sent = 0, answered = 0;
    bool asked = false;
    willow_random_init(&random, 20, 0);
    talk_open(&talk, &settings);
    for (int turn = 0; turn < 8000; turn++) {
        char ping[32];
        talk_clear(&talk);
        if (nboard_ready(talk.nboard) && (!talk.pending || willow_random_below(&random, 2) == 0)) {
            const char *line = lines[willow_random_below(&random, sizeof lines / sizeof lines[0])];
            if (strcmp(line, "ping") == 0) {
                snprintf(ping, sizeof ping, "ping %d", ++sent);
                line = ping;
            }
            asked = asked || strcmp(line, "go") == 0 || strcmp(line, "hint 3") == 0 || strcmp(line, "analyze") == 0;
            talk_line(&talk, line);
        } else if (talk.pending) {
            report_anything(&talk, &random);
        } else {
            fail_msg("nothing runs, and no line is taken");
        }
        assert_null(talk_foreign(&talk));
        for (const char *at = talk.output; at[0] != '\0'; at = strchr(at, '\n') + 1) {
            if (strncmp(at, "pong ", 5) == 0) {
                assert_int_equal(atoi(at + 5), ++answered);
                asked = false;
            } else if (strncmp(at, "search", 6) == 0 || strncmp(at, "===", 3) == 0 || strncmp(at, "analysis", 8) == 0 ||
                       strncmp(at, "nodestats", 9) == 0) {
                assert_true(asked);
            }
        }
    }
    assert_true(sent - answered <= 1);
    assert_true(answered > 300);
    talk_close(&talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hint_ends_before_the_board_changes),
        cmocka_unit_test(a_hint_says_something_first),
        cmocka_unit_test(a_move_is_answered_before_what_interrupts_it),
        cmocka_unit_test(the_end_of_input_ends_what_would_not_end),
        cmocka_unit_test(depths_take_the_place_of_options),
        cmocka_unit_test(a_depth_set_meanwhile_is_for_the_next_move),
        cmocka_unit_test(hints_have_no_limits),
        cmocka_unit_test(the_clock_of_the_side_to_move_counts),
        cmocka_unit_test(games_are_analysed_backwards),
        cmocka_unit_test(an_analysis_is_interrupted),
        cmocka_unit_test(it_ponders_behind_its_answer),
        cmocka_unit_test(random_conversations_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
