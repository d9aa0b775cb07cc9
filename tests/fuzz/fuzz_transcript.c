/* Transcripts: what is read is a legal game that is written and read back; what is refused has its column. */
#include "fuzz/fuzz.h"

#include <stdlib.h>

#include <willow/notation.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct willow_game game, again;
    struct willow_error error;
    char written[2 * WILLOW_GAME_MAX + 1];
    char *text = fuzz_text(data, size);

    willow_game_init(&game, willow_ruleset_default());
    const enum willow_status status = willow_transcript_parse(&game, text, &error);
    if (status != WILLOW_OK) {
        FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT);
        fuzz_check_refusal(&error, status, true);
    }
    /* The moves before a fault are kept. */
    fuzz_check_game(&game);
    willow_game_init(&again, willow_ruleset_default());
    (void)willow_transcript_format(&game, written);
    FUZZ_REQUIRE(willow_transcript_parse(&again, written, &error) == WILLOW_OK);
    fuzz_check_same_game(&game, &again);
    free(text);
    return 0;
}
