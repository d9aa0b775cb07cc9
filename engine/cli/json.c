/* Text as JSON, for verbs that print their result for programs.
 * Layer: engine/cli (willow_program).
 */
#include <stdio.h>

#include <willow/program.h>

#include "base/utf8.h"

void willow_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    uint32_t c;
    for (const char *at = text; *at;) {
        const size_t length = utf8_read(at, &c);
        if (length == 0)
            fputs("\\ufffd", stream); /* a file name may hold any bytes, JSON only characters */
        else if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", (int)c);
        else if (c == '\n')
            fputs("\\n", stream);
        else if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) /* controls, and YAML's line ends */
            fprintf(stream, "\\u%04x", c);
        else
            fwrite(at, 1, length, stream);
        at += length > 0 ? length : 1;
    }
    fputc('"', stream);
}
