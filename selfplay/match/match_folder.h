/* A match on disk: its settings, every game of whole pairs, and going on where it stopped. Layer: selfplay.
 * The folder holds match.json (which match it is), match.yaml (the resolved settings), games.jsonl (a line a game, the
 * truth), and made from it games.ggf (games.sgf for rulesets that GGF has no word for) and games.txt (transcripts);
 * programs' standard errors go to engines.log.
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

/* Makes the folder or opens one of the same match. `identity`, what fixes its games, is kept in match.json: a folder
 * whose text is another one is refused with the first line that differs, so a line should say one thing. `settings`,
 * the YAML a person reads, replaces match.yaml. Takes a lock. Every game on record is replayed by the rules, and visit
 * (may be null) gets its pairs; that no pair is there twice is for the visitor to see. Only then is a pair that a kill
 * cut in half dropped. WILLOW_ERR_BUSY (another match works there, or the folder holds something else, which is left
 * alone), _MISMATCH (another match's), _FORMAT (damaged: file, line and reason), _VERSION, _IO, _MEMORY, _ARGUMENT (a
 * path too long); what visit returned. */
enum willow_status match_folder_open(const char *path, const struct willow_ruleset *ruleset, const char *identity,
                                     const char *settings, match_folder_visit *visit, void *context,
                                     struct match_folder **folder, struct willow_error *error);

/* Adds both games at once; on return they are on disk, safe from a power cut. A failure leaves the file at whole pairs
 * when it is opened next. WILLOW_ERR_ARGUMENT for a pair that would not be read again (result and end do not agree,
 * names that are no names); _IO, also when the folder was removed meanwhile; _MEMORY. */
enum willow_status match_folder_append(struct match_folder *folder, const struct match_folder_pair *pair,
                                       struct willow_error *error);

/* Descriptor of engines.log, opened for appending; belongs to the folder. */
int match_folder_log(const struct match_folder *folder);

/* Rewrites games.ggf (or games.sgf) and games.txt from games.jsonl and closes, also when that fails. Null is accepted.
 * WILLOW_ERR_IO, _FORMAT, _MEMORY; the games on record stay as they are. */
enum willow_status match_folder_close(struct match_folder *folder, struct willow_error *error);

#endif
