/* Which command lines concern a board of more than 64 squares, and the hand-over of those to the programs built for
 * them. Looks at names and at the beginning of files, never fails by what it finds there, and leaves what is unclear to
 * this program. Layer: engine/cli (willow_program).
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <willow/program.h>

#include "rules/ruleset_wide.h"
#include "wide.h"

/* What an argument says of the board. */
enum size { SIZE_UNKNOWN, SIZE_SMALL, SIZE_WIDE };

/* What a folder is known by, of a dataset, a match or a loop. */
static const char *const folder_files[] = {"manifest.json", "match.json", "config.yaml", "match.yaml"};

/* The beginning of a weights file and where the number of its ruleset is (eval/weights_file.c). */
static const unsigned char weights_magic[8] = {0x89, 'W', 'L', 'W', '\r', '\n', 0x1a, '\n'};
enum { WEIGHTS_RULESET_AT = 20, LOOK_BYTES = 64 << 10 };

static bool has_ending(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static bool is_yaml(const char *path)
{
    return has_ending(path, ".yaml") || has_ending(path, ".yml");
}

static enum size size_of_name(const char *name, size_t length)
{
    static const char wide[] = RULESET_WIDE_NAME;
    return length == sizeof wide - 1 && memcmp(name, wide, length) == 0 ? SIZE_WIDE : SIZE_SMALL;
}

/* The first bytes of a regular file and a terminator; 0 bytes for anything else. A pipe or a device is not opened, lest
 * its reader lose what comes first. */
static size_t look(const char *path, char text[LOOK_BYTES + 1])
{
    struct stat status;
    size_t length = 0;
    text[0] = '\0';
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        for (ssize_t got; length < LOOK_BYTES; length += (size_t)got) {
            got = read(fd, text + length, LOOK_BYTES - length);
            if (got < 0 && errno == EINTR)
                got = 0;
            else if (got <= 0)
                break;
        }
    (void)close(fd);
    text[length] = '\0';
    return length;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* "ruleset": "NAME" anywhere in the text of a JSON document. */
static enum size size_of_json(const char *text)
{
    static const char key[] = "\"ruleset\"";
    for (const char *at = text; (at = strstr(at, key)) != NULL;) {
        at = skip_blanks(at + sizeof key - 1);
        if (*at != ':')
            continue;
        at = skip_blanks(at + 1);
        if (*at == '"')
            return size_of_name(at + 1, strcspn(at + 1, "\""));
    }
    return SIZE_UNKNOWN;
}

/* The scalar that begins at text, without quotes, blanks and a comment behind; null when there is none in this line. */
static const char *yaml_scalar(const char *text, size_t *length)
{
    text += strspn(text, " \t");
    if (*text == '"' || *text == '\'') {
        const char quote[] = {*text, '\n', '\0'};
        *length = strcspn(text + 1, quote);
        return *length > 0 ? text + 1 : NULL;
    }
    *length = strcspn(text, "\r\n");
    for (size_t i = 1; i < *length; i++)
        if (text[i] == '#' && isspace((unsigned char)text[i - 1]))
            *length = i;
    while (*length > 0 && isspace((unsigned char)text[*length - 1]))
        --*length;
    return *length > 0 && *text != '#' ? text : NULL;
}

/* The value of a line "key: value" or "- value"; the key's length is 0 in an item of a list. */
static const char *yaml_value(const char *line, const char **key, size_t *key_length, size_t *length)
{
    line += strspn(line, " \t");
    while (line[0] == '-' && line[1] == ' ')
        line += 1 + strspn(line + 1, " ");
    *key = line;
    *key_length = strspn(line, "abcdefghijklmnopqrstuvwxyz_");
    if (*key_length > 0 && line[*key_length] == ':')
        return yaml_scalar(line + *key_length + 1, length);
    *key_length = 0;
    return yaml_scalar(line, length);
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : NULL;
}

/* What a configuration says under "ruleset". */
static enum size size_of_yaml(const char *text)
{
    for (const char *line = text; line; line = next_line(line)) {
        const char *key;
        size_t key_length, length;
        const char *value = yaml_value(line, &key, &key_length, &length);
        if (value && key_length == 7 && memcmp(key, "ruleset", 7) == 0)
            return size_of_name(value, length);
    }
    return SIZE_UNKNOWN;
}

/* Of a file by its beginning. */
static enum size size_of_file(const char *path, char text[LOOK_BYTES + 1])
{
    const size_t length = look(path, text);
    const unsigned char *id = (const unsigned char *)text + WEIGHTS_RULESET_AT;
    if (length >= WEIGHTS_RULESET_AT + 4 && memcmp(text, weights_magic, sizeof weights_magic) == 0)
        return ((uint32_t)id[0] | (uint32_t)id[1] << 8 | (uint32_t)id[2] << 16 | (uint32_t)id[3] << 24) ==
                       RULESET_WIDE_ID
                   ? SIZE_WIDE
                   : SIZE_SMALL;
    if (is_yaml(path))
        return size_of_yaml(text);
    return *skip_blanks(text) == '{' ? size_of_json(text) : SIZE_UNKNOWN;
}

static enum size size_of_path(const char *path, char text[LOOK_BYTES + 1])
{
    struct stat status;
    enum size size = SIZE_UNKNOWN;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return size_of_file(path, text);
    for (size_t i = 0; i < sizeof folder_files / sizeof folder_files[0] && size == SIZE_UNKNOWN; i++) {
        char file[WILLOW_PATH_BYTES];
        const int length = snprintf(file, sizeof file, "%s/%s", path, folder_files[i]);
        if (length > 0 && (size_t)length < sizeof file)
            size = size_of_file(file, text);
    }
    return size;
}

/* Of what a configuration without a ruleset names: data, weights. The text is the configuration's, which is read
 * again. */
static enum size size_of_named(const char *yaml, char text[LOOK_BYTES + 1])
{
    char *copy = look(yaml, text) > 0 ? strdup(text) : NULL;
    enum size found = SIZE_UNKNOWN;
    for (const char *line = copy; line && found == SIZE_UNKNOWN; line = next_line(line)) {
        char path[WILLOW_PATH_BYTES];
        const char *key;
        size_t key_length, length;
        const char *value = yaml_value(line, &key, &key_length, &length);
        if (!value || length >= sizeof path)
            continue;
        memcpy(path, value, length);
        path[length] = '\0';
        if (!is_yaml(path))
            found = size_of_path(path, text);
    }
    free(copy);
    return found;
}

/* Where a value may stand in an argument: behind "--option=", behind "-o", or it is the argument. */
static const char *value_of(const char *argument)
{
    if (argument[0] != '-' || argument[1] == '\0')
        return argument;
    if (argument[1] != '-')
        return argument + 2;
    const char *equals = strchr(argument, '=');
    return equals ? equals + 1 : "";
}

/* The name behind --ruleset or its letter, also as the last of several letters; null when this is another argument. */
static const char *ruleset_option(const char *argument, const char *next)
{
    static const char option[] = "--ruleset";
    if (strncmp(argument, option, sizeof option - 1) == 0) {
        const char *rest = argument + sizeof option - 1;
        return *rest == '=' ? rest + 1 : *rest == '\0' ? next : NULL;
    }
    if (argument[0] != '-' || argument[1] == '-')
        return NULL;
    const char *letter = strchr(argument, 'R');
    if (!letter || strspn(argument + 1, "abcdefghijklmnopqrstuvwxyz") != (size_t)(letter - argument - 1))
        return NULL;
    return letter[1] ? letter + 1 : next;
}

/* The first argument that is no verb: a folder may have the name of one. */
static int first_value(int argc, char *const *argv)
{
    static const char *const families[] = {"selfplay", "train", "weights"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (argc > 2 && strcmp(argv[1], families[i]) == 0)
            return 3;
    return 2;
}

/* First what is said in so many words, then what the files are; where they differ, this program says so. */
static bool are_wide(int argc, char *const *argv, char text[LOOK_BYTES + 1])
{
    const int first = first_value(argc, argv);
    /* Of an option that is given twice the last one counts. */
    for (int i = argc - 1; i >= first; i--) {
        const char *name = ruleset_option(argv[i], argv[i + 1]);
        if (name)
            return size_of_name(name, strlen(name)) == SIZE_WIDE;
    }
    for (int i = first; i < argc; i++) {
        const char *value = value_of(argv[i]);
        const enum size size = is_yaml(value) ? size_of_path(value, text) : SIZE_UNKNOWN;
        if (size != SIZE_UNKNOWN)
            return size == SIZE_WIDE;
    }
    bool wide = false, small = false;
    for (int i = first; i < argc; i++) {
        const char *value = value_of(argv[i]);
        const enum size size = is_yaml(value) ? size_of_named(value, text) : size_of_path(value, text);
        wide = wide || size == SIZE_WIDE;
        small = small || size == SIZE_SMALL;
    }
    if (wide || small)
        return wide && !small;
    /* The variable says which weights play, not what is played: it decides only where they are all that is looked at.
     */
    const char *weights = strcmp(argv[1], "weights") == 0 ? getenv("WILLOW_WEIGHTS") : NULL;
    return weights && size_of_path(weights, text) == SIZE_WIDE;
}

bool willow_arguments_are_wide(int argc, char *const *argv)
{
    char *text = WILLOW_SQUARES > 64 ? NULL : malloc(LOOK_BYTES + 1);
    const bool wide = text && are_wide(argc, argv, text);
    free(text);
    return wide;
}

/* Beside this program as it is built, or where it is installed. */
static enum willow_status find_wide(const char *program, char *path, size_t size, struct willow_error *error)
{
    static const char *const folders[] = {"wide", WILLOW_WIDE_FOLDER};
    char relative[WILLOW_PATH_BYTES];
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const int length = snprintf(relative, sizeof relative, "%s/%s", folders[i], program);
        if (length < 0 || (size_t)length >= sizeof relative)
            continue;
        const enum willow_status status = willow_sibling_path(relative, path, size, error);
        if (status != WILLOW_OK || access(path, X_OK) == 0)
            return status;
    }
    return willow_fail(error, WILLOW_ERR_IO, NULL, NULL,
                       RULESET_WIDE_NAME
                       " is played by a program of its own, but there is neither %s/%s beside this one "
                       "nor %s/%s; a build of everything makes it",
                       folders[0], program, folders[1], program);
}

int wide_run(char **argv, const char *family)
{
    char name[64], path[WILLOW_PATH_BYTES];
    struct willow_error error;
    /* "willow selfplay" is the program willow-selfplay. */
    snprintf(name, sizeof name, "%s", family);
    char *blank = strchr(name, ' ');
    if (blank)
        *blank = '-';
    if (find_wide(name, path, sizeof path, &error) != WILLOW_OK)
        return willow_report(&error);
    execv(path, argv);
    willow_fail_errno(&error, path, "start", errno);
    return willow_report(&error);
}
