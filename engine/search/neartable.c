/* The table near the end of the game: allocation and clearing. Layer: search. */
#include "search/neartable.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

static const size_t SIZE_BYTES = sizeof(struct near_slot) << NEAR_TABLE_BITS;

enum willow_status near_table_init(struct near_table *table, struct willow_error *error)
{
    *table = (struct near_table){.slots = aligned_alloc(CACHE_LINE, SIZE_BYTES), .epoch = 1};
    if (!table->slots)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for an endgame table of %zu bytes",
                           SIZE_BYTES);
    memset(table->slots, 0, SIZE_BYTES);
    return WILLOW_OK;
}

void near_table_free(struct near_table *table)
{
    free(table->slots);
    *table = (struct near_table){0};
}

void near_table_clear(struct near_table *table)
{
    table->epoch++;
    if (table->epoch == 0) {
        memset(table->slots, 0, SIZE_BYTES);
        table->epoch = 1;
    }
}
