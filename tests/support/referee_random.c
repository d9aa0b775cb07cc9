/* Random boards, played and drawn with the referee. */
#include "support/referee_random.h"

struct referee referee_random_game(struct willow_random *random)
{
    struct referee position = referee_from_words(0x0000000810000000u, 0x0000001008000000u, UINT64_MAX);
    uint32_t plies = willow_random_below(random, 61);
    while (plies > 0 && !referee_over(&position)) {
        const uint64_t moves = referee_moves(&position);
        position = referee_play(&position, moves == 0 ? 64 : willow_random_bit(random, moves));
        plies--;
    }
    return position;
}

struct referee referee_random_pattern(struct willow_random *random)
{
    const uint32_t player = willow_random_below(random, 9), opponent = willow_random_below(random, 9);
    const uint32_t empty = player + opponent == 0 ? 1 : willow_random_below(random, 9);
    struct referee position;
    for (int i = 0; i < 64; i++) {
        const uint32_t draw = willow_random_below(random, player + opponent + empty);
        position.cells[i] = draw < player ? 'X' : draw < player + opponent ? 'O' : '-';
    }
    return position;
}
