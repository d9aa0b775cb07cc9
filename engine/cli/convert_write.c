/* Writes games and positions in the form that was asked for. Layer: engine/cli (program willow). */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "convert.h"
#include "sheet.h"

static_assert((int)WILLOW_OBF_TEXT >= (int)WILLOW_BOARD_TEXT, "one buffer serves both");

bool convert_form_find(const char *name, enum convert_form *form, enum willow_board_notation *notation)
{
    static const struct {
        const char *name;
        enum convert_form form;
    } forms[] = {{"transcript", CONVERT_TRANSCRIPT},
                 {"transcripts", CONVERT_TRANSCRIPT},
                 {"ggf", CONVERT_GGF},
                 {"sgf", CONVERT_SGF},
                 {"wthor", CONVERT_WTHOR},
                 {"sheet", CONVERT_SHEET},
                 {"json", CONVERT_JSON}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(name, forms[i].name) == 0) {
            *form = forms[i].form;
            return true;
        }
    *form = CONVERT_BOARD;
    return willow_board_notation_find(name, notation) && *notation != WILLOW_BOARD_ANY;
}

/* The board decides a game that is over; only how it ended otherwise is taken from the record. */
static enum willow_status write_record(const struct convert_writer *writer, const struct willow_record *record,
                                       struct willow_error *error)
{
    char text[16384];
    const bool over = willow_game_over(&record->game);
    const struct willow_ggf_game game = {
        .game = &record->game,
        .place = record->venue[0] ? record->venue : NULL,
        .black = record->black,
        .white = record->white,
        .clock = record->clock[0] ? record->clock : NULL,
        .moves = record->known,
        .result_unknown = !over && !record->has_result,
        .result_discs = over && !record->ending ? willow_game_final_discs(&record->game) : record->result_discs,
        .ending = record->ending};
    const size_t length = writer->form == CONVERT_GGF ? willow_ggf_format(&game, text, sizeof text)
                                                      : willow_sgf_format(&game, text, sizeof text);
    if (length == 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL, "%s has no word for games of %s",
                           writer->form == CONVERT_GGF ? "GGF" : "SGF", record->game.ruleset->name);
    (void)fprintf(writer->stream, "%s\n", text);
    return WILLOW_OK;
}

static enum willow_status keep_wthor(struct convert_writer *writer, const struct convert_item *item,
                                     struct willow_error *error)
{
    enum { FIRST_BYTES = 64 * WILLOW_WTHOR_GAME_BYTES };
    if (writer->games_bytes + WILLOW_WTHOR_GAME_BYTES > writer->capacity) {
        const size_t capacity = writer->capacity ? 2 * writer->capacity : FIRST_BYTES;
        unsigned char *grown = realloc(writer->games, capacity);
        if (!grown)
            return willow_fail(error, WILLOW_ERR_MEMORY, item->file, NULL, "out of memory");
        writer->games = grown;
        writer->capacity = capacity;
    }
    const enum willow_status status =
        willow_wthor_format(&item->record.game, writer->games + writer->games_bytes, error);
    if (status == WILLOW_OK)
        writer->games_bytes += WILLOW_WTHOR_GAME_BYTES;
    return status;
}

static void write_board(const struct convert_writer *writer, const struct convert_item *item)
{
    const struct willow_game *game = &item->record.game;
    char text[WILLOW_OBF_TEXT]; /* more than WILLOW_BOARD_TEXT */
    const bool scores =
        writer->scores && writer->notation == WILLOW_BOARD_LETTERS && item->scores.count > 0 && game->length == 0;
    (void)fprintf(
        writer->stream, "%s\n",
        scores ? willow_obf_format(game->ruleset, &item->scores, text)
               : willow_board_format_as(game->ruleset, willow_game_board(game), game->side, writer->notation, text));
}

static void write_sheet(FILE *stream, const struct willow_record *record)
{
    if (record->black[0] || record->white[0])
        (void)fprintf(stream, "%s (Black) - %s (White)\n", record->black[0] ? record->black : "?",
                      record->white[0] ? record->white : "?");
    sheet_print(stream, &record->game);
}

enum willow_status convert_write(struct convert_writer *writer, const struct convert_item *item,
                                 struct willow_error *error)
{
    FILE *stream = writer->stream;
    char line[WILLOW_TRANSCRIPT_LINE];
    enum willow_status status = WILLOW_OK;
    /* What takes several lines is told apart by an empty one. */
    const bool lines =
        writer->form == CONVERT_SHEET || (writer->form == CONVERT_BOARD && writer->notation == WILLOW_BOARD_GRID);
    if (lines && writer->written > 0)
        (void)fputc('\n', stream);
    switch (writer->form) {
    case CONVERT_TRANSCRIPT:
        (void)fprintf(stream, "%s\n", willow_transcript_line(&item->record.game, line));
        break;
    case CONVERT_GGF:
    case CONVERT_SGF:
        status = write_record(writer, &item->record, error);
        break;
    case CONVERT_WTHOR:
        status = keep_wthor(writer, item, error);
        break;
    case CONVERT_BOARD:
        write_board(writer, item);
        break;
    case CONVERT_SHEET:
        write_sheet(stream, &item->record);
        break;
    case CONVERT_JSON:
        convert_print_json(stream, item, writer->scores);
        break;
    }
    if (status != WILLOW_OK && error) {
        (void)snprintf(error->file, sizeof error->file, "%s", item->file);
        (void)snprintf(error->place, sizeof error->place, "game %" PRIu64, item->record.number);
    }
    writer->written += status == WILLOW_OK;
    return status;
}

void convert_write_end(struct convert_writer *writer)
{
    if (writer->form != CONVERT_WTHOR)
        return;
    unsigned char header[WILLOW_WTHOR_HEADER_BYTES];
    const time_t now = time(NULL);
    struct tm day = {0};
    (void)gmtime_r(&now, &day);
    const struct willow_wthor_date written = {day.tm_year + 1900, day.tm_mon + 1, day.tm_mday};
    willow_wthor_header(&written, (uint32_t)(writer->games_bytes / WILLOW_WTHOR_GAME_BYTES), written.year, header);
    (void)fwrite(header, 1, sizeof header, writer->stream);
    (void)fwrite(writer->games, 1, writer->games_bytes, writer->stream);
}

void convert_writer_clear(struct convert_writer *writer)
{
    free(writer->games);
    writer->games = NULL;
    writer->games_bytes = writer->capacity = 0;
}
