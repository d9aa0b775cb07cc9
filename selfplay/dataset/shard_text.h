/* The text of a shard that says how it was made. Layer: selfplay/dataset, internal. */
#ifndef SELFPLAY_DATASET_SHARD_TEXT_H
#define SELFPLAY_DATASET_SHARD_TEXT_H

#include <willow/status.h>

/* /configuration of the shard at path, terminated; the caller frees *text. WILLOW_ERR_IO, _FORMAT, _MEMORY. */
enum willow_status shard_configuration(const char *path, char **text, struct willow_error *error);

#endif
