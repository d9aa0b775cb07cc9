/* The table of rulesets and how to find an entry.
 * Layer: rules.
 */
#include <willow/ruleset.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <willow/notation.h>
#include <willow/random.h>

#include "rules/ruleset_wide.h"

/* Ids are stored in files: append, never renumber. 0 is left out so that a zeroed header names no ruleset. */
enum {
    ID_OTHELLO = 1,
    ID_ANTI,
    ID_REVERSI,
    ID_4X4,
    ID_6X6,
    ID_6X6_PARALLEL,
    ID_10X10 = RULESET_WIDE_ID,
    ID_4X4_PARALLEL,
    ID_4X4_ANTI,
    ID_4X4_ANTI_PARALLEL,
    ID_4X4_REVERSI,
    ID_4X4_ANTI_REVERSI,
    ID_6X6_ANTI,
    ID_HOLE = 256 /* + square */
};

/* Squares and starts of a board of so many columns and rows. The four squares of the start are the middle ones; black,
 * first to move, is on the upper right and the lower left of them, or, in the parallel start, on the upper two. */
#define ROW(size, row) ((WILLOW_BIT(size) - 1) << WILLOW_SIDE * (row))
#define AT(column, row) WILLOW_BIT(WILLOW_SIDE *(row) + (column))
#define UPPER_LEFT(size) AT((size) / 2 - 1, (size) / 2 - 1)
#define UPPER_RIGHT(size) AT((size) / 2, (size) / 2 - 1)
#define LOWER_LEFT(size) AT((size) / 2 - 1, (size) / 2)
#define LOWER_RIGHT(size) AT((size) / 2, (size) / 2)
#define CENTRE(size) (UPPER_LEFT(size) | UPPER_RIGHT(size) | LOWER_LEFT(size) | LOWER_RIGHT(size))
#define CROSS(size)                                                                                                    \
    {                                                                                                                  \
        UPPER_RIGHT(size) | LOWER_LEFT(size), UPPER_LEFT(size) | LOWER_RIGHT(size)                                     \
    }
#define PARALLEL(size)                                                                                                 \
    {                                                                                                                  \
        UPPER_LEFT(size) | UPPER_RIGHT(size), LOWER_LEFT(size) | LOWER_RIGHT(size)                                     \
    }

#define ROWS_4(size) (ROW(size, 0) | ROW(size, 1) | ROW(size, 2) | ROW(size, 3))
#define ROWS_6(size) (ROWS_4(size) | ROW(size, 4) | ROW(size, 5))
#define ROWS_8(size) (ROWS_6(size) | ROW(size, 6) | ROW(size, 7))

#define BOARD_4X4 .width = 4, .height = 4, .playable = ROWS_4(4)
#define BOARD_6X6 .width = 6, .height = 6, .playable = ROWS_6(6)
#define BOARD_8X8 .width = 8, .height = 8, .playable = ROWS_8(8)

/* A hole is on any square but those of the start. */
#define HOLE(name_, square)                                                                                            \
    {                                                                                                                  \
        .name = "hole:" name_, .id = ID_HOLE + (square), .width = 8, .height = 8,                                      \
        .playable = ROWS_8(8) & ~WILLOW_BIT(square), .start = CROSS(8)                                                 \
    }
#define HOLES_LEFT(row, digit)                                                                                         \
    HOLE("a" digit, 8 * (row)), HOLE("b" digit, 8 * (row) + 1), HOLE("c" digit, 8 * (row) + 2)
#define HOLES_MIDDLE(row, digit) HOLE("d" digit, 8 * (row) + 3), HOLE("e" digit, 8 * (row) + 4)
#define HOLES_RIGHT(row, digit)                                                                                        \
    HOLE("f" digit, 8 * (row) + 5), HOLE("g" digit, 8 * (row) + 6), HOLE("h" digit, 8 * (row) + 7)
#define HOLES_ROW(row, digit) HOLES_LEFT(row, digit), HOLES_MIDDLE(row, digit), HOLES_RIGHT(row, digit)

static const struct willow_ruleset rulesets[] = {
#ifdef WILLOW_WIDE
    {.name = RULESET_WIDE_NAME,
     .id = ID_10X10,
     .width = 10,
     .height = 10,
     .playable = WILLOW_BITS_ALL,
     .start = CROSS(10)},
#else
    {.name = "othello", .id = ID_OTHELLO, BOARD_8X8, .start = CROSS(8)},
    {.name = "anti", .id = ID_ANTI, BOARD_8X8, .start = CROSS(8), .fewest_wins = true},
    {.name = "reversi", .id = ID_REVERSI, BOARD_8X8, .placement = CENTRE(8)},
    {.name = "4x4", .id = ID_4X4, BOARD_4X4, .start = CROSS(4)},
    {.name = "4x4-parallel", .id = ID_4X4_PARALLEL, BOARD_4X4, .start = PARALLEL(4)},
    {.name = "4x4-anti", .id = ID_4X4_ANTI, BOARD_4X4, .start = CROSS(4), .fewest_wins = true},
    {.name = "4x4-anti-parallel", .id = ID_4X4_ANTI_PARALLEL, BOARD_4X4, .start = PARALLEL(4), .fewest_wins = true},
    {.name = "4x4-reversi", .id = ID_4X4_REVERSI, BOARD_4X4, .placement = CENTRE(4)},
    {.name = "4x4-anti-reversi", .id = ID_4X4_ANTI_REVERSI, BOARD_4X4, .placement = CENTRE(4), .fewest_wins = true},
    {.name = "6x6", .id = ID_6X6, BOARD_6X6, .start = CROSS(6)},
    {.name = "6x6-parallel", .id = ID_6X6_PARALLEL, BOARD_6X6, .start = PARALLEL(6)},
    {.name = "6x6-anti", .id = ID_6X6_ANTI, BOARD_6X6, .start = CROSS(6), .fewest_wins = true},
    HOLES_ROW(0, "1"),
    HOLES_ROW(1, "2"),
    HOLES_ROW(2, "3"),
    HOLES_LEFT(3, "4"),
    HOLES_RIGHT(3, "4"),
    HOLES_LEFT(4, "5"),
    HOLES_RIGHT(4, "5"),
    HOLES_ROW(5, "6"),
    HOLES_ROW(6, "7"),
    HOLES_ROW(7, "8"),
#endif
};
enum { RULESETS = sizeof rulesets / sizeof rulesets[0] };

static const char hole_prefix[] = "hole:";

/* The stream of random numbers that a hole is drawn from: far from those of games, which are numbered from 0. */
static const uint64_t HOLE_STREAM = UINT64_C(0x686f6c65) << 32;

const struct willow_ruleset *willow_ruleset_default(void)
{
    return &rulesets[0];
}

const struct willow_ruleset *willow_ruleset_othello(void)
{
    return willow_ruleset_by_id(ID_OTHELLO);
}

const struct willow_ruleset *willow_ruleset_find(const char *name)
{
    for (int i = 0; i < RULESETS; i++)
        if (strcmp(rulesets[i].name, name) == 0)
            return &rulesets[i];
    return NULL;
}

const struct willow_ruleset *willow_ruleset_by_id(uint32_t id)
{
    for (int i = 0; i < RULESETS; i++)
        if (rulesets[i].id == id)
            return &rulesets[i];
    return NULL;
}

const struct willow_ruleset *willow_ruleset_at(int index)
{
    return index >= 0 && index < RULESETS ? &rulesets[index] : NULL;
}

static bool is_hole(const struct willow_ruleset *ruleset)
{
    return strncmp(ruleset->name, hole_prefix, sizeof hole_prefix - 1) == 0;
}

/* All names but those of holes, which are a pattern. The other build's boards are not unknown, only not here. */
static enum willow_status fail_unknown(const char *name, struct willow_error *error)
{
    if (WILLOW_SQUARES > 64)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "unknown ruleset '%.40s'; what plays " RULESET_WIDE_NAME " plays nothing else", name);
    if (strcmp(name, RULESET_WIDE_NAME) == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "ruleset '%.40s': other programs play it, which --ruleset %.40s starts", name, name);
    char names[256] = "";
    size_t length = 0;
    for (int i = 0; i < RULESETS; i++)
        if (!is_hole(&rulesets[i]) && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s, ", rulesets[i].name);
    return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                       "unknown ruleset '%.40s'; there are %s" RULESET_WIDE_NAME ", %sSQUARE, %srandom", name, names,
                       hole_prefix, hole_prefix);
}

enum willow_status willow_ruleset_parse(const char *name, uint64_t seed, const struct willow_ruleset **ruleset,
                                        struct willow_error *error)
{
    *ruleset = willow_ruleset_find(name);
    if (*ruleset)
        return WILLOW_OK;
    int holes = 0, first = 0;
    for (int i = RULESETS - 1; i >= 0; i--)
        if (is_hole(&rulesets[i])) {
            holes++;
            first = i;
        }
    if (holes == 0 || strncmp(name, hole_prefix, sizeof hole_prefix - 1) != 0)
        return fail_unknown(name, error);
    const char *square = name + sizeof hole_prefix - 1;
    if (strcmp(square, "random") == 0) {
        struct willow_random random;
        willow_random_init(&random, seed, HOLE_STREAM);
        *ruleset = &rulesets[first + (int)willow_random_below(&random, (uint32_t)holes)];
        return WILLOW_OK;
    }
    const willow_square hole = willow_square_parse(square);
    if (hole < WILLOW_SQUARES)
        *ruleset = willow_ruleset_by_id(ID_HOLE + hole);
    if (*ruleset)
        return WILLOW_OK;
    if (hole < WILLOW_SQUARES)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "ruleset '%.40s': there cannot be a hole on a square of the start", name);
    return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                       "ruleset '%.40s': a hole is on a square from a1 to h8, or 'random'", name);
}

int willow_ruleset_squares(const struct willow_ruleset *ruleset)
{
    return willow_bits_count(ruleset->playable);
}

bool willow_ruleset_same_play(const struct willow_ruleset *a, const struct willow_ruleset *b)
{
    return a->width == b->width && a->height == b->height && a->playable == b->playable &&
           a->fewest_wins == b->fewest_wins;
}
