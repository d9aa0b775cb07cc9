/* The command line as one string, for the provenance of what it made. Layer: trainer (program). */
#ifndef TRAINER_COMMAND_LINE_H
#define TRAINER_COMMAND_LINE_H

/* Arguments that a shell would split or change are quoted. Allocated; null when out of memory. argp reorders the
 * arguments, so it is to be called before that. */
char *command_line_join(int argc, char **argv);

#endif
