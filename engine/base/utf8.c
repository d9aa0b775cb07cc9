/* UTF-8, for text that came from outside. Layer: base. */
#include "utf8.h"

#include <stdbool.h>

size_t utf8_read(const char *text, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length: no longer form than needed */
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80   ? 1
                          : first < 0xc0 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf8 ? 4
                                         : 0;
    if (length < 2) {
        *point = first;
        return length;
    }
    uint32_t value = first & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80)
            return 0; /* the terminator among others */
        value = value << 6 | (next & 0x3f);
    }
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    *point = value;
    return value < least[length] || value > 0x10ffff || surrogate ? 0 : length;
}
