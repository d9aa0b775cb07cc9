/* Status codes and the error report that every fallible function of Willow shares.
 * Layer: base. Knows nothing of Othello, prints nothing.
 */
#ifndef WILLOW_STATUS_H
#define WILLOW_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function that can fail returns. 0 is success. */
enum willow_status {
    WILLOW_OK = 0,
    WILLOW_ERR_MEMORY,   /* an allocation failed */
    WILLOW_ERR_IO,       /* the system refused to open, read, write, sync or rename; the reason holds its words */
    WILLOW_ERR_FORMAT,   /* the content is not what its format says: truncated, foreign, unknown key, illegal move */
    WILLOW_ERR_VERSION,  /* the format is known but of a version that this build does not read */
    WILLOW_ERR_CHECKSUM, /* the content does not match its checksum */
    WILLOW_ERR_MISMATCH, /* two good things that do not belong together: ruleset, pattern set, configuration */
    WILLOW_ERR_ARGUMENT, /* a value outside its documented range */
    WILLOW_ERR_BUSY,     /* another run holds the lock, or the target exists */
    WILLOW_ERR_STOPPED   /* the caller asked to stop; what was finished is kept */
};

/* Caller-owned report of the first failure. Functions write it only when they fail and only when it is not null. */
struct willow_error {
    enum willow_status status;
    char file[512];   /* file or option concerned, empty when none */
    char place[96];   /* "line 3, column 5", "offset 17", "/positions/score row 12"; empty when none */
    char reason[384]; /* one sentence without a final stop */
};

/* Fills *error (if not null) and returns status, so that callers can write `return willow_fail(...)`.
 * file and place may be null. The formatted reason is cut to fit, never overrun. Uses no errno. */
#ifdef __GNUC__
__attribute__((format(printf, 5, 6)))
#endif
enum willow_status
willow_fail(struct willow_error *error, enum willow_status status, const char *file, const char *place,
            const char *format, ...);

/* As willow_fail with WILLOW_ERR_IO and the reason "cannot <action>: <text of errno_value>". */
enum willow_status willow_fail_errno(struct willow_error *error, const char *file, const char *action, int errno_value);

/* Writes "file: place: reason" in one line (parts that are empty are left out) into buffer, always terminated.
 * Returns buffer. */
char *willow_error_text(const struct willow_error *error, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
