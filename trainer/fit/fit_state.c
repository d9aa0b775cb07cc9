/* The unfinished fit as a checkpoint: the stages that are done with their reports, and the state of the solver in the
 * one that is not. Layer: trainer.
 */
#include "fit_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

/* The blocks: where the fit stands, the weights, the base, the report, the learning curve of each stage, the solver. */
enum { BLOCK_PLACE, BLOCK_VALUES, BLOCK_BASE, BLOCK_REPORT, BLOCK_POINTS };
_Static_assert(BLOCK_POINTS + WILLOW_STAGES_MAX + 1 <= CHECKPOINT_BLOCKS_MAX, "every stage has its block");

struct place {
    int32_t next, base_done;
    uint64_t has_solver;
};

static size_t values_size(const struct fit *fit)
{
    return (size_t)willow_weights_stages(fit->init)->count * fit->features.weights * sizeof *fit->values;
}

static size_t base_size(const struct fit *fit)
{
    return fit->features.weights * sizeof *fit->base;
}

/* What a checkpoint must share with a fit to be of it: settings, data, start, program. */
static void identify_fit(struct fit *fit)
{
    struct {
        char settings[WILLOW_CHECKSUM_TEXT], tool[WILLOW_CHECKSUM_TEXT], init[WILLOW_CHECKSUM_TEXT];
        char padding[5];
        uint64_t digest[2], report_size;
    } parts = {.report_size = sizeof *fit->report};
    const char *identity = fit->options->identity ? fit->options->identity : "";
    const char *tool = fit->options->tool ? fit->options->tool : "";
    willow_checksum128_text(identity, strlen(identity), parts.settings);
    willow_checksum128_text(tool, strlen(tool), parts.tool);
    memcpy(parts.init, willow_weights_checksum(fit->init), sizeof parts.init);
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        for (int i = 0; i < 2; i++) /* which ply a row is of counts */
            parts.digest[i] = 3 * parts.digest[i] + (uint64_t)fit->all.digest[ply][i];
    willow_checksum128_text(&parts, sizeof parts, fit->identity);
}

/* One rank for all, which stand at the same place. */
static void save(struct fit *fit, const void *solver, size_t solver_size)
{
    const struct fit_options *options = fit->options;
    const struct place place = {.next = fit->next, .base_done = fit->base_done, .has_solver = solver != NULL};
    struct checkpoint_block blocks[BLOCK_POINTS + WILLOW_STAGES_MAX + 1] = {
        [BLOCK_PLACE] = {&place, sizeof place},
        [BLOCK_VALUES] = {fit->values, values_size(fit)},
        [BLOCK_BASE] = {fit->base, base_size(fit)},
        [BLOCK_REPORT] = {fit->report, sizeof *fit->report}};
    size_t count = BLOCK_POINTS;
    for (int i = 0; i < fit->report->count; i++) {
        const struct solver_report *report = &fit->report->stages[i].solver;
        const size_t points = i > fit->next ? report->point_count : 0;
        blocks[count++] = (struct checkpoint_block){report->points, points * sizeof *report->points};
    }
    blocks[count++] = (struct checkpoint_block){solver, solver_size};
    struct willow_error error;
    fit->saved_ns = willow_clock_ns();
    if (willow_ranks_self(options->ranks) > 0)
        return;
    if (checkpoint_save(options->checkpoint, fit->identity, blocks, count, &error) == WILLOW_OK || fit->save_failed)
        return;
    fit->save_failed = true;
    if (options->warning)
        options->warning(options->context, &error);
}

static bool is_due(const struct fit *fit)
{
    const struct willow_stop *stop = fit->options->solver.stop;
    return (stop && willow_stop_get(stop)) ||
           (double)(willow_clock_ns() - fit->saved_ns) * 1e-9 >= fit->options->checkpoint_seconds;
}

void fit_state_save(struct fit *fit)
{
    if (fit->options->checkpoint && is_due(fit))
        save(fit, NULL, 0);
}

enum willow_status fit_state_save_solver(void *context, const void *bytes, size_t size, struct willow_error *error)
{
    (void)error;
    save(context, bytes, size);
    return WILLOW_OK;
}

/* Gives the learning curves of finished stages memory of their own. */
static enum willow_status restore_points(struct fit *fit, struct willow_error *error)
{
    for (int i = fit->next + 1; i < fit->report->count; i++) {
        struct solver_report *report = &fit->report->stages[i].solver;
        const struct checkpoint_block *block = &fit->restored.blocks[BLOCK_POINTS + i];
        report->points = NULL;
        report->sightings = NULL;
        if (block->size == 0)
            continue;
        report->points = malloc(block->size);
        if (!report->points)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the learning curves");
        memcpy(report->points, block->data, block->size);
    }
    return WILLOW_OK;
}

/* Sizes are those of this fit, as its identity says; a checkpoint that was made to deceive is refused all the same. */
static bool fits(const struct fit *fit, const struct checkpoint *checkpoint)
{
    struct place place;
    struct fit_report report;
    const int stages = fit->report->count;
    if (checkpoint->count != (size_t)(BLOCK_POINTS + stages + 1) ||
        checkpoint->blocks[BLOCK_PLACE].size != sizeof place ||
        checkpoint->blocks[BLOCK_VALUES].size != values_size(fit) ||
        checkpoint->blocks[BLOCK_BASE].size != base_size(fit) || checkpoint->blocks[BLOCK_REPORT].size != sizeof report)
        return false;
    memcpy(&place, checkpoint->blocks[BLOCK_PLACE].data, sizeof place);
    memcpy(&report, checkpoint->blocks[BLOCK_REPORT].data, sizeof report);
    if (place.next < -1 || place.next >= stages || report.count != stages)
        return false;
    for (int i = 0; i < stages; i++) {
        const struct fit_stage *own = &fit->report->stages[i], *saved = &report.stages[i];
        const size_t size = i > place.next ? checkpoint->blocks[BLOCK_POINTS + i].size : 0;
        const size_t points = i > place.next ? saved->solver.point_count : 0;
        if (saved->stage != own->stage || saved->first_ply != own->first_ply || saved->last_ply != own->last_ply ||
            size % sizeof(struct solver_point) != 0 || points != size / sizeof(struct solver_point))
            return false;
    }
    return true;
}

/* Whether all ranks go on from the same place. */
static enum willow_status check_same(const struct fit *fit, struct willow_error *error)
{
    const struct checkpoint *checkpoint = &fit->restored;
    uint64_t own[2] = {checkpoint->count}, first[2];
    for (size_t i = 0; i < checkpoint->count; i++)
        own[1] = 3 * own[1] + willow_checksum64(checkpoint->blocks[i].data, checkpoint->blocks[i].size);
    memcpy(first, own, sizeof first);
    const enum willow_status status = willow_ranks_broadcast(fit->options->ranks, first, sizeof first, error);
    if (status != WILLOW_OK || memcmp(own, first, sizeof first) == 0)
        return status;
    return willow_fail(error, WILLOW_ERR_MISMATCH, fit->options->checkpoint, NULL,
                       "the ranks do not see the same checkpoint");
}

enum willow_status fit_state_restore(struct fit *fit, struct willow_error *error)
{
    const char *path = fit->options->checkpoint;
    fit->saved_ns = willow_clock_ns();
    if (!path)
        return WILLOW_OK;
    identify_fit(fit);
    if (fit->options->fresh)
        return WILLOW_OK;
    enum willow_status status = checkpoint_load(path, fit->identity, &fit->restored, error);
    if (status == WILLOW_OK)
        status = check_same(fit, error);
    if (status != WILLOW_OK || !fit->restored.file)
        return status;
    if (!fits(fit, &fit->restored))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "this is not a whole checkpoint; --fresh starts anew");
    struct place place;
    const struct loading_report loading = fit->report->loading;
    const double loading_seconds = fit->report->loading_seconds;
    const struct checkpoint_block *blocks = fit->restored.blocks;
    memcpy(&place, blocks[BLOCK_PLACE].data, sizeof place);
    memcpy(fit->values, blocks[BLOCK_VALUES].data, blocks[BLOCK_VALUES].size);
    memcpy(fit->base, blocks[BLOCK_BASE].data, blocks[BLOCK_BASE].size);
    memcpy(fit->report, blocks[BLOCK_REPORT].data, blocks[BLOCK_REPORT].size);
    fit->report->loading = loading;
    fit->report->loading_seconds = loading_seconds;
    fit->next = place.next;
    fit->base_done = place.base_done != 0;
    fit->solver_restored = place.has_solver != 0;
    for (int i = 0; i <= fit->next; i++) { /* not done: nothing of them is kept but who they are */
        struct fit_stage *stage = &fit->report->stages[i];
        *stage = (struct fit_stage){.stage = stage->stage, .first_ply = stage->first_ply, .last_ply = stage->last_ply};
    }
    return restore_points(fit, error);
}
