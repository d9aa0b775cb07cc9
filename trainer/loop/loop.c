/* The loop from folder to report: lock, configuration, the walk over all generations, and the pages that people read.
 * Layer: trainer (program).
 */
#include "loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

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

static enum willow_status write_report(struct loop *loop, struct willow_error *error)
{
    loop->report.seconds = loop->seconds;
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
    loop->report.best = 0;
    loop->report.final = (struct report_match){0};
    loop->report.complete = false;
}

static enum willow_status walk(struct loop *loop, enum loop_mode mode, struct willow_error *error)
{
    begin_walk(loop, mode);
    enum willow_status status = generation_start(loop, error);
    for (int number = 1; number <= loop->config->count && status == WILLOW_OK; number++) {
        if (mode == LOOP_RUN)
            status = write_report(loop, error);
        if (status == WILLOW_OK)
            status = generation_run(loop, number, error);
    }
    if (status == WILLOW_OK && mode == LOOP_RUN)
        status = write_report(loop, error);
    if (status == WILLOW_OK)
        status = generation_final(loop, error);
    if (status == WILLOW_OK && mode == LOOP_RUN) {
        loop->report.complete = true;
        status = write_report(loop, error);
    }
    return status;
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

/* Puts the resolved configuration into a new folder, or checks that the folder belongs to it. The checksum covers the
 * weights that generation 0 starts from. */
static enum willow_status claim_folder(struct loop *loop, struct willow_error *error)
{
    char path[PATH_MAX], checksum[WILLOW_CHECKSUM_TEXT], start[WILLOW_CHECKSUM_TEXT] = "";
    char *identity = NULL;
    const char *text = loop->report.configuration;
    enum willow_status status = WILLOW_OK;

    if (strcmp(loop->config->start, "zero") != 0)
        status = willow_checksum_file(loop->config->start, start, error);
    if (status == WILLOW_OK && asprintf(&identity, "%s%s\n", text, start) < 0)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status == WILLOW_OK) {
        willow_checksum128_text(identity, strlen(identity), checksum);
        free(identity);
        status = loop_path(loop, path, error, "state.json");
    }
    if (status == WILLOW_OK)
        status = loop_state_read(path, &loop->state, error);
    if (status != WILLOW_OK)
        return status;
    if (loop->state.configuration[0] != '\0') {
        if (strcmp(loop->state.configuration, checksum) == 0)
            return WILLOW_OK;
        return willow_fail(
            error, WILLOW_ERR_MISMATCH, loop->folder, NULL,
            "this loop was begun with another configuration (its config.yaml); use another --out folder");
    }
    memcpy(loop->state.configuration, checksum, sizeof checksum);
    status = check_new_folder(loop, error);
    if (status == WILLOW_OK)
        status = loop_path(loop, path, error, "config.yaml");
    if (status == WILLOW_OK)
        status = willow_file_replace(path, text, strlen(text), error);
    if (status == WILLOW_OK)
        status = loop_path(loop, path, error, "state.json");
    return status == WILLOW_OK ? loop_state_write(path, &loop->state, error) : status;
}

static enum willow_status run_locked(struct loop *loop, struct willow_error *error)
{
    char logs[PATH_MAX];
    enum willow_status status = claim_folder(loop, error);

    if (status == WILLOW_OK)
        status = loop_path(loop, logs, error, "logs");
    if (status == WILLOW_OK)
        status = willow_folder_create(logs, error);
    if (status == WILLOW_OK)
        status = walk(loop, LOOP_COUNT, error);
    if (status == WILLOW_OK)
        status = walk(loop, LOOP_RUN, error);
    return status;
}

static void name_yardsticks(struct report *report, const struct loop_config *config)
{
    report->yardsticks = config->yardsticks;
    for (int i = 0; i < config->yardsticks; i++) {
        const char *slash = strrchr(config->yardstick[i], '/');
        report->yardstick_names[i] = slash == NULL ? config->yardstick[i] : slash + 1;
    }
}

enum willow_status loop_run(struct loop *loop, const struct loop_config *config, const char *folder, int threads,
                            bool dry_run, bool quiet, struct willow_error *error)
{
    int lock;

    *loop = (struct loop){.config = config, .folder = folder, .threads = threads, .stop = willow_interrupt()};
    loop->report = (struct report){.version = willow_version(),
                                   .patterns = config->patterns,
                                   .start = config->start,
                                   .seed = config->seed,
                                   .planned = config->count,
                                   .gate_depth = config->gate.depth,
                                   .gate_minimum = config->gate.minimum,
                                   .final_depth = config->final.depth};
    name_yardsticks(&loop->report, config);
    willow_progress_start(&loop->progress, quiet);
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
    if (status != WILLOW_OK)
        return status;
    if (dry_run) {
        printf("cd %s\n", folder);
        return walk(loop, LOOP_PRINT, error);
    }

    status = willow_folder_create(folder, error);
    if (status == WILLOW_OK)
        status = willow_folder_lock(folder, &lock, error);
    if (status != WILLOW_OK)
        return status;
    status = run_locked(loop, error);
    if (loop->progress.live && loop->progress.width > 0)
        willow_progress_line(&loop->progress, true, "%s", status == WILLOW_OK ? "finished" : "ended");
    willow_folder_unlock(lock);
    return status;
}

void loop_clear(struct loop *loop)
{
    loop_state_clear(&loop->state);
    free(loop->configuration);
    *loop = (struct loop){0};
}
