/* The programs for boards of more than 64 squares. Layer: engine/cli (willow_program). */
#ifndef WILLOW_CLI_WIDE_H
#define WILLOW_CLI_WIDE_H

/* Replaces this process by the program of the family ("willow", "willow selfplay") that plays wide boards, with the
 * same arguments. Returns an exit code, after one line, when it cannot. */
int wide_run(char **argv, const char *family);

#endif
