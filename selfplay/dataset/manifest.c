/* manifest.json: what a dataset consists of, with a checksum over itself. Layer: selfplay/dataset.
 * The checksum is taken over the document's compact form with sorted keys and without the key "checksum".
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/dataset.h>
#include <willow/file.h>

#include "shard_files.h"

#define MANIFEST_FORMAT "willow-manifest"

enum { MANIFEST_VERSION = 1, MANIFEST_MAX_BYTES = 256 << 20, MANIFEST_PATH_MAX = 4096 };

void willow_manifest_clear(struct willow_manifest *manifest)
{
    if (!manifest)
        return;
    free(manifest->shards);
    manifest->shards = NULL;
    manifest->count = 0;
}

enum willow_status willow_manifest_add(struct willow_manifest *manifest, const struct willow_manifest_shard *shard,
                                       struct willow_error *error)
{
    size_t at = manifest->count;
    while (at > 0 && manifest->shards[at - 1].number >= shard->number)
        at--;
    if (at < manifest->count && manifest->shards[at].number == shard->number)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "manifest.json", NULL, "shard %" PRIu32 " is listed already",
                           shard->number);
    struct willow_manifest_shard *grown = reallocarray(manifest->shards, manifest->count + 1, sizeof *grown);
    if (!grown)
        return willow_fail(error, WILLOW_ERR_MEMORY, "manifest.json", NULL, "out of memory");
    memmove(grown + at + 1, grown + at, (manifest->count - at) * sizeof *grown);
    grown[at] = *shard;
    manifest->shards = grown;
    manifest->count++;
    return WILLOW_OK;
}

/* The seed is text because a JSON number holds no more than 63 bits here and 53 elsewhere. */
static json_t *manifest_to_json(const struct willow_manifest *manifest, const char *ruleset)
{
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, manifest->seed);
    json_t *list = json_array();
    for (size_t i = 0; list && i < manifest->count; i++) {
        const struct willow_manifest_shard *shard = &manifest->shards[i];
        json_t *entry = json_pack("{s:I, s:I, s:I, s:I, s:s}", "number", (json_int_t)shard->number, "rows",
                                  (json_int_t)shard->rows, "games", (json_int_t)shard->games, "first_game",
                                  (json_int_t)shard->first_game, "checksum", shard->checksum);
        if (!entry || json_array_append_new(list, entry) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    if (!list)
        return NULL;
    return json_pack("{s:s, s:i, s:s, s:s, s:I, s:s, s:o}", "format", MANIFEST_FORMAT, "version", MANIFEST_VERSION,
                     "ruleset", ruleset, "seed", seed, "planned_games", (json_int_t)manifest->planned_games,
                     "configuration_checksum", manifest->configuration_checksum, "shards", list);
}

/* False when memory runs out. */
static bool document_checksum(const json_t *document, char checksum[WILLOW_CHECKSUM_TEXT])
{
    char *compact = json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS);
    if (!compact)
        return false;
    willow_checksum128_text(compact, strlen(compact), checksum);
    free(compact);
    return true;
}

static enum willow_status manifest_path(char *path, const char *folder, struct willow_error *error)
{
    return willow_path_join(path, MANIFEST_PATH_MAX, folder, "manifest.json", error);
}

static enum willow_status check_numbers(const char *path, const struct willow_manifest *manifest,
                                        struct willow_error *error)
{
    bool good = manifest->planned_games <= INT64_MAX;
    for (size_t i = 0; i < manifest->count; i++) {
        const struct willow_manifest_shard *shard = &manifest->shards[i];
        good = good && shard->rows <= INT64_MAX && shard->games <= INT64_MAX && shard->first_game <= INT64_MAX;
    }
    if (!good)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "a count is above 2^63 - 1");
    return WILLOW_OK;
}

enum willow_status willow_manifest_write(const char *folder, const struct willow_manifest *manifest,
                                         struct willow_error *error)
{
    char path[MANIFEST_PATH_MAX], checksum[WILLOW_CHECKSUM_TEXT];
    enum willow_status status = manifest_path(path, folder, error);
    if (!status)
        status = check_numbers(path, manifest, error);
    if (status)
        return status;
    const struct willow_ruleset *ruleset = willow_ruleset_by_id(manifest->ruleset);
    if (!ruleset)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "unknown ruleset %" PRIu32, manifest->ruleset);
    json_t *document = manifest_to_json(manifest, ruleset->name);
    char *text = NULL;
    if (document && document_checksum(document, checksum) &&
        json_object_set_new(document, "checksum", json_string(checksum)) == 0)
        text = json_dumps(document, JSON_INDENT(1));
    json_decref(document);
    if (!text)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    size_t length = strlen(text);
    text[length] = '\n'; /* in place of the terminator, so that the file ends its last line */
    status = willow_file_replace(path, text, length + 1, error);
    free(text);
    return status;
}

static enum willow_status bad(const char *path, const char *what, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_FORMAT, path, what, "missing, of the wrong type or out of range");
}

static bool take_text(json_t *object, const char *key, char *buffer, size_t size)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text || strlen(text) >= size)
        return false;
    memcpy(buffer, text, strlen(text) + 1);
    return true;
}

static bool take_number(json_t *object, const char *key, uint64_t limit, uint64_t *number)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > limit)
        return false;
    *number = (uint64_t)json_integer_value(value);
    return true;
}

static bool take_seed(json_t *object, uint64_t *seed)
{
    char text[24], again[24];
    if (!take_text(object, "seed", text, sizeof text))
        return false;
    *seed = strtoull(text, NULL, 10);
    (void)snprintf(again, sizeof again, "%" PRIu64, *seed);
    return strcmp(text, again) == 0;
}

static enum willow_status take_shards(json_t *list, const char *path, struct willow_manifest *manifest,
                                      struct willow_error *error)
{
    if (!json_is_array(list))
        return bad(path, "shards", error);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *entry = json_array_get(list, i);
        struct willow_manifest_shard shard = {0};
        uint64_t number = 0;
        char place[32];
        (void)snprintf(place, sizeof place, "shards[%zu]", i);
        if (!take_number(entry, "number", UINT32_MAX, &number) || !take_number(entry, "rows", INT64_MAX, &shard.rows) ||
            !take_number(entry, "games", INT64_MAX, &shard.games) ||
            !take_number(entry, "first_game", INT64_MAX, &shard.first_game) ||
            !take_text(entry, "checksum", shard.checksum, sizeof shard.checksum))
            return bad(path, place, error);
        shard.number = (uint32_t)number;
        if (i > 0 && shard.number <= manifest->shards[i - 1].number)
            return willow_fail(error, WILLOW_ERR_FORMAT, path, place, "the shards are not in order");
        enum willow_status status = willow_manifest_add(manifest, &shard, error);
        if (status)
            return status;
    }
    return WILLOW_OK;
}

static enum willow_status take_identity(json_t *document, const char *path, struct willow_error *error)
{
    char format[32];
    uint64_t version = 0;
    if (!take_text(document, "format", format, sizeof format) || strcmp(format, MANIFEST_FORMAT) != 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, "format", "not the manifest of a Willow dataset");
    if (!take_number(document, "version", INT64_MAX, &version))
        return bad(path, "version", error);
    if (version != MANIFEST_VERSION)
        return willow_fail(error, WILLOW_ERR_VERSION, path, "version",
                           "version %" PRIu64 "; this build reads version %d", version, (int)MANIFEST_VERSION);
    return WILLOW_OK;
}

static enum willow_status take_checksum(json_t *document, const char *path, struct willow_error *error)
{
    char written[WILLOW_CHECKSUM_TEXT], counted[WILLOW_CHECKSUM_TEXT];
    if (!take_text(document, "checksum", written, sizeof written))
        return bad(path, "checksum", error);
    (void)json_object_del(document, "checksum");
    if (!document_checksum(document, counted))
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    if (strcmp(written, counted) != 0)
        return willow_fail(error, WILLOW_ERR_CHECKSUM, path, NULL, "the manifest does not match its own checksum");
    return WILLOW_OK;
}

static enum willow_status take_manifest(json_t *document, const char *path, struct willow_manifest *manifest,
                                        struct willow_error *error)
{
    char ruleset[64];
    enum willow_status status = take_identity(document, path, error);
    if (!status)
        status = take_checksum(document, path, error);
    if (status)
        return status;
    if (!take_text(document, "ruleset", ruleset, sizeof ruleset))
        return bad(path, "ruleset", error);
    const struct willow_ruleset *known = willow_ruleset_find(ruleset);
    if (!known)
        return shard_refuse_ruleset(path, ruleset, error);
    manifest->ruleset = known->id;
    if (!take_seed(document, &manifest->seed))
        return bad(path, "seed", error);
    if (!take_number(document, "planned_games", INT64_MAX, &manifest->planned_games))
        return bad(path, "planned_games", error);
    if (!take_text(document, "configuration_checksum", manifest->configuration_checksum,
                   sizeof manifest->configuration_checksum))
        return bad(path, "configuration_checksum", error);
    return take_shards(json_object_get(document, "shards"), path, manifest, error);
}

enum willow_status willow_manifest_read(const char *folder, struct willow_manifest *manifest,
                                        struct willow_error *error)
{
    char path[MANIFEST_PATH_MAX];
    unsigned char *data = NULL;
    size_t size = 0;
    memset(manifest, 0, sizeof *manifest);
    enum willow_status status = manifest_path(path, folder, error);
    /* Whoever makes a dataset writes the manifest at the end or with the first shard. */
    if (!status && willow_file_exists(folder) && !willow_file_exists(path))
        return willow_fail(error, WILLOW_ERR_IO, folder, NULL,
                           "no manifest.json: the folder holds no dataset, or one that is not finished");
    if (!status)
        status = willow_file_read(path, MANIFEST_MAX_BYTES, &data, &size, error);
    if (status)
        return status;
    json_error_t fault;
    json_t *document = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, &fault);
    free(data);
    if (!document) {
        char place[64];
        (void)snprintf(place, sizeof place, "line %d, column %d", fault.line, fault.column);
        return willow_fail(error, WILLOW_ERR_FORMAT, path, place, "not sound JSON: %s", fault.text);
    }
    status = take_manifest(document, path, manifest, error);
    json_decref(document);
    if (status)
        willow_manifest_clear(manifest);
    return status;
}
