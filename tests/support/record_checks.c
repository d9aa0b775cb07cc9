/* Random games, and data that was cut and garbled, for the tests of game records. */
#include "support/record_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/referee_random.h"

struct willow_game record_random_game(const struct willow_ruleset *ruleset, struct willow_random *random,
                                      bool any_start, bool cut)
{
    struct willow_game game;
    struct referee board = referee_of(ruleset, ruleset->start);
    willow_game_init(&game, ruleset);
    if (any_start) {
        struct willow_board start;
        board = referee_random_pattern(random);
        referee_to_words(&board, &start.player, &start.opponent);
        start.player &= ruleset->playable;
        start.opponent &= ruleset->playable;
        board = referee_of(ruleset, start);
        const enum willow_side side = willow_random_below(random, 2) ? WILLOW_WHITE : WILLOW_BLACK;
        assert_int_equal(willow_game_init_board(&game, game.ruleset, start, side, NULL), WILLOW_OK);
    }
    const int last =
        cut ? (int)willow_random_below(random, (uint32_t)willow_ruleset_squares(ruleset) - 4) : WILLOW_GAME_MAX;
    while (game.length < last && !referee_over(&board)) {
        const willow_bits moves = referee_moves(&board);
        const int move = moves ? willow_random_bit(random, moves) : WILLOW_PASS;
        assert_int_equal(willow_game_play(&game, (willow_square)move, NULL), WILLOW_OK);
        board = referee_play(&board, move);
    }
    return game;
}

bool record_same_game(const struct willow_game *one, const struct willow_game *other)
{
    return one->ruleset == other->ruleset && one->start_side == other->start_side &&
           one->boards[0].player == other->boards[0].player && one->boards[0].opponent == other->boards[0].opponent &&
           one->length == other->length && memcmp(one->moves, other->moves, (size_t)one->length) == 0;
}

static void check_record(const struct willow_record *record, size_t size)
{
    const bool complete = record->kind == WILLOW_RECORD_COMPLETE;
    assert_in_range(record->game.length, 0, WILLOW_GAME_MAX);
    assert_true(!complete || willow_game_over(&record->game));
    assert_int_equal(complete, record->error.reason[0] == '\0');
    assert_int_equal(complete, record->error.place[0] == '\0');
    assert_true(record->at <= size && record->size_bytes <= size - record->at);
    assert_true(strlen(record->black) < sizeof record->black && strlen(record->white) < sizeof record->white);
    assert_null(strpbrk(record->black, "\n\r\t\x1b\x7f"));
    for (int i = 0; i < record->game.length; i++) {
        const struct willow_board board = record->game.boards[i];
        const willow_bits moves = willow_board_moves(record->game.ruleset, board);
        assert_true(record->game.moves[i] == WILLOW_PASS ? !moves : moves >> record->game.moves[i] & 1);
    }
}

void record_check_sanity(const struct willow_ruleset *ruleset, enum willow_record_format format, const void *data,
                         size_t size)
{
    struct willow_records records;
    struct willow_record record;
    enum willow_record_format guessed;
    uint64_t count = 0;
    /* A copy of just this size, so that a sanitizer sees a read beyond it. */
    void *copy = malloc(size + !size);
    memcpy(copy, data, size);
    (void)willow_records_guess(copy, size, &guessed);
    if (willow_records_open(&records, ruleset, format, copy, size, NULL) == WILLOW_OK)
        while (willow_records_next(&records, &record)) {
            assert_int_equal(record.number, ++count);
            assert_true(count <= size);
            check_record(&record, size);
        }
    free(copy);
}

void record_check_garbled(const struct willow_ruleset *ruleset, enum willow_record_format format, unsigned char *data,
                          size_t size, size_t step, int mutations)
{
    static const unsigned char letters[] = "[](;)\\BWOY8*-a5/\n 1P#:AEt%X";
    struct willow_random random;
    willow_random_init(&random, 11, (uint64_t)format);
    for (size_t cut = 0; cut < size; cut += step) {
        record_check_sanity(ruleset, format, data, cut);
        record_check_sanity(ruleset, format, data + cut, size - cut);
    }
    for (int m = 0; m < mutations; m++) {
        unsigned char old[3];
        size_t at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = willow_random_below(&random, (uint32_t)size);
            old[k] = data[at[k]];
            data[at[k]] = willow_random_below(&random, 4) == 0
                              ? (unsigned char)willow_random_below(&random, 256)
                              : letters[willow_random_below(&random, sizeof letters - 1)];
        }
        record_check_sanity(ruleset, format, data, size);
        for (int k = 3; k-- > 0;)
            data[at[k]] = old[k];
    }
}
