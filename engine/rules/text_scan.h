/* What the hand-written scanners of text share: character classes, moves, and failures that name their column.
 * Layer: rules, internal.
 */
#ifndef RULES_TEXT_SCAN_H
#define RULES_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include <willow/board.h>
#include <willow/status.h>

/* Character classes of our own: those of <ctype.h> follow the locale and are undefined for negative char. */
static inline bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool text_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline char text_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* True when text begins with the word, which is in lower case, in either case. */
bool text_starts_with(const char *text, const char *word);

/* Bytes of the blank at the start of text, 0 when there is none: also the no-break and the full-width space, which
 * come along when text is copied from web pages. A line end is none. */
size_t text_scan_blank(const char *text);

/* Behind all blanks; behind all blanks and line ends. */
const char *text_skip_blanks(const char *text);
const char *text_skip_space(const char *text);

/* Behind a byte order mark. */
const char *text_skip_mark(const char *text);

/* Reads a square or a pass at the start of text, as many digits as a row of this build may have. Returns the bytes
 * read, 0 when it is neither. */
size_t text_scan_move(const char *text, willow_square *move);

/* Fails with the place of `at` in text: "column 7", or "line 2, column 7" after a line end; the column counts bytes.
 * `what` goes before the first characters found there (plain ASCII alone, so that the report is good text whatever the
 * input). */
enum willow_status text_fail_at(struct willow_error *error, const char *text, const char *at, const char *what);

#endif
