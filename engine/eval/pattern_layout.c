/* What follows from the data of a pattern set on a board: squares and orientations of its shapes, tables, tied weights,
 * place values. Knows nothing of how sets are found or kept. Layer: eval.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/pattern_sets.h"

/* Shapes are drawn on a board of 8x8. Squares up to the fifth column or row stand where they are seen from that edge;
 * those of a shape that reaches further are seen from the nearer edge. */
enum { DRAWN_SIDE = 8, DRAWN_HALF = 4, SQUARES_MIN = 3 };

struct place {
    int column, row;
};

static int parse_squares(const char *text, struct place *places)
{
    int count = 0;
    for (const char *c = text; *c != '\0'; c += c[2] == ' ' ? 3 : 2) {
        assert(count < WILLOW_PATTERN_SQUARES_MAX && c[0] >= 'a' && c[0] <= 'h' && c[1] >= '1' && c[1] <= '8');
        places[count++] = (struct place){c[0] - 'a', c[1] - '1'};
    }
    return count;
}

static bool on_board(struct place place, int width, int height)
{
    return place.column >= 0 && place.column < width && place.row >= 0 && place.row < height;
}

/* One step along a line. */
static struct place step(struct place from, struct place by)
{
    return (struct place){from.column + by.column, from.row + by.row};
}

/* Whether the squares are all of one straight line, from edge to edge. */
static bool is_whole_line(const struct place *places, int count)
{
    const struct place by = {places[1].column - places[0].column, places[1].row - places[0].row};
    const struct place before = {places[0].column - by.column, places[0].row - by.row};
    for (int i = 1; i < count; i++)
        if (places[i].column - places[i - 1].column != by.column || places[i].row - places[i - 1].row != by.row)
            return false;
    return !on_board(before, DRAWN_SIDE, DRAWN_SIDE) && !on_board(step(places[count - 1], by), DRAWN_SIDE, DRAWN_SIDE);
}

/* A coordinate on a board of another size; may lie outside a smaller one. */
static int fit_coordinate(int drawn, bool reaches_far, int size)
{
    return reaches_far && drawn >= DRAWN_HALF ? drawn - DRAWN_SIDE + size : drawn;
}

/* The squares of a shape on a board, holes included. A whole line starts where it starts on 8x8, seen from its corner,
 * and is a whole line. Squares that are not there, or there twice, are left out. */
static int fit_shape(const struct pattern_shape *shape, int width, int height, uint8_t *squares)
{
    struct place places[WILLOW_PATTERN_SQUARES_MAX] = {{0, 0}};
    const int drawn = parse_squares(shape->squares, places);
    int count = 0;
    if (is_whole_line(places, drawn)) {
        const struct place by = {places[1].column - places[0].column, places[1].row - places[0].row};
        for (struct place at = places[0]; on_board(at, width, height); at = step(at, by)) {
            assert(count < WILLOW_PATTERN_SQUARES_MAX);
            squares[count++] = (uint8_t)(WILLOW_SIDE * at.row + at.column);
        }
        return count;
    }
    bool columns_far = false, rows_far = false;
    for (int i = 0; i < drawn; i++) {
        columns_far = columns_far || places[i].column > DRAWN_HALF;
        rows_far = rows_far || places[i].row > DRAWN_HALF;
    }
    for (int i = 0; i < drawn; i++) {
        const struct place at = {fit_coordinate(places[i].column, columns_far, width),
                                 fit_coordinate(places[i].row, rows_far, height)};
        const uint8_t square = (uint8_t)(WILLOW_SIDE * at.row + at.column);
        if (on_board(at, width, height) && (count == 0 || memchr(squares, square, (size_t)count) == NULL))
            squares[count++] = square;
    }
    return count;
}

static willow_bits squares_mask(const uint8_t *squares, int count)
{
    willow_bits mask = 0;
    for (int i = 0; i < count; i++)
        mask |= WILLOW_BIT(squares[i]);
    return mask;
}

static uint32_t power_of_three(int exponent)
{
    uint32_t power = 1;
    while (exponent-- > 0)
        power *= 3;
    return power;
}

/* A shape and its images under the symmetries of the frame of the board, whatever its holes. */
struct images {
    const struct pattern_shape *shape;
    int size;
    int count; /* symmetries: those that turn the board need a square one */
    uint8_t squares[WILLOW_SYMMETRIES][WILLOW_PATTERN_SQUARES_MAX];
    willow_bits mask[WILLOW_SYMMETRIES];
    unsigned dropped[WILLOW_SYMMETRIES]; /* bit i: the image of square i is not playable */
};

static void image_shape(const struct pattern_shape *shape, const struct willow_ruleset *ruleset, struct images *images)
{
    uint8_t squares[WILLOW_PATTERN_SQUARES_MAX];
    memset(images, 0, sizeof *images);
    images->shape = shape;
    images->size = fit_shape(shape, ruleset->width, ruleset->height, squares);
    images->count = ruleset->width == ruleset->height ? WILLOW_SYMMETRIES : WILLOW_SYMMETRIES / 2;
    for (int s = 0; s < images->count; s++) {
        for (int i = 0; i < images->size; i++) {
            const willow_square image = willow_square_symmetry(ruleset, squares[i], s);
            images->squares[s][i] = image;
            if ((ruleset->playable & WILLOW_BIT(image)) == 0)
                images->dropped[s] |= 1u << i;
        }
        images->mask[s] = squares_mask(images->squares[s], images->size);
    }
}

/* Writes those of `count` squares that are not dropped. */
static int keep_squares(const uint8_t *squares, int count, unsigned dropped, uint8_t *kept)
{
    int size = 0;
    for (int i = 0; i < count; i++)
        if ((dropped >> i & 1u) == 0)
            kept[size++] = squares[i];
    return size;
}

static void name_table(struct pattern_table *table, const uint8_t *own_squares, int count)
{
    int length = snprintf(table->name, sizeof table->name, "%s%s", table->shape->name, table->dropped != 0 ? "-" : "");
    for (int i = 0; i < count; i++)
        if ((table->dropped >> i & 1u) != 0)
            length += snprintf(table->name + length, sizeof table->name - (size_t)length, "%c%d",
                               'a' + own_squares[i] % WILLOW_SIDE, 1 + own_squares[i] / WILLOW_SIDE);
}

/* The table of the orientations of a shape that lost these squares; made when there is none. */
static int find_table(struct willow_pattern_set *set, const struct images *images, unsigned dropped, int size)
{
    for (int i = 0; i < set->table_count; i++)
        if (set->tables[i].shape == images->shape && set->tables[i].dropped == dropped)
            return i;
    struct pattern_table *table = &set->tables[set->table_count];
    *table =
        (struct pattern_table){.shape = images->shape, .dropped = dropped, .size = size, .raw_begin = set->raw_count};
    name_table(table, images->squares[0], images->size);
    set->raw_count += power_of_three(size);
    return set->table_count++;
}

/* An orientation of which little is left says nothing of its own; one whose squares another feature has says it twice,
 * as the fourth row of 6x6 does, which is the third from the other side. */
static void add_feature(struct willow_pattern_set *set, const struct images *images, int symmetry)
{
    uint8_t kept[WILLOW_PATTERN_SQUARES_MAX];
    const unsigned dropped = images->dropped[symmetry];
    const int size = keep_squares(images->squares[symmetry], images->size, dropped, kept);
    if (size < SQUARES_MIN)
        return;
    for (int i = 0; i < set->features; i++)
        if (squares_mask(set->feature_squares[i], set->tables[set->feature_table[i]].size) == squares_mask(kept, size))
            return;
    assert(set->features < WILLOW_PATTERN_FEATURES_MAX);
    set->feature_table[set->features] = (uint8_t)find_table(set, images, dropped, size);
    memcpy(set->feature_squares[set->features], kept, (size_t)size);
    set->features++;
}

/* Adds the distinct images of a shape as features. Where several symmetries lead to one, the first counts of those
 * whose lost squares are the least as a number: images that a symmetry of the ruleset maps onto each other choose
 * alike. */
static void orient_shape(struct willow_pattern_set *set, const struct images *images)
{
    for (int s = 0; s < images->count; s++) {
        bool is_new = true;
        for (int before = 0; before < s; before++)
            is_new = is_new && images->mask[before] != images->mask[s];
        if (!is_new)
            continue;
        int best = s;
        for (int other = s + 1; other < images->count; other++)
            if (images->mask[other] == images->mask[s] && images->dropped[other] < images->dropped[best])
                best = other;
        add_feature(set, images, best);
    }
}

/* Lowers every entry of canonical[] (all configurations of a table) to its mirror image where that is less. Digit i
 * goes to the place of digit to[i]. The image of a number is the image of its highest digit plus the image of the rest,
 * which has been computed before. */
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

/* Where a symmetry that keeps the shape in place puts the digits of a table; it acts alike in every orientation. False
 * when it moves a lost square onto one that is left. */
static bool mirror_digits(const struct images *images, int symmetry, unsigned dropped, int *to)
{
    int digits[WILLOW_PATTERN_SQUARES_MAX] = {0}, count = 0;
    for (int i = 0; i < images->size; i++)
        digits[i] = (dropped >> i & 1u) == 0 ? count++ : -1;
    for (int i = 0; i < images->size; i++)
        for (int j = 0; j < images->size; j++) {
            if (images->squares[0][j] != images->squares[symmetry][i])
                continue;
            if ((digits[i] < 0) != (digits[j] < 0))
                return false;
            if (digits[i] >= 0)
                to[digits[i]] = digits[j];
        }
    return true;
}

/* Ties what the symmetries that keep shape and lost squares in place map onto each other. */
static void tie_table(struct willow_pattern_set *set, struct pattern_table *table, const struct images *images)
{
    const uint32_t configurations = power_of_three(table->size);
    uint32_t *tie = set->tie + table->raw_begin;
    table->tied_begin = set->tied_count;
    for (uint32_t i = 0; i < configurations; i++)
        tie[i] = i;
    for (int s = 0; s < images->count; s++) {
        int to[WILLOW_PATTERN_SQUARES_MAX] = {0};
        if (images->mask[s] == images->mask[0] && mirror_digits(images, s, table->dropped, to))
            tie_mirrored(tie, to, table->size);
    }
    /* Numbers the least of each tied group in rising order; the others come after it and take over its number. */
    for (uint32_t i = 0; i < configurations; i++)
        tie[i] = tie[i] == i ? set->tied_count++ : tie[tie[i]];
}

/* With an entry for every value that a term can have on the board: from none to all squares with discs, and fewer moves
 * than squares. */
static void lay_scalars(struct willow_pattern_set *set)
{
    static const char *const names[] = {
        [SCALAR_DISCS] = "discs", [SCALAR_MOBILITY] = "mobility", [SCALAR_OTHER_MOBILITY] = "other-mobility"};
    const uint32_t squares = (uint32_t)willow_bits_count(set->playable);
    set->scalar_count = set->source->scalar_count;
    assert(set->scalar_count <= WILLOW_SCALAR_FEATURES_MAX);
    for (int i = 0; i < set->scalar_count; i++) {
        const enum pattern_scalar_kind kind = set->source->scalars[i];
        set->scalars[i] = (struct pattern_scalar){.name = names[kind],
                                                  .kind = kind,
                                                  .size = kind == SCALAR_DISCS ? squares + 1 : squares,
                                                  .counted = set->playable};
        set->scalar_entries += set->scalars[i].size;
    }
}

/* The place value of every square in every lane, summed over each pattern of discs in a chunk. */
static void derive_chunks(struct willow_pattern_set *set)
{
    for (int feature = 0; feature < set->features; feature++) {
        const int count = set->tables[set->feature_table[feature]].size;
        for (int i = 0; i < count; i++) {
            const int square = set->feature_squares[feature][i];
            set->chunks[square / LANES_CHUNK][1 << square % LANES_CHUNK].lane[feature] =
                (uint16_t)power_of_three(count - 1 - i);
        }
    }
    for (int chunk = 0; chunk < LANES_CHUNKS; chunk++)
        for (int discs = 1; discs < LANES_CHUNK_MASKS; discs++) {
            const int rest = discs & (discs - 1);
            const struct lanes *of_rest = &set->chunks[chunk][rest], *of_first = &set->chunks[chunk][discs ^ rest];
            for (int lane = 0; rest != 0 && lane < LANES; lane++)
                set->chunks[chunk][discs].lane[lane] = (uint16_t)(of_rest->lane[lane] + of_first->lane[lane]);
        }
}

struct willow_pattern_set *pattern_layout(const struct pattern_source *source, const struct willow_ruleset *ruleset)
{
    struct willow_pattern_set *set = aligned_alloc(alignof(struct willow_pattern_set), sizeof *set);
    if (set == NULL)
        return NULL;
    memset(set, 0, sizeof *set);
    set->source = source;
    set->playable = ruleset->playable;
    set->width = ruleset->width;
    set->height = ruleset->height;
    struct images images;
    for (int i = 0; i < source->shape_count; i++) {
        image_shape(source->shapes[i], ruleset, &images);
        orient_shape(set, &images);
    }
    lay_scalars(set);
    set->tie = malloc(((size_t)set->raw_count + set->scalar_entries) * sizeof *set->tie);
    if (set->tie == NULL) {
        free(set);
        return NULL;
    }
    for (int i = 0; i < set->table_count; i++) {
        image_shape(set->tables[i].shape, ruleset, &images);
        tie_table(set, &set->tables[i], &images);
    }
    for (uint32_t i = 0; i < set->scalar_entries; i++)
        set->tie[set->raw_count + i] = set->tied_count + i;
    derive_chunks(set);
    for (int lane = 0; lane < LANES; lane++)
        set->lane_begin[lane] = lane < set->features ? (int32_t)set->tables[set->feature_table[lane]].raw_begin
                                                     : (int32_t)(set->raw_count + set->scalar_entries);
    return set;
}
