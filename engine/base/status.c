/* Fills error reports and turns them into one line of text.
 * Layer: base. Prints nothing itself.
 */
#include <willow/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum willow_status willow_fail(struct willow_error *error, enum willow_status status, const char *file,
                               const char *place, const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    snprintf(error->place, sizeof error->place, "%s", place ? place : "");
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->reason, sizeof error->reason, format, arguments) < 0)
        error->reason[0] = '\0';
    va_end(arguments);
    return status;
}

enum willow_status willow_fail_errno(struct willow_error *error, const char *file, const char *action, int errno_value)
{
    char text[128];
    if (file && !file[0])
        file = "''"; /* the user gave an empty name, and must see that */
    /* The GNU form: returns the text, which may or may not lie in the buffer. */
    return willow_fail(error, WILLOW_ERR_IO, file, NULL, "cannot %s: %s", action,
                       strerror_r(errno_value, text, sizeof text));
}

char *willow_error_text(const struct willow_error *error, char *buffer, size_t size)
{
    if (size == 0)
        return buffer;
    snprintf(buffer, size, "%s%s%s%s%s", error->file, error->file[0] ? ": " : "", error->place,
             error->place[0] ? ": " : "", error->reason);
    /* A file name or a piece of quoted input may hold line ends or escape sequences; the report stays one harmless
     * line. */
    for (char *c = buffer; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return buffer;
}
