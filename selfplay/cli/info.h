/* The forms in which `willow selfplay info` shows a census. Layer: selfplay (program). */
#ifndef WILLOW_SELFPLAY_INFO_H
#define WILLOW_SELFPLAY_INFO_H

#include "tools/census.h"

/* Names of the bits of willow_row.flags, as keys of the JSON. */
extern const char *const info_flag_names[CENSUS_FLAGS];

double info_share(uint64_t part, uint64_t whole); /* 0 of nothing is 0 */
uint64_t info_games_planned(const struct census *census);
int info_plies(const struct census *census);               /* that positions of the ruleset can have, 0 .. this - 1 */
struct census_ply info_whole(const struct census *census); /* sums over all plies */

/* On stdout, within 80 columns. unicode: block characters, else ASCII. */
void info_print_text(const struct census *census, bool unicode);

/* One line on stdout. */
void info_print_json(const struct census *census);

/* One SVG picture, written to `path` as a whole. WILLOW_ERR_IO, _MEMORY. */
enum willow_status info_write_svg(const struct census *census, const char *path, struct willow_error *error);

#endif
