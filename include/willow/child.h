/* Child processes: programs started without a shell, spoken to by lines, that never outlive their parent.
 * Layer: base. Linux only. Knows nothing of what the programs are.
 */
#ifndef WILLOW_CHILD_H
#define WILLOW_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct willow_child;

/* Zeroed but for arguments: standard input, output and errors are /dev/null, in the present folder. */
struct willow_child_options {
    const char *const *arguments; /* ended by null; [0] is looked up in PATH when it has no slash */
    const char *folder;           /* to start in; null = here */
    bool talk;                    /* standard input and output are pipes to the caller; output_fd is not used then */
    int output_fd, error_fd;      /* what becomes standard output and errors; 0 = /dev/null. They stay the caller's */
};

/* Starts a program in a process group of its own. It and whatever it starts (also what leaves the group) is killed when
 * the child is ended, and when this process goes, kill -9 included. No other descriptor of this process is open in it.
 * WILLOW_ERR_IO names the program when it cannot be executed; _MEMORY. Any thread may start one; which thread did does
 * not matter later. */
enum willow_status willow_child_start(const struct willow_child_options *options, struct willow_child **child,
                                      struct willow_error *error);

/* Points in time are those of willow_clock_ns; one that has passed means "what can be done without waiting". */
enum willow_child_event {
    WILLOW_CHILD_LINE,     /* a line, or (written) all of the text */
    WILLOW_CHILD_TIMEOUT,  /* nothing yet; a part of a line is kept for the next call */
    WILLOW_CHILD_CLOSED,   /* the program closed its end or ended; a last line without an end came before this */
    WILLOW_CHILD_TOO_LONG, /* the first WILLOW_CHILD_LINE_MAX bytes of a longer line; the rest of it is lost */
};
enum { WILLOW_CHILD_LINE_MAX = 65536 };

/* The next line the program wrote, without its end (LF or CRLF); *line is valid until the next call for this child.
 * Null bytes come as '?'. Only with `talk`. */
enum willow_child_event willow_child_read(struct willow_child *child, uint64_t deadline_ns, const char **line);

/* Writes the text and a line end. A program that does not read cannot block the caller beyond the deadline (TIMEOUT:
 * part of it may have been written). SIGPIPE is not raised. Only with `talk`. */
enum willow_child_event willow_child_write(struct willow_child *child, uint64_t deadline_ns, const char *text);

/* Whether the program has ended by then; *exit_code (null = not wanted) is what it returned, or 128 + the signal that
 * killed it. What it wrote before can still be read. */
bool willow_child_wait(struct willow_child *child, uint64_t deadline_ns, int *exit_code);

/* Sends SIGTERM to the program's group, and does not wait. Nothing happens when the program has ended. */
void willow_child_terminate(struct willow_child *child);

/* Ends the program: its input is closed, `quit_ms` later the group gets SIGTERM, `kill_ms` after that everything that
 * is left of it and of what it started gets SIGKILL, and sooner when the program itself has ended. Zero = do not wait
 * for this step. What it writes meanwhile is lost. On return none of them lives. Frees the child; null is accepted. */
void willow_child_end(struct willow_child *child, unsigned quit_ms, unsigned kill_ms);

/* Splits a command line into arguments as a shell does with words, 'single' and "double" quotes and backslashes, and
 * nothing more: no variables, no patterns, no operators. *arguments is one block, ended by null; the caller frees it
 * with free. WILLOW_ERR_FORMAT (an open quote, no word, with the column), _MEMORY. */
enum willow_status willow_command_split(const char *text, char ***arguments, struct willow_error *error);

/* Whether willow_child_start would find the program, from this folder (null = here), and may execute it. For telling a
 * mistyped name before long work begins; it may be gone when it is started. WILLOW_ERR_IO names it. */
enum willow_status willow_command_check(const char *program, const char *folder, struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
