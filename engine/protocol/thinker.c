/* A search in a thread of its own. The caller's thread and that of the search hand each other a request, a wish to
 * stop, and reports; nothing else is shared. Layer: protocol.
 */
#include "protocol/thinker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <willow/clock.h>

#include "protocol/hint.h"

static const uint64_t GRACE_NS = (uint64_t)THINK_GRACE_MS * 1000000;

struct thinker {
    const struct willow_ruleset *ruleset;
    struct willow_search *search; /* the search's thread has it while a request is under way, else the caller's; but for
                                     the memory of its table, which the search's thread fetches in between */
    size_t hash_bytes;
    int search_threads;
    struct willow_stop *stop;
    int descriptor; /* counts while a report waits */
    pthread_t searcher, stopper;
    int threads_started; /* of those two, in that order */
    bool busy;           /* known to the caller's thread alone */
    uint64_t start_ns;   /* the same; of the request */

    pthread_mutex_t mutex;      /* guards all that follows; the stop flag is set under it, too */
    pthread_cond_t request_due; /* wakes the searcher */
    pthread_cond_t stop_due;    /* wakes the stopper; waits by the monotonic clock */
    pthread_cond_t let_go;      /* wakes the caller: the search's thread is not in the table */
    bool closing, requested;
    size_t touched_bytes; /* how much of the table was fetched; while `touching` the search's thread has it */
    bool untouched;       /* the rest was not */
    bool touching, held;  /* the search's thread fetches a piece; it is to wait with the next one */
    struct think_request request;
    uint64_t stop_at_ns; /* when the running request is to be stopped; 0 = it is not */
    bool progress_waits, final_waits;
    struct think_report progress, final;
};

/* The event counter cannot overflow: it is read whenever nothing waits any more. */
static void notify(const struct thinker *thinker)
{
    const uint64_t one = 1;
    while (write(thinker->descriptor, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

static void post_progress(void *context, const struct think_report *report)
{
    struct thinker *thinker = context;
    pthread_mutex_lock(&thinker->mutex);
    thinker->progress = *report;
    if (!thinker->progress_waits)
        notify(thinker);
    thinker->progress_waits = true;
    pthread_mutex_unlock(&thinker->mutex);
}

/* With it the request is over, and with that a wish to stop it. */
static void post_final(struct thinker *thinker, const struct think_report *report)
{
    pthread_mutex_lock(&thinker->mutex);
    thinker->final = *report;
    thinker->final.final = true;
    thinker->final_waits = true;
    thinker->stop_at_ns = 0;
    notify(thinker);
    pthread_mutex_unlock(&thinker->mutex);
}

static void run_request(struct thinker *thinker, const struct think_request *request, struct think_report *report)
{
    struct willow_choice choice = request->choice;
    choice.limits.stop = thinker->stop;
    *report = (struct think_report){.kind = request->kind};
    switch (request->kind) {
    case THINK_MOVE:
        willow_choice_run(&choice, thinker->search, thinker->ruleset, request->board, request->ply,
                          request->clocked ? &request->timer : NULL, &report->result);
        break;
    case THINK_HINT: {
        const int empties = willow_board_empties(thinker->ruleset, request->board);
        const struct willow_limits limits = willow_choice_limits(&choice, empties, NULL);
        hint_run(thinker->search, thinker->ruleset, request->board, &limits, request->count, post_progress, thinker,
                 report);
        break;
    }
    case THINK_PONDER: {
        const struct willow_limits limits = {.stop = thinker->stop};
        willow_search_run(thinker->search, request->board, &limits, &report->result);
        break;
    }
    }
}

/* Fetches the table in the time until a request comes: a first search that did it by the way would be late to see a
 * stop. False = no request will come. */
static bool await_request(struct thinker *thinker, struct think_request *request)
{
    pthread_mutex_lock(&thinker->mutex);
    while (!thinker->requested && !thinker->closing) {
        if (!thinker->untouched || thinker->held) {
            pthread_cond_wait(&thinker->request_due, &thinker->mutex);
            continue;
        }
        thinker->touching = true;
        pthread_mutex_unlock(&thinker->mutex);
        const bool untouched = willow_search_touch(thinker->search, &thinker->touched_bytes);
        pthread_mutex_lock(&thinker->mutex);
        thinker->untouched = untouched;
        thinker->touching = false;
        pthread_cond_signal(&thinker->let_go);
    }
    const bool closing = thinker->closing;
    *request = thinker->request;
    thinker->requested = false;
    pthread_mutex_unlock(&thinker->mutex);
    return !closing;
}

static void *search_thread(void *context)
{
    struct thinker *thinker = context;
    struct think_report report;
    struct think_request request;
    while (await_request(thinker, &request)) {
        run_request(thinker, &request, &report);
        post_final(thinker, &report);
    }
    return NULL;
}

/* Sets the stop flag when the grace of a young request is over. */
static void *stop_thread(void *context)
{
    struct thinker *thinker = context;
    pthread_mutex_lock(&thinker->mutex);
    while (!thinker->closing) {
        const uint64_t at_ns = thinker->stop_at_ns;
        if (at_ns == 0 || willow_stop_get(thinker->stop)) {
            pthread_cond_wait(&thinker->stop_due, &thinker->mutex);
        } else if (willow_clock_ns() >= at_ns) {
            willow_stop_set(thinker->stop, true);
        } else {
            const struct timespec at = {.tv_sec = (time_t)(at_ns / 1000000000), .tv_nsec = (long)(at_ns % 1000000000)};
            (void)pthread_cond_timedwait(&thinker->stop_due, &thinker->mutex, &at);
        }
    }
    pthread_mutex_unlock(&thinker->mutex);
    return NULL;
}

/* Signals are the caller's business: its thread must be the one that they interrupt. */
static enum willow_status start_threads(struct thinker *thinker, struct willow_error *error)
{
    sigset_t all, before;
    int reason = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    reason = pthread_create(&thinker->searcher, NULL, search_thread, thinker);
    if (reason == 0) {
        thinker->threads_started++;
        reason = pthread_create(&thinker->stopper, NULL, stop_thread, thinker);
    }
    if (reason == 0)
        thinker->threads_started++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason == 0 ? WILLOW_OK : willow_fail_errno(error, NULL, "start a thread", reason);
}

static enum willow_status open_search(const struct thinker *thinker, const struct willow_weights *weights,
                                      const struct willow_ruleset *ruleset, struct willow_search **search,
                                      struct willow_error *error)
{
    enum willow_status status = willow_search_new(weights, thinker->hash_bytes, search, error);
    if (status == WILLOW_OK)
        status = willow_search_set_ruleset(*search, ruleset, error);
    if (status == WILLOW_OK)
        status = willow_search_set_threads(*search, thinker->search_threads, error);
    return status;
}

static enum willow_status open_thinker(struct thinker *thinker, const struct willow_weights *weights,
                                       struct willow_error *error)
{
    enum willow_status status = open_search(thinker, weights, thinker->ruleset, &thinker->search, error);
    if (status == WILLOW_OK)
        status = willow_stop_new(&thinker->stop, error);
    if (status != WILLOW_OK)
        return status;
    thinker->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (thinker->descriptor < 0)
        return willow_fail_errno(error, NULL, "open an event descriptor", errno);
    return start_threads(thinker, error);
}

enum willow_status thinker_new(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                               size_t hash_bytes, int threads, struct thinker **thinker, struct willow_error *error)
{
    pthread_condattr_t monotonic;
    *thinker = NULL;
    struct thinker *made = calloc(1, sizeof *made);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a thinker");
    made->ruleset = ruleset;
    made->hash_bytes = hash_bytes;
    made->search_threads = threads;
    made->descriptor = -1;
    made->untouched = true;
    /* On Linux none of these can fail with these arguments. */
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&made->mutex, NULL);
    (void)pthread_cond_init(&made->request_due, NULL);
    (void)pthread_cond_init(&made->let_go, NULL);
    (void)pthread_cond_init(&made->stop_due, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    const enum willow_status status = open_thinker(made, weights, error);
    if (status != WILLOW_OK) {
        thinker_free(made);
        return status;
    }
    *thinker = made;
    return WILLOW_OK;
}

void thinker_free(struct thinker *thinker)
{
    if (!thinker)
        return;
    pthread_mutex_lock(&thinker->mutex);
    thinker->closing = true;
    if (thinker->stop)
        willow_stop_set(thinker->stop, true);
    pthread_cond_signal(&thinker->request_due);
    pthread_cond_signal(&thinker->stop_due);
    pthread_mutex_unlock(&thinker->mutex);
    if (thinker->threads_started > 0)
        pthread_join(thinker->searcher, NULL);
    if (thinker->threads_started > 1)
        pthread_join(thinker->stopper, NULL);
    pthread_cond_destroy(&thinker->stop_due);
    pthread_cond_destroy(&thinker->let_go);
    pthread_cond_destroy(&thinker->request_due);
    pthread_mutex_destroy(&thinker->mutex);
    if (thinker->descriptor >= 0)
        close(thinker->descriptor);
    willow_stop_free(thinker->stop);
    willow_search_free(thinker->search);
    free(thinker);
}

enum willow_status thinker_set_threads(struct thinker *thinker, int threads, struct willow_error *error)
{
    const enum willow_status status = willow_search_set_threads(thinker->search, threads, error);
    thinker->search_threads = status == WILLOW_OK ? threads : 1;
    return status;
}

void thinker_clear(struct thinker *thinker)
{
    willow_search_clear(thinker->search);
}

/* The search's thread may be in the table of the old search. */
static struct willow_search *exchange(struct thinker *thinker, struct willow_search *search)
{
    pthread_mutex_lock(&thinker->mutex);
    thinker->held = true;
    while (thinker->touching)
        pthread_cond_wait(&thinker->let_go, &thinker->mutex);
    struct willow_search *old = thinker->search;
    thinker->search = search;
    thinker->touched_bytes = 0;
    thinker->untouched = true;
    thinker->held = false;
    pthread_cond_signal(&thinker->request_due);
    pthread_mutex_unlock(&thinker->mutex);
    return old;
}

enum willow_status thinker_set_ruleset(struct thinker *thinker, const struct willow_weights *weights,
                                       const struct willow_ruleset *ruleset, struct willow_error *error)
{
    struct willow_search *search = NULL;
    const enum willow_status status = open_search(thinker, weights, ruleset, &search, error);
    if (status != WILLOW_OK) {
        willow_search_free(search);
        return status;
    }
    willow_search_free(exchange(thinker, search));
    thinker->ruleset = ruleset;
    return WILLOW_OK;
}

void thinker_start(struct thinker *thinker, const struct think_request *request)
{
    thinker->busy = true;
    thinker->start_ns = willow_clock_ns();
    pthread_mutex_lock(&thinker->mutex);
    willow_stop_set(thinker->stop, false);
    thinker->request = *request;
    thinker->requested = true;
    pthread_cond_signal(&thinker->request_due);
    pthread_mutex_unlock(&thinker->mutex);
}

bool thinker_busy(const struct thinker *thinker)
{
    return thinker->busy;
}

void thinker_stop(struct thinker *thinker)
{
    if (!thinker->busy)
        return;
    pthread_mutex_lock(&thinker->mutex);
    if (!thinker->final_waits && thinker->stop_at_ns == 0) {
        const uint64_t grace_ns = thinker->request.kind == THINK_MOVE ? GRACE_NS : 0;
        thinker->stop_at_ns = thinker->start_ns + grace_ns;
        if (willow_clock_ns() >= thinker->stop_at_ns)
            willow_stop_set(thinker->stop, true);
        else
            pthread_cond_signal(&thinker->stop_due);
    }
    pthread_mutex_unlock(&thinker->mutex);
}

int thinker_descriptor(const struct thinker *thinker)
{
    return thinker->descriptor;
}

bool thinker_take(struct thinker *thinker, struct think_report *report)
{
    pthread_mutex_lock(&thinker->mutex);
    const bool progress = thinker->progress_waits, taken = progress || thinker->final_waits;
    if (progress)
        *report = thinker->progress;
    else if (taken)
        *report = thinker->final;
    thinker->progress_waits = false;
    if (!progress && taken) {
        thinker->final_waits = false;
        thinker->busy = false;
    }
    if (taken && !thinker->final_waits) {
        uint64_t count;
        while (read(thinker->descriptor, &count, sizeof count) < 0 && errno == EINTR)
            ;
    }
    pthread_mutex_unlock(&thinker->mutex);
    return taken;
}
