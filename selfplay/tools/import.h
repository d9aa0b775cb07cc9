/* Makes a dataset of games that other programs or people played. Layer: selfplay. Prints nothing. */
#ifndef WILLOW_SELFPLAY_IMPORT_H
#define WILLOW_SELFPLAY_IMPORT_H

#include <willow/dataset.h>
#include <willow/records.h>
#include <willow/search.h>

enum { IMPORT_KINDS = WILLOW_RECORD_DAMAGED + 1 };

struct import_options {
    const struct willow_ruleset *ruleset; /* that the games are of */
    const char *const *files;             /* UTF-8 names */
    size_t count;
    bool by_name; /* the format of each file by the end of its name, .wtb, .ggf, .sgf, else by its content */
    enum willow_record_format format; /* of all files, when not by_name */
    const char *folder;
    uint64_t seed;        /* of the held-out choice */
    uint64_t shard_games; /* games of a shard, at least 1 */
    enum willow_shard_layout layout;
    int threads;   /* that pack a shard; 0 = 1 */
    bool distinct; /* leave out games that repeat an earlier one up to symmetry */
    bool strict;   /* leave out games whose recorded result is not the board's */
    const char *tool;
    const struct willow_stop *stop; /* null = none */

    /* Called for every record that is left out for a fault of its own (not for a repetition): file, place, reason.
     * Null = nobody asks. */
    void (*left_out)(void *context, const struct willow_error *fault);
    void (*progress)(void *context, uint64_t records_done, uint64_t records_total); /* while writing; null = none */
    void *context;
};

struct import_summary {
    uint64_t records;             /* read */
    uint64_t kinds[IMPORT_KINDS]; /* of them, by enum willow_record_kind */
    uint64_t differing;           /* complete ones whose recorded result is not the board's */
    uint64_t repeated;            /* complete ones with the moves of an earlier one, up to symmetry */
    uint64_t games, rows;         /* written */
    uint64_t shards, size_bytes;
};

/* "wthor", "ggf", "transcript", "sgf"; false when there is no such name. */
bool import_format_find(const char *name, enum willow_record_format *format);

/* Complete legal games become rows without scores and rows of /games, in the order of files and records, with ids 0, 1,
 * and so on; everything else is left out and counted. The board decides the result. The files are read twice: nothing
 * is written before all of them were read once. WILLOW_ERR_FORMAT, _MISMATCH (a file is none of its format or holds
 * positions, a file changed meanwhile, no game can be imported: the first reason), _STOPPED, and what reading and
 * writing give; *summary is then as far as it came. */
enum willow_status import_games(const struct import_options *options, struct import_summary *summary,
                                struct willow_error *error);

#endif
