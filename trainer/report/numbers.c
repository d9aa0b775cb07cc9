/* Numbers in print; see numbers.h. Layer: trainer (program). */
#include "numbers.h"

#include <stdio.h>

char *report_number(uint64_t number, char *buffer)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *out = buffer;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer;
}
