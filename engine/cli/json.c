/* Text as JSON, for verbs that print their result for programs.
 * Layer: engine/cli (willow_program).
 */
#include <stdio.h>

#include <willow/program.h>

void willow_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", stream);
        else if (c < ' ' || c == 0x7f)
            fprintf(stream, "\\u%04x", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}
