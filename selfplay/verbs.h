/* The verbs of the program willow-selfplay, one file each. Layer: selfplay (program). */
#ifndef WILLOW_SELFPLAY_VERBS_H
#define WILLOW_SELFPLAY_VERBS_H

int verb_run(int argc, char **argv);
int verb_resume(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_verify(int argc, char **argv);
int verb_relabel(int argc, char **argv);
int verb_match(int argc, char **argv);

#endif
