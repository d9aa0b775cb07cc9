/* Tests of the weights file: what is written comes back to the bit, and nothing damaged, foreign or contradictory is
 * accepted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/checksum.h>
#include <willow/file.h>
#include <willow/random.h>
#include <willow/weights.h>

#include "support/random_weights.h"
#include "support/scratch.h"

/* Offsets of the format, typed again: the format must not move unnoticed. */
enum {
    AT_VERSION = 8,
    AT_HEADER = 12,
    AT_MODEL = 16,
    AT_RULESET = 20,
    AT_SET = 24,
    AT_WEIGHTS = 28,
    AT_STAGES = 32,
    AT_STEPS = 36,
    AT_CODING = 40,
    AT_PROVENANCE_BYTES = 44,
    AT_PROBCUT = 48,
    AT_PAYLOAD = 52,
    AT_DISCS = 64,
    AT_CONSTANTS = 128,
    SLOTS_OF_VERSION_1 = 16
};
static const char provenance_text[] = "command: none\nheld-out error: 5.1\n";

struct bytes {
    unsigned char *data;
    size_t size;
};

struct fixture {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH];
    struct bytes small; /* a file of a few hundred bytes: two stages of p46, nearly all zero */
    struct bytes old;   /* the same as version 1 of the format has it */
};

/* Of the fixture's two files: both have two constants, the old one room for more. */
static size_t provenance_at(const struct fixture *fixture, struct bytes bytes)
{
    return AT_CONSTANTS + 4 * (bytes.data == fixture->old.data ? SLOTS_OF_VERSION_1 : 2);
}

static struct willow_weights *small_weights(void)
{
    const struct willow_stages stages = {.squares = WILLOW_SQUARES, .count = 2, .first_disc = {4, 40}};
    const struct willow_probcut probcut = {.count = 2, .constant = {1.5f, -0.25f}};
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    size_t count = 2 * (size_t)willow_pattern_set_weights(set);
    int16_t *values = calloc(count, sizeof *values);
    assert_non_null(values);
    values[0] = INT16_MIN;
    values[5] = INT16_MAX;
    values[count - 1] = -1;
    struct willow_weights *weights = NULL;
    assert_int_equal(
        willow_weights_new(willow_ruleset_default(), set, &stages, values, &probcut, provenance_text, &weights, NULL),
        WILLOW_OK);
    free(values);
    return weights;
}

static struct bytes copy_bytes(struct bytes from, size_t extra)
{
    struct bytes to = {calloc(1, from.size + extra), from.size};
    assert_non_null(to.data);
    memcpy(to.data, from.data, from.size);
    return to;
}

static void put_u32(struct bytes bytes, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        bytes.data[at + i] = (unsigned char)(value >> (8 * i));
}

/* Makes the checksum right again, so that the check behind it is reached. */
static void sign(struct bytes bytes)
{
    char text[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(bytes.data, bytes.size - 32, text);
    memcpy(bytes.data + bytes.size - 32, text, 32);
}

/* A file with room for `slots` constants where `from`, of version 2, has two. The lengths in the header agree. */
static struct bytes with_slots(struct bytes from, size_t slots)
{
    const size_t kept = AT_CONSTANTS + 8, extra = 4 * (slots - 2);
    struct bytes to = {calloc(1, from.size + extra), from.size + extra};
    assert_non_null(to.data);
    memcpy(to.data, from.data, kept);
    memcpy(to.data + kept + extra, from.data + kept, from.size - kept);
    put_u32(to, AT_HEADER, (uint32_t)(kept + extra + strlen(provenance_text)));
    return to;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL)
        return -1;
    scratch_make(fixture->folder);
    scratch_join(fixture->path, fixture->folder, "a.wlw");
    struct willow_weights *weights = small_weights();
    if (willow_weights_save(weights, fixture->path, NULL) != WILLOW_OK ||
        willow_file_read(fixture->path, 1 << 20, &fixture->small.data, &fixture->small.size, NULL) != WILLOW_OK)
        return -1;
    willow_weights_free(weights);
    fixture->old = with_slots(fixture->small, SLOTS_OF_VERSION_1);
    put_u32(fixture->old, AT_VERSION, 1);
    sign(fixture->old);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->folder);
    free(fixture->small.data);
    free(fixture->old.data);
    free(fixture);
    return 0;
}

static void assert_refused(struct bytes bytes, enum willow_status expected)
{
    struct willow_weights *weights = NULL;
    struct willow_error error = {.status = WILLOW_OK};
    assert_int_equal(willow_weights_parse(bytes.data, bytes.size, "x.wlw", &weights, &error), expected);
    assert_null(weights);
    assert_int_equal(error.status, expected);
    assert_string_equal(error.file, "x.wlw");
    assert_true(strlen(error.reason) > 0);
}

static void refuse_patched_file(struct bytes from, size_t at, uint32_t value, enum willow_status expected)
{
    struct bytes bytes = copy_bytes(from, 0);
    put_u32(bytes, at, value);
    sign(bytes);
    assert_refused(bytes, expected);
    free(bytes.data);
}

/* In both versions. */
static void refuse_patched(const struct fixture *fixture, size_t at, uint32_t value, enum willow_status expected)
{
    refuse_patched_file(fixture->small, at, value, expected);
    refuse_patched_file(fixture->old, at, value, expected);
}

static void assert_same_contents(const struct willow_weights *a, const struct willow_weights *b)
{
    const struct willow_stages *stages = willow_weights_stages(a);
    assert_ptr_equal(willow_weights_ruleset(a), willow_weights_ruleset(b));
    assert_ptr_equal(willow_weights_patterns(a), willow_weights_patterns(b));
    assert_memory_equal(stages, willow_weights_stages(b), sizeof *stages);
    assert_memory_equal(willow_weights_probcut(a), willow_weights_probcut(b), sizeof(struct willow_probcut));
    assert_string_equal(willow_weights_provenance(a), willow_weights_provenance(b));
    size_t count = (size_t)stages->count * willow_pattern_set_weights(willow_weights_patterns(a));
    assert_memory_equal(willow_weights_values(a), willow_weights_values(b), count * sizeof(int16_t));
}

static void assert_same(const struct willow_weights *a, const struct willow_weights *b)
{
    assert_same_contents(a, b);
    assert_string_equal(willow_weights_checksum(a), willow_weights_checksum(b));
}

static void round_trip(const struct fixture *fixture, struct willow_weights *weights)
{
    struct willow_weights *loaded = NULL;
    struct bytes first, second;
    char checksum[WILLOW_CHECKSUM_TEXT];
    assert_int_equal(willow_weights_save(weights, fixture->path, NULL), WILLOW_OK);
    assert_int_equal(willow_checksum_file(fixture->path, checksum, NULL), WILLOW_OK);
    assert_string_equal(checksum, willow_weights_checksum(weights));
    assert_int_equal(willow_file_read(fixture->path, 1 << 26, &first.data, &first.size, NULL), WILLOW_OK);
    assert_int_equal(willow_weights_load(fixture->path, &loaded, NULL), WILLOW_OK);
    assert_same(weights, loaded);
    assert_int_equal(willow_weights_save(loaded, fixture->path, NULL), WILLOW_OK);
    assert_int_equal(willow_file_read(fixture->path, 1 << 26, &second.data, &second.size, NULL), WILLOW_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    free(first.data);
    free(second.data);
    willow_weights_free(loaded);
    willow_weights_free(weights);
}

static void test_round_trip(void **state)
{
    round_trip(*state, small_weights());
    struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 3);
    round_trip(*state, random_weights(willow_pattern_set_default(), &stages, 11, 150));
    round_trip(*state, random_weights(willow_pattern_set_default(), &stages, 12, INT16_MAX));
    struct willow_weights *weights = NULL;
    stages = willow_stages_even(WILLOW_SQUARES, 60);
    assert_int_equal(
        willow_weights_new_zero(willow_ruleset_default(), willow_pattern_set_find("p62"), &stages, &weights, NULL),
        WILLOW_OK);
    assert_int_equal(willow_evaluate(weights, willow_ruleset_default()->start), 0);
    round_trip(*state, weights);
}

static void test_round_trip_of_every_ruleset(void **state)
{
    const struct willow_ruleset *ruleset;
    for (int r = 0; (ruleset = willow_ruleset_at(r)) != NULL; r += strncmp(ruleset->name, "hole:", 5) == 0 ? 13 : 1) {
        const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), 2);
        struct willow_weights *weights = random_weights_on(ruleset, willow_pattern_set_find("p62"), &stages, 14, 90);
        assert_ptr_equal(willow_weights_patterns(weights),
                         willow_pattern_set_on(willow_pattern_set_find("p62"), ruleset));
        round_trip(*state, weights);
    }
}

/* Weights of the old format keep their bytes and with them their identity. */
static void test_version_1_is_read(void **state)
{
    const struct fixture *fixture = *state;
    struct willow_weights *old = NULL, *new = NULL;
    struct bytes saved;
    assert_int_equal(willow_weights_parse(fixture->old.data, fixture->old.size, "x.wlw", &old, NULL), WILLOW_OK);
    assert_int_equal(willow_weights_parse(fixture->small.data, fixture->small.size, "x.wlw", &new, NULL), WILLOW_OK);
    assert_same_contents(old, new);
    assert_string_not_equal(willow_weights_checksum(old), willow_weights_checksum(new));
    assert_int_equal(willow_weights_save(old, fixture->path, NULL), WILLOW_OK);
    assert_int_equal(willow_file_read(fixture->path, 1 << 20, &saved.data, &saved.size, NULL), WILLOW_OK);
    assert_int_equal(saved.size, fixture->old.size);
    assert_memory_equal(saved.data, fixture->old.data, saved.size);
    free(saved.data);
    willow_weights_free(old);
    willow_weights_free(new);
}

static void refuse_every_truncation(struct bytes from)
{
    for (size_t size = 0; size < from.size; size++) {
        /* An exact copy, so that a sanitizer sees a read past the end. */
        struct bytes bytes = {malloc(size + (size == 0)), size};
        assert_non_null(bytes.data);
        memcpy(bytes.data, from.data, size);
        assert_refused(bytes, WILLOW_ERR_FORMAT);
        free(bytes.data);
    }
}

static void test_every_truncation_is_refused(void **state)
{
    const struct fixture *fixture = *state;
    refuse_every_truncation(fixture->small);
    refuse_every_truncation(fixture->old);
}

static void test_truncation_names_its_offset(void **state)
{
    const struct fixture *fixture = *state;
    struct willow_weights *weights = NULL;
    struct willow_error error;
    assert_int_equal(willow_weights_parse(fixture->small.data, 250, "x.wlw", &weights, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, "offset 250");
}

static void refuse_every_flipped_bit(struct bytes from)
{
    struct bytes bytes = copy_bytes(from, 0);
    for (size_t bit = 0; bit < 8 * bytes.size; bit++) {
        struct willow_weights *weights = NULL;
        bytes.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_int_not_equal(willow_weights_parse(bytes.data, bytes.size, "x.wlw", &weights, NULL), WILLOW_OK);
        assert_null(weights);
        bytes.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    free(bytes.data);
}

static void test_every_flipped_bit_is_refused(void **state)
{
    const struct fixture *fixture = *state;
    refuse_every_flipped_bit(fixture->small);
    refuse_every_flipped_bit(fixture->old);
}

static void test_trailing_bytes_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    struct bytes bytes = copy_bytes(fixture->small, 1);
    bytes.size++;
    assert_refused(bytes, WILLOW_ERR_FORMAT);
    sign(bytes);
    assert_refused(bytes, WILLOW_ERR_FORMAT);
    free(bytes.data);
}

static void test_foreign_files_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    struct bytes text = {(unsigned char *)strdup("# Willow\n"), 9};
    assert_refused(text, WILLOW_ERR_FORMAT);
    free(text.data);
    struct bytes random = copy_bytes(fixture->small, 0);
    struct willow_random stream;
    willow_random_init(&stream, 13, 0);
    for (size_t i = 0; i < random.size; i++)
        random.data[i] = (unsigned char)willow_random_below(&stream, 256);
    assert_refused(random, WILLOW_ERR_FORMAT);
    free(random.data);

    struct willow_weights *weights = NULL;
    struct willow_error error;
    assert_int_equal(willow_weights_load("no/such/file.wlw", &weights, &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "no/such/file.wlw");
    assert_int_not_equal(willow_weights_load(fixture->folder, &weights, &error), WILLOW_OK);
    assert_int_equal(willow_weights_load("/dev/null", &weights, &error), WILLOW_ERR_FORMAT);
    assert_null(weights);
}

static void test_contradictory_headers_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    refuse_patched(fixture, AT_VERSION, 3, WILLOW_ERR_VERSION);
    refuse_patched(fixture, AT_VERSION, 0, WILLOW_ERR_VERSION);
    refuse_patched(fixture, AT_HEADER, 0, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_HEADER, 127, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_HEADER, UINT32_MAX, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_MODEL, 2, WILLOW_ERR_VERSION);
    refuse_patched(fixture, AT_RULESET, 0, WILLOW_ERR_MISMATCH);
    refuse_patched(fixture, AT_RULESET, 4000000000u, WILLOW_ERR_MISMATCH);
    refuse_patched(fixture, AT_SET, 0, WILLOW_ERR_MISMATCH);
    refuse_patched(fixture, AT_SET, 2, WILLOW_ERR_MISMATCH); /* known, but of another size */
    refuse_patched(fixture, AT_WEIGHTS, 1, WILLOW_ERR_MISMATCH);
    refuse_patched(fixture, AT_STAGES, 0, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_STAGES, 1, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_STAGES, 62, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_STAGES, UINT32_MAX, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_STEPS, 128, WILLOW_ERR_VERSION);
    refuse_patched(fixture, AT_CODING, 0, WILLOW_ERR_VERSION);
    refuse_patched(fixture, AT_PROVENANCE_BYTES, UINT32_MAX, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_PROVENANCE_BYTES, WILLOW_PROVENANCE_MAX + 1, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_PAYLOAD, UINT32_MAX, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_PAYLOAD, 0, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_DISCS, 0x0404, WILLOW_ERR_FORMAT); /* does not rise */
    refuse_patched(fixture, AT_DISCS, 0x2805, WILLOW_ERR_FORMAT); /* starts too late */
    refuse_patched(fixture, AT_DISCS, 0x04 | (WILLOW_SQUARES + 1) << 8, WILLOW_ERR_FORMAT);
    refuse_patched(fixture, AT_CONSTANTS, 0x7fc00000, WILLOW_ERR_FORMAT); /* not a number */
    for (int i = 0; i < 2; i++) {
        const struct bytes bytes = i == 0 ? fixture->small : fixture->old;
        const size_t at = provenance_at(fixture, bytes);
        refuse_patched_file(bytes, at, 0x1b5b324a, WILLOW_ERR_FORMAT); /* a terminal control */
        refuse_patched_file(bytes, at, 0, WILLOW_ERR_FORMAT);
    }
}

/* The file says which board its weights are for: on another there are not as many, or this build has no such board. */
static void test_files_of_other_boards_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    struct bytes bytes = copy_bytes(fixture->small, 0);
    struct willow_weights *weights = NULL;
    struct willow_error error;
    enum { OTHELLO = 1, ANTI, IS_4X4 = 4, IS_10X10 = 7, HOLE_A1 = 256 };
#ifdef WILLOW_WIDE
    refuse_patched(fixture, AT_RULESET, ANTI, WILLOW_ERR_MISMATCH);
    refuse_patched(fixture, AT_RULESET, HOLE_A1, WILLOW_ERR_MISMATCH);
    put_u32(bytes, AT_RULESET, OTHELLO);
#else
    refuse_patched(fixture, AT_RULESET, IS_4X4, WILLOW_ERR_MISMATCH);
    refuse_patched(fixture, AT_RULESET, HOLE_A1, WILLOW_ERR_MISMATCH);
    put_u32(bytes, AT_RULESET, ANTI);
    sign(bytes);
    assert_int_equal(willow_weights_parse(bytes.data, bytes.size, "x.wlw", &weights, NULL), WILLOW_OK);
    assert_ptr_equal(willow_weights_ruleset(weights), willow_ruleset_find("anti"));
    willow_weights_free(weights);
    put_u32(bytes, AT_RULESET, IS_10X10);
#endif
    sign(bytes);
    weights = NULL;
    assert_int_equal(willow_weights_parse(bytes.data, bytes.size, "x.wlw", &weights, &error), WILLOW_ERR_MISMATCH);
    assert_null(weights);
    assert_non_null(strstr(error.reason, "10x10"));
    free(bytes.data);
}

/* The number of constants is a length: it decides where all behind it stands. */
static void test_numbers_of_constants(void **state)
{
    const struct fixture *fixture = *state;
    static const uint32_t wrong[] = {0, 1, 3, 16, WILLOW_PROBCUT_MAX, 0x40000002, 0x80000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        refuse_patched_file(fixture->small, AT_PROBCUT, wrong[i], WILLOW_ERR_FORMAT);
    refuse_patched_file(fixture->small, AT_VERSION, 1, WILLOW_ERR_FORMAT);
    refuse_patched_file(fixture->old, AT_VERSION, 2, WILLOW_ERR_FORMAT);
    refuse_patched_file(fixture->old, AT_PROBCUT, SLOTS_OF_VERSION_1 + 1, WILLOW_ERR_FORMAT);
    for (uint32_t count = WILLOW_PROBCUT_MAX; count <= WILLOW_PROBCUT_MAX + 1; count++) {
        struct bytes bytes = with_slots(fixture->small, count);
        struct willow_weights *weights = NULL;
        put_u32(bytes, AT_PROBCUT, count);
        sign(bytes);
        if (count > WILLOW_PROBCUT_MAX) {
            assert_refused(bytes, WILLOW_ERR_FORMAT);
        } else {
            assert_int_equal(willow_weights_parse(bytes.data, bytes.size, "x.wlw", &weights, NULL), WILLOW_OK);
            assert_int_equal(willow_weights_probcut(weights)->count, count);
            assert_string_equal(willow_weights_provenance(weights), provenance_text);
        }
        willow_weights_free(weights);
        free(bytes.data);
    }
}

static void test_constants_come_back(void **state)
{
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    for (uint32_t count = 0; count <= WILLOW_PROBCUT_MAX; count += 8) {
        struct willow_probcut probcut = {.count = count};
        struct willow_weights *weights = NULL;
        for (uint32_t i = 0; i < count; i++)
            probcut.constant[i] = 0.5F - (float)i;
        assert_int_equal(
            willow_weights_new(willow_ruleset_default(), set, &stages, NULL, &probcut, provenance_text, &weights, NULL),
            WILLOW_OK);
        round_trip(*state, weights);
    }
}

/* A payload that is damaged and signed again must still not get past the unpacking. */
static void test_damaged_payloads_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    size_t begin = provenance_at(fixture, fixture->small) + strlen(provenance_text);
    for (size_t bit = 8 * begin; bit < 8 * (begin + 9); bit++) { /* magic, descriptor and length of the frame */
        struct bytes bytes = copy_bytes(fixture->small, 0);
        struct willow_weights *weights = NULL;
        bytes.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        sign(bytes);
        /* A few bits of the descriptor carry no meaning; what matters is that all else is refused, and nothing crashes.
         */
        enum willow_status status = willow_weights_parse(bytes.data, bytes.size, "x.wlw", &weights, NULL);
        if (bit / 8 != begin + 4)
            assert_int_equal(status, WILLOW_ERR_FORMAT);
        willow_weights_free(weights);
        free(bytes.data);
    }
}

static void test_arguments_are_checked(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    struct willow_weights *weights = NULL;
    struct willow_stages stages = {.squares = WILLOW_SQUARES};
    assert_int_equal(willow_weights_new_zero(ruleset, set, &stages, &weights, NULL), WILLOW_ERR_ARGUMENT);
    stages.count = WILLOW_STAGES_MAX + 1;
    assert_int_equal(willow_weights_new_zero(ruleset, set, &stages, &weights, NULL), WILLOW_ERR_ARGUMENT);
    stages = (struct willow_stages){.squares = WILLOW_SQUARES, .count = 2, .first_disc = {4, 4}};
    assert_int_equal(willow_weights_new_zero(ruleset, set, &stages, &weights, NULL), WILLOW_ERR_ARGUMENT);
    stages = willow_stages_even(36, 2); /* for a smaller board */
    assert_int_equal(willow_weights_new_zero(ruleset, set, &stages, &weights, NULL), WILLOW_ERR_ARGUMENT);
    stages = willow_stages_even(WILLOW_SQUARES, 1);
    struct willow_probcut probcut = {.count = WILLOW_PROBCUT_MAX + 1};
    assert_int_equal(willow_weights_new(ruleset, set, &stages, NULL, &probcut, NULL, &weights, NULL),
                     WILLOW_ERR_ARGUMENT);
    char *longest = calloc(1, WILLOW_PROVENANCE_MAX + 2);
    assert_non_null(longest);
    memset(longest, 'x', WILLOW_PROVENANCE_MAX + 1);
    assert_int_equal(willow_weights_new(ruleset, set, &stages, NULL, NULL, longest, &weights, NULL),
                     WILLOW_ERR_ARGUMENT);
    assert_null(weights);
    longest[WILLOW_PROVENANCE_MAX] = '\0';
    assert_int_equal(willow_weights_new(ruleset, set, &stages, NULL, NULL, longest, &weights, NULL), WILLOW_OK);
    assert_string_equal(willow_weights_provenance(weights), longest);
    willow_weights_free(weights);
    free(longest);
    willow_weights_free(NULL);
}

static void test_default_weights_are_the_file_in_the_tree(void **state)
{
    (void)state;
    struct willow_weights *linked = NULL, *loaded = NULL;
    assert_int_equal(willow_weights_default(&linked, NULL), WILLOW_OK);
    assert_ptr_equal(willow_weights_ruleset(linked), willow_ruleset_default());
#ifndef WILLOW_WIDE
    assert_int_equal(willow_weights_load(TEST_DATA "/../../weights/default.wlw", &loaded, NULL), WILLOW_OK);
    assert_same(linked, loaded);
    assert_true(strlen(willow_weights_provenance(linked)) > 0);
#endif
    willow_weights_free(linked);
    willow_weights_free(loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_constants_come_back),
        cmocka_unit_test(test_version_1_is_read),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_truncation_names_its_offset),
        cmocka_unit_test(test_every_flipped_bit_is_refused),
        cmocka_unit_test(test_trailing_bytes_are_refused),
        cmocka_unit_test(test_foreign_files_are_refused),
        cmocka_unit_test(test_contradictory_headers_are_refused),
        cmocka_unit_test(test_numbers_of_constants),
        cmocka_unit_test(test_damaged_payloads_are_refused),
        cmocka_unit_test(test_arguments_are_checked),
        cmocka_unit_test(test_default_weights_are_the_file_in_the_tree),
        cmocka_unit_test(test_round_trip_of_every_ruleset),
        cmocka_unit_test(test_files_of_other_boards_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
