/* What every HTML page that a program writes must be. A failure fails the running test. */
#ifndef TESTS_SUPPORT_PAGES_H
#define TESTS_SUPPORT_PAGES_H

#include <stdio.h>

/* What `print` prints of `what`; the caller frees. */
char *pages_printed(void (*print)(FILE *out, const void *what), const void *what);

/* Whole, in one file, without scripts, NaNs or anything from outside, and with a dark scheme. */
void pages_check(const char *page);

/* The text holds the part. */
void pages_assert_says(const char *text, const char *part);

/* How often the part stands in the text. */
int pages_count(const char *text, const char *part);

#endif
