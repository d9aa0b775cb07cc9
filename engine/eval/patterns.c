/* What follows from the data of a pattern set: orientations, tied weights, place values; and the indices of a board.
 * Tables are derived once a set, when it is first asked for, and never change after that. Layer: eval.
 */
#include <willow/patterns.h>

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "eval/pattern_sets.h"
#include "rules/kernel.h"

/* Constants in all but the instant of their making: one copy a process, in storage whose use cannot fail. */
static pthread_mutex_t derive_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the two arrays until a set is derived */
static bool is_derived[PATTERN_SETS];
static struct pattern_tables derived[PATTERN_SETS];

static int parse_squares(const char *text, uint8_t *squares)
{
    int count = 0;
    for (const char *c = text; *c != '\0'; c += c[2] == ' ' ? 3 : 2) {
        assert(count < WILLOW_PATTERN_SQUARES_MAX && c[0] >= 'a' && c[0] <= 'h' && c[1] >= '1' && c[1] <= '8');
        squares[count++] = (uint8_t)(8 * (c[1] - '1') + (c[0] - 'a'));
    }
    return count;
}

static uint64_t squares_mask(const uint8_t *squares, int count)
{
    uint64_t mask = 0;
    for (int i = 0; i < count; i++)
        mask |= UINT64_C(1) << squares[i];
    return mask;
}

static uint32_t power_of_three(int exponent)
{
    uint32_t power = 1;
    while (exponent-- > 0)
        power *= 3;
    return power;
}

/* Lowers every entry of canonical[] (all configurations of a shape) to its mirror image where that is less. square i of
 * the shape goes to the place of square to[i]. The image of a number is the image of its highest digit plus the image
 * of the rest, which has been computed before. */
static void tie_mirrored(uint32_t *canonical, const int *to, int count)
{
    uint16_t image[59049]; /* 3 to the power of WILLOW_PATTERN_SQUARES_MAX */
    image[0] = 0;
    uint32_t power = 1;
    for (int place = count - 1; place >= 0; place--, power *= 3) {
        uint32_t value = power_of_three(count - 1 - to[place]);
        for (uint32_t i = power; i < 3 * power; i++) {
            image[i] = (uint16_t)(i / power * value + image[i % power]);
            if (image[i] < canonical[i])
                canonical[i] = image[i];
        }
    }
}

/* Adds the distinct images of a shape as features, and ties what the symmetries that keep the shape in place map onto
 * each other. Such symmetries act on the digits in the same way in every orientation. */
static void orient_shape(struct pattern_tables *tables, int shape, const uint8_t *squares, int count)
{
    uint64_t own_mask = squares_mask(squares, count);
    uint64_t seen[WILLOW_SYMMETRIES];
    int seen_count = 0;
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        uint8_t image[WILLOW_PATTERN_SQUARES_MAX];
        for (int i = 0; i < count; i++)
            image[i] = willow_square_symmetry(willow_ruleset_default(), squares[i], symmetry);
        uint64_t mask = squares_mask(image, count);
        if (mask == own_mask) {
            int to[WILLOW_PATTERN_SQUARES_MAX] = {0};
            for (int i = 0; i < count; i++)
                for (int j = 0; j < count; j++)
                    if (squares[j] == image[i])
                        to[i] = j;
            tie_mirrored(tables->tie + tables->raw_begin[shape], to, count);
        }
        bool is_new = true;
        for (int i = 0; i < seen_count; i++)
            is_new = is_new && seen[i] != mask;
        if (!is_new)
            continue;
        seen[seen_count++] = mask;
        assert(tables->features < WILLOW_PATTERN_FEATURES_MAX);
        tables->feature_shape[tables->features] = (uint8_t)shape;
        memcpy(tables->feature_squares[tables->features], image, (size_t)count);
        tables->features++;
    }
}

static void derive_shape(struct pattern_tables *tables, int shape, const char *text)
{
    uint8_t squares[WILLOW_PATTERN_SQUARES_MAX];
    int count = parse_squares(text, squares);
    uint32_t begin = tables->raw_count, configurations = power_of_three(count);
    assert(begin + configurations <= PATTERN_RAW_MAX);
    tables->shape_size[shape] = count;
    tables->raw_begin[shape] = begin;
    tables->tied_begin[shape] = tables->tied_count;
    tables->raw_count += configurations;

    uint32_t *tie = tables->tie + begin;
    for (uint32_t i = 0; i < configurations; i++)
        tie[i] = i;
    orient_shape(tables, shape, squares, count);
    /* Numbers the least of each tied group in rising order; the others come after it and take over its number. */
    for (uint32_t i = 0; i < configurations; i++)
        tie[i] = tie[i] == i ? tables->tied_count++ : tie[tie[i]];
}

/* The place value of every square in every lane, summed over each pattern of discs in a row. */
static void derive_rows(struct pattern_tables *tables)
{
    for (int feature = 0; feature < tables->features; feature++) {
        int count = tables->shape_size[tables->feature_shape[feature]];
        for (int i = 0; i < count; i++) {
            int square = tables->feature_squares[feature][i];
            uint16_t value = (uint16_t)power_of_three(count - 1 - i);
            tables->rows[square >> 3][1 << (square & 7)].lane[feature] = value;
        }
    }
    for (int row = 0; row < 8; row++)
        for (int discs = 1; discs < 256; discs++) {
            int rest = discs & (discs - 1);
            for (int lane = 0; rest != 0 && lane < LANES; lane++)
                tables->rows[row][discs].lane[lane] =
                    (uint16_t)(tables->rows[row][rest].lane[lane] + tables->rows[row][discs ^ rest].lane[lane]);
        }
}

static void derive_tables(const struct willow_pattern_set *set, struct pattern_tables *tables)
{
    assert(set->shape_count <= PATTERN_SHAPES_MAX && set->scalar_count <= WILLOW_SCALAR_FEATURES_MAX);
    tables->shape_count = set->shape_count;
    for (int shape = 0; shape < set->shape_count; shape++)
        derive_shape(tables, shape, set->shapes[shape]->squares);
    tables->raw_begin[set->shape_count] = tables->raw_count;
    tables->tied_begin[set->shape_count] = tables->tied_count;
    for (int i = 0; i < set->scalar_count; i++)
        tables->scalar_count += set->scalars[i]->size;
    assert(tables->raw_count + tables->scalar_count <= PATTERN_RAW_MAX);
    for (uint32_t i = 0; i < tables->scalar_count; i++)
        tables->tie[tables->raw_count + i] = tables->tied_count + i;
    derive_rows(tables);
    for (int lane = 0; lane < LANES; lane++)
        tables->lane_begin[lane] = lane < tables->features ? (int32_t)tables->raw_begin[tables->feature_shape[lane]]
                                                           : (int32_t)(tables->raw_count + tables->scalar_count);
}

const struct pattern_tables *pattern_set_tables(const struct willow_pattern_set *set)
{
    return &derived[set - pattern_sets];
}

const struct willow_pattern_set *willow_pattern_set_at(int index)
{
    if (index < 0 || index >= PATTERN_SETS)
        return NULL;
    pthread_mutex_lock(&derive_lock);
    if (!is_derived[index]) {
        derive_tables(&pattern_sets[index], &derived[index]);
        is_derived[index] = true;
    }
    pthread_mutex_unlock(&derive_lock);
    return &pattern_sets[index];
}

const struct willow_pattern_set *willow_pattern_set_find(const char *name)
{
    for (int i = 0; i < PATTERN_SETS; i++)
        if (name != NULL && strcmp(pattern_sets[i].name, name) == 0)
            return willow_pattern_set_at(i);
    return NULL;
}

const struct willow_pattern_set *willow_pattern_set_by_id(uint32_t id)
{
    for (int i = 0; i < PATTERN_SETS; i++)
        if (pattern_sets[i].id == id)
            return willow_pattern_set_at(i);
    return NULL;
}

const struct willow_pattern_set *willow_pattern_set_default(void)
{
    return willow_pattern_set_at(PATTERN_SET_DEFAULT);
}

const char *willow_pattern_set_name(const struct willow_pattern_set *set)
{
    return set->name;
}

uint32_t willow_pattern_set_id(const struct willow_pattern_set *set)
{
    return set->id;
}

int willow_pattern_set_features(const struct willow_pattern_set *set)
{
    return pattern_set_tables(set)->features + set->scalar_count;
}

uint32_t willow_pattern_set_weights(const struct willow_pattern_set *set)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    return tables->tied_count + tables->scalar_count;
}

uint32_t pattern_scalar_value(const struct pattern_scalar *scalar, struct willow_board board)
{
    uint64_t discs = board.player | board.opponent, counted = 0;
    switch (scalar->kind) {
    case SCALAR_DISCS:
        counted = discs;
        break;
    case SCALAR_MOBILITY:
        counted = kernel_moves(board.player, board.opponent);
        break;
    case SCALAR_OTHER_MOBILITY:
        counted = kernel_moves(board.opponent, board.player);
        break;
    }
    uint32_t value = (uint32_t)__builtin_popcountll(counted);
    return value < scalar->size ? value : scalar->size - 1;
}

uint32_t willow_pattern_set_raw(const struct willow_pattern_set *set)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    return tables->raw_count + tables->scalar_count;
}

const uint32_t *willow_pattern_set_tie(const struct willow_pattern_set *set)
{
    return pattern_set_tables(set)->tie;
}

void willow_pattern_set_raw_indices(const struct willow_pattern_set *set, struct willow_board board, uint32_t *index)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    lanes_indices(tables->rows, tables->lane_begin, board.player, board.opponent, index);
    uint32_t begin = tables->raw_count;
    for (int i = 0; i < set->scalar_count; i++) {
        index[tables->features + i] = begin + pattern_scalar_value(set->scalars[i], board);
        begin += set->scalars[i]->size;
    }
}

void willow_pattern_set_indices(const struct willow_pattern_set *set, struct willow_board board, uint32_t *index)
{
    const uint32_t *tie = pattern_set_tables(set)->tie;
    willow_pattern_set_raw_indices(set, board, index);
    for (int i = 0; i < willow_pattern_set_features(set); i++)
        index[i] = tie[index[i]];
}

const char *willow_pattern_set_part(const struct willow_pattern_set *set, int index, uint32_t *first, uint32_t *count)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    if (index < 0 || index >= set->shape_count + set->scalar_count)
        return NULL;
    const int scalar = index - set->shape_count;
    uint32_t begin = scalar < 0 ? tables->tied_begin[index] : tables->tied_count, size;
    for (int i = 0; i < scalar; i++)
        begin += set->scalars[i]->size;
    size = scalar < 0 ? tables->tied_begin[index + 1] - begin : set->scalars[scalar]->size;
    if (first)
        *first = begin;
    if (count)
        *count = size;
    return scalar < 0 ? set->shapes[index]->name : set->scalars[scalar]->name;
}

int willow_pattern_set_squares(const struct willow_pattern_set *set, int index, uint8_t *squares, uint32_t *first_raw)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    if (index < 0 || index >= tables->shape_count)
        return 0;
    int feature = 0;
    while (tables->feature_shape[feature] != index)
        feature++;
    memcpy(squares, tables->feature_squares[feature], (size_t)tables->shape_size[index]);
    *first_raw = tables->raw_begin[index];
    return tables->shape_size[index];
}

static char *describe_scalar(const struct willow_pattern_set *set, uint32_t value, char *buffer, size_t size)
{
    for (int i = 0; i < set->scalar_count; i++) {
        if (value < set->scalars[i]->size) {
            snprintf(buffer, size, "%s %u", set->scalars[i]->name, value);
            return buffer;
        }
        value -= set->scalars[i]->size;
    }
    snprintf(buffer, size, "outside the set");
    return buffer;
}

char *willow_pattern_set_describe(const struct willow_pattern_set *set, uint32_t weight, char *buffer, size_t size)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    if (weight >= tables->tied_count)
        return describe_scalar(set, weight - tables->tied_count, buffer, size);
    int shape = 0;
    while (weight >= tables->tied_begin[shape + 1])
        shape++;
    /* The first configuration with this weight; there is no inverse table, since only reports ask. */
    uint32_t raw = tables->raw_begin[shape];
    while (tables->tie[raw] != weight)
        raw++;
    raw -= tables->raw_begin[shape];
    char digits[WILLOW_PATTERN_SQUARES_MAX + 1];
    int count = tables->shape_size[shape];
    digits[count] = '\0';
    for (int i = count - 1; i >= 0; i--, raw /= 3)
        digits[i] = ".XO"[raw % 3];
    snprintf(buffer, size, "%s %s", set->shapes[shape]->name, digits);
    return buffer;
}

const struct willow_pattern_set *willow_pattern_set_on(const struct willow_pattern_set *set,
                                                       const struct willow_ruleset *ruleset)
{
    return ruleset->playable == willow_ruleset_default()->playable ? set : NULL;
}
