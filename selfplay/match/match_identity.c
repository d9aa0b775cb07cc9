/* match.json: which match a folder holds. The text itself is kept, not its checksum, so that a refusal can say what
 * differs. Layer: selfplay.
 */
#include "match_identity.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "game_json.h"

static const char format_name[] = "willow-match";
enum { FORMAT_VERSION = 1, IDENTITY_MAX_BYTES = 4 << 20, QUOTE_BYTES = 140 };

static bool is_ours(const char *name)
{
    static const char *const names[] = {".", "..", "lock", "match.json.tmp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

enum willow_status match_identity_check_folder(const char *folder, struct willow_error *error)
{
    char path[PATH_MAX], name[64];
    enum willow_status status = willow_path_join(path, sizeof path, folder, "match.json", error);
    if (status != WILLOW_OK || willow_file_exists(path))
        return status;
    DIR *stream = opendir(folder);
    if (!stream)
        return willow_fail_errno(error, folder, "list", errno);
    const struct dirent *entry;
    errno = 0;
    while (status == WILLOW_OK && (entry = readdir(stream)) != NULL)
        if (!is_ours(entry->d_name))
            status = willow_fail(error, WILLOW_ERR_BUSY, folder, NULL,
                                 "the folder holds \"%s\" and no match; it is left alone",
                                 game_json_printable(entry->d_name, name, sizeof name));
    if (status == WILLOW_OK && errno != 0)
        status = willow_fail_errno(error, folder, "list", errno);
    (void)closedir(stream);
    return status;
}

/* What stands at the start of text up to the end of its line, as far as a reason has room. */
static char *quote_line(const char *text, char quote[QUOTE_BYTES])
{
    char line[QUOTE_BYTES];
    (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    return game_json_printable(line, quote, QUOTE_BYTES);
}

static enum willow_status compare(const char *path, const char *stored, const char *wanted, struct willow_error *error)
{
    char there[QUOTE_BYTES], here[QUOTE_BYTES];
    if (strcmp(stored, wanted) == 0)
        return WILLOW_OK;
    /* The line in which they part; of a long one, what is around that place. A text that ends first has nothing there.
     */
    size_t same = 0, start = 0;
    for (; stored[same] != '\0' && stored[same] == wanted[same]; same++)
        if (stored[same] == '\n')
            start = same + 1;
    if (same - start > QUOTE_BYTES / 2)
        start = same - QUOTE_BYTES / 2;
    return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the folder holds another match: \"%s\", not \"%s\"",
                       quote_line(stored + start, there), quote_line(wanted + start, here));
}

/* Without an identity the ruleset alone is compared. */
static enum willow_status read_identity(const char *path, const json_t *document, const struct willow_ruleset *ruleset,
                                        const char *identity, struct willow_error *error)
{
    const char *format = json_string_value(json_object_get(document, "format"));
    const char *rules = json_string_value(json_object_get(document, "ruleset"));
    const char *stored = json_string_value(json_object_get(document, "identity"));
    const json_t *version = json_object_get(document, "version");
    char name[32];
    if (!format || strcmp(format, format_name) != 0)
        return willow_fail(error, WILLOW_ERR_BUSY, path, NULL, "not of a match of Willow; it is left alone");
    if (!json_is_integer(version) || json_integer_value(version) != FORMAT_VERSION)
        return willow_fail(error, WILLOW_ERR_VERSION, path, "version", "this build reads version %d",
                           (int)FORMAT_VERSION);
    if (!rules || !stored)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, rules ? "identity" : "ruleset", "missing or no text");
    if (strcmp(rules, ruleset->name) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the folder holds a match of %s, not of %s",
                           game_json_printable(rules, name, sizeof name), ruleset->name);
    return identity ? compare(path, stored, identity, error) : WILLOW_OK;
}

static enum willow_status compare_file(const char *path, const struct willow_ruleset *ruleset, const char *identity,
                                       struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    json_error_t fault;
    char reason[JSON_ERROR_TEXT_LENGTH], place[64];
    enum willow_status status = willow_file_read(path, IDENTITY_MAX_BYTES, &data, &size, error);
    if (status != WILLOW_OK)
        return status;
    json_t *document = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, &fault);
    free(data);
    if (document) {
        status = read_identity(path, document, ruleset, identity, error);
        json_decref(document);
        return status;
    }
    if (json_error_code(&fault) == json_error_out_of_memory)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    (void)snprintf(place, sizeof place, "line %d, column %d", fault.line, fault.column);
    return willow_fail(error, WILLOW_ERR_FORMAT, path, place, "not sound JSON: %s",
                       game_json_printable(fault.text, reason, sizeof reason));
}

static enum willow_status write_identity(const char *path, const struct willow_ruleset *ruleset, const char *identity,
                                         struct willow_error *error)
{
    json_t *document = json_pack("{s:s, s:i, s:s, s:s}", "format", format_name, "version", (int)FORMAT_VERSION,
                                 "ruleset", ruleset->name, "identity", identity);
    char *text = document ? json_dumps(document, JSON_INDENT(1)) : NULL;
    json_decref(document);
    if (!text)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    const size_t length = strlen(text);
    text[length] = '\n'; /* in place of the terminator, so that the file ends its last line */
    const enum willow_status status = willow_file_replace(path, text, length + 1, error);
    free(text);
    return status;
}

enum willow_status match_identity_check_ruleset(const char *folder, const struct willow_ruleset *ruleset,
                                                struct willow_error *error)
{
    char path[PATH_MAX];
    const enum willow_status status = willow_path_join(path, sizeof path, folder, "match.json", error);
    return status == WILLOW_OK && willow_file_exists(path) ? compare_file(path, ruleset, NULL, error) : status;
}

enum willow_status match_identity_settle(const char *folder, const struct willow_ruleset *ruleset, const char *identity,
                                         struct willow_error *error)
{
    char path[PATH_MAX];
    enum willow_status status = willow_path_join(path, sizeof path, folder, "match.json", error);
    if (status != WILLOW_OK)
        return status;
    /* As it comes back from JSON, so that a command with odd bytes in it equals itself. */
    json_t *text = game_json_text(identity);
    if (!text)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    status = willow_file_exists(path) ? compare_file(path, ruleset, json_string_value(text), error)
                                      : write_identity(path, ruleset, json_string_value(text), error);
    json_decref(text);
    return status;
}
