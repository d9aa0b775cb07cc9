/* The report of a ProbCut fit in print: a table for people, JSON for programs. Layer: trainer (program). */
#ifndef TRAINER_PROBCUT_TABLE_H
#define TRAINER_PROBCUT_TABLE_H

#include "probcut/probcut.h"

#include <stdio.h>

void probcut_table_print(FILE *stream, const struct probcut_report *report, const char *out);
void probcut_json_print(FILE *stream, const struct probcut_report *report, const struct willow_weights *weights);

#endif
