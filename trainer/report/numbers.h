/* Numbers as people write them. Layer: trainer (program). */
#ifndef TRAINER_NUMBERS_H
#define TRAINER_NUMBERS_H

#include <stdint.h>

/* 12,345,678; buffer holds at least 32 bytes. Returns buffer. */
char *report_number(uint64_t number, char *buffer);

/* The same in at most 6 characters: 9,999 as it is, then 12.3k, 4.56M, 123G. */
char *report_short(uint64_t number, char *buffer);

/* "12:34", "1:02:03" */
char *report_clock(double seconds, char *buffer);

/* "1.23 GB", of 10^9 bytes; the unit follows the size. */
char *report_bytes(double bytes, char *buffer);

#endif
