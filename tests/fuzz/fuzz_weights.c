/* Weights files. The first byte of the input says what the harness mends, so that inputs come past the envelope; the
 * file follows. What is read has the properties that the header promises, and is written and read back.
 */
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/checksum.h>
#include <willow/weights.h>

enum { MEND_LENGTHS = 1, MEND_CHECKSUM = 2 };

/* Of the format; see weights_file.c. */
enum {
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_PROVENANCE_BYTES = 44,
    AT_PROBCUT = 48,
    AT_PAYLOAD_BYTES = 52,
    FIXED_BYTES = 128,
    CHECKSUM_BYTES = WILLOW_CHECKSUM_TEXT - 1
};

static uint32_t get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

/* The payload is all that follows the header. */
static void mend_lengths(unsigned char *file, size_t size)
{
    if (size < FIXED_BYTES)
        return;
    const uint32_t slots = file[AT_VERSION] == 1 ? 16 : get_u32(file + AT_PROBCUT);
    const uint64_t header = FIXED_BYTES + 4 * (uint64_t)slots + get_u32(file + AT_PROVENANCE_BYTES);
    if (header > size)
        return;
    put_u32(file + AT_HEADER_BYTES, (uint32_t)header);
    put_u32(file + AT_PAYLOAD_BYTES, (uint32_t)(size - header));
}

static void check_properties(const struct willow_weights *weights, const unsigned char *file, size_t size)
{
    char sum[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(file, size, sum);
    FUZZ_REQUIRE(strcmp(sum, willow_weights_checksum(weights)) == 0);
    willow_checksum128_text(file, size - CHECKSUM_BYTES, sum);
    FUZZ_REQUIRE(memcmp(sum, file + size - CHECKSUM_BYTES, CHECKSUM_BYTES) == 0);

    const struct willow_stages *stages = willow_weights_stages(weights);
    FUZZ_REQUIRE(stages->count >= 1 && stages->count <= WILLOW_STAGES_MAX && stages->first_disc[0] <= 4);
    for (int i = 1; i < stages->count; i++)
        FUZZ_REQUIRE(stages->first_disc[i] > stages->first_disc[i - 1]);
    const struct willow_probcut *probcut = willow_weights_probcut(weights);
    FUZZ_REQUIRE(probcut->count <= WILLOW_PROBCUT_MAX);
    for (uint32_t i = 0; i < probcut->count; i++)
        FUZZ_REQUIRE(isfinite(probcut->constant[i]));
    const char *provenance = willow_weights_provenance(weights);
    FUZZ_REQUIRE(strlen(provenance) <= WILLOW_PROVENANCE_MAX);
    for (; *provenance != '\0'; provenance++)
        FUZZ_REQUIRE(((unsigned char)*provenance >= 32 && *provenance != 127) || *provenance == '\n' ||
                     *provenance == '\t');

    const struct willow_ruleset *ruleset = willow_weights_ruleset(weights);
    FUZZ_REQUIRE(stages->squares == willow_ruleset_squares(ruleset));
    FUZZ_REQUIRE(willow_weights_patterns(weights) == willow_pattern_set_on(willow_weights_patterns(weights), ruleset));
    static const uint64_t masks[][2] = {
        {0, 0}, {0x00003c3c18000000, 0x0000000024180000}, {UINT64_MAX, 0}, {0x5555aaaa5555aaaa, 0xaaaa5555aaaa5555}};
    FUZZ_REQUIRE(abs(willow_evaluate(weights, ruleset->start)) < WILLOW_SCORE_MAX);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        const struct willow_board board = {masks[i][0] & ruleset->playable, masks[i][1] & ruleset->playable};
        FUZZ_REQUIRE(abs(willow_evaluate(weights, board)) < WILLOW_SCORE_MAX);
    }
}

/* Takes some 10 ms, so few inputs have it done: by their checksum, so that it is always the same ones. */
static void check_rewriting(const struct willow_weights *weights)
{
    if (willow_weights_checksum(weights)[0] != '0' || willow_weights_stages(weights)->count > 2)
        return;
    struct willow_weights *again = NULL;
    struct willow_error error;
    const struct willow_pattern_set *set = willow_weights_patterns(weights);
    const struct willow_stages *stages = willow_weights_stages(weights);
    const size_t count = (size_t)stages->count * willow_pattern_set_weights(set);
    FUZZ_REQUIRE(willow_weights_new(willow_weights_ruleset(weights), set, stages, willow_weights_values(weights),
                                    willow_weights_probcut(weights), willow_weights_provenance(weights), &again,
                                    &error) == WILLOW_OK);
    FUZZ_REQUIRE(memcmp(willow_weights_values(weights), willow_weights_values(again), count * sizeof(int16_t)) == 0);
    willow_weights_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const int flags = *data++;
    size--;
    unsigned char *file = (unsigned char *)fuzz_text(data, size);
    if (flags & MEND_LENGTHS)
        mend_lengths(file, size);
    if (flags & MEND_CHECKSUM) {
        char sum[WILLOW_CHECKSUM_TEXT];
        willow_checksum128_text(file, size, sum);
        file = realloc(file, size + CHECKSUM_BYTES);
        FUZZ_REQUIRE(file != NULL);
        memcpy(file + size, sum, CHECKSUM_BYTES);
        size += CHECKSUM_BYTES;
    }
    struct willow_weights *weights = NULL;
    struct willow_error error;
    const enum willow_status status = willow_weights_parse(file, size, "input", &weights, &error);
    if (status == WILLOW_OK) {
        check_properties(weights, file, size);
        check_rewriting(weights);
        willow_weights_free(weights);
    } else {
        FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT || status == WILLOW_ERR_VERSION || status == WILLOW_ERR_CHECKSUM ||
                     status == WILLOW_ERR_MISMATCH);
        FUZZ_REQUIRE(weights == NULL && error.file[0] != '\0');
        fuzz_check_refusal(&error, status, false);
    }
    free(file);
    return 0;
}
