/* The loop's estimate of time and disk, its plan as text, and its refusal.
 * Layer: trainer (program).
 */
#include "loop_budget.h"

#include <math.h>
#include <string.h>
#include <sys/statvfs.h>

#include "loop_folder.h"

/* Measured on one Zen 5 core with the default weights by `selfplay relabel` over the plies of noisy games, which is
 * within a factor of two for other weights and kinds of step; the time left is corrected by what steps really took. */
static const double static_seconds = 6e-6;      /* reading, a search of one ply, writing */
static const double full_seconds = 2.4e-6;      /* a search to depth d without selectivity: this times ... */
static const double full_growth = 2.4;          /* ... this to the power of d */
static const double selective_seconds = 1.8e-6; /* the same at 73% */
static const double selective_growth = 2.0;
static const double solve_seconds = 2.5e-5;                         /* solving at 8 empties; this times ... */
static const double solve_growth = 1.93;                            /* ... for each further one */
static const double wide_cost = WILLOW_BITS_WORDS == 1 ? 1.0 : 3.0; /* of boards of two words, over smaller ones */
static const double fit_seconds = 1.2e-5;                           /* a row, from the reading to the last iteration */

/* Bytes: a row of games without and with labels in the layout by plies, a row of a fit's scratch file, and weights of
 * p62 at 20 stages. A dataset holds a copy of the weights that made it. */
static const double played_bytes = 13.0, labelled_bytes = 14.0, scratch_bytes = 24.0, weights_bytes = 4e6;

static double solve_below(int exact)
{
    return solve_seconds * pow(solve_growth, exact - 8);
}

double budget_search(int plies, int depth, int exact, int selectivity)
{
    const int moved = exact < plies ? plies - exact : 0;
    const double search =
        selectivity == 100 ? full_seconds * pow(full_growth, depth) : selective_seconds * pow(selective_growth, depth);
    /* The sum of a geometric series: positions from one empty square to `exact`. */
    const double solving = exact > 0 ? solve_below(exact) * solve_growth / (solve_growth - 1.0) : 0.0;

    return wide_cost * (static_seconds + (search * moved + solving) / plies);
}

/* Random plies at the start of a game are positions, too. */
double budget_rows_played(const struct loop_generation *plan, int plies)
{
    return (double)plan->games * plan->keep * plies;
}

double budget_rows_labelled(const struct loop_generation *plan, int plies)
{
    const double rows = budget_rows_played(plan, plies);

    return plan->limit > 0 && rows > (double)plan->limit ? (double)plan->limit : rows;
}

double budget_match(const struct loop_config *config, const struct loop_match *match, int encounters)
{
    const int plies = loop_config_plies(config);
    const double moves = 2.0 * (plies > 8 ? plies - 8 : 1) * match->pairs * encounters; /* after the opening */

    /* Bare searches; games add the rules and their records, and cannot fill all threads to the end. */
    return 0.2 + 1.5 * moves * budget_search(plies, match->depth, match->exact, match->selectivity);
}

double budget_fit(double rows)
{
    return 0.1 + rows * fit_seconds;
}

double budget_probcut(const struct loop_config *config, const struct loop_probcut *probcut)
{
    /* Every depth up to the deepest, each in full. */
    return probcut->positions * 1.7 * budget_search(loop_config_plies(config), probcut->depth, probcut->exact, 100);
}

static double rows_of_stage(const struct loop_config *config, const struct loop_generation *plan)
{
    return budget_rows_labelled(plan, (loop_config_plies(config) + config->stages - 1) / config->stages);
}

/* Bytes that stay of a generation's data, and are needed while it is made beside the data of earlier ones. */
static void generation_disk(const struct loop_config *config, int index, double *stays, double *making)
{
    const struct loop_generation *plan = &config->generations[index];
    const int plies = loop_config_plies(config);
    const double games = budget_rows_played(plan, plies) * played_bytes + weights_bytes;
    double labels, rows;

    if (plan->kind == LOOP_BACKWARD) {
        rows = rows_of_stage(config, plan);
        *stays = config->keep_data ? games : 0.0;
        /* A stage's labels, the fit's rows, and weights before and after. */
        *making = games + rows * (labelled_bytes + scratch_bytes) + 3 * weights_bytes;
        return;
    }
    rows = budget_rows_labelled(plan, plies);
    labels = rows * labelled_bytes + weights_bytes;
    *stays = plan->label_depth > 0 ? labels + (config->keep_data ? games : 0.0) : labels;
    for (int i = index - 1; i > index - plan->window && i >= 0 && config->generations[i].kind == LOOP_SELFPLAY; i--)
        rows += budget_rows_labelled(&config->generations[i], plies);
    *making = fmax(plan->label_depth > 0 ? games + labels : labels, *stays + rows * scratch_bytes) + weights_bytes;
}

/* Whether the data of generation `index` + 1 is kept after number `number`. */
static bool stays_after(const struct loop_config *config, int index, int number)
{
    if (config->keep_data)
        return true;
    for (int later = number + 1; later <= config->count; later++) {
        const struct loop_generation *plan = &config->generations[later - 1];

        if (plan->kind == LOOP_SELFPLAY && later - plan->window <= index)
            return config->generations[index].kind == LOOP_SELFPLAY;
    }
    return false;
}

void budget_disk(const struct loop_config *config, struct budget_disk *disk, double *generation_peak)
{
    double data[LOOP_GENERATIONS_MAX] = {0}, held = 0.0, making;

    *disk = (struct budget_disk){0};
    for (int i = 0; i < config->count; i++) {
        generation_disk(config, i, &data[i], &making);
        held = (i + 2) * weights_bytes; /* of every generation so far, and the best */
        for (int k = 0; k < i; k++)
            held += stays_after(config, k, i) ? data[k] : 0.0;
        if (generation_peak != NULL)
            generation_peak[i] = held + making;
        disk->peak_bytes = fmax(disk->peak_bytes, held + making);
    }
    disk->end_bytes = (config->count + 2) * weights_bytes;
    for (int k = 0; k < config->count; k++)
        disk->end_bytes += stays_after(config, k, config->count) ? data[k] : 0.0;
}

/* "1.2 GB"; buffer holds at least 32 bytes. */
static char *bytes_text(double bytes, char *buffer)
{
    if (bytes < 1e9)
        snprintf(buffer, 32, "%.0f MB", ceil(bytes / 1e6));
    else
        snprintf(buffer, 32, "%.1f GB", bytes / 1e9);
    return buffer;
}

static double free_bytes(const struct loop *loop)
{
    struct statvfs info;

    /* A folder that is still to be made lies where its parent does, most of all in the present one. */
    if (statvfs(loop->options.folder, &info) != 0 && statvfs(".", &info) != 0)
        return HUGE_VAL;
    return (double)info.f_bavail * (double)info.f_frsize;
}

/* Seconds of the plan alone: rates of this machine where steps were measured, guesses elsewhere. */
static double generation_seconds(const struct loop *loop, int number)
{
    const double *until = loop->pace.planned_until;

    return (until[number] - (number > 0 ? until[number - 1] : 0.0)) / loop->options.threads;
}

void budget_print(FILE *out, const struct loop *loop, const char *prefix)
{
    const struct loop_config *config = loop->config;
    const int plies = loop_config_plies(config);
    double peaks[LOOP_GENERATIONS_MAX];
    struct budget_disk disk;
    char games[32], rows[32], bytes[32], end[32], left[32], seconds[32];

    budget_disk(config, &disk, peaks);
    fprintf(out, "%s%3s %-9s %12s %13s %9s %13s\n", prefix, "gen", "kind", "games", "positions", "disk", "time");
    for (int i = 0; i < config->count; i++) {
        const struct loop_generation *plan = &config->generations[i];
        const bool backward = plan->kind == LOOP_BACKWARD;
        const double fitted =
            backward ? rows_of_stage(config, plan) * config->stages : budget_rows_labelled(plan, plies);

        fprintf(out, "%s%3d %-9s %12s %13s %9s %13s\n", prefix, i + 1, backward ? "backward" : "self-play",
                report_number((uint64_t)plan->games, games), report_number((uint64_t)fitted, rows),
                bytes_text(peaks[i], bytes), willow_duration_text(generation_seconds(loop, i + 1), seconds));
    }
    fprintf(out, "%sEstimate: about %s with %d thread%s; %s of disk at most and %s in the end, %s free.\n", prefix,
            willow_duration_text(loop_seconds_left(loop), left), loop->options.threads,
            loop->options.threads == 1 ? "" : "s", bytes_text(disk.peak_bytes, bytes), bytes_text(disk.end_bytes, end),
            bytes_text(free_bytes(loop), games));
    if (config->left_out[0] != '\0')
        fprintf(out, "%sLeft out, since it is not of ruleset %s: %s.\n", prefix, config->ruleset->name,
                config->left_out);
}

enum willow_status budget_check(const struct loop *loop, struct willow_error *error)
{
    const struct loop_limits *limits = &loop->config->limits;
    const double hours = loop_seconds_left(loop) / 3600.0, room = free_bytes(loop);
    struct budget_disk disk;
    char needed[32], there[32];

    if (loop->options.force)
        return WILLOW_OK;
    budget_disk(loop->config, &disk, NULL);
    bytes_text(disk.peak_bytes, needed);
    if (limits->disk_gb > 0.0 && disk.peak_bytes > limits->disk_gb * 1e9)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, loop->options.folder, NULL,
                           "about %s of disk are needed and the budget is %g GB; --force starts all the same", needed,
                           limits->disk_gb);
    if (limits->hours > 0.0 && hours > limits->hours)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, loop->options.folder, NULL,
                           "about %.1f hours are needed and the budget is %g; --force starts all the same", hours,
                           limits->hours);
    /* What the loop holds already, when it is resumed, is part of what it needs. */
    if (disk.peak_bytes > room + (double)folder_bytes(loop->options.folder))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, loop->options.folder, NULL,
                           "about %s of disk are needed and %s are free; --force starts all the same", needed,
                           bytes_text(room, there));
    return WILLOW_OK;
}
