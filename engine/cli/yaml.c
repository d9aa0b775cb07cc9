/* Loads YAML configurations by a libcyaml schema and turns its log into one error with file, line, column and reason.
 * Does not know any key: the schema belongs to the caller. Layer: engine/cli (willow_program).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>
#include <yaml.h>

#include <willow/file.h>
#include <willow/program.h>

#include "base/utf8.h"
#include "yaml_scalars.h"

/* A configuration is typed by hand; anything larger is some other file. */
enum { CONFIG_BYTES_MAX = 1 << 20, NESTING_MAX = 16 };

/* What libcyaml says while it loads: the reason first, then a backtrace whose first place is the innermost. */
struct load_log {
    char reason[256];
    char field[64];
    unsigned line, column; /* from 1; 0 = not known */
};

static void collect_log(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct load_log *log = context;
    if (level < CYAML_LOG_ERROR)
        return;
    char text[sizeof log->reason];
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        return;
    text[strcspn(text, "\n")] = '\0';
    const char *message = strncmp(text, "Load: ", 6) == 0 ? text + 6 : text;
    if (strcmp(message, "Backtrace:") == 0)
        return;
    if (log->reason[0] == '\0' && !strstr(message, "(line: ")) {
        snprintf(log->reason, sizeof log->reason, "%s", message);
        return;
    }
    const char *place = strstr(message, "(line: ");
    if (log->line != 0 || !place || sscanf(place, "(line: %u, column: %u)", &log->line, &log->column) != 2)
        return;
    const char *field = strstr(message, "field '");
    if (field)
        (void)sscanf(field, "field '%63[^']'", log->field);
}

static const cyaml_config_t *config_of(cyaml_config_t *config, struct load_log *log)
{
    *config = (cyaml_config_t){.log_fn = log ? collect_log : NULL,
                               .log_ctx = log,
                               .mem_fn = cyaml_mem,
                               .log_level = CYAML_LOG_ERROR,
                               .flags = CYAML_CFG_NO_ALIAS};
    return config;
}

static void format_place(char *place, size_t size, size_t line, size_t column)
{
    snprintf(place, size, "line %zu, column %zu", line, column);
}

/* One event of the pre-scan; true while there are more. */
static bool next_event(yaml_parser_t *parser, yaml_event_t *event, bool *failed)
{
    if (!yaml_parser_parse(parser, event)) {
        *failed = true;
        return false;
    }
    if (event->type != YAML_STREAM_END_EVENT)
        return true;
    yaml_event_delete(event);
    return false;
}

/* libcyaml does not say where the syntax breaks and skips every document but the first, so the events are read once
 * before it. */
static enum willow_status check_syntax(const char *path, const unsigned char *data, size_t size,
                                       struct willow_error *error)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    yaml_parser_set_input_string(&parser, data, size);
    enum willow_status status = WILLOW_OK;
    char place[96];
    bool failed = false;
    int documents = 0, depth = 0;
    yaml_event_t event;
    while (status == WILLOW_OK && next_event(&parser, &event, &failed)) {
        format_place(place, sizeof place, event.start_mark.line + 1, event.start_mark.column + 1);
        if (event.type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, place, "a second document; one is expected");
        depth += event.type == YAML_MAPPING_START_EVENT || event.type == YAML_SEQUENCE_START_EVENT;
        depth -= event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT;
        /* libyaml's time grows with the square of the depth. */
        if (status == WILLOW_OK && depth > NESTING_MAX)
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, place, "nested deeper than any configuration");
        yaml_event_delete(&event);
    }
    if (failed && parser.error == YAML_MEMORY_ERROR) {
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    } else if (failed) {
        /* The reader reports bytes, the scanner and the parser report lines. */
        if (parser.error == YAML_READER_ERROR)
            snprintf(place, sizeof place, "offset %zu", parser.problem_offset);
        else
            format_place(place, sizeof place, parser.problem_mark.line + 1, parser.problem_mark.column + 1);
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, place, "not YAML: %s",
                             parser.problem ? parser.problem : "unknown error");
    } else if (status == WILLOW_OK && documents == 0) {
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "the file is empty; a configuration is expected");
    }
    yaml_parser_delete(&parser);
    return status;
}

/* libcyaml gives a wrong key the place of the value before it. This moves *line and *column on to the next scalar with
 * that text. */
static void find_scalar(const unsigned char *data, size_t size, const char *text, unsigned *line, unsigned *column)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return;
    yaml_parser_set_input_string(&parser, data, size);
    bool failed = false, found = false;
    yaml_event_t event;
    while (!found && next_event(&parser, &event, &failed)) {
        const size_t at_line = event.start_mark.line + 1, at_column = event.start_mark.column + 1;
        const bool after =
            *line == 0 || at_line > *line || (at_line == *line && at_column > *column) || (*line == 1 && *column == 1);
        if (event.type == YAML_SCALAR_EVENT && after && strcmp((const char *)event.data.scalar.value, text) == 0) {
            *line = (unsigned)at_line;
            *column = (unsigned)at_column;
            found = true;
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

/* Says what libcyaml found in the words of the user's file. */
static enum willow_status fail_load(const char *path, const unsigned char *data, size_t size, cyaml_err_t result,
                                    struct load_log *log, struct willow_error *error)
{
    if (result == CYAML_ERR_OOM)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    static const char unexpected[] = "Unexpected key: ", repeated[] = "Mapping field already seen: ";
    static const char missing[] = "Missing required mapping field: ";
    char reason[384];
    if (log->reason[0] == '\0')
        snprintf(log->reason, sizeof log->reason, "%s", cyaml_strerror(result));
    if (strncmp(log->reason, unexpected, sizeof unexpected - 1) == 0) {
        const char *key = log->reason + sizeof unexpected - 1;
        find_scalar(data, size, key, &log->line, &log->column);
        snprintf(reason, sizeof reason, "unknown key '%s'", key);
    } else if (strncmp(log->reason, repeated, sizeof repeated - 1) == 0) {
        const char *key = log->reason + sizeof repeated - 1;
        find_scalar(data, size, key, &log->line, &log->column);
        snprintf(reason, sizeof reason, "key '%s' stands here a second time", key);
    } else if (strncmp(log->reason, missing, sizeof missing - 1) == 0) {
        snprintf(reason, sizeof reason, "key '%s' is missing", log->reason + sizeof missing - 1);
    } else if (log->field[0]) {
        snprintf(reason, sizeof reason, "key '%s': %s", log->field, log->reason);
    } else {
        snprintf(reason, sizeof reason, "%s", log->reason);
    }
    char place[96] = "line 1, column 1"; /* no backtrace: the root is not what the schema wants */
    if (log->line)
        format_place(place, sizeof place, log->line, log->column);
    return willow_fail(error, WILLOW_ERR_FORMAT, path, place, "%s", reason);
}

enum willow_status willow_config_load(const char *path, const struct cyaml_schema_value *schema, void **value,
                                      struct willow_error *error)
{
    *value = NULL;
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_file_read(path, CONFIG_BYTES_MAX, &data, &size, error);
    if (status == WILLOW_OK)
        status = check_syntax(path, data, size, error);
    if (status == WILLOW_OK) {
        struct load_log log = {0};
        cyaml_config_t config;
        cyaml_data_t *loaded = NULL;
        const cyaml_err_t result = cyaml_load_data(data, size, config_of(&config, &log), schema, &loaded, NULL);
        if (result != CYAML_OK)
            status = fail_load(path, data, size, result, &log, error);
        else
            *value = loaded;
    }
    if (status == WILLOW_OK && (status = yaml_scalars_check(path, data, size, schema, error)) != WILLOW_OK) {
        willow_config_free(schema, *value);
        *value = NULL;
    }
    free(data);
    return status;
}

bool willow_config_text_valid(const char *text)
{
    uint32_t point;
    for (size_t length; *text; text += length) {
        length = utf8_read(text, &point);
        /* What libyaml refuses to read back. */
        if (length == 0 || (point >= 0x7f && point < 0xa0 && point != 0x85) || point == 0xfeff ||
            (point >= 0xfffe && point <= 0xffff))
            return false;
    }
    return true;
}

void willow_config_free(const struct cyaml_schema_value *schema, void *value)
{
    cyaml_config_t config;
    /* It fails only on null arguments. */
    if (value)
        (void)cyaml_free(config_of(&config, NULL), schema, value, 0);
}
