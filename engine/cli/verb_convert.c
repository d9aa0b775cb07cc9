/* willow convert: games and positions of any format in any other; what is bad is named and left out.
 * Layer: engine/cli (program willow).
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>
#include <willow/program.h>

#include "convert.h"
#include "verb.h"

enum { KEY_FROM = 256, KEY_TO, KEY_BOARD, KEY_MOVES, KEY_MOVER, KEY_GAME, KEY_PLY, KEY_SCORES, KEY_STRICT };

#define FORMS "transcript, ggf, sgf, wthor, obf, egaroucid, digits, hex, grid, mover, sheet or json"
#define SOURCES "transcript, ggf, sgf, wthor, positions, obf, egaroucid, digits, hex, grid or mover"

struct convert_command {
    struct convert_source source;
    struct convert_writer writer;
    bool form_given, mover, strict;
    const char *ruleset_name, *board, *moves, *out;
    char *const *files;
    int files_count;
    int64_t game; /* 0 = all */
    int ply;      /* -1 = all moves */

    uint64_t records, refused;
    bool failed; /* *error says why nothing more is read */
    struct willow_error error;
};

/* Standard input stands for the file that is not named. */
static char *const standard_input[] = {"-"};

static void check_usage(struct convert_command *command, struct argp_state *state)
{
    const bool texts = command->board || command->moves;
    if (texts && command->files_count > 0)
        argp_error(state, "a file and a text at once; leave out '%s' or the text", command->files[0]);
    if (command->mover && command->source.named && command->source.notation != WILLOW_BOARD_MOVER)
        argp_error(state, "--mover and --from name two notations");
    if (command->mover)
        (void)convert_source_find("mover", &command->source);
    if (texts && command->source.named && (!command->board || command->source.format != WILLOW_RECORDS_POSITIONS))
        argp_error(state, "--from: --board takes the notation of a board, and --moves is a transcript");
    if (command->board && command->moves && command->game > 1)
        argp_error(state, "--game: the board and the moves are one game");
    if (!texts && command->files_count == 0) {
        command->files = standard_input;
        command->files_count = 1;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct convert_command *command = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->ruleset_name;
        return 0;
    case KEY_FROM:
        if (!convert_source_find(argument, &command->source))
            argp_error(state, "--from: '%s' is none of " SOURCES, argument);
        return 0;
    case KEY_TO:
        if (!convert_form_find(argument, &command->writer.form, &command->writer.notation))
            argp_error(state, "--to: '%s' is none of " FORMS, argument);
        command->form_given = true;
        return 0;
    case 'o':
        command->out = argument;
        return 0;
    case KEY_BOARD:
        command->board = argument;
        return 0;
    case KEY_MOVES:
        command->moves = argument;
        return 0;
    case KEY_MOVER:
        command->mover = true;
        return 0;
    case KEY_GAME:
        command->game = willow_option_integer(argument, 1, INT64_MAX, "--game", state);
        return 0;
    case KEY_PLY:
        command->ply = (int)willow_option_integer(argument, 0, WILLOW_SQUARES, "--ply", state);
        return 0;
    case KEY_SCORES:
        command->writer.scores = true;
        return 0;
    case KEY_STRICT:
        command->strict = true;
        return 0;
    case ARGP_KEY_ARGS:
        command->files = state->argv + state->next;
        command->files_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_usage(command, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Cuts the game behind so many moves, passes not counted; false when it has fewer. */
static bool cut_game(struct willow_record *record, int ply)
{
    struct willow_game *game = &record->game;
    int moves = 0, length = 0;
    for (int i = 0; i < game->length && moves < ply; i++)
        if (game->moves[i] != WILLOW_PASS) {
            moves++;
            length = i + 1;
        }
    if (moves < ply)
        return false;
    if (length < game->length) {
        /* The result is that of the whole game. */
        record->has_result = false;
        record->ending = '\0';
    }
    while (game->length > length)
        (void)willow_game_undo(game);
    return true;
}

/* Notes a record that cannot be converted; true when the reading goes on. */
static bool refuse(struct convert_command *command, const struct willow_error *reason)
{
    command->refused++;
    if (!command->strict) {
        (void)willow_report(reason);
        return true;
    }
    command->failed = true;
    command->error = *reason;
    return false;
}

static void warn_of_result(const struct convert_item *item)
{
    struct willow_error warning;
    char place[48];
    (void)snprintf(place, sizeof place, "game %" PRIu64, item->record.number);
    (void)willow_fail(&warning, WILLOW_ERR_MISMATCH, item->file, place,
                      "warning: the recorded result is %+d, the board's %+d", item->record.result_discs,
                      willow_game_final_discs(&item->record.game));
    (void)willow_report(&warning);
}

static bool convert_record(struct convert_command *command, struct convert_item *item)
{
    struct willow_record *record = &item->record;
    struct willow_error error;
    char place[48];
    if (record->kind >= WILLOW_RECORD_OTHER_VARIANT) {
        (void)snprintf(record->error.file, sizeof record->error.file, "%s", item->file);
        return refuse(command, &record->error);
    }
    if (willow_record_result_differs(record))
        warn_of_result(item);
    if (command->ply >= 0 && !cut_game(record, command->ply)) {
        (void)snprintf(place, sizeof place, "game %" PRIu64, record->number);
        (void)willow_fail(&error, WILLOW_ERR_ARGUMENT, item->file, place, "the game has fewer than %d moves",
                          command->ply);
        return refuse(command, &error);
    }
    /* Of positions there is nothing else to say than the board. */
    if (!command->form_given && command->writer.written == 0 && item->is_position) {
        command->writer.form = CONVERT_BOARD;
        command->writer.notation = WILLOW_BOARD_LETTERS;
    }
    errno = 0;
    if (convert_write(&command->writer, item, &error) != WILLOW_OK) {
        if (error.status == WILLOW_ERR_MISMATCH)
            return refuse(command, &error);
        command->failed = true;
        command->error = error;
        return false;
    }
    if (ferror(command->writer.stream)) {
        command->failed = true;
        (void)willow_fail_errno(&command->error, command->out ? command->out : "standard output", "write",
                                errno ? errno : EIO);
        return false;
    }
    return true;
}

static bool take(void *context, struct convert_item *item)
{
    enum { LOOK_RECORDS = 256 };
    struct convert_command *command = context;
    command->records++;
    if (command->records % LOOK_RECORDS == 0 && willow_stop_get(willow_interrupt())) {
        command->failed = true;
        (void)willow_fail(&command->error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped before the end");
        return false;
    }
    if (command->game > 0 && command->records != (uint64_t)command->game)
        return true;
    return convert_record(command, item) && command->game == 0;
}

/* Reads and writes all there is. */
static enum willow_status convert_all(struct convert_command *command, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    if (command->board || command->moves)
        status = convert_read_texts(command->board, command->moves, &command->source, take, command, error);
    for (int i = 0; i < command->files_count && !status && !command->failed; i++) {
        const uint64_t before = command->records;
        status = convert_read_file(command->files[i], &command->source, take, command, error);
        if (command->game > 0 && command->records >= (uint64_t)command->game)
            break;
        if (!status && !command->failed && command->records == before)
            status = willow_fail(error, WILLOW_ERR_FORMAT, willow_file_input_name(command->files[i]), NULL,
                                 "no games or positions in it");
    }
    if (command->failed) {
        *error = command->error;
        status = error->status;
    }
    if (!status && command->game > 0 && command->records < (uint64_t)command->game)
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, "--game", NULL, "there are only %" PRIu64 " games",
                             command->records);
    if (!status)
        convert_write_end(&command->writer);
    return status;
}

static int convert(struct convert_command *command)
{
    struct willow_error error = {0};
    struct willow_output output;
    if (command->writer.form == CONVERT_WTHOR && !command->out && isatty(STDOUT_FILENO)) {
        (void)willow_fail(&error, WILLOW_ERR_ARGUMENT, "standard output", NULL,
                          "a WTHOR file is no text for a terminal; use --out FILE");
        return willow_report(&error);
    }
    enum willow_status status = willow_output_open(&output, command->out, &error);
    if (!status) {
        command->writer.stream = output.stream;
        status = convert_all(command, &error);
    }
    /* Whatever else was wrong is reported first. */
    const enum willow_status closed = willow_output_close(&output, !status, status ? NULL : &error);
    status = status ? status : closed;
    if (status == WILLOW_ERR_STOPPED) {
        (void)fprintf(stderr, "stopped before the end\n");
        return WILLOW_EXIT_FAILED;
    }
    if (status)
        return willow_report(&error);
    return command->refused > 0 ? WILLOW_EXIT_FAILED : WILLOW_EXIT_OK;
}

int verb_convert(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"from", KEY_FROM, "FORMAT", 0, "What the input is: " SOURCES " (default: by its content)", 0},
        {"to", KEY_TO, "FORMAT", 0, "What to write: " FORMS " (default: transcript; of positions obf)", 0},
        {"out", 'o', "FILE", 0, "Write to this file (default: standard output)", 0},
        {"board", KEY_BOARD, "TEXT", 0, "The position to convert, or from which --moves start", 0},
        {"moves", KEY_MOVES, "TEXT", 0, "The game to convert, as a transcript", 0},
        {"mover", KEY_MOVER, NULL, 0, "X is the side to move in the boards, which do not name it: --from mover", 0},
        {"game", KEY_GAME, "N", 0, "Only the N-th record of all that is read", 0},
        {"ply", KEY_PLY, "N", 0, "Only the first N moves of each game, passes not counted", 0},
        {"scores", KEY_SCORES, NULL, 0, "obf, json: with the scores of moves where the input has them", 0},
        {"strict", KEY_STRICT, NULL, 0, "Stop at the first bad record", 0},
        {0}};
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .args_doc = "[FILE...]",
        .doc = "Reads games or positions in any format (from standard input without FILE, or as '-') and writes them "
               "in another one. Boards (obf and the notations behind it) are those behind the last move; sheet is the "
               "board with the numbers of the moves; json is an object a line. Bad records are named and left out; "
               "the exit status is 1 then.\v"
               "Examples:\n"
               "  willow convert WTH_2025.wtb --to ggf --out games.ggf\n"
               "  willow convert game.sgf --ply 20 --to grid\n"
               "  willow convert --moves f5d6c3d3c4 --to obf\n"
               "  willow convert games.txt --game 3 --to sheet\n"
               "  willow convert game.sgf --ruleset 6x6 --to json"};
    struct convert_command command = {.source = {.notation = WILLOW_BOARD_ANY},
                                      .writer = {.form = CONVERT_TRANSCRIPT, .notation = WILLOW_BOARD_LETTERS},
                                      .ply = -1};
    willow_parse_options(&argp, argc, argv, &command);
    const int usage = willow_ruleset_choose(argv[0], command.ruleset_name, OPTION_HOLE_SEED, willow_ruleset_default(),
                                            &command.source.ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)willow_interrupt();
    const int code = convert(&command);
    convert_writer_clear(&command.writer);
    return code;
}
