/* What other programs find in a shard, seen through HDF5 alone: texts as text, little-endian integers of the documented
 * width, flags as plain numbers, no compound types, standard filters, chunks of a sensible size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hdf5.h>

#include <willow/dataset.h>

#include "support/datasets.h"
#include "support/scratch.h"

enum { GAMES = 1200, CHUNK_ROWS = 65536, BYTES_A_ROW = 40 };

struct fixture {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH];
    size_t rows;
    struct willow_shard_info info;
};

/* Awkward values: blanks, letters beyond ASCII, a line break, nothing at all, the largest seed. */
static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct willow_game_row *games;
    char checksum[WILLOW_CHECKSUM_TEXT];
    assert_non_null(fixture);
    scratch_make(fixture->folder);
    scratch_join(fixture->path, fixture->folder, "shard-000000.h5");
    struct willow_row *rows = datasets_random_games(2, 0, GAMES, &games, &fixture->rows);
    fixture->info = (struct willow_shard_info){.ruleset = willow_ruleset_default()->id,
                                               .seed = UINT64_MAX,
                                               .rows = fixture->rows,
                                               .games = GAMES,
                                               .tool = "weiß und schwarz (オセロ)",
                                               .labels = "a comment\nwith a line break",
                                               .configuration = "weights: 'my folder/ünï.wlw'\n"};
    assert_int_equal(willow_shard_write(fixture->folder, 0, &fixture->info, rows, games, checksum, NULL), WILLOW_OK);
    free(rows);
    free(games);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->folder);
    free(fixture);
    return 0;
}

static void expect_text(hid_t file, const char *name, const char *wanted)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    char *text = NULL;
    assert_int_equal(H5Tget_class(type), H5T_STRING);
    assert_int_equal(H5Tis_variable_str(type), 1);
    assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
    assert_true(H5Aread(attribute, type, (void *)&text) >= 0);
    assert_string_equal(text ? text : "", wanted);
    if (text)
        assert_true(H5free_memory(text) >= 0);
    assert_true(H5Tclose(type) >= 0 && H5Aclose(attribute) >= 0);
}

static herr_t check_attribute(hid_t file, const char *name, const H5A_info_t *about, void *context)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    int *count = context;
    (void)about;
    (*count)++;
    assert_int_equal(H5Sget_simple_extent_type(space), H5S_SCALAR);
    assert_true((H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) ||
                H5Tequal(type, H5T_STD_U32LE) > 0 || H5Tequal(type, H5T_STD_U64LE) > 0);
    assert_true(H5Sclose(space) >= 0 && H5Tclose(type) >= 0 && H5Aclose(attribute) >= 0);
    return 0;
}

/* Texts as given, and all others as text; numbers of 32 or 64 bits without a sign. */
static void attributes_are_text_and_numbers(void **state)
{
    const struct fixture *fixture = *state;
    const hid_t file = H5Fopen(fixture->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    expect_text(file, "format", WILLOW_SQUARES > 64 ? "willow-wide-dataset" : "willow-dataset");
    expect_text(file, "ruleset", willow_ruleset_default()->name);
    expect_text(file, "tool", fixture->info.tool);
    expect_text(file, "labels", fixture->info.labels);
    expect_text(file, "weights", "");
    int count = 0;
    assert_true(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, NULL, check_attribute, &count) >= 0);
    assert_true(count >= 12);
    uint64_t seed = 0;
    const hid_t attribute = H5Aopen(file, "seed", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_UINT64, &seed) >= 0 && H5Aclose(attribute) >= 0);
    assert_true(seed == UINT64_MAX);
    assert_true(H5Fclose(file) >= 0);
}

static void check_column(hid_t file, const char *name, hid_t wanted, uint64_t rows)
{
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(dataset);
    const hid_t space = H5Dget_space(dataset), list = H5Dget_create_plist(dataset);
    hsize_t size[2] = {0, 1}, chunk[2] = {0, 1};
    if (H5Tequal(type, wanted) <= 0)
        fail_msg("%s is not of the documented type", name);
    const int dimensions = H5Sget_simple_extent_dims(space, size, NULL);
    assert_true(dimensions == 1 || dimensions == 2);
    assert_true(size[0] == rows);
    assert_int_equal(H5Pget_chunk(list, 2, chunk), dimensions);
    assert_true(chunk[0] == (rows < CHUNK_ROWS ? rows : CHUNK_ROWS));
    for (int i = 0; i < H5Pget_nfilters(list); i++) {
        unsigned flags, settings;
        size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, &settings);
        assert_true(filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_FLETCHER32);
    }
    assert_true(H5Pclose(list) >= 0 && H5Sclose(space) >= 0 && H5Tclose(type) >= 0 && H5Dclose(dataset) >= 0);
}

static void columns_are_plain_numbers(void **state)
{
    const struct fixture *fixture = *state;
    const struct {
        const char *name;
        hid_t type;
    } columns[] = {{"/positions/player", H5T_STD_U64LE},  {"/positions/opponent", H5T_STD_U64LE},
                   {"/positions/score", H5T_STD_I16LE},   {"/positions/result", H5T_STD_I8LE},
                   {"/positions/move", H5T_STD_U8LE},     {"/positions/ply", H5T_STD_U8LE},
                   {"/positions/depth", H5T_STD_U8LE},    {"/positions/selectivity", H5T_STD_U8LE},
                   {"/positions/flags", H5T_STD_U8LE},    {"/positions/game", H5T_STD_U64LE},
                   {"/games/id", H5T_STD_U64LE},          {"/games/moves", H5T_STD_U8LE},
                   {"/games/result", H5T_STD_I8LE},       {"/games/length", H5T_STD_U8LE},
                   {"/games/opening_plies", H5T_STD_U8LE}};
    const hid_t file = H5Fopen(fixture->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t bytes = 0;
    assert_true(fixture->rows > CHUNK_ROWS); /* more than one chunk */
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        check_column(file, columns[i].name, columns[i].type,
                     strncmp(columns[i].name, "/games", 6) == 0 ? GAMES : fixture->rows);
    /* A second word for each side where one does not hold the board, and only there. */
    if (WILLOW_SQUARES > 64) {
        check_column(file, "/positions/player_high", H5T_STD_U64LE, fixture->rows);
        check_column(file, "/positions/opponent_high", H5T_STD_U64LE, fixture->rows);
    } else {
        assert_int_equal(H5Lexists(file, "/positions/player_high", H5P_DEFAULT), 0);
    }
    assert_true(H5Fget_filesize(file, &bytes) >= 0);
    assert_true(bytes < (hsize_t)BYTES_A_ROW * fixture->rows);
    assert_true(H5Fclose(file) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(attributes_are_text_and_numbers),
                                       cmocka_unit_test(columns_are_plain_numbers)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
