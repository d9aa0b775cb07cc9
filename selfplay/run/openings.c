/* Draws openings: random games of a few plies whose position was not met before in any orientation, and tables of lines
 * in random order. Layer: selfplay. Every random game is a stream of its own, so that what is drawn follows from the
 * seed and the order of drawing alone.
 */
#include "openings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/random.h>

#include "board_set.h"
#include "opening_lines.h"

_Static_assert((int)OPENINGS_ALL_MAX == (int)OPENING_LINES_PLIES_MAX, "one limit of listed plies");

enum {
    /* Random games without a new position after which those left over are taken from a table, where there can be one:
     * up to here they are cheaper than making the table. */
    TABLE_AFTER = 200,
    /* Candidates that the judge refused one after another until nothing is expected of more. */
    REFUSED_MAX = 100000,
    /* Random games between two looks at `stop`; one takes half a microsecond. */
    STOP_EVERY = 1024,
    JUDGE_HASH_BYTES = 1 << 18
};

/* The random openings of one number of plies. */
struct space {
    struct board_set used; /* drawn in this round, taken or refused */
    uint64_t round, taken; /* openings taken in this round */
    uint32_t fruitless;    /* random games since the last new position */

    /* Once needed: all positions there are. In each round, from when the random games find nothing new, those left over
     * are taken in the table's order. */
    struct opening_lines table;
    bool tabled, from_table;
    size_t rank; /* next line to look at */
};

/* Moves without passes, WILLOW_NO_SQUARE behind the last. */
struct line {
    willow_square moves[OPENING_LINES_MOVES_MAX];
    uint8_t plies;
};

struct openings {
    struct openings_options options;
    uint64_t plies_seed, trial_seed, order_seed;

    double cumulative[OPENINGS_SHARES]; /* of the shares */
    struct space spaces[OPENINGS_SHARES];
    uint64_t trial; /* stream of the next candidate */
    struct willow_search *judge;

    struct opening_lines lines; /* of the kinds that list their openings */
    uint64_t lines_round, doubles;

    uint64_t next;       /* index to draw next */
    struct line drawn;   /* that of the index before it */
    struct line *group;  /* [options.group], sorted; null until needed */
    uint64_t group_last; /* index behind its last one; 0 = none is there */
    uint64_t asked;      /* the last index that was asked for */
};

/* A seed for each use: values of streams that no game of a run has. */
static uint64_t derived_seed(uint64_t seed, uint64_t use)
{
    struct willow_random random;
    willow_random_init(&random, seed, UINT64_MAX - use);
    return willow_random_u64(&random);
}

static enum willow_status check_plies(const struct openings_options *options, struct willow_error *error)
{
    const bool all = options->kind == OPENINGS_ALL;
    const int most = all ? OPENINGS_ALL_MAX : OPENINGS_PLIES_MAX;
    const int least = all ? options->plies_max : options->plies_min;
    if (least < 0 || least > options->plies_max || options->plies_max > most)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the plies of openings must lie in 0..%d%s", most,
                           all ? " where all positions are asked for" : "");
    const int squares = willow_board_empties(options->ruleset, options->ruleset->start);
    if (options->plies_max >= squares)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "an opening of %d plies leaves nothing to play: %s has %d", options->plies_max,
                           options->ruleset->name, squares);
    return WILLOW_OK;
}

/* Sums up the shares. */
static enum willow_status prepare_shares(struct openings *openings, struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    double sum = 0.0;
    for (int plies = 0; plies < OPENINGS_SHARES; plies++) {
        const double share = options->shares[plies];
        const bool within = plies >= options->plies_min && plies <= options->plies_max;
        if (!(share >= 0.0) || !isfinite(share) || (share > 0.0 && !within))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                               "the share of openings of %d plies must be 0 or more%s", plies,
                               within ? "" : ", and 0 outside the bounds");
        openings->cumulative[plies] = sum += share;
    }
    if (!isfinite(sum))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the shares of openings are too large");
    for (int plies = options->plies_min; plies <= options->plies_max && sum == 0.0; plies++)
        openings->cumulative[plies] = plies - options->plies_min + 1;
    return WILLOW_OK;
}

static enum willow_status prepare_judge(struct openings *openings, struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    if (!(options->soft_discs >= 0.0) || options->limit_discs < 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the balance of openings must be 0 discs or more");
    if (options->soft_discs == 0.0 && options->limit_discs == 0)
        return WILLOW_OK;
    if (!options->judge || options->judge_depth < 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "balanced openings need weights and a depth of at least 1");
    const enum willow_status status = willow_search_new(options->judge, JUDGE_HASH_BYTES, &openings->judge, error);
    return status ? status : willow_search_set_ruleset(openings->judge, options->ruleset, error);
}

static enum willow_status prepare(struct openings *openings, struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    enum willow_status status = WILLOW_OK;
    if (options->kind != OPENINGS_LIST)
        status = check_plies(options, error);
    if (!status && options->kind == OPENINGS_RANDOM)
        status = prepare_shares(openings, error);
    if (!status && options->kind == OPENINGS_RANDOM)
        status = prepare_judge(openings, error);
    if (!status && options->kind == OPENINGS_ALL)
        status = opening_lines_enumerate(&openings->lines, options->ruleset, options->plies_max, options->stop, error);
    if (!status && options->kind == OPENINGS_LIST)
        status = opening_lines_parse(&openings->lines, options->ruleset, options->list, options->list_name,
                                     &openings->doubles, error);
    if (!status && options->kind != OPENINGS_RANDOM) {
        if (!openings->lines.count)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "no game lasts longer than %d plies",
                               options->plies_max);
        opening_lines_shuffle(&openings->lines, openings->order_seed, 0);
    }
    return status;
}

enum willow_status openings_new(const struct openings_options *options, struct openings **openings,
                                struct willow_error *error)
{
    struct openings *made = calloc(1, sizeof *made);
    *openings = NULL;
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the openings");
    made->options = *options;
    made->plies_seed = derived_seed(options->seed, 0);
    made->trial_seed = derived_seed(options->seed, 1);
    made->order_seed = derived_seed(options->seed, 2);
    const enum willow_status status = prepare(made, error);
    if (status)
        openings_free(made);
    else
        *openings = made;
    return status;
}

void openings_free(struct openings *openings)
{
    if (!openings)
        return;
    for (int plies = 0; plies < OPENINGS_SHARES; plies++) {
        board_set_clear(&openings->spaces[plies].used);
        opening_lines_clear(&openings->spaces[plies].table);
    }
    opening_lines_clear(&openings->lines);
    free(openings->group);
    willow_search_free(openings->judge);
    free(openings);
}

/* How many plies opening `index` has, from a stream of its own: what is used up elsewhere does not change it. */
static int draw_plies(const struct openings *openings, uint64_t index)
{
    const struct openings_options *options = &openings->options;
    if (options->plies_min == options->plies_max)
        return options->plies_min;
    struct willow_random random;
    willow_random_init(&random, openings->plies_seed, index);
    const double drawn = willow_random_unit(&random) * openings->cumulative[options->plies_max];
    int plies = options->plies_min;
    while (plies < options->plies_max && drawn >= openings->cumulative[plies])
        plies++;
    return plies;
}

/* A position to take or to refuse, and the random numbers for that. */
struct candidate {
    struct willow_random random;
    struct willow_board key;
    willow_square moves[OPENINGS_PLIES_MAX];
};

/* Plays random moves. False when the game ends with or before the last of them. */
static bool play_random(const struct willow_ruleset *ruleset, int plies, struct candidate *candidate)
{
    struct willow_board board = ruleset->start;
    willow_bits moves = opening_settle(ruleset, &board);
    for (int ply = 0; ply < plies && moves; ply++) {
        candidate->moves[ply] = (willow_square)willow_random_bit(&candidate->random, moves);
        board = willow_board_play(board, candidate->moves[ply]);
        moves = opening_settle(ruleset, &board);
    }
    if (moves)
        candidate->key = opening_key(ruleset, board);
    return moves != 0;
}

static struct willow_board key_of_line(const struct willow_ruleset *ruleset, const willow_square *moves, int count)
{
    struct willow_board board = ruleset->start;
    (void)opening_settle(ruleset, &board);
    for (int i = 0; i < count; i++) {
        board = willow_board_play(board, moves[i]);
        (void)opening_settle(ruleset, &board);
    }
    return opening_key(ruleset, board);
}

static enum willow_status look_at_stop(const struct openings *openings, uint64_t step, struct willow_error *error)
{
    const struct willow_stop *stop = openings->options.stop;
    if (!stop || step % STOP_EVERY || !willow_stop_get(stop))
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped while drawing openings");
}

/* Finds a position of the space that was not used in this round by random games. *found = false when it takes too many:
 * then space->fruitless has come to its limit. */
static enum willow_status find_by_games(struct openings *openings, struct space *space, int plies,
                                        struct candidate *candidate, bool *found, struct willow_error *error)
{
    const uint32_t most = plies <= OPENINGS_ALL_MAX ? TABLE_AFTER : OPENINGS_FRUITLESS_MAX;
    for (*found = false; space->fruitless < most; space->fruitless++, openings->trial++) {
        const enum willow_status status = look_at_stop(openings, openings->trial, error);
        if (status)
            return status;
        willow_random_init(&candidate->random, openings->trial_seed, openings->trial);
        if (play_random(openings->options.ruleset, plies, candidate) && !board_set_has(&space->used, candidate->key)) {
            *found = true;
            break;
        }
    }
    return WILLOW_OK;
}

/* The same from the table of all positions, where *found = false says that every one is used. */
static enum willow_status find_in_table(struct openings *openings, struct space *space, int plies,
                                        struct candidate *candidate, bool *found, struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    enum willow_status status = WILLOW_OK;
    *found = false;
    if (!space->tabled)
        status = opening_lines_enumerate(&space->table, options->ruleset, plies, options->stop, error);
    if (status)
        return status;
    space->tabled = true;
    if (!space->from_table) {
        opening_lines_shuffle(&space->table, openings->order_seed, space->round * OPENINGS_SHARES + (uint64_t)plies);
        space->from_table = true;
        space->rank = 0;
    }
    for (; space->rank < space->table.count; space->rank++) {
        int count;
        const willow_square *moves = opening_lines_at(&space->table, space->rank, &count);
        status = look_at_stop(openings, space->rank, error);
        if (status)
            return status;
        candidate->key = key_of_line(options->ruleset, moves, count);
        if (board_set_has(&space->used, candidate->key))
            continue;
        memcpy(candidate->moves, moves, (size_t)count);
        willow_random_init(&candidate->random, openings->trial_seed, openings->trial);
        *found = true;
        break;
    }
    return WILLOW_OK;
}

static enum willow_status find(struct openings *openings, int plies, struct candidate *candidate, bool *found,
                               struct willow_error *error)
{
    struct space *space = &openings->spaces[plies];
    enum willow_status status = WILLOW_OK;
    *found = false;
    if (space->tabled && space->used.count == space->table.count)
        return WILLOW_OK;
    if (!space->from_table)
        status = find_by_games(openings, space, plies, candidate, found, error);
    if (!status && !*found && plies <= OPENINGS_ALL_MAX)
        status = find_in_table(openings, space, plies, candidate, found, error);
    return status;
}

/* Begins a new round of a space that is used up, or fails. */
static enum willow_status renew(struct openings *openings, int plies, struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    struct space *space = &openings->spaces[plies];
    const char *balanced = openings->judge ? " balanced" : "";
    if (!space->used.count)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "no game%s lasts longer than %d plies",
                           plies <= OPENINGS_ALL_MAX ? "" : " of many random ones", plies);
    /* The limit alone lets the same ones pass each time. */
    if (!space->taken && options->soft_discs == 0.0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "no opening of %d plies is even to %d discs, of %zu tried", plies, options->limit_discs,
                           space->used.count);
    if (!options->repeat)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "%d random plies give only %llu distinct%s openings: use more plies or fewer openings",
                           plies, (unsigned long long)space->taken, balanced);
    board_set_empty(&space->used);
    space->round++;
    space->taken = 0;
    space->fruitless = 0;
    space->from_table = false;
    return WILLOW_OK;
}

/* Whether a candidate is even enough. The judge sees the key, so that the orientation in which it came makes no
 * difference. */
static enum willow_status judge(struct openings *openings, struct candidate *candidate, bool *taken,
                                struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    const struct willow_limits limits = {.depth = options->judge_depth, .stop = options->stop};
    struct willow_result result;
    *taken = true;
    if (!openings->judge)
        return WILLOW_OK;
    const enum willow_status status = look_at_stop(openings, 0, error);
    if (status)
        return status;
    willow_search_clear(openings->judge);
    willow_search_run(openings->judge, candidate->key, &limits, &result);
    if (!result.complete)
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped while drawing openings");
    const double discs = fabs(result.score / (double)WILLOW_SCORE_DISC);
    if (options->limit_discs && discs > options->limit_discs)
        *taken = false;
    if (options->soft_discs > 0.0 && willow_random_unit(&candidate->random) >= exp(-discs / options->soft_discs))
        *taken = false;
    return WILLOW_OK;
}

static void set_line(struct line *line, const willow_square *moves, int plies)
{
    memset(line->moves, WILLOW_NO_SQUARE, sizeof line->moves);
    memcpy(line->moves, moves, (size_t)plies);
    line->plies = (uint8_t)plies;
}

/* Draws the next opening of a number of plies. */
static enum willow_status draw_random(struct openings *openings, int plies, struct willow_error *error)
{
    struct space *space = &openings->spaces[plies];
    struct candidate candidate;
    int refused = 0;
    for (bool taken = false; !taken;) {
        bool found, added;
        enum willow_status status = find(openings, plies, &candidate, &found, error);
        if (!status && !found)
            status = renew(openings, plies, error);
        if (status)
            return status;
        if (!found)
            continue;
        status = judge(openings, &candidate, &taken, error);
        if (!status)
            status = board_set_add(&space->used, candidate.key, &added, error);
        if (status)
            return status;
        openings->trial++;
        space->fruitless = 0;
        space->taken += taken;
        refused += !taken;
        if (refused == REFUSED_MAX)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                               "none of %d openings of %d plies was even enough: allow more discs", REFUSED_MAX, plies);
    }
    set_line(&openings->drawn, candidate.moves, plies);
    return WILLOW_OK;
}

/* Draws those up to `index`. */
static enum willow_status take_random(struct openings *openings, uint64_t index, struct willow_error *error)
{
    while (openings->next <= index) {
        const enum willow_status status = draw_random(openings, draw_plies(openings, openings->next), error);
        if (status)
            return status;
        openings->next++;
    }
    return WILLOW_OK;
}

static enum willow_status take_line(struct openings *openings, uint64_t index, struct willow_error *error)
{
    struct opening_lines *lines = &openings->lines;
    const uint64_t round = index / lines->count;
    if (round && !openings->options.repeat)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, openings->options.list_name, NULL,
                           "there are only %zu distinct openings", lines->count);
    if (round != openings->lines_round) {
        opening_lines_shuffle(lines, openings->order_seed, round);
        openings->lines_round = round;
    }
    int plies;
    const willow_square *moves = opening_lines_at(lines, (size_t)(index % lines->count), &plies);
    set_line(&openings->drawn, moves, plies);
    openings->next = index + 1;
    return WILLOW_OK;
}

static enum willow_status draw(struct openings *openings, uint64_t index, struct willow_error *error)
{
    return openings->options.kind == OPENINGS_RANDOM ? take_random(openings, index, error)
                                                     : take_line(openings, index, error);
}

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    return memcmp(a->moves, b->moves, sizeof a->moves);
}

/* Draws the group in which an index lies. */
static enum willow_status draw_group(struct openings *openings, uint64_t index, struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    const uint64_t first = index - index % options->group, left = options->total - first;
    const size_t count = (size_t)(left < options->group ? left : options->group);
    if (!openings->group)
        openings->group = calloc(count, sizeof *openings->group);
    if (!openings->group)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the openings");
    openings->group_last = 0;
    for (size_t i = 0; i < count; i++) {
        const enum willow_status status = draw(openings, first + i, error);
        if (status)
            return status;
        openings->group[i] = openings->drawn;
    }
    qsort(openings->group, count, sizeof *openings->group, compare_lines);
    openings->group_last = first + count;
    return WILLOW_OK;
}

static enum willow_status take_grouped(struct openings *openings, uint64_t index, const struct line **line,
                                       struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    if (index >= options->total)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there are openings for %llu games alone",
                           (unsigned long long)options->total);
    const enum willow_status status = index < openings->group_last ? WILLOW_OK : draw_group(openings, index, error);
    *line = status ? NULL : &openings->group[index % options->group];
    return status;
}

enum willow_status openings_take(struct openings *openings, uint64_t index, struct opening *opening,
                                 struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    const struct line *line = &openings->drawn;
    if (index < openings->asked)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "openings are drawn in rising order alone");
    if (openings->options.group > 0)
        status = take_grouped(openings, index, &line, error);
    else if (index >= openings->next)
        status = draw(openings, index, error);
    if (status)
        return status;
    openings->asked = index;

    willow_game_init(&opening->game, openings->options.ruleset);
    opening->plies = line->plies;
    for (int i = 0; i < line->plies && !status; i++) {
        if (!willow_board_moves(openings->options.ruleset, willow_game_board(&opening->game)))
            status = willow_game_play(&opening->game, WILLOW_PASS, error);
        if (!status)
            status = willow_game_play(&opening->game, line->moves[i], error);
    }
    return status;
}

uint64_t openings_count(const struct openings *openings)
{
    return openings->lines.count;
}

uint64_t openings_doubles(const struct openings *openings)
{
    return openings->doubles;
}

enum willow_status openings_read_list(const char *path, char **list, size_t *size_bytes, struct willow_error *error)
{
    unsigned char *data;
    const enum willow_status status = willow_file_read(path, OPENINGS_LIST_BYTES_MAX, &data, size_bytes, error);
    if (status)
        return status;
    if (memchr(data, '\0', *size_bytes)) {
        free(data);
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "not a text: it holds a zero byte");
    }
    *list = (char *)data;
    return WILLOW_OK;
}
