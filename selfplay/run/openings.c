/* The openings of a run: random ones so far. Layer: selfplay. */
#include "openings.h"

#include <stdlib.h>

#include <willow/random.h>

struct openings {
    struct openings_options options;
};

enum willow_status openings_new(const struct openings_options *options, struct openings **openings,
                                struct willow_error *error)
{
    *openings = malloc(sizeof **openings);
    if (!*openings)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    (*openings)->options = *options;
    return WILLOW_OK;
}

void openings_free(struct openings *openings)
{
    free(openings);
}

enum willow_status openings_take(struct openings *openings, uint64_t index, struct opening *opening,
                                 struct willow_error *error)
{
    const struct openings_options *options = &openings->options;
    (void)error;
    for (uint64_t trial = 0;; trial++) {
        struct willow_random random;
        willow_random_init(&random, options->seed + trial, index);
        int plies = options->plies_min +
                    (int)willow_random_below(&random, (uint32_t)(options->plies_max - options->plies_min + 1));
        willow_game_init(&opening->game, options->ruleset);
        opening->plies = 0;
        while (opening->plies < plies && !willow_game_over(&opening->game)) {
            uint64_t moves = willow_board_moves(options->ruleset, willow_game_board(&opening->game));
            willow_square move = (willow_square)(moves ? willow_random_bit(&random, moves) : WILLOW_PASS);
            (void)willow_game_play(&opening->game, move, NULL);
            opening->plies += moves != 0;
        }
        if (!willow_game_over(&opening->game))
            return WILLOW_OK;
    }
}

uint64_t openings_count(const struct openings *openings)
{
    (void)openings;
    return 0;
}

uint64_t openings_doubles(const struct openings *openings)
{
    (void)openings;
    return 0;
}
