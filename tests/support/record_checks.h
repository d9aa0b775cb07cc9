/* What tests of the readers of game records share: random games with the referee's moves, whether two games are one,
 * and data that was cut and garbled. */
#ifndef TESTS_RECORD_CHECKS_H
#define TESTS_RECORD_CHECKS_H

#include <willow/random.h>
#include <willow/records.h>

/* A game of the ruleset from its start or, with any_start, from any pattern of discs and with either side to move; to
 * its end, or, with cut, to somewhere before it. */
struct willow_game record_random_game(const struct willow_ruleset *ruleset, struct willow_random *random,
                                      bool any_start, bool cut);

/* Same start, same moves, passes included. */
bool record_same_game(const struct willow_game *one, const struct willow_game *other);

/* Whatever the data: records come to an end, each makes sense by itself, and its game is one of legal moves. Also
 * guesses the format. Fails the test through cmocka. */
void record_check_sanity(const struct willow_ruleset *ruleset, enum willow_record_format format, const void *data,
                         size_t size);

/* The same for the data cut at every place from both ends, and with three bytes replaced, many times over; every
 * `step`-th place alone, for long data. The data is as before then. */
void record_check_garbled(const struct willow_ruleset *ruleset, enum willow_record_format format, unsigned char *data,
                          size_t size, size_t step, int mutations);

#endif
