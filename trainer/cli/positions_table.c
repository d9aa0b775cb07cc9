/* Two evaluations of the same positions; see positions_table.h. Layer: trainer (program).
 *
 * The trainer's is computed as a pass over samples does it: stage by ply, raw indices, the tie of each, a plain sum.
 * The engine's comes from the engine. They share nothing but the weights and the description of the patterns.
 */
#include "positions_table.h"

#include "fit/pass.h"

#include <stdlib.h>

#include <willow/file.h>
#include <willow/records.h>

enum { POSITIONS_LIMIT_BYTES = 256 << 20 };

struct positions_table {
    FILE *stream; /* null = nothing is printed */
    const struct willow_weights *weights;
    struct features features;
    uint64_t positions, unstaged, compared, differing;
};

/* -1 when no stage of a fit has rows of this ply. */
static int stage_of_ply(const struct willow_weights *weights, int ply)
{
    const struct willow_stages *stages = willow_weights_stages(weights);
    for (int stage = 0; stage < stages->count; stage++) {
        int first, last;
        if (willow_stage_plies(stages, stage, &first, &last) && ply >= first && ply <= last)
            return stage;
    }
    return -1;
}

static double discs_of(willow_score score)
{
    return (double)score / WILLOW_SCORE_DISC;
}

static void compare_board(struct positions_table *table, struct willow_board board, enum willow_side side)
{
    char text[WILLOW_BOARD_TEXT];
    const int stage = stage_of_ply(table->weights, willow_board_discs(board) - 4);
    if (stage < 0) {
        table->unstaged++;
        return;
    }
    const int16_t *values = willow_weights_values(table->weights) + (size_t)stage * table->features.weights;
    const willow_score fitted = pass_evaluate(&table->features, values, board);
    const willow_score played = willow_evaluate(table->weights, board);
    table->compared++;
    table->differing += fitted != played;
    if (table->stream)
        fprintf(table->stream, "%s  %5d  %+8.3f  %+8.3f%s\n",
                willow_board_format(willow_weights_ruleset(table->weights), board, side, text), stage, discs_of(fitted),
                discs_of(played), fitted != played ? "  differ" : "");
}

static enum willow_status compare_records(struct positions_table *table, const char *path, const unsigned char *data,
                                          size_t size_bytes, struct willow_error *error)
{
    const struct willow_ruleset *ruleset = willow_weights_ruleset(table->weights);
    struct willow_records records;
    struct willow_record record;
    enum willow_status status =
        willow_records_open(&records, ruleset, WILLOW_RECORDS_POSITIONS, data, size_bytes, error);
    if (status != WILLOW_OK)
        return willow_fail(error, status, path, NULL, "it holds no positions");
    while (willow_records_next(&records, &record)) {
        if (record.kind == WILLOW_RECORD_ILLEGAL || record.kind == WILLOW_RECORD_DAMAGED)
            return willow_fail(error, WILLOW_ERR_FORMAT, path, record.error.place, "%s", record.error.reason);
        const struct willow_board board = willow_game_board(&record.game);
        table->positions++;
        compare_board(table, board, record.game.side);
        compare_board(table, willow_board_play(board, WILLOW_PASS),
                      record.game.side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK);
    }
    if (table->positions == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "there are no positions in it");
    return WILLOW_OK;
}

enum willow_status positions_table_print(FILE *stream, const struct willow_weights *weights, const char *path,
                                         uint64_t *differing, struct willow_error *error)
{
    const struct positions_table start = {.weights = weights,
                                          .features = features_of_patterns(willow_weights_patterns(weights))};
    struct positions_table table = start;
    unsigned char *data = NULL;
    size_t size_bytes = 0;
    enum willow_status status = willow_file_read(path, POSITIONS_LIMIT_BYTES, &data, &size_bytes, error);
    if (status != WILLOW_OK)
        return status;
    status = compare_records(&table, path, data, size_bytes, error);
    if (status == WILLOW_OK) { /* the whole file is good: only now something is printed */
        const struct willow_ruleset *ruleset = willow_weights_ruleset(weights);
        const int board_width = ruleset->width * ruleset->height + 2;
        table = start;
        table.stream = stream;
        fprintf(stream, "%-*s  %5s  %8s  %8s\n", board_width, "board and side to move", "stage", "fitted", "played");
        status = compare_records(&table, path, data, size_bytes, error);
    }
    free(data);
    if (status != WILLOW_OK)
        return status;
    fprintf(stream, "%llu positions, either side to move: %llu evaluations, %llu differ",
            (unsigned long long)table.positions, (unsigned long long)table.compared,
            (unsigned long long)table.differing);
    if (table.unstaged > 0)
        fprintf(stream, "; %llu belong to no stage", (unsigned long long)table.unstaged);
    fputc('\n', stream);
    *differing = table.differing;
    return WILLOW_OK;
}
