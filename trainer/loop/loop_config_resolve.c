/* Defaults and checks of the loop's configuration. The defaults are documented in configs/quick.yaml.
 * Layer: trainer (program). Knows nothing of YAML.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/dataset.h>
#include <willow/patterns.h>
#include <willow/program.h>
#include <willow/search.h>
#include <willow/weights.h>

#include "loop_config_raw.h"

/* The ranges of `willow train fit`. */
const struct loop_fit_option loop_fit_options[LOOP_FIT_NUMBERS] = {
    [LOOP_FIT_ITERATIONS] = {"iterations", "--iterations", 0, 100000, true},
    [LOOP_FIT_PRIOR] = {"prior", "--prior", 0, 1e9, false},
    [LOOP_FIT_WINDOW] = {"window", "--window", 0, WILLOW_PLIES - 1, true},
    [LOOP_FIT_BACKOFF] = {"backoff", "--backoff", 0, 3, true},
    [LOOP_FIT_BACKOFF_PRIOR] = {"backoff_prior", "--backoff-prior", 1e-3, 1e9, false},
    [LOOP_FIT_TOLERANCE] = {"tolerance", "--tolerance", 1e-9, 0.1, false},
    [LOOP_FIT_PATIENCE] = {"patience", "--patience", 1, 1000, true},
    [LOOP_FIT_CLIP] = {"clip", "--clip", 0.5, 256, false},
    [LOOP_FIT_RATE] = {"rate", "--rate", 1e-6, 38, false},
    [LOOP_FIT_RANDOM_DISTANCE] = {"random_distance", "--random-distance", 0, WILLOW_PLIES - 1, true},
    [LOOP_FIT_HELD_OUT] = {"held_out", "--held-out", 0, 0.9, false}};

static const char *const fit_starts[] = {"zero", "next", "base", NULL};
static const char *const fit_solvers[] = {"conjugate", "descent", NULL};

/* The board that all defaults are meant for. */
enum { PLIES_OF_DEFAULTS = 60 };

static const struct loop_generation backward_defaults = {.kind = LOOP_BACKWARD,
                                                         .games = 50000,
                                                         .depth = 1,
                                                         .exact = 0,
                                                         .selectivity = 100,
                                                         .openings = LOOP_NO_INPUT,
                                                         .opening_first = 0,
                                                         .opening_last = 10,
                                                         .noise = 4.0,
                                                         .noise_plies = 60,
                                                         .random_move = 0.05,
                                                         .keep = 1.0,
                                                         .label_depth = 3,
                                                         .label_exact = 10,
                                                         .label_selectivity = 100};
/* How deep games are searched depends on whether that makes the labels, too. */
enum { UNSET = -1, DEPTH_OF_LABELS = 6, EXACT_OF_LABELS = 14, DEPTH_OF_MOVES = 1, EXACT_OF_MOVES = 0 };
static const struct loop_generation selfplay_defaults = {.kind = LOOP_SELFPLAY,
                                                         .games = 10000,
                                                         .depth = UNSET,
                                                         .exact = UNSET,
                                                         .selectivity = 100,
                                                         .openings = LOOP_NO_INPUT,
                                                         .opening_first = 4,
                                                         .opening_last = 16,
                                                         .noise = 0.0,
                                                         .noise_plies = 0,
                                                         .random_move = 0.02,
                                                         .keep = 1.0,
                                                         .label_depth = 0,
                                                         .label_exact = 14,
                                                         .label_selectivity = 100,
                                                         .window = 2};
/* About five seconds with two threads, and 24 for depth 9, 19 empties and as many positions. */
static const struct loop_probcut probcut_defaults = {.positions = 0, .depth = 8, .exact = 16};

/* What the checks need to name a bad value; the first failure stands. */
struct check {
    const char *path;
    char place[64]; /* "backward 2" */
    struct loop_config *config;
    int plies;       /* of the board */
    int plies_meant; /* of the board that the file is written for */
    bool other_game; /* than the file is written for */
    enum willow_status status;
    struct willow_error *error;
};

static void refuse(struct check *check, const char *key, const char *wanted)
{
    if (check->status == WILLOW_OK)
        check->status = willow_fail(check->error, WILLOW_ERR_FORMAT, check->path,
                                    check->place[0] != '\0' ? check->place : NULL, "%s: %s is expected", key, wanted);
}

static int64_t integer64(struct check *check, const char *key, const int64_t *value, int64_t otherwise, int64_t low,
                         int64_t high)
{
    char wanted[96];

    if (value == NULL)
        return otherwise;
    if (*value >= low && *value <= high)
        return *value;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low, (long long)high);
    refuse(check, key, wanted);
    return otherwise;
}

static int integer(struct check *check, const char *key, const int *value, int otherwise, int low, int high)
{
    const int64_t wide = value == NULL ? 0 : *value;

    return (int)integer64(check, key, value == NULL ? NULL : &wide, otherwise, low, high);
}

/* A number of plies or stages for a board of `meant` plies, on this one: the nearest, but 0 for 0 alone. */
static int scaled(const struct check *check, int value, int meant)
{
    const int nearest = (2 * value * check->plies + meant) / (2 * meant);

    return value > 0 && nearest == 0 ? 1 : nearest;
}

static int plies(struct check *check, const char *key, const int *value, int otherwise, int low, int high)
{
    return value == NULL ? otherwise
                         : scaled(check, integer(check, key, value, otherwise, low, high), check->plies_meant);
}

/* So many empty squares cost the same on every board, but a smaller one must not be solved from the start. */
static int solvable(const struct check *check, int empties, int meant)
{
    return check->plies < meant && empties > check->plies / 3 ? check->plies / 3 : empties;
}

static int empties(struct check *check, const char *key, const int *value, int otherwise)
{
    return value == NULL ? otherwise
                         : solvable(check, integer(check, key, value, otherwise, 0, 30), check->plies_meant);
}

static double real(struct check *check, const char *key, const double *value, double otherwise, double low, double high)
{
    char wanted[96];

    if (value == NULL)
        return otherwise;
    if (*value >= low && *value <= high)
        return *value;
    snprintf(wanted, sizeof wanted, "a number from %g to %g", low, high);
    refuse(check, key, wanted);
    return otherwise;
}

static int selectivity(struct check *check, const char *key, const int *value, int otherwise)
{
    if (value == NULL)
        return otherwise;
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (willow_selectivities[i] == *value)
            return *value;
    refuse(check, key, "73, 87, 95, 98, 99 or 100");
    return otherwise;
}

/* One of the words, from their constant storage. */
static const char *word(struct check *check, const char *key, const char *text, const char *const *words,
                        const char *otherwise)
{
    char wanted[96] = "";

    if (text == NULL)
        return otherwise;
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0)
            return words[i];
        const size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s%s",
                 i == 0                 ? ""
                 : words[i + 1] == NULL ? " or "
                                        : ", ",
                 words[i]);
    }
    refuse(check, key, wanted);
    return otherwise;
}

/* The longest opening that `selfplay run` takes in a game of so many plies. */
static int longest_opening(int plies)
{
    enum { OPENING_PLIES_MAX = WILLOW_PLIES - 11 };

    return plies <= OPENING_PLIES_MAX ? plies - 1 : OPENING_PLIES_MAX;
}

/* "A-B" or "A". */
static void opening(struct check *check, const char *text, int *first, int *last)
{
    const int most = longest_opening(check->plies);
    char wanted[64];

    if (text == NULL)
        return;
    if (!willow_parse_range(text, 0, longest_opening(check->plies_meant), first, last)) {
        snprintf(wanted, sizeof wanted, "A-B or A within 0-%d plies", longest_opening(check->plies_meant));
        refuse(check, "opening", wanted);
        return;
    }
    *first = scaled(check, *first, check->plies_meant);
    *last = scaled(check, *last, check->plies_meant);
    *first = *first < most ? *first : most;
    *last = *last < most ? *last : most;
}

/* Takes over the absolute path of a file; copies are told apart by its last part. */
static int add_input(struct check *check, const char *key, char *path)
{
    struct loop_config *config = check->config;
    const char *name = strrchr(path, '/') + 1;
    int found = LOOP_NO_INPUT;

    for (int i = 0; i < config->inputs && check->status == WILLOW_OK; i++) {
        if (strcmp(config->input[i], path) == 0)
            found = i;
        else if (strcmp(loop_config_input_name(config, i), name) == 0)
            check->status = willow_fail(check->error, WILLOW_ERR_FORMAT, check->path, NULL,
                                        "%s: '%s' and '%s' need different names", key, config->input[i], path);
    }
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") != strlen(name) ||
        name[0] == '-')
        refuse(check, key, "a file whose name has only letters, digits, dots, '_' and '-'");
    else if (found == LOOP_NO_INPUT && config->inputs == LOOP_INPUTS_MAX)
        refuse(check, key, "no more than 64 files in all");
    if (check->status != WILLOW_OK || found != LOOP_NO_INPUT) {
        free(path);
        return found;
    }
    config->input[config->inputs] = path;
    return config->inputs++;
}

/* An existing file that the configuration names, from the configuration's own folder. */
static int input(struct check *check, const char *key, const char *name)
{
    char joined[PATH_MAX];
    const char *slash = strrchr(check->path, '/');
    const int folder = slash == NULL || name[0] == '/' ? 0 : (int)(slash - check->path) + 1;
    const int length = snprintf(joined, sizeof joined, "%.*s%s", folder, check->path, name);

    if (check->status != WILLOW_OK)
        return LOOP_NO_INPUT;
    char *path = length < 0 || (size_t)length >= sizeof joined ? NULL : realpath(joined, NULL);
    if (path != NULL)
        return add_input(check, key, path);
    const int code = errno;
    check->status = willow_fail(check->error, WILLOW_ERR_IO, check->path, NULL, "%s: cannot find '%s': %s", key, name,
                                strerror(code));
    return LOOP_NO_INPUT;
}

static void resolve_fit(struct check *check, const struct raw_fit *raw, struct loop_fit *fit)
{
    if (raw == NULL)
        return;
    for (int i = 0; i < LOOP_FIT_NUMBERS; i++) {
        const struct loop_fit_option *option = &loop_fit_options[i];

        fit->number[i] = real(check, option->key, raw->number[i], fit->number[i], option->low, option->high);
        if (option->whole && raw->number[i] != NULL && fit->number[i] != floor(fit->number[i]))
            refuse(check, option->key, "a whole number");
    }
    fit->start = word(check, "start", raw->start, fit_starts, fit->start);
    fit->solver = word(check, "solver", raw->solver, fit_solvers, fit->solver);
}

static void resolve_probcut(struct check *check, const struct raw_probcut *raw, struct loop_probcut *probcut)
{
    if (raw == NULL)
        return;
    probcut->positions = integer(check, "positions", raw->positions, probcut->positions, 0, 1000000);
    probcut->depth = integer(check, "depth", raw->depth, probcut->depth, 2, 24);
    probcut->exact = integer(check, "exact", raw->exact, probcut->exact, 0, 30);
}

/* Lays what `raw` says over *generation, which holds the defaults. */
static void resolve_generation(struct check *check, const struct raw_generation *raw,
                               struct loop_generation *generation)
{
    static const char *const policies[] = {"search", "mobility", NULL};
    static const char *const origins[] = {"best", "nothing", NULL};
    struct loop_generation *g = generation;

    if (raw == NULL)
        return;
    if (raw->opening != NULL && raw->openings != NULL)
        refuse(check, "opening, openings", "one of the two");
    if (raw->opening != NULL)
        g->openings = LOOP_NO_INPUT;
    opening(check, raw->opening, &g->opening_first, &g->opening_last);
    if (raw->openings != NULL)
        g->openings = input(check, "openings", raw->openings);
    g->games = integer64(check, "games", raw->games, g->games, 1, 1000000000);
    g->depth = integer(check, "depth", raw->depth, g->depth, 1, 60);
    g->exact = empties(check, "exact", raw->exact, g->exact);
    g->selectivity = selectivity(check, "selectivity", raw->selectivity, g->selectivity);
    g->noise = real(check, "noise", raw->noise, g->noise, 0.0, 64.0);
    g->noise_plies = plies(check, "noise_plies", raw->noise_plies, g->noise_plies, 0, WILLOW_PLIES - 1);
    g->random_move = real(check, "random_move", raw->random_move, g->random_move, 0.0, 1.0);
    g->keep = real(check, "keep", raw->keep, g->keep, 1e-6, 1.0);
    g->label_depth =
        integer(check, "label_depth", raw->label_depth, g->label_depth, g->kind == LOOP_BACKWARD ? 1 : 0, 30);
    g->label_exact = empties(check, "label_exact", raw->label_exact, g->label_exact);
    g->label_selectivity = selectivity(check, "label_selectivity", raw->label_selectivity, g->label_selectivity);
    g->limit = integer64(check, "limit", raw->limit, g->limit, 0, INT64_C(1000000000000));
    resolve_fit(check, raw->fit, &g->fit);
    resolve_probcut(check, raw->probcut, &g->probcut);
    if (word(check, "policy", raw->policy, policies, "search") == policies[1])
        g->policy = LOOP_POLICY_MOBILITY;
    else if (raw->policy != NULL)
        g->policy = LOOP_POLICY_SEARCH;
    g->result_weight = real(check, "result_weight", raw->result_weight, g->result_weight, 0.0, 1.0);
    g->window = integer(check, "window", raw->window, g->window, 1, LOOP_GENERATIONS_MAX);
    if (raw->from != NULL)
        g->from_nothing = word(check, "from", raw->from, origins, origins[0]) == origins[1];
}

static void finish_generation(struct check *check, struct loop_generation *generation)
{
    const bool label_later = generation->label_depth > 0;

    if (generation->depth == UNSET)
        generation->depth = label_later ? DEPTH_OF_MOVES : DEPTH_OF_LABELS;
    if (generation->exact == UNSET)
        generation->exact = solvable(check, label_later ? EXACT_OF_MOVES : EXACT_OF_LABELS, PLIES_OF_DEFAULTS);
    if (generation->kind == LOOP_SELFPLAY && generation->label_depth == 0 && generation->limit > 0)
        refuse(check, "limit", "label_depth beside it");
    if (generation->from_nothing && check->config->start != LOOP_NO_INPUT)
        refuse(check, "from", "best, in a loop that starts from a weights file,");
}

/* Defaults, what the file says of all generations of a kind, and what it says of each. */
static void resolve_kind(struct check *check, const struct raw_config *raw, enum loop_kind kind)
{
    const bool backward = kind == LOOP_BACKWARD;
    const struct raw_generation *list = backward ? raw->backward : raw->generations;
    const unsigned count = backward ? raw->backward_count : raw->generations_count;
    struct loop_generation defaults = backward ? backward_defaults : selfplay_defaults;
    struct loop_config *config = check->config;

    for (int i = 0; i < LOOP_FIT_NUMBERS; i++)
        defaults.fit.number[i] = (double)NAN;
    /* The stage that was fitted a moment before is the best guess of one without weights. */
    defaults.fit.start = backward ? fit_starts[1] : NULL;
    defaults.probcut = probcut_defaults;
    defaults.opening_first = scaled(check, defaults.opening_first, PLIES_OF_DEFAULTS);
    defaults.opening_last = scaled(check, defaults.opening_last, PLIES_OF_DEFAULTS);
    defaults.noise_plies = scaled(check, defaults.noise_plies, PLIES_OF_DEFAULTS);
    defaults.label_exact = solvable(check, defaults.label_exact, PLIES_OF_DEFAULTS);
    resolve_fit(check, raw->fit, &defaults.fit);
    if (!backward)
        resolve_probcut(check, raw->probcut, &defaults.probcut);
    snprintf(check->place, sizeof check->place, "%s", backward ? "every_backward" : "every_generation");
    resolve_generation(check, backward ? raw->every_backward : raw->every_generation, &defaults);
    for (unsigned i = 0; i < count && check->status == WILLOW_OK; i++) {
        struct loop_generation *generation = &config->generations[config->count++];

        snprintf(check->place, sizeof check->place, "%s %u", backward ? "backward" : "generations", i + 1);
        *generation = defaults;
        resolve_generation(check, &list[i], generation);
        finish_generation(check, generation);
    }
    check->place[0] = '\0';
}

static void resolve_match(struct check *check, const char *place, const struct raw_match *raw, struct loop_match *match)
{
    snprintf(check->place, sizeof check->place, "%s", place);
    if (raw == NULL)
        return;
    match->pairs = integer(check, "pairs", raw->pairs, match->pairs, 0, 100000);
    match->depth = integer(check, "depth", raw->depth, match->depth, 1, 60);
    match->exact = integer(check, "exact", raw->exact, match->exact, 0, 30);
    match->selectivity = selectivity(check, "selectivity", raw->selectivity, match->selectivity);
}

static void resolve_sprt(struct check *check, const struct raw_match *raw, struct loop_sprt *sprt)
{
    if (raw == NULL)
        return;
    sprt->nelo0 = real(check, "nelo0", raw->nelo0, sprt->nelo0, -1000.0, 1000.0);
    sprt->nelo1 = real(check, "nelo1", raw->nelo1, sprt->nelo1, -1000.0, 1000.0);
    sprt->alpha = real(check, "alpha", raw->alpha, sprt->alpha, 1e-6, 0.499);
    sprt->beta = real(check, "beta", raw->beta, sprt->beta, 1e-6, 0.499);
    if (sprt->nelo0 >= sprt->nelo1)
        refuse(check, "nelo1", "more than nelo0");
}

/* Generations are called g0, g1, ... */
static bool is_generation_name(const char *name)
{
    return name[0] == 'g' && name[1] != '\0' && strspn(name + 1, "0123456789") == strlen(name + 1);
}

/* Notes something that the file names for its own ruleset. */
static void leave_out(struct check *check, const char *what)
{
    char *text = check->config->left_out;
    const size_t used = strlen(text);

    snprintf(text + used, LOOP_LEFT_OUT_MAX - used, "%s%s", used > 0 ? ", " : "", what);
}

/* Without weights of the game that is played, an opponent is nobody. */
static bool plays(const struct check *check, const char *weights)
{
    return !check->other_game || (strcmp(weights, "default") == 0 && willow_weights_shipped(check->config->ruleset));
}

static void resolve_opponent(struct check *check, const struct raw_opponent *raw, struct loop_ladder *ladder)
{
    struct loop_opponent *opponent = &ladder->opponent[ladder->opponents];
    const char *weights = raw->weights != NULL ? raw->weights : "default";
    const char *name = raw->name != NULL ? raw->name : weights;

    if (strlen(name) >= LOOP_NAME_MAX || !isalpha((unsigned char)name[0]) || is_generation_name(name) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") != strlen(name)) {
        refuse(check, "name", "a short name of letters, digits, dots, '_' and '-', and none of a generation (g1),");
        return;
    }
    if (!plays(check, weights)) {
        leave_out(check, name);
        return;
    }
    for (int i = 0; i < ladder->opponents; i++)
        if (strcmp(ladder->opponent[i].name, name) == 0)
            refuse(check, "name", "a name of its own for every opponent");
    snprintf(opponent->name, sizeof opponent->name, "%s", name);
    opponent->weights = strcmp(weights, "default") == 0 ? LOOP_NO_INPUT : input(check, "weights", weights);
    ladder->opponents++;
}

static void resolve_ladder(struct check *check, const struct raw_match *raw, struct loop_ladder *ladder)
{
    bool known;

    resolve_match(check, "ladder", raw, &ladder->match);
    if (raw == NULL)
        return;
    if (raw->rejected != NULL)
        ladder->rejected = *raw->rejected;
    for (unsigned i = 0; i < raw->opponents_count && check->status == WILLOW_OK; i++)
        resolve_opponent(check, &raw->opponents[i], ladder);
    if (raw->anchor == NULL)
        return;
    /* The first ladder is that of generation 1. */
    known = strcmp(raw->anchor, "g0") == 0 || (strcmp(raw->anchor, "g1") == 0 && ladder->rejected);
    for (int i = 0; i < ladder->opponents; i++)
        known = known || strcmp(raw->anchor, ladder->opponent[i].name) == 0;
    for (unsigned i = 0; i < raw->opponents_count && !known && check->other_game; i++) {
        const struct raw_opponent *opponent = &raw->opponents[i];
        const char *name = opponent->name != NULL ? opponent->name : opponent->weights;

        /* Left out above: the beginner takes its place. */
        if (strcmp(name != NULL ? name : "default", raw->anchor) == 0)
            return;
    }
    if (known)
        snprintf(ladder->anchor, sizeof ladder->anchor, "%s", raw->anchor);
    else
        refuse(check, "anchor", "g0, g1 (unless rejected ones are left out) or the name of an opponent");
}

static void resolve_matches(struct check *check, const struct raw_config *raw)
{
    struct loop_config *config = check->config;

    /* 1,000 pairs at depth 5 take about 25 s with two threads; a clear step is seen within a hundred. */
    config->gate = (struct loop_match){.pairs = 1000, .depth = 5, .selectivity = 100};
    config->sprt = (struct loop_sprt){.nelo0 = 0.0, .nelo1 = 20.0, .alpha = 0.05, .beta = 0.05};
    config->ladder =
        (struct loop_ladder){.match = {.pairs = 50, .depth = 4, .selectivity = 100}, .rejected = true, .anchor = "g0"};
    config->final = (struct loop_match){.pairs = 100, .depth = 4, .selectivity = 100};
    resolve_match(check, "gate", raw->gate, &config->gate);
    resolve_sprt(check, raw->gate, &config->sprt);
    resolve_ladder(check, raw->ladder, &config->ladder);
    resolve_match(check, "final", raw->final, &config->final);
    check->place[0] = '\0';
}

/* The ruleset that is played, and how that of the file differs. */
static void resolve_ruleset(struct check *check, const char *in_file, const char *asked)
{
    struct loop_config *config = check->config;
    const uint64_t seed = (uint64_t)config->seed;
    const struct willow_ruleset *meant = NULL;
    struct willow_error error = {0};
    enum willow_status status = WILLOW_OK;

    config->ruleset = willow_ruleset_default();
    if (in_file != NULL)
        status = willow_ruleset_parse(in_file, seed, &meant, &error);
    /* Also where another one is asked for: what cannot be found cannot be scaled from. */
    if (status != WILLOW_OK)
        check->status = willow_fail(check->error, WILLOW_ERR_FORMAT, check->path, "ruleset", "%s", error.reason);
    else if (asked != NULL)
        check->status = willow_ruleset_parse(asked, seed, &config->ruleset, check->error);
    else if (meant != NULL)
        config->ruleset = meant;
    if (check->status != WILLOW_OK)
        return;
    check->plies = loop_config_plies(config);
    check->plies_meant = meant != NULL ? willow_ruleset_squares(meant) - 4 : PLIES_OF_DEFAULTS;
    check->other_game =
        asked != NULL && (meant != NULL ? !willow_ruleset_same_play(meant, config->ruleset)
                                        : willow_ruleset_othello() == NULL ||
                                              !willow_ruleset_same_play(willow_ruleset_othello(), config->ruleset));
}

/* On 10x10 the tables of the default set are a third larger, and a loop of some minutes fills those of the smaller. */
static const char *default_patterns(void)
{
    return WILLOW_BITS_WORDS > 1 ? "p46" : willow_pattern_set_name(willow_pattern_set_default());
}

enum willow_status loop_config_resolve(const char *path, const struct raw_config *raw, const char *ruleset,
                                       struct loop_config *config, struct willow_error *error)
{
    struct check check = {.path = path, .config = config, .status = WILLOW_OK, .error = error};

    config->seed = integer64(&check, "seed", raw->seed, 1, 0, INT64_C(1000000000000));
    if (check.status == WILLOW_OK)
        resolve_ruleset(&check, raw->ruleset, ruleset);
    if (check.status != WILLOW_OK)
        return check.status;
    config->stages = scaled(&check, 20, PLIES_OF_DEFAULTS);
    if (raw->stages != NULL)
        config->stages = plies(&check, "stages", raw->stages, 20, 1, WILLOW_STAGES_MAX);
    if (config->stages > check.plies)
        config->stages = check.plies;
    config->keep_data = raw->keep_data != NULL && *raw->keep_data;
    config->patterns = strdup(raw->patterns != NULL ? raw->patterns : default_patterns());
    if (config->patterns == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    if (willow_pattern_set_find(config->patterns) == NULL)
        refuse(&check, "patterns", "the name of a pattern set");
    if (raw->start != NULL && strcmp(raw->start, "zero") != 0)
        config->start = input(&check, "start", raw->start);
    if (raw->backward_count + raw->generations_count > LOOP_GENERATIONS_MAX)
        refuse(&check, "backward, generations", "at most 98 together");
    if (raw->backward_count + raw->generations_count == 0)
        refuse(&check, "backward, generations", "at least one entry in one of them");
    if (check.status != WILLOW_OK)
        return check.status;
    resolve_kind(&check, raw, LOOP_BACKWARD);
    resolve_kind(&check, raw, LOOP_SELFPLAY);
    resolve_matches(&check, raw);
    if (raw->budget != NULL) {
        snprintf(check.place, sizeof check.place, "budget");
        config->limits.disk_gb = real(&check, "disk_gb", raw->budget->disk_gb, 0.0, 0.0, 1e9);
        config->limits.hours = real(&check, "hours", raw->budget->hours, 0.0, 0.0, 1e6);
        check.place[0] = '\0';
    }
    for (unsigned i = 0; i < raw->yardsticks_count && check.status == WILLOW_OK && check.other_game; i++)
        leave_out(&check, raw->yardsticks[i]);
    for (unsigned i = 0; i < raw->yardsticks_count && check.status == WILLOW_OK && !check.other_game; i++)
        config->yardstick[config->yardsticks++] = input(&check, "yardsticks", raw->yardsticks[i]);
    return check.status;
}
