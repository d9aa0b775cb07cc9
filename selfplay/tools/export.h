/* Writes a dataset as text: its rows as CSV, or its games as transcripts. Layer: selfplay. Prints to the given stream
 * alone. */
#ifndef WILLOW_SELFPLAY_EXPORT_H
#define WILLOW_SELFPLAY_EXPORT_H

#include <stdio.h>

#include <willow/dataset.h>
#include <willow/search.h>

struct export_options {
    const char *folder;
    int first_ply, last_ply;        /* CSV: rows of these plies */
    uint64_t limit;                 /* rows or games at most; 0 = all */
    const struct willow_stop *stop; /* null = none */
};

/* A line of column names, then one a row, in the order of the reader. Numbers do not depend on the locale. A write that
 * fails ends it with WILLOW_ERR_IO (errno is that of the write), as reading and WILLOW_ERR_STOPPED do; the caller
 * flushes the stream. *lines counts rows. */
enum willow_status export_csv(const struct export_options *options, FILE *stream, uint64_t *lines,
                              struct willow_error *error);

/* One game a line, as willow_transcript_format writes it. WILLOW_ERR_MISMATCH when the dataset keeps no games,
 * _FORMAT for a game that cannot be replayed. */
enum willow_status export_transcripts(const struct export_options *options, FILE *stream, uint64_t *lines,
                                      struct willow_error *error);

#endif
