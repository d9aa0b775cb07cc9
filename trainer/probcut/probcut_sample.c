/* Chooses and searches positions; see probcut_sample.h. Knows nothing of the model. Layer: trainer. */
#include "probcut_sample.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <willow/dataset.h>
#include <willow/random.h>

#include "samples/loading.h"

enum { LOAD_ROWS = 4096, DISCS_MIN = 4, CLASSES = PROBCUT_DISCS_MAX - DISCS_MIN + 1 };

/* For each number of discs the positions with the lowest keys so far, sorted by key. */
struct choice {
    const struct willow_ruleset *ruleset;
    uint64_t seed;
    size_t quota;
    size_t count[CLASSES];
    struct probcut_position *kept; /* CLASSES times quota */
};

/* A position is chosen by a random number of its own: all rows that hold it agree on it. */
static uint64_t key_of(uint64_t seed, struct willow_board canonical)
{
    struct willow_random random;
    willow_random_init(&random, seed, willow_board_hash(canonical));
    return willow_random_u64(&random);
}

static void consider(struct choice *choice, struct willow_board board, int half)
{
    const int discs = willow_board_discs(board);
    struct probcut_position *kept = choice->kept + (size_t)(discs - DISCS_MIN) * choice->quota;
    size_t *count = &choice->count[discs - DISCS_MIN], low = 0, high = *count;
    const struct willow_board canonical = willow_board_canonical(choice->ruleset, board, NULL);
    const uint64_t key = key_of(choice->seed, canonical);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (kept[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == choice->quota)
        return;
    if (low < *count && kept[low].key == key) {
        /* Of several games with the position, which one it is taken from must not depend on their order. */
        if (half < kept[low].half)
            kept[low].half = (uint8_t)half;
        return;
    }
    *count += *count < choice->quota;
    memmove(kept + low + 1, kept + low, (*count - 1 - low) * sizeof *kept);
    kept[low] =
        (struct probcut_position){.board = canonical, .key = key, .discs = (uint8_t)discs, .half = (uint8_t)half};
}

static enum willow_status read_folder(struct choice *choice, const char *folder, const struct willow_stop *stop,
                                      struct willow_row *rows, struct willow_error *error)
{
    const struct willow_ruleset *ruleset = choice->ruleset;
    const int last_ply = willow_ruleset_squares(ruleset) - PROBCUT_EMPTIES_MIN - DISCS_MIN;
    struct label_source source;
    struct willow_reader *reader = NULL;
    enum willow_status status = label_source_open(folder, &source, error);
    if (status == WILLOW_OK)
        status = willow_reader_open(&folder, 1, 0, last_ply, ruleset, false, &reader, error);
    for (size_t count = 1; status == WILLOW_OK && count > 0;) {
        if (stop && willow_stop_get(stop))
            status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        else
            status = willow_reader_next(reader, rows, LOAD_ROWS, &count, error);
        for (size_t i = 0; status == WILLOW_OK && i < count; i++)
            consider(choice, (struct willow_board){rows[i].player, rows[i].opponent},
                     willow_game_held_out(source.seed, rows[i].game, 0.5));
    }
    willow_reader_free(reader);
    return status;
}

/* Moves the kept positions together. */
static size_t gather(struct choice *choice)
{
    size_t count = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        memmove(choice->kept + count, choice->kept + i * choice->quota, choice->count[i] * sizeof *choice->kept);
        count += choice->count[i];
    }
    for (size_t i = 0; i < count; i++)
        choice->kept[i].empties = (uint8_t)willow_board_empties(choice->ruleset, choice->kept[i].board);
    return count;
}

enum willow_status probcut_sample(const char *const *folders, size_t folder_count, const struct willow_ruleset *ruleset,
                                  uint64_t seed, size_t wanted, const struct willow_stop *stop,
                                  struct probcut_position **positions, size_t *count, struct willow_error *error)
{
    const size_t classes = (size_t)(willow_ruleset_squares(ruleset) - PROBCUT_EMPTIES_MIN - DISCS_MIN + 1);
    struct choice choice = {.ruleset = ruleset, .seed = seed, .quota = (wanted + classes - 1) / classes};
    struct willow_row *rows = malloc(LOAD_ROWS * sizeof *rows);
    choice.kept = calloc(CLASSES * (choice.quota + 1), sizeof *choice.kept);
    enum willow_status status = WILLOW_OK;
    if (!rows || !choice.kept)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu positions", wanted);
    for (size_t i = 0; status == WILLOW_OK && i < folder_count; i++)
        status = read_folder(&choice, folders[i], stop, rows, error);
    free(rows);
    if (status != WILLOW_OK) {
        free(choice.kept);
        return status;
    }
    *count = gather(&choice);
    *positions = choice.kept;
    return WILLOW_OK;
}

struct crew {
    const struct willow_weights *weights;
    const struct probcut_search *options;
    struct probcut_position *positions;
    size_t count;
    atomic_size_t next, done; /* relaxed: they hand out and count, and joining the threads orders the rest */
};

struct worker {
    struct crew *crew;
    pthread_t thread;
    bool started;   /* the caller's alone */
    bool is_caller; /* set before any thread starts */
    struct willow_search *search;
};

enum { HASH_BYTES = 16 << 20 };

static bool stopped(const struct probcut_search *options)
{
    return options->stop && willow_stop_get(options->stop);
}

/* Depths rise, so that no entry that an earlier search left in the table looks deeper than the present one asks. */
static void search_position(struct worker *worker, struct probcut_position *position)
{
    const struct probcut_search *options = worker->crew->options;
    struct willow_result result;
    willow_search_clear(worker->search);
    position->score[0] = willow_evaluate(worker->crew->weights, position->board);
    const int depths = position->empties - 1 < options->depth ? position->empties - 1 : options->depth;
    for (int depth = 1; depth <= depths; depth++) {
        const struct willow_limits limits = {.depth = depth, .stop = options->stop};
        willow_search_run(worker->search, position->board, &limits, &result);
        position->score[depth] = result.score;
    }
    position->depth = (int8_t)depths;
    position->solved = position->empties >= options->exact_low && position->empties <= options->exact_high;
    if (position->solved) {
        const struct willow_limits limits = {.exact_empties = position->empties, .stop = options->stop};
        willow_search_run(worker->search, position->board, &limits, &result);
        position->exact = result.score;
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct crew *crew = worker->crew;
    const struct probcut_search *options = crew->options;
    while (!stopped(options)) {
        const size_t i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
        if (i >= crew->count)
            break;
        search_position(worker, &crew->positions[i]);
        const size_t done = atomic_fetch_add_explicit(&crew->done, 1, memory_order_relaxed) + 1;
        if (worker->is_caller && options->progress)
            options->progress(options->context, done, crew->count);
    }
    return NULL;
}

enum willow_status probcut_search(const struct willow_weights *weights, const struct probcut_search *options,
                                  struct probcut_position *positions, size_t count, struct willow_error *error)
{
    struct crew crew = {.weights = weights, .options = options, .positions = positions, .count = count};
    struct worker *workers = calloc((size_t)options->threads, sizeof *workers);
    enum willow_status status = WILLOW_OK;
    if (!workers)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %d threads", options->threads);
    for (int i = 0; status == WILLOW_OK && i < options->threads; i++) {
        workers[i].crew = &crew;
        status = willow_search_new(weights, HASH_BYTES, &workers[i].search, error);
    }
    if (status == WILLOW_OK) {
        /* The caller is the first worker. Where the system refuses a thread, the others do its work. */
        workers[0].is_caller = true;
        for (int i = 1; i < options->threads; i++)
            workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
        work(&workers[0]);
        for (int i = 1; i < options->threads; i++)
            if (workers[i].started)
                pthread_join(workers[i].thread, NULL);
        if (stopped(options))
            status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    }
    for (int i = 0; i < options->threads; i++)
        willow_search_free(workers[i].search);
    free(workers);
    return status;
}
