/* The verbs of willow-train. Each gets argv[0] = "willow train VERB" and returns an exit code. Layer: trainer
 * (program). */
#ifndef TRAINER_VERBS_H
#define TRAINER_VERBS_H

int verb_fit(int argc, char **argv);
int verb_probcut(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_loop(int argc, char **argv);

#endif
