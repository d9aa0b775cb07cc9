/* The command line as text; see command_line.h. Layer: trainer (program). */
#include "command_line.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *command_line_join(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (int i = 0; i < argc; i++) {
        const bool plain = i == 0 || (argv[i][0] && !strpbrk(argv[i], " \t\n'\"\\$"));
        fprintf(stream, plain ? "%s%s" : "%s'%s'", i > 0 ? " " : "", argv[i]);
    }
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
