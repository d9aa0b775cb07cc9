/* Import: all files are read and judged, then the dataset is opened with what was found, then they are read again and
 * written. A shard at a time is in memory, and a file. Layer: selfplay.
 */
#include "import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <willow/file.h>

#include "gather.h"
#include "run/board_set.h"

#define FILE_BYTES_MAX ((size_t)1 << 32)
enum { LOOK_RECORDS = 256 };

/* Of games; positions are none. */
static const char *const formats[] = {[WILLOW_RECORDS_WTHOR] = "wthor",
                                      [WILLOW_RECORDS_GGF] = "ggf",
                                      [WILLOW_RECORDS_TRANSCRIPTS] = "transcript",
                                      [WILLOW_RECORDS_SGF] = "sgf"};

struct input {
    const char *name;
    enum willow_record_format format;
    char checksum[WILLOW_CHECKSUM_TEXT];
    size_t size_bytes;
    uint64_t records, games;
};

struct job {
    const struct import_options *options;
    struct import_summary *summary;
    struct input *inputs;
    struct board_set met;           /* games, by game_key */
    struct willow_error first_left; /* the first record that was left out */
    bool writing;                   /* the second reading */
    uint64_t records;               /* of the first reading */
    char *configuration;
    struct target target;
    struct gather gather; /* the shard that is being collected */
};

bool import_format_find(const char *name, enum willow_record_format *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i]) == 0) {
            *format = (enum willow_record_format)i;
            return true;
        }
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcasecmp(name + length - tail, end) == 0;
}

/* A name says more than what a damaged file looks like, and a file that looks like nothing is best named line by line.
 */
static enum willow_record_format format_of(const struct import_options *options, const char *name,
                                           const unsigned char *data, size_t size_bytes)
{
    enum willow_record_format format;
    if (!options->by_name)
        return options->format;
    if (ends_with(name, ".wtb"))
        return WILLOW_RECORDS_WTHOR;
    if (ends_with(name, ".ggf"))
        return WILLOW_RECORDS_GGF;
    if (ends_with(name, ".sgf"))
        return WILLOW_RECORDS_SGF;
    return willow_records_guess(data, size_bytes, &format) ? format : WILLOW_RECORDS_TRANSCRIPTS;
}

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

/* The same for a game and its images under the symmetries that keep the start, and for no other game (but for a chance
 * of 2^-64): a fingerprint of the least of the lists of moves, written as a board. */
static struct willow_board game_key(const struct willow_game *game)
{
    willow_square least[WILLOW_GAME_MAX], image[WILLOW_GAME_MAX];
    const struct willow_board start = game->boards[0];
    size_t count = 0;
    for (int s = 0; s < WILLOW_SYMMETRIES; s++) {
        if (!willow_ruleset_symmetric(game->ruleset, s))
            continue;
        struct willow_board turned = willow_board_symmetry(game->ruleset, start, s);
        if (turned.player != start.player || turned.opponent != start.opponent)
            continue;
        count = 0;
        for (int i = 0; i < game->length; i++)
            if (game->moves[i] != WILLOW_PASS)
                image[count++] = willow_square_symmetry(game->ruleset, game->moves[i], s);
        if (s == 0 || memcmp(image, least, count) < 0)
            memcpy(least, image, count);
    }
    return (struct willow_board){willow_checksum64(least, count), count};
}

/* A row for each position with a move, but for those of a placement phase; returns their number. */
static uint64_t make_rows(const struct willow_game *game, uint64_t id, struct willow_row *rows)
{
    int result = willow_game_final_discs(game);
    uint64_t count = 0;
    for (int i = 0; i < game->length; i++) {
        /* Passes are among the moves, so the sides take turns, black first. */
        int sign = i % 2 == 0 ? 1 : -1;
        bool after_pass = i > 0 && game->moves[i - 1] == WILLOW_PASS;
        if (game->moves[i] != WILLOW_PASS && !willow_board_placing(game->ruleset, game->boards[i]))
            rows[count++] = (struct willow_row){.player = game->boards[i].player,
                                                .opponent = game->boards[i].opponent,
                                                .score = WILLOW_SCORE_MISSING,
                                                .result = (int8_t)(sign * result),
                                                .move = game->moves[i],
                                                .ply = (uint8_t)(willow_board_discs(game->boards[i]) - 4),
                                                .flags = after_pass ? WILLOW_ROW_AFTER_PASS : 0,
                                                .game = id};
    }
    return count;
}

static enum willow_status add_game(struct job *job, const struct willow_game *game, struct willow_error *error)
{
    struct willow_row rows[WILLOW_GAME_MAX];
    struct willow_game_row record = {
        .id = job->summary->games, .result = (int8_t)willow_game_final_discs(game), .length = (uint8_t)game->length};
    memset(record.moves, WILLOW_NO_SQUARE, sizeof record.moves);
    memcpy(record.moves, game->moves, (size_t)game->length);
    enum willow_status status = gather_rows(&job->gather, rows, make_rows(game, record.id, rows), error);
    if (!status)
        status = gather_game(&job->gather, &record, error);
    if (!status && job->gather.games_count == job->options->shard_games)
        status = gather_write(&job->gather, &job->target, error);
    return status;
}

static void leave_out(struct job *job, const struct input *input, struct willow_error *fault)
{
    if (job->writing)
        return;
    (void)snprintf(fault->file, sizeof fault->file, "%s", input->name);
    if (job->first_left.status == WILLOW_OK)
        job->first_left = *fault;
    if (job->options->left_out)
        job->options->left_out(job->options->context, fault);
}

/* Counts a record and, at the second reading, keeps what is to be kept. */
static enum willow_status take_record(struct job *job, struct input *input, struct willow_record *record,
                                      struct willow_error *error)
{
    struct import_summary *summary = job->summary;
    int result = willow_game_final_discs(&record->game);
    bool added;
    summary->records++;
    summary->kinds[record->kind]++;
    input->records++;
    if (record->kind != WILLOW_RECORD_COMPLETE) {
        leave_out(job, input, &record->error);
        return WILLOW_OK;
    }
    if (willow_record_result_differs(record)) {
        summary->differing++;
        if (job->options->strict) {
            char place[32];
            (void)snprintf(place, sizeof place, "game %" PRIu64, record->number);
            (void)willow_fail(&record->error, WILLOW_ERR_FORMAT, NULL, place,
                              "the recorded result is %+d, the board's %+d", record->result_discs, result);
            leave_out(job, input, &record->error);
            return WILLOW_OK;
        }
    }
    enum willow_status status = board_set_add(&job->met, game_key(&record->game), &added, error);
    if (status)
        return status;
    summary->repeated += !added;
    if (!added && job->options->distinct)
        return WILLOW_OK;
    status = job->writing ? add_game(job, &record->game, error) : WILLOW_OK;
    input->games++;
    summary->games++;
    return status;
}

static enum willow_status look_around(const struct job *job, struct willow_error *error)
{
    const struct import_options *options = job->options;
    if (options->stop && willow_stop_get(options->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    if (job->writing && options->progress)
        options->progress(options->context, job->summary->records, job->records);
    return WILLOW_OK;
}

static enum willow_status read_records(struct job *job, struct input *input, const unsigned char *data,
                                       struct willow_error *error)
{
    struct willow_records records;
    struct willow_record record;
    enum willow_status status =
        willow_records_open(&records, job->options->ruleset, input->format, data, input->size_bytes, error);
    if (status && error)
        (void)snprintf(error->file, sizeof error->file, "%s", input->name);
    while (!status && willow_records_next(&records, &record)) {
        status = take_record(job, input, &record, error);
        if (!status && record.number % LOOK_RECORDS == 0)
            status = look_around(job, error);
    }
    return status;
}

static enum willow_status read_input(struct job *job, struct input *input, struct willow_error *error)
{
    char checksum[WILLOW_CHECKSUM_TEXT];
    unsigned char *data = NULL;
    enum willow_status status = willow_file_read(input->name, FILE_BYTES_MAX, &data, &input->size_bytes, error);
    input->records = input->games = 0;
    if (status)
        return status;
    willow_checksum128_text(data, input->size_bytes, checksum);
    if (job->writing && strcmp(checksum, input->checksum) != 0)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, input->name, NULL, "the file changed while it was imported");
    memcpy(input->checksum, checksum, sizeof checksum);
    input->format = format_of(job->options, input->name, data, input->size_bytes);
    if (!status && input->format == WILLOW_RECORDS_POSITIONS)
        status = willow_fail(error, WILLOW_ERR_FORMAT, input->name, NULL, "it holds positions, which are no games");
    if (!status)
        status = read_records(job, input, data, error);
    free(data);
    return status;
}

static enum willow_status read_inputs(struct job *job, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    *job->summary = (struct import_summary){0};
    board_set_empty(&job->met);
    for (size_t i = 0; i < job->options->count && !status; i++)
        status = read_input(job, &job->inputs[i], error);
    return status;
}

/* With one reason of all that there are. */
static enum willow_status nothing_found(const struct job *job, struct willow_error *error)
{
    const struct willow_error *first = &job->first_left;
    if (job->summary->records == 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, job->options->files[0], NULL, "there are no games in it");
    if (job->summary->records == 1)
        return willow_fail(error, WILLOW_ERR_FORMAT, first->file, first->place, "%s", first->reason);
    return willow_fail(error, WILLOW_ERR_FORMAT, first->file, first->place,
                       "%s; none of %" PRIu64 " records can be imported", first->reason, job->summary->records);
}

/* A YAML string in double quotes. The names hold nothing that YAML could not read then. */
static void print_quoted(FILE *stream, const char *text)
{
    (void)putc('"', stream);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32)
            (void)fprintf(stream, "\\x%02X", c);
        else if (c == '"' || c == '\\')
            (void)fprintf(stream, "\\%c", c);
        else
            (void)putc(c, stream);
    }
    (void)putc('"', stream);
}

static enum willow_status make_configuration(struct job *job, struct willow_error *error)
{
    const struct import_options *options = job->options;
    size_t size = 0;
    FILE *stream = open_memstream(&job->configuration, &size);
    if (!stream)
        return out_of_memory(error);
    (void)fprintf(stream,
                  "# Where the games of this dataset come from. Results are those of the boards; there are no scores.\n"
                  "seed: %" PRIu64 "\n"
                  "shard_games: %" PRIu64 "\n"
                  "layout: %s\n"
                  "distinct: %s\n"
                  "strict: %s\n"
                  "files:\n",
                  options->seed, options->shard_games, target_layout_name(options->layout),
                  options->distinct ? "true" : "false", options->strict ? "true" : "false");
    for (size_t i = 0; i < options->count; i++) {
        const struct input *input = &job->inputs[i];
        (void)fprintf(stream, "  - name: ");
        print_quoted(stream, input->name);
        (void)fprintf(stream,
                      "\n    format: %s\n    checksum: '%s'\n    bytes: %zu\n    records: %" PRIu64
                      "\n    games: %" PRIu64 "\n",
                      formats[input->format], input->checksum, input->size_bytes, input->records, input->games);
    }
    bool failed = ferror(stream);
    return fclose(stream) != 0 || failed ? out_of_memory(error) : WILLOW_OK;
}

static enum willow_status write_all(struct job *job, struct willow_error *error)
{
    struct target_options options = {.folder = job->options->folder,
                                     .ruleset = job->options->ruleset,
                                     .seed = job->options->seed,
                                     .tool = job->options->tool,
                                     .weights = "",
                                     .labels = "none: imported games",
                                     .layout = job->options->layout,
                                     .threads = job->options->threads};
    enum willow_status status = make_configuration(job, error);
    options.configuration = job->configuration;
    if (!status)
        status = target_open(&job->target, &options, false, error);
    if (status)
        return status;
    job->writing = true;
    job->records = job->summary->records;
    status = read_inputs(job, error);
    if (!status && job->gather.games_count > 0)
        status = gather_write(&job->gather, &job->target, error);
    if (!status)
        status = target_finish(&job->target, error);
    job->summary->rows = job->target.rows;
    job->summary->shards = job->target.manifest.count;
    job->summary->size_bytes = job->target.size_bytes;
    return status;
}

enum willow_status import_games(const struct import_options *options, struct import_summary *summary,
                                struct willow_error *error)
{
    struct job job = {.options = options, .summary = summary};
    *summary = (struct import_summary){0};
    job.inputs = calloc(options->count + 1, sizeof *job.inputs);
    if (!job.inputs)
        return out_of_memory(error);
    for (size_t i = 0; i < options->count; i++)
        job.inputs[i].name = options->files[i];
    enum willow_status status = read_inputs(&job, error);
    if (!status && summary->games == 0)
        status = nothing_found(&job, error);
    if (!status)
        status = write_all(&job, error);
    target_close(&job.target);
    gather_clear(&job.gather);
    board_set_clear(&job.met);
    free(job.configuration);
    free(job.inputs);
    return status;
}
