/* The stop flag that another thread or a signal handler sets. Nothing else is shared between threads by the search.
 * Layer: search.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include <willow/search.h>

/* Relaxed order is enough: the flag publishes no other data, it only has to arrive. */
struct willow_stop {
    atomic_bool value;
};

enum willow_status willow_stop_new(struct willow_stop **stop, struct willow_error *error)
{
    *stop = malloc(sizeof **stop);
    if (!*stop)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a stop flag");
    atomic_init(&(*stop)->value, false);
    return WILLOW_OK;
}

void willow_stop_free(struct willow_stop *stop)
{
    free(stop);
}

void willow_stop_set(struct willow_stop *stop, bool value)
{
    atomic_store_explicit(&stop->value, value, memory_order_relaxed);
}

bool willow_stop_get(const struct willow_stop *stop)
{
    return atomic_load_explicit(&stop->value, memory_order_relaxed);
}
