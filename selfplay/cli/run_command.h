/* What `willow selfplay run` and `resume` are told: command line over configuration file over defaults.
 * Layer: selfplay (program).
 */
#ifndef WILLOW_SELFPLAY_RUN_COMMAND_H
#define WILLOW_SELFPLAY_RUN_COMMAND_H

#include <stdbool.h>

#include <willow/dataset.h>
#include <willow/status.h>

#include "run/run_config.h"

enum { RUN_COMMAND_PATH = 4096 };

struct run_command {
    struct run_config config; /* checked, not resolved: see run_inputs.h */
    const char *file_name;    /* of the configuration, null = none */
    const char *folder;       /* of the dataset; may point to `out`, so the command must not be copied */
    char out[RUN_COMMAND_PATH];
    int threads;          /* 0 = not said: the cores available */
    uint32_t part, parts; /* --part K/N; 0 of 0 = the whole run */
    enum willow_shard_layout layout;
    bool quiet;
};

/* The command line of `run` and the file that it names. Ends the program with one line on bad usage;
 * WILLOW_ERR_ARGUMENT, and what a bad file gives. */
enum willow_status run_command_parse(struct run_command *command, int argc, char **argv, struct willow_error *error);

/* The command line of `resume`, and the configuration stored in the folder it names. */
enum willow_status run_command_parse_resume(struct run_command *command, int argc, char **argv,
                                            struct willow_error *error);

/* Sets in *command what the YAML file says. WILLOW_ERR_FORMAT with the key or the line, _IO, _MEMORY. */
enum willow_status run_file_load(struct run_command *command, const char *name, struct willow_error *error);

#endif
