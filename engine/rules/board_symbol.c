/* Discs, empty squares and sides to move as characters, letters of other alphabets and pictures among them. Layer:
 * rules.
 */
#include "rules/board_symbol.h"

#include <string.h>

#include "rules/text_scan.h"

size_t board_symbol_scan(const char *text, enum symbol *symbol)
{
    static const struct {
        const char *bytes;
        enum symbol symbol;
    } pictures[] = {
        {"\xEF\xBC\xB8", SYMBOL_BLACK}, /* full-width X, x, *, # */
        {"\xEF\xBD\x98", SYMBOL_BLACK}, {"\xEF\xBC\x8A", SYMBOL_BLACK},
        {"\xEF\xBC\x83", SYMBOL_BLACK}, {"\xEF\xBC\xAF", SYMBOL_WHITE}, /* full-width O, o */
        {"\xEF\xBD\x8F", SYMBOL_WHITE}, {"\xE2\x97\x8F", SYMBOL_BLACK},
        {"\xE2\x9A\xAB", SYMBOL_BLACK},                                 /* black circle, medium black circle */
        {"\xE2\x97\x8B", SYMBOL_WHITE}, {"\xE2\x9A\xAA", SYMBOL_WHITE}, /* white circle, medium white circle */
        {"\xEF\xBC\x8D", SYMBOL_EMPTY}, {"\xEF\xBC\x8E", SYMBOL_EMPTY}, /* full-width hyphen, full stop, low line */
        {"\xEF\xBC\xBF", SYMBOL_EMPTY}, {"\xE3\x83\xBB", SYMBOL_EMPTY},
        {"\xC2\xB7", SYMBOL_EMPTY}, /* katakana middle dot, middle dot */
    };
    static const char ascii[SYMBOLS][8] = {
        [SYMBOL_EMPTY] = "-._", [SYMBOL_BLACK] = "Xx*Bb#", [SYMBOL_WHITE] = "OoWw",
        [SYMBOL_ZERO] = "0",    [SYMBOL_ONE] = "1",        [SYMBOL_TWO] = "2",
    };
    *symbol = SYMBOL_NONE;
    if (*text == '\0')
        return 0;
    for (int s = SYMBOL_EMPTY; s < SYMBOLS; s++)
        if (strchr(ascii[s], *text)) {
            *symbol = (enum symbol)s;
            return 1;
        }
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        const size_t length = strlen(pictures[i].bytes);
        if (strncmp(text, pictures[i].bytes, length) == 0) {
            *symbol = pictures[i].symbol;
            return length;
        }
    }
    return 0;
}

bool board_ends_at(const char *text)
{
    return *text == '\0' || strchr("\n;]\"'", *text) || text_scan_blank(text) > 0;
}

size_t board_side_scan(const char *text, enum symbol *side)
{
    size_t length;
    if (text_starts_with(text, "black") || text_starts_with(text, "white")) {
        *side = text_lower(*text) == 'b' ? SYMBOL_BLACK : SYMBOL_WHITE;
        length = strlen("black");
    } else {
        length = board_symbol_scan(text, side);
    }
    if (length == 0 || *side == SYMBOL_EMPTY)
        return 0;
    const char *behind = text_skip_blanks(text + length);
    if (text_starts_with(behind, "to move"))
        length = (size_t)(behind - text) + strlen("to move");
    return length;
}
