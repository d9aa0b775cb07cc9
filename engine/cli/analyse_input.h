/* Where willow analyse gets its games from: a file, a stream, or a board and moves on the command line.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_ANALYSE_INPUT_H
#define WILLOW_CLI_ANALYSE_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <willow/records.h>
#include <willow/status.h>

/* All null or zero: nothing was asked for. */
struct analyse_source {
    const char *file;          /* null or "-" = standard input */
    const char *format;        /* name of the file's format; null = what it looks like */
    const char *board, *moves; /* in place of a file */
    uint64_t number;           /* the game wanted, from 1; 0 = all */
};

/* The games that are wanted, in their order. */
struct analyse_input {
    struct willow_record *records;
    size_t count;
};

/* Reads them all, so that nothing fails after hours of work: at least one, every one legal and of the ruleset.
 * WILLOW_ERR_IO, _MEMORY, _FORMAT (with the place), _MISMATCH, _ARGUMENT. The caller clears *input. */
enum willow_status analyse_input_read(struct analyse_input *input, const struct analyse_source *source,
                                      const struct willow_ruleset *ruleset, struct willow_error *error);
void analyse_input_clear(struct analyse_input *input);

#endif
