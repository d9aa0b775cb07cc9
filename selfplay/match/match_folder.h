/* A match on disk: its settings, every game of whole pairs, and going on where it stopped. Layer: selfplay.
 * The folder holds match.yaml (the resolved settings), games.jsonl (a line a game, the truth), and made from it
 * games.ggf and games.txt (transcripts); programs' standard errors go to engines.log.
 */
#ifndef WILLOW_SELFPLAY_MATCH_FOLDER_H
#define WILLOW_SELFPLAY_MATCH_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#include "game_record.h"

struct match_folder;

/* A pair on record, known by its players' names and its number within their encounter. */
struct match_folder_pair {
    const char *names[2]; /* the first has black in the first game */
    size_t number;
    struct game_record games[2];
};

/* Called for each whole pair on record, in the order of the file. The pair is valid during the call. */
typedef enum willow_status match_folder_visit(void *context, const struct match_folder_pair *pair,
                                              struct willow_error *error);

/* Makes the folder or opens one of the same match: `identity` (what fixes its games, and must not differ) stands beside
 * `settings` (the YAML a person reads, replaced). Takes a lock. A pair that a kill cut in half is dropped. Every game
 * on record is replayed by the rules. WILLOW_ERR_BUSY (another match works there, or the folder holds something else),
 * _MISMATCH (another match's), _FORMAT (damaged: line and reason), _IO, _MEMORY. */
enum willow_status match_folder_open(const char *path, const struct willow_ruleset *ruleset, const char *identity,
                                     const char *settings, match_folder_visit *visit, void *context,
                                     struct match_folder **folder, struct willow_error *error);

/* Adds both games at once; on return they are on disk. A failure leaves the file at whole pairs when it is opened next.
 */
enum willow_status match_folder_append(struct match_folder *folder, const struct match_folder_pair *pair,
                                       struct willow_error *error);

/* Descriptor of engines.log, opened for appending; belongs to the folder. */
int match_folder_log(const struct match_folder *folder);

/* Rewrites games.ggf and games.txt from games.jsonl and closes. Null is accepted. */
enum willow_status match_folder_close(struct match_folder *folder, struct willow_error *error);

#endif
