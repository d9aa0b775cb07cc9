/* Shared parts of configurations; see backoff.h. Layer: trainer.
 *
 * All work is done on raw configurations, one shape after the other: shapes have no table and no weight in common, so
 * that threads can take them in any order. The sums over all tables are not taken for each configuration but along the
 * tree of its digits: a node has the sum of the entries that its fixed digits decide and, for each open digit and each
 * two of them, the sums of the entries that those would decide. All in all that is about six additions a configuration,
 * where one by one there are 175.
 */
#include "backoff.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SQUARES = WILLOW_PATTERN_SQUARES_MAX,
    PAIRS = SQUARES * (SQUARES - 1) / 2,
    SHAPES_MAX = WILLOW_PATTERN_FEATURES_MAX,
    LEVELS = BACKOFF_SQUARES_MAX, /* level 0: tables of one square */
    PAIR_ENTRIES = 9,
    ENTRIES_MAX = 27
};

/* Of a table of each level. */
static const int table_entries[LEVELS] = {3, 9, 27}, table_parts[LEVELS] = {2, 4, 8};

/* By the held-out error after 15 and 30 steps of conjugate gradients on 44 thousand and 459 thousand rows. */
static const double level_pace[LEVELS] = {0.3, 0.3, 0.5};

struct shape {
    int squares;
    uint32_t first, count;  /* raw configurations */
    size_t tables[LEVELS];  /* of each level: how many, */
    size_t entries[LEVELS]; /* where their entries begin, */
    size_t parts[LEVELS];   /* where their parts begin, */
    size_t bases[LEVELS];   /* and their functions: for each part its value for each entry */
};

enum job { JOB_PREPARE, JOB_ADD, JOB_GATHER };

struct backoff {
    struct team *team;
    int levels, shape_count;
    struct shape shapes[SHAPES_MAX];
    size_t parts, entries, bases; /* of all tables */
    double prior;
    const uint32_t *tie;
    double *storage; /* one block behind the arrays below */
    double *share;   /* one a raw configuration: 1 / how many have its weight */
    double *raw;     /* one a raw configuration, of the job that runs */
    double *table;   /* one an entry, of the job that runs */
    double *basis;
    /* Of the job that runs. */
    enum job job;
    const double *from, *point;
    double point_share;
    double *to;
};

static size_t pair_of(int high, int low)
{
    return (size_t)(high * (high - 1) / 2 + low);
}

/* The first of the triples whose highest digit has `high` digits below it. */
static size_t triples_below(int high)
{
    return (size_t)(high * (high - 1) * (high - 2) / 6);
}

static uint32_t power_of_three(int exponent)
{
    uint32_t power = 1;
    while (exponent-- > 0)
        power *= 3;
    return power;
}

static void list_shapes(struct backoff *backoff, const struct willow_pattern_set *patterns)
{
    uint8_t squares[SQUARES];
    uint32_t first;
    for (int count; (count = willow_pattern_set_squares(patterns, backoff->shape_count, squares, &first)) > 0;) {
        assert(backoff->shape_count < SHAPES_MAX && count >= 2);
        struct shape *shape = &backoff->shapes[backoff->shape_count++];
        *shape = (struct shape){.squares = count,
                                .first = first,
                                .count = power_of_three(count),
                                .tables = {(size_t)count, pair_of(count, 0), triples_below(count)}};
        for (int level = 0; level < backoff->levels; level++) {
            const size_t entries = (size_t)table_entries[level], parts = (size_t)table_parts[level];
            shape->entries[level] = backoff->entries;
            shape->parts[level] = backoff->parts;
            shape->bases[level] = backoff->bases;
            backoff->entries += shape->tables[level] * entries;
            backoff->parts += shape->tables[level] * parts;
            backoff->bases += shape->tables[level] * parts * entries;
        }
    }
}

enum willow_status backoff_new(const struct willow_pattern_set *patterns, int squares, double prior, struct team *team,
                               struct backoff **backoff, struct willow_error *error)
{
    assert(squares >= 1 && squares <= BACKOFF_SQUARES_MAX && prior > 0.0);
    struct backoff *made = calloc(1, sizeof *made);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    made->levels = squares;
    made->prior = prior;
    made->team = team;
    made->tie = willow_pattern_set_tie(patterns);
    list_shapes(made, patterns);
    const uint32_t raw = willow_pattern_set_raw(patterns), weights = willow_pattern_set_weights(patterns);
    double *ties = calloc(weights, sizeof *ties);
    made->storage = calloc(2 * (size_t)raw + made->entries + made->bases, sizeof *made->storage);
    if (!ties || !made->storage) {
        free(ties);
        backoff_free(made);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %u configurations", raw);
    }
    made->share = made->storage;
    made->raw = made->share + raw;
    made->table = made->raw + raw;
    made->basis = made->table + made->entries;
    for (uint32_t i = 0; i < raw; i++)
        ties[made->tie[i]] += 1.0;
    for (uint32_t i = 0; i < raw; i++)
        made->share[i] = 1.0 / ties[made->tie[i]];
    free(ties);
    *backoff = made;
    return WILLOW_OK;
}

void backoff_free(struct backoff *backoff)
{
    if (!backoff)
        return;
    free(backoff->storage);
    free(backoff);
}

size_t backoff_parts(const struct backoff *backoff)
{
    return backoff->parts;
}

/* A node of the tree of digits, some of which are still open: those of the least significance. [s] is the digit with s
 * digits below it, [pair_of(high, low)] two of them, low < high. */
struct node {
    double sum;                      /* of the entries that the fixed digits decide */
    double one[SQUARES][3];          /* of those that they decide with one open digit, by its value */
    double two[PAIRS][PAIR_ENTRIES]; /* of those that they decide with two open digits, by their values */
};

/* Writes the sums of all configurations below a node with so many open digits, at least 2. triples: their tables, null
 * = none. */
static void add_below(const double *triples, const struct node *node, int open, double *raw)
{
    if (open == 2) {
        for (int high = 0; high < 3; high++)
            for (int low = 0; low < 3; low++)
                raw[3 * high + low] = node->sum + node->one[1][high] + node->one[0][low] + node->two[0][3 * high + low];
        return;
    }
    const int digit = open - 1;
    const uint32_t count = power_of_three(digit);
    const size_t pairs = pair_of(digit, 0);
    for (int value = 0; value < 3; value++, raw += count) {
        struct node child;
        child.sum = node->sum + node->one[digit][value];
        for (int low = 0; low < digit; low++)
            for (int i = 0; i < 3; i++)
                child.one[low][i] = node->one[low][i] + node->two[pair_of(digit, low)][3 * value + i];
        if (triples) {
            const double *table = triples + triples_below(digit) * ENTRIES_MAX + (size_t)(PAIR_ENTRIES * value);
            for (size_t pair = 0; pair < pairs; pair++, table += ENTRIES_MAX)
                for (int i = 0; i < PAIR_ENTRIES; i++)
                    child.two[pair][i] = node->two[pair][i] + table[i];
        } else {
            memcpy(child.two, node->two, pairs * sizeof *child.two);
        }
        add_below(triples, &child, digit, raw);
    }
}

/* The reverse: what each configuration says adds up on its way to the root. triples must be zero before. */
static void gather_below(double *triples, struct node *node, int open, const double *raw)
{
    memset(node, 0, offsetof(struct node, two) + pair_of(open, 0) * sizeof *node->two);
    if (open == 2) {
        memcpy(node->two[0], raw, sizeof node->two[0]);
        for (int high = 0; high < 3; high++)
            for (int low = 0; low < 3; low++) {
                node->sum += raw[3 * high + low];
                node->one[1][high] += raw[3 * high + low];
                node->one[0][low] += raw[3 * high + low];
            }
        return;
    }
    const int digit = open - 1;
    const uint32_t count = power_of_three(digit);
    const size_t pairs = pair_of(digit, 0);
    for (int value = 0; value < 3; value++, raw += count) {
        struct node child;
        gather_below(triples, &child, digit, raw);
        node->sum += child.sum;
        node->one[digit][value] = child.sum;
        for (int low = 0; low < digit; low++)
            for (int i = 0; i < 3; i++) {
                node->one[low][i] += child.one[low][i];
                node->two[pair_of(digit, low)][3 * value + i] = child.one[low][i];
            }
        for (size_t pair = 0; pair < pairs; pair++)
            for (int i = 0; i < PAIR_ENTRIES; i++)
                node->two[pair][i] += child.two[pair][i];
        double *table = triples ? triples + triples_below(digit) * ENTRIES_MAX + (size_t)(PAIR_ENTRIES * value) : NULL;
        for (size_t pair = 0; triples && pair < pairs; pair++, table += ENTRIES_MAX)
            for (int i = 0; i < PAIR_ENTRIES; i++)
                table[i] += child.two[pair][i];
    }
}

/* The entries of all configurations' shares, from the tables. */
static void add_tables(struct backoff *backoff, const struct shape *shape)
{
    struct node root = {0};
    const double *tables = backoff->table;
    memcpy(root.one, tables + shape->entries[0], shape->tables[0] * sizeof *root.one);
    if (backoff->levels > 1)
        memcpy(root.two, tables + shape->entries[1], shape->tables[1] * sizeof *root.two);
    add_below(backoff->levels > 2 ? tables + shape->entries[2] : NULL, &root, shape->squares,
              backoff->raw + shape->first);
}

static void gather_tables(struct backoff *backoff, const struct shape *shape)
{
    struct node root;
    double *tables = backoff->table, *triples = backoff->levels > 2 ? tables + shape->entries[2] : NULL;
    if (triples)
        memset(triples, 0, shape->tables[2] * ENTRIES_MAX * sizeof *triples);
    gather_below(triples, &root, shape->squares, backoff->raw + shape->first);
    memcpy(tables + shape->entries[0], root.one, shape->tables[0] * sizeof *root.one);
    if (backoff->levels > 1)
        memcpy(tables + shape->entries[1], root.two, shape->tables[1] * sizeof *root.two);
}

/* The value of function f of a table at one of its entries, before they are made orthogonal: a product of one function
 * of each square, of which the first is constant. */
static double raw_function(int f, int entry, int squares)
{
    static const double contrast[3][3] = {{1, 1, 1}, {1, -1, 0}, {1, 1, -2}};
    double product = 1.0;
    for (; squares > 0; squares--, f /= 3, entry /= 3)
        product *= contrast[f % 3][entry % 3];
    return product;
}

/* How many squares function f depends on. */
static int dependence(int f)
{
    int squares = 0;
    for (; f > 0; f /= 3)
        squares += f % 3 > 0;
    return squares;
}

/* Gram and Schmidt's method on all functions of a table, those of few squares first; only those of all its squares are
 * kept. metric: one an entry, > 0. */
static void make_basis(int squares, int entries, const double *metric, double *basis)
{
    double made[ENTRIES_MAX][ENTRIES_MAX];
    int count = 0;
    for (int depends = 0; depends <= squares; depends++)
        for (int f = 0; f < entries; f++) {
            if (dependence(f) != depends)
                continue;
            double *own = made[count];
            for (int e = 0; e < entries; e++)
                own[e] = raw_function(f, e, squares);
            /* Twice, since once leaves rounding errors where the metric is very uneven. */
            for (int i = 0; i < 2 * count; i++) {
                double along = 0.0;
                for (int e = 0; e < entries; e++)
                    along += metric[e] * own[e] * made[i % count][e];
                for (int e = 0; e < entries; e++)
                    own[e] -= along * made[i % count][e];
            }
            double size = 0.0;
            for (int e = 0; e < entries; e++)
                size += metric[e] * own[e] * own[e];
            for (int e = 0; e < entries; e++)
                own[e] /= sqrt(size);
            if (depends == squares) {
                memcpy(basis, own, (size_t)entries * sizeof *basis);
                basis += entries;
            }
            count++;
        }
}

static void prepare_shape(struct backoff *backoff, const struct shape *shape)
{
    for (uint32_t i = shape->first; i < shape->first + shape->count; i++)
        backoff->raw[i] = backoff->from[backoff->tie[i]] * backoff->share[i] * backoff->share[i];
    gather_tables(backoff, shape);
    for (int level = 0; level < backoff->levels; level++) {
        const int entries = table_entries[level], parts = table_parts[level];
        double *basis = backoff->basis + shape->bases[level], *pace = backoff->to + shape->parts[level];
        const double *table = backoff->table + shape->entries[level];
        for (size_t i = 0; i < shape->tables[level]; i++, table += entries, basis += parts * entries) {
            double metric[ENTRIES_MAX];
            for (int e = 0; e < entries; e++)
                metric[e] = table[e] + backoff->prior;
            make_basis(level + 1, entries, metric, basis);
            for (int part = 0; part < parts; part++)
                *pace++ = level_pace[level];
        }
    }
}

/* entries = keep * entries + factor * the functions by their parts, for all tables of a level. */
static void blend_entries(const struct backoff *backoff, const struct shape *shape, int level, const double *parts,
                          double keep, double factor)
{
    const int entries = table_entries[level], count = table_parts[level];
    const double *basis = backoff->basis + shape->bases[level];
    double *table = backoff->table + shape->entries[level];
    for (size_t i = 0; i < shape->tables[level]; i++, table += entries) {
        double sum[ENTRIES_MAX] = {0};
        for (int part = 0; part < count; part++, parts++, basis += entries)
            for (int e = 0; e < entries; e++)
                sum[e] += *parts * basis[e];
        for (int e = 0; e < entries; e++)
            table[e] = keep * table[e] + factor * sum[e];
    }
}

/* The adjoint of the functions. */
static void gather_parts(const struct backoff *backoff, const struct shape *shape, int level, double *parts)
{
    const int entries = table_entries[level], count = table_parts[level];
    const double *basis = backoff->basis + shape->bases[level], *table = backoff->table + shape->entries[level];
    for (size_t i = 0; i < shape->tables[level]; i++, table += entries)
        for (int part = 0; part < count; part++, basis += entries) {
            double sum = 0.0;
            for (int e = 0; e < entries; e++)
                sum += basis[e] * table[e];
            *parts++ = sum;
        }
}

static void add_shape(struct backoff *backoff, const struct shape *shape)
{
    for (int level = 0; level < backoff->levels; level++)
        blend_entries(backoff, shape, level, backoff->from + shape->parts[level], 0.0, 1.0);
    add_tables(backoff, shape);
    for (uint32_t i = shape->first; i < shape->first + shape->count; i++)
        backoff->to[backoff->tie[i]] += backoff->raw[i] * backoff->share[i];
}

static void gather_shape(struct backoff *backoff, const struct shape *shape)
{
    for (uint32_t i = shape->first; i < shape->first + shape->count; i++)
        backoff->raw[i] = backoff->from[backoff->tie[i]] * backoff->share[i];
    gather_tables(backoff, shape);
    for (int level = 0; level < backoff->levels; level++) {
        blend_entries(backoff, shape, level, backoff->point + shape->parts[level], 1.0,
                      backoff->point_share * backoff->prior);
        gather_parts(backoff, shape, level, backoff->to + shape->parts[level]);
    }
}

static void work_on_shape(void *context, int i)
{
    struct backoff *backoff = context;
    const struct shape *shape = &backoff->shapes[i];
    switch (backoff->job) {
    case JOB_PREPARE:
        prepare_shape(backoff, shape);
        break;
    case JOB_ADD:
        add_shape(backoff, shape);
        break;
    case JOB_GATHER:
        gather_shape(backoff, shape);
        break;
    }
}

static void run(struct backoff *backoff, enum job job, const double *from, double *to)
{
    backoff->job = job;
    backoff->from = from;
    backoff->to = to;
    team_run(backoff->team, work_on_shape, backoff, backoff->shape_count);
}

void backoff_prepare(struct backoff *backoff, const double *counts, double *pace)
{
    run(backoff, JOB_PREPARE, counts, pace);
}

void backoff_add(struct backoff *backoff, const double *parts, double *weights)
{
    run(backoff, JOB_ADD, parts, weights);
}

void backoff_gather(struct backoff *backoff, const double *slope, double share, const double *point, double *parts)
{
    backoff->point_share = share;
    backoff->point = point;
    run(backoff, JOB_GATHER, slope, parts);
}
