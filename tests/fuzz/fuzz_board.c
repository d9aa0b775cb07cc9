/* Boards as text, read in every notation: what is read is written in every notation and read back to the same; the
 * guess is never another board than a notation that fits says; what is refused has its column and leaves no trace.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

/* That the input is read in. */
static const struct willow_ruleset *ruleset;

struct reading {
    bool read;
    struct willow_board board;
    enum willow_side side;
};

static struct reading parse(const char *text, enum willow_board_notation notation)
{
    static const struct willow_board untouched = {0x0123456789abcdef, 0x1032547698badcfe}; /* of no ruleset */
    struct reading reading = {.board = untouched, .side = WILLOW_WHITE};
    struct willow_error error;
    const enum willow_status status =
        willow_board_parse_as(ruleset, text, notation, &reading.board, &reading.side, &error);
    reading.read = status == WILLOW_OK;
    if (reading.read) {
        FUZZ_REQUIRE(willow_board_valid(ruleset, reading.board));
        FUZZ_REQUIRE(reading.side == WILLOW_BLACK || reading.side == WILLOW_WHITE);
        return reading;
    }
    FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT);
    fuzz_check_refusal(&error, status, true);
    FUZZ_REQUIRE(fuzz_same_board(reading.board, untouched) && reading.side == WILLOW_WHITE);
    return reading;
}

static bool same(struct reading one, struct reading two)
{
    return one.read && two.read && fuzz_same_board(one.board, two.board) && one.side == two.side;
}

static void check_writing(struct reading reading)
{
    char text[WILLOW_BOARD_TEXT];
    for (int i = WILLOW_BOARD_LETTERS; i <= WILLOW_BOARD_MOVER; i++) {
        const enum willow_board_notation notation = (enum willow_board_notation)i;
        (void)willow_board_format_as(ruleset, reading.board, reading.side, notation, text);
        FUZZ_REQUIRE(strlen(text) < sizeof text);
        if (notation == WILLOW_BOARD_MOVER) {
            const struct reading again = parse(text, notation);
            FUZZ_REQUIRE(again.read && fuzz_same_board(again.board, reading.board));
            continue;
        }
        FUZZ_REQUIRE(same(reading, parse(text, notation)));
    }
    (void)willow_board_format(ruleset, reading.board, reading.side, text);
    FUZZ_REQUIRE(strlen(text) == (size_t)(ruleset->width * ruleset->height) + 2 &&
                 same(reading, parse(text, WILLOW_BOARD_ANY)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ruleset = fuzz_ruleset(data, &size);
    char *text = fuzz_text(data, size);
    const struct reading guess = parse(text, WILLOW_BOARD_ANY);
    bool fits = false, agrees = false;
    for (int i = WILLOW_BOARD_LETTERS; i <= WILLOW_BOARD_MOVER; i++) {
        const enum willow_board_notation notation = (enum willow_board_notation)i;
        const struct reading reading = parse(text, notation);
        if (!reading.read)
            continue;
        check_writing(reading);
        if (notation == WILLOW_BOARD_MOVER)
            continue;
        fits = true;
        agrees |= same(guess, reading);
    }
    /* What nothing reads is not guessed at, and a guess is what some notation says. */
    FUZZ_REQUIRE(!guess.read || (fits && agrees));
    free(text);
    return 0;
}
