/* Game records of other programs: opened and read by their format; what the readers share. Opens no files. Layer:
 * rules.
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

void record_begin(struct willow_records *records, struct willow_record *record, size_t at)
{
    record->number = ++records->number;
    record->kind = WILLOW_RECORD_COMPLETE;
    willow_game_init(&record->game, records->ruleset);
    record->black[0] = record->white[0] = record->venue[0] = record->clock[0] = '\0';
    memset(record->known, 0, sizeof record->known);
    record->has_result = false;
    record->result_discs = 0;
    record->ending = '\0';
    record->at = at;
    record->size_bytes = 0;
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
    /* What says so may stand behind moves that were legal here; they were no moves of this game. */
    if (kind == WILLOW_RECORD_OTHER_VARIANT)
        willow_game_init(&record->game, record->game.ruleset);
    (void)willow_fail(&record->error, WILLOW_ERR_FORMAT, NULL, place, "%s", reason);
}

/* Names the ruleset that is played alike and starts so, where there is one. */
static void fail_other_start(struct willow_record *record, const char *place)
{
    const struct willow_ruleset *ruleset = record->game.ruleset, *other;
    const struct willow_board start = record->game.boards[0];
    const bool black_first = record->game.start_side == WILLOW_BLACK;
    for (int i = 0; (other = willow_ruleset_at(i)) != NULL; i++)
        if (black_first && other->start.player == start.player && other->start.opponent == start.opponent &&
            willow_ruleset_same_play(ruleset, other))
            break;
    record_fail(record, WILLOW_RECORD_OTHER_START, place, "it starts from another position than %s does%s%s",
                ruleset->name, other ? ", as a game of " : "", other ? other->name : "");
}

void record_end(struct willow_record *record, const char *place)
{
    const struct willow_game *game = &record->game;
    if (!willow_game_starts_usually(game))
        fail_other_start(record, place);
    else if (!willow_game_over(game))
        record_fail(record, WILLOW_RECORD_UNFINISHED, place, "the game is not over after move %d",
                    willow_board_discs(willow_game_board(game)) - willow_board_discs(game->boards[0]));
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

enum willow_status willow_records_open(struct willow_records *records, const struct willow_ruleset *ruleset,
                                       enum willow_record_format format, const void *data, size_t size_bytes,
                                       struct willow_error *error)
{
    static const unsigned char byte_order_mark[] = {0xEF, 0xBB, 0xBF};
    *records = (struct willow_records){.ruleset = ruleset,
                                       .format = format,
                                       .data = data,
                                       .size_bytes = size_bytes,
                                       .line = 1,
                                       .notation = WILLOW_BOARD_ANY};
    if (format == WILLOW_RECORDS_WTHOR) {
        const enum willow_status status = wthor_check(records, error);
        if (status == WILLOW_OK && ruleset != willow_ruleset_othello())
            return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL,
                               "WTHOR holds games of othello, read as %s; --ruleset othello reads them", ruleset->name);
        return status;
    }
    if (size_bytes >= sizeof byte_order_mark && memcmp(data, byte_order_mark, sizeof byte_order_mark) == 0)
        records->at = records->line_at = records->line_start = sizeof byte_order_mark;
    const enum willow_status status = check_text(records, error);
    if (status != WILLOW_OK)
        return status;
    if (format == WILLOW_RECORDS_TRANSCRIPTS)
        transcripts_begin(records);
    return format == WILLOW_RECORDS_GGF   ? ggf_check(records, error)
           : format == WILLOW_RECORDS_SGF ? sgf_check(records, error)
                                          : WILLOW_OK;
}

static bool next_of_format(struct willow_records *records, struct willow_record *record)
{
    switch (records->format) {
    case WILLOW_RECORDS_WTHOR:
        return wthor_next(records, record);
    case WILLOW_RECORDS_GGF:
        return ggf_next(records, record);
    case WILLOW_RECORDS_SGF:
        return sgf_next(records, record);
    case WILLOW_RECORDS_POSITIONS:
        return positions_next(records, record);
    case WILLOW_RECORDS_TRANSCRIPTS:
        break;
    }
    return transcripts_next(records, record);
}

bool willow_records_next(struct willow_records *records, struct willow_record *record)
{
    if (!next_of_format(records, record))
        return false;
    if (records->format == WILLOW_RECORDS_WTHOR)
        record->size_bytes = WILLOW_WTHOR_GAME_BYTES;
    else
        record->size_bytes = records->at - record->at;
    return true;
}

bool willow_record_result_differs(const struct willow_record *record)
{
    const struct willow_game *game = &record->game;
    return record->has_result && willow_game_over(game) && record->result_discs != willow_game_final_discs(game);
}
