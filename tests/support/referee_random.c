/* Random boards, played and drawn with the referee. */
#include "support/referee_random.h"

struct referee referee_random_game(struct willow_random *random)
{
    /* The usual start in the middle of the whole board of the build. */
    struct referee position = referee_from_words(0, 0, WILLOW_BITS_ALL);
    char *middle = position.cells + WILLOW_SIDE * (WILLOW_SIDE / 2 - 1) + WILLOW_SIDE / 2 - 1;
    middle[1] = middle[WILLOW_SIDE] = 'X';
    middle[0] = middle[WILLOW_SIDE + 1] = 'O';
    uint32_t plies = willow_random_below(random, WILLOW_SQUARES - 4 + 1);
    while (plies > 0 && !referee_over(&position)) {
        const willow_bits moves = referee_moves(&position);
        position = referee_play(&position, moves == 0 ? WILLOW_PASS : willow_random_bit(random, moves));
        plies--;
    }
    return position;
}

struct referee referee_random_pattern(struct willow_random *random)
{
    const uint32_t player = willow_random_below(random, 9), opponent = willow_random_below(random, 9);
    const uint32_t empty = player + opponent == 0 ? 1 : willow_random_below(random, 9);
    struct referee position = referee_from_words(0, 0, WILLOW_BITS_ALL);
    for (int i = 0; i < WILLOW_SQUARES; i++) {
        const uint32_t draw = willow_random_below(random, player + opponent + empty);
        position.cells[i] = draw < player ? 'X' : draw < player + opponent ? 'O' : '-';
    }
    return position;
}
