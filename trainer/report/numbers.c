/* Numbers in print; see numbers.h. Layer: trainer (program). */
#include "numbers.h"

#include <math.h>
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

enum { NUMBER_SIZE = 32 };

/* Three digits of a number >= 1000 and the letter of its unit. */
static char *print_scaled(double value, const char *format, char *buffer)
{
    const char *unit = "kMGTPE";

    /* Not 1000: 999.5 would be printed as four digits. */
    for (value /= 1000.0; value >= 999.5 && unit[1] != '\0'; unit++)
        value /= 1000.0;
    snprintf(buffer, NUMBER_SIZE, format, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value, *unit);
    return buffer;
}

char *report_short(uint64_t number, char *buffer)
{
    return number < 10000 ? report_number(number, buffer) : print_scaled((double)number, "%.*f%c", buffer);
}

char *report_clock(double seconds, char *buffer)
{
    const uint64_t whole = seconds > 0.0 ? (uint64_t)(fmin(seconds, 1e12) + 0.5) : 0;
    const unsigned rest = (unsigned)(whole % 3600);

    if (whole < 3600)
        snprintf(buffer, NUMBER_SIZE, "%u:%02u", rest / 60, rest % 60);
    else
        snprintf(buffer, NUMBER_SIZE, "%llu:%02u:%02u", (unsigned long long)(whole / 3600), rest / 60, rest % 60);
    return buffer;
}

char *report_bytes(double bytes, char *buffer)
{
    if (bytes >= 1000.0)
        return print_scaled(bytes, "%.*f %cB", buffer);
    snprintf(buffer, NUMBER_SIZE, "%.0f B", bytes);
    return buffer;
}
