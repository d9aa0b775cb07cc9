/* Import and export: rows of imported games are what a replay says, what is left out is counted and named, and what is
 * exported can be read again. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/file.h>
#include <willow/notation.h>

#include "selfplay/tools/export.h"
#include "selfplay/tools/import.h"
#include "support/datasets.h"
#include "support/scratch.h"

enum { GAMES = 25, SEED = 3 };

/* Public record games: the shortest game; black wins at once with 13 discs to none; the game with most passes (23, all
 * of black), which black loses without a disc left. */
#define SHORTEST "e6f4e3f6g5d6e7f5c5"
#define MOST_PASSES                                                                                                    \
    "F5d6C4g5D7c7H5d8B8b7B6a7b5A6a5b4B3c6E8f8C8a8e7a4b2A2c2D2d1e2F2c5c3a1a3e6d3f6F7f1g2H2e3F4b1g1c1e1g8g7f3h1h3h4h6"

struct fixture {
    char folder[SCRATCH_PATH], source[SCRATCH_PATH], target[SCRATCH_PATH];
    const char *files[3];
    char seen[8][1100]; /* what left_out was told */
    int seen_count;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scratch_make(fixture->folder);
    scratch_join(fixture->source, fixture->folder, "games.txt");
    scratch_join(fixture->target, fixture->folder, "imported");
    fixture->files[0] = fixture->source;
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

static void note(void *context, const struct willow_error *fault)
{
    struct fixture *fixture = context;
    if (fixture->seen_count < 8)
        (void)willow_error_text(fault, fixture->seen[fixture->seen_count], sizeof fixture->seen[0]);
    fixture->seen_count++;
}

static struct import_options options_of(struct fixture *fixture)
{
    return (struct import_options){.ruleset = willow_ruleset_default(),
                                   .files = fixture->files,
                                   .count = 1,
                                   .by_name = true,
                                   .folder = fixture->target,
                                   .seed = SEED,
                                   .shard_games = 1000,
                                   .tool = "test",
                                   .left_out = note,
                                   .context = fixture};
}

/* Writes a text to the source and imports it. */
static struct import_summary import_text(struct fixture *fixture, const char *text,
                                         const struct import_options *options)
{
    struct import_summary summary;
    struct willow_error error = {0};
    scratch_write(fixture->source, text, strlen(text));
    if (import_games(options, &summary, &error) != WILLOW_OK)
        fail_msg("%s: %s", error.place, error.reason);
    return summary;
}

/* Random games as transcripts; frees nothing. */
static char *transcripts_of(const struct willow_game_row *records, size_t count)
{
    char *text = malloc(count * 200 + 1), *to = text;
    for (size_t i = 0; i < count; i++) {
        for (int m = 0; m < records[i].length; m++)
            if (records[i].moves[m] != WILLOW_PASS)
                to += sprintf(to, "%c%c", 'a' + records[i].moves[m] % 8, '1' + records[i].moves[m] / 8);
        to += sprintf(to, "\n");
    }
    return text;
}

static int compare_rows(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    return a->game != b->game ? (a->game > b->game) - (a->game < b->game) : a->ply - b->ply;
}

/* All rows of a folder by game and ply. */
static struct willow_row *sorted_rows(const char *folder, size_t *count)
{
    struct willow_row *rows = datasets_rows(folder, count);
    qsort(rows, *count, sizeof *rows, compare_rows);
    return rows;
}

static void rows_are_those_of_the_games(void **state)
{
    struct fixture *fixture = *state;
    struct willow_game_row *records, *games;
    size_t wanted_count, count;
    struct willow_row *wanted = datasets_random_games(SEED, 0, GAMES, &records, &wanted_count);
    struct import_options options = options_of(fixture);
    char *text = transcripts_of(records, GAMES), path[SCRATCH_PATH];
    struct willow_shard_info info;
    options.shard_games = 10;
    for (size_t i = 0; i < wanted_count; i++) {
        wanted[i].score = WILLOW_SCORE_MISSING;
        wanted[i].depth = wanted[i].selectivity = 0;
        wanted[i].flags &= WILLOW_ROW_AFTER_PASS;
    }
    struct import_summary summary = import_text(fixture, text, &options);
    assert_int_equal(summary.games, GAMES);
    assert_int_equal(summary.records, GAMES);
    assert_int_equal(summary.rows, wanted_count);
    assert_int_equal(summary.shards, 3);
    struct willow_row *rows = sorted_rows(fixture->target, &count);
    assert_true(datasets_rows_equal(rows, count, wanted, wanted_count));
    free(rows);
    scratch_join(path, fixture->target, "shard-000001.h5");
    assert_int_equal(willow_shard_read(path, &info, &rows, &games, NULL), WILLOW_OK);
    assert_int_equal(info.first_game, 10);
    assert_int_equal(info.games, 10);
    assert_int_equal(info.seed, SEED);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(games[i].id, records[10 + i].id);
        assert_int_equal(games[i].result, records[10 + i].result);
        assert_int_equal(games[i].length, records[10 + i].length);
        assert_int_equal(games[i].opening_plies, 0);
        assert_memory_equal(games[i].moves, records[10 + i].moves, sizeof games[i].moves);
    }
    free(games);
    free(rows);
    free(wanted);
    free(records);
    free(text);
}

static void results_have_the_sign_of_the_mover(void **state)
{
    struct fixture *fixture = *state;
    struct import_options options = options_of(fixture);
    size_t count;
    (void)import_text(fixture, SHORTEST "\n" MOST_PASSES "\n", &options);
    struct willow_row *rows = sorted_rows(fixture->target, &count);
    int after_pass = 0;
    assert_int_equal(count, 9 + 55);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(rows[i].result, i % 2 == 0 ? 64 : -64);
    for (size_t i = 9; i < count; i++) {
        /* White moves several times in a row; capitals are black's moves in the record. */
        const bool black = MOST_PASSES[2 * (i - 9)] < 'a';
        assert_int_equal(rows[i].result, black ? -64 : 64);
        assert_int_equal(rows[i].move % 8, (MOST_PASSES[2 * (i - 9)] | 32) - 'a');
        after_pass += (rows[i].flags & WILLOW_ROW_AFTER_PASS) != 0;
    }
    assert_int_equal(after_pass, 23);
    free(rows);
}

static void what_is_left_out_is_counted_and_named(void **state)
{
    struct fixture *fixture = *state;
    struct import_options options = options_of(fixture);
    struct import_summary summary =
        import_text(fixture, "# five lines\n" SHORTEST "\nf5d6\nf5d6a1\nnoise\n" SHORTEST, &options);
    assert_int_equal(summary.records, 5);
    assert_int_equal(summary.kinds[WILLOW_RECORD_COMPLETE], 2);
    assert_int_equal(summary.kinds[WILLOW_RECORD_UNFINISHED], 1);
    assert_int_equal(summary.kinds[WILLOW_RECORD_ILLEGAL], 1);
    assert_int_equal(summary.kinds[WILLOW_RECORD_DAMAGED], 1);
    assert_int_equal(summary.games, 2);
    assert_int_equal(summary.repeated, 1);
    static const char *const places[] = {"games.txt: line 3, column 1: the game is not over after move 2",
                                         "games.txt: line 4, column 5: illegal move a1 for black",
                                         "games.txt: line 5, column 1: not a move: \"noise\""};
    assert_int_equal(fixture->seen_count, 3);
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(fixture->seen[i], places[i]));
}

static void recorded_results_are_compared_with_the_board(void **state)
{
    struct fixture *fixture = *state;
    struct import_options options = options_of(fixture);
    char text[1024];
    static const char start[] =
        "(;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
    static const char moves[] = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5];)";
    (void)snprintf(text, sizeof text, "%sRE[+64]%s %sRE[+13.000]%s %s%s", start, moves, start, moves, start, moves);
    options.by_name = false;
    options.format = WILLOW_RECORDS_GGF;
    struct import_summary summary = import_text(fixture, text, &options);
    assert_int_equal(summary.differing, 1);
    assert_int_equal(summary.games, 3);
    assert_int_equal(fixture->seen_count, 0);
    char strict[SCRATCH_PATH];
    options.folder = scratch_join(strict, fixture->folder, "strict");
    options.strict = true;
    summary = import_text(fixture, text, &options);
    assert_int_equal(summary.differing, 1);
    assert_int_equal(summary.games, 2);
    assert_int_equal(fixture->seen_count, 1);
    assert_non_null(strstr(fixture->seen[0], "game 2: the recorded result is +13, the board's +64"));
}

/* Every image of a game under the four symmetries of the start is the same game, and no other image is legal. */
static void repetitions_are_found_in_every_orientation(void **state)
{
    struct fixture *fixture = *state;
    struct import_options options = options_of(fixture);
    struct willow_game_row *records;
    size_t count;
    free(datasets_random_games(SEED, 0, 2, &records, &count));
    struct willow_game_row images[2 * WILLOW_SYMMETRIES];
    for (int s = 0; s < WILLOW_SYMMETRIES; s++)
        for (int g = 0; g < 2; g++) {
            struct willow_game_row *image = &images[2 * s + g];
            *image = records[g];
            for (int m = 0; m < image->length; m++)
                if (image->moves[m] != WILLOW_PASS)
                    image->moves[m] = willow_square_symmetry(willow_ruleset_default(), image->moves[m], s);
        }
    char *text = transcripts_of(images, 2 * WILLOW_SYMMETRIES);
    struct import_summary summary = import_text(fixture, text, &options);
    assert_int_equal(summary.games, 8);
    assert_int_equal(summary.repeated, 6);
    assert_int_equal(summary.kinds[WILLOW_RECORD_ILLEGAL], 8);
    char distinct[SCRATCH_PATH];
    options.folder = scratch_join(distinct, fixture->folder, "distinct");
    options.distinct = true;
    summary = import_text(fixture, text, &options);
    assert_int_equal(summary.games, 2);
    assert_int_equal(summary.repeated, 6);
    struct willow_row *rows = sorted_rows(distinct, &count);
    assert_int_equal(rows[count - 1].game, 1); /* ids without gaps */
    free(rows);
    free(records);
    free(text);
}

static void several_files_follow_one_another(void **state)
{
    struct fixture *fixture = *state;
    struct import_options options = options_of(fixture);
    struct import_summary summary;
    char names[2][SCRATCH_PATH];
    static const unsigned char shortest[] = {65, 46, 35, 66, 57, 64, 75, 56, 53};
    unsigned char wthor[16 + 68] = {[4] = 1, [16 + 6] = 64};
    size_t size;
    memcpy(wthor + 24, shortest, sizeof shortest);
    scratch_write(scratch_join(names[0], fixture->folder, "one.WTB"), wthor, sizeof wthor);
    scratch_write(scratch_join(names[1], fixture->folder, "empty's.txt"), "# none\n", 7);
    fixture->files[1] = names[0];
    fixture->files[2] = names[1];
    scratch_write(fixture->source, MOST_PASSES, strlen(MOST_PASSES));
    options.count = 3;
    assert_int_equal(import_games(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.games, 2);
    assert_int_equal(summary.rows, 55 + 9);
    assert_int_equal(summary.differing, 0);
    scratch_join(names[0], fixture->target, "origin.yaml");
    char *origin = (char *)scratch_read(names[0], &size), checksum[WILLOW_CHECKSUM_TEXT], line[64];
    origin[size] = '\0';
    willow_checksum128_text(wthor, sizeof wthor, checksum);
    (void)snprintf(line, sizeof line, "checksum: '%s'", checksum);
    assert_non_null(strstr(origin, line));
    assert_non_null(strstr(origin, "format: wthor"));
    assert_non_null(strstr(origin, "empty's.txt\"\n    format: transcript"));
    assert_non_null(strstr(origin, "bytes: 84\n    records: 1\n    games: 1\n"));
    free(origin);
}

static void check_fails(struct fixture *fixture, const struct import_options *options, const char *text,
                        enum willow_status status, const char *reason)
{
    struct import_summary summary;
    struct willow_error error = {0};
    if (text)
        scratch_write(fixture->source, text, strlen(text));
    assert_int_equal(import_games(options, &summary, &error), status);
    if (!strstr(error.reason, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.reason, reason);
}

/* Another content between the two readings. */
static void exchange_file(void *context, const struct willow_error *fault)
{
    struct fixture *fixture = context;
    (void)fault;
    scratch_write(fixture->source, SHORTEST, strlen(SHORTEST));
}

static void what_cannot_be_imported_leaves_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct import_options options = options_of(fixture);
    struct willow_stop *stop;
    check_fails(fixture, &options, NULL, WILLOW_ERR_IO, "cannot open");
    check_fails(fixture, &options, "", WILLOW_ERR_FORMAT, "no games in it");
    check_fails(fixture, &options, "f5\n", WILLOW_ERR_FORMAT, "not over after move 1");
    check_fails(fixture, &options, "x\nf5\n", WILLOW_ERR_FORMAT, "not a move: \"x\"; none of 2 records");
    check_fails(fixture, &options, "\1", WILLOW_ERR_FORMAT, "no text");
    options.by_name = false;
    options.format = WILLOW_RECORDS_WTHOR;
    check_fails(fixture, &options, SHORTEST, WILLOW_ERR_FORMAT, "no WTHOR file");
    options.by_name = true;
    assert_false(willow_file_exists(fixture->target));
    options.left_out = exchange_file;
    check_fails(fixture, &options, SHORTEST "\nf5\n", WILLOW_ERR_MISMATCH, "changed while");
    options.left_out = note;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    options.stop = stop;
    char *many = malloc(300 * 19 + 1), *to = many;
    for (int i = 0; i < 300; i++)
        to += sprintf(to, "%s\n", SHORTEST);
    check_fails(fixture, &options, many, WILLOW_ERR_STOPPED, "stopped");
    free(many);
    options.stop = NULL;
    willow_stop_free(stop);
    (void)import_text(fixture, SHORTEST, &options);
    check_fails(fixture, &options, NULL, WILLOW_ERR_BUSY, "holds a dataset");
}

/* Every flag, a missing score in between, and scores of all fractions. */
static void label_everything(struct willow_row *row, void *context)
{
    int *number = context;
    const int k = (*number)++;
    row->flags &= WILLOW_ROW_AFTER_PASS;
    row->flags |= (uint8_t)(k % 3 == 0 ? WILLOW_ROW_RANDOM : 0) | (uint8_t)(k % 5 == 0 ? WILLOW_ROW_AFTER_RANDOM : 0) |
                  (uint8_t)(k % 7 == 0 ? WILLOW_ROW_SOLVED_RESULT : 0);
    if (k % 11 == 0)
        return;
    row->score = (int16_t)(k % 4097 - 2048);
    row->depth = (uint8_t)(k % 61);
    row->selectivity = (uint8_t)(k % 2 ? 73 : 100);
    if (k % 2)
        row->flags |= WILLOW_ROW_SELECTIVE;
    else if (row->score % WILLOW_SCORE_DISC == 0)
        row->flags |= WILLOW_ROW_EXACT;
}

/* A line of CSV by printf. */
static void expected_line(const struct willow_row *row, char *line, size_t size)
{
    char score[32] = "", board[65] = "", move[3];
    if (row->score != WILLOW_SCORE_MISSING) {
        (void)snprintf(score, sizeof score, "%.5f", (double)row->score / 32);
        while (score[strlen(score) - 1] == '0')
            score[strlen(score) - 1] = '\0';
        if (score[strlen(score) - 1] == '.')
            score[strlen(score) - 1] = '\0';
    }
    for (int i = 0; i < 64; i++)
        board[i] = row->player >> i & 1 ? 'X' : row->opponent >> i & 1 ? 'O' : '-';
#define BIT(flag) ((row->flags & WILLOW_ROW_##flag) != 0)
    (void)snprintf(line, size, "%" PRIu64 ",%d,%016" PRIx64 ",%016" PRIx64 ",%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d\n",
                   row->game, row->ply, row->player, row->opponent, board, willow_square_format(row->move, move), score,
                   row->result, row->depth, row->selectivity, BIT(EXACT), BIT(SELECTIVE), BIT(RANDOM), BIT(AFTER_PASS),
                   BIT(AFTER_RANDOM), BIT(SOLVED_RESULT));
#undef BIT
}

typedef enum willow_status exporter(const struct export_options *options, FILE *stream, uint64_t *lines,
                                    struct willow_error *error);

/* The caller frees *text. */
static uint64_t export_text(exporter *run, const struct export_options *options, char **text)
{
    size_t size = 0;
    uint64_t lines;
    struct willow_error error = {0};
    FILE *stream = open_memstream(text, &size);
    if (run(options, stream, &lines, &error) != WILLOW_OK)
        fail_msg("%s", error.reason);
    assert_int_equal(fclose(stream), 0);
    return lines;
}

static void csv_says_what_the_rows_say(void **state)
{
    struct fixture *fixture = *state;
    char folder[SCRATCH_PATH], line[512];
    size_t count;
    int number = 0, matched = 0;
    assert_true(datasets_write_random(scratch_join(folder, fixture->folder, "labelled"), SEED, 2, 60, label_everything,
                                      &number));
    struct willow_row *rows = datasets_rows(folder, &count);
    struct export_options options = {.folder = folder, .last_ply = 60};
    char *text = NULL;
    assert_int_equal(export_text(export_csv, &options, &text), count);
    char *at = strchr(text, '\n') + 1;
    assert_memory_equal(text, "game,ply,player,opponent,board,move,score,result,", 49);
    for (size_t i = 0; i < count; i++) {
        expected_line(&rows[i], line, sizeof line);
        if (strncmp(at, line, strlen(line)) != 0)
            fail_msg("row %zu: %.*sinstead of %s", i, (int)strcspn(at, "\n") + 1, at, line);
        at += strlen(line);
    }
    assert_string_equal(at, "");
    free(text);

    options.first_ply = 30, options.last_ply = 31, options.limit = 50;
    assert_int_equal(export_text(export_csv, &options, &text), 50);
    at = strchr(text, '\n') + 1;
    for (size_t i = 0; i < count && matched < 50; i++)
        if (rows[i].ply == 30 || rows[i].ply == 31) {
            expected_line(&rows[i], line, sizeof line);
            assert_memory_equal(at, line, strlen(line));
            at += strlen(line);
            matched++;
        }
    assert_string_equal(at, "");
    free(text);
    free(rows);
}

static void exported_transcripts_are_imported_as_the_same_rows(void **state)
{
    struct fixture *fixture = *state;
    struct import_options import_options = options_of(fixture);
    char folder[SCRATCH_PATH];
    size_t count, again_count;
    assert_true(datasets_write_random(scratch_join(folder, fixture->folder, "random"), SEED, 3, GAMES, NULL, NULL));
    struct export_options options = {.folder = folder, .last_ply = 60};
    char *text = NULL, *part = NULL;
    assert_int_equal(export_text(export_transcripts, &options, &text), 3 * GAMES);
    import_options.shard_games = GAMES;
    assert_int_equal(import_text(fixture, text, &import_options).games, 3 * GAMES);
    struct willow_row *rows = datasets_rows(folder, &count), *again = datasets_rows(fixture->target, &again_count);
    for (size_t i = 0; i < count; i++)
        rows[i].flags &= WILLOW_ROW_AFTER_PASS;
    assert_true(datasets_rows_equal(again, again_count, rows, count));
    options.limit = GAMES + 1;
    assert_int_equal(export_text(export_transcripts, &options, &part), GAMES + 1);
    assert_memory_equal(part, text, strlen(part));
    free(part);
    free(text);
    free(rows);
    free(again);
}

/* Writes a dataset of one shard with the given games. */
static void write_one(const char *folder, struct willow_row *rows, size_t count, const struct willow_game_row *games,
                      uint64_t games_count)
{
    struct willow_manifest manifest = {.ruleset = willow_ruleset_default()->id};
    struct willow_shard_info info = {.ruleset = manifest.ruleset, .rows = count, .games = games_count};
    struct willow_manifest_shard entry = {.rows = count, .games = games_count};
    assert_int_equal(willow_folder_create(folder, NULL), WILLOW_OK);
    assert_int_equal(willow_shard_write(folder, 0, &info, rows, games, entry.checksum, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_add(&manifest, &entry, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
}

static void export_fails_with_a_reason(void **state)
{
    struct fixture *fixture = *state;
    char folder[SCRATCH_PATH];
    struct willow_game_row *records;
    struct willow_error error = {0};
    size_t count;
    uint64_t lines;
    struct willow_row *rows = datasets_random_games(SEED, 0, GAMES, &records, &count);
    FILE *full = fopen("/dev/full", "w");
    struct export_options options = {.folder = scratch_join(folder, fixture->folder, "rows"), .last_ply = 60};
    assert_non_null(full);
    write_one(folder, rows, count, NULL, 0);
    assert_int_equal(export_transcripts(&options, full, &lines, &error), WILLOW_ERR_MISMATCH);
    assert_non_null(strstr(error.reason, "not the games"));
    assert_int_equal(export_csv(&options, full, &lines, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.reason, "No space left"));
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    options.stop = stop;
    FILE *nowhere = fopen("/dev/null", "w");
    assert_int_equal(export_csv(&options, nowhere, &lines, &error), WILLOW_ERR_STOPPED);
    options.stop = NULL;
    willow_stop_free(stop);
    options.folder = scratch_join(folder, fixture->folder, "none");
    assert_int_equal(export_csv(&options, nowhere, &lines, &error), WILLOW_ERR_IO);
    assert_int_equal(export_transcripts(&options, nowhere, &lines, &error), WILLOW_ERR_IO);
    /* A game that no rules allow: a damaged or foreign dataset. */
    records[1].moves[2] = 0;
    options.folder = scratch_join(folder, fixture->folder, "illegal");
    write_one(folder, rows, count, records, GAMES);
    assert_int_equal(export_transcripts(&options, nowhere, &lines, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, "game 1, move 3");
    assert_int_equal(lines, 1);
    (void)fclose(nowhere);
    (void)fclose(full);
    free(rows);
    free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_those_of_the_games, setup, teardown),
        cmocka_unit_test_setup_teardown(results_have_the_sign_of_the_mover, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_left_out_is_counted_and_named, setup, teardown),
        cmocka_unit_test_setup_teardown(recorded_results_are_compared_with_the_board, setup, teardown),
        cmocka_unit_test_setup_teardown(repetitions_are_found_in_every_orientation, setup, teardown),
        cmocka_unit_test_setup_teardown(several_files_follow_one_another, setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_imported_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(csv_says_what_the_rows_say, setup, teardown),
        cmocka_unit_test_setup_teardown(exported_transcripts_are_imported_as_the_same_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(export_fails_with_a_reason, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
