/* Monotonic time. Layer: base. Never goes back when the wall clock is set. */
#ifndef WILLOW_CLOCK_H
#define WILLOW_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds since an arbitrary point of this boot. */
uint64_t willow_clock_ns(void);

/* Current UTC time as "2031-05-09T17:04:05Z"; buffer holds at least 21 bytes. Returns buffer. */
char *willow_clock_utc(char *buffer);

#ifdef __cplusplus
}
#endif
#endif
