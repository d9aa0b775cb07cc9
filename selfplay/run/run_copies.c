/* Copies of a run's inputs in its folder. Layer: selfplay. */
#include "run_copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "run_folder.h"

enum { PATH_BYTES = 4096 };

static enum willow_status is_another(const char *path, const char *what, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL,
                       "the file exists and is not the %s of this run; choose another folder or remove it", what);
}

static enum willow_status keep_text(const char *folder, const char *name, const char *text, const char *what,
                                    struct willow_error *error)
{
    char path[PATH_BYTES];
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_path_join(path, sizeof path, folder, name, error);
    if (status)
        return status;
    if (!willow_file_exists(path))
        return willow_file_replace(path, text, strlen(text), error);
    status = willow_file_read(path, OPENINGS_LIST_BYTES_MAX, &data, &size, error);
    if (!status && (size != strlen(text) || memcmp(data, text, size) != 0))
        status = is_another(path, what, error);
    free(data);
    return status;
}

static enum willow_status keep_weights(const char *folder, const char *name, const struct willow_weights *weights,
                                       struct willow_error *error)
{
    char path[PATH_BYTES];
    struct willow_weights *there;
    enum willow_status status = willow_path_join(path, sizeof path, folder, name, error);
    if (status)
        return status;
    if (!willow_file_exists(path))
        return willow_weights_save(weights, path, error);
    status = willow_weights_open(path, NULL, &there, error);
    if (status)
        return status;
    if (strcmp(willow_weights_checksum(there), willow_weights_checksum(weights)) != 0)
        status = is_another(path, "weights", error);
    willow_weights_free(there);
    return status;
}

enum willow_status run_copies_keep(const char *folder, const struct run_config *config, const struct run_inputs *inputs,
                                   const char *configuration, struct willow_error *error)
{
    enum willow_status status = keep_weights(folder, RUN_WEIGHTS_FILE, inputs->weights[0], error);
    for (int i = 1; !status && i <= config->pool_count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, RUN_POOL_FILE, i);
        status = keep_weights(folder, name, inputs->weights[i], error);
    }
    if (!status && config->opening == OPENINGS_LIST)
        status = keep_text(folder, RUN_OPENINGS_FILE, inputs->list, "openings", error);
    return status ? status : keep_text(folder, RUN_CONFIG_FILE, configuration, "configuration", error);
}
