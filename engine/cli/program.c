/* main of the three programs: finds the verb, answers --help and --version, checks the output at the end.
 * Knows no verb itself. Layer: engine/cli (willow_program).
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/program.h>

#include "wide.h"

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "willow %s\n", willow_version());
}

/* A file opened later must not take the number of a closed standard stream: what is printed would land in it. Reading
 * and writing through these fail, as they would have done. */
static void fill_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* --help and bad usage leave through exit() inside argp; their output is checked here. */
static void check_output(void)
{
    if (willow_finish(WILLOW_EXIT_OK) != WILLOW_EXIT_OK)
        _exit(WILLOW_EXIT_USAGE);
}

static void print_verbs(FILE *stream, const char *family, const char *summary, const struct willow_verb *verbs)
{
    fprintf(stream, "Usage: %s VERB [OPTION...]\n%s\n\n", family, summary);
    for (const struct willow_verb *verb = verbs; verb->name; verb++)
        fprintf(stream, "  %-10s %s\n", verb->name, verb->summary);
    fprintf(stream, "\n'%s VERB --help' explains one; '%s --version' names the build.\n", family, family);
}

/* A sister program that hands over keeps in argv[0] what the user typed ("willow match" runs in willow-selfplay). */
static const char *typed_family(const char *program, const char *family)
{
    const char *slash = program ? strrchr(program, '/') : NULL;
    const char *base = slash ? slash + 1 : program;
    return base && (strcmp(base, "willow") == 0 || strncmp(base, "willow ", 7) == 0) ? base : family;
}

int willow_program_main(int argc, char **argv, const char *family, const char *summary, const struct willow_verb *verbs,
                        int (*fallback)(int argc, char **argv))
{
    fill_closed_streams();
    if (argc > 1 && argv[1][0] != '-' && willow_arguments_are_wide(argc, argv))
        return wide_run(argv, family);
    /* Characters as the user's terminal has them; numbers always with a point. */
    (void)setlocale(LC_CTYPE, "");
    /* A closed pipe is a failed write with a line of its own, not a silent death. */
    (void)signal(SIGPIPE, SIG_IGN);
    argp_err_exit_status = WILLOW_EXIT_USAGE;
    argp_program_version_hook = print_version;
    (void)atexit(check_output);

    const char *name = typed_family(argc > 0 ? argv[0] : NULL, family);
    const char *verb = argc > 1 ? argv[1] : NULL;
    if (!verb) {
        print_verbs(stderr, name, summary, verbs);
        return WILLOW_EXIT_USAGE;
    }
    if (strcmp(verb, "--help") == 0 || strcmp(verb, "-?") == 0 || strcmp(verb, "help") == 0) {
        print_verbs(stdout, name, summary, verbs);
        return willow_finish(WILLOW_EXIT_OK);
    }
    if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0) {
        print_version(stdout, NULL);
        return willow_finish(WILLOW_EXIT_OK);
    }
    for (const struct willow_verb *own = verbs; own->name; own++) {
        if (strcmp(own->name, verb) != 0)
            continue;
        char full[128];
        snprintf(full, sizeof full, "%s %s", name, own->name);
        argv[1] = full;
        return willow_finish(own->run(argc - 1, argv + 1));
    }
    const int handed = fallback ? fallback(argc, argv) : -1;
    if (handed >= 0)
        return willow_finish(handed);
    struct willow_error error;
    char text[1024];
    willow_fail(&error, WILLOW_ERR_ARGUMENT, name, NULL, "unknown verb '%.200s'; '%.64s --help' lists them", verb,
                name);
    fprintf(stderr, "%s\n", willow_error_text(&error, text, sizeof text));
    return WILLOW_EXIT_USAGE;
}
