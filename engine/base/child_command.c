/* A command line split into its arguments, with quotes and backslashes and nothing else of a shell. Layer: base.
 */
#include <willow/child.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
