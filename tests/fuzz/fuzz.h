/* What the fuzz harnesses share: the entry that libFuzzer calls, checks that end the program, a game seen by the
 * referee. Each harness fuzz_NAME.c is one reader with its oracles; built with WILLOW_FUZZ it is driven by libFuzzer,
 * else by replay.c over the inputs in seeds/NAME.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/status.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding: the place and the condition on stderr, then abort, which libFuzzer takes for a crash. */
#define FUZZ_REQUIRE(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

/* A terminated copy that fits exactly, so that a step behind it is seen. The caller frees. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The ruleset that an input is read in: named in its last line, as "#6x6", or the default of the build. *size is then
 * that of what comes before. */
const struct willow_ruleset *fuzz_ruleset(const uint8_t *data, size_t *size);

/* A refusal: its status is `status`, it says why, in one line as a program prints it, and where when `placed`. */
void fuzz_check_refusal(const struct willow_error *error, enum willow_status status, bool placed);

/* Every move is legal and every board right, in the eyes of the referee. */
void fuzz_check_game(const struct willow_game *game);

/* The same start and moves; passes behind the last move, which records leave out, do not count. */
void fuzz_check_same_game(const struct willow_game *one, const struct willow_game *two);

bool fuzz_same_board(struct willow_board one, struct willow_board two);

#endif
