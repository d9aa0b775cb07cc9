/* How many rows a second each kind of training pass reads, and how many memory would let it read: the same blocks, the
 * same indices, loads and stores at the same addresses, but no errors, no fixed point, no spreading and folding. A
 * program to run by hand: it measures and does not judge. */
#include <argp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <willow/clock.h>
#include <willow/random.h>
#include <willow/ruleset.h>

#include "support/positions.h"
#include "trainer/fit/gather.h"
#include "trainer/fit/pass.h"
#include "trainer/fit/team.h"
#include "trainer/samples/loading.h"

enum { BATCH_ROWS = 64, ROUNDS_MAX = 99 };

enum part { PART_INDEX, PART_COUNTS, PART_ERRORS, PART_GRADIENT, PART_CURVATURE, PART_ROUNDED, PARTS };
static const char *const part_names[PARTS] = {"indices alone", "counts", "errors", "gradient", "curvature", "rounded"};

struct settings {
    int threads, rounds, first_ply, last_ply;
    bool cpu;
    long rows;
    const char *patterns;
    const char *folder; /* null = generated positions */
};

/* One pass of memory accesses, with the passes' own loops. The tables hold nothing of interest. */
struct touching {
    const struct features *features;
    const struct samples *samples;
    const struct settings *settings;
    struct team *team;
    struct toucher {
        struct sample *rows;
        struct gather_cell *cells;
        double seen; /* keeps the loads from being left out */
    } * touchers;
    float *weights;
    int16_t *rounded;
    enum part part;
    atomic_size_t next_block;
};

struct bench {
    struct settings settings;
    struct features features;
    struct samples *samples;
    struct pass *pass;
    struct touching touching;
    double *weights, *direction, *totals; /* one a weight */
    int16_t *values;
    uint64_t rows;
    struct pass_range ranges[SAMPLE_PLIES];
    struct pass_rows all_rows;
};

static void fail(const struct willow_error *error)
{
    char text[1024];
    fprintf(stderr, "bench_pass: %s\n", willow_error_text(error, text, sizeof text));
    exit(EXIT_FAILURE);
}

/* Written to: the system lets all pages that were only read share one. */
static void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (!memory) {
        fprintf(stderr, "bench_pass: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memset(memory, 1, count * size);
}

static float gather(const struct touching *touching, const struct toucher *toucher, const uint32_t *index)
{
    const int count = touching->features->count;
    switch (touching->part) {
    case PART_ERRORS:
        return gather_floats(touching->weights, index, count);
    case PART_GRADIENT:
    case PART_CURVATURE:
        return gather_pairs(toucher->cells, index, count)[0];
    case PART_ROUNDED:
        return (float)gather_integers(touching->rounded, index, count);
    default:
        return 0.0F;
    }
}

static void touch_batch(const struct touching *touching, struct toucher *toucher, const struct sample *rows,
                        size_t count)
{
    const struct features *features = touching->features;
    const bool scatters =
        touching->part == PART_COUNTS || touching->part == PART_GRADIENT || touching->part == PART_CURVATURE;
    uint32_t index[BATCH_ROWS][WILLOW_FEATURES_MAX];
    for (size_t i = 0; i < count; i++)
        features->index(features->context, rows[i].board, index[i]);
    for (size_t i = 0; i < count; i++)
        toucher->seen += (double)gather(touching, toucher, index[i]);
    for (size_t i = 0; scatters && i < count; i++)
        scatter_integer(toucher->cells, index[i], features->count, 1);
}

/* Task: the blocks that one thread gets hold of. */
static void touch(void *context, int thread)
{
    struct touching *touching = context;
    struct toucher *toucher = &touching->touchers[thread];
    for (;;) {
        size_t block = atomic_fetch_add_explicit(&touching->next_block, 1, memory_order_relaxed), count = 0;
        int ply = touching->settings->first_ply;
        while (ply <= touching->settings->last_ply && block >= samples_blocks(touching->samples, ply, SAMPLE_TRAIN))
            block -= samples_blocks(touching->samples, ply++, SAMPLE_TRAIN);
        if (ply > touching->settings->last_ply)
            return;
        struct willow_error error;
        if (samples_read(touching->samples, ply, SAMPLE_TRAIN, block, toucher->rows, &count, &error) != WILLOW_OK)
            fail(&error);
        for (size_t first = 0; first < count; first += BATCH_ROWS)
            touch_batch(touching, toucher, toucher->rows + first,
                        count - first < BATCH_ROWS ? count - first : BATCH_ROWS);
    }
}

/* Seconds; of the processor, divided by the threads, if the settings say so. */
static double now(const struct settings *settings)
{
    struct timespec used;
    if (!settings->cpu || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        return 1e-9 * (double)willow_clock_ns();
    return ((double)used.tv_sec + 1e-9 * (double)used.tv_nsec) / settings->threads;
}

static double time_touching(struct bench *bench, enum part part)
{
    const double start = now(&bench->settings);
    bench->touching.part = part;
    atomic_store_explicit(&bench->touching.next_block, 0, memory_order_relaxed);
    team_run(bench->touching.team, touch, &bench->touching, bench->settings.threads);
    return now(&bench->settings) - start;
}

static double time_pass(struct bench *bench, enum part part)
{
    const double start = now(&bench->settings);
    enum willow_status status = WILLOW_OK;
    struct pass_result result;
    struct willow_error error;
    switch (part) {
    case PART_COUNTS:
        status = pass_counts(bench->pass, bench->all_rows, true, bench->totals, &error);
        break;
    case PART_ERRORS:
        status = pass_gradient(bench->pass, bench->all_rows, bench->weights, NULL, &result, &error);
        break;
    case PART_GRADIENT:
        status = pass_gradient(bench->pass, bench->all_rows, bench->weights, bench->totals, &result, &error);
        break;
    case PART_CURVATURE:
        status = pass_curvature(bench->pass, bench->all_rows, bench->weights, bench->direction, bench->totals, &result,
                                &error);
        break;
    case PART_ROUNDED:
        status = pass_rounded(bench->pass, bench->all_rows, bench->values, &result, &error);
        break;
    default:
        break;
    }
    if (status != WILLOW_OK)
        fail(&error);
    return now(&bench->settings) - start;
}

/* Positions of random games, spread evenly over the plies. Their disc patterns are more varied than those of good play.
 */
static void generate(struct bench *bench)
{
    struct willow_random random;
    struct willow_error error;
    willow_random_init(&random, 1, 0);
    const int plies = bench->settings.last_ply - bench->settings.first_ply + 1;
    for (long i = 0; i < bench->settings.rows; i++) {
        const int ply = bench->settings.first_ply + (int)(i % plies);
        const struct sample row = {.board = position_from_play(willow_ruleset_default(), &random, 60 - ply),
                                   .label = (float)(willow_random_unit(&random) * 1280.0 - 640.0),
                                   .weight = SAMPLE_WEIGHT_ONE,
                                   .kind = SAMPLE_SCORE};
        if (samples_append(bench->samples, ply, SAMPLE_TRAIN, &row, 1, &error) != WILLOW_OK)
            fail(&error);
    }
}

static void load(struct bench *bench)
{
    struct label_source source;
    struct willow_error error;
    const struct label_rules rules = label_rules_default();
    struct loading_report report;
    if (label_source_open(bench->settings.folder, &source, &error) != WILLOW_OK)
        fail(&error);
    const struct loading_options options = {.ruleset = willow_ruleset_by_id(source.ruleset),
                                            .first_ply = bench->settings.first_ply,
                                            .last_ply = bench->settings.last_ply,
                                            .rules = &rules};
    if (loading_run(&source, 1, &options, bench->samples, &report, &error) != WILLOW_OK)
        fail(&error);
}

static void prepare(struct bench *bench, const struct willow_pattern_set *set)
{
    struct willow_error error;
    struct touching *touching = &bench->touching;
    const struct settings *settings = &bench->settings;
    bench->features = features_of_patterns(set);
    if (samples_new(".", &bench->samples, &error) != WILLOW_OK)
        fail(&error);
    settings->folder ? load(bench) : generate(bench);
    for (int ply = settings->first_ply; ply <= settings->last_ply; ply++) {
        bench->rows += samples_rows(bench->samples, ply, SAMPLE_TRAIN);
        bench->ranges[bench->all_rows.count++] =
            (struct pass_range){.ply = ply, .part = SAMPLE_TRAIN, .blocks = SIZE_MAX, .factor = 1.0F};
    }
    bench->all_rows.ranges = bench->ranges;
    if (pass_new(&bench->features, bench->samples, NULL, settings->threads, 24.0 * WILLOW_SCORE_DISC, &bench->pass,
                 &error) != WILLOW_OK ||
        team_new(settings->threads, &touching->team, &error) != WILLOW_OK)
        fail(&error);
    touching->features = &bench->features;
    touching->samples = bench->samples;
    touching->settings = settings;
    touching->weights = allocate(bench->features.raw, sizeof *touching->weights);
    touching->rounded = allocate(bench->features.raw, sizeof *touching->rounded);
    touching->touchers = allocate((size_t)settings->threads, sizeof *touching->touchers);
    for (int i = 0; i < settings->threads; i++) {
        touching->touchers[i].rows = allocate(SAMPLE_BLOCK_ROWS, sizeof(struct sample));
        touching->touchers[i].cells = allocate(bench->features.raw, sizeof(struct gather_cell));
    }
    bench->weights = allocate(bench->features.weights, sizeof *bench->weights);
    bench->direction = allocate(bench->features.weights, sizeof *bench->direction);
    bench->totals = allocate(bench->features.weights, sizeof *bench->totals);
    bench->values = allocate(bench->features.weights, sizeof *bench->values);
    struct willow_random random;
    willow_random_init(&random, 2, 0);
    for (uint32_t j = 0; j < bench->features.weights; j++) {
        bench->weights[j] = 100.0 * willow_random_unit(&random) - 50.0;
        bench->direction[j] = willow_random_unit(&random) - 0.5;
        bench->values[j] = (int16_t)bench->weights[j];
    }
}

static void clear(struct bench *bench)
{
    struct touching *touching = &bench->touching;
    for (int i = 0; i < bench->settings.threads; i++) {
        free(touching->touchers[i].rows);
        free(touching->touchers[i].cells);
    }
    free(touching->touchers);
    free(touching->weights);
    free(touching->rounded);
    team_free(touching->team);
    pass_free(bench->pass);
    samples_free(bench->samples);
    free(bench->weights);
    free(bench->direction);
    free(bench->totals);
    free(bench->values);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, rising);
    return values[count / 2];
}

/* The parts take turns, and a share compares two neighbours of one round: other programs disturb both alike. */
static void measure_all(struct bench *bench)
{
    static double pass[PARTS][ROUNDS_MAX], bound[PARTS][ROUNDS_MAX], share[PARTS][ROUNDS_MAX];
    const int rounds = bench->settings.rounds;
    for (int round = -1; round < rounds; round++) /* the first warms up and does not count */
        for (enum part part = 0; part < PARTS; part++) {
            const double memory = time_touching(bench, part), whole = part == PART_INDEX ? 0.0 : time_pass(bench, part);
            if (round < 0)
                continue;
            pass[part][round] = whole;
            bound[part][round] = memory;
            share[part][round] = whole > 0.0 ? memory / whole : 0.0;
        }
    const double millions = 1e-6 * (double)bench->rows;
    printf("%.0f rows of plies %d-%d, %u raw weights, threads %d, median of %d%s\n", 1e6 * millions,
           bench->settings.first_ply, bench->settings.last_ply, bench->features.raw, bench->settings.threads, rounds,
           bench->settings.cpu ? ", processor time" : "");
    printf("%-14s %14s %14s %8s\n", "million rows/s", "pass", "memory bound", "share");
    for (enum part part = 0; part < PARTS; part++) {
        printf("%-14s ", part_names[part]);
        part == PART_INDEX ? printf("%14s", "") : printf("%14.2f", millions / median(pass[part], rounds));
        printf(" %14.2f", millions / median(bound[part], rounds));
        part == PART_INDEX ? putchar('\n') : printf(" %7.0f%%\n", 100.0 * median(share[part], rounds));
    }
}

static int number_of(const char *text, int least, int most, const char *name, struct argp_state *state)
{
    char *end;
    const long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < least || number > most)
        argp_error(state, "%s is a number from %d to %d", name, least, most);
    return (int)number;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    switch (key) {
    case 't':
        settings->threads = number_of(argument, 1, 64, "--threads", state);
        return 0;
    case 'r':
        settings->rounds = number_of(argument, 1, ROUNDS_MAX, "--rounds", state);
        return 0;
    case 'n':
        settings->rows = number_of(argument, 1, 1 << 30, "--rows", state);
        return 0;
    case 'f':
        settings->first_ply = number_of(argument, 0, SAMPLE_PLIES - 1, "--first-ply", state);
        return 0;
    case 'l':
        settings->last_ply = number_of(argument, 0, SAMPLE_PLIES - 1, "--last-ply", state);
        return 0;
    case 'c':
        settings->cpu = true;
        return 0;
    case 'p':
        settings->patterns = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (settings->folder)
            argp_error(state, "one dataset only");
        settings->folder = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"threads", 't', "N", 0, "Threads (1)", 0},
    {"rounds", 'r', "N", 0, "Repetitions (9)", 0},
    {"rows", 'n', "N", 0, "Positions of random games, without a dataset (300000)", 0},
    {"first-ply", 'f', "N", 0, "Rows from this ply (30)", 0},
    {"last-ply", 'l', "N", 0, "to this one (32)", 0},
    {"cpu", 'c', NULL, 0, "Measure processor time: for a machine that is not idle", 0},
    {"patterns", 'p', "NAME", 0, "Pattern set (the default one)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};
static const struct argp argp = {
    options, parse, "[DATASET]", "Rows a second of the training passes, and what memory allows.", NULL, NULL, NULL};

int main(int argc, char **argv)
{
    static struct bench bench;
    struct settings *settings = &bench.settings;
    *settings = (struct settings){.threads = 1, .rounds = 9, .first_ply = 30, .last_ply = 32, .rows = 300000};
    if (argp_parse(&argp, argc, argv, 0, NULL, settings) != 0)
        return EXIT_FAILURE;
    const struct willow_pattern_set *set =
        settings->patterns ? willow_pattern_set_find(settings->patterns) : willow_pattern_set_default();
    if (!set || settings->first_ply > settings->last_ply) {
        fprintf(stderr, "bench_pass: no such pattern set, or no such plies\n");
        return EXIT_FAILURE;
    }
    prepare(&bench, set);
    measure_all(&bench);
    clear(&bench);
    return EXIT_SUCCESS;
}
