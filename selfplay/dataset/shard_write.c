/* Writes one shard. The HDF5 file is built in memory and goes to the disk through plain, checked writes: HDF5's own
 * file driver closes a file without complaint after a write that failed on a full disk. Layer: selfplay/dataset.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/clock.h>
#include <willow/file.h>

#include "h5.h"
#include "shard.h"
#include "shard_columns.h"
#include "text_guard.h"

enum {
    COMPACT_MAX = 60000, /* what lies inside an object's header must stay below HDF5's limit of 64 KiB */
    CONFIGURATION_MAX = 16 << 20,
    MEMORY_INCREMENT = 4 << 20,
    WRITE_BLOCK = 1 << 20,
    ATTRIBUTES_MAX = 64
};

/* Plies of a block and deflate's level, by enum willow_shard_layout. Rows of one game that follow each other share most
 * of their bytes, which is where the packing comes from; in blocks of plies they also lie near those of other games
 * that resemble them. 8,192 games of depth 6, exact from 14 empties, in two shards: bytes a position and zlib's time
 * with 20 plies, level 6: 8.96, 0.79 us; 30 plies, level 5: 9.02, 0.51 us; level 6: 8.85, 0.78 us; level 9: 8.72, 2.7
 * us; all plies, level 6: 9.01, 0.74 us; 1 ply, level 1: 13.4. */
static const struct packing {
    unsigned block_plies, level;
} packings[] = {[WILLOW_LAYOUT_COMPACT] = {30, 6}, [WILLOW_LAYOUT_PLIES] = {1, 1}};

/* The file in memory. `data` belongs to HDF5's driver until the file is closed. */
struct image {
    unsigned char *data;
    size_t size;
};

/* Everything that a shard consists of. */
struct content {
    const char *path;
    const struct willow_ruleset *ruleset;
    const struct willow_shard_info *info;
    const struct willow_row *rows;
    const struct willow_game_row *games;
    const struct packing *packing;
    struct row_layout layout;
};

static enum willow_status check_content(const struct content *content, struct willow_error *error)
{
    char place[96];
    for (uint64_t i = 0; i < content->info->rows; i++) {
        const char *fault = row_fault(content->ruleset, &content->rows[i]);
        if (fault) {
            (void)snprintf(place, sizeof place, "/positions row %" PRIu64 " (game %" PRIu64 ")", i,
                           content->rows[i].game);
            return willow_fail(error, WILLOW_ERR_FORMAT, content->path, place, "%s", fault);
        }
    }
    for (uint64_t i = 0; i < content->info->games; i++) {
        const char *fault = game_row_fault(content->ruleset, &content->games[i]);
        if (fault) {
            (void)snprintf(place, sizeof place, "/games row %" PRIu64, i);
            return willow_fail(error, WILLOW_ERR_FORMAT, content->path, place, "%s", fault);
        }
    }
    return WILLOW_OK;
}

/* HDF5 asks these for the memory of the file, so that its final bytes are ours after closing. (H5Fget_file_image copies
 * from the open file and leaves a wrong checksum in the superblock of this format.) */
static void *image_allocate(size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    struct image *image = context;
    image->data = malloc(size);
    return image->data;
}

static void *image_resize(void *data, size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    struct image *image = context;
    void *moved = realloc(data, size);
    if (moved)
        image->data = moved;
    return moved;
}

static void *image_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t operation, void *context)
{
    (void)operation;
    (void)context;
    return memcpy(to, from, size);
}

static herr_t image_release(void *data, H5FD_file_image_op_t operation, void *context)
{
    (void)data;
    (void)operation;
    (void)context;
    return 0;
}

static void *same_context(void *context)
{
    return context;
}

static herr_t keep_context(void *context)
{
    (void)context;
    return 0;
}

/* The format of HDF5 1.10 is the first that guards all of its own structure with checksums. No space is set aside in
 * blocks, because what is left of them would be given back on closing, after the file was measured. */
static hid_t create_in_memory(const char *path, struct image *image)
{
    H5FD_file_image_callbacks_t callbacks = {image_allocate, image_copy,   image_resize, image_release,
                                             same_context,   keep_context, image};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE), file = H5I_INVALID_HID;
    if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, MEMORY_INCREMENT, 0) >= 0 &&
        H5Pset_file_image_callbacks(access, &callbacks) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 && H5Pset_meta_block_size(access, 0) >= 0 &&
        H5Pset_small_data_block_size(access, 0) >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_obj_track_times(creation, 0) >= 0 &&
        H5Pset_attr_phase_change(creation, ATTRIBUTES_MAX, ATTRIBUTES_MAX / 2) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    h5_close(creation);
    h5_close(access);
    return file;
}

static enum willow_status create_groups(hid_t file, const struct content *content, struct willow_error *error)
{
    static const char *const names[] = {"/positions", "/games"};
    enum willow_status status = WILLOW_OK;
    hid_t properties = H5Pcreate(H5P_GROUP_CREATE);
    if (properties < 0 || H5Pset_obj_track_times(properties, 0) < 0)
        status = h5_fail(error, WILLOW_ERR_MEMORY, content->path, NULL, "prepare its groups");
    for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++) {
        hid_t group = H5Gcreate2(file, names[i], H5P_DEFAULT, properties, H5P_DEFAULT);
        if (group < 0)
            status = h5_fail(error, WILLOW_ERR_IO, content->path, names[i], "create this group");
        h5_close(group);
    }
    h5_close(properties);
    return status;
}

static enum willow_status write_columns(hid_t file, const struct content *content, struct willow_error *error)
{
    const struct willow_shard_info *info = content->info;
    const struct shard_table tables[] = {
        {shard_position_columns, SHARD_POSITION_COLUMNS, content->rows, sizeof *content->rows, info->rows},
        {shard_game_columns, SHARD_GAME_COLUMNS, content->games, sizeof *content->games, info->games}};
    return shard_columns_write(file, content->path, tables, sizeof tables / sizeof *tables, content->packing->level,
                               info->threads, error);
}

/* A dataset without chunks. A small one lies inside its own header, so that the header's checksum covers it. */
static enum willow_status write_plain(hid_t file, const char *path, const char *name, hid_t type, hid_t memory_type,
                                      hid_t space, size_t bytes, const void *data, struct willow_error *error)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE), dataset = H5I_INVALID_HID;
    if (properties >= 0 && type >= 0 && space >= 0 &&
        H5Pset_layout(properties, bytes <= COMPACT_MAX ? H5D_COMPACT : H5D_CONTIGUOUS) >= 0 &&
        H5Pset_obj_track_times(properties, 0) >= 0)
        dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    enum willow_status status = WILLOW_OK;
    if (dataset < 0 || H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        status = h5_fail(error, WILLOW_ERR_IO, path, name, "write this dataset");
    h5_close(dataset);
    h5_close(properties);
    return status;
}

static enum willow_status write_small(hid_t file, const struct content *content, struct willow_error *error)
{
    const char *configuration = content->info->configuration ? content->info->configuration : "";
    size_t length = strlen(configuration);
    if (length > CONFIGURATION_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, content->path, "/configuration",
                           "the text is longer than %d bytes", (int)CONFIGURATION_MAX);
    hsize_t extent = WILLOW_PLIES;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    enum willow_status status = write_plain(file, content->path, "/ply_rows", H5T_STD_U64LE, H5T_NATIVE_UINT64, space,
                                            sizeof content->layout.plies, content->layout.plies, error);
    h5_close(space);
    if (status)
        return status;
    hid_t type = h5_text_type(length + 1);
    space = H5Screate(H5S_SCALAR);
    status = write_plain(file, content->path, "/configuration", type, type, space, length + 1, configuration, error);
    h5_close(space);
    h5_close(type);
    return status;
}

/* Memory is allocated in large steps; the file itself ends where HDF5 has allocated to. */
static enum willow_status measure_image(hid_t file, const char *path, struct image *image, struct willow_error *error)
{
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0)
        return h5_fail(error, WILLOW_ERR_IO, path, NULL, "flush it in memory");
    ssize_t size = H5Fget_file_image(file, NULL, 0);
    if (size <= 0)
        return h5_fail(error, WILLOW_ERR_IO, path, NULL, "measure it in memory");
    image->size = (size_t)size;
    return WILLOW_OK;
}

/* Before anything else is in the file, so that their heap can be told from data. */
static enum willow_status write_texts(hid_t file, const struct content *content, struct image *image,
                                      struct willow_error *error)
{
    const struct willow_shard_info *info = content->info;
    char host[256] = "", utc[32];
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    const struct {
        const char *name, *text;
    } texts[] = {{"format", SHARD_FORMAT},       {"ruleset", content->ruleset->name},
                 {"tool", info->tool},           {"weights", info->weights},
                 {"labels", info->labels},       {"host", host},
                 {"time", willow_clock_utc(utc)}};
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < sizeof texts / sizeof *texts; i++)
        status = h5_attribute_write_text(file, content->path, texts[i].name, texts[i].text, error);
    if (!status)
        status = measure_image(file, content->path, image, error);
    return status ? status : text_guard_write(file, content->path, image->data, image->size, error);
}

static enum willow_status write_numbers(hid_t file, const struct content *content, struct willow_error *error)
{
    const struct willow_shard_info *info = content->info;
    const struct {
        const char *name;
        uint64_t value;
    } wide[] = {{"seed", info->seed}, {"first_game", info->first_game}, {"rows", info->rows}, {"games", info->games}};
    const struct {
        const char *name;
        uint32_t value;
    } narrow[] = {{"version", WILLOW_DATASET_VERSION},
                  {"ruleset_id", info->ruleset},
                  {"block_plies", content->layout.block_plies},
                  {"complete", 1}}; /* last of all */
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < sizeof wide / sizeof *wide; i++)
        status = h5_attribute_write_u64(file, content->path, wide[i].name, wide[i].value, error);
    for (size_t i = 0; !status && i < sizeof narrow / sizeof *narrow; i++)
        status = h5_attribute_write_u32(file, content->path, narrow[i].name, narrow[i].value, error);
    return status;
}

static enum willow_status build_image(const struct content *content, struct image *image, struct willow_error *error)
{
    hid_t file = create_in_memory(content->path, image);
    if (file < 0)
        return h5_fail(error, WILLOW_ERR_MEMORY, content->path, NULL, "create it in memory");
    enum willow_status status = write_texts(file, content, image, error);
    if (!status)
        status = create_groups(file, content, error);
    if (!status)
        status = write_columns(file, content, error);
    if (!status)
        status = write_small(file, content, error);
    if (!status)
        status = write_numbers(file, content, error);
    if (!status)
        status = measure_image(file, content->path, image, error);
    if (H5Fclose(file) < 0 && !status)
        status = h5_fail(error, WILLOW_ERR_IO, content->path, NULL, "close it in memory");
    return status;
}

static enum willow_status store_image(const char *path, const struct image *image, struct willow_error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return willow_fail_errno(error, path, "create", errno);
    enum willow_status status = WILLOW_OK;
    for (size_t done = 0; !status && done < image->size;) {
        size_t part = image->size - done < WRITE_BLOCK ? image->size - done : WRITE_BLOCK;
        ssize_t written = write(fd, image->data + done, part);
        if (written < 0 && errno != EINTR)
            status = willow_fail_errno(error, path, "write", errno);
        else if (written > 0)
            done += (size_t)written;
    }
    if (!status && fsync(fd) != 0)
        status = willow_fail_errno(error, path, "sync", errno);
    if (close(fd) != 0 && !status)
        status = willow_fail_errno(error, path, "close", errno);
    return status;
}

/* What the file gives back against what is still in memory. */
static enum willow_status compare_content(struct shard *shard, const struct content *content,
                                          struct willow_error *error)
{
    union block {
        struct willow_row rows[4096];
        struct willow_game_row games[1024];
    } *block = malloc(sizeof *block);
    if (!block)
        return willow_fail(error, WILLOW_ERR_MEMORY, content->path, NULL, "out of memory");
    enum willow_status status = WILLOW_OK;
    for (uint64_t first = 0; !status && first < content->info->rows; first += 4096) {
        uint64_t count = content->info->rows - first < 4096 ? content->info->rows - first : 4096;
        status = shard_rows(shard, first, count, block->rows, error);
        for (uint64_t i = 0; !status && i < count; i++)
            if (!row_equal(&block->rows[i], &content->rows[first + i]))
                status = willow_fail(error, WILLOW_ERR_CHECKSUM, shard->path, "/positions",
                                     "row %" PRIu64 " read back differs", first + i);
    }
    for (uint64_t first = 0; !status && first < content->info->games; first += 1024) {
        uint64_t count = content->info->games - first < 1024 ? content->info->games - first : 1024;
        status = shard_games(shard, first, count, block->games, error);
        for (uint64_t i = 0; !status && i < count; i++)
            if (!game_row_equal(&block->games[i], &content->games[first + i]))
                status = willow_fail(error, WILLOW_ERR_CHECKSUM, shard->path, "/games",
                                     "row %" PRIu64 " read back differs", first + i);
    }
    free(block);
    return status;
}

static bool same_header(const struct shard *shard, const struct content *content)
{
    const struct willow_shard_info *read = &shard->info, *written = content->info;
    return read->rows == written->rows && read->games == written->games && read->seed == written->seed &&
           read->first_game == written->first_game && strcmp(read->tool, written->tool) == 0 &&
           strcmp(read->weights, written->weights) == 0 && strcmp(read->labels, written->labels) == 0 &&
           shard->layout.block_plies == content->layout.block_plies &&
           memcmp(shard->layout.plies, content->layout.plies, sizeof content->layout.plies) == 0;
}

static enum willow_status verify_stored(const char *path, const struct content *content, const char *checksum,
                                        struct willow_error *error)
{
    char stored[WILLOW_CHECKSUM_TEXT];
    enum willow_status status = willow_checksum_file(path, stored, error);
    if (status)
        return status;
    if (strcmp(stored, checksum) != 0)
        return willow_fail(error, WILLOW_ERR_CHECKSUM, path, NULL, "the file read back differs from what was written");
    struct shard *shard = calloc(1, sizeof *shard);
    if (!shard)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    status = shard_open(shard, path, error);
    if (!status && !same_header(shard, content))
        status = willow_fail(error, WILLOW_ERR_CHECKSUM, path, NULL, "the attributes read back differ");
    if (!status)
        status = compare_content(shard, content, error);
    shard_close(shard);
    free(shard);
    return status;
}

/* From the image to the final name: written, synced, verified, renamed, folder synced. */
static enum willow_status publish_image(const struct content *content, const struct image *image,
                                        char checksum[WILLOW_CHECKSUM_TEXT], struct willow_error *error)
{
    char temporary[SHARD_PATH_MAX];
    int length = snprintf(temporary, sizeof temporary, "%s.tmp", content->path);
    if (length < 0 || (size_t)length >= sizeof temporary)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, content->path, NULL, "the path is too long");
    willow_checksum128_text(image->data, image->size, checksum);
    enum willow_status status = store_image(temporary, image, error);
    if (!status)
        status = verify_stored(temporary, content, checksum, error);
    if (!status)
        status = willow_file_publish(temporary, content->path, error);
    if (status)
        (void)unlink(temporary);
    return status;
}

enum willow_status willow_shard_write(const char *folder, uint32_t number, const struct willow_shard_info *info,
                                      struct willow_row *rows, const struct willow_game_row *games,
                                      char checksum[WILLOW_CHECKSUM_TEXT], struct willow_error *error)
{
    char path[SHARD_PATH_MAX];
    h5_quiet();
    enum willow_status status = shard_path(path, sizeof path, folder, number, error);
    if (status)
        return status;
    if (willow_file_exists(path))
        return willow_fail(error, WILLOW_ERR_BUSY, path, NULL, "the shard exists already");
    struct content content = {.path = path,
                              .ruleset = willow_ruleset_by_id(info->ruleset),
                              .info = info,
                              .packing = &packings[info->layout],
                              .rows = rows,
                              .games = games};
    if (!content.ruleset)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "unknown ruleset %" PRIu32, info->ruleset);
    if (info->rows > SHARD_ROWS_MAX || info->games > SHARD_ROWS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "more rows or games than a shard may hold");
    rows_sort(rows, info->rows, content.packing->block_plies);
    status = check_content(&content, error);
    if (status)
        return status;
    row_layout_count(&content.layout, rows, info->rows, content.packing->block_plies);
    struct image image = {NULL, 0};
    status = build_image(&content, &image, error);
    if (!status)
        status = publish_image(&content, &image, checksum, error);
    free(image.data);
    return status;
}
