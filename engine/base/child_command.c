/* A command line split into its arguments, with quotes and backslashes and nothing else of a shell, and whether its
 * program is there. Layer: base.
 */
#include <willow/child.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct splitter {
    const char *text, *next;
    char *out; /* where the next byte of an argument goes */
};

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

static enum willow_status fail_at(struct willow_error *error, const struct splitter *splitter, const char *where,
                                  const char *reason)
{
    char place[32];

    (void)snprintf(place, sizeof place, "column %zu", (size_t)(where - splitter->text) + 1);
    return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "%s", reason);
}

/* From an opening quote to its partner. Within double quotes a backslash protects what a shell would let it protect. */
static enum willow_status copy_quoted(struct splitter *splitter, struct willow_error *error)
{
    const char *opening = splitter->next;
    const char quote = *splitter->next++;

    while (*splitter->next != quote) {
        if (quote == '"' && *splitter->next == '\\' && splitter->next[1] != '\0' &&
            strchr("\"\\$`", splitter->next[1]) != NULL)
            splitter->next++;
        if (*splitter->next == '\0')
            return fail_at(error, splitter, opening, "this quote is not closed");
        *splitter->out++ = *splitter->next++;
    }
    splitter->next++;
    return WILLOW_OK;
}

/* One argument, of which at least one letter is there. */
static enum willow_status copy_argument(struct splitter *splitter, struct willow_error *error)
{
    while (*splitter->next != '\0' && !is_space(*splitter->next)) {
        if (*splitter->next == '\'' || *splitter->next == '"') {
            const enum willow_status status = copy_quoted(splitter, error);
            if (status != WILLOW_OK)
                return status;
            continue;
        }
        if (*splitter->next == '\\') {
            if (splitter->next[1] == '\0')
                return fail_at(error, splitter, splitter->next, "nothing follows this backslash");
            splitter->next++;
        }
        *splitter->out++ = *splitter->next++;
    }
    *splitter->out++ = '\0';
    return WILLOW_OK;
}

enum willow_status willow_command_split(const char *text, char ***arguments, struct willow_error *error)
{
    /* At most every second letter begins an argument; texts and terminators together are no longer than the text. */
    const size_t length = strlen(text), most = length / 2 + 1;
    char **block = calloc(1, (most + 1) * sizeof *block + length + 1);
    size_t count = 0;

    *arguments = NULL;
    if (block == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "not enough memory for a command line");
    struct splitter splitter = {.text = text, .next = text, .out = (char *)(block + most + 1)};
    enum willow_status status = WILLOW_OK;
    for (;;) {
        while (is_space(*splitter.next))
            splitter.next++;
        if (*splitter.next == '\0' || status != WILLOW_OK)
            break;
        block[count++] = splitter.out;
        status = copy_argument(&splitter, error);
    }
    if (status == WILLOW_OK && count == 0)
        status = fail_at(error, &splitter, text, "there is no program in it");
    if (status != WILLOW_OK) {
        free(block);
        return status;
    }
    *arguments = block;
    return WILLOW_OK;
}

/* An errno value; 0 = a file that may be executed. A relative path is meant from the folder. */
static int try_file(int folder, const char *path)
{
    struct stat about;

    if (faccessat(folder, path, X_OK, AT_EACCESS) != 0 || fstatat(folder, path, &about, 0) != 0)
        return errno;
    return S_ISREG(about.st_mode) ? 0 : EACCES;
}

/* Looks along PATH as execvp does: a file that may not be executed is passed over, but told of when nothing follows. */
static int try_path(int folder, const char *program)
{
    const char *next = getenv("PATH");
    int code = ENOENT;

    if (program[0] == '\0')
        return ENOENT;
    if (next == NULL)
        next = "/bin:/usr/bin";
    for (;;) {
        const int length = (int)strcspn(next, ":");
        char *path = NULL;
        if (asprintf(&path, "%.*s%s%s", length, next, length == 0 ? "./" : "/", program) < 0)
            return ENOMEM;
        const int tried = try_file(folder, path);
        free(path);
        if (tried == 0)
            return 0;
        if (tried == EACCES)
            code = EACCES;
        if (next[length] == '\0')
            return code;
        next += length + 1;
    }
}

enum willow_status willow_command_check(const char *program, const char *folder, struct willow_error *error)
{
    const int from = folder == NULL ? AT_FDCWD : open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (from == -1)
        return willow_fail_errno(error, folder, "start a program there", errno);
    const int code = strchr(program, '/') != NULL ? try_file(from, program) : try_path(from, program);
    if (from != AT_FDCWD)
        (void)close(from);
    return code == 0 ? WILLOW_OK : willow_fail_errno(error, program, "start", code);
}
