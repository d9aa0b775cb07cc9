/* Writes text into a buffer as snprintf does, for the writers of GGF and SGF. Layer: rules. */
#include "rules/record_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void record_put_bytes(struct record_writer *text, const char *bytes, size_t length)
{
    if (text->length < text->size) {
        const size_t room = text->size - text->length - 1;
        const size_t copied = length < room ? length : room;
        memcpy(text->buffer + text->length, bytes, copied);
        text->buffer[text->length + copied] = '\0';
    }
    text->length += length;
}

void record_put(struct record_writer *text, const char *format, ...)
{
    char piece[128];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length > 0)
        record_put_bytes(text, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

void record_put_text(struct record_writer *text, const char *name, const char *value)
{
    record_put(text, "%s[", name);
    for (const char *c = value; *c; c++) {
        if (*c == ']' || *c == '\\')
            record_put_bytes(text, "\\", 1);
        record_put_bytes(text, (unsigned char)*c < ' ' || *c == 127 ? "?" : c, 1);
        /* A reader that has lost its way looks for "(;" to find the next game. */
        if (c[0] == '(' && c[1] == ';')
            record_put_bytes(text, " ", 1);
    }
    record_put_bytes(text, "]", 1);
}
