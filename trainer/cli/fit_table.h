/* Prints the report of a fit, as a table for people or as JSON for programs. Layer: trainer (program). */
#ifndef TRAINER_FIT_TABLE_H
#define TRAINER_FIT_TABLE_H

#include "fit/fit.h"

#include <stdio.h>

void fit_table_print(FILE *stream, const struct fit_report *report, const char *out);

/* One object; see trainer/README.md for its fields. */
void fit_json_print(FILE *stream, const struct fit_report *report, const struct willow_weights *weights);

#endif
