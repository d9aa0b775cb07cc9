/* What a program knows of its process: the cores that it may use and the folder where its sister programs lie.
 * Layer: engine/cli (willow_program).
 */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <willow/program.h>

int willow_default_threads(void)
{
    cpu_set_t set;
    long cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    if (cores < 1) /* more than 1024 cores do not fit the fixed set */
        cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > WILLOW_THREADS_MAX ? WILLOW_THREADS_MAX : (int)cores;
}

enum willow_status willow_sibling_path(const char *name, char *buffer, size_t size, struct willow_error *error)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return willow_fail_errno(error, "/proc/self/exe", "find the folder of this program", errno);
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    const int written =
        slash ? snprintf(buffer, size, "%.*s/%s", (int)(slash - self), self, name) : snprintf(buffer, size, "%s", name);
    if (written < 0 || (size_t)written >= size)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, name, NULL, "the path of this program is too long");
    return WILLOW_OK;
}
