/* Lines of OBF: scored moves are legal, once each and within the board; what is read is written and read back. */
#include "fuzz/fuzz.h"

#include <stdlib.h>

#include <willow/notation.h>

#include "support/referee.h"

static void check_moves(const struct willow_obf *obf)
{
    const struct referee referee = referee_from_words(obf->board.player, obf->board.opponent, UINT64_MAX);
    uint64_t seen = 0;
    bool passed = false;
    FUZZ_REQUIRE((obf->board.player & obf->board.opponent) == 0);
    FUZZ_REQUIRE(obf->count >= 0 && obf->count <= WILLOW_OBF_MOVES);
    for (int i = 0; i < obf->count; i++) {
        const willow_square move = obf->moves[i];
        FUZZ_REQUIRE(obf->scores_discs[i] >= -64 && obf->scores_discs[i] <= 64);
        if (move == WILLOW_PASS) {
            FUZZ_REQUIRE(!passed && referee_moves(&referee) == 0 && !referee_over(&referee));
            passed = true;
            continue;
        }
        FUZZ_REQUIRE(move < WILLOW_PASS && (seen >> move & 1) == 0 && referee_flips(&referee, move) != 0);
        seen |= UINT64_C(1) << move;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct willow_obf obf, again;
    struct willow_error error;
    bool empty = false, empty_again = false;
    char *line = fuzz_text(data, size), written[WILLOW_OBF_TEXT];

    const enum willow_status status = willow_obf_parse(willow_ruleset_default(), line, &obf, &empty, &error);
    free(line);
    if (status != WILLOW_OK) {
        FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT);
        fuzz_check_refusal(&error, status, true);
        return 0;
    }
    if (empty)
        return 0;
    check_moves(&obf);
    (void)willow_obf_format(willow_ruleset_default(), &obf, written);
    FUZZ_REQUIRE(willow_obf_parse(willow_ruleset_default(), written, &again, &empty_again, &error) == WILLOW_OK &&
                 !empty_again);
    FUZZ_REQUIRE(fuzz_same_board(obf.board, again.board) && obf.side == again.side && obf.count == again.count);
    for (int i = 0; i < obf.count; i++)
        FUZZ_REQUIRE(obf.moves[i] == again.moves[i] && obf.scores_discs[i] == again.scores_discs[i]);
    return 0;
}
