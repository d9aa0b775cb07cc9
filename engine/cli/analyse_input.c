/* Reads the games that willow analyse is asked for, and refuses what is none before any work begins.
 * Layer: engine/cli (program willow).
 */
#include "analyse_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <willow/file.h>

#include "convert.h"

/* What is known while records come in. */
struct reading {
    struct analyse_input *input;
    uint64_t wanted, found;
    size_t capacity;
    enum willow_status status;
    struct willow_error *error;
};

/* A game that was read to its end, whether or not it is over. */
static bool is_sound(const struct willow_record *record)
{
    return record->kind == WILLOW_RECORD_COMPLETE || record->kind == WILLOW_RECORD_UNFINISHED ||
           record->kind == WILLOW_RECORD_OTHER_START;
}

static enum willow_status check(const struct reading *reading, const struct convert_item *item)
{
    const struct willow_record *record = &item->record;
    if (!is_sound(record))
        return willow_fail(reading->error, WILLOW_ERR_FORMAT, item->file, record->error.place, "%s",
                           record->error.reason);
    return WILLOW_OK;
}

static enum willow_status keep(struct reading *reading, const struct willow_record *record)
{
    struct analyse_input *input = reading->input;
    if (input->count == reading->capacity) {
        const size_t capacity = reading->capacity ? 2 * reading->capacity : 4;
        struct willow_record *grown = reallocarray(input->records, capacity, sizeof *grown);
        if (!grown)
            return willow_fail(reading->error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for %zu games", capacity);
        input->records = grown;
        reading->capacity = capacity;
    }
    input->records[input->count++] = *record;
    return WILLOW_OK;
}

static bool take(void *context, struct convert_item *item)
{
    struct reading *reading = context;
    reading->found = item->record.number;
    if (reading->wanted > 0 && item->record.number != reading->wanted)
        return true;
    reading->status = check(reading, item);
    if (reading->status == WILLOW_OK)
        reading->status = keep(reading, &item->record);
    return reading->status == WILLOW_OK && reading->wanted == 0;
}

enum willow_status analyse_input_read(struct analyse_input *input, const struct analyse_source *source,
                                      const struct willow_ruleset *ruleset, struct willow_error *error)
{
    struct reading reading = {.input = input, .wanted = source->number, .error = error};
    struct convert_source format = {.ruleset = ruleset, .notation = WILLOW_BOARD_ANY};
    const char *file = source->file ? source->file : "-", *name = willow_file_input_name(file);
    *input = (struct analyse_input){.count = 0};
    if (source->format && !convert_source_find(source->format, &format))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--from", NULL,
                           "unknown format '%.32s': wthor, ggf, sgf, transcript, positions or the notation of a board",
                           source->format);
    const enum willow_status status =
        source->board || source->moves
            ? convert_read_texts(source->board, source->moves, &format, take, &reading, error)
            : convert_read_file(file, &format, take, &reading, error);
    if (status != WILLOW_OK || reading.status != WILLOW_OK)
        return status != WILLOW_OK ? status : reading.status;
    if (input->count == 0 && source->number > 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, name, NULL, "there is no game %" PRIu64 ": it holds %" PRIu64,
                           source->number, reading.found);
    if (input->count == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, name, NULL, "there is no game in it");
    return WILLOW_OK;
}

void analyse_input_clear(struct analyse_input *input)
{
    free(input->records);
    *input = (struct analyse_input){.count = 0};
}
