/* The configuration file of `willow match`: engines by name, and every option. Layer: selfplay (program). */
#ifndef WILLOW_SELFPLAY_MATCH_FILE_H
#define WILLOW_SELFPLAY_MATCH_FILE_H

#include "match_command.h"

/* Error rates of a test, for options and files alike. */
#define MATCH_ERROR_MIN 0.0001
#define MATCH_ERROR_MAX 0.4999

bool match_format_find(const char *name, enum schedule_format *format);
const char *match_format_name(enum schedule_format format);

/* Sets in *command what the YAML file says, its players included; names of weights, openings and engines' folders are
 * relative to the file's folder, that of the games to the present one. WILLOW_ERR_FORMAT with the key or the line, _IO,
 * _MEMORY. command->file is for match_file_free in any case. */
enum willow_status match_file_load(struct match_command *command, const char *name, struct willow_error *error);
void match_file_free(struct match_file *file);

/* Makes the engine of that name, where the file has one; file may be null. The same engine may be made twice.
 * WILLOW_ERR_FORMAT names the file and the engine; _MEMORY. *engine must be cleared in any case. */
enum willow_status match_file_engine(const struct match_file *file, const char *name, struct engine *engine,
                                     bool *found, struct willow_error *error);

#endif
