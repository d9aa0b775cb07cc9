/* What the fuzz harnesses share; see fuzz.h. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/referee.h"

_Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
    (void)fprintf(stderr, "%s:%d: finding: not %s\n", file, line, condition);
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

const struct willow_ruleset *fuzz_ruleset(const uint8_t *data, size_t *size)
{
    enum { NAME_BYTES = 24 };
    char name[NAME_BYTES];
    for (size_t length = 0; length < *size && length < NAME_BYTES; length++) {
        const size_t at = *size - 1 - length;
        if (data[at] == '#' && (at == 0 || data[at - 1] == '\n')) {
            const struct willow_ruleset *ruleset;
            memcpy(name, data + at + 1, length);
            name[length] = '\0';
            ruleset = willow_ruleset_find(name);
            *size = ruleset ? at - (at > 0) : *size;
            return ruleset ? ruleset : willow_ruleset_default();
        }
    }
    return willow_ruleset_default();
}

void fuzz_check_refusal(const struct willow_error *error, enum willow_status status, bool placed)
{
    char text[1024];
    FUZZ_REQUIRE(error->status == status);
    FUZZ_REQUIRE(memchr(error->file, '\0', sizeof error->file) != NULL);
    FUZZ_REQUIRE(memchr(error->place, '\0', sizeof error->place) != NULL);
    FUZZ_REQUIRE(memchr(error->reason, '\0', sizeof error->reason) != NULL);
    FUZZ_REQUIRE(error->reason[0] != '\0' && (!placed || error->place[0] != '\0'));
    /* What a program prints is one line that does nothing to a terminal. */
    for (const char *c = willow_error_text(error, text, sizeof text); *c != '\0'; c++)
        FUZZ_REQUIRE((unsigned char)*c >= 32 && *c != 127);
}

void fuzz_check_game(const struct willow_game *game)
{
    FUZZ_REQUIRE(game->length >= 0 && game->length <= WILLOW_GAME_MAX);
    FUZZ_REQUIRE((game->boards[0].player & game->boards[0].opponent) == 0);
    FUZZ_REQUIRE(game->side == (game->start_side ^ (unsigned)(game->length & 1)));
    struct referee referee = referee_of(game->ruleset, game->boards[0]);
    for (int i = 0; i < game->length; i++) {
        const willow_square move = game->moves[i];
        FUZZ_REQUIRE(move <= WILLOW_PASS);
        FUZZ_REQUIRE(move != WILLOW_PASS || (referee_moves(&referee) == 0 && !referee_over(&referee)));
        FUZZ_REQUIRE(move == WILLOW_PASS || (referee_moves(&referee) >> move & 1) != 0);
        referee = referee_play(&referee, move);
        struct willow_board board;
        referee_to_words(&referee, &board.player, &board.opponent);
        FUZZ_REQUIRE(fuzz_same_board(board, game->boards[i + 1]));
    }
}

static int length_without_passes(const struct willow_game *game)
{
    int length = game->length;
    while (length > 0 && game->moves[length - 1] == WILLOW_PASS)
        length--;
    return length;
}

void fuzz_check_same_game(const struct willow_game *one, const struct willow_game *two)
{
    const int length = length_without_passes(one);
    FUZZ_REQUIRE(one->start_side == two->start_side);
    FUZZ_REQUIRE(fuzz_same_board(one->boards[0], two->boards[0]));
    FUZZ_REQUIRE(length == length_without_passes(two));
    FUZZ_REQUIRE(memcmp(one->moves, two->moves, (size_t)length) == 0);
}

bool fuzz_same_board(struct willow_board one, struct willow_board two)
{
    return one.player == two.player && one.opponent == two.opponent;
}
