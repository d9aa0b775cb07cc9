/* The verbs of the program willow-selfplay, one file each. Layer: selfplay (program). */
#ifndef WILLOW_SELFPLAY_VERBS_H
#define WILLOW_SELFPLAY_VERBS_H

#include <argp.h>

#include <willow/ruleset.h>

int verb_run(int argc, char **argv);
int verb_resume(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_verify(int argc, char **argv);
int verb_relabel(int argc, char **argv);
int verb_import(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_shuffle(int argc, char **argv);
int verb_match(int argc, char **argv);

/* For the parsers of verbs that take one dataset: its folder from the arguments; ARGP_ERR_UNKNOWN for other keys. */
error_t parse_folder(int key, char *text, struct argp_state *state, const char **folder);

#endif
