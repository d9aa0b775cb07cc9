/* Masks and boards compared whole: cmocka's integers have 64 bits. Include it behind cmocka.h. */
#ifndef TESTS_ASSERT_BITS_H
#define TESTS_ASSERT_BITS_H

#include <willow/board.h>

#define assert_bits_equal(a, b)                                                                                        \
    do {                                                                                                               \
        const willow_bits assert_a = (a), assert_b = (b);                                                              \
        for (int assert_word = 0; assert_word < WILLOW_BITS_WORDS; assert_word++)                                      \
            assert_int_equal(willow_bits_word(assert_a, assert_word), willow_bits_word(assert_b, assert_word));        \
    } while (0)

#define assert_boards_equal(a, b)                                                                                      \
    do {                                                                                                               \
        const struct willow_board assert_left = (a), assert_right = (b);                                               \
        assert_bits_equal(assert_left.player, assert_right.player);                                                    \
        assert_bits_equal(assert_left.opponent, assert_right.opponent);                                                \
    } while (0)

#endif
