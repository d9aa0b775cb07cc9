/* Compares and extends roster.txt. Names hold no line ends, and descriptions quote theirs. Layer: selfplay. */
#include "roster.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/checksum.h>
#include <willow/file.h>

enum { ROSTER_BYTES_MAX = 1 << 24, DESCRIPTION = 512, LABEL = ENGINE_NAME_MAX + 4 };
enum { LINE = LABEL + DESCRIPTION + WILLOW_CHECKSUM_TEXT + 8 };

static const char file_name[] = "roster.txt";

/* What stands in front of a description. Names hold no quotes, but may hold a colon: "a: b" must not be found for "a".
 */
static void label_of(const struct engine *engine, char label[LABEL])
{
    snprintf(label, LABEL, strchr(engine->name, ':') != NULL ? "\"%s\": " : "%s: ", engine->name);
}

/* Long command lines are cut for the eye; the checksum of the whole tells them apart. */
static enum willow_status line_of(const struct engine *engine, const char *label, char line[LINE],
                                  struct willow_error *error)
{
    enum { WHOLE = 1 << 20 };
    char *whole = malloc(WHOLE), checksum[WILLOW_CHECKSUM_TEXT];

    if (whole == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    engine_describe(engine, whole, WHOLE);
    willow_checksum128_text(whole, strlen(whole), checksum);
    if (strlen(whole) < DESCRIPTION)
        snprintf(line, LINE, "%s%s", label, whole);
    else
        snprintf(line, LINE, "%s%.*s... [%s]", label, DESCRIPTION - 4, whole, checksum);
    free(whole);
    return WILLOW_OK;
}

/* The line of the text that has the label in front, cut at its end; null = there is none. */
static const char *find(const char *text, const char *label, char line[LINE])
{
    const size_t length = strlen(label);

    for (const char *at = text; *at != '\0';) {
        const char *end = strchrnul(at, '\n');

        if (strncmp(at, label, length) == 0) {
            snprintf(line, LINE, "%.*s", (int)(end - at < LINE ? end - at : LINE - 1), at);
            return line;
        }
        at = *end == '\n' ? end + 1 : end;
    }
    return NULL;
}

/* Writes the lines of engines that the text does not have; *added = how many. */
static enum willow_status add_missing(const char *path, const char *text, const struct engine *engines, int count,
                                      FILE *to, int *added, struct willow_error *error)
{
    *added = 0;
    for (int i = 0; i < count; i++) {
        char label[LABEL], wanted[LINE], line[LINE];

        label_of(&engines[i], label);
        const enum willow_status status = line_of(&engines[i], label, wanted, error);

        if (status != WILLOW_OK)
            return status;
        if (find(text, label, line) == NULL) {
            fprintf(to, "%s\n", wanted);
            ++*added;
        } else if (strcmp(line, wanted) != 0) {
            return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL,
                               "the games on record are of another %s: %.150s, not %.150s", engines[i].name,
                               line + strlen(label), wanted + strlen(label));
        }
    }
    return WILLOW_OK;
}

static enum willow_status read_text(const char *path, char **text, struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;

    if (!willow_file_exists(path)) {
        *text = calloc(1, 1);
        return *text != NULL ? WILLOW_OK : willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    const enum willow_status status = willow_file_read(path, ROSTER_BYTES_MAX, &data, &size, error);
    *text = (char *)data;
    if (status == WILLOW_OK && memchr(data, '\0', size) != NULL)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "not a text");
    return status;
}

static enum willow_status settle(const char *folder, const struct engine *engines, int count, bool update,
                                 struct willow_error *error)
{
    char path[PATH_MAX], *text = NULL, *grown = NULL;
    size_t size = 0;
    int added = 0;
    enum willow_status status = willow_path_join(path, sizeof path, folder, file_name, error);

    if (status == WILLOW_OK)
        status = read_text(path, &text, error);
    FILE *stream = status == WILLOW_OK ? open_memstream(&grown, &size) : NULL;
    if (status == WILLOW_OK && stream == NULL)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status == WILLOW_OK) {
        fputs(text, stream);
        status = add_missing(path, text, engines, count, stream, &added, error);
    }
    bool failed = stream != NULL && ferror(stream) != 0;
    if (stream != NULL && fclose(stream) != 0)
        failed = true;
    if (status == WILLOW_OK && failed)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status == WILLOW_OK && update && added > 0)
        status = willow_file_replace(path, grown, size, error);
    free(text);
    free(grown);
    return status;
}

enum willow_status roster_check(const char *folder, const struct engine *engines, int count, struct willow_error *error)
{
    return settle(folder, engines, count, false, error);
}

enum willow_status roster_update(const char *folder, const struct engine *engines, int count,
                                 struct willow_error *error)
{
    return settle(folder, engines, count, true, error);
}
