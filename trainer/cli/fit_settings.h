/* What the user asked of `willow train fit`: command line over configuration file over defaults. Layer: trainer
 * (program). */
#ifndef TRAINER_FIT_SETTINGS_H
#define TRAINER_FIT_SETTINGS_H

#include "fit/fit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fit_label { FIT_LABEL_AUTO, FIT_LABEL_SCORE, FIT_LABEL_RESULT };

struct fit_file; /* the configuration file as loaded; strings below may point into it */

struct fit_settings {
    const char *config; /* null = none */
    const char **data;  /* data_count folders */
    size_t data_count;
    const char *out, *init, *patterns, *scratch; /* null = not given, but out */
    int first_ply, last_ply, stages, threads, iterations, window;
    double held_out, prior, clip_discs, result_weight;
    enum fit_label label;
    enum fit_start start;
    struct label_rules rules; /* what label and result_weight come to */
    bool has_seed, quiet, json;
    uint64_t seed;
    struct fit_file *file;
};

/* Parses the command line and the configuration file that it names. Bad usage ends the program (exit 2), as always with
 * willow_parse_options; a bad file comes back as an error. The caller clears *settings, also after a failure. */
enum willow_status fit_settings_parse(struct fit_settings *settings, int argc, char **argv, struct willow_error *error);
void fit_settings_clear(struct fit_settings *settings);

/* Writes the settings beside the result, as "OUT.yaml": a configuration that repeats the fit. WILLOW_ERR_IO, _MEMORY.
 */
enum willow_status fit_settings_save(const struct fit_settings *settings, struct willow_error *error);

#endif
