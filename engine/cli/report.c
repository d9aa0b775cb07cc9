/* How a program ends: the one line of an error, and the check that its output has arrived.
 * Layer: engine/cli (willow_program).
 */
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include <willow/program.h>

int willow_report(const struct willow_error *error)
{
    char text[sizeof error->file + sizeof error->place + sizeof error->reason + 16];
    willow_error_text(error, text, sizeof text);
    /* What was printed before the failure comes first when both go to one place. */
    fflush(stdout);
    fprintf(stderr, "willow: %s\n", text);
    return WILLOW_EXIT_USAGE;
}

int willow_finish(int exit_code)
{
    errno = 0;
    const int flush = fflush(stdout);
    const int reason = errno;
    if (flush == 0 && !ferror(stdout))
        return exit_code;
    /* Nothing more can be written: drop it, so that the check at exit does not report it twice. */
    __fpurge(stdout);
    clearerr(stdout);
    fprintf(stderr, "willow: standard output: cannot write: %s\n",
            reason ? strerror(reason) : "an earlier write failed");
    return exit_code == WILLOW_EXIT_OK ? WILLOW_EXIT_USAGE : exit_code;
}
