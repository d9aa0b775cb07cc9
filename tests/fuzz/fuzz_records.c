/* Game records in one format (FUZZ_FORMAT): every record is a legal game of the kind that it says, with a reason where
 * it is not complete, and comes back from a file that holds it alone.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>
#include <willow/records.h>

enum { REWRITTEN = 4, TEXT_BYTES = 16384 };

static bool standard_start(const struct willow_game *game)
{
    return game->start_side == WILLOW_BLACK && fuzz_same_board(game->boards[0], game->ruleset->start);
}

static void check_name(const char *name, size_t size)
{
    const size_t length = strnlen(name, size);
    FUZZ_REQUIRE(length < size);
    for (size_t i = 0; i < length; i++)
        FUZZ_REQUIRE((unsigned char)name[i] >= 32 && name[i] != 127);
}

static void check_kind(const struct willow_record *record)
{
    const struct willow_game *game = &record->game;
    if (record->kind == WILLOW_RECORD_COMPLETE) {
        FUZZ_REQUIRE(record->error.status == WILLOW_OK);
        FUZZ_REQUIRE(standard_start(game) && willow_game_over(game));
        return;
    }
    fuzz_check_refusal(&record->error, WILLOW_ERR_FORMAT, true);
    if (record->kind == WILLOW_RECORD_UNFINISHED)
        FUZZ_REQUIRE(standard_start(game) && !willow_game_over(game));
    if (record->kind == WILLOW_RECORD_OTHER_START)
        FUZZ_REQUIRE(!standard_start(game));
    if (record->kind == WILLOW_RECORD_OTHER_VARIANT)
        FUZZ_REQUIRE(game->length == 0);
}

/* The bytes of a file that holds this game alone; 0 when the format has no words for it. */
static size_t write_game(const struct willow_record *record, char text[TEXT_BYTES])
{
    const struct willow_ggf_game written = {.game = &record->game,
                                            .place = "",
                                            .black = record->black,
                                            .white = record->white,
                                            .result_discs = record->result_discs};
    struct willow_error error;
    unsigned char game[WILLOW_WTHOR_GAME_BYTES];
    switch (FUZZ_FORMAT) {
    case WILLOW_RECORDS_GGF:
        return willow_ggf_format(&written, text, TEXT_BYTES);
    case WILLOW_RECORDS_SGF:
        return willow_sgf_format(&written, text, TEXT_BYTES);
    case WILLOW_RECORDS_WTHOR:
        if (willow_wthor_format(&record->game, game, &error) != WILLOW_OK)
            return 0;
        willow_wthor_header(&(struct willow_wthor_date){2000, 1, 2}, 1, 2000, (unsigned char *)text);
        memcpy(text + WILLOW_WTHOR_HEADER_BYTES, game, sizeof game);
        return WILLOW_WTHOR_HEADER_BYTES + WILLOW_WTHOR_GAME_BYTES;
    case WILLOW_RECORDS_TRANSCRIPTS:
        if (!standard_start(&record->game))
            return 0;
        return strlen(willow_transcript_format(&record->game, text));
    default:
        return strlen(willow_board_format(record->game.ruleset, record->game.boards[0], record->game.start_side, text));
    }
}

/* The writers break up what would look like the start of a game. */
static bool same_name(const char *before, const char *after)
{
    return strstr(before, "(;") != NULL || strcmp(before, after) == 0;
}

static void check_rewriting(const struct willow_record *record)
{
    static char text[TEXT_BYTES];
    static struct willow_record again, third;
    struct willow_records records;
    struct willow_error error;
    const size_t length = write_game(record, text);
    if (length == 0)
        return;
    FUZZ_REQUIRE(length < sizeof text);
    /* A block of its own, so that a step behind it is seen. */
    char *copy = fuzz_text((const uint8_t *)text, length);
    FUZZ_REQUIRE(willow_records_open(&records, record->game.ruleset, FUZZ_FORMAT, copy, length, &error) == WILLOW_OK);
    FUZZ_REQUIRE(willow_records_next(&records, &again));
    FUZZ_REQUIRE(again.kind <= WILLOW_RECORD_OTHER_START);
    fuzz_check_same_game(&record->game, &again.game);
    if (FUZZ_FORMAT == WILLOW_RECORDS_GGF || FUZZ_FORMAT == WILLOW_RECORDS_SGF) {
        FUZZ_REQUIRE(same_name(record->black, again.black) && same_name(record->white, again.white));
        FUZZ_REQUIRE(again.has_result && (!record->has_result || again.result_discs == record->result_discs));
    }
    FUZZ_REQUIRE(!willow_records_next(&records, &third));
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct willow_record record;
    struct willow_records records;
    struct willow_error error;
    enum willow_record_format guess;
    const struct willow_ruleset *ruleset = fuzz_ruleset(data, &size);

    if (willow_records_guess(data, size, &guess))
        FUZZ_REQUIRE(willow_record_format_name(guess) != NULL);
    const enum willow_status status = willow_records_open(&records, ruleset, FUZZ_FORMAT, data, size, &error);
    if (status != WILLOW_OK) {
        FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT || status == WILLOW_ERR_MISMATCH);
        fuzz_check_refusal(&error, status, false);
        return 0;
    }
    for (uint64_t count = 1; willow_records_next(&records, &record); count++) {
        FUZZ_REQUIRE(record.number == count && count <= size);
        fuzz_check_game(&record.game);
        check_kind(&record);
        check_name(record.black, sizeof record.black);
        check_name(record.white, sizeof record.white);
        if (count <= REWRITTEN && (record.kind <= WILLOW_RECORD_OTHER_START || record.game.length > 0))
            check_rewriting(&record);
    }
    return 0;
}
