/* Engines of a match: read from one argument of the command line, checked, and put into one line of text.
 * Layer: selfplay.
 */
#include "engine.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/child.h>
#include <willow/level.h>
#include <willow/search.h>

enum { DEPTH_MAX = WILLOW_SQUARES - 4, EMPTIES_MAX = WILLOW_SQUARES - 4 };

static const char *const kind_names[] = {
    [ENGINE_BUILTIN] = "built in", [ENGINE_GTP] = "gtp", [ENGINE_NBOARD] = "nboard"};

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

/* The file's name without folder and ending, with '-' for what a name may not hold; "engine" where nothing is left. */
static void name_after(const char *path, char name[ENGINE_NAME_MAX])
{
    static const char ending[] = ".wlw";
    const char *slash = strrchr(path, '/');
    const char *from = slash != NULL ? slash + 1 : path;
    size_t length = strlen(from);

    if (length > sizeof ending - 1 && strcmp(from + length - (sizeof ending - 1), ending) == 0)
        length -= sizeof ending - 1;
    if (length >= ENGINE_NAME_MAX)
        length = ENGINE_NAME_MAX - 1;
    for (size_t i = 0; i < length; i++)
        name[i] = is_name_character(from[i]) ? from[i] : '-';
    name[length] = '\0';
    if (length == 0)
        snprintf(name, ENGINE_NAME_MAX, "engine");
}

/* NAME= in front of the rest. Text with another character before the first '=' has no name. */
static enum willow_status parse_name(const char **text, struct engine *engine, struct willow_error *error)
{
    size_t length = 0;

    while (is_name_character((*text)[length]))
        length++;
    if ((*text)[length] != '=')
        return WILLOW_OK;
    if (length == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "engine '%s': no name before '='", *text);
    if (length >= ENGINE_NAME_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "engine '%s': its name has more than %d letters",
                           *text, ENGINE_NAME_MAX - 1);
    memcpy(engine->name, *text, length);
    engine->name[length] = '\0';
    *text += length + 1;
    return WILLOW_OK;
}

static bool parse_whole(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    *value = 0;
    for (const char *at = text; *at; at++) {
        const unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit > 9 || *value > (most - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return *text && *value >= least;
}

/* What a key of the command line sets. */
struct key {
    const char *name, *meaning;
    uint64_t least, most; /* of whole numbers */
    bool bounded;         /* the meaning leaves them out */
};
enum { KEY_DEPTH, KEY_EXACT, KEY_SELECTIVITY, KEY_LEVEL, KEY_NODES, KEY_TIME, KEY_CLOCK, KEYS };
static const struct key keys[KEYS] = {
    [KEY_DEPTH] = {"depth", "plies, ", 1, DEPTH_MAX, true},
    [KEY_EXACT] = {"exact", "empty squares, ", 1, EMPTIES_MAX, true},
    [KEY_SELECTIVITY] = {"selectivity", "73, 87, 95, 98, 99 or 100", 1, 100, false},
    [KEY_LEVEL] = {"level", "1 to 30", WILLOW_LEVEL_MIN, WILLOW_LEVEL_MAX, false},
    [KEY_NODES] = {"nodes", "a whole number from 1", 1, INT64_MAX, false},
    [KEY_TIME] = {"time", "seconds for every move, from 0.001", 0, 0, false},
    [KEY_CLOCK] = {"clock", "a time control such as 60, 1+0.01, 2/1 or 300+30/5", 0, 0, false},
};

static bool is_selectivity(int percent)
{
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (willow_selectivities[i] == percent)
            return true;
    return false;
}

/* False when the value is none for the key. */
static bool set_key(struct engine *engine, int key, const char *value)
{
    struct willow_time_control control;
    uint64_t number = 0;

    if (key == KEY_TIME || key == KEY_CLOCK) {
        if (willow_time_control_parse(value, &control, NULL) != WILLOW_OK)
            return false;
        if (key == KEY_TIME) {
            engine->time_ms = control.main_ms;
            return control.increment_ms == 0 && control.period_ms == 0;
        }
        engine->clock = control;
        engine->has_clock = true;
        return true;
    }
    if (!parse_whole(value, keys[key].least, keys[key].most, &number))
        return false;
    switch (key) {
    case KEY_DEPTH:
        engine->depth = (int)number;
        return true;
    case KEY_EXACT:
        engine->exact = (int)number;
        return true;
    case KEY_SELECTIVITY:
        engine->selectivity = (int)number;
        return is_selectivity(engine->selectivity);
    case KEY_LEVEL:
        engine->level = (int)number;
        return true;
    default:
        engine->nodes = number;
        return true;
    }
}

/* One KEY=VALUE; it is changed on the way. */
static enum willow_status parse_setting(struct engine *engine, char *setting, unsigned *seen,
                                        struct willow_error *error)
{
    char *equals = strchr(setting, '=');

    if (equals == NULL)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "engine '%s': '%s' is not KEY=VALUE", engine->name,
                           setting);
    *equals = '\0';
    for (int key = 0; key < KEYS; key++) {
        if (strcmp(setting, keys[key].name) != 0)
            continue;
        if ((*seen >> key & 1) != 0)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "engine '%s': %s is given twice", engine->name,
                               setting);
        *seen |= 1u << key;
        if (!set_key(engine, key, equals + 1)) {
            char bounds[48] = "";

            if (keys[key].bounded)
                snprintf(bounds, sizeof bounds, "%" PRIu64 " to %" PRIu64, keys[key].least, keys[key].most);
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "engine '%s': %s=%s, where it must be %s%s",
                               engine->name, setting, equals + 1, keys[key].meaning, bounds);
        }
        return WILLOW_OK;
    }
    return willow_fail(
        error, WILLOW_ERR_ARGUMENT, NULL, NULL,
        "engine '%s': no setting '%s'; there are depth, exact, selectivity, level, nodes, time and clock", engine->name,
        setting);
}

/* WEIGHTS[,KEY=VALUE...] */
static enum willow_status parse_builtin(const char *text, struct engine *engine, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    unsigned seen = 0;

    engine->weights_name = strdup(text);
    if (engine->weights_name == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for an engine");
    char *next = strchr(engine->weights_name, ',');
    if (next != NULL)
        *next++ = '\0';
    if (engine->weights_name[0] == '\0')
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "engine '%s' has no weights", text);
    if (engine->name[0] == '\0')
        name_after(engine->weights_name, engine->name);
    while (next != NULL && status == WILLOW_OK) {
        char *setting = next;

        next = strchr(setting, ',');
        if (next != NULL)
            *next++ = '\0';
        status = parse_setting(engine, setting, &seen, error);
    }
    return status;
}

static enum willow_status parse_program(const char *text, struct engine *engine, struct willow_error *error)
{
    struct willow_error cause;
    char reason[sizeof cause.reason];
    const enum willow_status status = willow_command_split(text, &engine->command, &cause);

    if (status != WILLOW_OK)
        return willow_fail(error, status, NULL, NULL, "command '%s': %s", text,
                           willow_error_text(&cause, reason, sizeof reason));
    if (engine->name[0] == '\0')
        name_after(engine->command[0], engine->name);
    return WILLOW_OK;
}

enum willow_status engine_parse(const char *text, struct engine *engine, struct willow_error *error)
{
    static const char gtp[] = "gtp:", nboard[] = "nboard:";

    *engine = (struct engine){.kind = ENGINE_BUILTIN};
    enum willow_status status = parse_name(&text, engine, error);
    if (status != WILLOW_OK)
        return status;
    if (strncmp(text, gtp, sizeof gtp - 1) == 0) {
        engine->kind = ENGINE_GTP;
        status = parse_program(text + sizeof gtp - 1, engine, error);
    } else if (strncmp(text, nboard, sizeof nboard - 1) == 0) {
        engine->kind = ENGINE_NBOARD;
        status = parse_program(text + sizeof nboard - 1, engine, error);
    } else {
        status = parse_builtin(text, engine, error);
    }
    return status == WILLOW_OK ? engine_check(engine, error) : status;
}

#define REFUSE(...) willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, __VA_ARGS__)

static enum willow_status check_name(const char *name, struct willow_error *error)
{
    const char *end = memchr(name, '\0', ENGINE_NAME_MAX);

    if (end == NULL)
        return REFUSE("an engine's name has more than %d letters", ENGINE_NAME_MAX - 1);
    if (end == name)
        return REFUSE("an engine has no name");
    for (const char *at = name; at < end; at++)
        if (*at < ' ' || *at > '~' || *at == '"' || *at == '\'' || *at == '\\')
            return REFUSE("engine '%s': its name holds something else than printable ASCII without quotes and "
                          "backslashes",
                          name);
    return *name == ' ' || end[-1] == ' ' ? REFUSE("engine '%s': a blank at an end of its name", name) : WILLOW_OK;
}

static enum willow_status check_ranges(const struct engine *engine, struct willow_error *error)
{
    const char *name = engine->name;

    if (engine->depth < 0 || engine->depth > DEPTH_MAX)
        return REFUSE("engine '%s': depth must be 1 to %d", name, DEPTH_MAX);
    if (engine->exact < 0 || engine->exact > EMPTIES_MAX)
        return REFUSE("engine '%s': exact must be 1 to %d", name, EMPTIES_MAX);
    if (engine->selectivity != 0 && !is_selectivity(engine->selectivity))
        return REFUSE("engine '%s': selectivity must be %s", name, keys[KEY_SELECTIVITY].meaning);
    if (engine->level != 0 && (engine->level < WILLOW_LEVEL_MIN || engine->level > WILLOW_LEVEL_MAX))
        return REFUSE("engine '%s': level must be %d to %d", name, WILLOW_LEVEL_MIN, WILLOW_LEVEL_MAX);
    if (engine->level != 0 && engine->depth != 0)
        return REFUSE("engine '%s': level and depth exclude each other", name);
    if (engine->time_ms > WILLOW_TIME_MAX_MS)
        return REFUSE("engine '%s': time lies above 100 days", name);
    if (engine->has_clock) {
        struct willow_error cause;
        const enum willow_status status = willow_time_control_check(&engine->clock, &cause);
        if (status != WILLOW_OK)
            return willow_fail(error, status, NULL, NULL, "engine '%s': clock: %s", name, cause.reason);
    }
    return WILLOW_OK;
}

/* A limit that would be passed over in silence is refused. */
static enum willow_status check_program(const struct engine *engine, struct willow_error *error)
{
    const char *name = engine->name;
    const char *unusable = engine->exact != 0         ? "exact"
                           : engine->selectivity != 0 ? "selectivity"
                           : engine->nodes != 0       ? "nodes"
                           : engine->time_ms != 0     ? "time"
                                                      : NULL;

    if (unusable == NULL && engine->kind == ENGINE_GTP && (engine->depth != 0 || engine->level != 0))
        unusable = engine->depth != 0 ? "depth" : "level";
    if (unusable != NULL)
        return REFUSE("engine '%s': %s cannot be told to a program over %s", name, unusable, kind_names[engine->kind]);
    if (engine->weights_name != NULL)
        return REFUSE("engine '%s': weights and a command exclude each other", name);
    if (engine->command == NULL || engine->command[0] == NULL || engine->command[0][0] == '\0')
        return REFUSE("engine '%s': its command is empty", name);
    if (engine->folder != NULL && engine->folder[0] == '\0')
        return REFUSE("engine '%s': its folder is empty", name);
    for (char **line = engine->setup; line != NULL && *line != NULL; line++)
        for (const char *at = *line; *at; at++)
            if ((unsigned char)*at < ' ' || *at == 127)
                return REFUSE("engine '%s': a line of its setup holds control characters", name);
    return WILLOW_OK;
}

static enum willow_status check_builtin(const struct engine *engine, struct willow_error *error)
{
    if (engine->command != NULL || engine->folder != NULL || engine->setup != NULL)
        return REFUSE("engine '%s': command, folder and setup are for programs that speak a protocol", engine->name);
    if (engine->weights_name != NULL && engine->weights_name[0] == '\0')
        return REFUSE("engine '%s': the name of its weights is empty", engine->name);
    return WILLOW_OK;
}

enum willow_status engine_check(const struct engine *engine, struct willow_error *error)
{
    enum willow_status status = check_name(engine->name, error);

    if (status == WILLOW_OK)
        status = check_ranges(engine, error);
    if (status != WILLOW_OK)
        return status;
    return engine->kind == ENGINE_BUILTIN ? check_builtin(engine, error) : check_program(engine, error);
}

enum willow_status engine_open(struct engine *engine, const struct willow_ruleset *ruleset, struct willow_error *error)
{
    if (engine->kind != ENGINE_BUILTIN || engine->weights != NULL)
        return WILLOW_OK;
    return willow_weights_open(engine->weights_name, ruleset, &engine->weights, error);
}

/* Text that is cut where the buffer ends. */
struct line {
    char *buffer;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;

    if (line->used + 1 >= line->size)
        return;
    va_start(arguments, format);
    const int length = vsnprintf(line->buffer + line->used, line->size - line->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->used += (size_t)length;
    if (line->used >= line->size)
        line->used = line->size - 1;
}

/* A word as a shell would take it, so that no two lists of words look the same. */
static void add_word(struct line *line, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=+,@%";

    if (*word && word[strspn(word, plain)] == '\0') {
        add(line, "%s", word);
        return;
    }
    add(line, "\"");
    for (; *word; word++) {
        const unsigned char c = (unsigned char)*word;
        if (c < ' ' || c >= 127)
            add(line, "\\x%02x", c);
        else
            add(line, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
    }
    add(line, "\"");
}

static void add_limits(struct line *line, const struct engine *engine)
{
    char text[WILLOW_TIME_CONTROL_TEXT];

    if (engine->level != 0)
        add(line, ", level %d", engine->level);
    if (engine->depth != 0)
        add(line, ", depth %d", engine->depth);
    if (engine->selectivity != 0)
        add(line, ", selectivity %d", engine->selectivity);
    if (engine->exact != 0)
        add(line, ", exact %d", engine->exact);
    if (engine->nodes != 0)
        add(line, ", nodes %" PRIu64, engine->nodes);
    if (engine->time_ms != 0)
        add(line, ", %" PRIu64 ".%03u s a move", engine->time_ms / 1000, (unsigned)(engine->time_ms % 1000));
    if (engine->has_clock)
        add(line, ", clock %s", willow_time_control_format(&engine->clock, text));
}

static void describe_builtin(struct line *line, const struct engine *engine)
{
    char name[ENGINE_NAME_MAX];

    name_after(engine->weights_name != NULL ? engine->weights_name : "default", name);
    add(line, "%s (%s)", name, engine->weights != NULL ? willow_weights_checksum(engine->weights) : "not loaded");
}

static void describe_program(struct line *line, const struct engine *engine)
{
    add(line, "%s:", kind_names[engine->kind]);
    for (char **word = engine->command; word != NULL && *word != NULL; word++) {
        add(line, " ");
        add_word(line, *word);
    }
    if (engine->folder != NULL) {
        add(line, ", in ");
        add_word(line, engine->folder);
    }
    for (char **setup = engine->setup; setup != NULL && *setup != NULL; setup++) {
        add(line, setup == engine->setup ? ", setup " : " ");
        add_word(line, *setup);
    }
}

char *engine_describe(const struct engine *engine, char *buffer, size_t size)
{
    struct line line = {.buffer = buffer, .size = size};

    if (size == 0)
        return buffer;
    buffer[0] = '\0';
    if (engine->kind == ENGINE_BUILTIN)
        describe_builtin(&line, engine);
    else
        describe_program(&line, engine);
    add_limits(&line, engine);
    return buffer;
}

void engine_clear(struct engine *engine)
{
    willow_weights_free(engine->weights);
    free(engine->weights_name);
    free(engine->command);
    free(engine->folder);
    free(engine->setup);
    *engine = (struct engine){0};
}
