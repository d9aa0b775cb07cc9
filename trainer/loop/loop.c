/* The loop from folder to report: lock, configuration, the walk over all generations, and the pages that people read.
 * Layer: trainer (program).
 */
#include "loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "loop_budget.h"
#include "loop_folder.h"

static enum willow_status write_page(struct loop *loop, const char *name, void (*print)(FILE *, const struct report *),
                                     struct willow_error *error)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    enum willow_status status = loop_path(loop, path, error, "%s", name);
    FILE *out = status == WILLOW_OK ? open_memstream(&text, &size) : NULL;

    if (status != WILLOW_OK)
        return status;
    if (out == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    print(out, &loop->report);
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    else
        status = willow_file_replace(path, text, size, error);
    free(text);
    return status;
}

/* Steps of the generation in the making, by name: their titles are not in the state. */
static void list_steps(struct loop *loop)
{
    struct report *report = &loop->report;
    char prefix[32];

    report->steps = 0;
    snprintf(prefix, sizeof prefix, "generation-%02d/", report->count);
    for (size_t i = 0; i < loop->state.count; i++) {
        const struct loop_state_step *step = &loop->state.steps[i];

        if (strncmp(step->name, prefix, strlen(prefix)) != 0)
            continue;
        if (report->steps == REPORT_STEPS_MAX)
            memmove(report->step, report->step + 1, (size_t)--report->steps * sizeof *report->step);
        struct report_step *entry = &report->step[report->steps++];
        snprintf(entry->title, sizeof entry->title, "%s", step->name + strlen(prefix));
        entry->seconds = step->seconds;
    }
}

static enum willow_status write_report(struct loop *loop, struct willow_error *error)
{
    loop->report.seconds = loop->seconds;
    loop->report.seconds_left = loop->report.complete ? 0.0 : loop_seconds_left(loop);
    loop->report.disk_bytes = (double)folder_bytes(loop->options.folder);
    list_steps(loop);
    const enum willow_status status = write_page(loop, "report.txt", report_text, error);
    return status == WILLOW_OK ? write_page(loop, "report.html", report_html, error) : status;
}

/* Everything between two walks starts anew; the pace stays. */
static void begin_walk(struct loop *loop, enum loop_mode mode)
{
    loop->mode = mode;
    loop->best = 0;
    loop->seconds = 0.0;
    loop->report.count = 0;
    loop->report.unfinished = false;
    loop->report.best = 0;
    loop->report.final = (struct report_match){0};
    loop->report.complete = false;
}

/* In the walk that counts: what the work takes up to the end of a generation. */
static void note_planned(struct loop *loop, int number)
{
    double sum = 0.0;

    for (int cost = 0; cost < LOOP_COSTS; cost++)
        sum += loop->pace.planned[cost];
    if (loop->mode == LOOP_COUNT)
        loop->pace.planned_until[number] = sum;
}

static enum willow_status walk(struct loop *loop, enum loop_mode mode, struct willow_error *error)
{
    begin_walk(loop, mode);
    enum willow_status status = generation_start(loop, error);
    note_planned(loop, 0);
    for (int number = 1; number <= loop->config->count && status == WILLOW_OK; number++) {
        if (mode == LOOP_RUN)
            status = write_report(loop, error);
        if (status == WILLOW_OK)
            status = generation_run(loop, number, error);
        note_planned(loop, number);
    }
    if (status == WILLOW_OK && mode == LOOP_RUN)
        status = write_report(loop, error);
    if (status == WILLOW_OK)
        status = generation_final(loop, error);
    loop->report.complete = status == WILLOW_OK;
    return status == WILLOW_OK && mode == LOOP_RUN ? write_report(loop, error) : status;
}

static bool holds(const char *path, const char *text)
{
    unsigned char *data = NULL;
    size_t size = 0;
    const bool same =
        willow_file_read(path, strlen(text), &data, &size, NULL) == WILLOW_OK && strcmp((const char *)data, text) == 0;

    free(data);
    return same;
}

/* A folder without a state of a loop must hold nothing that the loop would replace: somebody's configuration, a
 * dataset, weights. A start that was killed leaves the same configuration behind. */
static enum willow_status check_new_folder(const struct loop *loop, struct willow_error *error)
{
    static const char *const names[] = {"config.yaml", "manifest.json", "weights.wlw", "report.txt", "report.html"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const enum willow_status status = loop_path(loop, path, error, "%s", names[i]);
        if (status != WILLOW_OK)
            return status;
        if (willow_file_exists(path) && (i > 0 || !holds(path, loop->report.configuration)))
            return willow_fail(error, WILLOW_ERR_BUSY, path, NULL,
                               "the file exists and is of no loop here; choose another folder or remove it");
    }
    return WILLOW_OK;
}

/* What a folder belongs to: the resolved configuration, and the content of the files that it names. */
static enum willow_status identify(const struct loop *loop, char checksum[WILLOW_CHECKSUM_TEXT],
                                   struct willow_error *error)
{
    const struct loop_config *config = loop->config;
    char input[WILLOW_CHECKSUM_TEXT], *identity = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&identity, &size);
    enum willow_status status = WILLOW_OK;

    if (out == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    fputs(loop->report.configuration, out);
    for (int i = 0; i < config->inputs && status == WILLOW_OK; i++) {
        status = willow_checksum_file(config->input[i], input, error);
        fprintf(out, "%s\n", input);
    }
    const bool failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && status == WILLOW_OK)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status == WILLOW_OK)
        willow_checksum128_text(identity, size, checksum);
    free(identity);
    return status;
}

/* Copies of the files that the configuration names: from here on the folder needs nothing outside. */
static enum willow_status copy_inputs(struct loop *loop, struct willow_error *error)
{
    const struct loop_config *config = loop->config;
    char path[PATH_MAX];
    enum willow_status status = WILLOW_OK;

    if (config->inputs > 0)
        status = loop_path(loop, path, error, "inputs");
    if (config->inputs > 0 && status == WILLOW_OK)
        status = step_folder(loop, path, error);
    for (int i = 0; i < config->inputs && status == WILLOW_OK; i++) {
        status = loop_input_path(loop, path, i, error);
        if (status == WILLOW_OK)
            status = step_copy(loop, config->input[i], path, error);
    }
    return status;
}

/* Why a folder with a loop is not this one's. */
static enum willow_status refuse_folder(const struct loop *loop, struct willow_error *error)
{
    struct loop_config *begun = calloc(1, sizeof *begun);
    const struct willow_ruleset *ruleset = NULL;
    char path[PATH_MAX];

    if (begun != NULL && loop_path(loop, path, NULL, "config.yaml") == WILLOW_OK &&
        loop_config_load(path, NULL, begun, NULL) == WILLOW_OK)
        ruleset = begun->ruleset;
    if (begun != NULL)
        loop_config_clear(begun);
    free(begun);
    if (ruleset != NULL && ruleset != loop->config->ruleset)
        return willow_fail(error, WILLOW_ERR_MISMATCH, loop->options.folder, NULL,
                           "this loop was begun with ruleset %s, not %s; use another --out folder", ruleset->name,
                           loop->config->ruleset->name);
    return willow_fail(error, WILLOW_ERR_MISMATCH, loop->options.folder, NULL,
                       "this loop was begun with another configuration (its config.yaml) or other files; use "
                       "another --out folder");
}

/* Puts inputs and resolved configuration into a new folder, or checks that the folder belongs to them. */
static enum willow_status claim_folder(struct loop *loop, struct willow_error *error)
{
    char path[PATH_MAX], checksum[WILLOW_CHECKSUM_TEXT];
    const char *text = loop->report.configuration;
    enum willow_status status = identify(loop, checksum, error);

    if (status == WILLOW_OK)
        status = loop_path(loop, path, error, "state.json");
    if (status == WILLOW_OK)
        status = loop_state_read(path, &loop->state, error);
    if (status != WILLOW_OK)
        return status;
    if (loop->state.configuration[0] != '\0') {
        if (strcmp(loop->state.configuration, checksum) == 0)
            return WILLOW_OK;
        return refuse_folder(loop, error);
    }
    if (loop->mode == LOOP_READ)
        return willow_fail(error, WILLOW_ERR_IO, path, NULL, "no loop was begun in this folder");
    memcpy(loop->state.configuration, checksum, sizeof checksum);
    status = check_new_folder(loop, error);
    if (status == WILLOW_OK)
        status = copy_inputs(loop, error);
    if (status == WILLOW_OK)
        status = loop_path(loop, path, error, "config.yaml");
    if (status == WILLOW_OK)
        status = willow_file_replace(path, text, strlen(text), error);
    if (status == WILLOW_OK)
        status = loop_path(loop, path, error, "state.json");
    return status == WILLOW_OK ? loop_state_write(path, &loop->state, error) : status;
}

/* After the walk that counts: work that is done is planned no more. */
static enum willow_status plan(struct loop *loop, struct willow_error *error)
{
    struct budget_disk disk;
    const enum willow_status status = walk(loop, LOOP_COUNT, error);

    budget_disk(loop->config, &disk, NULL);
    loop->report.disk_peak_bytes = disk.peak_bytes;
    return status;
}

static enum willow_status run_locked(struct loop *loop, struct willow_error *error)
{
    char logs[PATH_MAX];

    loop->mode = LOOP_RUN;
    enum willow_status status = claim_folder(loop, error);
    if (status == WILLOW_OK)
        status = loop_path(loop, logs, error, "logs");
    if (status == WILLOW_OK)
        status = willow_folder_create(logs, error);
    if (status == WILLOW_OK && !loop->options.quiet && loop->state.count == 0)
        budget_print(stderr, loop, "");
    return status == WILLOW_OK ? walk(loop, LOOP_RUN, error) : status;
}

static void name_parts(struct report *report, const struct loop_config *config)
{
    report->yardsticks = config->yardsticks;
    for (int i = 0; i < config->yardsticks; i++)
        report->yardstick_names[i] = loop_config_input_name(config, config->yardstick[i]);
    report->players = config->ladder.match.pairs > 0 ? config->ladder.opponents : 0;
    for (int i = 0; i < report->players; i++)
        report->player[i] =
            (struct report_player){.name = config->ladder.opponent[i].name,
                                   .rating = {.elo = (double)NAN, .elo_low = (double)NAN, .elo_high = (double)NAN}};
}

/* The stages of the weights that the loop starts from. */
static enum willow_status find_stages(struct loop *loop, struct willow_error *error)
{
    const struct willow_ruleset *ruleset = loop->config->ruleset;
    struct willow_weights *weights = NULL;
    const int start = loop->config->start;

    loop->stages = willow_stages_even(willow_ruleset_squares(ruleset), loop->config->stages);
    if (start != LOOP_NO_INPUT) {
        const enum willow_status status = willow_weights_open(loop->config->input[start], ruleset, &weights, error);
        if (status != WILLOW_OK)
            return status;
        loop->stages = *willow_weights_stages(weights);
        willow_weights_free(weights);
    }
    loop->report.stages = loop->stages;
    return WILLOW_OK;
}

static enum willow_status begin(struct loop *loop, const struct loop_config *config, const struct loop_options *options,
                                struct willow_error *error)
{
    *loop = (struct loop){.config = config, .options = *options, .stop = willow_interrupt()};
    loop->report = (struct report){
        .version = willow_version(),
        .ruleset = config->ruleset->name,
        .patterns = config->patterns,
        .start = config->start == LOOP_NO_INPUT ? "zero" : loop_config_input_name(config, config->start),
        .seed = config->seed,
        .planned = config->count,
        .gate_pairs = config->gate.pairs,
        .gate_depth = config->gate.depth,
        .gate_nelo0 = config->sprt.nelo0,
        .gate_nelo1 = config->sprt.nelo1,
        .ladder_pairs = config->ladder.match.pairs,
        .ladder_depth = config->ladder.match.depth,
        .ladder_anchor = config->ladder.anchor,
        .final_pairs = config->final.pairs,
        .final_depth = config->final.depth};
    name_parts(&loop->report, config);
    live_begin(&loop->live, options->quiet);
    enum willow_status status = loop_config_text(config, &loop->configuration, error);
    loop->report.configuration = loop->configuration;
    if (status == WILLOW_OK)
        status = loop_path(loop, loop->weights, error, "weights.wlw");
    loop->report.weights = loop->weights;
    if (status == WILLOW_OK)
        status = willow_sibling_path("willow", loop->willow, sizeof loop->willow, error);
    if (status == WILLOW_OK)
        status = willow_sibling_path("willow-selfplay", loop->selfplay, sizeof loop->selfplay, error);
    if (status == WILLOW_OK)
        status = willow_sibling_path("willow-train", loop->train, sizeof loop->train, error);
    if (status == WILLOW_OK)
        status = find_stages(loop, error);
    return status == WILLOW_OK ? plan(loop, error) : status;
}

enum willow_status loop_run(struct loop *loop, const struct loop_config *config, const struct loop_options *options,
                            struct willow_error *error)
{
    int lock;
    enum willow_status status = begin(loop, config, options, error);

    if (status == WILLOW_OK)
        status = budget_check(loop, error);
    if (status == WILLOW_OK)
        status = willow_folder_create(options->folder, error);
    if (status == WILLOW_OK)
        status = willow_folder_lock(options->folder, &lock, error);
    if (status != WILLOW_OK)
        return status;
    status = run_locked(loop, error);
    live_end(&loop->live);
    willow_folder_unlock(lock);
    return status;
}

enum willow_status loop_print(struct loop *loop, const struct loop_config *config, const struct loop_options *options,
                              struct willow_error *error)
{
    struct process_command programs = {0}, folder = {0};
    char text[2][2 * PATH_MAX];
    enum willow_status status = begin(loop, config, options, error);

    if (status != WILLOW_OK)
        return status;
    budget_print(stdout, loop, "# ");
    process_add(&programs, "%.*s", (int)(strrchr(loop->train, '/') - loop->train), loop->train);
    process_add(&folder, "%s", options->folder);
    process_text(&programs, text[0], sizeof text[0]);
    process_text(&folder, text[1], sizeof text[1]);
    printf("# The commands if every generation is accepted; they run within the loop's folder.\n"
           "# Where programs and folder are; nothing below depends on it but the copies of the inputs.\n"
           "set -e\nPATH=%s:\"$PATH\"\nmkdir -p %s\ncd %s\n",
           text[0], text[1], text[1]);
    loop->mode = LOOP_PRINT;
    status = copy_inputs(loop, error);
    return status == WILLOW_OK ? walk(loop, LOOP_PRINT, error) : status;
}

enum willow_status loop_write_report(struct loop *loop, const struct loop_config *config,
                                     const struct loop_options *options, struct willow_error *error)
{
    enum willow_status status = begin(loop, config, options, error);

    loop->mode = LOOP_READ;
    if (status == WILLOW_OK)
        status = claim_folder(loop, error);
    if (status == WILLOW_OK)
        status = walk(loop, LOOP_READ, error);
    /* The walk ends where the work does. */
    if (status == WILLOW_ERR_STOPPED) {
        loop->report.unfinished = loop->report.count <= config->count;
        status = WILLOW_OK;
    }
    return status == WILLOW_OK ? write_report(loop, error) : status;
}

void loop_clear(struct loop *loop)
{
    loop_state_clear(&loop->state);
    free(loop->configuration);
    free(loop->encounters);
    *loop = (struct loop){0};
}
