/* Hands a verb over to its sister program beside this one, in the manner of git: willow VERB -> willow-VERB.
 * Layer: engine/cli (program willow).
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/program.h>

#include "verb.h"

/* A verb must not lead out of the folder. */
static bool plain_name(const char *verb)
{
    return verb[0] && verb[0] != '-' && strspn(verb, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(verb);
}

int handover_run(int argc, char **argv)
{
    char *space = strrchr(argv[0], ' ');
    if (!space || !plain_name(space + 1))
        return -1;
    char *verb = space + 1;
    /* Matches play games, so they live where games are played. */
    const bool match = strcmp(verb, "match") == 0;
    char name[128], path[PATH_MAX];
    snprintf(name, sizeof name, "willow-%s", match ? "selfplay" : verb);
    struct willow_error error;
    if (willow_sibling_path(name, path, sizeof path, &error) != WILLOW_OK)
        return willow_report(&error);
    if (access(path, X_OK) != 0)
        return -1;

    /* The other program takes the name that it shows from its argv[0]: what the user typed. */
    char **handed = calloc((size_t)argc + 2, sizeof *handed);
    if (!handed) {
        willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        return willow_report(&error);
    }
    int count = 0;
    handed[count++] = argv[0];
    if (match) {
        *space = '\0';
        handed[count++] = verb;
    }
    for (int i = 1; i < argc; i++)
        handed[count++] = argv[i];
    execv(path, handed);
    willow_fail_errno(&error, path, "start", errno);
    free(handed);
    return willow_report(&error);
}
