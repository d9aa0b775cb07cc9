/* UTF-8, where text that came from outside goes into JSON or YAML. Layer: engine/cli (willow_program). */
#ifndef WILLOW_CLI_UTF8_H
#define WILLOW_CLI_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at text (not at its terminator), and its number; 0 when the bytes there are no character. */
size_t utf8_read(const char *text, uint32_t *point);

#endif
