/* Whole-file reads with a limit, atomic replacement, folders and locks, with every system call checked.
 * Layer: base. Durability follows the usual Linux recipe: sync the data, rename, sync the folder.
 */
#include <willow/file.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads fd to its end into *data, which grows as needed (a file may be longer than it was a moment ago). */
static enum willow_status read_all(int fd, const char *path, size_t expected_bytes, size_t limit_bytes,
                                   unsigned char **data, size_t *size_bytes, struct willow_error *error)
{
    size_t capacity = expected_bytes + 1, used = 0;
    unsigned char *bytes = malloc(capacity + 1);
    while (bytes) {
        const ssize_t got = read(fd, bytes + used, capacity - used);
        if (got == 0) {
            bytes[used] = 0;
            *data = bytes;
            *size_bytes = used;
            return WILLOW_OK;
        }
        if (got < 0) {
            if (errno == EINTR)
                continue;
            const int failure = errno;
            free(bytes);
            return willow_fail_errno(error, path, "read", failure);
        }
        used += (size_t)got;
        if (used > limit_bytes) {
            free(bytes);
            return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "larger than the limit of %zu bytes", limit_bytes);
        }
        if (used < capacity)
            continue;
        if (capacity > SIZE_MAX / 2 - 1)
            break;
        capacity *= 2;
        unsigned char *grown = realloc(bytes, capacity + 1);
        if (!grown)
            break;
        bytes = grown;
    }
    free(bytes);
    return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "not enough memory to read the file");
}

enum willow_status willow_file_read(const char *path, size_t limit_bytes, unsigned char **data, size_t *size_bytes,
                                    struct willow_error *error)
{
    /* Without O_NONBLOCK, opening a named pipe would wait for a writer. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return willow_fail_errno(error, path, "open", errno);

    enum willow_status status;
    struct stat about;
    if (fstat(fd, &about) != 0)
        status = willow_fail_errno(error, path, "read", errno);
    else if (!S_ISREG(about.st_mode))
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "%s",
                             S_ISDIR(about.st_mode) ? "it is a folder" : "not a regular file");
    else if ((uint64_t)about.st_size > limit_bytes || (uint64_t)about.st_size > SIZE_MAX / 4)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "%lld bytes, larger than the limit of %zu bytes",
                             (long long)about.st_size, limit_bytes);
    else
        status = read_all(fd, path, (size_t)about.st_size, limit_bytes, data, size_bytes, error);
    (void)close(fd); /* nothing was written */
    return status;
}

const char *willow_file_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

enum willow_status willow_file_read_input(const char *path, size_t limit_bytes, unsigned char **data,
                                          size_t *size_bytes, struct willow_error *error)
{
    enum { FIRST_BYTES = 1 << 16 };
    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, willow_file_input_name(path), FIRST_BYTES, limit_bytes, data, size_bytes, error);
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return willow_file_read(path, limit_bytes, data, size_bytes, error);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return willow_fail_errno(error, path, "open", errno);
    const enum willow_status status = read_all(fd, path, FIRST_BYTES, limit_bytes, data, size_bytes, error);
    (void)close(fd); /* nothing was written */
    return status;
}

/* Writes everything to fd. Returns 0 or an errno value. */
static int write_all(int fd, const unsigned char *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        const ssize_t done = write(fd, bytes, size_bytes);
        if (done < 0) {
            if (errno == EINTR)
                continue;
            return errno;
        }
        bytes += done;
        size_bytes -= (size_t)done;
    }
    return 0;
}

/* Opens the folder that holds path. A descriptor, or -1 with errno set. */
static int open_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (slash)
        memcpy(folder, path, length);
    folder[length] = '\0';
    return open(length ? folder : slash ? "/" : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Syncs the folder that holds path, so that a rename in it survives a power cut. */
static enum willow_status sync_folder_of(const char *path, struct willow_error *error)
{
    const int fd = open_folder_of(path);
    if (fd < 0)
        return willow_fail_errno(error, path, "open the folder", errno);
    const int failure = fsync(fd) != 0 ? errno : 0;
    (void)close(fd);
    /* Some file systems cannot sync a folder and say so with EINVAL; there is nothing more that one could do there. */
    if (failure && failure != EINVAL)
        return willow_fail_errno(error, path, "sync the folder", failure);
    return WILLOW_OK;
}

enum willow_status willow_file_publish(const char *temporary, const char *path, struct willow_error *error)
{
    const int fd = open(temporary, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return willow_fail_errno(error, temporary, "open", errno);
    const int failure = fsync(fd) != 0 ? errno : 0;
    (void)close(fd);
    if (failure)
        return willow_fail_errno(error, temporary, "sync", failure);
    if (rename(temporary, path) != 0)
        return willow_fail_errno(error, path, "rename a temporary file to this name", errno);
    return sync_folder_of(path, error);
}

/* Creates `temporary` anew, writes, syncs and closes it; removes it again on failure. WILLOW_ERR_IO. */
static enum willow_status write_temporary(const char *path, const char *temporary, const void *data, size_t size_bytes,
                                          struct willow_error *error)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const int fd = open(temporary, flags, 0666);
    if (fd < 0)
        return willow_fail_errno(error, temporary, "create", errno);
    int failure = write_all(fd, data, size_bytes);
    if (!failure && fsync(fd) != 0)
        failure = errno;
    /* A network file system may report a full disk only here. */
    if (close(fd) != 0 && !failure)
        failure = errno;
    if (!failure)
        return WILLOW_OK;
    (void)unlink(temporary);
    return willow_fail_errno(error, path, "write", failure);
}

static enum willow_status not_regular(const char *path, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_IO, path, NULL, "cannot replace: not a regular file");
}

enum willow_status willow_file_replace(const char *path, const void *data, size_t size_bytes,
                                       struct willow_error *error)
{
    /* A rename would put a file in the place of a device (/dev/full, /dev/null) or pipe of this name. */
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return not_regular(path, error);

    char temporary[PATH_MAX];
    const int length = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (length < 0 || (size_t)length >= sizeof temporary)
        return willow_fail_errno(error, path, "create", ENAMETOOLONG);
    const enum willow_status status = write_temporary(path, temporary, data, size_bytes, error);
    if (status != WILLOW_OK)
        return status;
    if (rename(temporary, path) != 0) {
        const int failure = errno;
        (void)unlink(temporary); /* the first failure is the one to report */
        return willow_fail_errno(error, path, "rename a temporary file to this name", failure);
    }
    return sync_folder_of(path, error);
}

/* What would keep the temporary file of willow_file_replace from being created, as far as one can tell without doing
 * it: an errno value, or 0. */
static int refusal_of_temporary(const char *path)
{
    char temporary[PATH_MAX];
    struct stat about;
    const int length = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (length < 0 || (size_t)length >= sizeof temporary)
        return ENAMETOOLONG;
    if (lstat(temporary, &about) != 0 && errno != ENOENT)
        return errno;
    const int folder = open_folder_of(path);
    if (folder < 0)
        return errno;
    const int failure = faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) != 0 ? errno : 0;
    (void)close(folder);
    return failure;
}

enum willow_status willow_file_check_mark(const char *path, const void *mark, size_t mark_bytes, const char *kind,
                                          struct willow_error *error)
{
    unsigned char start[256];
    struct stat about;
    const int refusal = refusal_of_temporary(path);
    if (refusal)
        return willow_fail_errno(error, path, "create", refusal);
    if (stat(path, &about) != 0)
        return WILLOW_OK;
    if (!S_ISREG(about.st_mode))
        return not_regular(path, error);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return willow_fail_errno(error, path, "open", errno);
    const size_t wanted = mark_bytes < sizeof start ? mark_bytes : sizeof start;
    ssize_t got;
    do
        got = read(fd, start, wanted);
    while (got < 0 && errno == EINTR);
    const int failure = errno;
    (void)close(fd);
    if (got < 0)
        return willow_fail_errno(error, path, "read", failure);
    if (memcmp(start, mark, (size_t)got) != 0)
        return willow_fail(error, WILLOW_ERR_BUSY, path, NULL, "exists and is no %s; it is left alone", kind);
    return WILLOW_OK;
}

enum willow_status willow_folder_create(const char *path, struct willow_error *error)
{
    char partial[PATH_MAX];
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof partial)
        return willow_fail_errno(error, path, "create the folder", length ? ENAMETOOLONG : ENOENT);

    /* Every prefix that ends before a slash, then the whole; what exists already is checked at the end. */
    for (size_t i = 0; i <= length; i++) {
        if (i > 0 && (path[i] == '/' || path[i] == '\0') && path[i - 1] != '/') {
            partial[i] = '\0';
            if (mkdir(partial, 0777) != 0 && errno != EEXIST)
                return willow_fail_errno(error, partial, "create the folder", errno);
        }
        partial[i] = path[i];
    }
    struct stat about;
    if (stat(path, &about) != 0)
        return willow_fail_errno(error, path, "create the folder", errno);
    if (!S_ISDIR(about.st_mode))
        return willow_fail_errno(error, path, "create the folder", EEXIST);
    return WILLOW_OK;
}

bool willow_file_exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

enum willow_status willow_path_join(char *buffer, size_t size, const char *folder, const char *name,
                                    struct willow_error *error)
{
    const size_t length = strlen(folder);
    const char *separator = length > 0 && folder[length - 1] != '/' ? "/" : "";
    const int written = snprintf(buffer, size, "%s%s%s", folder, separator, name);
    if (written < 0 || (size_t)written >= size)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, folder, NULL, "the path of \"%.64s\" in it is too long", name);
    return WILLOW_OK;
}

/* What the system said when it refused a lock. */
static enum willow_status lock_refused(const char *folder, int failure, struct willow_error *error)
{
    if (failure == EAGAIN || failure == EACCES)
        return willow_fail(error, WILLOW_ERR_BUSY, folder, NULL, "in use by another run");
    if (failure == EINVAL || failure == ENOLCK || failure == EOPNOTSUPP || failure == ENOSYS)
        return willow_fail(error, WILLOW_ERR_IO, folder, NULL, "the file system has no locks, so runs could meet here");
    return willow_fail_errno(error, folder, "lock", failure);
}

enum willow_status willow_folder_lock_range(const char *folder, uint64_t first, uint64_t count, bool wait, int *lock_fd,
                                            struct willow_error *error)
{
    char path[PATH_MAX];
    const enum willow_status status = willow_path_join(path, sizeof path, folder, "lock", error);
    if (status != WILLOW_OK)
        return status;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return willow_fail_errno(error, path, "open the lock file", errno);
    /* Locks of the open file, unlike those of the process, do not end when some other descriptor is closed. */
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)first, .l_len = (off_t)count};
    while (fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range) != 0) {
        const int failure = errno;
        if (failure == EINTR)
            continue;
        (void)close(fd);
        return lock_refused(folder, failure, error);
    }
    *lock_fd = fd;
    return WILLOW_OK;
}

enum willow_status willow_folder_lock(const char *folder, int *lock_fd, struct willow_error *error)
{
    return willow_folder_lock_range(folder, 0, 0, false, lock_fd, error);
}

enum willow_status willow_folder_lock_check(const char *folder, int lock_fd, struct willow_error *error)
{
    char path[PATH_MAX];
    struct stat held, there;
    const enum willow_status status = willow_path_join(path, sizeof path, folder, "lock", error);
    if (status != WILLOW_OK)
        return status;
    if (fstat(lock_fd, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
        held.st_ino == there.st_ino)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_IO, folder, NULL, "the folder was removed or cleared while it was in use");
}

void willow_folder_unlock(int lock_fd)
{
    /* Closing releases the lock. The empty file stays: deleting it would race with the next taker. */
    if (lock_fd >= 0)
        (void)close(lock_fd);
}
