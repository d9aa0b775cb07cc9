/* The dataset library: shards written and read back, ranges of plies, full disks and bounded memory. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/dataset.h>
#include <willow/random.h>

#include "selfplay/dataset/shard_text.h"
#include "support/datasets.h"
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

static struct willow_shard_info make_info(uint64_t first, size_t rows, size_t games)
{
    struct willow_shard_info info = {.ruleset = willow_ruleset_default()->id,
                                     .seed = UINT64_MAX - 3,
                                     .first_game = first,
                                     .rows = rows,
                                     .games = games,
                                     .configuration = "depth: 6\nname: Übung\n"};
    strcpy(info.tool, "willow test");
    strcpy(info.weights, "0123456789abcdef0123456789abcdef");
    strcpy(info.labels, "");
    return info;
}

/* Rises with the order of rows in a shard of few games. */
static uint64_t place_of(const struct willow_row *row, unsigned block_plies)
{
    return (uint64_t)(row->ply / block_plies) << 40 | row->game << 8 | row->ply;
}

static void round_trip(const char *folder, enum willow_shard_layout layout)
{
    struct willow_game_row *records, *records_back;
    struct willow_row *rows_back;
    struct willow_shard_info info_back;
    struct willow_error error;
    size_t count;
    char checksum[WILLOW_CHECKSUM_TEXT], again[WILLOW_CHECKSUM_TEXT], path[SCRATCH_PATH];
    struct willow_row *rows = datasets_random_games(7, 100, 50, &records, &count);
    struct willow_shard_info info = make_info(100, count, 50);
    const unsigned block_plies = layout == WILLOW_LAYOUT_PLIES ? 1 : 30;
    info.layout = layout;
    records[7].black_weights = 3, records[7].white_weights = 255;
    rows[30].score = 64, rows[30].depth = 8, rows[30].selectivity = 73;
    rows[30].flags = WILLOW_ROW_SELECTIVE | WILLOW_ROW_AFTER_RANDOM | WILLOW_ROW_SOLVED_RESULT;
    assert_int_equal(willow_shard_write(folder, 12, &info, rows, records, checksum, &error), WILLOW_OK);
    scratch_join(path, folder, "shard-000012.h5");
    assert_int_equal(willow_checksum_file(path, again, NULL), WILLOW_OK);
    assert_string_equal(checksum, again);
    assert_int_equal(scratch_count(folder, ".tmp"), 0);
    assert_int_equal(willow_shard_read(path, &info_back, &rows_back, &records_back, &error), WILLOW_OK);
    assert_int_equal(info_back.rows, count);
    assert_int_equal(info_back.games, 50);
    assert_int_equal(info_back.first_game, 100);
    assert_int_equal(info_back.layout, layout);
    assert_true(info_back.seed == info.seed);
    assert_string_equal(info_back.weights, info.weights);
    assert_string_equal(info_back.tool, info.tool);
    assert_string_equal(info_back.labels, "");
    assert_null(info_back.configuration);
    assert_true(datasets_rows_equal(rows_back, count, rows, count)); /* rows were sorted in place */
    for (size_t i = 1; i < count; i++)
        assert_true(place_of(&rows[i - 1], block_plies) < place_of(&rows[i], block_plies));
    for (size_t i = 0; i < 50; i++) {
        assert_int_equal(records_back[i].id, records[i].id);
        assert_int_equal(records_back[i].length, records[i].length);
        assert_int_equal(records_back[i].result, records[i].result);
        assert_int_equal(records_back[i].black_weights, records[i].black_weights);
        assert_int_equal(records_back[i].white_weights, records[i].white_weights);
        assert_memory_equal(records_back[i].moves, records[i].moves, sizeof records[i].moves);
    }
    assert_int_equal(willow_shard_write(folder, 12, &info, rows, records, checksum, &error), WILLOW_ERR_BUSY);
    free(rows);
    free(records);
    free(rows_back);
    free(records_back);
}

static void shards_round_trip(void **state)
{
    char one[SCRATCH_PATH], two[SCRATCH_PATH];
    assert_int_equal(mkdir(scratch_join(one, *state, "one"), 0777), 0);
    assert_int_equal(mkdir(scratch_join(two, *state, "two"), 0777), 0);
    round_trip(one, WILLOW_LAYOUT_COMPACT);
    round_trip(two, WILLOW_LAYOUT_PLIES);
}

/* Texts at their limits: empty, as long as their field, of several bytes a character; and a configuration that does not
 * fit into an object's header. */
static void texts_of_any_length(void **state)
{
    enum { LENGTH = 200000 };
    char path[SCRATCH_PATH], checksum[WILLOW_CHECKSUM_TEXT], *back;
    char *text = malloc(LENGTH + 1);
    struct willow_shard_info info = make_info(0, 0, 0), read;
    info.tool[0] = info.weights[0] = '\0';
    for (size_t i = 0; i + 2 < sizeof info.labels; i += 2)
        strcpy(info.labels + i, "ü");
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    info.configuration = text;
    assert_int_equal(willow_shard_write(*state, 0, &info, NULL, NULL, checksum, NULL), WILLOW_OK);
    scratch_join(path, *state, "shard-000000.h5");
    assert_int_equal(willow_shard_read(path, &read, NULL, NULL, NULL), WILLOW_OK);
    assert_string_equal(read.tool, "");
    assert_string_equal(read.weights, "");
    assert_string_equal(read.labels, info.labels);
    assert_int_equal(shard_configuration(path, &back, NULL), WILLOW_OK);
    assert_string_equal(back, text);
    free(back);
    free(text);
}

/* The same rows in another order give the same shard but for host and time, which lie in the header's attributes. */
static void order_of_rows_and_threads_do_not_matter(void **state)
{
    char one[SCRATCH_PATH], two[SCRATCH_PATH], checksum[WILLOW_CHECKSUM_TEXT];
    struct willow_game_row *records;
    size_t count, one_size, two_size, differing = 0;
    struct willow_row *rows = datasets_random_games(3, 0, 40, &records, &count);
    struct willow_shard_info info = make_info(0, count, 40);
    assert_int_equal(willow_shard_write(*state, 1, &info, rows, records, checksum, NULL), WILLOW_OK);
    for (size_t i = 0; i < count / 2; i++) {
        struct willow_row swap = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = swap;
    }
    info.threads = 5;
    assert_int_equal(willow_shard_write(*state, 2, &info, rows, records, checksum, NULL), WILLOW_OK);
    unsigned char *a = scratch_read(scratch_join(one, *state, "shard-000001.h5"), &one_size);
    unsigned char *b = scratch_read(scratch_join(two, *state, "shard-000002.h5"), &two_size);
    assert_int_equal(one_size, two_size);
    for (size_t i = 0; i < one_size; i++)
        differing += a[i] != b[i];
    assert_true(differing <= 32); /* digits of the time and two checksums */
    free(a);
    free(b);
    free(rows);
    free(records);
}

static void empty_shards(void **state)
{
    char path[SCRATCH_PATH], checksum[WILLOW_CHECKSUM_TEXT];
    struct willow_shard_info info = make_info(0, 0, 0), back;
    struct willow_row *rows;
    struct willow_game_row *games;
    assert_int_equal(willow_shard_write(*state, 0, &info, NULL, NULL, checksum, NULL), WILLOW_OK);
    scratch_join(path, *state, "shard-000000.h5");
    assert_int_equal(willow_shard_read(path, &back, &rows, &games, NULL), WILLOW_OK);
    assert_int_equal(back.rows, 0);
    assert_int_equal(back.games, 0);
    free(rows);
    free(games);
    size_t count;
    struct willow_game_row *records;
    struct willow_row *some = datasets_random_games(1, 0, 3, &records, &count);
    info = make_info(0, count, 0); /* rows without games, as a relabelling writes */
    assert_int_equal(willow_shard_write(*state, 1, &info, some, NULL, checksum, NULL), WILLOW_OK);
    free(some);
    free(records);
}

static void read_range(const char *const *folders, size_t folders_count, int first, int last, size_t capacity,
                       const struct willow_row *all, size_t all_count)
{
    struct willow_reader *reader;
    struct willow_row *block = malloc(capacity * sizeof *block);
    assert_int_equal(
        willow_reader_open(folders, folders_count, first, last, willow_ruleset_default(), false, &reader, NULL),
        WILLOW_OK);
    for (int pass = 0; pass < 2; pass++) {
        size_t at = 0, got = 1;
        uint64_t total = 0;
        while (got > 0) {
            assert_int_equal(willow_reader_next(reader, block, capacity, &got, NULL), WILLOW_OK);
            total += got;
            for (size_t i = 0; i < got; i++, at++) {
                while (at < all_count && (all[at].ply < first || all[at].ply > last))
                    at++;
                assert_true(at < all_count);
                assert_true(datasets_rows_equal(&block[i], 1, &all[at], 1));
            }
        }
        while (at < all_count && (all[at].ply < first || all[at].ply > last))
            at++;
        assert_int_equal(at, all_count);
        assert_int_equal(total, willow_reader_rows(reader));
        assert_int_equal(willow_reader_rewind(reader, NULL), WILLOW_OK);
    }
    willow_reader_free(reader);
    free(block);
}

static void ranges_of_plies(void **state)
{
    char one[SCRATCH_PATH], none[SCRATCH_PATH], two[SCRATCH_PATH];
    static const enum willow_shard_layout layouts[] = {WILLOW_LAYOUT_COMPACT, WILLOW_LAYOUT_PLIES,
                                                       WILLOW_LAYOUT_COMPACT};
    size_t one_count, none_count, two_count;
    struct willow_row *all = datasets_write_scored(scratch_join(one, *state, "one"), 5, layouts, 3, 20, &one_count);
    struct willow_row *more = datasets_write_scored(scratch_join(two, *state, "two"), 6, layouts, 2, 100, &two_count);
    free(datasets_write_scored(scratch_join(none, *state, "none"), 7, layouts, 2, 0, &none_count));
    assert_int_equal(none_count, 0);
    all = realloc(all, (one_count + two_count) * sizeof *all);
    memcpy(all + one_count, more, two_count * sizeof *all);
    const char *folders[] = {one, none, two};
    static const int ranges[][2] = {{0, 60},  {0, 0},   {10, 12}, {29, 29}, {30, 30},
                                    {29, 30}, {59, 60}, {60, 60}, {3, 58}};
    static const size_t capacities[] = {1, 7, 100000};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (size_t c = i == 0 ? 1 : 0; c < 3; c++)
            read_range(folders, 3, ranges[i][0], ranges[i][1], capacities[c], all, one_count + two_count);
    struct willow_reader *reader;
    assert_int_equal(willow_reader_open(folders, 3, 5, 4, willow_ruleset_default(), false, &reader, NULL),
                     WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_reader_open(folders, 3, 0, 61, willow_ruleset_default(), false, &reader, NULL),
                     WILLOW_ERR_ARGUMENT);
    free(all);
    free(more);
}

/* All rows of some datasets, in order. */
struct shares {
    const struct willow_row *rows;
    const uint64_t *places; /* of the shard of each row */
    size_t count;
};

static void read_share(const char *const *folders, size_t folders_count, int first, int last, int self, int count,
                       const struct shares *all)
{
    struct willow_reader *reader;
    struct willow_row block[64];
    assert_int_equal(
        willow_reader_open(folders, folders_count, first, last, willow_ruleset_default(), false, &reader, NULL),
        WILLOW_OK);
    willow_reader_share(reader, self, count);
    for (int pass = 0; pass < 2; pass++) {
        size_t got = 1;
        uint64_t total = 0;
        struct willow_row *wanted = malloc((all->count + 1) * sizeof *wanted);
        size_t wanted_count = 0;
        for (size_t i = 0; i < all->count; i++)
            if (all->places[i] % (uint64_t)count == (uint64_t)self && all->rows[i].ply >= first &&
                all->rows[i].ply <= last)
                wanted[wanted_count++] = all->rows[i];
        assert_int_equal(willow_reader_rows(reader), wanted_count);
        for (; got > 0; total += got) {
            assert_int_equal(willow_reader_next(reader, block, 64, &got, NULL), WILLOW_OK);
            assert_true(total + got <= wanted_count);
            assert_true(datasets_rows_equal(block, got, wanted + total, got));
        }
        assert_int_equal(total, wanted_count);
        free(wanted);
        assert_int_equal(willow_reader_rewind(reader, NULL), WILLOW_OK);
    }
    willow_reader_free(reader);
}

/* More sharers than shards too, and shards that have nothing of the plies or nothing at all. */
static void shares_are_disjoint_and_complete(void **state)
{
    enum { FOLDERS = 3 };
    static const uint32_t shards[FOLDERS] = {3, 2, 2}, games[FOLDERS] = {12, 0, 30};
    static const enum willow_shard_layout layouts[] = {WILLOW_LAYOUT_PLIES, WILLOW_LAYOUT_COMPACT, WILLOW_LAYOUT_PLIES};
    static const int counts[] = {1, 2, 3, 9}, ranges[][2] = {{0, 60}, {31, 33}, {60, 60}};
    char paths[FOLDERS][SCRATCH_PATH], name[] = "f0";
    const char *folders[FOLDERS];
    struct willow_row *rows = NULL;
    uint64_t *places = NULL, place = 0;
    size_t rows_count = 0;
    for (size_t f = 0; f < FOLDERS; f++) {
        name[1] = (char)('0' + f);
        folders[f] = scratch_join(paths[f], *state, name);
        free(datasets_write_scored(folders[f], f + 1, layouts, shards[f], games[f], &(size_t){0}));
        for (uint32_t number = 0; number < shards[f]; number++, place++) {
            char path[SCRATCH_PATH], file[32];
            struct willow_shard_info info;
            struct willow_row *more;
            (void)snprintf(file, sizeof file, "shard-%06u.h5", (unsigned)number);
            assert_int_equal(willow_shard_read(scratch_join(path, folders[f], file), &info, &more, NULL, NULL),
                             WILLOW_OK);
            rows = realloc(rows, (rows_count + info.rows + 1) * sizeof *rows);
            places = realloc(places, (rows_count + info.rows + 1) * sizeof *places);
            memcpy(rows + rows_count, more, info.rows * sizeof *rows);
            for (uint64_t i = 0; i < info.rows; i++)
                places[rows_count++] = place;
            free(more);
        }
    }
    const struct shares all = {.rows = rows, .places = places, .count = rows_count};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (int self = 0; self < counts[c]; self++)
                read_share(folders, FOLDERS, ranges[r][0], ranges[r][1], self, counts[c], &all);
    free(rows);
    free(places);
}

/* Each fault in turn is put into one row; nothing may reach the disk. */
static void illegal_rows_are_not_written(void **state)
{
    struct willow_game_row *records;
    size_t count;
    char checksum[WILLOW_CHECKSUM_TEXT];
    struct willow_row *rows = datasets_random_games(9, 0, 4, &records, &count);
    struct willow_shard_info info = make_info(0, count, 4);
    for (int fault = 0; fault < 20; fault++) {
        struct willow_error error = {0};
        struct willow_row good = rows[20], *row = &rows[20];
        row->score = 64, row->depth = 4, row->selectivity = 100, row->flags = 0;
        switch (fault) {
        case 0:
            memset(row, 0, sizeof *row); /* what a full disk leaves behind */
            break;
        case 1:
            row->opponent |= row->player & -row->player;
            break;
        case 2:
            row->ply++;
            break;
        case 3:
            row->move = WILLOW_PASS;
            break;
        case 4:
            row->move = (uint8_t)__builtin_ctzll(row->player);
            break;
        case 5:
            row->result = 65;
            break;
        case 6:
            row->score = 2049;
            break;
        case 7:
            row->flags = 64;
            break;
        case 8:
            row->score = 63, row->flags = WILLOW_ROW_EXACT;
            break;
        case 9:
            row->score = WILLOW_SCORE_MISSING, row->selectivity = 0;
            break;
        case 10:
            row->depth = 61;
            break;
        case 11:
            row->score = WILLOW_SCORE_MISSING, row->depth = row->selectivity = 0, row->flags = WILLOW_ROW_EXACT;
            break;
        case 12:
            row->score = WILLOW_SCORE_MISSING, row->depth = 0;
            break;
        case 13:
            row->selectivity = 74, row->flags = WILLOW_ROW_SELECTIVE;
            break;
        case 14:
            row->selectivity = 98;
            break;
        case 15:
            row->flags = WILLOW_ROW_SELECTIVE;
            break;
        case 16:
            row->selectivity = 98, row->flags = WILLOW_ROW_SELECTIVE | WILLOW_ROW_EXACT;
            break;
        case 17:
            row->result = -65;
            break;
        case 18:
            row->score = -2049;
            break;
        case 19: /* one colour only: the game is over */
            row->player |= row->opponent, row->opponent = 0;
            break;
        }
        assert_int_equal(willow_shard_write(*state, 0, &info, rows, records, checksum, &error), WILLOW_ERR_FORMAT);
        assert_non_null(strstr(error.place, "/positions row"));
        assert_int_equal(scratch_count(*state, "h5") + scratch_count(*state, ".tmp"), 0);
        for (size_t i = 0; i < count; i++) /* rows may have been sorted around the bad one */
            if (memcmp(&rows[i], &good, sizeof good) != 0 && rows[i].game == good.game && rows[i].ply == good.ply)
                rows[i] = good;
        free(rows);
        free(records);
        rows = datasets_random_games(9, 0, 4, &records, &count);
    }
    records[2].length = 129;
    assert_int_equal(willow_shard_write(*state, 0, &info, rows, records, checksum, NULL), WILLOW_ERR_FORMAT);
    free(rows);
    free(records);
}

/* A limit on the size of files refuses the same writes as a full disk. In a child, for the limit cannot be raised
 * again. */
static void full_disk(void **state)
{
    struct willow_game_row *records;
    size_t count;
    struct willow_row *rows = datasets_random_games(9, 0, 200, &records, &count);
    struct willow_shard_info info = make_info(0, count, 200);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char checksum[WILLOW_CHECKSUM_TEXT];
        struct willow_error error = {0};
        int faults = 0;
        (void)signal(SIGXFSZ, SIG_IGN);
        for (rlim_t limit = 100000; limit > 0; limit /= 4) {
            struct rlimit size = {limit, limit};
            faults += setrlimit(RLIMIT_FSIZE, &size) != 0;
            faults += willow_shard_write(*state, 0, &info, rows, records, checksum, &error) != WILLOW_ERR_IO;
            faults += strstr(error.reason, strerror(EFBIG)) == NULL;
            faults += scratch_count(*state, ".h5") + scratch_count(*state, ".tmp");
        }
        _exit(faults);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(rows);
    free(records);
}

static void manifest_and_shards_must_agree(void **state)
{
    const char *folder = *state;
    struct willow_manifest manifest;
    struct willow_reader *reader;
    struct willow_error error;
    char path[SCRATCH_PATH];
    struct willow_ruleset other = *willow_ruleset_default();
    other.id++;
    size_t count;
    assert_int_equal(willow_reader_open(&folder, 1, 0, 60, willow_ruleset_default(), false, &reader, &error),
                     WILLOW_ERR_IO);
    static const enum willow_shard_layout layouts[2] = {WILLOW_LAYOUT_COMPACT};
    free(datasets_write_scored(folder, 4, layouts, 2, 3, &count));
    assert_int_equal(willow_reader_open(&folder, 1, 0, 60, &other, false, &reader, &error), WILLOW_ERR_MISMATCH);
    assert_int_equal(willow_manifest_read(folder, &manifest, NULL), WILLOW_OK);
    manifest.shards[1].rows++;
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    assert_int_equal(willow_reader_open(&folder, 1, 0, 60, willow_ruleset_default(), false, &reader, &error),
                     WILLOW_ERR_MISMATCH);
    assert_non_null(strstr(error.file, "shard-000001.h5"));
    manifest.shards[1].rows--;
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    assert_int_equal(unlink(scratch_join(path, folder, "shard-000001.h5")), 0);
    assert_int_equal(willow_reader_open(&folder, 1, 0, 60, willow_ruleset_default(), false, &reader, &error),
                     WILLOW_ERR_IO);
    willow_manifest_clear(&manifest);
}

/* Peak memory in KiB of a child that reads the folder from end to end. */
static long peak_of_reading(const char *folder, uint64_t wanted)
{
    struct rusage usage;
    int status;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct willow_reader *reader;
        static struct willow_row rows[4096];
        uint64_t total = 0;
        size_t got = 1;
        if (willow_reader_open(&folder, 1, 0, 60, willow_ruleset_default(), false, &reader, NULL) != WILLOW_OK)
            _exit(1);
        for (; got > 0; total += got)
            if (willow_reader_next(reader, rows, 4096, &got, NULL) != WILLOW_OK)
                _exit(1);
        willow_reader_free(reader);
        _exit(total != wanted);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return usage.ru_maxrss;
}

static void memory_of_the_reader_is_bounded(void **state)
{
    char small[SCRATCH_PATH], large[SCRATCH_PATH];
    size_t small_count, large_count;
    static const enum willow_shard_layout layouts[5] = {WILLOW_LAYOUT_COMPACT};
    /* A little more than one chunk a shard. */
    free(datasets_write_scored(scratch_join(small, *state, "small"), 5, layouts, 1, 1200, &small_count));
    free(datasets_write_scored(scratch_join(large, *state, "large"), 5, layouts, 5, 1200, &large_count));
    long small_peak = peak_of_reading(small, small_count), large_peak = peak_of_reading(large, large_count);
#ifdef __SANITIZE_ADDRESS__
    (void)small_peak, (void)large_peak; /* freed memory stays in quarantine, so the peak says nothing */
#else
    /* The rows alone would be 9 MiB more. */
    assert_true(large_peak - small_peak < 2048);
#endif
}

static void held_out_games(void **state)
{
    (void)state;
    int count = 0, both = 0;
    for (uint64_t game = 0; game < 20000; game++) {
        bool out = willow_game_held_out(1, game, 0.05);
        count += out;
        both += out && willow_game_held_out(2, game, 0.05);
        assert_false(willow_game_held_out(1, game, 0));
        assert_true(willow_game_held_out(1, game, 1));
        assert_true(!out || willow_game_held_out(1, game, 0.06)); /* a larger share contains a smaller */
    }
    assert_in_range(count, 880, 1120); /* 1000, four standard deviations */
    assert_in_range(both, 22, 78);     /* the seed matters: 50 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shards_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_of_any_length, setup, teardown),
        cmocka_unit_test_setup_teardown(order_of_rows_and_threads_do_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(empty_shards, setup, teardown),
        cmocka_unit_test_setup_teardown(ranges_of_plies, setup, teardown),
        cmocka_unit_test_setup_teardown(shares_are_disjoint_and_complete, setup, teardown),
        cmocka_unit_test_setup_teardown(illegal_rows_are_not_written, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(manifest_and_shards_must_agree, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_of_the_reader_is_bounded, setup, teardown),
        cmocka_unit_test(held_out_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
