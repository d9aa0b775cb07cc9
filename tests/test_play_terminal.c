/* willow play on a terminal of 80 columns and 24 lines: nothing is wider, nothing scrolls the board away, keys do what
 * they say. A pseudo-terminal plays the user's part.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { COLUMNS = 80, LINES = 24, PATIENCE_MS = 60000 };

struct terminal {
    int fd;
    pid_t pid;
    char text[1 << 17]; /* all that was shown */
    size_t length, seen;
};

static struct terminal terminal;

/* Starts willow play with further arguments, up to a null. */
static void start(const char *term, const char *locale, char *const arguments[])
{
    const struct winsize size = {.ws_row = LINES, .ws_col = COLUMNS};
    terminal.length = terminal.seen = 0;
    terminal.pid = forkpty(&terminal.fd, NULL, NULL, &size);
    assert_true(terminal.pid >= 0);
    if (terminal.pid == 0) {
        (void)setenv("TERM", term, 1);
        (void)setenv("LC_ALL", locale, 1);
        (void)unsetenv("NO_COLOR");
        (void)unsetenv("WILLOW_WEIGHTS");
        (void)execv(PROGRAM, arguments);
        _exit(127);
    }
}

/* Reads what comes; false at the end. */
static bool read_more(void)
{
    struct pollfd ready = {.fd = terminal.fd, .events = POLLIN};
    if (poll(&ready, 1, PATIENCE_MS) != 1)
        fail_msg("nothing more comes; so far: %s", terminal.text);
    assert_true(terminal.length + 1 < sizeof terminal.text);
    const ssize_t count =
        read(terminal.fd, terminal.text + terminal.length, sizeof terminal.text - 1 - terminal.length);
    if (count <= 0)
        return false;
    terminal.length += (size_t)count;
    terminal.text[terminal.length] = '\0';
    return true;
}

/* Until the text has come behind what was seen before. Returns where the new part begins. */
static const char *wait_for(const char *text)
{
    const size_t from = terminal.seen;
    const char *found;
    terminal.text[terminal.length] = '\0';
    while (!(found = strstr(terminal.text + from, text)))
        assert_true(read_more());
    terminal.seen = (size_t)(found - terminal.text) + strlen(text);
    return terminal.text + from;
}

/* Keys at a prompt. Line editing shows its prompt before it takes the terminal over: what comes in between would be
 * shown twice. */
static void type(const char *keys)
{
    struct termios mode;
    for (int waited = 0; tcgetattr(terminal.fd, &mode) == 0 && (mode.c_lflag & ICANON); waited++) {
        assert_true(waited < PATIENCE_MS);
        (void)usleep(1000);
    }
    assert_int_equal(write(terminal.fd, keys, strlen(keys)), strlen(keys));
}

/* Ctrl-C while the engine thinks. */
static void interrupt(void)
{
    assert_int_equal(write(terminal.fd, "\003", 1), 1);
}

/* The program ends with this exit code after what was typed last. */
static void expect_end(int code)
{
    int status = 0;
    while (read_more())
        continue;
    assert_int_equal(waitpid(terminal.pid, &status, 0), terminal.pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
    (void)close(terminal.fd);
}

/* Behind an escape sequence; what stands there is no letter that is shown. */
static const char *skip_escape(const char *at)
{
    at++;
    if (*at == '[')
        at++;
    while (*at && !(*at >= '@' && *at <= '~'))
        at++;
    return *at ? at + 1 : at;
}

/* No line reaches the last column, and nothing between two prompts is higher than the screen. */
static void check_size(const char *from, const char *end)
{
    int columns = 0, lines = 0;
    for (const char *at = from; at < end;) {
        if (*at == '\033') {
            at = skip_escape(at);
            continue;
        }
        if (*at == '\n' || *at == '\r')
            columns = 0;
        else if (*at == '\b')
            columns--;
        else if ((unsigned char)*at >= ' ' && ((unsigned char)*at & 0xc0) != 0x80)
            columns++;
        lines += *at == '\n';
        if (columns >= COLUMNS)
            fail_msg("wider than the screen before: %.*s", (int)(end - at), at);
        at++;
    }
    assert_true(lines < LINES);
}

/* Does a command and waits for the prompt after it. */
static void command(const char *line, const char *prompt)
{
    char keys[128];
    assert_true(snprintf(keys, sizeof keys, "%s\r", line) < (int)sizeof keys);
    type(keys);
    (void)wait_for("\n");
    const char *from = wait_for(prompt);
    check_size(from, terminal.text + terminal.seen);
}

/* 55 moves and 23 passes: the longest list of moves, the widest result (a public record). */
#define RECORD                                                                                                         \
    "f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4"

static void all_commands_fit(const char *term, const char *locale)
{
    char *const arguments[] = {"willow", "play", "--level", "3", "--clock", "2:00:00+3600", "--white", "human", NULL};
    start(term, locale, arguments);
    check_size(wait_for("Black 2:00:00 (White 2:00:00)> "), terminal.text + terminal.seen);
    static const char *const lines[] = {"help",     "levels", "hint all",      "eval",  "legal",          "moves",
                                        "settings", "clock",  "black level 9", "sheet", "white loss 2.5", "threads 2",
                                        "f5",       "f6",     "undo",          "redo",  "board",          "nonsense"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        command(lines[i], ")> ");
    command("clock off", "> ");
    command("new", "> ");
    command("setup", "setup> ");
    command("black a1 b2", "setup> ");
    command("cancel", "> ");
    /* What is typed may be wider. */
    type("play " RECORD "\r");
    (void)wait_for("1 move");
    (void)wait_for("> ");
    command("hint all", "> ");
    command("eval", "> ");
    command("h6", "game over> ");
    assert_non_null(strstr(terminal.text, "empty squares included."));
    command("sheet", "game over> ");
    type("\004");
    expect_end(0);
}

static void everything_fits(void **state)
{
    (void)state;
    all_commands_fit("xterm-256color", "C.UTF-8");
    all_commands_fit("xterm", "C");
    all_commands_fit("dumb", "C");
}

static void keys(void **state)
{
    (void)state;
    char *const arguments[] = {"willow", "play", "--level", "1", "--threads", "1", NULL};
    start("xterm", "C", arguments);
    (void)wait_for("Black> ");
    /* Tab ends a word that is certain, and lists what is not. */
    type("sett\t\r");
    (void)wait_for("White: Willow, level 1.");
    (void)wait_for("Black> ");
    type("lo\t");
    (void)wait_for("loss  load");
    type("\003");
    (void)wait_for("Ctrl-C once more to quit.");
    (void)wait_for("Black> ");
    type("f\t\r");
    (void)wait_for("Willow (White) plays");
    (void)wait_for("Black> ");
    /* Up goes back to what was typed. */
    type("legal\r");
    (void)wait_for("Black can play");
    (void)wait_for("Black> ");
    type("\033[A\r");
    (void)wait_for("Black can play");
    (void)wait_for("Black> ");
    type("\003");
    (void)wait_for("Black> ");
    type("\003");
    expect_end(0);
}

static void interrupts(void **state)
{
    (void)state;
    /* Far more than anyone waits for: Ctrl-C makes it move, and pauses a game that is only watched. */
    char *const fixed[] = {"willow", "play", "--depth", "50", "--selectivity", "100", NULL};
    char *const watched[] = {"willow", "play", "--depth", "50", "--black", "engine", NULL};
    start("xterm", "C", fixed);
    (void)wait_for("Black> ");
    type("f5\r");
    (void)wait_for("thinking");
    interrupt();
    (void)wait_for("Willow (White) plays");
    (void)wait_for(", stopped");
    (void)wait_for("Black> ");
    type("quit\r");
    expect_end(0);

    /* The pause costs no move: the engine would have played a worse one. Asked for a move, it makes one. */
    start("xterm", "C", watched);
    (void)wait_for("thinking");
    interrupt();
    (void)wait_for("Black, paused> ");
    assert_null(strstr(terminal.text, "plays"));
    type("go\r");
    (void)wait_for("thinking");
    interrupt();
    (void)wait_for(", stopped");
    (void)wait_for("White, paused> ");
    type("undo\r");
    (void)wait_for("Black, paused> ");
    type("continue\r");
    (void)wait_for("thinking");
    interrupt();
    (void)wait_for("Black, paused> ");
    type("\004");
    expect_end(0);
}

/* Whatever ends the program at its prompt, lines can be typed at the terminal afterwards. */
static void the_terminal_is_given_back(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT};
    const tcflag_t cooked = ICANON | ECHO | ISIG;
    char *const arguments[] = {"willow", "play", "--level", "1", "--threads", "1", NULL};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct termios mode;
        int status = 0;
        start("xterm", "C", arguments);
        (void)wait_for("Black> ");
        type("legal\r");
        (void)wait_for("Black can play");
        (void)wait_for("Black> ");
        type("f5"); /* waits until lines are edited */
        assert_int_equal(kill(terminal.pid, signals[i]), 0);
        assert_int_equal(waitpid(terminal.pid, &status, 0), terminal.pid);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_int_equal(tcgetattr(terminal.fd, &mode), 0);
        assert_int_equal(mode.c_lflag & cooked, cooked);
        (void)close(terminal.fd);
    }
}

/* The longest names beside the widest clocks. */
static void long_names_fit(void **state)
{
    (void)state;
    char *const arguments[] = {"willow", "play",    "--level",         "1", "--white",
                               "human",  "--clock", "2400:00:00/1000", NULL};
    char path[] = "/tmp/willow-names-XXXXXX", line[64];
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (int i = 0; i < 2; i++)
        assert_true(dprintf(fd, "%s%0200d]", i ? "PW[" : "(;GM[Othello]PC[x]TY[8]PB[", i) > 0);
    assert_true(dprintf(fd, "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *];)\n") > 0);
    assert_int_equal(close(fd), 0);
    start("xterm", "C.UTF-8", arguments);
    (void)wait_for(")> ");
    assert_true(snprintf(line, sizeof line, "load %s", path) < (int)sizeof line);
    command(line, ")> ");
    command("clock", ")> ");
    command("settings", ")> ");
    assert_non_null(strstr(terminal.text, "00000000"));
    type("\004");
    expect_end(0);
    (void)unlink(path);
}

/* No escape codes, no board that is drawn: every line can be read out. */
static void plain_words(void **state)
{
    (void)state;
    char *const arguments[] = {"willow", "play", "--plain", "--level", "1", NULL};
    start("dumb", "C", arguments);
    (void)wait_for("Black to move: 4 moves.");
    (void)wait_for("Black> ");
    command("f5", "Black> ");
    assert_non_null(strstr(terminal.text, "Black plays f5, turning e5."));
    command("board", "Black> ");
    assert_non_null(strstr(terminal.text, "Row 1: empty."));
    type("\004");
    expect_end(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_fits),
                                       cmocka_unit_test(keys),
                                       cmocka_unit_test(interrupts),
                                       cmocka_unit_test(plain_words),
                                       cmocka_unit_test(the_terminal_is_given_back),
                                       cmocka_unit_test(long_names_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
