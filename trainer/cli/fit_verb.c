/* willow train fit: settings in, weights file and report out. Layer: trainer (program). */
#include "command_line.h"
#include "fit/fit.h"
#include "fit_settings.h"
#include "fit_table.h"
#include "report/fit_document.h"
#include "verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/checksum.h>
#include <willow/notation.h>
#include <willow/program.h>
#include <willow/ranks.h>

static void show_progress(void *context, const struct fit_progress *progress)
{
    if (progress->loading) {
        willow_progress_line(context, false, "reading: %llu of %llu rows", (unsigned long long)progress->loaded,
                             (unsigned long long)progress->of);
        return;
    }
    willow_progress_line(context, false, "stage %d (plies %d-%d): %llu rows, step %d, error %.3f discs",
                         progress->stage, progress->first_ply, progress->last_ply, (unsigned long long)progress->rows,
                         progress->point.step, progress->point.held_out.mae_discs);
}

/* The state of the unfinished fit could not be saved. The fit itself goes on. */
static void show_warning(void *context, const struct willow_error *error)
{
    (void)context;
    (void)willow_report(error);
}

/* Two exact scores of one board cannot both be true. The fit takes their mean; where the rows came from is the user's
 * to find out. */
static void warn_of_contradictions(const struct willow_ruleset *ruleset, const struct overlap_report *overlap)
{
    char board[WILLOW_BOARD_TEXT];
    struct willow_error error;
    if (overlap->all.contradictory == 0)
        return;
    (void)willow_fail(&error, WILLOW_ERR_FORMAT, NULL,
                      willow_board_format(ruleset, overlap->board, WILLOW_BLACK, board),
                      "%llu boards have two different exact scores, this one at ply %d those of %g and %g discs",
                      (unsigned long long)overlap->all.contradictory, overlap->ply,
                      (double)overlap->labels[0] / WILLOW_SCORE_DISC, (double)overlap->labels[1] / WILLOW_SCORE_DISC);
    (void)willow_report(&error);
}

/* The folder of a path, as the scratch file's default place. Allocated; null when out of memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static struct solver_options solver_settings(const struct fit_settings *settings)
{
    const double *number = settings->number;
    return (struct solver_options){.kind = (enum solver_kind)settings->choice[FIT_SOLVER],
                                   .iterations = (int)number[FIT_ITERATIONS],
                                   .tolerance = number[FIT_TOLERANCE],
                                   .patience = (int)number[FIT_PATIENCE],
                                   .prior = number[FIT_PRIOR],
                                   .backoff_squares = (int)number[FIT_BACKOFF],
                                   .backoff_prior = number[FIT_BACKOFF_PRIOR],
                                   .clip_discs = number[FIT_CLIP],
                                   .rate = number[FIT_RATE],
                                   .batch_blocks = (int)ceil(number[FIT_BATCH] / SAMPLE_BLOCK_ROWS),
                                   .threads = (int)number[FIT_THREADS],
                                   .seed = settings->seed,
                                   .stop = willow_interrupt()};
}

/* Beside the weights, for `willow train report`. */
static enum willow_status save_document(const struct fit_settings *settings, const char *command,
                                        const struct willow_weights *weights, const struct fit_report *report,
                                        struct willow_error *error)
{
    struct fit_document document = fit_document_of(weights);
    document.tool = willow_version();
    document.command = command;
    document.data = settings->data;
    document.data_count = settings->data_count;
    document.report = report;
    return fit_document_save(settings->out, &document, error);
}

/* All that a fit leaves. */
static enum willow_status finish(const struct fit_settings *settings, const char *command,
                                 const struct willow_weights *weights, const struct fit_report *report,
                                 const char *checkpoint, struct willow_error *error)
{
    enum willow_status status = willow_weights_save(weights, settings->out, error);
    if (status == WILLOW_OK)
        status = fit_settings_save(settings, error);
    if (status == WILLOW_OK)
        status = save_document(settings, command, weights, report, error);
    if (status != WILLOW_OK)
        return status;
    if (checkpoint)
        (void)unlink(checkpoint); /* the next fit would say so if it could not be removed */
    if (settings->json)
        fit_json_print(stdout, report, weights);
    else
        fit_table_print(stdout, report, settings->out);
    return WILLOW_OK;
}

/* Whether all ranks were asked for the same weights. */
static enum willow_status check_same(struct willow_ranks *ranks, const char *identity, struct willow_error *error)
{
    char own[WILLOW_CHECKSUM_TEXT], first[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(identity, strlen(identity), own);
    memcpy(first, own, sizeof first);
    const enum willow_status status = willow_ranks_broadcast(ranks, first, sizeof first, error);
    if (status != WILLOW_OK || strcmp(own, first) == 0)
        return status;
    return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL, "a rank was given other settings or data than rank 0");
}

/* All ranks fit; the first speaks and writes. */
static enum willow_status fit(const struct fit_settings *settings, struct willow_ranks *ranks, const char *command,
                              const char *scratch, struct willow_error *error)
{
    const bool speaks = willow_ranks_self(ranks) == 0;
    struct willow_progress progress;
    struct fit_report report = {0};
    struct willow_weights *weights = NULL;
    const struct willow_ruleset *ruleset = NULL;
    char checkpoint[FIT_PATH_BYTES], *identity = NULL;
    size_t identity_size;
    enum willow_status status = fit_settings_path(settings, ".checkpoint", checkpoint, error);
    if (status == WILLOW_OK && settings->ruleset)
        status = willow_ruleset_parse(settings->ruleset, settings->seed, &ruleset, error);
    if (status == WILLOW_OK)
        status = fit_settings_text(settings, false, &identity, &identity_size, error);
    if (status != WILLOW_OK)
        return status;
    const struct fit_options options = {
        .folders = settings->data,
        .folder_count = settings->data_count,
        .ruleset = ruleset,
        .init = settings->init,
        .patterns = settings->patterns,
        .without = settings->without,
        .stages = (int)settings->number[FIT_STAGES],
        .first_ply = settings->first_ply,
        .last_ply = settings->last_ply,
        .start = (enum fit_start)settings->choice[FIT_START],
        .window = (int)settings->number[FIT_WINDOW],
        .rules = &settings->rules,
        .held_out = settings->number[FIT_HELD_OUT],
        .has_seed = settings->has_seed,
        .seed = settings->seed,
        .solver = solver_settings(settings),
        .ranks = ranks,
        .scratch = scratch,
        .checkpoint = settings->number[FIT_CHECKPOINT] > 0.0 ? checkpoint : NULL,
        .checkpoint_seconds = settings->number[FIT_CHECKPOINT],
        .fresh = settings->fresh,
        .identity = identity,
        .command = command,
        .tool = willow_version(),
        .progress = show_progress,
        .warning = show_warning,
        .context = &progress,
    };
    willow_progress_start(&progress, settings->quiet || !speaks);
    status = fit_document_check_target(settings->out, error);
    if (status == WILLOW_OK)
        status = check_same(ranks, identity, error);
    if (status == WILLOW_OK)
        status = fit_run(&options, &weights, &report, error);
    if (status == WILLOW_OK)
        willow_progress_line(&progress, true, "%llu rows fitted", (unsigned long long)report.rows);
    if (status == WILLOW_OK && speaks) {
        warn_of_contradictions(willow_weights_ruleset(weights), &report.overlap);
        status = finish(settings, command, weights, &report, options.checkpoint, error);
    }
    willow_weights_free(weights);
    fit_report_clear(&report);
    free(identity);
    return status;
}

static enum willow_status fit_as_rank(struct fit_settings *settings, struct willow_ranks *ranks, const char *command,
                                      struct willow_error *error)
{
    double *threads = &settings->number[FIT_THREADS];
    const int cores = willow_default_threads() / willow_ranks_sharing(ranks);
    if (*threads < 1)
        *threads = cores > 1 ? cores : 1;
    char *scratch = settings->scratch ? strdup(settings->scratch) : folder_of(settings->out);
    const enum willow_status status = command && scratch
                                          ? fit(settings, ranks, command, scratch, error)
                                          : willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    free(scratch);
    return status;
}

int verb_fit(int argc, char **argv)
{
    struct fit_settings settings;
    struct willow_ranks *ranks;
    struct willow_error error;
    char *command = command_line_join(argc, argv); /* before argp reorders the arguments */
    enum willow_status status = fit_settings_parse(&settings, argc, argv, &error);
    const enum willow_status start = willow_ranks_start(&ranks, status == WILLOW_OK ? &error : NULL);
    if (status == WILLOW_OK)
        status = start == WILLOW_OK ? fit_as_rank(&settings, ranks, command, &error) : start;
    status = willow_ranks_agree(ranks, status, &error);
    /* One speaks for all, and before any of them ends: mpirun kills the others when one ends with a failure. */
    const bool speaks = (start == WILLOW_OK ? willow_ranks_self(ranks) : willow_ranks_launched()) == 0;
    if (status != WILLOW_OK && speaks)
        (void)willow_report(&error);
    willow_ranks_end(ranks);
    fit_settings_clear(&settings);
    free(command);
    if (status == WILLOW_OK || (start != WILLOW_OK && !speaks))
        return WILLOW_EXIT_OK;
    return status == WILLOW_ERR_STOPPED ? WILLOW_EXIT_FAILED : WILLOW_EXIT_USAGE;
}
