/* A stream over the rows of many shards, one file open at a time. Does not shuffle. Layer: selfplay/dataset. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "shard.h"

/* Rows that are read at once. */
enum { BUFFER_ROWS = 4096 };

/* The blocks of one shard that overlap the plies asked for. */
struct part {
    size_t folder;
    uint64_t place; /* of the shard among all shards of all folders */
    uint32_t number;
    uint64_t first, count; /* rows in these blocks */
    uint64_t wanted;       /* those of the plies asked for */
};

struct willow_reader {
    const struct willow_ruleset *ruleset;
    int first_ply, last_ply;
    char **folders;
    size_t folders_count;
    struct part *parts;
    size_t parts_count, parts_capacity;
    uint64_t shards; /* of all folders, those without a row that was asked for too */
    uint64_t rows;
    size_t current;       /* part; parts_count at the end */
    size_t from;          /* part that the last rows came from */
    uint64_t done, given; /* rows of the current part that were read, and given out */
    struct shard shard;   /* open on the current part once it was read from */
    bool open;
    size_t buffered, taken; /* rows in the buffer, and how many of them were looked at */
    struct willow_row buffer[BUFFER_ROWS];
};

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static enum willow_status check_against_manifest(const struct shard *shard, const struct willow_manifest *manifest,
                                                 const struct willow_manifest_shard *entry,
                                                 const struct willow_reader *reader, struct willow_error *error)
{
    if (shard->info.ruleset != reader->ruleset->id)
        return willow_fail(error, WILLOW_ERR_MISMATCH, shard->path, "ruleset", "the shard is of ruleset %s, not %s",
                           shard->ruleset->name, reader->ruleset->name);
    if (shard->info.rows != entry->rows || shard->info.games != entry->games ||
        shard->info.first_game != entry->first_game || shard->info.seed != manifest->seed)
        return willow_fail(error, WILLOW_ERR_MISMATCH, shard->path, NULL,
                           "the shard is not the one that the manifest lists");
    return WILLOW_OK;
}

static enum willow_status append_part(struct willow_reader *reader, const struct part *part, struct willow_error *error)
{
    if (reader->parts_count == reader->parts_capacity) {
        size_t capacity = reader->parts_capacity ? reader->parts_capacity * 2 : 64;
        struct part *grown = reallocarray(reader->parts, capacity, sizeof *grown);
        if (!grown)
            return out_of_memory(error);
        reader->parts = grown;
        reader->parts_capacity = capacity;
    }
    reader->parts[reader->parts_count++] = *part;
    reader->rows += part->wanted;
    return WILLOW_OK;
}

/* What there is to read in an open shard. */
static struct part part_of(const struct willow_reader *reader, const struct row_layout *layout)
{
    struct part part = {.first = layout->before[reader->first_ply]};
    part.count = layout->through[reader->last_ply] - part.first;
    part.wanted = row_layout_rows(layout, reader->first_ply, reader->last_ply);
    return part;
}

/* Opens a shard once for its header, so that a bad file is refused before anything is learnt from the good ones. */
static enum willow_status add_shard(struct willow_reader *reader, size_t folder, const struct willow_manifest *manifest,
                                    const struct willow_manifest_shard *entry, bool verify, struct willow_error *error)
{
    char path[SHARD_PATH_MAX], checksum[WILLOW_CHECKSUM_TEXT];
    enum willow_status status = shard_path(path, sizeof path, reader->folders[folder], entry->number, error);
    if (!status && verify) {
        status = willow_checksum_file(path, checksum, error);
        if (!status && strcmp(checksum, entry->checksum) != 0)
            status =
                willow_fail(error, WILLOW_ERR_CHECKSUM, path, NULL, "the file does not match the manifest's checksum");
    }
    if (status)
        return status;
    struct shard *shard = &reader->shard;
    status = shard_open(shard, path, error);
    if (!status)
        status = check_against_manifest(shard, manifest, entry, reader, error);
    if (!status) {
        struct part part = part_of(reader, &shard->layout);
        part.folder = folder;
        part.place = reader->shards++;
        part.number = entry->number;
        if (part.wanted > 0)
            status = append_part(reader, &part, error);
    }
    shard_close(shard);
    return status;
}

static enum willow_status add_folder(struct willow_reader *reader, size_t folder, bool verify,
                                     struct willow_error *error)
{
    struct willow_manifest manifest = {0};
    enum willow_status status = willow_manifest_read(reader->folders[folder], &manifest, error);
    if (!status && manifest.ruleset != reader->ruleset->id)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, reader->folders[folder], NULL,
                             "the dataset is of ruleset %s, not of %s", willow_ruleset_by_id(manifest.ruleset)->name,
                             reader->ruleset->name);
    for (size_t i = 0; !status && i < manifest.count; i++)
        status = add_shard(reader, folder, &manifest, &manifest.shards[i], verify, error);
    willow_manifest_clear(&manifest);
    return status;
}

static enum willow_status fill_reader(struct willow_reader *reader, const char *const *folders, size_t count,
                                      bool verify, struct willow_error *error)
{
    reader->folders = calloc(count + 1, sizeof *reader->folders);
    if (!reader->folders)
        return out_of_memory(error);
    reader->folders_count = count;
    for (size_t i = 0; i < count; i++) {
        reader->folders[i] = strdup(folders[i]);
        if (!reader->folders[i])
            return out_of_memory(error);
        enum willow_status status = add_folder(reader, i, verify, error);
        if (status)
            return status;
    }
    return WILLOW_OK;
}

enum willow_status willow_reader_open(const char *const *folders, size_t count, int first_ply, int last_ply,
                                      const struct willow_ruleset *ruleset, bool verify, struct willow_reader **reader,
                                      struct willow_error *error)
{
    *reader = NULL;
    if (first_ply < 0 || last_ply >= WILLOW_PLIES || first_ply > last_ply)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, "plies", "%d-%d is not within 0-%d", first_ply, last_ply,
                           (int)WILLOW_PLIES - 1);
    struct willow_reader *made = calloc(1, sizeof *made);
    if (!made)
        return out_of_memory(error);
    made->ruleset = ruleset;
    made->first_ply = first_ply;
    made->last_ply = last_ply;
    enum willow_status status = fill_reader(made, folders, count, verify, error);
    if (status)
        willow_reader_free(made);
    else
        *reader = made;
    return status;
}

void willow_reader_share(struct willow_reader *reader, int self, int count)
{
    assert(self >= 0 && self < count && reader->current == 0 && !reader->open);
    size_t kept = 0;
    reader->rows = 0;
    for (size_t i = 0; i < reader->parts_count; i++) {
        if (reader->parts[i].place % (uint64_t)count != (uint64_t)self)
            continue;
        reader->rows += reader->parts[i].wanted;
        reader->parts[kept++] = reader->parts[i];
    }
    reader->parts_count = kept;
}

uint64_t willow_reader_rows(const struct willow_reader *reader)
{
    return reader->rows;
}

static enum willow_status open_current(struct willow_reader *reader, struct willow_error *error)
{
    const struct part *part = &reader->parts[reader->current];
    char path[SHARD_PATH_MAX];
    enum willow_status status = shard_path(path, sizeof path, reader->folders[part->folder], part->number, error);
    if (status)
        return status;
    status = shard_open(&reader->shard, path, error);
    reader->open = true;
    if (status)
        return status;
    /* The file may have been exchanged since the reader was made. */
    const struct part now = part_of(reader, &reader->shard.layout);
    if (now.first != part->first || now.count != part->count || now.wanted != part->wanted ||
        reader->shard.info.ruleset != reader->ruleset->id)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "the shard changed while it was in use");
    return status;
}

static enum willow_status fill_buffer(struct willow_reader *reader, struct willow_error *error)
{
    const struct part *part = &reader->parts[reader->current];
    const uint64_t left = part->count - reader->done;
    const size_t take = left < BUFFER_ROWS ? (size_t)left : BUFFER_ROWS;
    enum willow_status status = reader->open ? WILLOW_OK : open_current(reader, error);
    if (!status)
        status = shard_rows(&reader->shard, part->first + reader->done, take, reader->buffer, error);
    if (status)
        return status;
    reader->done += take;
    reader->buffered = take;
    reader->taken = 0;
    return WILLOW_OK;
}

/* Hands over what the buffer has of the plies asked for. */
static size_t empty_buffer(struct willow_reader *reader, struct willow_row *rows, size_t capacity)
{
    size_t count = 0;
    for (; count < capacity && reader->taken < reader->buffered; reader->taken++) {
        const struct willow_row *row = &reader->buffer[reader->taken];
        if (row->ply >= reader->first_ply && row->ply <= reader->last_ply)
            rows[count++] = *row;
    }
    reader->given += count;
    reader->from = reader->current;
    return count;
}

static void close_current(struct willow_reader *reader)
{
    if (reader->open)
        shard_close(&reader->shard);
    reader->open = false;
    reader->done = reader->given = 0;
    reader->buffered = reader->taken = 0;
}

/* After the last row of a part. */
static enum willow_status next_part(struct willow_reader *reader, struct willow_error *error)
{
    if (reader->given != reader->parts[reader->current].wanted)
        return willow_fail(error, WILLOW_ERR_FORMAT, reader->shard.path, "/ply_rows",
                           "plies %d-%d have %" PRIu64 " rows instead of %" PRIu64, reader->first_ply, reader->last_ply,
                           reader->given, reader->parts[reader->current].wanted);
    close_current(reader);
    reader->current++;
    return WILLOW_OK;
}

enum willow_status willow_reader_next(struct willow_reader *reader, struct willow_row *rows, size_t capacity,
                                      size_t *count, struct willow_error *error)
{
    *count = 0;
    while (*count < capacity && reader->current < reader->parts_count) {
        enum willow_status status = WILLOW_OK;
        if (reader->taken < reader->buffered)
            *count += empty_buffer(reader, rows + *count, capacity - *count);
        else if (reader->done < reader->parts[reader->current].count)
            status = fill_buffer(reader, error);
        else
            status = next_part(reader, error);
        if (status) {
            close_current(reader);
            *count = 0;
            return status;
        }
        if (*count > 0 && reader->current != reader->from)
            break;
    }
    return WILLOW_OK;
}

size_t willow_reader_source(const struct willow_reader *reader, uint32_t *shard)
{
    assert(reader->from < reader->parts_count);
    const struct part *part = &reader->parts[reader->from];
    *shard = part->number;
    return part->folder;
}

enum willow_status willow_reader_rewind(struct willow_reader *reader, struct willow_error *error)
{
    (void)error;
    close_current(reader);
    reader->current = 0;
    return WILLOW_OK;
}

void willow_reader_free(struct willow_reader *reader)
{
    if (!reader)
        return;
    close_current(reader);
    for (size_t i = 0; i < reader->folders_count; i++)
        free(reader->folders[i]);
    free(reader->folders);
    free(reader->parts);
    free(reader);
}

bool willow_game_held_out(uint64_t seed, uint64_t game, double share)
{
    unsigned char key[16];
    for (int i = 0; i < 8; i++) {
        key[i] = (unsigned char)(seed >> (8 * i));
        key[8 + i] = (unsigned char)(game >> (8 * i));
    }
    return willow_checksum_unit(key, sizeof key) < share;
}
