/* The cross table and the standings of a match: as text for a terminal and as members of a JSON object.
 * Layer: selfplay (program). Prints; computes nothing but widths and, for JSON, what statistics.h says of a tally.
 */
#ifndef WILLOW_SELFPLAY_MATCH_TABLE_H
#define WILLOW_SELFPLAY_MATCH_TABLE_H

#include <stdio.h>

#include "match/standings.h"

/* Best player first. One table where it fits into `columns`; else the standings, and below them the cross table in as
 * many parts as it takes. Long names lose their middle. Columns that would be empty (byes, faults) are left out, and
 * the numbers of withdrawn players have a '*'. names[player]; the caller checks the stream. */
void match_table_print(FILE *stream, const char *const *names, const struct standings *standings, int columns);

/* "players":[...] by rank, and "encounters":[...] as given, without a comma at the end. An encounter has the names a
 * and b and the members of match_table_json_tally; ratings that are not known are null.
 * squares: of the board. */
void match_table_json(FILE *stream, const char *const *names, const struct standings *standings,
                      const struct rating_encounter *encounters, size_t count, int squares);

/* Members of one tally, without braces: games, pairs, wins, draws, losses, pentanomial; score, elo, nelo and discs (a
 * game), each also with _low and _high, and los: all null without a pair. */
void match_table_json_tally(FILE *stream, const struct statistics_tally *tally, int squares);

/* Rounded for printing, without the minus of a zero. */
double match_whole(double elo);

#endif
