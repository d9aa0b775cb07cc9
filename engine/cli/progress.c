/* Progress on stderr: one line that is redrawn on a terminal, sparse lines elsewhere, nothing when quiet.
 * Layer: engine/cli (willow_program).
 */
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <willow/clock.h>
#include <willow/program.h>

enum { LIVE_INTERVAL_MS = 200, SPARSE_INTERVAL_MS = 10000 };

void willow_progress_start(struct willow_progress *progress, bool quiet)
{
    const uint64_t now = willow_clock_ns();
    *progress = (struct willow_progress){
        .quiet = quiet, .live = isatty(STDERR_FILENO) != 0, .start_ns = now, .last_ns = now, .width = 0};
}

/* Columns of the terminal, asked anew each time: the window may have been resized. */
static size_t terminal_columns(void)
{
    struct winsize window;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : SIZE_MAX;
}

void willow_progress_line(struct willow_progress *progress, bool last, const char *format, ...)
{
    if (progress->quiet)
        return;
    const uint64_t now = willow_clock_ns();
    const uint64_t interval_ns = UINT64_C(1000000) * (progress->live ? LIVE_INTERVAL_MS : SPARSE_INTERVAL_MS);
    if (!last && now - progress->last_ns < interval_ns)
        return;
    progress->last_ns = now;

    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if (!progress->live) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    size_t width = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    /* A line that reaches the last column wraps, and the next one would no longer be drawn over it. */
    const size_t most = terminal_columns() - 1;
    if (!last && width > most) {
        width = most;
        text[width] = '\0';
    }
    /* Blanks wipe what is left of a longer line before; no escape codes needed. */
    const size_t before = progress->width < most ? progress->width : most;
    const size_t rest = before > width ? before - width : 0;
    fprintf(stderr, "\r%s%*s%s", text, (int)rest, "", last ? "\n" : "");
    fflush(stderr);
    progress->width = last ? 0 : width;
}

char *willow_duration_text(double seconds, char *buffer)
{
    enum { SIZE = 32 };
    if (!(seconds > 0))
        seconds = 0;
    if (seconds > 1e12)
        seconds = 1e12;
    if (seconds < 59.95) {
        snprintf(buffer, SIZE, "%.1f s", seconds);
        return buffer;
    }
    const uint64_t whole = (uint64_t)(seconds + 0.5);
    if (whole < 3600)
        snprintf(buffer, SIZE, "%u min %02u s", (unsigned)(whole / 60), (unsigned)(whole % 60));
    else
        snprintf(buffer, SIZE, "%llu h %02u min", (unsigned long long)(whole / 3600), (unsigned)(whole % 3600 / 60));
    return buffer;
}
