/* One line of input from the user: edited with history on a terminal, plain from a pipe.
 * Layer: engine/cli (program willow).
 */
#ifndef WILLOW_CLI_PROMPT_H
#define WILLOW_CLI_PROMPT_H

#include <stdbool.h>

#include <willow/status.h>

struct prompt;

enum prompt_answer { PROMPT_LINE, PROMPT_CANCELLED, PROMPT_END };

/* WILLOW_ERR_MEMORY. The caller frees *prompt. */
enum willow_status prompt_new(struct prompt **prompt, struct willow_error *error);
void prompt_free(struct prompt *prompt);

/* True when both ends are a terminal: only then the prompt text is shown. */
bool prompt_is_terminal(const struct prompt *prompt);

/* PROMPT_LINE: *line holds the text without its line end, until the next call. PROMPT_CANCELLED: Ctrl-C threw the line
 * away. PROMPT_END: end of input, or a second Ctrl-C in a row. */
enum prompt_answer prompt_read(struct prompt *prompt, const char *text, const char **line);

#endif
