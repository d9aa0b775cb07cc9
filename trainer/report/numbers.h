/* Numbers as people write them. Layer: trainer (program). */
#ifndef TRAINER_NUMBERS_H
#define TRAINER_NUMBERS_H

#include <stdint.h>

/* 12,345,678; buffer holds at least 32 bytes. Returns buffer. */
char *report_number(uint64_t number, char *buffer);

#endif
