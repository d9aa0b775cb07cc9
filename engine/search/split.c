/* Sharing the moves of a node among threads, and the threads that wait for such work. Layer: search. */
#include "search/split.h"

#include <sched.h>
#include <stdlib.h>

#include "search/worker.h"

/* How often a thread without work looks for some before it goes to sleep: waking it costs as much as thousands of
 * nodes. Some 50 us; where there are more threads than cores, the others run meanwhile. */
enum { LOOKS = 100 };

/* A thread of the pool or, as seat 0, the caller's. */
struct seat {
    struct pool *pool;
    struct worker *worker;
    pthread_t thread;
    pthread_cond_t wake;              /* with the pool's mutex */
    _Atomic(struct split *) assigned; /* work to begin with; written under the mutex, by the owner of the work */

    /* Guarded by the pool's mutex. */
    bool idle;
    const struct split *waiting_for; /* help below this node only; null for anything */
};

struct pool {
    pthread_mutex_t mutex;
    atomic_int idle; /* seats that wait for work; written under the mutex */
    bool closing;    /* guarded by the mutex */
    int count;       /* seats, the caller's included */
    int started;     /* threads running */
    struct seat *seats;
};

static bool is_below(const struct split *split, const struct split *node)
{
    while (split && split != node)
        split = split->parent;
    return split == node;
}

/* Hands the node to idle threads, at most `most` of them. Under the mutex no seat can leave its wait. */
static int assign(struct pool *pool, struct split *split, int most)
{
    int assigned = 0;
    pthread_mutex_lock(&pool->mutex);
    for (int i = 0; i < pool->count && assigned < most; i++) {
        struct seat *seat = &pool->seats[i];
        if (!seat->idle || (seat->waiting_for && !is_below(split, seat->waiting_for)))
            continue;
        seat->idle = false;
        atomic_fetch_sub_explicit(&pool->idle, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&split->searchers, 1, memory_order_relaxed);
        atomic_store_explicit(&seat->assigned, split, memory_order_release);
        pthread_cond_signal(&seat->wake);
        assigned++;
    }
    pthread_mutex_unlock(&pool->mutex);
    return assigned;
}

/* A score has come in. The line below the move is in the worker's stack. */
static void record(struct worker *worker, struct split *split, const struct move *move, int score)
{
    struct node *node = &split->node;
    pthread_mutex_lock(&split->mutex);
    if (score > node->best) {
        node->best = score;
        node->best_square = move->square;
        if (score > atomic_load_explicit(&split->alpha, memory_order_relaxed)) {
            atomic_store_explicit(&split->alpha, score, memory_order_relaxed);
            if (node->pv) {
                worker_extend_line(worker, node->ply, move->square);
                split->line = worker->lines[node->ply];
                split->raised = true;
            }
        }
        if (score >= node->beta)
            atomic_store_explicit(&split->cut, true, memory_order_relaxed);
    }
    pthread_mutex_unlock(&split->mutex);
}

/* Takes moves as long as there are any. */
static void work(struct worker *worker, struct split *split)
{
    struct split *above = worker->split;
    worker->split = split;
    while (!worker_void(worker)) {
        int at = atomic_fetch_add_explicit(&split->next, 1, memory_order_relaxed);
        if (at >= split->list->count)
            break;
        const struct move *move = &split->list->moves[at];
        int alpha = atomic_load_explicit(&split->alpha, memory_order_relaxed);
        int score = split->node.child(worker, &split->node, move, alpha, false);
        if (!worker_void(worker))
            record(worker, split, move, score);
    }
    worker->split = above;
}

/* Work that another thread has opened: its position and its state of search become this worker's for the time. */
static void help(struct worker *worker, struct split *split)
{
    int selectivity = worker->selectivity, verifications = worker->verifications;
    worker->selectivity = split->selectivity;
    worker->verifications = split->verifications;
    worker->states[split->node.ply] = *split->state;
    work(worker, split);
    worker->selectivity = selectivity;
    worker->verifications = verifications;
}

/* A move has raised the lower bound of a principal-variation node; at the root it is the answer so far. */
static void raise_root(struct worker *worker, const struct node *node)
{
    if (node->ply > 0)
        return;
    worker->search->root_move = (willow_square)node->best_square;
    worker->search->root_score = node->best * node->unit;
}

static bool finished(const struct split *split)
{
    return split && atomic_load_explicit(&split->searchers, memory_order_acquire) == 0;
}

/* Waits for work, or until the other threads have left `own`. Null in the latter case and when the pool closes. */
static struct split *wait_for_work(struct pool *pool, struct seat *seat, const struct split *own)
{
    pthread_mutex_lock(&pool->mutex);
    seat->idle = true;
    seat->waiting_for = own;
    atomic_fetch_add_explicit(&pool->idle, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool->mutex);

    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&seat->assigned, memory_order_acquire) || finished(own))
            break;
        sched_yield();
    }
    pthread_mutex_lock(&pool->mutex);
    while (!atomic_load_explicit(&seat->assigned, memory_order_relaxed) && !finished(own) && !pool->closing)
        pthread_cond_wait(&seat->wake, &pool->mutex);
    struct split *split = atomic_load_explicit(&seat->assigned, memory_order_relaxed);
    atomic_store_explicit(&seat->assigned, NULL, memory_order_relaxed);
    if (seat->idle) {
        seat->idle = false;
        atomic_fetch_sub_explicit(&pool->idle, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return split;
}

static struct seat *seat_of(struct pool *pool, const struct worker *worker)
{
    struct seat *seat = pool->seats;
    while (seat->worker != worker)
        seat++;
    return seat;
}

/* Leaves work that another thread has opened; its owner may be asleep until the last one is out. */
static void leave(struct pool *pool, struct split *split)
{
    pthread_mutex_lock(&pool->mutex);
    if (atomic_fetch_sub_explicit(&split->searchers, 1, memory_order_release) == 1)
        pthread_cond_signal(&seat_of(pool, split->owner)->wake);
    pthread_mutex_unlock(&pool->mutex);
}

/* Helps elsewhere below the node until all others have left it. */
static void join(struct worker *worker, struct split *split)
{
    struct pool *pool = worker->search->pool;
    struct seat *seat = seat_of(pool, worker);
    struct split *above = worker->split, *other;
    worker->split = split;
    while ((other = wait_for_work(pool, seat, split))) {
        help(worker, other);
        leave(pool, other);
    }
    worker->split = above;
}

/* The rest of the moves from `at` on, by several threads. False when nobody was free after all. */
static bool share(struct worker *worker, struct node *node, struct move_list *list, int at)
{
    for (int i = at; i < list->count; i++)
        moves_pick(list, i);
    struct split split = {.parent = worker->split,
                          .owner = worker,
                          .list = list,
                          .selectivity = worker->selectivity,
                          .verifications = worker->verifications,
                          .state = &worker->states[node->ply],
                          .mutex = PTHREAD_MUTEX_INITIALIZER,
                          .node = *node};
    atomic_init(&split.next, at);
    atomic_init(&split.cut, false);
    atomic_init(&split.alpha, node->alpha);
    atomic_init(&split.searchers, 0);
    struct pool *pool = worker->search->pool;
    if (assign(pool, &split, list->count - at - 1) == 0)
        return false;
    work(worker, &split);
    join(worker, &split);
    node->best = split.node.best;
    node->best_square = split.node.best_square;
    node->alpha = atomic_load_explicit(&split.alpha, memory_order_relaxed);
    if (split.raised) {
        worker->lines[node->ply] = split.line;
        raise_root(worker, node);
    }
    /* A limit that another thread ran into ends this one's search as well. */
    if (atomic_load_explicit(&worker->search->stopped, memory_order_relaxed))
        worker->stopped = true;
    return true;
}

static bool somebody_idle(const struct worker *worker)
{
    const struct pool *pool = worker->search->pool;
    return pool && atomic_load_explicit(&pool->idle, memory_order_relaxed) > 0;
}

bool split_search(struct worker *worker, struct node *node, struct move_list *list, bool shareable)
{
    for (int i = 0; i < list->count && node->best < node->beta; i++) {
        if (i == node->preferred)
            node->order(worker, node, list);
        if (shareable && i > 0 && i >= node->preferred && i + 1 < list->count && somebody_idle(worker) &&
            share(worker, node, list, i))
            break;
        const struct move *move = i < node->preferred ? &list->moves[i] : moves_pick(list, i);
        int score = node->child(worker, node, move, node->alpha, i == 0);
        if (worker_void(worker))
            return false;
        if (score > node->best) {
            node->best = score;
            node->best_square = move->square;
            if (score > node->alpha) {
                node->alpha = score;
                if (node->pv) {
                    worker_extend_line(worker, node->ply, move->square);
                    raise_root(worker, node);
                }
            }
        }
    }
    return !worker_void(worker);
}

static void *run(void *argument)
{
    struct seat *seat = argument;
    struct split *split;
    while ((split = wait_for_work(seat->pool, seat, NULL))) {
        help(seat->worker, split);
        leave(seat->pool, split);
    }
    return NULL;
}

enum willow_status pool_new(struct willow_search *search, int count, struct pool **pool, struct willow_error *error)
{
    struct pool *made = calloc(1, sizeof *made);
    struct seat *seats = calloc((size_t)count + 1, sizeof *seats);
    if (!made || !seats) {
        free(made);
        free(seats);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for %d threads", count);
    }
    made->seats = seats;
    made->count = count + 1;
    pthread_mutex_init(&made->mutex, NULL);
    for (int i = 0; i < made->count; i++) {
        seats[i].pool = made;
        pthread_cond_init(&seats[i].wake, NULL);
    }
    seats[0].worker = search->main;
    enum willow_status status = WILLOW_OK;
    for (int i = 1; i < made->count && status == WILLOW_OK; i++) {
        status = worker_new(search, &seats[i].worker, error);
        if (status == WILLOW_OK && pthread_create(&seats[i].thread, NULL, run, &seats[i]) != 0)
            status =
                willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "cannot start thread %d of %d", i + 1, made->count);
        if (status == WILLOW_OK)
            made->started++;
    }
    if (status != WILLOW_OK) {
        pool_free(made);
        return status;
    }
    *pool = made;
    return WILLOW_OK;
}

void pool_free(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->closing = true;
    for (int i = 1; i < pool->count; i++)
        pthread_cond_signal(&pool->seats[i].wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 1; i <= pool->started; i++)
        pthread_join(pool->seats[i].thread, NULL);
    for (int i = 0; i < pool->count; i++) {
        pthread_cond_destroy(&pool->seats[i].wake);
        if (i > 0)
            worker_free(pool->seats[i].worker);
    }
    pthread_mutex_destroy(&pool->mutex);
    free(pool->seats);
    free(pool);
}

void pool_begin(struct pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    for (int i = 1; i < pool->count; i++)
        worker_begin(pool->seats[i].worker);
    pthread_mutex_unlock(&pool->mutex);
}

void pool_clear(struct pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    for (int i = 1; i < pool->count; i++)
        near_table_clear(&pool->seats[i].worker->near);
    pthread_mutex_unlock(&pool->mutex);
}

void pool_set_raw(struct pool *pool, bool raw)
{
    pthread_mutex_lock(&pool->mutex);
    for (int i = 1; i < pool->count; i++)
        worker_set_raw(pool->seats[i].worker, raw);
    pthread_mutex_unlock(&pool->mutex);
}

uint64_t pool_nodes(const struct pool *pool)
{
    uint64_t nodes = 0;
    for (int i = 1; i < pool->count; i++)
        nodes += pool->seats[i].worker->nodes;
    return nodes;
}
