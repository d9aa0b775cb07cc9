/* One field of an array of structs as one HDF5 dataset. Knows no positions; the tables of columns are in shard.c.
 * Layer: selfplay/dataset.
 */
#include "column.h"

#include <stdio.h>
#include <string.h>

#include "h5.h"

static size_t value_size(enum column_type type)
{
    switch (type) {
    case COLUMN_U64:
        return 8;
    case COLUMN_I16:
        return 2;
    case COLUMN_I8:
    case COLUMN_U8:
        return 1;
    }
    return 0;
}

static hid_t file_type(enum column_type type)
{
    switch (type) {
    case COLUMN_U64:
        return H5T_STD_U64LE;
    case COLUMN_I16:
        return H5T_STD_I16LE;
    case COLUMN_I8:
        return H5T_STD_I8LE;
    case COLUMN_U8:
        return H5T_STD_U8LE;
    }
    return H5I_INVALID_HID;
}

static hid_t memory_type(enum column_type type)
{
    switch (type) {
    case COLUMN_U64:
        return H5T_NATIVE_UINT64;
    case COLUMN_I16:
        return H5T_NATIVE_INT16;
    case COLUMN_I8:
        return H5T_NATIVE_INT8;
    case COLUMN_U8:
        return H5T_NATIVE_UINT8;
    }
    return H5I_INVALID_HID;
}

/* Bytes an element. */
static size_t column_size(const struct column *column)
{
    return value_size(column->type) * column->width;
}

/* Rows of a chunk of a column with `count` elements. */
static uint64_t column_chunk(const struct column *column, uint64_t count)
{
    /* A wide column (the moves of a game) takes as many bytes a chunk as a narrow one of 8 bytes. */
    uint64_t rows = COLUMN_CHUNK_ROWS;
    if (column_size(column) > 8)
        rows = (uint64_t)COLUMN_CHUNK_ROWS * 8 / column_size(column);
    return count < rows ? count : rows;
}

size_t column_scratch_bytes(const struct column *columns, size_t columns_count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < columns_count; i++) {
        size_t needed = column_size(&columns[i]) * (size_t)column_chunk(&columns[i], COLUMN_CHUNK_ROWS);
        if (needed > bytes)
            bytes = needed;
    }
    return bytes;
}

/* Fixed sizes let the compiler turn the copies of the hot columns into single moves. */
static void copy_strided(char *to, size_t to_stride, const char *from, size_t from_stride, size_t size, uint64_t count)
{
    switch (size) {
    case 8:
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + i * to_stride, from + i * from_stride, 8);
        break;
    case 2:
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + i * to_stride, from + i * from_stride, 2);
        break;
    case 1:
        for (uint64_t i = 0; i < count; i++)
            to[i * to_stride] = from[i * from_stride];
        break;
    default:
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + i * to_stride, from + i * from_stride, size);
        break;
    }
}

static int rank_of(const struct column *column)
{
    return column->width > 1 ? 2 : 1;
}

static herr_t read_block(hid_t dataset, const struct column *column, uint64_t first, uint64_t count, void *to)
{
    hsize_t start[2] = {first, 0}, extent[2] = {count, column->width};
    hid_t disk = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(rank_of(column), extent, NULL);
    herr_t result = -1;
    if (disk >= 0 && memory >= 0 && H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0)
        result = H5Dread(dataset, memory_type(column->type), memory, disk, H5P_DEFAULT, to);
    h5_close(memory);
    h5_close(disk);
    return result;
}

/* The properties of a new column: chunks with shuffle, deflate and fletcher32; no times, so that equal rows give equal
 * bytes; no room for attributes. The k-th values of a wide column have chunks of their own: they resemble each other. A
 * chunk cannot be empty, so an empty column is left contiguous. Negative on failure. */
static hid_t creation_properties(const struct column *column, unsigned level, uint64_t count)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (properties < 0)
        return properties;
    hsize_t chunk[2] = {column_chunk(column, count), 1};
    bool good = H5Pset_obj_track_times(properties, 0) >= 0 && H5Pset_dset_no_attrs_hint(properties, 1) >= 0;
    if (good && count > 0)
        good = H5Pset_chunk(properties, rank_of(column), chunk) >= 0 && H5Pset_shuffle(properties) >= 0 &&
               H5Pset_deflate(properties, level) >= 0 && H5Pset_fletcher32(properties) >= 0;
    if (!good) {
        h5_close(properties);
        return H5I_INVALID_HID;
    }
    return properties;
}

enum willow_status column_create(hid_t file, const char *path, const struct column *column, unsigned level,
                                 uint64_t count, hid_t *dataset, struct willow_error *error)
{
    hsize_t extent[2] = {count, column->width};
    hid_t space = H5Screate_simple(rank_of(column), extent, NULL);
    hid_t properties = creation_properties(column, level, count);
    enum willow_status status = WILLOW_OK;
    *dataset = H5I_INVALID_HID;
    if (space >= 0 && properties >= 0)
        *dataset = H5Dcreate2(file, column->name, file_type(column->type), space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (*dataset < 0)
        status = h5_fail(error, WILLOW_ERR_IO, path, column->name, "create this column");
    h5_close(properties);
    h5_close(space);
    return status;
}

/* Where chunk `number` begins: those of the first rows come first, one for each of a wide column's values. */
static void chunk_place(const struct column *column, uint64_t count, uint64_t number, hsize_t place[2])
{
    place[0] = number / column->width * column_chunk(column, count);
    place[1] = number % column->width;
}

uint64_t column_chunks(const struct column *column, uint64_t count)
{
    uint64_t rows = column_chunk(column, count);
    return count > 0 ? (count - 1) / rows * column->width + column->width : 0;
}

enum willow_status column_pack(const struct column *column, const void *base, size_t stride, uint64_t count,
                               uint64_t number, unsigned level, void *scratch, struct chunk *chunk,
                               struct willow_error *error)
{
    hsize_t place[2];
    chunk_place(column, count, number, place);
    size_t rows = (size_t)column_chunk(column, count), size = value_size(column->type);
    size_t part = count - place[0] < rows ? (size_t)(count - place[0]) : rows;
    const char *from = (const char *)base + place[0] * stride + column->offset + place[1] * size;
    copy_strided(scratch, size, from, stride, size, part);
    /* A chunk is whole, also where the column ends within it. */
    memset((char *)scratch + part * size, 0, (rows - part) * size);
    return chunk_pack(scratch, size, rows, level, (char *)scratch + COLUMN_CHUNK_BYTES, chunk, error);
}

enum willow_status column_put(hid_t dataset, const char *path, const struct column *column, uint64_t count,
                              uint64_t number, const struct chunk *chunk, struct willow_error *error)
{
    hsize_t place[2];
    chunk_place(column, count, number, place);
    if (H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, place, chunk->size_bytes, chunk->data) < 0)
        return h5_fail(error, WILLOW_ERR_IO, path, column->name, "write this column");
    return WILLOW_OK;
}

static bool type_fits(hid_t dataset, enum column_type type)
{
    hid_t stored = H5Dget_type(dataset);
    bool is_signed = type == COLUMN_I16 || type == COLUMN_I8;
    bool fits = stored >= 0 && H5Tget_class(stored) == H5T_INTEGER && H5Tget_size(stored) == value_size(type) &&
                H5Tget_sign(stored) == (is_signed ? H5T_SGN_2 : H5T_SGN_NONE);
    h5_close(stored);
    return fits;
}

/* The extent of the dataset against what it should be. */
static enum willow_status check_extent(hid_t dataset, const char *path, const struct column *column, uint64_t count,
                                       struct willow_error *error)
{
    hsize_t extent[2] = {0, 1};
    hid_t space = H5Dget_space(dataset);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank_of(column) &&
                H5Sget_simple_extent_dims(space, extent, NULL) >= 0;
    h5_close(space);
    if (!good || extent[1] != column->width)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, column->name, "the column has the wrong shape");
    if (extent[0] != count)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, column->name, "the column has %llu entries instead of %llu",
                           (unsigned long long)extent[0], (unsigned long long)count);
    return WILLOW_OK;
}

/* Bytes of the chunks that hold one element and its neighbours; 0 where the layout is not chunked. */
static uint64_t chunks_bytes(hid_t dataset, const struct column *column)
{
    hsize_t chunk[2] = {0, 1};
    hid_t properties = H5Dget_create_plist(dataset);
    if (properties < 0 || H5Pget_layout(properties) != H5D_CHUNKED ||
        H5Pget_chunk(properties, rank_of(column), chunk) != rank_of(column))
        chunk[0] = 0;
    h5_close(properties);
    return chunk[0] * (chunk[1] > column->width ? chunk[1] : column->width) * value_size(column->type);
}

/* The cache must hold the chunks that are being read; otherwise every block would unpack them again. They take
 * neighbouring slots, so there is one for each column of the widest column there is. */
static hid_t access_properties(uint64_t bytes)
{
    enum { SLOTS = 131 };
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (access >= 0 && H5Pset_chunk_cache(access, SLOTS, (size_t)bytes + 1, 1.0) < 0) {
        h5_close(access);
        return H5I_INVALID_HID;
    }
    return access;
}

enum willow_status column_open(hid_t file, const char *path, const struct column *column, uint64_t count,
                               hid_t *dataset, struct willow_error *error)
{
    *dataset = H5Dopen2(file, column->name, H5P_DEFAULT);
    if (*dataset < 0)
        return h5_fail(error, WILLOW_ERR_FORMAT, path, column->name, "open this column");
    if (!type_fits(*dataset, column->type))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, column->name, "the column has the wrong type");
    enum willow_status status = check_extent(*dataset, path, column, count, error);
    if (status)
        return status;
    uint64_t bytes = chunks_bytes(*dataset, column);
    if (bytes > COLUMN_CHUNK_MAX_BYTES)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, column->name,
                           "chunks of %llu bytes are above the limit of %d", (unsigned long long)bytes,
                           (int)COLUMN_CHUNK_MAX_BYTES);
    h5_close(*dataset);
    *dataset = H5I_INVALID_HID;
    hid_t access = access_properties(bytes);
    if (access >= 0)
        *dataset = H5Dopen2(file, column->name, access);
    h5_close(access);
    if (*dataset < 0)
        return h5_fail(error, WILLOW_ERR_FORMAT, path, column->name, "open this column");
    return WILLOW_OK;
}

enum willow_status column_read(hid_t dataset, const char *path, const struct column *column, uint64_t first,
                               uint64_t count, void *base, size_t stride, void *scratch, struct willow_error *error)
{
    uint64_t chunk = column_chunk(column, COLUMN_CHUNK_ROWS);
    size_t size = column_size(column);
    for (uint64_t done = 0; done < count; done += chunk) {
        uint64_t part = count - done < chunk ? count - done : chunk;
        if (read_block(dataset, column, first + done, part, scratch) < 0) {
            char place[96];
            (void)snprintf(place, sizeof place, "%s row %llu", column->name, (unsigned long long)(first + done));
            return h5_fail(error, WILLOW_ERR_FORMAT, path, place, "read this column");
        }
        copy_strided((char *)base + done * stride + column->offset, stride, scratch, size, size, part);
    }
    return WILLOW_OK;
}
