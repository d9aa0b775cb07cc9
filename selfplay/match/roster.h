/* Who played the games of a match's folder: roster.txt, a line "NAME: how it plays" for every engine that ever took
 * part, names with a colon in quotes. Layer: selfplay. Players may join a match and leave it, but none may change
 * behind its name.
 */
#ifndef WILLOW_SELFPLAY_ROSTER_H
#define WILLOW_SELFPLAY_ROSTER_H

#include "engine.h"

/* Whether the engines (open) play as those of their names did when the folder was last played in; a folder or roster
 * that is not there agrees with all. WILLOW_ERR_MISMATCH names the engine and what it was; _FORMAT, _IO, _MEMORY. */
enum willow_status roster_check(const char *folder, const struct engine *engines, int count,
                                struct willow_error *error);

/* The same, and adds those that are new; the caller has the folder's lock. */
enum willow_status roster_update(const char *folder, const struct engine *engines, int count,
                                 struct willow_error *error);

#endif
