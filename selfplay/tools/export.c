/* Export: rows and games as lines of text, written in large pieces. Numbers are formatted by hand: printf would take
 * several times as long as reading the rows, and would follow the locale. Layer: selfplay.
 */
#include "export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

#include "dataset/shard_files.h"

/* A line of CSV takes at most 166 bytes: 20 for the game, 96 for the board, and the rest; of 10x10 234. */
enum { BLOCK_ROWS = 4096, LINE_BYTES = 256, PATH_BYTES = 4096 };

static const char header[] = "game,ply,player,opponent,board,move,score,result,depth,selectivity,exact,selective,"
                             "random,after_pass,after_random,solved_result\n";

static const uint8_t flag_columns[] = {WILLOW_ROW_EXACT,      WILLOW_ROW_SELECTIVE,    WILLOW_ROW_RANDOM,
                                       WILLOW_ROW_AFTER_PASS, WILLOW_ROW_AFTER_RANDOM, WILLOW_ROW_SOLVED_RESULT};

static char *put_unsigned(char *to, uint64_t value)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

static char *put_signed(char *to, int value)
{
    if (value < 0)
        *to++ = '-';
    return put_unsigned(to, (uint64_t)(value < 0 ? -value : value));
}

/* Discs with as many decimals as 1/32 needs: "-3", "0.03125", "12.5"; nothing for a missing score. */
static char *put_score(char *to, int score)
{
    if (score == WILLOW_SCORE_MISSING)
        return to;
    unsigned size = (unsigned)(score < 0 ? -score : score);
    unsigned rest = size % WILLOW_SCORE_DISC * (100000 / WILLOW_SCORE_DISC);
    if (score < 0)
        *to++ = '-';
    to = put_unsigned(to, size / WILLOW_SCORE_DISC);
    if (rest > 0)
        *to++ = '.';
    for (unsigned unit = 10000; rest > 0; unit /= 10) {
        *to++ = (char)('0' + rest / unit);
        rest %= unit;
    }
    return to;
}

static char *put_hexadecimal(char *to, willow_bits value)
{
    for (int shift = 64 * WILLOW_BITS_WORDS - 4; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[value >> shift & 15];
    return to;
}

static bool has(willow_bits set, int square)
{
    return set >> square & 1;
}

/* Row by row; a hole is written as an empty square. */
static char *put_board(char *to, const struct willow_ruleset *ruleset, willow_bits player, willow_bits opponent)
{
    for (int y = 0; y < ruleset->height; y++)
        for (int x = 0; x < ruleset->width; x++) {
            const int square = WILLOW_SIDE * y + x;
            *to++ = "-XO"[has(player, square) | has(opponent, square) << 1];
        }
    return to;
}

static char *put_row(char *to, const struct willow_ruleset *ruleset, const struct willow_row *row)
{
    to = put_unsigned(to, row->game);
    *to++ = ',';
    to = put_unsigned(to, row->ply);
    *to++ = ',';
    to = put_hexadecimal(to, row->player);
    *to++ = ',';
    to = put_hexadecimal(to, row->opponent);
    *to++ = ',';
    to = put_board(to, ruleset, row->player, row->opponent);
    *to++ = ',';
    *to++ = (char)('a' + row->move % WILLOW_SIDE);
    to = put_unsigned(to, (uint64_t)row->move / WILLOW_SIDE + 1);
    *to++ = ',';
    to = put_score(to, row->score);
    *to++ = ',';
    to = put_signed(to, row->result);
    *to++ = ',';
    to = put_unsigned(to, row->depth);
    *to++ = ',';
    to = put_unsigned(to, row->selectivity);
    for (size_t i = 0; i < sizeof flag_columns; i++) {
        *to++ = ',';
        *to++ = row->flags & flag_columns[i] ? '1' : '0';
    }
    *to++ = '\n';
    return to;
}

static enum willow_status write_text(FILE *stream, const char *text, size_t size, struct willow_error *error)
{
    errno = 0;
    if (fwrite(text, 1, size, stream) == size)
        return WILLOW_OK;
    return willow_fail_errno(error, NULL, "write", errno ? errno : EIO);
}

static enum willow_status check_stop(const struct export_options *options, struct willow_error *error)
{
    if (options->stop && willow_stop_get(options->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return WILLOW_OK;
}

static const struct willow_ruleset *ruleset_of(const struct willow_manifest *manifest, const char *folder,
                                               struct willow_error *error)
{
    const struct willow_ruleset *ruleset = willow_ruleset_by_id(manifest->ruleset);
    if (!ruleset)
        (void)willow_fail(error, WILLOW_ERR_MISMATCH, folder, NULL, "unknown ruleset %" PRIu32, manifest->ruleset);
    return ruleset;
}

static enum willow_status copy_rows(const struct export_options *options, const struct willow_ruleset *ruleset,
                                    struct willow_reader *reader, FILE *stream, uint64_t *lines,
                                    struct willow_error *error)
{
    struct willow_row *rows = calloc(BLOCK_ROWS, sizeof *rows);
    char *text = malloc((size_t)BLOCK_ROWS * LINE_BYTES);
    size_t count = 0;
    enum willow_status status = rows && text ? write_text(stream, header, sizeof header - 1, error)
                                             : willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    while (!status) {
        uint64_t left = options->limit > 0 ? options->limit - *lines : BLOCK_ROWS;
        status = willow_reader_next(reader, rows, left < BLOCK_ROWS ? (size_t)left : BLOCK_ROWS, &count, error);
        if (status || count == 0)
            break;
        char *end = text;
        for (size_t i = 0; i < count; i++)
            end = put_row(end, ruleset, &rows[i]);
        status = write_text(stream, text, (size_t)(end - text), error);
        *lines += status ? 0 : count;
        if (!status)
            status = check_stop(options, error);
    }
    free(text);
    free(rows);
    return status;
}

enum willow_status export_csv(const struct export_options *options, FILE *stream, uint64_t *lines,
                              struct willow_error *error)
{
    struct willow_manifest manifest = {0};
    struct willow_reader *reader = NULL;
    *lines = 0;
    enum willow_status status = willow_manifest_read(options->folder, &manifest, error);
    if (status)
        return status;
    const struct willow_ruleset *ruleset = ruleset_of(&manifest, options->folder, error);
    willow_manifest_clear(&manifest);
    if (!ruleset)
        return WILLOW_ERR_MISMATCH;
    status =
        willow_reader_open(&options->folder, 1, options->first_ply, options->last_ply, ruleset, false, &reader, error);
    if (!status)
        status = copy_rows(options, ruleset, reader, stream, lines, error);
    willow_reader_free(reader);
    return status;
}

static enum willow_status write_game(const struct willow_ruleset *ruleset, const struct willow_game_row *record,
                                     const char *path, FILE *stream, struct willow_error *error)
{
    char line[WILLOW_TRANSCRIPT_TEXT + 1], place[96];
    struct willow_game game;
    struct willow_error reason;
    enum willow_status status = WILLOW_OK;
    willow_game_init(&game, ruleset);
    for (int i = 0; i < record->length && !status; i++) {
        status = willow_game_play(&game, record->moves[i], &reason);
        (void)snprintf(place, sizeof place, "game %" PRIu64 ", move %d", record->id, i + 1);
    }
    if (status)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, place, "%s", reason.reason);
    willow_transcript_format(&game, line);
    size_t length = strlen(line);
    line[length++] = '\n';
    return write_text(stream, line, length, error);
}

static enum willow_status write_games(const struct export_options *options, const struct willow_ruleset *ruleset,
                                      uint32_t shard, FILE *stream, uint64_t *lines, struct willow_error *error)
{
    char path[PATH_BYTES];
    struct willow_shard_info info = {0};
    struct willow_game_row *games = NULL;
    enum willow_status status = shard_path(path, sizeof path, options->folder, shard, error);
    if (!status)
        status = willow_shard_read(path, &info, NULL, &games, error);
    for (uint64_t i = 0; !status && i < info.games && (options->limit == 0 || *lines < options->limit); i++) {
        status = write_game(ruleset, &games[i], path, stream, error);
        *lines += !status;
    }
    free(games);
    return status ? status : check_stop(options, error);
}

enum willow_status export_transcripts(const struct export_options *options, FILE *stream, uint64_t *lines,
                                      struct willow_error *error)
{
    struct willow_manifest manifest = {0};
    *lines = 0;
    enum willow_status status = willow_manifest_read(options->folder, &manifest, error);
    if (status)
        return status;
    const struct willow_ruleset *ruleset = ruleset_of(&manifest, options->folder, error);
    uint64_t games = 0;
    for (size_t i = 0; i < manifest.count; i++)
        games += manifest.shards[i].games;
    if (!ruleset)
        status = WILLOW_ERR_MISMATCH;
    else if (games == 0)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, options->folder, NULL,
                             "the dataset keeps positions, but not the games they come from");
    for (size_t i = 0; !status && i < manifest.count && (options->limit == 0 || *lines < options->limit); i++)
        status = write_games(options, ruleset, manifest.shards[i].number, stream, lines, error);
    willow_manifest_clear(&manifest);
    return status;
}
