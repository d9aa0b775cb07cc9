/* What the three programs share: option parsing around argp, progress lines, errors and exit codes, YAML
 * configurations, Ctrl-C. Layer: engine/cli (target willow_program). Only programs link it; libraries never print.
 */
#ifndef WILLOW_PROGRAM_H
#define WILLOW_PROGRAM_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <willow/search.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Room for the name of a file. */
enum { WILLOW_PATH_BYTES = 4096 };

/* Exit codes. */
enum { WILLOW_EXIT_OK = 0, WILLOW_EXIT_FAILED = 1, WILLOW_EXIT_USAGE = 2 };

/* "0.1.0 (commit)", as --version prints and files record. */
const char *willow_version(void);

/* One verb of a program. run gets argv[0] = "willow verb". */
struct willow_verb {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
};

/* main of all three programs: finds argv[1] in verbs (ended by a null name), handles --help, --version and no verb,
 * sets argp's exit status and the locale-independent number format. family is the name the user typed before the verb
 * ("willow selfplay"). fallback (may be null) is asked for unknown verbs and returns an exit code, or -1 when it does
 * not know it either. */
int willow_program_main(int argc, char **argv, const char *family, const char *summary, const struct willow_verb *verbs,
                        int (*fallback)(int argc, char **argv));

/* argp_parse with this project's conventions: exit 2 on bad usage, --version, and no abbreviated surprises. */
void willow_parse_options(const struct argp *argp, int argc, char **argv, void *input);

/* Parsers for option values: whole text, range checked; on failure they print one line through argp_error and exit 2.
 */
int64_t willow_option_integer(const char *text, int64_t low, int64_t high, const char *option,
                              struct argp_state *state);
double willow_option_real(const char *text, double low, double high, const char *option, struct argp_state *state);
/* "A-B" or "A" with low <= A <= B <= high. The first form is for texts of other origin: false when it is none. */
bool willow_parse_range(const char *text, int low, int high, int *first, int *last);
void willow_option_range(const char *text, int low, int high, int *first, int *last, const char *option,
                         struct argp_state *state);
/* One of willow_selectivities, for --selectivity. The macro opens the option's text in --help. */
int willow_option_selectivity(const char *text, struct argp_state *state);
#define WILLOW_SELECTIVITY_HELP                                                                                        \
    "Leave out what shallow searches call hopeless, at this confidence: 73, 87, 95, 98, 99, or 100 for nothing"

/* Prints "willow: file: place: reason" in one line on stderr; returns WILLOW_EXIT_USAGE. */
int willow_report(const struct willow_error *error);

/* Prints the text as a JSON string with its quotes, which is a double-quoted scalar of YAML too; the caller checks the
 * stream. */
void willow_json_string(FILE *stream, const char *text);

/* Flushes stdout and checks it: a full disk or closed pipe turns exit code 0 into 2 with one line. */
int willow_finish(int exit_code);

/* Where a verb writes its result: standard output, or a file that appears whole or not at all; a device or a pipe is
 * written to as it stands. */
struct willow_output {
    FILE *stream;
    const char *name;                  /* for errors */
    char temporary[WILLOW_PATH_BYTES]; /* empty = there is none */
};

/* file: null = standard output; it must stay until the output is closed. WILLOW_ERR_IO. */
enum willow_status willow_output_open(struct willow_output *output, const char *file, struct willow_error *error);

/* Ends the file: with keep it is written out and appears, else what there was is as before. WILLOW_ERR_IO when writing
 * failed, now or earlier. Standard output is flushed and stays open. What is closed already is left alone. */
enum willow_status willow_output_close(struct willow_output *output, bool keep, struct willow_error *error);

/* --ruleset NAME, as a child of a verb's argp; its input is a const char *, which the name is put in (null = not
 * given). Its help lists the names. */
extern const struct argp willow_ruleset_argp;

/* The ruleset of that name as willow_ruleset_parse finds it, or `otherwise` when the name is null. On failure the error
 * is printed under the verb's name (typed) and WILLOW_EXIT_USAGE returned, else WILLOW_EXIT_OK. */
int willow_ruleset_choose(const char *typed, const char *name, uint64_t seed, const struct willow_ruleset *otherwise,
                          const struct willow_ruleset **ruleset);

/* One line on stderr, under the name `who`, where the name of weights (null = not given) leaves them to "default" and
 * none are shipped for the ruleset: zero weights play then, which no name says. */
void willow_tell_of_zero_weights(const char *who, const char *name, const struct willow_ruleset *ruleset);

/* Boards with more than 64 squares are played by the same programs built for them, which lie in the folder `wide`
 * beside these. Before a verb looks at its command line, willow_program_main hands it over to them when it concerns
 * such a board: it names a ruleset of that size, or a weights file (.wlw), a dataset or a configuration of one. This is
 * that look: true when the arguments do. Always false in a wide build. */
bool willow_arguments_are_wide(int argc, char *const *argv);

/* Limit of --threads in every verb, so that one verb can hand its number on to another. */
enum { WILLOW_THREADS_MAX = 256 };

/* Cores that this process may use, at most WILLOW_THREADS_MAX. */
int willow_default_threads(void);

/* A stop flag that SIGINT and SIGTERM set (installed on the first call; a second signal, 100 ms later
 * or more, kills). */
const struct willow_stop *willow_interrupt(void);

/* Progress on stderr: a live line on a terminal, a line every ten seconds otherwise, nothing when quiet. */
struct willow_progress {
    bool quiet, live;
    uint64_t start_ns, last_ns;
    size_t width;
};
void willow_progress_start(struct willow_progress *progress, bool quiet);
/* Cheap to call often: prints only when due (five times a second live), or when `last`. */
void willow_progress_line(struct willow_progress *progress, bool last, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* "4.2 s", "3 min 05 s", "2 h 10 min"; buffer holds at least 32 bytes. Returns buffer. */
char *willow_duration_text(double seconds, char *buffer);

/* Loads YAML into *value by a libcyaml schema (pointer schema, see cyaml.h): unknown keys, wrong types and bad syntax
 * come back as WILLOW_ERR_FORMAT with line and column where libcyaml knows them. The caller frees with
 * willow_config_free. */
struct cyaml_schema_value;
enum willow_status willow_config_load(const char *path, const struct cyaml_schema_value *schema, void **value,
                                      struct willow_error *error);
void willow_config_free(const struct cyaml_schema_value *schema, void *value);

/* Whether a configuration that is written can hold the text, in quotes and with control characters below 32 escaped,
 * and be read again: UTF-8 without the characters that YAML forbids. */
bool willow_config_text_valid(const char *text);

/* Path of a program beside this one ("willow-train"), for programs that start each other. */
enum willow_status willow_sibling_path(const char *name, char *buffer, size_t size, struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
