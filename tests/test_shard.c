/* The file of one shard, as others may hand it over: damaged, foreign, edited, or of the first version. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <hdf5.h>

#include <willow/dataset.h>
#include <willow/random.h>

#include "support/datasets.h"
#include "support/hdf5_leaks.h"
#include "support/scratch.h"

struct fixture {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH]; /* of its only shard */
    struct willow_row *rows;
    size_t count;
};

static int setup_layout(void **state, enum willow_shard_layout layout)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scratch_make(fixture->folder);
    scratch_join(fixture->path, fixture->folder, "shard-000000.h5");
    fixture->rows = datasets_write_scored(fixture->folder, 11, &layout, 1, 12, &fixture->count);
    *state = fixture;
    return 0;
}

static int setup(void **state)
{
    return setup_layout(state, WILLOW_LAYOUT_COMPACT);
}

/* The order of the first version. */
static int setup_plies(void **state)
{
    return setup_layout(state, WILLOW_LAYOUT_PLIES);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->folder);
    free(fixture->rows);
    free(fixture);
    return 0;
}

/* Opens the fixture's dataset and reads these plies; *count = rows that came before the end or the error. */
static enum willow_status read_plies(const struct fixture *fixture, int first, int last, struct willow_row *rows,
                                     size_t *count, struct willow_error *error)
{
    const char *folder = fixture->folder;
    struct willow_reader *reader;
    *count = 0;
    enum willow_status status =
        willow_reader_open(&folder, 1, first, last, willow_ruleset_default(), false, &reader, error);
    for (size_t got = 1; !status && got > 0; *count += got)
        status = willow_reader_next(reader, rows + *count, fixture->count + 1 - *count, &got, error);
    willow_reader_free(reader);
    return status;
}

/* What the library says of a file with this content: rejected, or all rows as they were. */
static bool refused(const struct fixture *fixture, const void *data, size_t size, bool may_equal)
{
    struct willow_row *back = NULL;
    struct willow_game_row *games = NULL;
    struct willow_shard_info info;
    struct willow_error error = {0};
    scratch_write(fixture->path, data, size);
    enum willow_status status = willow_shard_read(fixture->path, &info, &back, &games, &error);
    if (status) {
        assert_true(error.status == status && error.reason[0] && strcmp(error.file, fixture->path) == 0);
        assert_null(strstr(error.reason, "no reason"));
        assert_null(back);
        return true;
    }
    /* A flip may hit bytes that hold nothing, but never a row. */
    bool equal = may_equal && datasets_rows_equal(back, (size_t)info.rows, fixture->rows, fixture->count);
    free(back);
    free(games);
    assert_true(equal);
    return false;
}

static void truncated_and_flipped_files(void **state)
{
    struct fixture *fixture = *state;
    struct willow_random random;
    size_t size;
    unsigned char *data = scratch_read(fixture->path, &size);
    willow_random_init(&random, 1, 1);
    for (size_t i = 0; i < 100; i++) {
        size_t cut = i < 50 ? size - 1 - i : willow_random_below(&random, (uint32_t)size);
        assert_true(refused(fixture, data, cut, false));
    }
    int caught = 0;
    const char *folder = fixture->folder;
    for (size_t i = 0; i < 300; i++) {
        /* Half of the flips go where HDF5's own structure is dense. */
        size_t at = willow_random_below(&random, (uint32_t)(i % 2 ? size : 6144));
        unsigned char bit = (unsigned char)(1U << willow_random_below(&random, 8));
        struct willow_reader *reader;
        struct willow_error error;
        data[at] ^= bit;
        caught += refused(fixture, data, size, true);
        assert_int_not_equal(willow_reader_open(&folder, 1, 0, 60, willow_ruleset_default(), true, &reader, &error),
                             WILLOW_OK);
        data[at] ^= bit;
    }
    assert_true(caught > 200);
    free(data);
}

/* HDF5 1.10 crashes on every tenth of these and hangs on every hundredth, so it must not see them. */
static void damaged_texts_are_caught_before_hdf5_reads_them(void **state)
{
    struct fixture *fixture = *state;
    size_t size;
    unsigned char *data = scratch_read(fixture->path, &size);
    unsigned char *heap = memmem(data, size, "GCOL", 4);
    assert_non_null(heap);
    for (size_t at = 0; at < 4096; at += at < 400 ? 1 : 61) {
        struct willow_shard_info info;
        struct willow_error error = {0};
        const unsigned char bit = (unsigned char)(1U << (at * 5 % 8));
        heap[at] ^= bit;
        scratch_write(fixture->path, data, size);
        assert_int_equal(willow_shard_read(fixture->path, &info, NULL, NULL, &error), WILLOW_ERR_CHECKSUM);
        assert_string_equal(error.place, "text_checksum");
        heap[at] ^= bit;
    }
    free(data);
}

static void set_number(hid_t object, const char *name, hid_t type, const void *value)
{
    if (H5Aexists(object, name) > 0)
        assert_true(H5Adelete(object, name) >= 0);
    hid_t space = H5Screate(H5S_SCALAR), attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, value) >= 0 && H5Aclose(attribute) >= 0 && H5Sclose(space) >= 0);
}

static void set_u32(const char *path, const char *name, uint32_t value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    set_number(file, name, H5T_NATIVE_UINT32, &value);
    assert_true(H5Fclose(file) >= 0);
}

static void expect_read(const char *path, enum willow_status wanted, const char *words)
{
    struct willow_shard_info info;
    struct willow_error error = {0};
    assert_int_equal(willow_shard_read(path, &info, NULL, NULL, &error), wanted);
    assert_string_equal(error.file, wanted ? path : "");
    if (!strstr(error.reason, words))
        fail_msg("'%s' is not in '%s'", words, error.reason);
}

static void foreign_files(void **state)
{
    struct fixture *fixture = *state;
    const char *path = fixture->path;
    static const char *const needed[] = {"complete", "text_checksum", "block_plies", "labels"};
    set_u32(path, "version", WILLOW_DATASET_VERSION + 1);
    expect_read(path, WILLOW_ERR_VERSION, "version 3");
    set_u32(path, "version", 0);
    expect_read(path, WILLOW_ERR_VERSION, "version 0");
    set_u32(path, "version", WILLOW_DATASET_VERSION);
    set_u32(path, "block_plies", 0);
    expect_read(path, WILLOW_ERR_FORMAT, "not within 1-61");
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        set_u32(path, "block_plies", 30);
        expect_read(path, WILLOW_OK, "");
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Arename(file, needed[i], "away") >= 0 && H5Fclose(file) >= 0);
        expect_read(path, WILLOW_ERR_FORMAT, i == 0 ? "never finished" : "cannot read this attribute");
        file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Arename(file, "away", needed[i]) >= 0 && H5Fclose(file) >= 0);
    }
    assert_int_equal(unlink(path), 0);
    expect_read(path, WILLOW_ERR_IO, strerror(ENOENT));
    expect_read(fixture->folder, WILLOW_ERR_FORMAT, "not a regular file");
    scratch_write(path, "", 0);
    expect_read(path, WILLOW_ERR_FORMAT, "empty");
    scratch_write(path, "player,opponent,score\n", 22);
    expect_read(path, WILLOW_ERR_FORMAT, "not an HDF5 file");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && H5Fclose(file) >= 0);
    expect_read(path, WILLOW_ERR_FORMAT, "not a shard of a Willow dataset");
}

/* Writes a whole dataset of 64-bit numbers, as another program may. */
static void set_column(const char *path, const char *name, const uint64_t *values)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), column = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dwrite(column, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dclose(column) >= 0 && H5Fclose(file) >= 0);
}

static void expect_refusal(const struct fixture *fixture, int first, int last, const char *place, const char *words)
{
    struct willow_row *rows = malloc((fixture->count + 1) * sizeof *rows);
    struct willow_error error = {0};
    size_t count;
    assert_int_equal(read_plies(fixture, first, last, rows, &count, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, place);
    if (!strstr(error.reason, words))
        fail_msg("'%s' is not in '%s'", words, error.reason);
    free(rows);
}

/* Rows changed behind the library's back, and counts of plies that do not fit them. */
static void edited_rows_are_refused_by_the_reader(void **state)
{
    struct fixture *fixture = *state;
    uint64_t *values = calloc(fixture->count, sizeof *values), plies[61] = {0};
    for (size_t i = 0; i < fixture->count; i++) {
        values[i] = fixture->rows[i].player;
        plies[fixture->rows[i].ply]++;
    }
    values[17] = 0;
    set_column(fixture->path, "/positions/player", values);
    expect_refusal(fixture, 0, 60, "/positions row 17", "ply and discs");
    values[17] = fixture->rows[17].player;
    set_column(fixture->path, "/positions/player", values);
    for (size_t i = 0; i < fixture->count; i++)
        values[i] = fixture->rows[i].game;
    values[40] = 10; /* among rows of the first two games */
    set_column(fixture->path, "/positions/game", values);
    expect_refusal(fixture, 0, 60, "/positions row 41", "order");
    values[40] = fixture->rows[40].game;
    set_column(fixture->path, "/positions/game", values);
    plies[10]--, plies[11]++;
    set_column(fixture->path, "/ply_rows", plies);
    expect_refusal(fixture, 0, 10, "/ply_rows", "plies 0-10 have");
    plies[11]--, plies[31]++;
    set_column(fixture->path, "/ply_rows", plies);
    expect_refusal(fixture, 40, 60, "/positions row 359", "outside its block");
    plies[31]++;
    set_column(fixture->path, "/ply_rows", plies);
    expect_refusal(fixture, 0, 60, "/ply_rows", "do not add up");
    plies[30] = UINT64_MAX - plies[31];
    set_column(fixture->path, "/ply_rows", plies);
    expect_refusal(fixture, 0, 60, "/ply_rows", "do not add up");
    free(values);
}

static void set_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(type, strlen(text) + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
    set_number(object, name, type, text);
    assert_true(H5Tclose(type) >= 0);
}

/* Turns the fixture's shard into one of version 1, which had texts of fixed length, /ply_offsets, and no selectivity
 * and weights. */
static void make_first_version(const struct fixture *fixture)
{
    static const char *const later[] = {"block_plies", "text_offset", "text_bytes", "text_checksum"};
    static const char *const columns[] = {"/positions/selectivity", "/games/black_weights", "/games/white_weights",
                                          "/ply_rows"};
    static const char *const texts[][2] = {
        {"format", "willow-dataset"}, {"ruleset", "othello"}, {"tool", "first"}, {"weights", "none"}, {"labels", ""}};
    uint64_t offsets[62];
    size_t row = 0;
    for (int ply = 0; ply < 62; ply++) {
        while (row < fixture->count && fixture->rows[row].ply < ply)
            row++;
        offsets[ply] = row;
    }
    set_u32(fixture->path, "version", 1);
    hid_t file = H5Fopen(fixture->path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        assert_true(H5Adelete(file, later[i]) >= 0);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        assert_true(H5Ldelete(file, columns[i], H5P_DEFAULT) >= 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        set_text(file, texts[i][0], texts[i][1]);
    hsize_t extent = 62;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t dataset = H5Dcreate2(file, "/ply_offsets", H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
    set_column(fixture->path, "/ply_offsets", offsets);
}

static void the_first_version_is_read(void **state)
{
    struct fixture *fixture = *state;
    struct willow_shard_info info;
    struct willow_error error = {0};
    struct willow_row *rows, *some = malloc((fixture->count + 1) * sizeof *some);
    struct willow_game_row *games;
    size_t count;
    make_first_version(fixture);
    assert_int_equal(willow_shard_read(fixture->path, &info, &rows, &games, &error), WILLOW_OK);
    assert_true(datasets_rows_equal(rows, (size_t)info.rows, fixture->rows, fixture->count)); /* selectivity 0 or 100 */
    assert_int_equal(info.layout, WILLOW_LAYOUT_PLIES);
    assert_string_equal(info.tool, "first");
    assert_string_equal(info.labels, "");
    assert_int_equal(info.games, 12);
    for (int i = 0; i < 12; i++)
        assert_true(games[i].black_weights == 0 && games[i].white_weights == 0 && games[i].length >= 50);
    for (int ply = 0; ply <= 60; ply += 12) {
        size_t first = 0, end;
        while (first < fixture->count && rows[first].ply < ply)
            first++;
        for (end = first; end < fixture->count && rows[end].ply <= ply + 1 && rows[end].ply <= 60;)
            end++;
        assert_int_equal(read_plies(fixture, ply, ply < 60 ? ply + 1 : 60, some, &count, &error), WILLOW_OK);
        assert_true(datasets_rows_equal(some, count, rows + first, end - first));
    }
    free(some);
    free(rows);
    free(games);
}

/* The heap of texts is guarded from version 2 on, so version 1 must not lead to it. */
static void the_first_version_has_no_texts_of_variable_length(void **state)
{
    struct fixture *fixture = *state;
    const char *text = "first";
    make_first_version(fixture);
    hid_t file = H5Fopen(fixture->path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(type, H5T_VARIABLE) >= 0);
    set_number(file, "tool", type, &text);
    assert_true(H5Tclose(type) >= 0 && H5Fclose(file) >= 0);
    expect_read(fixture->path, WILLOW_ERR_FORMAT, "not text of less than");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(truncated_and_flipped_files, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_texts_are_caught_before_hdf5_reads_them, setup, teardown),
        cmocka_unit_test_setup_teardown(foreign_files, setup, teardown),
        cmocka_unit_test_setup_teardown(edited_rows_are_refused_by_the_reader, setup, teardown),
        cmocka_unit_test_setup_teardown(the_first_version_is_read, setup_plies, teardown),
        cmocka_unit_test_setup_teardown(the_first_version_has_no_texts_of_variable_length, setup_plies, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
