/* The solvers against known weights, a dense reference, outliers, stops and any number of threads. */
#include "trainer/fit/backoff.h"
#include "trainer/fit/solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

/* Four groups of sixteen weights, picked by four bits each of the player's word: every weight is seen often. */
enum { GROUPS = 4, GROUP_SIZE = 16, TOY_WEIGHTS = GROUPS * GROUP_SIZE };

static void toy_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < GROUPS; g++)
        index[g] = g * GROUP_SIZE + (uint32_t)(board.player >> (4 * g) & 15);
}

/* Three terms among six weights, with repetitions: small enough to solve by hand. */
enum { TINY_WEIGHTS = 6 };

static void tiny_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < 3; g++)
        index[g] = (uint32_t)(board.player >> (8 * g) & 255) % TINY_WEIGHTS;
}

static const struct features toy = {NULL, GROUPS, TOY_WEIGHTS, TOY_WEIGHTS, NULL, toy_index};
static const struct features tiny = {NULL, 3, TINY_WEIGHTS, TINY_WEIGHTS, NULL, tiny_index};

/* Rows of one ply, and a fit to them. */
enum { PLY = 30 };
struct fixture {
    struct samples *samples;
    struct pass_range train, held_out;
    struct solver_task task;
    struct solver_options options;
    struct solver_report report;
    double start[TOY_WEIGHTS], weights[TOY_WEIGHTS];
};

static void set_up(struct fixture *fixture, const struct features *features, int iterations, double prior)
{
    memset(fixture, 0, sizeof *fixture);
    assert_int_equal(samples_new(".", &fixture->samples, NULL), WILLOW_OK);
    fixture->train = (struct pass_range){PLY, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F};
    fixture->held_out = (struct pass_range){PLY, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F};
    fixture->task = (struct solver_task){.features = features,
                                         .samples = fixture->samples,
                                         .train = {&fixture->train, 1},
                                         .held_out = {&fixture->held_out, 1},
                                         .start = fixture->start};
    fixture->options = (struct solver_options){.iterations = iterations,
                                               .patience = 1000,
                                               .prior = prior,
                                               .clip_discs = 24.0,
                                               .rate = 10.0,
                                               .batch_blocks = 1,
                                               .threads = 1};
}

static void tear_down(struct fixture *fixture)
{
    solver_report_clear(&fixture->report);
    samples_free(fixture->samples);
}

static enum willow_status fit(struct fixture *fixture)
{
    solver_report_clear(&fixture->report);
    return solver_fit(&fixture->task, &fixture->options, fixture->weights, &fixture->report, NULL);
}

static void add_row(struct fixture *fixture, enum sample_part part, uint64_t player, double label, double weight)
{
    const struct sample row = {.board = {player, 0},
                               .label = (float)label,
                               .weight = (uint16_t)(weight * SAMPLE_WEIGHT_ONE),
                               .kind = SAMPLE_SCORE};
    assert_int_equal(samples_append(fixture->samples, PLY, part, &row, 1, NULL), WILLOW_OK);
}

static double predict(const struct features *features, const double *weights, uint64_t player)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    features->index(features->context, (struct willow_board){player, 0}, index);
    double sum = 0.0;
    for (int i = 0; i < features->count; i++)
        sum += weights[index[i]];
    return sum;
}

/* Rows with labels from `truth` plus noise. outlier = 0: every tenth row is held out; else none is, and every
 * outlier-th is wrong by 60 discs. */
static void make_rows(struct fixture *fixture, const double *truth, size_t count, double noise, size_t outlier)
{
    struct willow_random random;
    willow_random_init(&random, 7, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t player = willow_random_u64(&random);
        double label = predict(fixture->task.features, truth, player) + noise * (willow_random_unit(&random) - 0.5);
        if (outlier > 0 && i % outlier == 0)
            label += 60.0 * WILLOW_SCORE_DISC;
        add_row(fixture, outlier == 0 && i % 10 == 0 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN, player, label, 1.0);
    }
}

static void random_truth(double *truth, uint32_t count, uint32_t spread)
{
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    for (uint32_t j = 0; j < count; j++)
        truth[j] = (double)willow_random_below(&random, 2 * spread + 1) - spread;
}

static void test_recovers_known_weights(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        set_up(&fixture, &toy, 100, 1e-3);
        make_rows(&fixture, truth, 20000, 0.0, 0);
        fixture.options.kind = kind;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        const struct solver_report *report = &fixture.report;
        assert_int_equal(report->held_out_fitted.all.rows, 2000);
        assert_int_equal(report->train_fitted.all.rows, 18000);
        assert_true(report->held_out_before.mae_discs > 3.0 && report->train_before.mae_discs > 3.0);
        assert_true(report->held_out_fitted.all.mae_discs < (kind == SOLVER_CONJUGATE ? 0.001 : 0.01));
        assert_true(report->train_fitted.all.mae_discs < 0.02);
        assert_int_equal(report->unseen, 0);
        assert_true(report->sightings[5] > 900 && report->sightings[5] < 1300);
        /* The groups may trade a constant among them, but differences inside a group are determined. */
        for (uint32_t j = 0; j < TOY_WEIGHTS; j++) {
            const uint32_t first = j / GROUP_SIZE * GROUP_SIZE;
            const double difference = fixture.weights[j] - fixture.weights[first];
            assert_true(fabs(difference - (truth[j] - truth[first])) <= 1.0);
        }
        tear_down(&fixture);
    }
}

/* Solves a x = b in place by Gaussian elimination with pivoting. */
static void solve_dense(double a[TINY_WEIGHTS][TINY_WEIGHTS], double *b)
{
    for (int c = 0; c < TINY_WEIGHTS; c++) {
        int pivot = c;
        for (int r = c + 1; r < TINY_WEIGHTS; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        for (int k = 0; k < TINY_WEIGHTS; k++) {
            double swap = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        double swap = b[c];
        b[c] = b[pivot];
        b[pivot] = swap;
        for (int r = 0; r < TINY_WEIGHTS; r++) {
            double factor = r == c ? 0.0 : a[r][c] / a[c][c];
            for (int k = 0; k < TINY_WEIGHTS; k++)
                a[r][k] -= factor * a[c][k];
            b[r] -= factor * b[c];
        }
    }
    for (int c = 0; c < TINY_WEIGHTS; c++)
        b[c] /= a[c][c];
}

/* (X'WX + prior) d = X'W (y - X w0); repeated indices add up, the prior pulls towards w0, rows and ranges have weights.
 */
static void test_equals_dense_least_squares(void **state)
{
    (void)state;
    const double prior = 3.0;
    const double start[TINY_WEIGHTS] = {40.25, -30, 20, 900, 0, -500};
    double truth[TINY_WEIGHTS], a[TINY_WEIGHTS][TINY_WEIGHTS] = {{0}}, b[TINY_WEIGHTS] = {0};
    random_truth(truth, TINY_WEIGHTS, 2000);
    struct fixture fixture;
    set_up(&fixture, &tiny, 60, prior);
    struct willow_random random;
    willow_random_init(&random, 5, 5);
    for (int j = 0; j < TINY_WEIGHTS; j++) {
        fixture.start[j] = start[j];
        truth[j] += start[j];
        a[j][j] = prior;
    }
    const double factor = 0.75;
    fixture.train.factor = (float)factor;
    for (int i = 0; i < 12; i++) {
        const uint64_t player = willow_random_u64(&random);
        const double weight = 0.25 * (1 + i % 5);
        const float label = (float)(predict(&tiny, truth, player) + 300.0 * (willow_random_unit(&random) - 0.5));
        add_row(&fixture, SAMPLE_TRAIN, player, (double)label, weight);
        uint32_t index[3];
        tiny_index(NULL, (struct willow_board){player, 0}, index);
        const double residual = (double)label - predict(&tiny, start, player);
        for (int k = 0; k < 3; k++) {
            b[index[k]] += factor * weight * residual;
            for (int l = 0; l < 3; l++)
                a[index[k]][index[l]] += factor * weight;
        }
    }
    solve_dense(a, b);
    fixture.options.clip_discs = 256.0;
    assert_int_equal(fit(&fixture), WILLOW_OK);
    for (int j = 0; j < TINY_WEIGHTS; j++)
        assert_true(fabs(fixture.weights[j] - (start[j] + b[j])) <= 0.02);
    /* No row has the full weight of the stage's own. */
    assert_int_equal(fixture.report.unseen, TINY_WEIGHTS);
    tear_down(&fixture);
}

/* Reports alike but for what they point to; that is compared as well. */
static void assert_reports_equal(const struct solver_report *a, const struct solver_report *b)
{
    struct solver_report first = *a, other = *b;
    assert_int_equal(a->point_count, b->point_count);
    for (size_t i = 0; i < a->point_count; i++) {
        assert_int_equal(a->points[i].step, b->points[i].step);
        assert_true(a->points[i].epochs == b->points[i].epochs);
        assert_memory_equal(&a->points[i].train, &b->points[i].train, sizeof a->points[i].train);
        assert_memory_equal(&a->points[i].held_out, &b->points[i].held_out, sizeof a->points[i].held_out);
    }
    assert_memory_equal(a->sightings, b->sightings, TOY_WEIGHTS * sizeof *a->sightings);
    first.points = other.points = NULL;
    first.sightings = other.sightings = NULL;
    assert_memory_equal(&first, &other, sizeof first);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture one, many;
        set_up(&one, &toy, 12, 1.0);
        set_up(&many, &toy, 12, 1.0);
        make_rows(&one, truth, 40000, 500.0, 50);
        make_rows(&many, truth, 40000, 500.0, 50);
        one.options.kind = many.options.kind = kind;
        assert_int_equal(fit(&one), WILLOW_OK);
        for (int threads = 2; threads <= 5; threads++) {
            many.options.threads = threads;
            assert_int_equal(fit(&many), WILLOW_OK);
            assert_memory_equal(one.weights, many.weights, sizeof one.weights);
            assert_reports_equal(&one.report, &many.report);
        }
        tear_down(&one);
        tear_down(&many);
    }
}

/* Mean difference between fitted and true predictions, in discs. */
static double bias_discs(const double *weights, const double *truth)
{
    double sum = 0.0;
    for (int j = 0; j < TOY_WEIGHTS; j++)
        sum += (weights[j] - truth[j]) / GROUP_SIZE;
    return sum / WILLOW_SCORE_DISC;
}

/* A twentieth of the rows is wrong by 60 discs, all to one side: plain least squares shifts by 3 discs. */
static void test_clipped_outliers_do_not_matter(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 50);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        set_up(&fixture, &toy, 60, 0.1);
        make_rows(&fixture, truth, 20000, 64.0, 20);
        fixture.options.kind = kind;
        fixture.options.clip_discs = 2.0;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_true(fabs(bias_discs(fixture.weights, truth)) < 0.2);
        fixture.options.clip_discs = 256.0;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_true(bias_discs(fixture.weights, truth) > 2.5);
        tear_down(&fixture);
    }
}

/* From zero most labels lie beyond the clip. Steps as long as the free rows alone suggest would run away. */
static void test_starts_beyond_the_clip(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 600);
    struct fixture fixture;
    set_up(&fixture, &toy, 60, 0.1);
    make_rows(&fixture, truth, 5000, 64.0, 0);
    fixture.options.clip_discs = 4.0;
    assert_int_equal(fit(&fixture), WILLOW_OK);
    assert_true(fixture.report.held_out_before.mae_discs > 12.0);
    assert_true(fixture.report.held_out_fitted.all.mae_discs < 0.6);
    tear_down(&fixture);
}

/* Weights that no training row shows keep their start; held-out rows leave no trace in the weights. */
static void test_unseen_weights_stay(void **state)
{
    (void)state;
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        set_up(&fixture, &toy, 50, 1.0);
        for (uint64_t i = 0; i < 400; i++)
            add_row(&fixture, i % 4 == 3 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN, i % 4, 1000.0 * (double)(i % 4), 1.0);
        add_row(&fixture, SAMPLE_TRAIN, 7, 3000.0, 1.0);
        for (int j = 0; j < TOY_WEIGHTS; j++)
            fixture.start[j] = j + 1;
        fixture.options.kind = kind;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_int_equal(fixture.report.unseen, TOY_WEIGHTS - 4 - (GROUPS - 1));
        assert_int_equal(fixture.report.rare, 1);
        assert_int_equal(fixture.report.sightings[0], 100);
        assert_int_equal(fixture.report.sightings[7], 1);
        for (int j = 0; j < GROUP_SIZE; j++)
            assert_true((fixture.weights[j] != fixture.start[j]) == (fixture.report.sightings[j] > 0));
        tear_down(&fixture);
    }
}

static void test_fixed_weights_stay(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        bool fixed[TOY_WEIGHTS] = {false};
        set_up(&fixture, &toy, 20, 1.0);
        make_rows(&fixture, truth, 5000, 64.0, 0);
        for (int j = 0; j < TOY_WEIGHTS; j++) {
            fixture.start[j] = 0.5 * j;
            fixed[j] = j < GROUP_SIZE || j % 3 == 0;
        }
        fixture.task.fixed = fixed;
        fixture.options.kind = kind;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        for (int j = 0; j < TOY_WEIGHTS; j++)
            assert_true((fixture.weights[j] == fixture.start[j]) == fixed[j]);
        tear_down(&fixture);
    }
}

static void test_no_rows_and_no_steps(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 50);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        set_up(&fixture, &toy, 10, 1.0);
        fixture.start[0] = 5.0;
        fixture.options.kind = kind;
        fixture.options.threads = 2;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_memory_equal(fixture.start, fixture.weights, sizeof fixture.start);
        make_rows(&fixture, truth, 100, 0.0, 0);
        fixture.options.iterations = 0;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_memory_equal(fixture.start, fixture.weights, sizeof fixture.start);
        assert_true(fixture.report.held_out_fitted.all.mae_discs > 0.0);
        assert_int_equal(fixture.report.point_count, 1);
        tear_down(&fixture);
    }
}

/* Held-out rows that contradict the training rows: the best weights are those of the start. Without held-out rows the
 * last step is kept, however little it brings. */
static void test_which_weights_are_kept(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 50);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        set_up(&fixture, &toy, 30, 1.0);
        make_rows(&fixture, truth, 5000, 200.0, 60000);
        fixture.options.kind = kind;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_int_equal(fixture.report.iterations, fixture.report.steps);
        assert_true(fixture.report.steps > 3);
        for (uint64_t i = 0; i < 100; i++)
            add_row(&fixture, SAMPLE_HELD_OUT, 0x9d3f7 * i, -predict(&toy, truth, 0x9d3f7 * i), 1.0);
        fixture.options.patience = 4;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_int_equal(fixture.report.iterations, 0);
        assert_int_equal(fixture.report.steps, 4);
        assert_memory_equal(fixture.weights, fixture.start, sizeof fixture.start);
        tear_down(&fixture);
    }
}

/* A fit that is stopped at each `every`-th point of the learning curve, or saves between all steps. */
struct interruption {
    struct willow_stop *stop;
    int points, every;
    unsigned char *bytes;
    size_t size;
    int saves;
    enum willow_status answer;
};

static void stop_at_points(void *context, const struct solver_point *point)
{
    struct interruption *interruption = context;
    (void)point;
    if (interruption->every > 0 && ++interruption->points % interruption->every == 0)
        willow_stop_set(interruption->stop, true);
}

static enum willow_status keep_bytes(void *context, const void *bytes, size_t size, struct willow_error *error)
{
    struct interruption *interruption = context;
    if (interruption->answer != WILLOW_OK)
        return willow_fail(error, interruption->answer, NULL, NULL, "refused");
    free(interruption->bytes);
    interruption->bytes = malloc(size);
    assert_non_null(interruption->bytes);
    memcpy(interruption->bytes, bytes, size);
    interruption->size = size;
    interruption->saves++;
    return WILLOW_OK;
}

static void interrupt(struct fixture *fixture, struct interruption *interruption, int every)
{
    *interruption = (struct interruption){.every = every};
    assert_int_equal(willow_stop_new(&interruption->stop, NULL), WILLOW_OK);
    fixture->options.stop = interruption->stop;
    fixture->options.progress = stop_at_points;
    fixture->options.save = keep_bytes;
    fixture->options.save_seconds = 1e9;
    fixture->options.context = interruption;
}

static void clear_interruption(struct interruption *interruption)
{
    willow_stop_free(interruption->stop);
    free(interruption->bytes);
}

static void test_resumed_fit_is_the_same(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture whole, parts;
        set_up(&whole, &toy, 11, 1.0);
        set_up(&parts, &toy, 11, 1.0);
        make_rows(&whole, truth, 15000, 500.0, 0);
        make_rows(&parts, truth, 15000, 500.0, 0);
        whole.options.kind = parts.options.kind = kind;
        assert_int_equal(fit(&whole), WILLOW_OK);
        for (int every = 1; every <= 4; every++) {
            struct interruption interruption;
            interrupt(&parts, &interruption, every);
            parts.options.resume = NULL;
            enum willow_status status;
            int stops = 0;
            while ((status = fit(&parts)) == WILLOW_ERR_STOPPED && stops < 100) {
                stops++;
                willow_stop_set(interruption.stop, false);
                parts.options.resume = interruption.bytes;
                parts.options.resume_size = interruption.size;
                parts.options.threads = 1 + stops % 3;
            }
            assert_int_equal(status, WILLOW_OK);
            assert_true(stops >= 6 / every); /* a step of conjugate gradients may have two points */
            assert_int_equal(interruption.saves, stops);
            assert_memory_equal(whole.weights, parts.weights, sizeof whole.weights);
            assert_reports_equal(&whole.report, &parts.report);
            clear_interruption(&interruption);
        }
        tear_down(&whole);
        tear_down(&parts);
    }
}

static void test_damaged_states_are_refused(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct fixture fixture;
        struct interruption interruption;
        set_up(&fixture, &toy, 6, 1.0);
        make_rows(&fixture, truth, 2000, 500.0, 0);
        interrupt(&fixture, &interruption, 0);
        fixture.options.kind = kind;
        fixture.options.save_seconds = 0.0; /* between all steps */
        assert_int_equal(fit(&fixture), WILLOW_OK);
        assert_true(interruption.saves >= 6);
        unsigned char *bytes = interruption.bytes;
        const size_t size = interruption.size;
        fixture.options.save = NULL;
        fixture.options.resume = bytes;
        for (size_t cut = 0; cut < size; cut += 1 + cut / 3) {
            fixture.options.resume_size = cut;
            assert_int_equal(fit(&fixture), WILLOW_ERR_FORMAT);
        }
        fixture.options.resume_size = size;
        for (size_t at = 0; at < size; at += 1 + at / 3) {
            bytes[at] ^= 4;
            assert_int_equal(fit(&fixture), WILLOW_ERR_FORMAT);
            bytes[at] ^= 4;
        }
        fixture.options.prior = 2.0;
        assert_int_equal(fit(&fixture), WILLOW_ERR_FORMAT);
        fixture.options.prior = 1.0;
        fixture.options.kind = (kind + 1) % SOLVER_KINDS;
        assert_int_equal(fit(&fixture), WILLOW_ERR_FORMAT);
        fixture.options.kind = kind;
        fixture.start[3] = 1.0;
        assert_int_equal(fit(&fixture), WILLOW_ERR_FORMAT);
        fixture.start[3] = 0.0;
        assert_int_equal(fit(&fixture), WILLOW_OK);
        add_row(&fixture, SAMPLE_TRAIN, 1, 1.0, 1.0);
        assert_int_equal(fit(&fixture), WILLOW_ERR_FORMAT);
        clear_interruption(&interruption);
        tear_down(&fixture);
    }
}

static void test_refused_save_ends_the_fit(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    struct fixture fixture;
    struct interruption interruption;
    set_up(&fixture, &toy, 6, 1.0);
    make_rows(&fixture, truth, 2000, 500.0, 0);
    interrupt(&fixture, &interruption, 0);
    fixture.options.save_seconds = 0.0;
    interruption.answer = WILLOW_ERR_IO;
    assert_int_equal(fit(&fixture), WILLOW_ERR_IO);
    willow_stop_set(interruption.stop, true);
    assert_int_equal(fit(&fixture), WILLOW_ERR_STOPPED); /* before there is anything to save */
    clear_interruption(&interruption);
    tear_down(&fixture);
}

/* Random boards of many discs with labels from the weights of a set; every tenth is held out. */
static void make_boards(struct fixture *fixture, const struct willow_pattern_set *set, const double *truth, int count)
{
    struct willow_random random;
    willow_random_init(&random, 2, 2);
    for (int i = 0; i < count; i++) {
        const uint64_t discs = willow_random_u64(&random), side = willow_random_u64(&random);
        struct sample row = {.board = {discs & side, discs & ~side}, .weight = SAMPLE_WEIGHT_ONE};
        uint32_t index[WILLOW_FEATURES_MAX];
        double label = 0.0;
        willow_pattern_set_indices(set, row.board, index);
        for (int f = 0; f < willow_pattern_set_features(set); f++)
            label += truth[index[f]];
        row.label = (float)label;
        const enum sample_part part = i % 10 == 0 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN;
        assert_int_equal(samples_append(fixture->samples, PLY, part, &row, 1, NULL), WILLOW_OK);
    }
}

/* Weights that are sums of what pairs of squares say, fitted to so few boards that most configurations are never seen.
 * With shared parts they are known all the same, by pairs as by triples. */
static void test_backoff_predicts_unseen(void **state)
{
    (void)state;
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    const struct features features = features_of_patterns(set);
    struct team *team = NULL;
    struct backoff *backoff = NULL;
    assert_int_equal(team_new(1, &team, NULL), WILLOW_OK);
    assert_int_equal(backoff_new(set, 2, 1.0, team, &backoff, NULL), WILLOW_OK);
    double *parts = calloc(backoff_parts(backoff), sizeof *parts);
    double *truth = calloc(features.weights, sizeof *truth), *weights = calloc(features.weights, sizeof *weights);
    double *start = calloc(features.weights, sizeof *start), *pace = calloc(backoff_parts(backoff), sizeof *pace);
    backoff_prepare(backoff, start, pace);
    struct willow_random random;
    willow_random_init(&random, 3, 3);
    for (size_t k = 0; k < backoff_parts(backoff); k++)
        parts[k] = 8.0 * (willow_random_unit(&random) - 0.5);
    backoff_add(backoff, parts, truth);

    struct fixture fixture;
    set_up(&fixture, &features, 30, 10.0);
    make_boards(&fixture, set, truth, 3000);
    fixture.task.start = start;
    fixture.task.patterns = set;
    double mae[3];
    for (int with = 0; with < 3; with++) {
        fixture.options.backoff_squares = with == 0 ? 0 : with + 1;
        fixture.options.backoff_prior = 1.0;
        solver_report_clear(&fixture.report);
        assert_int_equal(solver_fit(&fixture.task, &fixture.options, weights, &fixture.report, NULL), WILLOW_OK);
        assert_true(fixture.report.unseen > features.weights / 2);
        mae[with] = fixture.report.held_out_fitted.all.mae_discs;
    }
    assert_true(mae[1] < 0.4 * mae[0] && mae[2] < 0.7 * mae[0]);
    tear_down(&fixture);
    free(parts);
    free(pace);
    free(truth);
    free(weights);
    free(start);
    backoff_free(backoff);
    team_free(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers_known_weights),     cmocka_unit_test(test_equals_dense_least_squares),
        cmocka_unit_test(test_threads_do_not_matter),      cmocka_unit_test(test_clipped_outliers_do_not_matter),
        cmocka_unit_test(test_starts_beyond_the_clip),     cmocka_unit_test(test_unseen_weights_stay),
        cmocka_unit_test(test_fixed_weights_stay),         cmocka_unit_test(test_no_rows_and_no_steps),
        cmocka_unit_test(test_which_weights_are_kept),     cmocka_unit_test(test_resumed_fit_is_the_same),
        cmocka_unit_test(test_damaged_states_are_refused), cmocka_unit_test(test_refused_save_ends_the_fit),
        cmocka_unit_test(test_backoff_predicts_unseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
