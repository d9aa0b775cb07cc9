/* Strict reading of the scalars of a YAML configuration; see yaml_scalars.h. Does not convert: that is libcyaml's part.
 * Layer: engine/cli (willow_program).
 *
 * libcyaml guesses: it takes the leading part of a number ("1e6" games is one game), turns -1 into 2^64 - 1, reads 010
 * as eight, and takes any word that is not false for true, "off" among them. So its result is used only when each
 * scalar is written as its type says.
 */
#include "yaml_scalars.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <yaml.h>

struct walk {
    yaml_parser_t parser;
    const char *path, *key; /* key: the innermost that the walk is in */
    struct willow_error *error;
};

/* Decimal, and no leading zero, which would mean octal digits. */
static bool is_whole(const char *text, bool negative_too)
{
    text += negative_too && text[0] == '-';
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '\0' && (digits == 1 || text[0] != '0');
}

static bool is_real(const char *text)
{
    char *end = NULL;
    /* strtod would also take blanks, "inf", "nan" and hexadecimal. */
    return text[0] && text[strspn(text, "0123456789+-.eE")] == '\0' && isfinite(strtod(text, &end)) && *end == '\0';
}

static bool is_truth(const char *text)
{
    static const char *const words[] = {"true", "false", "yes", "no"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

/* YAML writes "no value" like this; it would become the name of a file. */
static bool is_null(const yaml_event_t *event, const char *text)
{
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0);
}

/* What the text should have been; null when it is. */
static const char *wanted(const yaml_event_t *event, const cyaml_schema_value_t *schema, const char *text)
{
    switch (schema->type) {
    case CYAML_INT:
        return is_whole(text, true) ? NULL : "a whole number";
    case CYAML_UINT:
        return is_whole(text, false) ? NULL : "a whole number from 0";
    case CYAML_FLOAT:
        return is_real(text) ? NULL : "a number";
    case CYAML_BOOL:
        return is_truth(text) ? NULL : "true or false";
    default:
        return strlen(text) == event->data.scalar.length && !is_null(event, text) ? NULL : "a text";
    }
}

static enum willow_status check_scalar(const struct walk *walk, const yaml_event_t *event,
                                       const cyaml_schema_value_t *schema)
{
    const char *text = (const char *)event->data.scalar.value, *expected = wanted(event, schema, text);
    if (!expected)
        return WILLOW_OK;
    char place[96];
    snprintf(place, sizeof place, "line %zu, column %zu", event->start_mark.line + 1, event->start_mark.column + 1);
    return willow_fail(walk->error, WILLOW_ERR_FORMAT, walk->path, place, "key '%s': '%.60s': %s is expected",
                       walk->key, text, expected);
}

/* libcyaml has read these bytes to their end: memory is all that the parser can lack. */
static enum willow_status next_event(struct walk *walk, yaml_event_t *event)
{
    if (yaml_parser_parse(&walk->parser, event))
        return WILLOW_OK;
    return willow_fail(walk->error, WILLOW_ERR_MEMORY, walk->path, NULL, "out of memory");
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_value_t *schema, const char *key)
{
    const cyaml_schema_field_t *field = schema->mapping.fields;
    while (field->key && strcmp(field->key, key) != 0)
        field++;
    return field->key ? field : NULL;
}

static enum willow_status check_event(struct walk *walk, const yaml_event_t *event, const cyaml_schema_value_t *schema);

/* The next event is a key or the end of the mapping. */
static enum willow_status check_pair(struct walk *walk, const cyaml_schema_value_t *schema, bool *end)
{
    yaml_event_t event;
    enum willow_status status = next_event(walk, &event);
    if (status != WILLOW_OK)
        return status;
    *end = event.type != YAML_SCALAR_EVENT;
    const cyaml_schema_field_t *field = *end ? NULL : find_field(schema, (const char *)event.data.scalar.value);
    yaml_event_delete(&event);
    if (!field)
        return WILLOW_OK;
    walk->key = field->key;
    status = next_event(walk, &event);
    if (status != WILLOW_OK)
        return status;
    status = check_event(walk, &event, &field->value);
    yaml_event_delete(&event);
    return status;
}

static enum willow_status check_entry(struct walk *walk, const cyaml_schema_value_t *schema, bool *end)
{
    yaml_event_t event;
    enum willow_status status = next_event(walk, &event);
    if (status != WILLOW_OK)
        return status;
    *end = event.type == YAML_SEQUENCE_END_EVENT;
    if (!*end)
        status = check_event(walk, &event, schema->sequence.entry);
    yaml_event_delete(&event);
    return status;
}

/* A value whose first event has been read. It goes as deep as the schema, whatever the file. */
static enum willow_status check_event(struct walk *walk, const yaml_event_t *event, const cyaml_schema_value_t *schema)
{
    enum willow_status status = WILLOW_OK;
    bool end = false;
    if (event->type == YAML_SCALAR_EVENT)
        return check_scalar(walk, event, schema);
    while (status == WILLOW_OK && !end)
        status =
            event->type == YAML_MAPPING_START_EVENT ? check_pair(walk, schema, &end) : check_entry(walk, schema, &end);
    return status;
}

enum willow_status yaml_scalars_check(const char *path, const unsigned char *data, size_t size,
                                      const cyaml_schema_value_t *schema, struct willow_error *error)
{
    struct walk walk = {.path = path, .key = "", .error = error};
    if (!yaml_parser_initialize(&walk.parser))
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    yaml_parser_set_input_string(&walk.parser, data, size);
    yaml_event_t event;
    bool first = false;
    enum willow_status status = WILLOW_OK;
    /* The start of the stream and of the document come before the value. */
    while (status == WILLOW_OK && !first) {
        status = next_event(&walk, &event);
        if (status != WILLOW_OK)
            break;
        first = event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT;
        if (first)
            status = check_event(&walk, &event, schema);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&walk.parser);
    return status;
}
