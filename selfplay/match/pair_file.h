/* Reads games.jsonl, in which two lines make a pair, without holding more than one pair. Layer: selfplay. Writes
 * nothing.
 */
#ifndef WILLOW_SELFPLAY_PAIR_FILE_H
#define WILLOW_SELFPLAY_PAIR_FILE_H

#include <stdint.h>

#include <willow/status.h>

#include "match_folder.h"

/* Reads all of an open file from its beginning and hands out its pairs (visit may be null). *whole_bytes is where the
 * last whole pair ends: what a kill or a power cut left of one behind it is no fault. WILLOW_ERR_FORMAT (everything
 * else that is no game: file, line, reason), _IO, _MEMORY; what visit returned. */
enum willow_status pair_file_read(int fd, const char *path, const struct willow_ruleset *ruleset,
                                  match_folder_visit *visit, void *context, uint64_t *whole_bytes,
                                  struct willow_error *error);

#endif
