/* Reads the games that willow analyse is asked for, and refuses what is none before any work begins.
 * Layer: engine/cli (target willow_analysis).
 */
#include "analyse_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/notation.h>

/* The whole WTHOR archive has 10 MB. */
static const size_t INPUT_BYTES_MAX = (size_t)1 << 28;

static enum willow_status read_stream(FILE *stream, struct analyse_input *input, struct willow_error *error)
{
    size_t room = 0;
    for (;;) {
        if (room - input->size_bytes < 2) {
            room = room ? 2 * room : 1 << 16;
            unsigned char *grown = realloc(input->data, room);
            if (!grown)
                return willow_fail(error, WILLOW_ERR_MEMORY, input->name, NULL, "no memory for %zu bytes", room);
            input->data = grown;
        }
        errno = 0;
        const size_t got = fread(input->data + input->size_bytes, 1, room - input->size_bytes - 1, stream);
        input->size_bytes += got;
        if (ferror(stream))
            return willow_fail_errno(error, input->name, "read", errno);
        if (got == 0)
            return WILLOW_OK;
        if (input->size_bytes > INPUT_BYTES_MAX)
            return willow_fail(error, WILLOW_ERR_FORMAT, input->name, NULL, "more than %zu bytes", INPUT_BYTES_MAX);
    }
}

/* A board and moves as a record. */
static enum willow_status read_command_line(const struct analyse_input *input, struct willow_record *record,
                                            struct willow_error *error)
{
    const struct analyse_source *source = &input->source;
    enum willow_status status = WILLOW_OK;
    *record = (struct willow_record){.number = 1};
    willow_game_init(&record->game, input->ruleset);
    if (source->board) {
        struct willow_board board;
        enum willow_side side;
        status = willow_board_parse(source->board, &board, &side, error);
        if (status == WILLOW_OK)
            status = willow_game_init_board(&record->game, input->ruleset, board, side, error);
        if (status != WILLOW_OK && error)
            (void)snprintf(error->file, sizeof error->file, "--board");
    }
    if (status == WILLOW_OK && source->moves) {
        status = willow_transcript_parse(&record->game, source->moves, error);
        if (status != WILLOW_OK && error)
            (void)snprintf(error->file, sizeof error->file, "--moves");
    }
    return status;
}

static enum willow_status choose_format(struct analyse_input *input, struct willow_error *error)
{
    const char *name = input->source.format;
    if (name && !willow_record_format_find(name, &input->format))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--from", NULL,
                           "unknown format '%.32s': wthor, ggf, sgf, transcripts or positions is expected", name);
    if (!name && !willow_records_guess(input->data, input->size_bytes, &input->format))
        return willow_fail(error, WILLOW_ERR_FORMAT, input->name, NULL,
                           input->size_bytes == 0 ? "there is nothing in it"
                                                  : "neither a game nor a position; --from names the format");
    return WILLOW_OK;
}

static enum willow_status rewind_records(struct analyse_input *input, struct willow_error *error)
{
    const enum willow_status status =
        willow_records_open(&input->records, input->format, input->data, input->size_bytes, error);
    if (status != WILLOW_OK && error)
        (void)snprintf(error->file, sizeof error->file, "%s", input->name);
    return status;
}

/* A game that was read to its end, whether or not it is over. */
static bool is_sound(const struct willow_record *record)
{
    return record->kind == WILLOW_RECORD_COMPLETE || record->kind == WILLOW_RECORD_UNFINISHED ||
           record->kind == WILLOW_RECORD_OTHER_START;
}

static enum willow_status check_records(struct analyse_input *input, struct willow_error *error)
{
    const uint64_t wanted = input->source.number;
    uint64_t found = 0;
    struct willow_record record;
    while (willow_records_next(&input->records, &record)) {
        found = record.number;
        if (wanted > 0 && record.number != wanted)
            continue;
        if (!is_sound(&record))
            return willow_fail(error, WILLOW_ERR_FORMAT, input->name, record.error.place, "%s", record.error.reason);
        if (record.game.ruleset != input->ruleset)
            return willow_fail(error, WILLOW_ERR_MISMATCH, input->name, NULL, "a game of %s, the weights are for %s",
                               record.game.ruleset->name, input->ruleset->name);
        input->count++;
        if (wanted > 0)
            return WILLOW_OK;
    }
    if (wanted > 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, input->name, NULL,
                           "there is no game %" PRIu64 ": it holds %" PRIu64, wanted, found);
    if (input->count == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, input->name, NULL, "there is no game in it");
    return WILLOW_OK;
}

enum willow_status analyse_input_open(struct analyse_input *input, const struct analyse_source *source,
                                      const struct willow_ruleset *ruleset, struct willow_error *error)
{
    *input = (struct analyse_input){.source = *source, .ruleset = ruleset};
    if (source->board || source->moves) {
        struct willow_record record;
        input->count = 1;
        return read_command_line(input, &record, error);
    }
    const bool is_stream = !source->file || strcmp(source->file, "-") == 0;
    input->name = is_stream ? "standard input" : source->file;
    enum willow_status status =
        is_stream ? read_stream(stdin, input, error)
                  : willow_file_read(source->file, INPUT_BYTES_MAX, &input->data, &input->size_bytes, error);
    if (status == WILLOW_OK)
        status = choose_format(input, error);
    if (status == WILLOW_OK)
        status = rewind_records(input, error);
    if (status == WILLOW_OK)
        status = check_records(input, error);
    return status == WILLOW_OK ? rewind_records(input, error) : status;
}

void analyse_input_clear(struct analyse_input *input)
{
    free(input->data);
    input->data = NULL;
}

bool analyse_input_next(struct analyse_input *input, struct willow_record *record)
{
    if (input->source.board || input->source.moves) {
        const bool first = !input->given;
        input->given = true;
        return first && read_command_line(input, record, NULL) == WILLOW_OK;
    }
    while (willow_records_next(&input->records, record))
        if (input->source.number == 0 || record->number == input->source.number)
            return true;
    return false;
}
