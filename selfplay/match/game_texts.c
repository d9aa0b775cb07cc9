/* A match's games for other programs: GGF, or SGF where that has no word for the ruleset, and transcripts one a line
 * that every reader of such lists takes. Layer: selfplay.
 */
#include "game_texts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>
#include <willow/notation.h>
#include <willow/records.h>

#include "game_json.h"
#include "pair_file.h"

enum { RECORD_BYTES = 16384 };

/* A file that gets its name when it is whole. */
struct text_file {
    FILE *stream;
    char path[PATH_MAX], temporary[PATH_MAX];
};

struct game_texts {
    bool is_sgf;
    struct text_file records, list;
    char line[RECORD_BYTES];
};

static enum willow_status text_open(struct text_file *file, const char *folder, const char *name,
                                    struct willow_error *error)
{
    const enum willow_status status = willow_path_join(file->path, sizeof file->path, folder, name, error);
    if (status != WILLOW_OK)
        return status;
    const int length = snprintf(file->temporary, sizeof file->temporary, "%s.tmp", file->path);
    if (length < 0 || (size_t)length >= sizeof file->temporary)
        return willow_fail_errno(error, file->path, "create", ENAMETOOLONG);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    const int fd = open(file->temporary, flags, 0666);
    if (fd < 0)
        return willow_fail_errno(error, file->temporary, "create", errno);
    file->stream = fdopen(fd, "w");
    if (file->stream)
        return WILLOW_OK;
    (void)close(fd);
    (void)unlink(file->temporary);
    return willow_fail(error, WILLOW_ERR_MEMORY, file->temporary, NULL, "out of memory");
}

/* Takes `status`, that of the writing so far; the temporary file is gone afterwards, whatever happens. */
static enum willow_status text_close(struct text_file *file, enum willow_status status, struct willow_error *error)
{
    if (!file->stream)
        return status;
    if (fclose(file->stream) != 0 && status == WILLOW_OK)
        status = willow_fail_errno(error, file->path, "write", errno);
    if (status == WILLOW_OK)
        status = willow_file_publish(file->temporary, file->path, error);
    if (status != WILLOW_OK)
        (void)unlink(file->temporary);
    return status;
}

static void put_record(struct game_texts *texts, const struct game_record *record, const char *const names[2])
{
    struct willow_ggf_move moves[WILLOW_GAME_MAX];
    for (int i = 0; i < record->game.length; i++) {
        const struct game_move *move = &record->moves[i];
        const bool own = i >= record->opening && record->game.moves[i] != WILLOW_PASS;
        moves[i] = (struct willow_ggf_move){.has_score = own && move->has_score,
                                            .score_discs = (double)move->score_discs,
                                            .has_time = own,
                                            .seconds = (double)move->used_ns / 1e9};
    }
    const struct willow_ggf_game game = {.game = &record->game,
                                         .place = "Willow",
                                         .black = names[0],
                                         .white = names[1],
                                         .moves = moves,
                                         .result_discs = record->discs,
                                         .ending = record->end == GAME_RESIGNED ? 'r'
                                                   : record->end == GAME_TIME   ? 't'
                                                                                : '\0'};
    (void)(texts->is_sgf ? willow_sgf_format : willow_ggf_format)(&game, texts->line, sizeof texts->line);
    (void)fprintf(texts->records.stream, "%s\n", texts->line);
}

/* A transcript begins at the start that everyone knows; a game from elsewhere is a comment alone. */
static void put_transcript(struct game_texts *texts, const struct game_record *record, const char *const names[2])
{
    FILE *stream = texts->list.stream;
    char moves[WILLOW_TRANSCRIPT_TEXT], board[WILLOW_BOARD_LINE];
    (void)willow_transcript_format(&record->game, moves);
    if (willow_game_starts_usually(&record->game))
        (void)fprintf(stream, "%s #", moves);
    else
        (void)fprintf(stream, "# from %s: %s,",
                      willow_board_format(record->game.ruleset, record->game.boards[0], record->game.start_side, board),
                      moves);
    (void)fprintf(stream, " %s - %s %+d", names[0], names[1], record->discs);
    if (record->end != GAME_PLAYED)
        (void)fprintf(stream, ", %s: %s", names[record->culprit], game_end_names[record->end]);
    (void)fputc('\n', stream);
}

static enum willow_status put_pair(void *context, const struct match_folder_pair *pair, struct willow_error *error)
{
    struct game_texts *texts = context;
    for (int game = 0; game < 2; game++) {
        const char *const names[2] = {pair->names[game], pair->names[1 - game]};
        put_record(texts, &pair->games[game], names);
        put_transcript(texts, &pair->games[game], names);
    }
    /* A full disk must not wait for a million games to be written into it. */
    if (ferror(texts->records.stream))
        return willow_fail_errno(error, texts->records.path, "write", errno);
    if (ferror(texts->list.stream))
        return willow_fail_errno(error, texts->list.path, "write", errno);
    return WILLOW_OK;
}

/* A format that has no word for the ruleset would write nothing. */
static bool is_sgf(const struct willow_ruleset *ruleset, struct game_texts *texts)
{
    struct willow_game start;
    willow_game_init(&start, ruleset);
    const struct willow_ggf_game game = {.game = &start, .black = "", .white = "", .result_unknown = true};
    return willow_ggf_format(&game, texts->line, sizeof texts->line) == 0;
}

enum willow_status game_texts_write(const char *folder, int fd, const char *path, const struct willow_ruleset *ruleset,
                                    struct willow_error *error)
{
    uint64_t whole_bytes;
    struct game_texts *texts = calloc(1, sizeof *texts);
    if (!texts)
        return willow_fail(error, WILLOW_ERR_MEMORY, folder, NULL, "out of memory");
    texts->is_sgf = is_sgf(ruleset, texts);
    enum willow_status status = text_open(&texts->records, folder, texts->is_sgf ? "games.sgf" : "games.ggf", error);
    if (status == WILLOW_OK)
        status = text_open(&texts->list, folder, "games.txt", error);
    if (status == WILLOW_OK && ruleset != willow_ruleset_othello())
        (void)fprintf(texts->list.stream, "# games of %s\n", ruleset->name);
    if (status == WILLOW_OK)
        status = pair_file_read(fd, path, ruleset, put_pair, texts, &whole_bytes, error);
    status = text_close(&texts->records, status, error);
    status = text_close(&texts->list, status, error);
    free(texts);
    return status;
}
