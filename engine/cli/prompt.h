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

/* What Tab offers: the index-th word that may follow `before` (the words of the line so far in lower case with one
 * blank between them, without the word at the cursor); null past the last one. PROMPT_FILES in its place: names of
 * files, to the end of the line. `buffer` holds PROMPT_WORD bytes for a word that is made. Never set = nothing. */
enum { PROMPT_WORD = 32 };
typedef const char *prompt_completion(void *context, const char *before, int index, char *buffer);
extern const char PROMPT_FILES[];
void prompt_set_completion(struct prompt *prompt, prompt_completion *completion, void *context);

/* True when both ends are a terminal: only then the prompt text is shown. */
bool prompt_is_terminal(const struct prompt *prompt);

/* PROMPT_LINE: *line holds the text without its line end, until the next call. PROMPT_CANCELLED: Ctrl-C threw the line
 * away. PROMPT_END: end of input, or a second Ctrl-C in a row. */
enum prompt_answer prompt_read(struct prompt *prompt, const char *text, const char **line);

#endif
