/* What the user asked of `willow train fit`: command line over configuration file over defaults. Layer: trainer
 * (program). The numbers stand in one table, from which the options, the keys and the saved configuration are made.
 */
#ifndef TRAINER_FIT_SETTINGS_H
#define TRAINER_FIT_SETTINGS_H

#include "fit/fit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every number: its name here, its group in --help, its key, its option, short option or 0, argument in --help, whether
 * it is whole, its range, its default, and its text in --help. */
#define FIT_NUMBER_TABLE(X)                                                                                            \
    X(THREADS, WORK, "threads", "threads", 't', "T", true, 1, 256, 0, "Threads (default: the cores available)")        \
    X(ITERATIONS, FIT, "iterations", "iterations", 'i', "N", true, 0, 100000, 100, "At most so many steps a stage")    \
    X(STAGES, MODEL, "stages", "stages", 'n', "N", true, 1, WILLOW_SQUARES - 4, 0,                                     \
      "Stages when starting from zero (default: 20)")                                                                  \
    X(WINDOW, MODEL, "window", "window", 0, "PLIES", true, 0, WILLOW_PLIES - 1, 0,                                     \
      "Fit a stage also to rows of so many plies around it, which count less")                                         \
    X(TOLERANCE, FIT, "tolerance", "tolerance", 0, "SHARE", false, 1e-9, 0.1, 1e-3,                                    \
      "A stage is done when its held-out loss no longer falls by this share in --patience steps")                      \
    X(PATIENCE, FIT, "patience", "patience", 0, "STEPS", true, 1, 1000, 5,                                             \
      "Steps in which the held-out loss must fall by --tolerance")                                                     \
    X(HELD_OUT, ROWS, "held_out", "held-out", 0, "SHARE", false, 0, 0.9, 0.05,                                         \
      "Share of the games that are measured, not fitted")                                                              \
    X(PRIOR, FIT, "prior", "prior", 'p', "ROWS", false, 0, 1e9, 30,                                                    \
      "Pull of a weight towards where it started, in rows")                                                            \
    X(BACKOFF, FIT, "backoff", "backoff", 0, "SQUARES", true, 0, 3, 3,                                                 \
      "Configurations share what they agree on in up to so many squares; 0 = nothing")                                 \
    X(BACKOFF_PRIOR, FIT, "backoff_prior", "backoff-prior", 0, "ROWS", false, 1e-3, 1e9, 30,                           \
      "Pull of what configurations share, in rows")                                                                    \
    X(CLIP, FIT, "clip", "clip", 0, "DISCS", false, 0.5, 256, 24, "Larger errors count as this one")                   \
    X(RATE, FIT, "rate", "rate", 0, "X", false, 1e-6, 38, 10, "descent: first step, in what a constant takes")         \
    X(BATCH, FIT, "batch", "batch", 0, "ROWS", true, 1, 1e9, 32768, "descent: rows of a step, in blocks of 1024")      \
    X(RESULT_WEIGHT, ROWS, "result_weight", "result-weight", 0, "SHARE", false, 0, 1, 0,                               \
      "Share of the result in the label of an inexact score")                                                          \
    X(WEIGHT_SCORE, ROWS, "weight_score", "weight-score", 0, "X", false, 0, 15, 1,                                     \
      "How much a row counts whose label rests on a search score")                                                     \
    X(WEIGHT_EXACT, ROWS, "weight_exact", "weight-exact", 0, "X", false, 0, 15, 1,                                     \
      "How much a row counts whose label rests on an exact score")                                                     \
    X(WEIGHT_RESULT, ROWS, "weight_result", "weight-result", 0, "X", false, 0, 15, 1,                                  \
      "How much a row counts whose label is the result alone")                                                         \
    X(RANDOM_DISTANCE, ROWS, "random_distance", "random-distance", 0, "PLIES", true, 0, LABEL_DISTANCE_MAX, 0,         \
      "Leave out rows with fewer plies than this since the last random move")                                          \
    X(GAP, ROWS, "gap", "gap", 0, "DISCS", false, 0, LABEL_GAP_MAX, 0,                                                 \
      "Leave out rows whose score and result differ by more; 0 = none")                                                \
    X(CHECKPOINT, WORK, "checkpoint", "checkpoint", 0, "SECONDS", false, 0, 86400, 60,                                 \
      "Save the state so often, to go on after a kill; 0 = never")

#define FIT_NUMBER_NAME(name, group, key, option, letter, argument, whole, low, high, standard, help) FIT_##name,
enum fit_number { FIT_NUMBER_TABLE(FIT_NUMBER_NAME) FIT_NUMBERS };
#undef FIT_NUMBER_NAME

/* Groups of options in --help. */
enum fit_group { FIT_GROUP_MODEL = 1, FIT_GROUP_ROWS, FIT_GROUP_FIT, FIT_GROUP_WORK };

struct fit_number_row {
    enum fit_group group;
    const char *key, *option;
    int letter;
    const char *argument;
    bool whole;
    double low, high, standard;
    const char *help;
};
extern const struct fit_number_row fit_numbers[FIT_NUMBERS];

/* Words that a setting can be: two or three. */
enum fit_label { FIT_LABEL_AUTO, FIT_LABEL_SCORE, FIT_LABEL_RESULT };
enum { FIT_WORDS_MAX = 3, FIT_WORDS_TEXT = 64 };
struct fit_words {
    enum fit_group group;
    const char *key, *help;
    const char *word[FIT_WORDS_MAX]; /* the third may be null */
};
enum fit_choice { FIT_LABEL, FIT_START, FIT_SOLVER, FIT_CHOICES };
extern const struct fit_words fit_words[FIT_CHOICES];

/* "conjugate or descent". Returns buffer. */
char *fit_words_text(enum fit_choice choice, char buffer[FIT_WORDS_TEXT]);

/* Shares of score, exact score and result in the labels of some plies, each 0..LABEL_BLEND_MAX; where there is none for
 * a ply, `label` and `result_weight` say. */
struct fit_blend {
    int first_ply, last_ply;
    double score, exact, result;
};
enum { FIT_BLENDS_MAX = 60 };

struct fit_file; /* the configuration file as loaded; strings below may point into it */

struct fit_settings {
    const char *config; /* null = none */
    const char **data;  /* data_count folders */
    size_t data_count;
    const char *ruleset;                                   /* that the data must be of; null = not given */
    const char *out, *init, *patterns, *without, *scratch; /* null = not given, but out */
    int first_ply, last_ply;
    double number[FIT_NUMBERS]; /* within the ranges of the table; FIT_THREADS 0 = not given */
    int choice[FIT_CHOICES];    /* index of the word */
    struct fit_blend blends[FIT_BLENDS_MAX];
    size_t blend_count;
    bool drop_random, fresh, has_seed, quiet, json;
    uint64_t seed;
    struct label_rules rules; /* what the settings come to */
    struct fit_file *file;
};

/* Parses the command line and the configuration file that it names. Bad usage ends the program (exit 2), as always with
 * willow_parse_options; a bad file comes back as an error. The caller clears *settings, also after a failure. */
enum willow_status fit_settings_parse(struct fit_settings *settings, int argc, char **argv, struct willow_error *error);
void fit_settings_clear(struct fit_settings *settings);

/* The settings as a configuration that repeats the fit; work = false: without those that the weights do not depend on.
 * *text is allocated; the caller frees it. WILLOW_ERR_MEMORY. */
enum willow_status fit_settings_text(const struct fit_settings *settings, bool work, char **text, size_t *size,
                                     struct willow_error *error);

/* Writes that beside the result, as "OUT.yaml". WILLOW_ERR_IO, _MEMORY. */
enum willow_status fit_settings_save(const struct fit_settings *settings, struct willow_error *error);

/* OUT with a suffix. WILLOW_ERR_ARGUMENT when it is too long. */
enum { FIT_PATH_BYTES = 4096 };
enum willow_status fit_settings_path(const struct fit_settings *settings, const char *suffix, char path[FIT_PATH_BYTES],
                                     struct willow_error *error);

/* Parts of the parsing. `set_word` is false for no such word. The file's: loads it over *settings; frees it. */
bool fit_settings_set_word(struct fit_settings *settings, enum fit_choice choice, const char *word);
bool fit_blend_parse(const char *text, struct fit_blend *blend); /* "A-B:SCORE,EXACT,RESULT" */
bool fit_blend_valid(const struct fit_blend *blend);
enum willow_status fit_file_load(struct fit_settings *settings, struct willow_error *error);
void fit_file_free(struct fit_file *file);

#endif
