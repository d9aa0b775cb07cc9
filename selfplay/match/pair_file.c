/* Reads games.jsonl pair by pair, through a buffer of fixed size. Layer: selfplay. What one line must be is in
 * game_json.c; here is what two lines must be together, and what a kill may leave.
 */
#include "pair_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "game_json.h"

enum { PLACE_BYTES = 32 };

struct pair_file {
    int fd;
    const char *path;
    const struct willow_ruleset *ruleset;
    struct willow_error *error;
    uint64_t offset; /* of the byte behind those in the buffer */
    uint64_t line;   /* number of the line handed out last */
    size_t begin, end;
    struct game_json games[2];
    struct match_folder_pair pair;
    char buffer[4 * GAME_JSON_MAX];
};

enum line_kind { LINE_WHOLE, LINE_CUT, LINE_NONE };

struct line {
    enum line_kind kind; /* with an end; without one, at the end of the file; no more bytes */
    const char *text;    /* without its end; until the next line is read */
    size_t length;
    char place[PLACE_BYTES];
};

/* Reads on behind what the buffer holds. *got = 0 at the end of the file. */
static enum willow_status fill(struct pair_file *file, size_t *got)
{
    memmove(file->buffer, file->buffer + file->begin, file->end - file->begin);
    file->end -= file->begin;
    file->begin = 0;
    ssize_t count;
    do
        count = pread(file->fd, file->buffer + file->end, sizeof file->buffer - file->end, (off_t)file->offset);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return willow_fail_errno(file->error, file->path, "read", errno);
    *got = (size_t)count;
    file->end += *got;
    file->offset += *got;
    return WILLOW_OK;
}

static enum willow_status next_line(struct pair_file *file, struct line *line)
{
    size_t got = 1;
    const char *end = NULL;
    file->line++;
    (void)snprintf(line->place, sizeof line->place, "line %" PRIu64, file->line);
    while (got > 0 && !(end = memchr(file->buffer + file->begin, '\n', file->end - file->begin)) &&
           file->end - file->begin < GAME_JSON_MAX) {
        const enum willow_status status = fill(file, &got);
        if (status != WILLOW_OK)
            return status;
    }
    line->text = file->buffer + file->begin;
    line->length = end ? (size_t)(end - line->text) : file->end - file->begin;
    if (line->length >= GAME_JSON_MAX)
        return willow_fail(file->error, WILLOW_ERR_FORMAT, file->path, line->place,
                           "no line of a game: longer than %d bytes", (int)GAME_JSON_MAX);
    line->kind = end ? LINE_WHOLE : line->length > 0 ? LINE_CUT : LINE_NONE;
    file->begin += line->length + (end != NULL);
    return WILLOW_OK;
}

/* A kill cuts a line anywhere; behind a power cut some file systems show zeros where data was to come. Anything else
 * without an end was not written by us, and is not ours to drop. */
static enum willow_status check_cut(const struct pair_file *file, const struct line *line)
{
    size_t length = line->length;
    while (length > 0 && line->text[length - 1] == '\0')
        length--;
    const size_t compared = length < strlen(GAME_JSON_START) ? length : strlen(GAME_JSON_START);
    if (memcmp(line->text, GAME_JSON_START, compared) != 0 || memchr(line->text, '\0', length))
        return willow_fail(file->error, WILLOW_ERR_FORMAT, file->path, line->place,
                           "neither a game nor what is left of one");
    return WILLOW_OK;
}

/* Both from one opening with colours swapped. */
static enum willow_status check_pair(const struct pair_file *file, const struct line *line)
{
    const struct game_json *first = &file->games[0], *second = &file->games[1];
    const struct willow_game *game = &first->record.game, *other = &second->record.game;
    const char *what = NULL;
    if (first->pair != second->pair)
        what = "the second game of another pair than the line before";
    else if (strcmp(first->black, second->white) != 0 || strcmp(first->white, second->black) != 0)
        what = "not the players of the line before with colours swapped";
    else if (first->record.opening != second->record.opening || game->start_side != other->start_side ||
             memcmp(game->boards, other->boards, sizeof game->boards[0]) != 0 ||
             memcmp(game->moves, other->moves, (size_t)first->record.opening * sizeof game->moves[0]) != 0)
        what = "another opening than in the line before";
    return what ? willow_fail(file->error, WILLOW_ERR_FORMAT, file->path, line->place, "%s", what) : WILLOW_OK;
}

/* *whole = false when the file ends before the second line does. */
static enum willow_status read_pair(struct pair_file *file, bool *whole)
{
    struct line line;
    enum willow_status status = WILLOW_OK;
    *whole = false;
    for (int i = 0; i < 2; i++) {
        status = next_line(file, &line);
        if (status != WILLOW_OK)
            return status;
        if (line.kind != LINE_WHOLE)
            return line.kind == LINE_CUT ? check_cut(file, &line) : WILLOW_OK;
        status =
            game_json_read(line.text, line.length, file->ruleset, file->path, line.place, &file->games[i], file->error);
        if (status != WILLOW_OK)
            return status;
        if (file->games[i].game != i)
            return willow_fail(file->error, WILLOW_ERR_FORMAT, file->path, line.place,
                               i == 0 ? "the second game of a pair without the first"
                                      : "the first game of a pair where the second is due");
    }
    *whole = true;
    return check_pair(file, &line);
}

static enum willow_status hand_out(struct pair_file *file, match_folder_visit *visit, void *context)
{
    struct match_folder_pair *pair = &file->pair;
    pair->names[0] = file->games[0].black;
    pair->names[1] = file->games[0].white;
    pair->number = (size_t)file->games[0].pair;
    for (int i = 0; i < 2; i++)
        pair->games[i] = file->games[i].record;
    return visit(context, pair, file->error);
}

enum willow_status pair_file_read(int fd, const char *path, const struct willow_ruleset *ruleset,
                                  match_folder_visit *visit, void *context, uint64_t *whole_bytes,
                                  struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    bool whole = true;
    struct pair_file *file = calloc(1, sizeof *file);
    if (!file)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    file->fd = fd;
    file->path = path;
    file->ruleset = ruleset;
    file->error = error;
    *whole_bytes = 0;
    while (status == WILLOW_OK && whole) {
        status = read_pair(file, &whole);
        if (status == WILLOW_OK && whole && visit)
            status = hand_out(file, visit, context);
        if (whole)
            *whole_bytes = file->offset - (file->end - file->begin);
    }
    free(file);
    return status;
}
