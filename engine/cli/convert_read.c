/* Reads what willow convert converts: files of any format, named or guessed, and texts from the command line.
 * Layer: engine/cli (program willow).
 */
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "convert.h"

#define FILE_BYTES_MAX ((size_t)1 << 32)

bool convert_source_find(const char *name, struct convert_source *source)
{
    *source = (struct convert_source){.ruleset = source->ruleset, .named = true, .notation = WILLOW_BOARD_ANY};
    /* "ggf" is a game here, and "obf" positions with their scores. */
    if (willow_record_format_find(strcmp(name, "transcript") == 0 ? "transcripts" : name, &source->format))
        return true;
    source->format = WILLOW_RECORDS_POSITIONS;
    if (strcmp(name, "obf") == 0)
        return true;
    source->whole = strcmp(name, "grid") == 0;
    return willow_board_notation_find(name, &source->notation) && source->notation != WILLOW_BOARD_ANY;
}

/* One board over all of the text. */
static enum willow_status read_board(const char *file, const char *text, const struct willow_ruleset *ruleset,
                                     enum willow_board_notation notation, struct convert_item *item,
                                     struct willow_error *error)
{
    struct willow_board board;
    enum willow_side side;
    const enum willow_status status = willow_board_parse_as(ruleset, text, notation, &board, &side, error);
    if (status != WILLOW_OK) {
        (void)snprintf(error->file, sizeof error->file, "%s", file);
        return status;
    }
    *item = (struct convert_item){.file = file, .is_position = true, .record = {.number = 1}};
    return willow_game_init_board(&item->record.game, ruleset, board, side, error);
}

/* The lines of a board may be drawn in many ways, but no game begins like the first of them. */
static bool begins_as_board(const struct willow_ruleset *ruleset, const char *text)
{
    text += strspn(text, " \t\r\n\"");
    return strspn(text, "-._XxOo*#BbWw012 ") >= (size_t)ruleset->width || strncasecmp(text, "a b c", 5) == 0 ||
           strncasecmp(text, "abc", 3) == 0 || strncasecmp(text, "bo[", 3) == 0;
}

static enum willow_status read_records(const char *file, struct willow_records *records, convert_take *take,
                                       void *context)
{
    struct convert_item item = {.file = file, .is_position = records->format == WILLOW_RECORDS_POSITIONS};
    do {
        if (!willow_records_next(records, &item.record))
            break;
        bool empty;
        item.scores.count = 0;
        /* The data ends in a zero byte, and a line end ends the line. */
        if (item.is_position && item.record.kind != WILLOW_RECORD_DAMAGED && records->notation == WILLOW_BOARD_ANY)
            (void)willow_obf_parse(records->ruleset, (const char *)records->data + item.record.at, &item.scores, &empty,
                                   NULL);
    } while (take(context, &item));
    return WILLOW_OK;
}

/* What is in no format that is told by its content, or is a board by name: one board over all of it, or nothing. */
static enum willow_status read_whole(const char *file, const unsigned char *data, size_t size,
                                     const struct convert_source *source, convert_take *take, void *context,
                                     struct willow_error *error)
{
    struct willow_records records;
    struct convert_item item;
    const enum willow_board_notation notation = source->whole ? source->notation : WILLOW_BOARD_ANY;
    if (size == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, file, NULL, "it is empty");
    /* Says where the text is none. */
    enum willow_status status =
        willow_records_open(&records, source->ruleset, WILLOW_RECORDS_POSITIONS, data, size, error);
    if (status != WILLOW_OK) {
        (void)snprintf(error->file, sizeof error->file, "%s", file);
        return status;
    }
    status = read_board(file, (const char *)data, source->ruleset, notation, &item, error);
    if (status == WILLOW_OK)
        (void)take(context, &item);
    else if (!source->whole && !begins_as_board(source->ruleset, (const char *)data))
        return willow_fail(error, WILLOW_ERR_FORMAT, file, NULL, "no games or positions in any known format");
    return status;
}

static enum willow_status read_data(const char *file, const unsigned char *data, size_t size,
                                    const struct convert_source *source, convert_take *take, void *context,
                                    struct willow_error *error)
{
    struct willow_records records;
    enum willow_record_format format = source->format;
    if (source->whole || (!source->named && !willow_records_guess(data, size, &format)))
        return read_whole(file, data, size, source, take, context, error);
    const enum willow_status status = willow_records_open(&records, source->ruleset, format, data, size, error);
    if (status != WILLOW_OK) {
        (void)snprintf(error->file, sizeof error->file, "%s", file);
        return status;
    }
    records.notation = source->notation;
    return read_records(file, &records, take, context);
}

enum willow_status convert_read_file(const char *path, const struct convert_source *source, convert_take *take,
                                     void *context, struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_file_read_input(path, FILE_BYTES_MAX, &data, &size, error);
    if (status == WILLOW_OK)
        status = read_data(willow_file_input_name(path), data, size, source, take, context, error);
    free(data);
    return status;
}

enum willow_status convert_read_texts(const char *board, const char *moves, const struct convert_source *source,
                                      convert_take *take, void *context, struct willow_error *error)
{
    struct convert_item item = {.record = {.number = 1}};
    enum willow_status status = WILLOW_OK;
    willow_game_init(&item.record.game, source->ruleset);
    if (board)
        status = read_board("--board", board, source->ruleset, source->notation, &item, error);
    if (status == WILLOW_OK && moves) {
        status = willow_transcript_parse(&item.record.game, moves, error);
        if (status != WILLOW_OK)
            (void)snprintf(error->file, sizeof error->file, "--moves");
    }
    item.file = moves ? "--moves" : "--board";
    item.is_position = !moves;
    if (status == WILLOW_OK)
        (void)take(context, &item);
    return status;
}
