/* A match's games for other programs: games.ggf (games.sgf where GGF has no word for the ruleset) and games.txt, made
 * from games.jsonl. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_GAME_TEXTS_H
#define WILLOW_SELFPLAY_GAME_TEXTS_H

#include <willow/ruleset.h>
#include <willow/status.h>

/* Replaces both files in the folder by the games of the open games.jsonl (`fd`, at `path`), in its order, a line a
 * game, pair by pair so that a long match takes no more memory than a short one. At no instant does a name hold a part
 * of a file. What pair_file_read returns; WILLOW_ERR_IO. */
enum willow_status game_texts_write(const char *folder, int fd, const char *path, const struct willow_ruleset *ruleset,
                                    struct willow_error *error);

#endif
