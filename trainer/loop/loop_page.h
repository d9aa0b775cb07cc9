/* Parts of the loop's page. Layer: trainer (program), inside the report alone. */
#ifndef WILLOW_TRAINER_LOOP_PAGE_H
#define WILLOW_TRAINER_LOOP_PAGE_H

#include <stdio.h>

#include "loop_report.h"

/* Strength, errors and time by generation, and the best one's error over the game. Without memory for a drawing there
 * are none. */
void loop_page_charts(FILE *out, const struct report *report);

/* By generation: strength, errors and gate; what it learnt from and its time. Who scored what against whom. */
void loop_page_generations(FILE *out, const struct report *report);
void loop_page_learning(FILE *out, const struct report *report);
void loop_page_cross(FILE *out, const struct report *report);

#endif
