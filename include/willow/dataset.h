/* Datasets: folders of HDF5 shards of labelled positions, written once, verified, and read in a stream.
 * Layer: selfplay/dataset (a library of its own; the trainer links it alone). Only one thread at a time may be in a
 * call that touches shards, as HDF5 wants it; this library does not lock.
 */
#ifndef WILLOW_DATASET_H
#define WILLOW_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/checksum.h>
#include <willow/game.h>
#include <willow/ruleset.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version written; 1 is read too (it knows no selectivity: its scores left out nothing). */
enum { WILLOW_DATASET_VERSION = 2, WILLOW_SCORE_MISSING = -32768 };

/* Bits of willow_row.flags. */
enum {
    WILLOW_ROW_RANDOM = 1,        /* the move played here was not the search's: of the opening, random or noise */
    WILLOW_ROW_EXACT = 2,         /* score is exact */
    WILLOW_ROW_AFTER_PASS = 4,    /* the other side has just passed */
    WILLOW_ROW_SELECTIVE = 8,     /* score comes from a search of selectivity < 100 and is not exact */
    WILLOW_ROW_AFTER_RANDOM = 16, /* the last move before this position was random in the sense above */
    WILLOW_ROW_SOLVED_RESULT = 32 /* result is not how the game ended: it is what the solver says of the first position
                                     with few empties, or of this one where it has as few */
};

/* Plies that a position can have: discs on the board - 4. Positions of a placement phase are not stored. */
enum { WILLOW_PLIES = WILLOW_SQUARES - 3 };

/* One position, seen from the side to move. Positions where the side must pass are not stored. */
struct willow_row {
    willow_bits player, opponent;
    int16_t score;       /* search score, 1/32 disc; WILLOW_SCORE_MISSING = none */
    int8_t result;       /* final disc difference of its game for the side to move, winner takes the empties */
    uint8_t move;        /* played from here: a square */
    uint8_t ply;         /* discs on the board - 4 */
    uint8_t depth;       /* of the score; 0 when missing */
    uint8_t selectivity; /* of the score's search, percent; 100 = nothing left out, as of exact ones; 0 when missing */
    uint8_t flags;
    uint64_t game; /* id of the game, unique in the dataset */
};

struct willow_game_row {
    uint64_t id;
    uint8_t opening_plies; /* plies of its opening, passes not counted */
    int8_t result;         /* final difference in discs for black */
    uint8_t length;        /* moves, passes included */
    uint8_t black_weights,
        white_weights; /* whose search chose the moves: 0 = the run's weights, k = the k-th of its pool */
    willow_square moves[WILLOW_GAME_MAX]; /* WILLOW_NO_SQUARE after the last */
};

/* How the rows of a shard lie in its file; what they say is the same. */
enum willow_shard_layout {
    /* Blocks of 30 plies, by game within, deflate level 6: the smallest files, under 9 bytes a position. */
    WILLOW_LAYOUT_COMPACT,
    /* Ply by ply, level 1: half as large again, quicker to write, and a stage is read without its neighbours. */
    WILLOW_LAYOUT_PLIES
};

/* What goes into a shard's attributes; all texts terminated. */
struct willow_shard_info {
    uint32_t ruleset;
    uint64_t seed, first_game, rows, games;
    char tool[64]; /* version and commit of the writer */
    char weights[WILLOW_CHECKSUM_TEXT];
    char labels[128]; /* what `score` means, in words */
    /* Text of up to 16 MiB, stored as a dataset; owned by the caller on write, null after a read of the header. */
    const char *configuration;
    enum willow_shard_layout layout;
    int threads; /* that pack its columns, the caller's included; 0 = 1. The file does not depend on it */
};

/* A wide build writes another kind of shard, format "willow-wide-dataset", whose columns `player_high` and
 * `opponent_high` (u64) hold bits 64 and above; neither build opens the other's (WILLOW_ERR_MISMATCH, with the
 * ruleset's name).
 *
 * Writes folder/shard-NNNNNN.h5: as .tmp, flushed, closed, synced, reopened, verified (row and game counts, column
 * checksums, legality of every row), renamed, folder synced. Rows are stored sorted by (block of plies, game, ply),
 * blocks being of block_plies (an attribute: 30, or 1) plies; /ply_rows (u64[WILLOW_PLIES]) counts the rows of each
 * ply. rows is sorted in place. checksum receives the XXH3-128 of the file. Two shards from the same rows differ in
 * host and time attributes alone. WILLOW_ERR_IO (disk full and the like), _BUSY (exists), _FORMAT (an illegal row:
 * nothing is written). */
enum willow_status willow_shard_write(const char *folder, uint32_t number, const struct willow_shard_info *info,
                                      struct willow_row *rows, const struct willow_game_row *games,
                                      char checksum[WILLOW_CHECKSUM_TEXT], struct willow_error *error);

/* The manifest: what a dataset consists of. */
struct willow_manifest_shard {
    uint32_t number;
    uint64_t rows, games, first_game;
    char checksum[WILLOW_CHECKSUM_TEXT];
};
struct willow_manifest {
    uint32_t ruleset;
    uint64_t seed, planned_games;                      /* planned_games = 0 where unknown */
    char configuration_checksum[WILLOW_CHECKSUM_TEXT]; /* of the resolved configuration: resume refuses another */
    size_t count;
    struct willow_manifest_shard *shards; /* by number */
};

/* folder/manifest.json, replaced atomically. A missing file reads as WILLOW_ERR_IO. The caller clears *manifest. */
enum willow_status willow_manifest_read(const char *folder, struct willow_manifest *manifest,
                                        struct willow_error *error);
enum willow_status willow_manifest_write(const char *folder, const struct willow_manifest *manifest,
                                         struct willow_error *error);
enum willow_status willow_manifest_add(struct willow_manifest *manifest, const struct willow_manifest_shard *shard,
                                       struct willow_error *error);
void willow_manifest_clear(struct willow_manifest *manifest);

/* A stream over the rows of several datasets, restricted to plies first..last (0 .. WILLOW_PLIES - 1), in the order
 * folder, shard, block of plies, game, ply; a folder that is named twice is read twice. Memory is bounded by a few
 * chunks whatever the size. Every shard that is opened is checked: format, version, ruleset, `complete`, lengths of
 * columns; its rows are checked as they are read (legal board, ply, ranges); the file checksums only with verify =
 * true. */
struct willow_reader;
enum willow_status willow_reader_open(const char *const *folders, size_t count, int first_ply, int last_ply,
                                      const struct willow_ruleset *ruleset, bool verify, struct willow_reader **reader,
                                      struct willow_error *error);

/* Leaves the stream only those shards whose place among all shards of all folders, from 0, is self modulo count: the
 * shares of self = 0 .. count - 1 are disjoint and together the whole, and a shard is in the same share whatever the
 * plies. Once, before the first willow_reader_next; 0 <= self < count. */
void willow_reader_share(struct willow_reader *reader, int self, int count);

/* Rows in the whole stream, or in its share. */
uint64_t willow_reader_rows(const struct willow_reader *reader);

/* Fills up to `capacity` rows, all of one shard; *count = 0 at the end. */
enum willow_status willow_reader_next(struct willow_reader *reader, struct willow_row *rows, size_t capacity,
                                      size_t *count, struct willow_error *error);

/* Where the rows of the last call came from, which must have given some: returns the place of the folder in `folders`,
 * and sets *shard to the number of the shard. */
size_t willow_reader_source(const struct willow_reader *reader, uint32_t *shard);

/* Back to the first row. */
enum willow_status willow_reader_rewind(struct willow_reader *reader, struct willow_error *error);
void willow_reader_free(struct willow_reader *reader);

/* Everything of one shard, for verify and info. Caller frees *rows and *games (free). Any out pointer may be null. */
enum willow_status willow_shard_read(const char *path, struct willow_shard_info *info, struct willow_row **rows,
                                     struct willow_game_row **games, struct willow_error *error);

/* True for about `share` of all game ids: the held-out games. By hash of (dataset seed, game id), so that a game is
 * never split. */
bool willow_game_held_out(uint64_t seed, uint64_t game, double share);

#ifdef __cplusplus
}
#endif
#endif
