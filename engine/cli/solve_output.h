/* How willow solve prints what it found: as a table, as OBF lines that it reads again, or as one JSON object.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_SOLVE_OUTPUT_H
#define WILLOW_CLI_SOLVE_OUTPUT_H

#include <stdio.h>

#include "solve.h"

enum solve_format { SOLVE_TEXT, SOLVE_OBF, SOLVE_JSON };

struct solve_style {
    enum solve_format format;
    const struct willow_ruleset *ruleset;
    bool positions; /* results of single positions are wanted, not the totals alone */
    bool is_static; /* no search */
    bool all_moves;
    bool raw; /* the empty squares are nobody's */
};

/* In this order: once, for each position, once. The caller checks stdout at the end. */
void solve_output_begin(const struct solve_style *style);
void solve_output_position(const struct solve_style *style, const struct solve_problem *problem,
                           const struct solve_verdict *verdict, bool first);
void solve_output_end(const struct solve_style *style, const struct solve_totals *totals);

/* In place of solve_output_position without a search. */
void solve_output_static(const struct solve_style *style, const struct solve_problem *problem,
                         const struct solve_static *outcome, bool first);

/* What solve_output_* is made of; see there. Totals as text go to the stream. */
void solve_text_position(const struct solve_style *style, const struct solve_problem *problem,
                         const struct solve_verdict *verdict);
void solve_text_static(const struct solve_problem *problem, const struct solve_static *outcome);
void solve_text_totals(FILE *stream, const struct solve_totals *totals, bool is_static);
void solve_json_begin(const struct solve_style *style);
void solve_json_position(const struct solve_style *style, const struct solve_problem *problem,
                         const struct solve_verdict *verdict, bool first);
void solve_json_static(const struct solve_style *style, const struct solve_problem *problem,
                       const struct solve_static *outcome, bool first);
void solve_json_totals(const struct solve_totals *totals);

/* "exact", "12", "12@73%", "end@95%": how far the search went. */
void solve_format_depth(const struct solve_problem *problem, char *buffer, size_t size);

/* "+4" where the score is that of the end of the game, else "+4.25". */
void solve_format_score(willow_score score, bool to_end, char *buffer, size_t size);

/* Shares are fractions of 1. */
double solve_share(uint64_t part, uint64_t whole);

#endif
