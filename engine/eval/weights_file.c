/* The .wlw format: weights to bytes and back, every length checked before it is believed. Layer: eval.
 *
 * All numbers little endian.
 *     0  magic, 8 bytes (as in PNG, it shows text-mode damage)
 *     8  u32 version              12  u32 header bytes = all before the payload
 *    16  u32 model kind           20  u32 ruleset id
 *    24  u32 pattern-set id       28  u32 weights a stage
 *    32  u32 stages               36  u32 steps a disc
 *    40  u32 payload coding       44  u32 provenance bytes
 *    48  u32 ProbCut constants    52  u32 payload bytes
 *    56  u64 zero
 *    64  first disc of each stage, 64 bytes
 *   128  ProbCut constants, f32; then the provenance, the payload, and the XXH3-128 of all before it as 32 hexadecimal
 *        digits
 *
 * Version 2 has room for the constants that there are. Version 1, which is still read, always has room for 16.
 *
 * Payload: every weight less the same weight of the stage before it (modulo 2^16), sign folded into the lowest bit;
 * all low bytes, then all high bytes; one zstd frame. Neighbouring stages are alike and most weights are small, so that
 * the plane of high bytes all but vanishes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include <willow/file.h>

#include "base/huge.h"
#include "eval/weight_table.h"
#include "rules/ruleset_wide.h"

enum {
    FILE_VERSION = 2,
    MODEL_LINEAR = 1,
    CODING_STAGE_DELTA = 1,
    FIXED_BYTES = 128, /* the ProbCut constants follow */
    SLOTS_OF_VERSION_1 = 16,
    CHECKSUM_BYTES = 32,
    STAGE_BYTES = 64,
    FILE_LIMIT_BYTES = 128 << 20, /* 61 stages of the largest set, incompressible, are 53 MB (8x8 with a hole) */
    ZSTD_LEVEL = 6
};
enum {
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_MODEL = 16,
    AT_RULESET = 20,
    AT_SET = 24,
    AT_WEIGHTS = 28,
    AT_STAGES = 32,
    AT_STEPS = 36,
    AT_CODING = 40,
    AT_PROVENANCE_BYTES = 44,
    AT_PROBCUT = 48,
    AT_PAYLOAD_BYTES = 52,
    AT_FIRST_DISCS = 64
};
_Static_assert((int)WILLOW_STAGES_MAX <= (int)STAGE_BYTES, "the header has room for the stages");
_Static_assert(sizeof(float) == 4, "constants are stored as 32-bit floats");
_Static_assert(AT_FIRST_DISCS + STAGE_BYTES == FIXED_BYTES, "fields of the header follow each other");
_Static_assert(CHECKSUM_BYTES + 1 == WILLOW_CHECKSUM_TEXT, "the checksum is stored as text without its terminator");

static const unsigned char magic[8] = {0x89, 'W', 'L', 'W', '\r', '\n', 0x1a, '\n'};

static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t weights_file_ruleset(const unsigned char *file)
{
    return get_u32(file + AT_RULESET);
}

static void split_planes(const int16_t *values, size_t stride, int stages, unsigned char *low, unsigned char *high)
{
    for (size_t i = 0; i < stride * (size_t)stages; i++) {
        uint16_t before = i >= stride ? (uint16_t)values[i - stride] : 0;
        uint16_t delta = (uint16_t)((uint16_t)values[i] - before);
        uint16_t folded = (uint16_t)(delta << 1 ^ (delta & 0x8000 ? 0xffff : 0));
        low[i] = (unsigned char)(folded & 255);
        high[i] = (unsigned char)(folded >> 8);
    }
}

static void join_planes(int16_t *values, size_t stride, int stages, const unsigned char *low, const unsigned char *high)
{
    for (size_t i = 0; i < stride * (size_t)stages; i++) {
        uint16_t folded = (uint16_t)(low[i] | high[i] << 8);
        uint16_t delta = (uint16_t)(folded >> 1 ^ (folded & 1 ? 0xffff : 0));
        uint16_t before = i >= stride ? (uint16_t)values[i - stride] : 0;
        values[i] = (int16_t)(uint16_t)(before + delta);
    }
}

static size_t header_size(const struct willow_weights *weights)
{
    return FIXED_BYTES + 4 * (size_t)weights->probcut.count + strlen(weights->provenance);
}

static void put_header(const struct willow_weights *weights, unsigned char *at, size_t payload_bytes)
{
    size_t header_bytes = header_size(weights), provenance_bytes = strlen(weights->provenance);
    memset(at, 0, FIXED_BYTES);
    memcpy(at, magic, sizeof magic);
    put_u32(at + AT_VERSION, FILE_VERSION);
    put_u32(at + AT_HEADER_BYTES, (uint32_t)header_bytes);
    put_u32(at + AT_MODEL, MODEL_LINEAR);
    put_u32(at + AT_RULESET, weights->ruleset->id);
    put_u32(at + AT_SET, willow_pattern_set_id(weights->set));
    put_u32(at + AT_WEIGHTS, willow_pattern_set_weights(weights->set));
    put_u32(at + AT_STAGES, (uint32_t)weights->stages.count);
    put_u32(at + AT_STEPS, WILLOW_SCORE_DISC);
    put_u32(at + AT_CODING, CODING_STAGE_DELTA);
    put_u32(at + AT_PROVENANCE_BYTES, (uint32_t)provenance_bytes);
    put_u32(at + AT_PROBCUT, weights->probcut.count);
    put_u32(at + AT_PAYLOAD_BYTES, (uint32_t)payload_bytes);
    memcpy(at + AT_FIRST_DISCS, weights->stages.first_disc, (size_t)weights->stages.count);
    for (uint32_t i = 0; i < weights->probcut.count; i++) {
        uint32_t bits;
        memcpy(&bits, &weights->probcut.constant[i], sizeof bits);
        put_u32(at + FIXED_BYTES + 4 * i, bits);
    }
    memcpy(at + header_bytes - provenance_bytes, weights->provenance, provenance_bytes);
}

enum willow_status weights_file_encode(struct willow_weights *weights, struct willow_error *error)
{
    size_t stride = willow_pattern_set_weights(weights->set), count = stride * (size_t)weights->stages.count;
    size_t header_bytes = header_size(weights), bound = ZSTD_compressBound(2 * count);
    unsigned char *planes = malloc(2 * count);
    unsigned char *file = malloc(header_bytes + bound + CHECKSUM_BYTES);
    enum willow_status status = WILLOW_ERR_MEMORY;
    size_t payload_bytes = 0;
    if (planes != NULL && file != NULL) {
        split_planes(weights->values, stride, weights->stages.count, planes, planes + count);
        payload_bytes = ZSTD_compress(file + header_bytes, bound, planes, 2 * count, ZSTD_LEVEL);
        /* With room for the bound, memory is all that compression can lack. */
        status = ZSTD_isError(payload_bytes) ? WILLOW_ERR_MEMORY : WILLOW_OK;
    }
    free(planes);
    if (status != WILLOW_OK) {
        free(file);
        return willow_fail(error, status, NULL, NULL, "no memory to encode weights");
    }
    put_header(weights, file, payload_bytes);
    size_t end = header_bytes + payload_bytes;
    char sum[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(file, end, sum);
    memcpy(file + end, sum, CHECKSUM_BYTES);
    weights->file_bytes = end + CHECKSUM_BYTES;
    unsigned char *shrunk = realloc(file, weights->file_bytes);
    weights->file = shrunk != NULL ? shrunk : file;
    willow_checksum128_text(weights->file, weights->file_bytes, weights->checksum);
    return WILLOW_OK;
}

/* A file under inspection, so that every refusal names it. */
struct input {
    const unsigned char *data;
    size_t size;
    const char *name;
    struct willow_error *error;
};

static enum willow_status refuse(const struct input *in, enum willow_status status, size_t offset, const char *reason)
{
    char place[32];
    snprintf(place, sizeof place, "offset %zu", offset);
    return willow_fail(in->error, status, in->name, place, "%s", reason);
}

/* wanted: what the file has at least, as far as it was read. */
static enum willow_status refuse_cut(const struct input *in, uint64_t wanted)
{
    char reason[96];
    snprintf(reason, sizeof reason, "the file is cut off: %zu bytes of %s%llu", in->size,
             wanted == FIXED_BYTES ? "more than " : "", (unsigned long long)wanted);
    return refuse(in, WILLOW_ERR_FORMAT, in->size, reason);
}

static enum willow_status check_version(const struct input *in)
{
    size_t compared = in->size < sizeof magic ? in->size : sizeof magic;
    if (in->size == 0)
        return willow_fail(in->error, WILLOW_ERR_FORMAT, in->name, NULL, "the file is empty");
    if (memcmp(in->data, magic, compared) != 0)
        return refuse(in, WILLOW_ERR_FORMAT, 0, "not a Willow weights file");
    if (in->size < AT_VERSION + 4)
        return refuse_cut(in, FIXED_BYTES);
    uint32_t version = get_u32(in->data + AT_VERSION);
    if (version < 1 || version > FILE_VERSION)
        return willow_fail(in->error, WILLOW_ERR_VERSION, in->name, "offset 8",
                           "version %u of the format; this build reads versions 1 to %d", version, FILE_VERSION);
    return WILLOW_OK;
}

/* How many ProbCut constants the header has room for. */
static uint32_t slots_of(const unsigned char *data)
{
    return get_u32(data + AT_VERSION) == 1 ? SLOTS_OF_VERSION_1 : get_u32(data + AT_PROBCUT);
}

/* Checks what the file says of itself: kind, version, lengths, checksum. After that the bytes are as they were written,
 * and only meaning is left to check. */
static enum willow_status check_envelope(const struct input *in)
{
    enum willow_status status = check_version(in);
    if (status != WILLOW_OK)
        return status;
    if (in->size < FIXED_BYTES)
        return refuse_cut(in, FIXED_BYTES);
    const uint32_t probcut = get_u32(in->data + AT_PROBCUT), slots = slots_of(in->data);
    if (probcut > slots || slots > WILLOW_PROBCUT_MAX)
        return refuse(in, WILLOW_ERR_FORMAT, AT_PROBCUT, "impossible number of ProbCut constants");
    uint32_t provenance_bytes = get_u32(in->data + AT_PROVENANCE_BYTES);
    if (provenance_bytes > WILLOW_PROVENANCE_MAX)
        return refuse(in, WILLOW_ERR_FORMAT, AT_PROVENANCE_BYTES, "impossible length of the provenance");
    const uint32_t header_bytes = FIXED_BYTES + 4 * slots + provenance_bytes;
    if (get_u32(in->data + AT_HEADER_BYTES) != header_bytes)
        return refuse(in, WILLOW_ERR_FORMAT, AT_HEADER_BYTES, "impossible length of the header");
    uint64_t wanted = (uint64_t)header_bytes + get_u32(in->data + AT_PAYLOAD_BYTES) + CHECKSUM_BYTES;
    if (in->size < wanted)
        return refuse_cut(in, wanted);
    if (in->size > wanted)
        return refuse(in, WILLOW_ERR_FORMAT, (size_t)wanted, "bytes after the end of the weights");
    char sum[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(in->data, (size_t)wanted - CHECKSUM_BYTES, sum);
    if (memcmp(sum, in->data + wanted - CHECKSUM_BYTES, CHECKSUM_BYTES) != 0)
        return refuse(in, WILLOW_ERR_CHECKSUM, (size_t)wanted - CHECKSUM_BYTES,
                      "the content does not match its checksum: the file is damaged");
    return WILLOW_OK;
}

/* What the header says, in our terms. */
struct header {
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    struct willow_stages stages;
    struct willow_probcut probcut;
    char provenance[WILLOW_PROVENANCE_MAX + 1];
    size_t payload_at, payload_bytes;
};

/* An id that is not in the table of this build may be in that of the other. */
static enum willow_status refuse_ruleset(const struct input *in, uint32_t id)
{
    if (id == RULESET_WIDE_ID)
        return willow_fail(in->error, WILLOW_ERR_MISMATCH, in->name, "offset 20",
                           "weights of " RULESET_WIDE_NAME " serve no other ruleset; --ruleset " RULESET_WIDE_NAME
                           " plays them");
    if (willow_ruleset_by_id(RULESET_WIDE_ID) != NULL)
        return willow_fail(in->error, WILLOW_ERR_MISMATCH, in->name, "offset 20",
                           "weights of another ruleset (id %u) do not play " RULESET_WIDE_NAME
                           "; 'willow weights info' names it, without --ruleset",
                           id);
    return willow_fail(in->error, WILLOW_ERR_MISMATCH, in->name, "offset 20", "unknown ruleset id %u", id);
}

static enum willow_status read_identity(const struct input *in, struct header *header)
{
    const unsigned char *data = in->data;
    if (get_u32(data + AT_MODEL) != MODEL_LINEAR)
        return refuse(in, WILLOW_ERR_VERSION, AT_MODEL, "a model kind that this build does not know");
    header->ruleset = willow_ruleset_by_id(get_u32(data + AT_RULESET));
    if (header->ruleset == NULL)
        return refuse_ruleset(in, get_u32(data + AT_RULESET));
    header->set = willow_pattern_set_by_id(get_u32(data + AT_SET));
    if (header->set == NULL)
        return willow_fail(in->error, WILLOW_ERR_MISMATCH, in->name, "offset 24", "unknown pattern-set id %u",
                           get_u32(data + AT_SET));
    header->set = willow_pattern_set_on(header->set, header->ruleset);
    if (header->set == NULL)
        return willow_fail(in->error, WILLOW_ERR_MEMORY, in->name, NULL, "no memory for a pattern set");
    if (get_u32(data + AT_WEIGHTS) != willow_pattern_set_weights(header->set))
        return willow_fail(in->error, WILLOW_ERR_MISMATCH, in->name, "offset 28",
                           "%u weights a stage, but pattern set %s has %u on %s", get_u32(data + AT_WEIGHTS),
                           willow_pattern_set_name(header->set), willow_pattern_set_weights(header->set),
                           header->ruleset->name);
    if (get_u32(data + AT_STEPS) != WILLOW_SCORE_DISC)
        return refuse(in, WILLOW_ERR_VERSION, AT_STEPS, "a quantisation step that this build does not know");
    if (get_u32(data + AT_CODING) != CODING_STAGE_DELTA)
        return refuse(in, WILLOW_ERR_VERSION, AT_CODING, "a payload coding that this build does not know");
    return WILLOW_OK;
}

static enum willow_status read_header(const struct input *in, struct header *header)
{
    const unsigned char *data = in->data;
    uint32_t stages = get_u32(data + AT_STAGES);
    if (stages < 1 || stages > WILLOW_STAGES_MAX)
        return refuse(in, WILLOW_ERR_FORMAT, AT_STAGES, "impossible number of stages");
    header->stages.count = (int)stages;
    header->stages.squares = willow_ruleset_squares(header->ruleset);
    memcpy(header->stages.first_disc, data + AT_FIRST_DISCS, stages);
    header->probcut = (struct willow_probcut){.count = get_u32(data + AT_PROBCUT)};
    for (uint32_t i = 0; i < header->probcut.count; i++) {
        uint32_t bits = get_u32(data + FIXED_BYTES + 4 * i);
        memcpy(&header->probcut.constant[i], &bits, sizeof bits);
    }
    size_t provenance_bytes = get_u32(data + AT_PROVENANCE_BYTES), provenance_at = FIXED_BYTES + 4 * slots_of(data);
    memcpy(header->provenance, data + provenance_at, provenance_bytes);
    header->provenance[provenance_bytes] = '\0';
    if (strlen(header->provenance) != provenance_bytes)
        return refuse(in, WILLOW_ERR_FORMAT, provenance_at, "the provenance is not text");
    header->payload_at = provenance_at + provenance_bytes;
    header->payload_bytes = get_u32(data + AT_PAYLOAD_BYTES);
    return WILLOW_OK;
}

/* On success *values is the caller's to free. */
static enum willow_status read_payload(const struct input *in, const struct header *header, int16_t **values)
{
    const unsigned char *payload = in->data + header->payload_at;
    size_t stride = willow_pattern_set_weights(header->set), count = stride * (size_t)header->stages.count;
    if (ZSTD_getFrameContentSize(payload, header->payload_bytes) != 2 * count)
        return refuse(in, WILLOW_ERR_FORMAT, header->payload_at, "the payload is not as long as the header says");
    unsigned char *planes = huge_alloc(2 * count);
    *values = huge_alloc(count * sizeof **values);
    enum willow_status status = WILLOW_OK;
    if (planes == NULL || *values == NULL)
        status = willow_fail(in->error, WILLOW_ERR_MEMORY, in->name, NULL, "no memory for weights");
    else if (ZSTD_decompress(planes, 2 * count, payload, header->payload_bytes) != 2 * count)
        status = refuse(in, WILLOW_ERR_FORMAT, header->payload_at, "the payload does not unpack");
    else
        join_planes(*values, stride, header->stages.count, planes, planes + count);
    free(planes);
    if (status != WILLOW_OK)
        free(*values);
    return status;
}

/* Keeps the bytes as they came, so that saving gives the same file whatever version of zstd wrote it. */
static enum willow_status keep_file(const struct input *in, struct willow_weights *weights)
{
    weights->file = malloc(in->size);
    if (weights->file == NULL)
        return willow_fail(in->error, WILLOW_ERR_MEMORY, in->name, NULL, "no memory for weights");
    memcpy(weights->file, in->data, in->size);
    weights->file_bytes = in->size;
    willow_checksum128_text(in->data, in->size, weights->checksum);
    return WILLOW_OK;
}

enum willow_status willow_weights_parse(const void *data, size_t size_bytes, const char *name,
                                        struct willow_weights **weights, struct willow_error *error)
{
    const struct input in = {data, size_bytes, name, error};
    struct header header;
    enum willow_status status = check_envelope(&in);
    if (status == WILLOW_OK)
        status = read_identity(&in, &header);
    if (status == WILLOW_OK)
        status = read_header(&in, &header);
    struct willow_error inner = {.status = WILLOW_OK};
    if (status == WILLOW_OK)
        status = weight_table_check(header.ruleset, &header.stages, &header.probcut, header.provenance, &inner);
    /* What the maker calls a bad argument is bad content here. */
    if (inner.status != WILLOW_OK)
        return willow_fail(error, WILLOW_ERR_FORMAT, name, NULL, "%s", inner.reason);
    int16_t *values = NULL;
    struct willow_weights *made = NULL;
    if (status == WILLOW_OK)
        status = read_payload(&in, &header, &values);
    if (status == WILLOW_OK)
        status = weight_table_new(header.ruleset, header.set, &header.stages, values, &header.probcut,
                                  header.provenance, &made, error);
    if (status != WILLOW_OK)
        return status;
    status = keep_file(&in, made);
    if (status != WILLOW_OK) {
        willow_weights_free(made);
        return status;
    }
    *weights = made;
    return WILLOW_OK;
}

enum willow_status willow_weights_load(const char *path, struct willow_weights **weights, struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size_bytes = 0;
    enum willow_status status = willow_file_read(path, FILE_LIMIT_BYTES, &data, &size_bytes, error);
    if (status != WILLOW_OK)
        return status;
    status = willow_weights_parse(data, size_bytes, path, weights, error);
    free(data);
    return status;
}

enum willow_status willow_weights_check_target(const char *path, struct willow_error *error)
{
    return willow_file_check_mark(path, magic, sizeof magic, "weights file", error);
}

enum willow_status willow_weights_save(const struct willow_weights *weights, const char *path,
                                       struct willow_error *error)
{
    const enum willow_status status = willow_weights_check_target(path, error);
    if (status != WILLOW_OK)
        return status;
    return willow_file_replace(path, weights->file, weights->file_bytes, error);
}
