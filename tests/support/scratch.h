/* Temporary folders, and files read and changed on purpose, for tests of what lies on disk. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stddef.h>

enum { SCRATCH_PATH = 512 };

/* A new empty folder under the system's temporary folder. Ends the test program when that fails. */
void scratch_make(char path[SCRATCH_PATH]);
void scratch_remove(const char *path); /* with everything in it */

/* "folder/name" in buffer; returns buffer. */
char *scratch_join(char buffer[SCRATCH_PATH], const char *folder, const char *name);

/* The whole file, and a zero byte behind it; the caller frees. */
unsigned char *scratch_read(const char *path, size_t *size);
void scratch_write(const char *path, const void *data, size_t size);

/* Number of names in the folder that end so. */
int scratch_count(const char *folder, const char *suffix);

/* The descriptor of an open file that lies in the folder and has no name any more; -1 = none. */
int scratch_nameless(const char *folder);

#endif
