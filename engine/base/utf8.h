/* UTF-8, for text that came from outside. Layer: base. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at text (not at its terminator), and its number; 0 when the bytes there are no character. */
size_t utf8_read(const char *text, uint32_t *point);

#endif
