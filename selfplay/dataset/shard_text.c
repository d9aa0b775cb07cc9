/* Reads the text of a shard that says how it was made. Looks at nothing else in the file. Layer: selfplay/dataset. */
#include "shard_text.h"

#include <stdlib.h>

#include "h5.h"

static const char name[] = "/configuration";

/* One text of fixed length, as the writer stores it; a file of other origin may hold anything. */
static enum willow_status read_text(hid_t dataset, hid_t type, const char *path, char **text,
                                    struct willow_error *error)
{
    hid_t space = H5Dget_space(dataset);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    size_t size =
        type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    h5_close(space);
    if (!single || size == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, name, "not a text");
    *text = calloc(size + 1, 1);
    if (!*text)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, name, "out of memory");
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0)
        return WILLOW_OK;
    free(*text);
    *text = NULL;
    return h5_fail(error, WILLOW_ERR_FORMAT, path, name, "read it");
}

enum willow_status shard_configuration(const char *path, char **text, struct willow_error *error)
{
    hid_t file;
    h5_quiet();
    *text = NULL;
    enum willow_status status = h5_open(path, &file, error);
    if (status)
        return status;
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t type = dataset >= 0 ? H5Dget_type(dataset) : H5I_INVALID_HID;
    status = dataset >= 0 ? read_text(dataset, type, path, text, error)
                          : h5_fail(error, WILLOW_ERR_FORMAT, path, name, "open it");
    h5_close(type);
    h5_close(dataset);
    h5_close(file);
    return status;
}
