/* The store of labelled rows: lists, blocks and tails, rows taken out, digests, and a scratch file that fails. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/random.h>

#include "support/scratch.h"
#include "trainer/samples/samples.h"

enum { BLOCK = SAMPLE_BLOCK_ROWS, MODEL_ROWS = 4 * BLOCK + 100 };

static struct sample make_row(struct willow_random *random)
{
    const uint64_t player = willow_random_u64(random), opponent = willow_random_u64(random) & ~player;
    return (struct sample){.board = {player, opponent},
                           .label = (float)willow_random_below(random, 4096) - 2048.0F,
                           .weight = (uint16_t)(1 + willow_random_below(random, 60000)),
                           .kind = (uint8_t)willow_random_below(random, SAMPLE_KINDS)};
}

struct model {
    struct sample rows[MODEL_ROWS];
    size_t count;
};

/* All rows of the list, through samples_read, are those of the model. */
static void expect_list(const struct samples *samples, int ply, enum sample_part part, const struct model *model)
{
    struct sample *rows = malloc(BLOCK * sizeof *rows);
    assert_non_null(rows);
    assert_int_equal(samples_rows(samples, ply, part), model->count);
    const size_t blocks = samples_blocks(samples, ply, part);
    assert_int_equal(blocks, (model->count + BLOCK - 1) / BLOCK);
    for (size_t block = 0; block < blocks; block++) {
        size_t count = 0;
        samples_prefetch(samples, ply, part, block + 1);
        assert_int_equal(samples_read(samples, ply, part, block, rows, &count, NULL), WILLOW_OK);
        assert_int_equal(count, block + 1 < blocks ? BLOCK : model->count - block * BLOCK);
        assert_memory_equal(rows, model->rows + block * BLOCK, count * sizeof *rows);
    }
    free(rows);
}

static struct samples *new_samples(void)
{
    struct samples *samples = NULL;
    assert_int_equal(samples_new(".", &samples, NULL), WILLOW_OK);
    return samples;
}

static struct model *new_model(void)
{
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    return model;
}

/* Appends random rows to list and model. */
static void grow(struct samples *samples, int ply, enum sample_part part, struct model *model, size_t count,
                 struct willow_random *random)
{
    for (size_t i = 0; i < count; i++)
        model->rows[model->count + i] = make_row(random);
    assert_int_equal(samples_append(samples, ply, part, model->rows + model->count, count, NULL), WILLOW_OK);
    model->count += count;
}

static void lists_keep_their_rows(void **state)
{
    (void)state;
    static const int plies[] = {0, 1, 30, 60};
    enum { PLIES = sizeof plies / sizeof *plies };
    static const size_t parts_of[] = {1, BLOCK - 1, 1, 0, 2 * BLOCK + 5, 700, BLOCK};
    struct samples *samples = new_samples();
    struct model *models[PLIES][SAMPLE_PARTS];
    struct willow_random random;
    willow_random_init(&random, 1, 1);
    for (int p = 0; p < PLIES; p++)
        for (int part = 0; part < SAMPLE_PARTS; part++)
            models[p][part] = new_model();
    /* The lists grow in turns, so that their blocks lie between each other in the file. */
    for (size_t step = 0; step < sizeof parts_of / sizeof *parts_of; step++)
        for (int p = 0; p < PLIES; p++)
            for (int part = 0; part < SAMPLE_PARTS; part++)
                if (models[p][part]->count + parts_of[step] + (size_t)p <= MODEL_ROWS)
                    grow(samples, plies[p], (enum sample_part)part, models[p][part], parts_of[step] + (size_t)p,
                         &random);
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        for (int part = 0; part < SAMPLE_PARTS; part++) {
            const struct model none = {.count = 0}, *model = &none;
            for (int p = 0; p < PLIES; p++)
                if (plies[p] == ply)
                    model = models[p][part];
            expect_list(samples, ply, (enum sample_part)part, model);
        }
    for (int p = 0; p < PLIES; p++)
        for (int part = 0; part < SAMPLE_PARTS; part++)
            free(models[p][part]);
    samples_free(samples);
    samples_free(NULL);
}

static void dropped_rows_are_gone(void **state)
{
    (void)state;
    /* Rows of the list, and of 1000 how many are dropped. */
    static const size_t cases[][2] = {
        {0, 500},         {1, 0},           {1, 1000},         {BLOCK, 0},          {BLOCK, 1},
        {BLOCK + 1, 999}, {3 * BLOCK, 500}, {3 * BLOCK, 1000}, {4 * BLOCK + 99, 3}, {2 * BLOCK + 7, 300}};
    bool *drop = calloc(MODEL_ROWS, sizeof *drop);
    struct model *model = new_model(), *other = new_model();
    struct willow_random random;
    assert_non_null(drop);
    willow_random_init(&random, 1, 2);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct samples *samples = new_samples(), *anew = new_samples();
        model->count = other->count = 0;
        /* What the same ply has in its other part stays. */
        grow(samples, 7, SAMPLE_TRAIN, other, BLOCK + 3, &random);
        grow(samples, 7, SAMPLE_HELD_OUT, model, cases[c][0], &random);
        size_t kept = 0;
        for (size_t i = 0; i < model->count; i++) {
            drop[i] = willow_random_below(&random, 1000) < cases[c][1];
            if (!drop[i])
                model->rows[kept++] = model->rows[i];
        }
        assert_int_equal(samples_drop(samples, 7, SAMPLE_HELD_OUT, drop, NULL), WILLOW_OK);
        model->count = kept;
        expect_list(samples, 7, SAMPLE_HELD_OUT, model);
        expect_list(samples, 7, SAMPLE_TRAIN, other);
        uint64_t digest[2] = {0}, wanted[2] = {0};
        assert_int_equal(samples_append(anew, 7, SAMPLE_TRAIN, other->rows, other->count, NULL), WILLOW_OK);
        assert_int_equal(samples_append(anew, 7, SAMPLE_HELD_OUT, model->rows, kept, NULL), WILLOW_OK);
        samples_digest(samples, 7, digest);
        samples_digest(anew, 7, wanted);
        assert_memory_equal(digest, wanted, sizeof digest);
        /* The list goes on growing, and so does its neighbour in the file. */
        grow(samples, 7, SAMPLE_HELD_OUT, model, MODEL_ROWS - kept < BLOCK + 50 ? MODEL_ROWS - kept : BLOCK + 50,
             &random);
        grow(samples, 7, SAMPLE_TRAIN, other, BLOCK, &random);
        expect_list(samples, 7, SAMPLE_HELD_OUT, model);
        expect_list(samples, 7, SAMPLE_TRAIN, other);
        samples_free(samples);
        samples_free(anew);
    }
    free(model);
    free(other);
    free(drop);
}

static void digest_of(const struct samples *samples, uint64_t digest[2])
{
    digest[0] = digest[1] = 0;
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        samples_digest(samples, ply, digest);
}

/* The rows from `first`, each `step` further, to a new store; row i may be changed, or put into the other part. */
static void digest_rows(const struct model *model, size_t first, size_t step, size_t changed, size_t moved,
                        uint64_t digest[2])
{
    struct samples *samples = new_samples();
    for (size_t n = 0, i = first; n < model->count; n++, i = (i + step) % model->count) {
        struct sample row = model->rows[i];
        row.label += i == changed ? 1.0F : 0.0F;
        const enum sample_part part = (i % 10 == 0) != (i == moved) ? SAMPLE_HELD_OUT : SAMPLE_TRAIN;
        assert_int_equal(samples_append(samples, 20, part, &row, 1, NULL), WILLOW_OK);
    }
    digest_of(samples, digest);
    samples_free(samples);
}

static void digests_know_rows_and_parts_but_no_order(void **state)
{
    (void)state;
    struct samples *halves[2] = {new_samples(), new_samples()};
    struct model *model = new_model();
    struct willow_random random;
    uint64_t plain[2], other[2], parts[2];
    willow_random_init(&random, 1, 3);
    for (model->count = 0; model->count < 2 * BLOCK + 101; model->count++)
        model->rows[model->count] = make_row(&random);
    const size_t none = model->count;
    digest_rows(model, 0, 1, none, none, plain);
    digest_rows(model, 17, 1000, none, none, other); /* the number of rows is a prime */
    assert_memory_equal(plain, other, sizeof plain);
    for (size_t i = 0; i < model->count; i++)
        assert_int_equal(samples_append(halves[i % 3 == 0], 20, i % 10 == 0 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN,
                                        &model->rows[i], 1, NULL),
                         WILLOW_OK);
    digest_of(halves[0], other);
    digest_of(halves[1], parts);
    assert_true(other[0] + parts[0] == plain[0] && other[1] + parts[1] == plain[1]);
    digest_rows(model, 0, 1, BLOCK + 5, none, other);
    assert_true(other[0] != plain[0] && other[1] != plain[1]);
    digest_rows(model, 0, 1, model->count - 1, none, other);
    assert_true(other[0] != plain[0] && other[1] != plain[1]);
    digest_rows(model, 0, 1, none, 44, other);
    assert_true(other[0] != plain[0] && other[1] != plain[1]);
    samples_free(halves[0]);
    samples_free(halves[1]);
    free(model);
}

static void a_changed_scratch_file_is_noticed(void **state)
{
    const char *folder = *state;
    struct samples *samples = NULL;
    struct model *model = new_model();
    struct willow_random random;
    struct willow_error error;
    struct sample *rows = malloc(BLOCK * sizeof *rows);
    size_t count;
    assert_non_null(rows);
    willow_random_init(&random, 1, 4);
    const int names = scratch_count(folder, "");
    assert_int_equal(samples_new(folder, &samples, NULL), WILLOW_OK);
    assert_int_equal(scratch_count(folder, ""), names); /* nothing that a crash could leave behind */
    grow(samples, 5, SAMPLE_TRAIN, model, 3 * BLOCK + 9, &random);
    const int fd = scratch_nameless(folder);
    assert_true(fd >= 0);
    const off_t places[] = {0, (off_t)BLOCK * (off_t)sizeof(struct sample) - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const off_t at = (off_t)BLOCK * (off_t)sizeof(struct sample) + places[i];
        unsigned char byte, changed;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        changed = byte ^ 4;
        assert_int_equal(pwrite(fd, &changed, 1, at), 1);
        assert_int_equal(samples_read(samples, 5, SAMPLE_TRAIN, 1, rows, &count, &error), WILLOW_ERR_CHECKSUM);
        assert_string_equal(error.file, folder);
        assert_int_equal(samples_read(samples, 5, SAMPLE_TRAIN, 0, rows, &count, &error), WILLOW_OK);
        assert_int_equal(samples_read(samples, 5, SAMPLE_TRAIN, 2, rows, &count, &error), WILLOW_OK);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        assert_int_equal(samples_read(samples, 5, SAMPLE_TRAIN, 1, rows, &count, &error), WILLOW_OK);
    }
    assert_int_equal(ftruncate(fd, 2 * (off_t)BLOCK * (off_t)sizeof(struct sample) + 100), 0);
    assert_int_equal(samples_read(samples, 5, SAMPLE_TRAIN, 2, rows, &count, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.reason, "ended early"));
    bool *drop = calloc(model->count, sizeof *drop);
    assert_non_null(drop);
    drop[0] = true;
    assert_int_equal(samples_drop(samples, 5, SAMPLE_TRAIN, drop, &error), WILLOW_ERR_IO);
    free(drop);
    samples_free(samples);
    free(rows);
    free(model);
}

static void no_folder_no_store(void **state)
{
    (void)state;
    struct samples *samples = NULL;
    struct willow_error error;
    assert_int_equal(samples_new("no-such-folder", &samples, &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "no-such-folder");
    assert_null(samples);
}

/* A limit on the size of files refuses the same writes as a full disk. In a child, for it cannot be raised again. */
static void a_full_disk_is_reported(void **state)
{
    (void)fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const rlim_t room = (rlim_t)(2 * BLOCK + 10) * sizeof(struct sample);
        const struct rlimit limit = {room, room};
        struct samples *samples = NULL;
        struct model *model = calloc(1, sizeof *model);
        struct willow_error error;
        bool good = model && signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                    samples_new(*state, &samples, NULL) == WILLOW_OK;
        good = good && samples_append(samples, 3, SAMPLE_TRAIN, model->rows, 2 * BLOCK, &error) == WILLOW_OK;
        good = good && samples_append(samples, 9, SAMPLE_TRAIN, model->rows, BLOCK - 1, &error) == WILLOW_OK;
        for (int i = 0; good && i < 2; i++) /* the second time must not write behind the full block */
            good = samples_append(samples, 9, SAMPLE_TRAIN, model->rows, 5, &error) == WILLOW_ERR_IO &&
                   strcmp(error.file, *state) == 0 && strstr(error.reason, "write the scratch file");
        samples_free(samples);
        free(model);
        _exit(good ? 0 : 1);
    }
    int outcome;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_true(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0);
}

int main(void)
{
    char folder[SCRATCH_PATH];
    scratch_make(folder);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_keep_their_rows),
        cmocka_unit_test(dropped_rows_are_gone),
        cmocka_unit_test(digests_know_rows_and_parts_but_no_order),
        cmocka_unit_test_prestate(a_changed_scratch_file_is_noticed, folder),
        cmocka_unit_test(no_folder_no_store),
        cmocka_unit_test_prestate(a_full_disk_is_reported, folder),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(folder);
    return failed;
}
