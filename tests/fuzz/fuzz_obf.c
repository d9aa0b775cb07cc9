/* Lines of OBF: scored moves are legal, once each and within the board; what is read is written and read back. */
#include "fuzz/fuzz.h"

#include <stdlib.h>

#include <willow/notation.h>

#include "support/referee.h"

static void check_moves(const struct willow_ruleset *ruleset, const struct willow_obf *obf)
{
    const struct referee referee = referee_of(ruleset, obf->board);
    const int most = willow_ruleset_squares(ruleset);
    willow_bits seen = 0;
    bool passed = false;
    FUZZ_REQUIRE(willow_board_valid(ruleset, obf->board));
    FUZZ_REQUIRE(obf->count >= 0 && obf->count <= WILLOW_OBF_MOVES);
    for (int i = 0; i < obf->count; i++) {
        const willow_square move = obf->moves[i];
        FUZZ_REQUIRE(obf->scores_discs[i] >= -most && obf->scores_discs[i] <= most);
        if (move == WILLOW_PASS) {
            FUZZ_REQUIRE(!passed && referee_moves(&referee) == 0 && !referee_over(&referee));
            passed = true;
            continue;
        }
        FUZZ_REQUIRE(move < WILLOW_PASS && (seen >> move & 1) == 0 && (referee_moves(&referee) >> move & 1) != 0);
        seen |= WILLOW_BIT(move);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct willow_obf obf, again;
    struct willow_error error;
    bool empty = false, empty_again = false;
    const struct willow_ruleset *ruleset = fuzz_ruleset(data, &size);
    char *line = fuzz_text(data, size), written[WILLOW_OBF_TEXT];

    const enum willow_status status = willow_obf_parse(ruleset, line, &obf, &empty, &error);
    free(line);
    if (status != WILLOW_OK) {
        FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT);
        fuzz_check_refusal(&error, status, true);
        return 0;
    }
    if (empty)
        return 0;
    check_moves(ruleset, &obf);
    (void)willow_obf_format(ruleset, &obf, written);
    FUZZ_REQUIRE(willow_obf_parse(ruleset, written, &again, &empty_again, &error) == WILLOW_OK && !empty_again);
    FUZZ_REQUIRE(fuzz_same_board(obf.board, again.board) && obf.side == again.side && obf.count == again.count);
    for (int i = 0; i < obf.count; i++)
        FUZZ_REQUIRE(obf.moves[i] == again.moves[i] && obf.scores_discs[i] == again.scores_discs[i]);
    return 0;
}
