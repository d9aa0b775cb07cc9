/* Reads WTHOR files (.wtb), the archive format of tournament games: moves without passes, black's discs as the result.
 * Layer: rules. Names of players and tournaments lie in other files and are not read.
 */
#include <inttypes.h>
#include <stdio.h>

#include "rules/record_reader.h"
#include "rules/written_moves.h"
#include "rules/wthor.h"

static uint32_t games_of(const struct willow_records *records)
{
    const unsigned char *bytes = records->data + WTHOR_GAMES;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

enum willow_status wthor_check(const struct willow_records *records, struct willow_error *error)
{
    if (records->size_bytes < WILLOW_WTHOR_HEADER_BYTES)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL,
                           "no WTHOR file: %zu bytes are less than the header's 16", records->size_bytes);
    const uint32_t games = games_of(records);
    const uint64_t expected = WILLOW_WTHOR_HEADER_BYTES + (uint64_t)games * WILLOW_WTHOR_GAME_BYTES;
    if (records->size_bytes != expected)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, "offset 4",
                           "no WTHOR file, or a damaged one: %" PRIu32 " games take %" PRIu64 " bytes, but it has %zu",
                           games, expected, records->size_bytes);
    const int board = records->data[WTHOR_BOARD], type = records->data[WTHOR_TYPE];
    if (board != 0 && board != 8)
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, "offset 12", "games on a board of %dx%d, not 8x8", board,
                           board);
    if (type == 1)
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, "offset 13", "solitaires, not games");
    return WILLOW_OK;
}

/* Plays one byte; false when the moves end there, for good or ill. */
static bool play_byte(struct willow_record *record, size_t offset, unsigned char byte)
{
    char place[RECORD_PLACE];
    struct willow_error reason;
    const int row = byte / 10, column = byte % 10;
    (void)snprintf(place, sizeof place, "game %" PRIu64 ", offset %zu", record->number, offset);
    if (row < 1 || row > 8 || column < 1 || column > 8) {
        record_fail(record, WILLOW_RECORD_DAMAGED, place, "%d is no square", byte);
        return false;
    }
    const willow_square move = (willow_square)(WILLOW_SIDE * (row - 1) + column - 1);
    if (written_move_play(&record->game, move, &reason) == WILLOW_OK)
        return true;
    record_fail(record, WILLOW_RECORD_ILLEGAL, place, "%s", reason.reason);
    return false;
}

bool wthor_next(struct willow_records *records, struct willow_record *record)
{
    char place[RECORD_PLACE];
    if (records->number >= games_of(records))
        return false;
    const size_t start = WILLOW_WTHOR_HEADER_BYTES + (size_t)records->number * WILLOW_WTHOR_GAME_BYTES;
    const unsigned char *bytes = records->data + start;
    record_begin(records, record, start);
    record->has_result = true;
    record->result_discs = 2 * bytes[WTHOR_GAME_RESULT] - 64;
    (void)snprintf(place, sizeof place, "game %" PRIu64 ", offset %zu", record->number, start);
    size_t at = WTHOR_GAME_MOVES;
    while (at < WILLOW_WTHOR_GAME_BYTES && bytes[at] != 0 && play_byte(record, start + at, bytes[at]))
        at++;
    for (; at < WILLOW_WTHOR_GAME_BYTES; at++)
        if (bytes[at] != 0)
            record_fail(record, WILLOW_RECORD_DAMAGED, place, "a move stands behind the end of the moves");
    record_end(record, place);
    return true;
}
