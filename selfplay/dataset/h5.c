/* HDF5 calls with this project's error reports. Knows nothing of shards or positions. Layer: selfplay/dataset. */
#include "h5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void h5_quiet(void)
{
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

struct reason {
    char text[256];
};

static herr_t take_innermost(unsigned n, const H5E_error2_t *entry, void *context)
{
    struct reason *reason = context;
    if (n == 0 && entry->desc) {
        /* The driver's own message hides the system's words in a list of pointers and sizes; take those words only. */
        static const char key[] = "error message = '";
        const char *words = strstr(entry->desc, key);
        words = words ? words + sizeof key - 1 : entry->desc;
        const char *end = words == entry->desc ? NULL : strchr(words, '\'');
        int length = end ? (int)(end - words) : (int)strnlen(words, sizeof reason->text - 1);
        (void)snprintf(reason->text, sizeof reason->text, "%.*s", length, words);
    }
    return 0;
}

enum willow_status h5_fail(struct willow_error *error, enum willow_status status, const char *path, const char *place,
                           const char *action)
{
    struct reason reason = {"no reason given by HDF5"};
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &reason);
    (void)H5Eclear2(H5E_DEFAULT);
    return willow_fail(error, status, path, place, "cannot %s: %s", action, reason.text);
}

void h5_close(hid_t id)
{
    if (id < 0)
        return;
    /* Every call forgets the failure before it, which is still to be reported. */
    const hid_t failure = H5Eget_num(H5E_DEFAULT) > 0 ? H5Eget_current_stack() : H5I_INVALID_HID;
    (void)H5Idec_ref(id);
    if (failure >= 0)
        (void)H5Eset_current_stack(failure);
}

/* HDF5 says "unable to open file" for a missing, unreadable or foreign file alike, so the system is asked first. */
static enum willow_status look_first(const char *path, struct willow_error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return willow_fail_errno(error, path, "open", errno);
    struct stat status;
    int failed = fstat(fd, &status) != 0 ? errno : 0;
    (void)close(fd);
    if (failed)
        return willow_fail_errno(error, path, "look at", failed);
    if (!S_ISREG(status.st_mode))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "not a regular file");
    if (status.st_size == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "the file is empty");
    return WILLOW_OK;
}

enum willow_status h5_open(const char *path, hid_t *file, struct willow_error *error)
{
    *file = H5I_INVALID_HID;
    enum willow_status status = look_first(path, error);
    if (status)
        return status;
    htri_t known = H5Fis_hdf5(path);
    if (known == 0) {
        (void)H5Eclear2(H5E_DEFAULT);
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "not an HDF5 file");
    }
    if (known < 0)
        return h5_fail(error, WILLOW_ERR_FORMAT, path, NULL, "read it as HDF5");
    /* STRONG: closing the file closes every object in it. Locking is off because shards never change and folders may
     * lie on file systems without locks. */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 || H5Pset_file_locking(access, 0, 1) < 0)
        status = h5_fail(error, WILLOW_ERR_MEMORY, path, NULL, "prepare to open it");
    if (!status) {
        *file = H5Fopen(path, H5F_ACC_RDONLY, access);
        if (*file < 0)
            status = h5_fail(error, WILLOW_ERR_FORMAT, path, NULL, "open it as HDF5");
    }
    h5_close(access);
    return status;
}

static enum willow_status attribute_write(hid_t object, const char *path, const char *name, hid_t file_type,
                                          hid_t memory_type, const void *value, struct willow_error *error)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute =
        space < 0 ? H5I_INVALID_HID : H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    enum willow_status status = WILLOW_OK;
    if (attribute < 0 || H5Awrite(attribute, memory_type, value) < 0)
        status = h5_fail(error, WILLOW_ERR_IO, path, name, "write this attribute");
    h5_close(attribute);
    h5_close(space);
    return status;
}

enum willow_status h5_attribute_write_u64(hid_t object, const char *path, const char *name, uint64_t value,
                                          struct willow_error *error)
{
    return attribute_write(object, path, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value, error);
}

enum willow_status h5_attribute_write_u32(hid_t object, const char *path, const char *name, uint32_t value,
                                          struct willow_error *error)
{
    return attribute_write(object, path, name, H5T_STD_U32LE, H5T_NATIVE_UINT32, &value, error);
}

hid_t h5_text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_strpad(type, H5T_STR_NULLTERM) < 0 ||
                      H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        h5_close(type);
        return H5I_INVALID_HID;
    }
    return type;
}

enum willow_status h5_attribute_write_text(hid_t object, const char *path, const char *name, const char *text,
                                           struct willow_error *error)
{
    hid_t type = h5_text_type(H5T_VARIABLE);
    if (type < 0)
        return h5_fail(error, WILLOW_ERR_MEMORY, path, name, "make a text type");
    enum willow_status status = attribute_write(object, path, name, type, type, &text, error);
    h5_close(type);
    return status;
}

/* Opens a scalar attribute and its type. The caller closes both, also after a failure. */
static enum willow_status attribute_open(hid_t object, const char *path, const char *name, hid_t *attribute,
                                         hid_t *type, struct willow_error *error)
{
    *type = H5I_INVALID_HID;
    *attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (*attribute < 0)
        return h5_fail(error, WILLOW_ERR_FORMAT, path, name, "read this attribute");
    *type = H5Aget_type(*attribute);
    hid_t space = H5Aget_space(*attribute);
    bool scalar = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    h5_close(space);
    if (*type < 0 || !scalar)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, name, "the attribute is not a single value");
    return WILLOW_OK;
}

enum willow_status h5_attribute_read(hid_t object, const char *path, const char *name, uint64_t *value,
                                     struct willow_error *error)
{
    hid_t attribute, type;
    enum willow_status status = attribute_open(object, path, name, &attribute, &type, error);
    if (!status && (H5Tget_class(type) != H5T_INTEGER || H5Tget_sign(type) != H5T_SGN_NONE || H5Tget_size(type) > 8))
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, name, "the attribute is not an unsigned integer");
    if (!status && H5Aread(attribute, H5T_NATIVE_UINT64, value) < 0)
        status = h5_fail(error, WILLOW_ERR_FORMAT, path, name, "read this attribute");
    h5_close(type);
    h5_close(attribute);
    return status;
}

/* `buffer` must hold the type's size. */
static enum willow_status read_fixed(hid_t attribute, hid_t type, const char *path, const char *name, char *buffer,
                                     size_t size, struct willow_error *error)
{
    memset(buffer, 0, size);
    if (H5Aread(attribute, type, buffer) < 0)
        return h5_fail(error, WILLOW_ERR_FORMAT, path, name, "read this attribute");
    if (memchr(buffer, 0, size) == NULL)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, name, "the text has no end");
    return WILLOW_OK;
}

static enum willow_status read_variable(hid_t attribute, hid_t type, const char *path, const char *name, char *buffer,
                                        size_t size, struct willow_error *error)
{
    char *text = NULL; /* stays null for an empty one */
    if (H5Aread(attribute, type, &text) < 0)
        return h5_fail(error, WILLOW_ERR_FORMAT, path, name, "read this attribute");
    const size_t length = text ? strlen(text) : 0;
    const bool fits = length < size;
    if (fits && text)
        memcpy(buffer, text, length);
    if (fits)
        buffer[length] = '\0';
    (void)H5free_memory(text);
    return fits ? WILLOW_OK
                : willow_fail(error, WILLOW_ERR_FORMAT, path, name, "the text of %zu bytes is too long", length);
}

enum willow_status h5_attribute_read_text(hid_t object, const char *path, const char *name, bool guarded, char *buffer,
                                          size_t size, struct willow_error *error)
{
    hid_t attribute, type;
    enum willow_status status = attribute_open(object, path, name, &attribute, &type, error);
    if (!status) {
        const bool text = H5Tget_class(type) == H5T_STRING;
        if (text && guarded && H5Tis_variable_str(type) > 0)
            status = read_variable(attribute, type, path, name, buffer, size, error);
        else if (text && H5Tis_variable_str(type) == 0 && H5Tget_size(type) <= size)
            status = read_fixed(attribute, type, path, name, buffer, size, error);
        else
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, name,
                                 "the attribute is not text of less than %zu bytes", size);
    }
    h5_close(type);
    h5_close(attribute);
    return status;
}
