/* Monotonic and UTC time from the system.
 * Layer: base.
 */
#include <willow/clock.h>

#include <time.h>

uint64_t willow_clock_ns(void)
{
    struct timespec now = {0};
    /* Cannot fail on Linux for this clock and a valid address. */
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

char *willow_clock_utc(char *buffer)
{
    const time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(buffer, 21, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        buffer[0] = '\0';
    return buffer;
}
