/* willow weights diff: prints where two sets of weights disagree, as tables or as JSON. What is printed is computed in
 * weights_contrast.c. Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <willow/notation.h>
#include <willow/program.h>
#include <willow/ruleset.h>

#include "verb_weights.h"
#include "weights_contrast.h"

struct diff {
    const struct weights_diff_options *options;
    struct willow_weights *weights[2];
    struct weights_sample sample;
    struct weights_contrast contrast;
    bool equal, alike, same_probcut;
    /* What the tables take in turn. */
    struct contrast_configuration configurations[WEIGHTS_TOP_MAX];
    size_t positions[WEIGHTS_TOP_MAX];
};

static double discs(double steps)
{
    return steps / WILLOW_SCORE_DISC;
}

/* The mean over `count` in discs; 0 for none. */
static double mean_discs(double steps, uint64_t count)
{
    return count > 0 ? discs(steps) / (double)count : 0.0;
}

static struct contrast_range whole_range(const struct diff *diff)
{
    return (struct contrast_range){.stages = willow_weights_stages(diff->weights[0])->count,
                                   .weights = (uint32_t)diff->contrast.width};
}

static struct contrast_range stage_range(const struct diff *diff, int stage)
{
    struct contrast_range range = whole_range(diff);
    range.first_stage = stage;
    range.stages = 1;
    return range;
}

/* False past the last part. */
static bool part_range(const struct diff *diff, int part, const char **name, struct contrast_range *range)
{
    *range = whole_range(diff);
    *name =
        willow_pattern_set_part(willow_weights_patterns(diff->weights[0]), part, &range->first_weight, &range->weights);
    return *name != NULL;
}

static bool same_probcut(const struct willow_weights *a, const struct willow_weights *b)
{
    const struct willow_probcut *left = willow_weights_probcut(a), *right = willow_weights_probcut(b);
    return left->count == right->count &&
           memcmp(left->constant, right->constant, left->count * sizeof left->constant[0]) == 0;
}

static void print_sets(const struct diff *diff)
{
    const struct willow_weights *a = diff->weights[0], *b = diff->weights[1];
    for (int i = 0; i < 2; i++)
        printf("%c: %s, checksum %s\n", 'a' + i, diff->options->name[i], willow_weights_checksum(diff->weights[i]));
    if (willow_weights_ruleset(a) != willow_weights_ruleset(b))
        printf("rulesets differ in the start alone: %s, %s\n", willow_weights_ruleset(a)->name,
               willow_weights_ruleset(b)->name);
    if (willow_weights_patterns(a) != willow_weights_patterns(b))
        printf("pattern sets differ: %s, %s\n", willow_pattern_set_name(willow_weights_patterns(a)),
               willow_pattern_set_name(willow_weights_patterns(b)));
    else if (!diff->alike)
        printf("stages differ: %d, %d\n", willow_weights_stages(a)->count, willow_weights_stages(b)->count);
    if (!diff->same_probcut)
        printf("ProbCut constants differ\n");
    if (diff->equal)
        printf("all weights are equal\n");
}

static void print_sample(const struct diff *diff)
{
    if (diff->options->positions_file)
        printf("positions: %zu of %s\n", diff->sample.count, diff->options->positions_file);
    else
        printf("positions: %zu, no two alike, of %" PRIu64 " games, seed %" PRIu64 "\n", diff->sample.count,
               diff->sample.games, diff->options->seed);
}

static void print_gap(const struct contrast_gap *gap)
{
    printf("  %9" PRIu64 "  %17.4f  %7.3f  %12" PRIu64 "  %7.3f", gap->differing,
           mean_discs((double)gap->distance, gap->weights), discs(gap->largest), gap->seen,
           mean_discs((double)gap->seen_distance, gap->sightings));
}

static void print_weights_by_stage(const struct diff *diff)
{
    const struct willow_stages *stages = willow_weights_stages(diff->weights[0]);
    printf("\nstage  from discs  differing  mean |difference|  largest  weights seen  as seen   (in discs)\n");
    for (int stage = 0; stage < stages->count; stage++) {
        const struct contrast_range range = stage_range(diff, stage);
        const struct contrast_gap gap = weights_contrast_gap(&diff->contrast, &range);
        printf("%5d  %10d", stage, stages->first_disc[stage]);
        print_gap(&gap);
        printf("\n");
    }
}

static void print_weights_by_part(const struct diff *diff)
{
    const char *name;
    struct contrast_range range;
    printf(
        "\ntable              differing  mean |difference|  largest  weights seen  as seen  a position   (in discs)\n");
    for (int i = 0; part_range(diff, i, &name, &range); i++) {
        const struct contrast_gap gap = weights_contrast_gap(&diff->contrast, &range);
        printf("%-17s", name);
        print_gap(&gap);
        printf("  %10.3f\n", mean_discs((double)gap.seen_distance, diff->sample.count));
    }
}

static void print_configurations(struct diff *diff, const struct contrast_range *range)
{
    const struct willow_pattern_set *set = willow_weights_patterns(diff->weights[0]);
    const size_t count =
        weights_contrast_configurations(&diff->contrast, range, diff->options->top, diff->configurations);
    for (size_t i = 0; i < count; i++) {
        const struct contrast_configuration *it = &diff->configurations[i];
        char text[64];
        printf("%9" PRIu64 "  %7.3f  %10.4f  %5d  %9" PRIu32 "  %+8.3f  %+8.3f  %s\n", it->sightings,
               mean_discs((double)it->distance, it->sightings), mean_discs((double)it->distance, diff->sample.count),
               it->stage, it->stage_sightings, discs(it->value[0]), discs(it->value[1]),
               willow_pattern_set_describe(set, it->weight, text, sizeof text));
    }
}

static void print_all_configurations(struct diff *diff)
{
    if (diff->options->top == 0)
        return;
    printf("\nThe configurations that make the greatest difference: how often seen, how far apart then, what that is "
           "a position;\nthe stage where it is most: how often seen there, by a, by b.\n"
           "sightings  as seen  a position  stage  sightings         a         b  configuration (X = to move)\n");
    const struct contrast_range whole = whole_range(diff);
    if (!diff->options->by_stage) {
        print_configurations(diff, &whole);
        return;
    }
    for (int stage = 0; stage < whole.stages; stage++) {
        const struct contrast_range range = stage_range(diff, stage);
        print_configurations(diff, &range);
    }
}

static void print_agreement(const struct contrast_agreement *it)
{
    const double correlation = contrast_agreement_correlation(it);
    printf("  %9" PRIu64 "  %10.3f  %+8.3f  %9.3f  %7.3f  ", it->count, mean_discs((double)it->distance, it->count),
           mean_discs((double)it->offset, it->count), contrast_agreement_deviation(it), discs(it->largest));
    if (isnan(correlation))
        printf("%11s\n", "-");
    else
        printf("%11.4f\n", correlation);
}

static void print_evaluations(struct diff *diff)
{
    const struct willow_stages *stages = willow_weights_stages(diff->weights[0]);
    printf("\nEvaluations%s\nstage  from discs  positions  mean |a-b|  mean a-b  deviation  largest  correlation   (in "
           "discs)\n",
           diff->alike ? "" : " by the stages of a");
    for (int stage = 0; stage < stages->count; stage++) {
        printf("%5d  %10d", stage, stages->first_disc[stage]);
        print_agreement(&diff->contrast.stage[stage]);
    }
    printf("  all            ");
    print_agreement(&diff->contrast.all);

    const size_t count = weights_contrast_positions(&diff->contrast, diff->options->top, diff->positions);
    if (count > 0)
        printf("\nThe positions with the greatest difference\n       a        b      a-b  board\n");
    for (size_t i = 0; i < count; i++) {
        const struct weights_position *position = &diff->sample.positions[diff->positions[i]];
        const int16_t *scores = diff->contrast.scores[diff->positions[i]];
        char board[WILLOW_BOARD_TEXT];
        printf("%+8.2f %+8.2f %+8.2f  %s\n", discs(scores[0]), discs(scores[1]), discs(scores[0] - scores[1]),
               willow_board_format(willow_weights_ruleset(diff->weights[0]), position->board, position->side, board));
    }
}

static void print_json_sets(const struct diff *diff)
{
    printf("{\"sets\": [");
    for (int i = 0; i < 2; i++) {
        const struct willow_weights *weights = diff->weights[i];
        printf("%s{\"weights\": ", i ? ", " : "");
        willow_json_string(stdout, diff->options->name[i]);
        printf(", \"checksum\": \"%s\", \"ruleset\": \"%s\", \"patterns\": \"%s\", \"stages\": %d}",
               willow_weights_checksum(weights), willow_weights_ruleset(weights)->name,
               willow_pattern_set_name(willow_weights_patterns(weights)), willow_weights_stages(weights)->count);
    }
    printf("], \"equal\": %s, \"alike\": %s, \"same_probcut\": %s", diff->equal ? "true" : "false",
           diff->alike ? "true" : "false", diff->same_probcut ? "true" : "false");
}

static void print_json_gap(const struct contrast_gap *gap)
{
    printf("\"weights\": %" PRIu64 ", \"differing\": %" PRIu64 ", \"mean\": %.6f, \"largest\": %.5f, \"seen\": %" PRIu64
           ", \"sightings\": %" PRIu64 ", \"mean_as_seen\": %.6f}",
           gap->weights, gap->differing, mean_discs((double)gap->distance, gap->weights), discs(gap->largest),
           gap->seen, gap->sightings, mean_discs((double)gap->seen_distance, gap->sightings));
}

static void print_json_configurations(struct diff *diff, const struct contrast_range *range, const char *separator)
{
    const struct willow_pattern_set *set = willow_weights_patterns(diff->weights[0]);
    const size_t count =
        weights_contrast_configurations(&diff->contrast, range, diff->options->top, diff->configurations);
    for (size_t i = 0; i < count; i++, separator = ", ") {
        const struct contrast_configuration *it = &diff->configurations[i];
        char text[64];
        printf("%s{\"configuration\": ", separator);
        willow_json_string(stdout, willow_pattern_set_describe(set, it->weight, text, sizeof text));
        printf(", \"sightings\": %" PRIu64 ", \"mean_as_seen\": %.6f, \"stage\": %d, \"stage_sightings\": %" PRIu32
               ", \"a\": %.5f, \"b\": %.5f}",
               it->sightings, mean_discs((double)it->distance, it->sightings), it->stage, it->stage_sightings,
               discs(it->value[0]), discs(it->value[1]));
    }
}

static void print_json_weights(struct diff *diff)
{
    const struct contrast_range whole = whole_range(diff);
    const char *name;
    struct contrast_range table;
    printf(", \"stages\": [");
    for (int stage = 0; stage < whole.stages; stage++) {
        const struct contrast_range range = stage_range(diff, stage);
        const struct contrast_gap gap = weights_contrast_gap(&diff->contrast, &range);
        printf("%s{\"first_disc\": %d, ", stage ? ", " : "",
               willow_weights_stages(diff->weights[0])->first_disc[stage]);
        print_json_gap(&gap);
    }
    printf("], \"tables\": [");
    for (int i = 0; part_range(diff, i, &name, &table); i++) {
        const struct contrast_gap gap = weights_contrast_gap(&diff->contrast, &table);
        printf("%s{\"table\": \"%s\", ", i ? ", " : "", name);
        print_json_gap(&gap);
    }
    printf("], \"configurations\": [");
    if (!diff->options->by_stage)
        print_json_configurations(diff, &whole, "");
    for (int stage = 0; diff->options->by_stage && stage < whole.stages; stage++) {
        const struct contrast_range range = stage_range(diff, stage);
        printf("%s[", stage ? ", " : "");
        print_json_configurations(diff, &range, "");
        printf("]");
    }
    printf("]");
}

static void print_json_agreement(const struct contrast_agreement *it)
{
    const double correlation = contrast_agreement_correlation(it);
    printf("\"positions\": %" PRIu64 ", \"mean_absolute\": %.6f, \"mean\": %.6f, \"deviation\": %.6f, "
           "\"largest\": %.5f, \"correlation\": ",
           it->count, mean_discs((double)it->distance, it->count), mean_discs((double)it->offset, it->count),
           contrast_agreement_deviation(it), discs(it->largest));
    if (isnan(correlation))
        printf("null}");
    else
        printf("%.6f}", correlation);
}

static void print_json_evaluations(struct diff *diff)
{
    const struct willow_stages *stages = willow_weights_stages(diff->weights[0]);
    if (diff->options->positions_file) {
        printf(", \"positions_file\": ");
        willow_json_string(stdout, diff->options->positions_file);
    } else {
        printf(", \"games\": %" PRIu64 ", \"seed\": %" PRIu64, diff->sample.games, diff->options->seed);
    }
    printf(", \"evaluation\": {");
    print_json_agreement(&diff->contrast.all);
    printf(", \"evaluation_by_stage\": [");
    for (int stage = 0; stage < stages->count; stage++) {
        printf("%s{\"first_disc\": %d, ", stage ? ", " : "", stages->first_disc[stage]);
        print_json_agreement(&diff->contrast.stage[stage]);
    }
    printf("], \"positions\": [");
    const size_t count = weights_contrast_positions(&diff->contrast, diff->options->top, diff->positions);
    for (size_t i = 0; i < count; i++) {
        const struct weights_position *position = &diff->sample.positions[diff->positions[i]];
        const int16_t *scores = diff->contrast.scores[diff->positions[i]];
        char board[WILLOW_BOARD_TEXT];
        printf("%s{\"board\": \"%s\", \"a\": %.5f, \"b\": %.5f}", i ? ", " : "",
               willow_board_format(willow_weights_ruleset(diff->weights[0]), position->board, position->side, board),
               discs(scores[0]), discs(scores[1]));
    }
    printf("]");
}

/* A name that stands for a set of any ruleset takes the one of the other set, where that is a file. */
static bool is_file(const char *name)
{
    return strcmp(name, "default") != 0 && strcmp(name, "zero") != 0;
}

static enum willow_status open_sets(struct diff *diff, struct willow_error *error)
{
    const char *const *name = diff->options->name;
    const int first = is_file(name[0]) || !is_file(name[1]) ? 0 : 1, second = 1 - first;
    enum willow_status status = willow_weights_open(name[first], NULL, &diff->weights[first], error);
    if (status == WILLOW_OK)
        status = willow_weights_open(name[second],
                                     is_file(name[second]) ? NULL : willow_weights_ruleset(diff->weights[first]),
                                     &diff->weights[second], error);
    if (status != WILLOW_OK)
        return status;
    const struct willow_ruleset *a = willow_weights_ruleset(diff->weights[0]);
    const struct willow_ruleset *b = willow_weights_ruleset(diff->weights[1]);
    if (!willow_ruleset_same_play(a, b))
        return willow_fail(error, WILLOW_ERR_MISMATCH, name[1], NULL,
                           "weights for %s, and %s is for %s: they have nothing to be compared on", b->name, name[0],
                           a->name);
    return WILLOW_OK;
}

/* Sets that are equal have no positions to be compared on. */
static enum willow_status compare(struct diff *diff, struct willow_error *error)
{
    const struct weights_diff_options *options = diff->options;
    const struct willow_weights *a = diff->weights[0], *b = diff->weights[1];
    diff->alike = weights_contrast_alike(a, b);
    diff->equal = weights_contrast_equal(a, b);
    diff->same_probcut = same_probcut(a, b);
    if (!diff->equal) {
        const enum willow_status status =
            options->positions_file
                ? weights_sample_load(options->positions_file, willow_weights_ruleset(a), &diff->sample, error)
                : weights_sample_play(a, b, options->positions, options->seed, &diff->sample, error);
        if (status != WILLOW_OK)
            return status;
        if (weights_contrast_init(&diff->contrast, a, b, &diff->sample, error) != WILLOW_OK)
            return error->status;
    }
    return WILLOW_OK;
}

static void print_text(struct diff *diff)
{
    print_sets(diff);
    if (!diff->contrast.scores)
        return;
    print_sample(diff);
    if (diff->alike) {
        print_weights_by_stage(diff);
        print_weights_by_part(diff);
        print_all_configurations(diff);
    }
    print_evaluations(diff);
}

static void print_json(struct diff *diff)
{
    print_json_sets(diff);
    if (diff->contrast.scores) {
        if (diff->alike)
            print_json_weights(diff);
        print_json_evaluations(diff);
    }
    printf("}\n");
}

int weights_diff(const struct weights_diff_options *options)
{
    struct diff diff = {.options = options};
    struct willow_error error;
    enum willow_status status = open_sets(&diff, &error);
    if (status == WILLOW_OK)
        status = compare(&diff, &error);
    int code = WILLOW_EXIT_USAGE;
    if (status != WILLOW_OK) {
        willow_report(&error);
    } else {
        (options->json ? print_json : print_text)(&diff);
        code = diff.equal ? WILLOW_EXIT_OK : WILLOW_EXIT_FAILED;
    }
    weights_contrast_clear(&diff.contrast);
    weights_sample_clear(&diff.sample);
    willow_weights_free(diff.weights[0]);
    willow_weights_free(diff.weights[1]);
    return code;
}
