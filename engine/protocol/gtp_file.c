/* GTP commands that read and write games: SGF files, and boards set up square by square or at once. Layer: protocol. */
#include "protocol/gtp_session.h"

#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/notation.h>
#include <willow/records.h>

enum { SGF_BYTES_MAX = 1 << 20, SGF_TEXT_MAX = 1 << 14, FILE_NAME_MAX = 4096 };

/* File names may hold blanks; GTP does not know where they end. */
static bool join(int count, char **words, char name[FILE_NAME_MAX])
{
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        const size_t word = strlen(words[i]);
        if (length + word + 2 > FILE_NAME_MAX)
            return false;
        if (i > 0)
            name[length++] = ' ';
        memcpy(name + length, words[i], word);
        length += word;
    }
    name[length] = '\0';
    return true;
}

static enum gtp_outcome refuse_file(struct gtp *gtp, const char *what, const struct willow_error *error)
{
    char text[sizeof error->file + sizeof error->place + sizeof error->reason + 8];
    return gtp_refuse(gtp, "cannot %s file: %s", what, willow_error_text(error, text, sizeof text));
}

/* The first game of the file. */
static enum willow_status read_sgf(const char *name, const struct willow_ruleset *ruleset, struct willow_record *record,
                                   struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    struct willow_records records;
    enum willow_status status = willow_file_read(name, SGF_BYTES_MAX, &data, &size, error);
    if (status == WILLOW_OK)
        status = willow_records_open(&records, ruleset, WILLOW_RECORDS_SGF, data, size, error);
    if (status == WILLOW_OK && !willow_records_next(&records, record))
        status = willow_fail(error, WILLOW_ERR_FORMAT, name, NULL, "no game");
    if (status == WILLOW_OK && record->kind > WILLOW_RECORD_OTHER_START) {
        *error = record->error;
        status = error->status == WILLOW_OK ? WILLOW_ERR_FORMAT : error->status;
    }
    free(data);
    return status;
}

/* loadsgf FILE [MOVE]: the position before that move, counted from 1 with passes; without it the last one. */
static enum gtp_outcome do_loadsgf(struct gtp *gtp, int count, char **words)
{
    char name[FILE_NAME_MAX];
    int move = 0;
    if (!gtp->settings.files)
        return gtp_refuse(gtp, "cannot load file: files are not opened in this session");
    const bool numbered = count > 1 && gtp_parse_integer(words[count - 1], 999999999, &move);
    if (!join(numbered ? count - 1 : count, words, name))
        return gtp_refuse_syntax(gtp);
    struct willow_record *record = malloc(sizeof *record);
    struct willow_error error;
    enum willow_status status = record ? read_sgf(name, gtp->ruleset, record, &error)
                                       : willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a game");
    if (status != WILLOW_OK) {
        free(record);
        return refuse_file(gtp, "load", &error);
    }
    while (numbered && record->game.length >= (move > 1 ? move : 1))
        (void)willow_game_undo(&record->game);
    gtp_set_game(gtp, &record->game);
    const enum willow_side side = record->game.side;
    free(record);
    /* What GNU Go answers, too: whose turn it is. */
    gtp_say(gtp, "%s", gtp_side_name(side));
    return GTP_GOOD;
}

static size_t format_sgf(const struct gtp *gtp, char text[SGF_TEXT_MAX])
{
    const bool over = willow_game_over(&gtp->game);
    const struct willow_ggf_game record = {
        .game = &gtp->game, .result_discs = over ? willow_game_final_discs(&gtp->game) : 0, .result_unknown = !over};
    return willow_sgf_format(&record, text, SGF_TEXT_MAX);
}

/* printsgf [FILE]: no file but a game of the same kind is replaced. */
static enum gtp_outcome do_printsgf(struct gtp *gtp, int count, char **words)
{
    static const char mark[] = "(;";
    char text[SGF_TEXT_MAX], name[FILE_NAME_MAX];
    size_t length = format_sgf(gtp, text);
    if (length == 0 || length + 1 >= sizeof text)
        return gtp_refuse(gtp, "SGF has no words for this game");
    if (count == 0) {
        gtp_say(gtp, "%s", text);
        return GTP_GOOD;
    }
    if (!gtp->settings.files)
        return gtp_refuse(gtp, "cannot write file: files are not opened in this session");
    if (!join(count, words, name))
        return gtp_refuse_syntax(gtp);
    text[length++] = '\n';
    struct willow_error error;
    enum willow_status status = willow_file_check_mark(name, mark, sizeof mark - 1, "game in SGF", &error);
    if (status == WILLOW_OK)
        status = willow_file_replace(name, text, length, &error);
    return status == WILLOW_OK ? GTP_GOOD : refuse_file(gtp, "write", &error);
}

static enum gtp_outcome set_board(struct gtp *gtp, struct willow_board board, enum willow_side side)
{
    struct willow_game game;
    struct willow_error error;
    if (willow_game_init_board(&game, gtp->ruleset, board, side, &error) != WILLOW_OK)
        return gtp_refuse(gtp, "%s", error.reason);
    gtp_set_game(gtp, &game);
    return GTP_GOOD;
}

/* gogui-setup COLOR SQUARE ...: these discs and no others; black is to move. */
static enum gtp_outcome do_setup(struct gtp *gtp, int count, char **words)
{
    struct willow_board board = {0};
    if (count % 2 != 0)
        return gtp_refuse_syntax(gtp);
    for (int i = 0; i < count; i += 2) {
        enum willow_side side;
        const willow_square square = willow_square_parse(words[i + 1]);
        if (!gtp_parse_side(words[i], &side) || square >= WILLOW_SQUARES)
            return gtp_refuse_syntax(gtp);
        *(side == WILLOW_BLACK ? &board.player : &board.opponent) |= WILLOW_BIT(square);
    }
    return set_board(gtp, board, WILLOW_BLACK);
}

/* gogui-setup_player COLOR: the same discs, that side to move; the moves so far are forgotten. */
static enum gtp_outcome do_setup_player(struct gtp *gtp, int count, char **words)
{
    (void)count;
    enum willow_side side;
    struct willow_board board = willow_game_board(&gtp->game);
    if (!gtp_parse_side(words[0], &side))
        return gtp_refuse_syntax(gtp);
    if (side == gtp->game.side)
        return GTP_GOOD;
    board = (struct willow_board){.player = board.opponent, .opponent = board.player};
    return set_board(gtp, board, side);
}

/* willow-set_board BOARD: in any notation of a line. */
static enum gtp_outcome do_set_board(struct gtp *gtp, int count, char **words)
{
    char text[FILE_NAME_MAX];
    struct willow_board board;
    enum willow_side side;
    struct willow_error error;
    if (!join(count, words, text))
        return gtp_refuse_syntax(gtp);
    if (willow_board_parse(gtp->ruleset, text, &board, &side, &error) != WILLOW_OK) {
        char reason[1024];
        return gtp_refuse(gtp, "%s", willow_error_text(&error, reason, sizeof reason));
    }
    return set_board(gtp, board, side);
}

const struct gtp_command gtp_file_commands[] = {
    {"loadsgf", 1, GTP_WORDS_MAX, do_loadsgf},
    {"printsgf", 0, GTP_WORDS_MAX, do_printsgf},
    {"gogui-setup", 0, GTP_WORDS_MAX, do_setup},
    {"gogui-setup_player", 1, 1, do_setup_player},
    {"willow-set_board", 1, GTP_WORDS_MAX, do_set_board},
    {NULL, 0, 0, NULL},
};
