/* Held-out boards that are fitted as well, against a search through all pairs of rows; one process or several. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/random.h>

#include "support/scratch.h"
#include "trainer/samples/board_table.h"
#include "trainer/samples/overlap.h"

enum { ROWS = 2 * SAMPLE_BLOCK_ROWS + 6100 }; /* of a list; more than two blocks */

/* Set by main. */
struct surroundings {
    char folder[SCRATCH_PATH];
    struct willow_ranks *ranks;
};

/* The rows of one ply and part, and their canonical boards. */
struct list {
    struct sample rows[ROWS];
    struct willow_board boards[ROWS];
    size_t count;
};

struct ply_rows {
    struct list parts[SAMPLE_PARTS];
};

static bool same(struct willow_board a, struct willow_board b)
{
    return a.player == b.player && a.opponent == b.opponent;
}

/* The least image, one after the other. */
static struct willow_board canonical(struct willow_board board)
{
    struct willow_board least = board;
    for (int symmetry = 1; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        const struct willow_board image = willow_board_symmetry(willow_ruleset_default(), board, symmetry);
        if (image.player < least.player || (image.player == least.player && image.opponent < least.opponent))
            least = image;
    }
    return least;
}

static void add_row(struct list *list, struct willow_board board, float label, enum sample_kind kind)
{
    assert_true(list->count < ROWS);
    list->rows[list->count] =
        (struct sample){.board = board, .label = label, .weight = SAMPLE_WEIGHT_ONE, .kind = (uint8_t)kind};
    list->boards[list->count++] = canonical(board);
}

/* Rows of `pool` different boards, each turned at random; few of the exact labels contradict. */
static void make_rows(struct list *list, size_t count, uint64_t pool, uint64_t seed, struct willow_random *random)
{
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct willow_random source;
        willow_random_init(&source, seed, willow_random_u64(random) % pool);
        struct willow_board board = {willow_random_u64(&source), 0};
        board.opponent = willow_random_u64(&source) & ~board.player;
        const enum sample_kind kind = (enum sample_kind)willow_random_below(&source, SAMPLE_KINDS);
        const int discs = (int)willow_random_below(&source, 129) - 64 + (willow_random_below(random, 50) == 0);
        board =
            willow_board_symmetry(willow_ruleset_default(), board, (int)willow_random_below(random, WILLOW_SYMMETRIES));
        add_row(list, board, (float)(discs * WILLOW_SCORE_DISC), kind);
    }
}

static bool stands_in(const struct list *list, size_t count, struct willow_board board)
{
    for (size_t i = 0; i < count; i++)
        if (same(list->boards[i], board))
            return true;
    return false;
}

/* What a board's exact labels say, over both parts. */
static bool contradicts(const struct ply_rows *rows, struct willow_board board, int labels[2])
{
    labels[0] = INT_MAX;
    labels[1] = INT_MIN;
    for (int part = 0; part < SAMPLE_PARTS; part++)
        for (size_t i = 0; i < rows->parts[part].count; i++) {
            const struct sample *row = &rows->parts[part].rows[i];
            if (row->kind != SAMPLE_EXACT || !same(rows->parts[part].boards[i], board))
                continue;
            labels[0] = (int)row->label < labels[0] ? (int)row->label : labels[0];
            labels[1] = (int)row->label > labels[1] ? (int)row->label : labels[1];
        }
    return labels[0] < labels[1];
}

/* The report of one ply, and the held-out rows that stay. */
static struct overlap_report slow_check(const struct ply_rows *rows, int ply, struct list *stay)
{
    struct overlap_report report = {.ply = ply};
    struct overlap_counts *counts = &report.plies[ply];
    const struct list *train = &rows->parts[SAMPLE_TRAIN], *held_out = &rows->parts[SAMPLE_HELD_OUT];
    counts->training = train->count;
    counts->held_out = held_out->count;
    stay->count = 0;
    for (size_t i = 0; i < train->count; i++)
        counts->duplicates += stands_in(train, i, train->boards[i]);
    for (size_t i = 0; i < held_out->count; i++)
        if (stands_in(train, train->count, held_out->boards[i]))
            counts->dropped++;
        else
            stay->rows[stay->count++] = held_out->rows[i];
    for (int part = 0; part < SAMPLE_PARTS; part++)
        for (size_t i = 0; i < rows->parts[part].count; i++) {
            const struct willow_board board = rows->parts[part].boards[i];
            int labels[2];
            if (stands_in(&rows->parts[part], i, board) ||
                (part == SAMPLE_HELD_OUT && stands_in(train, train->count, board)) || !contradicts(rows, board, labels))
                continue;
            if (counts->contradictory++ == 0 || board.player < report.board.player ||
                (board.player == report.board.player && board.opponent < report.board.opponent)) {
                report.board = board;
                memcpy(report.labels, labels, sizeof labels);
            }
        }
    report.all = *counts;
    return report;
}

static struct samples *store(const char *folder, const struct ply_rows *const *rows, const int *plies, size_t count)
{
    struct samples *samples = NULL;
    assert_int_equal(samples_new(folder, &samples, NULL), WILLOW_OK);
    for (size_t p = 0; p < count; p++)
        for (int part = 0; part < SAMPLE_PARTS; part++)
            assert_int_equal(samples_append(samples, plies[p], (enum sample_part)part, rows[p]->parts[part].rows,
                                            rows[p]->parts[part].count, NULL),
                             WILLOW_OK);
    return samples;
}

static void expect_list(const struct samples *samples, int ply, enum sample_part part, const struct list *list)
{
    struct sample *rows = malloc(SAMPLE_BLOCK_ROWS * sizeof *rows);
    assert_non_null(rows);
    assert_int_equal(samples_rows(samples, ply, part), list->count);
    for (size_t block = 0, done = 0, count; block < samples_blocks(samples, ply, part); block++, done += count) {
        assert_int_equal(samples_read(samples, ply, part, block, rows, &count, NULL), WILLOW_OK);
        assert_memory_equal(rows, list->rows + done, count * sizeof *rows);
    }
    free(rows);
}

static void expect_counts(const struct overlap_counts *counts, const struct overlap_counts *wanted)
{
    assert_int_equal(counts->training, wanted->training);
    assert_int_equal(counts->duplicates, wanted->duplicates);
    assert_int_equal(counts->held_out, wanted->held_out);
    assert_int_equal(counts->dropped, wanted->dropped);
    assert_int_equal(counts->contradictory, wanted->contradictory);
}

static void expect_report(const struct overlap_report *report, const struct overlap_report *wanted)
{
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        expect_counts(&report->plies[ply], &wanted->plies[ply]);
    expect_counts(&report->all, &wanted->all);
    if (wanted->all.contradictory == 0)
        return;
    assert_int_equal(report->ply, wanted->ply);
    assert_true(same(report->board, wanted->board));
    assert_true(report->labels[0] == wanted->labels[0] && report->labels[1] == wanted->labels[1]);
}

/* One reading, and very many. */
static const struct overlap_options ways[] = {{.threads = 1},
                                              {.threads = 2},
                                              {.threads = 5},
                                              {.threads = 1, .memory_bytes = 4096},
                                              {.threads = 3, .memory_bytes = 20000}};

static void every_way_finds_what_the_slow_one_finds(void **state)
{
    const struct surroundings *surroundings = *state;
    /* Fitted and held-out rows, and how many boards they share. */
    static const size_t cases[][3] = {{1500, 300, 400}, {1500, 300, 1 << 20}, {0, 100, 50},
                                      {200, 0, 100},    {ROWS, 5000, 9000},   {1, 1, 1},
                                      {1, 5, 1},        {700, 20, 1}};
    struct ply_rows *rows = calloc(1, sizeof *rows);
    struct list *stay = calloc(1, sizeof *stay);
    struct willow_random random;
    assert_true(rows && stay);
    willow_random_init(&random, 4, 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        make_rows(&rows->parts[SAMPLE_TRAIN], cases[c][0], cases[c][2], c, &random);
        make_rows(&rows->parts[SAMPLE_HELD_OUT], cases[c][1], cases[c][2], c, &random);
        const int ply = (int)(7 * c);
        const struct overlap_report wanted = slow_check(rows, ply, stay);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            struct samples *samples = store(surroundings->folder, (const struct ply_rows *const[]){rows}, &ply, 1);
            struct overlap_report report;
            struct overlap_options way = ways[w];
            way.ruleset = willow_ruleset_default();
            assert_int_equal(overlap_run(samples, &way, &report, NULL), WILLOW_OK);
            expect_report(&report, &wanted);
            expect_list(samples, ply, SAMPLE_HELD_OUT, stay);
            expect_list(samples, ply, SAMPLE_TRAIN, &rows->parts[SAMPLE_TRAIN]);
            /* What stayed is unseen, so a second time finds nothing. */
            assert_int_equal(overlap_run(samples, &way, &report, NULL), WILLOW_OK);
            assert_int_equal(report.all.dropped, 0);
            assert_int_equal(report.all.held_out, stay->count);
            samples_free(samples);
        }
    }
    free(rows);
    free(stay);
}

/* Boards of one ply are none of another's, and the contradiction of the first ply is the one that is kept. */
static void plies_are_apart(void **state)
{
    const struct surroundings *surroundings = *state;
    static const int plies[] = {3, 4, 60};
    enum { PLIES = sizeof plies / sizeof *plies };
    struct ply_rows *rows[PLIES];
    struct list *stay[PLIES];
    struct overlap_report wanted = {0};
    struct willow_random random;
    willow_random_init(&random, 4, 2);
    for (size_t p = 0; p < PLIES; p++) {
        rows[p] = calloc(1, sizeof *rows[p]);
        stay[p] = calloc(1, sizeof *stay[p]);
        assert_true(rows[p] && stay[p]);
        make_rows(&rows[p]->parts[SAMPLE_TRAIN], 300, 100, 99, &random);
        make_rows(&rows[p]->parts[SAMPLE_HELD_OUT], 100, 200, 99, &random);
        const struct overlap_report one = slow_check(rows[p], plies[p], stay[p]);
        if (wanted.all.contradictory == 0) {
            wanted.ply = one.ply;
            wanted.board = one.board;
            memcpy(wanted.labels, one.labels, sizeof wanted.labels);
        }
        wanted.plies[plies[p]] = one.all;
        wanted.all.training += one.all.training;
        wanted.all.duplicates += one.all.duplicates;
        wanted.all.held_out += one.all.held_out;
        wanted.all.dropped += one.all.dropped;
        wanted.all.contradictory += one.all.contradictory;
    }
    assert_true(wanted.all.contradictory > 3 && wanted.all.dropped > 50 && stay[0]->count > 10);
    struct samples *samples =
        store(surroundings->folder, (const struct ply_rows *const[]){rows[0], rows[1], rows[2]}, plies, PLIES);
    struct overlap_report report;
    const struct overlap_options two_threads = {.ruleset = willow_ruleset_default(), .threads = 2};
    assert_int_equal(overlap_run(samples, &two_threads, &report, NULL), WILLOW_OK);
    expect_report(&report, &wanted);
    for (size_t p = 0; p < PLIES; p++) {
        expect_list(samples, plies[p], SAMPLE_HELD_OUT, stay[p]);
        free(rows[p]);
        free(stay[p]);
    }
    samples_free(samples);
}

/* Every rank has some of the rows; a held-out one is dropped whoever fits its board. */
static void ranks_find_what_one_finds(void **state)
{
    const struct surroundings *surroundings = *state;
    const int self = willow_ranks_self(surroundings->ranks), count = willow_ranks_count(surroundings->ranks), ply = 30;
    struct ply_rows *rows = calloc(1, sizeof *rows), *own = calloc(1, sizeof *own);
    struct list *stay = calloc(1, sizeof *stay), *own_stay = calloc(1, sizeof *own_stay);
    struct willow_random random;
    assert_true(rows && own && stay && own_stay);
    willow_random_init(&random, 4, 3);
    make_rows(&rows->parts[SAMPLE_TRAIN], 1500, 1000, 7, &random);
    make_rows(&rows->parts[SAMPLE_HELD_OUT], 6000, 3000, 7, &random);
    struct overlap_report wanted = slow_check(rows, ply, stay);
    for (int part = 0; part < SAMPLE_PARTS; part++)
        for (size_t i = 0; i < rows->parts[part].count; i++)
            if ((int)(i * i % 7) % count == self) /* shares of different sizes */
                add_row(&own->parts[part], rows->parts[part].rows[i].board, rows->parts[part].rows[i].label,
                        (enum sample_kind)rows->parts[part].rows[i].kind);
    const struct list *held_out = &own->parts[SAMPLE_HELD_OUT], *train = &rows->parts[SAMPLE_TRAIN];
    for (size_t i = 0; i < held_out->count; i++)
        if (!stands_in(train, train->count, held_out->boards[i]))
            own_stay->rows[own_stay->count++] = held_out->rows[i];
    struct samples *samples = store(surroundings->folder, (const struct ply_rows *const[]){own}, &ply, 1);
    const struct overlap_options options = {
        .ruleset = willow_ruleset_default(), .threads = 2, .ranks = surroundings->ranks};
    struct overlap_report report;
    assert_int_equal(overlap_run(samples, &options, &report, NULL), WILLOW_OK);
    expect_list(samples, ply, SAMPLE_HELD_OUT, own_stay);
    /* Repetitions between ranks are not seen. */
    assert_true(report.all.duplicates <= wanted.all.duplicates && report.all.duplicates > 100);
    assert_true(report.all.contradictory <= wanted.all.contradictory && report.all.contradictory > 5);
    assert_true(count > 1 || report.all.duplicates == wanted.all.duplicates);
    wanted.plies[ply].duplicates = wanted.all.duplicates = report.all.duplicates;
    wanted.plies[ply].contradictory = wanted.all.contradictory = report.all.contradictory;
    wanted.ply = report.ply;
    wanted.board = report.board;
    memcpy(wanted.labels, report.labels, sizeof wanted.labels);
    expect_report(&report, &wanted);
    int labels[2];
    assert_int_equal(report.ply, ply);
    assert_true(contradicts(rows, report.board, labels) && labels[0] <= report.labels[0]);
    assert_true(report.labels[0] < report.labels[1] && report.labels[1] <= labels[1]);
    samples_free(samples);
    free(rows);
    free(own);
    free(stay);
    free(own_stay);
}

/* A rank that cannot go on takes the others with it; a full scratch disk is one reason. */
static void a_failure_of_one_is_one_of_all(void **state)
{
    const struct surroundings *surroundings = *state;
    const int ply = 12;
    struct ply_rows *rows = calloc(1, sizeof *rows);
    struct willow_random random;
    struct willow_error error;
    struct overlap_report report;
    assert_non_null(rows);
    willow_random_init(&random, 4, 4);
    make_rows(&rows->parts[SAMPLE_TRAIN], SAMPLE_BLOCK_ROWS, 1000, 8, &random);
    make_rows(&rows->parts[SAMPLE_HELD_OUT], SAMPLE_BLOCK_ROWS, 1000, 8, &random);
    for (int bad_block = 0; bad_block < 2; bad_block++) {
        struct samples *samples = store(surroundings->folder, (const struct ply_rows *const[]){rows}, &ply, 1);
        if (willow_ranks_self(surroundings->ranks) == 0) {
            const char byte = 0x55;
            const int fd = scratch_nameless(surroundings->folder);
            assert_int_equal(pwrite(fd, &byte, 1, bad_block * SAMPLE_BLOCK_ROWS * (off_t)sizeof(struct sample) + 5), 1);
        }
        const struct overlap_options options = {
            .ruleset = willow_ruleset_default(), .threads = 2, .ranks = surroundings->ranks};
        assert_int_equal(overlap_run(samples, &options, &report, &error), WILLOW_ERR_CHECKSUM);
        samples_free(samples);
    }
    struct willow_stop *stop = NULL;
    struct samples *samples = store(surroundings->folder, (const struct ply_rows *const[]){rows}, &ply, 1);
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    const struct overlap_options options = {.ruleset = willow_ruleset_default(), .threads = 2, .stop = stop};
    assert_int_equal(overlap_run(samples, &options, &report, &error), WILLOW_ERR_STOPPED);
    willow_stop_free(stop);
    samples_free(samples);
    free(rows);
}

static void tables_grow(void **state)
{
    (void)state;
    struct board_table table = {0};
    assert_int_equal(board_table_init(&table, 0, NULL), WILLOW_OK);
    for (int time = 0; time < 2; time++)
        for (uint64_t i = 0; i < 5000; i++) {
            const struct willow_board board = {i + 1, ~i << 32};
            const int16_t label = (int16_t)(i % 10 == 0 ? time : i % 2 ? 5 : BOARD_TABLE_NO_LABEL);
            assert_int_equal(board_table_add(&table, board, willow_board_hash(board), i % 3 == 0, label, NULL),
                             WILLOW_OK);
        }
    assert_true(table.count == 5000 && table.fitted == 1667 && table.contradictory == 500);
    for (uint64_t i = 0; i < 10000; i++) {
        const struct willow_board board = {i + 1, ~i << 32};
        assert_int_equal(board_table_fitted(&table, board, willow_board_hash(board)), i < 5000 && i % 3 == 0);
    }
    assert_int_equal(board_table_contradiction(&table)->board.player, 1);
    assert_int_equal(board_table_init(&table, 5000, NULL), WILLOW_OK);
    assert_true(table.count == 0 && table.fitted == 0 && !board_table_contradiction(&table));
    board_table_clear(&table);
}

int main(void)
{
    struct surroundings surroundings;
    if (willow_ranks_start(&surroundings.ranks, NULL) != WILLOW_OK)
        return 1;
    scratch_make(surroundings.folder);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_way_finds_what_the_slow_one_finds, &surroundings),
        cmocka_unit_test_prestate(plies_are_apart, &surroundings),
        cmocka_unit_test_prestate(ranks_find_what_one_finds, &surroundings),
        cmocka_unit_test_prestate(a_failure_of_one_is_one_of_all, &surroundings),
        cmocka_unit_test_prestate(tables_grow, &surroundings),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(surroundings.folder);
    willow_ranks_end(surroundings.ranks);
    return failed;
}
