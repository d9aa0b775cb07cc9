/* What the three programs share: verbs, option parsing, exit codes, progress, signals. What ends the process runs in a
 * child whose output is compared. */
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/program.h>

/* What a child said and how it ended. */
struct outcome {
    int code; /* exit code, or minus the signal */
    char out[4096], err[4096];
};

static void read_all(int file, char *text, size_t size)
{
    size_t used = 0;
    ssize_t got;
    while (used < size - 1 && (got = read(file, text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(file);
}

/* Runs main_function in a child; out_path (may be null) replaces the pipe of its standard output. */
static struct outcome run(int (*main_function)(int, char **), int argc, char **argv, const char *out_path)
{
    int out[2], err[2];
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        if (out_path && !freopen(out_path, "w", stdout))
            _exit(99);
        close(out[0]);
        close(err[0]);
        exit(main_function(argc, argv));
    }
    close(out[1]);
    close(err[1]);
    struct outcome outcome;
    read_all(out[0], outcome.out, sizeof outcome.out);
    read_all(err[0], outcome.err, sizeof outcome.err);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return outcome;
}

/* A program with one verb that prints what it understood. */
struct values {
    int64_t integer;
    double real;
    int first, last;
    const char *text;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct values *values = state->input;
    switch (key) {
    case 'i':
        values->integer = willow_option_integer(argument, -5, 1000, "--integer", state);
        return 0;
    case 'r':
        values->real = willow_option_real(argument, -1.5, 2.0, "--real", state);
        return 0;
    case 'g':
        willow_option_range(argument, 0, 60, &values->first, &values->last, "--range", state);
        return 0;
    case ARGP_KEY_ARG:
        if (values->text)
            return ARGP_ERR_UNKNOWN;
        values->text = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int verb_show(int argc, char **argv)
{
    static const struct argp_option table[] = {{"integer", 'i', "N", 0, "A number", 0},
                                               {"whole", 0, NULL, OPTION_ALIAS, NULL, 0},
                                               {"real", 'r', "X", 0, "A number", 0},
                                               {"range", 'g', "A-B", 0, "A range", 0},
                                               {0}};
    static const struct argp argp = {.options = table, .parser = parse, .args_doc = "[TEXT]", .doc = "Shows."};
    struct values values = {0};
    willow_parse_options(&argp, argc, argv, &values);
    printf("%s|%lld|%g|%d-%d|%s\n", argv[0], (long long)values.integer, values.real, values.first, values.last,
           values.text ? values.text : "");
    return WILLOW_EXIT_OK;
}

static int verb_fail(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct willow_error error;
    willow_fail(&error, WILLOW_ERR_FORMAT, "some\nfile", "line 3", "it is %s", "wrong");
    printf("before\n");
    return willow_report(&error);
}

static int fallback(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "other") == 0 ? 5 : -1;
}

static int program(int argc, char **argv)
{
    static const struct willow_verb verbs[] = {
        {"show", "prints its options", verb_show}, {"fail", "fails", verb_fail}, {NULL, NULL, NULL}};
    return willow_program_main(argc, argv, "willow test", "A program.", verbs, fallback);
}

/* Splits a command line at blanks and runs the program with it. */
static struct outcome call(const char *line, const char *out_path)
{
    char copy[256], *argv[16];
    int argc = 0;
    assert_true(strlen(line) < sizeof copy);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && argc < 15; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return run(program, argc, argv, out_path);
}

static void prints(const char *line, const char *wanted)
{
    const struct outcome outcome = call(line, NULL);
    assert_string_equal(outcome.err, "");
    assert_string_equal(outcome.out, wanted);
    assert_int_equal(outcome.code, 0);
}

/* Exit 2, no output, exactly the line. */
static void refuses(const char *line, const char *wanted)
{
    const struct outcome outcome = call(line, NULL);
    assert_string_equal(outcome.out, "");
    assert_string_equal(outcome.err, wanted);
    assert_int_equal(outcome.code, 2);
}

static void test_verbs(void **state)
{
    (void)state;
    prints("/bin/willow-test show", "willow test show|0|0|0-0|\n");
    const struct outcome help = call("willow-test --help", NULL);
    assert_int_equal(help.code, 0);
    assert_non_null(strstr(help.out, "show       prints its options"));
    assert_int_equal(call("willow-test", NULL).code, 2);
    char version[64];
    snprintf(version, sizeof version, "willow %s\n", willow_version());
    prints("willow-test --version", version);
    prints("willow-test show --version", version);
    refuses("willow-test nothing", "willow test: unknown verb 'nothing'; 'willow test --help' lists them\n");
    assert_int_equal(call("willow-test other", NULL).code, 5);
    const struct outcome failed = call("willow-test fail", NULL);
    assert_int_equal(failed.code, 2);
    assert_string_equal(failed.out, "before\n");
    assert_string_equal(failed.err, "willow: some?file: line 3: it is wrong\n");
}

static void test_typed_name(void **state)
{
    (void)state;
    /* As handed over by the program willow: argv[0] is what the user typed. */
    char family[] = "willow match", verb[] = "show", alone[] = "willow";
    char *handed[] = {family, verb, NULL}, *direct[] = {alone, verb, NULL};
    assert_string_equal(run(program, 2, handed, NULL).out, "willow match show|0|0|0-0|\n");
    assert_string_equal(run(program, 2, direct, NULL).out, "willow show|0|0|0-0|\n");
}

static void test_options(void **state)
{
    (void)state;
    prints("w show --integer 7 --real=0.5 --range 3-12 text", "willow test show|7|0.5|3-12|text\n");
    prints("w show text -i-5 -r -1.5 -g60", "willow test show|-5|-1.5|60-60|text\n");
    prints("w show --whole 1000", "willow test show|1000|0|0-0|\n");
    prints("w show -- --integer", "willow test show|0|0|0-0|--integer\n");
    prints("w show --range 0-60", "willow test show|0|0|0-60|\n");
}

static void test_bad_usage(void **state)
{
    (void)state;
    refuses("w show --int 7", "willow test show: unknown option '--int'; see 'willow test show --help'\n");
    refuses("w show -z", "willow test show: unknown option '-z'; see 'willow test show --help'\n");
    refuses("w show --integer",
            "willow test show: a value is missing after '--integer'; see 'willow test show --help'\n");
    refuses("w show --help=1",
            "willow test show: no value can follow the option '--help=1'; see 'willow test show --help'\n");
    refuses("w show a b", "willow test show: unexpected argument 'b'\n");
    static const char *const integers[] = {"x", "", "1001", "-6", "7x", "0x7", "+7", "1e2", "99999999999999999999"};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        char line[128], wanted[256];
        snprintf(line, sizeof line, "w show --integer=%s", integers[i]);
        snprintf(wanted, sizeof wanted,
                 "willow test show: --integer '%s': a whole number from -5 to 1000 is expected\n", integers[i]);
        refuses(line, wanted);
    }
    static const char *const reals[] = {"x", "", "2.1", "-1.6", "nan", "inf", "1,5", "0x1", "1e999", "1.0.0"};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        char line[128], wanted[256];
        snprintf(line, sizeof line, "w show --real=%s", reals[i]);
        snprintf(wanted, sizeof wanted, "willow test show: --real '%s': a number from -1.5 to 2 is expected\n",
                 reals[i]);
        refuses(line, wanted);
    }
    static const char *const ranges[] = {"x", "", "-", "5-", "-5", "7-3", "0-61", "1-2-3", "1-x"};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char line[128], wanted[256];
        snprintf(line, sizeof line, "w show --range=%s", ranges[i]);
        snprintf(wanted, sizeof wanted, "willow test show: --range '%s': a number or A-B within 0-60 is expected\n",
                 ranges[i]);
        refuses(line, wanted);
    }
}

static void test_full_disk(void **state)
{
    (void)state;
    static const char *const lines[] = {"w show", "w --help", "w --version", "w show --help"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const struct outcome outcome = call(lines[i], "/dev/full");
        assert_int_equal(outcome.code, 2);
        assert_string_equal(outcome.err, "willow: standard output: cannot write: No space left on device\n");
    }
}

static int print_durations(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    static const double seconds[] = {-1, 0, 4.21, 59.94, 59.96, 185, 3599.4, 3599.6, 7800, 1e30};
    char text[32];
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
        printf("%s,", willow_duration_text(seconds[i], text));
    return 0;
}

static void test_durations(void **state)
{
    (void)state;
    char name[] = "w", *argv[] = {name, NULL};
    const struct outcome outcome = run(print_durations, 1, argv, NULL);
    assert_string_equal(outcome.out, "0.0 s,0.0 s,4.2 s,59.9 s,1 min 00 s,3 min 05 s,59 min 59 s,1 h 00 min,2 h 10 min,"
                                     "277777777 h 46 min,");
}

static int print_json(int argc, char **argv)
{
    (void)argc;
    willow_json_string(stdout, argv[1]);
    return 0;
}

static void test_json_string(void **state)
{
    (void)state;
    char name[] = "w", text[] = "a \"b\" c\\d\n\t\x1b\x7f\xc2\x85\xe2\x80\xa8 \xc3\xa9 \xff\xc3",
         *argv[] = {name, text, NULL};
    const struct outcome outcome = run(print_json, 2, argv, NULL);
    assert_string_equal(outcome.out,
                        "\"a \\\"b\\\" c\\\\d\\n\\u0009\\u001b\\u007f\\u0085\\u2028 \xc3\xa9 \\ufffd\\ufffd\"");
}

static int print_progress(int argc, char **argv)
{
    (void)argv;
    struct willow_progress progress;
    willow_progress_start(&progress, argc > 1);
    for (int i = 0; i < 1000; i++)
        willow_progress_line(&progress, false, "step %d", i);
    willow_progress_line(&progress, true, "done");
    return 0;
}

static void test_progress(void **state)
{
    (void)state;
    char name[] = "w", quiet[] = "quiet", *argv[] = {name, quiet, NULL};
    assert_string_equal(run(print_progress, 1, argv, NULL).err, "done\n");
    assert_string_equal(run(print_progress, 2, argv, NULL).err, "");
}

/* On a terminal a line is drawn over the one before, so it must not wrap. */
static void test_live_progress(void **state)
{
    (void)state;
    enum { COLUMNS = 20 };
    struct winsize window = {.ws_row = 5, .ws_col = COLUMNS};
    int terminal = -1;
    const pid_t child = forkpty(&terminal, NULL, NULL, &window);
    assert_true(child >= 0);
    if (child == 0) {
        struct willow_progress progress;
        willow_progress_start(&progress, false);
        progress.last_ns = 0;
        willow_progress_line(&progress, false, "a line that is wider than the terminal");
        progress.last_ns = 0;
        willow_progress_line(&progress, false, "short");
        willow_progress_line(&progress, true, "done, and this one may wrap");
        _exit(0);
    }
    char text[512];
    read_all(terminal, text, sizeof text);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_string_equal(text, "\ra line that is wide\rshort              \rdone, and this one may wrap\r\n");
}

static int interrupted(int argc, char **argv)
{
    (void)argv;
    const struct willow_stop *stop = willow_interrupt();
    if (!stop || stop != willow_interrupt() || willow_stop_get(stop))
        return 90;
    raise(argc > 1 ? SIGTERM : SIGINT);
    if (!willow_stop_get(stop))
        return 91;
    /* At once it is the echo of the first one, later it is meant. */
    if (argc > 2)
        raise(SIGTERM);
    if (argc > 3) {
        nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
        raise(SIGINT);
    }
    return 42;
}

static void test_interrupt(void **state)
{
    (void)state;
    char name[] = "w", *argv[] = {name, name, name, name, NULL};
    assert_int_equal(run(interrupted, 1, argv, NULL).code, 42);
    assert_int_equal(run(interrupted, 2, argv, NULL).code, 42);
    assert_int_equal(run(interrupted, 3, argv, NULL).code, 42);
    assert_int_equal(run(interrupted, 4, argv, NULL).code, -SIGINT);
}

static void test_process(void **state)
{
    (void)state;
    assert_true(willow_default_threads() >= 1);
    char path[4096], small[4];
    struct willow_error error;
    assert_int_equal(willow_sibling_path("test_program", path, sizeof path, &error), WILLOW_OK);
    assert_int_equal(access(path, X_OK), 0);
    assert_int_equal(willow_sibling_path("test_program", small, sizeof small, &error), WILLOW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verbs),         cmocka_unit_test(test_typed_name), cmocka_unit_test(test_options),
        cmocka_unit_test(test_bad_usage),     cmocka_unit_test(test_full_disk),  cmocka_unit_test(test_durations),
        cmocka_unit_test(test_json_string),   cmocka_unit_test(test_progress),   cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_live_progress), cmocka_unit_test(test_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
