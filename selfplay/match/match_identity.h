/* match.json: which match a folder holds, so that no other one is played into it. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_MATCH_IDENTITY_H
#define WILLOW_SELFPLAY_MATCH_IDENTITY_H

#include <stdbool.h>

#include <willow/ruleset.h>
#include <willow/status.h>

/* Whether an existing folder may become or be a match's: it holds match.json, or nothing but a lock file and what a
 * kill left of writing match.json. WILLOW_ERR_BUSY names what else is in it; WILLOW_ERR_IO. Writes nothing. */
enum willow_status match_identity_check_folder(const char *folder, struct willow_error *error);

/* Whether the folder, if it holds match.json, is of a match of the ruleset. WILLOW_ERR_* as match_identity_settle.
 * Writes nothing. */
enum willow_status match_identity_check_ruleset(const char *folder, const struct willow_ruleset *ruleset,
                                                struct willow_error *error);

/* Writes match.json into a folder that has none; otherwise compares. WILLOW_ERR_MISMATCH with the first line that
 * differs, _BUSY (not of Willow), _FORMAT, _VERSION, _IO, _MEMORY. */
enum willow_status match_identity_settle(const char *folder, const struct willow_ruleset *ruleset, const char *identity,
                                         struct willow_error *error);

#endif
