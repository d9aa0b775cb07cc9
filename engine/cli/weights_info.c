/* willow weights info: what a set of weights holds, by stage and by table, and where it came from.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include <willow/notation.h>
#include <willow/program.h>
#include <willow/ruleset.h>

#include "verb_weights.h"
#include "weights_tally.h"

struct description {
    const char *name;
    const struct willow_weights *weights;
    long long file_bytes; /* -1 = the name stands for no file */
    struct weights_tally all, stage[WILLOW_STAGES_MAX];
    struct weights_tally part[WILLOW_FEATURES_MAX]; /* every part of a set has a feature at least */
};

static long long file_bytes(const char *name)
{
    struct stat status;
    if (strcmp(name, "default") == 0 || strcmp(name, "zero") == 0 || stat(name, &status) != 0)
        return -1;
    return (long long)status.st_size;
}

static void describe(struct description *it)
{
    const struct willow_pattern_set *set = willow_weights_patterns(it->weights);
    const size_t width = willow_pattern_set_weights(set);
    it->file_bytes = file_bytes(it->name);
    for (int stage = 0; stage < willow_weights_stages(it->weights)->count; stage++) {
        const int16_t *values = willow_weights_values(it->weights) + (size_t)stage * width;
        weights_tally_add(&it->all, values, width);
        it->stage[stage] = weights_tally_stage(it->weights, stage);
        uint32_t first, count;
        for (int i = 0; willow_pattern_set_part(set, i, &first, &count) != NULL; i++)
            weights_tally_add(&it->part[i], values + first, count);
    }
}

/* Every line indented. The text holds no control characters: weights that had some were refused. */
static void print_lines(const char *text)
{
    bool start = true;
    for (const char *at = text; *at; at++) {
        if (start)
            fputs("  ", stdout);
        start = *at == '\n';
        fputc(*at, stdout);
    }
    if (!start)
        fputc('\n', stdout);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

/* The first constant is the number of the model; see willow/probcut.h. */
static void print_probcut(const struct willow_probcut *probcut)
{
    if (probcut->count == 0) {
        printf("probcut:     none\n");
        return;
    }
    printf("probcut:     %" PRIu32 " constants, model %g", probcut->count, (double)probcut->constant[0]);
    for (uint32_t i = 1; i < probcut->count; i++)
        printf("%s%.6g", i % 8 == 1 ? "\n  " : " ", (double)probcut->constant[i]);
    printf("\n");
}

static void print_tally(const struct weights_tally *tally)
{
    printf("  %8.1f%%  %13.4f  %8.3f", percent(tally->nonzero, tally->count), weights_tally_mean(tally),
           (double)tally->largest / WILLOW_SCORE_DISC);
}

/* What the characters of a described configuration stand for, in one of the placements of the shape. */
static void print_squares(const struct willow_pattern_set *set, int part)
{
    uint8_t squares[WILLOW_PATTERN_SQUARES_MAX];
    uint32_t first_raw;
    const int count = willow_pattern_set_squares(set, part, squares, &first_raw);
    char text[WILLOW_SQUARE_TEXT];
    for (int i = 0; i < count; i++)
        printf("%s%s", i ? " " : "  ", willow_square_format(squares[i], text));
    printf("\n");
}

static void print_text(const struct description *it)
{
    const struct willow_pattern_set *set = willow_weights_patterns(it->weights);
    const struct willow_stages *stages = willow_weights_stages(it->weights);
    const uint64_t plain_bytes = it->all.count * sizeof(int16_t);
    printf("weights:     %s\n", it->name);
    if (it->file_bytes >= 0)
        printf("file:        %lld bytes, %.1f%% of the %" PRIu64 " that the weights take unpacked\n", it->file_bytes,
               percent((uint64_t)it->file_bytes, plain_bytes), plain_bytes);
    printf("checksum:    %s\n", willow_weights_checksum(it->weights));
    printf("ruleset:     %s\n", willow_weights_ruleset(it->weights)->name);
    printf("patterns:    %s (%d terms, %" PRIu32 " weights a stage)\n", willow_pattern_set_name(set),
           willow_pattern_set_features(set), willow_pattern_set_weights(set));
    printf("stages:      %d, from", stages->count);
    for (int i = 0; i < stages->count; i++)
        printf(" %d", stages->first_disc[i]);
    printf(" discs\n");
    printf("non-zero:    %" PRIu64 " of %" PRIu64 " weights (%.1f%%)\n", it->all.nonzero, it->all.count,
           percent(it->all.nonzero, it->all.count));
    printf("at a limit:  %" PRIu64 " weights, as large as 16 bits can say\n", it->all.at_limit);
    print_probcut(willow_weights_probcut(it->weights));
    const char *provenance = willow_weights_provenance(it->weights);
    printf("provenance:%s\n", provenance[0] ? "" : "  none");
    print_lines(provenance);
    printf("\nstage  from discs   non-zero  mean |weight|   largest   (in discs)\n");
    for (int i = 0; i < stages->count; i++) {
        printf("%5d  %10d", i, stages->first_disc[i]);
        print_tally(&it->stage[i]);
        printf("\n");
    }
    printf("\ntable            weights   non-zero  mean |weight|   largest  squares   (all stages, in discs)\n");
    uint32_t count;
    const char *name;
    for (int i = 0; (name = willow_pattern_set_part(set, i, NULL, &count)) != NULL; i++) {
        printf("%-15s %8" PRIu32, name, count);
        print_tally(&it->part[i]);
        print_squares(set, i);
    }
}

static void print_json_tally(const struct weights_tally *tally)
{
    printf("\"nonzero\": %" PRIu64 ", \"at_limit\": %" PRIu64 ", \"mean\": %.6f, \"largest\": %.5f}", tally->nonzero,
           tally->at_limit, weights_tally_mean(tally), (double)tally->largest / WILLOW_SCORE_DISC);
}

static void print_json(const struct description *it)
{
    const struct willow_pattern_set *set = willow_weights_patterns(it->weights);
    const struct willow_stages *stages = willow_weights_stages(it->weights);
    const struct willow_probcut *probcut = willow_weights_probcut(it->weights);
    printf("{\"weights\": ");
    willow_json_string(stdout, it->name);
    if (it->file_bytes >= 0)
        printf(", \"file_bytes\": %lld", it->file_bytes);
    printf(", \"unpacked_bytes\": %" PRIu64 ", \"checksum\": \"%s\", \"ruleset\": \"%s\", \"patterns\": \"%s\", "
           "\"terms\": %d, \"weights_a_stage\": %" PRIu32 ", \"first_disc\": [",
           it->all.count * sizeof(int16_t), willow_weights_checksum(it->weights),
           willow_weights_ruleset(it->weights)->name, willow_pattern_set_name(set), willow_pattern_set_features(set),
           willow_pattern_set_weights(set));
    for (int i = 0; i < stages->count; i++)
        printf("%s%d", i ? ", " : "", stages->first_disc[i]);
    printf("], \"nonzero\": %" PRIu64 ", \"at_limit\": %" PRIu64 ", \"probcut\": [", it->all.nonzero, it->all.at_limit);
    for (uint32_t i = 0; i < probcut->count; i++)
        printf("%s%.9g", i ? ", " : "", (double)probcut->constant[i]);
    printf("], \"stages\": [");
    for (int i = 0; i < stages->count; i++) {
        printf("%s{\"first_disc\": %d, ", i ? ", " : "", stages->first_disc[i]);
        print_json_tally(&it->stage[i]);
    }
    printf("], \"tables\": [");
    uint32_t count;
    const char *name;
    for (int i = 0; (name = willow_pattern_set_part(set, i, NULL, &count)) != NULL; i++) {
        printf("%s{\"table\": \"%s\", \"weights\": %" PRIu32 ", ", i ? ", " : "", name, count);
        print_json_tally(&it->part[i]);
    }
    printf("], \"provenance\": ");
    willow_json_string(stdout, willow_weights_provenance(it->weights));
    printf("}\n");
}

void weights_info(const char *name, const struct willow_weights *weights, bool json)
{
    struct description description = {.name = name, .weights = weights};
    describe(&description);
    (json ? print_json : print_text)(&description);
}
