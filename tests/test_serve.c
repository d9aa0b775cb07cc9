/* The loop of a protocol: lines however they are cut, ends of input, lines that must wait, reports of a thinker. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "protocol/serve.h"

/* Shared by all tests. */
static struct willow_weights *weights;
static struct thinker *thinker;

static int set_up(void **state)
{
    (void)state;
    if (willow_weights_default(&weights, NULL) != WILLOW_OK)
        return -1;
    return thinker_new(weights, willow_weights_ruleset(weights), 1 << 16, 1, &thinker, NULL) == WILLOW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    thinker_free(thinker);
    willow_weights_free(weights);
    return 0;
}

/* What a session has seen: lines in order, each with '|' behind it, a null one as "<long>|", reports as "move|". */
struct session {
    char seen[4096];
    size_t longest;
    int ends;
    int lines_until_end; /* 0 = the line function never ends the loop */
    bool go_on;          /* what the end answers */
    bool full;           /* what `ready` denies */
    int depth;           /* of searches; 0 = until the end of the input stops them */
    size_t answer_size;  /* of what is written for each line */
    struct serve_output output;
};

static void note(struct session *session, const char *text)
{
    const size_t used = strlen(session->seen);
    snprintf(session->seen + used, sizeof session->seen - used, "%s|", text);
}

static void think(int depth)
{
    const struct think_request request = {
        .kind = THINK_MOVE, .board = willow_weights_ruleset(weights)->start, .choice = {.limits = {.depth = depth}}};
    thinker_start(thinker, &request);
}

static bool on_line(void *context, const char *line)
{
    struct session *session = context;
    const size_t length = line ? strlen(line) : 0;
    session->longest = length > session->longest ? length : session->longest;
    if (length > 100)
        note(session, "(many)");
    else
        note(session, line ? line : "<long>");
    if (line && strcmp(line, "think") == 0) {
        think(session->depth);
        session->full = true;
    }
    if (session->answer_size > 0) {
        char *answer = malloc(session->answer_size);
        assert_non_null(answer);
        memset(answer, 'a', session->answer_size);
        const bool written = serve_write(&session->output, answer, session->answer_size);
        assert_true(written == (session->output.error.status == WILLOW_OK));
        free(answer);
    }
    return session->lines_until_end == 0 || --session->lines_until_end > 0;
}

static bool on_end(void *context)
{
    struct session *session = context;
    session->ends++;
    note(session, "<end>");
    if (session->depth == 0)
        thinker_stop(thinker);
    return session->go_on;
}

static bool on_report(void *context, const struct think_report *report)
{
    struct session *session = context;
    note(session, report->kind == THINK_MOVE && report->result.move < 64 ? "move" : "other");
    session->full = session->full && thinker_busy(thinker);
    return true;
}

static bool on_ready(void *context)
{
    const struct session *session = context;
    return !session->full;
}

struct feeder {
    int descriptor;
    const char *text;
    size_t length, piece;
};

static void *feed(void *context)
{
    struct feeder *feeder = context;
    for (size_t at = 0; at < feeder->length;) {
        const size_t rest = feeder->length - at, piece = feeder->piece < rest ? feeder->piece : rest;
        const ssize_t written = write(feeder->descriptor, feeder->text + at, piece);
        if (written < 0)
            break;
        at += (size_t)written;
    }
    close(feeder->descriptor);
    return NULL;
}

/* Serves the text in pieces of so many bytes. */
static enum willow_status try_to_serve(struct session *session, const char *text, size_t length, size_t piece,
                                       bool waits)
{
    int ends[2];
    pthread_t thread;
    struct willow_error error = {.status = WILLOW_OK};
    if (session->output.descriptor == 0)
        session->output.descriptor = -1; /* the session writes nothing */
    assert_int_equal(pipe(ends), 0);
    struct feeder feeder = {.descriptor = ends[1], .text = text, .length = length, .piece = piece};
    const struct server server = {
        .context = session, .line = on_line, .end = on_end, .report = on_report, .ready = waits ? on_ready : NULL};
    assert_int_equal(pthread_create(&thread, NULL, feed, &feeder), 0);
    const enum willow_status status = serve(&server, thinker, ends[0], &session->output, &error);
    assert_int_equal(error.status, status);
    /* A feeder that nobody reads any more must not wait for ever. */
    char rest[1024];
    while (read(ends[0], rest, sizeof rest) > 0)
        ;
    pthread_join(thread, NULL);
    close(ends[0]);
    return status;
}

static void serve_bytes(struct session *session, const char *text, size_t length, size_t piece, bool waits)
{
    assert_int_equal(try_to_serve(session, text, length, piece, waits), WILLOW_OK);
}

static void expect_lines(const char *text, size_t length, const char *expected)
{
    for (size_t piece = 1; piece <= length + 1; piece += piece < 4 ? 1 : length) {
        struct session session = {.go_on = true};
        serve_bytes(&session, text, length, piece, false);
        assert_string_equal(session.seen, expected);
        assert_int_equal(session.ends, 1);
    }
}

static void lines_however_they_end(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\r\n\n\r\n  three \r four\nze\0ro\nlast";
    expect_lines(text, sizeof text - 1, "one|two|||  three \r four|ze?ro|last|<end>|");
    expect_lines("", 0, "<end>|");
    expect_lines("\n", 1, "|<end>|");
    expect_lines("x\r", 2, "x|<end>|");
}

static void long_lines_are_null(void **state)
{
    (void)state;
    enum { LARGE = 3 * SERVE_LINE_MAX };
    char *text = malloc(LARGE + 16);
    assert_non_null(text);
    static const struct {
        size_t length;
        const char *seen;
        size_t longest;
    } cases[] = {{SERVE_LINE_MAX, "a|(many)|b|<end>|", SERVE_LINE_MAX},
                 {SERVE_LINE_MAX + 1, "a|<long>|b|<end>|", 1},
                 {2 * SERVE_LINE_MAX, "a|<long>|b|<end>|", 1},
                 {LARGE, "a|<long>|b|<end>|", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t piece = 1000; piece < 200000; piece *= 5) {
            struct session session = {.go_on = true};
            memcpy(text, "a\n", 2);
            memset(text + 2, 'x', cases[i].length);
            memcpy(text + 2 + cases[i].length, "\nb", 2);
            serve_bytes(&session, text, cases[i].length + 4, piece, false);
            assert_string_equal(session.seen, cases[i].seen);
            assert_int_equal(session.longest, cases[i].longest);
        }
    }
    /* Without an end it is told, too, and nothing behind it. */
    struct session session = {.go_on = true};
    memset(text, 'x', LARGE);
    serve_bytes(&session, text, LARGE, 5000, false);
    assert_string_equal(session.seen, "<long>|<end>|");
    free(text);
}

static void functions_end_the_loop(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\nthree\n";
    struct session session = {.lines_until_end = 2};
    serve_bytes(&session, text, sizeof text - 1, 100, false);
    assert_string_equal(session.seen, "one|two|");
}

/* The end of the input comes while the thinker is busy: its reports are waited for, or not. */
static void the_end_waits_for_the_thinker(void **state)
{
    (void)state;
    static const char text[] = "think\nmore";
    struct session session = {.go_on = true};
    serve_bytes(&session, text, sizeof text - 1, 100, false);
    assert_string_equal(session.seen, "think|more|<end>|move|");
    assert_false(thinker_busy(thinker));

    session = (struct session){.go_on = false};
    serve_bytes(&session, text, sizeof text - 1, 100, false);
    assert_string_equal(session.seen, "think|more|<end>|");
    struct think_report report;
    while (thinker_busy(thinker))
        (void)thinker_take(thinker, &report);
}

/* Lines that cannot be taken stay where they are, however many. */
static void lines_wait_until_they_are_wanted(void **state)
{
    (void)state;
    static const char text[] = "think\na\nthink\nb\nc";
    for (size_t piece = 1; piece < 20; piece += 6) {
        struct session session = {.go_on = true, .depth = 5};
        serve_bytes(&session, text, sizeof text - 1, piece, true);
        assert_string_equal(session.seen, "think|move|a|think|move|b|c|<end>|");
    }
}

static void unreadable_input_is_an_error(void **state)
{
    (void)state;
    struct session session = {.go_on = true};
    struct willow_error error;
    const struct server server = {.context = &session, .line = on_line, .end = on_end, .report = on_report};
    const int folder = open("/", O_RDONLY);
    assert_true(folder >= 0);
    assert_int_equal(serve(&server, thinker, folder, &session.output, &error), WILLOW_ERR_IO);
    assert_string_equal(session.seen, "");
    close(folder);
}

struct reader {
    int descriptor;
    size_t length;
};

/* Begins late, and counts. */
static void *read_late(void *context)
{
    struct reader *reader = context;
    char bytes[1000];
    ssize_t got;
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    while ((got = read(reader->descriptor, bytes, sizeof bytes)) > 0)
        reader->length += (size_t)got;
    close(reader->descriptor);
    return NULL;
}

/* A pipe takes 64 KiB at a time; whoever shares it may have told it not to wait. */
static void output_waits_for_its_reader(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\nthree\n";
    for (int flags = 0; flags <= O_NONBLOCK; flags += O_NONBLOCK) {
        int ends[2];
        pthread_t thread;
        assert_int_equal(pipe(ends), 0);
        assert_true(fcntl(ends[1], F_SETFL, flags) >= 0);
        struct session session = {.go_on = true, .answer_size = 100001, .output = {.descriptor = ends[1]}};
        struct reader reader = {.descriptor = ends[0]};
        assert_int_equal(pthread_create(&thread, NULL, read_late, &reader), 0);
        serve_bytes(&session, text, sizeof text - 1, 100, false);
        close(ends[1]);
        pthread_join(thread, NULL);
        assert_string_equal(session.seen, "one|two|three|<end>|");
        assert_int_equal(reader.length, 3 * session.answer_size);
    }
}

static void failing_output_is_an_error(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\nthree\n";
    struct session session = {.go_on = true, .answer_size = 10};
    session.output.descriptor = open("/dev/full", O_WRONLY);
    assert_true(session.output.descriptor >= 0);
    assert_int_equal(try_to_serve(&session, text, sizeof text - 1, 100, false), WILLOW_ERR_IO);
    assert_string_equal(session.seen, "one|");
    assert_string_equal(session.output.error.reason, "cannot write: No space left on device");
    assert_false(serve_write(&session.output, "more", 4));
    close(session.output.descriptor);
}

/* Whoever asked for a search has gone, the one end after the other. */
static void nobody_waits_for_the_search(void **state)
{
    (void)state;
    static const char text[] = "think\n";
    int ends[2];
    struct think_report report;
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    struct session session = {.go_on = true, .depth = 60, .output = {.descriptor = ends[1]}};
    assert_int_equal(try_to_serve(&session, text, sizeof text - 1, 100, false), WILLOW_ERR_IO);
    assert_string_equal(session.seen, "think|<end>|");
    assert_true(thinker_busy(thinker));
    thinker_stop(thinker);
    while (thinker_busy(thinker))
        (void)thinker_take(thinker, &report);
    close(ends[1]);
}

int main(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_however_they_end),           cmocka_unit_test(long_lines_are_null),
        cmocka_unit_test(functions_end_the_loop),           cmocka_unit_test(the_end_waits_for_the_thinker),
        cmocka_unit_test(lines_wait_until_they_are_wanted), cmocka_unit_test(unreadable_input_is_an_error),
        cmocka_unit_test(output_waits_for_its_reader),      cmocka_unit_test(failing_output_is_an_error),
        cmocka_unit_test(nobody_waits_for_the_search),
    };
    return cmocka_run_group_tests_name("serve", tests, set_up, tear_down);
}
