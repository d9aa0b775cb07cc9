/* Where a verb writes its result: standard output, or a file that appears whole or not at all.
 * Layer: engine/cli (willow_program).
 */
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <willow/file.h>
#include <willow/program.h>

enum willow_status willow_output_open(struct willow_output *output, const char *file, struct willow_error *error)
{
    struct stat about;
    *output = (struct willow_output){.stream = stdout, .name = "standard output"};
    if (!file)
        return WILLOW_OK;
    output->name = file;
    const bool whole = stat(file, &about) != 0 || S_ISREG(about.st_mode);
    const int length = whole ? snprintf(output->temporary, sizeof output->temporary, "%s.tmp", file) : 0;
    if (length < 0 || (size_t)length >= sizeof output->temporary) {
        output->stream = NULL;
        return willow_fail_errno(error, file, "open", ENAMETOOLONG);
    }
    const char *path = whole ? output->temporary : file;
    output->stream = fopen(path, "we");
    return output->stream ? WILLOW_OK : willow_fail_errno(error, path, "open", errno);
}

enum willow_status willow_output_close(struct willow_output *output, bool keep, struct willow_error *error)
{
    FILE *stream = output->stream;
    enum willow_status status = WILLOW_OK;
    output->stream = NULL;
    if (!stream)
        return WILLOW_OK;
    errno = 0;
    if (fflush(stream) != 0 || ferror(stream))
        status = willow_fail_errno(error, output->name, "write", errno ? errno : EIO);
    if (stream == stdout) {
        /* The failure is reported here; the check at the end would name it again. */
        if (status) {
            __fpurge(stdout);
            clearerr(stdout);
        }
        return status;
    }
    if (fclose(stream) != 0 && !status)
        status = willow_fail_errno(error, output->name, "write", errno);
    if (!output->temporary[0])
        return status;
    if (!status && keep)
        status = willow_file_publish(output->temporary, output->name, error);
    if (status || !keep)
        (void)unlink(output->temporary);
    return status;
}
