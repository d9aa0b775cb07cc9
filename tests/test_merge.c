/* Merging: every row once and in order with its game, ids unique, parts of a run put together again, equal positions
 * dropped or averaged as a slow reference says, and what does not go together refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <willow/file.h>

#include "selfplay/tools/merge.h"
#include "selfplay/tools/shuffle.h"
#include "support/two_runs.h"

/* More positions than a mebibyte holds while equal ones are looked for. */
enum { SHARDS = 4, GAMES = 40, SHARD_ROWS = 5000, LITTLE_MEMORY = (1 << 20) + (1 << 14), MUCH_MEMORY = 1 << 26 };

/* A score that depends on the row alone, and an exact one now and then. */
static void label(struct willow_row *row, void *context)
{
    (void)context;
    row->depth = (uint8_t)(1 + row->game % 3);
    row->selectivity = 100;
    row->score = (int16_t)(row->player % 2000);
    if (row->game % 5 != 0)
        return;
    row->flags |= WILLOW_ROW_EXACT;
    row->score = (int16_t)(32 * (row->game % 64));
}

static int setup(void **state)
{
    *state = two_runs_new(SHARDS, GAMES, label);
    return 0;
}

static int teardown(void **state)
{
    two_runs_free(*state);
    return 0;
}

static enum willow_status merge(struct two_runs *fixture, const char *const *folders, size_t count,
                                enum merge_duplicates duplicates, size_t memory_bytes, struct merge_summary *summary)
{
    struct willow_error error = {0};
    char line[1200];
    const struct merge_options options = {.rewrite = {.folders = folders,
                                                      .count = count,
                                                      .target = two_runs_folder(fixture, fixture->out),
                                                      .shard_rows = SHARD_ROWS,
                                                      .memory_bytes = memory_bytes,
                                                      .tool = "test"},
                                          .duplicates = duplicates};
    enum willow_status status = merge_datasets(&options, summary, &error);
    if (status && !error.reason[0])
        fail_msg("%s", willow_error_text(&error, line, sizeof line));
    return status;
}

/* Everything of a folder, games included; with ids shifted. The caller frees. */
struct content {
    struct willow_row *rows;
    struct willow_game_row *games;
    uint64_t rows_count, games_count;
    uint64_t seed;
};

/* Checks on the way that shards hold whole games and keep to their size. */
static void add_shards(struct content *content, const char *folder, uint64_t shift)
{
    struct willow_manifest manifest;
    assert_int_equal(willow_manifest_read(folder, &manifest, NULL), WILLOW_OK);
    content->seed = manifest.seed;
    for (size_t i = 0; i < manifest.count; i++) {
        struct willow_shard_info info;
        struct willow_row *rows;
        struct willow_game_row *games;
        two_runs_shard(folder, manifest.shards[i].number, &info, &rows, &games);
        content->rows = realloc(content->rows, (content->rows_count + info.rows + 1) * sizeof *rows);
        content->games = realloc(content->games, (content->games_count + info.games + 1) * sizeof *games);
        for (uint64_t row = 0; row < info.rows; row++) {
            bool found = info.games == 0;
            for (uint64_t game = 0; !found && game < info.games; game++)
                found = games[game].id == rows[row].game;
            assert_true(found);
            rows[row].game += shift;
            content->rows[content->rows_count++] = rows[row];
        }
        for (uint64_t game = 0; game < info.games; game++) {
            games[game].id += shift;
            assert_true(game == 0 || games[game].id > games[game - 1].id);
            content->games[content->games_count++] = games[game];
        }
        free(rows);
        free(games);
    }
    willow_manifest_clear(&manifest);
}

static int compare_games(const void *left, const void *right)
{
    const struct willow_game_row *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static void sort_content(struct content *content)
{
    two_runs_sort(content->rows, content->rows_count);
    if (content->games_count > 0)
        qsort(content->games, content->games_count, sizeof *content->games, compare_games);
}

static void free_content(struct content *content)
{
    free(content->rows);
    free(content->games);
}

static void assert_same_content(struct content *a, struct content *b)
{
    sort_content(a);
    sort_content(b);
    assert_true(datasets_rows_equal(a->rows, a->rows_count, b->rows, b->rows_count));
    assert_int_equal(a->games_count, b->games_count);
    for (uint64_t i = 0; i < a->games_count; i++) {
        assert_int_equal(a->games[i].id, b->games[i].id);
        assert_int_equal(a->games[i].length, b->games[i].length);
        assert_memory_equal(a->games[i].moves, b->games[i].moves, sizeof a->games[i].moves);
    }
}

static void all_rows_and_games_are_kept(void **state)
{
    struct two_runs *fixture = *state;
    const char *folders[] = {fixture->first, fixture->second};
    struct merge_summary summary;
    struct content expected = {0}, got = {0};
    assert_int_equal(merge(fixture, folders, 2, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_OK);
    add_shards(&expected, fixture->first, 0);
    add_shards(&expected, fixture->second, (uint64_t)SHARDS * GAMES);
    add_shards(&got, fixture->out, 0);
    assert_int_equal(got.seed, summary.rewrite.seed);
    assert_int_not_equal(got.seed, 1);
    assert_int_not_equal(got.seed, 2);
    assert_int_equal(summary.rewrite.rows, got.rows_count);
    assert_int_equal(summary.rewrite.games, 2 * SHARDS * GAMES);
    assert_same_content(&got, &expected);
    /* Full shards but for a game: as few as that allows. */
    assert_in_range(summary.rewrite.shards, got.rows_count / SHARD_ROWS, got.rows_count / (SHARD_ROWS - 64) + 1);
    free_content(&expected);
    free_content(&got);
}

/* Shards `first`, `first` + `step`, ... of the run in `source` as a dataset of their own. */
static void take_part(const char *source, const char *folder, uint32_t first, uint32_t step)
{
    struct willow_manifest manifest, part = {0};
    assert_int_equal(willow_manifest_read(source, &manifest, NULL), WILLOW_OK);
    part.ruleset = manifest.ruleset;
    part.seed = manifest.seed;
    memcpy(part.configuration_checksum, manifest.configuration_checksum, sizeof part.configuration_checksum);
    assert_int_equal(willow_folder_create(folder, NULL), WILLOW_OK);
    for (size_t i = first; i < manifest.count; i += step) {
        char name[32], from[SCRATCH_PATH], to[SCRATCH_PATH];
        size_t size;
        (void)snprintf(name, sizeof name, "shard-%06u.h5", (unsigned)manifest.shards[i].number);
        unsigned char *data = scratch_read(scratch_join(from, source, name), &size);
        scratch_write(scratch_join(to, folder, name), data, size);
        free(data);
        assert_int_equal(willow_manifest_add(&part, &manifest.shards[i], NULL), WILLOW_OK);
    }
    assert_int_equal(willow_manifest_write(folder, &part, NULL), WILLOW_OK);
    willow_manifest_clear(&part);
    willow_manifest_clear(&manifest);
}

static void parts_of_a_run_are_the_run_again(void **state)
{
    struct two_runs *fixture = *state;
    char even[SCRATCH_PATH], odd[SCRATCH_PATH];
    struct merge_summary summary;
    struct content expected = {0}, got = {0};
    take_part(fixture->second, two_runs_folder(fixture, even), 0, 2);
    take_part(fixture->second, two_runs_folder(fixture, odd), 1, 2);
    /* Another run first: all parts move behind it together, and lie in order of their games. */
    const char *folders[] = {fixture->first, odd, even};
    assert_int_equal(merge(fixture, folders, 3, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_OK);
    add_shards(&expected, fixture->first, 0);
    add_shards(&expected, fixture->second, (uint64_t)SHARDS * GAMES);
    add_shards(&got, fixture->out, 0);
    for (uint64_t i = 1; i < got.games_count; i++)
        assert_true(got.games[i].id > got.games[i - 1].id);
    assert_same_content(&got, &expected);
    free_content(&got);
    got = (struct content){0};
    /* The parts alone keep their ids and the seed. */
    assert_int_equal(merge(fixture, folders + 1, 2, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_OK);
    free_content(&expected);
    expected = (struct content){0};
    add_shards(&expected, fixture->second, 0);
    add_shards(&got, fixture->out, 0);
    assert_int_equal(got.seed, 2);
    assert_same_content(&got, &expected);
    free_content(&expected);
    free_content(&got);
}

/* Shards whose games interleave: ids still end up unique, and the games of a shard in order. */
static void a_shuffled_source_merges_as_well(void **state)
{
    struct two_runs *fixture = *state;
    char dealt[SCRATCH_PATH];
    const char *first[] = {fixture->first};
    struct shuffle_summary shuffled;
    struct merge_summary summary;
    struct content expected = {0}, got = {0};
    const struct shuffle_options options = {.rewrite = {.folders = first,
                                                        .count = 1,
                                                        .target = two_runs_folder(fixture, dealt),
                                                        .shard_rows = 1000,
                                                        .memory_bytes = MUCH_MEMORY,
                                                        .tool = "test"},
                                            .seed = 1};
    assert_int_equal(shuffle_datasets(&options, &shuffled, NULL), WILLOW_OK);
    const char *folders[] = {dealt, fixture->second};
    assert_int_equal(merge(fixture, folders, 2, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_OK);
    add_shards(&expected, fixture->first, 0);
    add_shards(&expected, fixture->second, (uint64_t)SHARDS * GAMES);
    add_shards(&got, fixture->out, 0);
    assert_same_content(&got, &expected);
    free_content(&expected);
    free_content(&got);
}

struct member {
    struct willow_board image;
    const struct willow_row *row;
    size_t number;
};

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->image.player != b->image.player)
        return a->image.player < b->image.player ? -1 : 1;
    if (a->image.opponent != b->image.opponent)
        return a->image.opponent < b->image.opponent ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static struct willow_row reduce(enum merge_duplicates duplicates, const struct member *group, size_t count)
{
    struct willow_row kept = *group[0].row;
    double results = 0, scores = 0;
    int best = 0, rank = -1, scored = 0;
    for (size_t i = 0; i < count; i++) {
        const struct willow_row *row = group[i].row;
        const int here =
            row->flags & WILLOW_ROW_EXACT ? 1000 + (duplicates == MERGE_DROP ? row->depth : 0) : row->depth;
        results += row->result;
        if (here > rank) {
            rank = here;
            best = (int)i;
            scores = scored = 0;
        }
        if (here == rank && (here < 1000 || scored == 0)) {
            scores += row->score;
            scored++;
        }
    }
    if (duplicates == MERGE_DROP)
        return *group[best].row;
    kept.result = (int8_t)round(results / (double)count);
    kept.score = (int16_t)round(scores / scored);
    kept.depth = group[best].row->depth;
    kept.flags = (uint8_t)((kept.flags & ~WILLOW_ROW_EXACT) | (group[best].row->flags & WILLOW_ROW_EXACT));
    return kept;
}

/* The rows that should be left, from the rows of the sources in the reader's order. */
static void reduce_content(struct content *content, enum merge_duplicates duplicates)
{
    struct member *members = calloc(content->rows_count, sizeof *members);
    struct willow_row *left = calloc(content->rows_count, sizeof *left);
    size_t count = 0, end;
    for (size_t i = 0; i < content->rows_count; i++) {
        const struct willow_row *row = &content->rows[i];
        members[i] = (struct member){
            willow_board_canonical(willow_ruleset_default(), (struct willow_board){row->player, row->opponent}, NULL),
            row, i};
    }
    qsort(members, content->rows_count, sizeof *members, compare_members);
    for (size_t first = 0; first < content->rows_count; first = end) {
        for (end = first + 1; end < content->rows_count && members[end].image.player == members[first].image.player &&
                              members[end].image.opponent == members[first].image.opponent;)
            end++;
        left[count++] = reduce(duplicates, members + first, end - first);
    }
    free(members);
    free(content->rows);
    content->rows = left;
    content->rows_count = count;
}

static void check_reduced(struct two_runs *fixture, enum merge_duplicates duplicates)
{
    const char *folders[] = {fixture->first, fixture->second};
    const size_t memory[] = {LITTLE_MEMORY, MUCH_MEMORY};
    for (int m = 0; m < 2; m++) {
        struct merge_summary summary;
        struct content expected = {0}, got = {0};
        assert_int_equal(merge(fixture, folders, 2, duplicates, memory[m], &summary), WILLOW_OK);
        add_shards(&expected, fixture->first, 0);
        add_shards(&expected, fixture->second, (uint64_t)SHARDS * GAMES);
        reduce_content(&expected, duplicates);
        add_shards(&got, fixture->out, 0);
        assert_int_equal(summary.distinct, expected.rows_count);
        assert_true(summary.rewrite.rows < summary.rewrite.source_rows);
        if (duplicates == MERGE_AVERAGE)
            expected.games_count = 0;
        assert_same_content(&got, &expected);
        free_content(&expected);
        free_content(&got);
    }
}

static void the_best_of_equal_positions_stays(void **state)
{
    check_reduced(*state, MERGE_DROP);
}

static void equal_positions_are_averaged(void **state)
{
    check_reduced(*state, MERGE_AVERAGE);
}

/* Games of which another game left nothing are gone; the one that is left has all its rows. */
static void doubled_games_are_dropped(void **state)
{
    struct two_runs *fixture = *state;
    char again[SCRATCH_PATH];
    struct merge_summary summary;
    struct willow_manifest manifest;
    struct content expected = {0}, got = {0};
    take_part(fixture->first, two_runs_folder(fixture, again), 0, 1);
    assert_int_equal(willow_manifest_read(again, &manifest, NULL), WILLOW_OK);
    willow_checksum128_text("other", 5, manifest.configuration_checksum);
    assert_int_equal(willow_manifest_write(again, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
    const char *folders[] = {fixture->first, again};
    assert_int_equal(merge(fixture, folders, 2, MERGE_DROP, MUCH_MEMORY, &summary), WILLOW_OK);
    assert_int_equal(summary.rewrite.games, SHARDS * GAMES);
    add_shards(&expected, fixture->first, 0);
    reduce_content(&expected, MERGE_DROP);
    add_shards(&got, fixture->out, 0);
    assert_int_equal(got.seed, 1);
    assert_same_content(&got, &expected);
    free_content(&expected);
    free_content(&got);
}

static void note_line(void *context, const char *text)
{
    (void)text;
    ++*(int *)context;
}

/* Rows whose games are not there: the result has none, and says so. */
static void rows_without_games_leave_games_out(void **state)
{
    struct two_runs *fixture = *state;
    const char *folders[] = {fixture->first, fixture->second}, *mixed[] = {fixture->first, fixture->out};
    char averaged[SCRATCH_PATH];
    struct merge_summary summary;
    struct content got = {0};
    int notes = 0;
    assert_int_equal(merge(fixture, folders, 2, MERGE_AVERAGE, MUCH_MEMORY, &summary), WILLOW_OK);
    const uint64_t rows = summary.rewrite.rows;
    memcpy(averaged, fixture->out, sizeof averaged);
    mixed[1] = averaged;
    const struct merge_options options = {.rewrite = {.folders = mixed,
                                                      .count = 2,
                                                      .target = two_runs_folder(fixture, fixture->out),
                                                      .shard_rows = SHARD_ROWS,
                                                      .memory_bytes = MUCH_MEMORY,
                                                      .tool = "test",
                                                      .note = note_line,
                                                      .context = &notes}};
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(notes, 1);
    assert_int_equal(summary.rewrite.games, 0);
    add_shards(&got, fixture->out, 0);
    assert_int_equal(got.rows_count, summary.rewrite.source_rows);
    assert_true(got.rows_count > rows);
    sort_content(&got);
    for (uint64_t i = 1; i < got.rows_count; i++)
        assert_true(got.rows[i - 1].game < got.rows[i].game || got.rows[i - 1].ply < got.rows[i].ply);
    free_content(&got);
}

static void what_does_not_go_together_is_refused(void **state)
{
    struct two_runs *fixture = *state;
    char part[SCRATCH_PATH], inside[SCRATCH_PATH], elsewhere[SCRATCH_PATH];
    struct merge_summary summary;
    const char *twice[] = {fixture->first, fixture->second, fixture->first};
    assert_int_equal(merge(fixture, twice, 3, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_ERR_ARGUMENT);
    take_part(fixture->first, two_runs_folder(fixture, part), 1, 2);
    const char *overlapping[] = {fixture->first, part};
    assert_int_equal(merge(fixture, overlapping, 2, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_ERR_MISMATCH);
    assert_int_equal(merge(fixture, twice, 0, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_ERR_ARGUMENT);
    const char *missing[] = {fixture->first, two_runs_folder(fixture, elsewhere)};
    assert_int_equal(merge(fixture, missing, 2, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_ERR_IO);
    assert_int_equal(merge(fixture, twice, 2, MERGE_DROP, 1 << 20, &summary), WILLOW_ERR_ARGUMENT);
    struct merge_options options = {.rewrite = {.folders = twice,
                                                .count = 2,
                                                .target = scratch_join(inside, fixture->second, "not/there/yet"),
                                                .shard_rows = SHARD_ROWS,
                                                .memory_bytes = MUCH_MEMORY,
                                                .tool = "test"}};
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_ERR_ARGUMENT);
    options.rewrite.target = fixture->second;
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_ERR_ARGUMENT);
    options.rewrite.shard_rows = 0;
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_ERR_ARGUMENT);
    assert_int_equal(scratch_count(fixture->second, ".h5"), SHARDS);
}

static void a_stopped_merge_begins_again(void **state)
{
    struct two_runs *fixture = *state;
    const char *folders[] = {fixture->first, fixture->second};
    struct willow_stop *stop;
    struct merge_summary summary;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    struct merge_options options = {.rewrite = {.folders = folders,
                                                .count = 2,
                                                .target = two_runs_folder(fixture, fixture->out),
                                                .shard_rows = SHARD_ROWS,
                                                .memory_bytes = MUCH_MEMORY,
                                                .tool = "test",
                                                .stop = stop},
                                    .duplicates = MERGE_DROP};
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_ERR_STOPPED);
    assert_int_equal(scratch_count(fixture->out, "manifest.json"), 0);
    willow_stop_set(stop, false);
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(merge_datasets(&options, &summary, NULL), WILLOW_ERR_BUSY);
    willow_stop_free(stop);
}

static void nothing_becomes_an_empty_dataset(void **state)
{
    struct two_runs *fixture = *state;
    char empty[SCRATCH_PATH];
    struct merge_summary summary;
    struct content got = {0};
    const struct willow_manifest manifest = {.ruleset = willow_ruleset_default()->id, .seed = 9};
    assert_int_equal(willow_folder_create(two_runs_folder(fixture, empty), NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_write(empty, &manifest, NULL), WILLOW_OK);
    const char *folders[] = {empty, fixture->first};
    for (int duplicates = MERGE_KEEP; duplicates <= MERGE_AVERAGE; duplicates++) {
        assert_int_equal(merge(fixture, folders, 1, (enum merge_duplicates)duplicates, MUCH_MEMORY, &summary),
                         WILLOW_OK);
        add_shards(&got, fixture->out, 0);
        assert_int_equal(got.rows_count, 0);
        assert_int_equal(got.seed, 9);
    }
    assert_int_equal(merge(fixture, folders, 2, MERGE_KEEP, MUCH_MEMORY, &summary), WILLOW_OK);
    assert_int_equal(summary.rewrite.games, SHARDS * GAMES);
    free_content(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_and_games_are_kept),        cmocka_unit_test(parts_of_a_run_are_the_run_again),
        cmocka_unit_test(a_shuffled_source_merges_as_well),   cmocka_unit_test(the_best_of_equal_positions_stays),
        cmocka_unit_test(equal_positions_are_averaged),       cmocka_unit_test(doubled_games_are_dropped),
        cmocka_unit_test(rows_without_games_leave_games_out), cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(a_stopped_merge_begins_again),       cmocka_unit_test(nothing_becomes_an_empty_dataset),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
