/* Draws the loop's table and what it is doing on standard error; see loop_live.h. Layer: trainer (program).
 *
 * Every drawing is one write: what is below the cursor is wiped, lines that fit the width are printed, and the cursor
 * goes back to where it was. So nothing is left over whatever the terminal made of the lines when it was resized.
 */
#include "loop_live.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <willow/clock.h>
#include <willow/program.h>

enum { LIVE_MS = 200, SPARSE_MS = 10000, BAR_WIDTH = 16, TABLE_WIDTH = 78, YARDSTICK_WIDTH = 8, LINES = 3 };

/* The terminal's size; the greatest width where there is none. */
struct window {
    int columns, lines;
};

/* A line in the making. Whatever is not plain ASCII in names is printed as '?', so that bytes are columns. */
struct line {
    char text[512];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    const size_t room = sizeof line->text - line->length;

    va_start(arguments, format);
    const int length = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    for (size_t i = line->length; i < sizeof line->text && line->text[i] != '\0'; i++)
        if (line->text[i] < ' ' || line->text[i] > '~')
            line->text[i] = '?';
    if (length > 0)
        line->length += (size_t)length < room ? (size_t)length : room - 1;
}

static struct window window_of(const struct live *live)
{
    struct winsize size;
    struct window window = {.columns = 80, .lines = 24};

    if (!live->terminal)
        window.columns = (int)sizeof(((struct line *)0)->text);
    else if (live->columns > 0)
        window.columns = live->columns;
    else if (ioctl(fileno(live->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
        window = (struct window){.columns = size.ws_col, .lines = size.ws_row};
    return window;
}

/* Cut to the width: a line that reaches the last column would wrap. */
static void print_cut(FILE *out, const struct line *line, const struct window *window)
{
    const int most = window->columns - 1;

    fprintf(out, "%.*s", (int)line->length < most ? (int)line->length : most, line->text);
}

static void print_line(FILE *out, const struct line *line, const struct window *window)
{
    print_cut(out, line, window);
    fputc('\n', out);
}

void live_begin_on(struct live *live, FILE *out, bool terminal)
{
    *live = (struct live){.out = out, .terminal = terminal, .last_ns = willow_clock_ns()};
}

void live_begin(struct live *live, bool quiet)
{
    live_begin_on(live, stderr, isatty(STDERR_FILENO) != 0);
    live->quiet = quiet;
}

/* "[####....]  50%"; the percentage alone where there is no room. */
static void add_share(struct line *line, double share, bool bar)
{
    const double part = fmin(1.0, fmax(0.0, share));
    const int filled = (int)(part * BAR_WIDTH);

    for (int i = 0; bar && i < BAR_WIDTH; i++)
        add(line, "%s%c%s", i == 0 ? "[" : "", i < filled ? '#' : '.', i == BAR_WIDTH - 1 ? "] " : "");
    add(line, "%3.0f%%", floor(100.0 * part));
}

/* The step's words begin with its generation; the number of generations belongs beside it. */
static void add_step(struct line *line, const struct live_moment *moment)
{
    char prefix[40];
    const int length = snprintf(prefix, sizeof prefix, "generation %d: ", moment->generation);

    if (strncmp(moment->step, prefix, (size_t)length) == 0)
        add(line, "generation %d of %d: %s", moment->generation, moment->planned, moment->step + length);
    else
        add(line, "%s", moment->step);
}

static void add_totals(struct line *line, const struct live_moment *moment)
{
    char used[32], left[32], disk[32];

    add(line, "%s used, about %s left", willow_duration_text(moment->used_seconds, used),
        willow_duration_text(moment->left_seconds, left));
    if (moment->disk_bytes > 0.0)
        add(line, ", %s", report_bytes(moment->disk_bytes, disk));
}

/* An expectation that proved too short is not fulfilled. */
static double step_share(const struct live_moment *moment)
{
    return fmin(moment->step_share, 0.99);
}

static void draw_block(FILE *out, const struct live_moment *moment, const struct window *window)
{
    const double whole = moment->used_seconds + moment->left_seconds;
    struct line lines[LINES] = {0};
    const int count = window->lines > LINES ? LINES : window->lines - 1;

    add_step(&lines[0], moment);
    add(&lines[1], " step ");
    if (isnan(moment->step_share))
        add(&lines[1], "...");
    else
        add_share(&lines[1], step_share(moment), true);
    add(&lines[2], " loop ");
    add_share(&lines[2], whole > 0.0 ? moment->used_seconds / whole : 0.0, window->columns >= TABLE_WIDTH);
    add(&lines[2], "  ");
    add_totals(&lines[2], moment);
    fprintf(out, "\r\033[J");
    /* The first stands below the empty line on which the cursor rests; no line feed follows the last. */
    for (int i = 0; i < count; i++) {
        fputc('\n', out);
        print_cut(out, &lines[i], window);
    }
    if (count > 0)
        fprintf(out, "\r\033[%dA", count);
}

static void print_sparse(FILE *out, const struct live_moment *moment, const struct window *window)
{
    struct line line = {0};

    add_step(&line, moment);
    if (!isnan(moment->step_share))
        add(&line, " (%.0f%%)", 100.0 * step_share(moment));
    add(&line, ", ");
    add_totals(&line, moment);
    print_line(out, &line, window);
}

/* What is drawn goes out at once. Without memory nothing is drawn: it is only a view. */
struct drawing {
    FILE *out;
    char *text;
    size_t size;
};

static bool drawing_begin(struct drawing *drawing)
{
    *drawing = (struct drawing){0};
    drawing->out = open_memstream(&drawing->text, &drawing->size);
    return drawing->out != NULL;
}

static void drawing_end(struct drawing *drawing, const struct live *live)
{
    if (fclose(drawing->out) == 0)
        fwrite(drawing->text, 1, drawing->size, live->out);
    fflush(live->out);
    free(drawing->text);
}

void live_tick(struct live *live, const struct live_moment *moment)
{
    const uint64_t now = willow_clock_ns();
    const uint64_t interval_ns = UINT64_C(1000000) * (live->terminal ? LIVE_MS : SPARSE_MS);
    const struct window window = window_of(live);
    struct drawing drawing;

    if (live->quiet || now - live->last_ns < interval_ns || !drawing_begin(&drawing))
        return;
    live->last_ns = now;
    live->shown = live->terminal;
    if (live->terminal)
        draw_block(drawing.out, moment, &window);
    else
        print_sparse(drawing.out, moment, &window);
    drawing_end(&drawing, live);
}

static void add_number(struct line *line, int width, const char *format, double value)
{
    char text[32];

    snprintf(text, sizeof text, "-");
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    add(line, " %*s", width, text);
}

static void print_head(FILE *out, const struct live *live, const struct report *report, const struct window *window)
{
    struct line line = {0};

    add(&line, "%3s %-9s %7s %8s", "gen", "kind", "fitted", "held-out");
    for (int i = 0; live->separate && i < report->yardsticks; i++)
        add(&line, " %7.*s", report_name_length(report->yardstick_names[i], 7), report->yardstick_names[i]);
    if (!live->separate)
        add(&line, " %7s", "static");
    add(&line, " %6s %-8s %5s %4s %12s", "score", "gate", "Elo", "+/-", "time");
    print_line(out, &line, window);
}

static void print_row(FILE *out, const struct live *live, const struct report *report, const struct window *window)
{
    const struct report_generation *last = &report->generations[report->count - 1];
    const struct report_rating *ladder = &last->ladder;
    struct line line = {0};
    char text[32];

    add(&line, "%3d %-9s %7s", last->number, report_kind_name(last->kind),
        last->positions > 0 ? report_short(last->positions, text) : "-");
    add_number(&line, 8, "%.2f", last->held_out);
    for (int i = 0; live->separate && i < report->yardsticks; i++)
        add_number(&line, 7, "%.2f", last->yardstick[i]);
    if (!live->separate)
        add_number(&line, 7, "%.2f", report_static_error(report, last));
    add_number(&line, 6, "%.1f%%", last->match.played ? 100.0 * last->match.score : (double)NAN);
    add(&line, " %-8s", last->kind == REPORT_START ? "" : last->accepted ? "accepted" : "rejected");
    add_number(&line, 5, "%+.0f", ladder->elo);
    add_number(&line, 4, "%.0f", (ladder->elo_high - ladder->elo_low) / 2.0);
    add(&line, " %12s", willow_duration_text(last->seconds, text));
    print_line(out, &line, window);
}

void live_generation(struct live *live, const struct report *report)
{
    const struct window window = window_of(live);
    struct drawing drawing;

    if (live->quiet || !drawing_begin(&drawing))
        return;
    if (live->terminal)
        fprintf(drawing.out, "\r\033[J");
    if (live->rows++ == 0) {
        live->separate = window.columns > TABLE_WIDTH + YARDSTICK_WIDTH * (report->yardsticks - 1);
        print_head(drawing.out, live, report, &window);
    }
    print_row(drawing.out, live, report, &window);
    drawing_end(&drawing, live);
    live->shown = false;
}

void live_end(struct live *live)
{
    if (live->shown) {
        fprintf(live->out, "\r\033[J");
        fflush(live->out);
    }
    live->shown = false;
}
