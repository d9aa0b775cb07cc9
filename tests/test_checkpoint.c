/* The file of an unfinished fit, and the state of a solver within it: back as they were, or refused as cut, damaged or
 * of another fit.
 */
#include "trainer/fit/checkpoint.h"
#include "trainer/fit/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/scratch.h"

static const char own[WILLOW_CHECKSUM_TEXT] = "00112233445566778899aabbccddeeff";
static const char other[WILLOW_CHECKSUM_TEXT] = "00112233445566778899aabbccddeefe";
static const char first[] = "where it stands", second[] = "weights, as many as seventeen bytes and more";
static const struct checkpoint_block blocks[] = {{first, sizeof first}, {NULL, 0}, {second, sizeof second}};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

struct place {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH];
};

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    if (!place)
        return -1;
    scratch_make(place->folder);
    scratch_join(place->path, place->folder, "w.checkpoint");
    *state = place;
    return checkpoint_save(place->path, own, blocks, BLOCKS, NULL) == WILLOW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    scratch_remove(place->folder);
    free(place);
    return 0;
}

static void expect(const char *path, const char *identity, enum willow_status wanted)
{
    struct checkpoint checkpoint;
    struct willow_error error;
    assert_int_equal(checkpoint_load(path, identity, &checkpoint, &error), wanted);
    assert_null(checkpoint.file);
    assert_int_equal(checkpoint.count, 0);
    checkpoint_clear(&checkpoint);
}

static void test_blocks_come_back(void **state)
{
    const struct place *place = *state;
    struct checkpoint checkpoint;
    assert_int_equal(checkpoint_save(place->path, own, blocks, BLOCKS, NULL), WILLOW_OK); /* over the first one */
    assert_int_equal(checkpoint_load(place->path, own, &checkpoint, NULL), WILLOW_OK);
    assert_int_equal(checkpoint.count, BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
        assert_int_equal(checkpoint.blocks[i].size, blocks[i].size);
        assert_int_equal((uintptr_t)checkpoint.blocks[i].data % 16, (uintptr_t)checkpoint.file % 16);
        if (blocks[i].size > 0)
            assert_memory_equal(checkpoint.blocks[i].data, blocks[i].data, blocks[i].size);
    }
    checkpoint_clear(&checkpoint);
    assert_int_equal(scratch_count(place->folder, ".tmp"), 0);
}

static void test_none_and_another(void **state)
{
    const struct place *place = *state;
    char missing[SCRATCH_PATH];
    expect(scratch_join(missing, place->folder, "none"), own, WILLOW_OK);
    expect(place->path, other, WILLOW_ERR_MISMATCH);
}

/* No byte of the file can change, and none can be missing, without being noticed; but for the padding. */
static void test_damage(void **state)
{
    const struct place *place = *state;
    size_t size;
    unsigned char *bytes = scratch_read(place->path, &size);
    for (size_t cut = 0; cut < size; cut += 7) {
        scratch_write(place->path, bytes, cut);
        struct checkpoint checkpoint;
        assert_int_not_equal(checkpoint_load(place->path, own, &checkpoint, NULL), WILLOW_OK);
    }
    int unnoticed = 0;
    for (size_t i = 0; i < size; i++) {
        struct checkpoint checkpoint;
        bytes[i] ^= 0x40;
        scratch_write(place->path, bytes, size);
        bytes[i] ^= 0x40;
        if (checkpoint_load(place->path, own, &checkpoint, NULL) != WILLOW_OK)
            continue;
        unnoticed++;
        assert_int_equal(checkpoint.count, BLOCKS);
        assert_memory_equal(checkpoint.blocks[0].data, first, sizeof first);
        assert_memory_equal(checkpoint.blocks[2].data, second, sizeof second);
        checkpoint_clear(&checkpoint);
    }
    assert_true(unnoticed < 16 * BLOCKS);
    free(bytes);
}

static void test_other_files_are_left_alone(void **state)
{
    const struct place *place = *state;
    struct willow_error error;
    size_t size;
    scratch_write(place->path, "a letter", 8);
    assert_int_equal(checkpoint_save(place->path, own, blocks, BLOCKS, &error), WILLOW_ERR_BUSY);
    expect(place->path, own, WILLOW_ERR_FORMAT);
    unsigned char *bytes = scratch_read(place->path, &size);
    assert_int_equal(size, 8);
    assert_memory_equal(bytes, "a letter", 8);
    free(bytes);
}

static void test_snapshot(void **state)
{
    (void)state;
    double number = 1.5, number_back = 0.0;
    char text[] = "carry", text_back[sizeof text] = "";
    const struct snapshot_block from[] = {{&number, sizeof number}, {NULL, 0}, {text, sizeof text}};
    const struct snapshot_block to[] = {{&number_back, sizeof number_back}, {NULL, 0}, {text_back, sizeof text}};
    unsigned char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(snapshot_write(7, from, 3, &bytes, &size, NULL), WILLOW_OK);
    assert_int_equal(snapshot_content(size), sizeof number + sizeof text);
    assert_int_equal(snapshot_content(3), 0);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 1;
        assert_int_equal(snapshot_read(7, to, 3, bytes, size, NULL), WILLOW_ERR_FORMAT);
        bytes[i] ^= 1;
    }
    assert_int_equal(snapshot_read(8, to, 3, bytes, size, NULL), WILLOW_ERR_FORMAT);
    assert_int_equal(snapshot_read(7, to, 3, bytes, size - 1, NULL), WILLOW_ERR_FORMAT);
    assert_int_equal(snapshot_read(7, to, 2, bytes, size, NULL), WILLOW_ERR_FORMAT);
    assert_true(number_back == 0.0 && text_back[0] == '\0'); /* nothing is changed by what is refused */
    assert_int_equal(snapshot_read(7, to, 3, bytes, size, NULL), WILLOW_OK);
    assert_true(number_back == number);
    assert_string_equal(text_back, text);
    free(bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(test_blocks_come_back), TEST(test_none_and_another), TEST(test_damage),
                                       TEST(test_other_files_are_left_alone), cmocka_unit_test(test_snapshot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
