/* Game records of other programs: what their readers share, and the reader of transcripts one a line. Opens no files.
 * Layer: rules.
 */
#include <willow/records.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>

#include "rules/record_reader.h"

static const char *const format_names[] = {[WILLOW_RECORDS_WTHOR] = "wthor",
                                           [WILLOW_RECORDS_GGF] = "ggf",
                                           [WILLOW_RECORDS_TRANSCRIPTS] = "transcripts",
                                           [WILLOW_RECORDS_SGF] = "sgf",
                                           [WILLOW_RECORDS_POSITIONS] = "positions"};

bool willow_record_format_find(const char *name, enum willow_record_format *format)
{
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; i++)
        if (strcmp(name, format_names[i]) == 0) {
            *format = (enum willow_record_format)i;
            return true;
        }
    return false;
}

const char *willow_record_format_name(enum willow_record_format format)
{
    return format_names[format];
}

void record_begin(struct willow_records *records, struct willow_record *record)
{
    record->number = ++records->number;
    record->kind = WILLOW_RECORD_COMPLETE;
    willow_game_init(&record->game, willow_ruleset_othello());
    record->black[0] = record->white[0] = '\0';
    record->has_result = false;
    record->result_discs = 0;
    record->error.status = WILLOW_OK;
    record->error.file[0] = record->error.place[0] = record->error.reason[0] = '\0';
}

void record_fail(struct willow_record *record, enum willow_record_kind kind, const char *place, const char *format, ...)
{
    if (record->kind != WILLOW_RECORD_COMPLETE)
        return;
    char reason[sizeof record->error.reason];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    record->kind = kind;
    (void)willow_fail(&record->error, WILLOW_ERR_FORMAT, NULL, place, "%s", reason);
}

void record_end(struct willow_record *record, const char *place)
{
    const struct willow_game *game = &record->game;
    const struct willow_board start = game->ruleset->start;
    if (game->start_side != WILLOW_BLACK || game->boards[0].player != start.player ||
        game->boards[0].opponent != start.opponent)
        record_fail(record, WILLOW_RECORD_OTHER_START, place, "it starts from another position than %s does",
                    game->ruleset->name);
    else if (!willow_game_over(game))
        record_fail(record, WILLOW_RECORD_UNFINISHED, place, "the game is not over after move %d",
                    willow_board_discs(game->boards[game->length]) - willow_board_discs(start));
}

char *record_text_place(struct willow_records *records, size_t at, char place[RECORD_PLACE])
{
    const unsigned char *data = records->data;
    if (at < records->line_at) {
        records->line_at = records->line_start = 0;
        records->line = 1;
    }
    while (records->line_at < at) {
        const unsigned char *end = memchr(data + records->line_at, '\n', at - records->line_at);
        if (end) {
            records->line++;
            records->line_start = (size_t)(end - data) + 1;
        }
        records->line_at = end ? records->line_start : at;
    }
    (void)snprintf(place, RECORD_PLACE, "line %" PRIu64 ", column %zu", records->line, at - records->line_start + 1);
    return place;
}

/* The next line that holds more than blanks and a comment, as a terminated text. *start is its offset; *length is what
 * it takes in the data, which may be more than fits the buffer. False at the end. */
static bool next_line(struct willow_records *records, char *line, size_t size, size_t *start, size_t *length)
{
    while (records->at < records->size_bytes) {
        const char *text = (const char *)records->data + records->at;
        const char *end = memchr(text, '\n', records->size_bytes - records->at);
        const size_t whole = end ? (size_t)(end - text) : records->size_bytes - records->at;
        const char *comment = memchr(text, '#', whole);
        *length = comment ? (size_t)(comment - text) : whole;
        while (*length > 0 && strchr(" \t\r", text[*length - 1]))
            --*length;
        *start = records->at;
        records->at += whole + (end != NULL);
        if (*length == 0)
            continue;
        const size_t copied = *length < size ? *length : size - 1;
        memcpy(line, text, copied);
        line[copied] = '\0';
        return true;
    }
    return false;
}

/* A line that begins with a move and fails later is a game with a fault in it; one that does not is something else. */
static bool transcripts_next(struct willow_records *records, struct willow_record *record)
{
    /* The longest game with passes, numbers and separators takes about a thousand bytes. */
    char line[4096], place[RECORD_PLACE];
    size_t start, length;
    if (!next_line(records, line, sizeof line, &start, &length))
        return false;
    record_begin(records, record);
    (void)record_text_place(records, start, place);
    if (length >= sizeof line) {
        record_fail(record, WILLOW_RECORD_DAMAGED, place, "a line of %zu bytes is no transcript", length);
        return true;
    }
    struct willow_error error;
    if (willow_transcript_parse(&record->game, line, &error) != WILLOW_OK) {
        char both[2 * RECORD_PLACE + 16];
        /* The parser's words for a move that it read and could not play begin so. */
        const bool illegal = strncmp(error.reason, "illegal ", 8) == 0;
        (void)snprintf(both, sizeof both, "line %" PRIu64 ", %s", records->line, error.place);
        record_fail(record, illegal ? WILLOW_RECORD_ILLEGAL : WILLOW_RECORD_DAMAGED, both, "%s", error.reason);
        return true;
    }
    record_end(record, place);
    return true;
}

/* Text holds no control characters but those that lay it out. */
static enum willow_status check_text(const struct willow_records *records, struct willow_error *error)
{
    for (size_t i = 0; i < records->size_bytes; i++) {
        const unsigned char c = records->data[i];
        if (c >= 32 || (c >= '\t' && c <= '\r'))
            continue;
        char place[RECORD_PLACE];
        (void)snprintf(place, sizeof place, "offset %zu", i);
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "no text: a byte of value %d", c);
    }
    return WILLOW_OK;
}

enum willow_status willow_records_open(struct willow_records *records, enum willow_record_format format,
                                       const void *data, size_t size_bytes, struct willow_error *error)
{
    static const unsigned char byte_order_mark[] = {0xEF, 0xBB, 0xBF};
    *records = (struct willow_records){.format = format, .data = data, .size_bytes = size_bytes, .line = 1};
    if (format == WILLOW_RECORDS_WTHOR)
        return wthor_check(records, error);
    if (size_bytes >= sizeof byte_order_mark && memcmp(data, byte_order_mark, sizeof byte_order_mark) == 0)
        records->at = records->line_at = records->line_start = sizeof byte_order_mark;
    const enum willow_status status = check_text(records, error);
    if (status == WILLOW_OK && format == WILLOW_RECORDS_GGF)
        return ggf_check(records, error);
    return status;
}

bool willow_records_next(struct willow_records *records, struct willow_record *record)
{
    switch (records->format) {
    case WILLOW_RECORDS_WTHOR:
        return wthor_next(records, record);
    case WILLOW_RECORDS_GGF:
        return ggf_next(records, record);
    case WILLOW_RECORDS_SGF:
    case WILLOW_RECORDS_POSITIONS:
    case WILLOW_RECORDS_TRANSCRIPTS:
        break;
    }
    return transcripts_next(records, record);
}
