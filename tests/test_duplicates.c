/* Equal positions against a slow reference that sorts the least of eight images: counts, what is dropped, what is
 * averaged, whatever the memory; and three games in all their disguises. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <willow/file.h>
#include <willow/random.h>

#include "selfplay/tools/duplicates.h"
#include "selfplay/tools/position_table.h"
#include "support/datasets.h"
#include "support/require.h"
#include "support/scratch.h"

/* Enough positions that a mebibyte holds neither their keys nor, by far, their labels. */
enum { SHARDS = 3, GAMES = 250, MEBIBYTE = 1 << 20, FOLDERS = 3 };

struct marked {
    struct willow_row row;
    struct willow_board image;
    uint64_t number;
    bool dropped;
};

struct fixture {
    char scratch[SCRATCH_PATH], paths[2][SCRATCH_PATH];
    const char *folders[FOLDERS]; /* the second one twice */
    struct marked *rows;          /* of all folders, in the reader's order */
    size_t count;
};

/* Few values, so that equal and better labels are common among equal positions. */
static void label(struct willow_row *row, void *context)
{
    struct willow_random *random = context;
    const uint32_t kind = willow_random_below(random, 8);
    row->result = (int8_t)((int)willow_random_below(random, 129) - 64);
    row->flags = willow_random_below(random, 2) ? WILLOW_ROW_SOLVED_RESULT : WILLOW_ROW_RANDOM;
    if (kind == 0)
        return;
    row->depth = (uint8_t)(1 + willow_random_below(random, 3));
    row->score = (int16_t)((int)willow_random_below(random, 4097) - 2048);
    row->selectivity = 100;
    if (kind == 1) {
        row->flags |= WILLOW_ROW_EXACT;
        row->score = (int16_t)(32 * ((int)willow_random_below(random, 129) - 64));
    } else if (kind < 5) {
        row->selectivity = 87;
        row->flags |= WILLOW_ROW_SELECTIVE;
    }
}

static struct willow_board least_image(const struct willow_row *row)
{
    struct willow_board least = {row->player, row->opponent};
    for (int s = 1; s < WILLOW_SYMMETRIES; s++) {
        const struct willow_board image =
            willow_board_symmetry(willow_ruleset_default(), (struct willow_board){row->player, row->opponent}, s);
        if (image.player < least.player || (image.player == least.player && image.opponent < least.opponent))
            least = image;
    }
    return least;
}

/* All images of the rows of another folder, one for each game in turn; no games. */
static void write_images(const char *folder, const struct willow_row *source, size_t count)
{
    struct willow_manifest manifest = {.ruleset = willow_ruleset_default()->id, .seed = 5};
    struct willow_manifest_shard entry = {.rows = count};
    struct willow_shard_info info = {.ruleset = manifest.ruleset, .seed = 5, .rows = count};
    struct willow_row *rows = malloc(count * sizeof *rows);
    struct willow_random random;
    willow_random_init(&random, 3, 3);
    for (size_t i = 0; i < count; i++) {
        const int symmetry = (int)(source[i].game % WILLOW_SYMMETRIES);
        const struct willow_board image = willow_board_symmetry(
            willow_ruleset_default(), (struct willow_board){source[i].player, source[i].opponent}, symmetry);
        rows[i] = source[i];
        rows[i].player = image.player;
        rows[i].opponent = image.opponent;
        rows[i].move = willow_square_symmetry(willow_ruleset_default(), source[i].move, symmetry);
        rows[i].score = WILLOW_SCORE_MISSING;
        rows[i].depth = rows[i].selectivity = 0;
        label(&rows[i], &random);
    }
    assert_int_equal(willow_folder_create(folder, NULL), WILLOW_OK);
    assert_int_equal(willow_shard_write(folder, 0, &info, rows, NULL, entry.checksum, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_add(&manifest, &entry, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
    free(rows);
}

static int compare_marked(const void *left, const void *right)
{
    const struct marked *a = left, *b = right;
    if (a->image.player != b->image.player)
        return a->image.player < b->image.player ? -1 : 1;
    if (a->image.opponent != b->image.opponent)
        return a->image.opponent < b->image.opponent ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool same_image(const struct marked *a, const struct marked *b)
{
    return a->image.player == b->image.player && a->image.opponent == b->image.opponent;
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct willow_random random;
    size_t counts[2];
    struct willow_row *rows[2];
    willow_random_init(&random, 1, 1);
    scratch_make(fixture->scratch);
    scratch_join(fixture->paths[0], fixture->scratch, "games");
    scratch_join(fixture->paths[1], fixture->scratch, "images");
    assert_true(datasets_write_random(fixture->paths[0], 7, SHARDS, GAMES, label, &random));
    rows[0] = datasets_rows(fixture->paths[0], &counts[0]);
    write_images(fixture->paths[1], rows[0], counts[0] / 4);
    rows[1] = datasets_rows(fixture->paths[1], &counts[1]);
    fixture->rows = calloc(counts[0] + 2 * counts[1], sizeof *fixture->rows);
    for (int f = 0; f < FOLDERS; f++) {
        const int which = f > 0;
        fixture->folders[f] = fixture->paths[which];
        for (size_t i = 0; i < counts[which]; i++) {
            struct marked *marked = &fixture->rows[fixture->count];
            *marked = (struct marked){rows[which][i], least_image(&rows[which][i]), fixture->count, false};
            fixture->count++;
        }
    }
    free(rows[0]);
    free(rows[1]);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->scratch);
    free(fixture->rows);
    free(fixture);
    return 0;
}

struct heard {
    bool *dropped;
    struct duplicates_labels *labels; /* by number of row */
    uint64_t labels_count, rows_seen, progress_done, progress_total;
};

static void hear_row(void *context, const struct willow_row *row)
{
    (void)row;
    ((struct heard *)context)->rows_seen++;
}

static void hear_drop(void *context, uint64_t number)
{
    ((struct heard *)context)->dropped[number] = true;
}

static enum willow_status hear_labels(void *context, const struct duplicates_labels *labels, size_t count,
                                      struct willow_error *error)
{
    (void)error;
    struct heard *heard = context;
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || labels[i].number > labels[i - 1].number);
        heard->labels[labels[i].number] = labels[i];
        heard->labels_count++;
    }
    return WILLOW_OK;
}

static void hear_progress(void *context, uint64_t done, uint64_t total)
{
    struct heard *heard = context;
    assert_true(done > heard->progress_done && done <= total);
    heard->progress_done = done;
    heard->progress_total = total;
}

static struct heard find(const struct fixture *fixture, enum duplicates_rule rule, size_t memory_bytes,
                         struct duplicates_summary *summary)
{
    require(fixture->count > 0, "no rows");
    struct heard heard = {.dropped = calloc(fixture->count, sizeof(bool)),
                          .labels = calloc(fixture->count, sizeof(struct duplicates_labels))};
    const struct duplicates_options options = {.folders = fixture->folders,
                                               .count = FOLDERS,
                                               .ruleset = willow_ruleset_default(),
                                               .memory_bytes = memory_bytes,
                                               .rule = rule,
                                               .row = hear_row,
                                               .drop = hear_drop,
                                               .relabel = hear_labels,
                                               .progress = hear_progress,
                                               .context = &heard};
    assert_int_equal(duplicates_find(&options, summary, NULL), WILLOW_OK);
    assert_int_equal(heard.rows_seen, fixture->count);
    assert_int_equal(summary->rows, fixture->count);
    assert_true(heard.progress_done == heard.progress_total || summary->passes > 1);
    return heard;
}

static void forget(struct heard *heard)
{
    free(heard->dropped);
    free(heard->labels);
}

/* Sorts the rows into groups and calls `check` with each. */
static void each_group(struct fixture *fixture, const struct heard *heard,
                       void (*check)(const struct heard *heard, const struct marked *group, size_t count))
{
    qsort(fixture->rows, fixture->count, sizeof *fixture->rows, compare_marked);
    for (size_t first = 0, end; first < fixture->count; first = end) {
        for (end = first + 1; end < fixture->count && same_image(&fixture->rows[first], &fixture->rows[end]);)
            end++;
        check(heard, &fixture->rows[first], end - first);
    }
}

static void counts_are_those_of_the_reference(void **state)
{
    struct fixture *fixture = *state;
    const size_t memory[] = {MEBIBYTE, (size_t)64 * MEBIBYTE};
    uint64_t distinct = 0, by_ply[WILLOW_PLIES] = {0}, rows_by_ply[WILLOW_PLIES] = {0};
    qsort(fixture->rows, fixture->count, sizeof *fixture->rows, compare_marked);
    for (size_t i = 0; i < fixture->count; i++) {
        const bool fresh = i == 0 || !same_image(&fixture->rows[i - 1], &fixture->rows[i]);
        distinct += fresh;
        by_ply[fixture->rows[i].row.ply] += fresh;
        rows_by_ply[fixture->rows[i].row.ply]++;
    }
    for (size_t m = 0; m < 2; m++) {
        struct duplicates_summary summary;
        struct heard heard = find(fixture, DUPLICATES_COUNT, memory[m], &summary);
        assert_int_equal(summary.distinct, distinct);
        assert_memory_equal(summary.distinct_by_ply, by_ply, sizeof by_ply);
        assert_memory_equal(summary.rows_by_ply, rows_by_ply, sizeof by_ply);
        forget(&heard);
    }
}

static void check_best(const struct heard *heard, const struct marked *group, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        const struct willow_row *row = &group[i].row, *champion = &group[best].row;
        const int exact = (row->flags & WILLOW_ROW_EXACT) - (champion->flags & WILLOW_ROW_EXACT);
        const int depth = row->depth - champion->depth, selectivity = row->selectivity - champion->selectivity;
        if (exact > 0 || (exact == 0 && (depth > 0 || (depth == 0 && selectivity > 0))))
            best = i;
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(heard->dropped[group[i].number], i != best);
}

static void the_best_labelled_row_stays(void **state)
{
    struct fixture *fixture = *state;
    const size_t memory[] = {MEBIBYTE, (size_t)64 * MEBIBYTE};
    for (size_t m = 0; m < 2; m++) {
        struct duplicates_summary summary;
        struct heard heard = find(fixture, DUPLICATES_DROP, memory[m], &summary);
        assert_true(m == 0 ? summary.passes > 3 : summary.passes == 1);
        assert_int_equal(heard.labels_count, 0);
        each_group(fixture, &heard, check_best);
        forget(&heard);
    }
}

/* The score that a group comes to, from scratch. */
static void reference_mean(const struct marked *group, size_t count, struct willow_row *mean)
{
    double results = 0, scores = 0;
    int scored = 0, solved = WILLOW_ROW_SOLVED_RESULT;
    const struct willow_row *label = &group[0].row;
    for (size_t i = 0; i < count; i++) {
        const struct willow_row *row = &group[i].row;
        results += row->result;
        solved &= row->flags;
        if (!(label->flags & WILLOW_ROW_EXACT) &&
            ((row->flags & WILLOW_ROW_EXACT) || row->depth > label->depth ||
             (row->depth == label->depth && row->selectivity > label->selectivity)))
            label = row;
    }
    for (size_t i = 0; i < count; i++) {
        const struct willow_row *row = &group[i].row;
        if (row == label || (!(label->flags & WILLOW_ROW_EXACT) && row->depth == label->depth &&
                             row->selectivity == label->selectivity)) {
            scores += row->score;
            scored++;
        }
    }
    *mean = group[0].row;
    mean->score = (int16_t)round(scores / scored);
    mean->result = (int8_t)round(results / (double)count);
    mean->depth = label->depth;
    mean->selectivity = label->selectivity;
    mean->flags = (uint8_t)((group[0].row.flags & WILLOW_ROW_RANDOM) | solved |
                            (label->flags & (WILLOW_ROW_EXACT | WILLOW_ROW_SELECTIVE)));
}

static void check_mean(const struct heard *heard, const struct marked *group, size_t count)
{
    struct willow_row mean;
    const struct duplicates_labels *labels = &heard->labels[group[0].number];
    for (size_t i = 0; i < count; i++)
        assert_int_equal(heard->dropped[group[i].number], i > 0);
    if (count == 1) {
        assert_int_equal(labels->selectivity + labels->flags, 0);
        return;
    }
    reference_mean(group, count, &mean);
    assert_int_equal(labels->number, group[0].number);
    assert_int_equal(labels->score, mean.score);
    assert_int_equal(labels->result, mean.result);
    assert_int_equal(labels->depth, mean.depth);
    assert_int_equal(labels->selectivity, mean.selectivity);
    assert_int_equal(labels->flags, mean.flags);
}

static void equal_positions_are_averaged(void **state)
{
    struct fixture *fixture = *state;
    const size_t memory[] = {MEBIBYTE, (size_t)64 * MEBIBYTE};
    for (size_t m = 0; m < 2; m++) {
        struct duplicates_summary summary;
        struct heard heard = find(fixture, DUPLICATES_AVERAGE, memory[m], &summary);
        assert_true(m == 0 ? summary.passes > 3 : summary.passes == 1);
        each_group(fixture, &heard, check_mean);
        forget(&heard);
    }
}

/* Three games, each in the four images that the start allows, and each once more: as many different positions as the
 * three games alone have. */
static void disguises_are_seen_through(void **state)
{
    struct fixture *fixture = *state;
    struct willow_game_row *records;
    size_t count, alone_distinct = 0;
    char folder[SCRATCH_PATH];
    struct willow_row *games = datasets_random_games(11, 0, 3, &records, &count);
    struct willow_row *rows = malloc(5 * count * sizeof *rows);
    for (size_t i = 0; i < 5 * count; i++) {
        static const int symmetries[] = {0, 3, 4, 7, 0};
        const int symmetry = symmetries[i / count];
        const struct willow_row *row = &games[i % count];
        const struct willow_board image = willow_board_symmetry(
            willow_ruleset_default(), (struct willow_board){row->player, row->opponent}, symmetry);
        rows[i] = *row;
        rows[i].player = image.player;
        rows[i].opponent = image.opponent;
        rows[i].move = willow_square_symmetry(willow_ruleset_default(), row->move, symmetry);
        rows[i].game = i / count * 3 + row->game;
    }
    for (size_t i = 0; i < count; i++) {
        const struct willow_board image = least_image(&games[i]);
        bool met = false;
        for (size_t j = 0; j < i; j++) {
            const struct willow_board other = least_image(&games[j]);
            met = met || (other.player == image.player && other.opponent == image.opponent);
        }
        alone_distinct += !met;
    }
    struct willow_manifest manifest = {.ruleset = willow_ruleset_default()->id};
    struct willow_manifest_shard entry = {.rows = 5 * count};
    struct willow_shard_info info = {.ruleset = manifest.ruleset, .rows = 5 * count};
    scratch_join(folder, fixture->scratch, "disguises");
    assert_int_equal(willow_folder_create(folder, NULL), WILLOW_OK);
    assert_int_equal(willow_shard_write(folder, 0, &info, rows, NULL, entry.checksum, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_add(&manifest, &entry, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
    struct duplicates_summary summary;
    const char *folders[] = {folder};
    const struct duplicates_options options = {
        .folders = folders, .count = 1, .ruleset = willow_ruleset_default(), .memory_bytes = MEBIBYTE};
    assert_int_equal(duplicates_find(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.rows, 5 * count);
    assert_int_equal(summary.distinct, alone_distinct);
    assert_int_equal(summary.distinct_by_ply[0], 1);
    assert_int_equal(summary.distinct_by_ply[1], 1);
    free(rows);
    free(games);
    free(records);
}

static void little_memory_and_stops_are_reported(void **state)
{
    struct fixture *fixture = *state;
    struct willow_stop *stop;
    struct willow_error error;
    struct duplicates_summary summary;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    struct duplicates_options options = {.folders = fixture->folders,
                                         .count = FOLDERS,
                                         .ruleset = willow_ruleset_default(),
                                         .memory_bytes = MEBIBYTE - 1};
    assert_int_equal(duplicates_find(&options, &summary, &error), WILLOW_ERR_ARGUMENT);
    options.memory_bytes = MEBIBYTE;
    options.stop = stop;
    assert_int_equal(duplicates_find(&options, &summary, &error), WILLOW_ERR_STOPPED);
    willow_stop_free(stop);
}

/* A full table that is cut keeps what lies below the end, and finds all of it; what lies above is gone. */
static void a_table_that_is_cut_keeps_the_lower_half(void **state)
{
    (void)state;
    enum { POSITIONS = 3000 };
    struct position_table table;
    struct willow_random random;
    uint64_t keys[POSITIONS], end = POSITION_KEY(61);
    bool fresh;
    willow_random_init(&random, 4, 4);
    assert_int_equal(
        position_table_init(&table, sizeof *keys, UINT64_MAX, (size_t)(POSITIONS / 3 * 4) * sizeof *keys, NULL),
        WILLOW_OK);
    assert_int_equal(table.limit, POSITIONS);
    for (int i = 0; i < POSITIONS; i++) {
        const struct willow_board board = {willow_random_u64(&random), 0};
        keys[i] = position_key((int)willow_random_below(&random, 61), board);
        (void)position_table_take(&table, keys[i], board, &fresh);
        assert_true(fresh);
    }
    assert_true(position_table_full(&table));
    assert_true(position_table_cut(&table, POSITION_KEY(0), &end));
    assert_in_range(table.count, POSITIONS / 4, POSITIONS / 4 * 3);
    uint64_t below = 0;
    for (int i = 0; i < POSITIONS; i++) {
        below += keys[i] < end;
        (void)position_table_take(&table, keys[i], (struct willow_board){0, 0}, &fresh);
        assert_int_equal(fresh, keys[i] >= end);
    }
    assert_int_equal(table.count, POSITIONS);
    assert_in_range(below, POSITIONS / 4, POSITIONS / 4 * 3);
    /* One key cannot be parted. */
    position_table_empty(&table);
    (void)position_table_take(&table, keys[0], (struct willow_board){0, 0}, &fresh);
    end = POSITION_KEY(61);
    assert_false(position_table_cut(&table, keys[0], &end));
    position_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_reference),
        cmocka_unit_test(the_best_labelled_row_stays),
        cmocka_unit_test(equal_positions_are_averaged),
        cmocka_unit_test(disguises_are_seen_through),
        cmocka_unit_test(little_memory_and_stops_are_reported),
        cmocka_unit_test(a_table_that_is_cut_keeps_the_lower_half),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
