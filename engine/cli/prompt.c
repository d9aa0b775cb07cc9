/* One line of input from the user: libedit with history on a terminal, plain reading from a pipe.
 * Does not know what the line means. Layer: engine/cli (program willow).
 */
#include <ctype.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include <histedit.h>

#include "prompt.h"

enum { HISTORY_LINES = 200, ENDING_SIGNALS = 3 };

static const int ending_signals[ENDING_SIGNALS] = {SIGTERM, SIGHUP, SIGQUIT};

/* A signal handler reaches nothing but static storage: the terminal as it was before lines were edited on it. */
static struct termios terminal_before;

/* What ends the program in the middle of a line gives the terminal back: a shell may not mend it. */
static void on_ending_signal(int number)
{
    /* In the background this would stop the program in place of ending it. */
    (void)signal(SIGTTOU, SIG_IGN);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

struct prompt {
    EditLine *editor; /* null when input or output is not a terminal */
    History *history;
    const char *text;
    char *buffer;
    size_t capacity;
    bool cancelled; /* the last answer was Ctrl-C */
    bool cancel_key;
    struct sigaction former[ENDING_SIGNALS];
    prompt_completion *completion;
    void *context;
};

const char PROMPT_FILES[] = "";

static void watch_signals(struct prompt *prompt)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_ending_signal;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        (void)sigaction(ending_signals[i], &action, &prompt->former[i]);
        /* Whoever started the program wants it to go on, as nohup does. */
        if (prompt->former[i].sa_handler == SIG_IGN)
            (void)sigaction(ending_signals[i], &prompt->former[i], NULL);
    }
}

static char *prompt_text(EditLine *editor)
{
    struct prompt *prompt = NULL;
    static char nothing[] = "";
    if (el_get(editor, EL_CLIENTDATA, &prompt) != 0 || !prompt)
        return nothing;
    /* libedit takes a char * that it does not change. */
    union {
        const char *text;
        char *shown;
    } text = {prompt->text};
    return text.shown;
}

/* Ctrl-C arrives as a key, not as a signal: libedit restarts an interrupted read once, so that a signal would only be
 * seen the second time. */
static unsigned char cancel_line(EditLine *editor, int key)
{
    (void)key;
    struct prompt *prompt = NULL;
    if (el_get(editor, EL_CLIENTDATA, &prompt) == 0 && prompt)
        prompt->cancel_key = true;
    return CC_EOF;
}

/* What Tab has found: how far all candidates agree, and their names as they are listed. */
struct candidates {
    int count;
    char common[256];
    char list[2048];
};

static void add_candidate(struct candidates *found, const char *word)
{
    size_t agreed = 0;
    if (found->count++ == 0) {
        snprintf(found->common, sizeof found->common, "%s", word);
    } else {
        while (found->common[agreed] && found->common[agreed] == word[agreed])
            agreed++;
        found->common[agreed] = '\0';
    }
    const size_t used = strlen(found->list);
    snprintf(found->list + used, sizeof found->list - used, "%s%s", used > 0 ? "  " : "", word);
}

static void find_files(struct candidates *found, const char *word)
{
    char pattern[2 * sizeof found->common];
    size_t used = 0;
    glob_t files;
    for (; *word && used + 3 < sizeof pattern; word++) {
        if (strchr("*?[\\", *word))
            pattern[used++] = '\\';
        pattern[used++] = *word;
    }
    pattern[used] = '*';
    pattern[used + 1] = '\0';
    if (glob(pattern, GLOB_MARK | GLOB_TILDE, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++)
        add_candidate(found, files.gl_pathv[i]);
    globfree(&files);
}

/* The words before the last one, and that one; `before` is as long as the line. */
static const char *split_line(const char *line, char *before)
{
    const char *word = line;
    size_t used = 0;
    before[0] = '\0';
    for (;;) {
        word += strspn(word, " \t");
        const size_t length = strcspn(word, " \t");
        if (!word[length])
            return word;
        if (used > 0)
            before[used++] = ' ';
        for (size_t i = 0; i < length; i++)
            before[used++] = (char)tolower((unsigned char)word[i]);
        before[used] = '\0';
        word += length;
    }
}

static void find_candidates(const struct prompt *prompt, const char *line, struct candidates *found, size_t *typed)
{
    char before[512], buffer[PROMPT_WORD];
    const char *word = split_line(line, before), *offered;
    *typed = strlen(word);
    for (int i = 0; (offered = prompt->completion(prompt->context, before, i, buffer)) != NULL; i++) {
        if (offered == PROMPT_FILES) {
            find_files(found, word);
            return;
        }
        if (strncasecmp(offered, word, *typed) == 0)
            add_candidate(found, offered);
    }
}

/* Tab: as much as is certain; when that is nothing, what there is to choose from. */
static unsigned char complete_word(EditLine *editor, int key)
{
    (void)key;
    struct prompt *prompt = NULL;
    if (el_get(editor, EL_CLIENTDATA, &prompt) != 0 || !prompt || !prompt->completion)
        return CC_ERROR;
    const LineInfo *info = el_line(editor);
    const size_t length = (size_t)(info->cursor - info->buffer);
    char line[512];
    if (length >= sizeof line)
        return CC_ERROR;
    memcpy(line, info->buffer, length);
    line[length] = '\0';
    struct candidates found = {.count = 0};
    size_t typed = 0;
    find_candidates(prompt, line, &found, &typed);
    if (found.count == 0)
        return CC_ERROR;
    const size_t agreed = strlen(found.common);
    const bool folder = agreed > 0 && found.common[agreed - 1] == '/';
    if (agreed > typed || found.count == 1) {
        el_deletestr(editor, (int)typed);
        if (el_insertstr(editor, found.common) != 0)
            return CC_ERROR;
        if (found.count == 1 && !folder)
            (void)el_insertstr(editor, " ");
        return CC_REFRESH;
    }
    printf("\n%s\n", found.list);
    return CC_REDISPLAY;
}

void prompt_set_completion(struct prompt *prompt, prompt_completion *completion, void *context)
{
    prompt->completion = completion;
    prompt->context = context;
}

enum willow_status prompt_new(struct prompt **made, struct willow_error *error)
{
    struct prompt *prompt = calloc(1, sizeof *prompt);
    *made = prompt;
    if (!prompt)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &terminal_before) != 0)
        return WILLOW_OK;
    /* Without an editor, lines are still read plainly. */
    prompt->editor = el_init("willow", stdin, stdout, stderr);
    if (!prompt->editor)
        return WILLOW_OK;
    watch_signals(prompt);
    HistEvent event;
    prompt->history = history_init();
    if (prompt->history)
        (void)history(prompt->history, &event, H_SETSIZE, HISTORY_LINES);
    (void)el_set(prompt->editor, EL_CLIENTDATA, prompt);
    (void)el_set(prompt->editor, EL_PROMPT, prompt_text);
    (void)el_set(prompt->editor, EL_EDITOR, "emacs");
    if (prompt->history)
        (void)el_set(prompt->editor, EL_HIST, history, prompt->history);
    /* Wide names are kept as they are; others would be copied, and the copies never freed. */
    (void)el_wset(prompt->editor, EL_ADDFN, L"willow-cancel", L"Throw the line away", cancel_line);
    (void)el_wset(prompt->editor, EL_ADDFN, L"willow-complete", L"Complete the word", complete_word);
    (void)el_set(prompt->editor, EL_BIND, "^I", "willow-complete", NULL);
    (void)el_set(prompt->editor, EL_SETTY, "-d", "-isig", NULL);
    (void)el_set(prompt->editor, EL_BIND, "^C", "willow-cancel", NULL);
    return WILLOW_OK;
}

void prompt_free(struct prompt *prompt)
{
    if (!prompt)
        return;
    if (prompt->editor) {
        el_end(prompt->editor);
        for (int i = 0; i < ENDING_SIGNALS; i++)
            (void)sigaction(ending_signals[i], &prompt->former[i], NULL);
    }
    if (prompt->history)
        history_end(prompt->history);
    free(prompt->buffer);
    free(prompt);
}

bool prompt_is_terminal(const struct prompt *prompt)
{
    return prompt->editor != NULL;
}

static enum prompt_answer read_plain(struct prompt *prompt, const char **line)
{
    const ssize_t length = getline(&prompt->buffer, &prompt->capacity, stdin);
    if (length < 0)
        return PROMPT_END;
    /* A zero byte must not hide the rest of its line. */
    for (ssize_t i = 0; i < length; i++) {
        if (prompt->buffer[i] == '\0')
            prompt->buffer[i] = '?';
    }
    prompt->buffer[strcspn(prompt->buffer, "\r\n")] = '\0';
    *line = prompt->buffer;
    return PROMPT_LINE;
}

enum prompt_answer prompt_read(struct prompt *prompt, const char *text, const char **line)
{
    *line = "";
    if (!prompt->editor)
        return read_plain(prompt, line);
    prompt->text = text;
    /* The window may be another size since the last line. */
    el_resize(prompt->editor);
    prompt->cancel_key = false;
    int count = 0;
    const char *typed = el_gets(prompt->editor, &count);
    if (prompt->cancel_key) {
        const bool second = prompt->cancelled;
        prompt->cancelled = true;
        printf("^C\n");
        return second ? PROMPT_END : PROMPT_CANCELLED;
    }
    prompt->cancelled = false;
    if (!typed || count <= 0) {
        printf("\n");
        return PROMPT_END;
    }
    char *copy = strdup(typed);
    if (!copy)
        return PROMPT_CANCELLED;
    copy[strcspn(copy, "\r\n")] = '\0';
    free(prompt->buffer);
    prompt->buffer = copy;
    prompt->capacity = strlen(copy) + 1;
    HistEvent event;
    if (prompt->history && copy[strspn(copy, " \t")])
        (void)history(prompt->history, &event, H_ENTER, copy);
    *line = copy;
    return PROMPT_LINE;
}
