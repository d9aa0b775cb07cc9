/* The loop's view in a terminal, read back from a small terminal in memory: what stands there after every drawing,
 * whatever its size, and what goes to a file instead. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "support/pages.h"
#include "trainer/loop/loop_live.h"

enum { LINES_MAX = 400, COLUMNS_MAX = 200 };

/* A terminal that knows what the view may use; lines that scrolled off the top are kept. */
struct screen {
    int columns, lines;
    int top; /* first line that can be seen */
    int row, column;
    int used; /* lines written to so far */
    int writes;
    char text[LINES_MAX][COLUMNS_MAX + 1];
};

struct scene {
    struct screen *screen;
    FILE *out;
    struct live live;
    struct report *report;
};

static void wipe_below(struct screen *screen)
{
    memset(screen->text[screen->row] + screen->column, 0, (size_t)(COLUMNS_MAX + 1 - screen->column));
    for (int row = screen->row + 1; row < LINES_MAX; row++)
        memset(screen->text[row], 0, sizeof screen->text[row]);
}

static const char *escape(struct screen *screen, const char *at)
{
    char *end;

    assert_int_equal(at[1], '[');
    const long count = strtol(at + 2, &end, 10);
    if (*end == 'J')
        wipe_below(screen);
    else if (*end == 'A')
        screen->row = screen->row - count < screen->top ? screen->top : screen->row - (int)count;
    else
        fail_msg("unknown escape code %c", *end);
    return end;
}

/* The driver of a terminal begins a new line with every line feed. */
static void feed(struct screen *screen, const char *text, size_t size)
{
    for (const char *at = text; at < text + size; at++) {
        if (*at == '\033') {
            at = escape(screen, at);
        } else if (*at == '\r') {
            screen->column = 0;
        } else if (*at == '\n') {
            screen->column = 0;
            screen->row++;
            assert_true(screen->row < LINES_MAX);
            if (screen->row >= screen->top + screen->lines)
                screen->top++;
        } else {
            assert_true(*at >= ' ' && *at <= '~');
            screen->text[screen->row][screen->column++] = *at;
            assert_true(screen->column < screen->columns); /* it would wrap */
        }
        screen->used = screen->row >= screen->used ? screen->row + 1 : screen->used;
    }
}

static ssize_t take(void *context, const char *text, size_t size)
{
    struct screen *screen = context;

    screen->writes++;
    feed(screen, text, size);
    return (ssize_t)size;
}

/* A narrower window breaks lines that are too long for it, as most terminals do, and the cursor stays in its line. */
static void resize(struct scene *scene, int columns)
{
    struct screen *old = scene->screen, *new = calloc(1, sizeof *new);
    int to = 0;

    assert_non_null(new);
    for (int row = 0; row < old->used; row++) {
        const char *text = old->text[row];
        if (row == old->row)
            new->row = to;
        do {
            const size_t length = strlen(text) < (size_t)columns ? strlen(text) : (size_t)columns;
            memcpy(new->text[to++], text, length);
            text += length;
        } while (*text != '\0');
    }
    new->columns = columns;
    new->lines = old->lines;
    new->used = to;
    new->top = to > new->lines ? to - new->lines : 0;
    *old = *new;
    free(new);
    scene->live.columns = columns;
}

static struct report_generation *add(struct report *report, enum report_kind kind)
{
    struct report_generation *generation = &report->generations[report->count];

    *generation = (struct report_generation){.number = report->count, .kind = kind, .accepted = true};
    generation->positions = 7654321;
    generation->held_out = 3.25;
    generation->seconds = 360000.0;
    generation->match = (struct report_match){.played = kind != REPORT_START, .score = 1.0};
    generation->ladder = (struct report_rating){.elo = -1234.0, .elo_low = -2000.0, .elo_high = -400.0};
    for (int i = 0; i < REPORT_YARDSTICKS_MAX; i++)
        generation->yardstick[i] = 5.0 + i;
    report->count++;
    return generation;
}

static void begin(struct scene *scene, int columns, int lines, int yardsticks)
{
    static const char *const names[] = {"hard-30.obf", "hard-25.obf", "hard-20.obf", "ffo.obf"};
    const cookie_io_functions_t functions = {.write = take};

    *scene = (struct scene){.screen = calloc(1, sizeof *scene->screen), .report = calloc(1, sizeof *scene->report)};
    assert_non_null(scene->screen);
    assert_non_null(scene->report);
    scene->screen->columns = columns;
    scene->screen->lines = lines;
    scene->out = fopencookie(scene->screen, "w", functions);
    assert_non_null(scene->out);
    assert_int_equal(setvbuf(scene->out, NULL, _IONBF, 0), 0); /* as standard error is */
    live_begin_on(&scene->live, scene->out, true);
    scene->live.columns = columns;
    scene->report->yardsticks = yardsticks;
    for (int i = 0; i < yardsticks; i++)
        scene->report->yardstick_names[i] = names[i % 4];
}

static void end(struct scene *scene)
{
    assert_int_equal(fclose(scene->out), 0);
    free(scene->screen);
    free(scene->report);
}

static const struct live_moment moment = {.step = "generation 3: fit stage 19",
                                          .generation = 3,
                                          .planned = 10,
                                          .step_share = 0.5,
                                          .used_seconds = 610.0,
                                          .left_seconds = 8400.0,
                                          .disk_bytes = 1.2e9};

static void draw(struct scene *scene, const struct live_moment *what)
{
    scene->live.last_ns = 0; /* it is due */
    live_tick(&scene->live, what);
}

/* A line relative to the cursor's, which is at its beginning after every drawing. */
static const char *below(const struct scene *scene, int lines)
{
    assert_int_equal(scene->screen->column, 0);
    return scene->screen->text[scene->screen->row + lines];
}

static void assert_block(const struct scene *scene)
{
    assert_string_equal(below(scene, 0), "");
    assert_string_equal(below(scene, 1), "generation 3 of 10: fit stage 19");
    assert_string_equal(below(scene, 2), " step [########........]  50%");
    assert_string_equal(below(scene, 3),
                        " loop [#...............]   6%  10 min 10 s used, about 2 h 20 min left, 1.20 GB");
    assert_string_equal(below(scene, 4), "");
}

static void test_block_below_the_table(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, 80, 24, 1);
    draw(&scene, &moment);
    assert_block(&scene);
    assert_int_equal(scene.screen->row, 0);
    for (int i = 0; i < 5; i++)
        draw(&scene, &moment);
    assert_block(&scene);
    assert_int_equal(scene.screen->row, 0);
    assert_int_equal(scene.screen->writes, 6); /* nobody sees half a drawing */
    add(scene.report, REPORT_START);
    live_generation(&scene.live, scene.report);
    assert_string_equal(below(&scene, 0), "");
    assert_string_equal(below(&scene, 1), "");
    draw(&scene, &moment);
    add(scene.report, REPORT_BACKWARD)->accepted = false;
    live_generation(&scene.live, scene.report);
    draw(&scene, &moment);
    assert_block(&scene);
    assert_int_equal(scene.screen->row, 3);
    pages_assert_says(scene.screen->text[0], "gen kind");
    pages_assert_says(scene.screen->text[0], "hard-30");
    pages_assert_says(scene.screen->text[1], "  0 start       7.65M     3.25    5.00");
    pages_assert_says(scene.screen->text[2], "100.0% rejected -1234  800");
    live_end(&scene.live);
    assert_int_equal(scene.screen->row, 3);
    assert_string_equal(below(&scene, 0), "");
    assert_string_equal(below(&scene, 1), "");
    end(&scene);
}

/* The error of every yardstick where there is room, else their mean; nothing is cut at 80 columns. */
static void test_table_fits_the_terminal(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, 80, 24, 4);
    add(scene.report, REPORT_SELFPLAY);
    live_generation(&scene.live, scene.report);
    pages_assert_says(scene.screen->text[0], "static");
    pages_assert_says(scene.screen->text[0], "time");
    pages_assert_says(scene.screen->text[1], "6.50");
    pages_assert_says(scene.screen->text[1], "100 h 00 min");
    end(&scene);
    begin(&scene, 120, 24, 4);
    add(scene.report, REPORT_SELFPLAY);
    live_generation(&scene.live, scene.report);
    pages_assert_says(scene.screen->text[0], "hard-30 hard-25 hard-20     ffo  score");
    pages_assert_says(scene.screen->text[1], "5.00    6.00    7.00    8.00");
    pages_assert_says(scene.screen->text[1], "100 h 00 min");
    end(&scene);
}

static void test_narrow_terminals_cut_lines(void **state)
{
    struct scene scene;

    (void)state;
    for (int columns = 2; columns < 80; columns++) {
        begin(&scene, columns, 24, 1);
        add(scene.report, REPORT_START);
        live_generation(&scene.live, scene.report);
        draw(&scene, &moment);
        draw(&scene, &moment);
        assert_int_equal(scene.screen->row, 2);
        assert_int_equal(strncmp(below(&scene, 1), "generation 3 of 10: fit stage 19", (size_t)columns - 1), 0);
        end(&scene);
    }
}

/* What says most stays where bars have no room. */
static void test_no_bar_for_the_loop_in_narrow_terminals(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, 64, 24, 1);
    draw(&scene, &moment);
    assert_string_equal(below(&scene, 3), " loop   6%  10 min 10 s used, about 2 h 20 min left, 1.20 GB");
    end(&scene);
}

/* Whatever the terminal makes of the old block, the next drawing leaves one whole block. */
static void test_resized_terminals(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, 100, 40, 1);
    add(scene.report, REPORT_START);
    live_generation(&scene.live, scene.report);
    for (int columns = 99; columns >= 10; columns -= 7) {
        draw(&scene, &moment);
        resize(&scene, columns);
    }
    resize(&scene, 100);
    draw(&scene, &moment);
    assert_block(&scene);
    for (int row = scene.screen->row + 5; row < LINES_MAX; row++)
        assert_string_equal(scene.screen->text[row], "");
    int blocks = 0;
    for (int row = 0; row < LINES_MAX; row++)
        blocks += strncmp(scene.screen->text[row], "generation", 10) == 0;
    assert_int_equal(blocks, 1);
    end(&scene);
}

static void test_table_that_scrolls(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, 80, 6, 1);
    for (int number = 0; number < 30; number++) {
        add(scene.report, REPORT_SELFPLAY);
        live_generation(&scene.live, scene.report);
        draw(&scene, &moment);
        draw(&scene, &moment);
        assert_block(&scene);
    }
    for (int number = 0; number < 30; number++)
        assert_int_equal(strtol(scene.screen->text[1 + number], NULL, 10), number);
    assert_int_equal(scene.screen->row, 31);
    end(&scene);
}

static void test_odd_moments(void **state)
{
    struct scene scene;
    struct live_moment odd = moment;

    (void)state;
    begin(&scene, 80, 24, 0);
    odd.step_share = (double)NAN;
    odd.disk_bytes = (double)NAN;
    draw(&scene, &odd);
    assert_string_equal(below(&scene, 2), " step ...");
    assert_null(strstr(below(&scene, 3), "B"));
    odd.step = "match of generation 3 against \033[2J\xc3\xa9"; /* a name may be anything */
    odd.step_share = 7.0;                                       /* of an estimate that was too short */
    odd.used_seconds = odd.left_seconds = 0.0;
    draw(&scene, &odd);
    assert_string_equal(below(&scene, 1), "match of generation 3 against ?[2J??");
    assert_string_equal(below(&scene, 2), " step [###############.]  99%");
    pages_assert_says(below(&scene, 3), "  0%");
    scene.report->generations[0].ladder.elo = (double)NAN;
    add(scene.report, REPORT_START)->ladder = (struct report_rating){.elo = (double)NAN};
    scene.report->generations[0].held_out = (double)NAN;
    live_generation(&scene.live, scene.report);
    assert_null(strstr(scene.screen->text[1], "nan"));
    end(&scene);
}

static void print_to_a_file(FILE *out, const void *report)
{
    struct live live;

    live_begin_on(&live, out, false);
    live_tick(&live, &moment); /* not due yet */
    live_generation(&live, report);
    live.last_ns = 0;
    live_tick(&live, &moment);
    live_tick(&live, &moment); /* not due yet */
    live_end(&live);
    live.quiet = true;
    live.last_ns = 0;
    live_tick(&live, &moment);
    live_generation(&live, report);
    live_end(&live);
}

static void test_files_get_sparse_lines(void **state)
{
    struct report *report = calloc(1, sizeof *report);

    (void)state;
    assert_non_null(report);
    add(report, REPORT_SELFPLAY);
    char *text = pages_printed(print_to_a_file, report);
    assert_int_equal(pages_count(text, "\n"), 3);
    assert_null(strpbrk(text, "\r\033"));
    pages_assert_says(text, "gen kind");
    pages_assert_says(text, "\n  0 self-play ");
    pages_assert_says(text, "\ngeneration 3 of 10: fit stage 19 (50%), 10 min 10 s used, about 2 h 20 min left, "
                            "1.20 GB\n");
    free(text);
    free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_below_the_table),
        cmocka_unit_test(test_table_fits_the_terminal),
        cmocka_unit_test(test_narrow_terminals_cut_lines),
        cmocka_unit_test(test_no_bar_for_the_loop_in_narrow_terminals),
        cmocka_unit_test(test_resized_terminals),
        cmocka_unit_test(test_table_that_scrolls),
        cmocka_unit_test(test_odd_moments),
        cmocka_unit_test(test_files_get_sparse_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
