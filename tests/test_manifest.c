/* manifest.json: round trip, order, and every kind of damage refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/dataset.h>
#include <willow/random.h>

#include "support/scratch.h"

static int setup(void **state)
{
    char *folder = malloc(SCRATCH_PATH);
    scratch_make(folder);
    *state = folder;
    return 0;
}

static int teardown(void **state)
{
    scratch_remove(*state);
    free(*state);
    return 0;
}

static void add(struct willow_manifest *manifest, uint32_t number, enum willow_status wanted)
{
    struct willow_manifest_shard shard = {number, number * 60, number, number * 7, "00112233445566778899aabbccddeeff"};
    assert_int_equal(willow_manifest_add(manifest, &shard, NULL), wanted);
}

static struct willow_manifest make(void)
{
    struct willow_manifest manifest = {
        .ruleset = willow_ruleset_default()->id, .seed = UINT64_MAX, .planned_games = (uint64_t)1 << 60};
    strcpy(manifest.configuration_checksum, "ffeeddccbbaa99887766554433221100");
    add(&manifest, 5, WILLOW_OK);
    add(&manifest, 0, WILLOW_OK);
    add(&manifest, 999999, WILLOW_OK);
    add(&manifest, 7, WILLOW_OK);
    return manifest;
}

static bool equal(const struct willow_manifest *a, const struct willow_manifest *b)
{
    bool same = a->ruleset == b->ruleset && a->seed == b->seed && a->planned_games == b->planned_games &&
                strcmp(a->configuration_checksum, b->configuration_checksum) == 0 && a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->shards[i].number == b->shards[i].number && a->shards[i].rows == b->shards[i].rows &&
               a->shards[i].games == b->shards[i].games && a->shards[i].first_game == b->shards[i].first_game &&
               strcmp(a->shards[i].checksum, b->shards[i].checksum) == 0;
    return same;
}

static void round_trip(void **state)
{
    struct willow_manifest manifest = make(), back;
    assert_int_equal(manifest.shards[0].number, 0);
    assert_int_equal(manifest.shards[1].number, 5);
    assert_int_equal(manifest.shards[3].number, 999999);
    add(&manifest, 5, WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_manifest_write(*state, &manifest, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_read(*state, &back, NULL), WILLOW_OK);
    assert_true(equal(&manifest, &back));
    willow_manifest_clear(&manifest);
    willow_manifest_clear(&back);
    assert_int_equal(willow_manifest_write(*state, &back, NULL), WILLOW_OK); /* no shards yet */
    assert_int_equal(willow_manifest_read(*state, &manifest, NULL), WILLOW_OK);
    assert_int_equal(manifest.count, 0);
    willow_manifest_clear(&manifest);
    willow_manifest_clear(NULL);
}

static enum willow_status read_text(const char *folder, const char *text, size_t size, struct willow_manifest *manifest,
                                    struct willow_error *error)
{
    char path[SCRATCH_PATH];
    scratch_write(scratch_join(path, folder, "manifest.json"), text, size);
    enum willow_status status = willow_manifest_read(folder, manifest, error);
    if (status) {
        assert_string_equal(error->file, path);
        assert_true(error->reason[0]);
        assert_null(manifest->shards);
    }
    return status;
}

static void damaged_files(void **state)
{
    struct willow_manifest manifest = make(), back;
    struct willow_error error;
    char path[SCRATCH_PATH];
    size_t size;
    int harmless = 0;
    assert_int_equal(willow_manifest_write(*state, &manifest, NULL), WILLOW_OK);
    char *text = (char *)scratch_read(scratch_join(path, *state, "manifest.json"), &size);
    for (size_t cut = 0; cut + 2 < size; cut += 3)
        assert_int_not_equal(read_text(*state, text, cut, &back, &error), WILLOW_OK);
    for (size_t at = 0; at < size; at++) {
        char flip = (char)(1 << at % 8);
        text[at] = (char)(text[at] ^ flip);
        if (read_text(*state, text, size, &back, &error) == WILLOW_OK) {
            assert_true(equal(&manifest, &back)); /* one kind of white space became another */
            willow_manifest_clear(&back);
            harmless++;
        }
        text[at] = (char)(text[at] ^ flip);
    }
    assert_true(harmless < (int)size / 8);
    free(text);
    willow_manifest_clear(&manifest);
}

static void foreign_files(void **state)
{
    static const struct {
        const char *text;
        enum willow_status wanted;
    } cases[] = {{"", WILLOW_ERR_FORMAT},
                 {"[1, 2]", WILLOW_ERR_FORMAT},
                 {"{\"format\": \"other\"}", WILLOW_ERR_FORMAT},
                 {"{\"format\": \"willow-manifest\", \"version\": 2}", WILLOW_ERR_VERSION},
                 {"{\"format\": \"willow-manifest\", \"version\": \"1\"}", WILLOW_ERR_FORMAT},
                 {"{\"format\": \"willow-manifest\", \"version\": 1}", WILLOW_ERR_FORMAT},
                 {"{\"format\": \"willow-manifest\", \"version\": 1, \"checksum\": \"0\"}", WILLOW_ERR_CHECKSUM},
                 {"{\"format\": \"willow-manifest\", \"format\": \"willow-manifest\"}", WILLOW_ERR_FORMAT}};
    struct willow_manifest manifest;
    struct willow_error error;
    assert_int_equal(willow_manifest_read(*state, &manifest, &error), WILLOW_ERR_IO);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(read_text(*state, cases[i].text, strlen(cases[i].text), &manifest, &error), cases[i].wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_files, setup, teardown),
        cmocka_unit_test_setup_teardown(foreign_files, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
