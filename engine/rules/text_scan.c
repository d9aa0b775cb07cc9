/* Blanks, moves and places in text, for the readers of notations. Reads from memory only; file names and line numbers
 * are added by the caller. Layer: rules.
 */
#include "rules/text_scan.h"

#include <stdio.h>
#include <string.h>

bool text_starts_with(const char *text, const char *word)
{
    while (*word)
        if (text_lower(*text++) != *word++)
            return false;
    return true;
}

size_t text_scan_blank(const char *text)
{
    static const char no_break_space[] = "\xC2\xA0", full_width_space[] = "\xE3\x80\x80";
    if (text_is_blank(text[0]))
        return 1;
    if (strncmp(text, no_break_space, 2) == 0)
        return 2;
    return strncmp(text, full_width_space, 3) == 0 ? 3 : 0;
}

const char *text_skip_blanks(const char *text)
{
    size_t length;
    while ((length = text_scan_blank(text)) > 0)
        text += length;
    return text;
}

const char *text_skip_space(const char *text)
{
    while (*(text = text_skip_blanks(text)) == '\n')
        text++;
    return text;
}

const char *text_skip_mark(const char *text)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    return strncmp(text, byte_order_mark, 3) == 0 ? text + 3 : text;
}

size_t text_scan_move(const char *text, willow_square *move)
{
    static const char *const passes[] = {"pass", "pa", "ps", "--"};
    const char column = text_lower(text[0]);
    if (column >= 'a' && column < 'a' + WILLOW_SIDE && text[1] >= '1' && text[1] <= '9') {
        const bool ten = WILLOW_SIDE >= 10 && text[1] == '1' && text[2] == '0';
        const int row = ten ? 9 : text[1] - '1';
        if (row < WILLOW_SIDE) {
            *move = (willow_square)(WILLOW_SIDE * row + column - 'a');
            return ten ? 3 : 2;
        }
    }
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
        if (text_starts_with(text, passes[i])) {
            *move = WILLOW_PASS;
            return strlen(passes[i]);
        }
    return 0;
}

enum willow_status text_fail_at(struct willow_error *error, const char *text, const char *at, const char *what)
{
    int line = 1;
    const char *start = text;
    for (const char *c = text; c < at; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    char place[64];
    if (line == 1)
        snprintf(place, sizeof place, "column %td", at - start + 1);
    else
        snprintf(place, sizeof place, "line %d, column %td", line, at - start + 1);

    size_t length = 0;
    while (length < 8 && at[length] > ' ' && at[length] < 127 && at[length] != ';' && at[length] != ',')
        length++;
    if (length > 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "%s: \"%.*s\"", what, (int)length, at);
    return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "%s%s", what, *at == '\0' ? " at the end" : "");
}
