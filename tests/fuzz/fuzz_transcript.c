/* Transcripts: what is read is a legal game that is written and read back; what is refused has its column. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

/* Where another ruleset is named, the text is a game of it. */
static void check_suggestion(const struct willow_ruleset *ruleset, const char *text, const char *reason)
{
    static const char words[] = "; the game is legal as ";
    const char *name = strstr(reason, words);
    struct willow_game game;
    if (!name)
        return;
    const struct willow_ruleset *other = willow_ruleset_find(name + strlen(words));
    FUZZ_REQUIRE(other != NULL && other != ruleset);
    willow_game_init(&game, other);
    FUZZ_REQUIRE(willow_transcript_parse(&game, text, NULL) == WILLOW_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct willow_game game, again;
    struct willow_error error;
    char written[WILLOW_TRANSCRIPT_TEXT];
    const struct willow_ruleset *ruleset = fuzz_ruleset(data, &size);
    char *text = fuzz_text(data, size);

    willow_game_init(&game, ruleset);
    const enum willow_status status = willow_transcript_parse(&game, text, &error);
    if (status != WILLOW_OK) {
        FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT);
        fuzz_check_refusal(&error, status, true);
        check_suggestion(ruleset, text, error.reason);
    }
    /* The moves before a fault are kept. */
    fuzz_check_game(&game);
    willow_game_init(&again, ruleset);
    (void)willow_transcript_format(&game, written);
    FUZZ_REQUIRE(willow_transcript_parse(&again, written, &error) == WILLOW_OK);
    fuzz_check_same_game(&game, &again);
    free(text);
    return 0;
}
