/* Pattern sets for everybody: how they are found, what they say of themselves, and the indices of a board.
 * Every set is laid on a board once, when it is first asked for there, and never changes after that. Layer: eval.
 */
#include <willow/patterns.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "eval/pattern_sets.h"
#include "rules/kernel.h"

/* Constants in all but the instant of their making: one copy a process, kept until it ends. */
static pthread_mutex_t laid_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static const struct willow_pattern_set *laid;

static const struct willow_pattern_set *lay(const struct pattern_source *source, const struct willow_ruleset *ruleset)
{
    pthread_mutex_lock(&laid_lock);
    const struct willow_pattern_set *set = laid;
    while (set != NULL && (set->source != source || set->playable != ruleset->playable ||
                           set->width != ruleset->width || set->height != ruleset->height))
        set = set->next;
    if (set == NULL) {
        struct willow_pattern_set *made = pattern_layout(source, ruleset);
        if (made != NULL) {
            made->next = laid;
            laid = made;
        }
        set = made;
    }
    pthread_mutex_unlock(&laid_lock);
    return set;
}

const struct willow_pattern_set *willow_pattern_set_on(const struct willow_pattern_set *set,
                                                       const struct willow_ruleset *ruleset)
{
    return lay(set->source, ruleset);
}

const struct willow_pattern_set *willow_pattern_set_at(int index)
{
    return index >= 0 && index < PATTERN_SETS ? lay(&pattern_sources[index], willow_ruleset_default()) : NULL;
}

const struct willow_pattern_set *willow_pattern_set_find(const char *name)
{
    for (int i = 0; i < PATTERN_SETS; i++)
        if (name != NULL && strcmp(pattern_sources[i].name, name) == 0)
            return willow_pattern_set_at(i);
    return NULL;
}

const struct willow_pattern_set *willow_pattern_set_by_id(uint32_t id)
{
    for (int i = 0; i < PATTERN_SETS; i++)
        if (pattern_sources[i].id == id)
            return willow_pattern_set_at(i);
    return NULL;
}

const struct willow_pattern_set *willow_pattern_set_default(void)
{
    return willow_pattern_set_at(PATTERN_SET_DEFAULT);
}

const char *willow_pattern_set_name(const struct willow_pattern_set *set)
{
    return set->source->name;
}

uint32_t willow_pattern_set_id(const struct willow_pattern_set *set)
{
    return set->source->id;
}

int willow_pattern_set_features(const struct willow_pattern_set *set)
{
    return set->features + set->scalar_count;
}

uint32_t willow_pattern_set_weights(const struct willow_pattern_set *set)
{
    return set->tied_count + set->scalar_entries;
}

uint32_t pattern_scalar_value(const struct pattern_scalar *scalar, struct willow_board board)
{
    willow_bits discs = board.player | board.opponent, counted = 0;
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
    uint32_t value = (uint32_t)kernel_count(counted & scalar->counted);
    return value < scalar->size ? value : scalar->size - 1;
}

uint32_t willow_pattern_set_raw(const struct willow_pattern_set *set)
{
    return set->raw_count + set->scalar_entries;
}

const uint32_t *willow_pattern_set_tie(const struct willow_pattern_set *set)
{
    return set->tie;
}

void willow_pattern_set_raw_indices(const struct willow_pattern_set *set, struct willow_board board, uint32_t *index)
{
    lanes_indices(set->chunks, set->lane_begin, board.player, board.opponent, index);
    uint32_t begin = set->raw_count;
    for (int i = 0; i < set->scalar_count; i++) {
        index[set->features + i] = begin + pattern_scalar_value(&set->scalars[i], board);
        begin += set->scalars[i].size;
    }
}

void willow_pattern_set_indices(const struct willow_pattern_set *set, struct willow_board board, uint32_t *index)
{
    willow_pattern_set_raw_indices(set, board, index);
    for (int i = 0; i < willow_pattern_set_features(set); i++)
        index[i] = set->tie[index[i]];
}

/* Where the tied weights of a table end. */
static uint32_t tied_end(const struct willow_pattern_set *set, int table)
{
    return table + 1 < set->table_count ? set->tables[table + 1].tied_begin : set->tied_count;
}

const char *willow_pattern_set_part(const struct willow_pattern_set *set, int index, uint32_t *first, uint32_t *count)
{
    if (index < 0 || index >= set->table_count + set->scalar_count)
        return NULL;
    const int scalar = index - set->table_count;
    uint32_t begin = scalar < 0 ? set->tables[index].tied_begin : set->tied_count;
    for (int i = 0; i < scalar; i++)
        begin += set->scalars[i].size;
    if (first)
        *first = begin;
    if (count)
        *count = scalar < 0 ? tied_end(set, index) - begin : set->scalars[scalar].size;
    return scalar < 0 ? set->tables[index].name : set->scalars[scalar].name;
}

int willow_pattern_set_squares(const struct willow_pattern_set *set, int index, uint8_t *squares, uint32_t *first_raw)
{
    if (index < 0 || index >= set->table_count)
        return 0;
    int feature = 0;
    while (set->feature_table[feature] != index)
        feature++;
    memcpy(squares, set->feature_squares[feature], (size_t)set->tables[index].size);
    *first_raw = set->tables[index].raw_begin;
    return set->tables[index].size;
}

static char *describe_scalar(const struct willow_pattern_set *set, uint32_t value, char *buffer, size_t size)
{
    for (int i = 0; i < set->scalar_count; i++) {
        if (value < set->scalars[i].size) {
            snprintf(buffer, size, "%s %u", set->scalars[i].name, value);
            return buffer;
        }
        value -= set->scalars[i].size;
    }
    snprintf(buffer, size, "outside the set");
    return buffer;
}

char *willow_pattern_set_describe(const struct willow_pattern_set *set, uint32_t weight, char *buffer, size_t size)
{
    if (weight >= set->tied_count)
        return describe_scalar(set, weight - set->tied_count, buffer, size);
    int index = 0;
    while (weight >= tied_end(set, index))
        index++;
    const struct pattern_table *table = &set->tables[index];
    /* The first configuration with this weight; there is no inverse table, since only reports ask. */
    uint32_t raw = table->raw_begin;
    while (set->tie[raw] != weight)
        raw++;
    raw -= table->raw_begin;
    char digits[WILLOW_PATTERN_SQUARES_MAX + 1];
    digits[table->size] = '\0';
    for (int i = table->size - 1; i >= 0; i--, raw /= 3)
        digits[i] = ".XO"[raw % 3];
    snprintf(buffer, size, "%s %s", table->name, digits);
    return buffer;
}
